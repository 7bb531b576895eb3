// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/unused_options.h"

#include "legalizer/ir_version.h"

namespace onnx_lower {

std::vector<std::string> unused_keeps(const Model& model, const Options& options) {
  std::vector<std::string> unused;
  for (size_t i = 0; i < options.legalize.kept.size(); ++i) {
    const OperatorPattern& pattern = options.legalize.kept[i];
    bool fits = false;
    for (OperatorId id = 0; id < model.operator_count() && !fits; ++id)
      fits = pattern.fits(model.op(id).domain, model.op(id).op_type);
    if (!fits) unused.push_back(options.kept_texts[i]);
  }
  return unused;
}

bool is_target_opset_unused(const Model& model, const Options& options) {
  return options.legalize.target_opset && *options.legalize.target_opset == model.opset("") &&
         wanted_ir_version(model, options.legalize) == model.ir_version;
}

}  // namespace onnx_lower
