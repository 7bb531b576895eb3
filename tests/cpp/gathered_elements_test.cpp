// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/gathered_elements.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "model_file/transposed_matrix.h"

namespace onnx_lower {
namespace {

std::string random_bytes(size_t size) {
  std::mt19937 random(1);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string gathered(const GatheredElements& elements) {
  std::string result;
  gather(elements, [&result](Bytes block) { result += block; });
  return result;
}

uint64_t bits_at(const std::string& bytes, uint64_t first_bit, uint64_t bits) {
  uint64_t value = 0;
  for (uint64_t bit = first_bit; bit < first_bit + bits; ++bit)
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[bit / 8]) >> bit % 8 & 1U) << (bit - first_bit);
  return value;
}

// Each element by the definition of a derivation, one by one.
void check_gathered(const std::string& source, const Derivation& how) {
  const GatheredElements elements{.bytes = source, .how = how};
  REQUIRE(elements.lie_within());
  const std::string result = gathered(elements);
  REQUIRE(result.size() == gathered_size(elements));
  const uint64_t width = how.widened ? 8 : how.bits;
  uint64_t index = 0, wrong = 0;
  for (const int64_t row : offsets_of(how.rows)) {
    for (const int64_t column : offsets_of(how.columns)) {
      const auto place = static_cast<uint64_t>(static_cast<int64_t>(how.first_bit) + row + column);
      const uint64_t all = how.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << how.bits) - 1;
      uint64_t expected = ((bits_at(source, place, how.bits) + how.added) & all) ^ how.flipped;
      if (how.widened && how.has_sign && expected >> (how.bits - 1) != 0) expected |= 0xff & ~all;
      if (bits_at(result, index++ * width, width) != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("the digits of an index say where its element lies") {
  CHECK(offsets_of({}) == std::vector<int64_t>{0});
  CHECK(offsets_of({{2, 100}, {3, -1}}) == std::vector<int64_t>{0, -1, -2, 100, 99, 98});
}

TEST_CASE("codes in words are gathered in any order of their places") {
  const std::string source = random_bytes(37 * 16 * 4);
  const bool is_widened = GENERATE(false, true);
  const uint64_t added = GENERATE(0, 3);
  // AWQ's order: 0, 4, 1, 5, 2, 6, 3, 7.
  const std::vector<Step> columns = {{16, 32}, {4, 4}, {2, 16}};
  check_gathered(source, {.bits = 4,
                          .rows = {{37, 16 * 32}},
                          .columns = columns,
                          .added = added,
                          .flipped = 8,
                          .widened = is_widened,
                          .has_sign = true});
  check_gathered(source, {.bits = 2, .rows = {{37, 16 * 32}}, .columns = {{16, 32}, {2, 2}, {8, 4}}, .added = added});
  // The columns in reverse, and rows that are read twice.
  check_gathered(source,
                 {.bits = 4, .first_bit = 15 * 32, .rows = {{2, 0}, {37, 16 * 32}}, .columns = {{16, -32}, {8, 4}}});
}

TEST_CASE("the places of words become rows") {
  const std::string source = random_bytes(21 * 48 * 4);
  const bool is_widened = GENERATE(false, true), has_sign = GENERATE(false, true);
  for (const uint64_t bits : {uint64_t{4}, uint64_t{8}}) {
    const Derivation how{.bits = bits,
                         .rows = {{21, 48 * 32}, {32 / bits, static_cast<int64_t>(bits)}},
                         .columns = {{48, 32}},
                         .flipped = has_sign ? uint64_t{1} << (bits - 1) : 0,
                         .widened = is_widened && bits < 8,
                         .has_sign = has_sign};
    CHECK(has_rows_of_words(how));
    check_gathered(source, how);
  }
}

TEST_CASE("rows that end within a byte are gathered one behind another") {
  check_gathered(random_bytes(100), {.bits = 4, .rows = {{13, 24}}, .columns = {{5, 4}}});
  check_gathered(random_bytes(100), {.bits = 2, .rows = {{21, 16}}, .columns = {{3, 4}}, .flipped = 2});
}

TEST_CASE("whole numbers are gathered") {
  check_gathered(random_bytes(640),
                 {.bits = 8, .rows = {{5, 8}}, .columns = {{128, 40}}, .added = 200, .flipped = 128});
  check_gathered(random_bytes(640), {.bits = 16, .rows = {{5, 16}}, .columns = {{64, 80}}});
  check_gathered(random_bytes(640), {.bits = 32, .rows = {{4, 0}, {5, 32}}, .columns = {{32, 160}}});
}

TEST_CASE("a large tensor is gathered in blocks") {
  check_gathered(random_bytes(3 << 20),
                 {.bits = 4, .rows = {{3 << 10, 8192}}, .columns = {{256, 32}, {4, 4}, {2, 16}}});
  check_gathered(random_bytes(3 << 20), {.bits = 4, .rows = {{1024, 4}}, .columns = {{6144, 4096}}});
}

TEST_CASE("elements beyond the bytes, or in two of them, are told") {
  const std::string source = random_bytes(16);
  const auto lie_within = [&](const Derivation& how) {
    return GatheredElements{.bytes = source, .how = how}.lie_within();
  };
  CHECK(lie_within({.bits = 4, .rows = {{4, 32}}, .columns = {{8, 4}}}));
  CHECK_FALSE(lie_within({.bits = 4, .rows = {{5, 32}}, .columns = {{8, 4}}}));
  CHECK_FALSE(lie_within({.bits = 4, .rows = {{4, -32}}, .columns = {{8, 4}}}));
  CHECK_FALSE(lie_within({.bits = 4, .rows = {{4, 30}}, .columns = {{8, 4}}}));
  CHECK_FALSE(lie_within({.bits = 4, .rows = {{0, 32}}, .columns = {{8, 4}}}));
}

TEST_CASE("a derivation knows the matrices that it transposes") {
  const StoredMatrices matrices{.rows = 6, .columns = 8, .row_bytes = 4, .matrices = 5, .first_row = 2};
  Derivation how{.bits = 4};
  set_transposed(how, matrices);
  const std::optional<StoredMatrices> found = transposed_matrices(how);
  REQUIRE(found);
  CHECK(found->rows == 6);
  CHECK(found->columns == 8);
  CHECK(found->row_bytes == 4);
  CHECK(found->matrices == 5);
  CHECK(found->first_row == 2);
  const std::string source = random_bytes(2 * 4 + 5 * 6 * 4);
  check_gathered(source, how);
  const StoredMatrix matrix{
      .bytes = Bytes(source).substr(8), .bits = 4, .rows = 6, .columns = 8, .row_bytes = 4, .matrices = 5};
  std::string transposed;
  transpose(matrix, [&](Bytes block) { transposed += block; });
  CHECK(transposed == gathered({.bytes = source, .how = how}));
  how.columns.push_back({2, 16});
  CHECK_FALSE(transposed_matrices(how));
}

TEST_CASE("a derivation is read from the tensor that has it") {
  const Derivation how{.tensor_offset = 7,
                       .tensor_size = 123,
                       .bits = 4,
                       .first_bit = 8,
                       .rows = {{4, 32}, {2, -4}},
                       .columns = {{9, 0}},
                       .added = 5,
                       .flipped = 8,
                       .widened = true,
                       .has_sign = true};
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT4);
  set_derivation(tensor, how);
  CHECK(is_derived(tensor));
  TensorFacts facts;
  facts.external = true;
  facts.external_data.location = tensor.external_data(0).value();
  CHECK(derivation_of(facts) == how);
}

}  // namespace
}  // namespace onnx_lower
