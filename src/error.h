// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The ways in which a run fails, each with its exit status. Thrown with context, caught once in
// main.
#pragma once

#include <stdexcept>
#include <string>

namespace onnx_lower {

// Exit statuses; the README's table and --help say the same.
enum class ExitStatus : int {
  done = 0,
  not_lowered = 1,    // something could not be lowered
  wrong_usage = 2,    // the command line makes no sense, or the run would write over what it needs
  invalid_input = 3,  // the model or a rule is not valid
  file_error = 4,     // a file could not be read or written
  some_failed = 5,    // of many models; the others are done
};

class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& message) : std::runtime_error(message), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ExitStatus::wrong_usage, message) {}
};

// The model or a rule file is not what it should be. The message names the file, and the node or
// the line.
class InvalidInput : public Error {
 public:
  explicit InvalidInput(const std::string& message) : Error(ExitStatus::invalid_input, message) {}
};

class FileError : public Error {
 public:
  explicit FileError(const std::string& message) : Error(ExitStatus::file_error, message) {}
};

// Throws a FileError: "PATH: WHAT: ", and what the system says by errno.
[[noreturn]] void throw_file_error(const std::string& path, const char* what);

// A broken promise between our own parts, never the user's fault.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace onnx_lower
