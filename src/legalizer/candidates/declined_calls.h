// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tells which nodes of rules' bodies are alike, so that where the rules of one declined, those of
// the others do, too.
#pragma once

#include <string>

#include "legalizer/body/origin.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"
#include "types/type_inference.h"

namespace onnx_lower {

// All that decides how the rules of the node decline, as bytes that are valid while one node of the
// model is lowered: what the node says, and what is known of its inputs, their types and elements.
// Empty where something else may decide, or where it is too much to be remembered. Rules may ask
// for more; such questions are counted, see ValueTables::asked_beyond_calls.
std::string bytes_of_call(const Node& node, const onnx::NodeProto& message, const GraphScope& scope,
                          TypeInference& types, const Origin& origin);

}  // namespace onnx_lower
