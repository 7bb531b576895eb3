// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A rule that text cannot say: a C++ function from a call site to an ONNX function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "onnx/onnx_pb.h"
#include "rules/text/operator_names.h"
#include "types/detail.h"

namespace onnx_lower {

// What a rule may read of the node that it is asked to lower, and of the values around it. Nothing
// here changes the model.
// Input and output indices are those of the node; an index past the end reads as absent.
class CallSite {
 public:
  // What a model declares may be any number. No dimension, stride, axis or padding that a runtime
  // can work on is beyond this, and a rule that reckons with such numbers gets none that are: sums
  // of them, and products of two, do not overflow.
  static constexpr int64_t largest_size = std::numeric_limits<int32_t>::max();

  virtual ~CallSite() = default;

  // The node with its attributes complete: those that the user gave by --set are on it.
  virtual const onnx::NodeProto& node() const = 0;

  // The version of ai.onnx that the output model imports. The body may be written for any other.
  virtual int64_t opset() const = 0;

  // The version of ai.onnx that the node is written for. A body that takes over a graph of the
  // node's attributes is written for the same, so that the graph's nodes keep their meaning.
  virtual int64_t own_opset() const = 0;

  // The opset that brought the operator as the node means it; nothing for an operator that ONNX
  // does not define.
  virtual std::optional<int64_t> version() const = 0;

  // Whether the node would mean the same without that attribute, as ONNX defines its operator: then
  // no rule has to know it.
  virtual bool says_default(const onnx::AttributeProto& attribute) const = 0;

  // The type of an input as far as it is known, else nullptr. May run type inference on what stands
  // before the node; the less detail is asked for, the cheaper.
  virtual const onnx::TypeProto* input_type(int input, Detail detail) const = 0;
  const onnx::TypeProto* input_type(int input) const { return input_type(input, Detail::dimensions); }

  // The type that the model declares for an output, else nullptr. Exporters invent names for
  // symbolic dimensions here; trust only numbers.
  virtual const onnx::TypeProto* output_type(int output) const = 0;

  // The value of an input that is an initializer (and not a graph input) or comes from a Constant
  // node, else nullptr.
  // The tensor's data may be in any of protobuf's fields: read it with constant_ints or
  // constant_floats.
  virtual const onnx::TensorProto* constant(int input) const = 0;

  // Whether a node of this operator of ONNX makes the input.
  virtual bool is_made_by(int /*input*/, std::string_view /*op_type*/) const { return false; }

  // Whether a node of the first operator of ONNX in the model reads an output of the node, its
  // first output one of the second, and so on.
  virtual bool is_read_by(int /*output*/, std::span<const std::string> /*op_types*/) const { return false; }

  // Whether anything else than a node of one of these operators of ONNX reads an output of the
  // node, one of the model's own, or hands it out.
  virtual bool is_read_by_others(int /*output*/, std::initializer_list<std::string_view> /*op_types*/) const {
    return true;
  }

  // How many tensors an input is a list of, if what makes it, before the node, is a
  // SequenceConstruct; else nothing. A body gets at each by SequenceAt with a constant position, of
  // which nothing remains in the model.
  virtual std::optional<int> list_size(int input) const = 0;
  // Whether the body may have the tensors of a list as inputs of its own, see
  // add_tensors_of_list(), which takes a tenth of the memory: not where it becomes a function of
  // the model, which gets the list.
  virtual bool may_take_lists_apart() const { return false; }
  // The type of one of them, as far as it is known, else nullptr.
  virtual const onnx::TypeProto* item_type(int input, int item, Detail detail) const = 0;

  // Said before a body is made that grows with the model: it has so many nodes at the least. Ends
  // the run when these are more than it is to make.
  virtual void expect_nodes([[maybe_unused]] std::size_t count) const {}

  int input_count() const { return node().input_size(); }
  int output_count() const { return node().output_size(); }
  bool has_input(int input) const { return input < node().input_size() && !node().input(input).empty(); }
  bool has_output(int output) const { return output < node().output_size() && !node().output(output).empty(); }

  // TensorProto.DataType of an input; nothing when it is not known.
  std::optional<int> dtype(int input) const;
  std::optional<int> rank(int input) const;
  // Dimension `axis` (negative: from the end) of an input, when it is known as a number up to
  // `largest_size`.
  std::optional<int64_t> dim(int input, int axis) const;

  // The same of a tensor in a list.
  std::optional<int> item_dtype(int input, int item) const;
  std::optional<int> item_rank(int input, int item) const;

  // The elements of a constant input of any integer (or bool), respectively floating-point, type.
  std::optional<std::vector<int64_t>> constant_ints(int input) const;
  std::optional<std::vector<double>> constant_floats(int input) const;

  const onnx::AttributeProto* attribute(std::string_view name) const;
  // The same for a rule that reads its fields: it declines where the attribute has the value that
  // the function around the node is called with.
  const onnx::AttributeProto* known_attribute(std::string_view name) const;
  // The value of an attribute, converted where nothing is lost; the rule declines where it is of
  // another type, or beyond `largest_size` in either direction.
  int64_t attribute_int(std::string_view name, int64_t fallback) const;
  float attribute_float(std::string_view name, float fallback) const;
  std::string attribute_string(std::string_view name, std::string_view fallback) const;
  std::vector<int64_t> attribute_ints(std::string_view name, std::vector<int64_t> fallback) const;
  // Of any size: the ends of slices, for which the largest numbers mean the last element.
  std::vector<int64_t> attribute_bounds(std::string_view name) const;

  // The same of what the rule cannot do without: it declines where it is not known, in one wording
  // for all rules.
  int need_dtype(int input) const;
  int need_rank(int input) const;
  int64_t need_dim(int input, int axis) const;
  // A constant input of integers: any list of them, or one of so many.
  std::vector<int64_t> need_ints(int input) const;
  std::vector<int64_t> need_ints(int input, std::size_t count) const;
  // As many sizes, strides or paddings, none beyond `largest_size` in either direction.
  std::vector<int64_t> need_sizes(int input, std::size_t count) const;
  // A constant input that holds one integer, or `fallback` where it is absent.
  int64_t need_number(int input, int64_t fallback) const;
  // A constant input that holds one string, or `fallback` where it is absent.
  std::string need_text(int input, std::string_view fallback) const;
  // An attribute that is one of these words.
  std::string need_choice(std::string_view attribute, std::string_view fallback,
                          std::initializer_list<std::string_view> words) const;
};

// Why a rule does not apply: a clause that completes "… does not apply: ", naming the value or
// attribute that it is about.
struct Declined {
  std::string reason;
  // Attributes that would make the rule apply if the user gave them with --set.
  std::vector<std::string> missing_attributes = {};
  // the rule is for other nodes; said only where no other rule says more
  bool is_of_signature = false;
};

// A function's doc_string, if it has one, says what the rule proved or took for granted; the report
// repeats it. Of that, what nothing proves is an assumption, which the user is warned of: `text`,
// and what to do if that is not so.
void add_assumption(onnx::FunctionProto& function, const std::string& text, std::string_view otherwise);
// Empty when there is none.
std::string_view assumption(const onnx::FunctionProto& function);

// Gives the function the tensors of the list that its first input is, in order, as further inputs
// behind all others.
void add_tensors_of_list(onnx::FunctionProto& function, const std::vector<std::string>& names);
bool takes_list_apart(const onnx::FunctionProto& function);

// The same from wherever the rule is: thrown, and caught where the rule was called.
[[noreturn]] void decline(std::string reason);

// The axis as counted from the first one of so many; the rule declines where there is none.
int64_t need_axis(int64_t axis, int64_t rank);

using Lowering = std::variant<onnx::FunctionProto, Declined>;

// When a rule is asked, among ours for the same operator.
enum class RuleTurn : uint8_t {
  first,        // before those in text, too: the body has the node as they want it
  usual,        // behind those in text
  last_resort,  // only for a target, and when no other rule fits
};

struct NativeRule {
  std::string_view domain;     // "ai.onnx" for the default one
  std::string_view op_type;    // "*": any operator of the domain that has no rule of its own name
  std::string_view summary;    // one line, for --list-rules
  std::string_view source;     // the definition that it implements
  std::string_view also = {};  // other names of the operator: "custom::Foo, ai.onnx::Foo"
  // What a node may look like: one that does not, is refused before `lower` sees it.
  std::string_view attributes = {};           // those that it may have, "alpha, beta"
  std::string_view required_attributes = {};  // those of them that it must have
  bool takes_any_attribute = false;           // `lower` looks at them itself
  RuleTurn turn = RuleTurn::usual;
  bool makes_it_anew = false;    // the body has the node again, which is of use only where it stays
  std::string_view inputs = {};  // what they are called in messages, "x, x_scale"
  int needed_inputs = 0;         // which are not absent
  int most_inputs = std::numeric_limits<int>::max();
  Lowering (*lower)(const CallSite&);

  // All its names.
  std::vector<OperatorName> names() const;

  // Puts a rule, or an array of them, into the list of native rules; made once, at namespace scope
  // of the rules' file.
  struct Registration {
    explicit Registration(const NativeRule& rule) : Registration(std::span(&rule, 1)) {}
    explicit Registration(std::span<const NativeRule> rules);
  };
  // All that are registered.
  static const std::vector<const NativeRule*>& all();

  // The rule of that name, nullptr when there is none; not the last resort if there is another. The
  // domain is "" for the default one.
  static const NativeRule* find(std::string_view domain, std::string_view op_type);
  // All of that name, those that are asked first at the front and the last resort at the end.
  static std::vector<const NativeRule*> find_all(std::string_view domain, std::string_view op_type);
};

// What the rule makes of the call.
Lowering lower_natively(const NativeRule& rule, const CallSite& site);

}  // namespace onnx_lower
