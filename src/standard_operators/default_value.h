// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The values that attributes have where a node leaves them out.
#pragma once

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// An attribute without type and value where there is none.
onnx::AttributeProto default_value(const OperatorAttribute& attribute);

// Of attributes that hold a number, a string, or a list of numbers; false of all others.
bool same_value(const onnx::AttributeProto& a, const onnx::AttributeProto& b);

// Whether a node of this version would mean the same without the attribute.
bool says_default(const onnx::AttributeProto& given, const OperatorVersion& version);

}  // namespace onnx_lower
