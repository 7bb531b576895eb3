// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ONNX has types for complex numbers, and no operators that compute with them. What exporters write
// between a Fourier transform and the operator that makes its result real, PyTorch's and
// TensorFlow's operators, is led through pairs of real numbers: each complex value becomes one with
// one more dimension, the last, of size 2.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_options.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// Replaces the nodes of the model's graph that make or read complex numbers by operators of the
// domain onnx_lower on pairs. Nothing is replaced where one of those nodes is of an operator that
// is not known here, a complex number is an input or output of the graph, or a subgraph uses one.
// Returns what is to be told of it, one text for each operator.
std::vector<std::string> read_complex_as_pairs(Model& model, const RuleLibrary& library,
                                               const LegalizeOptions& options);

}  // namespace onnx_lower
