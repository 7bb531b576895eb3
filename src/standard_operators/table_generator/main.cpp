// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// make_operator_table OUTPUT.cpp: writes what onnx's schemas say of the standard operators as
// constant arrays.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "shape_rule.h"
#include "standard_operators/operator_table_data.h"

namespace {

using onnx::OpSchema;

const std::vector<std::string> table_domains = {"", "ai.onnx.ml"};

// A string_view of a literal; octal escapes have a fixed width, so what follows them cannot be read
// into them.
std::string literal(const std::string& bytes) {
  if (bytes.empty()) return "{}";
  std::string text = "{\"";
  for (const char c : bytes) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 0x20 || u >= 0x7f || c == '"' || c == '\\' || c == '?') {
      text += '\\';
      for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (u >> shift & 7));
    } else {
      text += c;
    }
  }
  return text + "\", " + std::to_string(bytes.size()) + "}";
}

uint64_t type_bits(const onnx::DataTypeSet& types) {
  uint64_t bits = 0;
  for (const auto& type : types) {
    const onnx::TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
    bits |= uint64_t{1} << (proto.has_tensor_type()     ? proto.tensor_type().elem_type()
                            : proto.has_optional_type() ? 62
                                                        : 63);
  }
  return bits;
}

uint32_t same_type_inputs(const OpSchema::FormalParameter& output,
                          const std::vector<OpSchema::FormalParameter>& inputs) {
  if (!output.GetIsHomogeneous()) return 0;
  uint32_t bits = 0;
  for (size_t i = 0; i < inputs.size() && i < 32; ++i) {
    if (inputs[i].GetIsHomogeneous() && inputs[i].GetTypeStr() == output.GetTypeStr()) bits |= uint32_t{1} << i;
  }
  return bits;
}

// The number of the parameter's type among the names of types that the schema's inputs and outputs
// have.
int type_variable(const OpSchema& schema, const OpSchema::FormalParameter& parameter) {
  if (!parameter.GetIsHomogeneous()) return 0;
  std::vector<std::string> names;
  for (const auto* parameters : {&schema.inputs(), &schema.outputs()}) {
    for (const auto& p : *parameters) {
      if (std::ranges::find(names, p.GetTypeStr()) == names.end()) names.push_back(p.GetTypeStr());
    }
  }
  return static_cast<int>(std::ranges::find(names, parameter.GetTypeStr()) - names.begin()) + 1;
}

// `inputs`: of the operator whose outputs these are; empty when these are inputs.
std::string parameter_list(const OpSchema& schema, const std::vector<OpSchema::FormalParameter>& parameters,
                           const std::vector<OpSchema::FormalParameter>& inputs) {
  std::ostringstream text;
  for (const auto& p : parameters) {
    const char* kind = p.GetOption() == OpSchema::Single     ? "single"
                       : p.GetOption() == OpSchema::Optional ? "optional"
                                                             : "variadic";
    text << "    {" << literal(p.GetName()) << ", ParameterKind::" << kind << ", 0x" << std::hex
         << type_bits(p.GetTypes()) << "u, 0x" << same_type_inputs(p, inputs) << "u, " << std::dec
         << type_variable(schema, p) << "},\n";
  }
  return text.str();
}

std::string attribute_list(const OpSchema& schema) {
  const std::map<std::string, OpSchema::Attribute> sorted(schema.attributes().begin(), schema.attributes().end());
  std::ostringstream text;
  for (const auto& [name, attribute] : sorted) {
    std::string default_value;
    if (attribute.default_value.has_type()) {
      onnx::AttributeProto value = attribute.default_value;
      value.set_name(name);
      default_value = value.SerializeAsString();
    }
    text << "    {" << literal(name) << ", " << static_cast<int>(attribute.type) << ", "
         << (attribute.required ? "true" : "false") << ", " << literal(default_value) << "},\n";
  }
  return text.str();
}

// Lists that many versions share are written once.
class SharedLists {
 public:
  explicit SharedLists(std::string element, std::string prefix)
      : element_(std::move(element)), prefix_(std::move(prefix)) {}

  std::string name_of(const std::string& list) {
    if (list.empty()) return "{}";
    const auto [entry, is_new] = names_.try_emplace(list, prefix_ + std::to_string(names_.size()));
    if (is_new) definitions_ << "constexpr " << element_ << " " << entry->second << "[] = {\n" << list << "};\n";
    return entry->second;
  }
  std::string definitions() const { return definitions_.str(); }

 private:
  std::string element_;
  std::string prefix_;
  std::unordered_map<std::string, std::string> names_;
  std::ostringstream definitions_;
};

// The class by which onnx knows the schema at compile time.
std::string schema_class(const OpSchema& schema) {
  return "ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(" + std::string(schema.domain().empty() ? "Onnx" : "OnnxML") + ", " +
         std::to_string(schema.SinceVersion()) + ", " + schema.Name() + ")";
}

// All schemas of the table's domains, by domain, name and version.
std::vector<OpSchema> schemas_in_order() {
  std::vector<OpSchema> schemas = onnx::OpSchemaRegistry::get_all_schemas_with_history();
  std::erase_if(schemas,
                [](const OpSchema& s) { return std::ranges::find(table_domains, s.domain()) == table_domains.end(); });
  const auto order = [](const OpSchema& s) { return std::tuple(s.domain(), s.Name(), s.SinceVersion()); };
  std::ranges::sort(schemas, {}, order);
  return schemas;
}

// A hash table of the operators, by domain and name: their numbers from 1 on, 0 for an empty slot.
// What is in its slot already pushes the next one on.
std::vector<size_t> hash_slots(const std::vector<std::pair<std::string, std::string>>& names) {
  std::vector<size_t> slots(std::bit_ceil(names.size() * 2));
  for (size_t i = 0; i < names.size(); ++i) {
    size_t slot = onnx_lower::operator_table_data::hash(names[i].first, names[i].second) & (slots.size() - 1);
    while (slots[slot] != 0) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = i + 1;
  }
  return slots;
}

std::string table_text() {
  const std::vector<OpSchema> schemas = schemas_in_order();
  SharedLists parameters("OperatorParameter", "parameters_");
  SharedLists attributes("OperatorAttribute", "attributes_");
  std::ostringstream versions;
  std::ostringstream operators;
  std::ostringstream schema_classes;
  std::ostringstream schema_makers;
  std::vector<std::pair<std::string, std::string>> names;
  const auto boolean = [](bool value) { return value ? "true" : "false"; };
  for (size_t i = 0; i < schemas.size(); ++i) {
    const OpSchema& s = schemas[i];
    versions << "    {" << literal(s.domain()) << ", " << literal(s.Name()) << ", " << s.SinceVersion() << ", "
             << boolean(s.Deprecated()) << ", " << boolean(s.HasFunction() || s.HasContextDependentFunction())
             << ", ShapeRule::" << onnx_lower::name_of_shape_rule(s) << ", " << s.min_input() << ", " << s.max_input()
             << ", " << s.min_output() << ", " << s.max_output() << ", "
             << parameters.name_of(parameter_list(s, s.inputs(), {})) << ", "
             << parameters.name_of(parameter_list(s, s.outputs(), s.inputs())) << ", "
             << attributes.name_of(attribute_list(s)) << "},\n";
    schema_classes << "class " << schema_class(s) << ";\n";
    schema_makers << "    onnx::GetOpSchema<onnx::" << schema_class(s) << ">,\n";
    const bool is_first = i == 0 || schemas[i - 1].domain() != s.domain() || schemas[i - 1].Name() != s.Name();
    if (!is_first) continue;
    size_t end = i + 1;
    while (end < schemas.size() && schemas[end].domain() == s.domain() && schemas[end].Name() == s.Name()) ++end;
    operators << "    {" << literal(s.domain()) << ", " << literal(s.Name()) << ", " << i << ", " << end - i << "},\n";
    names.emplace_back(s.domain(), s.Name());
  }

  const std::vector<size_t> slots = hash_slots(names);
  std::ostringstream out;
  out << "// Made by make_operator_table from onnx's schemas.\n#include "
         "\"standard_operators/operator_table_data.h\"\n\n"
      << "#include \"onnx/defs/schema.h\"\n\nnamespace onnx {\n"
      << schema_classes.str() << "}  // namespace onnx\n\n"
      << "namespace onnx_lower::operator_table_data {\nnamespace {\n\n"
      << parameters.definitions() << attributes.definitions() << "\nconstexpr OperatorVersion version_list[] = {\n"
      << versions.str() << "};\nconstexpr Operator operator_list[] = {\n"
      << operators.str() << "};\nconstexpr onnx::OpSchema (*maker_list[])() = {\n"
      << schema_makers.str() << "};\nconstexpr uint16_t slot_list[] = {";
  for (size_t i = 0; i < slots.size(); ++i) out << (i % 24 == 0 ? "\n    " : "") << slots[i] << ",";
  out << "\n};\nconstexpr Domain domain_list[] = {\n";
  for (const std::string& domain : table_domains) {
    out << "    {" << literal(domain) << ", "
        << onnx::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap().at(domain) << "},\n";
  }
  out << "};\n\n}  // namespace\n\n"
      << "constinit const std::span<const OperatorVersion> versions = version_list;\n"
      << "constinit const std::span<onnx::OpSchema (*const)()> schema_makers = maker_list;\n"
      << "constinit const std::span<const Operator> operators = operator_list;\n"
      << "constinit const std::span<const Domain> domains = domain_list;\n"
      << "constinit const std::span<const uint16_t> slots = slot_list;\n\n"
      << "}  // namespace onnx_lower::operator_table_data\n";
  return out.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_operator_table OUTPUT.cpp\n";
    return 2;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << table_text();
  file.close();
  if (!file) {
    std::cerr << "make_operator_table: cannot write " << argv[1] << "\n";
    return 4;
  }
}
