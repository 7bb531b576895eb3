// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/values/converted_attribute.h"

#include <cmath>
#include <string_view>

#include "rules/values/constant_value.h"
#include "source_text/characters.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

// The inside of a list: of "[1, 2]", "(1, 2)" or "1, 2" it is "1, 2".
std::string_view list_in(std::string_view text) {
  text = trimmed(text);
  const bool has_brackets =
      (text.starts_with('[') && text.ends_with(']')) || (text.starts_with('(') && text.ends_with(')'));
  return has_brackets && text.size() >= 2 ? text.substr(1, text.size() - 2) : text;
}

// Parses an attribute of type FLOAT, INT, FLOATS or INTS from text.
std::optional<AttributeProto> read(std::string_view text, AttributeProto::AttributeType type) {
  AttributeProto result;
  result.set_type(type);
  switch (type) {
    case AttributeProto::FLOAT:
      if (const auto number = number_in<float>(trimmed(text))) return result.set_f(*number), result;
      return std::nullopt;
    case AttributeProto::INT:
      if (const auto number = number_in<int64_t>(trimmed(text))) return result.set_i(*number), result;
      return std::nullopt;
    case AttributeProto::FLOATS:
    case AttributeProto::INTS:
      break;
    default:
      return std::nullopt;
  }
  for (const std::string_view element : split(list_in(text), ',')) {
    if (type == AttributeProto::FLOATS) {
      const auto number = number_in<float>(trimmed(element));
      if (!number) return std::nullopt;
      result.add_floats(*number);
    } else {
      const auto number = number_in<int64_t>(trimmed(element));
      if (!number) return std::nullopt;
      result.add_ints(*number);
    }
  }
  return result;
}

std::optional<int64_t> whole(float number) {
  constexpr float limit = 9007199254740992.0F;  // 2^53
  if (!(std::abs(number) <= limit) || number != std::trunc(number)) return std::nullopt;
  return static_cast<int64_t>(number);
}

bool append_whole(AttributeProto& list, float number) {
  const auto integer = whole(number);
  if (integer) list.add_ints(*integer);
  return integer.has_value();
}

// Converts between numbers, lists of numbers and lists of strings.
std::optional<AttributeProto> between_numbers(const AttributeProto& value, AttributeProto::AttributeType type) {
  AttributeProto result;
  result.set_type(type);
  const auto from = value.type();
  if (type == AttributeProto::FLOAT && from == AttributeProto::INT) {
    result.set_f(static_cast<float>(value.i()));
  } else if (type == AttributeProto::FLOAT && from == AttributeProto::FLOATS && value.floats_size() == 1) {
    result.set_f(value.floats(0));
  } else if (type == AttributeProto::FLOAT && from == AttributeProto::INTS && value.ints_size() == 1) {
    result.set_f(static_cast<float>(value.ints(0)));
  } else if (type == AttributeProto::INT && from == AttributeProto::INTS && value.ints_size() == 1) {
    result.set_i(value.ints(0));
  } else if (type == AttributeProto::INT && from == AttributeProto::FLOAT && whole(value.f())) {
    result.set_i(*whole(value.f()));
  } else if (type == AttributeProto::INTS && from == AttributeProto::INT) {
    result.add_ints(value.i());
  } else if (type == AttributeProto::INTS && from == AttributeProto::FLOAT) {
    if (!append_whole(result, value.f())) return std::nullopt;
  } else if (type == AttributeProto::INTS && from == AttributeProto::FLOATS) {
    for (const float element : value.floats()) {
      if (!append_whole(result, element)) return std::nullopt;
    }
  } else if (type == AttributeProto::FLOATS && from == AttributeProto::FLOAT) {
    result.add_floats(value.f());
  } else if (type == AttributeProto::FLOATS && from == AttributeProto::INT) {
    result.add_floats(static_cast<float>(value.i()));
  } else if (type == AttributeProto::FLOATS && from == AttributeProto::INTS) {
    for (const int64_t element : value.ints()) result.add_floats(static_cast<float>(element));
  } else if (type == AttributeProto::STRINGS && from == AttributeProto::STRING) {
    result.add_strings(value.s());
  } else {
    return std::nullopt;
  }
  return result;
}

}  // namespace

std::optional<AttributeProto> converted(const AttributeProto& value, AttributeProto::AttributeType type) {
  if (is_open(value)) return std::nullopt;
  std::optional<AttributeProto> result;
  if (value.type() == AttributeProto::TENSOR && value.t().dims_size() <= 1) {
    result = attribute_of_constant(value.t());
    if (result && result->type() != type) result = converted(*result, type);
  } else if (value.type() == AttributeProto::STRING && type != AttributeProto::STRINGS) {
    result = read(value.s(), type);
  } else {
    result = between_numbers(value, type);
  }
  if (result) result->set_name(value.name());
  return result;
}

}  // namespace onnx_lower
