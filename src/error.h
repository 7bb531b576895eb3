// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The errors that end a run, each with its exit status. They are thrown with all that their message
// says, and caught once, in main.
#pragma once

#include <stdexcept>
#include <string>

namespace onnx_lower {

// Exit statuses; the README's table and --help say the same.
enum class ExitStatus : int {
  done = 0,
  not_lowered = 1,     // something could not be lowered
  wrong_usage = 2,     // the command line makes no sense, or the run would write over what it needs
  invalid_input = 3,   // the model or a rule is not valid
  file_error = 4,      // a file could not be read or written
  some_failed = 5,     // some of many models failed; the others are lowered
  needs_lowering = 6,  // with --check: the model can be lowered, and has to be
  different = 7,       // --verify: the models compute different numbers
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

// The model or a rule file is not what it should be. The message names the file, and the node
// or the line.
class InvalidInput : public Error {
 public:
  explicit InvalidInput(const std::string& message) : Error(ExitStatus::invalid_input, message) {}
};

class FileError : public Error {
 public:
  explicit FileError(const std::string& message) : Error(ExitStatus::file_error, message) {}
};

// Throws the FileError "PATH: WHAT: REASON"; the reason is what the system says of errno.
[[noreturn]] void throw_file_error(const std::string& path, const char* what);

// A mistake of the program itself: no input should lead to it.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace onnx_lower
