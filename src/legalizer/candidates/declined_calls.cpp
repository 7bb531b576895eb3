// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/candidates/declined_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "legalizer/candidates/rule_book.h"

namespace onnx_lower {
namespace {

constexpr std::size_t most_bytes = 4096;

class CallBytes {
 public:
  CallBytes(const GraphScope& scope, TypeInference& types, const Origin& origin)
      : scope_(scope), types_(types), origin_(origin) {}

  void add(uint64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
  void add(const std::string& text) {
    add(text.size());
    bytes_ += text;
  }

  // False where too little is known of the input.
  bool add_input(ValueId value) {
    add(value == absent_value ? 0 : is_made(value) ? 1 : 2);
    if (value == absent_value) return true;
    if (!is_made(value)) {
      add(value);
      return true;
    }
    // Rules may ask for the tensors of a list, and where the type is not known, for much else.
    const onnx::TypeProto* type = types_.type_of(scope_, value, Detail::dimensions);
    if (type == nullptr || !type->has_tensor_type() || type->tensor_type().elem_type() == 0) return false;
    add(type->SerializeAsString());
    add(static_cast<uint64_t>(scope_.element_type(value)));
    const onnx::TensorProto* constant = scope_.visible_constant(value);
    if (constant != nullptr && constant->ByteSizeLong() > most_bytes) return false;
    add(constant == nullptr ? std::string() : constant->SerializeAsString());
    return true;
  }

  void add_output(ValueId value) {
    add(value == absent_value ? 0 : origin_.wanted.contains(value) ? 1 : 2);
    const onnx::TypeProto* declared = value == absent_value ? nullptr : scope_.declared_type(value);
    add(declared == nullptr ? std::string() : declared->SerializeAsString());
  }

  const std::string& all() const { return bytes_; }

 private:
  // Whether the value was made since the model's node began to be lowered: a value of the same name
  // may be another one the next time.
  bool is_made(ValueId value) const {
    const std::optional<std::size_t> maker = scope_.nodes().maker_index(value);
    return maker && *maker >= origin_.begin;
  }

  const GraphScope& scope_;
  TypeInference& types_;
  const Origin& origin_;
  std::string bytes_;
};

}  // namespace

std::string bytes_of_call(const Node& node, const onnx::NodeProto& message, const GraphScope& scope,
                          TypeInference& types, const Origin& origin) {
  // A subgraph may capture any value; and the scope of a graph that a rule made ends
  // with that graph.
  if (!origin.is_made() || origin.in_made_graph || node.bodies != nullptr) return {};
  CallBytes bytes(scope, types, origin);
  bytes.add(node.op);
  bytes.add(node.opsets);
  const PreparedBody& body = origin.expansion->body;
  const bool is_same_again = origin.expansion->node.op == node.op;
  bytes.add(static_cast<uint64_t>(origin.attaches) | static_cast<uint64_t>(origin.checks_made) << 1 |
            static_cast<uint64_t>(is_same_again && body.is_between_casts) << 2 |
            static_cast<uint64_t>(is_same_again && body.result_must_be_legal) << 3 |
            static_cast<uint64_t>(!body.as_it_is.empty()) << 4);
  for (const onnx::AttributeProto& attribute : message.attribute()) {
    if (attribute.ByteSizeLong() > most_bytes) return {};
    bytes.add(attribute.SerializeAsString());
  }
  bytes.add(node.inputs().size());
  for (const ValueId input : node.inputs()) {
    if (!bytes.add_input(input)) return {};
  }
  for (const ValueId output : node.outputs()) bytes.add_output(output);
  return bytes.all().size() <= most_bytes ? bytes.all() : std::string();
}

}  // namespace onnx_lower
