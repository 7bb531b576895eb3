// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Lowers models in this process, and holds what comes out against what must be true of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_line/options.h"
#include "onnx/onnx_pb.h"
#include "rules/rule_library.h"

namespace onnx_lower::fuzz {

// The rules of the user stand in a model's metadata under this key, and options as on the command
// line, in words, under the other one: so a model file says all of a run, and stays a model file.
constexpr std::string_view rules_key = "onnx-lower rules";
constexpr std::string_view arguments_key = "onnx-lower arguments";

// Lowers a model as the command line would with these arguments ("--target-opset", "13"; those that
// make no sense are overlooked), with the rules in a text before the built-in ones. The program
// ends when
// - anything is thrown but an Error with its documented exit status and a message,
// - our own reader and check_model do not take what is written, or protobuf does not although it
// takes the input,
// - onnx's checker, or its shape inference (not strict), refuses what is written and takes the
// input,
// - graph inputs or outputs have other names than before,
// - lowering it once more gives other bytes although the first time left nothing to do, or
// - the report is no JSON.
void check_lowering(std::string_view model, const std::vector<std::string>& arguments, const std::string& rules);

// Whether onnx's checker takes it.
bool is_valid(const onnx::ModelProto& model);

// Whether onnx has a schema for every node of the default domain, at the opset that the model or
// the function imports.
bool has_schemas(const onnx::ModelProto& model);

}  // namespace onnx_lower::fuzz
