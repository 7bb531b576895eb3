// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legalizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "error.h"
#include "legalizer/after/drop_left_over.h"
#include "legalizer/after/ir_version.h"
#include "legalizer/after/opset_imports.h"
#include "legalizer/after/whole_model.h"
#include "legalizer/attachment/attachment.h"
#include "legalizer/before/expansion_size.h"
#include "legalizer/before/input_shapes.h"
#include "legalizer/before/read_operators_as.h"
#include "legalizer/before/version_choice.h"
#include "legalizer/candidates/rule_book.h"
#include "legalizer/cost/model_cost.h"
#include "legalizer/legality/target.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/placement/graph_legalizer.h"
#include "legalizer/reading/complex_as_pairs.h"
#include "legalizer/record/lowering_record.h"

namespace onnx_lower {
namespace {

// With how many combinations of element types a function that stays may be called: the function is
// walked through for each.
constexpr size_t most_types_of_calls = 64;

// Legalizes the main graph, and then the functions that stay.
class Legalizer {
 public:
  Legalizer(Model& model, RuleLibrary& library, const LegalizeOptions& options)
      : options_(with_versions_of_targets(model, library, options)),
        opsets_(target_opsets(model, options_)),
        all_(model, library, options_, opsets_, wanted_ir_version(model, options_)) {}

  LegalizeResult run() {
    try {
      legalize_all();
    } catch (const EnoughKnown&) {
      // The result has the node.
    }
    return std::move(all_.result);
  }

 private:
  void legalize_all() {
    Model& model = all_.model;
    all_.result.nodes_before = model.node_count();
    const OpsetContext as_read = all_.known.contexts.intern(model.opset_imports);
    if (options_.shows_rewrites) all_.result.before = cost_of(all_, as_read, as_read);
    check_expansion_size(all_);
    fix_inputs(model, all_.options, as_read);
    const OpsetContext as_written = all_.known.contexts.intern(opsets_);
    legalize(model.graph, as_written, as_read);
    model.input().end_pass();
    drop_unneeded(model.graph, all_);
    drop_released(model.graph, all_);
    legalize_functions();
    drop_bypassed(all_);
    if (all_.result.unlowered.empty()) check_whole_model(model, options_);
    all_.result.warnings.computed_as_float = computed_as_float(model, options_);
    all_.result.attached_functions = attachment_.functions().size();
    attachment_.add_to_model();
    settle_ir_version(model, all_.ir_version, all_.options, all_.result);
    const bool drops_standard = all_.options.target_opset || all_.options.ir_version || model.graph.changed;
    const std::vector<OpsetImport> imports = model.opset_imports;
    all_.result.dropped_domains = update_opset_imports(model, opsets_, all_.known.contexts, drops_standard);
    for (const OpsetImport& import : model.opset_imports) {
      const auto is_of_domain = [&](const OpsetImport& other) { return other.domain() == import.domain(); };
      if (std::ranges::count(imports, import) != 1 || std::ranges::count_if(imports, is_of_domain) != 1)
        all_.result.new_imports.push_back(fmt::format("{} {}", shown_domain(import.domain()), import.version()));
    }
    all_.result.nodes_after = model.node_count();
    if (options_.shows_rewrites) all_.result.after = cost_of(all_, as_written, as_read);
    all_.result.unused.settings = all_.settings.unused();
    all_.result.unused.attachments = attachment_.unused_patterns();
  }

  void legalize(Graph& graph, OpsetContext target, OpsetContext own) {
    Target& written = targets_.try_emplace(target, all_, target).first->second;
    GraphLegalizer(all_, rules_, attachment_, written, own, graph).legalize();
  }

  struct StayedFunction {
    OpsetContext written;
    bool is_changed;
  };

  void legalize_functions();
  void check_other_calls(const std::map<size_t, StayedFunction>& stayed);

  LegalizeOptions options_;
  std::vector<OpsetImport> opsets_;  // that the written model imports
  Legalization all_;
  RuleBook rules_{all_};
  Attachment attachment_{all_};
  std::map<OpsetContext, Target> targets_;
};

// Functions that the main graph still calls stay, and so do those that such functions call. Their
// bodies are legalized for the opsets that they import, or for those of the written model where the
// model gets other opsets than it had.
void Legalizer::legalize_functions() {
  Model& model = all_.model;
  std::vector<bool> called(model.functions.size(), false);
  std::vector<size_t> found;
  all_.known.functions.find_called(model.graph, called, found);
  for (const Graph& graph : model.training_graphs) all_.known.functions.find_called(graph, called, found);
  // Attached functions are legal as they were made; they call others only where the user
  // keeps an operator.
  size_t seen = 0;
  std::map<size_t, StayedFunction> stayed;
  const auto find_called_by_attached = [&] {
    for (; seen < attachment_.functions().size(); ++seen)
      all_.known.functions.find_called(attachment_.functions()[seen].body, called, found);
    for (const OperatorId op : attachment_.reused()) all_.known.functions.find_called(op, called, found);
  };
  find_called_by_attached();
  for (size_t next = 0; next < found.size(); ++next) {
    Function& function = model.functions[found[next]];
    const OpsetContext own =
        all_.known.contexts.intern(function.opset_imports.empty() ? model.opset_imports : function.opset_imports);
    std::vector<OpsetImport> imports = function.opset_imports.empty() ? opsets_ : function.opset_imports;
    follow_model_opsets(imports, model.opset_imports, opsets_);
    const OpsetContext written = all_.known.contexts.intern(imports);
    // The types with which a training graph or an attached function calls it are not known.
    if (model.training_graphs.empty() && seen == 0) all_.known.call_types.declare_inputs(function);
    legalize(function.body, written, own);
    drop_unneeded(function.body, all_);
    stayed.emplace(found[next], StayedFunction{written, function.body.changed || written != own});
    drop_released(function.body, all_);
    if (!function.opset_imports.empty()) write_imports(model, function, std::move(imports));
    complete_imports(model, function, all_.known.contexts, written);
    all_.known.functions.find_called(function.body, called, found);
    find_called_by_attached();
  }
  check_other_calls(stayed);
  for (size_t index = 0; index < model.functions.size(); ++index) model.functions[index].dropped = !called[index];
}

// A function that stays was legalized for the element types in which all of its calls agree. Its
// nodes have to take the types of each call.
void Legalizer::check_other_calls(const std::map<size_t, StayedFunction>& stayed) {
  if (std::ranges::none_of(stayed, [](const auto& function) { return function.second.is_changed; })) return;
  std::map<size_t, size_t> checked;
  while (const std::optional<CallTypes::TypedCall> call = all_.known.call_types.next_other_call()) {
    const auto found = stayed.find(call->function);
    if (found == stayed.end()) continue;
    const auto& [written, is_changed] = found->second;
    Function& function = all_.model.functions[call->function];
    if (++checked[call->function] > most_types_of_calls)
      throw InvalidInput(
          fmt::format("{}: the function {} stays, and is called with more than {} combinations of element types, which "
                      "is the limit",
                      all_.model.input().path(), operator_name(function.domain, function.name), most_types_of_calls));
    all_.known.call_types.declare_inputs(*call);
    GraphLegalizer(all_, rules_, attachment_, targets_.at(written), written, function.body).check_types(is_changed);
  }
}

}  // namespace

LegalizeResult legalize(Model& model, RuleLibrary& library, const LegalizeOptions& options) {
  const bool is_opset_unused = asks_for_the_opset_it_has(model, options);
  std::vector<std::string> readings = read_operators_as(model, library, options);
  const std::vector<std::string> complex_readings = read_complex_as_pairs(model, library, options);
  readings.insert(readings.end(), complex_readings.begin(), complex_readings.end());
  LegalizeResult result = Legalizer(model, library, options).run();
  result.readings = std::move(readings);
  result.unused.target_opset = is_opset_unused;
  return result;
}

}  // namespace onnx_lower
