// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "schema_function.h"

namespace onnx_lower::native_rules::ai_onnx_any_schema_function {
namespace {

constexpr const char* preview_domain = "ai.onnx.preview";

// No runtime has the operators of this preview domain yet.
Lowering lower_preview(const CallSite& site) {
  const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(site.node().op_type(), preview_domain);
  if (schema == nullptr) return Declined{"ONNX has no such operator"};
  if (!schema->HasFunction() && !schema->HasContextDependentFunction())
    return Declined{.reason = "its schema has no function body", .is_of_signature = true};
  return body_of(site, *schema);
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "*",
                      .summary = "The function body in an operator's own schema.",
                      .source = "ONNX's operator schemas",
                      .takes_any_attribute = true,
                      .lower = schema_function};
const NativeRule::Registration registration{rule};

const NativeRule preview_rule{
    .domain = preview_domain,
    .op_type = "*",
    .summary = "The function body in the schema of an operator that is not yet in a version of ai.onnx.",
    .source = "ONNX's operator schemas",
    .takes_any_attribute = true,
    .lower = lower_preview};
const NativeRule::Registration preview_registration{preview_rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_any_schema_function
