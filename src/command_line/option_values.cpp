// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "domain.h"
#include "error.h"
#include "rules/conditions/expression.h"
#include "source_text/characters.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using SetElement = condition::Operand::Literal;

// `option`: with its value, as the user gave it.
[[noreturn]] void refuse(std::string_view option, std::string_view why) {
  throw UsageError(fmt::format("{}: {}", option, why));
}

bool is_name(std::string_view text) {
  return !text.empty() && starts_name(text.front()) && std::ranges::all_of(text, continues_name);
}

struct Assignment {
  std::string_view target;
  std::string_view attribute;
  std::string_view value;
};

// The attribute follows the last dot before the equals sign; names of nodes may hold dots and
// equals signs themselves.
std::optional<Assignment> split(std::string_view text) {
  for (size_t sign = text.find('='); sign != std::string_view::npos; sign = text.find('=', sign + 1)) {
    const std::string_view left = text.substr(0, sign);
    const size_t dot = left.rfind('.');
    if (dot == std::string_view::npos || dot == 0) continue;
    const std::string_view attribute = left.substr(dot + 1);
    if (is_name(attribute)) return Assignment{left.substr(0, dot), attribute, text.substr(sign + 1)};
  }
  return std::nullopt;
}

// Reads a quoted string that `rest` starts with, and removes it from there.
std::string take_quoted(std::string_view& rest, std::string_view whole) {
  const char quote = rest.front();
  std::string content;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == quote) {
      rest.remove_prefix(i + 1);
      return content;
    }
    if (rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == quote || rest[i + 1] == '\\')) ++i;
    content += rest[i];
  }
  refuse(whole, fmt::format("the closing {} is missing", quote));
}

SetElement read_plain(std::string_view word, std::string_view whole) {
  std::string_view number = word;
  if (number.size() > 1 && number.front() == '+' && number[1] != '-') number.remove_prefix(1);
  const char* const end = number.data() + number.size();
  int64_t integer = 0;
  const auto as_integer = std::from_chars(number.data(), end, integer);
  if (as_integer.ptr == end) {
    if (as_integer.ec == std::errc::result_out_of_range)
      refuse(whole, fmt::format("{} does not fit into 64 bits", word));
    if (as_integer.ec == std::errc()) return integer;
  }
  double floating = 0;
  const auto as_float = std::from_chars(number.data(), end, floating);
  if (as_float.ptr == end && as_float.ec != std::errc::invalid_argument) {
    const float narrowed = static_cast<float>(floating);
    if (as_float.ec == std::errc::result_out_of_range || (std::isinf(narrowed) && !std::isinf(floating))) {
      refuse(whole, fmt::format("{} does not fit into a float", word));
    }
    return floating;
  }
  return std::string(word);
}

struct Word {
  std::string text;
  bool is_quoted;
};

struct Words {
  std::vector<Word> all;
  bool is_list = false;
};

// One word, or several with commas between them and perhaps brackets around them.
Words read_words(std::string_view value, std::string_view whole) {
  Words words;
  std::string_view rest = trimmed(value);
  if (rest.empty()) refuse(whole, R"(there is no value after '='; write "" for an empty string)");
  if (rest.front() == '[' && rest.back() != ']') refuse(whole, "the closing ] is missing");
  if (rest.size() >= 2 && rest.front() == '[') {
    words.is_list = true;
    rest = trimmed(rest.substr(1, rest.size() - 2));
    if (rest.empty()) return words;
  }
  while (true) {
    rest = trimmed(rest);
    if (!rest.empty() && (rest.front() == '"' || rest.front() == '\'')) {
      words.all.push_back({take_quoted(rest, whole), true});
      rest = trimmed(rest);
      if (!rest.empty() && rest.front() != ',')
        refuse(whole, fmt::format("unexpected '{}' after the closing quote", rest));
    } else {
      const size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view word = trimmed(rest.substr(0, comma));
      if (word.empty()) refuse(whole, "there is nothing before or after a comma");
      words.all.push_back({std::string(word), false});
      rest.remove_prefix(comma);
    }
    if (rest.empty()) return words;
    words.is_list = true;
    rest.remove_prefix(1);
  }
}

AttributeProto to_attribute(std::string_view name, const Words& words, std::string_view whole) {
  if (words.all.empty()) refuse(whole, "an empty list has no type");
  std::vector<SetElement> elements;
  for (const Word& word : words.all)
    elements.push_back(word.is_quoted ? SetElement(word.text) : read_plain(word.text, whole));
  AttributeProto attribute;
  attribute.set_name(std::string(name));
  if (!words.is_list) {
    condition::set_value(attribute, elements.front());
  } else if (!condition::set_values(attribute, elements)) {
    refuse(whole, "numbers and strings do not go into one list; quote the numbers that are strings");
  }
  return attribute;
}

// A number that a dimension can be; nothing when the text is none.
std::optional<int64_t> read_size(std::string_view text) {
  const std::optional<int64_t> size = number_in<int64_t>(text);
  return size && *size >= 0 ? size : std::nullopt;
}

}  // namespace

AttributeSetting parse_attribute_setting(std::string_view text) {
  constexpr std::string_view wanted = "write DOMAIN::OP.ATTRIBUTE=VALUE or node:NAME.ATTRIBUTE=VALUE";
  const std::string whole = fmt::format("--set {}", text);
  const std::optional<Assignment> assignment = split(text);
  if (!assignment) refuse(whole, wanted);
  AttributeSetting setting;
  setting.text = text;
  constexpr std::string_view node_prefix = "node:";
  if (assignment->target.starts_with(node_prefix) && !assignment->target.starts_with("node::")) {
    setting.node_name = assignment->target.substr(node_prefix.size());
    if (setting.node_name.empty()) refuse(whole, wanted);
  } else {
    const size_t colons = assignment->target.find("::");
    if (colons == std::string_view::npos || colons + 2 == assignment->target.size()) refuse(whole, wanted);
    setting.domain = normalized_domain(assignment->target.substr(0, colons));
    setting.op_type = assignment->target.substr(colons + 2);
  }
  setting.attribute = to_attribute(assignment->attribute, read_words(assignment->value, whole), whole);
  return setting;
}

OperatorPattern parse_operator_pattern(std::string_view option, std::string_view text) {
  const size_t colons = text.find("::");
  if (text.empty() || text.ends_with("::"))
    throw UsageError(fmt::format("{}{}{}: write DOMAIN or DOMAIN::OP", option, option == "--attach" ? "=" : " ", text));
  if (colons == std::string_view::npos) return {.domain = std::string(normalized_domain(text)), .op_type = ""};
  return {.domain = std::string(normalized_domain(text.substr(0, colons))),
          .op_type = std::string(text.substr(colons + 2))};
}

InputShape parse_input_shape(std::string_view text) {
  // Names of inputs may hold colons: torch writes "input.1", TensorFlow "x:0".
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    throw UsageError(fmt::format("--input-shape {}: write NAME:1,3,224,224", text));
  InputShape shape{.input = std::string(text.substr(0, colon)), .dims = {}, .text = std::string(text)};
  if (colon + 1 == text.size()) return shape;
  for (const std::string_view word : split(text.substr(colon + 1), ',')) {
    shape.dims.push_back(word == "?" ? std::nullopt : read_size(word));
    if (word != "?" && !shape.dims.back())
      throw UsageError(
          fmt::format("--input-shape {}: '{}' is no dimension: write a whole number, or ? for one that stays as it is",
                      text, word));
  }
  return shape;
}

NamedDimension parse_named_dimension(std::string_view text) {
  const size_t sign = text.rfind('=');
  const std::optional<int64_t> size = sign == std::string_view::npos ? std::nullopt : read_size(text.substr(sign + 1));
  if (!size || sign == 0) throw UsageError(fmt::format("--dim {}: write NAME=N, as in batch=1", text));
  return {.name = std::string(text.substr(0, sign)), .size = *size, .text = std::string(text)};
}

InputValue parse_input_value(std::string_view text) {
  const std::string whole = fmt::format("--input-value {}", text);
  // Names of inputs may hold equals signs, and so may strings.
  const size_t quote = text.find_first_of("\"'");
  const size_t sign = text.rfind('=', quote);
  if (sign == std::string_view::npos || sign == 0) refuse(whole, "write NAME=VALUE, as in sample_rate=16000");
  Words words = read_words(text.substr(sign + 1), whole);
  InputValue value{.input = std::string(text.substr(0, sign)), .elements = {}, .is_list = words.is_list, .text = {}};
  for (Word& word : words.all) value.elements.push_back(std::move(word.text));
  value.text = text;
  return value;
}

}  // namespace onnx_lower
