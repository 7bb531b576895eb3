// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What targets say of one model, as a table and as JSON.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/target_verdict.h"
#include "run_options.h"

namespace onnx_lower {

// A line for each verdict. `input`: the model, which messages about it begin with.
std::string target_table(const std::string& input, std::span<const TargetVerdict> verdicts);

nlohmann::ordered_json as_json(const TargetVerdict& verdict, const Options& given);

// What each target says of one of many models, by the target's name.
using VerdictByTarget = std::map<std::string, TargetVerdict::Kind>;

// A column for each target and a line for each model, of which the first hundred are listed; and a
// line for each target with how many models it takes.
std::string target_matrix(const std::vector<std::pair<std::string, VerdictByTarget>>& models);

// "onnxruntime-1.32, openvino-2026.4 and 7 more", with the names of at most so many.
std::string first_named(std::span<const std::string> targets, size_t most);

// "runs as it is in onnxruntime-1.32, openvino-2026.4 and 7 more"; empty where no target takes the
// model as it is.
std::string where_it_runs(std::span<const TargetVerdict> verdicts);

}  // namespace onnx_lower
