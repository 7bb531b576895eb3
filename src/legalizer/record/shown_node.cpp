// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/record/shown_node.h"

#include <fmt/format.h>

#include "counted.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/record/lowering_record.h"
#include "onnx/defs/printer.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

constexpr int most_elements = 12;
constexpr size_t longest_text = 80;

template <typename Elements, typename ToText>
std::string list_text(const Elements& elements, const ToText& text_of) {
  std::string text = "[";
  for (int i = 0; i < std::min(elements.size(), most_elements); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", text_of(elements[i]));
  if (elements.size() > most_elements) text += fmt::format(", … {} in all", elements.size());
  return text + "]";
}

std::string string_text(const std::string& text) {
  if (text.size() <= longest_text) return '"' + text + '"';
  size_t end = longest_text;
  // Not within a character of UTF-8.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("\"{}…\" ({} bytes)", text.substr(0, end), text.size());
}

std::string graph_text(const onnx::GraphProto& graph) {
  return fmt::format("a graph of {}", counted(graph.node_size(), "node"));
}

}  // namespace

bool has_at_hand(const onnx::TensorProto& tensor, int64_t most_elements) {
  int64_t elements = 1;
  for (const int64_t dim : tensor.dims())
    elements = std::min(elements * std::min(dim, most_elements + 1), most_elements + 1);
  return elements <= most_elements && tensor.data_location() != onnx::TensorProto::EXTERNAL;
}

std::string shown_tensor(const onnx::TensorProto& tensor) {
  if (!has_at_hand(tensor, most_elements)) return onnx::ProtoToString(type_of_tensor(tensor));
  onnx::TensorProto unnamed = tensor;
  unnamed.clear_name();
  return onnx::ProtoToString(unnamed);
}

std::string shown_attribute(const onnx::AttributeProto& attribute) {
  const auto number = [](auto value) { return fmt::format("{}", value); };
  if (!attribute.ref_attr_name().empty()) return "@" + attribute.ref_attr_name();
  switch (attribute.type()) {
    case onnx::AttributeProto::FLOAT:
      return number(attribute.f());
    case onnx::AttributeProto::INT:
      return number(attribute.i());
    case onnx::AttributeProto::STRING:
      return string_text(attribute.s());
    case onnx::AttributeProto::TENSOR:
      return shown_tensor(attribute.t());
    case onnx::AttributeProto::GRAPH:
      return graph_text(attribute.g());
    case onnx::AttributeProto::FLOATS:
      return list_text(attribute.floats(), number);
    case onnx::AttributeProto::INTS:
      return list_text(attribute.ints(), number);
    case onnx::AttributeProto::STRINGS:
      return list_text(attribute.strings(), string_text);
    case onnx::AttributeProto::TENSORS:
      return list_text(attribute.tensors(), shown_tensor);
    case onnx::AttributeProto::GRAPHS:
      return list_text(attribute.graphs(), graph_text);
    case onnx::AttributeProto::TYPE_PROTO:
      return onnx::ProtoToString(attribute.tp());
    default:
      return onnx::AttributeProto::AttributeType_Name(attribute.type());
  }
}

ShownNode shown_node(const Model& model, const Node& node, const onnx::NodeProto& message) {
  ShownNode shown{.name = std::string(display_name(model, node)),
                  .op = operator_name_of(model, node),
                  .inputs = {message.input().begin(), message.input().end()},
                  .outputs = {message.output().begin(), message.output().end()},
                  .attributes = {}};
  for (const auto& attribute : message.attribute())
    shown.attributes.emplace_back(attribute.name(), shown_attribute(attribute));
  return shown;
}

}  // namespace onnx_lower
