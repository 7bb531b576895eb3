// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The conditions of a rule that a signature cannot express: `approximate == "tanh"
// and rank(x) == 4`.
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

// What an input holds is asked for as an attribute of this prefix and the name of the input.
inline constexpr std::string_view prefix_of_elements = "value_of_";

// What a condition may ask about the node that it is evaluated for. Values are named as in the
// form. In this base class, nothing is known of them.
class ConditionFacts {
 public:
  virtual ~ConditionFacts() = default;
  // The attribute that the node has, or the form's default, or a bound attribute; nullptr when
  // there is none.
  virtual const onnx::AttributeProto* attribute(std::string_view /*name*/) const { return nullptr; }
  // Whether the node itself has the attribute.
  virtual bool is_given(std::string_view /*attribute*/) const { return false; }
  // The type of a value, which need be known only as far as `detail` says; nullptr
  // when nothing is known.
  virtual const onnx::TypeProto* type(std::string_view /*value*/, Detail /*detail*/) const { return nullptr; }
  // Whether the value is a constant; nothing when that is not known.
  virtual std::optional<bool> is_constant(std::string_view /*value*/) const { return std::nullopt; }
  virtual bool is_present(std::string_view /*value*/) const { return false; }
  // Whether the value is made by a node of the first of these ONNX operators, whose first input is
  // made by a node of the second one, and so on.
  virtual bool is_made_by(std::string_view /*value*/, std::span<const std::string> /*op_types*/) const { return false; }
  // Whether the value is made by a node of this ONNX operator, or by nodes behind it that compute
  // element by element, or move elements along axes that stay what they are: a runtime may move a
  // Transpose past these.
  virtual bool is_behind(std::string_view /*value*/, std::string_view /*op_type*/) const { return false; }
  // Whether the value is read by a node, in the model itself, of the first of these ONNX operators,
  // whose first output is read by a node of the second one, and so on.
  virtual bool is_read_by(std::string_view /*value*/, std::span<const std::string> /*op_types*/) const { return false; }
  // Whether a graph of the node holds, at any depth, a node of the first of these ONNX operators, a
  // graph of which holds one of the second, and so on.
  virtual bool holds(std::span<const std::string> /*op_types*/) const { return false; }
  // Whether the value is the iteration number that a Loop passes to its body, which begins with 0.
  virtual bool is_iteration(std::string_view /*value*/) const { return false; }
  // Whether the value is a list that a Loop begins without tensors, and that the node hands on to
  // the next iteration.
  virtual bool is_accumulated(std::string_view /*value*/) const { return false; }
  // Whether no element of the value is below 0: it is a constant that is small enough to be read
  // and whose elements are finite without a minus sign, or the nodes that make it ensure this.
  virtual bool is_nonnegative(std::string_view /*value*/) const { return false; }
  // Whether all elements of the value are known to be above 0, or true: it is a constant that is
  // small enough to be read, or computed from such constants and shapes, or the node is in a branch
  // that runs only if this is so.
  virtual bool is_positive(std::string_view /*value*/) const { return false; }
  // Whether all elements of the value are known to be 0: it is a constant that is small enough to
  // be read, or computed from constants and shapes.
  virtual bool is_zero(std::string_view /*value*/) const { return false; }
  // Whether all elements of the value are known before the model runs: it is a constant, or
  // computed from constants and shapes.
  virtual bool is_known(std::string_view /*value*/) const { return false; }
  // Whether the value is known to be broadcast: what the node computes has more
  // elements than the value.
  virtual bool is_stretched(std::string_view /*value*/) const { return false; }
  // Whether every dimension of an input or output is known as a number; for a variadic one,
  // of all its values.
  virtual bool is_static(std::string_view /*value*/) const { return false; }
  // Whether the number of dimensions of an input or output is known; for a variadic one, of all its
  // values.
  virtual bool is_ranked(std::string_view /*value*/) const { return false; }
  // Whether an output of the model has that element type (TensorProto.DataType); nothing when that
  // is not known, or makes no difference.
  virtual std::optional<bool> has_model_output(int /*element_type*/) const { return std::nullopt; }
  // Whether a value is itself an output of the model.
  virtual bool is_model_output(std::string_view /*value*/) const { return false; }
  // The model's version of ai.onnx.
  virtual int64_t opset() const = 0;
  // The opset that introduced the version of the operator that the node means; nothing when that is
  // not known, or when it is no operator of ONNX.
  virtual std::optional<int64_t> version() const { return std::nullopt; }
};

struct ConditionResult {
  enum class Truth { no, yes, unknown };

  Truth truth = Truth::unknown;
  // The reason as a clause: `rank(x) is not known`, `approximate is "none", not "tanh"`.
  std::string reason;

  bool holds() const { return truth == Truth::yes; }
};

// The text of a condition is invalid. `offset` is that of the first wrong character.
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

// A condition, parsed once and evaluated for every node that the form is tried on. Cheap to copy.
class Condition {
 public:
  // Throws ConditionError.
  static Condition parse(std::string_view text);

  ConditionResult evaluate(const ConditionFacts& facts) const;
  // Evaluates the condition without a reason, which would take the most time.
  bool holds(const ConditionFacts& facts) const;
  // Whether what is known suffices to say that the condition does not hold.
  bool fails(const ConditionFacts& facts) const;
  // Whether it would not be known to fail if all shapes were known, and what is computed of these.
  bool may_hold_with_shapes(const ConditionFacts& facts) const;

  // Element types that suffice for the condition to hold: it does if every value listed has one of
  // its types. Empty where more than types has to be known.
  struct TypeList {
    std::string value;
    uint64_t types;  // bit N: TensorProto.DataType N is one of them
  };
  std::vector<TypeList> type_lists() const;
  // The condition holds if no node of this ONNX operator makes this value. Nothing where more has
  // to be known.
  struct ExcludedProducer {
    std::string value;
    std::string op_type;
  };
  std::optional<ExcludedProducer> holds_unless_made_by() const;
  // Whether the condition depends only on element types of values, on which values are present and
  // on which attributes are given.
  bool goes_by_types_and_names() const;
  // Whether the condition depends on the version of ai.onnx that is written.
  bool goes_by_opset() const;

  const std::string& text() const;
  // For those who look for more in it; see expression.h.
  const condition::ParsedCondition& parsed() const { return *parsed_; }
  // The names that occur in the condition, for lint, each with its offset in the text.
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
