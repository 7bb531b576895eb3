// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/type_knowledge.h"

#include <algorithm>
#include <array>

namespace onnx_lower {
namespace {

using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

// The type of the elements of a sequence or an optional, to any depth; other types are
// returned as they are.
const TypeProto& innermost(const TypeProto& type) {
  if (type.has_sequence_type()) return innermost(type.sequence_type().elem_type());
  if (type.has_optional_type()) return innermost(type.optional_type().elem_type());
  return type;
}

TypeProto& innermost(TypeProto& type) {
  if (type.has_sequence_type()) return innermost(*type.mutable_sequence_type()->mutable_elem_type());
  if (type.has_optional_type()) return innermost(*type.mutable_optional_type()->mutable_elem_type());
  return type;
}

const TensorShapeProto* innermost_shape(const TypeProto& type) { return shape_of(&innermost(type)); }

TensorShapeProto* mutable_shape_of(TypeProto& type) {
  if (innermost_shape(type) == nullptr) return nullptr;
  TypeProto& inner = innermost(type);
  return inner.has_tensor_type() ? inner.mutable_tensor_type()->mutable_shape()
                                 : inner.mutable_sparse_tensor_type()->mutable_shape();
}

template <typename Edit>
void edit_dimensions(TypeProto& type, const Edit& edit) {
  TensorShapeProto* shape = mutable_shape_of(type);
  if (shape == nullptr) return;
  for (auto& dim : *shape->mutable_dim()) edit(dim);
}

// 0 also for types that are no tensor.
int tensor_element_type(const TypeProto& type) {
  return type.has_sparse_tensor_type() ? type.sparse_tensor_type().elem_type() : type.tensor_type().elem_type();
}

template <typename Tensor>
void fill_tensor_from(Tensor& type, const Tensor& other) {
  if (type.elem_type() == TensorProto::UNDEFINED && other.elem_type() != TensorProto::UNDEFINED) {
    type.set_elem_type(other.elem_type());
  }
  if (!other.has_shape()) return;
  if (!type.has_shape()) {
    *type.mutable_shape() = other.shape();
    return;
  }
  if (type.shape().dim_size() != other.shape().dim_size()) return;
  for (int i = 0; i < other.shape().dim_size(); ++i) {
    auto& dim = *type.mutable_shape()->mutable_dim(i);
    const auto& other_dim = other.shape().dim(i);
    if (dim.has_dim_value()) continue;
    if (other_dim.has_dim_value() || dim.dim_param().empty()) dim = other_dim;
  }
}

}  // namespace

const TensorShapeProto* shape_of(const TypeProto* type) {
  if (type == nullptr) return nullptr;
  if (type->has_tensor_type() && type->tensor_type().has_shape()) return &type->tensor_type().shape();
  if (type->has_sparse_tensor_type() && type->sparse_tensor_type().has_shape())
    return &type->sparse_tensor_type().shape();
  return nullptr;
}

std::vector<std::string> dimension_texts(const TensorShapeProto& shape) {
  std::vector<std::string> texts;
  for (const auto& dim : shape.dim()) {
    if (dim.has_dim_value()) {
      texts.push_back(std::to_string(dim.dim_value()));
    } else {
      texts.push_back(dim.dim_param().empty() ? "?" : dim.dim_param());
    }
  }
  return texts;
}

bool has_element_type(const TypeProto& type) {
  const TypeProto& inner = innermost(type);
  if (inner.has_tensor_type() || inner.has_sparse_tensor_type())
    return tensor_element_type(inner) != TensorProto::UNDEFINED;
  return inner.value_case() != TypeProto::VALUE_NOT_SET;
}

bool has_shape(const TypeProto& type) {
  const TypeProto& inner = innermost(type);
  if (inner.has_tensor_type() || inner.has_sparse_tensor_type()) return innermost_shape(type) != nullptr;
  return inner.value_case() != TypeProto::VALUE_NOT_SET;  // a map has none
}

bool has_dimensions(const TypeProto& type) {
  if (!has_shape(type)) return false;
  const TensorShapeProto* shape = innermost_shape(type);
  return shape == nullptr || std::ranges::all_of(shape->dim(), &TensorShapeProto::Dimension::has_dim_value);
}

bool has_elements_of_a_shape(const TypeProto& type) {
  const int element_type = type.has_tensor_type() ? type.tensor_type().elem_type() : 0;
  return element_type == TensorProto::INT64 || element_type == TensorProto::INT32;
}

bool may_hold_a_shape(const TypeProto& type) {
  constexpr int64_t most_dimensions = 1024;  // longer tensors are data
  if (!has_elements_of_a_shape(type) || !type.tensor_type().has_shape()) return false;
  const auto& shape = type.tensor_type().shape();
  return shape.dim_size() == 0 || (shape.dim_size() == 1 && shape.dim(0).dim_value() <= most_dimensions);
}

bool is_container(const TypeProto& type) { return type.has_sequence_type() || type.has_optional_type(); }

void fill_from(TypeProto& type, const TypeProto& other) {
  TypeProto& inner = innermost(type);
  const TypeProto& other_inner = innermost(other);
  if (type.value_case() == TypeProto::VALUE_NOT_SET) {
    type = other;
  } else if (type.value_case() != other.value_case()) {
    return;
  } else if (inner.value_case() == TypeProto::VALUE_NOT_SET) {
    inner = other_inner;
  } else if (inner.has_tensor_type() && other_inner.has_tensor_type()) {
    fill_tensor_from(*inner.mutable_tensor_type(), other_inner.tensor_type());
  } else if (inner.has_sparse_tensor_type() && other_inner.has_sparse_tensor_type()) {
    fill_tensor_from(*inner.mutable_sparse_tensor_type(), other_inner.sparse_tensor_type());
  }
}

bool surely_differ(const TensorShapeProto& one, const TensorShapeProto& other) {
  return !std::ranges::equal(one.dim(), other.dim(), [](const auto& a, const auto& b) {
    return !a.has_dim_value() || !b.has_dim_value() || a.dim_value() == b.dim_value();
  });
}

bool contradict(const TypeProto& type, const TypeProto& other) {
  if (type.value_case() == TypeProto::VALUE_NOT_SET || other.value_case() == TypeProto::VALUE_NOT_SET) return false;
  if (type.value_case() != other.value_case()) return true;
  const TypeProto& inner = innermost(type);
  const TypeProto& other_inner = innermost(other);
  if (inner.value_case() != other_inner.value_case()) return contradict(inner, other_inner);
  if (has_element_type(inner) && has_element_type(other_inner) &&
      tensor_element_type(inner) != tensor_element_type(other_inner))
    return true;
  const TensorShapeProto* shape = innermost_shape(inner);
  const TensorShapeProto* other_shape = innermost_shape(other_inner);
  return shape != nullptr && other_shape != nullptr && surely_differ(*shape, *other_shape);
}

void drop_negative_dimensions(TypeProto& type) {
  edit_dimensions(type, [](auto& dim) {
    if (dim.has_dim_value() && dim.dim_value() < 0) dim.clear_dim_value();
  });
}

void drop_dimension_names(TypeProto& type) {
  edit_dimensions(type, [](auto& dim) { dim.clear_dim_param(); });
}

void drop_shape(TypeProto& type) {
  TypeProto& inner = innermost(type);
  if (inner.has_tensor_type()) inner.mutable_tensor_type()->clear_shape();
  if (inner.has_sparse_tensor_type()) inner.mutable_sparse_tensor_type()->clear_shape();
}

void drop_dimension(TypeProto& type, int64_t axis) {
  TensorShapeProto* shape = mutable_shape_of(type);
  if (shape == nullptr) return;
  if (axis < 0) axis += shape->dim_size();
  if (axis < 0 || axis >= shape->dim_size()) {
    drop_shape(type);
    return;
  }
  shape->mutable_dim()->DeleteSubrange(static_cast<int>(axis), 1);
}

TypeProto tensor_type(int element_type, std::span<const int64_t> dims) {
  TypeProto type;
  type.mutable_tensor_type()->set_elem_type(element_type);
  TensorShapeProto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const int64_t size : dims) shape.add_dim()->set_dim_value(size);
  return type;
}

TypeProto type_of_tensor(const TensorProto& tensor) {
  return tensor_type(tensor.data_type(), {tensor.dims().data(), static_cast<size_t>(tensor.dims_size())});
}

const TypeProto* tensor_type_of(int element_type) {
  static thread_local std::array<TypeProto, 64> tensors;
  TypeProto& tensor = tensors[static_cast<size_t>(element_type)];
  tensor.mutable_tensor_type()->set_elem_type(element_type);
  return &tensor;
}

std::string element_type_text(int element_type) {
  return TensorProto::DataType_IsValid(element_type)
             ? TensorProto::DataType_Name(static_cast<TensorProto::DataType>(element_type))
             : std::to_string(element_type);
}

}  // namespace onnx_lower
