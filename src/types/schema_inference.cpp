// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/schema_inference.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>

#include "domain.h"
#include "onnx/defs/schema.h"
#include "onnx/shape_inference/implementation.h"
#include "standard_operators/node_attribute.h"
#include "standard_operators/node_conditions.h"
#include "standard_operators/version_change.h"
#include "types/constants.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;
namespace shape_inference = onnx::shape_inference;

const onnx::OpSchema* find_schema(const OperatorVersion* version) {
  return version == nullptr ? nullptr : &schema_of(*version);
}

// Inference functions expect a node as its schema describes it: they read required attributes
// without checking that they exist. Not all check that an axis lies within the dimensions before
// they count from it in 32 bits, or that a count is not negative.
bool fits_its_schema(const NodeProto& node, const OperatorVersion& version, const onnx::OpSchema& schema) {
  for (const AttributeProto& attribute : node.attribute()) {
    if (is_open(attribute) || !is_within_limits(attribute, version)) return false;
  }
  try {
    schema.Verify(node);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// Whether a tensor holds as many elements as its dimensions say, which inference functions rely on.
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

// The outputs of a call of a function are inferred from the function's nodes, and so are those of
// calls in it. Beyond these limits they stay unknown.
constexpr int deepest_body = 64;  // functions of the model and of schemas call each other
constexpr int most_nodes_inferred = 100'000;

// How far the inference of one node has gone.
struct Progress {
  InferredCalls& calls;
  int depth = 0;
  int nodes = 0;
  // A problem of the node itself, not of a node in its bodies or in the function that it calls.
  std::string problem = {};
};

class NodeInference {
 public:
  NodeInference(const OperatorMeanings& meanings, Progress& progress) : meanings_(meanings), progress_(progress) {}

  std::vector<InferredOutput> infer(const NodeProto& node, const OperatorMeaning& meaning,
                                    const std::vector<KnownValue>& inputs, const KnownValues& around) const;
  std::vector<InferredOutput> infer(const NodeProto& node, const std::vector<KnownValue>& inputs,
                                    const KnownValues& around) const {
    return infer(node, meanings_.meaning_of(node.domain(), node.op_type(), node.overload()), inputs, around);
  }

  std::vector<InferredOutput> infer_call(const NodeProto& call, const onnx::FunctionProto& function,
                                         const std::vector<KnownValue>& inputs) const;

  Progress& progress() const { return progress_; }

 private:
  void complete_by_newest_version(const NodeProto& node, const OperatorVersion& version,
                                  const std::vector<KnownValue>& inputs, const KnownValues& around,
                                  std::vector<InferredOutput>& outputs) const;

  const OperatorMeanings& meanings_;
  Progress& progress_;
};

// The values of a graph or a function, while its nodes are inferred in their order.
class InferredValues {
 public:
  explicit InferredValues(const KnownValues* around) : known_{.values = {}, .around = around} {}

  // Notes the declared type of a value, which counts where inference tells nothing.
  void declare(const onnx::ValueInfoProto& info) { declared_.emplace(info.name(), &info.type()); }

  KnownValue find(std::string_view name) const { return known_.find(name); }
  bool has(std::string_view name) const { return known_.values.contains(name); }

  void define(std::string_view name, InferredOutput value) {
    InferredOutput& kept = values_.emplace_back(std::move(value));
    drop_negative_dimensions(kept.type);
    known_.values[name] = {.type = kept.type.value_case() == TypeProto::VALUE_NOT_SET ? nullptr : &kept.type,
                           .constant = nullptr,
                           .elements = kept.elements ? &*kept.elements : nullptr};
  }

  void define(std::string_view name, const TensorProto& constant) {
    define(name, {type_of_tensor(constant), elements_of(constant)});
    known_.values[name].constant = &constant;
  }

  void infer(const NodeProto& node, const NodeInference& nodes) {
    std::vector<KnownValue> inputs;
    for (const std::string& input : node.input()) inputs.push_back(find(input));
    std::vector<InferredOutput> outputs = nodes.infer(node, inputs, known_);
    for (int i = 0; i < node.output_size(); ++i) {
      if (node.output(i).empty()) continue;
      InferredOutput& output = outputs[static_cast<size_t>(i)];
      if (const auto declared = declared_.find(node.output(i)); declared != declared_.end())
        fill_from(output.type, *declared->second);
      define(node.output(i), std::move(output));
    }
    if (node.output_size() == 1) read_constant(node);
  }

 private:
  void read_constant(const NodeProto& node) {
    if (auto tensor = tensor_of_constant_node(node))
      define(node.output(0), constants_.emplace_back(std::move(*tensor)));
  }

  KnownValues known_;
  std::deque<InferredOutput> values_;
  std::deque<TensorProto> constants_;
  std::unordered_map<std::string_view, const TypeProto*> declared_;
};

// Infers the types of a body's outputs.
class BodyInference final : public onnx::GraphInferencer {
 public:
  BodyInference(const NodeInference& nodes, const onnx::GraphProto& body, const KnownValues& around)
      : nodes_(nodes), body_(body), values_(&around) {}

  std::vector<const TypeProto*> doInferencing(const std::vector<const TypeProto*>& input_types,
                                              const std::vector<const TensorProto*>&) override {
    if (input_types.size() > static_cast<size_t>(body_.input_size()))
      throw std::invalid_argument("the body has too few inputs");
    for (int i = 0; i < body_.input_size(); ++i) {
      const bool given = static_cast<size_t>(i) < input_types.size() && input_types[static_cast<size_t>(i)] != nullptr;
      TypeProto type = body_.input(i).type();
      if (given) fill_from(type, *input_types[static_cast<size_t>(i)]);
      values_.define(body_.input(i).name(), {std::move(type), std::nullopt});
    }
    for (const TensorProto& tensor : body_.initializer()) {
      // An input that has a default may get another value from the caller.
      if (!values_.has(tensor.name())) values_.define(tensor.name(), tensor);
    }
    for (const auto* declarations : {&body_.value_info(), &body_.output()}) {
      for (const auto& info : *declarations) values_.declare(info);
    }
    for (const NodeProto& node : body_.node()) values_.infer(node, nodes_);
    static const TypeProto unknown;
    std::vector<const TypeProto*> output_types;
    for (const auto& output : body_.output()) {
      const TypeProto* type = values_.find(output.name()).type;
      output_types.push_back(type == nullptr ? &unknown : type);
    }
    return output_types;
  }

 private:
  const NodeInference& nodes_;
  const onnx::GraphProto& body_;
  InferredValues values_;
};

class NodeContext final : public onnx::InferenceContext {
 public:
  NodeContext(const NodeInference& nodes, const NodeProto& node, const std::vector<KnownValue>& inputs,
              const KnownValues& around, std::vector<InferredOutput>& outputs)
      : nodes_(nodes), node_(node), inputs_(inputs), around_(around), outputs_(outputs) {}

  const AttributeProto* getAttribute(const std::string& name) const override { return find_attribute(node_, name); }
  size_t getNumInputs() const override { return inputs_.size(); }
  bool hasInput(size_t index) const override {
    return index < inputs_.size() && !node_.input(static_cast<int>(index)).empty();
  }
  const TypeProto* getInputType(size_t index) const override {
    // Many inference functions do not expect that the type of a present input is missing: they get
    // an empty type.
    static const TypeProto unknown;
    const TypeProto* type = inputs_.at(index).type;
    return type == nullptr && hasInput(index) ? &unknown : type;
  }
  const TensorProto* getInputData(size_t index) const override { return inputs_.at(index).constant; }
  const TensorShapeProto* getSymbolicInput(size_t index) const override {
    return inputs_.at(index).constant != nullptr ? nullptr : inputs_[index].elements;
  }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
  size_t getNumOutputs() const override { return outputs_.size(); }
  bool hasOutput(size_t index) override {
    return index < outputs_.size() && !node_.output(static_cast<int>(index)).empty();
  }
  TypeProto* getOutputType(size_t index) override { return &outputs_.at(index).type; }
  std::string getDisplayName() const override { return node_.op_type(); }

  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    const AttributeProto* attribute = find_attribute(node_, name);
    if (attribute == nullptr || !attribute->has_g()) throw std::invalid_argument("no such body");
    bodies_.push_back(std::make_unique<BodyInference>(nodes_, attribute->g(), around_));
    return bodies_.back().get();
  }

 private:
  const NodeInference& nodes_;
  const NodeProto& node_;
  const std::vector<KnownValue>& inputs_;
  const KnownValues& around_;
  std::vector<InferredOutput>& outputs_;
  std::vector<std::unique_ptr<BodyInference>> bodies_;
};

class ElementsContext final : public onnx::DataPropagationContext {
 public:
  ElementsContext(const onnx::OpSchema& schema, const NodeProto& node, const std::vector<KnownValue>& inputs,
                  std::vector<InferredOutput>& outputs)
      : schema_(schema), node_(node), inputs_(inputs), outputs_(outputs) {}

  const AttributeProto* getAttribute(const std::string& name) const override { return find_attribute(node_, name); }
  size_t getNumInputs() const override { return inputs_.size(); }
  const TypeProto* getInputType(size_t index) const override { return inputs_.at(index).type; }
  const TensorShapeProto* getInputData(size_t index) override {
    const KnownValue& input = inputs_.at(index);
    if (input.elements != nullptr) return is_place(index) && !is_whole(*input.elements) ? nullptr : input.elements;
    if (input.type == nullptr || !may_hold_a_shape(*input.type) || is_place(index)) return nullptr;
    const TensorShapeProto& shape = input.type->tensor_type().shape();
    if (shape.dim_size() != 1 || !shape.dim(0).has_dim_value()) return nullptr;
    TensorShapeProto& elements = unknown_elements_.emplace_back();  // how many there are is known
    for (int64_t i = 0; i < shape.dim(0).dim_value(); ++i) elements.add_dim();
    return &elements;
  }
  size_t getNumOutputs() const override { return outputs_.size(); }
  const TypeProto* getOutputType(size_t index) const override { return &outputs_.at(index).type; }
  void addOutputData(size_t index, TensorShapeProto&& elements) override {
    outputs_.at(index).elements = std::move(elements);
  }

 private:
  // Whether an input of another type than the first says which elements of the first are taken, as
  // the starts of a Slice do. Inference functions take unknown numbers of such an input for 0.
  bool is_place(size_t index) const {
    const auto& inputs = schema_.inputs();
    return index < inputs.size() && inputs[index].GetTypeStr() != inputs[0].GetTypeStr();
  }
  static bool is_whole(const TensorShapeProto& elements) {
    return std::ranges::all_of(elements.dim(), [](const auto& dim) { return dim.has_dim_value(); });
  }

  const onnx::OpSchema& schema_;
  const NodeProto& node_;
  const std::vector<KnownValue>& inputs_;
  std::vector<InferredOutput>& outputs_;
  std::deque<TensorShapeProto> unknown_elements_;
};

// Runs the function that infers the elements of shapes. Many operators have one in their
// schema only from some version on, although shapes were computed with earlier versions too.
// An older version means the same if the newest one has each of its attributes, as an
// attribute or as an input.
class Propagation {
 public:
  // `schema` and `node` must outlive this object.
  Propagation(const onnx::OpSchema& schema, const NodeProto& node) : schema_(&schema), node_(node) {
    if (schema.has_data_propagation_function()) return;
    schema_ = find_schema(&operator_versions(schema.domain(), schema.Name()).back());
    if (schema_ == nullptr || !schema_->has_data_propagation_function() || !has_all_attributes()) schema_ = nullptr;
  }

  explicit operator bool() const { return schema_ != nullptr; }

  void run(std::vector<KnownValue> inputs, std::vector<InferredOutput>& outputs) {
    const auto& formal_inputs = schema_->inputs();
    for (size_t i = inputs.size(); i < formal_inputs.size(); ++i) {
      const AttributeProto* attribute = find_attribute(node_, formal_inputs[i].GetName());
      if (attribute == nullptr) break;
      TensorShapeProto& elements = elements_.emplace_back();
      for (const int64_t number : attribute->ints()) elements.add_dim()->set_dim_value(number);
      inputs.push_back({.type = nullptr, .constant = nullptr, .elements = &elements});
    }
    ElementsContext context(*schema_, node_, inputs, outputs);
    schema_->GetDataPropagationFunction()(context);
  }

 private:
  bool has_all_attributes() const {
    return std::ranges::all_of(node_.attribute(), [&](const AttributeProto& attribute) {
      return schema_->attributes().contains(attribute.name()) ||
             std::ranges::any_of(schema_->inputs(),
                                 [&](const auto& input) { return input.GetName() == attribute.name(); });
    });
  }

  const onnx::OpSchema* schema_;
  const NodeProto& node_;
  std::deque<TensorShapeProto> elements_;
};

// What the nodes of a function mean: it depends on the function's own imports, and for a domain
// without one on what surrounds the call.
class FunctionMeanings final : public OperatorMeanings {
 public:
  FunctionMeanings(const onnx::FunctionProto& function, const OperatorMeanings& outside)
      : function_(function), outside_(outside) {}

  OperatorMeaning meaning_of(std::string_view domain, const std::string& op_type,
                             const std::string& overload) const override {
    OperatorMeaning meaning = outside_.meaning_of(domain, op_type, overload);
    if (meaning.function != nullptr) return meaning;
    for (const auto& import : function_.opset_import()) {
      if (normalized_domain(import.domain()) != normalized_domain(domain)) continue;
      if (const OperatorVersion* version = find_operator(domain, op_type, import.version())) meaning.version = version;
    }
    return meaning;
  }

 private:
  const onnx::FunctionProto& function_;
  const OperatorMeanings& outside_;
};

// Replaces references to the function's attributes by the values in the call, or by the function's
// defaults. Without either, the attribute is dropped.
void bind_references(NodeProto& node, const NodeProto& call, const onnx::FunctionProto& function) {
  auto& attributes = *node.mutable_attribute();
  const auto is_unbound = [&](AttributeProto& attribute) {
    if (attribute.has_g()) {
      for (NodeProto& inner : *attribute.mutable_g()->mutable_node()) bind_references(inner, call, function);
    }
    if (attribute.ref_attr_name().empty()) return false;
    const AttributeProto* value = find_attribute(call, attribute.ref_attr_name());
    for (const AttributeProto& fallback : function.attribute_proto()) {
      if (value == nullptr && fallback.name() == attribute.ref_attr_name()) value = &fallback;
    }
    if (value == nullptr) return true;
    const std::string name = attribute.name();
    attribute = *value;
    attribute.set_name(name);
    return false;
  };
  attributes.erase(std::remove_if(attributes.begin(), attributes.end(), is_unbound), attributes.end());
}

std::vector<InferredOutput> NodeInference::infer_call(const NodeProto& call, const onnx::FunctionProto& function,
                                                      const std::vector<KnownValue>& inputs) const {
  const FunctionMeanings meanings(function, meanings_);
  const NodeInference nodes(meanings, progress_);
  InferredValues values(nullptr);
  for (int i = 0; i < function.input_size() && static_cast<size_t>(i) < inputs.size(); ++i) {
    const KnownValue& input = inputs[static_cast<size_t>(i)];
    if (input.constant != nullptr) {
      values.define(function.input(i), *input.constant);
      continue;
    }
    InferredOutput value;
    if (input.type != nullptr) value.type = *input.type;
    if (input.elements != nullptr) value.elements = *input.elements;
    values.define(function.input(i), std::move(value));
  }
  const bool has_references = function.attribute_size() > 0 || function.attribute_proto_size() > 0;
  std::deque<NodeProto> bound;
  for (const NodeProto& node : function.node()) {
    if (progress_.nodes > most_nodes_inferred || --progress_.calls.nodes_left < 0) break;
    const NodeProto* inferred = &node;
    if (has_references && node.attribute_size() > 0) {
      inferred = &bound.emplace_back(node);
      bind_references(bound.back(), call, function);
    }
    values.infer(*inferred, nodes);
  }
  std::vector<InferredOutput> outputs(static_cast<size_t>(call.output_size()));
  for (size_t i = 0; i < outputs.size() && i < static_cast<size_t>(function.output_size()); ++i) {
    const KnownValue value = values.find(function.output(static_cast<int>(i)));
    if (value.type != nullptr) outputs[i].type = *value.type;
    if (value.elements != nullptr) outputs[i].elements = *value.elements;
  }
  return outputs;
}

// Schemas take it that types are known: CastLike finds its output's type and its input's at odds
// where nobody knows what it casts to.
bool has_all_types(const NodeProto& node, const std::vector<KnownValue>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].type == nullptr && !node.input(static_cast<int>(i)).empty()) return false;
  }
  return true;
}

// The node with the attributes that it does not have and the schema has a default for: the schema's
// function may refer to them.
NodeProto with_defaults(const NodeProto& node, const onnx::OpSchema& schema) {
  NodeProto whole = node;
  for (const auto& [name, declared] : schema.attributes()) {
    if (find_attribute(node, name) != nullptr || !declared.default_value.has_name()) continue;
    *whole.add_attribute() = declared.default_value;
  }
  return whole;
}

// What the schema says that the operator does, as a function; nothing where it does not say it.
std::optional<onnx::FunctionProto> function_of(const NodeProto& node, const onnx::OpSchema& schema,
                                               const std::vector<KnownValue>& inputs) {
  if (!schema.HasContextDependentFunction()) {
    const onnx::FunctionProto* function = schema.HasFunction() ? schema.GetFunction() : nullptr;
    return function == nullptr ? std::nullopt : std::optional(*function);
  }
  std::vector<TypeProto> types;
  for (const KnownValue& input : inputs) types.push_back(input.type == nullptr ? TypeProto() : *input.type);
  onnx::FunctionProto function;
  try {
    if (schema.BuildContextDependentFunction(onnx::FunctionBodyBuildContextImpl(node, types), function))
      return function;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

void run_inference_function(const onnx::OpSchema& schema, NodeContext& context) {
  if (schema.has_type_and_shape_inference_function()) {
    schema.GetTypeAndShapeInferenceFunction()(context);
  } else if (schema.HasFunction()) {
    shape_inference::InferShapeForFunctionNode(*schema.GetFunction(), onnx::OpSchemaRegistry::Instance(), context);
  }
}

// Newer versions' inference functions find more shapes: that of a Reshape of which only some sizes
// are known, or their number.
void NodeInference::complete_by_newest_version(const NodeProto& node, const OperatorVersion& version,
                                               const std::vector<KnownValue>& inputs, const KnownValues& around,
                                               std::vector<InferredOutput>& outputs) const {
  const OperatorVersion& newest = operator_versions(version.domain, version.name).back();
  const auto lacks_shape = [](const InferredOutput& output) {
    return output.type.has_tensor_type() && !output.type.tensor_type().has_shape();
  };
  if (&newest == &version || newest.deprecated || std::ranges::none_of(outputs, lacks_shape) ||
      !version_change(node, version, newest).changes_nothing())
    return;
  const onnx::OpSchema* schema = find_schema(&newest);
  if (schema == nullptr || !fits_its_schema(node, newest, *schema)) return;
  std::vector<InferredOutput> found(outputs.size());
  try {
    NodeContext context(*this, node, inputs, around, found);
    run_inference_function(*schema, context);
  } catch (const std::exception&) {
    return;  // a problem with the newer version is not the node's
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (lacks_shape(outputs[i])) fill_from(outputs[i].type, found[i].type);
  }
}

std::vector<InferredOutput> NodeInference::infer(const NodeProto& node, const OperatorMeaning& meaning,
                                                 const std::vector<KnownValue>& inputs,
                                                 const KnownValues& around) const {
  const std::vector<InferredOutput> unknown(static_cast<size_t>(node.output_size()));
  if (++progress_.nodes > most_nodes_inferred || progress_.depth >= deepest_body) return unknown;
  ++progress_.depth;
  struct Leave {
    Progress& progress;
    ~Leave() { --progress.depth; }
  } const leave{progress_};
  if (meaning.function != nullptr) return infer_call(node, *meaning.function, inputs);
  const onnx::OpSchema* schema = find_schema(meaning.version);
  if (schema == nullptr || !fits_its_schema(node, *meaning.version, *schema)) return unknown;

  std::vector<KnownValue> known = inputs;
  for (KnownValue& input : known) {
    if (input.constant != nullptr && !has_its_data(*input.constant)) input.constant = nullptr;
  }
  std::vector<InferredOutput> outputs = unknown;
  try {
    NodeContext context(*this, node, known, around, outputs);
    run_inference_function(*schema, context);
  } catch (const std::exception& error) {
    if (progress_.depth == 1 && progress_.problem.empty() && has_all_types(node, known))
      progress_.problem = inference_problem(error.what());
    return unknown;
  }
  complete_by_newest_version(node, *meaning.version, known, around, outputs);
  for (InferredOutput& output : outputs) drop_negative_dimensions(output.type);
  if (std::none_of(outputs.begin(), outputs.end(), [](const auto& output) { return may_hold_a_shape(output.type); }))
    return outputs;
  try {
    if (Propagation propagation(*schema, node); propagation) propagation.run(std::move(known), outputs);
  } catch (const std::exception&) {
    for (InferredOutput& output : outputs) output.elements.reset();
  }
  return outputs;
}

}  // namespace

KnownValue KnownValues::find(std::string_view name) const {
  for (const KnownValues* known = this; known != nullptr; known = known->around) {
    if (const auto found = known->values.find(name); found != known->values.end()) return found->second;
  }
  return {};
}

InferredNode infer_outputs(const NodeProto& node, const OperatorMeaning& meaning, const std::vector<KnownValue>& inputs,
                           const KnownValues& around, const OperatorMeanings& meanings, InferredCalls& calls) {
  Progress progress{calls};
  std::vector<InferredOutput> outputs = NodeInference(meanings, progress).infer(node, meaning, inputs, around);
  return {std::move(outputs), std::move(progress.problem)};
}

std::string problem_in_function(const NodeProto& node, const OperatorVersion& version,
                                const std::vector<KnownValue>& inputs, const OperatorMeanings& meanings) {
  const onnx::OpSchema* schema = find_schema(&version);
  if (schema == nullptr || !fits_its_schema(node, version, *schema) || !has_all_types(node, inputs)) return {};
  const std::optional<onnx::FunctionProto> function = function_of(node, *schema, inputs);
  if (!function) return {};
  constexpr int64_t most_nodes_of_function = 1'000;
  InferredCalls calls{most_nodes_of_function};
  Progress progress{calls};
  NodeInference(meanings, progress).infer_call(with_defaults(node, *schema), *function, inputs);
  return std::move(progress.problem);
}

std::string inference_problem(std::string_view message) {
  std::string line(message.substr(0, message.find("\n\n==>")));
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  std::ranges::replace(line, '\n', ' ');
  for (const std::string_view mark : {"[ShapeInferenceError] ", "[TypeInferenceError] "}) {
    if (line.starts_with(mark)) line.erase(0, mark.size());
  }
  return line;
}

}  // namespace onnx_lower
