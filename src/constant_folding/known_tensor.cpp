// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "constant_folding/known_tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "half_precision.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

static_assert(std::endian::native == std::endian::little, "raw_data is little endian");

// `bits` holds the bits of an element; bits above those are ignored.
int64_t element_of(uint64_t bits, int element_type) { return wrapped(static_cast<int64_t>(bits), element_type); }

template <typename Field, typename Bits>
bool append_elements(const Field& field, size_t count, KnownTensor& known, Bits bits) {
  if (static_cast<size_t>(field.size()) != count) return false;
  for (const auto element : field) known.elements.emplace_back(element_of(bits(element), known.element_type));
  return true;
}

}  // namespace

bool KnownTensor::is_known() const {
  return std::ranges::all_of(elements, [](const auto& element) { return element.has_value(); });
}

size_t element_width(int element_type) {
  const bool is_known = is_integer_or_bool(element_type) || is_float_or_double(element_type) ||
                        element_type == TensorProto::FLOAT16 || element_type == TensorProto::BFLOAT16;
  return is_known ? static_cast<size_t>(bits_per_element(element_type)) / 8 : 0;
}

bool is_signed_integer(int element_type) {
  return element_type == TensorProto::INT8 || element_type == TensorProto::INT16 ||
         element_type == TensorProto::INT32 || element_type == TensorProto::INT64;
}

bool is_integer(int element_type) {
  return is_signed_integer(element_type) || element_type == TensorProto::UINT8 || element_type == TensorProto::UINT16 ||
         element_type == TensorProto::UINT32 || element_type == TensorProto::UINT64;
}

bool is_integer_or_bool(int element_type) { return is_integer(element_type) || element_type == TensorProto::BOOL; }

bool is_float_or_double(int element_type) {
  return element_type == TensorProto::FLOAT || element_type == TensorProto::DOUBLE;
}

double number_of(int64_t element, int element_type) {
  if (element_type == TensorProto::FLOAT16) return from_float16(static_cast<uint16_t>(element));
  if (element_type == TensorProto::BFLOAT16) return from_bfloat16(static_cast<uint16_t>(element));
  return element_type == TensorProto::FLOAT ? std::bit_cast<float>(static_cast<uint32_t>(element))
                                            : std::bit_cast<double>(element);
}

int64_t element_of_number(double number, int element_type) {
  return element_type == TensorProto::FLOAT ? static_cast<int64_t>(std::bit_cast<uint32_t>(static_cast<float>(number)))
                                            : std::bit_cast<int64_t>(number);
}

std::optional<int64_t> element_of_result(double number, int element_type) {
  const double most = element_type == TensorProto::FLOAT ? static_cast<double>(std::numeric_limits<float>::max())
                                                         : std::numeric_limits<double>::max();
  if (!(std::abs(number) <= most)) return std::nullopt;
  return element_of_number(number, element_type);
}

int64_t wrapped(int64_t value, int element_type) {
  const size_t bits = element_width(element_type) * 8;
  if (bits == 0 || bits == 64) return value;
  const uint64_t kept = static_cast<uint64_t>(value) << (64 - bits);
  return is_signed_integer(element_type) ? static_cast<int64_t>(kept) >> (64 - bits)
                                         : static_cast<int64_t>(kept >> (64 - bits));
}

std::optional<size_t> known_element_count(std::span<const int64_t> dims, int element_type) {
  const size_t width = element_width(element_type);
  if (width == 0) return std::nullopt;
  // A shape with a dimension of 0 may have other dimensions of any size. Below this limit, sums of
  // dimensions do not overflow.
  constexpr int64_t largest_dim = int64_t{1} << 31;
  if (std::ranges::any_of(dims, [](int64_t dim) { return dim < 0 || dim > largest_dim; })) return std::nullopt;
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  const size_t most = largest_known_tensor / width;
  size_t count = 1;
  for (const int64_t dim : dims) {
    if (static_cast<uint64_t>(dim) > most / count) return std::nullopt;
    count *= static_cast<size_t>(dim);
  }
  return count;
}

std::optional<KnownTensor> known_tensor(const TensorProto& tensor) {
  if (tensor.data_location() == TensorProto::EXTERNAL || tensor.has_segment()) return std::nullopt;
  KnownTensor known;
  known.element_type = tensor.data_type();
  known.dims.assign(tensor.dims().begin(), tensor.dims().end());
  const std::optional<size_t> count = known_element_count(known.dims, known.element_type);
  if (!count) return std::nullopt;
  known.elements.reserve(*count);
  if (tensor.has_raw_data()) {
    const size_t width = element_width(known.element_type);
    const std::string& raw = tensor.raw_data();
    if (raw.size() != *count * width) return std::nullopt;
    for (size_t index = 0; index < *count; ++index) {
      uint64_t bits = 0;
      std::memcpy(&bits, raw.data() + index * width, width);
      known.elements.emplace_back(element_of(bits, known.element_type));
    }
    return known;
  }
  const auto as_bits = [](auto element) { return static_cast<uint64_t>(element); };
  bool fits = false;
  switch (known.element_type) {
    case TensorProto::FLOAT:
      fits = append_elements(tensor.float_data(), *count, known,
                             [](float element) { return std::bit_cast<uint32_t>(element); });
      break;
    case TensorProto::DOUBLE:
      fits = append_elements(tensor.double_data(), *count, known,
                             [](double element) { return std::bit_cast<uint64_t>(element); });
      break;
    case TensorProto::INT64:
      fits = append_elements(tensor.int64_data(), *count, known, as_bits);
      break;
    case TensorProto::UINT32:
    case TensorProto::UINT64:
      fits = append_elements(tensor.uint64_data(), *count, known, as_bits);
      break;
    default:
      fits = append_elements(tensor.int32_data(), *count, known, as_bits);
      break;
  }
  if (!fits) return std::nullopt;
  return known;
}

TensorProto tensor_of(const KnownTensor& known) {
  TensorProto tensor;
  tensor.set_data_type(known.element_type);
  tensor.mutable_dims()->Assign(known.dims.begin(), known.dims.end());
  const size_t width = element_width(known.element_type);
  std::string& raw = *tensor.mutable_raw_data();
  for (const std::optional<int64_t>& element : known.elements) {
    const int64_t bits = *element;
    raw.append(reinterpret_cast<const char*>(&bits), width);
  }
  return tensor;
}

}  // namespace onnx_lower
