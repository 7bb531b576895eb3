// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The models in a folder and in the folders below.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace onnx_lower {

// Paths below `folder` of all files *.onnx, sorted. Links are followed, but not into a folder that
// the link is in; `excluded` (the output's folder, which may lie in `folder` and need not exist)
// and folders with records of earlier runs are left out. A link that leads nowhere is listed:
// reading it will say what is wrong. Throws FileError when a folder cannot be read.
std::vector<std::string> find_models(const std::filesystem::path& folder, const std::filesystem::path& excluded);

}  // namespace onnx_lower
