// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/newer_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "counted.h"
#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

struct NewerField {
  uint32_t number;
  int64_t since;  // the IR version that introduced it
  const char* name;
};

constexpr std::array<NewerField, 3> of_nodes = {
    {{field::Node::overload, 10, "overload"},
     {field::Node::metadata_props, 10, "metadata_props"},
     {onnx::NodeProto::kDeviceConfigurationsFieldNumber, 11, "device_configurations"}}};
constexpr int64_t first_with_configurations = 11;

class Dropping {
 public:
  Dropping(Model& model, int64_t ir_version) : model_(model), ir_version_(ir_version) {
    for (const Function& function : model.functions) {
      if (!function.dropped) called_.insert({function.domain, function.name, function.overload});
    }
  }

  void graph(Graph& graph) {
    for (GraphPiece& piece : graph.pieces) {
      for (const Node*& node : piece.nodes) {
        edit_graphs_of(*node, graph, [this](Graph& inner) { this->graph(inner); });
        const Node* without = node->is_run() ? run(*node) : this->node(*node);
        if (without == node) continue;
        node = without;
        graph.changed = true;
      }
    }
  }

  std::vector<std::string> dropped() const {
    std::vector<std::string> texts;
    for (size_t i = 0; i < of_nodes.size(); ++i) {
      if (counts_[i] > 0) texts.push_back(fmt::format("{} of {}", of_nodes[i].name, counted(counts_[i], "node")));
    }
    return texts;
  }

 private:
  bool goes(const NewerField& newer, const Node& node) const {
    if (newer.since <= ir_version_) return false;
    const Operator& op = model_.op(node.op);
    return newer.number != field::Node::overload || !called_.contains({op.domain, op.op_type, op.overload});
  }

  // The bytes of the NodeProto without the newer fields; nothing when it has none.
  std::optional<std::string> without_newer(Bytes wire, const Node& node) {
    std::array<bool, of_nodes.size()> has{};
    const auto goes_from = [&](const WireField& field) {
      const auto newer = std::ranges::find(of_nodes, field.number, &NewerField::number);
      if (newer == of_nodes.end() || !goes(*newer, node)) return false;
      has[static_cast<size_t>(newer - of_nodes.begin())] = true;
      return true;
    };
    WireField field;
    for (WireReader reader(wire); reader.next(field);) goes_from(field);
    if (std::ranges::find(has, true) == has.end()) return std::nullopt;
    for (size_t i = 0; i < has.size(); ++i) counts_[i] += has[i];
    std::string kept;
    for (WireReader reader(wire); reader.next(field);) {
      if (!goes_from(field)) kept.append(field.whole);
    }
    return kept;
  }

  const Node* node(const Node& node) {
    const std::optional<std::string> kept = without_newer(node.wire, node);
    if (!kept) return &node;
    Node without = node;
    without.wire = model_.keep_field(field::Graph::node, *kept);
    without.header = static_cast<uint8_t>(header_size(field::Graph::node, kept->size()));
    without.stands_in_graph = true;
    return model_.keep(without);
  }

  const Node* run(const Node& run) {
    std::string all;
    bool changed = false;
    WireField made;
    for (WireReader reader(run.wire); reader.next(made);) {
      const std::optional<std::string> kept = without_newer(made.content, run);
      changed |= kept.has_value();
      append_field(all, made.number, kept ? Bytes(*kept) : made.content);
    }
    if (!changed) return &run;
    Node without = run;
    without.wire = model_.keep(all);
    return model_.keep(without);
  }

  Model& model_;
  int64_t ir_version_;
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> called_;
  std::array<size_t, of_nodes.size()> counts_{};
};

}  // namespace

std::vector<std::string> drop_newer_fields(Model& model, int64_t ir_version) {
  Dropping dropping(model, ir_version);
  dropping.graph(model.graph);
  for (Function& function : model.functions) {
    if (!function.dropped) dropping.graph(function.body);
  }
  std::vector<std::string> texts = dropping.dropped();
  if (ir_version >= first_with_configurations) return texts;
  bool had_configurations = false;
  for (ModelPiece& piece : model.pieces) {
    if (piece.kind != ModelPiece::Kind::verbatim) continue;
    std::string kept;
    WireField field;
    for (WireReader reader(piece.bytes); reader.next(field);) {
      if (field.number != onnx::ModelProto::kConfigurationFieldNumber) kept.append(field.whole);
    }
    if (kept.size() == piece.bytes.size()) continue;
    had_configurations = true;
    piece.bytes = model.keep(kept);
  }
  if (had_configurations) texts.emplace_back("the model's device configurations");
  return texts;
}

}  // namespace onnx_lower
