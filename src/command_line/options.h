// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the user asked for, read from the command line.
#pragma once

#include <string>
#include <vector>

#include "run_options.h"

namespace onnx_lower {

// Throws UsageError. Looks at nothing but the arguments and whether the input of --check is a
// folder, and prints nothing.
Options parse_options(int argc, const char* const* argv);

// The options of one of many models: those of the command line, and `arguments` ("--set=…",
// "--keep=…"), which go before them where an option has but one value. Throws UsageError, also for
// an option that says nothing about a single model.
Options options_of_model(const Options& common, const std::vector<std::string>& arguments);

// The long names of all options, without dashes.
std::vector<std::string> option_names();

// Before the options are parsed, or when they cannot be: what --color says in them.
ColorMode color_mode_of(int argc, const char* const* argv);

std::string help_text();
std::string version_text();

}  // namespace onnx_lower
