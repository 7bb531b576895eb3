// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that stand for an ATen operator under another name, and the node of aten that they mean.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "rules/native_rule.h"

namespace onnx_lower {

// The name under which the operator's rule is filed: "aten::special_logit" and "logit_" are
// "logit". `name` may bring its namespace and its overload along ("aten::hypot.out").
std::string rule_name_of(std::string_view name);

// A body of one node aten::`op_type` with the inputs, outputs and attributes of the call site, but
// for the attributes `dropped`.
onnx::FunctionProto call_of(const CallSite& site, std::string_view op_type, std::string_view overload = {},
                            std::initializer_list<std::string_view> dropped = {});

// What a node ATen <operator, overload_name> means.
Lowering lower_aten_node(const CallSite& site);

}  // namespace onnx_lower
