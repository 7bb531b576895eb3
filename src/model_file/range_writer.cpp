// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/range_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "error.h"

namespace onnx_lower {
namespace {

// The size that was measured fastest for copying between files, from a mapping whose pages were
// mapped at once. With larger blocks the kernel looks for contiguous memory; to read into a buffer
// first takes a quarter longer.
constexpr size_t block_size = size_t{1} << 18;

// How much of what has been copied may stay mapped.
constexpr size_t most_mapped = size_t{8} << 20;

// For a file that is synced in the end: whenever so many bytes have been written, the kernel is
// told to begin writing them to the disk, while more are copied.
constexpr uint64_t sync_size = uint64_t{64} << 20;

// Smaller ranges are copied from the mapping: their pages have most likely been looked at already.
constexpr size_t smallest_read = size_t{64} * 1024;

[[noreturn]] void fail_shorter(const InputFile& file) {
  throw FileError(fmt::format("{}: became shorter while it was read", file.path()));
}

// Gathers ranges into blocks and writes these. What lies in memory or in a mapping is referred to;
// what has to be read is read into a buffer.
class BlockWriter {
 public:
  BlockWriter(const RangeTarget& target, size_t capacity, const RangeSources& sources, const BytesWritten& written)
      : target_(target), sources_(sources), written_(written), capacity_(capacity) {}

  void append_memory(Bytes range) {
    while (!range.empty()) {
      const size_t count = std::min(range.size(), space());
      parts_.push_back({const_cast<char*>(range.data()), count});
      last_in_memory_ = range.substr(0, count);
      used_ += count;
      range.remove_prefix(count);
    }
  }

  void append_file(const InputFile& file, uint64_t offset, uint64_t size) {
    while (size > 0) {
      const size_t count = std::min<uint64_t>(size, space());
      const Bytes range = file.bytes().substr(offset, count);
      if (file.map_pages(range)) {
        parts_.push_back({const_cast<char*>(range.data()), count});
        note_mapped(file, range);
      } else {
        read_block(file, offset, count);
        parts_.push_back({buffer() + buffered_, count});
        buffered_ += count;
      }
      used_ += count;
      offset += count;
      size -= count;
    }
  }

  // Appends zeros that take no space on the disk. For new files only.
  void append_hole(uint64_t size) {
    flush();
    if (::lseek(target_.descriptor, static_cast<off_t>(size), SEEK_CUR) < 0)
      throw_file_error(target_.path, "cannot be written");
    if (written_) written_(size);
  }

  void flush() {
    for (auto part = parts_.begin(); part != parts_.end();) {
      const ssize_t count = ::writev(target_.descriptor, &*part, static_cast<int>(parts_.end() - part));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EFAULT && mapped_file_ != nullptr) fail_shorter(*mapped_file_);
      if (count < 0) throw_file_error(target_.path, "cannot be written");
      auto left = static_cast<size_t>(count);
      for (; part != parts_.end() && left >= part->iov_len; ++part) left -= part->iov_len;
      if (part == parts_.end()) break;
      part->iov_base = static_cast<char*>(part->iov_base) + left;
      part->iov_len -= left;
    }
    pass_source();
    parts_.clear();
    buffered_ = 0;
    if (written_ && used_ > 0) written_(used_);
    unsynced_ += used_;
    if (target_.is_synced && unsynced_ >= sync_size) {
      ::sync_file_range(target_.descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
      unsynced_ = 0;
    }
    used_ = 0;
    if (mapped_.size() >= most_mapped) unmap();
  }

 private:
  void note_mapped(const InputFile& file, Bytes range) {
    if (mapped_file_ == &file && extend(mapped_, range)) return;
    unmap();
    mapped_file_ = &file;
    mapped_ = range;
  }

  void unmap() {
    if (!mapped_.empty()) mapped_file_->unmap_pages(mapped_);
    mapped_ = {};
  }

  // Small ranges are mostly in the order in which their file has them: the pages before the last
  // range are not needed any more.
  void pass_source() {
    const InputFile* file = nullptr;
    if (!last_in_memory_.empty()) sources_.first_piece(last_in_memory_, file);
    if (file != nullptr) file->pass(last_in_memory_.data());
    last_in_memory_ = {};
  }

  // The buffer, which is allocated when the first range has to be read.
  char* buffer() {
    if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
    return buffer_.get();
  }

  size_t space() {
    constexpr size_t most_parts = 1024;  // the most that writev() takes on Linux
    if (used_ == capacity_ || parts_.size() == most_parts) flush();
    return capacity_ - used_;
  }

  void read_block(const InputFile& file, uint64_t offset, size_t count) {
    size_t got = 0;
    while (got < count) {
      const ssize_t part =
          ::pread(file.descriptor(), buffer() + buffered_ + got, count - got, static_cast<off_t>(offset + got));
      if (part < 0 && errno == EINTR) continue;
      if (part < 0) throw_file_error(file.path(), "cannot be read");
      if (part == 0) fail_shorter(file);
      got += static_cast<size_t>(part);
    }
  }

  const RangeTarget& target_;
  const RangeSources& sources_;
  const BytesWritten& written_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_;
  size_t buffered_ = 0;
  std::vector<iovec> parts_;
  Bytes last_in_memory_;  // the last of `parts_` that lies in memory
  size_t used_ = 0;       // the bytes of all parts
  uint64_t unsynced_ = 0;
  const InputFile* mapped_file_ = nullptr;
  Bytes mapped_;  // the range of that file whose pages are mapped
};

// Appends a range of a file, and leaves out the holes that the file system knows of.
void append_sparse(BlockWriter& writer, const InputFile& file, uint64_t offset, uint64_t size) {
  const uint64_t end = offset + size;
  while (offset < end) {
    const off_t data = ::lseek(file.descriptor(), static_cast<off_t>(offset), SEEK_DATA);
    if (data < 0 && errno != ENXIO) {  // the file system does not know of holes
      writer.append_file(file, offset, end - offset);
      return;
    }
    const uint64_t data_begin = data < 0 ? end : std::min(static_cast<uint64_t>(data), end);
    if (data_begin > offset) writer.append_hole(data_begin - offset);
    if (data_begin == end) return;
    const off_t hole = ::lseek(file.descriptor(), static_cast<off_t>(data_begin), SEEK_HOLE);
    const uint64_t data_end = hole < 0 ? end : std::min(static_cast<uint64_t>(hole), end);
    writer.append_file(file, data_begin, data_end - data_begin);
    offset = data_end;
  }
}

// Copies a whole file as a clone, where both files share their blocks. ext4 and most network file
// systems cannot do this; then it returns false.
bool cloned_whole(const RangeTarget& target, std::span<const Bytes> ranges, const RangeSources& sources) {
  if (!target.is_new_file || ranges.size() != 1) return false;
  const InputFile* file = nullptr;
  sources.first_piece(ranges.front(), file);
  return file != nullptr && file->bytes().data() == ranges.front().data() &&
         file->bytes().size() == ranges.front().size() && ::ioctl(target.descriptor, FICLONE, file->descriptor()) == 0;
}

}  // namespace

void RangeSources::add(const InputFile& file) {
  if (file.descriptor() < 0 || file.bytes().empty()) return;
  const auto place = std::lower_bound(files_.begin(), files_.end(), &file, [](const InputFile* a, const InputFile* b) {
    return a->bytes().data() < b->bytes().data();
  });
  files_.insert(place, &file);
}

void RangeSources::add(const ComputedBytes& computed) { computed_.emplace(computed.range().data(), &computed); }

const ComputedBytes* RangeSources::computed(Bytes range) const {
  if (computed_.empty()) return nullptr;
  const auto found = computed_.find(range.data());
  return found == computed_.end() ? nullptr : found->second;
}

Bytes RangeSources::first_piece(Bytes range, const InputFile*& file) const {
  file = nullptr;
  const auto behind = std::upper_bound(files_.begin(), files_.end(), range.data(),
                                       [](const char* data, const InputFile* f) { return data < f->bytes().data(); });
  if (behind != files_.begin()) {
    const Bytes mapped = (*(behind - 1))->bytes();
    const char* end = mapped.data() + mapped.size();
    if (range.data() < end) {
      file = *(behind - 1);
      return range.substr(0, static_cast<size_t>(end - range.data()));
    }
  }
  if (behind == files_.end()) return range;
  return range.substr(0, static_cast<size_t>((*behind)->bytes().data() - range.data()));
}

void for_each_part(Bytes range, const RangeSources& sources, const std::function<void(Bytes)>& take) {
  if (const ComputedBytes* computed = sources.computed(range)) {
    computed->compute(take);
  } else {
    take(range);
  }
}

void write_ranges(const RangeTarget& target, std::span<const Bytes> ranges, const RangeSources& sources,
                  const BytesWritten& written) {
  uint64_t size = 0;
  bool holes = false;
  for (const Bytes range : ranges) {
    size += range.size();
    const InputFile* file = nullptr;
    if (range.size() >= smallest_read) sources.first_piece(range, file);
    holes |= target.is_new_file && file != nullptr && file->has_holes();
  }
  if (cloned_whole(target, ranges, sources)) {
    if (written) written(size);
    return;
  }
  if (target.is_new_file && holes) {
    if (::ftruncate(target.descriptor, static_cast<off_t>(size)) != 0)
      throw_file_error(target.path, "cannot be written");
  } else if (target.is_new_file && size >= block_size) {
    // Reserving the space makes the copy faster, and shows at once if the disk is full. A file
    // system that cannot reserve space is written to as it is.
    if (::fallocate(target.descriptor, 0, 0, static_cast<off_t>(size)) != 0 && (errno == ENOSPC || errno == EFBIG))
      throw_file_error(target.path, "cannot be written");
  }
  BlockWriter writer(target, std::min<uint64_t>(std::max<uint64_t>(size, 1), block_size), sources, written);
  for (Bytes range : ranges) {
    if (const ComputedBytes* computed = sources.computed(range)) {
      computed->compute([&writer](Bytes block) {
        writer.append_memory(block);
        writer.flush();  // the next block may take the place of this one
      });
      continue;
    }
    if (range.size() < smallest_read) {
      writer.append_memory(range);
      continue;
    }
    while (!range.empty()) {
      const InputFile* file = nullptr;
      const Bytes piece = sources.first_piece(range, file);
      range.remove_prefix(piece.size());
      if (file == nullptr || piece.size() < smallest_read) {
        writer.append_memory(piece);
        continue;
      }
      const auto offset = static_cast<uint64_t>(piece.data() - file->bytes().data());
      if (target.is_new_file && file->has_holes()) {
        append_sparse(writer, *file, offset, piece.size());
      } else {
        writer.append_file(*file, offset, piece.size());
      }
    }
  }
  writer.flush();
}

}  // namespace onnx_lower
