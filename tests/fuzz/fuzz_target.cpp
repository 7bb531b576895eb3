// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/fuzz_target.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "fuzz/model_mutation.h"
#include "fuzz/text_mutation.h"

namespace onnx_lower::fuzz {
namespace {

constexpr FuzzTarget targets[] = {
    {"model", run_model, mutated_model},
    {"model_text", run_model_text, mutated_model_text},
    {"rule_text", run_rule_text, mutated_rule_text},
    {"condition", run_condition, mutated_condition},
    {"manifest", run_manifest, mutated_manifest},
    {"target_text", run_target_text, mutated_target_text},
};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() { return targets; }

const FuzzTarget& fuzz_target(std::string_view name) {
  for (const FuzzTarget& target : targets) {
    if (target.name == name) return target;
  }
  fail("there is no target " + std::string(name));
}

void fail(std::string_view what) {
  std::fprintf(stderr, "onnx-lower-fuzz: %.*s\n", static_cast<int>(what.size()), what.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace onnx_lower::fuzz
