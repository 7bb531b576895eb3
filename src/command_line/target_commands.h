// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the tool does with targets alone: --list-targets, --show-target.
#pragma once

#include "command_line/options.h"

namespace onnx_lower {

void list_targets(const Options& options);
void show_target(const Options& options);

}  // namespace onnx_lower
