// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/version_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "standard_operators/changed_meanings.h"
#include "standard_operators/default_value.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

onnx::AttributeProto string_attribute(std::string_view name, std::string_view value) {
  onnx::AttributeProto attribute;
  attribute.set_name(std::string(name));
  attribute.set_type(onnx::AttributeProto::STRING);
  attribute.set_s(std::string(value));
  return attribute;
}

// The attribute value that means what the version without the attribute does; nothing if
// that is not known.
std::optional<onnx::AttributeProto> value_when_lacking(const OperatorVersion& having,
                                                       const OperatorAttribute& attribute, bool lacking_is_newer) {
  for (const FormerBehaviour& former : former_behaviours()) {
    if (former.op_type == having.name && former.attribute == attribute.name)
      return string_attribute(former.attribute, former.value);
  }
  // An attribute that is added later has a default that keeps the former meaning. For an attribute
  // that was dropped, only the list of dropped attributes knows this.
  const bool keeps =
      !lacking_is_newer || std::ranges::any_of(dropped_attributes(), [&](const DroppedAttribute& dropped) {
        return dropped.op_type == having.name && dropped.attribute == attribute.name;
      });
  if (!keeps || attribute.default_value.empty()) return std::nullopt;
  return default_value(attribute);
}

bool is_same_input(std::string_view op_type, std::string_view a, std::string_view b) {
  return a == b || std::ranges::any_of(renamed_inputs(), [&](const RenamedInput& renamed) {
           return renamed.op_type == op_type && ((renamed.old_name == a && renamed.new_name == b) ||
                                                 (renamed.old_name == b && renamed.new_name == a));
         });
}

// Says since or until when something exists that the version which the node is written for has, and
// the other one lacks.
template <typename Has>
std::string existence(const OperatorVersion& other, const OperatorVersion& written_for, const Has& has) {
  if (other.since_version > written_for.since_version)
    return fmt::format("is gone from opset {} on", other.since_version);
  const std::span<const OperatorVersion> versions = operator_versions(written_for.domain, written_for.name);
  const auto first = std::ranges::find_if(
      versions, [&](const OperatorVersion& one) { return one.since_version > other.since_version && has(one); });
  return fmt::format("exists from opset {} on",
                     first == versions.end() ? written_for.since_version : first->since_version);
}

class Comparison {
 public:
  Comparison(const onnx::NodeProto& node, const OperatorVersion& written_for, const OperatorVersion& other)
      : node_(node), from_(written_for), to_(other) {}

  VersionChange result() && {
    if (from_.since_version == to_.since_version) return {};
    if (to_.deprecated) {
      differs(fmt::format("it is deprecated from opset {} on", to_.since_version));
    } else {
      compare_parameters("input", node_.input(), to_.inputs.size(), &OperatorVersion::input);
      compare_parameters("output", node_.output(), to_.outputs.size(), &OperatorVersion::output);
      for (const onnx::AttributeProto& attribute : node_.attribute()) compare_given(attribute);
      for (const OperatorAttribute& attribute : from_.attributes) compare_left_out(attribute);
      compare_added();
      compare_meanings();
      leave_out_superseded();
    }
    if (!change_.reason.empty()) {
      change_.dropped.clear();
      change_.added.clear();
      change_.left_out.clear();
    }
    return std::move(change_);
  }

 private:
  bool to_is_newer() const { return to_.since_version > from_.since_version; }

  void differs(std::string reason) {
    if (change_.reason.empty()) change_.reason = std::move(reason);
  }

  template <typename Names>
  void compare_parameters(std::string_view what, const Names& names, size_t declared,
                          const OperatorParameter* (OperatorVersion::*at)(int) const) {
    for (int i = 0; i < std::max(names.size(), static_cast<int>(declared)); ++i) {
      const bool present = i < names.size() && !names[i].empty();
      const OperatorParameter* ours = (from_.*at)(i);
      const OperatorParameter* theirs = (to_.*at)(i);
      if (present && ours != nullptr && theirs == nullptr) {
        const auto has = [&](const OperatorVersion& one) { return (one.*at)(i) != nullptr; };
        differs(fmt::format("{} '{}' {}", what, ours->name, existence(to_, from_, has)));
      } else if (present && ours != nullptr && !is_same_input(from_.name, ours->name, theirs->name)) {
        differs(fmt::format("{} {} is '{}' at opset {} and '{}' at opset {}", what, i, ours->name, from_.since_version,
                            theirs->name, to_.since_version));
      } else if (!present && what == "input" && theirs != nullptr && theirs->kind == ParameterKind::single) {
        differs(fmt::format("input '{}' cannot be left out at opset {}", theirs->name, to_.since_version));
      }
    }
  }

  // Compares an attribute that the node has.
  void compare_given(const onnx::AttributeProto& attribute) {
    const OperatorAttribute* ours = from_.attribute(attribute.name());
    const OperatorAttribute* theirs = to_.attribute(attribute.name());
    if (ours == nullptr) return;  // an error of the node, not a change
    if (theirs != nullptr) {
      if (theirs->type != ours->type) {
        differs(fmt::format("attribute '{}' has another type at opset {}", attribute.name(), to_.since_version));
      }
      compare_value(attribute);
      return;
    }
    const std::optional<onnx::AttributeProto> done_anyway = value_when_lacking(from_, *ours, to_is_newer());
    const bool has_no_effect =
        attribute.name() == "consumed_inputs" || (attribute.name() == "ratio" && from_.name == "Dropout");
    if (has_no_effect || (done_anyway && same_value(attribute, *done_anyway))) {
      change_.dropped.push_back(attribute.name());
    } else {
      const auto has = [&](const OperatorVersion& one) { return one.attribute(attribute.name()) != nullptr; };
      differs(fmt::format("attribute '{}' {}", attribute.name(), existence(to_, from_, has)));
    }
  }

  // Compares an attribute's value that not every version has.
  void compare_value(const onnx::AttributeProto& attribute) {
    for (const BoundedValue& bounded : bounded_values()) {
      if (bounded.op_type != from_.name || bounded.attribute != attribute.name()) continue;
      const auto has_value = [&](const OperatorVersion& version) {
        return version.since_version >= bounded.first_version && version.since_version <= bounded.last_version;
      };
      if (is_open(attribute) && has_value(from_) && !has_value(to_)) differs(open_attribute_reason(attribute.name()));
      if (bounded.value != attribute.s() || has_value(to_)) continue;
      if (to_is_newer() && !bounded.other_name.empty()) {
        change_.added.push_back(string_attribute(attribute.name(), bounded.other_name));
      } else {
        const auto has = [&](const OperatorVersion& one) { return one.since_version >= bounded.first_version; };
        differs(fmt::format("{} = \"{}\" {}", attribute.name(), bounded.value, existence(to_, from_, has)));
      }
    }
  }

  // Compares an attribute that the node leaves out, so that the default of the version which the
  // node is written for counts.
  void compare_left_out(const OperatorAttribute& ours) {
    if (find_attribute(node_, ours.name) != nullptr) return;
    const OperatorAttribute* theirs = to_.attribute(ours.name);
    if (theirs != nullptr) {
      if (theirs->default_value == ours.default_value) return;
      if (ours.default_value.empty()) {
        differs(fmt::format("attribute '{}' has a default at opset {}", ours.name, to_.since_version));
        return;
      }
      const size_t before = change_.added.size();
      const onnx::AttributeProto value = default_value(ours);
      compare_value(value);
      if (change_.added.size() == before) change_.added.push_back(value);
      return;
    }
    if (ours.default_value.empty()) return;
    const std::optional<onnx::AttributeProto> done_anyway = value_when_lacking(from_, ours, to_is_newer());
    if (!done_anyway || !same_value(*done_anyway, default_value(ours))) {
      const auto has = [&](const OperatorVersion& one) { return one.attribute(ours.name) != nullptr; };
      differs(fmt::format("attribute '{}', which is left out, {}", ours.name, existence(to_, from_, has)));
    }
  }

  // Compares attributes that only the other version has.
  void compare_added() {
    for (const OperatorAttribute& theirs : to_.attributes) {
      if (from_.attribute(theirs.name) != nullptr) continue;
      if (theirs.required) {
        differs(fmt::format("attribute '{}' is required at opset {}", theirs.name, to_.since_version));
        continue;
      }
      if (theirs.default_value.empty()) continue;
      const std::optional<onnx::AttributeProto> meant = value_when_lacking(to_, theirs, !to_is_newer());
      if (!meant) {
        differs(fmt::format("attribute '{}' of opset {} is gone from opset {} on", theirs.name, to_.since_version,
                            from_.since_version));
      } else if (!same_value(*meant, default_value(theirs))) {
        change_.added.push_back(*meant);
      }
    }
  }

  void compare_meanings() {
    const auto [older, newer] = std::minmax(from_.since_version, to_.since_version);
    for (const ChangedMeaning& change : changed_meanings()) {
      const bool crossed =
          change.op_type == from_.name && change.since_version > older && change.since_version <= newer;
      if (crossed && (change.concerns == nullptr || change.concerns(node_, from_))) differs(std::string(change.reason));
    }
  }

  void leave_out_superseded() {
    const auto has = [this](int input) { return input < node_.input_size() && !node_.input(input).empty(); };
    for (const SupersededInput& one : superseded_inputs()) {
      const bool crossed = one.op_type == from_.name && from_.since_version < one.since_version &&
                           to_.since_version >= one.since_version;
      if (crossed && has(one.input) && has(one.by)) change_.left_out.push_back(one.input);
    }
  }

  const onnx::NodeProto& node_;
  const OperatorVersion& from_;
  const OperatorVersion& to_;
  VersionChange change_;
};

}  // namespace

VersionChange version_change(const onnx::NodeProto& node, const OperatorVersion& written_for,
                             const OperatorVersion& other) {
  return Comparison(node, written_for, other).result();
}

void apply(const VersionChange& change, onnx::NodeProto& node) {
  auto& attributes = *node.mutable_attribute();
  const auto is_edited = [&](const onnx::AttributeProto& attribute) {
    return std::ranges::find(change.dropped, attribute.name()) != change.dropped.end() ||
           std::ranges::any_of(change.added, [&](const auto& added) { return added.name() == attribute.name(); });
  };
  attributes.erase(std::remove_if(attributes.begin(), attributes.end(), is_edited), attributes.end());
  for (const onnx::AttributeProto& attribute : change.added) *attributes.Add() = attribute;
  for (const int input : change.left_out) node.mutable_input(input)->clear();
}

std::optional<int64_t> first_opset_with_the_meaning(const onnx::NodeProto& node, const OperatorVersion& written_for,
                                                    int64_t above) {
  const auto versions = operator_versions(written_for.domain, written_for.name);
  for (size_t i = 0; i < versions.size(); ++i) {
    const int64_t last = i + 1 < versions.size() ? versions[i + 1].since_version - 1 : newest_opset(written_for.domain);
    if (last > above && version_change(node, written_for, versions[i]).is_possible()) {
      return std::max<int64_t>(versions[i].since_version, above + 1);
    }
  }
  return std::nullopt;
}

}  // namespace onnx_lower
