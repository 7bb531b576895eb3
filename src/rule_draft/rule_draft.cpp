// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rule_draft/rule_draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "counted.h"
#include "domain.h"
#include "onnx/defs/printer.h"
#include "rules/text/form.h"
#include "source_text/characters.h"

namespace onnx_lower {
namespace {

// Whether a person may have given the name, and ONNX's textual syntax takes it without quotes.
bool is_plain(std::string_view name) {
  constexpr size_t longest = 24;
  // Names of types are words of the syntax.
  static const std::set<std::string_view> words{"float",  "double", "float16", "bfloat16", "int",     "int8",   "int16",
                                                "int32",  "int64",  "uint8",   "uint16",   "uint32",  "uint64", "bool",
                                                "string", "tensor", "seq",     "map",      "optional"};
  return !name.empty() && name.size() <= longest && starts_name(name.front()) &&
         std::ranges::all_of(name, continues_name) && !words.contains(name);
}

// The part of a name behind the last dot or slash: of "encoder.layer.0/weight" it is "weight".
std::string_view last_part(std::string_view name) {
  const size_t end = name.find_last_of("./:");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

std::string free_name(std::string name, std::set<std::string>& taken) {
  std::string free = name;
  for (int number = 2; !taken.insert(free).second; ++number) free = fmt::format("{}{}", name, number);
  return free;
}

std::string type_text(const onnx::TypeProto& type) {
  if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET) return "a type that is not known";
  return onnx::ProtoToString(type);
}

// Comment lines that show an example.
std::string shown(const DraftedOperator& op, const NodeExample& example, const FormalNames& names) {
  std::string text = fmt::format("# {} of {} {} this form, {} '{}':\n", counted(example.nodes, "node"), op.model,
                                 example.nodes == 1 ? "is of" : "are of",
                                 example.nodes == 1 ? "which is" : "the first of them", example.name);
  const auto add = [&](const std::string& name, const std::string& what) {
    text += fmt::format("#   {}: {}\n", name, what);
  };
  for (size_t i = 0; i < names.inputs.size(); ++i) {
    const bool is_absent = example.node.input(static_cast<int>(i)).empty();
    add(names.inputs[i], is_absent
                             ? "absent here"
                             : type_text(example.input_types[i]) + (example.are_constants[i] ? ", a constant" : ""));
  }
  for (int i = 0; i < example.node.attribute_size(); ++i)
    text +=
        fmt::format("#   {} = {}\n", example.node.attribute(i).name(), example.attribute_texts[static_cast<size_t>(i)]);
  for (size_t i = 0; i < names.outputs.size(); ++i)
    add("gives " + names.outputs[i], type_text(example.output_types[i]));
  return text;
}

std::string form_text(const DraftedOperator& op, const NodeExample& example) {
  const FormalNames names = formal_names(example);
  std::vector<std::string> declared, passed;
  for (const auto& attribute : example.node.attribute()) {
    declared.push_back(fmt::format("{}: {}", attribute.name(), attribute_type_name(attribute.type())));
    passed.push_back(fmt::format("{} = @{}", attribute.name(), attribute.name()));
  }
  const auto listed = [](const std::vector<std::string>& attributes) {
    return attributes.empty() ? std::string() : fmt::format("<{}> ", fmt::join(attributes, ", "));
  };
  return fmt::format(
      "{}<domain: \"{}\", opset_import: [\"\" : {}]>\n"
      "{} {}({}) => ({}) {{\n"
      "  {} = {} {}({})\n"
      "}}\n",
      shown(op, example, names), op.domain.empty() ? "ai.onnx" : op.domain, example.opset, op.op_type, listed(declared),
      fmt::join(names.inputs, ", "), fmt::join(names.outputs, ", "), fmt::join(names.outputs, ", "), to_fill_in,
      listed(passed), fmt::join(names.inputs, ", "));
}

}  // namespace

std::string DraftedOperator::file_stem() const {
  std::string stem = op_type;
  for (char& c : stem) c = continues_name(c) ? c : '_';
  return stem;
}

void DraftedOperator::sort() {
  const auto size = [](const NodeExample& example) {
    return std::pair(example.node.input_size() + example.node.output_size(), example.node.attribute_size());
  };
  std::ranges::stable_sort(examples, {}, size);
}

FormalNames formal_names(const NodeExample& example) {
  FormalNames names;
  std::set<std::string> taken{to_fill_in};
  for (const auto& attribute : example.node.attribute()) taken.insert(attribute.name());
  for (int i = 0; i < example.node.input_size(); ++i) {
    const std::string_view name = example.node.input(i);
    const std::string_view told = example.are_constants[static_cast<size_t>(i)] ? last_part(name) : name;
    names.inputs.push_back(free_name(is_plain(told) ? std::string(told) : "x", taken));
  }
  for (const std::string& output : example.node.output())
    names.outputs.push_back(free_name(is_plain(output) ? output : "y", taken));
  return names;
}

std::string drafted_rule(const DraftedOperator& op) {
  std::string text = fmt::format(
      "# Say here in a sentence what {} computes.\n"
      "#\n"
      "# {} stands where the body has to be written: operators of ONNX, or others that have rules, a line for\n"
      "# each node, such as: square = Mul (x, x). The value of an attribute a is @a, and a constant of it in the type\n"
      "# of x is: k = onnx_lower.ConstantLike <value = @a> (x). Take an attribute out that decides nothing.\n",
      operator_name(op.domain, op.op_type), to_fill_in);
  for (const NodeExample& example : op.examples) text += "\n" + form_text(op, example);
  return text;
}

}  // namespace onnx_lower
