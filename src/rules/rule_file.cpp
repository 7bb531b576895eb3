// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/rule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>
#include <utility>

#include "error.h"
#include "rules/text/rule_structure.h"
#include "source_text/source_position.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_reading(const std::string& path, const std::string& reason) {
  throw FileError(fmt::format("cannot read rules from '{}': {}", path, reason));
}

// Throws for the first form that does not hold together by itself: the rule could not be used.
void require_structure(const RuleFile& file) {
  for (std::size_t i = 0; i < file.rules.forms.size(); ++i) {
    const Form& form = file.rules.forms[i];
    const std::vector<StructureFault> faults = structure_faults(form);
    if (faults.empty()) continue;
    if (file.rules.positions.empty())
      throw InvalidInput(fmt::format("{}: error: {}", form.where_from, faults[0].message));
    const std::size_t offset = offset_of(faults[0], file.text, file.rules.positions[i]);
    throw InvalidInput(message_at(file.text, file.path, offset, faults[0].message));
  }
}

}  // namespace

bool is_rule_text_file(std::string_view path) { return path.ends_with(".onnxtxt"); }

std::vector<std::string> rule_files_at(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) fail_reading(path, error ? error.message() : "there is no such file or folder");
  if (!fs::is_directory(status)) {
    if (!path.ends_with(".onnxtxt") && !path.ends_with(".onnx")) {
      throw InvalidInput(
          fmt::format("'{}' holds no rules: expected a folder, an .onnxtxt file or an .onnx file", path));
    }
    return {path};
  }
  std::vector<std::string> files;
  fs::recursive_directory_iterator entry(path, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::string file = entry->path().string();
    if (!file.ends_with(".onnxtxt") && !file.ends_with(".onnx")) continue;
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) files.push_back(std::move(file));
  }
  if (error) fail_reading(path, error.message());
  if (files.empty())
    throw InvalidInput(fmt::format("the folder '{}' holds no rules: there is no .onnxtxt or .onnx file in it", path));
  std::ranges::sort(files);
  return files;
}

std::string read_whole_file(const std::string& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  if (!stream) fail_reading(path, std::strerror(errno));
  // Copying an empty file to a stream sets that stream's failbit.
  if (stream.peek() != std::ifstream::traits_type::eof()) bytes << stream.rdbuf();
  if (stream.bad() || !bytes) fail_reading(path, errno != 0 ? std::strerror(errno) : "reading failed");
  return std::move(bytes).str();
}

RuleText forms_of_model(std::string_view bytes, const std::string& file, RuleOrigin origin) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw InvalidInput(fmt::format("{}: error: a file of rules may not be larger than 2 GiB", file));
  }
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw InvalidInput(fmt::format("{}: error: this is no ONNX model", file));
  }
  if (model.functions_size() == 0)
    throw InvalidInput(
        fmt::format("{}: error: this model has no functions, so it holds no rules; of a function F of onnxscript, save "
                    "onnx.helper.make_model(graph, functions=[F.to_function_proto()]), with an empty graph",
                    file));
  RuleText result;
  result.summary = model.doc_string().substr(0, model.doc_string().find('\n'));
  for (onnx::FunctionProto& function : *model.mutable_functions()) {
    std::string where_from = fmt::format("{}: function {}", file, operator_name(function.domain(), function.name()));
    result.forms.push_back(form_from_function(std::move(function), origin, std::move(where_from)));
  }
  return result;
}

RuleFile read_user_rule_file(const std::string& path) {
  RuleFile file;
  file.path = path;
  file.text = read_whole_file(path);
  if (is_rule_text_file(path)) {
    file.text = without_byte_order_mark(file.text);
    file.rules = parse_rule_text(file.text, path, RuleOrigin::user);
  } else {
    file.rules = forms_of_model(file.text, path, RuleOrigin::user);
    file.text.clear();
    for (const Form& form : file.rules.forms) file.text += form_text(form);
  }
  require_structure(file);
  return file;
}

}  // namespace onnx_lower
