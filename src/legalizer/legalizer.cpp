#include "legalizer/legalizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "error.h"
#include "legalizer/call.h"
#include "legalizer/called_functions.h"
#include "legalizer/dense_initializers.h"
#include "legalizer/expansion.h"
#include "legalizer/fresh_names.h"
#include "legalizer/graph_scope.h"
#include "legalizer/opset_imports.h"
#include "legalizer/target.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_model.h"

namespace onnx_lower {
namespace {

// How deep rules may expand into rules: far below what the stack bears. Text rules that come round to themselves are found before.
constexpr size_t deepest_expansion = 500;

// Ten functions of ten calls each, one inside the other, would be more than any machine holds.
constexpr size_t most_nodes_made = 5'000'000;

// What is tried on a node, in order.
struct Candidate {
  const Form* form = nullptr;
  const NativeRule* native = nullptr;
};

class Legalizer {
 public:
  Legalizer(Model& model, RuleLibrary& library, const LegalizeOptions& options)
      : model_(model),
        library_(library),
        options_(options),
        names_(model),
        setting_used_(options.settings.size(), false) {
    contexts_.push_back(model.opset_imports);
  }

  LegalizeResult run();

 private:
  // A graph's nodes, one after another. Inside a trial, the first node that cannot be lowered ends it.
  std::optional<Refusal> legalize_graph(Graph& graph, const GraphScope* enclosing, const Node* holder);
  // Puts a node, or what it is lowered to, behind the nodes that are placed already.
  std::vector<Refusal> place(Node node, GraphScope& scope, bool& placed);
  std::optional<Refusal> legalize_bodies(Node& node, const GraphScope& scope);
  std::vector<Refusal> lower(const Node& node, onnx::NodeProto message, GraphScope& scope, bool& placed);
  std::optional<Refusal> try_form(const Form& form, const Node& node, const Call& call, GraphScope& scope);
  std::optional<Refusal> try_native(const NativeRule& rule, const Node& node, const Call& call, GraphScope& scope);
  std::optional<Refusal> expand(const BodyTemplate& body, const AttributeBinding& binding, const Form& form,
                                const Node& node, GraphScope& scope);

  void complete_output_types(const GraphScope& scope);
  void legalize_functions(const std::vector<OpsetImport>& opsets);
  void record_unlowered(const Node& node, std::vector<Refusal> refusals);
  void apply_settings(onnx::NodeProto& message);
  std::vector<Candidate> candidates(const Operator& op);
  const Form* function_form(const Operator& op);
  const BodyTemplate& body_template(const Form& form);
  OpsetContext context_of(const onnx::FunctionProto& function);
  Legality legality(const Node& node);
  Node remade(const onnx::NodeProto& message, OpsetContext opsets);
  [[noreturn]] void fail_cycle(const Form& form) const;

  std::string display_name(const Node& node) const {
    if (!node.name.empty()) return std::string(node.name);
    for (const ValueId output : node.outputs) {
      if (output != absent_value) return std::string(model_.value_name(output));
    }
    return "(without name)";
  }

  Model& model_;
  RuleLibrary& library_;
  const LegalizeOptions& options_;
  std::unique_ptr<Target> target_;
  std::unique_ptr<TypeInference> types_;
  FreshNames names_;
  LegalizeResult result_;

  std::vector<std::vector<OpsetImport>> contexts_;  // by OpsetContext
  std::vector<std::vector<uint8_t>>
      legality_;  // by context (twice: of the model, made by a rule) and operator: Legality + 1, 0 when not asked yet
  std::unordered_map<const Form*, std::unique_ptr<BodyTemplate>> templates_;
  std::unordered_map<OperatorId, std::unique_ptr<Form>> function_forms_;
  std::vector<const Form*> expanding_;  // whose bodies are being placed, outermost first
  std::string note_;                    // of the native rule that lowers the outermost node
  std::vector<bool> setting_used_;
  size_t nodes_made_ = 0;
};

Legality Legalizer::legality(const Node& node) {
  if (legality_.size() <= node.opsets * 2u + 1) legality_.resize(contexts_.size() * 2);
  const bool made = !expanding_.empty();
  std::vector<uint8_t>& known = legality_[node.opsets * 2u + (made ? 1 : 0)];
  if (known.size() <= node.op) known.resize(model_.operator_count(), 0);
  if (known[node.op] == 0) {
    known[node.op] = static_cast<uint8_t>(
        static_cast<uint8_t>(target_->legality(model_.op(node.op), contexts_[node.opsets], made)) + 1);
  }
  return static_cast<Legality>(known[node.op] - 1);
}

Node Legalizer::remade(const onnx::NodeProto& message, OpsetContext opsets) {
  std::string bytes;
  const std::string content = message.SerializeAsString();
  append_field(bytes, field::Graph::node, content);
  const Bytes kept = model_.keep(bytes);
  const size_t header = kept.size() - content.size();
  return read_node(model_, kept.substr(header), header, opsets);
}

std::optional<Refusal> Legalizer::legalize_graph(Graph& graph, const GraphScope* enclosing, const Node* holder) {
  GraphScope scope(model_, graph, enclosing, holder);
  std::optional<Refusal> refusal;
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind != GraphPiece::Kind::nodes) continue;
    // Most graphs stay as they are: as long as every node is placed as it was, nothing is copied but the skeletons.
    bool changed = false;
    if (scope.placed().empty()) scope.reserve(piece.nodes.size());
    const size_t begin = scope.placed().size();
    for (Node& node : piece.nodes) {
      const size_t mark = scope.placed().size();
      bool placed = false;
      const char* wire = node.wire.data();
      std::vector<Refusal> refusals = place(node, scope, placed);
      if (!placed) {
        if (!expanding_.empty()) {
          refusal.emplace();
          refusal->reason = fmt::format("its body's node '{}' ({}) cannot be lowered", display_name(node),
                                        operator_name(model_.op(node.op).domain, model_.op(node.op).op_type));
          refusal->causes = std::move(refusals);
          break;
        }
        record_unlowered(node, std::move(refusals));
        scope.place(node);
        continue;
      }
      const bool as_it_was = scope.placed().size() == mark + 1 && scope.placed()[mark].wire.data() == wire &&
                             !(scope.placed()[mark].bodies && scope.placed()[mark].bodies->changed);
      changed |= !as_it_was;
    }
    if (refusal) break;
    if (changed) {
      piece.nodes.assign(scope.placed().begin() + static_cast<std::ptrdiff_t>(begin), scope.placed().end());
      graph.changed = true;
    }
  }
  if (!refusal) result_.densified_initializers += densify_initializers(model_, graph);
  if (&graph == &model_.graph && graph.changed) complete_output_types(scope);
  types_->forget(scope);
  return refusal;
}

// Exporters leave out the type of a graph output that comes from a custom node in a subgraph. Readers want one, and now it can be known.
void Legalizer::complete_output_types(const GraphScope& scope) {
  for (GraphPiece& piece : model_.graph.pieces) {
    if (piece.kind != GraphPiece::Kind::untyped_output) continue;
    WireField field;
    WireReader(piece.bytes).next(field);
    onnx::ValueInfoProto info;
    if (!info.ParseFromArray(field.content.data(), static_cast<int>(field.content.size()))) continue;
    const onnx::TypeProto* type = types_->type_of(scope, info.name(), Detail::shape);
    if (type == nullptr || (type->has_tensor_type() && type->tensor_type().elem_type() == 0)) continue;
    *info.mutable_type() = *type;
    std::string bytes;
    append_field(bytes, field::Graph::output, info.SerializeAsString());
    piece.bytes = model_.keep(bytes);
  }
}

std::optional<Refusal> Legalizer::legalize_bodies(Node& node, const GraphScope& scope) {
  if (!node.bodies) return std::nullopt;
  for (Graph& body : node.bodies->graphs) {
    if (std::optional<Refusal> refusal = legalize_graph(body, &scope, &node)) return refusal;
    node.bodies->changed |= body.changed;
  }
  return std::nullopt;
}

std::vector<Refusal> Legalizer::place(Node node, GraphScope& scope, bool& placed) {
  const Legality legality = this->legality(node);
  if (legality == Legality::legal) {
    if (node.spells_domain_out) {
      onnx::NodeProto message = node_message(model_, node);
      message.clear_domain();
      node = remade(message, node.opsets);
    }
    if (std::optional<Refusal> refusal = legalize_bodies(node, scope)) return {std::move(*refusal)};
    scope.place(std::move(node));
    placed = true;
    return {};
  }
  onnx::NodeProto message = node_message(model_, node);
  if (legality == Legality::by_attributes) {
    bool edited = false;
    if (node.spells_domain_out) message.clear_domain();
    std::string reason = target_->restate(message, contexts_[node.opsets], edited);
    if (reason.empty()) {
      // What no rule could mend is not worth an inference of types: there, what is declared must do.
      const bool is_mendable =
          !library_.forms("", message.op_type()).empty() || library_.native("", message.op_type()) != nullptr;
      reason = target_->refused_type(message, contexts_[node.opsets], [&](int input) -> std::optional<int> {
        const onnx::TypeProto* type = is_mendable ? type_for_element(scope, *types_, message.input(input))
                                                  : scope.declared_type(message.input(input));
        if (type == nullptr || !type->has_tensor_type() || type->tensor_type().elem_type() == 0) return std::nullopt;
        return type->tensor_type().elem_type();
      });
    }
    if (reason.empty()) {
      if (edited || node.spells_domain_out) node = remade(message, node.opsets);
      if (std::optional<Refusal> refusal = legalize_bodies(node, scope)) return {std::move(*refusal)};
      scope.place(std::move(node));
      placed = true;
      return {};
    }
    std::vector<Refusal> refusals = lower(node, std::move(message), scope, placed);
    if (!placed) {
      Refusal refusal;
      refusal.rule = operator_name("", model_.op(node.op).op_type);
      refusal.where_from = fmt::format("as it is at opset {}", target_->version(""));
      refusal.reason = reason;
      refusals.insert(refusals.begin(), std::move(refusal));
    }
    return refusals;
  }
  return lower(node, std::move(message), scope, placed);
}

void Legalizer::apply_settings(onnx::NodeProto& message) {
  for (size_t index = 0; index < options_.settings.size(); ++index) {
    const AttributeSetting& setting = options_.settings[index];
    const bool applies = !setting.node_name.empty()
                             ? setting.node_name == message.name()
                             : setting.op_type == message.op_type() &&
                                   normalized_domain(setting.domain) == normalized_domain(message.domain());
    if (!applies) continue;
    setting_used_[index] = true;
    auto& attributes = *message.mutable_attribute();
    const auto same = std::find_if(attributes.begin(), attributes.end(),
                                   [&](const auto& given) { return given.name() == setting.attribute.name(); });
    *(same == attributes.end() ? attributes.Add() : &*same) = setting.attribute;
  }
}

const Form* Legalizer::function_form(const Operator& op) {
  const OperatorId id = model_.intern_operator(op);
  const auto known = function_forms_.find(id);
  if (known != function_forms_.end()) return known->second.get();
  std::unique_ptr<Form>& form = function_forms_[id];
  for (const Function& function : model_.functions) {
    if (function.name != op.op_type || function.domain != op.domain || function.overload != op.overload) continue;
    onnx::FunctionProto message;
    const Bytes wire = function.body.wire;
    if (!message.ParseFromArray(wire.data(), static_cast<int>(wire.size()))) {
      throw InvalidInput(
          fmt::format("{}: function {} cannot be read", model_.input().path(), operator_name(op.domain, op.op_type)));
    }
    form =
        std::make_unique<Form>(form_from_function(std::move(message), RuleOrigin::model, "the model's own function"));
    // The overload has been matched here; and a function without imports means the model's.
    form->function.clear_overload();
    break;
  }
  return form.get();
}

std::vector<Candidate> Legalizer::candidates(const Operator& op) {
  std::vector<Candidate> user, built_in;
  for (const Form* form : library_.forms(op.domain, op.op_type))
    (form->origin == RuleOrigin::user ? user : built_in).push_back({form, nullptr});
  std::vector<Candidate> all = std::move(user);
  if (const Form* form = function_form(op)) all.push_back({form, nullptr});
  all.insert(all.end(), built_in.begin(), built_in.end());
  if (const NativeRule* native = library_.native(op.domain, op.op_type)) all.push_back({nullptr, native});
  if (const NativeRule* native = library_.native_for_domain(op.domain)) all.push_back({nullptr, native});
  return all;
}

// Overloads of the node's own arity are tried before those that take one of their inputs to be absent; but whatever the user or the model
// says goes before what is built in.
void prefer_exact_arity(std::vector<Candidate>& candidates, int inputs) {
  const auto rank = [&](const Candidate& candidate) {
    if (candidate.form == nullptr) return 6;
    const RuleOrigin origin = candidate.form->origin;
    const int group = origin == RuleOrigin::user ? 0 : origin == RuleOrigin::model ? 2 : 4;
    return group + (candidate.form->function.input_size() == inputs ? 0 : 1);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
}

// Exporters write arguments that are None as empty names, also at the end, where a rule need not have a formal input for them.
void drop_trailing_absent(google::protobuf::RepeatedPtrField<std::string>& values) {
  while (!values.empty() && values.rbegin()->empty()) values.RemoveLast();
}

std::vector<Refusal> Legalizer::lower(const Node& node, onnx::NodeProto message, GraphScope& scope, bool& placed) {
  apply_settings(message);
  drop_trailing_absent(*message.mutable_input());
  drop_trailing_absent(*message.mutable_output());
  const Operator op = model_.op(node.op);
  if (expanding_.size() >= deepest_expansion) {
    Refusal refusal;
    refusal.rule = operator_name(op.domain, op.op_type);
    refusal.reason = fmt::format("rules expand into rules more than {} deep", deepest_expansion);
    return {std::move(refusal)};
  }
  std::vector<Candidate> candidates = this->candidates(op);
  prefer_exact_arity(candidates, message.input_size());
  const Call call(std::move(message), scope, *types_, target_->version(""));
  std::vector<Refusal> refusals;
  for (const Candidate& candidate : candidates) {
    const size_t placed_mark = scope.placed().size();
    const size_t name_mark = names_.mark();
    const size_t made_mark = nodes_made_;
    std::optional<Refusal> refusal = candidate.form != nullptr ? try_form(*candidate.form, node, call, scope)
                                                               : try_native(*candidate.native, node, call, scope);
    if (!refusal) {
      placed = true;
      if (expanding_.empty()) {
        const std::string_view where =
            candidate.form != nullptr ? model_.keep(candidate.form->where_from) : "native rule";
        const std::string_view note =
            candidate.native != nullptr && !note_.empty() ? model_.keep(note_) : std::string_view();
        result_.lowered.push_back(
            {model_.keep(display_name(node)), op.domain, op.op_type, where, scope.placed().size() - placed_mark, note});
      }
      return {};
    }
    for (size_t index = placed_mark; index < scope.placed().size(); ++index) {
      for (const ValueId output : scope.placed()[index].outputs) types_->forget(scope, model_.value_name(output));
    }
    scope.take_back(placed_mark);
    names_.give_back(name_mark);
    nodes_made_ = made_mark;
    if (refusal->rule.empty()) refusal->rule = operator_name(op.domain, op.op_type);
    refusal->where_from = candidate.form != nullptr ? candidate.form->where_from : "native rule";
    refusals.push_back(std::move(*refusal));
  }
  return refusals;
}

OpsetContext Legalizer::context_of(const onnx::FunctionProto& function) {
  if (function.opset_import_size() == 0) return model_opsets;
  std::vector<OpsetImport> imports;
  for (const auto& import : function.opset_import()) {
    imports.push_back({model_.keep(normalized_domain(import.domain())), import.version()});
  }
  const auto same = [&](const std::vector<OpsetImport>& other) {
    return std::equal(
        imports.begin(), imports.end(), other.begin(), other.end(),
        [](const OpsetImport& a, const OpsetImport& b) { return a.domain == b.domain && a.version == b.version; });
  };
  const auto known = std::find_if(contexts_.begin(), contexts_.end(), same);
  if (known != contexts_.end()) return static_cast<OpsetContext>(known - contexts_.begin());
  contexts_.push_back(std::move(imports));
  return static_cast<OpsetContext>(contexts_.size() - 1);
}

const BodyTemplate& Legalizer::body_template(const Form& form) {
  std::unique_ptr<BodyTemplate>& body = templates_[&form];
  if (!body) body = std::make_unique<BodyTemplate>(model_, form.function, context_of(form.function));
  return *body;
}

void Legalizer::fail_cycle(const Form& form) const {
  std::string chain;
  for (auto from = std::find(expanding_.begin(), expanding_.end(), &form); from != expanding_.end(); ++from) {
    chain += operator_name((*from)->function.domain(), (*from)->function.name()) + " -> ";
  }
  const std::string name = operator_name(form.function.domain(), form.function.name());
  throw InvalidInput(fmt::format("{}: rule {} ({}) expands to itself: {}{}", model_.input().path(), name,
                                 form.where_from, chain, name));
}

std::optional<Refusal> Legalizer::try_form(const Form& form, const Node& node, const Call& call, GraphScope& scope) {
  if (std::find(expanding_.begin(), expanding_.end(), &form) != expanding_.end()) {
    if (form.origin != RuleOrigin::built_in) fail_cycle(form);
    Refusal refusal;
    refusal.reason = "it would expand to itself";
    return refusal;
  }
  AttributeBinding binding;
  if (std::optional<Refusal> refusal = bind(form, call, binding)) return refusal;
  return expand(body_template(form), binding, form, node, scope);
}

std::optional<Refusal> Legalizer::try_native(const NativeRule& rule, const Node& node, const Call& call,
                                             GraphScope& scope) {
  Lowering lowering = rule.lower(call);
  if (auto* declined = std::get_if<Declined>(&lowering)) {
    Refusal refusal;
    refusal.reason = std::move(declined->reason);
    refusal.missing_attributes = std::move(declined->missing_attributes);
    return refusal;
  }
  Form form;
  form.function = std::get<onnx::FunctionProto>(std::move(lowering));
  form.origin = RuleOrigin::built_in;
  form.where_from = "native rule";
  if (expanding_.empty()) note_ = form.function.doc_string();
  AttributeBinding binding;
  for (const onnx::AttributeProto& attribute : call.node().attribute()) binding.refer(attribute.name(), attribute);
  const BodyTemplate body(model_, form.function, context_of(form.function));
  return expand(body, binding, form, node, scope);
}

std::optional<Refusal> Legalizer::expand(const BodyTemplate& body, const AttributeBinding& binding, const Form& form,
                                         const Node& node, GraphScope& scope) {
  // Node metadata came with IR version 10.
  BodyTemplate::Origin origin;
  std::string rule, name;
  if (model_.ir_version >= 10) {
    rule = operator_name(model_.op(node.op).domain, model_.op(node.op).op_type);
    name = display_name(node);
    origin = {rule, name};
  }
  std::vector<Node> nodes;
  if (std::optional<Refusal> refusal = body.instantiate(node, binding, origin, names_, nodes)) return refusal;
  nodes_made_ += nodes.size();
  if (nodes_made_ > most_nodes_made) {
    throw InvalidInput(
        fmt::format("{}: its functions and the rules make more than {} nodes", model_.input().path(), most_nodes_made));
  }
  expanding_.push_back(&form);
  std::optional<Refusal> refusal;
  for (Node& made : nodes) {
    const OperatorId op = made.op;
    const std::string made_name = display_name(made);
    bool placed = false;
    std::vector<Refusal> causes = place(std::move(made), scope, placed);
    if (placed) continue;
    refusal.emplace();
    const std::string name = operator_name(model_.op(op).domain, model_.op(op).op_type);
    refusal->reason = fmt::format("its body's node '{}' ({}) cannot be lowered", made_name, name);
    if (causes.empty()) refusal->reason += fmt::format(": {} has no rule", name);
    refusal->causes = std::move(causes);
    break;
  }
  expanding_.pop_back();
  return refusal;
}

void Legalizer::record_unlowered(const Node& node, std::vector<Refusal> refusals) {
  const Operator& op = model_.op(node.op);
  UnloweredNode unlowered;
  unlowered.node = display_name(node);
  unlowered.domain = op.domain;
  unlowered.op_type = op.op_type;
  unlowered.refusals = std::move(refusals);
  if (unlowered.refusals.empty()) unlowered.similar_operators = library_.similar_names(op.domain, op.op_type);
  unlowered.target_opset_hint = target_->opset_hint(node_message(model_, node), contexts_[node.opsets]);
  result_.unlowered.push_back(std::move(unlowered));
}

// What the main graph still calls stays, and so does what those functions call; their bodies are legalized for the versions that they import.
void Legalizer::legalize_functions(const std::vector<OpsetImport>& opsets) {
  const FunctionIndex functions(model_);
  std::vector<bool> called(model_.functions.size(), false);
  std::vector<size_t> found;
  functions.find_called(model_.graph, called, found);
  for (size_t next = 0; next < found.size(); ++next) {
    Function& function = model_.functions[found[next]];
    std::vector<OpsetImport> imports = imports_within(model_, function, opsets);
    std::unique_ptr<Target> outer =
        std::exchange(target_, std::make_unique<Target>(model_, imports, library_, options_));
    contexts_[model_opsets].swap(imports);
    legality_.clear();
    legalize_graph(function.body, nullptr, nullptr);
    contexts_[model_opsets].swap(imports);
    legality_.clear();
    target_ = std::move(outer);
    complete_imports(model_, function, imports, contexts_);
    functions.find_called(function.body, called, found);
  }
  for (size_t index = 0; index < model_.functions.size(); ++index) model_.functions[index].dropped = !called[index];
}

LegalizeResult Legalizer::run() {
  result_.nodes_before = model_.node_count();
  std::vector<OpsetImport> opsets = target_opsets(model_, options_);
  OpsetImports inference_imports;
  for (const OpsetImport& import : opsets) inference_imports[std::string(import.domain)] = import.version;
  types_ = std::make_unique<TypeInference>(inference_imports);
  target_ = std::make_unique<Target>(model_, opsets, library_, options_);
  legalize_graph(model_.graph, nullptr, nullptr);
  legalize_functions(opsets);
  result_.dropped_domains = update_opset_imports(model_, opsets, contexts_);
  result_.nodes_after = model_.node_count();
  for (size_t index = 0; index < options_.settings.size(); ++index) {
    if (!setting_used_[index]) result_.unused_settings.push_back(options_.settings[index].text);
  }
  return std::move(result_);
}

}  // namespace

LegalizeResult legalize(Model& model, RuleLibrary& library, const LegalizeOptions& options) {
  return Legalizer(model, library, options).run();
}

}  // namespace onnx_lower
