// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/element_types.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::aten_to {
namespace {

Lowering lower(const CallSite& site) {
  if (!site.has_input(1)) {
    Body body("aten", "to", {"x"}, {"y"}, 14);
    body("y", "Identity", {"x"});
    return body.function();
  }
  const int64_t dtype = site.need_number(1, 0);
  const auto type = element_type_of_dtype(dtype);
  if (!type) return Declined{fmt::format("ONNX has no type for the dtype {}", dtype)};
  // The inputs behind dtype say where and how to copy, which changes no value.
  std::vector<std::string> inputs = {"x", "dtype"};
  for (int index = 2; index < site.input_count(); ++index) inputs.push_back(fmt::format("unused{}", index));
  Body body("aten", "to", inputs, {"y"}, 18);
  body("y", "Cast", {"x"}, {{"to", *type}});
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "to",
                      .summary = "x in the type of number `dtype`.",
                      .source =
                          "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
                          "MemoryFormat? memory_format=None) -> Tensor(a)",
                      .inputs = "x, dtype",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_to
