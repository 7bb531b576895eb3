// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is known to take a runtime longer when it is lowered than by the runtime's own kernel.
#pragma once

#include <span>
#include <string_view>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A line of slower_forms.tsv.
struct SlowerForm {
  std::string_view op_type;  // of ai.onnx
  std::string_view which;    // nodes: "with mode wrap"; empty for all
  std::string_view told_by;  // what tells such nodes; empty where nothing does
  int below_opset = 0;
  double times = 1;          // as long
  std::string_view runtime;  // "onnxruntime"
};

// Sorted by operator; there is one line for each.
std::span<const SlowerForm> slower_forms();

// The line that holds of a node; nullptr where none does. `message` is called where the operator
// has a line that holds of some nodes only.
template <typename Message>
const SlowerForm* slower_form_of(std::string_view domain, std::string_view op_type, const Message& message);

const SlowerForm* find_slower_form(std::string_view op_type);
bool is_told_by(const SlowerForm& form, const onnx::NodeProto& node);

template <typename Message>
const SlowerForm* slower_form_of(std::string_view domain, std::string_view op_type, const Message& message) {
  if (!domain.empty()) return nullptr;
  const SlowerForm* form = find_slower_form(op_type);
  return form == nullptr || form->told_by.empty() || is_told_by(*form, message()) ? form : nullptr;
}

}  // namespace onnx_lower
