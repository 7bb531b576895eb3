#include "legalizer/legalizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "error.h"
#include "legalizer/attached_functions.h"
#include "legalizer/call.h"
#include "legalizer/called_functions.h"
#include "legalizer/dense_initializers.h"
#include "legalizer/expansion.h"
#include "legalizer/fresh_names.h"
#include "legalizer/graph_scope.h"
#include "legalizer/message_pool.h"
#include "legalizer/opset_imports.h"
#include "legalizer/target.h"
#include "model_file/attribute_head.h"
#include "model_file/onnx_fields.h"
#include "model_file/parse_message.h"
#include "model_file/read_model.h"
#include "rules/constant_value.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

// How deep rules may expand into rules: far below what the stack bears. Text rules that come round to themselves are found before.
constexpr size_t deepest_expansion = 256;

// Ten functions of ten calls each, one inside the other, would be more than any machine holds.
constexpr size_t most_nodes_made = 5'000'000;

// A node that stays, and the placed nodes that say what it does.
struct AttachedCall {
  size_t begin = 0, end = 0;
  const Node* node = nullptr;
};

// A node that is to stay.
struct KeptNode {
  const Node* node;
  onnx::NodeProto message;  // what is to be written, where it differs from the node
  size_t begin;             // from here on, nodes are placed for it
  bool has_settings;
  bool differs;
};

// Attached calls of one run of nodes. Until all is legalized, what they were lowered to stands in their place: it tells the types of what they make.
struct AttachedRun {
  Graph* graph;
  size_t piece;
  std::vector<AttachedCall> calls;
};

// What is tried on a node, in order.
struct Candidate {
  const Form* form = nullptr;
  const NativeRule* native = nullptr;
  std::string_view where_from = "native rule";
};

// What a native rule made, compiled.
struct NativeBody {
  NativeBody(Model& model, onnx::FunctionProto function, OpsetContext opsets) : body(model, function, opsets) {
    form.function = std::move(function);
    form.origin = RuleOrigin::built_in;
    form.where_from = "native rule";
  }

  BodyTemplate body;
  Form form;
};

// Visits the inputs of a node, those of the nodes in its subgraphs, and the outputs of these.
template <typename Visit>
void for_each_used(const Node& node, Visit visit) {
  for (const ValueId input : node.inputs()) visit(input);
  if (!node.bodies) return;
  for (const Graph& body : node.bodies->graphs) {
    for (const GraphPiece& piece : body.pieces) {
      for (const Node* inner : piece.nodes) for_each_used(*inner, visit);
    }
    for (const ValueInfo& output : body.outputs) visit(output.value);
  }
}

// Whether runtimes let the node call the function: onnx's shape inference wants all of its outputs.
bool takes(const onnx::FunctionProto& function, const onnx::NodeProto& node) {
  return node.input_size() <= function.input_size() && node.output_size() == function.output_size();
}

class Legalizer {
 public:
  Legalizer(Model& model, RuleLibrary& library, const LegalizeOptions& options)
      : model_(model),
        library_(library),
        options_(options),
        names_(model),
        attached_(model, library),
        setting_used_(options.settings.size(), false),
        attachment_used_(options.attached.size(), false) {
    contexts_.push_back(model.opset_imports);
  }

  LegalizeResult run();

 private:
  // A graph's nodes, one after another. Inside a trial, the first node that cannot be lowered ends it.
  std::optional<Refusal> legalize_graph(Graph& graph, const GraphScope* enclosing, const Node* holder);
  // Puts a node behind the nodes that are placed already if it can stand there as it is and holds no graph, as nearly all can.
  bool place_as_it_is(const Node& node, GraphScope& scope);
  // The same for any node, or for what it is lowered to.
  std::vector<Refusal> place(const Node& node, GraphScope& scope, bool& placed);
  std::optional<Refusal> legalize_bodies(const Node& node, const GraphScope& scope);
  // `message` says the same as the node, and is at its disposal.
  std::vector<Refusal> lower(const Node& node, onnx::NodeProto& message, GraphScope& scope, bool& placed);
  enum class Outcome : uint8_t { placed, refused, does_not_fit };
  // What is tried is taken back when it is refused. Uses the binding, which the caller only keeps.
  Outcome attempt(const Candidate& candidate, const Node& node, const Call& call, GraphScope& scope,
                  AttributeBinding& binding, std::optional<Refusal>& refusal);
  std::optional<Refusal> try_form(const Form& form, const AttributeBinding& binding, const Node& node, const Call& call,
                                  GraphScope& scope);
  std::optional<Refusal> try_native(const NativeRule& rule, AttributeBinding& binding, const Node& node,
                                    const Call& call, GraphScope& scope);
  std::optional<Refusal> place_body(const BodyTemplate& body, const AttributeBinding& binding, const Form& form,
                                    const Node& node, const Call& call, GraphScope& scope);
  // Not inlined: what stands on the stack in each turn of a deep expansion is little without it.
  [[gnu::noinline]] std::optional<Refusal> attach(const Form& form, const Node& node, const Call& call,
                                                  GraphScope& scope, size_t begin);
  void drop_unused(GraphScope& scope, size_t begin, std::span<const ValueId> wanted);
  ValueId taken_item(const Node& made, const GraphScope& scope);
  void drop_lists();
  void drop_lists(Graph& graph, const std::unordered_set<ValueId>& used);
  bool attaches(const Operator& op);
  bool takes_list_of_several_types(const onnx::NodeProto& message, const GraphScope& scope);
  [[gnu::noinline]] Node prepare_to_attach(const Node& node, onnx::NodeProto& message, bool has_settings,
                                           GraphScope& scope);
  bool runs_as_it_is(const Operator& op);
  void import_domain_of(const Operator& op);
  void put_attached_calls();
  std::optional<Refusal> expand(const BodyTemplate& body, const AttributeBinding& binding, const Form& form,
                                const Node& node, GraphScope& scope);

  void complete_types(Graph& graph, const GraphScope& scope, const Node* holder);
  bool complete_input(onnx::ValueInfoProto& info, const Graph& body, const GraphScope& scope);
  void legalize_functions(const std::vector<OpsetImport>& opsets);
  // The smallest newer version of ai.onnx that has the node, or one of a body that failed for want of it; 0 if none is known.
  int opset_hint(const Node& node, const std::vector<Refusal>& refusals) const;
  void record_unlowered(const Node& node, std::vector<Refusal> refusals);
  bool apply_settings(const Node& node, onnx::NodeProto& message);
  // The same vector for the same operator and number of inputs; it stays where it is.
  const std::vector<Candidate>& candidates(OperatorId op, int inputs);
  const Form* function_form(const Operator& op);
  const BodyTemplate& body_template(const Form& form);
  std::shared_ptr<const NativeBody> native_body(onnx::FunctionProto function);
  OpsetContext context_of(const onnx::FunctionProto& function);
  Legality legality(const Node& node);
  bool holds_text_as_value(const Node& node) const;
  const Node& remade(const onnx::NodeProto& message, OpsetContext opsets);
  [[noreturn]] void fail_cycle(const Form& form) const;

  // Lasts as long as the model.
  std::string_view display_name(const Node& node) const {
    if (!node.name.empty()) return node.name;
    for (const ValueId output : node.outputs()) {
      if (output != absent_value) return model_.value_name(output);
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
  std::unordered_map<std::string, std::shared_ptr<const NativeBody>> native_bodies_;  // by the function's bytes
  MessagePool messages_;
  std::map<std::pair<OperatorId, int>, std::vector<Candidate>> candidates_;
  std::vector<const Form*> expanding_;       // whose bodies are being placed, outermost first
  size_t expanding_around_graph_ = 0;        // how many of them when the graph at hand was begun
  std::span<const ValueId> wanted_outputs_;  // of the graph's node at hand
  // Outputs of the made node that was just placed which nothing makes, and the values that take their place.
  std::vector<std::pair<ValueId, ValueId>> renamed_;
  std::unordered_set<ValueId> lists_;  // whose tensors rules took one by one
  std::string note_;                   // of the native rule that lowers the outermost node
  std::string assumption_;             // that a rule had to make for the outermost node
  WireWriter origin_metadata_;         // of the outermost node
  OperatorId origin_op_ = 0;           // of the outermost node
  std::string origin_rule_;            // what the metadata call that
  AttachedFunctions attached_;
  std::vector<AttachedCall> attached_calls_;  // of the run of nodes at hand, in order
  std::vector<AttachedRun> attached_runs_;
  std::unordered_map<OperatorId, bool> runs_as_it_is_;
  std::optional<KeptNode> attaching_;  // the outermost node, if it is to stay
  bool keeps_references_ = false;      // of the attached function to the node's attributes
  std::vector<bool> setting_used_;
  std::vector<bool> attachment_used_;
  size_t nodes_made_ = 0;
  bool nested_ = false;  // the outermost node's body was lowered in its turn
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

// torch 2.2 writes what an ATen operator takes as a string as Constant <value: string>, which no version of Constant has.
bool Legalizer::holds_text_as_value(const Node& node) const {
  const Operator& op = model_.op(node.op);
  if (op.op_type != "Constant" || !op.domain.empty()) return false;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.number != field::Node::attribute) continue;
    const AttributeHead attribute = read_attribute_head(field.content);
    if (attribute.name == "value") return attribute.type == onnx::AttributeProto::STRING;
  }
  return false;
}

const Node& Legalizer::remade(const onnx::NodeProto& message, OpsetContext opsets) {
  const Bytes wire = model_.keep_field(field::Graph::node, message.SerializeAsString());
  return *model_.keep(read_node(model_, wire, header_size(field::Graph::node, wire.size()), opsets));
}

std::optional<Refusal> Legalizer::legalize_graph(Graph& graph, const GraphScope* enclosing, const Node* holder) {
  GraphScope scope(model_, graph, enclosing, holder);
  std::optional<Refusal> refusal;
  std::vector<AttachedCall> outer_calls = std::exchange(attached_calls_, {});
  const size_t expanding_outside = std::exchange(expanding_around_graph_, expanding_.size());
  const std::span<const ValueId> wanted_outside = wanted_outputs_;
  const bool is_one_run = std::count_if(graph.pieces.begin(), graph.pieces.end(), [](const GraphPiece& piece) {
                            return piece.kind == GraphPiece::Kind::nodes;
                          }) == 1;
  std::vector<const Node*>* replaced = nullptr;
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind != GraphPiece::Kind::nodes) continue;
    // Most graphs stay as they are: every node is placed as it was.
    bool changed = false;
    // Room for what rules add: memory that is not used costs nothing, and to move everything costs much.
    if (scope.placed().empty()) scope.reserve(piece.nodes.size() * 2);
    const size_t begin = scope.placed().size();
    for (const Node* each : piece.nodes) {
      const Node& node = *each;
      if (place_as_it_is(node, scope)) continue;
      const size_t mark = scope.placed().size();
      bool placed = false;
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
      const bool as_it_was =
          scope.placed().size() == mark + 1 && scope.placed()[mark] == each && !(node.bodies && node.bodies->changed);
      if (as_it_was) continue;
      changed = true;
      for (size_t index = mark; index < scope.placed().size(); ++index)
        graph.has_bodies |= scope.placed()[index]->bodies != nullptr;
    }
    if (refusal) break;
    if (changed && is_one_run) {
      replaced = &piece.nodes;
    } else if (changed) {
      piece.nodes.assign(scope.placed().begin() + static_cast<std::ptrdiff_t>(begin), scope.placed().end());
    }
    graph.changed |= changed;
    if (!attached_calls_.empty()) {
      for (AttachedCall& call : attached_calls_) {
        call.begin -= begin;
        call.end -= begin;
      }
      const auto index = static_cast<size_t>(&piece - graph.pieces.data());
      attached_runs_.push_back({&graph, index, std::exchange(attached_calls_, {})});
    }
  }
  attached_calls_ = std::move(outer_calls);
  expanding_around_graph_ = expanding_outside;
  wanted_outputs_ = wanted_outside;
  if (!refusal) result_.densified_initializers += densify_initializers(model_, graph);
  // An attached function is for nodes of other types, too.
  const bool is_made = !expanding_.empty();
  if (is_made ? !attaching_ : graph.changed) complete_types(graph, scope, holder);
  types_->forget(scope);
  if (replaced != nullptr) *replaced = scope.take();
  return refusal;
}

// Exporters leave out the type of what a custom node makes. Of a graph output readers want one, and now it can be known. In a subgraph they want none;
// but an element type "undefined" they refuse, and onnx's shape inference an empty type.
void Legalizer::complete_types(Graph& graph, const GraphScope& scope, const Node* holder) {
  const bool is_loop_body =
      holder != nullptr && model_.op(holder->op).domain.empty() && model_.op(holder->op).op_type == "Loop";
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind == GraphPiece::Kind::untyped_value_info) piece.bytes = {};
    const bool is_input = is_loop_body && piece.kind == GraphPiece::Kind::incomplete_input;
    if (piece.kind != GraphPiece::Kind::untyped_output && !is_input) continue;
    WireField field;
    WireReader(piece.bytes).next(field);
    onnx::ValueInfoProto info;
    if (!parse_message(info, field.content)) continue;
    if (is_input) {
      if (!complete_input(info, graph, scope)) continue;
    } else if (&graph == &model_.graph) {
      const onnx::TypeProto* type = types_->type_of(scope, info.name(), Detail::shape);
      if (type == nullptr || (type->has_tensor_type() && type->tensor_type().elem_type() == 0)) continue;
      *info.mutable_type() = *type;
    } else {
      if (!info.has_type()) continue;
      info.clear_type();
    }
    std::string bytes;
    append_field(bytes, field.number, info.SerializeAsString());
    piece.bytes = model_.keep(bytes);
    graph.changed = true;
  }
}

// The first two inputs of a Loop's body are the scalars that Loop says that they are; ONNX Runtime wants to read it. Of the others, OpenVINO wants the
// element type. False if nothing is added.
bool Legalizer::complete_input(onnx::ValueInfoProto& info, const Graph& body, const GraphScope& scope) {
  const auto is_it = [&](const ValueInfo& input) { return model_.value_name(input.value) == info.name(); };
  const auto index = std::find_if(body.inputs.begin(), body.inputs.end(), is_it) - body.inputs.begin();
  onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  if (index < 2) {
    tensor.set_elem_type(index == 0 ? onnx::TensorProto::INT64 : onnx::TensorProto::BOOL);
    tensor.mutable_shape();
    return true;
  }
  if (tensor.elem_type() != 0) return false;
  const onnx::TypeProto* type = types_->type_of(scope, info.name(), Detail::element_type);
  if (type == nullptr || !type->has_tensor_type() || type->tensor_type().elem_type() == 0) return false;
  tensor.set_elem_type(type->tensor_type().elem_type());
  return true;
}

std::optional<Refusal> Legalizer::legalize_bodies(const Node& node, const GraphScope& scope) {
  if (!node.bodies) return std::nullopt;
  for (Graph& body : node.bodies->graphs) {
    if (std::optional<Refusal> refusal = legalize_graph(body, &scope, &node)) return refusal;
    node.bodies->changed |= body.changed;
  }
  return std::nullopt;
}

bool Legalizer::place_as_it_is(const Node& node, GraphScope& scope) {
  if (node.bodies != nullptr || node.spells_domain_out || legality(node) != Legality::legal) return false;
  scope.place(node);
  return true;
}

std::vector<Refusal> Legalizer::place(const Node& node, GraphScope& scope, bool& placed) {
  const Legality legality = this->legality(node);
  const auto place_legal = [&](const Node& legal) -> std::vector<Refusal> {
    if (std::optional<Refusal> refusal = legalize_bodies(legal, scope)) return {std::move(*refusal)};
    scope.place(legal);
    placed = true;
    return {};
  };
  if (is_legal(legality) && !holds_text_as_value(node)) {
    if (!node.spells_domain_out) return place_legal(node);
    onnx::NodeProto message = node_message(model_, node);
    message.clear_domain();
    return place_legal(remade(message, node.opsets));
  }
  const MessagePool::Loan loan = messages_.borrow();
  onnx::NodeProto& message = *loan;
  read_node_message(model_, node, message);
  if (legality == Legality::by_attributes && !holds_text_as_value(node)) {
    bool edited = false;
    if (node.spells_domain_out) message.clear_domain();
    std::string reason = target_->restate(message, contexts_[node.opsets], edited);
    if (reason.empty()) {
      // What no rule could mend is not worth an inference of types: there, what is known without one must do.
      const bool is_mendable =
          !library_.forms("", message.op_type()).empty() || library_.native("", message.op_type()) != nullptr;
      reason = target_->refused_type(message, contexts_[node.opsets], [&](int input) -> std::optional<int> {
        const ValueId value = node.inputs()[static_cast<size_t>(input)];
        if (const int known = scope.element_type(value); known != 0) return known;
        const onnx::TypeProto* type = is_mendable ? type_for_element(scope, *types_, value, message.input(input))
                                                  : scope.declared_type(message.input(input));
        if (type == nullptr || !type->has_tensor_type() || type->tensor_type().elem_type() == 0) return std::nullopt;
        return type->tensor_type().elem_type();
      });
    }
    if (reason.empty()) return place_legal(edited || node.spells_domain_out ? remade(message, node.opsets) : node);
    std::vector<Refusal> refusals = lower(node, message, scope, placed);
    if (!placed) {
      Refusal refusal;
      refusal.rule = operator_name("", model_.op(node.op).op_type);
      refusal.where_from = fmt::format("as it is at opset {}", target_->version(""));
      refusal.reason = reason;
      refusals.insert(refusals.begin(), std::move(refusal));
    }
    return refusals;
  }
  return lower(node, message, scope, placed);
}

bool Legalizer::apply_settings(const Node& node, onnx::NodeProto& message) {
  if (options_.settings.empty()) return false;
  // A node of the model that has no name goes by its first output, as it does in the messages.
  const std::string_view name = message.name().empty() && expanding_.empty() ? display_name(node) : message.name();
  bool applied = false;
  for (size_t index = 0; index < options_.settings.size(); ++index) {
    const AttributeSetting& setting = options_.settings[index];
    const bool applies = !setting.node_name.empty()
                             ? setting.node_name == name
                             : setting.op_type == message.op_type() &&
                                   normalized_domain(setting.domain) == normalized_domain(message.domain());
    if (!applies) continue;
    setting_used_[index] = true;
    applied = true;
    auto& attributes = *message.mutable_attribute();
    const auto same = std::find_if(attributes.begin(), attributes.end(),
                                   [&](const auto& given) { return given.name() == setting.attribute.name(); });
    *(same == attributes.end() ? attributes.Add() : &*same) = setting.attribute;
  }
  return applied;
}

const Form* Legalizer::function_form(const Operator& op) {
  const OperatorId id = model_.intern_operator(op);
  const auto known = function_forms_.find(id);
  if (known != function_forms_.end()) return known->second.get();
  std::unique_ptr<Form>& form = function_forms_[id];
  if (const Function* function = find_function(model_, op)) {
    onnx::FunctionProto message;
    if (!parse_message(message, function->body.wire)) {
      throw InvalidInput(
          fmt::format("{}: function {} cannot be read", model_.input().path(), operator_name(op.domain, op.op_type)));
    }
    form =
        std::make_unique<Form>(form_from_function(std::move(message), RuleOrigin::model, "the model's own function"));
    // The overload has been matched here; and a function without imports means the model's.
    form->function.clear_overload();
  }
  return form.get();
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

const std::vector<Candidate>& Legalizer::candidates(OperatorId id, int inputs) {
  const auto [known, inserted] = candidates_.try_emplace(std::pair(id, inputs));
  std::vector<Candidate>& all = known->second;
  if (!inserted) return all;
  const Operator op = model_.op(id);
  for (const Form* form : library_.forms(op.domain, op.op_type))
    all.push_back({form, nullptr, model_.keep(form->where_from)});
  if (const Form* form = function_form(op)) all.push_back({form, nullptr, model_.keep(form->where_from)});
  if (const NativeRule* native = library_.native(op.domain, op.op_type)) all.push_back({nullptr, native});
  if (const NativeRule* native = library_.native_for_domain(op.domain)) all.push_back({nullptr, native});
  prefer_exact_arity(all, inputs);
  return all;
}

// Exporters write arguments that are None as empty names, also at the end, where a rule need not have a formal input for them.
void drop_trailing_absent(google::protobuf::RepeatedPtrField<std::string>& values) {
  while (!values.empty() && values.rbegin()->empty()) values.RemoveLast();
}

std::vector<Refusal> Legalizer::lower(const Node& original, onnx::NodeProto& message, GraphScope& scope, bool& placed) {
  const bool has_settings = apply_settings(original, message);
  drop_trailing_absent(*message.mutable_input());
  drop_trailing_absent(*message.mutable_output());
  const Operator op = model_.op(original.op);
  if (expanding_.size() >= deepest_expansion) {
    Refusal refusal;
    refusal.rule = operator_name(op.domain, op.op_type);
    refusal.reason = fmt::format("rules expand into rules more than {} deep", deepest_expansion);
    return {std::move(refusal)};
  }
  if (std::optional<std::string> problem = problem_of_attributes(message)) {
    Refusal refusal;
    refusal.reason = std::move(*problem);
    return {std::move(refusal)};
  }
  const std::vector<Candidate>& candidates = this->candidates(original.op, message.input_size());
  const bool is_outermost = expanding_.empty();
  if (is_outermost) attaching_.reset();
  const bool attaches = is_outermost && this->attaches(op) && !takes_list_of_several_types(message, scope);
  const Node node = attaches ? prepare_to_attach(original, message, has_settings, scope) : original;
  const Call call(message, node.inputs(), scope, *types_, target_->version(""));
  AttributeBinding binding;
  std::vector<std::pair<const Candidate*, Refusal>> refused;
  for (const Candidate& candidate : candidates) {
    if (attaches && !has_settings && candidate.form != nullptr && candidate.form->origin == RuleOrigin::model &&
        takes(candidate.form->function, message) && runs_as_it_is(op)) {
      scope.take_back(attaching_->begin);
      scope.place(original);
      import_domain_of(op);
      placed = true;
      return {};
    }
    const size_t placed_mark = scope.placed().size();
    // Where a rule wants to know more than a reference tells, the attached function has this node's values in it.
    if (is_outermost) {
      keeps_references_ = attaches;
      assumption_.clear();
    }
    std::optional<Refusal> refusal;
    Outcome outcome = attempt(candidate, node, call, scope, binding, refusal);
    if (outcome != Outcome::placed && attaches) {
      keeps_references_ = false;
      refusal.reset();
      outcome = attempt(candidate, node, call, scope, binding, refusal);
    }
    if (outcome == Outcome::placed) {
      placed = true;
      if (is_outermost) {
        const std::string_view note =
            candidate.native != nullptr && !note_.empty() ? model_.keep(note_) : std::string_view();
        result_.lowered.push_back({display_name(node), op.domain, op.op_type, candidate.where_from,
                                   scope.placed().size() - placed_mark, note, attaches,
                                   assumption_.empty() ? std::string_view() : model_.keep(assumption_)});
      }
      return {};
    }
    if (refusal) refused.emplace_back(&candidate, std::move(*refusal));
  }
  if (attaches) scope.take_back(attaching_->begin);
  std::vector<Refusal> refusals;
  auto next_refused = refused.begin();
  for (const Candidate& candidate : candidates) {
    Refusal& refusal = refusals.emplace_back();
    if (next_refused != refused.end() && next_refused->first == &candidate) refusal = std::move(next_refused++->second);
    // What did not fit was not asked why; here nothing fits.
    binding.clear(false);
    if (refusal.reason.empty() && candidate.form != nullptr) bind(*candidate.form, call, binding, &refusal);
    if (refusal.rule.empty()) refusal.rule = operator_name(op.domain, op.op_type);
    refusal.where_from = candidate.where_from;
  }
  return refusals;
}

Legalizer::Outcome Legalizer::attempt(const Candidate& candidate, const Node& node, const Call& call, GraphScope& scope,
                                      AttributeBinding& binding, std::optional<Refusal>& refusal) {
  binding.clear(expanding_.empty() && keeps_references_);
  if (candidate.form != nullptr && !bind(*candidate.form, call, binding, nullptr)) return Outcome::does_not_fit;
  const size_t placed_mark = scope.placed().size();
  const size_t name_mark = names_.mark();
  const size_t made_mark = nodes_made_;
  refusal = candidate.form != nullptr ? try_form(*candidate.form, binding, node, call, scope)
                                      : try_native(*candidate.native, binding, node, call, scope);
  if (!refusal) return Outcome::placed;
  for (size_t index = placed_mark; index < scope.placed().size(); ++index) {
    for (const ValueId output : scope.placed()[index]->outputs()) types_->forget(scope, model_.value_name(output));
  }
  scope.take_back(placed_mark);
  names_.give_back(name_mark);
  nodes_made_ = made_mark;
  return Outcome::refused;
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

std::optional<Refusal> Legalizer::try_form(const Form& form, const AttributeBinding& binding, const Node& node,
                                           const Call& call, GraphScope& scope) {
  if (std::find(expanding_.begin(), expanding_.end(), &form) != expanding_.end()) {
    if (form.origin != RuleOrigin::built_in) fail_cycle(form);
    Refusal refusal;
    refusal.reason = "it would expand to itself";
    return refusal;
  }
  return place_body(body_template(form), binding, form, node, call, scope);
}

std::optional<Refusal> Legalizer::try_native(const NativeRule& rule, AttributeBinding& binding, const Node& node,
                                             const Call& call, GraphScope& scope) {
  Lowering lowering = lower_natively(rule, call);
  if (auto* declined = std::get_if<Declined>(&lowering)) {
    Refusal refusal;
    refusal.reason = std::move(declined->reason);
    refusal.missing_attributes = std::move(declined->missing_attributes);
    refusal.is_of_signature = declined->is_of_signature;
    return refusal;
  }
  const std::shared_ptr<const NativeBody> body = native_body(std::get<onnx::FunctionProto>(std::move(lowering)));
  if (expanding_.empty()) note_ = body->form.function.doc_string();
  if (const std::string_view assumed = assumption(body->form.function); !assumed.empty()) assumption_ = assumed;
  for (const onnx::AttributeProto& attribute : call.node().attribute()) binding.refer(attribute.name(), attribute);
  return place_body(body->body, binding, body->form, node, call, scope);
}

std::shared_ptr<const NativeBody> Legalizer::native_body(onnx::FunctionProto function) {
  // A body may hold what only one node has, so that not all can be remembered.
  constexpr size_t most_remembered = 64;
  if (native_bodies_.size() >= most_remembered) native_bodies_.clear();
  std::shared_ptr<const NativeBody>& body = native_bodies_[function.SerializeAsString()];
  if (!body) {
    const OpsetContext opsets = context_of(function);
    body = std::make_shared<const NativeBody>(model_, std::move(function), opsets);
  }
  return body;
}

std::optional<Refusal> Legalizer::place_body(const BodyTemplate& body, const AttributeBinding& binding,
                                             const Form& form, const Node& node, const Call& call, GraphScope& scope) {
  if (!expanding_.empty() || !attaching_) return expand(body, binding, form, node, scope);
  const size_t begin = scope.placed().size();
  if (std::optional<Refusal> refusal = expand(body, binding, form, node, scope)) return refusal;
  return attach(form, node, call, scope, begin);
}

bool Legalizer::attaches(const Operator& op) {
  if (is_standard_domain(op.domain)) return false;
  bool fits = options_.attach_all && AttachedFunctions::is_executed(op);
  for (size_t index = 0; index < options_.attached.size(); ++index) {
    if (!options_.attached[index].fits(op.domain, op.op_type)) continue;
    attachment_used_[index] = true;
    fits = true;
  }
  return fits;
}

// PyTorch has such lists; with one, no runtime reads the model.
bool Legalizer::takes_list_of_several_types(const onnx::NodeProto& message, const GraphScope& scope) {
  for (const std::string& input : message.input()) {
    const onnx::NodeProto* list = maker_of_list(scope, input);
    if (list == nullptr) continue;
    int first = 0;
    for (const std::string& item : list->input()) {
      const onnx::TypeProto* type = types_->type_of(scope, item, Detail::element_type);
      const int element_type = type == nullptr ? 0 : type->tensor_type().elem_type();
      if (element_type == 0) continue;
      if (first != 0 && element_type != first) return true;
      first = element_type;
    }
  }
  return false;
}

// The node with a name for every output, because a function makes all of its outputs. It has none behind those of the call: onnx's shape inference wants
// as many of both. What is to be written stays as it was, but for the user's settings and for what is absent behind its inputs and outputs.
// An input that the node has twice gets a second name, for a function has two; the Identity that makes it only stands there until the call does.
Node Legalizer::prepare_to_attach(const Node& node, onnx::NodeProto& message, bool has_settings, GraphScope& scope) {
  attaching_.emplace(KeptNode{&node, message, scope.placed().size(), has_settings, has_settings});
  attaching_->differs |= node.inputs().size() != static_cast<size_t>(message.input_size()) ||
                         node.outputs().size() != static_cast<size_t>(message.output_size());
  Node complete = node;
  const auto input_count = static_cast<size_t>(message.input_size());
  const auto output_count = static_cast<size_t>(message.output_size());
  const std::span<ValueId> values = model_.new_ids(input_count + output_count);
  const std::span<ValueId> inputs = values.first(input_count);
  const std::span<ValueId> outputs = values.subspan(input_count);
  complete.values = values.data();
  complete.input_count = static_cast<uint32_t>(input_count);
  complete.output_count = static_cast<uint32_t>(output_count);
  for (size_t index = 0; index < outputs.size(); ++index) {
    outputs[index] = node.outputs()[index];
    if (outputs[index] != absent_value) continue;
    outputs[index] = names_.make(name_prefix(model_, node), fmt::format("output_{}", index));
    message.set_output(static_cast<int>(index), std::string(model_.value_name(outputs[index])));
  }
  for (size_t index = 0; index < inputs.size(); ++index) {
    inputs[index] = node.inputs()[index];
    const auto before = inputs.first(index);
    if (inputs[index] == absent_value || std::find(before.begin(), before.end(), inputs[index]) == before.end())
      continue;
    onnx::NodeProto identity;
    identity.set_op_type("Identity");
    identity.add_input(message.input(static_cast<int>(index)));
    inputs[index] = names_.make(name_prefix(model_, node), fmt::format("input_{}", index));
    message.set_input(static_cast<int>(index), std::string(model_.value_name(inputs[index])));
    identity.add_output(message.input(static_cast<int>(index)));
    scope.place(remade(identity, model_opsets));
  }
  return complete;
}

// Whether a runtime executes the model's own function: all that it calls is imported, exists, and means the same at the model's opset.
bool Legalizer::runs_as_it_is(const Operator& op) {
  const OperatorId id = model_.intern_operator(op);
  // A function that calls itself does not run.
  const auto [known, inserted] = runs_as_it_is_.try_emplace(id, false);
  if (!inserted) return known->second;
  const Function* function = find_function(model_, op);
  if (function == nullptr) return false;
  const std::vector<OpsetImport>& written_for =
      function->opset_imports.empty() ? contexts_[model_opsets] : function->opset_imports;
  bool runs = true;
  for_each_operator(function->body, [&](OperatorId called) {
    const Operator inner = model_.op(called);
    const int64_t version = version_of(written_for, inner.domain);
    if (target_->is_function(inner)) {
      runs = runs && version != 0 && runs_as_it_is(inner);
    } else {
      runs = runs && is_legal(target_->legality(inner, written_for, false)) &&
             (target_->keeps(inner) || find_operator(inner.domain, inner.op_type, version) != nullptr);
    }
  });
  return runs_as_it_is_[id] = runs;
}

std::optional<Refusal> Legalizer::attach(const Form& form, const Node& node, const Call& call, GraphScope& scope,
                                         size_t begin) {
  const size_t end = scope.placed().size();
  const auto version_of_domain = [&](const Node& made, std::string_view domain) {
    const int64_t version = target_->version(domain);
    return version != 0 ? version : version_of(contexts_[made.opsets], domain);
  };
  Operator found;
  // A function of the model that does not run as it is goes, when all of its calls get this one. A kept operator may call it from elsewhere.
  const bool replaces_own = form.origin == RuleOrigin::model && !attaching_->has_settings && options_.kept.empty() &&
                            !runs_as_it_is(model_.op(node.op));
  const std::span<const Node* const> nodes = std::span(scope.placed()).subspan(begin);
  if (std::optional<Refusal> refusal =
          attached_.attach({node, call.node(), form, nodes, replaces_own}, version_of_domain, found)) {
    return refusal;
  }
  const Operator& own = model_.op(node.op);
  onnx::NodeProto& message = attaching_->message;
  message.set_op_type(std::string(found.op_type));
  message.clear_overload();
  if (!found.overload.empty()) message.set_overload(std::string(found.overload));
  const bool differs = attaching_->differs || found.op_type != own.op_type || found.overload != own.overload;
  const Node* kept = differs ? &remade(message, node.opsets) : attaching_->node;
  import_domain_of(own);
  attached_calls_.push_back({attaching_->begin, end, kept});
  return std::nullopt;
}

// Exporters forget the import of a domain. What stays in the model needs it.
void Legalizer::import_domain_of(const Operator& op) {
  const auto imports = [&](const std::vector<OpsetImport>& context) { return version_of(context, op.domain) != 0; };
  if (std::none_of(contexts_.begin(), contexts_.end(), imports)) contexts_.push_back({{op.domain, 1}});
}

void Legalizer::put_attached_calls() {
  for (AttachedRun& run : attached_runs_) {
    std::vector<const Node*>& nodes = run.graph->pieces[run.piece].nodes;
    std::vector<const Node*> written;
    size_t next = 0;
    for (AttachedCall& call : run.calls) {
      for (; next < call.begin; ++next) written.push_back(nodes[next]);
      written.push_back(call.node);
      next = call.end;
    }
    for (; next < nodes.size(); ++next) written.push_back(nodes[next]);
    nodes = std::move(written);
  }
}

std::optional<Refusal> Legalizer::expand(const BodyTemplate& body, const AttributeBinding& binding, const Form& form,
                                         const Node& node, GraphScope& scope) {
  // Node metadata came with IR version 10. It names the model's own node, also where its rule used other rules.
  if (expanding_.empty() && model_.ir_version >= 10) {
    if (origin_op_ != node.op || origin_rule_.empty()) {
      origin_op_ = node.op;
      origin_rule_ = operator_name(model_.op(node.op).domain, model_.op(node.op).op_type);
    }
    write_origin_metadata(origin_rule_, display_name(node), origin_metadata_);
  }
  BodyInstance::Purpose purpose;
  if (expanding_.size() == expanding_around_graph_) wanted_outputs_ = node.outputs();
  purpose.wanted_outputs = wanted_outputs_;
  if (attaching_) {
    // Below, a Constant holds tensors only.
    constexpr int64_t first_opset_with_constant_numbers = 12;
    purpose.constants_refer = target_->version("") >= first_opset_with_constant_numbers;
  } else {
    // What a subgraph of a made node holds has its names already. Its casts stay: lowered at once or attached first, the model comes out the same.
    if (expanding_around_graph_ == 0) purpose.scope = &scope;
    if (model_.ir_version >= 10) purpose.metadata = origin_metadata_.written();
  }
  const size_t begin = scope.placed().size();
  expanding_.push_back(&form);
  BodyInstance instance(body, node, binding, purpose, names_);
  std::optional<Refusal> refusal;
  while (const Node* made = instance.next(refusal)) {
    if (++nodes_made_ > most_nodes_made) {
      throw InvalidInput(fmt::format("{}: its functions and the rules make more than {} nodes", model_.input().path(),
                                     most_nodes_made));
    }
    if (place_as_it_is(*made, scope)) continue;
    if (const ValueId item = purpose.scope == nullptr ? absent_value : taken_item(*made, scope); item != absent_value) {
      instance.rename(made->outputs().front(), item);
      nested_ = true;  // the position is not needed any more
      continue;
    }
    bool placed = false;
    std::vector<Refusal> causes = place(*made, scope, placed);
    for (; !renamed_.empty(); renamed_.pop_back()) instance.rename(renamed_.back().first, renamed_.back().second);
    if (placed) continue;
    refusal.emplace();
    const std::string name = operator_name(model_.op(made->op).domain, model_.op(made->op).op_type);
    refusal->reason = fmt::format("its body's node '{}' ({}) cannot be lowered", display_name(*made), name);
    if (causes.empty()) refusal->reason += fmt::format(": {} has no rule", name);
    refusal->target_opset_hint = opset_hint(*made, causes);
    refusal->causes = std::move(causes);
    break;
  }
  expanding_.pop_back();
  if (!refusal) {
    for (size_t index = 0; index < node.outputs().size(); ++index) {
      if (node.outputs()[index] != absent_value && instance.output(index) != node.outputs()[index])
        renamed_.emplace_back(node.outputs()[index], instance.output(index));
    }
  }
  // A rule takes as an attribute what another rule's body made as a constant.
  if (!expanding_.empty()) {
    nested_ = true;
  } else if (!refusal && std::exchange(nested_, false)) {
    drop_unused(scope, begin, node.outputs());
  }
  return refusal;
}

// Of the nodes placed from `begin` on, those stay that the wanted values need.
void Legalizer::drop_unused(GraphScope& scope, size_t begin, std::span<const ValueId> wanted) {
  std::unordered_set<ValueId> used(wanted.begin(), wanted.end());
  used.erase(absent_value);
  std::vector<const Node*> kept;
  bool all = true;
  for (size_t index = scope.placed().size(); index-- > begin;) {
    const Node& node = *scope.placed()[index];
    if (std::none_of(node.outputs().begin(), node.outputs().end(),
                     [&](ValueId output) { return used.contains(output); })) {
      for (const ValueId output : node.outputs()) types_->forget(scope, model_.value_name(output));
      all = false;
      continue;
    }
    for_each_used(node, [&](ValueId value) { used.insert(value); });
    kept.push_back(&node);
  }
  if (all) return;
  scope.take_back(begin);
  for (auto node = kept.rbegin(); node != kept.rend(); ++node) scope.place(**node);
}

int Legalizer::opset_hint(const Node& node, const std::vector<Refusal>& refusals) const {
  int hint = target_->opset_hint(node_message(model_, node), contexts_[node.opsets]);
  for (const Refusal& refusal : refusals) {
    if (refusal.target_opset_hint > 0 && (hint == 0 || refusal.target_opset_hint < hint))
      hint = refusal.target_opset_hint;
  }
  return hint;
}

// What a made SequenceAt gives, if it takes a tensor at a constant position out of a list that SequenceConstruct makes; else absent_value. So rules may
// be for lists of tensors of different types, which PyTorch has and ONNX has not.
ValueId Legalizer::taken_item(const Node& made, const GraphScope& scope) {
  const Operator& op = model_.op(made.op);
  if (op.op_type != "SequenceAt" || !op.domain.empty() || made.inputs().size() != 2 || made.outputs().size() != 1)
    return absent_value;
  const ValueId output = made.outputs().front();
  if (std::find(wanted_outputs_.begin(), wanted_outputs_.end(), output) != wanted_outputs_.end()) return absent_value;
  const onnx::NodeProto* list = maker_of_list(scope, model_.value_name(made.inputs()[0]));
  const onnx::TensorProto* constant = scope.visible_constant(model_.value_name(made.inputs()[1]));
  const auto position = constant == nullptr ? std::nullopt : integer_elements(*constant);
  if (list == nullptr || !position || position->size() != 1) return absent_value;
  const int64_t index = position->front() < 0 ? position->front() + list->input_size() : position->front();
  if (index < 0 || index >= list->input_size()) return absent_value;
  lists_.insert(*model_.values().find(list->output(0)));
  return *model_.values().find(list->input(static_cast<int>(index)));
}

// Lists whose tensors rules took go with their last use.
void Legalizer::drop_lists() {
  if (lists_.empty()) return;
  std::unordered_set<ValueId> used;
  std::vector<Graph*> graphs = {&model_.graph};
  for (Function& function : model_.functions) graphs.push_back(&function.body);
  for (const Graph* graph : graphs) {
    for (const GraphPiece& piece : graph->pieces) {
      for (const Node* node : piece.nodes) for_each_used(*node, [&](ValueId value) { used.insert(value); });
    }
    for (const ValueInfo& output : graph->outputs) used.insert(output.value);
  }
  for (Graph* graph : graphs) drop_lists(*graph, used);
}

void Legalizer::drop_lists(Graph& graph, const std::unordered_set<ValueId>& used) {
  const auto is_left_over = [&](const Node* node) {
    return model_.op(node->op).op_type == "SequenceConstruct" && node->outputs().size() == 1 &&
           lists_.contains(node->outputs().front()) && !used.contains(node->outputs().front());
  };
  for (GraphPiece& piece : graph.pieces) {
    if (std::erase_if(piece.nodes, is_left_over) != 0) graph.changed = true;
    for (const Node* node : piece.nodes) {
      if (!node->bodies) continue;
      for (Graph& body : node->bodies->graphs) {
        drop_lists(body, used);
        node->bodies->changed |= body.changed;
        graph.changed |= body.changed;
      }
    }
  }
}

void Legalizer::record_unlowered(const Node& node, std::vector<Refusal> refusals) {
  const Operator& op = model_.op(node.op);
  UnloweredNode unlowered;
  unlowered.node = std::string(display_name(node));
  unlowered.domain = op.domain;
  unlowered.op_type = op.op_type;
  unlowered.target_opset_hint = opset_hint(node, refusals);
  unlowered.refusals = std::move(refusals);
  if (unlowered.refusals.empty()) unlowered.similar_operators = library_.similar_names(op.domain, op.op_type);
  result_.unlowered.push_back(std::move(unlowered));
}

// What the main graph still calls stays, and so does what those functions call; their bodies are legalized for the versions that they import.
void Legalizer::legalize_functions(const std::vector<OpsetImport>& opsets) {
  const FunctionIndex functions(model_);
  std::vector<bool> called(model_.functions.size(), false);
  std::vector<size_t> found;
  functions.find_called(model_.graph, called, found);
  for (const Graph& graph : model_.training_graphs) functions.find_called(graph, called, found);
  // Attached functions are legal as they were made; they call others only where the user keeps an operator.
  size_t seen = 0;
  const auto find_called_by_attached = [&] {
    for (; seen < attached_.functions().size(); ++seen)
      functions.find_called(attached_.functions()[seen].body, called, found);
    for (const OperatorId op : attached_.reused()) functions.find_called(op, called, found);
  };
  find_called_by_attached();
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
    find_called_by_attached();
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
  put_attached_calls();
  drop_lists();
  result_.attached_functions = attached_.functions().size();
  attached_.add_to_model();
  if (model_.ir_version_changed) result_.raised_ir_version = model_.ir_version;
  result_.dropped_domains = update_opset_imports(model_, opsets, contexts_);
  result_.nodes_after = model_.node_count();
  for (size_t index = 0; index < options_.settings.size(); ++index) {
    if (!setting_used_[index]) result_.unused_settings.push_back(options_.settings[index].text);
  }
  for (size_t index = 0; index < options_.attached.size(); ++index) {
    const OperatorPattern& pattern = options_.attached[index];
    if (!attachment_used_[index])
      result_.unused_attachments.push_back(pattern.op_type.empty() ? pattern.domain
                                                                   : operator_name(pattern.domain, pattern.op_type));
  }
  return std::move(result_);
}

}  // namespace

LegalizeResult legalize(Model& model, RuleLibrary& library, const LegalizeOptions& options) {
  return Legalizer(model, library, options).run();
}

}  // namespace onnx_lower
