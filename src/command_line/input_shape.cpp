// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/input_shape.h"

#include <fmt/format.h>

#include <optional>

#include "error.h"
#include "source_text/characters.h"

namespace onnx_lower {
namespace {

// A size that a dimension can have; nothing when it is none.
std::optional<int64_t> read_size(std::string_view text) {
  const std::optional<int64_t> size = number_in<int64_t>(text);
  return size && *size >= 0 ? size : std::nullopt;
}

}  // namespace

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

}  // namespace onnx_lower
