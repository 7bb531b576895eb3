// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a rule computes at each call from what is known there, as a value of attributes in its body:
// `axes = range(axis, rank(x))`.
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

// Parsed once, evaluated for every node that the form is tried on. Cheap to copy.
class Definition {
 public:
  // One or several, with semicolons between them. Throws ConditionError.
  static std::vector<Definition> parse(std::string_view text);

  const std::string& name() const;
  // Of its name in the text that was parsed.
  std::size_t offset() const;

  struct Result {
    std::optional<onnx::AttributeProto> value;
    std::string reason;  // as of a condition, where there is no value
  };
  Result evaluate(const ConditionFacts& facts) const;

  // The type of what it makes, where the text tells; else UNDEFINED. `type_of` says it of an
  // attribute that the text names.
  using AttributeType = onnx::AttributeProto::AttributeType;
  AttributeType type(const std::function<AttributeType(std::string_view)>& type_of) const;

  std::vector<Condition::Name> attribute_names() const;
  std::vector<Condition::Name> value_names() const;

 private:
  explicit Definition(std::shared_ptr<const condition::NamedOperand> root) : root_(std::move(root)) {}

  std::shared_ptr<const condition::NamedOperand> root_;
};

}  // namespace onnx_lower
