// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the user asks of --verify.
#pragma once

#include <cstdint>
#include <string>

namespace onnx_lower {

struct VerifyOptions {
  bool is_asked = false;
  // Of two models that are compared, and not lowered, the one that was made.
  std::string second;
  std::string onnxruntime;  // the library or its folder; empty: to be searched for
  std::string inputs_file;  // .npz; empty: all inputs are drawn
  uint64_t seed = 0;
  int runs = 3;
};

}  // namespace onnx_lower
