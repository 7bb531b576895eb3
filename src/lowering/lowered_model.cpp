// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "lowering/lowered_model.h"

#include <new>
#include <optional>
#include <utility>

#include "check/node_order.h"
#include "error.h"
#include "legalizer/legalizer.h"
#include "legalizer/opset_trials.h"
#include "lowering/newer_opset.h"
#include "model_file/read_model.h"

namespace onnx_lower {
namespace {

// Legalized again; nothing where as many nodes would be left that cannot be lowered.
std::optional<LoweredModel> lowered_again(const LoweredModel& before, RuleLibrary& library,
                                          const LegalizeOptions& options) {
  std::optional<LoweredModel> again = legalized_again(before, library, options);
  if (again && again->result.unlowered.size() >= before.result.unlowered.size()) again.reset();
  return again;
}

// With folding, where that may tell shapes that a target wants.
std::optional<LoweredModel> with_folding(const LoweredModel& before, RuleLibrary& library, LegalizeOptions options) {
  if (!may_want_folding(before.model, options, before.result)) return std::nullopt;
  options.fold = true;
  return lowered_again(before, library, options);
}

// For a target, at the opset at which all nodes can be lowered.
std::optional<LoweredModel> at_advised_opset(const LoweredModel& before, RuleLibrary& library,
                                             LegalizeOptions options) {
  const int advised = opset_for_all(options, before.result);
  if (advised == 0) return std::nullopt;
  options.target_opset = advised;
  std::optional<LoweredModel> again = lowered_again(before, library, options);
  if (!again || !again->result.unlowered.empty()) return std::nullopt;
  const UnloweredNode& first = before.result.unlowered.front();
  again->result.warnings.other_opset = {.opset = advised, .node = first.node, .op_type = first.op_type};
  return again;
}

}  // namespace

LoweredModel checked(Model model) {
  LoweredModel lowered{.model = std::move(model), .has_moved_nodes = false, .compared = {}, .result = {}};
  try {
    lowered.compared = check_model(lowered.model);
  } catch (const UndefinedValue&) {
    if (!put_in_order(lowered.model)) throw;
    lowered.has_moved_nodes = true;
    lowered.compared = check_model(lowered.model);
  }
  return lowered;
}

std::optional<LoweredModel> legalized_again(const LoweredModel& before, RuleLibrary& library,
                                            const LegalizeOptions& options) {
  try {
    LoweredModel again = checked(read_model(before.model.input().shared()));
    again.result = legalize(again.model, library, options);
    return again;
  } catch (const Error&) {
    // What is there already says more.
  } catch (const std::bad_alloc&) {
    // What is there needed less.
  }
  return std::nullopt;
}

void lower(LoweredModel& lowered, RuleLibrary& library, const LegalizeOptions& options) {
  const LegalizeOptions chosen = with_opset_of_lowered(lowered.model, library, options);
  lowered.result = legalize(lowered.model, library, chosen);
  // What is read again shares the bytes of the model that it replaces.
  const auto take = [&](std::optional<LoweredModel> again) {
    if (!again) return;
    again->model.take_input(lowered.model);
    lowered.result = {};
    lowered.model = std::move(again->model);
    lowered.compared = std::move(again->compared);
    lowered.result = std::move(again->result);
  };
  take(with_folding(lowered, library, chosen));
  settle_opset_advice(lowered.model, library, options, lowered.result);
  take(at_advised_opset(lowered, library, chosen));
  take(at_newer_opset(lowered, library, chosen));
  settle_narrowing_advice(lowered.model, library, options, lowered.result);
  settle_unrolling_advice(lowered.model, library, options, lowered.result);
  settle_reading_advice(lowered.model, library, options, lowered.result);
  lowered.result.has_moved_nodes = lowered.has_moved_nodes;
}

}  // namespace onnx_lower
