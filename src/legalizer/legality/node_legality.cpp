// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legality/node_legality.h"

#include <fmt/format.h>

#include <algorithm>

#include "legalizer/legality/type_problem.h"
#include "legalizer/legality/version_problem.h"
#include "legalizer/nodes/node_message.h"
#include "model_file/attribute_head.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "model_file/read_values.h"
#include "model_file/tensor_skeleton.h"
#include "rules/body.h"
#include "rules/values/element_type.h"
#include "standard_operators/default_value.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/node_conditions.h"
#include "standard_operators/schema_problem.h"
#include "standard_operators/version_change.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// torch 2.2 writes the string arguments of an ATen operator as Constant <value: string>, which no
// version of Constant allows.
bool holds_text_as_value(const Node& constant) {
  const Bytes value = attribute_named(constant.wire, "value");
  return !value.empty() && read_attribute_head(value).type == onnx::AttributeProto::STRING;
}

// torch writes the axes of `perm` as it was given them; Transpose takes no negative ones.
bool has_negative_axis(const Node& transpose) {
  onnx::AttributeProto perm;
  const Bytes attribute = transpose.has_attributes ? attribute_named(transpose.wire, "perm") : Bytes();
  return !attribute.empty() && parse_message(perm, attribute) &&
         std::ranges::any_of(perm.ints(), [](int64_t axis) { return axis < 0; });
}

// Whether the node is written as some exporters do and no version of the operator allows: every
// runtime refuses it, and only a rule can say what is meant.
bool is_malformed(const Node& node, OperatorRole role) {
  return role == OperatorRole::constant ? holds_text_as_value(node)
                                        : role == OperatorRole::transpose && has_negative_axis(node);
}

// The attribute `name` (kernel_shape) of a Conv, by the dimensions of its weights behind the two
// for channels; nullopt where one of these is not known.
std::optional<onnx::AttributeProto> window_of_weights(std::string_view name, const NodeFacts& facts) {
  const onnx::TensorShapeProto* shape = shape_of(facts.type("W", Detail::dimensions));
  if (shape == nullptr) return std::nullopt;
  Ints sizes;
  for (int i = 2; i < shape->dim_size(); ++i) {
    if (!shape->dim(i).has_dim_value()) return std::nullopt;
    sizes.push_back(shape->dim(i).dim_value());
  }
  return BodyAttribute(name, sizes).message();
}

// The default of an attribute that the node does not have; nullopt where it has none, or it is not
// known. Those of kernel_shape, strides, dilations and pads are not in the schema, as they depend
// on the number of axes.
std::optional<onnx::AttributeProto> default_of(const OperatorAttribute& attribute, const onnx::NodeProto& node,
                                               const NodeFacts& facts) {
  if (!attribute.default_value.empty()) return default_value(attribute);
  if (attribute.name == "kernel_shape") return window_of_weights(attribute.name, facts);
  const bool is_step = attribute.name == "strides" || attribute.name == "dilations";
  const onnx::AttributeProto* kernel = find_attribute(node, "kernel_shape");
  if (kernel == nullptr || (!is_step && attribute.name != "pads")) return std::nullopt;
  if (const onnx::AttributeProto* pad = find_attribute(node, "auto_pad");
      !is_step && pad != nullptr && pad->s() != "NOTSET")
    return std::nullopt;
  const auto axes = static_cast<size_t>(kernel->ints_size());
  return BodyAttribute(attribute.name, is_step ? Ints(axes, 1) : Ints(2 * axes, 0)).message();
}

}  // namespace

Legality NodeLegality::of(const Node& node, const GraphScope& scope, const Origin& origin) {
  const Legality legality = target_.legality(node.op, scope.context(node), origin.is_made());
  if (legality != Legality::illegal && !origin.is_made() && is_malformed(node, scope.facts(node).role))
    return Legality::illegal;
  return legality == Legality::unless_malformed ? Legality::legal : legality;
}

bool NodeLegality::stands_as_it_is(const Node& node, const GraphScope& scope, const Origin& origin, int& made_type) {
  if (node.bodies != nullptr || node.spells_domain_out) return false;
  const Legality legality = target_.legality(node.op, scope.context(node), origin.is_made());
  const bool may_be_malformed =
      legality == Legality::unless_malformed || (legality == Legality::by_condition && !origin.is_made());
  if (may_be_malformed && is_malformed(node, scope.facts(node).role)) return false;
  if (legality == Legality::by_condition) {
    if (!has_taken_inputs(node, scope, origin, &made_type) && !is_taken(node, scope, origin)) return false;
  } else if (legality != Legality::legal && legality != Legality::unless_malformed) {
    return false;
  }
  return !origin.is_made() || problem_of_types(node, scope.facts(node).version, scope, origin).empty();
}

bool NodeLegality::stands_by_types(const Node& node, const GraphScope& scope, const Origin& origin) {
  if (node.bodies != nullptr || node.spells_domain_out) return false;
  const Legality legality = target_.legality(node.op, scope.context(node), true);
  const bool is_legal = legality == Legality::legal ||
                        (legality == Legality::by_condition &&
                         (has_taken_inputs(node, scope, origin, nullptr) ||
                          (target_.goes_by_types_and_names(node.op, true) && has_taken_names(node, scope, origin))));
  return is_legal && problem_of_types(node, scope.facts(node).version, scope, origin).empty();
}

bool NodeLegality::has_taken_inputs(const Node& node, const GraphScope& scope, const Origin& origin, int* made_type) {
  const auto is_there = [&](uint32_t input) {
    return input < node.inputs().size() && node.inputs()[input] != absent_value;
  };
  const auto type_of = [&](uint32_t input, bool is_of_output) {
    if (!is_there(input)) return 0;
    const int type = scope.element_type(node.inputs()[input]);
    if (is_of_output && made_type != nullptr && type != 0) *made_type = type;
    return type;
  };
  const auto is_made_by = [&](uint32_t input, std::string_view op_type) {
    if (made_type == nullptr) return true;
    return is_there(input) && scope.is_made_by(node.inputs()[input], op_type);
  };
  return target_.takes_inputs(node.op, origin.is_made(), type_of, is_made_by);
}

bool NodeLegality::is_taken(const Node& node, const GraphScope& scope, const Origin& origin) {
  return target_.goes_by_types_and_names(node.op, origin.is_made())
             ? has_taken_names(node, scope, origin)
             : target_.takes(node.op, origin.is_made(), facts_for_targets(node, nullptr, scope));
}

bool NodeLegality::has_taken_names(const Node& node, const GraphScope& scope, const Origin& origin) {
  const bool made = origin.is_made();
  const auto ask = [&] { return target_.takes(node.op, made, facts_for_targets(node, nullptr, scope)); };
  key_.assign(reinterpret_cast<const char*>(&node.op), sizeof(node.op));
  key_.push_back(made ? 1 : 0);
  key_.append(reinterpret_cast<const char*>(&node.input_count), sizeof(node.input_count));
  for (const ValueId input : node.inputs()) {
    const int type = input == absent_value ? 0 : scope.element_type(input);
    if (type == 0 && input != absent_value) return ask();
    key_.push_back(static_cast<char>(type));
  }
  if (scope.facts(node).role == OperatorRole::constant) {
    const int type = element_type_of_constant(node.wire);
    if (type == 0) return ask();
    key_.push_back(static_cast<char>(type));
  }
  WireField field;
  for (WireReader reader(node.wire); node.has_attributes && reader.next(field);) {
    if (field.tag != delimited_tag(field::Node::attribute)) continue;
    key_.push_back('\n');
    key_ += last_field(field.content, delimited_tag(field::Attribute::name));
  }
  const auto known = taken_.find(key_);
  return known != taken_.end() ? known->second : taken_.emplace(key_, ask()).first->second;
}

// Without --target, only element types are inferred, and few are not known without: to infer more
// would cost time in every run.
NodeFacts NodeLegality::facts_for_targets(const Node& node, const onnx::NodeProto* message, const GraphScope& scope) {
  return facts_at(target_.version(node.op), target_.opset(), node, message, scope);
}

NodeFacts NodeLegality::facts_at(const OperatorVersion* version, int64_t opset, const Node& node,
                                 const onnx::NodeProto* message, const GraphScope& scope) {
  const bool infers = !all_.options.targets.empty();
  return {all_.model, all_.known.readers, node, message, version, scope, &types_, infers ? &known_ : nullptr, opset};
}

std::string NodeLegality::problem_of_made_types(const Node& node, Legality legality, const GraphScope& scope,
                                                const Origin& origin) const {
  if (legality == Legality::illegal || !origin.is_made()) return {};
  const bool is_same = legality == Legality::legal;
  return problem_of_types(node, is_same ? scope.facts(node).version : target_.version(node.op), scope, origin);
}

NodeLegality::Verdict NodeLegality::judge(const Node& node, onnx::NodeProto& message, Legality legality,
                                          std::string problem, const GraphScope& scope, const Origin& origin) {
  Verdict verdict{.problem = std::move(problem), .edited = node.spells_domain_out};
  if (!verdict.problem.empty()) return verdict;
  if (legality == Legality::illegal) {
    verdict.problem = target_.refusal(node.op, origin.is_made(), nullptr);
    verdict.is_of_target = verdict.is_of_operator = !verdict.problem.empty();
    return verdict;
  }
  if (node.spells_domain_out) message.clear_domain();
  if (legality == Legality::by_node) judge_version(node, message, scope, origin, verdict);
  if (!verdict.problem.empty()) return verdict;
  judge_targets(node, message, scope, origin, verdict);
  verdict.stands = verdict.problem.empty();
  verdict.is_of_target = !verdict.stands;
  verdict.is_preference =
      verdict.is_of_target &&
      target_.refuses_by_preference_only(node.op, origin.is_made(), facts_for_targets(node, nullptr, scope));
  verdict.wants_shapes = verdict.is_of_target && !all_.options.targets.empty() &&
                         target_.waits_for_shapes(node.op, origin.is_made(), facts_for_targets(node, &message, scope));
  if (!verdict.stands || legality != Legality::by_node || origin.is_made() || !all_.options.targets.empty())
    return verdict;
  judge_runtimes(node, message, scope, verdict);
  return verdict;
}

void NodeLegality::judge_runtimes(const Node& node, const onnx::NodeProto& message, const GraphScope& scope,
                                  Verdict& verdict) {
  constexpr bool as_if_made = true;
  const bool has_version = target_.refusal(node.op, as_if_made, nullptr).empty();
  if (has_version && !target_.has_conditions(node.op, as_if_made)) return;
  const NodeFacts here = facts_for_targets(node, &message, scope);
  if (has_version && target_.takes(node.op, as_if_made, here)) return;
  const Target::RuntimeRefusal refusal = target_.runtime_refusal(*target_.version(node.op), here);
  if (refusal.reason.empty()) return;
  const OperatorVersion& before = *scope.facts(node).version;
  const int64_t opset = all_.known.contexts.version(scope.context(node), "");
  const Target::RuntimeRefusal had = target_.runtime_refusal(before, facts_at(&before, opset, node, nullptr, scope));
  if (!had.reason.empty() && (!had.is_preference || refusal.is_preference)) return;
  verdict.stands = false;
  verdict.is_of_target = true;
  verdict.is_preference = refusal.is_preference;
  verdict.problem = fmt::format("{}; at opset {}, which the model imports, both do", refusal.reason, opset);
}

void NodeLegality::judge_targets(const Node& node, onnx::NodeProto& message, const GraphScope& scope,
                                 const Origin& origin, Verdict& verdict) {
  const bool made = origin.is_made();
  if (!target_.has_conditions(node.op, made)) return;
  const OperatorVersion* version = target_.version(node.op);
  const NodeFacts facts = facts_for_targets(node, &message, scope);
  verdict.problem = target_.refusal(node.op, made, &facts);
  if (verdict.problem.empty() || version == nullptr) return;
  // Some runtimes want an attribute written out though it has its default, or no name for an output
  // that nothing uses.
  onnx::NodeProto fitting = message;
  for (const std::string& name : target_.attributes_in_conditions(node.op, made)) {
    const OperatorAttribute* known = version->attribute(name);
    if (known == nullptr || facts.is_given(name)) continue;
    if (std::optional<onnx::AttributeProto> written = default_of(*known, message, facts))
      *fitting.add_attribute() = *std::move(written);
  }
  for (int index = 0; !made && index < fitting.output_size(); ++index) {
    const bool is_optional = index >= version->min_outputs;
    if (is_optional && !is_read(node.outputs()[static_cast<size_t>(index)])) fitting.mutable_output(index)->clear();
  }
  drop_trailing_absent(*fitting.mutable_output());
  if (!target_.takes(node.op, made, facts_for_targets(node, &fitting, scope))) return;
  message = std::move(fitting);
  verdict.edited = true;
  verdict.problem.clear();
}

bool NodeLegality::is_read(ValueId value) {
  if (value == absent_value) return false;
  if (!read_values_) {
    read_values_.emplace();
    add_read_values(root_, *read_values_);
  }
  return read_values_->contains(value);
}

std::string NodeLegality::problem_of_schema(const Node& node, const GraphScope& scope) const {
  const OperatorVersion* version = scope.facts(node).version;
  if (version == nullptr) return {};
  const onnx::NodeProto& message = node_message(all_.model, node);
  std::string problem = schema_problem(message, *version);
  return problem.empty() ? condition_problem(message, *version) : problem;
}

std::string NodeLegality::problem_of_conditions(const Node& node, const GraphScope& scope) const {
  const OperatorVersion* version = scope.facts(node).version;
  return version == nullptr ? std::string() : condition_problem(node_message(all_.model, node), *version);
}

void NodeLegality::judge_version(const Node& node, onnx::NodeProto& message, const GraphScope& scope,
                                 const Origin& origin, Verdict& verdict) {
  const OperatorFacts& facts = scope.facts(node);
  Target::Rewriting rewriting = target_.write_at_target_version(message, node.op, scope.context(node));
  verdict.edited |= rewriting.edited;
  std::string& problem = verdict.problem;
  problem = std::move(rewriting.problem);
  if (problem.empty()) problem = version_problem(node, *target_.version(node.op), scope, types_);
  // The types of what a rule makes are checked elsewhere. A node of the model may have types that
  // its operator takes at the version that the model imports, and not at the target's.
  if (!problem.empty() || origin.is_made()) return;
  // Type inference is slow, and where no rule lowers the operator it would only find problems that
  // nothing can solve: then the types that are known without it must do.
  const bool is_mendable = rules_.has_rule_of_its_own(node.op);
  problem = type_problem(node.inputs(), *target_.version(node.op), facts.version, [&](ValueId value) {
    return is_mendable ? types_.element_type(scope, value) : scope.element_type(value);
  });
}

std::string NodeLegality::problem_of_types(const Node& node, const OperatorVersion* version, const GraphScope& scope,
                                           const Origin& origin) const {
  if (version == nullptr) return {};
  // In a graph, every runtime takes a Constant of any type at every opset. In a function, runtimes
  // infer types by the schemas, and that of Constant-1 allows floating-point numbers only.
  if ((root_.is_function || origin.attaches) && scope.facts(node).role == OperatorRole::constant) {
    const int type = element_type_of_constant(node.wire);
    if (type != 0 && (version->outputs[0].types >> type & 1) == 0)
      return fmt::format("a function has no Constant of type {} in version {} of the operator", element_type_name(type),
                         version->since_version);
  }
  // Few operators have an attribute that gives the type, and to read the message takes time.
  const OperatorFacts& facts = scope.facts(node);
  if (facts.first_output.attribute != nullptr) {
    std::string problem = made_type_problem(*version, made_type(facts, node_message(all_.model, node)));
    if (!problem.empty()) return problem;
  }
  bool all_known = true;
  std::string problem = type_problem(node.inputs(), *version, nullptr, [&](ValueId value) {
    const int type = scope.element_type(value);
    all_known &= type != 0;
    return type;
  });
  return problem.empty() && !all_known ? container_problem(node, *version, scope) : problem;
}

std::string NodeLegality::problem_of_mixed_types(const Node& node, const GraphScope& scope) const {
  const OperatorVersion* version = scope.facts(node).version;
  if (version == nullptr) return {};
  return mixed_types_problem(node.inputs(), *version, [&](ValueId value) { return scope.element_type(value); });
}

std::string NodeLegality::problem_of_written_types(const Node& node, const GraphScope& scope) const {
  const OperatorVersion* version = target_.version(node.op);
  if (version == nullptr) return {};
  return type_problem(node.inputs(), *version, nullptr,
                      [&](ValueId value) { return types_.element_type(scope, value); });
}

int NodeLegality::opset_with_types(const Node& node, const onnx::NodeProto& message, const GraphScope& scope,
                                   const Origin& origin) const {
  const OperatorFacts& facts = scope.facts(node);
  if (facts.version == nullptr) return 0;
  for (const OperatorVersion& version : operator_versions(facts.version->domain, facts.version->name)) {
    if (!facts.version->domain.empty() || version.deprecated || version.since_version <= target_.opset()) continue;
    if (!problem_of_types(node, &version, scope, origin).empty()) continue;
    if (version_change(message, *facts.version, version).is_possible()) return version.since_version;
  }
  return 0;
}

}  // namespace onnx_lower
