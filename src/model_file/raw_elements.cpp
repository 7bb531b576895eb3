// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/raw_elements.h"

#include <string>

#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

using F = field::Tensor;

// Converts the numbers of a field, packed or not, to machine order, which is the order of raw data.
// `take` gets each varint; numbers of fixed width are appended as they are.
template <typename Take>
void append_numbers(const WireField& field, std::string& fixed, Take take) {
  switch (field.type) {
    case WireType::varint:
      take(field.value);
      break;
    case WireType::fixed32:
      fixed.append(reinterpret_cast<const char*>(&field.value), sizeof(uint32_t));
      break;
    case WireType::fixed64:
      fixed.append(reinterpret_cast<const char*>(&field.value), sizeof(uint64_t));
      break;
    default:
      for (WireReader packed(field.content); !packed.at_end();) take(packed.varint());
      break;
  }
}

// Packs elements of six bits: four of them in three bytes, the first in the lowest bits.
std::string packed_six_bits(const std::string& elements) {
  std::string bytes((elements.size() * 6 + 7) / 8, '\0');
  for (size_t i = 0; i < elements.size(); ++i) {
    const unsigned bits = static_cast<uint8_t>(elements[i]) & 0x3fu;
    const size_t at = i * 6 / 8;
    const unsigned shifted = bits << (i * 6 % 8);
    bytes[at] = static_cast<char>(static_cast<uint8_t>(bytes[at]) | (shifted & 0xff));
    if (shifted > 0xff) bytes[at + 1] = static_cast<char>(shifted >> 8);
  }
  return bytes;
}

}  // namespace

std::optional<Bytes> raw_elements(Model& model, Bytes tensor, const TensorFacts& facts) {
  const int bits = bits_per_element(facts.data_type);
  if (bits == 0) return std::nullopt;
  const auto width = static_cast<size_t>(bits < 8 ? 1 : bits / 8);
  std::optional<Bytes> raw;
  Bytes packed_floats;  // the whole content, if it is one packed field
  size_t float_fields = 0;
  std::string numbers;
  const auto take = [&](uint64_t number) { numbers.append(reinterpret_cast<const char*>(&number), width); };
  WireField field;
  for (WireReader reader(tensor); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(F::raw_data):
        raw = field.content;
        break;
      case delimited_tag(F::segment):
        return std::nullopt;
      case delimited_tag(F::float_data):
      case delimited_tag(F::double_data):
      case wire_tag(F::float_data, WireType::fixed32):
      case wire_tag(F::double_data, WireType::fixed64):
        ++float_fields;
        if (field.type == WireType::length_delimited) {
          if (float_fields == 1) {
            packed_floats = field.content;
          } else {
            numbers.append(field.content);
          }
        } else {
          append_numbers(field, numbers, take);
        }
        break;
      case delimited_tag(F::int32_data):
      case delimited_tag(F::int64_data):
      case delimited_tag(F::uint64_data):
      case varint_tag(F::int32_data):
      case varint_tag(F::int64_data):
      case varint_tag(F::uint64_data):
        append_numbers(field, numbers, take);
        break;
      default:
        break;
    }
  }
  if (raw) return raw;
  if (float_fields > 0) {
    if (numbers.empty()) return packed_floats;
    numbers.insert(0, packed_floats);
  }
  if (bits == 6) numbers = packed_six_bits(numbers);
  if (numbers.size() != facts.byte_size) return std::nullopt;
  return model.keep(numbers);
}

}  // namespace onnx_lower
