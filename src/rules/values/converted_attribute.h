// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Attributes in another type than the one that a rule names: exporters and hands write one number
// in many ways.
#pragma once

#include <optional>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// `value` as an attribute of another type, where nothing is lost but digits: an INT as FLOAT, a
// single value as a list of one and the other way round, a tensor of rank 0 or 1 as the number or
// list that it holds, and text that is nothing but a number or a list of them ("0.1", "[1, 2]").
// Nothing if it is not possible.
std::optional<onnx::AttributeProto> converted(const onnx::AttributeProto& value,
                                              onnx::AttributeProto::AttributeType type);

}  // namespace onnx_lower
