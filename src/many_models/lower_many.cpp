// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/lower_many.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "available_cpus.h"
#include "command_line/option_values.h"
#include "counted.h"
#include "many_models/content_hash.h"
#include "many_models/interruption.h"
#include "many_models/job_list.h"
#include "many_models/process_pool.h"
#include "many_models/record.h"
#include "many_models/result_report.h"
#include "model_file/output_file.h"
#include "model_file/pending_file.h"
#include "report/html_report.h"
#include "report/progress_bar.h"
#include "report/sarif_report.h"
#include "rules/rule_file.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The rules that models ask for by their --rules.
struct Rules {
  explicit Rules(const Options& options) : library(library_for(options)) {
    for (const std::string& path : options.rule_paths) {
      for (const std::string& file : rule_files_at(path)) hashes += content_hash_of_file(file);
    }
  }

  RuleLibrary library;
  std::string hashes;  // of the contents of the user's files, in their order
};

// The folder of the outputs is made when it is sure that something can be written there.
std::vector<ModelJob> jobs_and_folder(const Options& options, FilesOfRun& files) {
  std::vector<ModelJob> jobs = job_list(options, files);
  check_report_name(options.report_path);
  if (!options.many.output_dir.empty()) {
    std::error_code error;
    fs::create_directories(options.many.output_dir, error);
    if (error) throw FileError(fmt::format("{}: cannot be made: {}", options.many.output_dir, error.message()));
  }
  return jobs;
}

// The report on all models as one page, or as one file of SARIF, which is written when all are
// done.
class WholeReport {
 public:
  explicit WholeReport(const Options& options) : options_(options) {}

  void add(const ModelJob& job, const ToldResult& result) {
    if (options_.report_format == ReportFormat::html) {
      // The line of a result is an object.
      models_.push_back(result.line.substr(0, result.line.rfind('}')) +
                        (result.details.empty() ? "}" : ",\"report\":" + result.details + "}"));
    } else if (options_.report_format == ReportFormat::sarif) {
      models_.push_back(result.details.empty() ? run_without_details(job, result) : result.details);
    }
  }

  // Throws FileError.
  void write() const {
    if (options_.report_format == ReportFormat::html) {
      write_output(options_.report_path, html_report(fmt::format("{{\"models\":[{}]}}", fmt::join(models_, ",\n"))));
    } else if (options_.report_format == ReportFormat::sarif) {
      write_output(options_.report_path, sarif_report(models_));
    }
  }

 private:
  // Of a model that was up to date, or whose process ended early.
  std::string run_without_details(const ModelJob& job, const ToldResult& result) const {
    Options options = options_;
    options.input = job.input;
    RunReport report;
    report.error = result.error;
    report.status = result.outcome == Outcome::failed ? ExitStatus::file_error : ExitStatus::done;
    return sarif_run(options, report);
  }

  const Options& options_;
  std::vector<std::string> models_;
};

// Where the results go, line by line: --report FILE, or standard output if that is asked for ("-")
// or is no terminal. Each line is written whole, at once, so that who reads it while the run goes
// on, or after it was killed, finds no half of one.
class ResultStream {
 public:
  explicit ResultStream(const Options& options);  // throws FileError
  ~ResultStream();
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;

  void write(const std::string& line);  // throws FileError
  bool takes_standard_output() const { return descriptor_ == STDOUT_FILENO; }

 private:
  std::string name_;
  int descriptor_ = -1;  // none: nobody wants the results
};

ResultStream::ResultStream(const Options& options) : name_(options.report_path) {
  if (!name_.empty() && options.report_format != ReportFormat::json) name_.clear();
  if (name_.empty() && ::isatty(STDOUT_FILENO) != 0) return;
  if (name_.empty() || name_ == "-") {
    name_ = "standard output";
    descriptor_ = STDOUT_FILENO;
    return;
  }
  descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_file_error(name_, "cannot be written");
}

ResultStream::~ResultStream() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void ResultStream::write(const std::string& line) {
  if (descriptor_ < 0) return;
  size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(descriptor_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_file_error(name_, "cannot be written");
    written += static_cast<size_t>(count);
  }
}

class Run {
 public:
  Run(const Options& options, const Colors& colors, const LowerModel& lower)
      : options_(options),
        colors_(colors),
        lower_(lower),
        jobs_(jobs_and_folder(options, files_)),
        results_(options),
        pool_([this](size_t job, std::string& result) { return lower_one(jobs_[job], result); },
              static_cast<size_t>(options.many.jobs > 0 ? options.many.jobs : available_cpus()), options.many.timeout),
        progress_("models", jobs_.size(), ProgressUnit::items, options.verbosity != Verbosity::quiet) {}

  ExitStatus run() {
    // What the processes share is read before there are any.
    for (const ModelJob& job : jobs_) rules_of(*job.options);
    for (size_t i = 0; i < jobs_.size() && Interruption::signal() == 0;) {
      if (skip(jobs_[i]) || (!pool_.full() && pool_.start(i))) {
        ++i;
        continue;
      }
      take_finished();
    }
    pool_.close();
    while (!pool_.empty() && Interruption::signal() == 0) take_finished();
    if (Interruption::signal() != 0) {
      for (const FinishedTask& finished : pool_.stop()) remove_temporaries(finished);
    }
    progress_.clear();
    report_.write();
    print_end();
    if (Interruption::signal() != 0) Interruption::end_program();
    if (!failures_.empty()) return ExitStatus::some_failed;
    return options_.check_only && needs_lowering_ ? ExitStatus::needs_lowering : ExitStatus::done;
  }

 private:
  Rules& rules_of(const Options& options) { return rules_.try_emplace(options.rule_paths, options).first->second; }

  // What an output depends on besides its input: the executable (so its version, the built-in
  // rules, and whatever else it is made of), the user's rules, and the options.
  std::string key_of(const ModelJob& job) {
    if (job.output.empty()) return {};
    return content_hash(tool_hash_ + rules_of(*job.options).hashes + '\0' + job.options->effect);
  }

  // What is up to date by its files' identities is no task for a process.
  bool skip(ModelJob& job) {
    if (job.output.empty() || options_.many.force) return false;
    const Clock::time_point start = Clock::now();
    std::shared_ptr<const Record> record = std::move(job.record);
    if (!record) {
      if (std::optional<Record> read = read_record(job.output))
        record = std::make_shared<const Record>(*std::move(read));
    }
    if (!record || freshness(*record, key_of(job), job.input, job.output) != Freshness::up_to_date) return false;
    const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    take(job, told_up_to_date(job, record->result, milliseconds));
    return true;
  }

  // In a process of the pool.
  int lower_one(const ModelJob& job, std::string& result) {
    const auto rules = [this](const Options& options) -> RuleLibrary& { return rules_of(options).library; };
    return static_cast<int>(process_model(job, key_of(job), {rules, lower_, files_}, result));
  }

  void take_finished() {
    for (const FinishedTask& finished : pool_.wait()) {
      const ModelJob& job = jobs_[finished.task];
      remove_temporaries(finished);
      const ToldResult result = told(job, finished);
      const bool speaks = result.outcome == Outcome::failed || options_.verbosity == Verbosity::verbose;
      if (speaks) {
        progress_.clear();
        print_message(finished.messages);
        if (finished.messages.empty() || finished.signal != 0 || finished.timed_out)
          print_error(colors_, fmt::format("{}: {}", job.input, result.error));
      }
      if (result.outcome == Outcome::lowered) warn_of_assumptions(job, result);
      take(job, result);
    }
  }

  // Once for all models of which the same was assumed: a zoo has thousands of a kind.
  void warn_of_assumptions(const ModelJob& job, const ToldResult& result) {
    for (const std::string& assumption : result.assumptions) {
      if (++assumptions_[assumption] > 1 || options_.verbosity != Verbosity::normal) continue;
      progress_.clear();
      print_warning(colors_, fmt::format("{}: {}", job.input, assumption));
    }
  }

  void take(const ModelJob& job, const ToldResult& result) {
    results_.write(result.line);
    report_.add(job, result);
    ++counts_[static_cast<size_t>(result.outcome)];
    needs_lowering_ |= result.needs_lowering;
    if (result.outcome == Outcome::failed) {
      failures_.emplace_back(job.input, result.error);
      progress_.count_failure();
    }
    if (!result.verdicts.empty()) verdicts_.emplace_back(job.input, result.verdicts);
    if (result.settings_mattered) {
      ++models_with_settings_;
      for (const std::string& setting : std::set(result.unused_settings.begin(), result.unused_settings.end()))
        ++unused_settings_[setting];
      for (const std::string& keep : std::set(result.unused_keeps.begin(), result.unused_keeps.end()))
        ++unused_keeps_[keep];
    }
    progress_.advance(1);
  }

  void remove_temporaries(const FinishedTask& finished) const {
    const std::string& output = jobs_[finished.task].output;
    if (finished.signal != 0 && !output.empty()) remove_pending_files(fs::path(output).parent_path(), finished.process);
  }

  // Standard output has the results where --report does not say otherwise, and is no terminal.
  void print_matrix() const {
    std::vector<std::pair<std::string, VerdictByTarget>> by_name = verdicts_;
    std::ranges::sort(by_name, {}, &std::pair<std::string, VerdictByTarget>::first);
    const std::string matrix = target_matrix(by_name);
    if (results_.takes_standard_output()) {
      print_message(matrix);
    } else {
      print(matrix);
    }
  }

  void print_end() const {
    if (options_.verbosity == Verbosity::quiet) return;
    if (!verdicts_.empty()) print_matrix();
    const size_t done = counts_[0] + counts_[1] + counts_[2] + counts_[3];
    // A setting may well be for some of the models; that it is for none is worth a word.
    const auto is_for_none = [&](const std::map<std::string, size_t>& unused, const std::string& text) {
      const auto models = unused.find(text);
      return done == jobs_.size() && models_with_settings_ == done && models != unused.end() && models->second == done;
    };
    for (const AttributeSetting& setting : options_.legalize.settings) {
      if (is_for_none(unused_settings_, setting.text))
        print_warning(colors_, fmt::format("--set {} fits no node of any model that is to be lowered", setting.text));
    }
    for (const std::string& keep : options_.kept_texts) {
      if (is_for_none(unused_keeps_, keep))
        print_warning(colors_, fmt::format("--keep {} fits no node of any model", keep));
    }
    for (const auto& [assumption, models] : assumptions_) {
      if (models > 1) print_warning(colors_, fmt::format("{} (in {} models)", assumption, models));
    }
    std::string text;
    if (Interruption::signal() != 0) {
      text = fmt::format("interrupted: {} of {} done; run the same command again to go on\n", done,
                         counted(jobs_.size(), "model"));
    }
    text += fmt::format("{}: {} {}, {} unchanged, {} up to date, {} failed; {:.1f} s\n", counted(done, "model"),
                        counts_[0], options_.check_only ? "can be lowered" : "lowered", counts_[1], counts_[2],
                        counts_[3], std::chrono::duration<double>(Clock::now() - start_).count());
    constexpr size_t most_failures = 5;
    for (size_t i = 0; i < std::min(failures_.size(), most_failures); ++i)
      text += fmt::format("  failed: {}\n", failures_[i].first);
    if (failures_.size() > most_failures) text += fmt::format("  and {} more\n", failures_.size() - most_failures);
    print_message(text);
  }

  const Clock::time_point start_ = Clock::now();
  const Options& options_;
  const Colors& colors_;
  const LowerModel& lower_;
  FilesOfRun files_{false};
  std::vector<ModelJob> jobs_;
  const std::string tool_hash_ = content_hash_of_file("/proc/self/exe");
  std::map<std::vector<std::string>, Rules> rules_;  // by their paths
  ResultStream results_;
  WholeReport report_{options_};
  const Interruption interruption_;
  ProcessPool pool_;
  ProgressBar progress_;

  std::array<size_t, 4> counts_{};                             // by Outcome
  std::vector<std::pair<std::string, std::string>> failures_;  // input and error
  std::map<std::string, size_t> unused_settings_;              // in how many models
  std::map<std::string, size_t> unused_keeps_;
  size_t models_with_settings_ = 0;
  bool needs_lowering_ = false;                // one of the models that were checked
  std::map<std::string, size_t> assumptions_;  // in how many models
  std::vector<std::pair<std::string, VerdictByTarget>> verdicts_;
};

}  // namespace

ExitStatus lower_many(const Options& options, const Colors& colors, const LowerModel& lower) {
  return Run(options, colors, lower).run();
}

}  // namespace onnx_lower
