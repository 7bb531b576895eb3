// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/after/complete_declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "error.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "onnx/defs/printer.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

// Completes the declared type of an input of the body of a Loop, a Scan or a SequenceMap; false if
// nothing is added. A shape is only added for a Scan: the tensors of a sequence may have several
// shapes, and so may a state of a Loop in its iterations.
bool complete_body_input(onnx::ValueInfoProto& info, const GraphScope& scope, TypeInference& types) {
  onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  const ValueId value = scope.value_of(info.name());
  const bool is_of_loop = scope.holder_role() == OperatorRole::loop;
  if (const int index = scope.graph_input_index(value); is_of_loop && (index == 0 || index == 1)) {
    // The inputs for the number of the iteration and for the condition.
    tensor.set_elem_type(index == 0 ? onnx::TensorProto::INT64 : onnx::TensorProto::BOOL);
    tensor.mutable_shape();
    return true;
  }
  if (tensor.elem_type() != 0) return false;
  const onnx::TypeProto* type = types.type_of(scope, value, is_of_loop ? Detail::element_type : Detail::shape);
  if (type == nullptr || type->tensor_type().elem_type() == 0) return false;
  tensor.set_elem_type(type->tensor_type().elem_type());
  if (scope.holder_role() == OperatorRole::scan && type->tensor_type().has_shape())
    *tensor.mutable_shape() = type->tensor_type().shape();
  return true;
}

// Completes the declared type of an output; false if nothing is known of it.
bool complete_output(onnx::ValueInfoProto& info, const GraphScope& scope, TypeInference& types) {
  const onnx::TypeProto* type = types.type_of(scope, scope.value_of(info.name()), Detail::shape);
  if (type == nullptr || (type->has_tensor_type() && type->tensor_type().elem_type() == 0)) return false;
  *info.mutable_type() = *type;
  return true;
}

// The field in the place of a declaration that contradicts the inferred type: none for a
// value_info, and an output with the inferred type. The contradiction is noted for the report.
Bytes corrected(const WireField& field, ValueId value, const GraphScope& scope, TypeInference& types,
                Legalization& all) {
  onnx::ValueInfoProto info;
  const onnx::TypeProto* type = types.type_of(scope, value, Detail::shape);
  if (type == nullptr || !parse_message(info, field.content)) return field.whole;
  all.result.warnings.contradictions.push_back(
      {std::string(all.model.value_name(value)), onnx::ProtoToString(info.type()), onnx::ProtoToString(*type)});
  if (field.number != field::Graph::output) return {};
  *info.mutable_type() = *type;
  return kept_field(all.model, field.number, info);
}

// Whether some dimension of the tensor is not a number.
bool names_dimensions(const onnx::TypeProto& type) {
  return std::ranges::any_of(type.tensor_type().shape().dim(), [](const auto& dim) { return !dim.has_dim_value(); });
}

// Whether all dimensions without a number have the name of a dimension of the model's inputs. Then
// these are not known as numbers, and to infer them again, through the whole graph, may take as
// long as all else.
bool are_of_inputs(const onnx::TypeProto& type, const std::unordered_set<std::string>& names) {
  return std::ranges::all_of(type.tensor_type().shape().dim(), [&](const auto& dim) {
    return dim.has_dim_value() || (dim.has_dim_param() && names.contains(dim.dim_param()));
  });
}

// The names of dimensions of the model's inputs.
std::unordered_set<std::string> names_in_inputs(const Graph& graph) {
  std::unordered_set<std::string> names;
  for (const ValueInfo& input : graph.inputs) {
    onnx::ValueInfoProto info;
    if (!parse_message(info, input.wire)) continue;
    for (const auto& dim : info.type().tensor_type().shape().dim()) {
      if (!dim.dim_param().empty()) names.insert(dim.dim_param());
    }
  }
  return names;
}

// Whether the declared type is of no kind, as older exporters of PyTorch write it.
bool says_nothing(const onnx::ValueInfoProto& info) {
  return info.type().value_case() == onnx::TypeProto::VALUE_NOT_SET;
}

// Writes shapes into the declarations of a graph, as far as they can be inferred.
class ShapeDeclarations {
 public:
  ShapeDeclarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all)
      : graph_(graph),
        scope_(scope),
        types_(types),
        all_(all),
        is_main_(&graph == &all.model.graph),
        declares_all_(is_main_ && all.options.fixes_inputs()),
        wants_all_(first_with(all.options.targets, &TargetFile::needs_shapes)),
        target_(wants_all_ != nullptr ? wants_all_ : first_with(all.options.targets, &TargetFile::needs_shapes_inside)),
        drops_names_(first_with(all.options.targets, &TargetFile::needs_unnamed_inside) != nullptr) {}

  // Whether shapes are to be written: a target may want those of a graph's outputs and of a
  // subgraph's inputs; and where the user fixed the shapes of the model's inputs, those of all
  // values of the main graph are declared.
  bool are_wanted() const { return declares_all_ || target_ != nullptr || drops_names_; }

  void write() {
    replace_fields(graph_, [this](const WireField& field) { return replacement(field); });
    if (!declares_all_) return;
    for (const Node* node : scope_.placed()) {
      for (const ValueId value : node->outputs()) {
        if (value != absent_value && declared_.insert(value).second) add(value);
      }
    }
  }

 private:
  Bytes replacement(const WireField& field) {
    const bool is_declaration = field.number == field::Graph::input || field.number == field::Graph::output ||
                                field.number == field::Graph::value_info;
    onnx::ValueInfoProto info;
    if (!is_declaration || !parse_message(info, field.content)) return field.whole;
    const ValueId value = scope_.value_of(info.name());
    declared_.insert(value);
    if (!is_asked_for(field, info)) return with_numbers(field, info, value);
    const Bytes bytes = with_shape(field.number, info, value);
    if (!bytes.empty()) return bytes;
    const bool may_be_tensor = says_nothing(info) || info.type().has_tensor_type();
    if (target_ != nullptr && may_be_tensor && (field.number == field::Graph::output || !is_main_))
      throw Error(ExitStatus::not_lowered,
                  fmt::format("{}: {} wants the shape of '{}' declared, which is not known: --input-shape may tell it",
                              all_.model.input().path(), target_->name, info.name()));
    return field.whole;
  }

  bool is_asked_for(const WireField& field, const onnx::ValueInfoProto& info) const {
    if (declares_all_ && field.number != field::Graph::input) return true;
    if (field.number == field::Graph::value_info || (is_main_ && field.number == field::Graph::input)) return false;
    if (wants_all_ == nullptr && is_main_) return false;
    return says_nothing(info) || (info.type().has_tensor_type() && !info.type().tensor_type().has_shape());
  }

  // The field that declares the value with the inferred shape; empty when none is known.
  Bytes with_shape(uint32_t number, onnx::ValueInfoProto& info, ValueId value) {
    const onnx::TypeProto* type = types_.type_of(scope_, value, declares_all_ ? Detail::dimensions : Detail::shape);
    if (type == nullptr || !type->tensor_type().has_shape() || type->tensor_type().elem_type() == 0) return {};
    *info.mutable_type() = *type;
    return kept_field(all_.model, number, info);
  }

  // The field of a declaration whose dimensions have names: with a number for each where all are
  // known and there is a target that reads shapes, as exporters invent such names; else as
  // without_names() has it.
  Bytes with_numbers(const WireField& field, onnx::ValueInfoProto& info, ValueId value) {
    const bool is_named = target_ != nullptr && field.number != field::Graph::input && names_dimensions(info.type()) &&
                          !(is_main_ && are_of_inputs(info.type(), names()));
    const onnx::TypeProto* type = is_named ? types_.type_of(scope_, value, Detail::dimensions) : nullptr;
    if (type == nullptr || !type->tensor_type().has_shape() || names_dimensions(*type) ||
        type->tensor_type().elem_type() != info.type().tensor_type().elem_type())
      return without_names(field, info);
    *info.mutable_type() = *type;
    return kept_field(all_.model, field.number, info);
  }

  Bytes without_names(const WireField& field, onnx::ValueInfoProto& info) {
    if (!drops_names_ || field.number != field::Graph::value_info || !names_dimensions(info.type())) return field.whole;
    for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) dim.clear_dim_param();
    return kept_field(all_.model, field.number, info);
  }

  const std::unordered_set<std::string>& names() {
    if (!names_) names_ = names_in_inputs(all_.model.graph);
    return *names_;
  }

  void add(ValueId value) {
    onnx::ValueInfoProto info;
    info.set_name(std::string(all_.model.value_name(value)));
    const Bytes bytes = with_shape(field::Graph::value_info, info, value);
    if (bytes.empty()) return;
    graph_.value_infos.push_back({value, content_of(bytes), DeclaredType::good});
    graph_.pieces.push_back({GraphPiece::Kind::verbatim, bytes, {}});
  }

  Graph& graph_;
  const GraphScope& scope_;
  TypeInference& types_;
  Legalization& all_;
  const bool is_main_;
  const bool declares_all_;
  const TargetFile* wants_all_;  // it wants the shapes of all values declared; or null
  const TargetFile* target_;     // it wants some shapes declared; or null
  const bool drops_names_;       // whether a target takes no names of dimensions in value_infos
  std::unordered_set<ValueId> declared_;
  // The names of dimensions of the model's inputs; filled at the first call of names().
  std::optional<std::unordered_set<std::string>> names_;
};

// Whether a rule made the node that makes the value.
bool is_made(ValueId value, const GraphScope& scope) {
  const Node* maker = scope.maker_or_run(value);
  return maker != nullptr && maker->opsets != own_opsets;
}

// Whether the value is declared to be an optional and is none: a rule lowered the node that made
// the optional to an Identity of a tensor or a list.
bool is_no_optional(const ValueInfo& info, const GraphScope& scope, TypeInference& types) {
  const onnx::TypeProto* said = scope.declared_type(info.value);
  if (said == nullptr || !said->has_optional_type()) return false;
  const NodeView maker = scope.producer(info.value);
  if (maker.role != OperatorRole::identity || maker.inputs.empty()) return false;
  const onnx::TypeProto* given = types.type_of(scope, maker.inputs[0], Detail::element_type);
  return given != nullptr && !given->has_optional_type();
}

// Adds the types that exporters leave out of declarations, which can be known when custom
// nodes are lowered.
// For an output of the main graph, readers want a type. For one of a subgraph they want none; but
// they refuse the element type "undefined", and onnx's shape inference an empty type.
// For the inputs of a Loop's body, ONNX Runtime wants to read that the first two are scalars, and
// OpenVINO the element types of the others; for those of a Scan's body OpenVINO wants shapes, too.
// For inputs and outputs of a SequenceMap's body ONNX Runtime wants element types: SequenceMap is a
// function by its schema, which says no types, and runtimes infer them where they inline it.
void complete_declarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all) {
  const OperatorRole holder = scope.holder_role();
  const bool is_body =
      holder == OperatorRole::loop || holder == OperatorRole::scan || holder == OperatorRole::sequence_map;
  // Inferred types are forgotten after this many outputs, as a graph can have any number of them.
  constexpr size_t most_remembered = 1000;
  size_t completed = 0;
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind == GraphPiece::Kind::untyped_value_info) piece.bytes = {};
    const bool is_input = is_body && piece.kind == GraphPiece::Kind::incomplete_input;
    if (piece.kind != GraphPiece::Kind::untyped_output && !is_input) continue;
    WireField field;
    WireReader(piece.bytes).next(field);
    const bool in_subgraph = &graph != &all.model.graph && holder != OperatorRole::sequence_map;
    if (!is_input && in_subgraph && last_field(field.content, delimited_tag(field::ValueInfo::type)).empty()) continue;
    onnx::ValueInfoProto info;
    if (!parse_message(info, field.content)) continue;
    if (is_input) {
      if (!complete_body_input(info, scope, types)) continue;
    } else if (!in_subgraph) {
      if (!complete_output(info, scope, types)) continue;
      // The tensors of a sequence may have several shapes.
      if (holder == OperatorRole::sequence_map && info.type().has_tensor_type())
        info.mutable_type()->mutable_tensor_type()->clear_shape();
      if (++completed % most_remembered == 0) types.forget_inferred(scope);
    } else {
      if (!info.has_type()) continue;
      info.clear_type();
    }
    piece.bytes = kept_field(all.model, field.number, info);
    graph.changed = true;
  }
}

// Removes or corrects declarations that contradict what was inferred: a value_info is dropped, a
// graph output gets the inferred type. Looked at are the types that somebody has asked for, and the
// element types of what rules made.
void correct_declarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all) {
  // An output that a rule made may be a sequence or an optional, which only inference can tell: it
  // notes declarations that contradict it.
  for (const ValueInfo& output : graph.outputs) {
    if (is_made(output.value, scope) && !scope.element_types().are_told_by_operator(output.value))
      types.type_of(scope, output.value, Detail::shape);
  }
  const std::vector<ValueId> contradicted = types.contradicted(scope);
  std::unordered_map<const char*, ValueId> wrong;  // by the address of the declaration
  for (const auto* declared : {&graph.value_infos, &graph.outputs}) {
    for (const ValueInfo& info : *declared) {
      bool is_wrong = std::ranges::binary_search(contradicted, info.value);
      // A declaration without a type, as branches mostly have them, is not wrong.
      if (!is_wrong && scope.declared_type(info.value) != nullptr && is_made(info.value, scope)) {
        const int made = scope.element_type(info.value);
        const int said = scope.declared_element_type(info.value);
        is_wrong = (made != 0 && said != 0 && made != said) || is_no_optional(info, scope, types);
      }
      if (is_wrong) wrong.emplace(info.wire.data(), info.value);
    }
  }
  if (wrong.empty()) return;
  replace_fields(graph, [&](const WireField& field) {
    const auto found = wrong.find(field.content.data());
    return found == wrong.end() ? field.whole : corrected(field, found->second, scope, types, all);
  });
}

}  // namespace

void settle_declarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all,
                         const Origin& origin) {
  ShapeDeclarations shapes(graph, scope, types, all);
  const bool shapes_are_declared = !graph.is_function && !origin.attaches && shapes.are_wanted();
  graph.changed |= shapes_are_declared;
  // An attached function is also called by nodes of other types, so that its subgraphs may not
  // declare the types of this node.
  if (origin.is_made() ? !origin.attaches : graph.changed) {
    complete_declarations(graph, scope, types, all);
    correct_declarations(graph, scope, types, all);
  }
  if (shapes_are_declared) shapes.write();
}

}  // namespace onnx_lower
