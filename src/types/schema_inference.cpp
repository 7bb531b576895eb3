#include "types/schema_inference.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <stdexcept>

#include "onnx/defs/schema.h"
#include "onnx/shape_inference/implementation.h"
#include "types/constants.h"
#include "types/known_attribute.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;
namespace shape_inference = onnx::shape_inference;

const AttributeProto* find_attribute(const NodeProto& node, const std::string& name) {
  for (const AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

const onnx::OpSchema* find_schema(const NodeProto& node, const std::unordered_map<std::string, int>& opset_imports) {
  const std::string domain = node.domain() == "ai.onnx" ? "" : node.domain();
  const auto version = opset_imports.find(domain);
  if (version == opset_imports.end()) return nullptr;
  return onnx::OpSchemaRegistry::Schema(node.op_type(), version->second, domain);
}

// Inference functions take a node as its schema describes it: they read required attributes without a look whether they are there.
bool fits_its_schema(const NodeProto& node, const onnx::OpSchema& schema) {
  for (const AttributeProto& attribute : node.attribute()) {
    if (!is_known(attribute)) return false;
  }
  try {
    schema.Verify(node);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// Inference functions trust a tensor to hold as many elements as its dimensions say.
bool has_its_data(const TensorProto& tensor) {
  if (tensor.data_location() == TensorProto::EXTERNAL) return false;
  int64_t elements = 1;
  for (const int64_t size : tensor.dims()) {
    if (size < 0 || __builtin_mul_overflow(elements, size, &elements)) return false;
  }
  const auto size = static_cast<uint64_t>(elements);
  switch (tensor.data_type()) {
    case TensorProto::FLOAT:
      return tensor.has_raw_data() ? tensor.raw_data().size() / 4 == size : tensor.float_data_size() == elements;
    case TensorProto::INT32:
      return tensor.has_raw_data() ? tensor.raw_data().size() / 4 == size : tensor.int32_data_size() == elements;
    case TensorProto::INT64:
      return tensor.has_raw_data() ? tensor.raw_data().size() / 8 == size : tensor.int64_data_size() == elements;
    case TensorProto::DOUBLE:
      return tensor.has_raw_data() ? tensor.raw_data().size() / 8 == size : tensor.double_data_size() == elements;
    case TensorProto::BOOL:
      return tensor.has_raw_data() ? tensor.raw_data().size() == size : tensor.int32_data_size() == elements;
    case TensorProto::STRING:
      return tensor.string_data_size() == elements;
    default:
      return false;  // no inference function reads any other
  }
}

template <typename T>
T& at(std::vector<T>& values, size_t index) {
  if (index >= values.size()) throw std::out_of_range("no such input or output");
  return values[index];
}

template <typename T>
const T& at(const std::vector<T>& values, size_t index) {
  if (index >= values.size()) throw std::out_of_range("no such input or output");
  return values[index];
}

// Types of a body's outputs: its nodes are inferred in their order.
class BodyInference final : public onnx::GraphInferencer {
 public:
  BodyInference(const SchemaInference& schemas, const onnx::GraphProto& body, const KnownValues& around)
      : schemas_(schemas), body_(body), known_{.values = {}, .around = &around, .depth = around.depth + 1} {}

  std::vector<const TypeProto*> doInferencing(const std::vector<const TypeProto*>& input_types,
                                              const std::vector<const TensorProto*>&) override {
    constexpr int deepest_body = 64;  // this function and the schemas' call each other
    if (known_.depth > deepest_body) throw std::length_error("bodies nested too deeply");
    if (input_types.size() > static_cast<size_t>(body_.input_size()))
      throw std::invalid_argument("the body has too few inputs");
    read_declarations(input_types);
    for (const NodeProto& node : body_.node()) {
      std::vector<KnownValue> inputs;
      for (const std::string& input : node.input()) inputs.push_back(known_.find(input));
      std::vector<InferredOutput> outputs = schemas_.infer(node, inputs, known_);
      for (int i = 0; i < node.output_size(); ++i) {
        if (!node.output(i).empty()) define(node.output(i), std::move(outputs[i].type), std::move(outputs[i].elements));
      }
      if (node.op_type() == "Constant" && node.output_size() == 1) read_constant(node);
    }
    static const TypeProto unknown;
    std::vector<const TypeProto*> output_types;
    for (const auto& output : body_.output()) {
      const TypeProto* type = known_.find(output.name()).type;
      output_types.push_back(type == nullptr ? &unknown : type);
    }
    return output_types;
  }

 private:
  void read_declarations(const std::vector<const TypeProto*>& input_types) {
    for (const auto* values : {&body_.value_info(), &body_.output()}) {
      for (const auto& value : *values) declared_.emplace(value.name(), &value.type());
    }
    for (int i = 0; i < body_.input_size(); ++i) {
      const bool given = static_cast<size_t>(i) < input_types.size() && input_types[i] != nullptr;
      declared_[body_.input(i).name()] = &body_.input(i).type();
      define(body_.input(i).name(), given ? *input_types[i] : TypeProto(), std::nullopt);
    }
    for (const TensorProto& tensor : body_.initializer()) {
      if (known_.values.contains(tensor.name())) continue;  // an input that this gives a default
      define(tensor.name(), type_of_tensor(tensor), elements_of(tensor));
      known_.values[tensor.name()].constant = &tensor;
    }
  }

  void read_constant(const NodeProto& node) {
    const TensorProto* constant = nullptr;
    if (auto tensor = tensor_of_constant_node(node)) {
      constant = &constants_.emplace_back(std::move(*tensor));
    } else if (node.attribute_size() == 1 && node.attribute(0).has_t()) {
      constant = &node.attribute(0).t();
    }
    if (constant == nullptr) return;
    define(node.output(0), type_of_tensor(*constant), elements_of(*constant));
    known_.values[node.output(0)].constant = constant;
  }

  void define(std::string_view name, TypeProto inferred, std::optional<TensorShapeProto> elements) {
    InferredOutput& value = values_.emplace_back();
    if (const auto declared = declared_.find(name); declared != declared_.end()) value.type = *declared->second;
    drop_negative_dimensions(value.type);
    fill_from(value.type, inferred);
    value.elements = std::move(elements);
    known_.values[name] = {.type = value.type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &value.type,
                           .constant = nullptr,
                           .elements = value.elements ? &*value.elements : nullptr};
  }

  const SchemaInference& schemas_;
  const onnx::GraphProto& body_;
  KnownValues known_;
  std::deque<InferredOutput> values_;
  std::deque<TensorProto> constants_;
  std::unordered_map<std::string_view, const TypeProto*> declared_;
};

class NodeContext final : public onnx::InferenceContext {
 public:
  NodeContext(const SchemaInference& schemas, const NodeProto& node, const std::vector<KnownValue>& inputs,
              const KnownValues& around, std::vector<InferredOutput>& outputs)
      : schemas_(schemas), node_(node), inputs_(inputs), around_(around), outputs_(outputs) {}

  const AttributeProto* getAttribute(const std::string& name) const override { return find_attribute(node_, name); }
  size_t getNumInputs() const override { return inputs_.size(); }
  bool hasInput(size_t index) const override {
    return index < inputs_.size() && !node_.input(static_cast<int>(index)).empty();
  }
  const TypeProto* getInputType(size_t index) const override {
    // Many inference functions do not expect that the type of an input that is there may be missing: they get an empty one.
    static const TypeProto unknown;
    const TypeProto* type = at(inputs_, index).type;
    return type == nullptr && hasInput(index) ? &unknown : type;
  }
  const TensorProto* getInputData(size_t index) const override { return at(inputs_, index).constant; }
  const TensorShapeProto* getSymbolicInput(size_t index) const override {
    return at(inputs_, index).constant != nullptr ? nullptr : inputs_[index].elements;
  }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
  size_t getNumOutputs() const override { return outputs_.size(); }
  bool hasOutput(size_t index) override {
    return index < outputs_.size() && !node_.output(static_cast<int>(index)).empty();
  }
  TypeProto* getOutputType(size_t index) override { return &at(outputs_, index).type; }
  std::string getDisplayName() const override { return node_.op_type(); }

  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    const AttributeProto* attribute = find_attribute(node_, name);
    if (attribute == nullptr || !attribute->has_g()) throw std::invalid_argument("no such body");
    bodies_.push_back(std::make_unique<BodyInference>(schemas_, attribute->g(), around_));
    return bodies_.back().get();
  }

 private:
  const SchemaInference& schemas_;
  const NodeProto& node_;
  const std::vector<KnownValue>& inputs_;
  const KnownValues& around_;
  std::vector<InferredOutput>& outputs_;
  std::vector<std::unique_ptr<BodyInference>> bodies_;
};

class ElementsContext final : public onnx::DataPropagationContext {
 public:
  ElementsContext(const NodeProto& node, const std::vector<KnownValue>& inputs, std::vector<InferredOutput>& outputs)
      : node_(node), inputs_(inputs), outputs_(outputs) {}

  const AttributeProto* getAttribute(const std::string& name) const override { return find_attribute(node_, name); }
  size_t getNumInputs() const override { return inputs_.size(); }
  const TypeProto* getInputType(size_t index) const override { return at(inputs_, index).type; }
  const TensorShapeProto* getInputData(size_t index) override {
    const KnownValue& input = at(inputs_, index);
    if (input.elements != nullptr || input.type == nullptr || !may_hold_a_shape(*input.type)) return input.elements;
    const TensorShapeProto& shape = input.type->tensor_type().shape();
    if (shape.dim_size() != 1 || !shape.dim(0).has_dim_value()) return nullptr;
    TensorShapeProto& elements = unknown_elements_.emplace_back();  // how many there are is known
    for (int64_t i = 0; i < shape.dim(0).dim_value(); ++i) elements.add_dim();
    return &elements;
  }
  size_t getNumOutputs() const override { return outputs_.size(); }
  const TypeProto* getOutputType(size_t index) const override { return &at(outputs_, index).type; }
  void addOutputData(size_t index, TensorShapeProto&& elements) override {
    at(outputs_, index).elements = std::move(elements);
  }

 private:
  const NodeProto& node_;
  const std::vector<KnownValue>& inputs_;
  std::vector<InferredOutput>& outputs_;
  std::deque<TensorShapeProto> unknown_elements_;
};

}  // namespace

KnownValue KnownValues::find(std::string_view name) const {
  for (const KnownValues* known = this; known != nullptr; known = known->around) {
    if (const auto found = known->values.find(name); found != known->values.end()) return found->second;
  }
  return {};
}

SchemaInference::SchemaInference(const OpsetImports& opset_imports) {
  for (const auto& [domain, version] : opset_imports) {
    if (version < 1) continue;
    const int known_version = static_cast<int>(std::min<int64_t>(version, std::numeric_limits<int>::max()));
    opset_imports_.emplace(domain == "ai.onnx" ? "" : domain, known_version);
  }
}

std::vector<InferredOutput> SchemaInference::infer(const NodeProto& node, const std::vector<KnownValue>& inputs,
                                                   const KnownValues& around) const {
  const std::vector<InferredOutput> unknown(node.output_size());
  const onnx::OpSchema* schema = find_schema(node, opset_imports_);
  if (schema == nullptr || !fits_its_schema(node, *schema)) return unknown;

  std::vector<KnownValue> known = inputs;
  for (KnownValue& input : known) {
    if (input.constant != nullptr && !has_its_data(*input.constant)) input.constant = nullptr;
  }
  std::vector<InferredOutput> outputs = unknown;
  try {
    NodeContext context(*this, node, known, around, outputs);
    if (schema->has_type_and_shape_inference_function()) {
      schema->GetTypeAndShapeInferenceFunction()(context);
    } else if (schema->HasFunction()) {
      shape_inference::InferShapeForFunctionNode(*schema->GetFunction(), onnx::OpSchemaRegistry::Instance(), context);
    }
  } catch (const std::exception&) {
    return unknown;
  }
  for (InferredOutput& output : outputs) drop_negative_dimensions(output.type);
  if (!schema->has_data_propagation_function()) return outputs;
  if (std::none_of(outputs.begin(), outputs.end(), [](const auto& output) { return may_hold_a_shape(output.type); }))
    return outputs;
  try {
    ElementsContext context(node, known, outputs);
    schema->GetDataPropagationFunction()(context);
  } catch (const std::exception&) {
    for (InferredOutput& output : outputs) output.elements.reset();
  }
  return outputs;
}

}  // namespace onnx_lower
