// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is wrong with a target's file that can be read: conditions that decide nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "targets/target_file.h"

namespace onnx_lower {

struct TargetFinding {
  int line = 0;
  std::string part;  // of the line's condition
  std::string message;
};

// Parts of conditions that no node can make false, or none true, whatever its inputs, attributes
// and types are: of `constant(scales) or constant(sizes)` one is always absent, and an absent input
// counts as a constant.
std::vector<TargetFinding> check_target(const TargetFile& target);

}  // namespace onnx_lower
