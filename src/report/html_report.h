// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The report as one page for a browser, which loads nothing from elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace onnx_lower {

// `data`: a JSON report with its nodes in groups, or an object with `models`, an array of such.
std::string html_report(std::string_view data);

}  // namespace onnx_lower
