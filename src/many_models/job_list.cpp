// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/job_list.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "error.h"
#include "many_models/find_models.h"
#include "many_models/manifest.h"
#include "model_file/interner.h"
#include "same_file.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  explicit Collector(const Options& options) : shard_(options.many.shard), has_report_(!options.report_path.empty()) {}

  // `where`: of the manifest's line, or empty.
  void add(ModelJob job, const std::string& where) {
    const std::string input = where.empty() ? job.input : where + ": " + job.input;
    if (has_report_) inputs_.insert(real_path(job.input));
    if (!job.output.empty()) {
      FileId id{};
      const std::string output_path = real_path(job.output, &id);
      const std::string input_path = real_path(job.input);
      const auto [other, is_new] = inputs_of_outputs_.try_emplace(output_path, input);
      if (!is_new) {
        throw UsageError(
            fmt::format("two models have the same output {}: {} and {}", job.output, other->second, input));
      }
      outputs_of_inputs_.try_emplace(input_path, job.output);
      check_not_overwritten(output_path, job.output);
      check_not_overwritten(input_path, job.input);
      if (id != FileId()) linked_outputs_.push_back({id, job.output, input_path, input});
    }
    for (const std::string& rules : job.options->rule_paths) rules_.insert(rules);
    if (hash_of(job.name) % shard_.count == shard_.index - 1) jobs.push_back(std::move(job));
  }

  // Neither the report nor an output takes the place of what the run reads.
  void check_files(const std::string& report, const std::string& manifest) {
    check_linked_outputs();
    check_read_file(manifest, "the manifest", report);
    for (const std::string& rules : rules_) check_read_file(rules, "a file of rules", report);
    if (report.empty() || report == "-") return;
    FileId id{};
    const std::string real = real_path(report, &id);
    if (inputs_of_outputs_.contains(real) || inputs_.contains(real) || (id != FileId() && is_name_of_a_model(id)))
      throw UsageError(fmt::format("--report {}: this file is one of the models", report));
  }

  std::vector<ModelJob> jobs;

 private:
  // An output that is there already, under other names too: written anew it would leave those
  // alone, but whoever gave them may have meant one file.
  struct LinkedOutput {
    FileId id;
    std::string output;
    std::string real_input;
    std::string input;  // for messages
  };

  void check_not_overwritten(const std::string& real, const std::string& path) const {
    const auto input = inputs_of_outputs_.find(real);
    if (input != inputs_of_outputs_.end() && outputs_of_inputs_.contains(real)) {
      throw UsageError(
          fmt::format("{} would be overwritten by the output of {}: give another folder", path, input->second));
    }
  }

  void check_linked_outputs() const {
    std::set<FileId> inputs;
    for (const LinkedOutput& linked : linked_outputs_) {
      // "cp -al" makes such of a model and its own output.
      if (file_id(linked.real_input) == linked.id) continue;
      if (inputs.empty()) {
        for (const auto& [input, output] : outputs_of_inputs_) inputs.insert(file_id(input).value_or(FileId()));
      }
      if (inputs.contains(linked.id)) {
        throw UsageError(
            fmt::format("{}, the output of {}, is a link to the file of another model: give another folder",
                        linked.output, linked.input));
      }
    }
  }

  // `what` a file is that the run reads, beside models.
  void check_read_file(const std::string& path, const char* what, const std::string& report) {
    std::error_code error;
    if (path.empty() || path == "-" || fs::is_directory(path, error)) return;
    const auto output = inputs_of_outputs_.find(real_path(path));
    if (output != inputs_of_outputs_.end())
      throw UsageError(fmt::format("{}: {} would be overwritten by the output of {}", path, what, output->second));
    const std::optional<FileId> id = file_id(path);
    for (const LinkedOutput& linked : linked_outputs_) {
      if (linked.id == id)
        throw UsageError(fmt::format("{}: {} would be overwritten by the output of {}", path, what, linked.input));
    }
    if (is_same_file(report, path)) throw UsageError(fmt::format("--report {}: this file is {}", report, what));
  }

  bool is_name_of_a_model(const FileId& id) const {
    const auto is_it = [&id](const std::string& path) { return file_id(path) == id; };
    return std::ranges::any_of(inputs_, is_it) ||
           std::ranges::any_of(inputs_of_outputs_, is_it, [](const auto& output) { return output.first; });
  }

  // Of a file that need not exist, without links. `id`: set where the file is there and has other
  // names besides.
  std::string real_path(const std::string& path, FileId* id = nullptr) {
    struct stat status {};
    const bool exists = ::lstat(path.c_str(), &status) == 0;
    if (exists && S_ISLNK(status.st_mode)) {
      // In a circle, or to itself: then it is as good as any name, and opening it will say what is
      // wrong.
      const std::optional<fs::path> target = resolved_path(path);
      if (target && *target != path) return real_path(target->string(), id);
    }
    if (id != nullptr && exists && S_ISREG(status.st_mode) && status.st_nlink > 1)
      *id = FileId(status.st_dev, status.st_ino);
    const fs::path given(path);
    const std::string folder = given.parent_path().string();
    auto [known, is_new] = real_folders_.try_emplace(folder);
    if (is_new) {
      std::error_code ignored;
      known->second = fs::weakly_canonical(folder.empty() ? fs::path(".") : fs::path(folder), ignored);
    }
    return (known->second / given.filename()).string();
  }

  Shard shard_;
  bool has_report_;
  std::unordered_set<std::string> inputs_;  // where there is a report
  std::unordered_map<std::string, fs::path> real_folders_;
  std::unordered_map<std::string, std::string> inputs_of_outputs_;
  std::unordered_map<std::string, std::string> outputs_of_inputs_;
  std::vector<LinkedOutput> linked_outputs_;
  std::set<std::string> rules_;
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

std::vector<ModelJob> job_list(const Options& options) {
  Collector collector(options);
  if (options.many.manifest.empty()) {
    add_given(options, collector);
  } else {
    read_manifest(options, [&](ModelJob job, const std::string& where) { collector.add(std::move(job), where); });
  }
  collector.check_files(options.report_path, options.many.manifest);
  return std::move(collector.jobs);
}

}  // namespace onnx_lower
