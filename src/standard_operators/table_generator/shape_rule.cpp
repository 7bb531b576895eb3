// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "shape_rule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/shape_inference.h"

namespace onnx_lower {
namespace {

using onnx::OpSchema;
using onnx::TensorShapeProto;
using onnx::TypeProto;

// A shape: dimensions that are numbers, or names if negative.
using Shape = std::vector<int64_t>;

// A question to an inference function: the types of the inputs, and what else the function may
// read. It records the attributes that are read.
class Question final : public onnx::InferenceContext {
 public:
  Question(const OpSchema& schema, std::vector<TypeProto> inputs) : schema_(schema), inputs_(std::move(inputs)) {}

  const std::set<std::string>& asked_attributes() const { return asked_; }
  const TypeProto& output() const { return output_; }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    asked_.insert(name);
    const auto attribute = schema_.attributes().find(name);
    if (attribute == schema_.attributes().end() || !attribute->second.default_value.has_type()) return nullptr;
    return &attribute->second.default_value;
  }
  size_t getNumInputs() const override { return inputs_.size(); }
  const TypeProto* getInputType(size_t index) const override { return &inputs_.at(index); }
  bool hasInput(size_t index) const override { return index < inputs_.size(); }
  const onnx::TensorProto* getInputData(size_t) const override { return nullptr; }
  const TensorShapeProto* getSymbolicInput(size_t) const override { return nullptr; }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
  size_t getNumOutputs() const override { return 1; }
  TypeProto* getOutputType(size_t) override { return &output_; }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string&) override { return nullptr; }

 private:
  const OpSchema& schema_;
  std::vector<TypeProto> inputs_;
  TypeProto output_;
  mutable std::set<std::string> asked_;
};

// Whether an attribute cannot change the shape: it decides an element type, or along which
// dimension something is computed that keeps the shape.
bool leaves_shape(const std::string& attribute) {
  return attribute == "dtype" || attribute == "to" || attribute == "output_dtype" || attribute == "stash_type" ||
         attribute == "axis";
}

// The element type to ask with: float if the parameter allows it, else the first
// one that it allows.
std::optional<int> element_type(const OpSchema::FormalParameter& parameter) {
  std::optional<int> found;
  for (const auto& type : parameter.GetTypes()) {
    const TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
    if (!proto.has_tensor_type()) return std::nullopt;
    const int element = proto.tensor_type().elem_type();
    if (!found || element == onnx::TensorProto::FLOAT) found = element;
  }
  return found;
}

TypeProto tensor(int element, const std::optional<Shape>& shape) {
  TypeProto type;
  type.mutable_tensor_type()->set_elem_type(element);
  if (!shape) return type;
  TensorShapeProto& dims = *type.mutable_tensor_type()->mutable_shape();
  for (const int64_t dim : *shape) {
    if (dim < 0) {
      dims.add_dim()->set_dim_param("d" + std::to_string(-dim));
    } else {
      dims.add_dim()->set_dim_value(dim);
    }
  }
  return type;
}

bool is_shape(const TypeProto& type, const Shape& shape) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return false;
  return type.tensor_type().shape().SerializeAsString() == tensor(1, shape).tensor_type().shape().SerializeAsString();
}

// Whether the function returns this shape, and has read no attribute that could change it.
bool answers(const OpSchema& schema, const std::vector<std::optional<Shape>>& inputs, const Shape& expected) {
  std::vector<TypeProto> types;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto element = element_type(schema.inputs()[std::min(i, schema.inputs().size() - 1)]);
    if (!element) return false;
    types.push_back(tensor(*element, inputs[i]));
  }
  Question question(schema, std::move(types));
  try {
    schema.GetTypeAndShapeInferenceFunction()(question);
  } catch (const std::exception&) {
    return false;
  }
  return is_shape(question.output(), expected) && std::ranges::all_of(question.asked_attributes(), leaves_shape);
}

bool is_of_first_input(const OpSchema& schema) {
  for (const Shape& shape : {Shape{2, 3, 4}, Shape{2, 1, 4}, Shape{1}, Shape{5, 6, 7, 8}, Shape{-1, 3, -2}}) {
    std::vector<std::optional<Shape>> inputs(static_cast<size_t>(schema.min_input()));
    inputs[0] = shape;
    if (!answers(schema, inputs, shape)) return false;
    inputs.resize(schema.inputs().size());
    if (!answers(schema, inputs, shape)) return false;
  }
  return true;
}

bool is_broadcast(const OpSchema& schema) {
  const bool is_variadic = schema.inputs().back().GetOption() == OpSchema::Variadic;
  const auto count = static_cast<size_t>(is_variadic ? 2 : schema.min_input());
  if (count < 2) return false;
  struct Example {
    Shape one, other, result;
  };
  for (const Example& example :
       {Example{{2, 3, 4}, {2, 3, 4}, {2, 3, 4}}, Example{{2, 1, 4}, {3, 1}, {2, 3, 4}}, Example{{}, {2, 3}, {2, 3}},
        Example{{1}, {}, {1}}, Example{{-1, 3}, {1, 3}, {-1, 3}}}) {
    for (size_t different = 0; different < count; ++different) {
      std::vector<std::optional<Shape>> inputs(count, example.one);
      inputs[different] = example.other;
      if (!answers(schema, inputs, example.result)) return false;
    }
  }
  return true;
}

}  // namespace

std::string name_of_shape_rule(const OpSchema& schema) {
  const bool is_plain = schema.has_type_and_shape_inference_function() && !schema.inputs().empty() &&
                        !schema.outputs().empty() && schema.outputs()[0].GetOption() == OpSchema::Single;
  if (!is_plain) return "unknown";
  const bool is_variadic = schema.inputs().back().GetOption() == OpSchema::Variadic;
  if (schema.min_input() >= 1 && !is_variadic && is_of_first_input(schema)) return "of_first_input";
  return is_broadcast(schema) ? "broadcast_inputs" : "unknown";
}

}  // namespace onnx_lower
