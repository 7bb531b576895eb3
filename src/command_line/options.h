// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the user asked for, read from the command line.
#pragma once

#include <string>
#include <vector>

#include "run_options.h"

namespace onnx_lower {

// Throws UsageError. Nothing is read but the arguments, and whether the input of --check is a
// folder. Prints which target is taken where the user named none by its own name, and nothing else.
Options parse_options(int argc, const char* const* argv);

// The options for one of many models: those of the command line, and `arguments` ("--set=…",
// "--keep=…"), which take precedence for options with a single value. Throws UsageError, also for
// options that do not apply to a single model.
Options options_of_model(const Options& common, const std::vector<std::string>& arguments);

// The long names of all options, without dashes.
std::vector<std::string> option_names();

// What --color says, for messages before the options are parsed, or when they cannot be.
ColorMode color_mode_of(int argc, const char* const* argv);

std::string help_text();
std::string version_text();

}  // namespace onnx_lower
