// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the user asks of the legalizer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"
#include "targets/target_library.h"

namespace onnx_lower {

// An attribute that the export lost, from --set: nodes get it before a rule sees them, in place of
// an attribute of the same name.
struct AttributeSetting {
  // The nodes that get it: the one of this name or, where `node_name` is empty, all nodes of the
  // operator (domain "" is ai.onnx).
  std::string domain;
  std::string op_type;
  std::string node_name;
  onnx::AttributeProto attribute;
  std::string text;  // as the user gave it, for messages

  bool fits(std::string_view node, std::string_view node_domain, std::string_view node_op_type) const {
    if (!node_name.empty()) return node_name == node;
    return op_type == node_op_type && normalized_domain(domain) == normalized_domain(node_domain);
  }
};

// Nodes of one operator, or of a whole domain when op_type is empty. Domain "" is ai.onnx.
struct OperatorPattern {
  std::string domain;
  std::string op_type;

  bool fits(std::string_view node_domain, std::string_view node_op_type) const {
    return domain == node_domain && (op_type.empty() || op_type == node_op_type);
  }
};

// Nodes of one operator are read as nodes of another one, with their inputs and attributes.
struct OperatorReading {
  OperatorPattern op;
  OperatorPattern as;
};

// The shape that an input of the model is to get. A dimension without a number stays as
// it is declared.
struct InputShape {
  std::string input;
  std::vector<std::optional<int64_t>> dims;
  std::string text;  // as the user gave it, for messages
};

// The size that the dimensions of this name (dim_param) in the inputs of the model are to get.
struct NamedDimension {
  std::string name;
  int64_t size = 0;
  std::string text;  // as the user gave it, for messages
};

// The value that an input of the model is fixed to.
struct InputValue {
  std::string input;
  std::vector<std::string> elements;  // each as the user wrote it, without quotes
  bool is_list = false;               // and not one element alone
  std::string text;                   // as the user gave it, for messages
};

struct LegalizeOptions {
  std::vector<AttributeSetting> settings;
  std::vector<OperatorReading> readings;
  std::vector<OperatorPattern> kept;  // nodes that stay as they are
  // Nodes that stay, and call model-local functions that hold what the nodes would be lowered to.
  // Nodes of standard domains cannot: runtimes look for no function of such a domain.
  std::vector<OperatorPattern> attached;
  bool attach_all = false;
  bool attaches() const { return attach_all || !attached.empty(); }
  // The version of ai.onnx that the output imports; where none is given, the input's.
  std::optional<int64_t> target_opset;
  // The IR version of the output. Where none is given, the input's, or with `target_opset` that of
  // the onnx release which brought the opset, if it is lower.
  std::optional<int64_t> ir_version;
  // The runtimes that are to execute the output. Where there are none, the file default.target
  // limits what rules make.
  Targets targets;
  // Something in the model has to be lowered, so that the output gets an opset which the targets
  // take of lowered models (see opset_trials.h).
  bool is_lowered = false;
  // A node of a type that a target lacks may be computed in a type that does not hold all values of
  // the lacking one.
  bool allow_narrowing = false;
  // How many steps of a recurrent operator, and iterations of a Scan or a Loop, may be written one
  // by one for targets that do not take the node.
  int64_t most_steps = 64;
  // Nodes whose outputs are known before the model runs become constants, and an If whose condition
  // is known becomes the nodes of the branch that is taken.
  bool fold = false;
  // What ends the legalization early, where no more is asked: the first node that cannot be
  // lowered, or also the first that does not stay as it is. The result lists that node last.
  enum class Until : uint8_t { end, refusal, change };
  Until until = Until::end;
  std::vector<InputShape> input_shapes;
  std::vector<NamedDimension> dimensions;
  // The operator of which nodes are shown as examples of what a rule has to lower.
  std::optional<OperatorPattern> exemplified;
  // Finds out how nodes were rewritten and what the model costs before and after, for a report.
  bool shows_rewrites = false;
  // These inputs become constants.
  std::vector<InputValue> input_values;

  bool fixes_inputs() const { return !input_shapes.empty() || !dimensions.empty() || !input_values.empty(); }
  bool keeps(const Operator& op) const {
    return std::ranges::any_of(kept,
                               [&](const OperatorPattern& pattern) { return pattern.fits(op.domain, op.op_type); });
  }
};

}  // namespace onnx_lower
