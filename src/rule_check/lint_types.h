// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Types to check a rule's body with: element types that its inputs may have together.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "rules/text/form.h"

namespace onnx_lower {

// For each input the type that the form declares for it, else the first of float, int64, bool,
// int32 … that its condition and the operators that use it allow; float where none will do. Values
// that one operator wants of one type get the same one.
std::map<std::string, onnx::TypeProto> input_types_of(const Form& form);

// A floating-point constant of a fixed type beside an input that may be of another one, by the
// form's condition and the operators that use it, and that no condition of the operator's other
// forms is for.
struct MixedType {
  int node = 0;  // of the outermost nodes
  std::string message;
};
std::vector<MixedType> mixed_types_of(const Form& form, std::span<const Form> forms);

}  // namespace onnx_lower
