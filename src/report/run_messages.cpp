#include "report/run_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "domain.h"
#include "report/summary.h"
#include "report/unlowered_message.h"

namespace onnx_lower {
namespace {

// One warning for all nodes of an operator of which the same was assumed.
void warn_of_assumptions(const std::string& input, const LegalizeResult& result, const Colors& colors) {
  struct Group {
    const LoweredNode* first;
    size_t nodes = 0;
  };
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Group> groups;
  for (const LoweredNode& lowered : result.lowered) {
    if (lowered.assumption.empty()) continue;
    Group& group =
        groups.try_emplace({lowered.domain, lowered.op_type, lowered.assumption}, Group{&lowered}).first->second;
    ++group.nodes;
  }
  for (const auto& [key, group] : groups) {
    const LoweredNode& first = *group.first;
    const std::string others = group.nodes == 1 ? "" : fmt::format(" and {} more", group.nodes - 1);
    print_warning(colors, fmt::format("{}: '{}'{} ({}): {}; if that is not so, say it with --set", input, first.node,
                                      others, operator_name(first.domain, first.op_type), first.assumption));
  }
}

void warn_of_contradictions(const std::string& input, const LegalizeResult& result, const Colors& colors) {
  constexpr size_t most_values = 5;
  for (size_t i = 0; i < std::min(result.contradictions.size(), most_values); ++i) {
    const Contradiction& found = result.contradictions[i];
    print_warning(colors, fmt::format("{}: '{}' is declared as {}, and its node makes {}, which counts", input,
                                      found.value, found.declared, found.inferred));
  }
  if (result.contradictions.size() > most_values) {
    print_warning(colors, fmt::format("{}: {} more values are not as they are declared", input,
                                      result.contradictions.size() - most_values));
  }
}

}  // namespace

void print_run_messages(const Options& options, const RunReport& report, const Colors& colors) {
  const LegalizeResult& result = report.result;
  const std::string input = options.input == "-" ? "<stdin>" : options.input;
  const bool quiet = options.verbosity == Verbosity::quiet;
  if (!quiet || !options.allow_unlowered)
    print_message(unlowered_message(input, result, options.allow_unlowered, colors));
  if (quiet) return;
  for (const std::string& setting : result.unused_settings) {
    print_warning(colors, fmt::format("{}: --set {} fits no node that is to be lowered", input, setting));
  }
  for (const std::string& pattern : result.unused_attachments) {
    print_warning(colors, fmt::format("{}: --attach={} fits no node that is to be lowered", input, pattern));
  }
  warn_of_assumptions(input, result, colors);
  warn_of_contradictions(input, result, colors);
  if (report.status != ExitStatus::done) return;
  if (options.verbosity == Verbosity::verbose) print_message(lowered_lines(result));
  print_message(summary_line(input, result, options.check_only, report.milliseconds));
}

}  // namespace onnx_lower
