// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What changed between two versions of a standard operator without showing in its schema: one short
// list, reviewed by hand.
#pragma once

#include <span>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// From `since_version` on the operator does something else with the same signature.
struct ChangedMeaning {
  std::string_view op_type;
  int since_version;
  // Whether the change makes a difference to this node; `written_for` is the version that the node
  // is meant for.
  // nullptr: always.
  bool (*concerns)(const onnx::NodeProto& node, const OperatorVersion& written_for);
  std::string_view reason;  // completes "… differs: "
};

// A string attribute that has this value only in these versions of the operator.
struct BoundedValue {
  std::string_view op_type;
  std::string_view attribute;
  std::string_view value;
  int first_version;
  int last_version;
  std::string_view other_name;  // what the same thing is called in newer versions; empty if nothing
};

// An attribute that a later version added and whose default is not what the operator did before.
struct FormerBehaviour {
  std::string_view op_type;
  std::string_view attribute;
  std::string_view value;
};

// An attribute that a later version dropped: a node that leaves it out means what the operator does
// now.
struct DroppedAttribute {
  std::string_view op_type;
  std::string_view attribute;
};

// An input that has this rank below `since_version`, and may have another one from there on. Rank 0
// is a single number, also one in a list.
struct FormerRank {
  std::string_view op_type;
  int input;
  int since_version;
  int rank;
  std::string_view reason;
};

// Of two inputs only one may be given from `since_version` on. Below, this one has no elements
// where the other one is given.
struct SupersededInput {
  std::string_view op_type;
  int input;
  int by;
  int since_version;
};

// The same input under two names.
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
