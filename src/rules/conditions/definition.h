// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Definitions of a rule: each is computed for each call from what is known there, and becomes a
// value for attributes in the rule's body: `axes = range(axis, rank(x))`.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"
#include "rules/conditions/condition.h"

namespace onnx_lower {

namespace condition {
struct NamedOperand;
}

// A definition, parsed once and evaluated for every node that the form is tried on. Cheap to copy.
class Definition {
 public:
  // Parses one definition, or several with semicolons between them. Throws ConditionError.
  static std::vector<Definition> parse(std::string_view text);

  const std::string& name() const;
  // The offset of the defined name in the text that was parsed.
  std::size_t offset() const;

  struct Result {
    std::optional<onnx::AttributeProto> value;
    std::string reason;  // as for a condition, if there is no value
  };
  Result evaluate(const ConditionFacts& facts) const;

  // The type of the value, if the text determines it; else UNDEFINED. `type_of` returns the type of
  // an attribute that the text names.
  using AttributeType = onnx::AttributeProto::AttributeType;
  AttributeType type(const std::function<AttributeType(std::string_view)>& type_of) const;

  std::vector<Condition::Name> attribute_names() const;
  std::vector<Condition::Name> value_names() const;

 private:
  explicit Definition(std::shared_ptr<const condition::NamedOperand> root) : root_(std::move(root)) {}

  std::shared_ptr<const condition::NamedOperand> root_;
};

}  // namespace onnx_lower
