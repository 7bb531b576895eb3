// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rule_check/lint_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "rules/conditions/expression.h"
#include "standard_operators/node_conditions.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

using condition::Expression;
using condition::Operand;

// The answers that an expression can have, as bits.
using Answers = unsigned;
constexpr Answers no = 1;
constexpr Answers yes = 2;
constexpr Answers unknown = 4;
constexpr Answers any_answer = no | yes | unknown;

void for_each_name(const Operand& operand, const std::function<void(const Operand&)>& visit) {
  visit(operand);
  for (const Operand& part : operand.parts) for_each_name(part, visit);
}

void for_each_operand(const Expression& expression, const std::function<void(const Operand&)>& visit) {
  for (const Operand& operand : expression.operands) for_each_name(operand, visit);
  for (const Expression& child : expression.children) for_each_operand(child, visit);
}

// Which inputs of an operator's version a node has.
class Presence {
 public:
  Presence(const OperatorVersion& version, std::set<std::string, std::less<>> absent)
      : version_(version), absent_(std::move(absent)) {}

  // An input that only other versions have is absent, too.
  bool is_absent(const Operand& operand) const {
    return absent_.contains(operand.name) || (!is_value(operand.name) && is_value_of_another(operand.name));
  }
  bool is_input(std::string_view name) const {
    return std::ranges::find(version_.inputs, name, &OperatorParameter::name) != version_.inputs.end();
  }

  // Whether the operator's documentation allows such a node, as far as it is known, without
  // attributes or with all of them that are numbers.
  bool is_allowed() const {
    onnx::NodeProto node;
    node.set_domain(std::string(version_.domain));
    node.set_op_type(std::string(version_.name));
    for (const OperatorParameter& input : version_.inputs)
      node.add_input(absent_.contains(input.name) ? std::string() : std::string(input.name));
    node.add_output("output");
    if (condition_problem(node, version_).empty()) return true;
    for (const OperatorAttribute& attribute : version_.attributes) {
      if (attribute.type != onnx::AttributeProto::INT) continue;
      onnx::AttributeProto& given = *node.add_attribute();
      given.set_name(std::string(attribute.name));
      given.set_type(onnx::AttributeProto::INT);
      given.set_i(1);
    }
    return condition_problem(node, version_).empty();
  }

 private:
  bool is_value(std::string_view name) const {
    return is_input(name) ||
           std::ranges::find(version_.outputs, name, &OperatorParameter::name) != version_.outputs.end();
  }
  bool is_value_of_another(std::string_view name) const {
    return std::ranges::any_of(operator_versions(version_.domain, version_.name), [&](const OperatorVersion& other) {
      return std::ranges::find(other.inputs, name, &OperatorParameter::name) != other.inputs.end();
    });
  }

  const OperatorVersion& version_;
  std::set<std::string, std::less<>> absent_;
};

Answers answers_of_operand(const Operand& operand, const Presence& presence) {
  const bool is_absent = presence.is_absent(operand);
  switch (operand.kind) {
    case Operand::Kind::constant:
      return is_absent ? unknown : any_answer;
    case Operand::Kind::present:
      if (is_absent) return no;
      return presence.is_input(operand.name) ? yes : yes | no;
    case Operand::Kind::given:
    case Operand::Kind::read_by:
      return yes | no;
    case Operand::Kind::made_by:
    case Operand::Kind::behind:
    case Operand::Kind::iteration:
    case Operand::Kind::nonnegative:
    case Operand::Kind::positive:
    case Operand::Kind::known:
    case Operand::Kind::stretched:
    case Operand::Kind::ranked:
    case Operand::Kind::fixed:
      return is_absent ? no : yes | no;
    default:
      return any_answer;
  }
}

Answers answers_of(const Expression& expression, const Presence& presence);

// The answers of a chain whose first child that answers `decisive` decides it. The children are
// taken for independent of each other: then no answer is left out that there can be.
Answers answers_of_chain(const Expression& expression, const Presence& presence, Answers decisive) {
  const Answers other = decisive == yes ? no : yes;
  Answers all = other;
  for (const Expression& child : expression.children) {
    const Answers each = answers_of(child, presence);
    Answers joined = (all | each) & decisive;
    if ((all & unknown) != 0 && (each & (other | unknown)) != 0) joined |= unknown;
    if ((each & unknown) != 0 && (all & (other | unknown)) != 0) joined |= unknown;
    if ((all & other) != 0 && (each & other) != 0) joined |= other;
    all = joined;
  }
  return all;
}

Answers answers_of(const Expression& expression, const Presence& presence) {
  switch (expression.kind) {
    case Expression::Kind::operand:
      return answers_of_operand(expression.operands[0], presence);
    case Expression::Kind::conjunction:
      return answers_of_chain(expression, presence, no);
    case Expression::Kind::disjunction:
      return answers_of_chain(expression, presence, yes);
    case Expression::Kind::negation: {
      const Answers child = answers_of(expression.children[0], presence);
      return (child & unknown) | ((child & yes) != 0 ? no : 0) | ((child & no) != 0 ? yes : 0);
    }
    case Expression::Kind::certainty: {
      const Answers child = answers_of(expression.children[0], presence);
      return (child & (yes | no)) | ((child & unknown) != 0 ? no : 0);
    }
    default:
      break;
  }
  // Of an absent input neither type nor dimensions are known.
  bool reads_absent = false;
  for_each_operand(expression, [&](const Operand& operand) {
    reads_absent |= operand.names_value() && presence.is_absent(operand);
  });
  return reads_absent ? unknown : any_answer;
}

// Every choice of which optional inputs are absent. Of an operator with more of them than anyone
// writes conditions on, the last are there.
std::vector<Presence> presences(const OperatorVersion& version) {
  std::vector<std::string_view> optional;
  for (const OperatorParameter& input : version.inputs) {
    if (input.kind == ParameterKind::optional) optional.push_back(input.name);
  }
  constexpr size_t most = 8;
  std::vector<Presence> all;
  std::vector<Presence> allowed;
  for (size_t choice = 0; choice < size_t{1} << std::min(optional.size(), most); ++choice) {
    std::set<std::string, std::less<>> absent;
    for (size_t index = 0; index < std::min(optional.size(), most); ++index) {
      if ((choice >> index & 1) != 0) absent.emplace(optional[index]);
    }
    all.emplace_back(version, std::move(absent));
    if (all.back().is_allowed()) allowed.push_back(all.back());
  }
  // The documentation may ask for attributes that are no numbers.
  return allowed.empty() ? all : allowed;
}

std::string text_of(const Expression& expression) {
  const char* begin = nullptr;
  const char* end = nullptr;
  for_each_operand(expression, [&](const Operand& operand) {
    if (operand.text.empty()) return;
    if (begin == nullptr || operand.text.data() < begin) begin = operand.text.data();
    end = std::max(end, operand.text.data() + operand.text.size());
  });
  const std::string text = begin == nullptr ? std::string() : std::string(begin, end);
  return expression.kind == Expression::Kind::negation ? "not " + text : text;
}

// The versions that a line is about, each with the nodes that it has; the newest last.
using NodesOfVersions = std::vector<std::vector<Presence>>;

Answers answers_of(const Expression& expression, const std::vector<Presence>& nodes) {
  Answers answers = 0;
  for (const Presence& presence : nodes) answers |= answers_of(expression, presence);
  return answers;
}

// Finds the outermost parts of the expression that decide nothing: that are true of the newest
// version, which conditions are written for, or false of all.
void find_parts(const Expression& expression, const NodesOfVersions& versions, std::vector<TargetFinding>& findings) {
  if ((answers_of(expression, versions.back()) & no) == 0) {
    findings.push_back({.part = text_of(expression),
                        .message = "no node makes this false, as an absent input counts as a constant, and its type "
                                   "as right"});
    return;
  }
  if (std::ranges::all_of(versions, [&](const auto& nodes) { return answers_of(expression, nodes) == no; })) {
    findings.push_back({.part = text_of(expression), .message = "no node makes this true"});
    return;
  }
  if (expression.kind == Expression::Kind::conjunction || expression.kind == Expression::Kind::disjunction) {
    for (const Expression& child : expression.children) find_parts(child, versions, findings);
  }
}

NodesOfVersions nodes_of_versions(std::string_view domain, std::string_view op_type, const VersionRange& range) {
  NodesOfVersions versions;
  for (const OperatorVersion& version : operator_versions(domain, op_type)) {
    if (!version.deprecated && range.contains(version.since_version)) versions.push_back(presences(version));
  }
  return versions;
}

}  // namespace

std::vector<TargetFinding> check_target(const TargetFile& target) {
  std::vector<TargetFinding> findings;
  target.for_each_line([&](std::string_view domain, std::string_view op_type, const OperatorLine& line) {
    if (!line.condition) return;
    const NodesOfVersions versions = nodes_of_versions(domain, op_type, line.versions);
    const Expression& root = line.condition->parsed().root;
    // A runtime may do better with another form of every node.
    const auto is_never = [&](const auto& nodes) { return answers_of(root, nodes) == no; };
    if (versions.empty() || (line.is_preference && std::ranges::all_of(versions, is_never))) return;
    const size_t before = findings.size();
    find_parts(root, versions, findings);
    for (TargetFinding& finding : std::span(findings).subspan(before)) finding.line = line.line;
  });
  std::ranges::stable_sort(findings, {}, &TargetFinding::line);
  return findings;
}

}  // namespace onnx_lower
