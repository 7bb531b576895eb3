// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Gauss-Jordan elimination on matrices of a known size, written out in standard operators.
#pragma once

#include <cstdint>
#include <string>

#include "rules/body.h"

namespace onnx_lower {

// The size of the square matrices that an input holds. The rule declines where the size is not
// known, or so large that the graph would be larger than anybody wants it.
int64_t need_size_of_matrices(const CallSite& site, int input);

// `matrices` (... x size x size) and, of the same leading dimensions, `beside` (... x size x
// columns): makes `output`, the solution X of matrices X = beside. With partial pivoting, one step
// for each column.
void eliminate(Body& body, const std::string& matrices, const std::string& beside, int64_t size,
               std::string_view output);

}  // namespace onnx_lower
