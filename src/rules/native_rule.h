// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Rules that text cannot express: a C++ function that makes an ONNX function for a call site.
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

// A constant of the model as it was read, whose elements nobody has looked at.
struct StoredTensor {
  uint64_t offset = 0;  // where its TensorProto stands in the model
  uint64_t size = 0;
  int element_type = onnx::TensorProto::UNDEFINED;
  std::vector<int64_t> dims;
};

// What a rule may read of the node that it is asked to lower, and of the values around it. Nothing
// here changes the model.
// Input and output indices are those of the node; an index past the end reads as absent.
class CallSite {
 public:
  // A model may declare any number as a size. No dimension, stride, axis or padding that a runtime
  // can work with is beyond this limit. A rule that computes with such numbers gets none beyond it:
  // sums of them, and products of two, do not overflow.
  static constexpr int64_t largest_size = std::numeric_limits<int32_t>::max();

  virtual ~CallSite() = default;

  // The node with all its attributes, including those that the user gave with --set.
  virtual const onnx::NodeProto& node() const = 0;

  // The version of ai.onnx that the output model imports. The body may be written
  // for any other version.
  virtual int64_t opset() const = 0;

  // The version of ai.onnx that the node is written for. A body that copies a graph from the node's
  // attributes is written for the same version, so that the graph's nodes keep their meaning.
  virtual int64_t own_opset() const = 0;

  // The opset that introduced the version of the operator that the node means; nothing for an
  // operator that ONNX does not define.
  virtual std::optional<int64_t> version() const = 0;

  // Whether the node would mean the same without that attribute, by ONNX's definition of its
  // operator: then the rule need not know the attribute.
  virtual bool says_default(const onnx::AttributeProto& attribute) const = 0;

  // The type of an input as far as it is known, else nullptr. This may run type inference on the
  // nodes before this one; the less detail is asked for, the cheaper.
  virtual const onnx::TypeProto* input_type(int input, Detail detail) const = 0;
  const onnx::TypeProto* input_type(int input) const { return input_type(input, Detail::dimensions); }

  // The type that the model declares for an output, else nullptr. Exporters invent names for
  // symbolic dimensions here; trust only numbers.
  virtual const onnx::TypeProto* output_type(int output) const = 0;

  // The value of an input that is an initializer (and not a graph input) or the output of a
  // Constant node, else nullptr. The elements may be in any of the fields of TensorProto: read them
  // with constant_ints() or constant_floats().
  virtual const onnx::TensorProto* constant(int input) const = 0;

  // An input that is a constant of the model as it was read, of which a body may derive another one
  // by Body::transposed(); nothing for other inputs, and where the body becomes a function of the
  // model: then the model would have the weights twice.
  virtual std::optional<StoredTensor> stored_constant(int /*input*/) const { return std::nullopt; }

  // constant() of a value of the graph around the node, which a graph of the node uses by its name;
  // and its element type, TensorProto.DataType, 0 where that is not known.
  virtual const onnx::TensorProto* captured_constant(std::string_view /*name*/) const { return nullptr; }
  virtual int captured_dtype(std::string_view /*name*/) const { return 0; }

  // The elements of an input of integers or booleans that are known before the model runs, as
  // constants and what follows from shapes; and of a value of the graph around the node, which a
  // graph of the node uses by its name.
  virtual std::optional<std::vector<int64_t>> known_ints(int input) const { return constant_ints(input); }
  virtual std::optional<std::vector<int64_t>> known_captured_ints(std::string_view name) const;

  // How many steps or iterations a body may write one by one in the place of a node that repeats
  // something.
  virtual int64_t most_steps() const { return 0; }

  // Whether the input is made by a node of this ONNX operator.
  virtual bool is_made_by(int /*input*/, std::string_view /*op_type*/) const { return false; }

  // Whether a body may take the input of the Cast that makes this input as a further one, see
  // add_inputs_of_maker(). False where no Cast makes it, or if the body becomes a function of the
  // model, which gets what the Cast makes.
  virtual bool may_take_input_of_cast(int /*input*/) const { return false; }

  // Whether the output is read by a node, in the model itself, of the first of these ONNX
  // operators, whose first output is read by a node of the second one, and so on.
  virtual bool is_read_by(int /*output*/, std::span<const std::string> /*op_types*/) const { return false; }

  // Whether the output is used in another way than as an input of the model's own nodes of these
  // ONNX operators: by other nodes, or as an output of the graph.
  virtual bool is_read_by_others(int /*output*/, std::initializer_list<std::string_view> /*op_types*/) const {
    return true;
  }

  // How many tensors an input is a list of, if it is made by a SequenceConstruct; else nothing. A
  // body accesses each of them by a SequenceAt with a constant position; the lowered model then has
  // no such node.
  virtual std::optional<int> list_size(int input) const = 0;
  // Whether the body may take the tensors of a list as further inputs, see add_inputs_of_maker():
  // this takes a tenth of the memory. False if the body becomes a function of the model, which gets
  // the list itself.
  virtual bool may_take_lists_apart() const { return false; }
  // The type of a tensor in a list, as far as it is known, else nullptr.
  virtual const onnx::TypeProto* item_type(int input, int item, Detail detail) const = 0;

  // To be called before a body is made whose size depends on the model; `count` is the least number
  // of nodes that it will have. Ends the run if this is more than the limit on nodes allows.
  virtual void expect_nodes([[maybe_unused]] std::size_t count) const {}

  int input_count() const { return node().input_size(); }
  int output_count() const { return node().output_size(); }
  bool has_input(int input) const { return input < node().input_size() && !node().input(input).empty(); }
  bool has_output(int output) const { return output < node().output_size() && !node().output(output).empty(); }

  // TensorProto.DataType of an input; nothing when it is not known.
  std::optional<int> dtype(int input) const;
  std::optional<int> rank(int input) const;
  // Dimension `axis` of an input, if it is a known number up to `largest_size`. A negative axis
  // counts from the end.
  std::optional<int64_t> dim(int input, int axis) const;

  // The element type, or the rank, of a tensor in a list.
  std::optional<int> item_dtype(int input, int item) const;
  std::optional<int> item_rank(int input, int item) const;

  // The elements of a constant input of any integer type or bool, or of any floating-point type.
  std::optional<std::vector<int64_t>> constant_ints(int input) const;
  std::optional<std::vector<double>> constant_floats(int input) const;

  const onnx::AttributeProto* attribute(std::string_view name) const;
  // The attribute, for a rule that reads its fields. The rule declines where the value is known
  // only when the function that holds the node is called.
  const onnx::AttributeProto* known_attribute(std::string_view name) const;
  // The value of an attribute, converted where nothing is lost. The rule declines where the
  // attribute has another type, or a value beyond `largest_size` in either direction.
  int64_t attribute_int(std::string_view name, int64_t fallback) const;
  float attribute_float(std::string_view name, float fallback) const;
  std::string attribute_string(std::string_view name, std::string_view fallback) const;
  std::vector<int64_t> attribute_ints(std::string_view name, std::vector<int64_t> fallback) const;
  std::vector<float> attribute_floats(std::string_view name, std::vector<float> fallback) const;
  // Integers of any size, for the ends of slices, where the largest numbers mean the last element.
  std::vector<int64_t> attribute_bounds(std::string_view name) const;

  // The element type, rank or dimension of an input, for a rule that needs it: the rule declines
  // where it is not known, with the same reason for all rules.
  int need_dtype(int input) const;
  int need_rank(int input) const;
  int64_t need_dim(int input, int axis) const;
  // The elements of a constant input of integers: of a list of any length, or of `count` elements.
  std::vector<int64_t> need_ints(int input) const;
  std::vector<int64_t> need_ints(int input, std::size_t count) const;
  // `count` sizes, strides or paddings, none beyond `largest_size` in either direction.
  std::vector<int64_t> need_sizes(int input, std::size_t count) const;
  // The integer in a constant input, or `fallback` where the input is absent.
  int64_t need_number(int input, int64_t fallback) const;
  // The string in a constant input, or `fallback` where the input is absent.
  std::string need_text(int input, std::string_view fallback) const;
  // Declines where a body may not write so many steps one by one.
  void need_few_steps(int64_t steps) const;
  // The value of an attribute that must be one of these words.
  std::string need_choice(std::string_view attribute, std::string_view fallback,
                          std::initializer_list<std::string_view> words) const;
};

// Why a rule does not apply: a clause that completes "… does not apply: ", naming the value or
// attribute that it is about.
struct Declined {
  std::string reason;
  // Attributes that would make the rule apply if the user gave them with --set.
  std::vector<std::string> missing_attributes = {};
  // The node has another signature than the rule is for. This is reported only where no other rule
  // has a better reason.
  bool is_of_signature = false;
  // A rank or dimension is not known that the rule needs.
  bool wants_shapes = false;
  // The attribute that the rule does not know, or not of that type, and one that it knows and that
  // is spelled alike.
  std::string refused_attribute = {}, similar_attribute = {};
  // How many steps would have to be written one by one, where these are more than allowed; -1 where
  // it is not known how many there are; else 0.
  int64_t steps = 0;
};

// Notes an assumption of the rule. The doc_string of a function says what the rule proved or
// assumed, and the report repeats it. The user is warned of an assumption, which is what nothing
// proves: `text` says it, and `otherwise` says what to do if it is wrong. A function may have
// several.
void add_assumption(onnx::FunctionProto& function, const std::string& text, std::string_view otherwise);
// The assumption noted in the function; empty when there is none.
std::string_view assumption(const onnx::FunctionProto& function);

// Gives the function the inputs of the node that makes its first input, in order, as further inputs
// behind all others: the tensors of a list, or what a Cast takes. The lowered model has no such
// node, if nothing else reads what it makes.
void add_inputs_of_maker(onnx::FunctionProto& function, const std::vector<std::string>& names);
bool takes_inputs_of_maker(const onnx::FunctionProto& function);

// Declines from any depth of calls within a rule: throws, and lower_natively() returns the reason.
[[noreturn]] void decline(std::string reason);

// The axis counted from the first one; the rule declines where a tensor of this rank
// has no such axis.
int64_t need_axis(int64_t axis, int64_t rank);

using Lowering = std::variant<onnx::FunctionProto, Declined>;

// When a rule is tried, among all built-in rules for the same operator.
enum class RuleTurn : uint8_t {
  preference,   // before all others, and only for a node that may stay though a target would rather
                // have another form of it, by a line about the attribute `preferred_by`: the body
                // is that form
  first,        // before rules in text, too: the body has the node in the form that these take
  usual,        // after rules in text
  last_resort,  // only if there is a target, and no other rule fits
};

struct NativeRule {
  std::string_view domain;     // "ai.onnx" for the default one
  std::string_view op_type;    // "*": any operator of the domain that has no rule of its own name
  std::string_view summary;    // one line, for --list-rules
  std::string_view source;     // the definition that it implements
  std::string_view also = {};  // other names of the operator: "custom::Foo, ai.onnx::Foo"
  // The signature: a node that does not have it is refused before `lower` is called.
  std::string_view attributes = {};           // those that the node may have, "alpha, beta"
  std::string_view required_attributes = {};  // those of them that the node must have
  bool takes_any_attribute = false;           // `lower` checks them itself
  RuleTurn turn = RuleTurn::usual;
  std::string_view preferred_by = {};  // of a preference: the attribute that the line is about
  bool makes_it_anew = false;          // the body has the node again: only if it is legal
  std::string_view as_it_is = {};      // an ONNX operator in the body: only if it is legal
  bool only_as_given = false;          // not for a node that a rule made of one of the operator
  std::string_view not_within = {};    // of ai.onnx: not for what a rule makes of this operator
  bool only_beside_others = false;     // of "*": only for operators that have another rule, whose
                                       // form of the node the body is
  std::string_view inputs = {};        // their names in messages, "x, x_scale"
  int needed_inputs = 0;               // how many of the first inputs must not be absent
  int most_inputs = std::numeric_limits<int>::max();
  Lowering (*lower)(const CallSite&);

  // The name of the operator and its other names.
  std::vector<OperatorName> names() const;

  // Registers a rule, or an array of rules; to be defined once, at namespace scope of the rules'
  // file. The name of that file decides in which order rules for one operator are tried.
  struct Registration {
    // clang 14 has no std::source_location, and this builtin like GCC.
    explicit Registration(const NativeRule& rule, const char* file = __builtin_FILE())
        : Registration(std::span(&rule, 1), file) {}
    explicit Registration(std::span<const NativeRule> rules, const char* file = __builtin_FILE());
  };
  // All rules that are registered.
  static const std::vector<const NativeRule*>& all();

  // A rule for the operator, nullptr when there is none; a last resort only if there is no other.
  // The domain is "" for ai.onnx.
  static const NativeRule* find(std::string_view domain, std::string_view op_type);
  // All rules for the operator, in the order of their turns. Rules of the same turn are in the
  // order of their domains' folders and of their files' names, so that they do not depend on the
  // order in which files are linked.
  static std::vector<const NativeRule*> find_all(std::string_view domain, std::string_view op_type);
};

// Calls the rule: returns the function that it makes, or why it declines.
Lowering lower_natively(const NativeRule& rule, const CallSite& site);

}  // namespace onnx_lower
