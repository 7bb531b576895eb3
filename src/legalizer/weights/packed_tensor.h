// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What nodes compute from constants when they unpack weights: codes of a few bits that are taken
// out of words, a zero point for each, which is subtracted, and a scale, by which the difference is
// multiplied. This is told by the nodes, and no element is looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "legalizer/weights/element_places.h"
#include "model_file/wire.h"

namespace onnx_lower {

// A tensor whose elements are bits of those of a constant, or numbers that differ from these by a
// constant.
struct Codes {
  // What an element has above the bits that are known.
  enum class Above : uint8_t {
    unknown,
    zeros,
    sign,  // each bit is that of the highest known one: the element is a number with a sign
  };

  Bytes constant = {};        // the TensorProto
  ElementPlaces places = {};  // where bit 0 of each element would lie
  // An element has zeros up to bit `low`, and from there on so many bits of the constant, to which
  // `inside` is added modulo what the bits can say, which is 0 where `low` is not.
  int low = 0;
  int bits = 0;
  int64_t inside = 0;
  Above above = Above::unknown;
  // What is added to the number that these bits say; 0 where they do not say all of it.
  int64_t added = 0;

  // Whether both have the same bits of one constant: the elements are not compared.
  bool operator==(const Codes& other) const {
    return constant.data() == other.constant.data() && places == other.places && low == other.low &&
           bits == other.bits && inside == other.inside && above == other.above && added == other.added;
  }
};

// (codes - zeros) * scales, of which the last two may be missing. All have the same dimensions.
struct PackedTensor {
  int element_type = 0;
  Codes codes = {};
  std::optional<Codes> zeros = {}, scales = {};

  bool has_only_codes() const { return !zeros && !scales; }
  Dims dims() const { return codes.places.dims(); }
};

// The least and the greatest number that the bits can say, with what is added to it; nothing where
// the bits do not say the whole element.
struct CodeRange {
  int64_t least, most;
};
std::optional<CodeRange> range_of(const Codes& codes);

// Applies what moves the elements of a tensor, which may give nothing, to all of its parts.
template <typename Move>
std::optional<PackedTensor> with_places(PackedTensor tensor, const Move& move) {
  const auto moves = [&](Codes& part) {
    std::optional<ElementPlaces> places = move(part.places);
    if (!places) return false;
    part.places = *std::move(places);
    return true;
  };
  if (!moves(tensor.codes) || (tensor.zeros && !moves(*tensor.zeros)) || (tensor.scales && !moves(*tensor.scales)))
    return std::nullopt;
  return tensor;
}

// A constant of integers; those of uint64 stand for their bits.
struct Numbers {
  int element_type = 0;
  Dims dims;
  std::vector<int64_t> all;
};

// What operators make of codes of an integer type; nothing where that is not known.

// Shifted to the right by numbers that are broadcast to the codes, whether zeros
// come from above or the sign.
std::optional<Codes> shifted_right(Codes codes, const Numbers& places);
std::optional<Codes> with_and(Codes codes, int64_t mask);
std::optional<Codes> with_or(Codes codes, const Numbers& masks);
std::optional<Codes> with_sum(Codes codes, int64_t added, int element_type);
Codes cast_codes(Codes codes, int element_type);
// Whether scales may be of that type.
bool is_half_or_float(int element_type);
// The integers that an element type has; those of 64 bits count as having 62.
CodeRange range_of_type(int element_type);

}  // namespace onnx_lower
