// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/weights/packed_tensor.h"

#include <algorithm>
#include <bit>

#include "constant_folding/known_tensor.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {
namespace {

using Above = Codes::Above;

// What has more bits may be any number.
constexpr int most_bits_of_number = 32;

int64_t modulo_bits(int64_t number, int bits) { return bits >= 63 ? number : number & ((int64_t{1} << bits) - 1); }

// The number of the only bits that are set, if these are the lowest ones.
std::optional<int> lowest_ones(uint64_t mask) {
  const int count = std::countr_one(mask);
  return mask >> count == 0 && count > 0 && count < 63 ? std::optional(count) : std::nullopt;
}

// Codes of which only the bits count, which are what they were.
void take_bits_only(Codes& codes) {
  codes.inside = modulo_bits(codes.inside + codes.added, codes.bits);
  codes.added = 0;
  codes.above = Above::unknown;
}

}  // namespace

std::optional<CodeRange> range_of(const Codes& codes) {
  if (codes.above == Above::unknown || (codes.above == Above::sign && codes.low != 0) || codes.bits == 0)
    return std::nullopt;
  if (codes.low + codes.bits > most_bits_of_number) return range_of_type(onnx::TensorProto::INT64);
  const int64_t end = int64_t{1} << codes.bits;
  if (codes.above == Above::sign) return CodeRange{codes.added - end / 2, codes.added + end / 2 - 1};
  return CodeRange{codes.added, codes.added + ((end - 1) << codes.low)};
}

std::optional<Codes> shifted_right(Codes codes, const Numbers& places) {
  const auto [least, most] = std::ranges::minmax(places.all);
  if (codes.inside != 0 || codes.added != 0 || least < 0 || (codes.low != 0 && least != most)) return std::nullopt;
  const auto in_zeros = std::min<int64_t>(codes.low, least);
  if (most - in_zeros >= codes.bits) return std::nullopt;
  std::optional<ElementPlaces> moved = codes.places.moved(places.dims, places.all);
  if (!moved) return std::nullopt;
  // By different numbers, the highest known bit of one element is an unknown one of another.
  if (codes.above != Above::zeros || least != most) codes.above = Above::unknown;
  codes.places = *std::move(moved);
  codes.low -= static_cast<int>(in_zeros);
  codes.bits -= static_cast<int>(most - in_zeros);
  return codes;
}

std::optional<Codes> with_and(Codes codes, int64_t mask) {
  if (mask <= 0) return std::nullopt;
  const int before = std::countr_zero(static_cast<uint64_t>(mask));
  const std::optional<int> ones = lowest_ones(static_cast<uint64_t>(mask) >> before);
  if (!ones) return std::nullopt;
  const bool keeps_all = codes.above == Above::zeros && codes.added == 0;
  if (before <= codes.low && keeps_all && before + *ones >= codes.low + codes.bits) return codes;
  if (codes.low != 0) return std::nullopt;
  if (before + *ones > codes.bits && !keeps_all) return std::nullopt;
  if (before != 0 && (codes.inside != 0 || codes.added != 0 || before >= codes.bits)) return std::nullopt;
  take_bits_only(codes);
  codes.low = before;
  codes.bits = std::min(*ones, codes.bits - before);
  codes.inside = modulo_bits(codes.inside, codes.bits);
  codes.above = Above::zeros;
  return codes;
}

std::optional<Codes> with_or(Codes codes, const Numbers& masks) {
  if (codes.low != 0 || codes.inside != 0 || codes.added != 0) return std::nullopt;
  std::optional<Dims> dims = broadcast_dims(codes.places.dims(), masks.dims);
  std::optional<ElementPlaces> places = dims ? codes.places.broadcast(*dims) : std::nullopt;
  if (!places) return std::nullopt;
  codes.places = *std::move(places);
  codes.above = Above::unknown;
  for (const int64_t mask : masks.all) codes.bits = std::min(codes.bits, std::countr_zero(static_cast<uint64_t>(mask)));
  return codes.bits > 0 ? std::optional(codes) : std::nullopt;
}

std::optional<Codes> with_sum(Codes codes, int64_t added, int element_type) {
  const CodeRange of_type = range_of_type(element_type);
  if (added < of_type.least || added > of_type.most || codes.low != 0) return std::nullopt;
  if (const std::optional<CodeRange> range = range_of(codes);
      range && range->least + added >= of_type.least && range->most + added <= of_type.most) {
    codes.added += added;
    return codes;
  }
  // The sum may go beyond the type: its lowest bits are what they would be anyway.
  take_bits_only(codes);
  codes.inside = modulo_bits(codes.inside + added, codes.bits);
  return codes;
}

Codes cast_codes(Codes codes, int element_type) {
  const CodeRange of_type = range_of_type(element_type);
  if (const std::optional<CodeRange> range = range_of(codes);
      range && range->least >= of_type.least && range->most <= of_type.most)
    return codes;
  const int width = bits_per_element(element_type);
  if (codes.low == 0) take_bits_only(codes);
  codes.bits = std::min(codes.bits, width - codes.low);
  codes.inside = modulo_bits(codes.inside, codes.bits);
  if (codes.low + codes.bits != width || codes.inside != 0) {
    codes.above = Above::unknown;
  } else {
    codes.above = of_type.least < 0 ? Above::sign : Above::zeros;
  }
  return codes;
}

bool is_half_or_float(int element_type) {
  return element_type == onnx::TensorProto::FLOAT || element_type == onnx::TensorProto::FLOAT16 ||
         element_type == onnx::TensorProto::BFLOAT16;
}

CodeRange range_of_type(int element_type) {
  const bool is_signed = is_signed_integer(element_type);
  const int bits = std::min(bits_per_element(element_type), 62) - (is_signed ? 1 : 0);
  return {is_signed ? -(int64_t{1} << bits) : 0, (int64_t{1} << bits) - 1};
}

}  // namespace onnx_lower
