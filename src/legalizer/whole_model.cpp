// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/whole_model.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "error.h"
#include "model_file/parse_message.h"
#include "model_file/typed_elements.h"
#include "onnx/onnx_pb.h"
#include "rules/element_type.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

[[noreturn]] void fail(const Model& model, const TargetFile& target, const std::string& what) {
  throw Error(ExitStatus::not_lowered, fmt::format("{}: {} {}", model.input().path(), target.name, what));
}

void check_types(const Model& model, const TargetFile& target, std::span<const ValueInfo> values,
                 std::string_view kind) {
  for (const ValueInfo& value : values) {
    onnx::ValueInfoProto info;
    if (!parse_message(info, value.wire)) continue;
    const int type = info.type().tensor_type().elem_type();
    if (!is_among(target.lacking_types, static_cast<uint64_t>(type))) continue;
    fail(
        model, target,
        fmt::format("has no {}, which is the element type of the {} '{}'", element_type_name(type), kind, info.name()));
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

}  // namespace onnx_lower
