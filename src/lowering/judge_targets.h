// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Asks targets whether they execute a model, one after another.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "legalizer/legalize_options.h"
#include "lowering/lowered_model.h"
#include "report/target_verdict.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// What became of a model that was lowered for the targets of the options. `name` is the verdict's;
// `imports` are those of the model before it was lowered.
TargetVerdict verdict_of(LoweredModel& lowered, const std::string& name, const std::vector<OpsetImport>& imports);

// The verdict of a target that refuses the model as a whole.
TargetVerdict refused_whole(const std::string& target, const Model& model, const std::string& problem);

// Reads the model once more, and lowers it for one target alone, up to where the options say: of a
// model that is refused, the verdict has all nodes that cannot be lowered, or the first.
TargetVerdict judge(const Model& model, const std::shared_ptr<const TargetFile>& target, RuleLibrary& library,
                    LegalizeOptions options);

// What all targets that are compiled in say, asked by so many threads. Each thread has a library of
// its own, which `new_library` makes, as rules are read when they are asked for.
std::vector<TargetVerdict> judge_all(const Model& model, const std::function<RuleLibrary()>& new_library,
                                     const LegalizeOptions& options, int threads);

}  // namespace onnx_lower
