// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes the opset imports of the model and of its functions.
#pragma once

#include <string>
#include <vector>

#include "legalizer/knowledge/opset_contexts.h"
#include "model_file/model.h"

namespace onnx_lower {

// Changes the imports of a function that stays, where the model gets other versions (`now`) of
// standard domains than it had (`before`): readers want both to import the same version.
void follow_model_opsets(std::vector<OpsetImport>& imports, const std::vector<OpsetImport>& before,
                         const std::vector<OpsetImport>& now);

// Replaces the imports of the function by these.
void write_imports(Model& model, Function& function, std::vector<OpsetImport> imports);

// Adds the imports that the new nodes of a lowered function need: of standard domains as the target
// has them, of others as the model imports them or as they were noted.
void complete_imports(Model& model, Function& function, const OpsetContexts& contexts, OpsetContext target);

// Gives the model those imports of `opsets` that its nodes use, and that of ai.onnx. Imports that
// it had and nothing uses are dropped, but those of other standard domains only with
// `drops_standard`. A domain that only a function imported whose nodes are the model's now is
// imported as it was noted in `contexts`. Returns the domains that were dropped.
std::vector<std::string> update_opset_imports(Model& model, const std::vector<OpsetImport>& opsets,
                                              const OpsetContexts& contexts, bool drops_standard);

}  // namespace onnx_lower
