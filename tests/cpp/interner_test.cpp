// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/interner.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"

namespace onnx_lower {
namespace {

// The next name "PREFIX0", "PREFIX1" … whose hash has a remainder that is wanted.
template <typename Wanted>
std::string next_name(std::string_view prefix, int& number, size_t slots, const Wanted& is_wanted) {
  for (;;) {
    std::string name = fmt::format("{}{}", prefix, number++);
    if (is_wanted(hash_of(name) % slots)) return name;
  }
}

// Names are put into a table that has grown in the order of their slots before, and a row of slots
// may begin at the last one: then the newest name, which came into the first slot, stands before an
// older one.
TEST_CASE("a name that is forgotten hides no other") {
  constexpr size_t slots = 1024;
  constexpr size_t before_it_grows = slots * 3 / 4;
  int number = 0;
  const auto is_last = [](size_t remainder) { return remainder == slots - 1; };
  std::vector<std::string> names = {next_name("last", number, slots * 2, is_last)};
  while (names.size() + 1 < before_it_grows)  // with the empty name
    names.push_back(next_name("other", number, slots, [](size_t slot) { return slot > 0 && slot < slots * 7 / 8; }));
  Interner interner;
  for (size_t index = 0; index < names.size(); ++index) REQUIRE(interner.intern(names[index]) == index + 1);
  const std::string newest = next_name("last", number, slots * 2, is_last);
  REQUIRE(interner.intern(newest) == names.size() + 1);
  interner.forget_newest(hash_of(newest), false);
  CHECK(!interner.find(newest));
  for (size_t index = 0; index < names.size(); ++index) CHECK(interner.find(names[index]) == index + 1);
}

TEST_CASE("a name that is forgotten and stays known is told from a new one") {
  Interner interner;
  const auto same = [](std::string_view name) { return name; };
  const std::string name = "of/a/run";
  REQUIRE(!interner.intern_made(name, hash_of(name), same).was_forgotten);
  interner.forget_newest(hash_of(name), true);
  CHECK(!interner.find(name));
  CHECK(interner.intern_made(name, hash_of(name), same).was_forgotten);
}

}  // namespace
}  // namespace onnx_lower
