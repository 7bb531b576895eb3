// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/derivation.h"

#include <fmt/format.h>

#include <string_view>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

// No path has a NUL: check_external_data() refuses a model that has such a location.
constexpr std::string_view marker("\0transposed", 11);

}  // namespace

void set_derivation(onnx::TensorProto& tensor, const Derivation& derivation) {
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", marker, derivation.tensor_offset,
                              derivation.tensor_size, derivation.bits, derivation.rows, derivation.columns,
                              derivation.row_bytes, derivation.flipped, derivation.first_row, derivation.widened,
                              derivation.has_sign, derivation.matrices));
}

bool is_derived(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL && tensor.external_data_size() == 1 &&
         tensor.external_data(0).value().starts_with(marker);
}

std::optional<Derivation> derivation_of(const TensorFacts& tensor) {
  std::string_view rest = tensor.external_data.location;
  if (!tensor.external || !rest.starts_with(marker)) return std::nullopt;
  Derivation derivation;
  rest.remove_prefix(marker.size());
  for (uint64_t* number : {&derivation.tensor_offset, &derivation.tensor_size, &derivation.bits, &derivation.rows,
                           &derivation.columns, &derivation.row_bytes, &derivation.flipped, &derivation.first_row,
                           &derivation.widened, &derivation.has_sign, &derivation.matrices}) {
    rest.remove_prefix(1);
    const std::string_view word = rest.substr(0, rest.find(' '));
    *number = number_in<uint64_t>(word).value();
    rest.remove_prefix(word.size());
  }
  return derivation;
}

}  // namespace onnx_lower
