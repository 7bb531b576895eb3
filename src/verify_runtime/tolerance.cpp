// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify_runtime/tolerance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "half_precision.h"

namespace onnx_lower::verify_runtime {
namespace {

struct ElementType {
  const char* name;
  size_t size;
  double tolerance;
};

// By TensorProto.DataType.
constexpr ElementType element_types[] = {
    {"undefined", 0, 0},      {"float", 4, 0x1p-13},  {"uint8", 1, 0},          {"int8", 1, 0},
    {"uint16", 2, 0},         {"int16", 2, 0},        {"int32", 4, 0},          {"int64", 8, 0},
    {"string", 0, 0},         {"bool", 1, 0},         {"float16", 2, 0x1p-6},   {"double", 8, 0x1p-42},
    {"uint32", 4, 0},         {"uint64", 8, 0},       {"complex64", 8, 0},      {"complex128", 16, 0},
    {"bfloat16", 2, 0x1p-4},  {"float8e4m3fn", 1, 0}, {"float8e4m3fnuz", 1, 0}, {"float8e5m2", 1, 0},
    {"float8e5m2fnuz", 1, 0}, {"uint4", 0, 0},        {"int4", 0, 0},           {"float4e2m1", 0, 0},
};

const ElementType& facts_of(int element_type) {
  const auto index = static_cast<size_t>(element_type);
  return element_types[index < std::size(element_types) ? index : 0];
}

struct Float16 {
  uint16_t bits;
  explicit operator double() const { return from_float16(bits); }
};
struct Bfloat16 {
  uint16_t bits;
  explicit operator double() const { return from_bfloat16(bits); }
};

// The median size of the finite elements that are not 0, of a sample where there are many.
template <typename Element>
double typical_size(const Element* elements, size_t count) {
  constexpr size_t most = 1 << 14;
  const size_t step = count / most + 1;
  std::vector<double> sizes;
  for (size_t i = 0; i < count; i += step) {
    const double size = std::abs(static_cast<double>(elements[i]));
    if (size > 0 && std::isfinite(size)) sizes.push_back(size);
  }
  if (sizes.empty()) return 0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

template <typename Element>
void compare_floats(const void* original, const void* output, size_t count, ValueDifference& difference) {
  const auto* const expected = static_cast<const Element*>(original);
  const auto* const actual = static_cast<const Element*>(output);
  const double typical = typical_size(expected, count);
  for (size_t i = 0; i < count; ++i) {
    if (std::memcmp(&expected[i], &actual[i], sizeof(Element)) == 0) continue;
    const auto right = static_cast<double>(expected[i]);
    const auto found = static_cast<double>(actual[i]);
    if (right == found || (std::isnan(right) && std::isnan(found))) continue;
    if (!std::isfinite(right) || !std::isfinite(found)) {
      ++difference.differing;
      if (difference.problem.empty()) {
        difference.problem = std::isnan(found)   ? "a NaN in the place of a number"
                             : std::isnan(right) ? "a number in the place of a NaN"
                                                 : "an infinity in the place of a number, or a number in its place";
      }
      continue;
    }
    const double absolute = std::abs(right - found);
    const double size = std::max(std::abs(right), typical);
    // Where all that should be is 0, there is no size to compare with, and the number itself
    // counts.
    const double relative = std::min(absolute / (size > 0 ? size : 1), std::numeric_limits<double>::max());
    difference.largest_absolute = std::max(difference.largest_absolute, absolute);
    difference.largest_relative = std::max(difference.largest_relative, relative);
    if (relative > difference.tolerance) ++difference.differing;
  }
}

template <typename Element>
void compare_integers(const void* original, const void* output, size_t count, bool holds_codes,
                      ValueDifference& difference) {
  if (std::memcmp(original, output, count * sizeof(Element)) == 0) return;
  const auto* const expected = static_cast<const Element*>(original);
  const auto* const actual = static_cast<const Element*>(output);
  for (size_t i = 0; i < count; ++i) {
    if (expected[i] == actual[i]) continue;
    const double absolute = std::abs(static_cast<double>(expected[i]) - static_cast<double>(actual[i]));
    const double size = std::abs(static_cast<double>(expected[i]));
    difference.largest_absolute = std::max(difference.largest_absolute, absolute);
    difference.largest_relative = std::max(difference.largest_relative, absolute / std::max(size, 1.0));
    if (!holds_codes || absolute > 1) ++difference.differing;
  }
}

// Elements of which nothing is known but that the same bytes are the same element.
void compare_bytes(const Elements& original, const Elements& output, ValueDifference& difference) {
  const size_t bits = original.element_type >= 21 ? 4 : element_size(original.element_type) * 8;
  const size_t size = (original.count * bits + 7) / 8;
  if (std::memcmp(original.data, output.data, size) == 0) return;
  const auto* const expected = static_cast<const unsigned char*>(original.data);
  const auto* const actual = static_cast<const unsigned char*>(output.data);
  const size_t step = std::max<size_t>(bits / 8, 1);
  for (size_t i = 0; i < size; i += step) difference.differing += std::memcmp(expected + i, actual + i, step) != 0;
}

}  // namespace

std::string element_type_name(int element_type) { return facts_of(element_type).name; }

size_t element_size(int element_type) { return facts_of(element_type).size; }

double tolerance_of(int element_type) { return facts_of(element_type).tolerance; }

void compare(const Elements& original, const Elements& output, bool holds_codes, ValueDifference& difference) {
  difference.tolerance = tolerance_of(original.element_type);
  difference.elements += original.count;
  const auto floats = [&](auto element) {
    compare_floats<decltype(element)>(original.data, output.data, original.count, difference);
  };
  const auto integers = [&](auto element) {
    compare_integers<decltype(element)>(original.data, output.data, original.count, holds_codes, difference);
  };
  switch (original.element_type) {
    case 1:
      floats(float());
      break;
    case 2:
      integers(uint8_t());
      break;
    case 3:
      integers(int8_t());
      break;
    case 4:
      integers(uint16_t());
      break;
    case 5:
      integers(int16_t());
      break;
    case 6:
      integers(int32_t());
      break;
    case 7:
      integers(int64_t());
      break;
    case 10:
      floats(Float16());
      break;
    case 11:
      floats(double());
      break;
    case 12:
      integers(uint32_t());
      break;
    case 13:
      integers(uint64_t());
      break;
    case 16:
      floats(Bfloat16());
      break;
    default:
      compare_bytes(original, output, difference);
  }
  difference.is_equal = difference.differing == 0;
}

void compare(std::span<const std::string> original, std::span<const std::string> output, ValueDifference& difference) {
  difference.elements += original.size();
  for (size_t i = 0; i < original.size(); ++i) difference.differing += original[i] != output[i];
  difference.is_equal = difference.differing == 0;
}

}  // namespace onnx_lower::verify_runtime
