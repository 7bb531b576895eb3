// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Does a node that is written for one version of an operator mean the same at another version?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// How a node reads at another version of its operator.
struct Reading {
  // Why it does not mean the same there; empty if it does, once the edits below are made. A clause such as
  // "attribute 'value_float' exists from opset 12 on".
  std::string reason;
  // Attributes to leave out: they say what the other version does anyway, and it does not know them.
  std::vector<std::string> dropped;
  // Attributes to write out or to replace: the other version's default differs, or it has another name for the value.
  std::vector<onnx::AttributeProto> added;
  // Indices of inputs to leave out: they say nothing, and the other version does not take them.
  std::vector<int> left_out;

  bool means_the_same() const { return reason.empty(); }
  bool as_it_stands() const { return reason.empty() && dropped.empty() && added.empty() && left_out.empty(); }
};

// The node's attributes must be values, not references to a function's attributes. Both versions are of the node's
// operator.
Reading read_at(const onnx::NodeProto& node, const OperatorVersion& written_for, const OperatorVersion& other);

// Makes the edits of a reading that means the same.
void restate(const Reading& reading, onnx::NodeProto& node);

// The smallest opset above `above` at which the node, written for that version, means the same; nothing if there is
// none.
std::optional<int64_t> first_opset_with_the_meaning(const onnx::NodeProto& node, const OperatorVersion& written_for,
                                                    int64_t above);

}  // namespace onnx_lower
