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

namespace onnx_lower {

// Where the parts of a form stand in its text, as offsets.
struct FormPositions {
  std::size_t begin = 0;  // of the block of conditions, or of the header
  std::size_t name = 0;
  std::size_t end = 0;
  std::size_t where = 0;  // of the condition's opening quote
  std::vector<std::size_t>
      // of the opening quotes: one for each of the form's, though one text may hold several
      definitions;
  struct Attribute {
    std::string name;
    std::size_t offset;
  };
  std::vector<Attribute> attributes;  // in the order of the text
  std::vector<std::size_t> inputs;    // as many as the function's
  std::vector<std::size_t> outputs;
  std::vector<std::size_t> nodes;
};

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

// The offset in a rule's text of a character of a condition, whose opening quote is at `where`.
std::size_t offset_in_condition(std::string_view text, std::size_t where, std::size_t offset);

// What the comments of a rule file say of it; cheap, for lists. Views of the text.
struct RuleComments {
  std::string_view summary;
  std::string_view source;
  std::vector<std::string_view> also;  // only before the first form
};
RuleComments comments_of(std::string_view text);

}  // namespace onnx_lower
