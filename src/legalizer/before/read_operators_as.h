// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reads nodes of one operator as nodes of another one.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_options.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// Renames the operators of the nodes of all graphs and functions for which the user says so. What
// else such a node has stays.
//
// So are read, where the user does not say else: an operator that has no rule in its domain and has
// one in another domain that exporters use for the same; one without a domain which ONNX does not
// have, if the operators of one family alone have that name; and a node Plugin, which names the
// operator and holds its attributes as JSON. Returns what was read as what.
std::vector<std::string> read_operators_as(Model& model, const RuleLibrary& library, const LegalizeOptions& options);

}  // namespace onnx_lower
