// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/result_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "error.h"

namespace onnx_lower {

ResultStream::ResultStream(const Options& options) : name_(options.report_path) {
  if (name_.empty() && ::isatty(STDOUT_FILENO) != 0) return;
  if (name_.empty() || name_ == "-") {
    name_ = "standard output";
    descriptor_ = STDOUT_FILENO;
    return;
  }
  descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_file_error(name_, "cannot be written");
}

ResultStream::~ResultStream() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void ResultStream::write(const std::string& line) {
  if (descriptor_ < 0) return;
  size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_file_error(name_, "cannot be written");
    written += static_cast<size_t>(count);
  }
}

}  // namespace onnx_lower
