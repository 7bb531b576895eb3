// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the user asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "legalizer/legalize_options.h"
#include "model_file/write_options.h"
#include "verify/verify_options.h"

namespace onnx_lower {

enum class Task {
  lower,
  lower_many,
  verify,
  list_rules,
  show_rule,
  check_rules,
  new_rule,
  list_targets,
  show_target,
  explain,
  print_help,
  print_version
};
enum class Verbosity { quiet, normal, verbose };
enum class ColorMode { automatic, always, never };
enum class ReportFormat { json, html, sarif };

// The part of many models that one run lowers, where several runs share them.
struct Shard {
  uint64_t index = 1;  // from 1 to `count`
  uint64_t count = 1;
};

// The options of Task::lower_many.
struct ManyModelsOptions {
  std::vector<std::string> inputs;  // files and folders, as given
  // Empty where the manifest says where each output goes, or no output is written.
  std::string output_dir;
  std::string manifest;  // "-": standard input; empty: none
  int jobs = 0;          // models at once; 0: as many as there are CPUs to use
  Shard shard;
  bool force = false;             // lowers models again whose output is up to date
  std::optional<double> timeout;  // seconds for one model; no limit where there are none
};

struct Options {
  Task task = Task::lower;
  std::string input;   // "-": standard input
  std::string output;  // "-": standard output; empty with --check
  bool check_only = false;
  bool asks_targets = false;  // with check_only: each target is asked, as the answers are printed
  bool allow_unlowered = false;
  LegalizeOptions legalize;
  WriteOptions write;
  VerifyOptions verify;
  std::vector<std::string> kept_texts;      // --keep, as the user gave it
  std::vector<std::string> attached_texts;  // --attach; "*" for all
  std::vector<std::string> without_texts;   // --without

  std::vector<std::string> rule_paths;      // --rules
  std::vector<std::string> target_paths;    // of --target, those that are files
  std::vector<std::string> checked_paths;   // --check-rules
  std::string shown_domain, shown_op_type;  // --show-rule
  std::string shown_target;                 // --show-target
  std::string explained;                    // --explain
  bool json = false;                        // --list-rules, --list-targets

  std::string report_path;  // empty: none
  ReportFormat report_format = ReportFormat::json;
  bool diff = false;  // --diff: prints what changes in the model
  Verbosity verbosity = Verbosity::normal;
  ColorMode color = ColorMode::automatic;

  ManyModelsOptions many;
  std::vector<std::string> arguments;  // all that parse_options was given
  // The options that decide what an output holds, as text that is compared and hashed. It leaves
  // out the rules, as what their files hold is compared.
  std::string effect;
};

}  // namespace onnx_lower
