// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reads NumPy's files of arrays: .npz, a ZIP archive of .npy files, as numpy.savez and
// numpy.savez_compressed write it.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower::verify_runtime {

class NpzError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct NpyArray {
  std::string type;  // NumPy's: "f4", "i8", "b1", "U3" …, without the byte order
  std::vector<int64_t> dims;
  std::string data;  // in C order, little-endian
};

// Parses the content of a .npy file. Throws NpzError with a clause.
NpyArray parse_npy(std::string_view content);

// Parses the content of a .npz file: the arrays by name. Throws NpzError with a clause.
std::map<std::string, NpyArray> parse_npz(std::string_view content);

// Reads such a file. Throws NpzError, whose message names the file.
std::map<std::string, NpyArray> read_npz(const std::string& path);

}  // namespace onnx_lower::verify_runtime
