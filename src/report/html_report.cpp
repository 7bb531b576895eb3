// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/html_report.h"

#include "report/embedded_page.h"

namespace onnx_lower {

std::string html_report(std::string_view data) {
  std::string page(page_before_data());
  page.reserve(page.size() + data.size() + data.size() / 16 + page_after_data().size());
  // In JSON this character stands within strings only. A browser looks for the end of the script in
  // them, too, and for comments.
  for (const char c : data) {
    if (c == '<') {
      page += "\\u003c";
    } else {
      page += c;
    }
  }
  return page += page_after_data();
}

}  // namespace onnx_lower
