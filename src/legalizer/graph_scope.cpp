// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/graph_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "error.h"
#include "model_file/encode_model.h"
#include "model_file/onnx_fields.h"
#include "model_file/parse_message.h"
#include "model_file/read_model.h"
#include "model_file/tensor_skeleton.h"
#include "types/constants.h"
#include "types/type_knowledge.h"

namespace onnx_lower {

namespace {

onnx::TypeProto type_of(const TensorFacts& tensor) {
  onnx::TypeProto type = tensor_type(tensor.data_type);
  for (const int64_t dim : tensor.dims) type.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dim);
  return type;
}

}  // namespace

OperatorMeaning PlacedMeanings::meaning_of(std::string_view domain, const std::string& op_type,
                                           const std::string& overload) const {
  const OperatorId op =
      model_.intern_operator({model_.keep(normalized_domain(domain)), model_.keep(op_type), model_.keep(overload)});
  return {.version = facts_.of(op, target_).version, .function = functions_.message(op)};
}

std::string_view display_name(const Model& model, const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const ValueId output : node.outputs()) {
    if (output != absent_value) return model.value_name(output);
  }
  return "(without name)";
}

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

const Node& keep_node(Model& model, const onnx::NodeProto& message, OpsetContext opsets) {
  const Bytes wire = model.keep_field(field::Graph::node, message.SerializeAsString());
  return *model.keep(read_node(model, wire, header_size(field::Graph::node, wire.size()), opsets));
}

void GraphScope::take_back(size_t count) {
  for (size_t index = count; !known_tensors_.empty() && index < placed_.size(); ++index) {
    for (const ValueId output : placed_[index]->outputs()) known_tensors_.erase(output);
  }
  for (size_t index = count; !behind_identities_.empty() && index < placed_.size(); ++index) {
    for (const ValueId output : placed_[index]->outputs()) behind_identities_.erase(output);
  }
  const bool knows_more = !constants_.empty() || !constant_types_.empty() || !messages_.empty();
  for (; knows_more && makers_indexed_ > count; --makers_indexed_) {
    for (const ValueId output : placed_[makers_indexed_ - 1]->outputs()) {
      constants_.erase(output);
      constant_types_.erase(output);
    }
    messages_.erase(placed_[makers_indexed_ - 1]);
  }
  for (size_t index = count; !wide_nodes_.empty() && index < placed_.size(); ++index) wide_nodes_.erase(placed_[index]);
  makers_indexed_ = std::min(makers_indexed_, count);
  placed_.resize(count);
}

void GraphScope::take_back_initializers(size_t count) {
  for (; added_initializers_.size() > count; added_initializers_.pop_back()) {
    const ValueId value = added_initializers_.back().value;
    added_.erase(value);
    initializers_.erase(value);
    types_.erase(value);
    known_tensors_.erase(value);
  }
}

int GraphScope::depth() const {
  int depth = 0;
  for (const GraphScope* around = enclosing_; around != nullptr; around = around->enclosing_) ++depth;
  return depth;
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
}

const GraphScope::Declaration* GraphScope::declaration(ValueId value) const {
  // An initializer that was added has the type that it was added with, whatever else the graph declares of its name.
  if (!added_.empty()) {
    if (const auto added = added_.find(value); added != added_.end()) return &added->second;
  }
  if (!declarations_) index_declarations();
  const auto found =
      std::lower_bound(declarations_->begin(), declarations_->end(), value,
                       [](const Declaration& declaration, ValueId wanted) { return declaration.value < wanted; });
  return found == declarations_->end() || found->value != value ? nullptr : &*found;
}

void GraphScope::place_run(const Node& run, int element_type, size_t count) {
  const ValueId output = run.outputs()[0];
  take_back(count);
  index_placed();
  placed_.push_back(&run);
  sources_.tables.makers[output] = static_cast<uint32_t>(makers_indexed_++);
  sources_.tables.element_types[output] = static_cast<int8_t>(element_type);
}

size_t GraphScope::count_since(size_t begin) const {
  size_t count = 0;
  for (size_t index = begin; index < placed_.size(); ++index) count += std::max<size_t>(placed_[index]->run_length, 1);
  return count;
}

void GraphScope::open(const Node& run) const {
  ValueTables& tables = sources_.tables;
  const int8_t element_type = tables.element_types[run.outputs()[0]];
  WireField field;
  for (WireReader reader(run.wire); reader.next(field);) {
    const size_t header = field.whole.size() - field.content.size();
    const Node* node = sources_.model.keep(read_node(sources_.model, field.content, header, run.opsets));
    tables.fit(sources_.model.values().size());
    for (const ValueId output : node->outputs()) {
      tables.makers[output] = static_cast<uint32_t>(first_of_runs + opened_.size());
      tables.element_types[output] = not_asked;
    }
    opened_.push_back(node);
  }
  tables.element_types[run.outputs()[0]] = element_type;
}

void GraphScope::index_placed() const {
  ValueTables& tables = sources_.tables;
  tables.fit(sources_.model.values().size());
  for (; makers_indexed_ < placed_.size(); ++makers_indexed_) {
    const Node& node = *placed_[makers_indexed_];
    if (node.outputs().empty()) continue;
    const int8_t type = type_from_input(node);
    for (const ValueId output : node.outputs()) {
      tables.makers[output] = static_cast<uint32_t>(makers_indexed_);
      tables.element_types[output] = not_asked;
    }
    tables.element_types[node.outputs()[0]] = type;
  }
}

// The type of the node's first output where that is the known one of an input: so it is for most nodes of a chain, which then need not be followed.
int8_t GraphScope::type_from_input(const Node& node) const {
  const OperatorFacts& op = facts(node);
  if (op.first_output.same_inputs == 0 || op.first_output.attribute != nullptr) return not_asked;
  for (size_t index = 0; index < node.inputs().size(); ++index) {
    const ValueId input = node.inputs()[index];
    if (input != absent_value && op.first_output.is_that_of_input(*op.version, index) && is_made(input) &&
        sources_.tables.element_types[input] > 0)
      return sources_.tables.element_types[input];
  }
  return not_asked;
}

std::optional<size_t> GraphScope::output_index(const Node& node, ValueId value) const {
  const std::span<const ValueId> outputs = node.outputs();
  if (outputs.size() <= most_outputs_searched) {
    const auto found = std::ranges::find(outputs, value);
    return found == outputs.end() ? std::nullopt : std::optional(static_cast<size_t>(found - outputs.begin()));
  }
  const auto [indices, inserted] = wide_nodes_.try_emplace(&node);
  if (inserted) {
    indices->second.reserve(outputs.size());
    for (size_t index = 0; index < outputs.size(); ++index) indices->second.try_emplace(outputs[index], index);
  }
  const auto found = indices->second.find(value);
  return found == indices->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> GraphScope::placed_index(ValueId value) const {
  if (value == absent_value) return std::nullopt;
  if (makers_indexed_ < placed_.size()) index_placed();
  if (!is_made(value)) return std::nullopt;
  return sources_.tables.makers[value];
}

const onnx::NodeProto& GraphScope::message(const Node& node) const {
  const auto [found, inserted] = messages_.try_emplace(&node);
  if (inserted) read_node_message(sources_.model, node, found->second);
  return found->second;
}

bool GraphScope::defines(ValueId value) const {
  const Declaration* declared = declaration(value);
  if (declared != nullptr && (declared->input_index >= 0 || declared->initializer.data() != nullptr)) return true;
  return placed_index(value).has_value();
}

// What a caller may replace is no constant; below IR version 4, where every initializer had to be an input too, no runtime lets them.
bool GraphScope::is_replaceable(const Declaration& initializer) const {
  return initializer.input_index >= 0 && sources_.model.ir_version >= 4;
}

const onnx::TypeProto* GraphScope::constant_type(ValueId value) const {
  const Declaration* declared = declaration(value);
  if (declared != nullptr && declared->initializer.data() != nullptr)
    return is_replaceable(*declared) ? nullptr : declared_type(value);
  const Node* node = maker_or_run(value);
  if (node == nullptr || facts(*node).role != OperatorRole::constant) return nullptr;
  const auto [found, inserted] = constant_types_.try_emplace(value);
  if (inserted) {
    if (const std::optional<TensorFacts> tensor = tensor_of_constant(node->wire)) {
      found->second = type_of(*tensor);
    } else if (const onnx::TensorProto* tensor = constant(value)) {
      found->second = type_of_tensor(*tensor);
    }
  }
  return found->second ? &*found->second : nullptr;
}

const onnx::TypeProto* GraphScope::declared_type(ValueId value) const {
  const Declaration* declared = declaration(value);
  if (declared == nullptr) return nullptr;
  const auto found = types_.find(declared->value);
  if (found != types_.end()) return &found->second;
  onnx::ValueInfoProto info;
  if (!declared->type_holder.empty() && parse_message(info, declared->type_holder) && info.has_type())
    return &types_.emplace(declared->value, info.type()).first->second;
  if (declared->initializer.data() == nullptr) return nullptr;  // one of a hundred thousand untyped outputs, perhaps
  return &types_.emplace(declared->value, type_of(read_tensor_facts(declared->initializer))).first->second;
}

int GraphScope::declared_element_type(ValueId value) const {
  const onnx::TypeProto* type = declared_type(value);
  const int element_type = type != nullptr && type->has_tensor_type() ? type->tensor_type().elem_type() : 0;
  return onnx::TensorProto::DataType_IsValid(element_type) ? element_type : 0;
}

// Of a value that no node of this scope makes.
int GraphScope::type_from_outside(ValueId value) const {
  if (const int type = declared_element_type(value); type != 0 || enclosing_ == nullptr) return type;
  const Declaration* declared = declaration(value);
  if (declared == nullptr) return enclosing_->element_type(value);
  // What a Loop carries keeps its type. (The first two inputs of its body are its own.)
  if (declared->input_index < 2 || enclosing_->facts(*holder_).role != OperatorRole::loop) return 0;
  const auto index = static_cast<size_t>(declared->input_index);
  return index < holder_->inputs().size() ? enclosing_->element_type(holder_->inputs()[index]) : 0;
}

GraphScope::TypeSource GraphScope::type_source(ValueId value, const Node& maker) const {
  const auto told = [&]() -> TypeSource {
    const auto found = sources_.tables.told_types.find(value);
    return {.element_type = found == sources_.tables.told_types.end() ? 0 : found->second};
  };
  const OperatorFacts& op = facts(maker);
  if (op.role == OperatorRole::constant) return {.element_type = element_type_of_constant(maker.wire)};
  if (op.version == nullptr) return told();
  const size_t output = output_index(maker, value).value_or(0);
  const ElementTypeSource source =
      output == 0 ? op.first_output : element_type_source(*op.version, static_cast<int>(output));
  if (source.attribute != nullptr) {
    const int type = element_type_of_attribute(*source.attribute, *op.version, node_message(sources_.model, maker));
    if (type != 0) return {.element_type = type};
    const int otherwise = source.attribute->otherwise_input;
    if (otherwise < 0 || static_cast<size_t>(otherwise) >= maker.inputs().size())
      return {.element_type = source.attribute->otherwise_type};
    return {.inputs = maker.inputs().subspan(static_cast<size_t>(otherwise), 1)};
  }
  if (source.fixed != 0) return {.element_type = source.fixed};
  if (source.same_inputs == 0) return told();
  return {.inputs = maker.inputs(), .op = op.version, .same = source};
}

int GraphScope::element_type(ValueId value) const {
  if (value == absent_value) return 0;
  const std::optional<size_t> maker = placed_index(value);
  if (!maker) return type_from_outside(value);
  const int8_t known = sources_.tables.element_types[value];
  return known != not_asked ? known : find_element_type(value, *maker);
}

int GraphScope::find_element_type(ValueId value, size_t maker) const {
  std::vector<int8_t>& known = sources_.tables.element_types;
  // A value whose element type is that of any one of some inputs, which are asked in turn.
  struct Waiting {
    ValueId value;
    TypeSource source;
    size_t next = 0;
  };
  const auto begin = [&](ValueId asked, size_t made_by) {
    known[asked] = 0;  // should the nodes form a cycle, it ends here
    return Waiting{asked, type_source(asked, node_at(made_by))};
  };
  std::vector<Waiting> stack = {begin(value, maker)};
  while (!stack.empty()) {
    const size_t depth = stack.size();
    Waiting& top = stack.back();
    int type = top.source.element_type;
    while (type == 0 && top.next < top.source.inputs.size()) {
      const size_t index = top.next++;
      const ValueId input = top.source.inputs[index];
      if (input == absent_value ||
          (top.source.op != nullptr && !top.source.same.is_that_of_input(*top.source.op, index)))
        continue;
      const std::optional<size_t> made_by = placed_index(input);
      if (made_by && known[input] == not_asked) {
        --top.next;  // to be looked at again
        stack.push_back(begin(input, *made_by));
        break;
      }
      type = made_by ? known[input] : type_from_outside(input);
    }
    if (stack.size() != depth) continue;
    // What no operator tells, a declaration may.
    if (type == 0) type = declared_element_type(top.value);
    known[top.value] = static_cast<int8_t>(type);
    stack.pop_back();
  }
  return known[value];
}

// What is larger is a weight, no parameter of an operator, and protobuf takes no message of 2 GiB.
constexpr size_t largest_constant = size_t{1} << 30;

const onnx::TensorProto* GraphScope::constant(ValueId value) const { return constant_up_to(value, largest_constant); }

const onnx::TensorProto* GraphScope::constant_up_to(ValueId value, size_t most_bytes) const {
  const Declaration* declared = declaration(value);
  if (declared != nullptr && declared->initializer.data() != nullptr) {
    // What lies in another file is not read.
    if (is_replaceable(*declared) || declared->external || declared->initializer.size() > most_bytes) return nullptr;
    const auto [found, inserted] = initializers_.try_emplace(value);
    if (inserted && !parse_message(found->second, declared->initializer)) {
      throw InvalidInput(fmt::format("{}: initializer '{}' cannot be read", sources_.model.input().path(),
                                     sources_.model.value_name(value)));
    }
    return &found->second;
  }
  const std::optional<size_t> index = placed_index(value);
  if (!index || facts(node_at(*index)).role != OperatorRole::constant) return nullptr;
  if (node_at(*index).wire.size() > most_bytes) return nullptr;
  const auto [found, inserted] = constants_.try_emplace(value);
  if (inserted) {
    const onnx::NodeProto& node = message(node_at(*index));
    const bool is_tensor =
        node.attribute_size() == 1 && node.attribute(0).name() == "value" && node.attribute(0).has_t();
    found->second = is_tensor ? node.attribute(0).t() : tensor_of_constant_node(node);
  }
  return found->second ? &*found->second : nullptr;
}

ValueId GraphScope::behind_identities(ValueId value) const {
  // A hundred thousand nodes may ask for what a hundred thousand Identity nodes are behind. That is remembered, of more than any exporter writes.
  constexpr size_t most_followed_again = 16;
  std::vector<ValueId> followed;
  for (;;) {
    if (const auto known = behind_identities_.find(value); known != behind_identities_.end()) {
      value = known->second;
      break;
    }
    const Node* node = maker_or_run(value);
    if (node == nullptr || facts(*node).role != OperatorRole::identity || node->inputs().size() != 1) break;
    followed.push_back(value);
    value = node->inputs()[0];
  }
  if (followed.size() > most_followed_again) {
    for (const ValueId each : followed) behind_identities_.emplace(each, value);
  }
  return value;
}

const onnx::TensorProto* GraphScope::visible_constant(ValueId value) const {
  for (const GraphScope* scope = this; scope != nullptr; scope = scope->enclosing_) {
    if (!scope->defines(value)) continue;
    value = scope->behind_identities(value);
    if (scope->defines(value)) return scope->constant(value);
  }
  return nullptr;
}

NodeView GraphScope::view(const Node& node) const {
  const OperatorFacts& op = facts(node);
  return {.node = &node,
          .inputs = node.inputs(),
          .outputs = node.outputs(),
          .meaning = {.version = op.version, .function = sources_.functions.message(node.op)},
          .role = op.role,
          .has_bodies = node.bodies != nullptr};
}

NodeView GraphScope::producer(ValueId value) const {
  const Node* node = maker(value);
  return node == nullptr ? NodeView() : view(*node);
}

// The nodes of a run mostly compute elementwise, with constants of rank 0: their names tell that, and it takes a tenth of what it takes to open the run.
std::vector<ValueId> GraphScope::shape_sources(ValueId value) const {
  using Inputs = uint64_t;  // a bit for each input of the run
  const Node* run = maker_or_run(value);
  if (run == nullptr || !run->is_run() || run->inputs().size() > std::numeric_limits<Inputs>::digits) return {};
  std::vector<std::pair<Bytes, Inputs>> known;  // by the names of what the run makes
  const auto inputs_behind = [&](Bytes name) -> std::optional<Inputs> {
    const auto made = std::ranges::find(known, name, [](const auto& each) { return each.first; });
    if (made != known.end()) return made->second;
    const std::optional<ValueId> outside = sources_.model.values().find(name);
    const auto input = outside ? std::ranges::find(run->inputs(), *outside) : run->inputs().end();
    if (input == run->inputs().end()) return std::nullopt;
    return Inputs{1} << (input - run->inputs().begin());
  };
  WireField made;
  for (WireReader nodes(run->wire); nodes.next(made);) {
    Bytes output;
    std::optional<Inputs> first;
    Inputs all = 0;
    bool all_known = true;
    size_t count = 0;
    WireField field;
    for (WireReader reader(made.content); reader.next(field);) {
      if (field.tag == delimited_tag(field::Node::input)) {
        const std::optional<Inputs> input = inputs_behind(field.content);
        if (count++ == 0) first = input;
        all |= input.value_or(0);
        all_known &= input.has_value();
      } else if (field.tag == delimited_tag(field::Node::output) && output.empty()) {
        output = field.content;
      }
    }
    const OperatorId id =
        sources_.model.intern_operator({{}, last_field(made.content, delimited_tag(field::Node::op_type)), {}});
    const OperatorFacts& op = sources_.facts.of(id, context(*run));
    const ShapeRule rule = op.version == nullptr ? ShapeRule::unknown : op.version->shape_rule;
    if (op.role == OperatorRole::constant) {
      const std::optional<TensorFacts> tensor = tensor_of_constant(made.content);
      if (tensor && tensor->dims.empty()) known.emplace_back(output, 0);
    } else if (op.role == OperatorRole::identity || op.role == OperatorRole::cast ||
               rule == ShapeRule::of_first_input) {
      if (first) known.emplace_back(output, *first);
    } else if (rule == ShapeRule::broadcast_inputs && all_known && count > 0) {
      known.emplace_back(output, all);
    }
  }
  std::vector<ValueId> values;
  if (known.empty() || known.back().first != sources_.model.value_name(value)) return values;
  for (size_t index = 0; index < run->inputs().size(); ++index) {
    if ((known.back().second >> index & 1) != 0) values.push_back(run->inputs()[index]);
  }
  return values;
}

NodeView GraphScope::holder() const { return holder_ == nullptr ? NodeView() : enclosing_->view(*holder_); }

int GraphScope::graph_input_index(ValueId value) const {
  const Declaration* declared = declaration(value);
  return declared == nullptr ? -1 : declared->input_index;
}

NodeView maker_of_list(const GraphScope& scope, ValueId list) {
  const GraphScope* place = &scope;
  while ((place = defining_scope(place, list)) != nullptr) {
    const ValueId behind = place->behind_identities(list);
    if (behind == list) {
      const NodeView maker = place->producer(list);
      return maker.role == OperatorRole::sequence_construct ? maker : NodeView();
    }
    list = behind;
  }
  return {};
}

}  // namespace onnx_lower
