// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Makes inputs of models: random ones, or those of the user's file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verify/comparison.h"
#include "verify_runtime/npz_file.h"
#include "verify_runtime/session.h"

namespace onnx_lower::verify_runtime {

// The inputs of a run, drawn as they are planned. The same seed, run and place in the list give the
// same numbers on every machine. What is not 8-bit and has no bounds is drawn more widely from run
// to run: floats of the first are about 1 in size, those of the second between 0 and 1, those of
// the third about 4, and so on.
std::vector<MadeInput> made_inputs(const std::vector<PlannedInput>& plan, uint64_t seed, int run);

// The input as the array has it; `plan` gets the array's shape. Throws NpzError where the array's
// elements are not of the input's type, which NumPy can say exactly (or nearly: integers stand for
// other integers that hold them).
MadeInput input_of(const NpyArray& array, PlannedInput& plan);

}  // namespace onnx_lower::verify_runtime
