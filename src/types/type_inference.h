// Types of values on demand. What the model declares is free, and so are most element types; the first shape that must be
// inferred loads onnx's operator schemas (14 ms), so that only runs whose rules ask for one pay for it.
#pragma once

#include <memory>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "types/detail.h"
#include "types/schema_inference.h"
#include "types/value_scope.h"

namespace onnx_lower {

class TypeInference {
 public:
  explicit TypeInference(const OpsetImports& opset_imports);
  ~TypeInference();

  // What is known of a value that a node of `scope` may use, which can be less than `detail` asks for (an element type 0, no shape,
  // dimensions without number); nullptr when nothing is. The pointer stays valid until the value or its scope is forgotten;
  // a later question may fill in what it points to.
  const onnx::TypeProto* type_of(const ValueScope& scope, std::string_view value, Detail detail = Detail::shape);

  // To be called when another node defines the value from now on.
  void forget(const ValueScope& scope, std::string_view value);
  // To be called before a scope object ends: another one may come to live at its address.
  void forget(const ValueScope& scope);

 private:
  class Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace onnx_lower
