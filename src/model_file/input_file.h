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

// Read-only bytes that keep their address as long as the object lives. It can be moved, so that a
// model can own its input.
class InputFile {
 public:
  // Maps a file, or standard input for "-". What cannot be mapped, such as a pipe, is read to its
  // end. Throws FileError.
  static InputFile open(const std::string& path);
  // Takes over bytes that were made in memory. `path` is the name that messages show.
  static InputFile from_bytes(std::string path, std::string bytes);
  // The same bytes once more, for as long as this object lives; the copy has no descriptor.
  InputFile shared() const;

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  Bytes bytes() const { return {data_, size_}; }
  // The descriptor of a mapped file, for copying ranges of it without touching its pages; -1 when
  // there is none.
  int descriptor() const { return descriptor_; }
  // Whether the file takes less space on the disk than its size, so that parts of it may be holes,
  // which read as zeros and cost nothing.
  bool has_holes() const { return has_holes_; }

  // Maps the pages of a range of a mapped file at once, which takes a fraction of the time of
  // touching each of them. False where the kernel cannot do it (Linux before 5.14), or where the
  // range can no longer be read.
  bool map_pages(Bytes range) const;
  // Unmaps the pages of the range and those that were mapped around it, so that they no longer
  // count as this process's memory. The range reads as before. Ranges that do not lie in the mapped
  // file are left alone.
  void unmap_pages(Bytes range) const;
  // For a reader that goes through a mapped file from the beginning to the end: unmaps what lies
  // before `place`, MiB by MiB, and maps what comes next. Earlier bytes still read as before. A
  // place outside of the file is ignored; one before the last begins a new pass.
  void pass(const char* place) const {
    const size_t offset = reinterpret_cast<uintptr_t>(place) - reinterpret_cast<uintptr_t>(data_);
    if (offset < size_ && (offset >= passed_ + pass_step || offset < passed_)) pass_to(offset);
  }
  // To be called when the reader has come to the end: unmaps what is left of the pass.
  void end_pass() const {
    if (passed_ == 0) return;
    unmap_pages(bytes());
    passed_ = 0;
  }

 private:
  InputFile() = default;
  // Takes ownership of a descriptor; if it is negative, throws the error in errno.
  static InputFile of_descriptor(const std::string& path, int descriptor);
  // Does not reset the members: they are assigned or destroyed next.
  void close();
  bool maps(Bytes range) const;
  void pass_to(size_t offset) const;

  static constexpr size_t pass_step = size_t{1} << 20;

  std::string path_;
  const char* data_ = nullptr;
  size_t size_ = 0;
  int descriptor_ = -1;
  bool has_holes_ = false;
  bool is_mapped_ = false;              // the bytes lie in a mapped file
  bool is_shared_ = false;              // another object owns them
  mutable size_t passed_ = 0;           // how far the pass has come, as an offset
  std::unique_ptr<std::string> owned_;  // the bytes of an input that is not mapped
};

}  // namespace onnx_lower
