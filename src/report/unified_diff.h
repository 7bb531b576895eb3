// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Two texts as a unified diff.
#pragma once

#include <string>
#include <string_view>

#include "report/terminal.h"

namespace onnx_lower {

// The lines that differ, each group with three lines around it. Empty where none differ.
std::string unified_diff(const std::string& name_before, std::string_view before, const std::string& name_after,
                         std::string_view after, const Colors& colors);

}  // namespace onnx_lower
