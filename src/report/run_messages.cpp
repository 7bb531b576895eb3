#include "report/run_messages.h"

#include <fmt/format.h>

#include "report/summary.h"
#include "report/unlowered_message.h"

namespace onnx_lower {

void print_run_messages(const Options& options, const RunReport& report, const Colors& colors) {
  const LegalizeResult& result = report.result;
  const std::string input = options.input == "-" ? "<stdin>" : options.input;
  const bool quiet = options.verbosity == Verbosity::quiet;
  if (!quiet || !options.allow_unlowered)
    print_message(unlowered_message(input, result, options.allow_unlowered, colors));
  if (quiet) return;
  for (const std::string& setting : result.unused_settings) {
    print_warning(colors, fmt::format("{}: --set {} fits no node that is to be lowered", input, setting));
  }
  if (report.status != ExitStatus::done) return;
  if (options.verbosity == Verbosity::verbose) print_message(lowered_lines(result));
  print_message(summary_line(input, result, options.check_only, report.milliseconds));
}

}  // namespace onnx_lower
