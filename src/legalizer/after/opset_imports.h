// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes the opset imports of the model and of its functions.
#pragma once

#include <string>
#include <vector>

#include "legalizer/knowledge/opset_contexts.h"
#include "model_file/model.h"

namespace onnx_lower {

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
