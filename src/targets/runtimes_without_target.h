// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Runtimes that people ask for by name and that have no target.
#pragma once

#include <string_view>

namespace onnx_lower {

// What is known of a runtime without a target, and what to give in its place, as a clause; empty
// for a name that is not known. A version may stand behind the name.
std::string_view advice_without_target(std::string_view name);

}  // namespace onnx_lower
