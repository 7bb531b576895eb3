// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/attachment/attachment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "legalizer/attachment/function_key.h"
#include "legalizer/attachment/function_names.h"
#include "legalizer/body/body_instance.h"
#include "legalizer/nodes/node_message.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "model_file/read_model.h"
#include "rules/body.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/onnx_releases.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::NodeProto;

// The operators of ONNX Runtime 1.31 itself for which it has no kernel on the CPU. It does not look
// for a function of such a name in the model.
constexpr std::array<std::string_view, 18> without_kernel = {
    "BiasAdd",       "BiasDropout",       "BiasSoftmax",           "BiasSplitGelu", "ComplexMul",    "ComplexMulConj",
    "GemmFastGelu",  "GroupNorm",         "FusedMatMulActivation", "Irfft",         "MulInteger",    "NhwcConv",
    "NhwcFusedConv", "QLinearReduceMean", "ReduceSumInteger",      "Rfft",          "SkipGroupNorm", "TorchEmbedding"};

// The function's signature and attributes, still without nodes.
FunctionProto signature_of(const Node& call, const NodeProto& message, const Form& form) {
  FunctionProto function;
  function.set_domain(message.domain());
  *function.mutable_input() = form.function.input();
  for (size_t index = 0; index < call.outputs().size(); ++index)
    function.add_output(form.function.output(static_cast<int>(index)));
  if (!form.function.doc_string().empty()) function.set_doc_string(form.function.doc_string());
  std::unordered_set<std::string_view> declared_names;
  for (const DeclaredAttribute& declared : form.attributes) {
    // A node that has no attribute of a name without a default has it with the suffix of its type
    // in its name.
    const bool is_given = find_attribute(message, declared.name) != nullptr;
    if (declared.required() && !is_given) continue;
    declared_names.insert(declared.name);
    if (const AttributeProto* fallback = form.default_of(declared)) {
      *function.add_attribute_proto() = *fallback;
      function.mutable_attribute_proto()->rbegin()->set_name(declared.name);
    } else {
      function.add_attribute(declared.name);
    }
  }
  for (const AttributeProto& given : message.attribute()) {
    if (declared_names.insert(given.name()).second) function.add_attribute(given.name());
  }
  return function;
}

// Whether each output of the function is a value of its own. ONNX Runtime loads no function that
// has an input as an output, or a value as two.
bool makes_each_output(const Function& function) {
  std::unordered_set<ValueId> others;
  for (const ValueInfo& input : function.body.inputs) others.insert(input.value);
  return std::ranges::all_of(function.body.outputs,
                             [&](const ValueInfo& output) { return others.insert(output.value).second; });
}

// In the order of their names, of all nodes.
void sort_attributes(google::protobuf::RepeatedPtrField<NodeProto>& nodes) {
  for (NodeProto& node : nodes) {
    std::ranges::sort(*node.mutable_attribute(), {}, &AttributeProto::name);
    for (AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) sort_attributes(*attribute.mutable_g()->mutable_node());
      for (onnx::GraphProto& graph : *attribute.mutable_graphs()) sort_attributes(*graph.mutable_node());
    }
  }
}

// Whether the model's function is this one. Of a function that an earlier run made, the attributes
// of a node may come in another order: those that refer to attributes of the function come last.
bool is_same(const Function& own, const FunctionProto& function) {
  const std::string bytes = function.SerializeAsString();
  if (own.body.wire == bytes) return true;
  FunctionProto before;
  if (own.body.wire.size() != bytes.size() || !parse_message(before, own.body.wire)) return false;
  FunctionProto after = function;
  sort_attributes(*before.mutable_node());
  sort_attributes(*after.mutable_node());
  return before.SerializeAsString() == after.SerializeAsString();
}

// Whether the node may call the function. onnx's shape inference refuses a call that has fewer
// outputs than its function.
bool takes_call(const Function& function, const Node& call) {
  return call.inputs().size() <= function.body.inputs.size() && call.outputs().size() == function.body.outputs.size();
}

// The version at which a function imports a domain. One for which the target has no version is
// imported as the model or a function first imported it.
int64_t version_for(const Legalization& all, const Target& target, std::string_view domain) {
  if (const int64_t version = all.known.contexts.version(target.opsets(), domain); version != 0) return version;
  if (const int64_t version = all.model.opset(domain); version != 0) return version;
  return version_of(all.known.contexts.noted(), domain);
}

}  // namespace

bool Attachment::wants(OperatorId id) {
  const Operator& op = all_.model.op(id);
  if (is_standard_domain(op.domain)) return false;
  const bool is_executed =
      op.domain != "com.microsoft" || std::ranges::find(without_kernel, op.op_type) == without_kernel.end();
  bool fits = all_.options.attach_all && is_executed;
  for (size_t index = 0; index < pattern_used_.size(); ++index) {
    if (!all_.options.attached[index].fits(op.domain, op.op_type)) continue;
    pattern_used_[index] = true;
    fits = true;
  }
  return fits;
}

std::vector<std::string> Attachment::unused_patterns() const {
  std::vector<std::string> unused;
  for (size_t index = 0; index < pattern_used_.size(); ++index) {
    const OperatorPattern& pattern = all_.options.attached[index];
    if (!pattern_used_[index])
      unused.push_back(pattern.op_type.empty() ? pattern.domain : operator_name(pattern.domain, pattern.op_type));
  }
  return unused;
}

// The function that is made gets exactly as many outputs as the call, as onnx's shape inference
// refuses a call of fewer.
Attachment::KeptNode Attachment::keep(const Node& node, NodeProto& message, bool has_settings, GraphScope& scope) {
  const auto input_count = static_cast<size_t>(message.input_size());
  const auto output_count = static_cast<size_t>(message.output_size());
  KeptNode kept{
      .original = node, .written = message, .lowered = node, .has_settings = has_settings, .differs = has_settings};
  kept.differs |= node.inputs().size() != input_count || node.outputs().size() != output_count;
  const std::span<ValueId> values = all_.model.new_ids(input_count + output_count);
  const std::span<ValueId> inputs = values.first(input_count);
  const std::span<ValueId> outputs = values.subspan(input_count);
  kept.lowered.values = values.data();
  kept.lowered.input_count = static_cast<uint32_t>(input_count);
  kept.lowered.output_count = static_cast<uint32_t>(output_count);
  const auto fresh = [&](std::string_view what, size_t index) {
    return all_.names.make(name_prefix(all_.model, node), fmt::format("{}_{}", what, index));
  };
  for (size_t index = 0; index < outputs.size(); ++index) {
    outputs[index] = node.outputs()[index];
    if (outputs[index] != absent_value) continue;
    outputs[index] = fresh("output", index);
    message.set_output(static_cast<int>(index), std::string(all_.model.value_name(outputs[index])));
  }
  ValueSet& others = scope.sources().tables.used;
  others.clear(all_.model.values().size());
  for (size_t index = 0; index < inputs.size(); ++index) {
    inputs[index] = node.inputs()[index];
    if (inputs[index] == absent_value) continue;
    if (!others.contains(inputs[index])) {
      others.insert(inputs[index]);
      continue;
    }
    std::string& name = *message.mutable_input(static_cast<int>(index));
    inputs[index] = fresh("input", index);
    const std::string before = std::exchange(name, all_.model.value_name(inputs[index]));
    scope.nodes().place(keep_node(all_.model, node_of("Identity", {before}, {name}), own_opsets));
  }
  return kept;
}

bool Attachment::runs_as_it_is(const KeptNode& kept, Target& target) {
  const OperatorId id = kept.original.op;
  return !kept.has_settings && takes_call(*all_.known.functions.own(id), kept.lowered) && function_runs(id, target);
}

bool Attachment::function_runs(OperatorId id, Target& target) {
  // False in the meantime: a function that calls itself does not run.
  const auto [known, inserted] = runs_.try_emplace(id, false);
  if (!inserted) return known->second;
  const Function* function = all_.known.functions.own(id);
  if (function == nullptr) return false;
  const std::vector<OpsetImport>& imports =
      function->opset_imports.empty() ? all_.model.opset_imports : function->opset_imports;
  const OpsetContext written_for = all_.known.contexts.intern(imports);
  bool runs = makes_each_output(*function);
  for_each_node(function->body, [&](const Node& node) {
    const Operator inner = all_.model.op(node.op);
    const int64_t version = version_of(imports, inner.domain);
    if (const Function* called = all_.known.functions.own(node.op); called != nullptr) {
      // From within a function, ONNX Runtime finds no function that has an overload.
      runs =
          runs && version != 0 && inner.overload.empty() && takes_call(*called, node) && function_runs(node.op, target);
    } else {
      const Legality legality = target.legality(node.op, written_for, false);
      runs = runs && (legality == Legality::legal || legality == Legality::unless_malformed) &&
             (target.keeps(node.op) || find_operator(inner.domain, inner.op_type, version) != nullptr);
    }
  });
  return runs_[id] = runs;
}

// Names the function: by the first name that is free, or under which the model has this very
// function already (from an earlier run).
Attachment::Name Attachment::named(FunctionProto& function, const Operator& wanted, bool replaces_own) {
  Model& model = all_.model;
  Operator op = wanted;
  // The first name has no number.
  for (int& number = next_number_[model.intern_operator(wanted)];; ++number) {
    if (number != 0) op = numbered(wanted, number + 1);
    function.set_name(std::string(op.op_type));
    function.clear_overload();
    if (!op.overload.empty()) function.set_overload(std::string(op.overload));
    const OperatorId id = model.intern_operator(op);
    const Function* own = all_.known.functions.own(id);
    if (own != nullptr && is_same(*own, function)) return {op, true};
    // The function must not get the name of another operator, which a node of the model or
    // a rule has.
    const bool is_another =
        op.op_type != wanted.op_type && (called_in_model(id) || !all_.library.forms(op.domain, op.op_type).empty() ||
                                         all_.library.native(op.domain, op.op_type) != nullptr);
    const bool is_free = own == nullptr || (replaces_own && number == 0);
    if (is_free && !is_another && taken_.insert(id).second) return {op, false};
  }
}

Operator Attachment::numbered(const Operator& wanted, int number) {
  Operator op = wanted;
  if (all_.ir_version >= first_ir_version::with_overloads) {
    op.overload = all_.model.keep(wanted.overload.empty() ? std::to_string(number)
                                                          : fmt::format("{}_{}", wanted.overload, number));
  } else {
    op.op_type = all_.model.keep(fmt::format("{}_{}", wanted.op_type, number));
  }
  return op;
}

// Whether the model as it was read has a node of that operator.
bool Attachment::called_in_model(OperatorId op) {
  if (operators_in_model_.empty()) {
    const auto add = [&](const Node& node) { operators_in_model_.insert(node.op); };
    for_each_node(all_.model.graph, add);
    for (const Function& function : all_.model.functions) for_each_node(function.body, add);
  }
  return operators_in_model_.contains(op);
}

// The function that the kept node calls, still without a name.
FunctionProto Attachment::function_of(const KeptNode& kept, const NodeProto& message, const Form& form,
                                      std::span<const Node* const> nodes, const Target& target) {
  Model& model = all_.model;
  FunctionProto function = signature_of(kept.lowered, message, form);
  FunctionNames names(model, kept.lowered, function);
  std::map<std::string_view, int64_t> imports;
  for (const Node* node : nodes) {
    for_each_node_of(*node, [&](const Node& inner) {
      const std::string_view domain = model.op(inner.op).domain;
      imports.try_emplace(domain, version_for(all_, target, domain));
    });
    NodeProto& made = *function.add_node();
    read_node_message(model, *node, made);
    names.rename(made);
  }
  for (const auto& [domain, version] : imports) {
    auto* import = function.add_opset_import();
    import->set_domain(std::string(domain));
    import->set_version(version);
  }
  return function;
}

const Node& Attachment::make_call(const KeptNode& kept, const NodeProto& message, const Form& form,
                                  std::span<const Node* const> nodes, Target& target) {
  Model& model = all_.model;
  const OperatorId id = kept.original.op;
  FunctionKey key(model, kept.lowered);
  key.number(id);
  key.number(target.opsets());
  key.number(kept.has_settings ? 1 : 0);
  key.add(form, message);
  const bool has_key = std::ranges::all_of(nodes, [&](const Node* node) { return key.add(*node); });
  if (const auto made = has_key ? by_key_.find(key.bytes()) : by_key_.end(); made != by_key_.end()) {
    import_domain_of(id);
    return call_of(kept, made->second);
  }
  FunctionProto function = function_of(kept, message, form, nodes, target);
  const Operator own = model.op(id);
  function.set_name(std::string(own.op_type));
  function.set_overload(std::string(own.overload));
  // A function of the model that does not run as it is is replaced where all of its calls get this
  // one. With --keep, a kept operator may call it from elsewhere.
  const bool replaces_own =
      form.origin == RuleOrigin::model && !kept.has_settings && all_.options.kept.empty() && !function_runs(id, target);
  const auto [known, inserted] = known_.try_emplace(function.SerializeAsString());
  if (inserted) {
    const Name name = named(function, own, replaces_own);
    known->second = name.op;
    const OperatorId found = model.intern_operator(name.op);
    if (name.is_there) {
      reused_.push_back(found);
    } else {
      add(found, function);
    }
  }
  import_domain_of(id);
  if (has_key) by_key_.emplace(key.bytes(), known->second);
  return call_of(kept, known->second);
}

const Node& Attachment::call_of(const KeptNode& kept, const Operator& found) {
  const Operator& own = all_.model.op(kept.original.op);
  if (!kept.differs && found.op_type == own.op_type && found.overload == own.overload) return kept.original;
  NodeProto written = kept.written;
  written.set_op_type(std::string(found.op_type));
  // A call keeps the overload of its operator where the function has none.
  if (!found.overload.empty()) written.set_overload(std::string(found.overload));
  return keep_node(all_.model, written, kept.original.opsets);
}

void Attachment::import_domain_of(OperatorId op) {
  const std::string_view domain = all_.model.op(op).domain;
  if (all_.model.opset(domain) == 0) all_.known.contexts.note({domain, 1});
}

void Attachment::add(OperatorId op, const FunctionProto& function) {
  fields_.push_back(kept_field(all_.model, field::Model::functions, function));
  const Bytes message = content_of(fields_.back());
  functions_.push_back(read_function(all_.model, message));
  all_.known.functions.add(op, message);
}

void Attachment::add_to_model() {
  Model& model = all_.model;
  for (size_t index = 0; index < functions_.size(); ++index) {
    model.pieces.push_back({ModelPiece::Kind::function, fields_[index], model.functions.size()});
    model.functions.push_back(std::move(functions_[index]));
    model.functions.back().added = true;
  }
}

}  // namespace onnx_lower
