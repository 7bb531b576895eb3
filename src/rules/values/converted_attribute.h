// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Converts attributes to the type that a rule asks for: exporters and people write the same number
// in many ways.
#pragma once

#include <optional>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// `value` as an attribute of another type, if nothing but digits gets lost: an INT as a FLOAT, a
// single value as a list with one element and the other way round, a tensor of rank 0 or 1 as the
// number or list that it holds, and text that is only a number or a list of numbers ("0.1", "[1,
// 2]"). Nothing if it cannot be converted.
std::optional<onnx::AttributeProto> converted(const onnx::AttributeProto& value,
                                              onnx::AttributeProto::AttributeType type);

}  // namespace onnx_lower
