// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>

#include "error.h"

namespace onnx_lower {
namespace {

#ifndef MADV_POPULATE_READ
constexpr int MADV_POPULATE_READ = 22;  // newer than some C libraries
#endif

// When a page is touched, the kernel maps no more around it than this.
constexpr size_t most_mapped_at_once = size_t{1} << 21;

// How far before its place a reader that goes through a file still reads: names of values that were
// made not long ago.
constexpr size_t still_read = size_t{1} << 16;

// Calls madvise() for the pages that hold the range.
bool advise(Bytes range, int advice) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t before = reinterpret_cast<uintptr_t>(range.data()) % page;
  return ::madvise(const_cast<char*>(range.data()) - before, before + range.size(), advice) == 0;
}

std::string read_to_end(int descriptor, const std::string& path) {
  std::string bytes;
  constexpr size_t block = size_t{1} << 20;
  for (;;) {
    const size_t old_size = bytes.size();
    bytes.resize(old_size + block);
    const ssize_t count = ::read(descriptor, bytes.data() + old_size, block);
    if (count < 0 && errno == EINTR) {
      bytes.resize(old_size);
      continue;
    }
    if (count < 0) throw_file_error(path, "cannot be read");
    bytes.resize(old_size + static_cast<size_t>(count));
    if (count == 0) return bytes;
  }
}

}  // namespace

InputFile InputFile::open(const std::string& path) {
  if (path == "-") {
    // If standard input is not at its beginning, another process reads from it as well:
    // it is not mapped.
    if (::lseek(STDIN_FILENO, 0, SEEK_CUR) != 0) return from_bytes("<stdin>", read_to_end(STDIN_FILENO, "<stdin>"));
    return of_descriptor("<stdin>", ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  }
  return of_descriptor(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

InputFile InputFile::of_descriptor(const std::string& path, int descriptor) {
  InputFile file;
  file.path_ = path;
  file.descriptor_ = descriptor;
  if (file.descriptor_ < 0) throw_file_error(path, "cannot be opened");
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0) throw_file_error(path, "cannot be read");
  if (S_ISDIR(status.st_mode)) throw FileError(fmt::format("{}: is a folder, and a model file is expected", path));
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<size_t>(status.st_size);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor_, 0);
    if (data != MAP_FAILED) {
      file.data_ = static_cast<const char*>(data);
      file.size_ = size;
      file.is_mapped_ = true;
      // st_blocks counts blocks of 512 bytes on every file system.
      file.has_holes_ = status.st_blocks * 512 < status.st_size;
      return file;
    }
  }
  return from_bytes(path, read_to_end(file.descriptor_, path));
}

InputFile InputFile::from_bytes(std::string path, std::string bytes) {
  InputFile file;
  file.path_ = std::move(path);
  file.owned_ = std::make_unique<std::string>(std::move(bytes));
  file.data_ = file.owned_->data();
  file.size_ = file.owned_->size();
  return file;
}

InputFile InputFile::shared() const {
  InputFile file;
  file.path_ = path_;
  file.data_ = data_;
  file.size_ = size_;
  file.has_holes_ = has_holes_;
  file.is_mapped_ = is_mapped_;
  file.is_shared_ = true;
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      has_holes_(other.has_holes_),
      is_mapped_(other.is_mapped_),
      is_shared_(other.is_shared_),
      passed_(std::exchange(other.passed_, 0)),
      owned_(std::move(other.owned_)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  if (this != &other) {
    close();
    path_ = std::move(other.path_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    descriptor_ = std::exchange(other.descriptor_, -1);
    has_holes_ = other.has_holes_;
    is_mapped_ = other.is_mapped_;
    is_shared_ = other.is_shared_;
    passed_ = std::exchange(other.passed_, 0);
    owned_ = std::move(other.owned_);
  }
  return *this;
}

InputFile::~InputFile() { close(); }

bool InputFile::maps(Bytes range) const {
  return is_mapped_ && !range.empty() && !std::less<>()(range.data(), data_) &&
         !std::less<>()(data_ + size_, range.data() + range.size());
}

bool InputFile::map_pages(Bytes range) const { return maps(range) && advise(range, MADV_POPULATE_READ); }

void InputFile::unmap_pages(Bytes range) const {
  if (!maps(range)) return;  // dropping pages of other memory would lose their content
  const auto before = std::min<size_t>(static_cast<size_t>(range.data() - data_), most_mapped_at_once);
  const auto behind =
      std::min<size_t>(static_cast<size_t>(data_ + size_ - range.data()) - range.size(), most_mapped_at_once);
  advise(Bytes(range.data() - before, before + range.size() + behind), MADV_DONTNEED);
}

void InputFile::pass_to(size_t offset) const {
  if (!is_mapped_) return;  // dropping pages of other memory would lose their content
  // What lies right before `offset` stays, and what comes next may have been mapped already. What
  // was touched again behind the reader's back has been mapped with all that is around it: hence
  // the second look at what was dropped before.
  const size_t begin = passed_ - std::min({passed_, offset, most_mapped_at_once});
  const size_t end = offset - std::min(offset, still_read);
  if (offset > passed_ && end > begin) advise(bytes().substr(begin, end - begin), MADV_DONTNEED);
  passed_ = offset;
  map_pages(bytes().substr(offset, pass_step));
}

void InputFile::close() {
  if (data_ != nullptr && is_mapped_ && !is_shared_) ::munmap(const_cast<char*>(data_), size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace onnx_lower
