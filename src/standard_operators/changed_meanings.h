// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Changes between two versions of a standard operator that do not show in its schema: short lists,
// reviewed by hand.
#pragma once

#include <span>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// From `since_version` on, the operator computes something else with the same signature.
struct ChangedMeaning {
  std::string_view op_type;
  int since_version;
  // Whether the change makes a difference for this node; `written_for` is the version that the node
  // means. nullptr stands for always.
  bool (*concerns)(const onnx::NodeProto& node, const OperatorVersion& written_for);
  std::string_view reason;  // completes "… differs: "
};

// A string attribute that may have this value only in these versions of the operator.
struct BoundedValue {
  std::string_view op_type;
  std::string_view attribute;
  std::string_view value;
  int first_version;
  int last_version;
  std::string_view other_name;  // what newer versions call the same value; empty if nothing
};

// An attribute that a later version added, and whose default is not what the operator did before.
struct FormerBehaviour {
  std::string_view op_type;
  std::string_view attribute;
  std::string_view value;
};

// An attribute that a later version dropped: a node without it means what the newer operator does.
struct DroppedAttribute {
  std::string_view op_type;
  std::string_view attribute;
};

// An input that must have this rank before `since_version`, and may have another one from there on.
// Rank 0 stands for a single number, which may also be in a list.
struct FormerRank {
  std::string_view op_type;
  int input;
  int since_version;
  int rank;
  std::string_view reason;
};

// An input that may not be given together with input `by` from `since_version` on. Before, it has
// no elements if the other one is given.
struct SupersededInput {
  std::string_view op_type;
  int input;
  int by;
  int since_version;
};

// An input that has two names.
struct RenamedInput {
  std::string_view op_type;
  std::string_view old_name;
  std::string_view new_name;
};

std::span<const ChangedMeaning> changed_meanings();
std::span<const BoundedValue> bounded_values();
std::span<const FormerBehaviour> former_behaviours();
std::span<const DroppedAttribute> dropped_attributes();
std::span<const FormerRank> former_ranks();
std::span<const SupersededInput> superseded_inputs();
std::span<const RenamedInput> renamed_inputs();

}  // namespace onnx_lower
