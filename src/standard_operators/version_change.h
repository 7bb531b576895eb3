// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A node that was written for one version of its operator, written for another one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// What has to be edited, so that the node means the same at another version of its operator.
struct VersionChange {
  // Why it does not mean the same there; empty if it does, once the edits below are made. A clause
  // such as "attribute 'value_float' exists from opset 12 on".
  std::string reason;
  // Attributes to leave out: they say what the other version does anyway, and it does not know
  // them.
  std::vector<std::string> dropped;
  // Attributes to write out or to replace: the other version's default differs, or it has another
  // name for the value.
  std::vector<onnx::AttributeProto> added;
  // Indices of inputs to leave out: they say nothing, and the other version does not take them.
  std::vector<int> left_out;

  bool is_possible() const { return reason.empty(); }
  bool changes_nothing() const { return reason.empty() && dropped.empty() && added.empty() && left_out.empty(); }
};

// The node's attributes must be values, not references to a function's attributes. Both versions
// are of the node's operator.
VersionChange version_change(const onnx::NodeProto& node, const OperatorVersion& written_for,
                             const OperatorVersion& other);

// Makes the edits of a change that is possible.
void apply(const VersionChange& change, onnx::NodeProto& node);

// The smallest opset above `above` at which the node, written for that version, means the same;
// nothing if there is none.
std::optional<int64_t> first_opset_with_the_meaning(const onnx::NodeProto& node, const OperatorVersion& written_for,
                                                    int64_t above);

}  // namespace onnx_lower
