// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Rule files: ONNX functions in ONNX's textual syntax, each with an optional block of conditions
// before it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.h"
#include "rules/text/form.h"
#include "rules/text/form_positions.h"

namespace onnx_lower {

// A rule's text cannot be parsed. The message is complete; `problem` is it without file and
// position.
class RuleSyntaxError : public InvalidInput {
 public:
  RuleSyntaxError(const std::string& message, std::size_t offset, std::string problem)
      : InvalidInput(message), offset_(offset), problem_(std::move(problem)) {}
  std::size_t offset() const { return offset_; }
  const std::string& problem() const { return problem_; }

 private:
  std::size_t offset_;
  std::string problem_;
};

struct RuleText {
  std::string summary;  // the first comment line
  std::string source;   // what follows "# Source:"
  // other names of the operator, domain and type, by "# Also:"
  std::vector<std::pair<std::string, std::string>> also;
  std::vector<Form> forms;
  std::vector<FormPositions> positions;  // one for each form
};

// Parses a rule file's text: functions, or a model's text that has functions after its graph.
// `file` is for messages.
// Throws RuleSyntaxError: "FILE:LINE:COLUMN: error: …", with the line and a caret.
RuleText parse_rule_text(std::string_view text, const std::string& file, RuleOrigin origin);

// What the comments of a rule file say of it; cheap, for lists. A comment that is indented by two
// spaces or more goes on with the one above it.
struct RuleComments {
  std::string summary;
  std::string source;
  std::vector<std::string_view> also;  // only before the first form; views of the text
};
RuleComments comments_of(std::string_view text);

}  // namespace onnx_lower
