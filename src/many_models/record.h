// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is kept of a model that was lowered, so that a later run can tell that its output is up to
// date.
//
// A record lies in a folder beside the output, in a file of its own that appears whole or not at
// all and that only the run that has the model's shard writes. So there is nothing that runs on
// several machines could spoil for each other, and nothing that a killed run leaves half done.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "many_models/file_identity.h"

namespace onnx_lower {

constexpr const char* record_folder_name = ".onnx-lower";
constexpr const char* lock_file_name = "lock";  // in that folder, see output_lock.h

struct RecordedFile {
  std::string path;  // of external data: as the model says it; else empty
  FileIdentity identity;
  bool settled = false;      // whether the identity alone tells that nothing changed
  std::string content_hash;  // empty for external data, which is not read
};

struct Record {
  std::string key;  // of the tool, the rules and the options
  RecordedFile input;
  RecordedFile output;
  std::vector<RecordedFile> external_inputs;   // below the input's folder
  std::vector<RecordedFile> external_outputs;  // below the output's folder
  std::string result;                          // what was reported, as JSON
};

// The files that are written for the record of an output, and that of its lock.
std::vector<std::string> record_files(const std::string& output);

// Nothing when there is none, or none that can be understood.
std::optional<Record> read_record(const std::string& output);

// Throws FileError. Makes the folder.
void write_record(const std::string& output, const Record& record);

enum class Freshness { up_to_date, outdated, contents_decide };

// Looks at the files' identities only.
Freshness freshness(const Record& record, const std::string& key, const std::string& input, const std::string& output);

// Where freshness() leaves it open: reads input and output. Throws FileError.
bool contents_are_those_of(const Record& record, const std::string& input, const std::string& output);

}  // namespace onnx_lower
