// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that no rule can say, and what their users do instead.
#pragma once

#include <string_view>

namespace onnx_lower {

// Why standard operators cannot say the operator, and what to do instead: a sentence without a full
// stop. Empty for an operator of which that is not known.
std::string_view why_beyond_rules(std::string_view domain, std::string_view op_type);

}  // namespace onnx_lower
