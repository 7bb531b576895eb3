// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The beginning of a rule that a user is about to write: the text of its file, and of its test's,
// with places to fill in.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_result.h"

namespace onnx_lower {

// The name by which the body to fill in calls what it computes: no operator has it, so that a rule
// in which it still stands does not pass --check-rules.
inline constexpr const char* to_fill_in = "FILL_IN";

struct DraftedOperator {
  std::string domain;  // "" is ai.onnx
  std::string op_type;
  std::string model;                  // the file in which the examples stand, for comments
  std::vector<NodeExample> examples;  // of each form of its nodes one, at least one

  // What the files' names begin with: letters, digits and _ only.
  std::string file_stem() const;
  // The examples in the order of their forms: one that a form for more inputs and attributes would
  // fit, too, comes before those of that form.
  void sort();
};

// The names of a form's inputs and outputs: those of the values where they are such as a person
// gives, of constants the last part of their names ("weight"), else x, x2 … and y, y2 ….
struct FormalNames {
  std::vector<std::string> inputs, outputs;
};
FormalNames formal_names(const NodeExample& example);

// The text of the rule's file.
std::string drafted_rule(const DraftedOperator& op);

// The text of a test in Python, which lowers a model for each example by the rule, runs it in ONNX
// Runtime and compares with what its user says the operator computes. Examples of which no such
// model can be written, as they have graphs or inputs that are no tensors, are left out; empty
// where all are.
std::string drafted_test(const DraftedOperator& op);

}  // namespace onnx_lower
