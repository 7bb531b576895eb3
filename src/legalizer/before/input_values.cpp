// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/before/input_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "constant_folding/known_tensor.h"
#include "counted.h"
#include "error.h"
#include "half_precision.h"
#include "rules/values/element_type.h"
#include "source_text/characters.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

[[noreturn]] void fail(const InputValue& value, const std::string& problem) {
  throw UsageError(fmt::format("--input-value {}: {}", value.text, problem));
}

// As --input-shape takes it, with ? for dimensions that are open.
std::string sizes_text(const onnx::TensorShapeProto& shape) {
  std::string text;
  for (const auto& dim : shape.dim())
    text += (text.empty() ? "" : ",") + (dim.has_dim_value() ? std::to_string(dim.dim_value()) : std::string("?"));
  return text;
}

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// The bits of an integer that the text says, if the type holds it.
std::optional<uint64_t> integer_in(std::string_view text, int type) {
  if (is_signed_integer(type)) {
    const std::optional<int64_t> number = number_in<int64_t>(text);
    if (!number || wrapped(*number, type) != *number) return std::nullopt;
    return static_cast<uint64_t>(*number);
  }
  const std::optional<uint64_t> number = number_in<uint64_t>(text);
  if (!number || static_cast<uint64_t>(wrapped(static_cast<int64_t>(*number), type)) != *number) return std::nullopt;
  return number;
}

std::optional<uint64_t> bool_in(std::string_view text) {
  if (text == "true" || text == "1") return 1;
  if (text == "false" || text == "0") return 0;
  return std::nullopt;
}

// The bits of the number nearest to the one that the text says. Nothing where that is infinite, and
// the text does not say so.
std::optional<uint64_t> float_in(std::string_view text, int type) {
  if (type == TensorProto::FLOAT) {
    const std::optional<float> number = number_in<float>(text);
    if (!number) return std::nullopt;
    return std::bit_cast<uint32_t>(*number);
  }
  const std::optional<double> number = number_in<double>(text);
  if (!number) return std::nullopt;
  if (type == TensorProto::DOUBLE) return std::bit_cast<uint64_t>(*number);
  const uint16_t bits = type == TensorProto::FLOAT16 ? to_float16(*number) : to_bfloat16(*number);
  if (std::isfinite(*number) && std::isinf(number_of(bits, type))) return std::nullopt;
  return bits;
}

std::optional<uint64_t> element_in(std::string_view text, int type) {
  if (type == TensorProto::BOOL) return bool_in(text);
  return is_integer(type) ? integer_in(without_plus(text), type) : float_in(without_plus(text), type);
}

}  // namespace

std::vector<int64_t> dims_of_value(const InputValue& value, const onnx::TensorShapeProto* shape) {
  const auto count = static_cast<int64_t>(value.elements.size());
  if (shape == nullptr) return value.is_list ? std::vector<int64_t>{count} : std::vector<int64_t>();
  std::vector<int64_t> dims;
  int64_t known = 1;
  std::vector<size_t> open;
  for (const auto& dim : shape->dim()) {
    if (!dim.has_dim_value()) open.push_back(dims.size());
    dims.push_back(dim.has_dim_value() ? dim.dim_value() : 1);
    if (__builtin_mul_overflow(known, dims.back(), &known)) known = std::numeric_limits<int64_t>::max();
  }
  if (open.size() == 1 && known != 0 && count % known == 0) {
    dims[open[0]] = count / known;
  } else if (known != count && open.empty()) {
    fail(value, fmt::format("the input is declared with {}, and this is {}",
                            counted(static_cast<size_t>(std::max<int64_t>(known, 0)), "element"),
                            counted(value.elements.size(), "element")));
  } else if (known != count) {
    fail(value, fmt::format("which of its {} open dimensions {} fill is not known: give its shape, too, with "
                            "--input-shape {}:{}",
                            open.size(), counted(value.elements.size(), "element"), value.input, sizes_text(*shape)));
  }
  return dims;
}

onnx::TensorProto tensor_of_value(const InputValue& value, int element_type, const std::vector<int64_t>& dims) {
  TensorProto tensor;
  tensor.set_data_type(element_type);
  tensor.mutable_dims()->Assign(dims.begin(), dims.end());
  if (element_type == TensorProto::STRING) {
    for (const std::string& element : value.elements) tensor.add_string_data(element);
    return tensor;
  }
  const size_t width = element_width(element_type);
  if (width == 0)
    fail(value, fmt::format("the input is of {}, of which no value can be given", element_type_name(element_type)));
  std::string& raw = *tensor.mutable_raw_data();
  for (const std::string& element : value.elements) {
    const std::optional<uint64_t> bits = element_in(element, element_type);
    if (!bits)
      fail(value,
           fmt::format("'{}' is no {}, of which the input is: write {}", element, element_type_name(element_type),
                       element_type == TensorProto::BOOL ? "true or false"
                       : is_integer(element_type)        ? "a whole number that the type holds"
                                                         : "a number that the type holds"));
    raw.append(reinterpret_cast<const char*>(&*bits), width);
  }
  return tensor;
}

}  // namespace onnx_lower
