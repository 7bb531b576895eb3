// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/body/attribute_binding.h"

#include <string>
#include <vector>

#include "catch.h"

namespace onnx_lower {
namespace {

TEST_CASE("a binding of attributes that is cleared forgets all of them, few or many") {
  for (const size_t count : {size_t{3}, size_t{40}}) {
    std::vector<std::string> names;
    for (size_t index = 0; index < count; ++index) names.push_back("a" + std::to_string(index));
    AttributeBinding binding;
    for (const int64_t number : {1, 2}) {
      binding.clear(false);
      for (const std::string& name : names) {
        onnx::AttributeProto attribute;
        attribute.set_i(number);
        CHECK(binding.find(name) == nullptr);
        binding.add_owned(name, attribute);
      }
      for (const std::string& name : names) {
        REQUIRE(binding.find(name) != nullptr);
        CHECK(binding.find(name)->i() == number);
      }
    }
    binding.clear(false);
    CHECK(binding.find(names.back()) == nullptr);
  }
}

}  // namespace
}  // namespace onnx_lower
