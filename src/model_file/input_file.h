// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of an input: a mapped file, or what came through a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "model_file/wire.h"

namespace onnx_lower {

// Read-only bytes that stay where they are until the object goes. Movable, so that a model can own
// its input.
class InputFile {
 public:
  // Maps a file, "-" as well where standard input is one; what cannot be mapped (a pipe) is read to
  // its end. Throws FileError.
  static InputFile open(const std::string& path);
  // Takes bytes that were made here, under the name by which messages call them.
  static InputFile from_bytes(std::string path, std::string bytes);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  Bytes bytes() const { return {data_, size_}; }
  // The descriptor of a mapped file, for copying ranges of it without touching its pages; -1 when
  // there is none.
  int descriptor() const { return descriptor_; }
  // Whether the file system keeps less than the file's size, so that parts of it may be holes,
  // which read as zeros and cost nothing.
  bool has_holes() const { return has_holes_; }

  // Brings a range of a mapped file into reach at once, which takes a fraction of the time of
  // touching its pages in turn. False where the kernel cannot (Linux before 5.14) or the range
  // cannot be read any more.
  bool map_pages(Bytes range) const;
  // The range, and what was mapped around it, no longer counts as this process's memory; it reads
  // as before. Bytes that are not of the mapped file stay as they are.
  void unmap_pages(Bytes range) const;
  // For a reader that goes through a mapped file once, from the beginning to the end: what lies
  // before `place` no longer counts as this process's memory, MiB by MiB, and what comes next is
  // brought into reach. Earlier bytes still read as before. A place outside the file is none of it;
  // one before the last begins a new pass.
  void pass(const char* place) const {
    const size_t offset = reinterpret_cast<uintptr_t>(place) - reinterpret_cast<uintptr_t>(data_);
    if (offset < size_ && (offset >= passed_ + pass_step || offset < passed_)) pass_to(offset);
  }

 private:
  InputFile() = default;
  // Takes the descriptor over; a negative one stands for the error in errno.
  static InputFile of_descriptor(const std::string& path, int descriptor);
  // What comes next sets the members anew, or is the end of them.
  void close();
  bool maps(Bytes range) const;
  void pass_to(size_t offset) const;

  static constexpr size_t pass_step = size_t{1} << 20;

  std::string path_;
  const char* data_ = nullptr;
  size_t size_ = 0;
  int descriptor_ = -1;
  bool has_holes_ = false;
  mutable size_t passed_ = 0;           // the offset to which the pass has come
  std::unique_ptr<std::string> owned_;  // set when not mapped
};

}  // namespace onnx_lower
