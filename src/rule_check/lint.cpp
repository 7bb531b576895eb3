// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rule_check/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "domain.h"
#include "error.h"
#include "rule_check/lint_body.h"
#include "rule_check/lint_source.h"
#include "rule_check/lint_target.h"
#include "rule_check/lint_types.h"
#include "rules/embedded_rules.h"
#include "rules/native_rule.h"
#include "rules/rule_file.h"
#include "rules/text/rule_structure.h"
#include "rules/text/rule_text.h"
#include "source_text/source_position.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

using onnx::NodeProto;
using DomainAndType = std::pair<std::string, std::string>;

// How many forms an operator has in all files, and which operators their bodies use.
struct OperatorForms {
  std::size_t count = 0;
  std::set<DomainAndType> uses;
};

struct FileToCheck {
  std::string path;
  std::string text;  // a rule file's text; for a model, its bytes until parsed
  bool is_text = true;
  RuleText rules;
  std::optional<DomainAndType> expected;  // the operator that the path of the file says
  bool parsed = false;
};

// A file that is being checked.
struct CheckedFile {
  explicit CheckedFile(const FileToCheck& checked)
      : file(checked), lines(checked.text), unused_by_intent(deliberately_unused(checked.text)) {}

  const FileToCheck& file;
  TextLines lines;
  std::vector<std::string> unused_by_intent;
  // For each scope (see scope_of()), the first form that fits every node of it.
  std::map<std::vector<std::string>, std::size_t> fitting_all;
};

bool has_built_in_rule(std::string_view domain, std::string_view op_type) {
  for (const EmbeddedRule& rule : embedded_rules()) {
    if (rule.domain == domain && rule.op_type == op_type) return true;
  }
  if (NativeRule::find(domain, op_type) != nullptr) return true;
  // The rule "*" for all standard operators expands the function in an operator's schema,
  // if there is one.
  const bool rules_of_domain_apply =
      !is_standard_domain(domain) ||
      std::ranges::any_of(operator_versions(domain, op_type), &OperatorVersion::has_function);
  const NativeRule* any = NativeRule::find(domain, "*");
  return rules_of_domain_apply && any != nullptr && !any->only_beside_others;
}

bool names_target_file(const std::string& path) {
  return std::filesystem::path(path).extension() == ".target" && !std::filesystem::is_directory(path);
}

class Lint {
 public:
  void add_file(FileToCheck file) {
    ++report_.files;
    try {
      if (file.is_text) {
        file.text = without_byte_order_mark(file.text);
        file.rules = parse_rule_text(file.text, file.path, RuleOrigin::user);
      } else {
        const std::string bytes = std::exchange(file.text, {});
        file.rules = forms_of_model(bytes, file.path, RuleOrigin::user);
      }
      file.parsed = true;
    } catch (const RuleSyntaxError& error) {
      add(CheckedFile(file), error.offset(), error.problem());
    } catch (const InvalidInput& error) {
      add_error(file.path, error.what());
    }
    for (const Form& form : file.rules.forms) {
      OperatorForms& forms = known_[{form.function.domain(), form.function.name()}];
      ++forms.count;
      for (const NodeProto& node : form.function.node()) forms.uses.emplace(node.domain(), node.op_type());
      for (const DomainAndType& name : file.rules.also) known_[name] = forms;
    }
    // Forms that come from the choices in one form count as one, as that is what the author wrote.
    std::set<std::size_t> places;
    for (const FormPositions& positions : file.rules.positions) places.insert(positions.name);
    report_.forms += places.empty() ? file.rules.forms.size() : places.size();
    files_.push_back(std::move(file));
  }

  // A target's file: its name and its conditions.
  void add_target(const std::string& path, const std::string& text) {
    ++report_.files;
    try {
      const TargetFile target = TargetFile::parse(std::filesystem::path(path).stem().string(), text, path);
      for (const TargetFinding& finding : check_target(target)) {
        report_.findings.push_back({.file = path,
                                    .line = finding.line,
                                    .column = 1,
                                    .message = fmt::format("{}: {}", finding.message, finding.part),
                                    .context = {}});
      }
    } catch (const InvalidInput& error) {
      add_error(path, error.what());
    }
  }

  LintReport run() {
    for (const FileToCheck& file : files_) {
      if (!file.parsed) continue;
      CheckedFile checked(file);
      if (!file.text.empty()) {
        for (const SourceTrap& trap : source_traps(file.text)) add(checked, trap.offset, trap.message);
      }
      for (std::size_t i = 0; i < file.rules.forms.size(); ++i) check_form(checked, i);
    }
    const auto place = [](const LintFinding& finding) { return std::tie(finding.file, finding.line, finding.column); };
    std::ranges::stable_sort(report_.findings, {}, place);
    // A finding that several forms have in common, which come from the choices in one
    // form, is reported once.
    std::set<std::tuple<std::string, int, int, std::string>> told;
    std::erase_if(report_.findings, [&](const LintFinding& finding) {
      return finding.line > 0 && !told.emplace(finding.file, finding.line, finding.column, finding.message).second;
    });
    return std::move(report_);
  }

 private:
  void add_error(const std::string& path, std::string_view message) {
    constexpr std::string_view prefix = ": error: ";
    const std::size_t at = message.find(prefix);
    report_.findings.push_back(
        {.file = path,
         .message = std::string(at == std::string_view::npos ? message : message.substr(at + prefix.size())),
         .context = {}});
  }

  void add(const CheckedFile& checked, std::size_t offset, std::string message) {
    const FileToCheck& file = checked.file;
    const TextPosition position = checked.lines.position(offset);
    report_.findings.push_back(
        {file.path, position.line, position.column, std::move(message), line_with_caret(file.text, offset)});
  }

  void add(const CheckedFile& checked, std::size_t form, const StructureFault& fault) {
    const FileToCheck& file = checked.file;
    if (file.rules.positions.empty()) {
      const onnx::FunctionProto& function = file.rules.forms[form].function;
      const std::string message =
          fmt::format("in {}: {}", operator_name(function.domain(), function.name()), fault.message);
      report_.findings.push_back({.file = file.path, .message = message, .context = {}});
    } else {
      add(checked, offset_of(fault, file.text, file.rules.positions[form]), fault.message);
    }
  }

  void check_form(CheckedFile& checked, std::size_t i) {
    const FileToCheck& file = checked.file;
    const Form& form = file.rules.forms[i];
    const onnx::FunctionProto& function = form.function;
    using Place = StructureFault::Place;
    const auto add_here = [&](Place place, int index, std::string message) {
      add(checked, i, {place, index, {}, std::move(message)});
    };

    if (file.expected && *file.expected != DomainAndType(function.domain(), function.name())) {
      add_here(Place::function, 0,
               fmt::format("this is a form of {}, and the file's path says {}",
                           operator_name(function.domain(), function.name()),
                           operator_name(file.expected->first, file.expected->second)));
    }
    check_names_of_bound(checked, i);
    const std::vector<StructureFault> faults = structure_faults(form);
    for (const StructureFault& fault : faults) add(checked, i, fault);
    const std::vector<std::string>& unused_by_intent = checked.unused_by_intent;
    for (const StructureFault& fault : unused_parts(form)) {
      if (std::ranges::find(unused_by_intent, fault.attribute) == unused_by_intent.end()) add(checked, i, fault);
    }
    check_reachable(checked, i);
    if (!faults.empty()) return;
    for (int node = 0; node < function.node_size(); ++node) {
      if (leads_back_to({function.domain(), function.name()}, function.node(node)))
        add_here(Place::node, node, "this expands to the operator itself again, without end");
    }
    const auto has_rule = [this](std::string_view domain, std::string_view op_type) {
      return known_.contains(std::pair(std::string(domain), std::string(op_type))) ||
             has_built_in_rule(domain, op_type);
    };
    const std::vector<BodyFault> body = body_faults(form, has_rule);
    if (body.empty()) {
      for (MixedType& mixed : mixed_types_of(form, file.rules.forms))
        add_here(Place::node, mixed.node, std::move(mixed.message));
    }
    for (const BodyFault& fault : body) {
      add_here(fault.node < 0 ? Place::function : Place::node, std::max(fault.node, 0), fault.message);
    }
  }

  // Whether lowering the node leads to `op` again in any case. A node whose operator has several
  // forms, or a rule that is built in, may become something else.
  bool leads_back_to(const DomainAndType& op, const NodeProto& node) const {
    std::set<DomainAndType> seen;
    std::vector<DomainAndType> open{{node.domain(), node.op_type()}};
    while (!open.empty()) {
      const DomainAndType next = std::move(open.back());
      open.pop_back();
      const auto forms = known_.find(next);
      if (forms == known_.end() || forms->second.count != 1 || has_built_in_rule(next.first, next.second) ||
          (is_standard_domain(next.first) && !operator_versions(next.first, next.second).empty()))
        continue;
      if (next == op) return true;
      if (!seen.insert(next).second) continue;
      open.insert(open.end(), forms->second.uses.begin(), forms->second.uses.end());
    }
    return false;
  }

  // The engine binds `rank_of_z` only where z is an input or output of the form, and the attribute
  // is declared without type and default.
  void check_names_of_bound(const CheckedFile& checked, std::size_t i) {
    const Form& form = checked.file.rules.forms[i];
    for (const DeclaredAttribute& attribute : form.attributes) {
      for (const std::string_view prefix : {"dtype_of_", "rank_of_", "dims_of_", "value_of_", "dim_"}) {
        if (!attribute.name.starts_with(prefix)) continue;
        const std::size_t of = attribute.name.find("_of_");
        if (of == std::string::npos) continue;
        const std::string value = attribute.name.substr(of + 4);
        const std::string why = attribute.required() ? fmt::format("{} is not a value that it could be bound to", value)
                                                     : "it has a default";
        add(checked, i,
            {StructureFault::Place::attribute, 0, attribute.name,
             fmt::format("{} is not bound by the engine: {}", attribute.name, why)});
        break;
      }
    }
  }

  // Reports a form that is never tried because an earlier one fits the same nodes: one with
  // the same signature and opset, and without a condition. Forms that use different inputs do
  // not count as having the same signature, since the earlier one declines where an input that
  // it uses is absent.
  void check_reachable(CheckedFile& checked, std::size_t i) {
    const std::vector<Form>& forms = checked.file.rules.forms;
    std::vector<std::string> scope = scope_of(forms[i]);
    if (const auto earlier = checked.fitting_all.find(scope); earlier != checked.fitting_all.end()) {
      add(checked, i,
          {StructureFault::Place::function,
           0,
           {},
           fmt::format("this form is never tried: the one at {} fits all its nodes",
                       forms[earlier->second].where_from)});
    } else if (!forms[i].where && forms[i].bound.empty() && forms[i].definitions.empty()) {
      // Forms with bound attributes or definitions are left out, as they decline where
      // these are not known.
      checked.fitting_all.emplace(std::move(scope), i);
    }
  }

  // All that decides which nodes a form without a condition fits.
  static std::vector<std::string> scope_of(const Form& form) {
    const onnx::FunctionProto& function = form.function;
    std::vector<std::string> scope = used_inputs(form);
    for (const DeclaredAttribute& attribute : form.attributes) {
      scope.push_back(fmt::format("{}: {}{}", attribute.name, attribute_type_name(attribute.type),
                                  attribute.required() ? "" : " ="));
    }
    for (const auto& import : function.opset_import())
      scope.push_back(fmt::format("{} {}", import.domain(), import.version()));
    std::ranges::sort(scope);
    scope.push_back(fmt::format("{}::{}:{} {} => {}", function.domain(), function.name(), function.overload(),
                                function.input_size(), function.output_size()));
    return scope;
  }

  std::vector<FileToCheck> files_;
  std::map<DomainAndType, OperatorForms> known_;
  LintReport report_;
};

// The operator of a path `<domain>/<Op>.onnxtxt` in the given folder; nothing for files that are
// not exactly so deep.
std::optional<DomainAndType> operator_of_path(const std::string& folder, const std::string& file) {
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(folder);
  if (relative.extension() != ".onnxtxt" || std::distance(relative.begin(), relative.end()) != 2) return std::nullopt;
  return DomainAndType{std::string(normalized_domain(relative.begin()->string())), relative.stem().string()};
}

}  // namespace

LintReport check_rules(const std::vector<std::string>& paths) {
  Lint lint;
  for (const std::string& path : paths) {
    if (names_target_file(path)) {
      lint.add_target(path, read_whole_file(path));
      continue;
    }
    for (const std::string& file : rule_files_at(path)) {
      auto expected = file == path ? std::nullopt : operator_of_path(path, file);
      lint.add_file({.path = file,
                     .text = read_whole_file(file),
                     .is_text = is_rule_text_file(file),
                     .rules = {},
                     .expected = std::move(expected)});
    }
  }
  return lint.run();
}

LintReport check_rule_text(std::string_view text, const std::string& file) {
  Lint lint;
  lint.add_file({.path = file, .text = std::string(text), .rules = {}, .expected = {}});
  return lint.run();
}

std::string to_text(const LintFinding& finding) {
  if (finding.line == 0) return fmt::format("{}: error: {}", finding.file, finding.message);
  std::string text = fmt::format("{}:{}:{}: error: {}", finding.file, finding.line, finding.column, finding.message);
  if (!finding.context.empty()) text += '\n' + finding.context;
  return text;
}

}  // namespace onnx_lower
