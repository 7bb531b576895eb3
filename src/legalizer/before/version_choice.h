// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Chooses the opsets and the IR version of the written model. after/opset_imports.h and
// after/ir_version.h write them.
#pragma once

#include <cstdint>
#include <vector>

#include "legalizer/legalize_options.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// The versions of ai.onnx at which all targets of the options take this model, or one that is
// lowered if the options say that it is; empty where there are none.
VersionRange opsets_of_targets(const Model& model, const LegalizeOptions& options);

// The options, with the opset and the IR version that follow from their targets, where the user
// gives none: the model's, or the nearest that all targets take; or an older opset, if all targets
// take an operator of the model only there.
LegalizeOptions with_versions_of_targets(const Model& model, RuleLibrary& library, LegalizeOptions options);

// The imports of the written model: the model's own, with ai.onnx at the version that the user asks
// for. Where the model does not import ai.onnx or ai.onnx.ml, it gets the newest versions that
// readers of its IR version know.
std::vector<OpsetImport> target_opsets(const Model& model, const LegalizeOptions& options);

// The IR version that the options ask for: that of --ir-version; or with --target-opset that of the
// onnx release which brought the opset, if it is lower than the model's; or the model's.
int64_t wanted_ir_version(const Model& model, const LegalizeOptions& options);

// Whether --target-opset asks for the opset, and so for the IR version, that the model has already.
bool asks_for_the_opset_it_has(const Model& model, const LegalizeOptions& options);

}  // namespace onnx_lower
