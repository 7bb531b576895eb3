// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a target executes a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "legalizer/legalize_result.h"

namespace onnx_lower {

struct TargetVerdict {
  enum class Kind : uint8_t {
    as_it_is,        // the target takes the model that was read
    after_lowering,  // it takes what is written for it
    refused,
  };

  std::string target;
  Kind kind = Kind::refused;
  size_t nodes_before = 0;
  size_t nodes_after = 0;             // as many as before where the model is refused
  std::vector<std::string> warnings;  // of what is written, each a sentence without a full stop
  // Why the model is refused: the nodes that cannot be lowered, or the first of them; where there
  // are none, a problem of the whole model.
  std::vector<UnloweredNode> unlowered;
  std::string problem;
};

NLOHMANN_JSON_SERIALIZE_ENUM(TargetVerdict::Kind, {{TargetVerdict::Kind::refused, "refused"},
                                                   {TargetVerdict::Kind::as_it_is, "as_it_is"},
                                                   {TargetVerdict::Kind::after_lowering, "after_lowering"}})

}  // namespace onnx_lower
