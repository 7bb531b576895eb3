// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "counted.h"
#include "domain.h"

namespace onnx_lower {
namespace {

using WarningLines = std::vector<std::string>;

// One line for all nodes of an operator for which the same was assumed.
void add_assumptions(const LegalizeResult& result, WarningLines& lines) {
  struct Group {
    const LoweredNode* first;
    size_t nodes = 0;
  };
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Group> groups;
  for (const LoweredNode& lowered : result.lowered) {
    if (lowered.assumption.empty()) continue;
    Group& group =
        groups.try_emplace({lowered.domain, lowered.op_type, lowered.assumption}, Group{&lowered}).first->second;
    ++group.nodes;
  }
  for (const auto& [key, group] : groups) {
    const LoweredNode& first = *group.first;
    const std::string others = group.nodes == 1 ? "" : fmt::format(" and {} more", group.nodes - 1);
    lines.push_back(fmt::format("'{}'{} ({}): {}", first.node, others, operator_name(first.domain, first.op_type),
                                first.assumption));
  }
}

std::string in_words(const Contradiction& found) {
  return fmt::format("'{}' is declared as {}, and its node makes {}, which counts", found.value, found.declared,
                     found.inferred);
}

std::string in_words(const DoubtfulNode& found) {
  return fmt::format("'{}' ({}) stays and comes out wrong in {}: {}", found.node, found.op, found.target, found.reason);
}

// A line for each of the first few, and one for the others, with their number and "more …".
template <typename Found>
void add_each(const std::vector<Found>& all, std::string_view more, WarningLines& lines) {
  constexpr size_t most = 5;
  for (size_t i = 0; i < std::min(all.size(), most); ++i) lines.push_back(in_words(all[i]));
  if (all.size() > most) lines.push_back(fmt::format("{} more {}", all.size() - most, more));
}

void add_floats(const LegalizeResult& result, WarningLines& lines) {
  for (const ComputedAsFloat& found : result.warnings.computed_as_float) {
    const std::string others = found.values == 1 ? "" : fmt::format(" and {} more", found.values - 1);
    lines.push_back(
        fmt::format("'{}'{} of type {}: {} computes as float, to about seven digits, and what is above "
                    "3.4e38 comes out as the largest float",
                    found.value, others, found.element_type, found.target));
  }
}

std::string why_another_opset(const OtherOpset& other) {
  if (other.weight_bits != 0)
    return fmt::format("has weights of {} bits, which take 8 at opset {}; --target-opset {} writes that one",
                       other.weight_bits, other.opset_before, other.opset_before);
  if (other.made_before == 0) return "cannot be lowered at the model's";
  const std::string here = other.made == 0 ? "stays here" : fmt::format("{} here", other.made);
  return fmt::format("becomes {} at opset {}, and {}; --target-opset {} writes that one",
                     counted(other.made_before, "node"), other.opset_before, here, other.opset_before);
}

}  // namespace

std::vector<std::string> warnings_of(const LegalizeResult& result) {
  WarningLines lines;
  if (const OtherOpset& other = result.warnings.other_opset; other.opset != 0) {
    lines.push_back(fmt::format("opset {} is written, as '{}' ({}) {}", other.opset, other.node, other.op_type,
                                why_another_opset(other)));
  }
  for (const std::string& op : result.warnings.functions_beside_kernels) {
    lines.push_back(
        fmt::format("the model has a function {}, which was taken; a runtime may take its own kernel "
                    "of that name, and compute something else",
                    op));
  }
  add_assumptions(result, lines);
  add_each(result.warnings.contradictions, "values are not as they are declared", lines);
  add_each(result.warnings.doubtful, "nodes come out wrong in a target", lines);
  add_floats(result, lines);
  return lines;
}

}  // namespace onnx_lower
