// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operator onnx_lower.ConstantLike of the rule language: a number, list or tensor with the
// element type of another value.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "rules/text/form.h"

namespace onnx_lower {

// The attribute of Constant for a value of that type: "value_ints", "value".
std::string constant_attribute(onnx::AttributeProto::AttributeType type);

bool is_constant_like(const onnx::NodeProto& node);

// Whether the node has one attribute, one input and one output, as the operator must.
bool is_complete_constant_like(const onnx::NodeProto& node);

// Expands each `y = onnx_lower.ConstantLike <value = …> (x)` of a function and its subgraphs:
//     y_ = Constant <value = …> ()
//     y = CastLike (y_, x)
// A number, a list, or a reference to a declared attribute of such a type, becomes the attribute
// that Constant has for it. Returns, for each node that the function has afterwards, the index of
// the node that it comes from.
std::vector<int> write_out_constants_like(onnx::FunctionProto& function, std::span<const DeclaredAttribute> declared);

}  // namespace onnx_lower
