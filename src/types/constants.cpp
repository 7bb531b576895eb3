// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/constants.h"

#include <exception>

#include "domain.h"
#include "onnx/defs/tensor_proto_util.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/operator_role.h"
#include "types/type_knowledge.h"

namespace onnx_lower {

using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

bool fill_constant_tensor(const onnx::AttributeProto& attribute, std::string_view name, TensorProto& tensor) {
  if (is_open(attribute)) return false;
  if (name == "value_int") {
    tensor.add_int64_data(attribute.i());
  } else if (name == "value_ints") {
    *tensor.mutable_int64_data() = attribute.ints();
  } else if (name == "value_float") {
    tensor.add_float_data(attribute.f());
  } else if (name == "value_floats") {
    *tensor.mutable_float_data() = attribute.floats();
  } else if (name == "value_string") {
    tensor.add_string_data(attribute.s());
  } else if (name == "value_strings") {
    *tensor.mutable_string_data() = attribute.strings();
  } else {
    return false;
  }
  tensor.set_data_type(name.starts_with("value_int")     ? TensorProto::INT64
                       : name.starts_with("value_float") ? TensorProto::FLOAT
                                                         : TensorProto::STRING);
  if (name.ends_with("s"))
    tensor.add_dims(tensor.int64_data_size() + tensor.float_data_size() + tensor.string_data_size());
  return true;
}

std::optional<TensorProto> tensor_of_constant_node(const onnx::NodeProto& node) {
  if (role_of(node.op_type()) != OperatorRole::constant || !normalized_domain(node.domain()).empty() ||
      node.attribute_size() != 1)
    return std::nullopt;
  if (node.attribute(0).has_t()) return node.attribute(0).t();
  TensorProto tensor;
  if (!fill_constant_tensor(node.attribute(0), node.attribute(0).name(), tensor)) return std::nullopt;
  return tensor;
}

std::optional<TensorShapeProto> elements_of(const TensorProto& tensor) {
  if (!may_hold_a_shape(type_of_tensor(tensor))) return std::nullopt;
  TensorShapeProto elements;
  try {
    if (tensor.data_type() == TensorProto::INT64) {
      for (const int64_t element : onnx::ParseData<int64_t>(&tensor)) elements.add_dim()->set_dim_value(element);
    } else {
      for (const int32_t element : onnx::ParseData<int32_t>(&tensor)) elements.add_dim()->set_dim_value(element);
    }
  } catch (const std::exception&) {
    return std::nullopt;  // external data, or data of the wrong length
  }
  const int64_t expected = tensor.dims_size() == 0 ? 1 : tensor.dims(0);
  if (elements.dim_size() != expected) return std::nullopt;
  return elements;
}

TensorProto tensor_of(const TypeProto& type, const TensorShapeProto& elements) {
  TensorProto tensor;
  tensor.set_data_type(type.tensor_type().elem_type());
  if (type.tensor_type().shape().dim_size() == 1) tensor.add_dims(elements.dim_size());
  for (const auto& element : elements.dim()) {
    if (tensor.data_type() == TensorProto::INT64) {
      tensor.add_int64_data(element.dim_value());
    } else {
      tensor.add_int32_data(static_cast<int32_t>(element.dim_value()));
    }
  }
  return tensor;
}

}  // namespace onnx_lower
