#include "model_file/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "error.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// Measured best for copying between files: blocks of 4 MiB were much slower, writing from a mapping four times.
constexpr size_t block_size = size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw FileError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

// Gathers small ranges into blocks.
class BlockWriter {
 public:
  BlockWriter(int descriptor, const std::string& path, size_t capacity)
      : descriptor_(descriptor), path_(path), buffer_(std::make_unique<char[]>(capacity)), capacity_(capacity) {}

  void append(Bytes range, const InputFile& input) {
    const Bytes mapped = input.bytes();
    const bool from_file = input.descriptor() >= 0 && range.size() >= 64 * 1024 && range.data() >= mapped.data() &&
                           range.data() + range.size() <= mapped.data() + mapped.size();
    while (!range.empty()) {
      if (used_ == capacity_) flush();
      const size_t count = std::min(range.size(), capacity_ - used_);
      if (from_file) {
        read_range(input, range.data() - mapped.data(), count);
      } else {
        std::memcpy(buffer_.get() + used_, range.data(), count);
      }
      used_ += count;
      range.remove_prefix(count);
    }
  }

  void flush() {
    size_t written = 0;
    while (written < used_) {
      const ssize_t count = ::write(descriptor_, buffer_.get() + written, used_ - written);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(path_, "cannot be written");
      written += static_cast<size_t>(count);
    }
    used_ = 0;
  }

 private:
  void read_range(const InputFile& input, off_t offset, size_t count) {
    size_t got = 0;
    while (got < count) {
      const ssize_t part =
          ::pread(input.descriptor(), buffer_.get() + used_ + got, count - got, offset + static_cast<off_t>(got));
      if (part < 0 && errno == EINTR) continue;
      if (part < 0) fail(input.path(), "cannot be read");
      if (part == 0) throw FileError(fmt::format("{}: became shorter while it was read", input.path()));
      got += static_cast<size_t>(part);
    }
  }

  int descriptor_;
  const std::string& path_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_;
  size_t used_ = 0;
};

void write_all(int descriptor, const std::string& path, const std::vector<Bytes>& ranges, uint64_t size,
               const InputFile& input) {
  BlockWriter writer(descriptor, path,
                     static_cast<size_t>(std::min<uint64_t>(std::max<uint64_t>(size, 1), block_size)));
  for (const Bytes range : ranges) writer.append(range, input);
  writer.flush();
}

// A file without a name in the destination's folder where the file system can (then a killed run leaves nothing), else one with a temporary name.
class PendingFile {
 public:
  explicit PendingFile(const fs::path& destination) : destination_(destination) {
    fs::path folder = destination.parent_path();
    if (folder.empty()) folder = ".";
    // Short enough for any file system, also where the destination's name is as long as names may be.
    temporary_ = folder / fmt::format(".{}.{}.tmp", destination.filename().string().substr(0, 200), ::getpid());
    int number = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (number < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
      number = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
      named_ = number >= 0;
    }
    if (number < 0) fail(destination.string(), "cannot be written");
    descriptor_ = std::make_unique<Descriptor>(number);
  }

  ~PendingFile() {
    if (named_) ::unlink(temporary_.c_str());
  }

  int descriptor() const { return descriptor_->get(); }

  void publish() {
    const std::string path = destination_.string();
    // An existing file's permissions are its owner's choice, and outlive its content.
    struct stat old {};
    if (::stat(destination_.c_str(), &old) == 0 && ::fchmod(descriptor(), old.st_mode & 07777) != 0)
      fail(path, "cannot be given its old permissions");
    if (::fdatasync(descriptor()) != 0) fail(path, "cannot be synced");
    if (!named_) {
      ::unlink(temporary_.c_str());
      const std::string self = fmt::format("/proc/self/fd/{}", descriptor());
      if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0)
        fail(path, "cannot be named");
      named_ = true;
    }
    if (::rename(temporary_.c_str(), destination_.c_str()) != 0) fail(path, "cannot be replaced");
    named_ = false;
  }

 private:
  fs::path destination_;
  fs::path temporary_;
  std::unique_ptr<Descriptor> descriptor_;
  bool named_ = false;
};

}  // namespace

void write_output(const std::string& path, const std::vector<Bytes>& ranges, uint64_t size, const InputFile& input) {
  if (path == "-") {
    write_all(STDOUT_FILENO, "<stdout>", ranges, size, input);
    return;
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw FileError(fmt::format("{}: is a folder, and a file is expected as output", path));
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const Descriptor output(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (output.get() < 0) fail(path, "cannot be written");
    write_all(output.get(), path, ranges, size, input);
    return;
  }
  if (fs::exists(status) && ::access(path.c_str(), W_OK) != 0) fail(path, "cannot be written");
  // What a link points to is replaced, not the link.
  const fs::path destination =
      fs::is_symlink(fs::symlink_status(path, error)) ? fs::weakly_canonical(path, error) : fs::path(path);
  PendingFile file(destination);
  if (size >= block_size) ::posix_fallocate(file.descriptor(), 0, static_cast<off_t>(size));
  write_all(file.descriptor(), path, ranges, size, input);
  file.publish();
}

}  // namespace onnx_lower
