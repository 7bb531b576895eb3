// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/candidates/other_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "constant_folding/known_tensor.h"
#include "rules/body.h"
#include "rules/values/element_type.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/operator_role.h"
#include "standard_operators/wider_types.h"
#include "types/captured_values.h"

namespace onnx_lower {
namespace {

// The inputs and outputs of a node that have the type of one of its inputs, by
// the operator's signature.
class SameType {
 public:
  SameType(const OperatorVersion& version, const onnx::NodeProto& node, int input)
      : version_(version), node_(node), parameter_(version.input(input)) {}

  bool accepts(int type) const { return (parameter_->types >> type & 1) != 0; }
  bool has_input(int input) const { return is_same(version_.input(input)); }
  bool has_output(int output) const {
    const OperatorParameter* made = version_.output(output);
    if (made == nullptr) return false;
    if (const TypeAttribute* deciding = element_type_source(version_, output).attribute) {
      if (element_type_of_attribute(*deciding, version_, node_) != 0) return false;
      if (deciding->otherwise_input >= 0) return has_input(deciding->otherwise_input);
    }
    if (made->type_variable != 0 && made->type_variable == parameter_->type_variable) return true;
    for (size_t index = 0; index < version_.inputs.size() && index < 32; ++index) {
      if ((made->same_type_inputs >> index & 1) != 0 && is_same(&version_.inputs[index])) return true;
    }
    return false;
  }
  // Whether the node makes a sequence or an optional of elements of this type, which no
  // Cast gives back.
  bool is_of_container() const {
    constexpr uint64_t indices = uint64_t{1} << onnx::TensorProto::INT32 | uint64_t{1} << onnx::TensorProto::INT64;
    if ((parameter_->types & ~indices) == 0) return false;
    for (size_t output = 0; output < version_.outputs.size(); ++output) {
      const bool makes_container = (version_.outputs[output].types & (takes_optionals | takes_sequences)) != 0;
      if (makes_container && !has_output(static_cast<int>(output))) return true;
    }
    return false;
  }

 private:
  bool is_same(const OperatorParameter* other) const {
    return other == parameter_ ||
           (other != nullptr && other->type_variable != 0 && other->type_variable == parameter_->type_variable);
  }

  const OperatorVersion& version_;
  const onnx::NodeProto& node_;
  const OperatorParameter* parameter_;
};

bool is_float_of_8_bits(int type) {
  return type == onnx::TensorProto::FLOAT8E4M3FN || type == onnx::TensorProto::FLOAT8E4M3FNUZ ||
         type == onnx::TensorProto::FLOAT8E5M2 || type == onnx::TensorProto::FLOAT8E5M2FNUZ;
}

void add_cast(onnx::FunctionProto& function, const std::string& from, const std::string& to, int type) {
  // A Cast that saturates turns an infinity into the greatest number.
  *function.add_node() = is_float_of_8_bits(type) ? node_of("Cast", {from}, {to}, {{"to", type}, {"saturate", 0}})
                                                  : node_of("Cast", {from}, {to}, {{"to", type}});
}

// Whether a maximum or minimum that the node computes may be one of no elements: those of an empty
// axis, or of a window that lies in the padding.
bool may_be_of_nothing(const CallSite& call) {
  const onnx::NodeProto& node = call.node();
  if (role_of(node.op_type()) == OperatorRole::greatest_of_windows)
    return std::ranges::any_of(call.attribute_bounds("dilations"), [](int64_t step) { return step != 1; });
  const std::optional<int> rank = call.rank(0);
  if (!rank) return true;
  std::vector<int64_t> axes = call.attribute_bounds("axes");
  if (call.has_input(1)) axes = call.constant_ints(1).value_or(axes);
  if (axes.empty()) {
    axes.resize(static_cast<size_t>(*rank));
    std::iota(axes.begin(), axes.end(), 0);
  }
  return std::ranges::any_of(axes, [&](int64_t axis) {
    return axis < -*rank || axis >= *rank || call.dim(0, static_cast<int>(axis)).value_or(0) == 0;
  });
}

onnx::TensorProto number_of_type(int type, int64_t number) {
  const auto data_type = static_cast<onnx::TensorProto::DataType>(type);
  if (is_float_or_double(type)) return tensor_of(data_type, {}, std::vector<double>{static_cast<double>(number)});
  return tensor_of(data_type, {}, Ints{number});
}

void add_bound(onnx::FunctionProto& function, const std::string& from, const std::string& to, const Bound& bound,
               int type) {
  const std::string limit = to + "_bound";
  *function.add_node() = node_of("Constant", {}, {limit}, {{"value", number_of_type(type, bound.number)}});
  *function.add_node() = node_of(bound.op_type, {from, limit}, {to});
}

// The function of the node between casts. `groups`: which inputs and outputs are cast, from the
// type `from` to the type `to` and back.
onnx::FunctionProto between_casts(const CallSite& call, std::span<const SameType> groups, int64_t opset, int from,
                                  int to) {
  const onnx::NodeProto& node = call.node();
  onnx::FunctionProto function;
  function.set_domain(node.domain());
  function.set_name(node.op_type());
  onnx::OperatorSetIdProto& import = *function.add_opset_import();
  import.set_domain(node.domain());
  import.set_version(opset);
  onnx::NodeProto same = node;
  same.clear_input();
  same.clear_output();
  for (int index = 0; index < node.input_size(); ++index) {
    const std::string name = fmt::format("i{}", index);
    function.add_input(name);
    if (node.input(index).empty() ||
        std::ranges::none_of(groups, [&](const SameType& group) { return group.has_input(index); })) {
      same.add_input(node.input(index).empty() ? "" : name);
      continue;
    }
    add_cast(function, name, name + "_cast", to);
    same.add_input(name + "_cast");
  }
  std::vector<std::string> cast_back;
  for (int index = 0; index < node.output_size(); ++index) {
    const std::string name = fmt::format("o{}", index);
    function.add_output(name);
    const bool casts = !node.output(index).empty() &&
                       std::ranges::any_of(groups, [&](const SameType& group) { return group.has_output(index); });
    same.add_output(node.output(index).empty() ? "" : casts ? name + "_cast" : name);
    if (casts) cast_back.push_back(name);
  }
  *function.add_node() = std::move(same);
  const std::optional<Bound> bound = bound_of_nothing(node.op_type(), from, to);
  const bool is_bounded = bound && may_be_of_nothing(call);
  for (const std::string& name : cast_back) {
    if (is_bounded) add_bound(function, name + "_cast", name + "_bounded", *bound, to);
    add_cast(function, name + (is_bounded ? "_bounded" : "_cast"), name, from);
  }
  return function;
}

// The inputs of a node, grouped by type variable, and the type of each group: of those whose type
// is known, and is the same for all inputs of the group.
std::vector<std::pair<SameType, int>> typed_inputs(const CallSite& call, const OperatorVersion& version) {
  std::vector<std::pair<SameType, int>> found;
  const onnx::NodeProto& node = call.node();
  if (!version.domain.empty() || has_body(node)) return found;
  std::vector<SameType> seen;
  for (int index = 0; index < node.input_size(); ++index) {
    if (version.input(index) == nullptr || !call.has_input(index)) continue;
    if (std::ranges::any_of(seen, [&](const SameType& other) { return other.has_input(index); })) continue;
    const SameType& group = seen.emplace_back(version, node, index);
    const std::optional<int> type = call.dtype(index);
    if (!type || group.is_of_container()) continue;
    // A node with two types where the signature has one is wrong, and stays so.
    bool is_one_type = true;
    for (int other = 0; other < node.input_size(); ++other) {
      if (call.has_input(other) && group.has_input(other))
        is_one_type = is_one_type && call.dtype(other).value_or(*type) == *type;
    }
    if (is_one_type) found.emplace_back(group, *type);
  }
  return found;
}

}  // namespace

std::vector<onnx::FunctionProto> through_other_types(const CallSite& call, const OperatorVersion& version,
                                                     int64_t opset, bool narrowing) {
  std::vector<onnx::FunctionProto> functions;
  for (const auto& [group, type] : typed_inputs(call, version)) {
    for (const bool narrows : {false, true}) {
      if (narrows && !narrowing) continue;
      for (const int other : narrows ? narrower_types(version.name, type) : wider_types(version.name, type)) {
        if (!group.accepts(other)) continue;
        onnx::FunctionProto& made =
            functions.emplace_back(between_casts(call, std::span(&group, 1), opset, type, other));
        if (narrows)
          add_assumption(made,
                         fmt::format("{} holds all values of the {} that it computes", element_type_name(other),
                                     element_type_name(type)),
                         "do without --allow-narrowing");
      }
    }
  }
  return functions;
}

std::optional<onnx::FunctionProto> half_through_float(const CallSite& call, const OperatorVersion& version,
                                                      int64_t opset) {
  constexpr int float32 = onnx::TensorProto::FLOAT;
  const auto is_half = [](int type) {
    return type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::BFLOAT16;
  };
  // A quick look first: most nodes have neither type, and all nodes that built-in rules may lower
  // are asked for.
  bool has_half = false;
  for (int index = 0; index < call.node().input_size(); ++index)
    has_half = has_half || (call.has_input(index) && is_half(call.dtype(index).value_or(0)));
  if (!has_half) return std::nullopt;
  std::vector<SameType> halves;
  int half = 0;
  for (const auto& [group, type] : typed_inputs(call, version)) {
    if (!is_half(type) || wider_types(version.name, type).empty()) continue;
    if (!group.accepts(float32) || (half != 0 && half != type)) return std::nullopt;
    half = type;
    halves.push_back(group);
  }
  if (halves.empty()) return std::nullopt;
  return between_casts(call, halves, opset, half, float32);
}

}  // namespace onnx_lower
