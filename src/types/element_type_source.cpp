#include "types/element_type_source.h"

#include <bit>

#include "types/known_attribute.h"

namespace onnx_lower {

ElementTypeSource element_type_source(const OperatorVersion& op, int output) {
  const OperatorParameter* parameter = op.output(output);
  if (parameter == nullptr) return {};
  constexpr uint64_t no_tensor = uint64_t{1} << 63;
  if (std::has_single_bit(parameter->types) && parameter->types != no_tensor)
    return {.fixed = std::countr_zero(parameter->types), .same_inputs = 0};
  return {.fixed = 0, .same_inputs = op.inputs.empty() ? 0 : parameter->same_type_inputs};
}

int element_type_that_cast_makes(const onnx::NodeProto& cast) {
  for (const auto& attribute : cast.attribute()) {
    if (attribute.name() != "to" || attribute.type() != onnx::AttributeProto::INT || !is_known(attribute)) continue;
    const bool is_type = attribute.i() > 0 && attribute.i() <= 63 &&
                         onnx::TensorProto::DataType_IsValid(static_cast<int>(attribute.i()));
    return is_type ? static_cast<int>(attribute.i()) : 0;
  }
  return 0;
}

}  // namespace onnx_lower
