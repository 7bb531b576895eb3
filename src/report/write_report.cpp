// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/write_report.h"

#include <string>

#include "model_file/output_file.h"
#include "report/html_report.h"
#include "report/sarif_report.h"

namespace onnx_lower {
namespace {

std::string report_text(const Options& options, const RunReport& report) {
  switch (options.report_format) {
    case ReportFormat::json:
      return json_report(options, report);
    case ReportFormat::html:
      return html_report(json_report(options, report, ReportedNodes::in_groups));
    case ReportFormat::sarif:
      return sarif_report({sarif_run(options, report)});
  }
  return {};
}

}  // namespace

std::string details_of(const Options& options, const RunReport& report) {
  switch (options.report_format) {
    case ReportFormat::json:
      return {};
    case ReportFormat::html:
      return json_report(options, report, ReportedNodes::in_groups);
    case ReportFormat::sarif:
      return sarif_run(options, report);
  }
  return {};
}

void write_report(const Options& options, const RunReport& report) {
  if (!options.report_path.empty()) write_output(options.report_path, report_text(options, report));
}

}  // namespace onnx_lower
