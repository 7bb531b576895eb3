// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The values that attributes have in nodes without them.
#pragma once

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// The default of the attribute; a message without type and value if it has none.
onnx::AttributeProto default_value(const OperatorAttribute& attribute);

// Compares attributes that hold a number, a string, or a list of numbers; false for all others.
bool same_value(const onnx::AttributeProto& a, const onnx::AttributeProto& b);

// Whether a node of this version would mean the same without the attribute `given`.
bool says_default(const onnx::AttributeProto& given, const OperatorVersion& version);

}  // namespace onnx_lower
