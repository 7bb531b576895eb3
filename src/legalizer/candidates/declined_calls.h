// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which nodes of rules' bodies are alike, so that where the rules of one of them declined, those of
// the other do, too.
#pragma once

#include <string>

#include "legalizer/body/origin.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"
#include "types/type_inference.h"

namespace onnx_lower {

// All that decides, as bytes, as long as a node of the model is lowered: what the node says, and
// what is known of its inputs, their types and elements. Empty where that is not all that may
// decide, or too much to be remembered. What goes beyond it and is asked for only later is counted,
// see ValueTables::asked_beyond_calls.
std::string bytes_of_call(const Node& node, const onnx::NodeProto& message, const GraphScope& scope,
                          TypeInference& types, const Origin& origin);

}  // namespace onnx_lower
