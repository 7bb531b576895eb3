// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of a model, with options and rules in its metadata.

#include <sstream>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/lowering_oracle.h"

namespace onnx_lower::fuzz {

void run_model(std::string_view input) {
  onnx::ModelProto model;
  std::vector<std::string> arguments;
  std::string rules;
  if (model.ParseFromArray(input.data(), static_cast<int>(input.size()))) {
    for (const onnx::StringStringEntryProto& entry : model.metadata_props()) {
      if (entry.key() == rules_key) rules = entry.value();
      if (entry.key() != arguments_key) continue;
      std::istringstream words(entry.value());
      for (std::string word; words >> word;) arguments.push_back(word);
    }
  }
  check_lowering(input, arguments, rules);
}

}  // namespace onnx_lower::fuzz
