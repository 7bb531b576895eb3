// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Questions that only a trial answers, for which the model is read and legalized once more: about
// the opset of the written model, about folding, and about an option that the user could give.
#pragma once

#include <cstdint>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// Some runtimes take a newer opset of models that need no lowering than of those that do. Returns
// the options, with `is_lowered` set where a target has such opsets for lowered models, the model's
// opset is newer than all of them, and something in the model has to be lowered.
LegalizeOptions with_opset_of_lowered(const Model& model, RuleLibrary& library, LegalizeOptions options);

// Tests the --target-opset that the refusals of `result` advise: an operator that one node needs
// may exist at an opset at which another node's operator does not. Tries the advised opset, and
// those that are advised there. Then the result advises an opset at which all nodes can be
// lowered but those for which no opset would do; or it advises none (0), as for nodes for which a
// limit ended the search. `model` is the legalized model of `result`.
void settle_opset_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                         LegalizeResult& result);

// The opset at which every node of `result`, whose advice is settled, can be lowered for the
// targets; 0 where there is none, no target, or an opset that the user asked for.
int opset_for_all(const LegalizeOptions& options, const LegalizeResult& result);

// The opsets newer than that of the model at which all targets take it, if they take it otherwise;
// empty where there are none, no target, or an opset that the user asked for, and for models that
// are too large to be read again. `model` is legalized with these options.
VersionRange newer_opsets_of_targets(const Model& model, const LegalizeOptions& options);

// Tests whether the nodes that `result` refuses for their element types could be computed in
// narrower ones, which the user has to allow. `model` is the legalized model of `result`.
void settle_narrowing_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                             LegalizeResult& result);

// The most steps that the user may allow to be written one by one.
constexpr int64_t largest_most_steps = 65536;

// Tests the --unroll that the refusals of `result` advise, for nodes that repeat something more
// often than is written one by one. `model` is the legalized model of `result`.
void settle_unrolling_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                             LegalizeResult& result);

// Tests as which of the operators with similar names the nodes of `result` that have no rule could
// be lowered. `model` is the legalized model of `result`.
void settle_reading_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                           LegalizeResult& result);

// Whether a target refuses nodes of `result` for want of shapes, which may follow from what --fold
// computes, and the model is small enough to be read and legalized once more. `model` is the
// legalized model of `result`.
bool may_want_folding(const Model& model, const LegalizeOptions& options, const LegalizeResult& result);

}  // namespace onnx_lower
