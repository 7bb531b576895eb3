// Rule files: ONNX functions in ONNX's textual syntax, each with an optional block of conditions before it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rules/form.h"

namespace onnx_lower {

// Where the parts of a form stand in its text, as offsets.
struct FormPositions {
  std::size_t begin = 0;  // of the block of conditions, or of the header
  std::size_t name = 0;
  std::size_t end = 0;
  std::size_t where = 0;                // of the condition's opening quote
  std::vector<std::size_t> attributes;  // in the order of the text
  std::vector<std::string> attribute_names;
  std::vector<std::size_t> nodes;       // as many as the function's nodes
};

struct RuleText {
  std::string summary;  // the first comment line
  std::string source;   // what follows "# Source:"
  std::vector<Form> forms;
  std::vector<FormPositions> positions;  // one for each form
};

// Parses a rule file's text: functions, or a model's text that has functions after its graph. `file` is for messages.
// Throws InvalidInput: "FILE:LINE:COLUMN: error: …", with the line and a caret.
RuleText parse_rule_text(std::string_view text, const std::string& file, RuleOrigin origin);

struct TextPosition {
  int line = 1;    // from 1
  int column = 1;  // from 1, in characters
};

TextPosition position_in(std::string_view text, std::size_t offset);

// "FILE:LINE:COLUMN: error: MESSAGE", the line and a caret below it, without a newline at the end.
std::string message_at(std::string_view text, const std::string& file, std::size_t offset, std::string_view message);

}  // namespace onnx_lower
