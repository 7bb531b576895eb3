// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Shows on the terminal what a run changes in a model.
#pragma once

#include "model_file/model.h"
#include "run_options.h"

namespace onnx_lower {

// Prints on standard output, or by the program that PAGER names where that is a terminal, how the
// text of the model differs from that of its input; of large tensors the text has the types.
// Throws InvalidInput where protobuf does not read the model, which may be too large.
void print_diff(Model& model, const Options& options);

}  // namespace onnx_lower
