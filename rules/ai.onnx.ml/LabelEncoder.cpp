// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// LabelEncoder of numbers. The place of an element among the keys is that in a table of values:
// where the keys are integers close to each other, it is the element less the least of them; else
// all keys are compared with it. Place 0 has the value of what is no key.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/body.h"
#include "rules/values/constant_value.h"

namespace onnx_lower::native_rules::ai_onnx_ml_LabelEncoder {
namespace {

using onnx::TensorProto;

// Numbers of one element type: of an integer type, or of a floating-point type.
struct Numbers {
  TensorProto::DataType type = TensorProto::UNDEFINED;
  Ints integers = {};
  std::vector<double> floats = {};

  bool are_floats() const { return type == TensorProto::FLOAT || type == TensorProto::DOUBLE; }
  std::size_t size() const { return are_floats() ? floats.size() : integers.size(); }
  void append(const Numbers& from, std::size_t place) {
    if (are_floats()) {
      floats.push_back(from.floats[place]);
    } else {
      integers.push_back(from.integers[place]);
    }
  }
  TensorProto tensor() const {
    const Ints dims{static_cast<int64_t>(size())};
    return are_floats() ? tensor_of(type, dims, floats) : tensor_of(type, dims, integers);
  }
};

Numbers numbers_of(const TensorProto& tensor, std::string_view name) {
  Numbers numbers{static_cast<TensorProto::DataType>(tensor.data_type())};
  if (numbers.type == TensorProto::STRING)
    decline(fmt::format("{} has strings, which no operator of ai.onnx maps", name));
  if (const auto floats = float_elements(tensor)) {
    numbers.floats = *floats;
  } else if (const auto integers = integer_elements(tensor)) {
    numbers.integers = *integers;
  } else {
    decline(fmt::format("the elements of {} are not known", name));
  }
  return numbers;
}

// The keys or the values, which are in one of several attributes.
Numbers numbers_of(const CallSite& site, const std::string& stem) {
  if (site.attribute(stem + "_strings") != nullptr || site.attribute("classes_strings") != nullptr)
    decline("it maps strings, which no operator of ai.onnx does; map them before or behind the model");
  if (site.attribute(stem + "_int64s") != nullptr)
    return {.type = TensorProto::INT64, .integers = site.attribute_bounds(stem + "_int64s")};
  if (site.attribute(stem + "_floats") != nullptr) {
    const std::vector<float> given = site.attribute_floats(stem + "_floats", {});
    return {.type = TensorProto::FLOAT, .floats = {given.begin(), given.end()}};
  }
  const onnx::AttributeProto* tensor = site.known_attribute(stem + "_tensor");
  if (tensor == nullptr || !tensor->has_t()) decline(fmt::format("it has no {} of numbers", stem));
  return numbers_of(tensor->t(), stem + "_tensor");
}

// The value of what is no key, alone.
Numbers default_of(const CallSite& site, TensorProto::DataType type) {
  if (const onnx::AttributeProto* tensor = site.known_attribute("default_tensor");
      tensor != nullptr && tensor->has_t() && tensor->t().data_type() != TensorProto::UNDEFINED) {
    Numbers given = numbers_of(tensor->t(), "default_tensor");
    if (given.type != type || given.size() != 1) decline("its default_tensor is not one number of its values' type");
    return given;
  }
  Numbers number{type};
  if (number.are_floats()) {
    number.floats = {site.attribute_float("default_float", -0.0F)};
  } else {
    const Ints given = site.attribute_bounds("default_int64");
    number.integers = given.empty() ? Ints{-1} : given;
  }
  return number;
}

// Keys that are different from each other, and their values. Of equal keys the first one counts.
struct Map {
  Numbers keys, values;
};

Map different(const Numbers& keys, const Numbers& values) {
  std::vector<std::size_t> order(keys.size());
  for (std::size_t place = 0; place < order.size(); ++place) order[place] = place;
  const auto number = [&](std::size_t place) { return std::isnan(keys.floats[place]) ? HUGE_VAL : keys.floats[place]; };
  const auto is_nan = [&](std::size_t place) { return std::isnan(keys.floats[place]); };
  const auto is_before = [&](std::size_t one, std::size_t other) {
    if (!keys.are_floats()) return keys.integers[one] < keys.integers[other];
    return std::pair(is_nan(one), number(one)) < std::pair(is_nan(other), number(other));
  };
  std::ranges::stable_sort(order, is_before);
  Map map{{keys.type}, {values.type}};
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place > 0 && !is_before(order[place - 1], order[place])) continue;
    map.keys.append(keys, order[place]);
    map.values.append(values, order[place]);
  }
  return map;
}

// Whether the keys, in their order, are integers of which a table may have a place for each number
// between the least and the greatest, and one on either side.
bool are_close(const Numbers& keys) {
  if (keys.are_floats()) return false;
  const int64_t least = keys.integers.front(), greatest = keys.integers.back();
  if (least == std::numeric_limits<int64_t>::min() || greatest >= std::numeric_limits<int64_t>::max() - 1) return false;
  return static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least) < 4 * keys.size() + 64;
}

// Places in a table of all numbers from one less than the least key to one more than the greatest.
std::string append_close_places(Body& body, const Map& map, const Numbers& other, Numbers& table) {
  const int64_t first = map.keys.integers.front() - 1, last = map.keys.integers.back() + 1;
  for (int64_t key = first, next = 0; key <= last; ++key) {
    const bool is_key = key == map.keys.integers[static_cast<std::size_t>(next)];
    table.append(is_key ? map.values : other, is_key ? static_cast<std::size_t>(next) : 0);
    if (is_key && next + 1 < static_cast<int64_t>(map.keys.size())) ++next;
  }
  const std::string whole = body.made("whole", "Cast", {"X"}, {{"to", TensorProto::INT64}});
  const std::string from = body.scalar(first, "first"), to = body.scalar(last, "last");
  return body.made("place", "Sub", {body.made("near", "Clip", {whole, from, to}), from});
}

// Places in a table of the default and all values.
std::string append_places(Body& body, const Map& map, const Numbers& other, bool finds_nan, Numbers& table) {
  table.append(other, 0);
  const std::size_t count = map.keys.size();
  std::vector<double> places(count);
  for (std::size_t place = 0; place < count; ++place) {
    table.append(map.values, place);
    places[place] = static_cast<double>(place + 1);
  }
  // Integers are compared in the widest type, which all runtimes have.
  Numbers keys = map.keys;
  if (!keys.are_floats()) keys.type = TensorProto::INT64;
  const std::string input = body.made("number", "Cast", {"X"}, {{"to", keys.type}});
  const std::string numbers = body.unsqueeze(input, {-1}, "numbers");
  body("equal", "Equal", {numbers, body.constant("keys", keys.tensor())});
  body("ones", "Cast", {"equal"}, {{"to", TensorProto::FLOAT}});
  // An element equals one key at most. The sum is a product, which runtimes make of no elements.
  body.constant("places", tensor_of(TensorProto::FLOAT, {static_cast<int64_t>(count), 1}, places));
  body("found", "MatMul", {"ones", "places"});
  std::string place = body.made("place", "Squeeze", {"found", body.ints({-1}, "axis")});
  place = body.made("place", "Cast", {place}, {{"to", TensorProto::INT64}});
  if (!finds_nan || !keys.are_floats() || !std::isnan(keys.floats.back())) return place;
  const std::string is_nan = body.made("is_nan", "IsNaN", {input});
  return body.made("place", "Where", {is_nan, body.scalar(static_cast<int64_t>(count), "place_of_nan"), place});
}

Lowering lower(const CallSite& site) {
  if (site.dtype(0) == TensorProto::STRING)
    return Declined{"it maps strings, which no operator of ai.onnx does; map them before the model"};
  const Numbers keys = numbers_of(site, "keys"), values = numbers_of(site, "values");
  if (keys.size() != values.size() || keys.size() == 0)
    return Declined{fmt::format("it has {} keys and {} values", keys.size(), values.size())};
  // They are numbers in float, which has those below.
  constexpr std::size_t most_keys = 1 << 20;
  if (keys.size() > most_keys)
    return Declined{fmt::format("it has {} keys, which are too many to compare", keys.size())};
  const Numbers other = default_of(site, values.type);
  const Map map = different(keys, values);
  Body body("ai.onnx.ml", "LabelEncoder", {"X"}, {"Y"}, 18);
  Numbers table{values.type};
  // Before version 4 the kernel finds no NaN, though the schema compares bits.
  const std::string places = are_close(map.keys)
                                 ? append_close_places(body, map, other, table)
                                 : append_places(body, map, other, site.version().value_or(4) >= 4, table);
  body.constant("table", table.tensor());
  body("Y", "Gather", {"table", places}, {{"axis", 0}});
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx.ml",
    .op_type = "LabelEncoder",
    .summary = "The value of each key, of numbers.",
    .source = "ai.onnx.ml LabelEncoder-2 and LabelEncoder-4, and ONNX Runtime's kernels",
    .attributes =
        "classes_strings, default_float, default_int64, default_string, default_tensor, keys_floats, "
        "keys_int64s, keys_strings, keys_tensor, values_floats, values_int64s, values_strings, values_tensor",
    .inputs = "X",
    .needed_inputs = 1,
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_LabelEncoder
