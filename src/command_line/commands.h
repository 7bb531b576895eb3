// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The commands without a model: --list-rules, --show-rule,
// --check-rules, --list-targets, --show-target.
#pragma once

#include <functional>

#include "command_line/options.h"
#include "error.h"
#include "report/terminal.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// A library with the user's rules and, behind them, the built-in ones.
RuleLibrary library_for(const Options& options);

// Returns such a library, which may be kept from one run to the next.
// Throws what library_for() throws.
using RuleSource = std::function<RuleLibrary&(const Options&)>;

void list_rules(const Options& options);
void show_rule(const Options& options);
ExitStatus check_rules(const Options& options, const Colors& colors);
void list_targets(const Options& options);
void show_target(const Options& options);
void explain(const Options& options);

}  // namespace onnx_lower
