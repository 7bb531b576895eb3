// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "files_of_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unordered_set>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

bool is_written(FileUse use) { return use >= FileUse::output; }

// 64-bit FNV-1a.
uint64_t hash_without_case(const std::string& path) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : path) hash = (hash ^ static_cast<uint8_t>(lower_case(letter))) * 0x100000001b3;
  return hash;
}

// What to do about a file that is written in this way.
std::string advice_for(FileUse use) {
  switch (use) {
    case FileUse::report:
      return "give --report another file";
    case FileUse::record:
      return "give the other file a path outside of the folder .onnx-lower";
    case FileUse::copied_data:
    case FileUse::split_data:
    case FileUse::interim_data:
      return "give that output another path, or let it hold its data: --external-data embed";
    default:
      return "give that output another path";
  }
}

// Of the files that a run reads, what cannot be made again.
std::string contents_of(FileUse use) {
  switch (use) {
    case FileUse::rules:
      return ": the file holds rules";
    case FileUse::target:
      return ": the file holds a target";
    case FileUse::manifest:
      return ": the file holds the list of models";
    default:
      return {};
  }
}

}  // namespace

FilesOfRun::Owner FilesOfRun::add_model(std::string name) {
  owners_.push_back(std::move(name));
  return static_cast<Owner>(owners_.size() - 1);
}

const std::string& FilesOfRun::real_folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const auto [known, is_new] = real_folders_.try_emplace(slash == std::string::npos ? "" : path.substr(0, slash + 1));
  if (is_new) {
    const std::string folder = slash == std::string::npos ? "." : known->first;
    if (char* const real = ::realpath(folder.c_str(), nullptr)) {
      known->second = real;
      std::free(real);
    } else {
      std::error_code error;
      const fs::path absolute = fs::absolute(folder, error);
      const fs::path wanted = fs::weakly_canonical(absolute, error);
      known->second = (error ? absolute.lexically_normal() : wanted).string();
      // what is not there yet may keep the slash that it was given with
      while (known->second.size() > 1 && known->second.ends_with('/')) known->second.pop_back();
    }
  }
  return known->second;
}

FilesOfRun::Place FilesOfRun::place_of(const std::string& path, int links) {
  constexpr int most_links = 40;  // as the kernel has it
  struct stat status {};
  const bool exists = ::lstat(path.c_str(), &status) == 0;
  if (!exists) status = {};
  // A link in a circle is as good as any name: opening it will say what is wrong.
  if (exists && S_ISLNK(status.st_mode) && links < most_links) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (!error) return place_of((fs::path(path).parent_path() / target).string(), links + 1);
  }
  Place place{{}, status};
  const std::string& folder = real_folder_of(path);
  const size_t name = path.rfind('/') + 1;  // npos + 1 is 0
  place.real.reserve(folder.size() + path.size() - name + 1);
  place.real.append(folder);
  if (folder != "/") place.real += '/';
  place.real.append(path, name);
  return place;
}

FilesOfRun::Place FilesOfRun::add(Owner owner, FileUse use, const std::string& path, const std::string& source) {
  if (path.empty() || path == "-") return {{}, {}};
  if (use == FileUse::report) report_ = path;
  const Place place = place_of(path);
  Entry entry{place.real, {owner, use, 0}};
  if (!source.empty()) {
    entry.use.source = static_cast<uint32_t>(sources_.size());
    sources_.push_back(source);
  }
  const uint64_t hash = hash_without_case(entry.real);
  if (check(entry, hash, path)) {
    if (!source.empty()) sources_.pop_back();
    return place;
  }
  if (is_written(use) && place.has_other_names()) linked_.push_back({place.id(), path, entry});
  used_folders_.try_emplace(entry.real.substr(0, entry.real.rfind('/')), entry.use);
  entries_.emplace(hash, std::move(entry));
  return place;
}

bool FilesOfRun::check(const Entry& entry, uint64_t hash, const std::string& path) const {
  // Thousands of models may share a file: whoever clashes with all of them clashes with one of two.
  constexpr size_t enough = 2;
  size_t alike = 0;
  bool is_known = false;
  const auto [begin, end] = entries_.equal_range(hash);
  for (auto known = begin; known != end; ++known) {
    const auto& [real, other] = known->second;
    if (other.use == entry.use.use && real == entry.real) {
      is_known |= other.owner == entry.use.owner;
      ++alike;
    }
    if (!is_written(entry.use.use) && !is_written(other.use)) continue;
    const bool is_same_use = other.owner == entry.use.owner && other.use == entry.use.use;
    if (is_same_use && other.use != FileUse::copied_data) continue;
    if (!is_one_file(entry.real, real) || may_share(entry.use, other, entry.real)) continue;
    fail(path, entry.use, other, entry.real == real ? "" : fmt::format("is the same file as {}: ", real));
  }
  return is_known || alike >= enough;
}

bool FilesOfRun::is_one_file(const std::string& real, const std::string& other) const {
  if (real == other) return true;
  if (real.size() != other.size() || !std::ranges::equal(real, other, {}, lower_case, lower_case)) return false;
  const auto difference = std::ranges::mismatch(real, other).in1;
  const std::string common = real.substr(0, real.rfind('/', static_cast<size_t>(difference - real.begin())) + 1);
  const auto [known, is_new] = case_ignored_.try_emplace(common, false);
  if (is_new) known->second = ignores_case(common);
  return known->second;
}

bool FilesOfRun::are_copies_of_one(const Use& use, const Use& other) const {
  return use.source != 0 && other.source != 0 && same_content(sources_[use.source], sources_[other.source]);
}

bool FilesOfRun::is_there_already(const Use& copied, const std::string& real) const {
  return copied.use == FileUse::copied_data && same_content(sources_[copied.source], real);
}

// Of two uses that are not both reading.
bool FilesOfRun::may_share(const Use& use, const Use& other, const std::string& real) const {
  const auto are = [&](FileUse a, FileUse b) {
    return (use.use == a && other.use == b) || (use.use == b && other.use == a);
  };
  const auto is_data = [](FileUse of) {
    return of == FileUse::copied_data || of == FileUse::split_data || of == FileUse::interim_data;
  };
  // That data of a present output are not another model's is asked when they are replaced.
  if (use.use == FileUse::present_data || other.use == FileUse::present_data)
    return use.owner == other.owner || is_data(use.use) || is_data(other.use);
  if (use.use == FileUse::record && other.use == FileUse::record) return true;
  if (use.owner == other.owner && use.owner != whole_run) {
    if (are(FileUse::model, FileUse::output)) return may_be_in_place_;
    // A model may have been split already; who writes it knows what lies where.
    if (are(FileUse::data, FileUse::split_data) || are(FileUse::data, FileUse::interim_data)) return true;
  }
  if (use.use == other.use && are_copies_of_one(use, other)) return true;
  // What has the content that it is to get is not written.
  const Use& written = is_written(use.use) ? use : other;
  const Use& read = is_written(use.use) ? other : use;
  return !is_written(read.use) && is_there_already(written, real);
}

void FilesOfRun::check_links_and_folders() const {
  if (!linked_.empty()) check_links();
  check_folders();
}

void FilesOfRun::check_links() const {
  std::multimap<FileId, const LinkedFile*> linked;
  for (const LinkedFile& file : linked_) linked.emplace(file.id, &file);
  for (const auto& [hash, other] : entries_) {
    const std::optional<FileId> id = file_id(other.real);
    if (!id) continue;
    const auto [begin, end] = linked.equal_range(*id);
    for (auto file = begin; file != end; ++file) {
      const auto& [ignored, path, entry] = *file->second;
      if (other.real == entry.real || may_share(entry.use, other.use, entry.real)) continue;
      if (are_copies_of_one(entry.use, other.use)) continue;
      // "cp -al" makes hard links of a model and its own output, and a run that was killed leaves
      // some of its own data. A new file replaces only the name, and not what other names lead to.
      const bool is_own = entry.use.owner == other.use.owner && entry.use.owner != whole_run;
      if (is_own && (entry.use.use != FileUse::output || other.use.use != FileUse::data)) continue;
      fail(path, entry.use, other.use, fmt::format("is a hard link to {}: ", other.real));
    }
  }
}

void FilesOfRun::check_folders() const {
  std::unordered_set<std::string> looked_at;
  for (const auto& [used, use] : used_folders_) {
    for (std::string folder = used; folder.size() > 1 && looked_at.insert(folder).second;
         folder.resize(std::max<size_t>(folder.rfind('/'), 1))) {
      const auto [begin, end] = entries_.equal_range(hash_without_case(folder));
      for (auto file = begin; file != end; ++file) {
        std::error_code error;
        if (!is_written(file->second.use.use) || file->second.real != folder) continue;
        if (fs::is_directory(folder, error)) continue;  // writing the file will say what is wrong
        throw FileClash(fmt::format("{}: would be a file, {}, and the folder of another, {}\n{}", folder,
                                    description_of(file->second.use), description_of(use),
                                    advice_for(file->second.use.use)));
      }
    }
  }
}

std::string FilesOfRun::description_of(const Use& use) const {
  const std::string& owner = owners_[use.owner];
  switch (use.use) {
    case FileUse::model:
      return "the model " + owner;
    case FileUse::data:
      return "the external data of " + owner;
    case FileUse::present_data:
      return "the external data of the present output of " + owner;
    case FileUse::rules:
      return "a file of rules";
    case FileUse::target:
      return "the file of a target";
    case FileUse::manifest:
      return "the manifest";
    case FileUse::output:
      return "the output of " + owner;
    case FileUse::copied_data:
    case FileUse::split_data:
    case FileUse::interim_data:
      return "the external data of the output of " + owner;
    case FileUse::record:
      return "the record of the output of " + owner;
    case FileUse::report:
      return "the report";
  }
  return {};
}

void FilesOfRun::fail(const std::string& path, const Use& use, const Use& other, const std::string& cause) const {
  const Use& written = is_written(use.use) && (!is_written(other.use) || use.use >= other.use) ? use : other;
  const Use& first = &written == &use ? other : use;
  const std::string advice = advice_for(written.use) + contents_of(first.use);
  if (written.use == FileUse::report) {
    const bool is_one_of_many = !may_be_in_place_ && (first.use == FileUse::model || first.use == FileUse::output);
    throw FileClash(fmt::format("--report {}: {}this file is {}{}\n{}", report_, cause,
                                is_one_of_many ? "one of the models: " : "", description_of(first), advice));
  }
  if (written.use == FileUse::output && first.use == FileUse::output) {
    throw FileClash(fmt::format("{}: {}two models have the same output: {} and {}\ngive one of them another output",
                                path, cause, owners_[first.owner], owners_[written.owner]));
  }
  throw FileClash(fmt::format("{}: {}{} would be overwritten by {}\n{}", path, cause, description_of(first),
                              description_of(written), advice));
}

}  // namespace onnx_lower
