// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a valid model is: checked of the input before, and of the output after.
#pragma once

#include <memory>

#include "model_file/model.h"

namespace onnx_lower {

// Every name is defined once in its scope and before it is used, graph outputs exist, the imported versions exist, and the standard
// operators' nodes have the inputs, outputs and attributes that their schemas ask for. Nodes that the schemas do not know pass.
class ModelChecker {
 public:
  // `model` must outlive the checker.
  explicit ModelChecker(const Model& model);
  ~ModelChecker();

  // Throws InvalidInput, which names the file and the node. Called again after the model was changed, it compares with their schemas only the nodes that
  // are new, or whose schema is another one now.
  void check();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// One check.
void check_model(const Model& model);

}  // namespace onnx_lower
