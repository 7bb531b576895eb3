// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// JSON from outside, of which no depth can do harm: what is nested deeper than a limit is refused
// before it is built.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

namespace onnx_lower {

// Lists and objects in one another beyond this are refused. To write them, the library calls itself
// for each.
constexpr int deepest_json = 100;

using JsonEvent =
    std::function<void(int depth, nlohmann::ordered_json::parse_event_t event, const nlohmann::ordered_json& parsed)>;

// Tells `look` of each part, if given. Throws UsageError where the text nests too deep, and what
// the library throws where it is no JSON.
nlohmann::ordered_json parse_json(std::string_view text, const JsonEvent& look = {});

}  // namespace onnx_lower
