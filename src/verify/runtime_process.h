// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Runs onnx-lower-verify, the program that loads ONNX Runtime.
#pragma once

#include <string>

#include "model_file/range_writer.h"
#include "verify/comparison.h"

namespace onnx_lower {

// Asks that program, which lies beside this one. Throws FileError where it is not there or ends
// without an answer, as it does when the runtime crashes.
ComparisonAnswer ask_runtime(const ComparisonRequest& request);

// The library of native kernels, where it lies beside this program or where it is installed; empty
// where it does not.
std::string kernel_library_beside();

// A file without a name: it is gone when this process is, however it ends. Programs that this one
// starts find it under its path. Members throw FileError.
class UnnamedFile {
 public:
  // With this content.
  explicit UnnamedFile(const ByteRanges& content, const RangeSources& sources = {});
  ~UnnamedFile();
  UnnamedFile(UnnamedFile&& other) noexcept;
  UnnamedFile& operator=(UnnamedFile&&) = delete;

  std::string path() const;

 private:
  int descriptor_ = -1;
};

}  // namespace onnx_lower
