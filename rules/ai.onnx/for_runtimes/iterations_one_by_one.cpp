// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Loop and Scan for runtimes that have none, where it is known how many iterations there are: the
// nodes of the body once for each iteration. They stand in branches of Ifs, in which they may use
// values of the graph around the node. The condition of most is the constant true, so that nothing
// of the If is left; where the body may end a Loop early, the condition is the body's.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../families/counting_of_loop.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_iterations_one_by_one {
namespace {

using NewNames = std::map<std::string, std::string>;

// Replaces the names of values that the graph reads, but for those that a graph in it defines
// itself.
void replace_names(onnx::GraphProto& graph, const NewNames& names);

void replace_name(std::string& name, const NewNames& names) {
  if (const auto found = names.find(name); found != names.end()) name = found->second;
}

void replace_names_within(onnx::GraphProto& graph, NewNames names) {
  for (const auto& input : graph.input()) names.erase(input.name());
  for (const auto& initializer : graph.initializer()) names.erase(initializer.name());
  for (const onnx::NodeProto& node : graph.node()) {
    for (const std::string& output : node.output()) names.erase(output);
  }
  replace_names(graph, names);
}

void replace_names(onnx::GraphProto& graph, const NewNames& names) {
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (std::string& input : *node.mutable_input()) replace_name(input, names);
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) replace_names_within(*attribute.mutable_g(), names);
      for (onnx::GraphProto& each : *attribute.mutable_graphs()) replace_names_within(each, names);
    }
  }
  for (auto& output : *graph.mutable_output()) replace_name(*output.mutable_name(), names);
}

// The body of a Loop or a Scan, which is copied for each iteration.
class Iterations {
 public:
  Iterations(const CallSite& site, const onnx::GraphProto& graph) : graph_(graph) {
    // What the graph uses from outside goes by names of the model, of which none may be one of
    // these.
    for (const std::string text = graph.SerializeAsString(); text.find(prefix_) != std::string::npos;) prefix_ += '/';
    for (int i = 0; i < site.input_count(); ++i) inputs_.push_back(fmt::format("{}given{}", prefix_, i));
    for (int i = 0; i < site.output_count(); ++i) outputs_.push_back(fmt::format("{}made{}", prefix_, i));
    body_.emplace("ai.onnx", site.node().op_type(), inputs_, outputs_, static_cast<int>(site.own_opset()));
    has_axes_as_inputs_ = site.own_opset() >= 13;
    if (graph.sparse_initializer_size() != 0) decline("its body has sparse initializers");
    take_constants_out();
  }

  Body& body() { return *body_; }
  const std::string& prefix() const { return prefix_; }
  const std::string& input(int index) const { return inputs_[static_cast<size_t>(index)]; }
  std::string fresh(std::string_view stem) { return body_->fresh(fmt::format("{}{}", prefix_, stem)); }
  std::string made(std::string_view stem, std::string_view op_type, const Values& inputs,
                   std::initializer_list<BodyAttribute> attributes = {}) {
    return body_->made(fmt::format("{}{}", prefix_, stem), op_type, inputs, attributes);
  }
  std::string constant(std::string_view stem, onnx::TensorProto value) {
    return body_->constant(fresh(stem), std::move(value));
  }
  // The constant true, as a condition.
  const std::string& always() {
    if (always_.empty()) always_ = constant("always", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
    return always_;
  }

  // A graph with the body's nodes and outputs, in which these values take the place of the inputs.
  onnx::GraphProto copy(const std::vector<std::string>& inputs) {
    onnx::GraphProto graph = graph_;
    NewNames names;
    for (size_t i = 0; i < inputs.size(); ++i) names[graph.input(static_cast<int>(i)).name()] = inputs[i];
    graph.clear_input();
    graph.clear_value_info();
    replace_names(graph, names);
    for (auto& output : *graph.mutable_output()) output.clear_type();
    return graph;
  }

  // Adds an Unsqueeze to the nodes of the graph, which is to be in a branch; `axes` is a value of
  // the body around it.
  void add_unsqueeze(onnx::GraphProto& graph, const std::string& value, const std::string& made) {
    *graph.add_node() = has_axes_as_inputs_ ? node_of("Unsqueeze", {value, axes()}, {made})
                                            : node_of("Unsqueeze", {value}, {made}, {{"axes", Ints{0}}});
  }
  const std::string& axes() {
    if (axes_.empty() && has_axes_as_inputs_) axes_ = body_->constant(fresh("axes"), Ints{0});
    return axes_;
  }
  std::string unsqueeze(const std::string& value, int64_t axis) {
    if (!has_axes_as_inputs_) return made("row", "Unsqueeze", {value}, {{"axes", Ints{axis}}});
    return made("row", "Unsqueeze", {value, body_->constant(fresh("axes"), Ints{axis})});
  }

  // Adds an If with these branches and returns its outputs. Branches are consumed.
  std::vector<std::string> branch(const std::string& condition, onnx::GraphProto then, onnx::GraphProto otherwise) {
    std::vector<std::string> outputs;
    for (int i = 0; i < then.output_size(); ++i) outputs.push_back(fresh("of_iteration"));
    then.set_name("then");
    otherwise.set_name("else");
    body_->node(outputs, "If", {condition}, {{"then_branch", std::move(then)}, {"else_branch", std::move(otherwise)}});
    return outputs;
  }

  // Places the body's nodes whatever happens; returns its outputs.
  std::vector<std::string> always_once(const std::vector<std::string>& inputs) {
    onnx::GraphProto otherwise;  // is never taken
    for (int i = 0; i < graph_.output_size(); ++i) {
      const std::string name = fresh("never");
      *otherwise.add_node() = node_of("Identity", {always()}, {name});
      otherwise.add_output()->set_name(name);
    }
    return branch(always(), copy(inputs), std::move(otherwise));
  }

  // Gives the node's outputs these values; an empty one where nothing reads it.
  onnx::FunctionProto function(const CallSite& site, const std::vector<std::string>& values) {
    for (int i = 0; i < site.output_count(); ++i) {
      const auto place = static_cast<size_t>(i);
      if (site.has_output(i)) (*body_)(outputs_[place], "Identity", {values[place]});
    }
    return std::move(*body_).function();
  }

 private:
  // The constants of the body become constants around the iterations: they are there once.
  void take_constants_out() {
    NewNames names;
    for (const onnx::TensorProto& initializer : graph_.initializer()) {
      if (initializer.data_location() == onnx::TensorProto::EXTERNAL) decline("its body has weights in another file");
      onnx::TensorProto value = initializer;
      value.clear_name();
      names[initializer.name()] = constant("constant", std::move(value));
    }
    graph_.clear_initializer();
    onnx::GraphProto rest = graph_;
    rest.clear_node();
    for (const onnx::NodeProto& node : graph_.node()) {
      const bool is_constant = node.op_type() == "Constant" && node.domain().empty() && node.output_size() == 1 &&
                               node.attribute_size() == 1 && node.attribute(0).has_t() &&
                               node.attribute(0).ref_attr_name().empty();
      if (is_constant) {
        names[node.output(0)] = constant("constant", node.attribute(0).t());
      } else {
        *rest.add_node() = node;
      }
    }
    replace_names(rest, names);
    graph_ = std::move(rest);
  }

  onnx::GraphProto graph_;
  std::string prefix_ = "unrolled/";
  std::vector<std::string> inputs_, outputs_;
  std::optional<Body> body_;
  bool has_axes_as_inputs_ = false;
  std::string always_, axes_;
};

// A number of rank 0, or in a list of one where the body declares one.
onnx::TensorProto number_as_declared(const onnx::ValueInfoProto& input, onnx::TensorProto::DataType type,
                                     int64_t number) {
  const bool is_list = input.type().tensor_type().has_shape() && input.type().tensor_type().shape().dim_size() == 1;
  return tensor_of(type, is_list ? Ints{1} : Ints{}, Ints{number});
}

// Which iterations a Loop makes, as far as it is known.
struct Trips {
  int64_t most = std::numeric_limits<int64_t>::max();
  bool is_exact = false;  // it makes as many, and no fewer
};

// From a distance below 1 on, there is one iteration.
int64_t iterations_of(const Counter& counter, int64_t begin, int64_t limit) {
  const int64_t end =
      std::clamp<int64_t>(limit, -CallSite::largest_size, CallSite::largest_size) + (counter.may_be_limit ? 1 : 0);
  const int64_t distance = end - std::clamp<int64_t>(begin, -CallSite::largest_size, CallSite::largest_size);
  return std::max<int64_t>(1, (distance + counter.step - 1) / counter.step);
}

Trips trips_of(const CallSite& site, const onnx::GraphProto& graph) {
  Trips trips;
  const std::optional<Ints> condition = site.has_input(1) ? site.known_ints(1) : Ints{1};
  if (condition && condition->size() == 1 && condition->front() == 0) return {.most = 0, .is_exact = true};
  const std::optional<Ints> count = site.has_input(0) ? site.known_ints(0) : std::nullopt;
  if (count && count->size() == 1) trips.most = std::max<int64_t>(0, count->front());
  const CountingOfLoop counting(site, graph);
  const bool never_ends = counting.never_ends();
  bool all_known = true;
  if (!never_ends) {
    for (const Counter& counter : counting.counters()) {
      const std::optional<Ints> begin = site.known_ints(counter.state);
      std::optional<Ints> limit = counter.limit_state >= 0 ? site.known_ints(counter.limit_state) : std::nullopt;
      if (counter.known_limit) limit = Ints{*counter.known_limit};
      if (begin && begin->size() == 1 && limit && limit->size() == 1) {
        trips.most = std::min(trips.most, iterations_of(counter, begin->front(), limit->front()));
      } else {
        all_known = false;
      }
    }
  }
  const bool counts_alone = counting.other_end().empty() && all_known;
  trips.is_exact = condition && (never_ends || counts_alone) && (count || !site.has_input(0));
  return trips;
}

class LoopOneByOne {
 public:
  LoopOneByOne(const CallSite& site, const onnx::GraphProto& graph)
      : site_(site), graph_(graph), iterations_(site, graph), states_(std::max(site.input_count() - 2, 0)) {
    if (graph.input_size() != states_ + 2 || graph.output_size() < states_ + 1 ||
        site.output_count() > graph.output_size() - 1)
      decline("its inputs and outputs are not those of its body");
  }

  Lowering lowering() {
    const Trips trips = trips_of(site_, graph_);
    if (trips.most == std::numeric_limits<int64_t>::max() || (trips.most != 0 && !trips.is_exact && is_count_open()))
      return Declined{
          .reason = "nothing tells before the run how many iterations it makes", .wants_shapes = true, .steps = -1};
    site_.need_few_steps(trips.most);
    const auto nodes = static_cast<size_t>(trips.most) * static_cast<size_t>(graph_.node_size() + 1);
    site_.expect_nodes(nodes);
    iterations_.body().grows_with(static_cast<size_t>(trips.most));
    for (int i = 0; i < states_; ++i) values_.push_back(iterations_.input(i + 2));
    rows_.resize(static_cast<size_t>(graph_.output_size() - states_ - 1));
    for (int64_t number = 0; number < trips.most; ++number) trips.is_exact ? iterate(number) : iterate_if(number);
    return iterations_.function(site_, trips.is_exact ? with_rows() : with_collected());
  }

 private:
  bool is_count_open() const { return site_.has_input(0) && !site_.known_ints(0); }
  bool has_rows(size_t scan) const { return site_.has_output(states_ + static_cast<int>(scan)); }

  // The inputs of the body in an iteration.
  std::vector<std::string> inputs_of(int64_t number) {
    std::vector<std::string> inputs{
        iterations_.constant("number", number_as_declared(graph_.input(0), onnx::TensorProto::INT64, number)),
        iterations_.constant("going", number_as_declared(graph_.input(1), onnx::TensorProto::BOOL, 1))};
    inputs.insert(inputs.end(), values_.begin(), values_.end());
    return inputs;
  }

  void iterate(int64_t number) {
    const std::vector<std::string> made = iterations_.always_once(inputs_of(number));
    std::copy_n(made.begin() + 1, states_, values_.begin());
    for (size_t scan = 0; scan < rows_.size(); ++scan) {
      if (has_rows(scan)) rows_[scan].push_back(iterations_.unsqueeze(made[values_.size() + 1 + scan], 0));
    }
  }

  std::vector<std::string> with_rows() {
    std::vector<std::string> values = values_;
    for (size_t scan = 0; scan < rows_.size(); ++scan) {
      const std::vector<std::string>& rows = rows_[scan];
      if (!has_rows(scan)) {
        values.emplace_back();
      } else if (rows.empty()) {
        values.push_back(nothing_of(scan));
      } else {
        values.push_back(rows.size() == 1 ? rows[0] : iterations_.made("rows", "Concat", rows, {{"axis", 0}}));
      }
    }
    return values;
  }

  // What a Loop without an iteration collects.
  std::string nothing_of(size_t scan) {
    const onnx::TypeProto::Tensor& type = graph_.output(states_ + 1 + static_cast<int>(scan)).type().tensor_type();
    if (type.elem_type() == onnx::TensorProto::UNDEFINED || !type.has_shape())
      decline("it makes no iteration, and the shape of what it collects is not known");
    Ints dims{0};
    for (const auto& dim : type.shape().dim()) dims.push_back(dim.has_dim_value() ? dim.dim_value() : 0);
    return iterations_.constant("nothing",
                                tensor_of(static_cast<onnx::TensorProto::DataType>(type.elem_type()), dims, Ints{}));
  }

  // An iteration that is made only if the one before it said so. What it collects is added to what
  // was collected before.
  void iterate_if(int64_t number) {
    if (number == 0) going_ = site_.has_input(1) ? iterations_.input(1) : iterations_.always();
    const bool begins = number == 0 && !site_.has_input(1);
    onnx::GraphProto then = iterations_.copy(inputs_of(number)), otherwise;
    const onnx::GraphProto whole = then;
    then.clear_output();
    std::vector<std::string> before{going_};
    before.insert(before.end(), values_.begin(), values_.end());
    for (int i = 0; i < states_ + 1; ++i) {
      // A branch may stay, and has to make its outputs itself.
      const std::string state = iterations_.fresh("state");
      *then.add_node() = node_of("Identity", {whole.output(i).name()}, {state});
      then.add_output()->set_name(state);
    }
    for (size_t scan = 0; scan < rows_.size(); ++scan) {
      if (!has_rows(scan)) continue;
      if (number == 0 && !begins) {
        rows_[scan].push_back(nothing_of(scan));
      }
      const std::string row = iterations_.fresh("row");
      iterations_.add_unsqueeze(then, whole.output(states_ + 1 + static_cast<int>(scan)).name(), row);
      std::string all = row;
      if (!rows_[scan].empty()) {
        all = iterations_.fresh("rows");
        *then.add_node() = node_of("Concat", {rows_[scan][0], row}, {all}, {{"axis", 0}});
      }
      then.add_output()->set_name(all);
      before.push_back(rows_[scan].empty() ? iterations_.always() : rows_[scan][0]);
    }
    for (const std::string& value : before) {
      const std::string same = iterations_.fresh("same");
      *otherwise.add_node() = node_of("Identity", {value}, {same});
      otherwise.add_output()->set_name(same);
    }
    const std::vector<std::string> made = iterations_.branch(going_, std::move(then), std::move(otherwise));
    going_ = made[0];
    std::copy_n(made.begin() + 1, states_, values_.begin());
    size_t next = values_.size() + 1;
    for (size_t scan = 0; scan < rows_.size(); ++scan) {
      if (has_rows(scan)) rows_[scan] = {made[next++]};
    }
  }

  std::vector<std::string> with_collected() {
    std::vector<std::string> values = values_;
    for (size_t scan = 0; scan < rows_.size(); ++scan)
      values.push_back(has_rows(scan) ? rows_[scan].empty() ? nothing_of(scan) : rows_[scan][0] : std::string());
    return values;
  }

  const CallSite& site_;
  const onnx::GraphProto& graph_;
  Iterations iterations_;
  int states_;
  std::string going_;
  std::vector<std::string> values_;  // the states
  // Of each scan output; all in one where the body may end the Loop early.
  std::vector<std::vector<std::string>> rows_;
};

const onnx::GraphProto& body_of(const CallSite& site) {
  const onnx::AttributeProto* body = site.attribute("body");
  if (body == nullptr || !body->has_g()) decline("its body is no graph");
  return body->g();
}

Lowering lower_loop(const CallSite& site) { return LoopOneByOne(site, body_of(site)).lowering(); }

class ScanOneByOne {
 public:
  ScanOneByOne(const CallSite& site, const onnx::GraphProto& graph)
      : site_(site),
        graph_(graph),
        scanned_(static_cast<int>(site.attribute_int("num_scan_inputs", 0))),
        states_(graph.input_size() - scanned_),
        rows_(static_cast<size_t>(std::max(graph.output_size() - states_, 0))) {
    if (scanned_ < 1 || states_ < 0 || graph.output_size() < states_ || site.input_count() != graph.input_size() ||
        site.output_count() > graph.output_size())
      decline("its inputs and outputs are not those of its body");
  }

  Lowering lowering() {
    axes_ = list("scan_input_axes", static_cast<size_t>(scanned_));
    directions_ = list("scan_input_directions", static_cast<size_t>(scanned_));
    const Ints axes_made = list("scan_output_axes", rows_.size());
    const Ints directions_made = list("scan_output_directions", rows_.size());
    const std::optional<int64_t> count = site_.dim(states_, static_cast<int>(axes_[0]));
    if (!count)
      return Declined{.reason = "the number of its iterations is not known", .wants_shapes = true, .steps = -1};
    if (*count == 0) return Declined{"it makes no iteration"};
    site_.need_few_steps(*count);
    site_.expect_nodes(static_cast<size_t>(*count) * static_cast<size_t>(graph_.node_size() + 1));
    Iterations iterations(site_, graph_);
    iterations.body().grows_with(static_cast<size_t>(*count));
    for (int i = 0; i < states_; ++i) values_.push_back(iterations.input(i));
    for (int64_t number = 0; number < *count; ++number) iterate(iterations, number, *count, axes_made);
    for (size_t scan = 0; scan < rows_.size(); ++scan) {
      std::vector<std::string>& rows = rows_[scan];
      if (directions_made[scan] != 0) std::ranges::reverse(rows);
      values_.push_back(rows.empty()       ? std::string()
                        : rows.size() == 1 ? rows[0]
                                           : iterations.made("rows", "Concat", rows, {{"axis", axes_made[scan]}}));
    }
    return iterations.function(site_, values_);
  }

 private:
  Ints list(std::string_view name, size_t size) const {
    Ints given = site_.attribute_ints(name, Ints(size, 0));
    if (given.size() != size) decline(fmt::format("its {} are {} numbers", name, given.size()));
    return given;
  }

  void iterate(Iterations& iterations, int64_t number, int64_t count, const Ints& axes_made) {
    std::vector<std::string> given = values_;
    for (int i = 0; i < scanned_; ++i) {
      const auto place = static_cast<size_t>(i);
      const int64_t axis = need_axis(axes_[place], site_.need_rank(states_ + i));
      const int64_t step = directions_[place] == 0 ? number : count - 1 - number;
      const std::string index = iterations.constant("step", tensor_of(onnx::TensorProto::INT64, {}, Ints{step}));
      given.push_back(iterations.made("element", "Gather", {iterations.input(states_ + i), index}, {{"axis", axis}}));
    }
    const std::vector<std::string> made = iterations.always_once(given);
    std::copy_n(made.begin(), states_, values_.begin());
    for (size_t scan = 0; scan < rows_.size(); ++scan) {
      if (site_.has_output(states_ + static_cast<int>(scan)))
        rows_[scan].push_back(iterations.unsqueeze(made[values_.size() + scan], axes_made[scan]));
    }
  }

  const CallSite& site_;
  const onnx::GraphProto& graph_;
  int scanned_, states_;
  Ints axes_, directions_;                      // of the scan inputs
  std::vector<std::string> values_;             // the states
  std::vector<std::vector<std::string>> rows_;  // of each scan output
};

Lowering lower_scan(const CallSite& site) {
  if (site.version().value_or(9) < 9) return Declined{"its values have a batch, as those of opset 8 have", {}, true};
  return ScanOneByOne(site, body_of(site)).lowering();
}

const NativeRule rules[] = {{.domain = "ai.onnx",
                             .op_type = "Loop",
                             .summary = "Its body once for each iteration, where it is known how many there are.",
                             .source = "ONNX Loop-13",
                             .attributes = "body",
                             .required_attributes = "body",
                             .turn = RuleTurn::last_resort,
                             .inputs = "M, cond",
                             .lower = lower_loop},
                            {.domain = "ai.onnx",
                             .op_type = "Scan",
                             .summary = "Its body once for each element, where it is known how many there are.",
                             .source = "ONNX Scan-9",
                             .attributes = "body, num_scan_inputs, scan_input_axes, scan_input_directions, "
                                           "scan_output_axes, scan_output_directions",
                             .required_attributes = "body, num_scan_inputs",
                             .turn = RuleTurn::last_resort,
                             .lower = lower_scan}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_iterations_one_by_one
