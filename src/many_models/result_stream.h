// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where the results of many models go, line by line.
#pragma once

#include <string>

#include "command_line/options.h"

namespace onnx_lower {

// --report FILE, or standard output if that is asked for ("-") or is no terminal. Each line is written whole, at once, so that who reads it while the run
// goes on, or after it was killed, finds no half of one.
class ResultStream {
 public:
  explicit ResultStream(const Options& options);  // throws FileError
  ~ResultStream();
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;

  void write(const std::string& line);  // throws FileError

 private:
  std::string name_;
  int descriptor_ = -1;  // none: nobody wants the results
};

}  // namespace onnx_lower
