// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/transposed_matrix.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "catch.h"

namespace onnx_lower {
namespace {

uint64_t element(const std::string& bytes, uint64_t first_bit, uint64_t bits) {
  uint64_t value = 0;
  for (uint64_t bit = 0; bit < bits; ++bit) {
    const auto byte = static_cast<uint8_t>(bytes[(first_bit + bit) / 8]);
    value |= static_cast<uint64_t>(byte >> ((first_bit + bit) % 8) & 1U) << bit;
  }
  return value;
}

std::string transposed(const StoredMatrix& matrix) {
  std::string result;
  transpose(matrix, [&result](Bytes block) { result += block; });
  return result;
}

// Each element as an integer of 8 bits, with a sign or without.
void check_widened(StoredMatrix matrix) {
  const std::string narrow = transposed(matrix);
  matrix.widened = true;
  matrix.has_sign = GENERATE(false, true);
  const std::string wide = transposed(matrix);
  REQUIRE(transposed_size(matrix) == matrix.rows * matrix.columns);
  REQUIRE(wide.size() == transposed_size(matrix));
  uint64_t wrong = 0;
  for (uint64_t index = 0; index < wide.size(); ++index) {
    int expected = static_cast<int>(element(narrow, index * matrix.bits, matrix.bits));
    if (matrix.has_sign && expected >> (matrix.bits - 1) != 0) expected -= 1 << matrix.bits;
    if (static_cast<uint8_t>(wide[index]) != static_cast<uint8_t>(expected)) ++wrong;
  }
  CHECK(wrong == 0);
}

void check_transposed(const StoredMatrix& matrix, const std::string& source) {
  const std::string result = transposed(matrix);
  REQUIRE(result.size() == transposed_size(matrix));
  uint64_t wrong = 0;
  for (uint64_t row = 0; row < matrix.rows; ++row) {
    for (uint64_t column = 0; column < matrix.columns; ++column) {
      const uint64_t before = element(source, row * matrix.row_bytes * 8 + column * matrix.bits, matrix.bits);
      const uint64_t after = element(result, (column * matrix.rows + row) * matrix.bits, matrix.bits);
      if (after != (before ^ matrix.flipped)) ++wrong;
    }
  }
  CHECK(wrong == 0);
  const uint64_t used = matrix.rows * matrix.columns * matrix.bits % 8;
  if (used != 0) CHECK(static_cast<uint8_t>(result.back()) >> used == 0);
}

TEST_CASE("a matrix of elements of any width is transposed, whatever its size") {
  std::mt19937 random;
  const uint64_t bits = GENERATE(2U, 4U, 8U, 16U, 32U);
  // Around the sizes of a tile, and of a block of the result.
  const auto [rows, columns] = GENERATE(std::pair<uint64_t, uint64_t>(1, 1), std::pair<uint64_t, uint64_t>(3, 5),
                                        std::pair<uint64_t, uint64_t>(7, 130), std::pair<uint64_t, uint64_t>(128, 128),
                                        std::pair<uint64_t, uint64_t>(129, 257), std::pair<uint64_t, uint64_t>(255, 64),
                                        std::pair<uint64_t, uint64_t>(300, 513), std::pair<uint64_t, uint64_t>(1, 70));
  const uint64_t gap = GENERATE(0U, 3U);
  const uint64_t row_bytes = (columns * bits + 7) / 8 + gap;
  std::string source(row_bytes * rows, '\0');
  for (char& byte : source) byte = static_cast<char>(random());
  StoredMatrix matrix{.bytes = source, .bits = bits, .rows = rows, .columns = columns, .row_bytes = row_bytes};
  CHECK(matrix.has_all_rows());
  check_transposed(matrix, source);
  if (bits > 8) return;
  matrix.flipped = uint64_t{1} << (bits - 1);
  check_transposed(matrix, source);
  if (bits < 8) check_widened(matrix);
}

TEST_CASE("several matrices are transposed each") {
  std::mt19937 random;
  const uint64_t bits = GENERATE(2U, 4U, 8U, 16U, 32U);
  const auto [rows, columns] = GENERATE(std::pair<uint64_t, uint64_t>(4, 8), std::pair<uint64_t, uint64_t>(1, 16),
                                        std::pair<uint64_t, uint64_t>(72, 65), std::pair<uint64_t, uint64_t>(3, 8));
  const bool widened = bits < 8 && GENERATE(false, true);
  const uint64_t row_bytes = (columns * bits + 7) / 8;
  const uint64_t matrix_bytes = rows * row_bytes;
  std::string source(3 * matrix_bytes, '\0');
  for (char& byte : source) byte = static_cast<char>(random());
  StoredMatrix matrix{
      .bytes = source, .bits = bits, .rows = rows, .columns = columns, .row_bytes = row_bytes, .widened = widened};
  std::string expected;
  for (uint64_t first = 0; first < source.size(); first += matrix_bytes) {
    matrix.bytes = Bytes(source).substr(first, matrix_bytes);
    expected += transposed(matrix);
  }
  matrix.bytes = source;
  matrix.matrices = 3;
  CHECK(matrix.has_all_rows());
  CHECK(transposed_size(matrix) == expected.size());
  CHECK(transposed(matrix) == expected);
  matrix.matrices = 4;
  CHECK_FALSE(matrix.has_all_rows());
}

TEST_CASE("a matrix whose rows are not all there is told") {
  const std::string bytes(11, 'a');
  CHECK(StoredMatrix{.bytes = bytes, .rows = 3, .columns = 3, .row_bytes = 4}.has_all_rows());
  CHECK_FALSE(StoredMatrix{.bytes = bytes, .rows = 3, .columns = 4, .row_bytes = 4}.has_all_rows());
  CHECK_FALSE(StoredMatrix{.bytes = bytes, .rows = 0, .columns = 4, .row_bytes = 4}.has_all_rows());
}

}  // namespace
}  // namespace onnx_lower
