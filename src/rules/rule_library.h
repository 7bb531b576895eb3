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

// A line of --list-rules.
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

// In every member a domain may be given as "" or "ai.onnx".
class RuleLibrary {
 public:
  RuleLibrary() = default;
  RuleLibrary(RuleLibrary&&) = default;
  RuleLibrary& operator=(RuleLibrary&&) = default;

  // A folder (searched for *.onnxtxt and *.onnx, in the order of their paths), an .onnxtxt file or
  // an .onnx model with functions.
  // Throws FileError, or InvalidInput when something in it is no rule. Invalidates what forms()
  // returned.
  void add_user_rules(const std::string& path);

  // The forms of an operator in the order to try them: the user's as they were given, then the
  // built-in ones. Built-in text is parsed when its operator is asked for the first time. The
  // pointers live as long as the library.
  std::span<const Form* const> forms(std::string_view domain, std::string_view op_type);

  // With a user's rule, even a standard operator is replaced.
  bool has_user_rule(std::string_view domain, std::string_view op_type) const;
  bool has_any_user_rule() const { return !user_rules_.empty(); }

  // That of all operators of a domain has the name "*".
  static const NativeRule* native(std::string_view domain, std::string_view op_type);
  // All native rules that may be asked about an operator, in the order to try them: those of its
  // name, that for its domain, the last resorts.
  static std::vector<const NativeRule*> natives(std::string_view domain, std::string_view op_type);

  // Sorted by operator, the user's before the built-in ones.
  std::vector<RuleSummary> list();

  // The text of all rules of an operator, in the order in which they are tried; empty when there is
  // none.
  std::string text(std::string_view domain, std::string_view op_type);

  // Names of operators with a rule, nearest first, that the given one may be a misspelling of; at
  // most three, as "custom::Foo".
  std::vector<std::string> similar_names(std::string_view domain, std::string_view op_type);

 private:
  // What is known of an operator; made when it is asked for the first time.
  struct Entry {
    std::vector<const Form*> forms;
    std::size_t user_forms = 0;  // at the front of `forms`
    bool has_built_in = false;   // whether the built-in text is among them
  };
  struct UserRule {
    const RuleFile* file;
    std::vector<const Form*> forms;
  };

  const Entry* find(std::string_view domain, std::string_view op_type);
  void add_user_file(const std::string& path);

  // Forms stay where they are once they are here: others hold pointers to them.
  std::deque<Form> all_forms_;
  std::deque<RuleFile> user_files_;   // without their forms, which are in all_forms_
  std::vector<UserRule> user_rules_;  // one for each operator of each file, as given
  // By domain and type of the operator, which are views of a form that is kept, or of built-in
  // text.
  std::map<std::pair<std::string_view, std::string_view>, Entry> entries_;
  std::vector<OperatorName> native_names_;  // made when first asked for
};

}  // namespace onnx_lower
