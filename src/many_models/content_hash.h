// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What stands for the content of files and texts: two contents with the same hash are taken to be
// the same.
#pragma once

#include <string>
#include <string_view>

namespace onnx_lower {

// 128 bits of XXH3. Contents differ by accident with equal hashes at no rate that matters; it is no
// protection against someone who makes them on purpose, who could as well write the record or the
// output.
std::string content_hash(std::string_view bytes);

// Reads the file to its end. Throws FileError.
std::string content_hash_of_file(const std::string& path);

}  // namespace onnx_lower
