// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/derivation.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

// No path has a NUL: check_external_data() refuses a model that has such a location.
constexpr std::string_view marker("\0derived", 8);

void append_steps(std::string& text, const std::vector<Step>& steps) {
  text += fmt::format(" {}", steps.size());
  for (const Step& step : steps) text += fmt::format(" {} {}", step.count, step.stride);
}

// Takes the numbers of a location one by one.
class NumbersOfLocation {
 public:
  explicit NumbersOfLocation(std::string_view rest) : rest_(rest) {}

  template <typename Number>
  Number next() {
    rest_.remove_prefix(1);
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(word.size());
    return number_in<Number>(word).value();
  }

  std::vector<Step> steps() {
    std::vector<Step> steps(next<uint64_t>());
    for (Step& step : steps) {
      step.count = next<uint64_t>();
      step.stride = next<int64_t>();
    }
    return steps;
  }

 private:
  std::string_view rest_;
};

}  // namespace

void set_transposed(Derivation& derivation, const StoredMatrices& matrices) {
  const auto row_bits = static_cast<int64_t>(matrices.row_bytes * 8);
  derivation.first_bit = matrices.first_row * matrices.row_bytes * 8;
  derivation.rows.clear();
  if (matrices.matrices > 1)
    derivation.rows.push_back({matrices.matrices, static_cast<int64_t>(matrices.rows) * row_bits});
  derivation.rows.push_back({matrices.columns, static_cast<int64_t>(derivation.bits)});
  derivation.columns = {{matrices.rows, row_bits}};
}

std::optional<StoredMatrices> transposed_matrices(const Derivation& derivation) {
  if (derivation.rows.empty() || derivation.rows.size() > 2 || derivation.columns.size() != 1) return std::nullopt;
  const Step& column = derivation.columns[0];
  const Step& row = derivation.rows.back();
  if (column.stride < 0 || column.stride % 8 != 0 || std::cmp_not_equal(row.stride, derivation.bits) ||
      derivation.added != 0 || derivation.first_bit % 8 != 0)
    return std::nullopt;
  StoredMatrices matrices{
      .rows = column.count, .columns = row.count, .row_bytes = static_cast<uint64_t>(column.stride) / 8};
  const uint64_t used_bytes = (matrices.columns * derivation.bits + 7) / 8;
  if (matrices.rows == 1) matrices.row_bytes = used_bytes;  // there is no next row
  if (matrices.row_bytes < used_bytes) return std::nullopt;
  if (derivation.rows.size() == 2) {
    matrices.matrices = derivation.rows[0].count;
    if (std::cmp_not_equal(derivation.rows[0].stride, matrices.rows * matrices.row_bytes * 8)) return std::nullopt;
  }
  const uint64_t before = derivation.first_bit / 8;
  if (before == 0) return matrices;
  if (matrices.row_bytes == 0 || before % matrices.row_bytes != 0) return std::nullopt;
  matrices.first_row = before / matrices.row_bytes;
  return matrices;
}

void set_derivation(onnx::TensorProto& tensor, const Derivation& derivation) {
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  std::string location = fmt::format("{} {} {} {} {} {} {} {} {}", marker, derivation.tensor_offset,
                                     derivation.tensor_size, derivation.bits, derivation.first_bit, derivation.added,
                                     derivation.flipped, derivation.widened ? 1 : 0, derivation.has_sign ? 1 : 0);
  append_steps(location, derivation.rows);
  append_steps(location, derivation.columns);
  entry.set_value(location);
}

bool is_derived(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL && tensor.external_data_size() == 1 &&
         tensor.external_data(0).value().starts_with(marker);
}

std::optional<Derivation> derivation_of(const TensorFacts& tensor) {
  const std::string_view location = tensor.external_data.location;
  if (!tensor.external || !location.starts_with(marker)) return std::nullopt;
  NumbersOfLocation numbers(location.substr(marker.size()));
  Derivation derivation;
  for (uint64_t* number : {&derivation.tensor_offset, &derivation.tensor_size, &derivation.bits, &derivation.first_bit,
                           &derivation.added, &derivation.flipped})
    *number = numbers.next<uint64_t>();
  derivation.widened = numbers.next<uint64_t>() != 0;
  derivation.has_sign = numbers.next<uint64_t>() != 0;
  derivation.rows = numbers.steps();
  derivation.columns = numbers.steps();
  return derivation;
}

}  // namespace onnx_lower
