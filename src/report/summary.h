// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The summary of a run in one line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "legalizer/legalize_result.h"

namespace onnx_lower {

struct RuleCount {
  std::string rule;  // "rknn_cst::cstThreshold"
  size_t nodes = 0;
};

// How many nodes the rules of each operator lowered, the largest number first: nodes that were
// expanded or, with `attached`, nodes that stayed and got a function.
std::vector<RuleCount> count_by_rule(const LegalizeResult& result, bool attached);

// "thr.onnx: lowered 3 nodes by 2 rules (rknn_cst::cstThreshold 2, custom::my_add 1); 20 -> 31
// nodes; 4.1 ms", and with --attach "thr.onnx: attached 2 functions to 3 nodes
// (rknn_cst::cstThreshold 2, custom::my_add 1); 20 -> 31 nodes; 4.1 ms"
std::string summary_line(const std::string& input, const LegalizeResult& result, bool check_only, double milliseconds);

// For -v: a line for each lowered node, with `before` at its beginning.
std::string lowered_lines(const LegalizeResult& result, const std::string& before);

}  // namespace onnx_lower
