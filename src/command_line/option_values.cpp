// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "domain.h"
#include "error.h"
#include "rules/conditions/expression.h"
#include "source_text/characters.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

// A format that onnx-lower does not write, by the ending of its files.
struct OtherFormat {
  std::string_view ending;
  const char* what;
  // What makes it: a command, with {model} for the written file and {output} for the wanted one.
  const char* then;
};

constexpr OtherFormat other_formats[] = {
    {".dlc", "a model for Qualcomm's SDK", "qairt-converter --input_network {model} --output_path {output}"},
    {".engine", "an engine of TensorRT", "trtexec --onnx={model} --saveEngine={output}"},
    {".html", "a page", "name the page with --report"},
    {".mlmodel", "a model of Core ML", "run it by ONNX Runtime's CoreMLExecutionProvider, which makes that itself"},
    {".mlpackage", "a model of Core ML", "run it by ONNX Runtime's CoreMLExecutionProvider, which makes that itself"},
    {".mnn", "a model of MNN", "MNNConvert -f ONNX --modelFile {model} --MNNModel {output} --bizCode MNN"},
    {".om", "a model for Ascend", "atc --framework=5 --model={model} --output={output}"},
    {".onnxtext", "ONNX as the Python package onnx calls its text",
     "name it .onnxtxt, the same text under the ending that is known here"},
    {".ort", "a model in ONNX Runtime's own format", "python -m onnxruntime.tools.convert_onnx_models_to_ort {model}"},
    {".param", "a model of ncnn", "pnnx {model}"},
    {".plan", "an engine of TensorRT", "trtexec --onnx={model} --saveEngine={output}"},
    {".pt", "a model of PyTorch", "convert it by the Python package onnx2torch"},
    {".pth", "a model of PyTorch", "convert it by the Python package onnx2torch"},
    {".rknn", "a model for Rockchip's NPU", "load it by rknn-toolkit2: rknn.load_onnx(model='{model}')"},
    {".sarif", "a report", "name the report with --report"},
    {".tflite", "a model of TensorFlow Lite", "onnx2tf -i {model}"},
    {".trt", "an engine of TensorRT", "trtexec --onnx={model} --saveEngine={output}"},
    {".xml", "a model of OpenVINO", "ovc {model}"},
};

using onnx::AttributeProto;
using SetElement = condition::Operand::Literal;

// `option`: with its value, as the user gave it.
[[noreturn]] void refuse(std::string_view option, std::string_view why) {
  throw UsageError(fmt::format("{}: {}", option, why));
}

bool is_name(std::string_view text) {
  return !text.empty() && starts_name(text.front()) && std::ranges::all_of(text, continues_name);
}

struct Assignment {
  std::string_view target;
  std::string_view attribute;
  std::string_view value;
};

// The attribute follows the last dot before the equals sign; names of nodes may hold dots and
// equals signs themselves.
std::optional<Assignment> split(std::string_view text) {
  for (size_t sign = text.find('='); sign != std::string_view::npos; sign = text.find('=', sign + 1)) {
    const std::string_view left = text.substr(0, sign);
    const size_t dot = left.rfind('.');
    if (dot == std::string_view::npos || dot == 0) continue;
    const std::string_view attribute = left.substr(dot + 1);
    if (is_name(attribute)) return Assignment{left.substr(0, dot), attribute, text.substr(sign + 1)};
  }
  return std::nullopt;
}

// Reads a quoted string that `rest` starts with, and removes it from there.
std::string take_quoted(std::string_view& rest, std::string_view whole) {
  const char quote = rest.front();
  std::string content;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == quote) {
      rest.remove_prefix(i + 1);
      return content;
    }
    if (rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == quote || rest[i + 1] == '\\')) ++i;
    content += rest[i];
  }
  refuse(whole, fmt::format("the closing {} is missing", quote));
}

SetElement read_plain(std::string_view word, std::string_view whole) {
  std::string_view number = word;
  if (number.size() > 1 && number.front() == '+' && number[1] != '-') number.remove_prefix(1);
  const char* const end = number.data() + number.size();
  int64_t integer = 0;
  const auto as_integer = std::from_chars(number.data(), end, integer);
  if (as_integer.ptr == end) {
    if (as_integer.ec == std::errc::result_out_of_range)
      refuse(whole, fmt::format("{} does not fit into 64 bits", word));
    if (as_integer.ec == std::errc()) return integer;
  }
  double floating = 0;
  const auto as_float = std::from_chars(number.data(), end, floating);
  if (as_float.ptr == end && as_float.ec != std::errc::invalid_argument) {
    const float narrowed = static_cast<float>(floating);
    if (as_float.ec == std::errc::result_out_of_range || (std::isinf(narrowed) && !std::isinf(floating))) {
      refuse(whole, fmt::format("{} does not fit into a float", word));
    }
    return floating;
  }
  return std::string(word);
}

struct Word {
  std::string text;
  bool is_quoted;
};

struct Words {
  std::vector<Word> all;
  bool is_list = false;
};

// One word, or several with commas between them and perhaps brackets around them.
Words read_words(std::string_view value, std::string_view whole) {
  Words words;
  std::string_view rest = trimmed(value);
  if (rest.empty()) refuse(whole, R"(there is no value after '='; write "" for an empty string)");
  if (rest.front() == '[' && rest.back() != ']') refuse(whole, "the closing ] is missing");
  if (rest.size() >= 2 && rest.front() == '[') {
    words.is_list = true;
    rest = trimmed(rest.substr(1, rest.size() - 2));
    if (rest.empty()) return words;
  }
  while (true) {
    rest = trimmed(rest);
    if (!rest.empty() && (rest.front() == '"' || rest.front() == '\'')) {
      words.all.push_back({take_quoted(rest, whole), true});
      rest = trimmed(rest);
      if (!rest.empty() && rest.front() != ',')
        refuse(whole, fmt::format("unexpected '{}' after the closing quote", rest));
    } else {
      const size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view word = trimmed(rest.substr(0, comma));
      if (word.empty()) refuse(whole, "there is nothing before or after a comma");
      words.all.push_back({std::string(word), false});
      rest.remove_prefix(comma);
    }
    if (rest.empty()) return words;
    words.is_list = true;
    rest.remove_prefix(1);
  }
}

AttributeProto to_attribute(std::string_view name, const Words& words, std::string_view whole) {
  if (words.all.empty()) refuse(whole, "an empty list has no type");
  std::vector<SetElement> elements;
  for (const Word& word : words.all)
    elements.push_back(word.is_quoted ? SetElement(word.text) : read_plain(word.text, whole));
  AttributeProto attribute;
  attribute.set_name(std::string(name));
  if (!words.is_list) {
    condition::set_value(attribute, elements.front());
  } else if (!condition::set_values(attribute, elements)) {
    refuse(whole, "numbers and strings do not go into one list; quote the numbers that are strings");
  }
  return attribute;
}

// A number that a dimension can be; nothing when the text is none.
std::optional<int64_t> read_size(std::string_view text) {
  const std::optional<int64_t> size = number_in<int64_t>(text);
  return size && *size >= 0 ? size : std::nullopt;
}

}  // namespace

AttributeSetting parse_attribute_setting(std::string_view text) {
  constexpr std::string_view wanted = "write DOMAIN::OP.ATTRIBUTE=VALUE or node:NAME.ATTRIBUTE=VALUE";
  const std::string whole = fmt::format("--set {}", text);
  const std::optional<Assignment> assignment = split(text);
  if (!assignment) refuse(whole, wanted);
  AttributeSetting setting;
  setting.text = text;
  constexpr std::string_view node_prefix = "node:";
  if (assignment->target.starts_with(node_prefix) && !assignment->target.starts_with("node::")) {
    setting.node_name = assignment->target.substr(node_prefix.size());
    if (setting.node_name.empty()) refuse(whole, wanted);
  } else {
    const size_t colons = assignment->target.find("::");
    const size_t dot = assignment->target.rfind('.');
    if (colons == std::string_view::npos && dot != std::string_view::npos && dot > 0 &&
        dot + 1 < assignment->target.size())
      refuse(whole, fmt::format("write {}::{}", text.substr(0, dot), text.substr(dot + 1)));
    if (colons == std::string_view::npos || colons + 2 == assignment->target.size()) refuse(whole, wanted);
    setting.domain = normalized_domain(assignment->target.substr(0, colons));
    setting.op_type = assignment->target.substr(colons + 2);
  }
  setting.attribute = to_attribute(assignment->attribute, read_words(assignment->value, whole), whole);
  return setting;
}

OperatorPattern parse_operator_pattern(std::string_view option, std::string_view text) {
  const size_t colons = text.find("::");
  if (text.empty() || text.ends_with("::"))
    throw UsageError(fmt::format("{}{}{}: write DOMAIN or DOMAIN::OP", option, option == "--attach" ? "=" : " ", text));
  // No domain has the name of an operator of ONNX.
  if (colons == std::string_view::npos && !operator_versions("", text).empty())
    return {.domain = "", .op_type = std::string(text)};
  if (colons == std::string_view::npos) return {.domain = std::string(normalized_domain(text)), .op_type = ""};
  return {.domain = std::string(normalized_domain(text.substr(0, colons))),
          .op_type = std::string(text.substr(colons + 2))};
}

OperatorPattern parse_operator(std::string_view option, std::string_view text) {
  if (text.find("::") == std::string_view::npos) return {.domain = "", .op_type = std::string(text)};
  return parse_operator_pattern(option, text);
}

OperatorReading parse_reading(std::string_view text) {
  const size_t sign = text.find('=');
  const auto operator_in = [&](std::string_view name) -> OperatorPattern {
    if (name.empty() || sign == std::string_view::npos)
      throw UsageError(
          fmt::format("--as {}: write DOMAIN::OP=DOMAIN::OP, or OP for an operator without a domain", text));
    return parse_operator("--as", name);
  };
  return {.op = operator_in(text.substr(0, sign)),
          .as = operator_in(sign == std::string_view::npos ? "" : text.substr(sign + 1))};
}

std::vector<WithoutOperator> parse_without(std::string_view text) {
  std::vector<WithoutOperator> operators;
  for (const std::string_view item : split(text, ',')) {
    const OperatorPattern pattern = parse_operator_pattern("--without", item);
    const std::vector<std::string_view> similar =
        similar_operators("", pattern.op_type.empty() ? item : pattern.op_type);
    const bool is_unknown = pattern.domain.empty() && operator_versions("", pattern.op_type).empty();
    if (pattern.domain.empty() && pattern.op_type.empty())
      throw UsageError(fmt::format("--without {}: nothing would be left; name operators of ONNX one by one", text));
    if (is_unknown || (pattern.op_type.empty() && !similar.empty()))
      throw UsageError(fmt::format("--without {}: ONNX has no operator {}{}", text, item,
                                   similar.empty() ? "" : fmt::format("; is it {}?", similar.front())));
    operators.push_back({.domain = pattern.domain, .op_type = pattern.op_type});
  }
  return operators;
}

InputShape parse_input_shape(std::string_view text) {
  // Names of inputs may hold colons: torch writes "input.1", TensorFlow "x:0".
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    throw UsageError(fmt::format("--input-shape {}: write NAME:1,3,224,224", text));
  InputShape shape{.input = std::string(text.substr(0, colon)), .dims = {}, .text = std::string(text)};
  if (colon + 1 == text.size()) return shape;
  for (const std::string_view word : split(text.substr(colon + 1), ',')) {
    shape.dims.push_back(word == "?" ? std::nullopt : read_size(word));
    if (word != "?" && !shape.dims.back())
      throw UsageError(
          fmt::format("--input-shape {}: '{}' is no dimension: write a whole number, or ? for one that stays as it is",
                      text, word));
  }
  return shape;
}

NamedDimension parse_named_dimension(std::string_view text) {
  const size_t sign = text.rfind('=');
  const std::optional<int64_t> size = sign == std::string_view::npos ? std::nullopt : read_size(text.substr(sign + 1));
  if (!size || sign == 0) throw UsageError(fmt::format("--dim {}: write NAME=N, as in batch=1", text));
  return {.name = std::string(text.substr(0, sign)), .size = *size, .text = std::string(text)};
}

InputValue parse_input_value(std::string_view text) {
  const std::string whole = fmt::format("--input-value {}", text);
  // Names of inputs may hold equals signs, and so may strings.
  const size_t quote = text.find_first_of("\"'");
  const size_t sign = text.rfind('=', quote);
  if (sign == std::string_view::npos || sign == 0) refuse(whole, "write NAME=VALUE, as in sample_rate=16000");
  Words words = read_words(text.substr(sign + 1), whole);
  InputValue value{.input = std::string(text.substr(0, sign)), .elements = {}, .is_list = words.is_list, .text = {}};
  for (Word& word : words.all) value.elements.push_back(std::move(word.text));
  value.text = text;
  return value;
}

std::optional<ReportFormat> report_format(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".html") return ReportFormat::html;
  if (ending == ".sarif") return ReportFormat::sarif;
  // Any other ending may follow .json, as the name of a process does where several write.
  constexpr std::string_view not_written[] = {".csv", ".tsv", ".txt",  ".xml", ".htm",
                                              ".md",  ".pdf", ".yaml", ".yml", ".xlsx"};
  const bool is_other = std::ranges::find(not_written, ending) != std::end(not_written);
  return is_other ? std::nullopt : std::optional(ReportFormat::json);
}

void check_report_name(const std::string& path) {
  if (report_format(path)) return;
  throw UsageError(fmt::format(
      "--report {}: give the file a name that ends in .json, .html or .sarif, by which its format is chosen", path));
}

void refuse_other_formats(const std::string& output) {
  const std::filesystem::path path(output);
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), lower_case);
  const auto* found = std::ranges::find(other_formats, ending, &OtherFormat::ending);
  if (found == std::end(other_formats)) return;
  std::string model = std::filesystem::path(path).replace_extension(".onnx").string();
  throw UsageError(
      fmt::format("{}: onnx-lower writes ONNX, and this is the name of {}: write {}, and then {}", output, found->what,
                  model, fmt::format(fmt::runtime(found->then), fmt::arg("model", model), fmt::arg("output", output))));
}

}  // namespace onnx_lower
