// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds ONNX Runtime's library when the program runs.
#pragma once

#include <onnxruntime_c_api.h>

#include <stdexcept>
#include <string>

namespace onnx_lower::verify_runtime {

// The message says which places were looked at, and what to do.
class NoRuntime : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Runtime {
  const OrtApi* api = nullptr;  // only what ONNX Runtime 1.8 has may be called
  std::string version;
  std::string library;  // the path of the file
};

// Loads the library that `given` names (a file, or a folder that holds one). Where it is empty, the
// one that the loader finds, and then the one of the Python package, in the virtual environment, in
// conda's, beside the Python on the PATH, and in the user's site-packages. Throws NoRuntime.
Runtime find_runtime(const std::string& given);

}  // namespace onnx_lower::verify_runtime
