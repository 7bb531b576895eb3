// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The function of the operator's schema goes through the sequence by a Scan: runtimes have no Scan,
// or none that uses values from outside its body, or want to know the rank of all outputs of its
// body. A short sequence, as that of a step of decoding, becomes the nodes of each step, any other
// one a Loop.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "families/schema_function.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_LinearAttention {
namespace {

// The longest sequence that becomes the nodes of each step, which are some ten.
constexpr int64_t kMostSteps = 64;

class ScanOtherwise {
 public:
  explicit ScanOtherwise(const onnx::NodeProto& scan) : scan_(scan) {
    for (const onnx::AttributeProto& attribute : scan.attribute()) {
      if (attribute.name() == "body") {
        body_ = &attribute.g();
      } else if (attribute.name() == "num_scan_inputs") {
        scanned_ = static_cast<int>(attribute.i());
      } else {
        is_plain_ = false;
      }
    }
    is_plain_ = is_plain_ && body_ != nullptr && body_->initializer().empty();
  }

  bool is_plain() const { return is_plain_; }

  // Gives the nodes that stand for the Scan, for a sequence of that many steps.
  std::vector<onnx::NodeProto> step_by_step(int64_t steps) {
    const int states = scan_.input_size() - scanned_;
    std::vector<std::string> state(scan_.input().begin(), scan_.input().begin() + states);
    std::vector<std::vector<std::string>> rows(static_cast<size_t>(body_->output_size() - states));
    const std::string first_axis = constant(tensor_of(onnx::TensorProto::INT64, {1}, Ints{0}), "first_axis");
    for (int64_t step = 0; step < steps; ++step) {
      std::map<std::string, std::string> inside;
      for (int index = 0; index < states; ++index)
        inside[body_->input(index).name()] = state[static_cast<size_t>(index)];
      const std::string place = constant(tensor_of(onnx::TensorProto::INT64, {}, Ints{step}), "place");
      for (int index = 0; index < scanned_; ++index) {
        const std::string item = fresh("item");
        add("Gather", {scan_.input(states + index), place}, item);
        inside[body_->input(states + index).name()] = item;
      }
      for (const onnx::NodeProto& node : body_->node()) {
        onnx::NodeProto& copy = made_.emplace_back(node);
        for (std::string& input : *copy.mutable_input()) {
          if (const auto found = inside.find(input); found != inside.end()) input = found->second;
        }
        for (std::string& output : *copy.mutable_output()) {
          if (output.empty()) continue;
          inside[output] = fresh(output);
          output = inside[output];
        }
      }
      for (int index = 0; index < states; ++index)
        state[static_cast<size_t>(index)] = inside.at(body_->output(index).name());
      for (size_t row = 0; row < rows.size(); ++row) {
        const std::string made = inside.at(body_->output(states + static_cast<int>(row)).name());
        add("Unsqueeze", {made, first_axis}, rows[row].emplace_back(fresh("row")));
      }
    }
    for (int index = 0; index < scan_.output_size(); ++index) {
      if (scan_.output(index).empty()) continue;
      if (index < states) {
        add("Identity", {state[static_cast<size_t>(index)]}, scan_.output(index));
        continue;
      }
      add("Concat", rows[static_cast<size_t>(index - states)], scan_.output(index));
      *made_.back().add_attribute() = BodyAttribute("axis", 0).message();
    }
    return std::move(made_);
  }

  // Gives the nodes that stand for the Scan, for a sequence of any length.
  std::vector<onnx::NodeProto> as_loop() {
    const int states = scan_.input_size() - scanned_;
    const std::string shape = fresh("shape");
    add("Shape", {scan_.input(states)}, shape);
    const std::string steps = fresh("steps");
    add("Gather", {shape, constant(tensor_of(onnx::TensorProto::INT64, {}, Ints{0}), "first_axis")}, steps);
    const std::string step = fresh("step");
    const std::string going = fresh("going");
    const std::string goes_on = fresh("goes_on");
    onnx::GraphProto body;
    body.set_name(body_->name());
    declare(*body.add_input(), {step, onnx::TensorProto::INT64});
    declare(*body.add_input(), {going, onnx::TensorProto::BOOL});
    declare(*body.add_output(), {goes_on, onnx::TensorProto::BOOL});
    for (int index = 0; index < states; ++index) {
      onnx::ValueInfoProto& state = *body.add_input() = body_->input(index);
      // The state is (batch, heads of keys, size of a key, size of a value), in float as the
      // function computes. Without its rank a Squeeze in the body could not be lowered to
      // older opsets.
      if (!state.has_type()) declare(state, {state.name(), onnx::TensorProto::FLOAT, {"", "", "", ""}});
    }
    body.mutable_output()->MergeFrom(body_->output());
    std::vector<onnx::NodeProto> around;
    around.swap(made_);
    for (int index = 0; index < scanned_; ++index)
      add("Gather", {scan_.input(states + index), step}, body_->input(states + index).name());
    add("Identity", {going}, goes_on);
    body.mutable_node()->Assign(made_.begin(), made_.end());
    body.mutable_node()->MergeFrom(body_->node());
    made_ = std::move(around);
    onnx::NodeProto& loop = made_.emplace_back(scan_);
    loop.set_op_type("Loop");
    loop.clear_input();
    loop.add_input(steps);
    loop.add_input("");
    for (int index = 0; index < states; ++index) loop.add_input(scan_.input(index));
    loop.clear_attribute();
    *loop.add_attribute() = BodyAttribute("body", std::move(body)).message();
    return std::move(made_);
  }

 private:
  std::string fresh(std::string_view stem) { return fmt::format("{}_{}", stem, ++count_); }

  void add(const char* op_type, const Values& inputs, const std::string& output) {
    made_.push_back(node_of(op_type, inputs, {output}));
  }

  std::string constant(onnx::TensorProto value, std::string_view stem) {
    const std::string name = fresh(stem);
    made_.push_back(node_of("Constant", {}, {name}, {{"value", std::move(value)}}));
    return name;
  }

  const onnx::NodeProto& scan_;
  const onnx::GraphProto* body_ = nullptr;
  int scanned_ = 0;
  bool is_plain_ = true;
  int count_ = 0;
  std::vector<onnx::NodeProto> made_;
};

void collect_uses(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, std::set<std::string>& used) {
  for (const onnx::NodeProto& node : nodes) {
    used.insert(node.input().begin(), node.input().end());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      collect_uses(attribute.g().node(), used);
      for (const onnx::ValueInfoProto& output : attribute.g().output()) used.insert(output.name());
    }
  }
}

// The function reshapes its inputs into heads by shapes that end with a -1. A runtime cannot
// compute what a -1 stands for beside a 0: in a batch without entries, or a sequence without
// tokens. Where the sizes are known, they are written into these shapes, and the nodes that
// computed them are dropped.
class HeadShapes {
 public:
  HeadShapes(const CallSite& site, const onnx::FunctionProto& function)
      : query_heads_(site.attribute_int("q_num_heads", 0)), heads_(site.attribute_int("kv_num_heads", 0)) {
    if (query_heads_ < 1 || heads_ < 1) return;
    for (int index = 0; index < function.input_size(); ++index)
      if (site.has_input(index)) sizes_[function.input(index)] = site.dim(index, -1);
    const std::optional<int64_t> value_size = size_of_head(function.input(kValue), heads_);
    for (const onnx::NodeProto& node : function.node())
      if (node.op_type() == "Reshape" && node.output(0) == function.output(0)) shape_of_output_ = node.input(1);
    if (value_size) width_ = query_heads_ * *value_size;
    for (const int index : {kQuery, kKey, kValue, kDecay}) {
      if (index >= function.input_size()) continue;
      const int64_t heads = index == kQuery ? query_heads_ : heads_;
      if (const auto size = size_of_head(function.input(index), heads))
        shapes_[function.input(index)] = {0, 0, heads, *size};
    }
    if (kBeta < function.input_size())
      if (const auto size = size_of_head(function.input(kBeta), 1)) shapes_[function.input(kBeta)] = {0, 0, *size, 1};
  }

  void tell(onnx::FunctionProto& function) const {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    const auto constant = [&](const std::string& name, const Ints& values) {
      const auto length = static_cast<int64_t>(values.size());
      *nodes.Add() =
          node_of("Constant", {}, {name}, {{"value", tensor_of(onnx::TensorProto::INT64, {length}, values)}});
      return name;
    };
    for (onnx::NodeProto& node : *function.mutable_node()) {
      if (node.op_type() == "Reshape" && shapes_.contains(node.input(0))) {
        node.set_input(1, constant(node.output(0) + "_shape", shapes_.at(node.input(0))));
      } else if (node.op_type() == "Concat" && node.output(0) == shape_of_output_ && width_) {
        // For a sequence without tokens the Loop's output does not tell how many entries the
        // batch has.
        node.set_input(node.input_size() - 1, constant(node.output(0) + "_width", {*width_}));
      }
      *nodes.Add() = std::move(node);
    }
    // Nodes that only the replaced shapes were made of are dropped with them.
    std::set<std::string> used(function.output().begin(), function.output().end());
    collect_uses(nodes, used);
    function.clear_node();
    for (onnx::NodeProto& node : nodes) {
      if (std::ranges::any_of(node.output(), [&](const std::string& output) { return used.contains(output); }))
        *function.add_node() = std::move(node);
    }
  }

 private:
  static constexpr int kQuery = 0, kKey = 1, kValue = 2, kDecay = 4, kBeta = 5;

  std::optional<int64_t> size_of_head(const std::string& input, int64_t heads) const {
    const auto width = sizes_.find(input);
    if (width == sizes_.end() || !width->second || *width->second < 1 || *width->second % heads != 0)
      return std::nullopt;
    return *width->second / heads;
  }

  int64_t query_heads_, heads_;
  std::map<std::string, std::optional<int64_t>> sizes_;
  std::map<std::string, Ints> shapes_;
  std::string shape_of_output_;
  std::optional<int64_t> width_;
};

Lowering lower(const CallSite& site) {
  Lowering lowering = schema_function(site);
  auto* function = std::get_if<onnx::FunctionProto>(&lowering);
  if (function == nullptr) return lowering;
  HeadShapes(site, *function).tell(*function);
  const int64_t steps = site.dim(0, 1).value_or(0);
  std::vector<onnx::NodeProto> nodes;
  for (onnx::NodeProto& node : *function->mutable_node()) {
    ScanOtherwise scan(node);
    if (node.op_type() != "Scan" || !scan.is_plain()) {
      nodes.push_back(std::move(node));
      continue;
    }
    const bool is_short = steps > 0 && steps <= kMostSteps;
    for (onnx::NodeProto& made : is_short ? scan.step_by_step(steps) : scan.as_loop()) nodes.push_back(std::move(made));
  }
  function->mutable_node()->Assign(nodes.begin(), nodes.end());
  return lowering;
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "LinearAttention",
    .summary = "The function body in the operator's own schema, a short sequence step by step, any other in a Loop.",
    .source = "ONNX LinearAttention-27",
    .takes_any_attribute = true,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_LinearAttention
