// A function's body as a template, and its instances: new nodes under new names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/call.h"
#include "legalizer/fresh_names.h"
#include "legalizer/graph_scope.h"
#include "model_file/model.h"
#include "model_file/wire_writer.h"

namespace onnx_lower {

// What the names of all that a node is lowered to begin with: its own, or that of its first output.
std::string_view name_prefix(const Model& model, const Node& node);

// The metadata_props of nodes that a rule makes for a node of the model, as fields of a NodeProto.
void write_origin_metadata(std::string_view rule, std::string_view node, WireWriter& metadata);

// Made once per form and model, so that an instance costs little more than its bytes.
class BodyTemplate {
 public:
  // `opsets` is the context of the function's imports in the model's legalization.
  BodyTemplate(Model& model, const onnx::FunctionProto& function, OpsetContext opsets);

 private:
  friend class BodyInstance;

  // Names of the body, numbered: 0 is absent, then come the formal inputs, the formal outputs, and what is in between.
  using Slot = uint32_t;

  struct BodyNode {
    OperatorId op = 0;
    bool is_constant = false;
    bool casts = false;  // Cast or CastLike
    std::vector<Slot> inputs;
    std::vector<Slot> outputs;
    std::vector<Slot> captured;  // by its subgraphs
    std::vector<Slot> required;  // inputs that may not be absent
    std::string name;
    std::string head;              // op_type, encoded
    std::string fixed_attributes;  // encoded, neither reference nor graph
    int cast_type = 0;             // TensorProto.DataType, where a Cast says it itself
    std::vector<onnx::AttributeProto>
        references;  // to the function's attributes; typed where the operator's schema or the rule says a type
    std::vector<onnx::AttributeProto> graphs;
    std::string tail;  // doc_string, domain, overload, encoded
  };

  Slot slot(const std::string& name);
  void add_node(const onnx::NodeProto& node);
  void add_identity(const std::string& from, const std::string& to);
  bool is_formal_output(Slot slot) const { return slot > input_count_ && slot <= input_count_ + output_count_; }

  Model& model_;
  OpsetContext opsets_;
  std::string function_name_;
  std::vector<std::string> slot_names_;
  // By slot: TensorProto.DataType of what a Constant makes, where it tells; 0 for all else.
  std::vector<int> constant_types_;
  std::vector<BodyNode> nodes_;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
  std::unordered_map<std::string, Slot> slots_;
  std::vector<onnx::OperatorSetIdProto> imports_;
  // What a node is made in, kept from one to the next.
  mutable WireWriter content_;
  mutable onnx::AttributeProto attribute_;
};

// The nodes that take the place of one node, made one after another, so that each sees what became of those before it: the function's inputs and outputs
// become the node's, all other names are new. Nodes that only serve outputs which the node does not have are left out, and so are casts that change nothing.
class BodyInstance {
 public:
  struct Purpose {
    Bytes metadata;  // the nodes' metadata_props, encoded; nothing where the IR version has none
    // Whether a Constant may refer to an attribute of the function that is being attached; else it is a tensor.
    bool constants_refer = false;
    // Tells which casts change nothing. Null: all stay, for an attached function may be called with other types.
    const GraphScope* scope = nullptr;
    // Those of the model's own node: they keep their names, whereas what an outer body names need not be made if it is some other value.
    std::span<const ValueId> wanted_outputs;
  };

  // All must outlive the instance.
  BodyInstance(const BodyTemplate& body, const Node& node, const AttributeBinding& binding, const Purpose& purpose,
               FreshNames& names);

  // Null when there is no further node, or with a refusal: an absent input that the body needs, an attribute of another type.
  const Node* next(std::optional<Refusal>& refusal);
  // An output of the last node is another value: what comes after it takes that.
  void rename(ValueId output, ValueId value);
  // The value that the function's output `index` is.
  ValueId output(size_t index) const { return values_[1 + body_.input_count_ + index]; }

 private:
  using BodyNode = BodyTemplate::BodyNode;
  using Slot = BodyTemplate::Slot;

  std::vector<bool> needed_nodes() const;
  int element_type(Slot slot) const;
  // What the node casts, if that has the wanted type already and can take the result's place; else absent_value.
  ValueId uncast(const BodyNode& node) const;
  const Node* make(const BodyNode& node, std::optional<Refusal>& refusal);
  void write_reference(const onnx::AttributeProto& reference, const onnx::AttributeProto& value, bool as_tensor) const;

  const BodyTemplate& body_;
  Model& model_;
  const AttributeBinding& binding_;
  const Purpose& purpose_;
  FreshNames& names_;
  std::string_view prefix_;
  std::vector<ValueId> values_;  // by slot
  std::vector<bool> needed_;     // by node; empty: all
  size_t next_ = 0;
};

}  // namespace onnx_lower
