// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// onnx-lower: replaces custom nodes of an ONNX model by standard ONNX operators.
//
//   load -> legalize -> check -> write

#include <google/protobuf/stubs/logging.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check_model.h"
#include "command_line/commands.h"
#include "command_line/completion.h"
#include "command_line/named_files.h"
#include "command_line/new_rule_command.h"
#include "command_line/option_values.h"
#include "command_line/options.h"
#include "command_line/questions_to_targets.h"
#include "command_line/verify_command.h"
#include "error.h"
#include "files_of_run.h"
#include "lowering/fewer_for_targets.h"
#include "lowering/judge_targets.h"
#include "lowering/lowered_model.h"
#include "many_models/lower_many.h"
#include "model_file/data_file_uses.h"
#include "model_file/external_data.h"
#include "model_file/read_model.h"
#include "model_file/write_model.h"
#include "report/model_diff.h"
#include "report/progress_bar.h"
#include "report/rule_list.h"
#include "report/run_messages.h"
#include "report/target_verdict.h"
#include "report/terminal.h"
#include "report/verify_message.h"
#include "report/write_report.h"

namespace onnx_lower {
namespace {

using Clock = std::chrono::steady_clock;

// Reads, legalizes, checks and writes one model, and writes its report. Throws what keeps the model
// from being written.
ExitStatus lower(const Options& options, const RuleSource& rules, const Colors& colors,
                 const ReportWriter& write_report) {
  const Clock::time_point start = Clock::now();
  RunReport report;
  const auto end = [&](ExitStatus status) {
    report.status = status;
    report.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  try {
    RuleLibrary& library = rules(options);
    Model model = read_model(options.input);
    report.external_files = external_locations(model);
    LoweredModel lowered = checked(std::move(model));
    check_external_data(lowered.model, options.write.allow_external_paths);
    const std::vector<OpsetImport> imports = lowered.model.opset_imports;
    try {
      lower(lowered, library, options.legalize);
    } catch (const Error& error) {
      // What a target refuses of the whole model, and no node says, is its verdict.
      if (!options.asks_targets || error.status() != ExitStatus::not_lowered) throw;
      report.verdicts = verdicts_of(options, lowered.model, library,
                                    refused_whole(name_of_targets(options), lowered.model, error.what()));
      report.status = error.status();
      if (options.task == Task::lower) print_verdicts(options, report);
      throw;
    }
    report.unused_keeps = unused_keeps(lowered.model, options);
    const bool accepted = lowered.result.unlowered.empty() || options.allow_unlowered;
    if (accepted) check_model(lowered.model, lowered.compared);
    if (accepted && options.verify.is_asked) {
      report.verified = verify_lowered(options, lowered.model, library, lowered.result);
      if (!report.verified->is_same)
        throw Error(ExitStatus::different, verify_message(options.input, options.output, *report.verified));
    }
    // From here on the model is good, or it is not written.

    ExitStatus status = accepted ? ExitStatus::done : ExitStatus::not_lowered;
    const bool tells_where = tells_where_it_runs(options, lowered.result);
    if (options.check_only || tells_where) {
      const TargetVerdict verdict = verdict_of(lowered, name_of_targets(options), imports);
      const bool is_same = verdict.kind == TargetVerdict::Kind::as_it_is;
      if (accepted && options.check_only && !is_same) status = ExitStatus::needs_lowering;
      if (options.asks_targets || (tells_where && is_same))
        report.verdicts = verdicts_of(options, lowered.model, library, verdict);
      if (tells_where && is_same)
        report.where_it_would_run = where_it_would_run(lowered.model, library, options.legalize, report.verdicts);
    }
    if (accepted && tells_of_targets(options, lowered.result))
      report.fewer = fewer_for_targets(lowered, library, options.legalize);
    if (!accepted) report.runs_in = where_else_it_runs(options, lowered.model);
    report.result = std::move(lowered.result);
    if (options.report_format == ReportFormat::html) report.rule_texts = rule_texts(library, report.result);
    end(status);
    write_report(report);
    if (options.diff) print_diff(lowered.model, options);
    if (accepted && !options.output.empty()) {
      ProgressBar bar(options.output, 0, ProgressUnit::bytes, options.verbosity != Verbosity::quiet);
      write_model(lowered.model, options.output, options.write, [&bar](uint64_t done, uint64_t total) {
        bar.set_total(total);
        bar.advance_to(done);
      });
    }
    end(report.status);
    print_run_messages(options, report, colors);
    if (options.asks_targets && options.task == Task::lower) print_verdicts(options, report);
    return report.status;
  } catch (const FileClash&) {
    throw;  // nothing is written, the report neither
  } catch (const Error& error) {
    report.result = {};  // its views point into the model, which is gone here
    report.error = error.what();
    end(error.status());
    write_report(report);
    throw;
  }
}

ExitStatus lower_one(const Options& options, const Colors& colors) {
  RuleLibrary library;
  const auto rules = [&](const Options&) -> RuleLibrary& { return library = library_for(options); };
  FilesOfRun files(true);
  const FilesOfRun::Owner owner = add_named_files(files, options);
  return lower(options, rules, colors, [&](const RunReport& report) {
    add_data_files(files, owner, {options.input, options.output}, report.external_files, options.write);
    files.check_links_and_folders();
    check_report_name(options.report_path);
    write_report(options, report);
  });
}

// Does a run, and tells the user what stopped it. `model`: the path of the model where the run is
// one of many, so that each message names it; empty where it is the only one.
ExitStatus report_errors(const Colors& colors, const std::function<ExitStatus()>& run, const std::string& model = {}) {
  const std::string of_model = model.empty() ? std::string() : model + ": ";
  try {
    return run();
  } catch (const Error& error) {
    const std::string message = error.what();
    print_error(colors, message.find(model) == std::string::npos ? of_model + message : message);
    const bool is_clash = dynamic_cast<const FileClash*>(&error) != nullptr;
    if (error.status() == ExitStatus::wrong_usage && !is_clash) print_message("onnx-lower --help says more\n");
    return error.status();
  } catch (const std::bad_alloc&) {
    print_error(colors, of_model + "there is not enough memory");
    return ExitStatus::file_error;
  } catch (const std::exception& error) {
    print_error(colors, of_model + "internal error, please report it: " + error.what());
    return ExitStatus::invalid_input;
  }
}

ExitStatus lower_each(const Options& options, const Colors& colors) {
  return lower_many(options, colors, [&](const Options& of_model, const RuleSource& rules, const ReportWriter& report) {
    return report_errors(
        colors, [&] { return lower(of_model, rules, colors, report); }, of_model.input);
  });
}

ExitStatus run(const Options& options, const Colors& colors) {
  switch (options.task) {
    case Task::lower:
      return lower_one(options, colors);
    case Task::lower_many:
      return lower_each(options, colors);
    case Task::verify:
      return verify_two(options, colors);
    case Task::list_rules:
      list_rules(options);
      break;
    case Task::show_rule:
      show_rule(options);
      break;
    case Task::list_targets:
      list_targets(options);
      break;
    case Task::show_target:
      show_target(options);
      break;
    case Task::new_rule:
      begin_rule(options);
      break;
    case Task::explain:
      explain(options);
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

// The shells call the program with --complete, the number of the word that is being written, and
// the words behind the program's name.
bool is_asked_by_shell(int argc, char** argv) { return argc > 2 && std::string_view(argv[1]) == "--complete"; }

ExitStatus run_and_report_errors(int argc, char** argv) {
  if (is_asked_by_shell(argc, argv)) {
    print(completions({argv + 3, argv + argc}, static_cast<size_t>(std::atoll(argv[2]))));
    return ExitStatus::done;
  }
  const Colors colors = Colors::for_stderr(color_mode_of(argc, argv));
  return report_errors(colors, [&] { return run(parse_options(argc, argv), colors); });
}

}  // namespace
}  // namespace onnx_lower

int main(int argc, char** argv) {
  // A write to a pipe that nobody reads any more fails, with the exit status of a failed write, and
  // does not kill the process; nor does a write beyond the limit of the size of files.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  google::protobuf::SetLogHandler(nullptr);  // messages of ours say what is wrong with a model
  return static_cast<int>(onnx_lower::run_and_report_errors(argc, argv));
}
