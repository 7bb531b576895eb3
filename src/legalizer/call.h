// A node that a rule is tried on, and what a rule's form makes of it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/graph_scope.h"
#include "legalizer/legalize_result.h"
#include "rules/form.h"
#include "rules/native_rule.h"
#include "types/type_inference.h"

namespace onnx_lower {

// A node in its scope, as rules see it. The node must be about to be placed: what stands before it is legal.
class Call : public CallSite {
 public:
  // `node` must outlive the call; `inputs` are its inputs.
  Call(const onnx::NodeProto& node, std::span<const ValueId> inputs, const GraphScope& scope, TypeInference& types,
       int64_t opset)
      : node_(node), inputs_(inputs), scope_(scope), types_(types), opset_(opset) {}

  const onnx::NodeProto& node() const override { return node_; }
  int64_t opset() const override { return opset_; }
  const onnx::TypeProto* input_type(int input, Detail detail) const override;
  const onnx::TypeProto* output_type(int output) const override;
  const onnx::TensorProto* constant(int input) const override;
  std::optional<int> list_size(int input) const override;
  const onnx::TypeProto* item_type(int input, int item, Detail detail) const override;

 private:
  const onnx::NodeProto& node_;
  std::span<const ValueId> inputs_;
  const GraphScope& scope_;
  TypeInference& types_;
  int64_t opset_;
};

// The type of a value as far as its element type is concerned: from the scope's nodes where they tell it, else by inference. nullptr when
// nothing is known.
const onnx::TypeProto* type_for_element(const GraphScope& scope, TypeInference& types, ValueId value,
                                        std::string_view name);

// The SequenceConstruct that makes a list which nodes of the scope may use, also where Identity gives it further names; nullptr where there is none.
const onnx::NodeProto* maker_of_list(const ValueScope& scope, std::string_view list);

// The values of the attributes that a form's body refers to.
class AttributeBinding {
 public:
  // `as_references`: what refer() is given comes back with a reference to its name beside its value; see AttachedFunctions.
  explicit AttributeBinding(bool as_references = false) : as_references_(as_references) {}

  // As new, but for memory to be used again.
  void clear(bool as_references) {
    as_references_ = as_references;
    bound_.clear();
    referred_.clear();
  }

  // nullptr: the node does not say it and there is no default; then the body's attribute is left out too.
  const onnx::AttributeProto* find(std::string_view name) const;
  void bind(std::string_view name, onnx::AttributeProto value) { bound_.emplace_back(name, std::move(value)); }
  void refer(std::string_view name, const onnx::AttributeProto& value);

 private:
  bool as_references_;
  std::vector<std::pair<std::string_view, onnx::AttributeProto>> bound_;
  std::vector<std::pair<std::string_view, const onnx::AttributeProto*>> referred_;
};

// Why the attributes of a node do not say what they mean: a name that is there twice, a value that is not of the type given for it.
std::optional<std::string> problem_of_attributes(const onnx::NodeProto& node);

// Binds the form's attributes to the node's, if the form fits the call: its signature, its bound attributes, its condition. The binding refers to the
// call and to the form. False if it does not fit: then `refusal` gets all but the rule's name. Null asks for no reasons: to put them into words
// costs more than all else, and mostly another form fits.
bool bind(const Form& form, const Call& call, AttributeBinding& binding, Refusal* refusal);

}  // namespace onnx_lower
