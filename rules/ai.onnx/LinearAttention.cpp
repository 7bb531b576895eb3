// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The function of the operator's schema goes through the sequence by a Scan: runtimes have no Scan, or none that uses values from outside its body, or want to know
// the rank of all that its body gives. A short sequence, as that of a step of decoding, is gone through step by step, any other by a Loop.
#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rules/body.h"
#include "schema_function.h"

namespace onnx_lower::native_rules::ai_onnx_LinearAttention {
namespace {

// A step is some ten nodes.
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

  // In the place of the Scan, for a sequence of that many steps.
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

  // In the place of the Scan, for a sequence of any length.
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
      // (batch, heads of keys, size of a key, size of a value), in float as the function computes. Without the rank older opsets could not say its Squeeze.
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

Lowering lower(const CallSite& site) {
  Lowering lowering = schema_function(site);
  auto* function = std::get_if<onnx::FunctionProto>(&lowering);
  if (function == nullptr) return lowering;
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
