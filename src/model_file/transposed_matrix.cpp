// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/transposed_matrix.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace onnx_lower {
namespace {

// A cache line. A tile of the matrix has rows of so many bytes, and so has the transposed tile.
constexpr size_t line = 64;

// The size of a block of the result, unless the matrix has so many rows that more is needed for a
// line of each.
constexpr uint64_t block_bytes = uint64_t{1} << 20;

// How much of a mapped file may be mapped at a time.
constexpr uint64_t most_written_at_once = uint64_t{16} << 20;

// As many bytes as every processor works on at once.
using Vector = uint8_t __attribute__((vector_size(16)));

Vector in_each_byte(unsigned byte) { return Vector{} + static_cast<uint8_t>(byte); }

// The bytes of two vectors by turns: of their first halves, and of their second ones.
Vector zipped_first(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
Vector zipped_second(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// Transposes a matrix of 8 rows of 16 bytes to 16 of 8 bytes, two in each vector: to zip each row
// with the one that is half of the rows behind it brings, each time, bytes of one column nearer.
void transpose_bytes(Vector (&rows)[8]) {
  for (int step = 0; step < 3; ++step) {
    Vector zipped[8];
    for (size_t row = 0; row < 4; ++row) {
      zipped[2 * row] = zipped_first(rows[row], rows[row + 4]);
      zipped[2 * row + 1] = zipped_second(rows[row], rows[row + 4]);
    }
    std::memcpy(rows, zipped, sizeof(rows));
  }
}

// A tile has as many rows as a line has elements, and so has the transposed one.
using TransposeTile = void (*)(const char* source, size_t stride, char* tile);

// Elements of at most 8 bits. A byte of the result has elements of `in_byte` rows: eight times so
// many rows are joined to 8 x 16 bytes, once for each of the elements in a byte.
template <int bits>
void transpose_small(const char* source, size_t stride, char* tile) {
  constexpr size_t in_byte = 8 / bits, width = sizeof(Vector);
  const Vector mask = in_each_byte((1U << bits) - 1);
  for (size_t first = 0; first < line; first += 8) {
    for (size_t byte = 0; byte < line; byte += width) {
      Vector loaded[8 * in_byte];
      for (size_t row = 0; row < 8 * in_byte; ++row)
        std::memcpy(&loaded[row], source + (first * in_byte + row) * stride + byte, width);
      for (size_t element = 0; element < in_byte; ++element) {
        Vector joined[8] = {};
        for (size_t row = 0; row < 8 * in_byte; ++row)
          joined[row / in_byte] |= (loaded[row] >> (bits * element) & mask) << (bits * (row % in_byte));
        transpose_bytes(joined);
        char columns[8 * width];
        std::memcpy(columns, joined, sizeof(columns));
        for (size_t column = 0; column < width; ++column)
          std::memcpy(tile + ((byte + column) * in_byte + element) * line + first, columns + column * 8, 8);
      }
    }
  }
}

template <typename Element>
void transpose_large(const char* source, size_t stride, char* tile) {
  constexpr size_t side = line / sizeof(Element);
  for (size_t row = 0; row < side; ++row) {
    for (size_t column = 0; column < side; ++column)
      std::memcpy(tile + (column * side + row) * sizeof(Element), source + row * stride + column * sizeof(Element),
                  sizeof(Element));
  }
}

TransposeTile transpose_tile_of(uint64_t bits) {
  switch (bits) {
    case 2:
      return transpose_small<2>;
    case 4:
      return transpose_small<4>;
    case 8:
      return transpose_small<8>;
    case 16:
      return transpose_large<uint16_t>;
    default:
      return transpose_large<uint32_t>;
  }
}

// What `flipped` inverts in a byte of elements.
unsigned flipped_in_byte(const StoredMatrix& matrix) {
  unsigned in_byte = 0;
  for (uint64_t at = 0; at < 8; at += matrix.bits) in_byte |= static_cast<unsigned>(matrix.flipped << at);
  return in_byte;
}

// The same matrix, whose elements stay as small as they are.
StoredMatrix packed(StoredMatrix matrix) {
  matrix.widened = false;
  return matrix;
}

// Maps the pages of a matrix as they are needed, and unmaps those that were.
class Pages {
 public:
  explicit Pages(const StoredMatrix& matrix) : matrix_(matrix) {}
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { unmap(); }

  void need(uint64_t offset) {
    if (matrix_.file == nullptr || (offset >= offset_ && offset < offset_ + mapped_.size())) return;
    unmap();
    offset_ = offset;
    mapped_ = matrix_.bytes.substr(offset, most_written_at_once);
    matrix_.file->map_pages(mapped_);
  }

 private:
  void unmap() {
    if (!mapped_.empty()) matrix_.file->unmap_pages(mapped_);
  }

  const StoredMatrix& matrix_;
  Bytes mapped_;
  uint64_t offset_ = 0;
};

class Transposition {
 public:
  explicit Transposition(const StoredMatrix& matrix)
      : matrix_(matrix),
        transpose_tile_(transpose_tile_of(matrix.bits)),
        side_(line * 8 / matrix.bits),
        used_row_bytes_((matrix.columns * matrix.bits + 7) / 8),
        result_row_bits_(matrix.rows * matrix.bits),
        has_whole_bytes_(result_row_bits_ % 8 == 0),
        lines_(std::clamp<uint64_t>(block_bytes / line / matrix.rows, 1, (used_row_bytes_ + line - 1) / line)),
        tile_(side_ * line),
        padded_(side_ * line),
        pages_(matrix) {}

  void run(const std::function<void(Bytes)>& take) {
    const uint64_t columns_of_block = lines_ * side_;
    for (uint64_t column = 0; column < matrix_.columns; column += columns_of_block) {
      columns_ = std::min(columns_of_block, matrix_.columns - column);
      const uint64_t bits = columns_ * result_row_bits_;
      block_.resize((bits + 7) / 8);
      if (!has_whole_bytes_) std::ranges::fill(block_, '\0');
      for (uint64_t row = 0; row < matrix_.rows; row += side_) {
        pages_.need(row * matrix_.row_bytes);
        for (uint64_t at = 0; at < columns_; at += side_) add_tile(row, column, at);
      }
      if (!has_whole_bytes_) {
        flip(block_);
        // The bits behind the last element of the tensor.
        if (bits % 8 != 0)
          block_.back() = static_cast<char>(static_cast<uint8_t>(block_.back()) & ((1U << bits % 8) - 1));
      }
      take({block_.data(), block_.size()});
    }
  }

 private:
  // Adds the tile whose first element is that of `row`, in the column `at` of those of the block.
  void add_tile(uint64_t row, uint64_t block_column, uint64_t at) {
    const uint64_t byte = (block_column + at) * matrix_.bits / 8;
    const uint64_t rows = std::min<uint64_t>(side_, matrix_.rows - row);
    const uint64_t bytes = std::min<uint64_t>(line, used_row_bytes_ - byte);
    const char* source = matrix_.bytes.data() + row * matrix_.row_bytes + byte;
    if (rows == side_ && bytes == line) {
      transpose_tile_(source, matrix_.row_bytes, tile_.data());
    } else {
      std::ranges::fill(padded_, '\0');
      for (uint64_t each = 0; each < rows; ++each)
        std::memcpy(padded_.data() + each * line, source + each * matrix_.row_bytes, bytes);
      transpose_tile_(padded_.data(), line, tile_.data());
    }
    if (has_whole_bytes_) flip(tile_);
    const uint64_t size = (rows * matrix_.bits + 7) / 8;
    const uint64_t end = std::min<uint64_t>(side_, columns_ - at);
    for (uint64_t column = 0; column < end; ++column)
      put((at + column) * result_row_bits_ + row * matrix_.bits, {tile_.data() + column * line, size});
  }

  // Puts elements at a bit of the block. A row of the result may begin within a byte.
  void put(uint64_t bit, Bytes elements) {
    char* out = block_.data() + bit / 8;
    if (has_whole_bytes_) {
      std::memcpy(out, elements.data(), elements.size());
      return;
    }
    const auto shift = static_cast<int>(bit % 8);
    for (size_t index = 0; index < elements.size(); ++index) {
      const unsigned byte = static_cast<uint8_t>(elements[index]);
      add_bits(out[index], static_cast<char>(byte << shift));
      if (const unsigned rest = byte >> (8 - shift); rest != 0) add_bits(out[index + 1], static_cast<char>(rest));
    }
  }

  static void add_bits(char& byte, char bits) {
    byte = static_cast<char>(static_cast<uint8_t>(byte) | static_cast<uint8_t>(bits));
  }

  // Inverts bits of all elements in the bytes.
  void flip(std::vector<char>& bytes) const {
    if (matrix_.flipped == 0) return;
    const unsigned in_byte = flipped_in_byte(matrix_);
    for (char& byte : bytes) byte = static_cast<char>(static_cast<uint8_t>(byte) ^ in_byte);
  }

  const StoredMatrix& matrix_;
  TransposeTile transpose_tile_;
  uint64_t side_;            // how many elements a line has
  uint64_t used_row_bytes_;  // of a row of the matrix, those that hold its elements
  uint64_t result_row_bits_;
  bool has_whole_bytes_;  // whether each row of the result begins with a byte
  uint64_t lines_;        // of each row of the matrix, how many make a block of the result
  std::vector<char> tile_, padded_;
  Pages pages_;
  uint64_t columns_ = 0;  // of the matrix, those in the block
  std::vector<char> block_;
};

// Of a matrix of one row, which is the same when it is transposed.
void copy_row(const StoredMatrix& row, const std::function<void(Bytes)>& take) {
  Pages pages(row);
  const unsigned flipped = flipped_in_byte(row);
  const uint64_t size = transposed_size(row);
  const uint64_t used_bits = row.columns * row.bits % 8;  // of the last byte, 0 for all of them
  std::string block;
  for (uint64_t at = 0; at < size; at += block_bytes) {
    pages.need(at);
    block = row.bytes.substr(at, std::min(block_bytes, size - at));
    for (char& byte : block) byte = static_cast<char>(static_cast<uint8_t>(byte) ^ flipped);
    if (used_bits != 0 && at + block.size() == size)
      block.back() = static_cast<char>(static_cast<uint8_t>(block.back()) & ((1U << used_bits) - 1));
    take(block);
  }
}

// Gives each element of a byte, the lowest bits first, a byte of its own.
template <int bits>
class Widening {
 public:
  Widening(bool has_sign, uint64_t elements) : left_(elements) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      for (unsigned place = 0; place < in_byte; ++place) {
        const unsigned code = byte >> (bits * place) & ((1U << bits) - 1);
        const bool is_negative = has_sign && code >> (bits - 1) != 0;
        elements_of_[byte][place] = static_cast<char>(is_negative ? code | ~0U << bits : code);
      }
    }
  }

  // The last of all bytes may hold fewer elements than the others.
  Bytes operator()(Bytes packed) {
    block_.resize(packed.size() * in_byte);
    char* out = block_.data();
    for (const char byte : packed) {
      std::memcpy(out, elements_of_[static_cast<uint8_t>(byte)].data(), in_byte);
      out += in_byte;
    }
    const uint64_t size = std::min<uint64_t>(left_, block_.size());
    left_ -= size;
    return {block_.data(), size};
  }

 private:
  static constexpr size_t in_byte = 8 / bits;
  std::array<std::array<char, in_byte>, 256> elements_of_;
  uint64_t left_;
  std::vector<char> block_;
};

template <int bits>
void transpose_widened(const StoredMatrix& matrix, const std::function<void(Bytes)>& take) {
  Widening<bits> widened(matrix.has_sign, matrix.rows * matrix.columns);
  transpose(packed(matrix), [&](Bytes block) { take(widened(block)); });
}

}  // namespace

bool StoredMatrix::has_all_rows() const {
  return matrices > 0 && rows > 0 && columns > 0 &&
         (matrices * rows - 1) * row_bytes + (columns * bits + 7) / 8 <= bytes.size();
}

uint64_t transposed_size(const StoredMatrix& matrix) {
  const uint64_t elements = matrix.matrices * matrix.rows * matrix.columns;
  return matrix.widened ? elements : (elements * matrix.bits + 7) / 8;
}

void transpose(const StoredMatrix& matrix, const std::function<void(Bytes)>& take) {
  if (matrix.matrices > 1) {
    StoredMatrix each = matrix;
    each.matrices = 1;
    for (uint64_t index = 0; index < matrix.matrices; ++index) {
      each.bytes = matrix.bytes.substr(index * matrix.rows * matrix.row_bytes, matrix.rows * matrix.row_bytes);
      transpose(each, take);
    }
  } else if (matrix.widened && matrix.bits == 2) {
    transpose_widened<2>(matrix, take);
  } else if (matrix.widened && matrix.bits == 4) {
    transpose_widened<4>(matrix, take);
  } else if (matrix.rows == 1) {
    copy_row(matrix, take);
  } else {
    Transposition(matrix).run(take);
  }
}

}  // namespace onnx_lower
