// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify/input_use.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "domain.h"

namespace onnx_lower {
namespace {

constexpr int any_input = -1;

// Nodes that hand on elements of one of their inputs.
struct HandingOn {
  std::string_view op_type;
  int input;
};
constexpr HandingOn handing_on[] = {
    {"Cast", 0},
    {"CastLike", 0},
    {"Identity", 0},
    {"Reshape", 0},
    {"Squeeze", 0},
    {"Flatten", 0},
    {"Unsqueeze", 0},
    {"Transpose", 0},
    {"Expand", 0},
    {"Slice", 0},
    {"Split", 0},
    {"Concat", any_input},
    {"Clip", 0},
    {"Gather", 0},
    {"GatherElements", 0},
    {"GatherND", 0},
    {"SequenceInsert", 1},
    {"Tile", 0},
    {"SequenceConstruct", any_input},
    {"SequenceAt", 0},
    {"ConcatFromSequence", 0},
    {"Add", any_input},
    {"Sub", 0},
    {"Min", any_input},
    {"Where", 1},
    {"Where", 2},
    {"ScatterND", 2},
    {"ScatterElements", 2},
    {"OptionalGetElement", 0},
    {"Pad", 0},
    {"Max", any_input},
};

// Inputs that mean something which follows from other inputs or from attributes.
struct DerivedUse {
  enum class Kind : uint8_t { coordinates, below_depth, length, condition, condition_if_bool };
  std::string_view op_type;
  int input;
  Kind kind;
  std::string_view axis = {};  // of a length: the attribute that names the axis of the first input
};
constexpr DerivedUse derived_uses[] = {
    {"GatherND", 1, DerivedUse::Kind::coordinates},   {"ScatterND", 1, DerivedUse::Kind::coordinates},
    {"OneHot", 0, DerivedUse::Kind::below_depth},     {"ReverseSequence", 1, DerivedUse::Kind::length, "time_axis"},
    {"LSTM", 4, DerivedUse::Kind::length, "layout"},  {"GRU", 4, DerivedUse::Kind::length, "layout"},
    {"RNN", 4, DerivedUse::Kind::length, "layout"},   {"Where", 0, DerivedUse::Kind::condition},
    {"Cast", 0, DerivedUse::Kind::condition_if_bool},
};

// Operators whose attributes hold the words that they know.
constexpr std::string_view with_words[] = {"LabelEncoder",    "CategoryMapper", "OneHotEncoder",
                                           "TfIdfVectorizer", "DictVectorizer", "StringNormalizer"};

struct RoleOfInput {
  std::string_view op_type;
  int input;
  InputRole role;
};
constexpr RoleOfInput roles_of_inputs[] = {
    {"Reshape", 1, InputRole::shape},
    {"Expand", 1, InputRole::shape},
    {"ConstantOfShape", 0, InputRole::size},
    {"Tile", 1, InputRole::size},
    {"TopK", 1, InputRole::size},
    {"Range", any_input, InputRole::size},
    {"Loop", 0, InputRole::size},
    {"Slice", 1, InputRole::index},
    {"Slice", 2, InputRole::size},
    {"Slice", 3, InputRole::axis},
    {"Slice", 4, InputRole::size},
    {"Pad", 1, InputRole::mask},
    {"Pad", 3, InputRole::axis},
    {"Resize", 2, InputRole::size},
    {"Resize", 3, InputRole::size},
    {"Upsample", 1, InputRole::size},
    {"Squeeze", 1, InputRole::axis},
    {"Unsqueeze", 1, InputRole::axis},
    {"ReduceSum", 1, InputRole::axis},
    {"ReduceMean", 1, InputRole::axis},
    {"ReduceMax", 1, InputRole::axis},
    {"ReduceMin", 1, InputRole::axis},
    {"ReduceProd", 1, InputRole::axis},
    {"ReduceL1", 1, InputRole::axis},
    {"ReduceL2", 1, InputRole::axis},
    {"ReduceLogSum", 1, InputRole::axis},
    {"ReduceLogSumExp", 1, InputRole::axis},
    {"ReduceSumSquare", 1, InputRole::axis},
    {"CumSum", 1, InputRole::axis},
    {"SequenceAt", 1, InputRole::index},
    {"SequenceErase", 1, InputRole::index},
    {"NonMaxSuppression", 2, InputRole::size},
    {"NonMaxSuppression", 3, InputRole::fraction},
    {"NonMaxSuppression", 4, InputRole::fraction},
    {"RoiAlign", 2, InputRole::index},
    {"BitShift", 1, InputRole::count},
    {"Trilu", 1, InputRole::axis},
    {"Div", 1, InputRole::divisor},
    {"Mod", 1, InputRole::divisor},
    {"Reciprocal", 0, InputRole::divisor},
    {"Log", 0, InputRole::positive},
    {"Sqrt", 0, InputRole::positive},
    {"Pow", 1, InputRole::count},
    {"QuantizeLinear", 1, InputRole::positive},
    {"DequantizeLinear", 1, InputRole::positive},
    {"Asin", 0, InputRole::unit},
    {"Acos", 0, InputRole::unit},
    {"Atanh", 0, InputRole::unit},
    {"Acosh", 0, InputRole::at_least_1},
    {"Bernoulli", 0, InputRole::fraction},
    {"BatchNormalization", 4, InputRole::positive},
    {"Dropout", 1, InputRole::fraction},
};

// An input of indices, and the input whose elements they choose along an axis.
struct Indexing {
  std::string_view op_type;
  size_t indices, data;
  int64_t axis;  // where the node has no attribute `axis`
};
constexpr Indexing indexings[] = {
    {"Gather", 1, 0, 0},
    {"GatherElements", 1, 0, 0},
    {"Scatter", 1, 0, 0},
    {"ScatterElements", 1, 0, 0},
    {"TensorScatter", 2, 0, -2},
    {"GatherBlockQuantized", 1, 0, 0},
    {"NegativeLogLikelihoodLoss", 1, 0, 1},
    {"CropAndResize", 2, 0, 0},
    {"GroupQueryAttention", 5, 3, 2},
    {"SoftmaxCrossEntropyLoss", 1, 0, 1},
};

// Takes the use that decides, and of two of one role the tighter one.
void take(InputUse& found, const InputUse& other) {
  const bool is_tighter = found.role == other.role && other.most && (!found.most || *other.most < *found.most);
  const bool names_one = found.role == other.role && !found.most && !other.most && found.bounded_by.empty();
  if (other.role < found.role || is_tighter || names_one) found = other;
}

void take(InputUse& found, InputRole role) {
  InputUse use;
  use.role = role;
  take(found, use);
}

InputUse unbounded_index(std::string_view bounded_by, int64_t axis) {
  InputUse use;
  use.role = InputRole::index;
  use.bounded_by = bounded_by;
  use.axis = axis;
  return use;
}

// An index into this dimension of a value.
InputUse index_into(const Model& model, const GraphUses& uses, ValueId data, int64_t axis) {
  InputUse use = unbounded_index(model.value_name(data), axis);
  const std::optional<std::vector<int64_t>> dims = uses.dims_of(data);
  if (!dims) return use;
  const auto rank = static_cast<int64_t>(dims->size());
  if (axis < 0) use.axis = axis += rank;
  if (axis >= 0 && axis < rank && (*dims)[static_cast<size_t>(axis)] > 0)
    use.most = (*dims)[static_cast<size_t>(axis)] - 1;
  return use;
}

// GatherND and ScatterND: the shortest of the dimensions that are indexed.
InputUse index_into_all(const Model& model, const GraphUses& uses, ValueId data) {
  InputUse use = unbounded_index(model.value_name(data), 0);
  const std::optional<std::vector<int64_t>> dims = uses.dims_of(data);
  if (dims && !dims->empty() && std::ranges::min(*dims) > 0) use.most = std::ranges::min(*dims) - 1;
  return use;
}

// OneHot: indices are below the depth, which is its second input.
InputUse index_below_depth(const GraphUses& uses, ValueId depth) {
  InputUse use = unbounded_index({}, 0);
  const std::optional<std::vector<int64_t>> number = uses.integers_of(depth);
  if (number && number->size() == 1 && number->front() > 0) use.most = number->front() - 1;
  return use;
}

}  // namespace

InputUses::InputUses(const Model& model) : model_(model) {
  scopes_.push_back({.op = 0, .uses = GraphUses(model, model.graph), .inputs = {}});
  for (const Function& function : model.functions) {
    if (function.dropped) continue;
    std::vector<ValueId> inputs;
    for (const ValueInfo& input : function.body.inputs) inputs.push_back(input.value);
    for (OperatorId op = 0; op < model.operator_count(); ++op) {
      if (model.op(op) == Operator{function.domain, function.name, function.overload})
        scopes_.push_back({.op = op, .uses = GraphUses(model, function.body), .inputs = inputs});
    }
  }
}

const InputUses::Scope* InputUses::function_of(const Node& node) const {
  for (size_t i = 1; i < scopes_.size(); ++i) {
    if (scopes_[i].op == node.op) return &scopes_[i];
  }
  return nullptr;
}

void InputUses::add_use(const Scope& scope, const ValueUse& use, InputUse& found) const {
  const Operator& op = model_.op(use.node->op);
  const std::span<const ValueId> inputs = use.node->inputs();
  const auto input = static_cast<int>(use.input);
  for (const RoleOfInput& role : roles_of_inputs) {
    if (role.op_type == op.op_type && (role.input == input || role.input == any_input)) take(found, role.role);
  }
  for (const Indexing& indexing : indexings) {
    if (indexing.op_type == op.op_type && indexing.indices == use.input && indexing.data < inputs.size())
      take(found,
           index_into(model_, scope.uses, inputs[indexing.data], integer_attribute(*use.node, "axis", indexing.axis)));
  }
  for (const DerivedUse& derived : derived_uses) {
    if (derived.op_type != op.op_type || derived.input != input) continue;
    switch (derived.kind) {
      case DerivedUse::Kind::coordinates:
        take(found, index_into_all(model_, scope.uses, inputs[0]));
        break;
      case DerivedUse::Kind::below_depth:
        take(found, index_below_depth(scope.uses, inputs[1]));
        break;
      case DerivedUse::Kind::length: {
        InputUse length = index_into(model_, scope.uses, inputs[0], integer_attribute(*use.node, derived.axis, 0));
        length.role = InputRole::length;
        if (length.most) ++*length.most;
        take(found, length);
        break;
      }
      case DerivedUse::Kind::condition_if_bool:
        if (integer_attribute(*use.node, "to", 0) != onnx::TensorProto::BOOL) break;
        [[fallthrough]];
      case DerivedUse::Kind::condition:
        take(found, InputRole::mask);
        break;
    }
  }
}

InputUse InputUses::use_of(std::string_view name) const {
  InputUse found;
  const std::optional<ValueId> value = model_.values().find(name);
  if (!value) return found;
  std::vector<std::pair<const Scope*, ValueId>> left = {{&scopes_[0], *value}};
  std::set<std::pair<const Scope*, ValueId>> reached(left.begin(), left.end());
  const auto reach = [&](const Scope* scope, ValueId next) {
    if (next != absent_value && reached.emplace(scope, next).second) left.emplace_back(scope, next);
  };
  while (!left.empty()) {
    const auto [scope, current] = left.back();
    left.pop_back();
    for (const ValueUse& use : scope->uses.uses_of(current)) {
      if (const Scope* const function = function_of(*use.node)) {
        if (use.input < function->inputs.size()) reach(function, function->inputs[use.input]);
        continue;
      }
      add_use(*scope, use, found);
      const std::string_view op_type = model_.op(use.node->op).op_type;
      const bool hands_on = std::ranges::any_of(handing_on, [&](const HandingOn& each) {
        return each.op_type == op_type && (each.input == any_input || each.input == static_cast<int>(use.input));
      });
      if (!hands_on) continue;
      for (const ValueId output : use.node->outputs()) reach(scope, output);
    }
  }
  return found;
}

std::vector<std::string> InputUses::words() const {
  std::vector<std::string> words;
  for (const Scope& scope : scopes_) {
    for (const Node* const node : scope.uses.nodes()) {
      if (std::ranges::find(with_words, model_.op(node->op).op_type) == std::end(with_words)) continue;
      const onnx::NodeProto message = message_of(*node);
      for (const onnx::AttributeProto& attribute : message.attribute())
        words.insert(words.end(), attribute.strings().begin(), attribute.strings().end());
    }
  }
  words.insert(words.end(), {"a", "b", "ab c"});
  return words;
}

}  // namespace onnx_lower
