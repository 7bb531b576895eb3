#include "legalizer/graph_scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "error.h"
#include "model_file/encode_model.h"
#include "model_file/parse_message.h"
#include "model_file/tensor_skeleton.h"
#include "types/constants.h"

namespace onnx_lower {
namespace {

bool is(const Operator& op, std::string_view op_type) { return op.domain.empty() && op.op_type == op_type; }

}  // namespace

void read_node_message(Model& model, const Node& node, onnx::NodeProto& message) {
  const bool stale = node.bodies && node.bodies->changed;
  const std::string encoded = stale ? encode_node(model, node) : std::string();
  const Bytes bytes = stale ? Bytes(encoded) : node.wire;
  if (!parse_message(message, bytes)) {
    throw InvalidInput(
        fmt::format("{}: node '{}' cannot be read: it is broken, larger than 2 GiB, or its subgraphs are nested deeper "
                    "than protobuf takes",
                    model.input().path(), node.name));
  }
}

onnx::NodeProto node_message(Model& model, const Node& node) {
  onnx::NodeProto message;
  read_node_message(model, node, message);
  return message;
}

void GraphScope::take_back(size_t count) {
  for (; makers_indexed_ > count; --makers_indexed_) {
    for (const ValueId output : placed_[makers_indexed_ - 1]->outputs()) constants_.erase(output);
    messages_.erase(makers_indexed_ - 1);
  }
  placed_.resize(count);
}

void GraphScope::index_declarations() const {
  std::vector<Declaration>& all = declarations_.emplace();
  all.reserve(graph_.inputs.size() + graph_.initializers.size() + graph_.value_infos.size() + graph_.outputs.size());
  for (size_t index = 0; index < graph_.inputs.size(); ++index) {
    all.push_back({.value = graph_.inputs[index].value,
                   .type_holder = graph_.inputs[index].wire,
                   .input_index = static_cast<int>(index)});
  }
  for (const TensorSkeleton& initializer : graph_.initializers)
    all.push_back({.value = initializer.value, .initializer = initializer.wire, .external = initializer.external});
  for (const ValueInfo& info : graph_.value_infos) all.push_back({.value = info.value, .type_holder = info.wire});
  for (const ValueInfo& output : graph_.outputs) all.push_back({.value = output.value, .type_holder = output.wire});
  // An input's own type goes before that of a value_info or an output of the same name.
  std::stable_sort(all.begin(), all.end(),
                   [](const Declaration& a, const Declaration& b) { return a.value < b.value; });
  size_t kept = 0;
  for (const Declaration& declaration : all) {
    if (kept == 0 || all[kept - 1].value != declaration.value) {
      all[kept++] = declaration;
      continue;
    }
    Declaration& same = all[kept - 1];
    if (same.type_holder.data() == nullptr) same.type_holder = declaration.type_holder;
    if (declaration.initializer.data() != nullptr) {
      same.initializer = declaration.initializer;
      same.external = declaration.external;
    }
  }
  all.resize(kept);
  is_declared_.resize(all.empty() ? 0 : all.back().value + 1);
  for (const Declaration& declaration : all) is_declared_[declaration.value] = true;
}

const GraphScope::Declaration* GraphScope::declaration(ValueId value) const {
  if (!is_declared(value)) return nullptr;
  return &*std::lower_bound(declarations_->begin(), declarations_->end(), value,
                            [](const Declaration& a, ValueId wanted) { return a.value < wanted; });
}

const GraphScope::Declaration* GraphScope::declaration(std::string_view value) const {
  const std::optional<ValueId> id = model_.values().find(value);
  return id ? declaration(*id) : nullptr;
}

std::optional<size_t> GraphScope::placed_index(std::string_view value) const {
  const std::optional<ValueId> id = model_.values().find(value);
  return id ? placed_index(*id) : std::nullopt;
}

void GraphScope::index_placed() const {
  std::vector<uint32_t>& makers = tables_->makers;
  if (makers.size() < model_.values().size()) {
    makers.resize(model_.values().size());
    tables_->element_types.resize(makers.size());
  }
  for (; makers_indexed_ < placed_.size(); ++makers_indexed_) {
    const Node& node = *placed_[makers_indexed_];
    if (node.outputs().empty()) continue;
    const int8_t type = type_from_input(node);
    for (const ValueId output : node.outputs()) {
      makers[output] = static_cast<uint32_t>(makers_indexed_);
      tables_->element_types[output] = not_asked;
    }
    tables_->element_types[node.outputs()[0]] = type;
  }
}

// The type of the node's first output where that is the known one of an input: so it is for most nodes of a chain, which then need not be followed.
int8_t GraphScope::type_from_input(const Node& node) const {
  const KnownOperator& op = known_operator(node.op);
  if (op.first_output.same_inputs == 0 || is_declared(node.outputs()[0])) return not_asked;
  for (size_t index = 0; index < node.inputs().size(); ++index) {
    const ValueId input = node.inputs()[index];
    if (input != absent_value && op.first_output.is_that_of_input(*op.version, index) && is_made(input) &&
        tables_->element_types[input] > 0)
      return tables_->element_types[input];
  }
  return not_asked;
}

std::optional<size_t> GraphScope::placed_index(ValueId value) const {
  if (value == absent_value) return std::nullopt;
  if (makers_indexed_ < placed_.size()) index_placed();
  if (!is_made(value)) return std::nullopt;
  return tables_->makers[value];
}

const onnx::NodeProto& GraphScope::message(size_t index) const {
  const auto found = messages_.find(index);
  if (found != messages_.end()) return found->second;
  return messages_.emplace(index, node_message(model_, *placed_[index])).first->second;
}

bool GraphScope::defines(std::string_view value) const {
  const Declaration* declared = declaration(value);
  if (declared != nullptr && (declared->input_index >= 0 || declared->initializer.data() != nullptr)) return true;
  return placed_index(value).has_value();
}

const onnx::TypeProto* GraphScope::declared_type(std::string_view value) const {
  const Declaration* declared = declaration(value);
  return declared == nullptr ? nullptr : declared_type(*declared);
}

const onnx::TypeProto* GraphScope::declared_type(const Declaration& declared) const {
  const auto found = types_.find(declared.value);
  if (found != types_.end()) return found->second ? &*found->second : nullptr;
  std::optional<onnx::TypeProto>& type = types_[declared.value];
  onnx::ValueInfoProto info;
  if (!declared.type_holder.empty() && parse_message(info, declared.type_holder) && info.has_type()) {
    type = info.type();
  } else if (declared.initializer.data() != nullptr) {
    const TensorFacts facts = read_tensor_facts(declared.initializer);
    type.emplace();
    type->mutable_tensor_type()->set_elem_type(facts.data_type);
    for (const int64_t dim : facts.dims) type->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dim);
    type->mutable_tensor_type()->mutable_shape();
  }
  return type ? &*type : nullptr;
}

const GraphScope::KnownOperator& GraphScope::learn_operator(OperatorId op) const {
  if (tables_->operators.size() <= op) tables_->operators.resize(model_.operator_count());
  const Operator& named = model_.op(op);
  KnownOperator& known = tables_->operators[op].emplace();
  known.version = find_operator(named.domain, named.op_type, model_.opset(named.domain));
  known.is_cast = is(named, "Cast");
  known.is_constant = is(named, "Constant");
  if (known.version != nullptr) known.first_output = element_type_source(*known.version, 0);
  return known;
}

GraphScope::KnownType GraphScope::known_type(ValueId value, std::optional<size_t> maker) const {
  if (const Declaration* declared = declaration(value)) {
    const onnx::TypeProto* type = declared_type(*declared);
    const int element_type = type != nullptr && type->has_tensor_type() ? type->tensor_type().elem_type() : 0;
    if (onnx::TensorProto::DataType_IsValid(element_type) && element_type != 0) return {element_type, absent_value};
  }
  if (!maker) return {};
  const Node& node = *placed_[*maker];
  const KnownOperator& op = known_operator(node.op);
  if (op.is_constant) return {element_type_of_constant(node.wire), absent_value};
  if (op.is_cast) return {element_type_that_cast_makes(message(*maker)), absent_value};
  if (op.version == nullptr) return {};
  const auto output = std::find(node.outputs().begin(), node.outputs().end(), value) - node.outputs().begin();
  const ElementTypeSource source =
      output == 0 ? op.first_output : element_type_source(*op.version, static_cast<int>(output));
  if (source.fixed != 0) return {source.fixed, absent_value};
  for (size_t input = 0; input < node.inputs().size(); ++input) {
    if (node.inputs()[input] != absent_value && source.is_that_of_input(*op.version, input))
      return {0, node.inputs()[input]};
  }
  return {};
}

int GraphScope::element_type(ValueId value) const {
  std::vector<ValueId>& same = same_type_;
  same.clear();
  int type = 0;
  while (value != absent_value) {
    const std::optional<size_t> maker = placed_index(value);
    if (maker && tables_->element_types[value] != not_asked) {
      type = tables_->element_types[value];
      break;
    }
    if (maker) same.push_back(value);
    const KnownType known = known_type(value, maker);
    type = known.element_type;
    if (type == 0 && !maker && enclosing_ != nullptr) {
      const Declaration* declared = declaration(value);
      if (declared == nullptr) type = enclosing_->element_type(value);
      // What a Loop carries keeps its type. (The first two inputs of its body are its own.)
      const bool is_carried = declared != nullptr && declared->input_index >= 2 && holder_ != nullptr &&
                              static_cast<size_t>(declared->input_index) < holder_->inputs().size() &&
                              model_.op(holder_->op).domain.empty() && model_.op(holder_->op).op_type == "Loop";
      if (is_carried) type = enclosing_->element_type(holder_->inputs()[static_cast<size_t>(declared->input_index)]);
    }
    value = type == 0 ? known.same_as : absent_value;
  }
  for (const ValueId each : same) tables_->element_types[each] = static_cast<int8_t>(type);
  return type;
}

// What is larger is a weight, no parameter of an operator, and protobuf takes no message of 2 GiB.
constexpr size_t largest_constant = size_t{1} << 30;

const onnx::TensorProto* GraphScope::constant(std::string_view value) const {
  const Declaration* declared = declaration(value);
  if (declared != nullptr && declared->initializer.data() != nullptr) {
    // What a caller may replace is no constant; below IR version 4, where every initializer had to be an input too, no runtime lets them.
    // And what lies in another file is not read.
    const bool replaceable = declared->input_index >= 0 && model_.ir_version >= 4;
    if (replaceable || declared->external || declared->initializer.size() > largest_constant) return nullptr;
    const ValueId id = *model_.values().find(value);
    const auto [found, inserted] = initializers_.try_emplace(id);
    if (inserted && !parse_message(found->second, declared->initializer)) {
      throw InvalidInput(fmt::format("{}: initializer '{}' cannot be read", model_.input().path(), value));
    }
    return &found->second;
  }
  const std::optional<size_t> index = placed_index(value);
  if (!index || !is(model_.op(placed_[*index]->op), "Constant")) return nullptr;
  if (placed_[*index]->wire.size() > largest_constant) return nullptr;
  const auto [found, inserted] = constants_.try_emplace(*model_.values().find(value));
  if (inserted) {
    const onnx::NodeProto& node = message(*index);
    const bool is_tensor =
        node.attribute_size() == 1 && node.attribute(0).name() == "value" && node.attribute(0).has_t();
    found->second = is_tensor ? node.attribute(0).t() : tensor_of_constant_node(node);
  }
  return found->second ? &*found->second : nullptr;
}

const onnx::TensorProto* GraphScope::visible_constant(std::string_view value) const {
  const GraphScope* scope = this;
  std::string_view name = value;
  while (scope != nullptr) {
    if (!scope->defines(name)) {
      scope = scope->enclosing_;
      continue;
    }
    const std::optional<size_t> index = scope->placed_index(name);
    if (!index || !is(model_.op(scope->placed_[*index]->op), "Identity") || scope->placed_[*index]->inputs().empty())
      return scope->constant(name);
    name = model_.value_name(scope->placed_[*index]->inputs()[0]);
  }
  return nullptr;
}

const onnx::NodeProto* GraphScope::producer(std::string_view value) const {
  const std::optional<size_t> index = placed_index(value);
  return index ? &message(*index) : nullptr;
}

const onnx::NodeProto* GraphScope::holder() const {
  if (holder_ == nullptr) return nullptr;
  if (!holder_message_) holder_message_ = node_message(model_, *holder_);
  return &*holder_message_;
}

int GraphScope::graph_input_index(std::string_view value) const {
  const Declaration* declared = declaration(value);
  return declared == nullptr ? -1 : declared->input_index;
}

}  // namespace onnx_lower
