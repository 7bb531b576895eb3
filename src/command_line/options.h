// What the user asked for on the command line.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_options.h"

namespace onnx_lower {

enum class Task { lower, list_rules, show_rule, check_rules, print_help, print_version };
enum class Verbosity { quiet, normal, verbose };
enum class ColorMode { automatic, always, never };

struct Options {
  Task task = Task::lower;
  std::string input;   // "-": standard input
  std::string output;  // "-": standard output; empty with --check
  bool check_only = false;
  bool allow_unlowered = false;
  LegalizeOptions legalize;
  std::vector<std::string> kept_texts;  // --keep, as the user gave it

  std::vector<std::string> rule_paths;      // --rules
  std::vector<std::string> checked_paths;   // --check-rules
  std::string shown_domain, shown_op_type;  // --show-rule
  bool json = false;

  std::string report_path;  // empty: none
  Verbosity verbosity = Verbosity::normal;
  ColorMode color = ColorMode::automatic;
};

// Throws UsageError. Reads nothing but the arguments, and prints nothing.
Options parse_options(int argc, const char* const* argv);

// Before the options are parsed, or when they cannot be: what --color says in them.
ColorMode color_mode_of(int argc, const char* const* argv);

std::string help_text();
std::string version_text();

}  // namespace onnx_lower
