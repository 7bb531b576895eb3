// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// All rules that a run knows, found by operator: the user's and the built-in ones.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/native_rule.h"
#include "rules/rule_file.h"
#include "rules/text/form.h"
#include "rules/text/operator_names.h"

namespace onnx_lower {

// What --list-rules prints of one rule.
struct RuleSummary {
  std::string domain;  // "ai.onnx" for the default one
  std::string op_type;
  RuleOrigin origin = RuleOrigin::built_in;
  bool native = false;
  std::vector<std::string> forms;  // signatures; none for a native rule
  std::string file;                // none for a native rule
  std::string summary;
  std::string source;
};

// In all members a domain may be given as "" or "ai.onnx".
class RuleLibrary {
 public:
  RuleLibrary() = default;
  RuleLibrary(RuleLibrary&&) = default;
  RuleLibrary& operator=(RuleLibrary&&) = default;

  // Adds the rules at a path: a folder (searched for *.onnxtxt and *.onnx, in the order of their
  // paths), an .onnxtxt file or an .onnx model with functions. Throws FileError, or InvalidInput
  // when a file holds no valid rule. Invalidates the results of forms().
  void add_user_rules(const std::string& path);

  // The forms of an operator in the order in which they are tried: the user's forms as they were
  // given, then the built-in ones. Built-in text is parsed when its operator is asked for the first
  // time. The pointers live as long as the library.
  std::span<const Form* const> forms(std::string_view domain, std::string_view op_type);

  // Whether the user gave a rule for the operator. Such a rule replaces even a standard operator.
  bool has_user_rule(std::string_view domain, std::string_view op_type) const;
  bool has_any_user_rule() const { return !user_rules_.empty(); }

  // The native rule of that name; a rule for all operators of a domain has the name "*".
  static const NativeRule* native(std::string_view domain, std::string_view op_type);
  // All native rules that may be tried for an operator, in order: those of its name, the rule for
  // its domain, the last resorts.
  static std::vector<const NativeRule*> natives(std::string_view domain, std::string_view op_type);

  // All rules, sorted by operator, the user's rules before the built-in ones.
  std::vector<RuleSummary> list();

  // The text of all rules of an operator, in the order in which they are tried; empty when
  // there is no rule.
  std::string text(std::string_view domain, std::string_view op_type);

  // Whether the operator has a rule, the rules for a whole domain left aside.
  bool has_rule(std::string_view domain, std::string_view op_type) const;
  // The domains in which an operator of this name has a rule, in the order of the alphabet.
  std::vector<std::string_view> domains_with(std::string_view op_type) const;

  // Names of operators with a rule, for which the given name may be a misspelling; the nearest
  // first and at most three, as "custom::Foo".
  std::vector<std::string> similar_names(std::string_view domain, std::string_view op_type);

 private:
  // The forms of an operator; made when the operator is asked for the first time.
  struct Entry {
    std::vector<const Form*> forms;
    std::size_t user_forms = 0;  // how many of `forms`, at its front
    bool has_built_in = false;   // whether the built-in text has been parsed
  };
  struct UserRule {
    const RuleFile* file;
    std::vector<const Form*> forms;
  };

  const Entry* find(std::string_view domain, std::string_view op_type);
  void add_user_file(const std::string& path);

  // A deque, since other objects hold pointers to the forms.
  std::deque<Form> all_forms_;
  std::deque<RuleFile> user_files_;   // without their forms, which are in all_forms_
  std::vector<UserRule> user_rules_;  // one for each operator of each file, in the order given
  // By domain and type of the operator, which are views into a form that is kept,
  // or into built-in text.
  std::map<std::pair<std::string_view, std::string_view>, Entry> entries_;
  std::vector<OperatorName> native_names_;  // made when it is first asked for
};

}  // namespace onnx_lower
