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

#include "model_file/model.h"
#include "onnx/onnx_pb.h"
#include "targets/target_library.h"

namespace onnx_lower {

// An attribute that the export lost: it is put onto the nodes before a rule looks at them, in place
// of one of the same name.
struct AttributeSetting {
  // Of which nodes: all of an operator (domain "" for ai.onnx), or the one of that name when
  // node_name is not empty.
  std::string domain;
  std::string op_type;
  std::string node_name;
  onnx::AttributeProto attribute;
  std::string text;  // as the user gave it, for messages
};

// Nodes of one operator, or of a whole domain when op_type is empty. Domain "" is ai.onnx.
struct OperatorPattern {
  std::string domain;
  std::string op_type;

  bool fits(std::string_view node_domain, std::string_view node_op_type) const {
    return domain == node_domain && (op_type.empty() || op_type == node_op_type);
  }
};

// The shape of an input of the model. A dimension without a number stays as it is declared.
struct InputShape {
  std::string input;
  std::vector<std::optional<int64_t>> dims;
  std::string text;  // as the user gave it, for messages
};

// The size of a dimension that the model's inputs name.
struct NamedDimension {
  std::string name;
  int64_t size = 0;
  std::string text;
};

struct LegalizeOptions {
  std::vector<AttributeSetting> settings;
  std::vector<OperatorPattern> kept;  // left alone
  // These nodes stay, with what they would be lowered to as model-local functions. Those of
  // standard domains cannot: runtimes look for no function there.
  std::vector<OperatorPattern> attached;
  bool attach_all = false;
  bool attaches() const { return attach_all || !attached.empty(); }
  // The version of ai.onnx that the output imports; the input's when not given.
  std::optional<int64_t> target_opset;
  // The IR version of the output; when not given, the input's, or with target_opset that of the
  // onnx release which brought the opset, if it is lower.
  std::optional<int64_t> ir_version;
  // Where the output has to run; none: as the file default.target says.
  Targets targets;
  // The model does not stay as it is: it gets an opset that the targets want of such models.
  bool is_lowered = false;
  // Types that a target lacks may be reached through types that do not hold all their values.
  bool allow_narrowing = false;
  // What is known before the model runs becomes constants, and an If whose condition is known its
  // branch.
  bool fold = false;
  std::vector<InputShape> input_shapes;
  std::vector<NamedDimension> dimensions;

  bool fixes_shapes() const { return !input_shapes.empty() || !dimensions.empty(); }
  bool keeps(const Operator& op) const {
    return std::ranges::any_of(kept,
                               [&](const OperatorPattern& pattern) { return pattern.fits(op.domain, op.op_type); });
  }
};

}  // namespace onnx_lower
