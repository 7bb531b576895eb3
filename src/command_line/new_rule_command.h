// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// --new-rule: begins a rule for nodes of a model.
#pragma once

#include "run_options.h"

namespace onnx_lower {

// Writes the rule's file and its test's, with places to fill in, and prints what to do next. Throws
// UsageError where the model has no such node that is to be lowered, and FileError where a file is
// there already.
void begin_rule(const Options& options);

}  // namespace onnx_lower
