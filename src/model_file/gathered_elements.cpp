// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/gathered_elements.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>

namespace onnx_lower {
namespace {

constexpr uint64_t bits_of_word = 32;

// How large blocks are, unless a row is larger.
constexpr uint64_t gathered_block = uint64_t{1} << 20;

uint64_t count_of(const std::vector<Step>& digits) {
  uint64_t count = 1;
  for (const Step& digit : digits) count *= digit.count;
  return count;
}

uint64_t result_bits(const Derivation& how) { return how.widened ? 8 : how.bits; }

template <typename Word>
Word word_at(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Where, in a row, several elements of the result lie in one word of the source, and the next ones
// as they do in the next word: the place of each in its word.
template <size_t in_word>
std::array<int, in_word> places_in_words(const std::vector<int64_t>& columns) {
  std::array<int, in_word> places{};
  const int64_t first_word = columns[0] / static_cast<int64_t>(bits_of_word);
  for (size_t column = 0; column < columns.size(); ++column) {
    const auto word = static_cast<int64_t>(column / in_word) + first_word;
    const int64_t place = columns[column] - word * static_cast<int64_t>(bits_of_word);
    if (place < 0 || place >= static_cast<int64_t>(bits_of_word)) return {-1};
    if (column < in_word) places[column] = static_cast<int>(place);
    if (place != places[column % in_word]) return {-1};
  }
  return places;
}

// Sixteen words, or an element of each.
constexpr size_t word_lanes = 16;
using Words = uint32_t __attribute__((vector_size(word_lanes * sizeof(uint32_t))));
using ByteOfEach = uint8_t __attribute__((vector_size(word_lanes)));
using PairOfEach = uint16_t __attribute__((vector_size(word_lanes)));
using JoinedPairs = uint8_t __attribute__((vector_size(word_lanes / 2)));

// Whether rows are the elements of one row of words at the same place in each word: as many rows as
// a word has elements lie one behind another.
bool are_places_of_words(const Derivation& how) {
  const uint64_t in_word = bits_of_word / how.bits;
  return (how.bits == 8 || how.bits == 4) && how.added == 0 && how.first_bit % bits_of_word == 0 &&
         how.rows.size() == 2 && how.rows[0].stride % static_cast<int64_t>(bits_of_word) == 0 &&
         how.rows[1] == Step{in_word, static_cast<int64_t>(how.bits)} && how.columns.size() == 1 &&
         how.columns[0].count % word_lanes == 0 && how.columns[0].stride == static_cast<int64_t>(bits_of_word);
}

// Takes the elements of a row of words apart, as rows of the result.
template <int bits>
void take_words_apart(const char* words, size_t count, const Derivation& how, char* out) {
  constexpr uint32_t all = (1U << bits) - 1, sign = 1U << (bits - 1);
  const bool is_wide = how.widened || bits == 8;
  const size_t row_bytes = is_wide ? count : count * bits / 8;
  for (size_t at = 0; at < count; at += word_lanes) {
    Words loaded;
    std::memcpy(&loaded, words + at * sizeof(uint32_t), sizeof(loaded));
    for (uint32_t place = 0; place < bits_of_word / bits; ++place) {
      const Words codes = (loaded >> (bits * place) & all) ^ static_cast<uint32_t>(how.flipped);
      auto bytes = __builtin_convertvector(codes, ByteOfEach);
      char* const row = out + place * row_bytes;
      if (is_wide) {
        if (how.widened && how.has_sign) bytes = (bytes ^ static_cast<uint8_t>(sign)) - static_cast<uint8_t>(sign);
        std::memcpy(row + at, &bytes, sizeof(bytes));
      } else {
        PairOfEach pairs;
        std::memcpy(&pairs, &bytes, sizeof(pairs));
        const auto joined = __builtin_convertvector(pairs | pairs >> 4, JoinedPairs);
        std::memcpy(row + at / 2, &joined, sizeof(joined));
      }
    }
  }
}

class Gathering {
 public:
  explicit Gathering(const GatheredElements& elements)
      : source_(elements.bytes),
        file_(elements.file),
        how_(elements.how),
        rows_(offsets_of(how_.rows)),
        columns_(offsets_of(how_.columns)),
        mask_(how_.bits >= 8 ? 0xff : (1U << how_.bits) - 1) {
    const auto [least, most] = std::ranges::minmax(columns_);
    first_column_ = least;
    last_column_ = most;
    // Words are read of rows that begin with one.
    const bool begin_with_words = how_.first_bit % bits_of_word == 0 && std::ranges::all_of(rows_, [](int64_t row) {
                                    return row % static_cast<int64_t>(bits_of_word) == 0;
                                  });
    if (how_.bits == 4 && !how_.widened && how_.added == 0 && begin_with_words &&
        columns_.size() % codes_in_word == 0 && has_whole_words())
      places_ = places_in_words<codes_in_word>(columns_);
  }

  void run(const std::function<void(Bytes)>& take) {
    const uint64_t bits_of_row = columns_.size() * result_bits(how_);
    // Each block has whole bytes.
    const uint64_t rows_of_block = std::max<uint64_t>(gathered_block * 8 / bits_of_row / 8 * 8, 8);
    std::string block;
    for (uint64_t row = 0; row < rows_.size(); row += rows_of_block) {
      const uint64_t count = std::min(rows_of_block, rows_.size() - row);
      block.assign((count * bits_of_row + 7) / 8, '\0');
      gather_rows(row, count, block);
      take(block);
      unmap(row, count);
    }
  }

 private:
  static constexpr size_t codes_in_word = 8;

  // Whether the last word of each row lies within the source, of which maybe not all is asked for.
  bool has_whole_words() const {
    const int64_t last = static_cast<int64_t>(how_.first_bit) + std::ranges::max(rows_) + last_column_;
    const auto words = static_cast<uint64_t>(last) / bits_of_word + 1;
    return words * sizeof(uint32_t) <= source_.size();
  }

  void gather_rows(uint64_t first, uint64_t count, std::string& block) const {
    const uint64_t bits = result_bits(how_);
    if (are_places_of_words(how_)) return gather_places_of_words(first, count, block);
    for (uint64_t row = 0; row < count; ++row) {
      const int64_t begin = static_cast<int64_t>(how_.first_bit) + rows_[first + row];
      const uint64_t at = row * columns_.size() * bits;
      if (places_[0] >= 0) {
        gather_words(begin, block.data() + at / 8);
      } else if (how_.bits >= 8) {
        gather_bytes(begin, block.data() + at / 8);
      } else {
        gather_codes(begin, at, block);
      }
    }
  }

  // `first` and `count` are multiples of 8, and so of the elements in a word.
  void gather_places_of_words(uint64_t first, uint64_t count, std::string& block) const {
    const uint64_t in_word = bits_of_word / how_.bits;
    for (uint64_t row = 0; row < count; row += in_word) {
      const char* words = source_.data() + (static_cast<int64_t>(how_.first_bit) + rows_[first + row]) / 8;
      char* const out = block.data() + row * columns_.size() * result_bits(how_) / 8;
      (how_.bits == 4 ? take_words_apart<4> : take_words_apart<8>)(words, columns_.size(), how_, out);
    }
  }

  // Codes whose places are the same in each word.
  void gather_words(int64_t begin, char* out) const {
    const char* const words =
        source_.data() +
        (begin + columns_[0] / static_cast<int64_t>(bits_of_word) * static_cast<int64_t>(bits_of_word)) / 8;
    const std::array<int, codes_in_word> places = places_;
    const auto flipped = static_cast<uint32_t>(how_.flipped * 0x11111111U);
    const size_t count = columns_.size() / codes_in_word;
    for (size_t index = 0; index < count; ++index) {
      const auto word = word_at<uint32_t>(words + index * sizeof(uint32_t));
      uint32_t joined = flipped;
      for (size_t code = 0; code < codes_in_word; ++code) joined ^= (word >> places[code] & 0xfU) << (4 * code);
      std::memcpy(out + index * sizeof(joined), &joined, sizeof(joined));
    }
  }

  void gather_bytes(int64_t begin, char* out) const {
    const size_t size = how_.bits / 8;
    for (const int64_t column : columns_) {
      std::memcpy(out, source_.data() + (begin + column) / 8, size);
      if (size == 1) *out = static_cast<char>(changed(static_cast<uint8_t>(*out)));
      out += size;
    }
  }

  void gather_codes(int64_t begin, uint64_t at, std::string& block) const {
    for (const int64_t column : columns_) {
      const int64_t bit = begin + column;
      const unsigned code = changed(static_cast<uint8_t>(source_[static_cast<size_t>(bit / 8)]) >> (bit % 8) & mask_);
      const bool is_negative = how_.widened && how_.has_sign && code >> (how_.bits - 1) != 0;
      char& byte = block[at / 8];
      byte = static_cast<char>(static_cast<uint8_t>(byte) | (is_negative ? code | ~mask_ : code) << (at % 8));
      at += result_bits(how_);
    }
  }

  unsigned changed(unsigned code) const {
    return ((code + static_cast<unsigned>(how_.added)) & mask_) ^ static_cast<unsigned>(how_.flipped);
  }

  // Unmaps the pages that were read for these rows: most rows lie one behind another, and pages
  // that are needed again are mapped again.
  void unmap(uint64_t first, uint64_t count) const {
    if (file_ == nullptr) return;
    const auto rows = std::span(rows_).subspan(first, count);
    const auto [least, most] = std::ranges::minmax(rows);
    const auto from = static_cast<size_t>((static_cast<int64_t>(how_.first_bit) + least + first_column_) / 8);
    const auto to = static_cast<size_t>((static_cast<int64_t>(how_.first_bit) + most + last_column_) / 8);
    file_->unmap_pages(source_.substr(from, to - from + 1));
  }

  Bytes source_;
  const InputFile* file_;
  const Derivation& how_;
  std::vector<int64_t> rows_, columns_;
  unsigned mask_;
  int64_t first_column_ = 0, last_column_ = 0;
  std::array<int, codes_in_word> places_ = {-1};
};

}  // namespace

std::vector<int64_t> offsets_of(const std::vector<Step>& digits) {
  std::vector<int64_t> offsets = {0};
  for (const Step& digit : digits) {
    std::vector<int64_t> longer;
    longer.reserve(offsets.size() * digit.count);
    for (const int64_t offset : offsets) {
      for (uint64_t value = 0; value < digit.count; ++value)
        longer.push_back(offset + static_cast<int64_t>(value) * digit.stride);
    }
    offsets = std::move(longer);
  }
  return offsets;
}

bool has_rows_of_words(const Derivation& how) { return are_places_of_words(how); }

bool GatheredElements::lie_within() const {
  int64_t least = static_cast<int64_t>(how.first_bit), most = least;
  bool are_whole = how.first_bit % how.bits == 0;
  for (const std::vector<Step>& digits : {how.rows, how.columns}) {
    for (const Step& digit : digits) {
      if (digit.count == 0) return false;
      (digit.stride < 0 ? least : most) += static_cast<int64_t>(digit.count - 1) * digit.stride;
      are_whole &= digit.stride % static_cast<int64_t>(how.bits) == 0;
    }
  }
  return are_whole && least >= 0 && static_cast<uint64_t>(most) + how.bits <= bytes.size() * 8;
}

uint64_t gathered_size(const GatheredElements& elements) {
  const Derivation& how = elements.how;
  return (count_of(how.rows) * count_of(how.columns) * result_bits(how) + 7) / 8;
}

void gather(const GatheredElements& elements, const std::function<void(Bytes)>& take) { Gathering(elements).run(take); }

}  // namespace onnx_lower
