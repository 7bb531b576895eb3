// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "legalizer/legalization/legalization.h"

namespace onnx_lower {

// Throws InvalidInput where the model's functions and the user's rules would make too many nodes,
// before any is made: a chain of functions that each call the one before twice takes a few
// kilobytes, and would become more nodes than any machine holds.
void check_expansion_size(Legalization& all);

}  // namespace onnx_lower
