// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Loops for runtimes that want to know before the first iteration how many there will be. A Loop
// has no trip count where its body goes on as long as a state that counts is below a limit, as
// exporters write `while i < n`; the limit tells the count.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../families/counting_of_loop.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_counted_loops {
namespace {

// A value of the graph around the Loop, which a body gets only through a graph of its own: an If
// whose branch is known leaves nothing of itself.
std::string captured(Body& body, const std::string& prefix, const std::string& value) {
  const std::string always =
      body.constant(body.fresh(prefix + "always"), tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
  const auto branch = [&](std::string_view name) {
    onnx::GraphProto graph;
    graph.set_name(std::string(name));
    const std::string taken = body.fresh(prefix + "taken");
    *graph.add_node() = node_of("Identity", {value}, {taken});
    graph.add_output()->set_name(taken);
    return graph;
  };
  return body.made(prefix + "limit", "If", {always},
                   {{"then_branch", branch("then")}, {"else_branch", branch("else")}});
}

// How many iterations the counter lets the Loop make, if it makes one.
std::string count_of(Body& body, const std::string& prefix, const Counter& counter,
                     const std::vector<std::string>& given) {
  const auto as_int64 = [&](const std::string& value) {
    return body.made(prefix + "wide", "Cast", {value}, {{"to", onnx::TensorProto::INT64}});
  };
  const auto limit = [&] {
    if (counter.limit_state >= 0) return as_int64(given[static_cast<size_t>(counter.limit_state)]);
    return counter.limit.empty() ? body.scalar(*counter.known_limit, prefix + "limit")
                                 : as_int64(captured(body, prefix, counter.limit));
  };
  const std::string end = limit();
  const std::string begin = as_int64(given[static_cast<size_t>(counter.state)]);
  std::string count = body.made(prefix + "distance", "Sub", {end, begin});
  // Rounded up; from a distance below 0 on, there is one iteration.
  const int64_t more = counter.may_be_limit ? counter.step : counter.step - 1;
  if (more > 0) count = body.made(prefix + "distance", "Add", {count, body.scalar(more, prefix + "more")});
  const std::string step = body.scalar(counter.step, prefix + "step");
  count = body.made(prefix + "distance", "Max", {count, step});
  return counter.step == 1 ? count : body.made(prefix + "count", "Div", {count, step});
}

Lowering lower(const CallSite& site) {
  const auto trips = site.has_input(0) ? site.constant_ints(0) : std::nullopt;
  const bool has_none = trips && trips->size() == 1 && trips->front() == std::numeric_limits<int64_t>::max();
  if (site.has_input(0) && !has_none) return Declined{"it has a trip count"};
  if (!site.attribute("body")->has_g()) return Declined{"its body is no graph"};
  const onnx::GraphProto& graph = site.attribute("body")->g();
  const CountingOfLoop counting(site, graph);
  if (!counting.other_end().empty()) return Declined{counting.other_end()};
  // What the graph uses from outside goes by names of the model, of which none may be one of these.
  std::string prefix = "counted/";
  for (const std::string text = graph.SerializeAsString(); text.find(prefix) != std::string::npos;) prefix += '/';
  std::vector<std::string> inputs, outputs;
  for (int i = 0; i < std::max(site.input_count(), 2); ++i) inputs.push_back(fmt::format("{}given{}", prefix, i));
  for (int i = 0; i < site.output_count(); ++i) outputs.push_back(fmt::format("{}made{}", prefix, i));
  Body body("ai.onnx", "Loop", inputs, outputs, static_cast<int>(site.own_opset()));
  std::string count;
  for (const Counter& counter : counting.counters()) {
    const std::string of_this = count_of(body, prefix, counter, inputs);
    count = count.empty() ? of_this : body.made(prefix + "least", "Min", {count, of_this});
  }
  if (site.has_input(1)) {
    const std::string begins = body.made(prefix + "begins", "Cast", {inputs[1]}, {{"to", onnx::TensorProto::INT64}});
    count = body.made(prefix + "trips", "Mul", {count, begins});
  } else {
    inputs[1].clear();
  }
  inputs[0] = count;
  for (int i = 0; i < site.output_count(); ++i) {
    if (!site.has_output(i)) outputs[static_cast<size_t>(i)].clear();
  }
  body.node(outputs, "Loop", inputs);
  body.add_attribute("Loop", {"body", graph});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Loop",
                      .summary = "A trip count that is computed from the limit of the state that counts.",
                      .source = "ONNX Loop-13",
                      .attributes = "body",
                      .required_attributes = "body",
                      .turn = RuleTurn::first,
                      .makes_it_anew = true,
                      .inputs = "M, cond",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_counted_loops
