// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Runs the inference functions of onnx's operator schemas on one node, on the bodies that it holds,
// and on the function that it calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/onnx_pb.h"
#include "types/value_scope.h"

namespace onnx_lower {

// The message of an inference function, without its marks and line breaks.
std::string inference_problem(std::string_view message);

struct KnownValue {
  const onnx::TypeProto* type = nullptr;
  const onnx::TensorProto* constant = nullptr;
  // The elements of an integer scalar or vector, as far as they are known.
  const onnx::TensorShapeProto* elements = nullptr;
};

// What is known of the values that the bodies of a node can see.
struct KnownValues {
  std::unordered_map<std::string_view, KnownValue> values;
  const KnownValues* around = nullptr;

  KnownValue find(std::string_view name) const;
};

struct InferredOutput {
  onnx::TypeProto type;  // VALUE_NOT_SET: nothing is known
  std::optional<onnx::TensorShapeProto> elements;
};

// How many nodes of called functions may still be inferred in a run. Each question follows the
// calls anew, with the calls in the functions called: functions that each call the next one twice
// would take forever. The types beyond this limit stay unknown.
struct InferredCalls {
  int64_t nodes_left = 400'000;
};

struct InferredNode {
  // One for each output. All are unknown if the operator is, or if its schema rejects the node.
  std::vector<InferredOutput> outputs;
  // Why the operator does not accept these inputs; empty where it does, or where that is not known.
  std::string problem;
};

// `meanings` is for the nodes in its bodies, and for the functions that a called function calls.
InferredNode infer_outputs(const onnx::NodeProto& node, const OperatorMeaning& meaning,
                           const std::vector<KnownValue>& inputs, const KnownValues& around,
                           const OperatorMeanings& meanings, InferredCalls& calls);

// Why what the operator does, as its schema says it by nodes of other operators, does not go
// together with the inputs: its own inference function may look at less. Empty where it does.
std::string problem_in_function(const onnx::NodeProto& node, const OperatorVersion& version,
                                const std::vector<KnownValue>& inputs, const OperatorMeanings& meanings);

}  // namespace onnx_lower
