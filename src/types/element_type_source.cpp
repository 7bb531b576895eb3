#include "types/element_type_source.h"

#include <algorithm>
#include <bit>

#include "domain.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

// Cast is the one common operator whose attribute decides.
int type_that_cast_makes(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() != "to" || attribute.type() != onnx::AttributeProto::INT || !attribute.ref_attr_name().empty())
      continue;
    const bool is_type = attribute.i() > 0 && attribute.i() <= 63 &&
                         onnx::TensorProto::DataType_IsValid(static_cast<int>(attribute.i()));
    return is_type ? static_cast<int>(attribute.i()) : 0;
  }
  return 0;
}

int64_t version_of(std::string_view domain, const OpsetImports& opset_imports) {
  for (const auto& [name, version] : opset_imports) {
    if (normalized_domain(name) == domain) return version;
  }
  return 0;
}

}  // namespace

ElementTypeSource element_type_source(const onnx::NodeProto& node, std::string_view output,
                                      const OpsetImports& opset_imports) {
  const std::string_view domain = normalized_domain(node.domain());
  const OperatorVersion* op = find_operator(domain, node.op_type(), version_of(domain, opset_imports));
  if (op == nullptr) return {};
  if (domain.empty() && node.op_type() == "Cast") return {.fixed = type_that_cast_makes(node), .inputs = {}};
  const auto found = std::find(node.output().begin(), node.output().end(), output);
  const OperatorParameter* parameter = op->output(static_cast<int>(found - node.output().begin()));
  if (parameter == nullptr) return {};
  constexpr uint64_t no_tensor = uint64_t{1} << 63;
  if (std::has_single_bit(parameter->types) && parameter->types != no_tensor) {
    return {.fixed = std::countr_zero(parameter->types), .inputs = {}};
  }
  ElementTypeSource source;
  for (int i = 0; i < node.input_size(); ++i) {
    const int formal = std::min(i, static_cast<int>(op->inputs.size()) - 1);
    if (formal < 0 || formal > 31 || node.input(i).empty()) continue;
    if ((parameter->same_type_inputs >> formal & 1) != 0) source.inputs.push_back(i);
  }
  return source;
}

}  // namespace onnx_lower
