// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/operator_table.h"

#include <algorithm>
#include <unordered_map>

#include "domain.h"
#include "onnx/defs/schema.h"
#include "spelling.h"
#include "standard_operators/operator_table_data.h"

namespace onnx_lower {
namespace {

const OperatorParameter* parameter_at(std::span<const OperatorParameter> parameters, int index) {
  if (index < 0 || parameters.empty()) return nullptr;
  if (static_cast<size_t>(index) < parameters.size()) return &parameters[static_cast<size_t>(index)];
  return parameters.back().kind == ParameterKind::variadic ? &parameters.back() : nullptr;
}

}  // namespace

const OperatorParameter* OperatorVersion::input(int index) const { return parameter_at(inputs, index); }
const OperatorParameter* OperatorVersion::output(int index) const { return parameter_at(outputs, index); }

const OperatorAttribute* OperatorVersion::attribute(std::string_view attribute_name) const {
  const auto found = std::ranges::lower_bound(attributes, attribute_name, {}, &OperatorAttribute::name);
  return found != attributes.end() && found->name == attribute_name ? &*found : nullptr;
}

bool is_standard_domain(std::string_view domain) { return newest_opset(domain) != 0; }

std::span<const OperatorVersion> operator_versions(std::string_view domain, std::string_view op_type) {
  using namespace operator_table_data;
  domain = normalized_domain(domain);
  const size_t mask = slots.size() - 1;
  for (size_t slot = hash(domain, op_type) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
    const operator_table_data::Operator& candidate = operators[slots[slot] - 1u];
    if (candidate.name == op_type && candidate.domain == domain) {
      return versions.subspan(candidate.first_version, candidate.version_count);
    }
  }
  return {};
}

const OperatorVersion* find_operator(std::string_view domain, std::string_view op_type, int64_t opset) {
  const auto all = operator_versions(domain, op_type);
  const auto newer = std::ranges::find_if(all, [&](const OperatorVersion& v) { return v.since_version > opset; });
  return newer == all.begin() ? nullptr : &*(newer - 1);
}

const onnx::OpSchema& schema_of(const OperatorVersion& version) {
  static thread_local std::unordered_map<const OperatorVersion*, onnx::OpSchema> schemas;
  const auto [found, is_new] = schemas.try_emplace(&version);
  if (is_new) {
    using namespace operator_table_data;
    found->second = schema_makers[static_cast<size_t>(&version - versions.data())]();
    found->second.Finalize();
  }
  return found->second;
}

std::vector<std::string_view> similar_operators(std::string_view domain, std::string_view op_type) {
  constexpr size_t most = 3;
  domain = normalized_domain(domain);
  std::vector<std::string_view> nearest;
  size_t least = largest_misspelling(op_type.size());
  for (const operator_table_data::Operator& candidate : operator_table_data::operators) {
    if (candidate.domain != domain) continue;
    const size_t distance = edit_distance(op_type, candidate.name, least);
    if (distance > least) continue;
    if (distance < least) nearest.clear();
    least = distance;
    if (nearest.size() < most) nearest.push_back(candidate.name);
  }
  return nearest;
}

int64_t newest_opset(std::string_view domain) {
  domain = normalized_domain(domain);
  for (const auto& known : operator_table_data::domains) {
    if (known.name == domain) return known.newest_opset;
  }
  return 0;
}

}  // namespace onnx_lower
