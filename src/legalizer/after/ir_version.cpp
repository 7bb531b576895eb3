// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/after/ir_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "error.h"
#include "legalizer/scope/graph_declarations.h"
#include "model_file/graph_fields.h"
#include "model_file/newer_fields.h"
#include "model_file/onnx_fields.h"
#include "model_file/read_values.h"
#include "model_file/tensor_skeleton.h"
#include "model_file/wire.h"
#include "standard_operators/onnx_releases.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// The highest IR version that something in the model needs, and what that is.
struct Need {
  int64_t ir_version = 0;
  std::string what;

  void add(int64_t needed, const std::string& why) { add({needed, why}); }
  void add(const Need& other) {
    if (other.ir_version > ir_version) *this = other;
  }
};

Need needs_of_functions(const Model& model) {
  Need need;
  for (const Function& function : model.functions) {
    if (function.dropped) continue;
    const std::string name = fmt::format("function {}", operator_name(function.domain, function.name));
    need.add(first_ir_version::with_functions, name);
    if (!function.overload.empty())
      need.add(first_ir_version::with_overloads, fmt::format("the overload '{}' of {}", function.overload, name));
    WireField field;
    for (WireReader reader(function.body.wire); reader.next(field);) {
      if (field.tag == delimited_tag(field::Function::attribute_proto))
        need.add(first_ir_version::with_default_attributes, fmt::format("a default attribute of {}", name));
    }
  }
  return need;
}

Need needs_of_initializers(const Model& model) {
  Need need;
  for_each_graph(model.graph, [&](const Graph& graph) {
    if (graph.initializers.empty()) return;
    std::unordered_set<ValueId> inputs;
    for (const ValueInfo& input : graph.inputs) inputs.insert(input.value);
    for (const TensorSkeleton& initializer : graph.initializers) {
      if (!inputs.contains(initializer.value))
        need.add(first_ir_version::with_free_initializers,
                 fmt::format("initializer '{}', which is no graph input", model.value_name(initializer.value)));
    }
  });
  return need;
}

bool is_newer(const TensorSkeleton& initializer, int64_t ir_version) {
  return first_ir_version_with_type(read_tensor_facts(initializer.wire).data_type) > ir_version;
}

Need needs_of_types(const Model& model) {
  Need need;
  const auto add = [&](int type, ValueId value) {
    if (const int64_t needed = first_ir_version_with_type(type); needed > 0)
      need.add(needed, fmt::format("'{}', which is of type {}", model.value_name(value),
                                   TensorProto::DataType_Name(static_cast<TensorProto::DataType>(type))));
  };
  for_each_graph(model.graph, [&](const Graph& graph) {
    for (const auto* declared : {&graph.inputs, &graph.outputs, &graph.value_infos}) {
      for (const ValueInfo& info : *declared) add(declared_element_type(info), info.value);
    }
    for (const TensorSkeleton& initializer : graph.initializers)
      add(read_tensor_facts(initializer.wire).data_type, initializer.value);
  });
  return need;
}

// Drops initializers of newer types that nothing uses: older readers refuse them all the same.
void drop_unused_newer_initializers(Model& model, int64_t ir_version, std::vector<std::string>& dropped) {
  Graph& graph = model.graph;
  if (std::ranges::none_of(graph.initializers, [&](const auto& tensor) { return is_newer(tensor, ir_version); }))
    return;
  std::unordered_set<ValueId> used;
  for (const ValueInfo& input : graph.inputs) used.insert(input.value);
  add_read_values(graph, used);
  const auto goes = [&](const TensorSkeleton& tensor) {
    if (used.contains(tensor.value) || !is_newer(tensor, ir_version)) return false;
    dropped.push_back(fmt::format("initializer '{}', which nothing uses", model.value_name(tensor.value)));
    return true;
  };
  drop_initializers(graph, goes, [](ValueId) { return false; });
}

}  // namespace

void settle_ir_version(Model& model, int64_t wanted, const LegalizeOptions& options, LegalizeResult& result) {
  Need need = needs_of_functions(model);
  if (wanted < first_ir_version::with_free_initializers && model.ir_version >= first_ir_version::with_free_initializers)
    need.add(needs_of_initializers(model));
  if (wanted < model.ir_version) {
    drop_unused_newer_initializers(model, std::max(wanted, need.ir_version), result.ir_version.dropped_fields);
    need.add(needs_of_types(model));
  } else if (model.has_derived_tensors) {
    need.add(needs_of_types(model));
  }
  // A model with nodes that cannot be lowered is not written, or only because the user allows it.
  if (options.ir_version && need.ir_version > wanted && result.unlowered.empty()) {
    throw Error(ExitStatus::not_lowered,
                fmt::format("{}: ir_version {} cannot hold {}, which came with {}; write --ir-version {}",
                            model.input().path(), wanted, need.what, need.ir_version, need.ir_version));
  }
  const int64_t settled = std::max(wanted, need.ir_version);
  if (settled > wanted) result.ir_version.needed_by = need.what;
  if (settled < model.ir_version) {
    for (std::string& fields : drop_newer_fields(model, settled))
      result.ir_version.dropped_fields.push_back(std::move(fields));
  }
  if (settled == model.ir_version) return;
  model.ir_version = settled;
  model.ir_version_changed = true;
  result.ir_version.now = settled;
}

}  // namespace onnx_lower
