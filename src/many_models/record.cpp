// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/record.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "error.h"
#include "many_models/bounded_json.h"
#include "many_models/content_hash.h"
#include "model_file/data_file_uses.h"
#include "model_file/interner.h"

namespace onnx_lower {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileIdentity, size, inode, modified, changed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedFile, path, identity, settled, content_hash)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Record, key, input, output, external_inputs, external_outputs, result)

namespace {

namespace fs = std::filesystem;

constexpr const char* temporary_ending = ".tmp";

// Not synced: after a power cut there may be an empty record, which is as good as none.
void replace_file(const fs::path& path, const std::string& text) {
  // whoever writes the record holds the model's lock
  const fs::path temporary = path.string() + temporary_ending;
  const auto create = [&] { return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); };
  int descriptor = create();
  if (descriptor < 0 && errno == EEXIST) {
    // Of what a killed run has left, or of a link, the name goes, and not what it leads to.
    ::unlink(temporary.c_str());
    descriptor = create();
  }
  bool is_written = descriptor >= 0;
  for (size_t done = 0; is_written && done < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    is_written = count >= 0;
    done += static_cast<size_t>(std::max<ssize_t>(count, 0));
  }
  if (descriptor >= 0) is_written &= ::close(descriptor) == 0;
  if (!is_written || ::rename(temporary.c_str(), path.c_str()) != 0)
    throw FileError(path.string() + ": cannot be written");
}

bool is_where_it_was(const RecordedFile& file, const std::string& path) {
  const auto now = identity_of(path);
  return now && *now == file.identity;
}

fs::path record_path(const std::string& output) {
  const fs::path path(output);
  // Names may be so long that nothing can be added to them.
  std::string name = path.filename().string();
  if (name.size() > 200) name.replace(180, std::string::npos, "-" + std::to_string(hash_of(name)));
  return path.parent_path() / record_folder_name / (name + ".json");
}

}  // namespace

std::vector<std::string> record_files(const std::string& output) {
  const fs::path path = record_path(output);
  return {path.string(), path.string() + temporary_ending, (path.parent_path() / lock_file_name).string()};
}

std::optional<Record> read_record(const std::string& output) {
  std::ifstream stream(record_path(output), std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    Record record = nlohmann::json(parse_json(text.view())).get<Record>();
    parse_json(record.result);
    return record;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // damaged: as good as none
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void write_record(const std::string& output, const Record& record) {
  const nlohmann::json json = record;
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const fs::path path = record_path(output);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) throw FileError(path.parent_path().string() + ": cannot be made: " + error.message());
  replace_file(path, text);
}

Freshness freshness(const Record& record, const std::string& key, const std::string& input, const std::string& output) {
  if (record.key != key) return Freshness::outdated;
  const auto input_now = identity_of(input);
  const auto output_now = identity_of(output);
  if (!input_now || !output_now) return Freshness::outdated;
  if (input_now->size != record.input.identity.size || output_now->size != record.output.identity.size)
    return Freshness::outdated;
  // External data may be a thousand times as large as the model: where its identity does not tell,
  // it is cheaper to do the work.
  for (const RecordedFile& file : record.external_inputs) {
    if (!file.settled || !is_where_it_was(file, beside(input, file.path))) return Freshness::outdated;
  }
  // Models may share these, and each that is lowered copies them anew: only their sizes stay.
  for (const RecordedFile& file : record.external_outputs) {
    const auto now = identity_of(beside(output, file.path));
    if (!now || now->size != file.identity.size) return Freshness::outdated;
  }
  const bool same_input = record.input.settled && *input_now == record.input.identity;
  const bool same_output = *output_now == record.output.identity;
  return same_input && same_output ? Freshness::up_to_date : Freshness::contents_decide;
}

bool contents_are_those_of(const Record& record, const std::string& input, const std::string& output) {
  return content_hash_of_file(input) == record.input.content_hash &&
         content_hash_of_file(output) == record.output.content_hash;
}

}  // namespace onnx_lower
