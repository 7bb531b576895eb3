// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Changes of texts that leave most of their tokens whole.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/random.h"

namespace onnx_lower::fuzz {

std::string mutated_model_text(std::string_view input, std::string_view other, Random& random);
std::string mutated_rule_text(std::string_view input, std::string_view other, Random& random);
std::string mutated_condition(std::string_view input, std::string_view other, Random& random);
std::string mutated_manifest(std::string_view input, std::string_view other, Random& random);
std::string mutated_target_text(std::string_view input, std::string_view other, Random& random);

}  // namespace onnx_lower::fuzz
