// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// RNN, GRU and LSTM by the forms of them that every runtime has: with the time first instead of the
// batch, in one direction instead of two, forward instead of backward, with a bias and all outputs,
// with initial states, and without lengths of sequences.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "recurrent_activations.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_recurrent {
namespace {

struct Recurrent {
  std::string_view op_type;
  std::vector<std::string> inputs;  // X, W, R, B, sequence_lens, initial_h …
  std::vector<std::string> outputs;
  std::vector<std::string> activations;  // of each direction, where the node gives none
};

const Recurrent recurrents[] = {
    {"RNN", {"X", "W", "R", "B", "sequence_lens", "initial_h"}, {"Y", "Y_h"}, {"Tanh"}},
    {"GRU", {"X", "W", "R", "B", "sequence_lens", "initial_h"}, {"Y", "Y_h"}, {"Sigmoid", "Tanh"}},
    {"LSTM",
     {"X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"},
     {"Y", "Y_h", "Y_c"},
     {"Sigmoid", "Tanh", "Tanh"}},
};

const Recurrent& recurrent_of(const CallSite& site) {
  return *std::ranges::find(recurrents, site.node().op_type(), &Recurrent::op_type);
}

int64_t directions_of(const CallSite& site) {
  return site.attribute_string("direction", "forward") == "bidirectional" ? 2 : 1;
}

bool is_state(std::string_view name) { return name.starts_with("initial_"); }
bool has_directions_first(std::string_view name) { return name != "X" && name != "sequence_lens"; }

// The largest hidden size for which a rule writes a bias into the model.
constexpr int64_t largest_hidden_size = 65536;
// How many elements an initial state may have that a rule writes into the model.
constexpr int64_t largest_state = 1'048'576;

// The names of the inputs, empty for those that the node does not have.
std::vector<std::string> given_inputs(const CallSite& site, const Recurrent& recurrent) {
  std::vector<std::string> names = recurrent.inputs;
  for (size_t index = 0; index < names.size(); ++index) {
    if (!site.has_input(static_cast<int>(index))) names[index].clear();
  }
  return names;
}

// The names of the outputs, up to the last one that the node has.
std::vector<std::string> given_outputs(const CallSite& site, const Recurrent& recurrent) {
  std::vector<std::string> names = recurrent.outputs;
  for (size_t index = 0; index < names.size(); ++index) {
    if (!site.has_output(static_cast<int>(index))) names[index].clear();
  }
  while (names.back().empty()) names.pop_back();
  return names;
}

// Copies the call's attributes but one. Bodies are written for opset 13, which has no attribute
// layout: a node with the batch first is rewritten with the time first before.
void copy_attributes_to(onnx::NodeProto& node, const CallSite& site, std::string_view except = {}) {
  if (site.attribute_int("layout", 0) != 0) decline("it has the batch first");
  for (const onnx::AttributeProto& attribute : site.node().attribute()) {
    if (attribute.name() != "layout" && attribute.name() != except) *node.add_attribute() = attribute;
  }
}

class Rewriting {
 public:
  Rewriting(const CallSite& site, const Recurrent& recurrent)
      : site_(site),
        recurrent_(recurrent),
        body_("ai.onnx", recurrent.op_type, recurrent.inputs, recurrent.outputs, 13) {}

  Lowering lowering() {
    const std::string direction = site_.attribute_string("direction", "forward");
    const bool is_batch_first = site_.attribute_int("layout", 0) == 1;
    if (is_batch_first) {
      with_time_first();
    } else if (direction == "bidirectional") {
      in_two_directions();
    } else if (direction == "reverse") {
      forward();
    } else {
      return Declined{"it goes forward with the time first, which no other operator says"};
    }
    return body_.function();
  }

  // Gives the nodes of the operator itself in the body the call's attributes, but for those that
  // the rewriting changes.
  void copy_attributes(onnx::FunctionProto& function) const {
    const bool is_batch_first = site_.attribute_int("layout", 0) == 1;
    const bool splits = !is_batch_first && site_.attribute_string("direction", "forward") == "bidirectional";
    int half = 0;
    for (onnx::NodeProto& node : *function.mutable_node()) {
      if (node.op_type() != recurrent_.op_type) continue;
      for (const onnx::AttributeProto& attribute : site_.node().attribute()) {
        if (attribute.name() == "layout" || (attribute.name() == "direction" && !is_batch_first)) continue;
        onnx::AttributeProto& copy = *node.add_attribute();
        copy = attribute;
        if (splits && attribute.name().starts_with("activation_")) {
          set_parameters(copy, half);
          if (copy.floats_size() == 0) node.mutable_attribute()->RemoveLast();
        }
        if (!splits || attribute.name() != "activations") continue;
        const int count = site_.known_attribute("activations")->strings_size() / 2;
        copy.clear_strings();
        for (int index = 0; index < count; ++index) copy.add_strings(attribute.strings(half * count + index));
      }
      if (splits && half == 1) {
        *node.add_attribute() = BodyAttribute("direction", "reverse").message();
      }
      ++half;
    }
  }

 private:
  // Gives the attribute, of a node of one of both directions, the parameters of its activations.
  void set_parameters(onnx::AttributeProto& attribute, int direction) const {
    attribute.clear_floats();
    const std::vector<RecurrentActivation> all = recurrent_activations(site_, recurrent_.activations, 2);
    const size_t count = recurrent_.activations.size(), first = static_cast<size_t>(direction) * count;
    const bool is_beta = attribute.name() == "activation_beta";
    for (size_t index = first; index < first + count; ++index) {
      if (all[index].parameters > (is_beta ? 1 : 0))
        attribute.add_floats(static_cast<float>(is_beta ? all[index].beta : all[index].alpha));
    }
  }

  bool has(size_t input) const { return site_.has_input(static_cast<int>(input)); }

  // Adds the operator itself with other inputs; absent ones stay absent. Its outputs are
  // `<prefix>_Y` …
  void call(const std::string& prefix, const std::vector<std::string>& inputs) {
    std::vector<std::string> given = inputs;
    while (!given.empty() && given.back().empty()) given.pop_back();
    std::vector<std::string> outputs;
    for (const std::string& output : recurrent_.outputs) outputs.push_back(fmt::format("{}_{}", prefix, output));
    body_.node(outputs, recurrent_.op_type, given);
  }

  std::vector<std::string> given() const { return given_inputs(site_, recurrent_); }

  void with_time_first() {
    std::vector<std::string> inputs = given();
    for (size_t index = 0; index < inputs.size(); ++index) {
      if (inputs[index].empty() || !(inputs[index] == "X" || is_state(inputs[index]))) continue;
      inputs[index] = body_.transpose(inputs[index], {1, 0, 2});
    }
    call("first", inputs);
    body_("Y", "Transpose", {"first_Y"}, {{"perm", Ints{2, 0, 1, 3}}});
    for (size_t index = 1; index < recurrent_.outputs.size(); ++index)
      body_(recurrent_.outputs[index], "Transpose", {"first_" + recurrent_.outputs[index]}, {{"perm", Ints{1, 0, 2}}});
  }

  void in_two_directions() {
    for (const int direction : {0, 1}) {
      std::vector<std::string> inputs = given();
      for (std::string& input : inputs) {
        if (!input.empty() && has_directions_first(input)) input = body_.slice(input, direction, direction + 1, 0);
      }
      call(direction == 0 ? "there" : "back", inputs);
    }
    body_("Y", "Concat", {"there_Y", "back_Y"}, {{"axis", 1}});
    for (size_t index = 1; index < recurrent_.outputs.size(); ++index)
      body_(recurrent_.outputs[index], "Concat",
            {"there_" + recurrent_.outputs[index], "back_" + recurrent_.outputs[index]}, {{"axis", 0}});
  }

  void reverse(std::string_view made, std::string_view value) {
    if (has(4)) {
      body_(made, "ReverseSequence", {value, "lengths"}, {{"batch_axis", 1}, {"time_axis", 0}});
    } else {
      body_(made, "Slice", {value, "last", "before_first", "time", "step"});
    }
  }

  void forward() {
    if (has(4)) {
      body_("lengths", "Cast", {"sequence_lens"}, {{"to", 7}});
    } else {
      for (const auto& [name, value] : {std::pair<const char*, int64_t>{"last", -1},
                                        {"before_first", std::numeric_limits<int64_t>::min() + 1},
                                        {"time", 0},
                                        {"step", -1}})
        body_.constant(name, Ints{value});
    }
    std::vector<std::string> inputs = given();
    reverse("turned", "X");
    inputs[0] = "turned";
    call("forward", inputs);
    if (site_.has_output(0)) {
      // Rows behind the end of a sequence are zeros, and are not reversed.
      body_.constant("one", Ints{1});
      body_("rows", "Squeeze", {"forward_Y", "one"});
      reverse("turned_rows", "rows");
      body_("Y", "Unsqueeze", {"turned_rows", "one"});
    } else {
      body_("Y", "Identity", {"forward_Y"});
    }
    for (size_t index = 1; index < recurrent_.outputs.size(); ++index)
      body_(recurrent_.outputs[index], "Identity", {"forward_" + recurrent_.outputs[index]});
  }

  const CallSite& site_;
  const Recurrent& recurrent_;
  Body body_;
};

Lowering lower(const CallSite& site) {
  const auto recurrent = std::ranges::find(recurrents, site.node().op_type(), &Recurrent::op_type);
  Rewriting rewriting(site, *recurrent);
  Lowering lowering = rewriting.lowering();
  if (auto* function = std::get_if<onnx::FunctionProto>(&lowering)) rewriting.copy_attributes(*function);
  return lowering;
}

// Whether the node's activations are those that it would have without naming them, as Keras's do.
bool names_its_defaults(const CallSite& site, const Recurrent& recurrent) {
  const onnx::AttributeProto* given = site.attribute("activations");
  if (given == nullptr || site.attribute("activation_alpha") != nullptr || site.attribute("activation_beta") != nullptr)
    return false;
  const size_t count = recurrent.activations.size(), size = static_cast<size_t>(given->strings_size());
  if (size != count * static_cast<size_t>(directions_of(site))) return false;
  for (size_t index = 0; index < size; ++index) {
    if (given->strings(static_cast<int>(index)) != recurrent.activations[index % count]) return false;
  }
  return true;
}

constexpr int lengths = 4;  // the input sequence_lens

// Whether the node says of each sequence that it is as long as all of them may be.
bool says_whole_lengths(const CallSite& site) {
  const std::optional<Ints> said = site.has_input(lengths) ? site.constant_ints(lengths) : std::nullopt;
  const std::optional<int64_t> whole = site.dim(0, site.attribute_int("layout", 0) == 0 ? 0 : 1);
  return said && whole && std::ranges::all_of(*said, [&](int64_t length) { return length == *whole; });
}

// The same operator without activations that are its defaults, and without lengths that are whole.
Lowering lower_without_defaults(const CallSite& site) {
  const Recurrent& recurrent = recurrent_of(site);
  const bool names_defaults = names_its_defaults(site, recurrent), says_lengths = says_whole_lengths(site);
  if (!names_defaults && !says_lengths)
    return Declined{"it has no activations or lengths that would go without saying"};
  std::vector<std::string> inputs = given_inputs(site, recurrent);
  if (says_lengths) inputs[lengths].clear();
  while (inputs.back().empty()) inputs.pop_back();
  Body body("ai.onnx", recurrent.op_type, recurrent.inputs, recurrent.outputs, 13);
  body.node(given_outputs(site, recurrent), recurrent.op_type, inputs);
  onnx::FunctionProto function = body.function();
  copy_attributes_to(*function.mutable_node(0), site, names_defaults ? "activations" : "");
  return function;
}

// The same operator with names for outputs that nothing reads, and with a bias of zeros where it
// has none.
Lowering lower_in_full(const CallSite& site) {
  const Recurrent& recurrent = recurrent_of(site);
  constexpr int bias = 3;
  std::vector<std::string> inputs = given_inputs(site, recurrent), outputs = recurrent.outputs;
  for (size_t index = 0; index < outputs.size(); ++index) {
    if (!site.has_output(static_cast<int>(index))) outputs[index] = "unread_" + outputs[index];
  }
  const int64_t hidden_size = site.attribute_int("hidden_size", site.dim(2, 2).value_or(0));
  const bool adds_bias = !site.has_input(bias) && hidden_size > 0 && hidden_size <= largest_hidden_size;
  if (!adds_bias && outputs == recurrent.outputs) return Declined{"it has a bias and all outputs already"};
  Body body("ai.onnx", recurrent.op_type, recurrent.inputs, recurrent.outputs, 13);
  if (adds_bias) {
    const int64_t gates = recurrent.op_type == "LSTM" ? 4 : recurrent.op_type == "GRU" ? 3 : 1;
    const int64_t directions = directions_of(site);
    const int64_t size = 2 * gates * hidden_size;
    inputs[bias] = body.constant(
        "no_bias", tensor_of(static_cast<onnx::TensorProto::DataType>(site.need_dtype(0)), {directions, size},
                             std::vector<double>(static_cast<size_t>(directions * size), 0.0)));
  }
  while (inputs.back().empty()) inputs.pop_back();
  body.node(outputs, recurrent.op_type, inputs);
  onnx::FunctionProto function = body.function();
  copy_attributes_to(*function.mutable_node(function.node_size() - 1), site);
  return function;
}

// The same operator with initial states of zeros where it has none.
Lowering lower_with_states(const CallSite& site) {
  const Recurrent& recurrent = recurrent_of(site);
  const std::optional<int64_t> batch = site.dim(0, 1);
  const int64_t hidden_size = site.attribute_int("hidden_size", site.dim(2, 2).value_or(0));
  std::vector<std::string> inputs = given_inputs(site, recurrent);
  const auto lacks = [&](size_t index) { return is_state(recurrent.inputs[index]) && inputs[index].empty(); };
  constexpr size_t first_state = 5;
  if (!lacks(first_state) && (recurrent.op_type != "LSTM" || !lacks(first_state + 1)))
    return Declined{"it has its initial states already"};
  const int64_t directions = directions_of(site);
  if (!batch || hidden_size <= 0) return Declined{"the shape of its initial states is not known"};
  if (hidden_size > largest_state / directions || *batch > largest_state / directions / hidden_size)
    return Declined{"its initial states are too large"};
  Body body("ai.onnx", recurrent.op_type, recurrent.inputs, recurrent.outputs, 13);
  const std::string zeros = body.constant(
      "no_state",
      tensor_of(static_cast<onnx::TensorProto::DataType>(site.need_dtype(0)), {directions, *batch, hidden_size},
                std::vector<double>(static_cast<size_t>(directions * *batch * hidden_size), 0.0)));
  for (size_t index = first_state; index < inputs.size(); ++index) {
    if (lacks(index)) inputs[index] = zeros;
  }
  while (inputs.back().empty()) inputs.pop_back();
  body.node(given_outputs(site, recurrent), recurrent.op_type, inputs);
  onnx::FunctionProto function = body.function();
  copy_attributes_to(*function.mutable_node(function.node_size() - 1), site);
  return function;
}

// The same operator over all steps, whatever the lengths of the sequences are: what it makes behind
// the end of one is left out.
class WithoutLengths {
 public:
  explicit WithoutLengths(const CallSite& site)
      : site_(site),
        recurrent_(recurrent_of(site)),
        type_(static_cast<onnx::TensorProto::DataType>(site.need_dtype(0))),
        body_("ai.onnx", recurrent_.op_type, recurrent_.inputs, recurrent_.outputs, 13) {}

  Lowering lowering() {
    find_steps();
    std::vector<std::string> inputs = given_inputs(site_, recurrent_);
    inputs[lengths].clear();
    if (site_.has_output(cell)) stop_at_end(inputs);
    while (inputs.back().empty()) inputs.pop_back();
    std::vector<std::string> outputs = {"all_Y"};
    // Some runtimes take no gap in the list of outputs.
    if (site_.has_output(cell)) outputs = {"all_Y", "unread_Y_h", "stopped_Y_c"};
    body_.node(outputs, recurrent_.op_type, inputs);
    body_.constant("outside", tensor_of(type_, {}, std::vector<double>{0.0}));
    if (site_.has_output(0)) body_("Y", "Where", {across_rows("inside"), "all_Y", "outside"});
    if (site_.has_output(1)) take_last();
    if (site_.has_output(cell)) {
      body_("is_empty", "Equal", {"length", "none"});
      body_("is_empty_row", "Unsqueeze", {"is_empty", body_.ints({0, 2}, "around")});
      body_("Y_c", "Where", {"is_empty_row", "outside", "stopped_Y_c"});
    }
    onnx::FunctionProto function = body_.function();
    const auto node = std::ranges::find(*function.mutable_node(), recurrent_.op_type, &onnx::NodeProto::op_type);
    copy_attributes_to(*node, site_, "direction");
    return function;
  }

 private:
  static constexpr int cell = 2;  // the output Y_c

  // Makes `step`, (steps) x 1, and `inside`, (steps) x (sequences).
  void find_steps() {
    body_.constant("none", 0);
    body_.constant("one", 1);
    body_("length", "Cast", {"sequence_lens"}, {{"to", onnx::TensorProto::INT64}});
    body_("shape", "Shape", {"X"});
    body_("count", "Gather", {"shape", "none"}, {{"axis", 0}});
    body_("steps", "Range", {"none", "count", "one"});
    body_("step", "Unsqueeze", {"steps", body_.ints({1}, "second")});
    body_("inside", "Less", {"step", "length"});
  }

  // Gives (steps) x (sequences) in a shape that broadcasts to Y: steps, directions,
  // sequences, elements.
  std::string across_rows(const std::string& of_steps) {
    return body_(of_steps + "_rows", "Unsqueeze", {of_steps, body_.ints({1, 3}, "row_axes")});
  }

  // The state of a cell, unlike Y_h, cannot be taken from a row of Y. It stays as it is where
  // nothing is forgotten and nothing comes in: one more element of the input, which is 1 behind the
  // end of a sequence, has weights that are so large that the forget gate is exactly 1 and the
  // input gate 0.
  void stop_at_end(std::vector<std::string>& inputs) {
    constexpr double large = 1e4;
    const int64_t size = site_.attribute_int("hidden_size", site_.dim(2, 2).value_or(0));
    if (site_.attribute("clip") != nullptr || site_.attribute_int("input_forget", 0) != 0)
      decline("its cells do not keep what they hold behind the end of a sequence");
    if (site_.attribute("activations") != nullptr && !names_its_defaults(site_, recurrent_))
      decline("its gates need not be 0 or 1 behind the end of a sequence");
    if (size <= 0 || size > largest_hidden_size) decline("the size of its hidden state is not known, or too large");
    std::vector<double> weights(static_cast<size_t>(4 * size), 0.0);  // of the gates i, o, f and c
    std::fill_n(weights.begin(), size, -large);
    std::fill_n(weights.begin() + 2 * size, size, large);
    body_.constant("gate_weights", tensor_of(type_, {1, 4 * size, 1}, weights));
    body_("behind", "Not", {"inside"});
    body_("behind_number", "Cast", {"behind"}, {{"to", type_}});
    body_("behind_element", "Unsqueeze", {"behind_number", body_.ints({2}, "third")});
    inputs[0] = body_("X_and_end", "Concat", {"X", "behind_element"}, {{"axis", 2}});
    inputs[1] = body_("W_and_end", "Concat", {"W", "gate_weights"}, {{"axis", 2}});
  }

  // Y_h is the row of each sequence's last step, or zeros where the sequence has no steps.
  void take_last() {
    body_("last_step", "Sub", {"length", "one"});
    body_("is_last", "Equal", {"step", "last_step"});
    body_("last_rows", "Where", {across_rows("is_last"), "all_Y", "outside"});
    body_("Y_h", "ReduceSum", {"last_rows", body_.ints({0}, "first")}, {{"keepdims", 0}});
  }

  const CallSite& site_;
  const Recurrent& recurrent_;
  onnx::TensorProto::DataType type_;
  Body body_;
};

Lowering lower_without_lengths(const CallSite& site) {
  if (!site.has_input(lengths)) return Declined{"it has no lengths of sequences", {}, true};
  if (site.attribute_string("direction", "forward") != "forward")
    return Declined{"it does not go forward alone", {}, true};
  return WithoutLengths(site).lowering();
}

// The same operator over steps whose number nothing tells before the run: of all steps those where
// the first element is above 0 or is not. MNN's converter takes an open first dimension of a
// model's input for 1, and fixes the number of steps of a GRU, and of an LSTM with both initial
// states, by it.
Lowering lower_over_counted_steps(const CallSite& site) {
  const Recurrent& recurrent = recurrent_of(site);
  constexpr int sequence_lens = 4, initial_h = 5, initial_c = 6;
  const bool has_states = site.has_input(initial_h) && site.has_input(initial_c);
  if (site.has_input(sequence_lens) || site.attribute_int("layout", 0) != 0 ||
      (recurrent.op_type == "LSTM" && !has_states))
    return Declined{"its number of steps is none that a runtime fixes", {}, true};
  if (site.dim(0, 0)) return Declined{"the number of its steps is known", {}, true};
  if (site.is_made_by(0, "Compress")) return Declined{"its steps are counted already", {}, true};
  std::vector<std::string> inputs = given_inputs(site, recurrent);
  while (inputs.back().empty()) inputs.pop_back();
  Body body("ai.onnx", recurrent.op_type, recurrent.inputs, recurrent.outputs, 13);
  const std::string of_first_sequence = body.slice("X", 0, 1, 1, "of_first_sequence");
  const std::string first_elements = body.slice(of_first_sequence, 0, 1, 2, "first_elements");
  const std::string list = body.reshape(first_elements, {-1}, "list");
  body("is_above", "Greater", {list, body.scalar_like(0.0, "X", "zero")});
  body("is_not_above", "Not", {"is_above"});
  body("is_step", "Or", {"is_above", "is_not_above"});
  inputs[0] = body("steps", "Compress", {"X", "is_step"}, {{"axis", 0}});
  body.node(given_outputs(site, recurrent), recurrent.op_type, inputs);
  onnx::FunctionProto function = body.function();
  copy_attributes_to(*function.mutable_node(function.node_size() - 1), site);
  return function;
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, std::string_view attributes,
                              int most) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "With the time first, in one direction, and forward.",
          .source = source,
          .attributes = attributes,
          .needed_inputs = 3,
          .most_inputs = most,
          .lower = lower};
}

constexpr NativeRule without_defaults(NativeRule rule) {
  rule.summary = "Without activations and lengths that go without saying.";
  rule.lower = lower_without_defaults;
  return rule;
}

constexpr NativeRule in_full(NativeRule rule) {
  rule.summary = "With a bias and all outputs.";
  rule.lower = lower_in_full;
  return rule;
}

constexpr NativeRule with_states(NativeRule rule) {
  rule.summary = "With initial states.";
  rule.lower = lower_with_states;
  return rule;
}

constexpr NativeRule without_lengths(NativeRule rule) {
  rule.summary = "Over all steps, whatever the lengths of the sequences are.";
  rule.lower = lower_without_lengths;
  return rule;
}

constexpr NativeRule over_counted_steps(NativeRule rule) {
  rule.summary = "Over steps that are counted in the run, for a runtime that fixes their number before.";
  rule.turn = RuleTurn::last_resort;
  rule.makes_it_anew = true;
  rule.lower = lower_over_counted_steps;
  return rule;
}

constexpr std::string_view common =
    "activation_alpha, activation_beta, activations, clip, direction, hidden_size, layout";

constexpr NativeRule rnn = rule_for("RNN", "ONNX RNN-14", common, 6);
constexpr NativeRule gru = rule_for(
    "GRU", "ONNX GRU-14",
    "activation_alpha, activation_beta, activations, clip, direction, hidden_size, layout, linear_before_reset", 6);
constexpr NativeRule lstm =
    rule_for("LSTM", "ONNX LSTM-14",
             "activation_alpha, activation_beta, activations, clip, direction, hidden_size, input_forget, layout", 8);
const NativeRule rules[] = {without_defaults(rnn),
                            without_defaults(gru),
                            without_defaults(lstm),
                            rnn,
                            gru,
                            lstm,
                            in_full(rnn),
                            in_full(gru),
                            in_full(lstm),
                            with_states(rnn),
                            with_states(gru),
                            with_states(lstm),
                            without_lengths(rnn),
                            without_lengths(gru),
                            without_lengths(lstm),
                            over_counted_steps(gru),
                            over_counted_steps(lstm)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_recurrent
