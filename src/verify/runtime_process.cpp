// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify/runtime_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "error.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "onnx-lower-verify";

fs::path folder_of_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path(".") : program.parent_path();
}

// Writes all of the bytes, until nobody reads them any more.
void write_all(int descriptor, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

std::string read_all(int descriptor) {
  std::string text;
  char part[1 << 16];
  for (;;) {
    const ssize_t size = ::read(descriptor, part, sizeof part);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part, static_cast<size_t>(size));
  }
}

struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_file_error(program_name, "a pipe to it cannot be made");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    close(read);
    close(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// Starts the program with these ends of pipes as its standard input and output.
pid_t start(const std::string& program, int input, int output) {
  const pid_t process = ::fork();
  if (process < 0) throw_file_error(program, "cannot be started");
  if (process > 0) return process;
  char* const arguments[] = {const_cast<char*>(program_name), nullptr};
  if (::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0) ::execv(program.c_str(), arguments);
  constexpr int not_started = 127;
  ::_exit(not_started);
}

}  // namespace

ComparisonAnswer ask_runtime(const ComparisonRequest& request) {
  const std::string program = (folder_of_program() / program_name).string();
  if (::access(program.c_str(), X_OK) != 0) {
    throw FileError(
        fmt::format("--verify needs the program {}, which is not there: the Debian package, the archive and "
                    "the wheels for glibc have it; to build it: cmake -S . -B build -DONNX_LOWER_VERIFY=ON && "
                    "cmake --build build --target onnx-lower-verify",
                    program));
  }
  using Json = nlohmann::json;
  const std::string question = Json(request).dump(-1, ' ', false, Json::error_handler_t::replace);
  Pipe to;
  Pipe from;
  const pid_t process = start(program, to.read, from.write);
  Pipe::close(to.read);
  Pipe::close(from.write);
  write_all(to.write, question);  // the program answers only when it has read all of it
  Pipe::close(to.write);
  const std::string text = read_all(from.read);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const Json answer = Json::parse(text, nullptr, false);
  if (!answer.is_discarded()) return answer.get<ComparisonAnswer>();
  if (WIFSIGNALED(status)) {
    throw FileError(fmt::format(
        "{}: ONNX Runtime was ended by signal {} ({}) while it ran {} and {}: give another one "
        "with --onnxruntime PATH, or other inputs with --verify-inputs FILE.npz",
        program_name, WTERMSIG(status), ::strsignal(WTERMSIG(status)), request.original.name, request.output.name));
  }
  throw FileError(fmt::format("{}: ended with status {} and no answer", program, WEXITSTATUS(status)));
}

std::string kernel_library_beside() {
  const fs::path folder = folder_of_program();
  std::error_code error;
  // As it is built, as it is installed, and as pip --target installs it.
  std::vector<fs::path> folders = {folder, folder / "../lib/onnx-lower/onnxruntime", folder / "../onnx_lower"};
  // A wheel's programs are in the folder bin of an environment, beside the folder of its packages.
  for (fs::directory_iterator entry(folder / "../lib", error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().string().starts_with("python3"))
      folders.push_back(entry->path() / "site-packages/onnx_lower");
  }
  for (const fs::path& place : folders) {
    const fs::path library = place / "libonnx_lower_kernels.so";
    if (fs::exists(library, error)) return library.lexically_normal().string();
  }
  return {};
}

UnnamedFile::UnnamedFile(const ByteRanges& content, const RangeSources& sources) {
  const char* const named = std::getenv("TMPDIR");
  const std::string folder = named != nullptr && *named != '\0' ? named : "/tmp";
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR, 0600);
  // Some file systems have no files without a name; memory has.
  if (descriptor_ < 0) descriptor_ = ::memfd_create("onnx-lower", 0);
  if (descriptor_ < 0) throw_file_error(folder, "a temporary file cannot be made there");
  const auto write = [&](Bytes rest) {
    while (!rest.empty()) {
      const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0)
        throw_file_error(folder, "a temporary file cannot be written there; TMPDIR names another folder");
      rest.remove_prefix(static_cast<size_t>(written));
    }
  };
  for (const Bytes range : content) for_each_part(range, sources, write);
}

UnnamedFile::~UnnamedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

UnnamedFile::UnnamedFile(UnnamedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

std::string UnnamedFile::path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

}  // namespace onnx_lower
