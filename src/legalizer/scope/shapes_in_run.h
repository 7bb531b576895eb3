// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds the inputs of a run of nodes (see placement/made_run.h) whose broadcast shape a value in
// the run has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "legalizer/scope/scope_sources.h"
#include "model_file/model.h"
#include "model_file/onnx_fields.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {

// The nodes of a run mostly compute elementwise, with constants of rank 0: then the names in the
// nodes' bytes tell the shape, in a tenth of the time that it takes to read the nodes.
class ShapesInRun {
  using Inputs = uint64_t;  // a bit for each input of the run

 public:
  static constexpr int most_inputs = std::numeric_limits<Inputs>::digits;

  // `context`: the opsets by which the run means its operators.
  ShapesInRun(const ScopeSources& sources, const Node& run, OpsetContext context)
      : sources_(sources), run_(run), context_(context) {}

  // Adds the next node of the run.
  void add(Bytes node);

  // The inputs of the run whose shapes, broadcast, the value of that name has; empty where the
  // newest node does not make it, or they are not known.
  std::vector<ValueId> sources_of_newest(Bytes name) const;

 private:
  std::optional<Inputs> inputs_behind(Bytes name) const;

  const ScopeSources& sources_;
  const Node& run_;
  OpsetContext context_;
  std::vector<std::pair<Bytes, Inputs>> known_;  // by the names of the values that the run makes
};

inline void ShapesInRun::add(Bytes node) {
  Bytes output;
  std::optional<Inputs> first;
  Inputs all = 0;
  bool all_known = true;
  size_t count = 0;
  WireField field;
  for (WireReader reader(node); reader.next(field);) {
    if (field.tag == delimited_tag(field::Node::input)) {
      const std::optional<Inputs> input = inputs_behind(field.content);
      if (count++ == 0) first = input;
      all |= input.value_or(0);
      all_known &= input.has_value();
    } else if (field.tag == delimited_tag(field::Node::output) && output.empty()) {
      output = field.content;
    }
  }
  const OperatorId id = sources_.model.intern_operator({{}, last_field(node, delimited_tag(field::Node::op_type)), {}});
  const OperatorFacts& op = sources_.facts.of(id, context_);
  const ShapeRule rule = op.version == nullptr ? ShapeRule::unknown : op.version->shape_rule;
  if (op.role == OperatorRole::constant) {
    const std::optional<TensorFacts> tensor = tensor_of_constant(node);
    if (tensor && tensor->dims.empty()) known_.emplace_back(output, 0);
  } else if (op.role == OperatorRole::identity || op.role == OperatorRole::cast || rule == ShapeRule::of_first_input) {
    if (first) known_.emplace_back(output, *first);
  } else if (rule == ShapeRule::broadcast_inputs && all_known && count > 0) {
    known_.emplace_back(output, all);
  }
}

inline std::vector<ValueId> ShapesInRun::sources_of_newest(Bytes name) const {
  std::vector<ValueId> values;
  if (known_.empty() || known_.back().first != name) return values;
  for (size_t index = 0; index < run_.inputs().size(); ++index) {
    if ((known_.back().second >> index & 1) != 0) values.push_back(run_.inputs()[index]);
  }
  return values;
}

inline std::optional<ShapesInRun::Inputs> ShapesInRun::inputs_behind(Bytes name) const {
  const auto made = std::ranges::find(known_, name, [](const auto& each) { return each.first; });
  if (made != known_.end()) return made->second;
  const std::optional<ValueId> outside = sources_.model.values().find(name);
  const auto input = outside ? std::ranges::find(run_.inputs(), *outside) : run_.inputs().end();
  if (input == run_.inputs().end()) return std::nullopt;
  return Inputs{1} << (input - run_.inputs().begin());
}

}  // namespace onnx_lower
