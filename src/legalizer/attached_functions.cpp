#include "legalizer/attached_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "legalizer/called_functions.h"
#include "legalizer/expansion.h"
#include "legalizer/graph_scope.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_model.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::NodeProto;

constexpr int64_t first_ir_version_with_functions = 8;
constexpr int64_t first_ir_version_with_default_attributes = 9;
constexpr int64_t first_ir_version_with_overloads = 10;

// Operators of ONNX Runtime 1.31 itself, for which it has no kernel on the CPU. It does not look for a function of such a name in the model.
constexpr std::array<std::string_view, 18> without_kernel = {
    "BiasAdd",       "BiasDropout",       "BiasSoftmax",           "BiasSplitGelu", "ComplexMul",    "ComplexMulConj",
    "GemmFastGelu",  "GroupNorm",         "FusedMatMulActivation", "Irfft",         "MulInteger",    "NhwcConv",
    "NhwcFusedConv", "QLinearReduceMean", "ReduceSumInteger",      "Rfft",          "SkipGroupNorm", "TorchEmbedding"};

// The names of a body as a function has them: those of the form for its inputs and outputs, and for the rest what an expansion puts behind the name of
// the node. So an expansion of the function makes the names that one of the node makes.
class FunctionNames {
 public:
  FunctionNames(const Model& model, const Node& call, FunctionProto& function)
      : prefix_(std::string(name_prefix(model, call)) + "/") {
    for (int index = 0; index < function.input_size(); ++index) {
      const auto position = static_cast<size_t>(index);
      taken_.insert(function.input(index));
      if (position < call.inputs().size() && call.inputs()[position] != absent_value)
        names_.try_emplace(std::string(model.value_name(call.inputs()[position])), function.input(index));
    }
    for (int index = 0; index < function.output_size(); ++index) {
      // A form's output may be one of its inputs; a function's is a value of its own.
      while (!taken_.insert(function.output(index)).second) function.mutable_output(index)->append("_output");
      names_[std::string(model.value_name(call.outputs()[static_cast<size_t>(index)]))] = function.output(index);
    }
  }

  bool has_foreign_name() const { return !foreign_.empty(); }
  const std::string& foreign_name() const { return foreign_; }

  void rename(NodeProto& node) {
    for (std::string& input : *node.mutable_input()) use(input);
    for (AttributeProto& attribute : *node.mutable_attribute()) {
      if (!attribute.ref_attr_name().empty()) {
        AttributeProto reference;
        reference.set_name(attribute.name());
        reference.set_type(attribute.type());
        reference.set_ref_attr_name(attribute.ref_attr_name());
        attribute = std::move(reference);
        continue;
      }
      if (attribute.has_g()) rename(*attribute.mutable_g());
      for (GraphProto& graph : *attribute.mutable_graphs()) rename(graph);
    }
    for (std::string& output : *node.mutable_output()) define(output);
    if (!node.name().empty()) node.set_name(without_prefix(node.name()));
  }

 private:
  void rename(GraphProto& graph) {
    for (auto& input : *graph.mutable_input()) define(*input.mutable_name());
    for (auto& initializer : *graph.mutable_initializer()) define(*initializer.mutable_name());
    for (auto& initializer : *graph.mutable_sparse_initializer()) define(*initializer.mutable_values()->mutable_name());
    for (NodeProto& node : *graph.mutable_node()) rename(node);
    for (auto& info : *graph.mutable_value_info()) define(*info.mutable_name());
    for (auto& output : *graph.mutable_output()) use(*output.mutable_name());
  }

  void use(std::string& name) {
    if (name.empty()) return;
    const auto found = names_.find(name);
    if (found == names_.end()) {
      foreign_ = name;
    } else {
      name = found->second;
    }
  }

  void define(std::string& name) {
    if (name.empty()) return;
    const auto [found, inserted] = names_.try_emplace(name);
    if (inserted) {
      std::string own = without_prefix(name);
      while (!taken_.insert(own).second) own += '_';
      found->second = std::move(own);
    }
    name = found->second;
  }

  std::string without_prefix(const std::string& name) const {
    return name.starts_with(prefix_) ? name.substr(prefix_.size()) : name;
  }

  std::string prefix_;
  std::unordered_map<std::string, std::string> names_;  // from the model's to the function's
  std::unordered_set<std::string> taken_;
  std::string foreign_;
};

// The function with its signature and attributes, still without nodes.
FunctionProto signature_of(const AttachedFunctions::Lowered& lowered) {
  const FunctionProto& form = lowered.form.function;
  FunctionProto function;
  function.set_domain(lowered.message.domain());
  *function.mutable_input() = form.input();
  for (size_t index = 0; index < lowered.call.outputs().size(); ++index)
    function.add_output(form.output(static_cast<int>(index)));
  if (!form.doc_string().empty()) function.set_doc_string(form.doc_string());
  const auto declares = [&](const std::string& name) {
    const auto& required = function.attribute();
    const auto& defaulted = function.attribute_proto();
    return std::find(required.begin(), required.end(), name) != required.end() ||
           std::any_of(defaulted.begin(), defaulted.end(), [&](const auto& known) { return known.name() == name; });
  };
  for (const DeclaredAttribute& declared : lowered.form.attributes) {
    if (const AttributeProto* fallback = lowered.form.default_of(declared)) {
      *function.add_attribute_proto() = *fallback;
      function.mutable_attribute_proto()->rbegin()->set_name(declared.name);
    } else {
      function.add_attribute(declared.name);
    }
  }
  for (const AttributeProto& given : lowered.message.attribute()) {
    if (!declares(given.name())) function.add_attribute(given.name());
  }
  return function;
}

}  // namespace

bool AttachedFunctions::is_executed(const Operator& op) {
  return op.domain != "com.microsoft" || std::ranges::find(without_kernel, op.op_type) == without_kernel.end();
}

// The function by a name of its own: the first that is free, or under which the model has this very function already (from an earlier run).
Operator AttachedFunctions::named(FunctionProto& function, const Operator& wanted, bool replaces_own, bool& is_there) {
  const bool has_overloads = model_.ir_version >= first_ir_version_with_overloads;
  Operator op = wanted;
  for (int number = 2;; ++number) {
    function.set_name(std::string(op.op_type));
    function.clear_overload();
    if (!op.overload.empty()) function.set_overload(std::string(op.overload));
    const Function* own = find_function(model_, op);
    is_there = own != nullptr && own->body.wire == function.SerializeAsString();
    if (is_there) return op;
    // Another operator's name must not become this one's.
    const bool is_another =
        op.op_type != wanted.op_type && (called_in_model(op) || !library_.forms(op.domain, op.op_type).empty() ||
                                         library_.native(op.domain, op.op_type) != nullptr);
    const bool is_free = own == nullptr || (replaces_own && number == 2);
    if (is_free && !is_another && taken_.insert(model_.intern_operator(op)).second) return op;
    op = wanted;
    if (has_overloads) {
      op.overload =
          model_.keep(wanted.overload.empty() ? std::to_string(number) : fmt::format("{}_{}", wanted.overload, number));
    } else {
      op.op_type = model_.keep(fmt::format("{}_{}", wanted.op_type, number));
    }
  }
}

// Whether a node of the model as it was read is of that operator.
bool AttachedFunctions::called_in_model(const Operator& op) {
  if (operators_in_model_.empty()) {
    const auto add = [&](OperatorId id) { operators_in_model_.insert(id); };
    for_each_operator(model_.graph, add);
    for (const Function& function : model_.functions) for_each_operator(function.body, add);
  }
  return operators_in_model_.contains(model_.intern_operator(op));
}

std::optional<Refusal> AttachedFunctions::attach(const Lowered& lowered, const VersionOf& version_of, Operator& found) {
  FunctionProto function = signature_of(lowered);
  FunctionNames names(model_, lowered.call, function);
  std::map<std::string_view, int64_t> imports;
  for (const Node* node : lowered.nodes) {
    for_each_operator_of(*node, [&](OperatorId op) {
      const std::string_view domain = model_.op(op).domain;
      imports.try_emplace(domain, version_of(*node, domain));
    });
    NodeProto& message = *function.add_node();
    message = node_message(model_, *node);
    names.rename(message);
  }
  if (names.has_foreign_name()) {
    Refusal refusal;
    refusal.reason =
        fmt::format("its body uses '{}' of the graph around it, which a function cannot", names.foreign_name());
    return refusal;
  }
  for (const auto& [domain, version] : imports) {
    auto* import = function.add_opset_import();
    import->set_domain(std::string(domain));
    import->set_version(version);
  }

  const Operator own = model_.op(lowered.call.op);
  function.set_name(std::string(own.op_type));
  function.set_overload(std::string(own.overload));
  const auto [known, inserted] = known_.try_emplace(function.SerializeAsString());
  if (inserted) {
    bool is_there = false;
    known->second = named(function, own, lowered.replaces_own, is_there);
    if (is_there) {
      reused_.push_back(model_.intern_operator(known->second));
    } else {
      add(function);
    }
  }
  found = known->second;
  return std::nullopt;
}

void AttachedFunctions::add(const FunctionProto& function) {
  const Bytes wire = model_.keep_field(field::Model::functions, function.SerializeAsString());
  const size_t header = header_size(field::Model::functions, wire.size());
  fields_.emplace_back(wire.data() - header, header + wire.size());
  functions_.push_back(read_function(model_, wire));
  has_defaults_ |= function.attribute_proto_size() > 0;
}

void AttachedFunctions::add_to_model() {
  if (functions_.empty()) return;
  for (size_t index = 0; index < functions_.size(); ++index) {
    model_.pieces.push_back({ModelPiece::Kind::function, fields_[index], model_.functions.size()});
    model_.functions.push_back(std::move(functions_[index]));
    model_.functions.back().added = true;
  }
  functions_.clear();
  fields_.clear();
  const int64_t needed = has_defaults_ ? first_ir_version_with_default_attributes : first_ir_version_with_functions;
  if (model_.ir_version < needed) {
    model_.ir_version = needed;
    model_.ir_version_changed = true;
  }
}

}  // namespace onnx_lower
