// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/after/whole_model.h"

#include <fmt/format.h>

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "error.h"
#include "legalizer/scope/graph_declarations.h"
#include "model_file/protobuf_message.h"
#include "model_file/tensor_skeleton.h"
#include "model_file/typed_elements.h"
#include "onnx/onnx_pb.h"
#include "rules/values/element_type.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

[[noreturn]] void fail(const Model& model, const TargetFile& target, const std::string& what) {
  throw Error(ExitStatus::not_lowered, fmt::format("{}: {} {}", model.input().path(), target.name, what));
}

void check_types(const Model& model, const TargetFile& target, std::span<const ValueInfo> values,
                 std::string_view kind) {
  for (const ValueInfo& value : values) {
    const int type = declared_element_type(value);
    if (!is_among(target.lacking_types, static_cast<uint64_t>(type))) continue;
    fail(model, target,
         fmt::format("has no {}, which is the element type of the {} '{}'", element_type_name(type), kind,
                     model.value_name(value.value)));
  }
}

}  // namespace

void check_whole_model(const Model& model, const LegalizeOptions& options) {
  for (const auto& target : options.targets) {
    if (target->needs_nodes && model.node_count() == 0) fail(model, *target, "takes no model without nodes");
    if (target->lacking_types == 0) continue;
    check_types(model, *target, model.graph.inputs, "input");
    check_types(model, *target, model.graph.outputs, "output");
  }
}

std::vector<ComputedAsFloat> computed_as_float(const Model& model, const LegalizeOptions& options) {
  std::vector<ComputedAsFloat> found;
  for (const auto& target : options.targets) {
    if (target->float_types == 0) continue;
    std::map<int, ComputedAsFloat> by_type;
    const auto note = [&](ValueId value, int type) {
      if (!is_among(target->float_types, static_cast<uint64_t>(type))) return;
      const auto [of_type, is_first] = by_type.try_emplace(type);
      if (is_first)
        of_type->second = {target->name, std::string(element_type_name(type)), std::string(model.value_name(value)), 0};
      ++of_type->second.values;
    };
    for (const ValueInfo& value : model.graph.inputs) note(value.value, declared_element_type(value));
    for (const TensorSkeleton& tensor : model.graph.initializers)
      note(tensor.value, read_tensor_facts(tensor.wire).data_type);
    for (const ValueInfo& value : model.graph.outputs) note(value.value, declared_element_type(value));
    for (auto& [type, values] : by_type) found.push_back(std::move(values));
  }
  return found;
}

}  // namespace onnx_lower
