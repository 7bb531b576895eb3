// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Constants of 4- and 2-bit integers in 8 bits, for opsets and runtimes that have no smaller ones.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "rules/body.h"

namespace onnx_lower {

// How many bits an element of the packed integer types has; 0 for other types.
inline int packed_bits(int type) {
  switch (type) {
    case onnx::TensorProto::INT4:
    case onnx::TensorProto::UINT4:
      return 4;
    case onnx::TensorProto::INT2:
    case onnx::TensorProto::UINT2:
      return 2;
    default:
      return 0;
  }
}

inline bool has_sign(int packed_type) {
  return packed_type == onnx::TensorProto::INT4 || packed_type == onnx::TensorProto::INT2;
}

// The version of ai.onnx that brought the packed integer type.
inline int64_t opset_of_packed(int type) { return packed_bits(type) == 4 ? 21 : 25; }

// Whether input `input` is of packed integers that the model's opset lacks.
inline bool is_packed_too_new(const CallSite& site, int input) {
  const std::optional<int> type = site.dtype(input);
  return type && packed_bits(*type) != 0 && site.opset() < opset_of_packed(*type);
}

// The elements of a tensor of packed integers, one in each byte; nothing if they are not at hand,
// or not as many as the shape says.
inline std::optional<std::string> unpacked_bytes(const onnx::TensorProto& tensor) {
  const int bits = packed_bits(tensor.data_type());
  if (bits == 0 || tensor.data_location() == onnx::TensorProto::EXTERNAL) return std::nullopt;
  std::size_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0 || (dim > 0 && count > (std::size_t{1} << 40) / static_cast<std::size_t>(dim))) return std::nullopt;
    count *= static_cast<std::size_t>(dim);
  }
  const std::size_t per_byte = 8 / static_cast<std::size_t>(bits);
  const std::size_t bytes = (count + per_byte - 1) / per_byte;
  const bool has_raw = tensor.has_raw_data();
  const auto stored = has_raw ? tensor.raw_data().size() : static_cast<std::size_t>(tensor.int32_data_size());
  // Older writers gave each element a number of its own.
  const bool is_packed = stored == bytes;
  if (!is_packed && (has_raw || stored != count)) return std::nullopt;
  const bool is_signed = has_sign(tensor.data_type());
  const unsigned mask = (1u << bits) - 1;
  const unsigned sign = 1u << (bits - 1);
  std::string elements(count, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = is_packed ? i / per_byte : i;
    const unsigned byte = has_raw ? static_cast<unsigned char>(tensor.raw_data()[place])
                                  : static_cast<unsigned>(tensor.int32_data(static_cast<int>(place)));
    const unsigned code = (is_packed ? byte >> (bits * (i % per_byte)) : byte) & mask;
    elements[i] = static_cast<char>(
        is_signed && (code & sign) != 0 ? static_cast<int>(code) - static_cast<int>(mask) - 1 : static_cast<int>(code));
  }
  return elements;
}

// A large constant of the model, of which nobody reads the elements before the model is written;
// nothing for small ones, which may be folded, and for those whose elements are numbers of their
// own.
inline std::optional<StoredTensor> large_stored(const CallSite& site, int input, const onnx::TensorProto& tensor) {
  constexpr std::size_t most_of_small = 1024;
  const bool is_external = tensor.data_location() == onnx::TensorProto::EXTERNAL;
  if (!is_external && tensor.raw_data().size() <= most_of_small) return std::nullopt;
  std::optional<StoredTensor> stored = site.stored_constant(input);
  if (stored && stored->element_type != tensor.data_type()) stored.reset();
  return stored;
}

// The stored tensor's elements in bytes, in their order.
inline void append_widened(Body& body, const StoredTensor& stored, std::string_view output) {
  uint64_t count = 1;
  for (const int64_t dim : stored.dims) {
    if (dim <= 0 || count > (uint64_t{1} << 40) / static_cast<uint64_t>(dim))
      decline("its weights are of a size that no file has");
    count *= static_cast<uint64_t>(dim);
  }
  const auto bits = static_cast<uint64_t>(packed_bits(stored.element_type));
  const bool is_signed = has_sign(stored.element_type);
  body.transposed(output, stored, is_signed ? onnx::TensorProto::INT8 : onnx::TensorProto::UINT8, stored.dims,
                  {.rows = 1, .columns = count, .row_bytes = (count * bits + 7) / 8},
                  {.bits = bits, .widened = true, .has_sign = is_signed});
}

// A Constant `output` with the elements of an input of packed integers as int8 or uint8.
inline void append_widened(const CallSite& site, Body& body, int input, std::string_view output) {
  const onnx::TensorProto* packed = site.constant(input);
  if (packed != nullptr && packed_bits(packed->data_type()) != 0) {
    if (const std::optional<StoredTensor> stored = large_stored(site, input, *packed))
      return append_widened(body, *stored, output);
  }
  std::optional<std::string> elements;
  if (packed != nullptr) elements = unpacked_bytes(*packed);
  if (!elements) {
    const int bits = packed_bits(*site.dtype(input));
    const std::string lacking = is_packed_too_new(site, input)
                                    ? fmt::format("opset {} has no integers of {} bits", site.opset(), bits)
                                    : fmt::format("integers of {} bits are not taken", bits);
    decline(fmt::format("{}, and input {} is not a constant that can be unpacked", lacking, input));
  }
  onnx::TensorProto tensor;
  tensor.set_data_type(has_sign(packed->data_type()) ? onnx::TensorProto::INT8 : onnx::TensorProto::UINT8);
  *tensor.mutable_dims() = packed->dims();
  tensor.set_raw_data(*std::move(elements));
  body.constant(output, std::move(tensor));
}

}  // namespace onnx_lower
