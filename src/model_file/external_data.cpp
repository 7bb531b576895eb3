#include "model_file/external_data.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <unordered_map>

#include "error.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

void check_external_data(const Model& model) {
  if (model.external_data.empty()) return;
  const std::string& path = model.input().path();
  const fs::path folder = fs::weakly_canonical(folder_of(path));
  std::unordered_map<std::string_view, uint64_t> sizes;  // of the files, by location: thousands of tensors share one
  for (const ExternalData& data : model.external_data) {
    const auto where = [&] {
      return fmt::format("{}: the external data of tensor '{}' ('{}')", path, data.tensor, data.location);
    };
    const auto [known, is_new] = sizes.try_emplace(data.location, 0);
    if (is_new) {
      const fs::path location(data.location);
      std::error_code error;
      const fs::path file = fs::weakly_canonical(folder / location, error);
      const fs::path inside = file.lexically_relative(folder);
      if (location.is_absolute() || error || inside.empty() || *inside.begin() == "..") {
        throw InvalidInput(where() + " lie outside of the model's folder");
      }
      if (!fs::is_regular_file(file, error)) throw FileError(where() + " are not there, or no file");
      known->second = fs::file_size(file, error);
    }
    const uint64_t size = known->second;
    const uint64_t wanted = data.length >= 0 ? static_cast<uint64_t>(data.length) : data.byte_size;
    if (data.length >= 0 && data.byte_size != 0 && wanted != data.byte_size) {
      throw InvalidInput(where() +
                         fmt::format(" are {} bytes long, and its shape asks for {}", data.length, data.byte_size));
    }
    if (data.offset > size || wanted > size - data.offset) {
      throw InvalidInput(where() + fmt::format(" end at byte {}, and the file has {}", data.offset + wanted, size));
    }
  }
}

void copy_external_data(const Model& model, const std::string& output) {
  if (model.external_data.empty() || output == "-") return;
  const fs::path from = fs::weakly_canonical(folder_of(model.input().path()));
  const fs::path to = fs::weakly_canonical(folder_of(output));
  std::set<std::string_view> locations;
  for (const ExternalData& data : model.external_data) locations.insert(data.location);
  for (const std::string_view location : locations) {
    std::error_code error;
    if ((to / location).lexically_normal() == to / fs::path(output).filename() ||
        fs::equivalent(from / location, output, error)) {
      throw FileError(
          fmt::format("{}: the external data of the model lie in this file; the output needs another name", output));
    }
  }
  if (from == to) return;
  for (const std::string_view location : locations) {
    const fs::path destination = to / location;
    std::error_code error;
    fs::create_directories(destination.parent_path(), error);
    // The name under which a run that dies leaves its half-made copy; the copy appears whole or not at all.
    const fs::path temporary = destination.parent_path() / fmt::format(".{}.tmp", destination.filename().string());
    fs::copy_file(from / location, temporary, fs::copy_options::overwrite_existing, error);
    if (!error) fs::rename(temporary, destination, error);
    if (error) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
      throw FileError(fmt::format("{}: external data cannot be copied beside the output: {}", destination.string(),
                                  error.message()));
    }
  }
}

}  // namespace onnx_lower
