// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Every file that a run reads or writes: that it writes over none that it needs is known before
// anything is written.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "error.h"
#include "same_file.h"

namespace onnx_lower {

// What a run does with a file.
enum class FileUse : uint8_t {
  // Read:
  model,
  data,          // external data of a model
  present_data,  // external data of the model that has an output's place now
  rules,
  target,
  manifest,
  // Written:
  output,
  copied_data,   // external data of an output that are another file's content
  split_data,    // those that --external-data split writes
  interim_data,  // data that have not got their own name yet
  record,        // what tells the next run that an output is up to date, and the lock
  report,
};

// One file has two uses that do not go together. The first line says which and whose, the last one
// what to do.
class FileClash : public Error {
 public:
  explicit FileClash(const std::string& message) : Error(ExitStatus::wrong_usage, message) {}
};

// The table of these files, compared as the system knows them: two names of one file are one file,
// be it by "..", by symbolic or hard links, or where the file system ignores case.
class FilesOfRun {
 public:
  // Who uses a file: a model, or the run as a whole.
  using Owner = uint32_t;
  static constexpr Owner whole_run = 0;

  // Where a file is, and what is there.
  struct Place {
    std::string real;    // without links, also where there is no file yet
    struct stat status;  // st_mode is 0 where there is none

    bool exists() const { return status.st_mode != 0; }
    bool is_regular() const { return S_ISREG(status.st_mode); }
    bool has_other_names() const { return is_regular() && status.st_nlink > 1; }  // hard links
    FileId id() const { return {status.st_dev, status.st_ino}; }
  };

  // `may_be_in_place`: whether a model may be written over itself.
  explicit FilesOfRun(bool may_be_in_place) : may_be_in_place_(may_be_in_place) {}

  // `name`: for messages.
  Owner add_model(std::string name);

  // Notes a use of a file. `source`: of copied and interim data, the file whose content they are.
  // The path "-" is no file, and neither is "". Throws FileClash. Returns where the file is.
  Place add(Owner owner, FileUse use, const std::string& path, const std::string& source = {});

  // When all uses are noted, finds what no single one shows: names of one file (hard links), and
  // files in the place of folders. Throws FileClash.
  void check_links_and_folders() const;

  // Where the folder of a file really is; each folder is looked at once.
  const std::string& real_folder_of(const std::string& path);
  // Whether a file of the table lies right in this folder, which real_folder_of() has named.
  bool uses_folder(const std::string& real_folder) const { return used_folders_.contains(real_folder); }

 private:
  struct Use {
    Owner owner = whole_run;
    FileUse use = FileUse::model;
    uint32_t source = 0;  // in sources_; 0: none
  };
  struct Entry {
    std::string real;
    Use use;
  };
  // A file to be written that has other names as well.
  struct LinkedFile {
    FileId id;
    std::string path;  // as given
    Entry entry;
  };

  Place place_of(const std::string& path, int links = 0);
  // Throws FileClash. Whether nothing has to be noted, because the same is known already.
  bool check(const Entry& entry, uint64_t hash, const std::string& path) const;
  bool is_one_file(const std::string& real, const std::string& other) const;
  bool may_share(const Use& use, const Use& other, const std::string& real) const;
  bool are_copies_of_one(const Use& use, const Use& other) const;
  bool is_there_already(const Use& copied, const std::string& real) const;
  void check_links() const;
  void check_folders() const;

  [[noreturn]] void fail(const std::string& path, const Use& use, const Use& other, const std::string& cause) const;
  std::string description_of(const Use& use) const;

  bool may_be_in_place_;
  std::string report_;  // as given
  std::vector<std::string> owners_ = {""};
  std::vector<std::string> sources_ = {""};
  // By a hash of the path that does not tell upper case from lower case.
  std::unordered_multimap<uint64_t, Entry> entries_;
  std::unordered_map<std::string, std::string> real_folders_;  // by the folders as given
  std::unordered_map<std::string, Use> used_folders_;          // by their real paths
  std::vector<LinkedFile> linked_;
  mutable std::unordered_map<std::string, bool> case_ignored_;  // by folder
};

}  // namespace onnx_lower
