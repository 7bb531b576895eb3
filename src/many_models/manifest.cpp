// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "command_line/option_values.h"
#include "error.h"
#include "many_models/bounded_json.h"
#include "spelling.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// What reads names as C does would see another one.
void check_no_nul(const std::string& key, const std::string& text) {
  if (text.find('\0') != std::string::npos) throw UsageError(fmt::format("\"{}\" holds a NUL character", key));
}

std::string path_in(const Json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end()) return {};
  if (!found->is_string() || found->get_ref<const std::string&>().empty())
    throw UsageError(fmt::format("\"{}\" must be a path", key));
  check_no_nul(key, found->get_ref<const std::string&>());
  return found->get<std::string>();
}

// "target_opset" is "--target-opset".
std::string option_of(std::string key) {
  std::ranges::replace(key, '_', '-');
  return key;
}

// "--set=a", "--set=b" for "set": ["a", "b"]; "--attach" for "attach": true.
void add_arguments(const std::string& key, const Json& value, std::vector<std::string>& arguments) {
  if (value.is_array()) {
    for (const Json& element : value) add_arguments(key, element, arguments);
    return;
  }
  if (!value.is_string() && !value.is_boolean() && !value.is_number_integer())
    throw UsageError(fmt::format("\"{}\" must be text, a whole number, true, false or a list of these", key));
  check_no_nul(key, key);
  if (value.is_string()) check_no_nul(key, value.get_ref<const std::string&>());
  const std::string name = option_of(key);
  if (value == true) {
    arguments.push_back("--" + name);
    return;
  }
  arguments.push_back(fmt::format("--{}={}", name, value.is_string() ? value.get<std::string>() : value.dump()));
}

// That a key is an option's name, or what else it may be meant for.
void check_key(const std::string& key, const std::vector<std::string>& options) {
  std::vector<std::string> known = {"input", "output", "id"};
  if (std::ranges::find(known, key) != known.end() || std::ranges::find(options, option_of(key)) != options.end())
    return;
  known.insert(known.end(), options.begin(), options.end());
  std::string nearest = nearest_name(option_of(key), known, std::max<size_t>(1, largest_misspelling(key.size())));
  std::ranges::replace(nearest, '-', '_');
  throw UsageError(fmt::format("\"{}\" is no key{}", key,
                               nearest.empty() ? std::string() : fmt::format(": did you mean \"{}\"?", nearest)));
}

// Below the output's folder a model keeps the path that its input has.
std::string output_name(const std::string& input) {
  const fs::path path = fs::path(input).lexically_normal();
  if (path.is_absolute() || *path.begin() == "..")
    throw UsageError(fmt::format(
        "\"output\" is missing, and the path of {} does not say where below --output-dir it could go", input));
  return path.string();
}

// The parser looks for each key among those before it in its object, so that many would take a time
// that grows as the square of their number.
constexpr int most_keys = 1000;

Json parse_line(const std::string& text, const std::vector<std::string>& options) {
  std::set<std::string> keys;  // of the line
  std::vector<int> counts;     // of the keys of the object that is open at each depth
  return parse_json(text, [&](int depth, Json::parse_event_t event, const Json& parsed) {
    const auto level = static_cast<size_t>(depth);
    if (event == Json::parse_event_t::object_start) {
      counts.resize(level + 1);
      counts.push_back(0);
    }
    if (event != Json::parse_event_t::key) return;
    if (++counts[level] > most_keys) throw UsageError(fmt::format("an object has more than {} keys", most_keys));
    constexpr int of_the_line = 1;
    if (depth != of_the_line) return;
    const std::string& key = parsed.get_ref<const std::string&>();
    check_key(key, options);
    // Of a key that is there twice, a parser takes one.
    if (!keys.insert(key).second) throw UsageError(fmt::format("\"{}\" is there twice", key));
  });
}

class ManifestReader {
 public:
  explicit ManifestReader(const Options& options) : common_(std::make_shared<Options>(options)) {}

  ModelJob job_of(const std::string& text) {
    const Json line = parse_line(text, option_names_);
    if (!line.is_object())
      throw UsageError("a line must be an object: {\"input\": \"a.onnx\", \"output\": \"b.onnx\"}");
    ModelJob job{
        .input = path_in(line, "input"), .output = {}, .name = path_in(line, "output"), .options = {}, .id = {}};
    if (job.input.empty()) throw UsageError("\"input\" is missing");
    if (job.input == "-" || job.name == "-") throw UsageError("models of a manifest are files: \"-\" is none");
    std::vector<std::string> arguments;
    for (const auto& [key, value] : line.items()) {
      if (key == "input" || key == "output") continue;
      if (key == "id") {
        job.id = value.dump();
      } else {
        add_arguments(key, value, arguments);
      }
    }
    job.options = options_with(arguments);
    const std::string& folder = common_->many.output_dir;
    if (job.name.empty() && folder.empty() && !common_->check_only)
      throw UsageError("\"output\" is missing, and there is no --output-dir");
    if (job.name.empty()) job.name = common_->check_only ? job.input : output_name(job.input);
    const fs::path below = fs::path(job.name).lexically_normal();
    if (!folder.empty() && !common_->check_only && (below.is_absolute() || *below.begin() == ".."))
      throw UsageError(fmt::format("output {} leaves --output-dir: write its path below that folder", job.name));
    if (!common_->check_only) job.output = (fs::path(folder) / job.name).string();
    refuse_other_formats(job.output);
    return job;
  }

 private:
  // Millions of lines have few different options.
  std::shared_ptr<const Options> options_with(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return common_;
    std::shared_ptr<const Options>& options = known_[arguments];
    if (!options) options = std::make_shared<Options>(options_of_model(*common_, arguments));
    return options;
  }

  std::shared_ptr<const Options> common_;
  std::vector<std::string> option_names_ = option_names();
  std::map<std::vector<std::string>, std::shared_ptr<const Options>> known_;
};

}  // namespace

void read_manifest(const Options& options, const std::function<void(ModelJob, const std::string&)>& take) {
  const std::string& path = options.many.manifest;
  const std::string name = path == "-" ? "<stdin>" : path;
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& lines = path == "-" ? std::cin : file;
  if (!lines) throw_file_error(name, "cannot be opened");

  ManifestReader reader(options);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", name, ++number);
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      take(reader.job_of(line), where);
    } catch (const Json::parse_error& error) {
      throw UsageError(fmt::format(
          R"({}: is not a JSON object (there is an error at column {}); a line is {{"input": "a.onnx", "output": "b.onnx"}})",
          where, error.byte));
    } catch (const Json::out_of_range&) {
      throw UsageError(fmt::format("{}: a number is too large", where));
    } catch (const Json::exception&) {
      throw UsageError(fmt::format("{}: is not a JSON object", where));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", where, error.what()));
    }
  }
  if (lines.bad()) throw_file_error(name, "cannot be read");
}

}  // namespace onnx_lower
