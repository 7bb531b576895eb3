// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether two models compute the same numbers in ONNX Runtime, and where they begin to differ.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "verify/runtime_process.h"
#include "verify/verify_options.h"
#include "verify/verify_result.h"

namespace onnx_lower {

// A model as it is compared: what is known of it, and what the runtime gets.
class VerifiedModel {
 public:
  // The model in a file. Throws what read_model() throws.
  static VerifiedModel of_file(const std::string& path);
  // A model in memory, as it would be written. `data_folder`: what locations of its external data
  // are relative to.
  static VerifiedModel of(Model& model, const std::string& name, const std::string& data_folder);

  const Model& model() const { return model_; }
  const RunnableModel& runnable() const { return runnable_; }

 private:
  VerifiedModel(Model model, std::optional<UnnamedFile> file) : file_(std::move(file)), model_(std::move(model)) {}

  std::optional<UnnamedFile> file_;
  Model model_;
  RunnableModel runnable_;
};

// The original with its custom nodes kept and the bodies of their rules attached as functions.
// Throws what lowering throws.
using WithFunctions = std::function<VerifiedModel()>;

// Runs both on the same inputs, and compares their outputs. `given`: sizes and values of inputs
// that the user gives. `lowered`: what became of the original's nodes, where that is known. Throws
// FileError where there is no runtime, and InvalidInput where the original does not run in it.
VerifyResult verify(const VerifiedModel& original, const VerifiedModel& output, const VerifyOptions& options,
                    const LegalizeOptions& given, const WithFunctions& with_functions,
                    const LegalizeResult* lowered = nullptr);

}  // namespace onnx_lower
