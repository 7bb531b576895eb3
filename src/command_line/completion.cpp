// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/completion.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>

#include "command_line/option_table.h"
#include "domain.h"
#include "error.h"
#include "model_file/protobuf_message.h"
#include "model_file/read_model.h"
#include "report/finding_code.h"
#include "rules/embedded_rules.h"
#include "rules/native_rule.h"
#include "rules/text/operator_names.h"
#include "source_text/characters.h"
#include "standard_operators/operator_table.h"
#include "targets/embedded_targets.h"
#include "targets/runtime_names.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

using option_table::Row;
using Candidates = std::set<std::string>;

// The names of an option: "-o" and "--output".
std::vector<std::string> names_of(const Row& row) {
  const std::string_view all(row.names);
  std::vector<std::string> names;
  for (const std::string_view name : split(all.substr(0, all.find('{')), ',')) names.emplace_back(name);
  return names;
}

const Row* find_option(std::string_view name) {
  for (const Row* row : option_table::all) {
    const std::vector<std::string> names = names_of(*row);
    if (std::ranges::find(names, name) != names.end()) return row;
  }
  return nullptr;
}

// Whether its value is the word behind it; --attach=OP has it in its own word.
bool takes_next_word(const Row& row) { return row.value[0] != '\0' && row.value[0] != '['; }

// The first word that is a model, and neither an option nor an option's value.
std::string model_among(const std::vector<std::string>& words, size_t current) {
  const Row* before = nullptr;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool is_value = before != nullptr && takes_next_word(*before);
    before = is_value || !words[i].starts_with('-') ? nullptr : find_option(words[i]);
    struct stat status {};
    if (i != current && !is_value && !words[i].starts_with('-') && ::stat(words[i].c_str(), &status) == 0 &&
        S_ISREG(status.st_mode))
      return words[i];
  }
  return {};
}

// What the options name in a model.
struct NamesInModel {
  Candidates custom_operators;  // and their domains
  Candidates standard_operators;
  Candidates inputs;
  Candidates dimensions;
};

void add_input(NamesInModel& names, const ValueInfo& input) {
  onnx::ValueInfoProto info;
  if (!parse_message(info, input.wire)) return;
  names.inputs.insert(info.name());
  for (const auto& dim : info.type().tensor_type().shape().dim()) {
    if (!dim.dim_param().empty()) names.dimensions.insert(dim.dim_param());
  }
}

NamesInModel names_in(const std::string& path) {
  NamesInModel names;
  const Model model = read_model(path);
  std::unordered_set<OperatorId> seen;
  const auto add = [&](const Graph& graph) {
    for_each_node(graph, [&](const Node& node) {
      if (!seen.insert(node.op).second) return;
      const Operator& op = model.op(node.op);
      if (is_standard_domain(op.domain)) {
        names.standard_operators.emplace(op.op_type);
        return;
      }
      names.custom_operators.emplace(op.domain);
      names.custom_operators.insert(operator_name(op.domain, op.op_type));
    });
  };
  add(model.graph);
  for (const Function& function : model.functions) add(function.body);
  std::unordered_set<ValueId> constants;
  for (const TensorSkeleton& initializer : model.graph.initializers) constants.insert(initializer.value);
  for (const ValueInfo& input : model.graph.inputs) {
    if (!constants.contains(input.value)) add_input(names, input);
  }
  return names;
}

Candidates with_ending(const Candidates& words, std::string_view ending) {
  Candidates all;
  for (const std::string& word : words) all.insert(fmt::format("{}{}", word, ending));
  return all;
}

Candidates operators_with_ending(const NamesInModel& names, std::string_view ending) {
  Candidates all;
  for (const std::string& name : names.custom_operators) {
    if (name.find("::") != std::string::npos) all.insert(fmt::format("{}{}", name, ending));
  }
  return all;
}

// Runtimes by their names; and by their versions once one is written.
Candidates target_names(std::string_view typed) {
  Candidates names = {"any"};
  for (const EmbeddedTarget& target : embedded_targets()) {
    const std::string runtime = parse_runtime_name(target.name).runtime;
    if (target.name != default_target) names.insert(runtime);
    if (typed.starts_with(runtime)) names.emplace(target.name);
  }
  return names;
}

// Those that are built in, by their names alone: to read all rules would take longer than a person
// notices.
Candidates rule_names() {
  Candidates names;
  const auto add = [&](std::string_view domain, std::string_view op_type) {
    if (op_type != "*") names.insert(operator_name(domain, op_type));
  };
  for (const EmbeddedRule& rule : embedded_rules()) add(rule.domain, rule.op_type);
  for (const NativeRule* rule : NativeRule::all()) {
    for (const OperatorName& name : rule->names()) add(name.domain, name.op_type);
  }
  return names;
}

struct Offer {
  std::string kind = "words";
  Candidates words = {};
  // What each word has in front of it in the current word: what is written of a list.
  std::string before = {};
};

Offer words_of(std::string_view text) {
  Offer offer;
  for (const std::string_view word : split(text, ' ')) offer.words.emplace(word);
  return offer;
}

// With commas between them, the last one is being written.
Offer listed(const Candidates& words, std::string_view typed) {
  return {.words = words, .before = std::string(typed.substr(0, typed.rfind(',') + 1))};
}

// What the model on the line has.
Offer offer_of_model(std::string_view kind, std::string_view typed, const NamesInModel& names) {
  if (kind == "operators") return {.words = names.custom_operators};
  if (kind == "custom_operators") return {.words = operators_with_ending(names, "")};
  if (kind == "all_operators") {
    Candidates all = names.custom_operators;
    all.insert(names.standard_operators.begin(), names.standard_operators.end());
    return listed(all, typed);
  }
  if (kind == "readings") {
    Candidates all = operators_with_ending(names, "=");
    all.merge(with_ending(names.standard_operators, "="));
    return {.kind = "nospace", .words = all};
  }
  if (kind == "settings") return {.kind = "nospace", .words = operators_with_ending(names, ".")};
  if (kind == "inputs") return {.kind = "nospace", .words = with_ending(names.inputs, ":")};
  if (kind == "values") return {.kind = "nospace", .words = with_ending(names.inputs, "=")};
  return {.kind = "nospace", .words = with_ending(names.dimensions, "=")};  // "dimensions"
}

// What the value of an option may be, of which `typed` is written.
Offer offer_for(const Row& row, std::string_view typed, const std::string& model) {
  const std::string_view kind(row.completes);
  if (kind.starts_with("words ")) return words_of(kind.substr(6));
  if (kind == "files" || kind == "models" || kind == "folders")
    return {.kind = kind == "folders" ? "folders" : "files"};
  if (kind == "targets") return listed(target_names(typed.substr(typed.rfind(',') + 1)), typed);
  if (kind == "target") return {.words = target_names(typed)};
  if (kind == "rules") return {.words = rule_names()};
  if (kind == "codes") {
    Offer offer;
    for (const FindingCode& code : finding_codes()) offer.words.insert(fmt::format("{}\t{}", code.code, code.title));
    return offer;
  }
  if (kind.empty() || model.empty()) return {};
  return offer_of_model(kind, typed, names_in(model));
}

Offer all_options() {
  Offer offer;
  for (const Row* row : option_table::all) {
    const std::string_view help(row->help);
    for (const std::string& name : names_of(*row))
      offer.words.insert(fmt::format("{}\t{}", name, help.substr(0, std::min(help.find('\n'), help.find(':')))));
  }
  return offer;
}

Offer offer_at(const std::vector<std::string>& words, size_t current, std::string& in_front) {
  const std::string& word = words[current];
  const size_t equals = word.find('=');
  const std::string model = model_among(words, current);
  if (word.starts_with("--") && equals != std::string::npos) {
    const Row* row = find_option(word.substr(0, equals));
    in_front = word.substr(0, equals + 1);
    return row == nullptr ? Offer() : offer_for(*row, std::string_view(word).substr(equals + 1), model);
  }
  const Row* before = current > 0 && words[current - 1].starts_with('-') ? find_option(words[current - 1]) : nullptr;
  if (before != nullptr && takes_next_word(*before)) return offer_for(*before, word, model);
  if (word.starts_with('-')) return all_options();
  return {.kind = "files"};
}

}  // namespace

std::string completions(const std::vector<std::string>& words, size_t current) {
  if (current >= words.size()) return "files\n";
  std::string in_front;
  Offer offer;
  try {
    offer = offer_at(words, current, in_front);
  } catch (const Error&) {
    // Of what is no model nothing can be offered.
  }
  std::string answer = offer.kind + "\n";
  for (const std::string& word : offer.words) {
    const std::string whole = in_front + offer.before + word;
    if (whole.starts_with(words[current])) answer += whole + "\n";
  }
  return answer;
}

}  // namespace onnx_lower
