// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// On whose behalf a node is placed. An origin is handed down as nodes are lowered to nodes, and is
// never changed on the way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_set>

#include "model_file/model.h"

namespace onnx_lower {

// What is found out while a node of the model is lowered. A trial that fails takes back what was
// found in it.
struct Findings {
  std::string_view note;        // what a native rule says of how it lowered the node
  std::string_view assumption;  // what a rule assumes and nothing in the model proves
  // A rule took the value of another node's output as an attribute, or a tensor out of a list: that
  // output may have no reader any more.
  bool may_leave_unused = false;
  bool makes_runs = false;  // nodes of the body have become runs, see made_run.h
  // The node has device_configurations. They say how the inputs and outputs of this very node are
  // divided among devices, and mean nothing for other nodes.
  bool loses_device_configurations = false;
};

struct PreparedBody;

// A rule's body whose nodes are being placed, and the node whose place they take.
struct Expansion {
  const PreparedBody& body;
  const Node& node;
  const Expansion* outer;  // the body that made the node; null for a node of the model
  size_t depth;            // 1 for a node of the model
};

// Whether a node of the operator is being expanded, by `expansion` or around it.
inline bool is_expanding(OperatorId op, const Expansion* expansion) {
  for (; expansion != nullptr; expansion = expansion->outer) {
    if (expansion->node.op == op) return true;
  }
  return false;
}

// The outputs of the node that is being lowered: values that the graph knows by their names, so
// that no other value can stand for them. The outputs of the node must outlive this.
class WantedValues {
 public:
  WantedValues() = default;
  explicit WantedValues(std::span<const ValueId> all) : all_(all) {
    constexpr size_t most_to_search = 32;
    if (all.size() > most_to_search) set_ = std::make_shared<const std::unordered_set<ValueId>>(all.begin(), all.end());
  }

  bool contains(ValueId value) const {
    if (value == absent_value) return false;
    return set_ != nullptr ? set_->contains(value) : std::ranges::find(all_, value) != all_.end();
  }
  bool is_first(ValueId value) const { return !all_.empty() && all_[0] == value; }

 private:
  std::span<const ValueId> all_;
  std::shared_ptr<const std::unordered_set<ValueId>> set_;  // the same, where there are many
};

struct Origin {
  // The innermost body around the node; null for a node of the model.
  const Expansion* expansion = nullptr;
  // The node stands in that body itself, and not in a subgraph of a node that the body made.
  bool in_body = false;
  // The node stands in such a subgraph, or the body does.
  bool in_made_graph = false;
  // What the body makes becomes a function (--attach), which nodes of other types may call.
  bool attaches = false;
  // How many placed nodes the graph had before the model's node was lowered.
  size_t begin = 0;
  WantedValues wanted = {};
  // What each node that is made gets: metadata_props, as fields of a NodeProto.
  Bytes metadata = {};
  // The doc_string of the model's node.
  std::string_view doc_string = {};
  Findings* findings = nullptr;  // null for a node of the model
  bool checks_made = false;      // what is made is held against onnx's shape inference

  bool is_made() const { return expansion != nullptr; }
  // The origin of the nodes of a body that takes the node's place. `nodes_before`: how many placed
  // nodes the graph has by now.
  Origin in_body_of(const Expansion& body, size_t nodes_before) const {
    Origin inside = *this;
    inside.expansion = &body;
    inside.in_body = true;
    // Outputs of a node of the graph have to be made. An output of a node within a body need not
    // be, where another value of the body is the same: the body then uses that one.
    if (!in_body) inside.wanted = WantedValues(body.node.outputs());
    if (!is_made()) inside.begin = nodes_before;
    return inside;
  }
  // The origin of the nodes of a graph that the node holds.
  Origin in_graph() const {
    Origin inside = *this;
    inside.in_body = false;
    inside.in_made_graph = is_made();
    return inside;
  }
  // Whether nodes may be left out that types and lists of this very node make superfluous. They may
  // not in an attached function, which serves all types, nor in a subgraph of a made node, where
  // each value has the name already by which others read it.
  bool folds_types() const { return !attaches && (in_body || !in_made_graph); }
  // Whether a node of the operator is being expanded around this one.
  bool is_expanding(OperatorId op) const { return onnx_lower::is_expanding(op, expansion); }
  size_t depth() const { return expansion == nullptr ? 0 : expansion->depth; }
};

}  // namespace onnx_lower
