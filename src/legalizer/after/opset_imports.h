// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The versions that the written model imports.
#pragma once

#include <string>
#include <vector>

#include "legalizer/knowledge/opset_contexts.h"
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

// The imports of a function that stays, when the model that calls it gets other versions of
// standard domains than it had `before`: readers want both to say the same of an operator.
void follow_model_opsets(std::vector<OpsetImport>& imports, const std::vector<OpsetImport>& before,
                         const std::vector<OpsetImport>& now);

// Puts these in the place of what the function imports.
void write_imports(Model& model, Function& function, std::vector<OpsetImport> imports);

// Gives a function whose body was lowered the imports that its new nodes need: of standard domains
// as the target has them, of others as they were noted.
void complete_imports(Model& model, Function& function, const OpsetContexts& contexts, OpsetContext target);

// Gives the model the imports of `opsets` that its nodes use, that of ai.onnx, and no custom one
// that nothing uses; other standard ones that it had and nothing uses stay unless `drops_standard`.
// What only a function imported whose nodes are the model's now was noted in `contexts`. Returns
// the domains that went.
std::vector<std::string> update_opset_imports(Model& model, const std::vector<OpsetImport>& opsets,
                                              const OpsetContexts& contexts, bool drops_standard);

}  // namespace onnx_lower
