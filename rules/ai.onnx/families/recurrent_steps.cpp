// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// RNN, GRU and LSTM step by step, for runtimes that do not take the operators in any form. The
// products of all steps with W are one product before the steps; each step multiplies the state
// with R, and joins both by the gates of the operator.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recurrent_activations.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_recurrent_steps {
namespace {

enum Input { x = 0, weights = 1, recurrence = 2, bias = 3, lengths = 4, first_h = 5, first_c = 6, peepholes = 7 };
enum Output { y = 0, last_h = 1, last_c = 2 };

struct Kind {
  std::string_view op_type;
  int64_t gates;
  std::vector<std::string> inputs, outputs;
  std::vector<std::string> activations;  // of each direction, where the node gives none
};

const Kind kinds[] = {
    {"RNN", 1, {"X", "W", "R", "B", "sequence_lens", "initial_h"}, {"Y", "Y_h"}, {"Tanh"}},
    {"GRU", 3, {"X", "W", "R", "B", "sequence_lens", "initial_h"}, {"Y", "Y_h"}, {"Sigmoid", "Tanh"}},
    {"LSTM",
     4,
     {"X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"},
     {"Y", "Y_h", "Y_c"},
     {"Sigmoid", "Tanh", "Tanh"}},
};

class StepByStep {
 public:
  explicit StepByStep(const CallSite& site)
      : site_(site),
        kind_(*std::ranges::find(kinds, site.node().op_type(), &Kind::op_type)),
        type_(static_cast<onnx::TensorProto::DataType>(site.need_dtype(x))),
        body_("ai.onnx", kind_.op_type, kind_.inputs, kind_.outputs, 13) {}

  Lowering lowering() {
    is_batch_first_ = site_.attribute_int("layout", 0) != 0;
    const int time = is_batch_first_ ? 1 : 0;
    const std::string direction = site_.need_choice("direction", "forward", {"forward", "reverse", "bidirectional"});
    directions_ = direction == "bidirectional" ? 2 : 1;
    if (!site_.dim(x, time))
      return Declined{.reason = "the number of its steps is not known", .wants_shapes = true, .steps = -1};
    steps_ = site_.need_dim(x, time);
    if (steps_ <= 0) return Declined{"it has no steps"};
    site_.need_few_steps(steps_);
    size_ = site_.attribute_int("hidden_size", 0);
    if (size_ <= 0) size_ = site_.need_dim(recurrence, 2);
    site_.expect_nodes(static_cast<size_t>(steps_ * directions_));
    body_.grows_with(static_cast<size_t>(steps_ * directions_));
    clip_ = site_.attribute_float("clip", 0);
    is_product_first_ = kind_.op_type == "GRU" && site_.attribute_int("linear_before_reset", 0) != 0;
    activations_ = recurrent_activations(site_, kind_.activations, static_cast<size_t>(directions_));
    find_lengths();
    x_ = is_batch_first_ ? body_.transpose(formal(x), {1, 0, 2}) : formal(x);
    for (direction_ = 0; direction_ < directions_; ++direction_) run(direction_ == 1 || direction == "reverse");
    make_outputs();
    return body_.function();
  }

 private:
  bool has(Input input) const { return site_.has_input(input); }
  std::string formal(Input input) const { return kind_.inputs[static_cast<size_t>(input)]; }
  std::string make(std::string_view op_type, const Values& inputs,
                   std::initializer_list<BodyAttribute> attributes = {}) {
    return body_.made(kind_.op_type, op_type, inputs, attributes);
  }
  std::string number(double value) {
    std::string& known = numbers_[value];
    if (known.empty()) known = body_.constant(body_.fresh("number"), tensor_of(type_, {}, std::vector<double>{value}));
    return known;
  }
  // An empty name is a value of zeros.
  std::string add(const std::string& value, const std::string& other) {
    if (value.empty() || other.empty()) return value.empty() ? other : value;
    return make("Add", {value, other});
  }
  std::string mul(const std::string& value, const std::string& other) {
    return value.empty() || other.empty() ? std::string() : make("Mul", {value, other});
  }
  std::vector<std::string> split(const std::string& value, const Ints& sizes, int64_t axis) {
    if (sizes.size() == 1) return {value};
    std::vector<std::string> parts;
    for (size_t part = 0; part < sizes.size(); ++part) parts.push_back(body_.fresh("part"));
    std::string& known = sizes_[sizes];
    if (known.empty()) known = body_.ints(sizes, "sizes");
    body_.node(parts, "Split", {value, known}, {{"axis", axis}});
    return parts;
  }
  std::string joined(const std::vector<std::string>& values, int64_t axis) {
    return values.size() == 1 ? values.front() : make("Concat", values, {{"axis", axis}});
  }

  // The elements of an input that is a small constant.
  std::optional<std::vector<double>> elements(Input input, int64_t of_direction) const {
    const std::optional<std::vector<double>> known = site_.constant_floats(input);
    if (!known || std::ssize(*known) != directions_ * of_direction) return std::nullopt;
    const auto begin = known->begin() + direction_ * of_direction;
    return std::vector<double>(begin, begin + of_direction);
  }

  // Whether the input is absent, or a constant of zeros.
  bool is_of_zeros(Input input) const {
    if (!has(input)) return true;
    const std::optional<std::vector<double>> known = site_.constant_floats(input);
    return known && std::ranges::all_of(*known, [](double element) { return element == 0; });
  }

  // The part of an input that is of the direction, without the dimension of directions.
  std::string of_direction(Input input) {
    const std::string part =
        directions_ == 1 ? formal(input) : body_.slice(formal(input), direction_, direction_ + 1, 0);
    return make("Squeeze", {part, body_.ints({0}, "first_axis")});
  }

  // That part of B or P, of so many lists of that size.
  std::vector<std::string> lists_of_direction(Input input, int64_t count, int64_t size) {
    const std::optional<std::vector<double>> known = elements(input, count * size);
    if (!known) return split(of_direction(input), Ints(static_cast<size_t>(count), size), 0);
    std::vector<std::string> lists;
    for (auto begin = known->begin(); begin != known->end(); begin += size)
      lists.push_back(body_.constant(body_.fresh(formal(input)),
                                     tensor_of(type_, {size}, std::vector<double>(begin, begin + size))));
    return lists;
  }

  // The state that the direction begins with, 1 x (sequences) x (elements); empty for zeros.
  std::string first_state(Input input) {
    if (is_of_zeros(input)) return {};
    const int64_t sequences = site_.dim(input, 1).value_or(0);
    if (directions_ > 1 && !is_batch_first_ && sequences > 0) {
      if (const auto known = elements(input, sequences * size_))
        return body_.constant(body_.fresh(formal(input)), tensor_of(type_, {1, sequences, size_}, *known));
    }
    std::string state = formal(input);
    if (is_batch_first_) state = body_.transpose(state, {1, 0, 2});
    return directions_ == 1 ? state : body_.slice(state, direction_, direction_ + 1, 0);
  }

  // Some rows of W or R of the direction as a matrix by which a row is multiplied. Where the input
  // is a constant, it is written so.
  std::string matrix(Input input, int64_t first_row, int64_t rows) {
    const std::optional<StoredTensor> stored = site_.stored_constant(input);
    const uint64_t bits = type_ == onnx::TensorProto::FLOAT ? 32 : type_ == onnx::TensorProto::FLOAT16 ? 16 : 0;
    const int64_t all_rows = kind_.gates * size_;
    if (stored && bits != 0 && stored->element_type == type_ && stored->dims.size() == 3 &&
        stored->dims[0] == directions_ && stored->dims[1] == all_rows && stored->dims[2] > 0) {
      const auto columns = static_cast<uint64_t>(stored->dims[2]);
      return body_.transposed(body_.fresh(formal(input)), *stored, type_, {stored->dims[2], rows},
                              {.rows = static_cast<uint64_t>(rows),
                               .columns = columns,
                               .row_bytes = columns * bits / 8,
                               .first_row = static_cast<uint64_t>(direction_ * all_rows + first_row)},
                              {.bits = bits});
    }
    std::string part = of_direction(input);
    if (rows != all_rows) part = body_.slice(part, first_row, first_row + rows, 0);
    return body_.transpose(part, {1, 0});
  }

  // The activation of an LSTM's output gets the state as it is, and not clipped: ONNX Runtime does
  // the same.
  std::string activated(std::string value, size_t place) {
    constexpr size_t of_output = 2;
    const RecurrentActivation& of = activations_[static_cast<size_t>(direction_) * kind_.activations.size() + place];
    if (clip_ > 0 && place != of_output) value = make("Clip", {value, number(-clip_), number(clip_)});
    if (of.op_type == "ScaledTanh")
      return make("Mul", {number(of.alpha), make("Tanh", {make("Mul", {number(of.beta), value})})});
    if (of.op_type == "Affine") return make("Add", {make("Mul", {number(of.alpha), value}), number(of.beta)});
    if (of.op_type == "HardSigmoid") return make(of.op_type, {value}, {{"alpha", of.alpha}, {"beta", of.beta}});
    if (of.op_type == "LeakyRelu" || of.op_type == "ThresholdedRelu" || of.op_type == "Elu")
      return make(of.op_type, {value}, {{"alpha", of.alpha}});
    return make(of.op_type, {value});
  }

  // Nothing is left out behind the end of a sequence where all are whole.
  void find_lengths() {
    if (!has(lengths)) return;
    known_lengths_ = site_.known_ints(lengths);
    has_lengths_ =
        !known_lengths_ || !std::ranges::all_of(*known_lengths_, [&](int64_t length) { return length >= steps_; });
    if (!has_lengths_) return;
    if (!known_lengths_) length_column_ = body_.unsqueeze(formal(lengths), {1});
  }

  // Which sequences are longer than that, as a column.
  struct Longer {
    bool all = true;
    std::string condition = {};     // where only the run tells
    std::string yes = {}, no = {};  // else 1 and 0, and the other way round
  };

  Longer longer_than(int64_t step) {
    if (!has_lengths_) return {};
    if (!known_lengths_) {
      const std::string before =
          body_.constant(body_.fresh("step"), tensor_of(onnx::TensorProto::INT32, {}, Ints{step}));
      return {.all = false, .condition = make("Less", {before, length_column_})};
    }
    std::vector<double> yes, no;
    for (const int64_t length : *known_lengths_) {
      yes.push_back(length > step ? 1 : 0);
      no.push_back(1 - yes.back());
    }
    if (std::ranges::count(yes, 1.0) == std::ssize(yes)) return {};
    const auto column = [&](const std::vector<double>& numbers) {
      return body_.constant(body_.fresh("inside"), tensor_of(type_, {std::ssize(numbers), 1}, numbers));
    };
    return {.all = false, .yes = column(yes), .no = column(no)};
  }

  // Of those sequences the values, and of the others what is given, where "" stands for zeros. Not
  // all runtimes have a Where; what a gate makes is finite.
  std::string where(const Longer& longer, const std::string& value, const std::string& other) {
    if (longer.all) return value;
    if (!longer.condition.empty()) return make("Where", {longer.condition, value, other.empty() ? number(0) : other});
    return add(mul(longer.yes, value), mul(longer.no, other));
  }

  // Does all steps of a direction.
  void run(bool is_reverse) {
    h_ = first_state(first_h);
    c_ = kind_.op_type == "LSTM" ? first_state(first_c) : std::string();
    prepare_weights();
    const std::string products = add(make("MatMul", {x_, matrix(weights, 0, kind_.gates * size_)}), bias_);
    const std::vector<std::string> rows = split(products, Ints(static_cast<size_t>(steps_), 1), 0);
    std::vector<std::string> made(rows.size());
    for (int64_t done = 0; done < steps_; ++done) {
      const auto step = static_cast<size_t>(is_reverse ? steps_ - 1 - done : done);
      const Longer inside = longer_than(static_cast<int64_t>(step));
      const std::string h_before = h_, c_before = c_;
      kind_.op_type == "RNN" ? rnn(rows[step]) : kind_.op_type == "GRU" ? gru(rows[step]) : lstm(rows[step]);
      if (site_.has_output(y)) made[step] = where(inside, h_, {});
      h_ = where(inside, h_, h_before);
      if (!c_.empty()) c_ = where(inside, c_, c_before);
    }
    if (site_.has_output(y)) all_y_.push_back(body_.unsqueeze(joined(made, 0), {1}));
    // A sequence without steps has zeros as its last state.
    const Longer any = longer_than(0);
    all_h_.push_back(where(any, h_, {}));
    if (!c_.empty()) all_c_.push_back(where(any, c_, {}));
  }

  void prepare_weights() {
    const int64_t rows = kind_.gates * size_;
    prepare_bias(rows);
    recurrence_ = recurrence_of_new_ = {};
    // A state of zeros need not be multiplied.
    if (!h_.empty() || steps_ > 1) {
      const bool is_apart = kind_.op_type == "GRU" && !is_product_first_;
      recurrence_ = matrix(recurrence, 0, is_apart ? 2 * size_ : rows);
      if (is_apart) recurrence_of_new_ = matrix(recurrence, 2 * size_, size_);
    }
    peepholes_ = {{}, {}, {}};
    if (kind_.op_type == "LSTM" && !is_of_zeros(peepholes)) peepholes_ = lists_of_direction(peepholes, 3, size_);
  }

  void prepare_bias(int64_t rows) {
    bias_ = recurrent_bias_ = {};
    if (is_of_zeros(bias)) return;
    if (const auto known = elements(bias, 2 * rows); known && !is_product_first_) {
      std::vector<double> sums(known->begin(), known->begin() + rows);
      for (size_t row = 0; row < sums.size(); ++row) sums[row] += (*known)[sums.size() + row];
      bias_ = body_.constant(body_.fresh("bias"), tensor_of(type_, {rows}, sums));
      return;
    }
    const std::vector<std::string> halves = lists_of_direction(bias, 2, rows);
    bias_ = is_product_first_ ? halves[0] : make("Add", {halves[0], halves[1]});
    if (is_product_first_) recurrent_bias_ = halves[1];
  }

  std::string product(const std::string& value, const std::string& by) {
    return value.empty() ? std::string() : make("MatMul", {value, by});
  }

  void rnn(const std::string& row) { h_ = activated(add(row, product(h_, recurrence_)), 0); }

  void gru(const std::string& row) {
    const std::vector<std::string> given = split(row, {2 * size_, size_}, 2);
    std::string of_gates = product(h_, recurrence_), of_new;
    if (is_product_first_) {
      const int64_t axis = of_gates.empty() ? 0 : 2;  // of the bias alone
      of_gates = add(of_gates, recurrent_bias_);
      if (!of_gates.empty()) {
        const std::vector<std::string> parts = split(of_gates, {2 * size_, size_}, axis);
        of_gates = parts[0];
        of_new = parts[1];
      }
    }
    const std::vector<std::string> gates =
        split(activated(add(given[0], of_gates), 0), {size_, size_}, 2);  // update and reset
    if (is_product_first_) {
      of_new = mul(gates[1], of_new);
    } else {
      of_new = product(mul(gates[1], h_), recurrence_of_new_);
    }
    const std::string made = activated(add(given[1], of_new), 1);
    // (1 - update) * made + update * before
    if (h_.empty()) {
      h_ = make("Sub", {made, make("Mul", {gates[0], made})});
    } else {
      h_ = make("Add", {made, make("Mul", {gates[0], make("Sub", {h_, made})})});
    }
  }

  void lstm(const std::string& row) {
    const std::vector<std::string> gates =  // input, output, forget and cell
        split(add(row, product(h_, recurrence_)), {size_, size_, size_, size_}, 2);
    const std::string input = activated(add(gates[0], mul(peepholes_[0], c_)), 0);
    std::string kept;
    if (!c_.empty()) {
      const std::string forget = site_.attribute_int("input_forget", 0) != 0
                                     ? make("Sub", {number(1), input})
                                     : activated(add(gates[2], mul(peepholes_[2], c_)), 0);
      kept = make("Mul", {forget, c_});
    }
    c_ = add(kept, make("Mul", {input, activated(gates[3], 1)}));
    const std::string output = activated(add(gates[1], mul(peepholes_[1], c_)), 0);
    h_ = make("Mul", {output, activated(c_, 2)});
  }

  void make_outputs() {
    make_output(y, joined_if(y, all_y_, 1), {2, 0, 1, 3});
    make_output(last_h, joined_if(last_h, all_h_, 0), {1, 0, 2});
    make_output(last_c, joined_if(last_c, all_c_, 0), {1, 0, 2});
  }

  std::string joined_if(Output output, const std::vector<std::string>& values, int64_t axis) {
    return site_.has_output(output) ? joined(values, axis) : std::string();
  }

  void make_output(Output output, const std::string& value, const Ints& batch_first) {
    if (value.empty()) return;
    const std::string& name = kind_.outputs[static_cast<size_t>(output)];
    if (is_batch_first_) {
      body_(name, "Transpose", {value}, {{"perm", batch_first}});
    } else {
      body_(name, "Identity", {value});
    }
  }

  const CallSite& site_;
  const Kind& kind_;
  onnx::TensorProto::DataType type_;
  Body body_;
  int64_t directions_ = 1, steps_ = 0, size_ = 0;
  double clip_ = 0;
  bool is_batch_first_ = false;
  bool is_product_first_ = false;  // of a GRU: the state is multiplied before it is reset
  std::vector<RecurrentActivation> activations_;
  bool has_lengths_ = false;
  std::optional<Ints> known_lengths_;
  std::string x_, length_column_;
  std::map<double, std::string> numbers_;
  std::map<Ints, std::string> sizes_;
  // Of the direction that is being written; an empty name stands for zeros.
  int64_t direction_ = 0;
  std::string h_, c_, bias_, recurrent_bias_, recurrence_, recurrence_of_new_;
  std::vector<std::string> peepholes_;              // of the input, output and forget gates
  std::vector<std::string> all_y_, all_h_, all_c_;  // of each direction
};

Lowering lower(const CallSite& site) { return StepByStep(site).lowering(); }

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, std::string_view attributes,
                              int most) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Step by step, where the number of steps is known.",
          .source = source,
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .only_as_given = true,
          .needed_inputs = 3,
          .most_inputs = most,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("RNN", "ONNX RNN-14",
             "activation_alpha, activation_beta, activations, clip, direction, hidden_size, layout, output_sequence",
             6),
    rule_for("GRU", "ONNX GRU-14",
             "activation_alpha, activation_beta, activations, clip, direction, hidden_size, layout, "
             "linear_before_reset, output_sequence",
             6),
    rule_for("LSTM", "ONNX LSTM-14",
             "activation_alpha, activation_beta, activations, clip, direction, hidden_size, input_forget, layout, "
             "output_sequence",
             8)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_recurrent_steps
