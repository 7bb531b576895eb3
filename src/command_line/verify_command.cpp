// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/verify_command.h"

#include <string>
#include <utility>

#include "check/check_model.h"
#include "command_line/named_files.h"
#include "files_of_run.h"
#include "legalizer/legalizer.h"
#include "model_file/external_data.h"
#include "model_file/read_model.h"
#include "report/json_report.h"
#include "report/verify_message.h"
#include "report/write_report.h"
#include "verify/verify.h"

namespace onnx_lower {
namespace {

// The model with its custom nodes kept and what their rules make of them as functions. What the
// user says of runtimes and versions is left out: the model runs here and now.
VerifiedModel with_functions(Model model, RuleLibrary& library, const LegalizeOptions& given, const std::string& name) {
  LegalizeOptions options;
  options.attach_all = true;
  options.settings = given.settings;
  options.readings = given.readings;
  legalize(model, library, options);
  return VerifiedModel::of(model, name, data_folder_of(model.input().path()).string());
}

}  // namespace

VerifyResult verify_lowered(const Options& options, Model& lowered, RuleLibrary& library,
                            const LegalizeResult& result) {
  const std::string folder = data_folder_of(lowered.input().path()).string();
  const auto read_again = [&] { return read_model(lowered.input().shared()); };
  Model read = read_again();
  const std::string name = options.input == "-" ? "<stdin>" : options.input;
  // Standard input has no path, though it may be mapped; and text is read into memory.
  const bool is_file = options.input != "-" && lowered.input().descriptor() >= 0;
  const VerifiedModel original =
      is_file ? VerifiedModel::of_file(options.input) : VerifiedModel::of(read, name, folder);
  const VerifiedModel output =
      VerifiedModel::of(lowered, options.output.empty() ? "the lowered model" : options.output, folder);
  return verify(
      original, output, options.verify, options.legalize,
      [&] { return with_functions(read_again(), library, options.legalize, name); }, &result);
}

ExitStatus verify_two(const Options& options, const Colors&) {
  const std::string& second = options.verify.second;
  RunReport report;
  FilesOfRun files(true);
  add_named_files(files, options);
  files.check_links_and_folders();
  try {
    const VerifiedModel original = VerifiedModel::of_file(options.input);
    const VerifiedModel output = VerifiedModel::of_file(second);
    RuleLibrary library = library_for(options);
    report.verified = verify(original, output, options.verify, options.legalize, [&] {
      return with_functions(read_model(original.model().input().shared()), library, options.legalize, options.input);
    });
    if (!report.verified->is_same)
      throw Error(ExitStatus::different, verify_message(options.input, second, *report.verified));
  } catch (const Error& error) {
    report.error = error.what();
    report.status = error.status();
    write_report(options, report);
    throw;
  }
  write_report(options, report);
  if (options.verbosity != Verbosity::quiet) print_message(verify_message(options.input, second, *report.verified));
  return ExitStatus::done;
}

}  // namespace onnx_lower
