// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The page of the report, which the build makes of the files of src/report/page and of the layout
// library in third_party.
#pragma once

#include <string_view>

namespace onnx_lower {

// The page up to the report's data, and from there on.
std::string_view page_before_data();
std::string_view page_after_data();

}  // namespace onnx_lower
