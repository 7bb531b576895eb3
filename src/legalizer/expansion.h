// A function's body as a template, and its instances: new nodes under new names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/call.h"
#include "legalizer/fresh_names.h"
#include "model_file/model.h"
#include "model_file/wire_writer.h"

namespace onnx_lower {

// What the names of all that a node is lowered to begin with: its own, or that of its first output.
std::string_view name_prefix(const Model& model, const Node& node);

// The metadata_props of nodes that a rule makes for a node of the model, as fields of a NodeProto.
std::string origin_metadata(std::string_view rule, std::string_view node);

// Made once per form and model, so that an instance costs little more than its bytes.
class BodyTemplate {
 public:
  // `opsets` is the context of the function's imports in the model's legalization.
  BodyTemplate(Model& model, const onnx::FunctionProto& function, OpsetContext opsets);

  // What the new nodes are made for.
  struct Origin {
    Bytes metadata;  // their metadata_props, encoded; nothing where the IR version has none
    // Whether a Constant may refer to an attribute of the function that is being attached; else it is a tensor.
    bool constants_refer = false;
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

  void write_reference(const onnx::AttributeProto& reference, const onnx::AttributeProto& value, bool as_tensor) const;

  Model& model_;
  OpsetContext opsets_;
  std::string function_name_;
  std::vector<std::string> slot_names_;
  std::vector<BodyNode> nodes_;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
  std::unordered_map<std::string, Slot> slots_;
  std::vector<onnx::OperatorSetIdProto> imports_;
  // What instances are made in, kept from one to the next.
  mutable WireWriter content_;
  mutable std::vector<ValueId> values_;
  mutable onnx::AttributeProto attribute_;
};

}  // namespace onnx_lower
