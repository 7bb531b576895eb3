// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Converts a node from one version of its operator to another one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// What has to be changed so that the node means the same at another version of its operator.
struct VersionChange {
  // Why the node cannot mean the same at that version; empty if it does after the changes below. A
  // clause such as "attribute 'value_float' exists from opset 12 on".
  std::string reason;
  // Attributes to remove: they say what the other version does in any case, and it
  // does not have them.
  std::vector<std::string> dropped;
  // Attributes to add or to replace: the other version has another default, or another
  // name for the value.
  std::vector<onnx::AttributeProto> added;
  // Indices of inputs to remove: they have no effect, and the other version does not have them.
  std::vector<int> left_out;

  bool is_possible() const { return reason.empty(); }
  bool changes_nothing() const { return reason.empty() && dropped.empty() && added.empty() && left_out.empty(); }
};

// The node's attributes must be values, not references to a function's attributes. Both versions
// must be of the node's operator.
VersionChange version_change(const onnx::NodeProto& node, const OperatorVersion& written_for,
                             const OperatorVersion& other);

// Makes the changes, which must be possible.
void apply(const VersionChange& change, onnx::NodeProto& node);

// The smallest opset greater than `above` at which the node means the same as at the version that
// it is written for; nothing if there is none.
std::optional<int64_t> first_opset_with_the_meaning(const onnx::NodeProto& node, const OperatorVersion& written_for,
                                                    int64_t above);

}  // namespace onnx_lower
