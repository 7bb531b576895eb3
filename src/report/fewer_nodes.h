// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a run says of nodes that another target makes fewer of.
#pragma once

#include <cstddef>
#include <string>

namespace onnx_lower {

// Nodes of one operator that became many nodes each, and few or none for a target.
struct FewerNodes {
  std::string op;      // "torchvision::deform_conv2d"
  size_t made = 0;     // of one such node, the first
  std::string target;  // as --target takes it
  size_t there = 0;    // of the same node for that target; 0: it stays
};

}  // namespace onnx_lower
