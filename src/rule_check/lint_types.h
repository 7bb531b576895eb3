// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Chooses element types for the inputs of a rule's body, to check it with.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "rules/text/form.h"

namespace onnx_lower {

// The type of each input: the one that the form declares for it, else the first of float, int64,
// bool, int32 … that the condition and the operators which use the input allow; float where none is
// allowed. Inputs that an operator requires to have the same type get the same type.
std::map<std::string, onnx::TypeProto> input_types_of(const Form& form);

// A constant of a fixed floating-point type that is used together with an input which may have
// another type, according to the form's condition and the operators that use it; no condition of
// the operator's other forms is for that type.
struct MixedType {
  int node = 0;  // index among the outermost nodes
  std::string message;
};
std::vector<MixedType> mixed_types_of(const Form& form, std::span<const Form> forms);

}  // namespace onnx_lower
