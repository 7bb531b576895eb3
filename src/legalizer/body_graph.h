// Subgraphs inside a function's body: what they take from outside, and their instances under new names.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "legalizer/call.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// From a name in the function to the name in the model.
using GraphNames = std::unordered_map<std::string, std::string>;

// The names that the graphs of an attribute use and do not define, each once, in the order of their first use.
std::vector<std::string> captured_names(const onnx::AttributeProto& attribute);

// Renames in place: what the graphs define gets a name from `fresh`, what they capture that of `outer`; attribute references get their values, or go
// where the binding has none.
void instantiate_graphs(onnx::AttributeProto& attribute, const GraphNames& outer, const AttributeBinding& binding,
                        const std::function<std::string(std::string_view)>& fresh);

}  // namespace onnx_lower
