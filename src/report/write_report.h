// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes the report on a run, in the format that the name of its file asks for.
#pragma once

#include <string>

#include "report/json_report.h"
#include "run_options.h"

namespace onnx_lower {

// Writes to where --report says; does nothing without --report. Throws FileError.
void write_report(const Options& options, const RunReport& report);

// What the report on many models says of one of them, as JSON; empty for a report of a line each.
std::string details_of(const Options& options, const RunReport& report);

}  // namespace onnx_lower
