// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope_sources.h"

namespace onnx_lower {

OperatorMeaning PlacedMeanings::meaning_of(std::string_view domain, const std::string& op_type,
                                           const std::string& overload) const {
  const OperatorId op = model_.intern_operator({domain, op_type, overload});
  return {.version = facts_.of(op, target_).version, .function = functions_.message(op)};
}

}  // namespace onnx_lower
