// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <utility>

#include "domain.h"
#include "half_precision.h"
#include "source_text/characters.h"

namespace onnx_lower {

using onnx::TensorProto;

void declare(onnx::ValueInfoProto& info, const GraphValue& value) {
  info.set_name(value.name);
  if (value.element_type == TensorProto::UNDEFINED) return;
  onnx::TypeProto::Tensor& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(value.element_type);
  onnx::TensorShapeProto& shape = *type.mutable_shape();
  for (const std::string& dim : value.dims) {
    onnx::TensorShapeProto::Dimension& written = *shape.add_dim();
    if (const std::optional<int64_t> number = number_in<int64_t>(dim)) {
      written.set_dim_value(*number);
    } else if (!dim.empty()) {
      written.set_dim_param(dim);
    }
  }
}

onnx::AttributeProto& BodyAttribute::start(std::string_view name, onnx::AttributeProto::AttributeType type) {
  message_.set_name(std::string(name));
  message_.set_type(type);
  return message_;
}

onnx::NodeProto node_of(std::string_view op_type, const Values& inputs, const Values& outputs,
                        std::initializer_list<BodyAttribute> attributes) {
  onnx::NodeProto node;
  const std::size_t dot = op_type.rfind('.');
  if (dot != std::string_view::npos) node.set_domain(std::string(op_type.substr(0, dot)));
  node.set_op_type(std::string(op_type.substr(dot + 1)));
  for (const std::string& input : inputs.names()) node.add_input(input);
  for (const std::string& output : outputs.names()) node.add_output(output);
  for (const BodyAttribute& attribute : attributes) *node.add_attribute() = attribute.message();
  return node;
}

TensorProto tensor_of(TensorProto::DataType type, const Ints& dims, const Ints& elements) {
  TensorProto tensor;
  tensor.set_data_type(type);
  tensor.mutable_dims()->Assign(dims.begin(), dims.end());
  if (type == TensorProto::INT64) {
    tensor.mutable_int64_data()->Assign(elements.begin(), elements.end());
  } else if (type == TensorProto::UINT64 || type == TensorProto::UINT32) {
    tensor.mutable_uint64_data()->Assign(elements.begin(), elements.end());
  } else {
    tensor.mutable_int32_data()->Assign(elements.begin(), elements.end());
  }
  return tensor;
}

TensorProto tensor_of(TensorProto::DataType type, const Ints& dims, const std::vector<double>& elements) {
  TensorProto tensor;
  tensor.set_data_type(type);
  tensor.mutable_dims()->Assign(dims.begin(), dims.end());
  if (type == TensorProto::DOUBLE) {
    tensor.mutable_double_data()->Assign(elements.begin(), elements.end());
  } else if (type == TensorProto::FLOAT16 || type == TensorProto::BFLOAT16) {
    const auto bits_of = type == TensorProto::FLOAT16 ? to_float16 : to_bfloat16;
    for (const double element : elements) tensor.add_int32_data(bits_of(element));
  } else {
    for (const double element : elements) tensor.add_float_data(static_cast<float>(element));
  }
  return tensor;
}

TensorProto one_float(double value) { return tensor_of(TensorProto::FLOAT, {1}, std::vector<double>{value}); }

std::size_t list_size(const Ints& dims) {
  constexpr int64_t most_elements = int64_t{1} << 20;
  int64_t size = 1;
  for (const int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(size, dim, &size) || size > most_elements)
      decline(fmt::format("a constant of [{}] elements is more than it writes", fmt::join(dims, ", ")));
  }
  return static_cast<std::size_t>(size);
}

Ints numbers_below(int64_t count) {
  Ints numbers(list_size({count}));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Body::Body(std::string_view domain, std::string_view op_type, const Values& inputs, const Values& outputs, int opset) {
  function_.set_domain(std::string(normalized_domain(domain)));
  function_.set_name(std::string(op_type));
  for (const std::string& input : inputs.names()) function_.add_input(input);
  for (const std::string& output : outputs.names()) function_.add_output(output);
  grows_with(inputs.names().size() + outputs.names().size());
  import("", opset);
}

void Body::import(std::string_view domain, int64_t version) {
  onnx::OperatorSetIdProto& added = *function_.add_opset_import();
  added.set_domain(std::string(domain));
  added.set_version(version);
}

std::string Body::operator()(std::string_view output, std::string_view op_type, const Values& inputs,
                             std::initializer_list<BodyAttribute> attributes) {
  node({output}, op_type, inputs, attributes);
  return std::string(output);
}

void Body::node(const Values& outputs, std::string_view op_type, const Values& inputs,
                std::initializer_list<BodyAttribute> attributes) {
  if (++nodes_ > most_nodes_) decline(fmt::format("it would become more than {} nodes", most_nodes_));
  (graph_ != nullptr ? *graph_->add_node() : *function_.add_node()) = node_of(op_type, inputs, outputs, attributes);
}

void Body::copy_attributes(const CallSite& site, std::initializer_list<std::string_view> names,
                           std::string_view op_type) {
  for (onnx::NodeProto& node : *function_.mutable_node()) {
    if (node.op_type() != op_type) continue;
    for (const std::string_view name : names) {
      if (const onnx::AttributeProto* attribute = site.attribute(name)) *node.add_attribute() = *attribute;
    }
  }
}

void Body::add_attribute(std::string_view op_type, const BodyAttribute& attribute) {
  for (onnx::NodeProto& node : *function_.mutable_node()) {
    if (node.op_type() == op_type) *node.add_attribute() = attribute.message();
  }
}

onnx::GraphProto Body::graph(std::string_view name, const std::vector<GraphValue>& inputs,
                             const std::vector<GraphValue>& outputs, const std::function<void()>& make_nodes) {
  onnx::GraphProto made;
  made.set_name(std::string(name));
  for (const GraphValue& input : inputs) declare(*made.add_input(), input);
  for (const GraphValue& output : outputs) declare(*made.add_output(), output);
  onnx::GraphProto* const outer = std::exchange(graph_, &made);
  make_nodes();
  graph_ = outer;
  return made;
}

std::string Body::constant(std::string_view name, TensorProto value) {
  return (*this)(name, "Constant", {}, {{"value", std::move(value)}});
}

std::string Body::constant(std::string_view name, const Ints& values) {
  return constant(name, tensor_of(TensorProto::INT64, {static_cast<int64_t>(values.size())}, values));
}

std::string Body::derived(std::string_view name, const StoredTensor& source, onnx::TensorProto::DataType type,
                          const Ints& dims, Derivation derivation) {
  derivation.tensor_offset = source.offset;
  derivation.tensor_size = source.size;
  onnx::TensorProto tensor;
  tensor.set_data_type(type);
  tensor.mutable_dims()->Assign(dims.begin(), dims.end());
  set_derivation(tensor, derivation);
  return constant(name, std::move(tensor));
}

std::string Body::transposed(std::string_view name, const StoredTensor& source, onnx::TensorProto::DataType type,
                             const Ints& dims, const StoredMatrices& matrices, Derivation derivation) {
  set_transposed(derivation, matrices);
  return derived(name, source, type, dims, std::move(derivation));
}

std::string Body::constant_like(std::string_view name, TensorProto value, std::string_view like) {
  const std::string as_it_is = constant(std::string(name) + "_", std::move(value));
  return (*this)(name, "CastLike", {as_it_is, like});
}

std::string Body::fresh(std::string_view stem) { return fmt::format("{}_{}", stem, ++count_); }

std::string Body::ints(const Ints& values, std::string_view stem) { return constant(fresh(stem), values); }

std::string Body::scalar(int64_t value, std::string_view stem) { return constant(fresh(stem), value); }

std::string Body::float_scalar(double value, std::string_view stem) { return constant(fresh(stem), value); }

std::string Body::scalar_like(double value, std::string_view like, std::string_view stem) {
  const std::string number = float_scalar(value, stem);
  if (all_are_float_) return number;
  return (*this)(fresh(stem), "CastLike", {number, like});
}

std::string Body::dim(std::string_view of, int axis) {
  const std::string shape = fresh("shape");
  return dim(of, shape, scalar(axis, "axis"));
}

std::string Body::dim_list(std::string_view of, int axis) {
  const std::string shape = fresh("shape");
  return dim(of, shape, ints({axis}, "axis"));
}

std::string Body::dim(std::string_view of, const std::string& shape, const std::string& index) {
  const std::string name = fresh("dim");
  (*this)(shape, "Shape", {of});
  return (*this)(name, "Gather", {shape, index}, {{"axis", 0}});
}

std::string Body::unsqueeze(std::string_view value, const Ints& axes, std::string_view stem) {
  const std::string list = ints(axes, "axes");
  return (*this)(fresh(stem), "Unsqueeze", {value, list});
}

std::string Body::reshape(std::string_view value, const Ints& shape, std::string_view stem) {
  const std::string list = ints(shape, "shape");
  return (*this)(fresh(stem), "Reshape", {value, list});
}

std::string Body::transpose(std::string_view value, const Ints& perm, std::string_view stem) {
  return (*this)(fresh(stem), "Transpose", {value}, {{"perm", perm}});
}

std::string Body::slice(std::string_view value, int64_t start, int64_t end, int64_t axis, std::string_view stem) {
  const std::string starts = ints({start}, "start");
  const std::string ends = ints({end}, "end");
  const std::string axes = ints({axis}, "axis");
  return (*this)(fresh(stem), "Slice", {value, starts, ends, axes});
}

std::vector<std::string> first_names(std::initializer_list<std::string_view> names, int count) {
  std::vector<std::string> first(names.begin(), names.end());
  if (count < static_cast<int>(first.size())) first.resize(static_cast<std::size_t>(count));
  return first;
}

}  // namespace onnx_lower
