#include "legalizer/graph_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "error.h"
#include "model_file/encode_model.h"
#include "model_file/tensor_skeleton.h"
#include "standard_operators/operator_table.h"
#include "types/constants.h"

namespace onnx_lower {
namespace {

bool is(const Operator& op, std::string_view op_type) { return op.domain.empty() && op.op_type == op_type; }

}  // namespace

onnx::NodeProto node_message(Model& model, const Node& node) {
  onnx::NodeProto message;
  const bool stale = node.bodies && node.bodies->changed;
  const std::string encoded = stale ? encode_node(model, node) : std::string();
  const Bytes bytes = stale ? Bytes(encoded) : node.wire;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw InvalidInput(fmt::format(
        "{}: node '{}' cannot be read: it is broken, or its subgraphs are nested deeper than protobuf takes",
        model.input().path(), node.name));
  }
  return message;
}

void GraphScope::take_back(size_t count) {
  for (; makers_indexed_ > count; --makers_indexed_) {
    for (const ValueId output : placed_[makers_indexed_ - 1].outputs) {
      makers_.erase(output);
      constants_.erase(output);
      element_types_.erase(output);
    }
    messages_.erase(makers_indexed_ - 1);
  }
  placed_.resize(count);
}

const GraphScope::Declaration* GraphScope::declaration(ValueId value) const {
  if (!declarations_indexed_) {
    declarations_indexed_ = true;
    // An input's own type goes before that of an output or value_info of the same name.
    for (const ValueInfo& output : graph_.outputs) declarations_[output.value].type_holder = output.wire;
    for (const ValueInfo& info : graph_.value_infos) declarations_[info.value].type_holder = info.wire;
    for (const TensorSkeleton& initializer : graph_.initializers) {
      declarations_[initializer.value].initializer = initializer.wire;
      declarations_[initializer.value].external = initializer.external;
    }
    for (size_t index = 0; index < graph_.inputs.size(); ++index) {
      Declaration& declaration = declarations_[graph_.inputs[index].value];
      declaration.input_index = static_cast<int>(index);
      declaration.type_holder = graph_.inputs[index].wire;
    }
  }
  const auto found = declarations_.find(value);
  return found == declarations_.end() ? nullptr : &found->second;
}

const GraphScope::Declaration* GraphScope::declaration(std::string_view value) const {
  const std::optional<ValueId> id = model_.values().find(value);
  return id ? declaration(*id) : nullptr;
}

std::optional<size_t> GraphScope::placed_index(std::string_view value) const {
  const std::optional<ValueId> id = model_.values().find(value);
  return id ? placed_index(*id) : std::nullopt;
}

std::optional<size_t> GraphScope::placed_index(ValueId value) const {
  if (value == absent_value) return std::nullopt;
  for (; makers_indexed_ < placed_.size(); ++makers_indexed_) {
    for (const ValueId output : placed_[makers_indexed_].outputs) makers_[output] = makers_indexed_;
  }
  const auto found = makers_.find(value);
  if (found == makers_.end()) return std::nullopt;
  return found->second;
}

const onnx::NodeProto& GraphScope::message(size_t index) const {
  const auto found = messages_.find(index);
  if (found != messages_.end()) return found->second;
  return messages_.emplace(index, node_message(model_, placed_[index])).first->second;
}

bool GraphScope::defines(std::string_view value) const {
  const Declaration* declared = declaration(value);
  if (declared != nullptr && (declared->input_index >= 0 || declared->initializer.data() != nullptr)) return true;
  return placed_index(value).has_value();
}

const onnx::TypeProto* GraphScope::declared_type(std::string_view value) const {
  const Declaration* declared = declaration(value);
  if (declared == nullptr) return nullptr;
  const ValueId id = *model_.values().find(value);
  const auto found = types_.find(id);
  if (found != types_.end()) return found->second ? &*found->second : nullptr;
  std::optional<onnx::TypeProto>& type = types_[id];
  onnx::ValueInfoProto info;
  if (!declared->type_holder.empty() &&
      info.ParseFromArray(declared->type_holder.data(), static_cast<int>(declared->type_holder.size())) &&
      info.has_type()) {
    type = info.type();
  } else if (declared->initializer.data() != nullptr) {
    const TensorFacts facts = read_tensor_facts(declared->initializer);
    type.emplace();
    type->mutable_tensor_type()->set_elem_type(facts.data_type);
    for (const int64_t dim : facts.dims) type->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dim);
    type->mutable_tensor_type()->mutable_shape();
  }
  return type ? &*type : nullptr;
}

GraphScope::ElementTypeSource GraphScope::element_type_source(ValueId value) const {
  if (declaration(value) != nullptr) {
    const onnx::TypeProto* type = declared_type(model_.value_name(value));
    if (type != nullptr && type->has_tensor_type() && type->tensor_type().elem_type() != 0)
      return {type->tensor_type().elem_type(), absent_value};
  }
  const std::optional<size_t> index = placed_index(value);
  if (!index) return {};
  const Node& node = placed_[*index];
  const Operator& op = model_.op(node.op);
  // An attribute decides what Cast makes.
  if (is(op, "Cast")) {
    for (const auto& attribute : message(*index).attribute()) {
      if (attribute.name() == "to") return {static_cast<int>(attribute.i()), absent_value};
    }
    return {};
  }
  const OperatorVersion* version = find_operator(op.domain, op.op_type, model_.opset(op.domain));
  if (version == nullptr) return {};
  const auto output = std::find(node.outputs.begin(), node.outputs.end(), value) - node.outputs.begin();
  const OperatorParameter* parameter = version->output(static_cast<int>(output));
  if (parameter == nullptr) return {};
  constexpr uint64_t no_tensor = uint64_t{1} << 63;
  if (std::has_single_bit(parameter->types) && parameter->types != no_tensor)
    return {std::countr_zero(parameter->types), absent_value};
  for (size_t input = 0; input < node.inputs.size(); ++input) {
    const size_t formal = std::min(input, version->inputs.empty() ? 0 : version->inputs.size() - 1);
    if (formal < 32 && node.inputs[input] != absent_value && (parameter->same_type_inputs >> formal & 1) != 0)
      return {0, node.inputs[input]};
  }
  return {};
}

int GraphScope::element_type(std::string_view value) const {
  const std::optional<ValueId> id = model_.values().find(value);
  return id ? element_type(*id) : 0;
}

int GraphScope::element_type(ValueId value) const {
  std::vector<ValueId> same;
  int type = 0;
  while (value != absent_value) {
    const auto known = element_types_.find(value);
    if (known != element_types_.end()) {
      type = known->second;
      break;
    }
    same.push_back(value);
    const ElementTypeSource source = element_type_source(value);
    type = source.known;
    if (type == 0 && source.same_as == absent_value && enclosing_ != nullptr && declaration(value) == nullptr &&
        !placed_index(value)) {
      type = enclosing_->element_type(value);
    }
    value = type == 0 ? source.same_as : absent_value;
  }
  for (const ValueId each : same) element_types_[each] = type;
  return type;
}

const onnx::TensorProto* GraphScope::constant(std::string_view value) const {
  const Declaration* declared = declaration(value);
  if (declared != nullptr && declared->initializer.data() != nullptr) {
    // What a caller may replace is no constant; below IR version 4, where every initializer had to be an input too, no runtime lets them.
    // And what lies in another file is not read.
    const bool replaceable = declared->input_index >= 0 && model_.ir_version >= 4;
    if (replaceable || declared->external) return nullptr;
    const ValueId id = *model_.values().find(value);
    const auto [found, inserted] = initializers_.try_emplace(id);
    if (inserted &&
        !found->second.ParseFromArray(declared->initializer.data(), static_cast<int>(declared->initializer.size()))) {
      throw InvalidInput(fmt::format("{}: initializer '{}' cannot be read", model_.input().path(), value));
    }
    return &found->second;
  }
  const std::optional<size_t> index = placed_index(value);
  if (!index || !is(model_.op(placed_[*index].op), "Constant")) return nullptr;
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
    if (!index || !is(model_.op(scope->placed_[*index].op), "Identity") || scope->placed_[*index].inputs.empty())
      return scope->constant(name);
    name = model_.value_name(scope->placed_[*index].inputs[0]);
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
