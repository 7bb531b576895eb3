// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// onnx-lower: replaces custom nodes of an ONNX model by standard ONNX operators.
//
//   load -> legalize -> check -> write

#include <google/protobuf/stubs/logging.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "check/check_model.h"
#include "check/node_order.h"
#include "command_line/commands.h"
#include "command_line/named_files.h"
#include "command_line/options.h"
#include "error.h"
#include "files_of_run.h"
#include "legalizer/legalizer.h"
#include "legalizer/opset_trials.h"
#include "many_models/lower_many.h"
#include "model_file/data_file_uses.h"
#include "model_file/external_data.h"
#include "model_file/read_model.h"
#include "model_file/write_model.h"
#include "report/json_report.h"
#include "report/progress_bar.h"
#include "report/run_messages.h"
#include "report/terminal.h"

namespace onnx_lower {
namespace {

using Clock = std::chrono::steady_clock;

// Checks the model, and puts its nodes in order where one reads a value before that is made.
ComparedVersions check_in_order(Model& model) {
  try {
    return check_model(model);
  } catch (const UndefinedValue&) {
    if (!put_in_order(model)) throw;
    return check_model(model);
  }
}

struct Legalized {
  Model model;
  ComparedVersions compared;
  LegalizeResult result;  // its views point into the model
};

// The model read and legalized once more with these options; nothing where that fails, or as many
// nodes would be left that cannot be lowered.
std::optional<Legalized> legalized_again(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                                         const LegalizeResult& result) {
  try {
    Legalized again{
        .model = read_model(InputFile::from_bytes(model.input().path(), std::string(model.input().bytes()))),
        .compared = {},
        .result = {}};
    again.compared = check_in_order(again.model);
    again.result = legalize(again.model, library, options);
    if (again.result.unlowered.size() < result.unlowered.size()) return again;
  } catch (const Error&) {
    // The refusals that are there already say more.
  }
  return std::nullopt;
}

// With folding, where that may tell shapes that a target wants.
std::optional<Legalized> with_folding(const Model& model, RuleLibrary& library, LegalizeOptions options,
                                      const LegalizeResult& result) {
  if (!may_want_folding(model, options, result)) return std::nullopt;
  options.fold = true;
  return legalized_again(model, library, options, result);
}

// For a target, at the opset at which all nodes can be lowered.
std::optional<Legalized> at_advised_opset(const Model& model, RuleLibrary& library, LegalizeOptions options,
                                          const LegalizeResult& result) {
  const int advised = opset_for_all(options, result);
  if (advised == 0) return std::nullopt;
  options.target_opset = advised;
  std::optional<Legalized> again = legalized_again(model, library, options, result);
  if (!again || !again->result.unlowered.empty()) return std::nullopt;
  const UnloweredNode& first = result.unlowered.front();
  again->result.warnings.other_opset = {.opset = advised, .node = first.node, .op_type = first.op_type};
  return again;
}

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
    ComparedVersions compared = check_in_order(model);
    check_external_data(model, options.write.allow_external_paths);

    const LegalizeOptions chosen = with_opset_of_lowered(model, library, options.legalize);
    report.result = legalize(model, library, chosen);
    const auto take = [&](std::optional<Legalized> again) {
      if (!again) return;
      report.result = {};
      model = std::move(again->model);
      compared = again->compared;
      report.result = std::move(again->result);
    };
    take(with_folding(model, library, chosen, report.result));
    settle_opset_advice(model, library, options.legalize, report.result);
    take(at_advised_opset(model, library, chosen, report.result));
    settle_narrowing_advice(model, library, options.legalize, report.result);
    report.unused_keeps = unused_keeps(model, options);
    const bool accepted = report.result.unlowered.empty() || options.allow_unlowered;
    if (accepted) check_model(model, compared);
    // From here on the model is good, or it is not written.

    end(accepted ? ExitStatus::done : ExitStatus::not_lowered);
    write_report(report);
    if (accepted && !options.check_only) {
      ProgressBar bar(options.output, 0, ProgressUnit::bytes, options.verbosity != Verbosity::quiet);
      write_model(model, options.output, options.write, [&bar](uint64_t done, uint64_t total) {
        bar.set_total(total);
        bar.advance_to(done);
      });
    }
    end(report.status);
    print_run_messages(options, report, colors);
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
    write_json_report(options, report);
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
