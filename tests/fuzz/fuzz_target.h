// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is fuzzed: the functions that read what anybody may hand to the tool.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fuzz/random.h"

namespace onnx_lower::fuzz {

struct FuzzTarget {
  std::string_view name;  // of its folder in the corpus
  // Returns when all is as it should be, which a refusal may be too. Otherwise the program ends.
  void (*run)(std::string_view input);
  // Another input of the target's kind. It is made of `input`, and sometimes of `other` too.
  std::string (*mutate)(std::string_view input, std::string_view other, Random& random);
};

void run_model(std::string_view input);
void run_model_text(std::string_view input);
void run_rule_text(std::string_view input);
void run_condition(std::string_view input);
void run_manifest(std::string_view input);
void run_target_text(std::string_view input);

std::span<const FuzzTarget> fuzz_targets();
// Ends the program when there is no target of that name.
const FuzzTarget& fuzz_target(std::string_view name);

// Ends the program: something does not hold that must hold of every input.
[[noreturn]] void fail(std::string_view what);

}  // namespace onnx_lower::fuzz
