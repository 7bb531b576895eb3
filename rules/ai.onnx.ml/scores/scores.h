// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the classifiers and regressors of ai.onnx.ml do with the scores that they have computed. The
// operators' documentation names it, and the kernels of ONNX Runtime say what it is
// (onnxruntime/core/providers/cpu/ml/ml_common.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

enum class PostTransform : uint8_t { none, softmax, logistic, softmax_zero, probit };

// The value of the attribute post_transform; the rule declines a word that the operators do not know.
PostTransform post_transform_of(const CallSite& site);

// Scores of two columns or more, [N, E], each row transformed by itself. They are float, and so is
// the result. The nodes are of opset 13.
std::string transformed_scores(Body& body, PostTransform transform, const std::string& scores);

// What becomes of the scores where there is one column and two labels. LOGISTIC makes the logistic
// function of -s and s in any case, as ONNX Runtime 1.31 does; 1.17 did it for `opposite` alone.
enum class FirstColumn : uint8_t {
  complement,  // no score is negative: 1 - s, s
  opposite,    // else: -s, s
};

// Two columns made from one, [N, 1] float. The rule declines PROBIT, for which the kernels leave the
// second column as it was in memory.
std::string two_columns(Body& body, PostTransform transform, const std::string& score, FirstColumn first);

// One column that stays one, [N, 1] float: only PROBIT changes it.
std::string transformed_column(Body& body, PostTransform transform, const std::string& score);

// The labels of a classifier: of its attributes classlabels_int64s or classlabels_strings (or
// classlabels_ints, where the operator calls them so).
struct ClassLabels {
  std::vector<int64_t> integers;
  std::vector<std::string> strings;

  std::size_t count() const { return strings.empty() ? integers.size() : strings.size(); }
  // As a list, of int64 or string.
  onnx::TensorProto tensor() const;
};
ClassLabels class_labels_of(const CallSite& site, std::string_view integers = "classlabels_int64s");

// Makes `output`, [N], from the places of labels in their list, [N] int64.
void labels_at(Body& body, std::string_view output, const ClassLabels& labels, const std::string& places);

}  // namespace onnx_lower
