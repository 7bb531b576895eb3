// onnx-lower: replaces custom nodes of an ONNX model by standard ONNX operators.
//
//   load -> legalize -> check -> write

#include <google/protobuf/stubs/logging.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <new>

#include "check/check_model.h"
#include "command_line/options.h"
#include "command_line/rule_commands.h"
#include "error.h"
#include "legalizer/legalizer.h"
#include "model_file/external_data.h"
#include "model_file/read_model.h"
#include "model_file/write_model.h"
#include "report/json_report.h"
#include "report/run_messages.h"
#include "report/terminal.h"

namespace onnx_lower {
namespace {

using Clock = std::chrono::steady_clock;

ExitStatus lower(const Options& options, const Colors& colors) {
  const Clock::time_point start = Clock::now();
  RunReport report;
  const auto end = [&](ExitStatus status) {
    report.status = status;
    report.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  try {
    RuleLibrary library = library_for(options);
    Model model = read_model(options.input);
    check_model(model);
    check_external_data(model);

    report.result = legalize(model, library, options.legalize);
    const bool accepted = report.result.unlowered.empty() || options.allow_unlowered;
    if (accepted) check_model(model);
    // From here on the model is good, or it is not written.

    end(accepted ? ExitStatus::done : ExitStatus::not_lowered);
    if (!options.report_path.empty()) write_json_report(options, report);
    if (accepted && !options.check_only) write_model(model, options.output);
    end(report.status);
    print_run_messages(options, report, colors);
    return report.status;
  } catch (const Error& error) {
    report.result = {};  // it refers to the model
    report.error = error.what();
    end(error.status());
    if (!options.report_path.empty()) write_json_report(options, report);
    throw;
  }
}

ExitStatus run(const Options& options, const Colors& colors) {
  switch (options.task) {
    case Task::lower:
      return lower(options, colors);
    case Task::list_rules:
      list_rules(options);
      break;
    case Task::show_rule:
      show_rule(options);
      break;
    case Task::check_rules:
      return check_rules(options, colors);
    case Task::print_help:
      print(help_text());
      break;
    case Task::print_version:
      print(version_text());
      break;
  }
  return ExitStatus::done;
}

ExitStatus run_and_report_errors(int argc, char** argv) {
  const Colors colors = Colors::for_stderr(color_mode_of(argc, argv));
  try {
    return run(parse_options(argc, argv), colors);
  } catch (const UsageError& error) {
    print_error(colors, error.what());
    print_message("onnx-lower --help says more\n");
    return error.status();
  } catch (const Error& error) {
    print_error(colors, error.what());
    return error.status();
  } catch (const std::bad_alloc&) {
    print_error(colors, "there is not enough memory");
    return ExitStatus::file_error;
  } catch (const std::exception& error) {
    print_error(colors, std::string("internal error, please report it: ") + error.what());
    return ExitStatus::invalid_input;
  }
}

}  // namespace
}  // namespace onnx_lower

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);             // a reader that goes away is a failed write, with its exit status
  google::protobuf::SetLogHandler(nullptr);  // our messages say what is wrong
  return static_cast<int>(onnx_lower::run_and_report_errors(argc, argv));
}
