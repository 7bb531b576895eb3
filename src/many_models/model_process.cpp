// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/model_process.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

#include "error.h"
#include "many_models/content_hash.h"
#include "many_models/output_lock.h"
#include "many_models/record.h"
#include "many_models/result_report.h"
#include "model_file/data_copies.h"
#include "model_file/data_file_uses.h"
#include "report/terminal.h"
#include "report/write_report.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// What the files at hand were like before anything was read: a change while the work went on must
// not pass for what was read.
RecordedFile look_at(const std::string& path, const std::string& location) {
  const auto identity = identity_of(path);
  if (!identity) return {};
  return {.path = location, .identity = *identity, .settled = identity->is_settled(), .content_hash = {}};
}

// Where the output's external data lie, given where the input's do.
std::vector<std::string> external_outputs(const ModelJob& job, const std::vector<std::string>& external_inputs) {
  switch (job.options->write.external_data) {
    case ExternalDataMode::keep: {
      std::vector<std::string> outputs = external_inputs;
      if (may_have_derived_data(job.output, external_inputs))
        outputs.push_back(fs::path(job.output).filename().string() + derived_data_ending);
      return outputs;
    }
    case ExternalDataMode::embed:
      return {};
    case ExternalDataMode::split:
      return {fs::path(job.output).filename().string() + ".data"};
  }
  return {};
}

// True when the record is good, also if only the contents told; then it is brought up to date
// itself, so that next time the identities do.
bool is_up_to_date(const ModelJob& job, const std::string& key, Record& record) {
  const RecordedFile input = look_at(job.input, {});
  const Freshness found = freshness(record, key, job.input, job.output);
  if (found != Freshness::contents_decide) return found == Freshness::up_to_date;
  if (!contents_are_those_of(record, job.input, job.output)) return false;
  record.input.identity = input.identity;
  record.input.settled = input.settled;
  record.output.identity = look_at(job.output, {}).identity;
  write_record(job.output, record);
  return true;
}

ExitStatus failed(const ModelJob& job, const std::string& message, std::string& result) {
  const bool names_model = message.find(job.input) != std::string::npos;
  print_message(fmt::format("{}{}{}\n", names_model ? "" : job.input, names_model ? "" : ": ", message));
  result = failure(ExitStatus::file_error, message);
  return ExitStatus::file_error;
}

// Locks them all, in an order that is the same for all models.
void lock_external_data(const ModelJob& job, const std::vector<std::string>& locations, OutputLock& lock) {
  std::set<std::string> paths;
  for (const std::string& location : locations)
    paths.insert(fs::path(beside(job.output, location)).lexically_normal().string());
  for (const std::string& path : paths) lock.external_data(path);
}

// What could not be known before anything ran: the model has changed, or came through a pipe.
void check_data_files(const ModelJob& job, const std::vector<std::string>& locations, FilesOfRun& files) {
  try {
    add_data_files(files, job.owner, {job.input, job.output}, locations, job.options->write);
  } catch (const FileClash& clash) {
    throw FileError(clash.what());
  }
}

// The file that has the output's place may have come after the run has looked at what is there. It
// is this model's if another run on the same input has made it.
void check_present_output(const ModelJob& job) {
  const std::optional<FileId> now = file_id(job.output);
  if (!now || now == job.present_output) return;
  const std::optional<Record> record = read_record(job.output);
  if (record && identity_of(job.output) == record->output.identity && identity_of(job.input) == record->input.identity)
    return;
  throw FileError(
      fmt::format("{}: this file appeared while the run went on, and is left as it is\n"
                  "move it away, or give the output another path, and run the same command again",
                  job.output));
}

ExitStatus lower_and_record(const ModelJob& job, const std::string& key, const SharedWork& shared, OutputLock& lock,
                            std::string& result) {
  Options options = *job.options;
  options.input = job.input;
  options.output = job.output;
  options.report_path.clear();
  if (options.verbosity != Verbosity::verbose) options.verbosity = Verbosity::quiet;

  Record record;
  record.key = key;
  record.input = look_at(job.input, {});
  std::error_code ignored;
  const bool are_linked = !job.output.empty() && fs::equivalent(job.input, job.output, ignored);
  std::vector<std::string> outputs;
  bool is_read = false;
  std::string details;
  const auto take_report = [&](const RunReport& report) {
    result = result_of(report);
    details = details_of(options, report);
    if (is_read || job.output.empty() || !report.error.empty()) return;
    is_read = true;
    check_data_files(job, report.external_files, shared.files);
    // From here on the output is written. Other models may have external data of the same name.
    for (const std::string& location : report.external_files)
      record.external_inputs.push_back(look_at(beside(job.input, location), location));
    outputs = external_outputs(job, report.external_files);
    lock_external_data(job, outputs, lock);
  };
  const ExitStatus status = shared.lower(options, shared.rules, take_report);
  if (status != ExitStatus::done || job.output.empty()) {
    result = with_details(result, details);
    return status;
  }

  record.input.content_hash = content_hash_of_file(job.input);
  record.output = look_at(job.output, {});
  record.output.content_hash = content_hash_of_file(job.output);
  for (const std::string& location : outputs) {
    if (const auto identity = identity_of(beside(job.output, location)))
      record.external_outputs.push_back(
          {.path = location, .identity = *identity, .settled = false, .content_hash = {}});
  }
  const RecordedFile input_now = look_at(job.input, {});
  if (are_linked) {
    // The output had been another link to the input. That the input has lost it shows in its change
    // time.
    record.input.identity.changed = input_now.identity.changed;
    record.input.settled = input_now.settled;
  }
  if (input_now.identity != record.input.identity)
    return failed(job, fmt::format("{}: was changed while it was read", job.input), result);
  if (record.input.content_hash == record.output.content_hash) result = with_status(result, Outcome::unchanged);
  record.result = result;
  write_record(job.output, record);
  result = with_details(result, details);
  return status;
}

}  // namespace

ExitStatus process_model(const ModelJob& job, const std::string& key, const SharedWork& shared, std::string& result) {
  OutputLock lock;
  if (job.output.empty()) return lower_and_record(job, key, shared, lock, result);
  try {
    std::error_code ignored;
    // A hard link is only another name for now: the output takes the place of the name.
    if (fs::equivalent(job.input, job.output, ignored) &&
        fs::canonical(job.input, ignored) == fs::canonical(job.output, ignored))
      return failed(job, fmt::format("{}: input and output are the same file", job.input), result);
    // writing the output will say what is wrong
    fs::create_directories(fs::path(job.output).parent_path(), ignored);
    lock.model(job.output);
    if (!job.options->many.force) {
      std::optional<Record> record = read_record(job.output);
      if (record && is_up_to_date(job, key, *record)) {
        result = with_status(record->result, Outcome::up_to_date);
        return ExitStatus::done;
      }
    }
    check_present_output(job);
    return lower_and_record(job, key, shared, lock, result);
  } catch (const Error& error) {
    return failed(job, error.what(), result);
  }
}

}  // namespace onnx_lower
