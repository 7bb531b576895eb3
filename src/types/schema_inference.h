// Runs the inference functions of onnx's operator schemas, on one node and on the bodies that it holds. The first call loads the schemas.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

using OpsetImports = std::map<std::string, int64_t, std::less<>>;

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
  int depth = 0;

  KnownValue find(std::string_view name) const;
};

struct InferredOutput {
  onnx::TypeProto type;  // VALUE_NOT_SET: nothing is known
  std::optional<onnx::TensorShapeProto> elements;
};

class SchemaInference {
 public:
  explicit SchemaInference(const OpsetImports& opset_imports);

  // One result per output; all unknown if the operator is, or if the node is not as its schema wants it.
  std::vector<InferredOutput> infer(const onnx::NodeProto& node, const std::vector<KnownValue>& inputs,
                                    const KnownValues& around) const;

 private:
  std::unordered_map<std::string, int> opset_imports_;
};

}  // namespace onnx_lower
