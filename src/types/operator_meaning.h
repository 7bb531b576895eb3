// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the operator of a node is.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// A standard operator, at the version that the node means; or a model-local function. Neither: nobody here knows it.
struct OperatorMeaning {
  const OperatorVersion* version = nullptr;
  const onnx::FunctionProto* function = nullptr;
};

// What the nodes of a graph mean.
class OperatorMeanings {
 public:
  virtual ~OperatorMeanings() = default;
  virtual OperatorMeaning meaning_of(std::string_view domain, const std::string& op_type,
                                     const std::string& overload) const = 0;
};

}  // namespace onnx_lower
