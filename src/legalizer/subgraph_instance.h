// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Instances, under new names, of subgraphs inside a function's body.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "legalizer/attribute_binding.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// From a name of the function's own graph to the name in the model ("" for a formal input that the call leaves out); nothing if it has none of that name.
using OuterNames = std::function<std::optional<std::string_view>(const std::string& name)>;

// Renames in place: what the graphs define gets a name from `fresh`, what they capture that of `outer`; attribute references get their values, or go
// where the binding has none.
void instantiate_graphs(onnx::AttributeProto& attribute, const OuterNames& outer, const AttributeBinding& binding,
                        const std::function<std::string(std::string_view)>& fresh);

}  // namespace onnx_lower
