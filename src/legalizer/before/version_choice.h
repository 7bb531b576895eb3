// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which opsets and which IR version the written model is to have. What writes them is
// after/opset_imports.h and after/ir_version.h.
#pragma once

#include <cstdint>
#include <vector>

#include "legalizer/legalize_options.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// The options with the opset and the IR version that follow from their targets, where the user does
// not say them: the model's, or the nearest that all targets take; or an older one, if only that
// has an operator of the model as all targets take it.
LegalizeOptions with_versions_of_targets(const Model& model, RuleLibrary& library, LegalizeOptions options);

// The model's imports, with ai.onnx at the version that the user asks for. Where the model does not
// import ai.onnx or ai.onnx.ml, the newest versions that readers of the model's IR version know
// stand in.
std::vector<OpsetImport> target_opsets(const Model& model, const LegalizeOptions& options);

// What the options ask for: --ir-version, or else with --target-opset the IR version of the release
// that brought the opset, if that is lower than the model's.
int64_t wanted_ir_version(const Model& model, const LegalizeOptions& options);

// Whether --target-opset asks for the opset, and with it for the IR version, that the model has.
bool asks_for_the_opset_it_has(const Model& model, const LegalizeOptions& options);

}  // namespace onnx_lower
