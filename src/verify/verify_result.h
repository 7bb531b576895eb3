// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What --verify found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/comparison.h"

namespace onnx_lower {

// Where two models that compute different numbers begin to.
struct FirstDifference {
  std::string value;  // which both have, and which differs
  std::string node;   // of the original, that makes it
  std::string op_type;
  // How the original's node was lowered, and how the nodes that make the value differ; each is a
  // clause, and may be empty.
  std::string lowered_by;
  std::string difference;
  ValueDifference numbers;
};

struct VerifyResult {
  bool is_same = false;
  std::string version;  // of ONNX Runtime
  std::string library;
  // How the original was run: "" as it is, else a clause such as "with its custom nodes as
  // functions".
  std::string original_as;
  int runs = 0;
  std::vector<ValueDifference> outputs;
  std::vector<std::string> undetermined;  // outputs that depend on random numbers
  std::vector<std::string> shapes;        // of the inputs
  std::optional<FirstDifference> first;
  double load_milliseconds = 0;
  double run_milliseconds = 0;
};

}  // namespace onnx_lower
