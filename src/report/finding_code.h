// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Numbers for the kinds of what messages and reports tell: why nodes cannot be lowered (below
// OL100), and what the user should look at. A number keeps its meaning in all versions.
#pragma once

#include <span>
#include <string_view>

#include "legalizer/legalize_result.h"

namespace onnx_lower {

struct FindingCode {
  std::string_view code;         // "OL003"
  std::string_view title;        // a clause
  std::string_view explanation;  // a paragraph: what it means, and what to do
};

std::span<const FindingCode> finding_codes();

// That code, which has to exist.
const FindingCode& finding_code(std::string_view code);

// The kind of the reason that counts: what the user can do most about.
const FindingCode& code_of(const UnloweredNode& node);

}  // namespace onnx_lower
