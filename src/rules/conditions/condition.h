// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The conditions of a rule that a signature cannot say: `approximate == "tanh" and rank(x) == 4`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "types/detail.h"

namespace onnx_lower {

// What a condition may ask about the node at hand. Values are named as the form names them. As it
// stands here, nothing is known of them.
class ConditionFacts {
 public:
  virtual ~ConditionFacts() = default;
  // The attribute of the node, or the form's default, or a bound one; nullptr when there is none.
  virtual const onnx::AttributeProto* attribute(std::string_view /*name*/) const { return nullptr; }
  // Whether the node itself has the attribute.
  virtual bool is_given(std::string_view /*attribute*/) const { return false; }
  // nullptr when nothing is known. Only as much of it need be there as `detail` says.
  virtual const onnx::TypeProto* type(std::string_view /*value*/, Detail /*detail*/) const { return nullptr; }
  // Nothing when it is not known.
  virtual std::optional<bool> is_constant(std::string_view /*value*/) const { return std::nullopt; }
  virtual bool is_present(std::string_view /*value*/) const { return false; }
  // Whether a node of the first operator of ONNX makes the value, its first input one of the
  // second, and so on.
  virtual bool is_made_by(std::string_view /*value*/, std::span<const std::string> /*op_types*/) const { return false; }
  // Whether a node of the first operator of ONNX in the model reads the value, its first output one
  // of the second, and so on.
  virtual bool is_read_by(std::string_view /*value*/, std::span<const std::string> /*op_types*/) const { return false; }
  // Whether the value is what a Loop hands to its body as the number of the iteration, which begins
  // with 0.
  virtual bool is_iteration(std::string_view /*value*/) const { return false; }
  // Whether the value is a constant, not too large to be read, whose elements are finite and have
  // no minus sign, or is so made that none is below 0.
  virtual bool is_nonnegative(std::string_view /*value*/) const { return false; }
  // Whether all elements of the value are known to be above 0, or true: it is a constant that is
  // not too large to be read, or computed of such and of shapes, or the node stands in a branch
  // that runs only where it is so.
  virtual bool is_positive(std::string_view /*value*/) const { return false; }
  // Whether all elements of the value are known before the model runs: it is a constant, or
  // computed of constants and shapes.
  virtual bool is_known(std::string_view /*value*/) const { return false; }
  // Whether the value is known to be broadcast: it has more elements in what the node computes than
  // it has itself.
  virtual bool is_stretched(std::string_view /*value*/) const { return false; }
  // Whether every dimension of an input or output, of a variadic one of all of its values, is known
  // to be a number.
  virtual bool is_static(std::string_view /*value*/) const { return false; }
  // Whether an output of the model has elements of that type (DataType); nothing when it is not
  // known, or makes no difference.
  virtual std::optional<bool> has_model_output(int /*element_type*/) const { return std::nullopt; }
  // Whether a value is itself an output of the model.
  virtual bool is_model_output(std::string_view /*value*/) const { return false; }
  // The model's version of ai.onnx.
  virtual int64_t opset() const = 0;
  // The opset that brought the operator as the node means it; nothing when it is not known, or none
  // of ONNX's.
  virtual std::optional<int64_t> version() const { return std::nullopt; }
};

struct ConditionResult {
  enum class Truth { no, yes, unknown };

  Truth truth = Truth::unknown;
  // Why, as a clause: `rank(x) is not known`, `approximate is "none", not "tanh"`.
  std::string reason;

  bool holds() const { return truth == Truth::yes; }
};

// A condition's text is wrong. `offset` is that of the first character that does not fit.
class ConditionError : public std::runtime_error {
 public:
  ConditionError(std::size_t offset, const std::string& message) : std::runtime_error(message), offset_(offset) {}
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

namespace condition {
struct ParsedCondition;
}

// Parsed once, evaluated for every node that the form is tried on. Cheap to copy.
class Condition {
 public:
  // Throws ConditionError.
  static Condition parse(std::string_view text);

  ConditionResult evaluate(const ConditionFacts& facts) const;
  // The same without a reason, which is what costs most.
  bool holds(const ConditionFacts& facts) const;
  // Whether what is known says that it does not hold.
  bool fails(const ConditionFacts& facts) const;

  // Element types with which the condition holds, whatever else it asks for: where all of these do.
  // Empty where it takes more to tell.
  struct TypeList {
    std::string value;
    uint64_t types;  // a bit for each TensorProto.DataType that it may be
  };
  std::vector<TypeList> type_lists() const;
  // An operator and a value with which the condition holds, whatever else it asks for, as long as
  // no node of that operator of ONNX makes the value. Nothing where it takes more to tell.
  struct Maker {
    std::string value;
    std::string op_type;
  };
  std::optional<Maker> holds_unless_made_by() const;
  // Whether it asks nothing but the element types of values, which of them are present and which
  // attributes are given.
  bool goes_by_types_and_names() const;
  // Whether it asks for the version of ai.onnx that is written.
  bool goes_by_opset() const;

  const std::string& text() const;
  // The names that the condition speaks of, for lint; each with its offset in the text.
  struct Name {
    std::string name;
    std::size_t offset;
  };
  std::vector<Name> attribute_names() const;
  std::vector<Name> value_names() const;

 private:
  explicit Condition(std::shared_ptr<const condition::ParsedCondition> parsed) : parsed_(std::move(parsed)) {}

  std::shared_ptr<const condition::ParsedCondition> parsed_;
};

}  // namespace onnx_lower
