// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/graph_scope.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "legalizer/branch.h"
#include "legalizer/node_message.h"
#include "model_file/onnx_fields.h"
#include "model_file/tensor_skeleton.h"
#include "types/constants.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// Whether the node has one of the inputs from which the element type comes.
bool has_any(std::span<const ValueId> inputs, const OperatorVersion& op, const ElementTypeSource& source) {
  for (size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index] != absent_value && source.is_that_of_input(op, index)) return true;
  }
  return false;
}

// The nodes of a run mostly compute elementwise, with constants of rank 0: their names tell that,
// and it takes a tenth of what it takes to open the run.
class ShapesInRun {
  using Inputs = uint64_t;  // a bit for each input of the run

 public:
  static constexpr int most_inputs = std::numeric_limits<Inputs>::digits;

  // `context`: by which imports the run means its operators.
  ShapesInRun(const ScopeSources& sources, const Node& run, OpsetContext context)
      : sources_(sources), run_(run), context_(context) {}

  // The next node of the run.
  void add(Bytes node) {
    Bytes output;
    std::optional<Inputs> first;
    Inputs all = 0;
    bool all_known = true;
    size_t count = 0;
    WireField field;
    for (WireReader reader(node); reader.next(field);) {
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
        sources_.model.intern_operator({{}, last_field(node, delimited_tag(field::Node::op_type)), {}});
    const OperatorFacts& op = sources_.facts.of(id, context_);
    const ShapeRule rule = op.version == nullptr ? ShapeRule::unknown : op.version->shape_rule;
    if (op.role == OperatorRole::constant) {
      const std::optional<TensorFacts> tensor = tensor_of_constant(node);
      if (tensor && tensor->dims.empty()) known_.emplace_back(output, 0);
    } else if (op.role == OperatorRole::identity || op.role == OperatorRole::cast ||
               rule == ShapeRule::of_first_input) {
      if (first) known_.emplace_back(output, *first);
    } else if (rule == ShapeRule::broadcast_inputs && all_known && count > 0) {
      known_.emplace_back(output, all);
    }
  }

  // The inputs of the run whose shapes, broadcast, that value has; none where the newest node does
  // not make it, or that is not known.
  std::vector<ValueId> sources_of_newest(Bytes name) const {
    std::vector<ValueId> values;
    if (known_.empty() || known_.back().first != name) return values;
    for (size_t index = 0; index < run_.inputs().size(); ++index) {
      if ((known_.back().second >> index & 1) != 0) values.push_back(run_.inputs()[index]);
    }
    return values;
  }

 private:
  std::optional<Inputs> inputs_behind(Bytes name) const {
    const auto made = std::ranges::find(known_, name, [](const auto& each) { return each.first; });
    if (made != known_.end()) return made->second;
    const std::optional<ValueId> outside = sources_.model.values().find(name);
    const auto input = outside ? std::ranges::find(run_.inputs(), *outside) : run_.inputs().end();
    if (input == run_.inputs().end()) return std::nullopt;
    return Inputs{1} << (input - run_.inputs().begin());
  }

  const ScopeSources& sources_;
  const Node& run_;
  OpsetContext context_;
  std::vector<std::pair<Bytes, Inputs>> known_;  // by the names of what the run makes
};

}  // namespace

void GraphScope::forget_made_since(size_t count) {
  if (!remembered_ && noted_types_.empty()) return;
  for (size_t index = count; index < placed().size(); ++index) {
    for (const ValueId output : placed()[index]->outputs()) {
      noted_types_.erase(output);
      if (!remembered_) continue;
      remembered_->known_tensors.erase(output);
      remembered_->behind_identities.erase(output);
      remembered_->constants.erase(output);
      remembered_->constant_elements.erase(output);
      remembered_->constant_types.erase(output);
      remembered_->lists_of_several_types.erase(output);
    }
  }
}

void GraphScope::take_back_initializers(size_t count) {
  for (size_t index = count; remembered_ && index < added_initializers().size(); ++index) {
    remembered_->known_tensors.erase(added_initializers()[index].value);
    remembered_->constant_elements.erase(added_initializers()[index].value);
  }
  declarations_.take_back(count);
}

int GraphScope::depth() const {
  int depth = 0;
  for (const GraphScope* around = enclosing_; around != nullptr; around = around->enclosing_) ++depth;
  return depth;
}

bool GraphScope::defines(ValueId value) const {
  if (has_producer(value)) return true;  // so are most
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  return declared != nullptr && (declared->input_index >= 0 || declared->has_initializer());
}

bool GraphScope::is_made_by(ValueId value, std::string_view op_type) const {
  note_asked_beyond_call();
  const GraphScope* scope = defining_scope(this, value);
  // What made the value of a run is known without looking at the nodes of it.
  const Node* maker = scope == nullptr ? nullptr : scope->maker_or_run(value);
  if (maker == nullptr) return false;
  const Operator& op = sources_.model.op(maker->op);
  return op.domain.empty() && op.op_type == op_type;
}

const onnx::TypeProto* GraphScope::constant_type(ValueId value) const {
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  if (declared != nullptr && declared->has_initializer())
    return declarations_.is_replaceable(*declared) ? nullptr : declared_type(value);
  const Node* node = maker_or_run(value);
  if (node == nullptr || facts(*node).role != OperatorRole::constant) return nullptr;
  const auto [found, inserted] = remembered().constant_types.try_emplace(value);
  if (inserted) {
    if (const std::optional<TensorFacts> tensor = tensor_of_constant(node->wire)) {
      found->second = tensor_type(tensor->data_type, tensor->dims);
    } else if (const onnx::TensorProto* tensor = constant(value)) {
      found->second = type_of_tensor(*tensor);
    }
  }
  return found->second ? &*found->second : nullptr;
}

// Of a value that no node of this scope makes.
int GraphScope::type_from_outside(ValueId value) const {
  if (value == last_captured_.value) return last_captured_.element_type;
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  if (declared == nullptr) return captured_element_type(value);
  if (const int type = declared_element_type(value); type != 0 || enclosing_ == nullptr) return type;
  if (declared->input_index < 0) return 0;
  // What a Loop or a Scan carries from one iteration to the next keeps its type, and so do the
  // slices that a Scan takes. The first two inputs of a Loop's body are its own; Scan-8 has one
  // input more than its body, the lengths, which come first.
  const OperatorFacts& holder = enclosing_->facts(*holder_);
  auto index = static_cast<size_t>(declared->input_index);
  if (holder.role == OperatorRole::scan && holder.version != nullptr) {
    index += holder.version->since_version < 9 ? 1 : 0;
  } else if (holder.role != OperatorRole::loop || index < 2) {
    return 0;
  }
  return index < holder_->inputs().size() ? enclosing_->element_type(holder_->inputs()[index]) : 0;
}

int GraphScope::captured_element_type(ValueId value) const {
  if (enclosing_ == nullptr) return 0;
  const int type = enclosing_->element_type(value);
  if (type != 0) last_captured_ = {value, type};
  return type;
}

GraphScope::TypeSource GraphScope::type_source(ValueId value, const Node& maker) const {
  const OperatorFacts& op = facts(maker);
  if (op.role == OperatorRole::constant) return {.element_type = element_type_of_constant(maker.wire)};
  if (op.version == nullptr) return {.element_type = noted_element_type(value)};
  const size_t output = nodes_.output_index(maker, value).value_or(0);
  const ElementTypeSource source =
      output == 0 ? op.first_output : element_type_source(*op.version, static_cast<int>(output));
  if (source.attribute != nullptr) {
    const int type = element_type_of_attribute(*source.attribute, *op.version, node_message(sources_.model, maker));
    if (type != 0) return {.element_type = type};
    const int otherwise = source.attribute->otherwise_input;
    if (otherwise < 0 || static_cast<size_t>(otherwise) >= maker.inputs().size() ||
        maker.inputs()[static_cast<size_t>(otherwise)] == absent_value)
      return {.element_type = source.attribute->otherwise_type};
    return {.inputs = maker.inputs().subspan(static_cast<size_t>(otherwise), 1)};
  }
  if (source.fixed != 0) return {.element_type = source.fixed};
  if (source.same_inputs == 0) return {.element_type = noted_element_type(value)};
  if (source.otherwise != 0 && !has_any(maker.inputs(), *op.version, source)) return {.element_type = source.otherwise};
  return {.inputs = maker.inputs(), .op = op.version, .same = source};
}

bool GraphScope::operator_tells_element_type(ValueId value) const {
  const Node* node = maker_or_run(value);
  if (node == nullptr) return true;
  // Of most operators that is known without reading the node, which for one of a run takes time.
  const OperatorFacts& op = facts(*node);
  const bool is_plain = op.version != nullptr && op.first_output.attribute == nullptr;
  if (is_plain && (op.first_output.fixed != 0 || op.first_output.is_that_of_input(*op.version, 0))) return true;
  if (node->is_run()) node = maker(value);
  const TypeSource source = type_source(value, *node);
  for (size_t index = 0; index < source.inputs.size(); ++index) {
    if (source.is_that_of_input(index) && element_type(source.inputs[index]) != 0) return true;
  }
  return source.element_type != 0;
}

int GraphScope::element_type(ValueId value) const {
  if (value == absent_value) return 0;
  if (const int newest = nodes_.type_of_newest(value); newest != 0) return newest;
  const std::optional<size_t> maker = nodes_.maker_index(value);
  if (!maker) return type_from_outside(value);
  const int8_t known = sources_.tables.element_types[value];
  return known != ValueTables::not_asked ? known : find_element_type(value, *maker);
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
    return Waiting{asked, type_source(asked, nodes_.at(made_by))};
  };
  std::vector<Waiting> stack = {begin(value, maker)};
  while (!stack.empty()) {
    const size_t depth = stack.size();
    Waiting& top = stack.back();
    int type = top.source.element_type;
    while (type == 0 && top.next < top.source.inputs.size()) {
      const size_t index = top.next++;
      const ValueId input = top.source.inputs[index];
      if (input == absent_value || !top.source.is_that_of_input(index)) continue;
      const std::optional<size_t> made_by = nodes_.maker_index(input);
      if (made_by && known[input] == ValueTables::not_asked) {
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
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  if (declared != nullptr && declared->has_initializer()) return declarations_.constant(*declared, most_bytes);
  const std::optional<size_t> index = nodes_.maker_index(value);
  if (!index || facts(nodes_.at(*index)).role != OperatorRole::constant) return nullptr;
  if (nodes_.at(*index).wire.size() > most_bytes) return nullptr;
  const auto [found, inserted] = remembered().constants.try_emplace(value);
  if (inserted) found->second = tensor_of_constant_node(nodes_.message(nodes_.at(*index)));
  return found->second ? &*found->second : nullptr;
}

const ConstantElements* GraphScope::constant_elements(ValueId value) const {
  constexpr size_t most_bytes = size_t{1} << 16;
  const onnx::TensorProto* tensor = constant_up_to(value, most_bytes);
  if (tensor == nullptr) return nullptr;
  // A hundred thousand nodes may read one constant.
  const auto [found, inserted] = remembered().constant_elements.try_emplace(value);
  if (inserted) found->second = constant_elements_of(*tensor);
  return &found->second;
}

ValueId GraphScope::behind_identities(ValueId value) const {
  // A hundred thousand nodes may ask for what a hundred thousand Identity nodes are behind. That is
  // remembered, of more than any exporter writes.
  constexpr size_t most_followed_again = 16;
  std::vector<ValueId> followed;
  for (;;) {
    if (remembered_) {
      const auto known = remembered_->behind_identities.find(value);
      if (known != remembered_->behind_identities.end()) {
        value = known->second;
        break;
      }
    }
    const Node* node = maker_or_run(value);
    if (node == nullptr || facts(*node).role != OperatorRole::identity || node->inputs().size() != 1) break;
    followed.push_back(value);
    value = node->inputs()[0];
  }
  if (followed.size() > most_followed_again) {
    for (const ValueId each : followed) remembered().behind_identities.emplace(each, value);
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

std::vector<ValueId> GraphScope::shape_sources(ValueId value) const {
  const Node* run = maker_or_run(value);
  if (run == nullptr || !run->is_run() || run->inputs().size() > ShapesInRun::most_inputs) return {};
  ShapesInRun shapes(sources_, *run, context(*run));
  WireField made;
  for (WireReader nodes(run->wire); nodes.next(made);) shapes.add(made.content);
  return shapes.sources_of_newest(sources_.model.value_name(value));
}

ValueId GraphScope::condition() const {
  const bool is_branch = holder_role() == OperatorRole::conditional && !holder_->inputs().empty();
  return is_branch && body_of(*holder_, "then_branch") == &declarations_.graph() ? holder_->inputs()[0] : absent_value;
}

NodeView GraphScope::holder() const { return holder_ == nullptr ? NodeView() : enclosing_->view(*holder_); }

int GraphScope::graph_input_index(ValueId value) const {
  const GraphDeclarations::Declaration* declared = declarations_.find(value);
  return declared == nullptr ? -1 : declared->input_index;
}

NodeView maker_of_list(const GraphScope& scope, ValueId list) {
  scope.note_asked_beyond_call();
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
