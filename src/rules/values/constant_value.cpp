// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/values/constant_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "half_precision.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

// How many elements a tensor's shape says; nothing when that is negative or too large.
std::optional<std::size_t> element_count(const TensorProto& tensor) {
  std::size_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0 || (dim > 0 && count > (std::size_t{1} << 40) / static_cast<std::size_t>(dim))) return std::nullopt;
    count *= static_cast<std::size_t>(dim);
  }
  return count;
}

template <typename Stored, typename Result, typename Field, typename Convert>
std::optional<std::vector<Result>> from_tensor(const TensorProto& tensor, const Field& field, Convert convert) {
  static_assert(std::endian::native == std::endian::little, "raw_data is little endian");
  const auto count = element_count(tensor);
  if (!count || tensor.data_location() == TensorProto::EXTERNAL) return std::nullopt;
  std::vector<Stored> stored;
  if (tensor.has_raw_data()) {
    const std::string& raw = tensor.raw_data();
    if (raw.size() != *count * sizeof(Stored)) return std::nullopt;
    stored.resize(*count);
    std::copy(raw.begin(), raw.end(), reinterpret_cast<char*>(stored.data()));
  } else {
    if (static_cast<std::size_t>(field.size()) != *count) return std::nullopt;
    for (const auto element : field) stored.push_back(static_cast<Stored>(element));
  }
  std::vector<Result> result(stored.size());
  std::ranges::transform(stored, result.begin(), convert);
  return result;
}

template <typename Stored, typename Field>
std::optional<std::vector<int64_t>> ints_from(const TensorProto& tensor, const Field& field) {
  return from_tensor<Stored, int64_t>(tensor, field, [](Stored value) { return static_cast<int64_t>(value); });
}

}  // namespace

std::optional<std::vector<int64_t>> integer_elements(const TensorProto& tensor) {
  switch (tensor.data_type()) {
    case TensorProto::BOOL:
    case TensorProto::UINT8:
      return ints_from<uint8_t>(tensor, tensor.int32_data());
    case TensorProto::INT8:
      return ints_from<int8_t>(tensor, tensor.int32_data());
    case TensorProto::UINT16:
      return ints_from<uint16_t>(tensor, tensor.int32_data());
    case TensorProto::INT16:
      return ints_from<int16_t>(tensor, tensor.int32_data());
    case TensorProto::INT32:
      return ints_from<int32_t>(tensor, tensor.int32_data());
    case TensorProto::INT64:
      return ints_from<int64_t>(tensor, tensor.int64_data());
    case TensorProto::UINT32:
      return ints_from<uint32_t>(tensor, tensor.uint64_data());
    case TensorProto::UINT64: {
      auto values = ints_from<uint64_t>(tensor, tensor.uint64_data());
      // The upper half of the range of uint64 does not fit into int64: its
      // elements have become negative.
      if (values && std::ranges::any_of(*values, [](int64_t value) { return value < 0; })) return std::nullopt;
      return values;
    }
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<double>> float_elements(const TensorProto& tensor) {
  switch (tensor.data_type()) {
    case TensorProto::FLOAT:
      return from_tensor<float, double>(tensor, tensor.float_data(),
                                        [](float value) { return static_cast<double>(value); });
    case TensorProto::DOUBLE:
      return from_tensor<double, double>(tensor, tensor.double_data(), [](double value) { return value; });
    case TensorProto::FLOAT16:
      return from_tensor<uint16_t, double>(tensor, tensor.int32_data(), from_float16);
    case TensorProto::BFLOAT16:
      return from_tensor<uint16_t, double>(tensor, tensor.int32_data(), from_bfloat16);
    default:
      return std::nullopt;
  }
}

std::optional<AttributeProto> attribute_of_constant(const TensorProto& tensor) {
  AttributeProto attribute;
  if (tensor.dims_size() > 1) {
    attribute.set_type(AttributeProto::TENSOR);
    *attribute.mutable_t() = tensor;
    return attribute;
  }
  const bool is_list = tensor.dims_size() == 1;
  if (const auto ints = integer_elements(tensor)) {
    attribute.set_type(is_list ? AttributeProto::INTS : AttributeProto::INT);
    if (is_list) {
      attribute.mutable_ints()->Assign(ints->begin(), ints->end());
    } else {
      attribute.set_i(ints->front());
    }
    return attribute;
  }
  if (const auto floats = float_elements(tensor)) {
    attribute.set_type(is_list ? AttributeProto::FLOATS : AttributeProto::FLOAT);
    if (is_list) {
      for (const double value : *floats) attribute.add_floats(static_cast<float>(value));
    } else {
      attribute.set_f(static_cast<float>(floats->front()));
    }
    return attribute;
  }
  if (tensor.data_type() == TensorProto::STRING && (is_list || tensor.string_data_size() == 1)) {
    attribute.set_type(is_list ? AttributeProto::STRINGS : AttributeProto::STRING);
    if (is_list) {
      *attribute.mutable_strings() = tensor.string_data();
    } else {
      attribute.set_s(tensor.string_data(0));
    }
    return attribute;
  }
  return std::nullopt;
}

}  // namespace onnx_lower
