// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Words that another one may be a misspelling of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

// How many letters have to be put in, left out, changed or swapped with the next to make one word
// of the other, upper and lower case being the same;
// `limit` + 1 when it is more than `limit`.
std::size_t edit_distance(std::string_view left, std::string_view right, std::size_t limit);

// Up to what distance a word of this length is a misspelling rather than another word.
constexpr std::size_t largest_misspelling(std::size_t length) {
  return length < 4 ? 0 : length < 8 ? 1 : length < 12 ? 2 : 3;
}

// The first of the names that are nearest to a word, and no further from it than `limit`; empty
// where there is none.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names, std::size_t limit);

}  // namespace onnx_lower
