// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/slower_forms.h"

#include <algorithm>
#include <string>

namespace onnx_lower {

const SlowerForm* find_slower_form(std::string_view op_type) {
  const std::span<const SlowerForm> forms = slower_forms();
  const auto found = std::ranges::lower_bound(forms, op_type, {}, &SlowerForm::op_type);
  return found != forms.end() && found->op_type == op_type ? &*found : nullptr;
}

bool is_told_by(const SlowerForm& form, const onnx::NodeProto& node) {
  constexpr std::string_view outputs = "outputs ";
  if (form.told_by.starts_with(outputs)) {
    const auto count = std::ranges::count_if(node.output(), [](const std::string& output) { return !output.empty(); });
    return count >= std::stoi(std::string(form.told_by.substr(outputs.size())));
  }
  const size_t equals = form.told_by.find('=');
  return std::ranges::any_of(node.attribute(), [&](const onnx::AttributeProto& attribute) {
    return attribute.name() == form.told_by.substr(0, equals) &&
           (equals == std::string_view::npos || attribute.s() == form.told_by.substr(equals + 1));
  });
}

}  // namespace onnx_lower
