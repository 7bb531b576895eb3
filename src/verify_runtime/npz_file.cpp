// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify_runtime/npz_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

namespace onnx_lower::verify_runtime {
namespace {

template <typename Number>
Number number_at(std::string_view bytes, size_t offset) {
  Number number;
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Number)) throw NpzError("the file is cut short");
  std::memcpy(&number, bytes.data() + offset, sizeof(Number));
  return number;
}

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) throw NpzError("the file is cut short");
  return bytes.substr(offset, size);
}

// A ZIP archive's entry as its central directory has it.
struct Entry {
  std::string name;
  uint16_t method = 0;
  uint64_t packed_size = 0, size = 0, offset = 0;
};

// Takes from the extra field the sizes and the offset that do not fit into 32 bits.
void read_large_numbers(std::string_view extra, Entry& entry) {
  constexpr uint16_t zip64 = 1;
  while (extra.size() >= 4) {
    const auto id = number_at<uint16_t>(extra, 0);
    const std::string_view content = part(extra, 4, number_at<uint16_t>(extra, 2));
    extra.remove_prefix(4 + content.size());
    if (id != zip64) continue;
    size_t offset = 0;
    for (uint64_t* const value : {&entry.size, &entry.packed_size, &entry.offset}) {
      if (*value != 0xffffffff) continue;
      *value = number_at<uint64_t>(content, offset);
      offset += sizeof(uint64_t);
    }
  }
}

// The entries of the central directory, to which the end of the archive leads.
std::vector<Entry> entries_of(std::string_view file) {
  const size_t end = file.rfind("PK\5\6");
  if (end == file.npos) throw NpzError("it is no ZIP archive, as numpy.savez writes it");
  uint64_t count = number_at<uint16_t>(file, end + 10);
  uint64_t place = number_at<uint32_t>(file, end + 16);
  if (const size_t locator = end >= 20 ? end - 20 : file.npos;
      locator != file.npos && file.substr(locator, 4) == "PK\6\7") {
    const auto record = number_at<uint64_t>(file, locator + 8);
    if (part(file, record, 4) != "PK\6\6") throw NpzError("its directory is broken");
    count = number_at<uint64_t>(file, record + 32);
    place = number_at<uint64_t>(file, record + 48);
  }
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < count; ++i) {
    constexpr size_t header = 46;
    const std::string_view fixed = part(file, place, header);
    if (fixed.substr(0, 4) != "PK\1\2") throw NpzError("its directory is broken");
    const auto name_size = number_at<uint16_t>(fixed, 28);
    const auto extra_size = number_at<uint16_t>(fixed, 30);
    const auto comment_size = number_at<uint16_t>(fixed, 32);
    Entry entry{.name = std::string(part(file, place + header, name_size)),
                .method = number_at<uint16_t>(fixed, 10),
                .packed_size = number_at<uint32_t>(fixed, 20),
                .size = number_at<uint32_t>(fixed, 24),
                .offset = number_at<uint32_t>(fixed, 42)};
    read_large_numbers(part(file, place + header + name_size, extra_size), entry);
    entries.push_back(std::move(entry));
    place += header + name_size + extra_size + comment_size;
  }
  return entries;
}

std::string inflated(std::string_view packed, uint64_t size) {
  std::string content(size, '\0');
  z_stream stream{};
  constexpr int raw_deflate = -15;
  if (inflateInit2(&stream, raw_deflate) != Z_OK) throw NpzError("there is not enough memory");
  constexpr size_t most = 1 << 30;  // zlib counts in 32 bits
  size_t read = 0;
  size_t written = 0;
  int status = Z_OK;
  do {
    if (stream.avail_in == 0) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
      stream.avail_in = static_cast<uInt>(std::min(most, packed.size() - read));
      read += stream.avail_in;
    }
    if (stream.avail_out == 0) {
      stream.next_out = reinterpret_cast<Bytef*>(content.data() + written);
      stream.avail_out = static_cast<uInt>(std::min<uint64_t>(most, size - written));
      written += stream.avail_out;
    }
    status = inflate(&stream, Z_NO_FLUSH);
  } while (status == Z_OK);
  const bool is_whole = status == Z_STREAM_END && written == size && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!is_whole) throw NpzError("its compressed data are broken");
  return content;
}

std::string content_of(std::string_view file, const Entry& entry) {
  constexpr size_t header = 30;
  const std::string_view fixed = part(file, entry.offset, header);
  if (fixed.substr(0, 4) != "PK\3\4") throw NpzError("its directory is broken");
  const uint64_t begin = entry.offset + header + number_at<uint16_t>(fixed, 26) + number_at<uint16_t>(fixed, 28);
  const std::string_view packed = part(file, begin, entry.packed_size);
  constexpr uint16_t stored = 0;
  constexpr uint16_t deflated = 8;
  if (entry.method == deflated) {
    // Deflate makes nothing smaller than a thousandth and a bit of its size.
    if (entry.size / 1100 > entry.packed_size) throw NpzError("its compressed data are broken");
    return inflated(packed, entry.size);
  }
  if (entry.method == stored) return std::string(packed);
  throw NpzError(fmt::format("'{}' is compressed in a way that NumPy does not use", entry.name));
}

// The text behind a key of the dictionary that the header of a .npy file is.
std::string_view value_of(std::string_view header, std::string_view key) {
  const size_t place = header.find(fmt::format("'{}':", key));
  if (place == header.npos) throw NpzError(fmt::format("its header lacks '{}'", key));
  std::string_view value = header.substr(place + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

std::vector<int64_t> dims_in(std::string_view value) {
  std::vector<int64_t> dims;
  const size_t end = value.find(')');
  if (!value.starts_with('(') || end == value.npos) throw NpzError("its header has no shape");
  const char* const stop = value.data() + end;
  for (const char* place = value.data() + 1; place < stop;) {
    int64_t dim = 0;
    const std::from_chars_result read = std::from_chars(place, stop, dim);
    if (read.ec == std::errc()) {
      if (dim < 0) throw NpzError("its header has no shape");
      dims.push_back(dim);
    }
    place = std::max(read.ptr, place) + 1;
  }
  return dims;
}

// Reorders an array from Fortran order, in which the first index changes fastest, to C order.
std::string in_c_order(std::string_view data, const std::vector<int64_t>& dims, size_t size) {
  std::string ordered(data.size(), '\0');
  std::vector<int64_t> index(dims.size(), 0);
  for (size_t element = 0; element < data.size() / size; ++element) {
    size_t place = 0;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      place = place * static_cast<size_t>(dims[axis]) + static_cast<size_t>(index[axis]);
    std::memcpy(ordered.data() + place * size, data.data() + element * size, size);
    for (size_t axis = 0; axis < dims.size() && ++index[axis] == dims[axis]; ++axis) index[axis] = 0;
  }
  return ordered;
}

}  // namespace

NpyArray parse_npy(std::string_view content) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!content.starts_with(magic)) throw NpzError("it is no .npy file");
  const auto major = number_at<uint8_t>(content, magic.size());
  const size_t begin = major == 1 ? 10 : 12;
  const size_t header_size = major == 1 ? number_at<uint16_t>(content, 8) : number_at<uint32_t>(content, 8);
  const std::string_view header = part(content, begin, header_size);
  std::string_view type = value_of(header, "descr");
  if (!type.starts_with('\'')) throw NpzError("it is an array of records");
  type = type.substr(1, type.find('\'', 1) - 1);
  if (type.starts_with('>')) throw NpzError(fmt::format("its elements are big-endian ({})", type));
  if (type.ends_with('O')) throw NpzError("it holds Python objects; write strings with dtype str");
  NpyArray array{.type = std::string(type.substr(std::min<size_t>(type.size(), 1))), .dims = {}, .data = {}};
  array.dims = dims_in(value_of(header, "shape"));

  size_t size = 0;
  std::from_chars(array.type.data() + std::min<size_t>(1, array.type.size()), array.type.data() + array.type.size(),
                  size);
  if (array.type.starts_with('U')) size *= 4;
  uint64_t bytes = size;
  for (const int64_t dim : array.dims) {
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(dim), &bytes)) throw NpzError("the file is cut short");
  }
  const std::string_view data = part(content, begin + header_size, bytes);
  const bool is_fortran = value_of(header, "fortran_order").starts_with("True") && array.dims.size() > 1;
  array.data = is_fortran && size > 0 ? in_c_order(data, array.dims, size) : std::string(data);
  return array;
}

std::map<std::string, NpyArray> parse_npz(std::string_view content) {
  std::map<std::string, NpyArray> arrays;
  for (const Entry& entry : entries_of(content)) {
    std::string_view name = entry.name;
    if (!name.ends_with(".npy")) continue;
    name.remove_suffix(4);
    try {
      arrays.emplace(name, parse_npy(content_of(content, entry)));
    } catch (const NpzError& error) {
      throw NpzError(fmt::format("'{}': {}", name, error.what()));
    }
  }
  return arrays;
}

std::map<std::string, NpyArray> read_npz(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw NpzError(fmt::format("{}: cannot be read", path));
  const std::string content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  try {
    return parse_npz(content);
  } catch (const NpzError& error) {
    throw NpzError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace onnx_lower::verify_runtime
