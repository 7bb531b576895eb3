// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// One form (overload) of a rule: an ONNX function, and the signature of nodes that it fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain.h"
#include "onnx/onnx_pb.h"
#include "rules/conditions/condition.h"
#include "rules/conditions/definition.h"

namespace onnx_lower {

enum class RuleOrigin { user, model, built_in };

std::string_view name_of(RuleOrigin origin);  // "user", "model", "built-in"

// An attribute that a node of the form may or must have.
struct DeclaredAttribute {
  std::string name;
  // UNDEFINED if any type will do.
  onnx::AttributeProto::AttributeType type = onnx::AttributeProto::UNDEFINED;
  int default_index = -1;  // into function.attribute_proto; -1: the node must have the attribute

  bool required() const { return default_index < 0; }
};

// An attribute whose value the engine derives from what is known of an input or an
// output of the node.
struct BoundAttribute {
  enum class Kind { dtype, rank, dims, dim, value };

  std::string name;  // as the form declares it: "dim_m1_of_x"
  Kind kind = Kind::dtype;
  std::string value_name;  // "x"
  bool is_output = false;
  int index = 0;     // of x among the function's inputs or outputs
  int64_t axis = 0;  // for Kind::dim; negative: from the end
};

struct Form {
  // Attribute references are still by name. The domain is "" for ai.onnx, in the nodes and the
  // imports too. `attribute` holds the names without a default, `attribute_proto` those with one; a
  // type declared without a default stands only in `attributes`.
  onnx::FunctionProto function;
  std::optional<Condition> where;
  // In the order of the text: each may use those before it. `where` is evaluated after the first
  // `definitions_before_where` of them, and may use these.
  std::vector<Definition> definitions;
  std::size_t definitions_before_where = 0;
  std::vector<DeclaredAttribute> attributes;  // without the bound ones
  std::vector<uint32_t> attributes_by_name;   // their indices, sorted by name
  std::vector<BoundAttribute> bound;
  RuleOrigin origin = RuleOrigin::user;
  std::string where_from;  // "rules/rknn_cst/cstThreshold.onnxtxt:4", for messages
  // The lines of the body's nodes in the rule's file; empty where there is no text.
  std::vector<int> node_lines;

  const DeclaredAttribute* attribute(std::string_view name) const;
  // The default of a declared attribute; nullptr when the attribute is required.
  const onnx::AttributeProto* default_of(const DeclaredAttribute& attribute) const;
};

// The form that a function makes: a model-local function, or one from an .onnx file of rules. An
// entry of attribute_proto without a value is a required attribute of that type, as onnx's text
// parser writes it. In rules, the engine's attributes are bound, and "where" and "let" in
// metadata_props are read; a model's own functions mean what ONNX says, and get neither. Throws
// InvalidInput when the condition, or a definition, does not parse.
Form form_from_function(onnx::FunctionProto function, RuleOrigin origin, std::string where_from);

// The form of a function whose declared attributes are given in the order of their text, including
// bound ones. It has no condition and no definitions yet.
Form form_of(onnx::FunctionProto function, std::vector<DeclaredAttribute> declared, RuleOrigin origin,
             std::string where_from);

// Parse the entries "where" and "let" that stand before a form, in
// their order. Throw ConditionError.
void set_condition(Form& form, std::string_view text);
void add_definitions(Form& form, std::string_view text);

// "attribute 'alpha' is missing", or "attributes 'alpha', 'beta' are missing".
std::string missing_text(const std::vector<std::string>& attributes);

// "cstThreshold <threshold: float, value: float = 0> (x) => (y)", for messages and lists. Bound
// attributes are not part of it.
std::string signature(const Form& form);

// The form as in a rule file, as far as text can express it: a default that is a tensor or a graph
// is written as "…".
std::string form_text(const Form& form);

// Whether the attribute has a value of the type that it says it has.
bool has_value(const onnx::AttributeProto& attribute);

// The name of an attribute type in a rule's text: "float", "ints" …; "any" for UNDEFINED.
std::string_view attribute_type_name(onnx::AttributeProto::AttributeType type);

}  // namespace onnx_lower
