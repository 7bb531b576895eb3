// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/opset_of_lowered.h"

#include <string>

#include "error.h"
#include "legalizer/legalizer.h"
#include "model_file/read_model.h"

namespace onnx_lower {
namespace {

// What is larger is not read twice.
constexpr size_t largest_read_twice = size_t{1} << 28;

bool stays_as_it_is(const Model& model, RuleLibrary& library, const LegalizeOptions& options) {
  if (model.input().bytes().size() > largest_read_twice) return false;
  try {
    Model again = read_model(InputFile::from_bytes(model.input().path(), std::string(model.input().bytes())));
    const LegalizeResult result = legalize(again, library, options);
    return result.lowered.empty() && result.unlowered.empty();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

LegalizeOptions with_opset_of_lowered(const Model& model, RuleLibrary& library, LegalizeOptions options) {
  const VersionRange lowered = common_opsets_of_lowered(options.targets);
  if (options.target_opset || lowered.is_empty() || model.opset("") <= lowered.last) return options;
  options.is_lowered = !stays_as_it_is(model, library, options);
  return options;
}

}  // namespace onnx_lower
