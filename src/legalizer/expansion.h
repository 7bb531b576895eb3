// A function's body as a template, and its instances: new nodes under new names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/call.h"
#include "legalizer/fresh_names.h"
#include "model_file/model.h"

namespace onnx_lower {

// Made once per form and model, so that an instance costs little more than its bytes.
class BodyTemplate {
 public:
  // `opsets` is the context of the function's imports in the model's legalization.
  BodyTemplate(Model& model, const onnx::FunctionProto& function, OpsetContext opsets);

  struct Origin {
    std::string_view rule;  // for the metadata of the new nodes; nothing where the IR version has none
    std::string_view node;
  };

  // The nodes that take the place of `node`: the function's inputs and outputs become the node's, all other names are new. Nodes that only serve
  // outputs which the node does not have are left out. On a refusal (an absent input that the body needs) `nodes` is unspecified.
  std::optional<Refusal> instantiate(const Node& node, const AttributeBinding& binding, const Origin& origin,
                                     FreshNames& names, std::vector<Node>& nodes) const;

 private:
  // Names of the body, numbered: 0 is absent, then come the formal inputs, the formal outputs, and what is in between.
  using Slot = uint32_t;

  struct BodyNode {
    OperatorId op = 0;
    bool is_constant = false;
    std::vector<Slot> inputs;
    std::vector<Slot> outputs;
    std::vector<Slot> captured;  // by its subgraphs
    std::vector<Slot> required;  // inputs that may not be absent
    std::string name;
    std::string head;              // op_type, encoded
    std::string fixed_attributes;  // encoded, neither reference nor graph
    std::vector<onnx::AttributeProto>
        references;  // to the function's attributes; typed where the operator's schema or the rule says a type
    std::vector<onnx::AttributeProto> graphs;
    std::string tail;  // doc_string, domain, overload, encoded
  };

  Slot slot(const std::string& name);
  void add_node(const onnx::NodeProto& node);
  void add_identity(const std::string& from, const std::string& to);
  std::vector<bool> needed_nodes(const std::vector<ValueId>& values) const;

  Model& model_;
  OpsetContext opsets_;
  std::string function_name_;
  std::vector<std::string> slot_names_;
  std::vector<BodyNode> nodes_;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
  std::unordered_map<std::string, Slot> slots_;
  std::vector<onnx::OperatorSetIdProto> imports_;
};

}  // namespace onnx_lower
