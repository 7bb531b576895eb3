// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/before/input_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "counted.h"
#include "error.h"
#include "legalizer/before/input_values.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/record/open_inputs.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "rules/body.h"
#include "spelling.h"
#include "targets/target_library.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using Dimension = onnx::TensorShapeProto::Dimension;

std::string text_of(const onnx::TensorShapeProto& shape) {
  return fmt::format("{}", fmt::join(dimension_texts(shape), ","));
}

class InputShapes {
 public:
  InputShapes(Model& model, const LegalizeOptions& options, OpsetContext own)
      : model_(model), options_(options), own_(own) {
    read_inputs();
  }

  void fix() {
    for (const NamedDimension& dimension : options_.dimensions) bind(dimension.name, dimension.size);
    for (const InputShape& shape : options_.input_shapes) apply(shape);
    for (const InputValue& value : options_.input_values) fill(value);
    for (Input& input : inputs_) put_sizes(*input.info.mutable_type());
    check_names();
    write();
    for (const auto& [value, tensor] : values_) put_constant(value, tensor);
    std::erase_if(inputs_, [this](const Input& input) { return values_.contains(input.value); });
  }

  void check() const {
    check_dimensions(&TargetFile::only_static_shapes, &InputShapes::is_static,
                     "takes only inputs whose dimensions are all numbers");
    check_dimensions(&TargetFile::only_known_ranks, &InputShapes::is_ranked,
                     "takes only inputs that say how many dimensions they have");
    check_filled();
  }

 private:
  struct Input {
    const ValueInfo* declaration;
    ValueId value;
    onnx::ValueInfoProto info;
    bool may_be_left_out;  // an initializer gives its default
  };

  void check_dimensions(bool TargetFile::*asks, bool (*holds)(const Input&), std::string_view what) const {
    const TargetFile* target = first_with(options_.targets, asks);
    if (target == nullptr) return;
    std::vector<std::string> unknown, options;
    for (const Input& input : inputs_) {
      if (holds(input)) continue;
      unknown.push_back(fmt::format("'{}'", input.info.name()));
      for (std::string& option : options_that_fix(input.info)) {
        if (std::ranges::find(options, option) == options.end()) options.push_back(std::move(option));
      }
    }
    if (unknown.empty()) return;
    throw Error(ExitStatus::not_lowered,
                fmt::format("{}: {} {}, and {} {} others\n  add: {} (or the sizes that it is to run with)",
                            model_.input().path(), target->name, what, fmt::join(unknown, ", "),
                            unknown.size() == 1 ? "has" : "have", fmt::join(options, " ")));
  }

  void check_filled() const {
    const TargetFile* target = first_with(options_.targets, &TargetFile::only_filled_inputs);
    if (target == nullptr) return;
    for (const Input& input : inputs_) {
      if (!has_shape(input)) continue;
      const bool has_elements = std::ranges::none_of(
          shape_of(input).dim(), [](const Dimension& dim) { return dim.has_dim_value() && dim.dim_value() == 0; });
      if (shape_of(input).dim_size() != 0 && has_elements) continue;
      throw Error(ExitStatus::not_lowered,
                  fmt::format("{}: {} takes only inputs with dimensions and elements, and '{}' has no {}",
                              model_.input().path(), target->name, input.info.name(),
                              has_elements ? "dimensions" : "elements"));
    }
  }

  void read_inputs() {
    std::unordered_set<ValueId> initialized(model_.graph.sparse_initializers.begin(),
                                            model_.graph.sparse_initializers.end());
    for (const TensorSkeleton& initializer : model_.graph.initializers) initialized.insert(initializer.value);
    for (const ValueInfo& declaration : model_.graph.inputs) {
      Input input{&declaration, declaration.value, {}, initialized.contains(declaration.value)};
      if (!parse_message(input.info, declaration.wire)) continue;
      // Exporters leave a dimension open by -1.
      drop_negative_dimensions(*input.info.mutable_type());
      inputs_.push_back(std::move(input));
    }
  }

  static bool has_shape(const Input& input) { return input.info.type().tensor_type().has_shape(); }
  static const onnx::TensorShapeProto& shape_of(const Input& input) { return input.info.type().tensor_type().shape(); }
  static bool is_ranked(const Input& input) {
    return input.may_be_left_out || !input.info.type().has_tensor_type() || has_shape(input);
  }
  static bool is_static(const Input& input) {
    if (input.may_be_left_out || !input.info.type().has_tensor_type()) return true;
    return has_shape(input) && std::ranges::all_of(shape_of(input).dim(), &Dimension::has_dim_value);
  }

  [[noreturn]] void fail(const std::string& option, const std::string& message) const {
    throw UsageError(fmt::format("{}: {}: {}", model_.input().path(), option, message));
  }

  void bind(const std::string& name, int64_t size) {
    const auto [found, inserted] = sizes_.emplace(name, size);
    if (!inserted && found->second != size)
      throw UsageError(fmt::format("{}: its dimension '{}' cannot be both {} and {}", model_.input().path(), name,
                                   found->second, size));
  }

  Input& input_named(const std::string& name, const std::string& option) {
    const auto found = std::ranges::find_if(inputs_, [&](const Input& input) { return input.info.name() == name; });
    if (found == inputs_.end()) {
      std::vector<std::string> names, declared;
      for (const Input& input : inputs_) {
        if (input.may_be_left_out) continue;
        names.push_back(input.info.name());
        declared.push_back(declared_text(input));
      }
      if (names.empty()) fail(option, "the model has no inputs");
      const std::string nearest = nearest_name(name, names, std::max<size_t>(1, largest_misspelling(name.size())));
      fail(option, fmt::format("the model has no input '{}'; its inputs are {}{}", name, fmt::join(declared, ", "),
                               nearest.empty() || names.size() == 1 ? std::string()
                                                                    : fmt::format("; did you mean '{}'?", nearest)));
    }
    if (!found->info.type().has_tensor_type()) fail(option, "this input is not declared as a tensor");
    return *found;
  }

  // "x [2,n]", or the name alone where no shape is declared.
  static std::string declared_text(const Input& input) {
    return has_shape(input) && shape_of(input).dim_size() > 0
               ? fmt::format("{} [{}]", input.info.name(), text_of(shape_of(input)))
               : input.info.name();
  }

  void apply(const InputShape& wanted) {
    const std::string option = fmt::format("--input-shape {}", wanted.text);
    Input* const found = &input_named(wanted.input, option);
    const size_t rank = wanted.dims.size();
    if (has_shape(*found) && static_cast<size_t>(shape_of(*found).dim_size()) != rank)
      fail(option, fmt::format("the input has {}: {}", counted(shape_of(*found).dim_size(), "dimension"),
                               declared_text(*found)));
    onnx::TensorShapeProto& shape = *found->info.mutable_type()->mutable_tensor_type()->mutable_shape();
    const std::string declared = text_of(shape);
    while (static_cast<size_t>(shape.dim_size()) < rank) shape.add_dim();
    for (size_t axis = 0; axis < rank; ++axis) {
      if (!wanted.dims[axis]) continue;
      Dimension& dim = *shape.mutable_dim(static_cast<int>(axis));
      const int64_t size = *wanted.dims[axis];
      if (dim.has_dim_value() && dim.dim_value() != size)
        fail(option, fmt::format("the model is made for inputs of {}: dimension {} is {} there, and what follows from "
                                 "it may stand in its constants; export it with another shape, or a dynamic one",
                                 declared, axis, dim.dim_value()));
      if (!dim.dim_param().empty()) {
        bind(dim.dim_param(), size);
        used_.insert(dim.dim_param());
      }
      dim.set_dim_value(size);
    }
  }

  // The dimensions of the input that the elements fill become numbers, as with apply().
  void fill(const InputValue& wanted) {
    const std::string option = fmt::format("--input-value {}", wanted.text);
    Input& input = input_named(wanted.input, option);
    const int element_type = input.info.type().tensor_type().elem_type();
    if (element_type == onnx::TensorProto::UNDEFINED) fail(option, "the input is declared without an element type");
    put_sizes(*input.info.mutable_type());
    const std::vector<int64_t> sizes = dims_of_value(wanted, has_shape(input) ? &shape_of(input) : nullptr);
    if (!values_.emplace(input.value, tensor_of_value(wanted, element_type, sizes)).second)
      fail(option, "the input has got a value already, and one is all that it can be");
    InputShape shape{.input = wanted.input, .dims = {sizes.begin(), sizes.end()}, .text = wanted.text};
    apply(shape);
  }

  void put_constant(ValueId value, const onnx::TensorProto& tensor) {
    Graph& graph = model_.graph;
    std::erase_if(graph.inputs, [&](const ValueInfo& input) { return input.value == value; });
    drop_initializers(
        graph, [&](const TensorSkeleton& initializer) { return initializer.value == value; },
        [](ValueId /*value*/) { return false; });
    const auto is_nodes = [](const GraphPiece& piece) { return piece.kind == GraphPiece::Kind::nodes; };
    auto nodes = std::ranges::find_if(graph.pieces, is_nodes);
    if (nodes == graph.pieces.end()) nodes = graph.pieces.insert(nodes, GraphPiece{GraphPiece::Kind::nodes, {}, {}});
    const onnx::NodeProto constant =
        node_of("Constant", {}, {std::string(model_.value_name(value))}, {{"value", tensor}});
    nodes->nodes.insert(nodes->nodes.begin(), &keep_node(model_, constant, own_));
  }

  // Replaces the names of dimensions by their sizes; true where there were any.
  bool put_sizes(onnx::TypeProto& type) {
    if (type.has_sequence_type()) return put_sizes(*type.mutable_sequence_type()->mutable_elem_type());
    if (type.has_optional_type()) return put_sizes(*type.mutable_optional_type()->mutable_elem_type());
    if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return false;
    bool changed = false;
    for (Dimension& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      const auto found = sizes_.find(dim.dim_param());
      if (dim.dim_param().empty() || found == sizes_.end()) continue;
      used_.insert(found->first);
      dim.set_dim_value(found->second);
      changed = true;
    }
    return changed;
  }

  // An unused name is no mistake where all shapes are static: of many models in one run, some
  // may be so from the beginning. A name that fits none of the dimensions that are still
  // unknown is one.
  void check_names() const {
    if (std::ranges::all_of(inputs_, is_static)) return;
    for (const NamedDimension& dimension : options_.dimensions) {
      if (used_.contains(dimension.name)) continue;
      const std::vector<std::string_view> names = names_of_unknown();
      fail(fmt::format("--dim {}", dimension.text),
           names.empty()
               ? "no dimension of its inputs has a name: give --input-shape"
               : fmt::format("no dimension of its inputs has this name; there are {}", fmt::join(names, ", ")));
    }
  }

  // The names of the dimensions that are still unknown, each once.
  std::vector<std::string_view> names_of_unknown() const {
    std::vector<std::string_view> names;
    std::unordered_set<std::string_view> known;
    for (const Input& input : inputs_) {
      if (is_static(input) || !has_shape(input)) continue;
      for (const Dimension& dim : shape_of(input).dim()) {
        if (!dim.dim_param().empty() && known.insert(dim.dim_param()).second) names.emplace_back(dim.dim_param());
      }
    }
    return names;
  }

  void write() {
    Graph& graph = model_.graph;
    // The new field of a declaration, by the address of the old one's content.
    std::unordered_map<const char*, Bytes> written;
    for (const Input& input : inputs_) {
      const bool goes = values_.contains(input.value);
      written.emplace(input.declaration->wire.data(),
                      goes ? Bytes() : kept_field(model_, field::Graph::input, input.info));
    }
    const auto put_names = [&](uint32_t number, const std::vector<ValueInfo>& declarations) {
      onnx::ValueInfoProto info;
      for (const ValueInfo& declaration : declarations) {
        if (parse_message(info, declaration.wire) && put_sizes(*info.mutable_type()))
          written.emplace(declaration.wire.data(), kept_field(model_, number, info));
      }
    };
    if (!sizes_.empty()) {
      put_names(field::Graph::output, graph.outputs);
      put_names(field::Graph::value_info, graph.value_infos);
    }
    replace_fields(graph, written);
    std::erase_if(graph.pieces, [](const GraphPiece& piece) {
      return piece.kind == GraphPiece::Kind::incomplete_input && piece.bytes.empty();
    });
    for (std::vector<ValueInfo>* declarations : {&graph.inputs, &graph.outputs, &graph.value_infos}) {
      for (ValueInfo& declaration : *declarations) {
        const auto found = written.find(declaration.wire.data());
        if (found != written.end() && !found->second.empty()) declaration.wire = content_of(found->second);
      }
    }
  }

  Model& model_;
  const LegalizeOptions& options_;
  OpsetContext own_;
  std::vector<Input> inputs_;
  std::map<ValueId, onnx::TensorProto> values_;  // of the inputs that become constants
  std::map<std::string, int64_t> sizes_;         // by the names of dimensions
  std::unordered_set<std::string> used_;
};

}  // namespace

void fix_inputs(Model& model, const LegalizeOptions& options, OpsetContext own) {
  const bool asks = first_with(options.targets, &TargetFile::only_static_shapes) != nullptr ||
                    first_with(options.targets, &TargetFile::only_known_ranks) != nullptr ||
                    first_with(options.targets, &TargetFile::only_filled_inputs) != nullptr;
  if (!options.fixes_inputs() && !asks) return;
  InputShapes shapes(model, options, own);
  if (options.fixes_inputs()) shapes.fix();
  shapes.check();
}

}  // namespace onnx_lower
