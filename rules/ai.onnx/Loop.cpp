// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Loops for runtimes that take none whose condition is a constant or absent, or whose results are
// outputs of the model: the condition is computed, and the results are copied.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/body.h"
#include "rules/values/constant_value.h"

namespace onnx_lower::native_rules::ai_onnx_Loop {
namespace {

bool is_numeric(int type) {
  return type != onnx::TensorProto::UNDEFINED && type != onnx::TensorProto::STRING &&
         type != onnx::TensorProto::COMPLEX64 && type != onnx::TensorProto::COMPLEX128;
}

// Where the body's condition for the next round is the constant true, or the one that the Loop
// starts with, the body hands on the condition that it gets instead.
void pass_condition_on(onnx::GraphProto& graph, const std::string& condition) {
  if (graph.input_size() < 2 || graph.output_size() < 1) return;
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    if (node.output_size() != 1 || node.output(0) != graph.output(0).name()) continue;
    const bool copies = node.op_type() == "Identity" && node.input_size() == 1 && node.input(0) == condition;
    const bool is_true = node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t() &&
                         integer_elements(node.attribute(0).t()) == Ints{1};
    if (!copies && !is_true) return;
    node.clear_attribute();
    node.clear_input();
    node.set_op_type("Identity");
    node.add_input(graph.input(1).name());
  }
}

// The shape of a state, if the model declares none for the Loop's output and the state begins with
// the shape that the body declares. (Exporters declare one in the body also for a state that grows,
// and then declare other dimensions for the output.)
std::optional<Ints> lasting_dims(const CallSite& site, const onnx::GraphProto& graph, int state) {
  const onnx::TypeProto* result = site.output_type(state);
  if (result != nullptr && result->tensor_type().has_shape()) return std::nullopt;
  if (state + 2 >= site.input_count() || state + 2 >= graph.input_size()) return std::nullopt;
  const onnx::TypeProto& declared = graph.input(state + 2).type();
  if (!declared.tensor_type().has_shape() || site.rank(state + 2) != declared.tensor_type().shape().dim_size())
    return std::nullopt;
  Ints dims;
  for (const auto& dim : declared.tensor_type().shape().dim()) {
    if (dim.dim_value() <= 0 || site.dim(state + 2, static_cast<int>(dims.size())) != dim.dim_value())
      return std::nullopt;
    dims.push_back(dim.dim_value());
  }
  return dims;
}

// A condition that is always `truth`, and no constant: the sum of 1 and of a 0 or 1 for each
// element of `given`, whether it equals itself, is above 0 whatever the elements are.
std::string append_condition(Body& body, const std::string& prefix, const std::string& given, int type, bool truth) {
  const std::string all = body.constant(prefix + "all", Ints{-1});
  std::string numbers = body(prefix + "elements", "Reshape", {given, all});
  if (type != onnx::TensorProto::BOOL) numbers = body(prefix + "same", "Equal", {numbers, numbers});
  numbers = body(prefix + "numbers", "Cast", {numbers}, {{"to", onnx::TensorProto::INT32}});
  const std::string one = body.constant(prefix + "one", tensor_of(onnx::TensorProto::INT32, {1}, Ints{1}));
  const std::string none = body.constant(prefix + "none", tensor_of(onnx::TensorProto::INT32, {}, Ints{0}));
  const std::string with_one = body(prefix + "with_one", "Concat", {numbers, one}, {{"axis", 0}});
  const std::string sum = body(prefix + "sum", "ReduceSum", {with_one}, {{"keepdims", 0}});
  return body(prefix + "going", truth ? "Greater" : "Less", {sum, none});
}

Lowering lower(const CallSite& site) {
  if (!site.attribute("body")->has_g()) return Declined{"its body is no graph"};
  onnx::GraphProto graph = site.attribute("body")->g();
  // What the graph uses from outside goes by names of the model, of which none may be one of these.
  std::string prefix = "loop/";
  for (const std::string text = graph.SerializeAsString(); text.find(prefix) != std::string::npos;) prefix += '/';
  std::vector<std::string> inputs, outputs, results;
  for (int i = 0; i < site.input_count(); ++i) inputs.push_back(fmt::format("{}given{}", prefix, i));
  for (int i = 0; i < site.output_count(); ++i) {
    outputs.push_back(fmt::format("{}made{}", prefix, i));
    results.push_back(site.has_output(i) ? fmt::format("{}result{}", prefix, i) : "");
  }
  Body body("ai.onnx", "Loop", inputs, outputs, static_cast<int>(site.own_opset()));
  if (const auto condition = site.has_input(1) ? site.constant_ints(1) : std::nullopt) {
    int given = 2;
    while (given < site.input_count() && !is_numeric(site.dtype(given).value_or(onnx::TensorProto::UNDEFINED))) ++given;
    if (given == site.input_count() || condition->size() != 1)
      return Declined{"its condition is a constant, and it has no state of numbers to compute one from"};
    const bool truth = (*condition)[0] != 0;
    if (truth) pass_condition_on(graph, site.node().input(1));
    inputs[1] = append_condition(body, prefix, inputs[static_cast<size_t>(given)], site.need_dtype(given), truth);
  }
  for (int i = 0; i < 2 && i < site.input_count(); ++i) {
    if (!site.has_input(i)) inputs[static_cast<size_t>(i)].clear();
  }
  body.node(results, "Loop", inputs);
  for (int i = 0; i < site.output_count(); ++i) {
    const auto place = static_cast<size_t>(i);
    if (results[place].empty()) continue;
    if (const std::optional<Ints> dims = lasting_dims(site, graph, i)) {
      const std::string shape = body.constant(fmt::format("{}shape{}", prefix, i), *dims);
      body(outputs[place], "Reshape", {results[place], shape});
    } else {
      body(outputs[place], "Identity", {results[place]});
    }
  }
  body.add_attribute("Loop", {"body", std::move(graph)});
  return body.function();
}

Lowering lower_with_condition(const CallSite& site) {
  if (site.has_input(1)) return Declined{"it has a condition"};
  if (!site.attribute("body")->has_g()) return Declined{"its body is no graph"};
  std::vector<std::string> inputs, outputs, given;
  for (int i = 0; i < site.input_count(); ++i) {
    inputs.push_back(fmt::format("given{}", i));
    given.push_back(site.has_input(i) ? inputs.back() : "");
  }
  for (int i = 0; i < site.output_count(); ++i) outputs.push_back(fmt::format("made{}", i));
  Body body("ai.onnx", "Loop", inputs, outputs, static_cast<int>(site.own_opset()));
  if (given.size() < 2) given.resize(2);
  given[1] = body.constant("is_going", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
  body.node(outputs, "Loop", given);
  body.add_attribute("Loop", {"body", site.attribute("body")->g()});
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Loop",
    .summary = "A condition that is computed from what the Loop begins with, and copies of its results.",
    .source = "ONNX Loop-13",
    .attributes = "body",
    .required_attributes = "body",
    .makes_it_anew = true,
    .inputs = "M, cond",
    .needed_inputs = 0,
    .lower = lower};
const NativeRule::Registration registration{rule};

const NativeRule with_condition{.domain = "ai.onnx",
                                .op_type = "Loop",
                                .summary = "A Loop whose condition is written out.",
                                .source = "ONNX Loop-13",
                                .attributes = "body",
                                .required_attributes = "body",
                                .inputs = "M, cond",
                                .needed_inputs = 0,
                                .lower = lower_with_condition};
const NativeRule::Registration registration_with_condition{with_condition};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Loop
