// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which known word an unknown word may be a misspelling of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

// How many letters have to be inserted, deleted, changed or swapped with the next one to turn
// one word into the other, where upper and lower case are the same; `limit` + 1 where that is
// more than `limit`.
std::size_t edit_distance(std::string_view left, std::string_view right, std::size_t limit);

// The edit distance up to which a word of this length is taken for a misspelling and not
// for another word.
constexpr std::size_t largest_misspelling(std::size_t length) {
  return length < 4 ? 0 : length < 8 ? 1 : length < 12 ? 2 : 3;
}

// The first of the names with the smallest edit distance to the word, if that is at most `limit`;
// empty where no name is that near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names, std::size_t limit);

// The same among those of which the word may be a misspelling.
inline std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  return nearest_name(word, names, largest_misspelling(word.size()));
}

}  // namespace onnx_lower
