// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/job_list.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "command_line/named_files.h"
#include "error.h"
#include "many_models/find_models.h"
#include "many_models/manifest.h"
#include "many_models/record.h"
#include "model_file/data_file_uses.h"
#include "model_file/external_locations.h"
#include "model_file/interner.h"
#include "same_file.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// The locations of an input's data, from the record of the last run if the input is what it was.
std::vector<std::string> locations_of(const ModelJob& job, const struct stat& input) {
  // What comes through a pipe can be read but once: its data are known when it is lowered.
  if (!S_ISREG(input.st_mode)) return {};
  if (!job.record || !job.record->input.settled || identity_in(input) != job.record->input.identity)
    return external_locations_at(job.input);
  std::vector<std::string> locations;
  for (const RecordedFile& file : job.record->external_inputs) locations.push_back(file.path);
  return locations;
}

// About 1 KB each: these need not be read again when their models' turn comes.
constexpr size_t most_kept_records = 50'000;

class Collector {
 public:
  Collector(const Options& options, FilesOfRun& files) : options_(options), files_(files) {
    may_write_ = !options.check_only || !options.report_path.empty() || !path_of_stream(STDOUT_FILENO).empty();
  }

  // `where`: of the manifest's line, or empty.
  void add(ModelJob job, const std::string& where) {
    const Shard& shard = options_.many.shard;
    const bool is_mine = hash_of(job.name) % shard.count == shard.index - 1;
    if (may_write_) {
      job.owner = files_.add_model(where.empty() ? job.input : where + ": " + job.input);
      if (last_options_ != job.options.get()) {
        last_options_ = job.options.get();
        if (known_options_.insert(job.options).second) add_rules_and_targets(files_, *job.options);
      }
      const struct stat input = files_.add(job.owner, FileUse::model, job.input).status;
      const FilesOfRun::Place output = files_.add(job.owner, FileUse::output, job.output);
      if (output.exists()) job.present_output = output.id();
      add_split_data(files_, job.owner, job.output, job.options->write);
      if (is_mine) {
        add_data(job, input, output.status);
      } else {
        others_.push_back(job);
      }
    }
    if (is_mine) jobs.push_back(std::move(job));
  }

  // When all models are there.
  void end() {
    if (!may_write_) return;
    add_rules_and_targets(files_, options_);
    const std::string& manifest = options_.many.manifest;
    files_.add(FilesOfRun::whole_run, FileUse::manifest, manifest == "-" ? path_of_stream(STDIN_FILENO) : manifest);
    const bool has_report = !options_.report_path.empty() && options_.report_path != "-";
    const std::string report = has_report ? options_.report_path : path_of_stream(STDOUT_FILENO);
    const FilesOfRun::Place place = files_.add(FilesOfRun::whole_run, FileUse::report, report);
    is_over_something_ |= has_report && place.is_regular();
    if (is_over_something_) add_data_of_other_shards();
    for (const ModelJob& job : jobs) add_records(job);
    for (const ModelJob& job : others_) add_records(job);
    files_.check_links_and_folders();
  }

  std::vector<ModelJob> jobs;

 private:
  // `input`, `output`: what is there.
  void add_data(ModelJob& job, const struct stat& input, const struct stat& output) {
    if (job.present_output) {
      if (std::optional<Record> record = read_record(job.output))
        job.record = std::make_shared<const Record>(*std::move(record));
      is_over_something_ |= !job.record || identity_in(output) != job.record->output.identity;
    }
    add_data_files(files_, job.owner, {job.input, job.output}, locations_of(job, input), job.options->write);
    if (!job.record) return;
    for (const RecordedFile& file : job.record->external_outputs)
      files_.add(job.owner, FileUse::present_data, beside(job.output, file.path));
    if (++records_ > most_kept_records) job.record.reset();
  }

  void add_data_of_other_shards() {
    for (ModelJob& job : others_) {
      const struct stat input = files_.add(job.owner, FileUse::model, job.input).status;
      add_data(job, input, files_.add(job.owner, FileUse::output, job.output).status);
      job.record.reset();
    }
  }

  // These are in nobody's way, unless somebody uses their folder.
  void add_records(const ModelJob& job) {
    if (job.output.empty()) return;
    const std::string folder = job.output.substr(0, job.output.rfind('/') + 1) + record_folder_name + "/";
    if (!files_.uses_folder(files_.real_folder_of(folder))) return;
    for (const std::string& record : record_files(job.output)) files_.add(job.owner, FileUse::record, record);
  }

  const Options& options_;
  FilesOfRun& files_;
  bool may_write_ = true;
  const Options* last_options_ = nullptr;
  std::set<std::shared_ptr<const Options>> known_options_;
  std::vector<ModelJob> others_;  // the models of other shards
  size_t records_ = 0;            // how many records were read
  // Whether this run would write over a file that no record calls the output of an earlier one.
  bool is_over_something_ = false;
};

// `name`: below the output's folder.
ModelJob job_for(const std::shared_ptr<const Options>& options, const std::string& input, const std::string& name) {
  const fs::path folder = options->many.output_dir;
  return {.input = input,
          .output = options->check_only ? std::string() : (folder / name).string(),
          .name = name,
          .options = options,
          .id = {}};
}

void add_given(const Options& options, Collector& collector) {
  const auto shared = std::make_shared<const Options>(options);
  for (const std::string& input : options.many.inputs) {
    const fs::path path(input);
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      if (path.filename().empty()) throw FileError(fmt::format("{}: is no folder", input));
      collector.add(job_for(shared, input, path.filename().string()), {});
      continue;
    }
    if (!options.check_only && fs::equivalent(path, options.many.output_dir, ignored)) {
      throw UsageError(fmt::format("--output-dir {}: the models lie in this folder, and their outputs need another one",
                                   options.many.output_dir));
    }
    const std::vector<std::string> models = find_models(path, options.many.output_dir);
    if (models.empty()) throw UsageError(fmt::format("{}: there is no .onnx file in this folder", input));
    for (const std::string& model : models) collector.add(job_for(shared, (path / model).string(), model), {});
  }
}

}  // namespace

std::vector<ModelJob> job_list(const Options& options, FilesOfRun& files) {
  Collector collector(options, files);
  if (options.many.manifest.empty()) {
    add_given(options, collector);
  } else {
    read_manifest(options, [&](ModelJob job, const std::string& where) { collector.add(std::move(job), where); });
  }
  collector.end();
  return std::move(collector.jobs);
}

}  // namespace onnx_lower
