// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify_runtime/made_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "half_precision.h"
#include "verify_runtime/tolerance.h"

namespace onnx_lower::verify_runtime {
namespace {

// The generator SplitMix64: what follows from a seed is defined, other than for the distributions
// of the standard library.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t bits() {
    uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }
  // From 0 to 1, without 1.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  // About 1 in size, with a mean of 0: the sum of four numbers, which is normal enough.
  double normal() { return (uniform() + uniform() + uniform() + uniform() - 2) * 1.7320508075688772; }
  // Both ends included.
  int64_t integer(int64_t low, int64_t high) {
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(low) + (span == 0 ? bits() : bits() % span));
  }

 private:
  uint64_t state_;
};

double ordinary_float(Random& random, int run) {
  switch (run % 3) {
    case 0:
      return random.normal();
    case 1:
      return random.uniform();
    default:
      return 4 * random.normal();
  }
}

double drawn(const PlannedInput& plan, size_t place, Random& random, int run) {
  constexpr int type_bool = 9;
  constexpr int type_uint8 = 2;
  constexpr int type_int8 = 3;
  const InputFill& fill = plan.fill;
  const bool is_float = tolerance_of(plan.element_type) != 0;
  if (fill.kind == InputFill::Kind::values) return fill.values[place % fill.values.size()];
  if (fill.kind == InputFill::Kind::range) {
    if (is_float) return fill.low + (fill.high - fill.low) * random.uniform();
    return static_cast<double>(random.integer(static_cast<int64_t>(fill.low), static_cast<int64_t>(fill.high)));
  }
  if (is_float) return ordinary_float(random, run);
  if (plan.element_type == type_bool) return static_cast<double>(random.bits() & 1);
  if (plan.element_type == type_uint8) return static_cast<double>(random.integer(0, 255));
  if (plan.element_type == type_int8) return static_cast<double>(random.integer(-128, 127));
  const bool is_unsigned = plan.element_type == 4 || plan.element_type == 12 || plan.element_type == 13;
  return static_cast<double>(random.integer(is_unsigned ? 0 : -9, 9));
}

template <typename Number>
void put(std::string& data, size_t place, Number number) {
  std::memcpy(data.data() + place * sizeof(Number), &number, sizeof(Number));
}

void put_element(std::string& data, int element_type, size_t place, double number) {
  switch (element_type) {
    case 1:
      return put(data, place, static_cast<float>(number));
    case 2:
    case 9:
      return put(data, place, static_cast<uint8_t>(number));
    case 3:
      return put(data, place, static_cast<int8_t>(number));
    case 4:
      return put(data, place, static_cast<uint16_t>(number));
    case 5:
      return put(data, place, static_cast<int16_t>(number));
    case 6:
      return put(data, place, static_cast<int32_t>(number));
    case 7:
      return put(data, place, static_cast<int64_t>(number));
    case 10:
      return put(data, place, to_float16(number));
    case 11:
      return put(data, place, number);
    case 12:
      return put(data, place, static_cast<uint32_t>(number));
    case 13:
      return put(data, place, static_cast<uint64_t>(number));
    case 16:
      return put(data, place, to_bfloat16(number));
    default:
      throw RuntimeError(fmt::format("inputs of type {} cannot be made: give them with --verify-inputs FILE.npz",
                                     element_type_name(element_type)));
  }
}

size_t count_of(const std::vector<int64_t>& dims) {
  size_t count = 1;
  for (const int64_t dim : dims) count *= static_cast<size_t>(dim);
  return count;
}

MadeInput made_input(const PlannedInput& plan, Random& random, int run) {
  constexpr int type_string = 8;
  constexpr size_t tensors_of_a_sequence = 2;
  MadeInput made{.data = {}, .strings = {}, .dims = plan.dims};
  const size_t count = count_of(plan.dims);
  for (size_t tensor = 0; tensor < (plan.is_sequence ? tensors_of_a_sequence : 1); ++tensor) {
    std::string& data = made.data.emplace_back(count * element_size(plan.element_type), '\0');
    for (size_t place = 0; place < count; ++place) {
      if (plan.element_type == type_string) {
        const std::vector<std::string>& words = plan.fill.words;
        if (tensor == 0) made.strings.push_back(words.empty() ? "a" : words[random.bits() % words.size()]);
      } else {
        put_element(data, plan.element_type, place, drawn(plan, place, random, run));
      }
    }
  }
  return made;
}

// NumPy's name of an element type, without the number of bytes of texts.
std::string_view numpy_type_of(int element_type) {
  constexpr std::string_view names[] = {"",   "f4", "u1", "i1", "u2", "i2", "i4",  "i8", "U",
                                        "b1", "f2", "f8", "u4", "u8", "c8", "c16", "u2"};
  const auto index = static_cast<size_t>(element_type);
  return index < std::size(names) ? names[index] : "";
}

// The texts of an array of NumPy's type U, whose characters take 32 bits, as UTF-8.
std::vector<std::string> texts_in(const NpyArray& array) {
  std::vector<std::string> texts;
  const size_t count = count_of(array.dims);
  const size_t bytes = count == 0 ? 0 : array.data.size() / count;
  for (size_t i = 0; i < count; ++i) {
    std::string& text = texts.emplace_back();
    for (size_t place = 0; place < bytes; place += sizeof(uint32_t)) {
      uint32_t character = 0;
      std::memcpy(&character, array.data.data() + i * bytes + place, sizeof(character));
      if (character == 0) break;
      const auto add = [&text](uint32_t byte) { text += static_cast<char>(byte); };
      if (character < 0x80) {
        add(character);
      } else if (character < 0x800) {
        add(0xc0 | character >> 6);
      } else if (character < 0x10000) {
        add(0xe0 | character >> 12);
        add(0x80 | (character >> 6 & 0x3f));
      } else {
        add(0xf0 | character >> 18);
        add(0x80 | (character >> 12 & 0x3f));
        add(0x80 | (character >> 6 & 0x3f));
      }
      if (character >= 0x80) add(0x80 | (character & 0x3f));
    }
  }
  return texts;
}

}  // namespace

std::vector<MadeInput> made_inputs(const std::vector<PlannedInput>& plan, uint64_t seed, int run) {
  std::vector<MadeInput> inputs;
  for (size_t i = 0; i < plan.size(); ++i) {
    Random seeds(seed * 0x100000001b3 + static_cast<uint64_t>(run) * 0x10001 + i);
    Random random(seeds.bits());
    inputs.push_back(made_input(plan[i], random, run));
  }
  return inputs;
}

MadeInput input_of(const NpyArray& array, PlannedInput& plan) {
  const std::string_view wanted = numpy_type_of(plan.element_type);
  const bool is_text = array.type.starts_with('U');
  if (wanted != array.type && !(wanted == "U" && is_text)) {
    throw NpzError(fmt::format("'{}' is of NumPy's type {}, and the model's input is {}{}", plan.name, array.type,
                               element_type_name(plan.element_type),
                               wanted.empty() ? std::string() : fmt::format(": write astype('{}')", wanted)));
  }
  plan.dims = array.dims;
  MadeInput made{.data = {array.data}, .strings = {}, .dims = array.dims};
  if (is_text) made.strings = texts_in(array);
  return made;
}

}  // namespace onnx_lower::verify_runtime
