// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The summary of a run in one line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "legalizer/legalize_result.h"
#include "report/fewer_nodes.h"
#include "standard_operators/slower_forms.h"
#include "targets/target_library.h"

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
// (rknn_cst::cstThreshold 2, custom::my_add 1); 20 -> 31 nodes; 4.1 ms". `where`: what
// where_it_runs() says, for a model that has nothing to lower.
std::string summary_line(const std::string& input, const LegalizeResult& result, bool check_only, double milliseconds,
                         const std::string& where = {});

// "note: 'deform' (DeformConv) takes onnxruntime 5 times as long as its own kernel; 2 more nodes
// are known to be slower": a line where something is known to take one of the targets, or without a
// target any runtime, longer; or, where a report asks what the model costs, much more memory.
std::string cost_line(const LegalizeResult& result, const Targets& targets);
// "note: the weights of 'fc' (MatMul) are stored in 4 bits and written in 8; --target-opset 21
// keeps 4", where that is so; else empty.
std::string widened_line(const LegalizeResult& result);

// "note: --target onnxruntime makes 1 node of torchvision::deform_conv2d, and not 251": a line for
// each operator.
std::string fewer_lines(const std::vector<FewerNodes>& fewer);

// "note: acme::Foo stays, and runs only where the runtime has a kernel for it": a line for each
// operator that the user keeps and the targets do not take.
std::string kept_lines(const LegalizeResult& result);

// The nodes that are known to take a runtime of the targets longer, the worst first.
std::vector<const LoweredNode*> slower_nodes(const LegalizeResult& result, const Targets& targets);

// For -v: a line for each lowered node, with `before` at its beginning.
std::string lowered_lines(const LegalizeResult& result, const std::string& before);

}  // namespace onnx_lower
