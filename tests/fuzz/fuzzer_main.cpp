// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// libFuzzer's entry points. onnx-lower-fuzz --target=NAME …: the rest are libFuzzer's own options.

#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

using onnx_lower::fuzz::FuzzTarget;
using onnx_lower::fuzz::Random;

const FuzzTarget* chosen = nullptr;

std::string_view view(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// Puts what fits into libFuzzer's buffer; 0: it does not fit.
size_t put(const std::string& made, uint8_t* data, size_t most) {
  if (made.size() > most) return 0;
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view option = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument.starts_with(option)) chosen = &onnx_lower::fuzz::fuzz_target(argument.substr(option.size()));
  }
  if (chosen == nullptr) onnx_lower::fuzz::fail("say --target=NAME");
  google::protobuf::SetLogHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  chosen->run(view(data, size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  Random random(seed);
  // Bytes are changed blindly now and then: what no longer has a structure must be refused, too.
  if (!random.chance(20)) {
    if (const size_t made = put(chosen->mutate(view(data, size), {}, random), data, most)) return made;
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t most, unsigned seed) {
  Random random(seed);
  return put(chosen->mutate(view(one, one_size), view(other, other_size), random), out, most);
}
