// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/bounded_json.h"

#include <fmt/format.h>

#include "error.h"

namespace onnx_lower {

nlohmann::ordered_json parse_json(std::string_view text, const JsonEvent& look) {
  using Json = nlohmann::ordered_json;
  return Json::parse(text, [&look](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > deepest_json) throw UsageError(fmt::format("its JSON is nested deeper than {} levels", deepest_json));
    if (look) look(depth, event, parsed);
    return true;
  });
}

}  // namespace onnx_lower
