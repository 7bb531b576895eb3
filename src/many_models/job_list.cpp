#include "many_models/job_list.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "error.h"
#include "many_models/content_hash.h"
#include "many_models/find_models.h"
#include "many_models/manifest.h"

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
      const std::string output_path = real_path(job.output);
      const std::string input_path = real_path(job.input);
      const auto [other, is_new] = inputs_of_outputs_.try_emplace(output_path, input);
      if (!is_new) {
        throw UsageError(
            fmt::format("two models have the same output {}: {} and {}", job.output, other->second, input));
      }
      outputs_of_inputs_.try_emplace(input_path, job.output);
      check_not_overwritten(output_path, job.output);
      check_not_overwritten(input_path, job.input);
    }
    if (short_hash(job.name) % shard_.count == shard_.index - 1) jobs.push_back(std::move(job));
  }

  // The report is no model's file.
  void check_report(const std::string& path) {
    if (path.empty() || path == "-") return;
    const std::string real = real_path(path);
    if (inputs_of_outputs_.contains(real) || inputs_.contains(real))
      throw UsageError(fmt::format("--report {}: this file is one of the models", path));
  }

  std::vector<ModelJob> jobs;

 private:
  void check_not_overwritten(const std::string& real, const std::string& path) const {
    const auto input = inputs_of_outputs_.find(real);
    if (input != inputs_of_outputs_.end() && outputs_of_inputs_.contains(real)) {
      throw UsageError(
          fmt::format("{} would be overwritten by the output of {}: give another folder", path, input->second));
    }
  }

  // Of a file that need not exist; links in its folder's path are resolved.
  std::string real_path(const std::string& path) {
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
  collector.check_report(options.report_path);
  return std::move(collector.jobs);
}

}  // namespace onnx_lower
