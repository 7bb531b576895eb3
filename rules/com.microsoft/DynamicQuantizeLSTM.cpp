// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <limits>

#include "rules/body.h"

namespace onnx_lower::native_rules::com_microsoft_DynamicQuantizeLSTM {
namespace {

constexpr int kBias = 3;
constexpr int kLengths = 4;
constexpr int kInitialHidden = 5;
constexpr int kInitialCell = 6;
constexpr int kPeepholes = 7;

// The activations of the gates, of the new part of the cell, and of the cell for the hidden state.
struct Activations {
  std::string gate = "Sigmoid", cell = "Tanh", hidden = "Tanh";
};

// S is the length of the sequence, B the batch size, I that of an input, H that of the hidden
// state; gates stand in the order input, output, forget, cell. The hidden state is quantized in
// each step, over the whole batch. (ONNX Runtime's kernel takes parts of the batch where it has
// several threads.)
class Direction {
 public:
  Direction(const CallSite& site, Body& body, int index, bool is_backward, const Activations& activations)
      : site_(site),
        body_(body),
        index_(index),
        hidden_size_(site.attribute_int("hidden_size", 0)),
        is_backward_(is_backward),
        activations_(activations),
        name_(is_backward ? "backward_" : "forward_") {}

  // Makes hidden() and the two last states.
  void append() {
    const Weights input = weights("W", 8);
    const Weights recurrent = weights("R", 10);
    const std::string taken = is_backward_ ? backward("X", name_ + "X") : "X";
    const std::string products = product(taken, input, "products_of_inputs");  // (S, B, 4 * H)
    if (site_.has_input(kBias)) {
      const std::string both = mine("B", "biases");
      body_(name_ + "bias", "Add",
            {body_.slice(both, 0, 4 * hidden_size_, 0, name_ + "bias_of_inputs"),
             body_.slice(both, 4 * hidden_size_, 8 * hidden_size_, 0, name_ + "bias_of_hidden")});
    }
    if (site_.has_input(kPeepholes)) mine("P", "peepholes");
    const std::string first_hidden = first_state(kInitialHidden, "initial_h");
    const std::string first_cell = first_state(kInitialCell, "initial_c");
    const std::string steps = body_.dim("X", 0);
    const std::vector<std::string> dims = {name_ + "batch", std::to_string(hidden_size_)};
    const auto state = [&](const char* of) { return GraphValue{name_ + of, onnx::TensorProto::FLOAT, dims}; };
    const onnx::GraphProto step =
        body_.graph(name_ + "step",
                    {{name_ + "round", onnx::TensorProto::INT64},
                     {name_ + "going", onnx::TensorProto::BOOL},
                     state("hidden_before"),
                     state("cell_before")},
                    {{name_ + "goes_on", onnx::TensorProto::BOOL}, state("hidden"), state("cell"), state("row")},
                    [&] { append_step(products, recurrent); });
    body_.node({last_hidden(), last_cell(), name_ + "rows"}, "Loop", {steps, "", first_hidden, first_cell},
               {{"body", step}});
  }

  // The hidden states of all steps, (S, B, H), in the order of the inputs.
  std::string hidden() { return is_backward_ ? backward(name_ + "rows", name_ + "hidden_in_order") : name_ + "rows"; }
  std::string last_hidden() const { return name_ + "last_hidden"; }  // (B, H)
  std::string last_cell() const { return name_ + "last_cell"; }      // (B, H)

 private:
  struct Weights {
    std::string matrix;      // (I or H, 4 * H)
    std::string scale;       // one, or (4 * H)
    std::string zero_point;  // one: the kernel takes no others
  };

  // This direction's part of an input, whose first dimension is the direction.
  std::string mine(const std::string& input, const std::string& stem) {
    const std::string name = name_ + stem;
    body_(name, "Gather", {input, body_.scalar(index_, "direction")}, {{"axis", 0}});
    return name;
  }

  Weights weights(const std::string& input, int scale) {
    Weights made{.matrix = mine(input, input), .scale = mine(input + "_scale", input + "_scale"), .zero_point = {}};
    const std::string points = mine(input + "_zero_point", input + "_zero_points");
    if (site_.rank(scale + 1) == 1) {
      made.zero_point = points;
    } else {
      made.zero_point = name_ + input + "_zero_point";
      const std::string list = body_.reshape(points, {-1}, name_ + input + "_list_of_zero_points");
      body_(made.zero_point, "Gather", {list, body_.scalar(0, "first")}, {{"axis", 0}});
    }
    return made;
  }

  // The product of numbers, which are quantized when the model runs, with quantized weights.
  std::string product(const std::string& numbers, const Weights& weights, const std::string& stem) {
    const std::string name = name_ + stem;
    body_.node({name + "_quantized", name + "_quantized_scale", name + "_quantized_zero_point"},
               "DynamicQuantizeLinear", {numbers});
    body_(name + "_integer", "MatMulInteger",
          {name + "_quantized", weights.matrix, name + "_quantized_zero_point", weights.zero_point});
    body_(name + "_number", "Cast", {name + "_integer"}, {{"to", onnx::TensorProto::FLOAT}});
    body_(name + "_scale", "Mul", {name + "_quantized_scale", weights.scale});
    return body_(name, "Mul", {name + "_number", name + "_scale"});
  }

  // The value with the last step first.
  std::string backward(const std::string& value, const std::string& name) {
    const std::string one_back = body_.ints({-1}, "one_back");
    const std::string before_first = body_.ints({std::numeric_limits<int32_t>::min()}, "before_first");
    return body_(name, "Slice", {value, one_back, before_first, body_.ints({0}, "axis"), one_back});
  }

  std::string first_state(int input, const std::string& name) {
    if (site_.has_input(input)) return mine(name, "first_" + name);
    const std::string batch = body_.dim_list("X", 1);
    const std::string shape = name_ + name + "_shape";
    body_(shape, "Concat", {batch, body_.ints({hidden_size_}, "hidden_size")}, {{"axis", 0}});
    return body_(name_ + name, "ConstantOfShape", {shape});
  }

  void append_step(const std::string& products, const Weights& recurrent) {
    body_(name_ + "of_input", "Gather", {products, name_ + "round"}, {{"axis", 0}});
    const std::string of_hidden = product(name_ + "hidden_before", recurrent, "products_of_hidden");
    body_(name_ + "sums", "Add", {name_ + "of_input", of_hidden});
    std::string sums = name_ + "sums";
    if (site_.has_input(kBias)) sums = body_(name_ + "biased_sums", "Add", {sums, name_ + "bias"});
    const bool couples = site_.attribute_int("input_forget", 0) != 0;
    const std::string in = gate(sums, 0, name_ + "cell_before", 0, activations_.gate, "input_gate");
    std::string forget = name_ + "forget_gate";
    if (couples) {
      body_(forget, "Sub", {body_.float_scalar(1.0, "one"), in});
    } else {
      forget = gate(sums, 2, name_ + "cell_before", 2, activations_.gate, "forget_gate");
    }
    const std::string news = gate(sums, 3, "", 0, activations_.cell, "news");
    body_(name_ + "kept", "Mul", {forget, name_ + "cell_before"});
    body_(name_ + "added", "Mul", {in, news});
    body_(name_ + "cell", "Add", {name_ + "kept", name_ + "added"});
    const std::string out = gate(sums, 1, name_ + "cell", 1, activations_.gate, "output_gate");
    body_(name_ + "given", activations_.hidden, {name_ + "cell"});
    body_(name_ + "hidden", "Mul", {out, name_ + "given"});
    body_(name_ + "row", "Identity", {name_ + "hidden"});
    body_(name_ + "goes_on", "Identity", {name_ + "going"});
  }

  // Gives one of the four parts of the sums after its activation. `seen` is the state of the cell
  // that its peephole sees, and `peephole` the part of the weights P for that.
  std::string gate(const std::string& sums, int64_t part, const std::string& seen, int64_t peephole,
                   const std::string& activation, const std::string& stem) {
    const std::string name = name_ + stem;
    std::string sum = part_of(sums, part, 1, name + "_sum");
    if (site_.has_input(kPeepholes) && !seen.empty()) {
      body_(name + "_seen", "Mul", {seen, part_of(name_ + "peepholes", peephole, 0, name + "_peephole")});
      sum = body_(name + "_all", "Add", {sum, name + "_seen"});
    }
    if (const float clip = site_.attribute_float("clip", 0.0f); clip > 0) {
      sum =
          body_(name + "_clipped", "Clip", {sum, body_.float_scalar(-clip, "least"), body_.float_scalar(clip, "most")});
    }
    return body_(name, activation, {sum});
  }

  std::string part_of(const std::string& value, int64_t part, int64_t axis, const std::string& stem) {
    return body_.slice(value, part * hidden_size_, (part + 1) * hidden_size_, axis, stem);
  }

  const CallSite& site_;
  Body& body_;
  int index_;
  int64_t hidden_size_;
  bool is_backward_;
  const Activations& activations_;
  std::string name_;
};

// The activations of each direction, in the order of the attribute. Activations that have
// parameters, such as LeakyRelu, are not supported.
std::vector<Activations> activations_of(const CallSite& site, size_t directions) {
  std::vector<Activations> all(directions);
  const onnx::AttributeProto* attribute = site.known_attribute("activations");
  if (attribute == nullptr || attribute->strings().empty()) return all;
  if (static_cast<size_t>(attribute->strings_size()) != 3 * directions)
    decline(fmt::format("it has {} activations, not {}", attribute->strings_size(), 3 * directions));
  for (const std::string& name : attribute->strings()) {
    if (name != "Sigmoid" && name != "Tanh" && name != "Relu")
      decline(fmt::format("one of its activations is {}, not Sigmoid, Tanh or Relu", name));
  }
  for (size_t index = 0; index < directions; ++index) {
    const int first = static_cast<int>(3 * index);
    all[index] = {attribute->strings(first), attribute->strings(first + 1), attribute->strings(first + 2)};
  }
  return all;
}

Lowering lower(const CallSite& site) {
  const std::string direction = site.need_choice("direction", "forward", {"forward", "reverse", "bidirectional"});
  if (site.attribute_int("hidden_size", 0) <= 0) return Declined{"hidden_size is not positive"};
  if (site.has_input(kLengths)) return Declined{"it has sequence_lens"};
  Body body("com.microsoft", "DynamicQuantizeLSTM",
            {"X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P", "W_scale", "W_zero_point", "R_scale",
             "R_zero_point"},
            first_names({"Y", "Y_h", "Y_c"}, site.output_count()), 15);
  const size_t count = direction == "bidirectional" ? 2 : 1;
  const std::vector<Activations> activations = activations_of(site, count);
  std::vector<std::string> rows, hidden, cells;
  for (size_t index = 0; index < count; ++index) {
    Direction one(site, body, static_cast<int>(index), direction == "reverse" || index == 1, activations[index]);
    one.append();
    rows.push_back(body.unsqueeze(one.hidden(), {1}, "rows_of_direction"));
    hidden.push_back(body.unsqueeze(one.last_hidden(), {0}, "hidden_of_direction"));
    cells.push_back(body.unsqueeze(one.last_cell(), {0}, "cell_of_direction"));
  }
  if (site.has_output(0)) body("Y", "Concat", rows, {{"axis", 1}});
  if (site.has_output(1)) body("Y_h", "Concat", hidden, {{"axis", 0}});
  if (site.has_output(2)) body("Y_c", "Concat", cells, {{"axis", 0}});
  return body.function();
}

// The weights in float, as LSTM has them: (directions, 4 * H, I or H) of (directions, I or H, 4 *
// H), with a scale and a zero point for each direction, or for each of its 4 * H.
std::string weights_in_float(const CallSite& site, Body& body, const std::string& name, int scale) {
  const auto across_rows = [&](const std::string& value, int input) {
    return body.unsqueeze(value, site.need_rank(input) == 1 ? Ints{1, 2} : Ints{1}, value + "_of_rows");
  };
  body(name + "_codes", "Cast", {name}, {{"to", onnx::TensorProto::FLOAT}});
  body(name + "_points", "Cast", {name + "_zero_point"}, {{"to", onnx::TensorProto::FLOAT}});
  body(name + "_steps", "Sub", {name + "_codes", across_rows(name + "_points", scale + 1)});
  body(name + "_numbers", "Mul", {name + "_steps", across_rows(name + "_scale", scale)});
  return body.transpose(name + "_numbers", {0, 2, 1}, name + "_of_gates");
}

// An LSTM of the weights in float, where a runtime has no Loop to quantize in each step what comes
// in: the numbers are nearer to those of the network before it was quantized.
Lowering lower_in_float(const CallSite& site) {
  Body body("com.microsoft", "DynamicQuantizeLSTM",
            {"X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P", "W_scale", "W_zero_point", "R_scale",
             "R_zero_point"},
            first_names({"Y", "Y_h", "Y_c"}, site.output_count()), 14);
  std::vector<std::string> inputs = {"X",
                                     weights_in_float(site, body, "W", 8),
                                     weights_in_float(site, body, "R", 10),
                                     "B",
                                     "sequence_lens",
                                     "initial_h",
                                     "initial_c",
                                     "P"};
  for (int input = kBias; input <= kPeepholes; ++input) {
    if (!site.has_input(input)) inputs[static_cast<size_t>(input)].clear();
  }
  while (inputs.back().empty()) inputs.pop_back();
  std::vector<std::string> outputs;
  for (int output = 0; output < site.output_count(); ++output) {
    const char* const names[] = {"Y", "Y_h", "Y_c"};
    outputs.emplace_back(site.has_output(output) ? names[output] : "");
  }
  body.node(outputs, "LSTM", inputs);
  body.copy_attributes(
      site, {"activation_alpha", "activation_beta", "activations", "clip", "direction", "hidden_size", "input_forget"},
      "LSTM");
  onnx::FunctionProto function = std::move(body).function();
  add_assumption(function, "what comes in and its states need not be rounded to 8 bits",
                 "a target whose runtime has Loops rounds them");
  return function;
}

constexpr NativeRule rule_for(std::string_view summary, RuleTurn turn, Lowering (*lower_it)(const CallSite&)) {
  return {.domain = "com.microsoft",
          .op_type = "DynamicQuantizeLSTM",
          .summary = summary,
          .source = "ONNX Runtime's contrib operator DynamicQuantizeLSTM",
          .attributes = "activation_alpha, activation_beta, activations, clip, direction, hidden_size, input_forget",
          .required_attributes = "hidden_size",
          .turn = turn,
          .lower = lower_it};
}

const NativeRule rules[] = {
    rule_for("An LSTM whose weights are of 8 bits, and which quantizes its inputs as they come.", RuleTurn::usual,
             lower),
    rule_for("An LSTM of the weights in float, for a runtime without Loops.", RuleTurn::last_resort, lower_in_float)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_DynamicQuantizeLSTM
