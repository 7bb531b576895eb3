// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nodes of an operator for which the user wants to write a rule.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_result.h"
#include "rules/native_rule.h"

namespace onnx_lower {

// Notes the node: it is the example of its form if no other node had that form before it.
// `name`: of the node, or its first output.
void note_example(const CallSite& call, std::string name, std::vector<NodeExample>& examples);

}  // namespace onnx_lower
