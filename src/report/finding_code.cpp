// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/finding_code.h"

#include <algorithm>
#include <iterator>

#include "error.h"
#include "report/obstacle.h"

namespace onnx_lower {
namespace {

enum RefusalKind : size_t {
  no_rule,
  no_operator,
  lacking_operator,
  target_condition,
  lost_attribute,
  other_signature,
  declined,
  open_shape,
  wide_type,
  old_opset,
  invalid_node,
  search_ended
};

// In the order of RefusalKind.
constexpr FindingCode codes[] = {
    {"OL001", "there is no rule for its operator",
     "The node is of a custom operator that no rule lowers, and the model has no function of that name. If it is "
     "another name of an operator that has a rule, --as reads it as that one; else --rules gives a rule of your own, "
     "which is an ONNX function as text, or --keep leaves the node as it is, for a runtime that has a kernel for it."},
    {"OL002", "ONNX has no operator of its name",
     "The node names no domain, so that it is one of ONNX's own operators, and ONNX has none of that name at any "
     "opset. Exporters write such nodes where a custom operator was registered without its domain. --as gives the "
     "operator that is meant, and --rules a rule for it."},
    {"OL003", "the target lacks operators",
     "The target has no kernel for the node's operator at the version that is written, or for operators that its "
     "rules make, and no other rule does without these. --check says which targets take the model. --keep leaves the "
     "node as it is, and --rules may say it in operators that the target has."},
    {"OL004", "the target takes its operator only under a condition",
     "The target takes some nodes of this operator, and this one is not among them: the message has the condition, and "
     "what of it does not hold. --show-target prints all that is known of the target."},
    {"OL005", "an attribute was lost",
     "The exporter did not write an attribute that the rule needs, and nothing in the model proves what it was. No "
     "number is guessed: --set gives it, for all nodes of the operator or for one node."},
    {"OL006", "no rule is for its inputs and attributes",
     "There are rules for the operator, and the node has other inputs or attributes than any of their forms takes. "
     "--show-rule prints the forms. A node that is right may want a form of your own, by --rules."},
    {"OL007", "its rules do not apply",
     "Each rule for the operator says why it does not apply: a condition on types, ranks or values does not hold, or a "
     "node that it would make cannot be lowered in its turn. -v prints all reasons."},
    {"OL008", "a shape has to be known",
     "What the rules or the target ask follows from the shapes of the model's inputs, and these are open. "
     "--input-shape and --dim give them; the written model then takes inputs of these shapes only."},
    {"OL009", "its element type is too wide for the target",
     "The target computes nothing in double or in 64 bits. --allow-narrowing computes in float and int32 instead: "
     "numbers beyond these are then wrong."},
    {"OL010", "another opset has what it needs",
     "A rule needs an operator, or a version of one, that the written opset does not have. --target-opset gives an "
     "opset at which the node can be lowered; the runtime has to take it."},
    {"OL011", "the node is not valid",
     "The node has inputs, attributes or types that its operator does not allow at the opset that the model imports, "
     "or that do not go with the inputs that were given. Built-in rules are for valid nodes; a rule of your own, by "
     "--rules, can say what is meant."},
    {"OL012", "the search for rules ended at a limit",
     "Rules for the node lead to one another in so many ways that not all of them were tried. --keep leaves the node "
     "as it is; a rule of your own, by --rules, is tried first."},
    {"OL100", "the run ended early",
     "The model could not be read, is not valid, or is not for the target as a whole: the message says why, and at its "
     "end what to do."},
    {"OL101", "a value is not as the model declares it",
     "The type or shape that the model declares for a value is not what its node makes. What the node makes counts, "
     "and "
     "the written model declares it; a runtime that trusts the declaration would compute something else, or end."},
    {"OL102", "a node stays though a target computes it wrongly for some numbers",
     "The target is known to be wrong there, and no rule says the node otherwise. --verify compares numbers in ONNX "
     "Runtime; for another runtime compare them there."},
    {"OL103", "a target computes as float what is of another type",
     "The target takes the type and computes with about seven digits, up to 3.4e38. Where more is needed, compute "
     "these "
     "values outside of the model, or choose another target."},
    {"OL104", "a rule assumed what nothing in the model proves",
     "The export left something out, and the rule took what is usual. The warning says what, and the --set that says "
     "otherwise."},
    {"OL105", "the model's function was taken, where runtimes may have a kernel",
     "The model brings a function of the name of an operator that runtimes have a kernel for. They may compute "
     "something else; --keep leaves the node to the runtime."},
    {"OL106", "a lowered node is known to take longer than a kernel of the runtime",
     "The runtime has a kernel for the operator, and what was written in its place was measured to be slower. --target "
     "with the runtime's name leaves it the node where it takes it."},
};

RefusalKind kind_of(const UnloweredNode& node) {
  const std::vector<Refusal>& refusals = node.refusals;
  if (rest_on(refusals, &Refusal::ends_search)) return search_ended;
  if (refusals.empty()) return node.domain.empty() ? no_operator : no_rule;
  if (std::ranges::any_of(refusals, [](const Refusal& refusal) { return !refusal.missing_attributes.empty(); }))
    return lost_attribute;
  if (node.narrowing_would_do) return wide_type;
  if (!node.open_inputs.empty()) return open_shape;
  if (node.target_opset_hint > 0) return old_opset;
  const Refusal& first = refusals.front();
  const bool is_as_it_is = first.where_from.starts_with("as it is");
  if (is_as_it_is && !first.is_of_target && !first.is_of_operator) return invalid_node;
  if (!lacking_operators(refusals).empty()) return lacking_operator;
  if (first.is_of_target) return target_condition;
  return std::ranges::all_of(refusals, &Refusal::is_of_signature) ? other_signature : declined;
}

}  // namespace

std::span<const FindingCode> finding_codes() { return codes; }

const FindingCode& finding_code(std::string_view code) {
  const auto* found = std::ranges::find(codes, code, &FindingCode::code);
  if (found == std::end(codes)) throw InternalError("there is no such code");
  return *found;
}

const FindingCode& code_of(const UnloweredNode& node) { return codes[kind_of(node)]; }

}  // namespace onnx_lower
