// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Types to check a rule's body with: element types that its inputs may have together.
#pragma once

#include <map>
#include <string>

#include "rules/form.h"

namespace onnx_lower {

// For each input the type that the form declares for it, else the first of float, int64, bool, int32 … that its condition and the
// operators that use it allow; float where none will do. Values that one operator wants of one type get the same one.
std::map<std::string, onnx::TypeProto> input_types_of(const Form& form);

}  // namespace onnx_lower
