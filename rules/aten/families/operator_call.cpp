// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "operator_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace onnx_lower {
namespace {

using OtherName = std::pair<std::string_view, std::string_view>;

// Names that PyTorch itself defines as the same operator; sorted.
constexpr OtherName other_names[] = {
    {"__and__", "bitwise_and"},
    {"__iand__", "bitwise_and"},
    {"__ior__", "bitwise_or"},
    {"__ixor__", "bitwise_xor"},
    {"__or__", "bitwise_or"},
    {"__xor__", "bitwise_xor"},
    {"arccosh", "acosh"},
    {"arcsinh", "asinh"},
    {"arctanh", "atanh"},
    {"concat", "cat"},
    {"concatenate", "cat"},
    {"fix", "trunc"},
    {"ger", "outer"},
    {"native_channel_shuffle", "channel_shuffle"},
    {"row_stack", "vstack"},
    {"special_erfc", "erfc"},
    {"special_erfinv", "erfinv"},
    {"special_exp2", "exp2"},
    {"special_expm1", "expm1"},
    {"special_i0", "i0"},
    {"special_log1p", "log1p"},
    {"special_logit", "logit"},
    {"special_sinc", "sinc"},
    {"special_xlogy", "xlogy"},
    {"trapz", "trapezoid"},
};

}  // namespace

std::string rule_name_of(std::string_view name) {
  constexpr std::string_view prefix = "aten::";
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  name = name.substr(0, name.find('.'));
  // In-place operators compute the same; a trailing "__" belongs to Python's special methods.
  if (name.size() > 1 && name.ends_with('_') && !name.ends_with("__")) name.remove_suffix(1);
  const auto* found = std::lower_bound(std::begin(other_names), std::end(other_names), OtherName{name, {}});
  if (found != std::end(other_names) && found->first == name) name = found->second;
  return std::string(name);
}

onnx::FunctionProto call_of(const CallSite& site, std::string_view op_type, std::string_view overload,
                            std::initializer_list<std::string_view> dropped) {
  onnx::FunctionProto function;
  function.set_domain("aten");
  function.set_name(std::string(op_type));
  onnx::OperatorSetIdProto& import = *function.add_opset_import();
  import.set_domain("aten");
  import.set_version(1);

  onnx::NodeProto& node = *function.add_node();
  node.set_domain("aten");
  node.set_op_type(std::string(op_type));
  node.set_overload(std::string(overload));
  for (int index = 0; index < site.input_count(); ++index) {
    function.add_input(fmt::format("x{}", index));
    node.add_input(function.input(index));
  }
  for (int index = 0; index < site.output_count(); ++index) {
    function.add_output(fmt::format("y{}", index));
    node.add_output(function.output(index));
  }
  for (const onnx::AttributeProto& attribute : site.node().attribute()) {
    if (std::find(dropped.begin(), dropped.end(), attribute.name()) == dropped.end()) *node.add_attribute() = attribute;
  }
  return function;
}

Lowering lower_aten_node(const CallSite& site) {
  const std::string name = site.attribute_string("operator", "");
  if (name.empty()) return Declined{"attribute 'operator', which names the ATen operator, is missing", {"operator"}};
  return call_of(site, rule_name_of(name), site.attribute_string("overload_name", ""), {"operator", "overload_name"});
}

}  // namespace onnx_lower
