// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify_runtime/find_runtime.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace onnx_lower::verify_runtime {
namespace {

namespace fs = std::filesystem;

// The version of the C API that is asked for: what ONNX Runtime 1.8 has, all later ones have, too.
constexpr uint32_t api_version = 8;

constexpr std::string_view advice =
    "install it with: pip install onnxruntime\nor name its library, or the folder where that lies: --onnxruntime PATH";

// The files of a folder whose names begin like this, the last ones first: of several versions the
// newest, as far as names tell.
std::vector<fs::path> entries_like(const fs::path& folder, std::string_view begin) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().string().starts_with(begin)) found.push_back(entry->path());
  }
  std::ranges::sort(found, std::greater());
  return found;
}

// The library in a folder as it is unpacked or installed: right in it, or in its folder for
// libraries.
std::optional<fs::path> library_in(const fs::path& folder) {
  for (const char* below : {"", "lib", "lib64", "capi", "onnxruntime/capi"}) {
    std::vector<fs::path> found = entries_like(folder / below, "libonnxruntime.so");
    if (!found.empty()) return found.front();
  }
  return std::nullopt;
}

// The folders with Python's packages that belong to these places, in this order.
std::vector<fs::path> package_folders() {
  std::vector<fs::path> prefixes;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* prefix = std::getenv(name); prefix != nullptr && *prefix != '\0') prefixes.emplace_back(prefix);
  }
  // A Python on the PATH lies in the folder bin of its prefix. In a virtual environment it is a
  // link to another one, and the packages are the environment's.
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const fs::path folder(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.size(), rest.find(':') == rest.npos ? rest.size() : rest.find(':') + 1));
    std::error_code error;
    for (const char* name : {"python3", "python"}) {
      if (!folder.empty() && fs::exists(folder / name, error)) {
        prefixes.push_back(folder.parent_path());
        break;
      }
    }
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    prefixes.push_back(fs::path(home) / ".local");
  std::vector<fs::path> folders;
  for (const fs::path& prefix : prefixes) {
    for (const char* lib : {"lib", "lib64", "local/lib"}) {
      for (const fs::path& python : entries_like(prefix / lib, "python3")) {
        for (const char* packages : {"site-packages", "dist-packages"}) {
          const fs::path folder = python / packages;
          std::error_code error;
          const bool is_known = std::ranges::find(folders, folder) != folders.end();
          if (!is_known && fs::is_directory(folder, error)) folders.push_back(folder);
        }
      }
    }
  }
  return folders;
}

std::string path_of_symbol(const void* symbol, const std::string& otherwise) {
  Dl_info info;
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : otherwise;
}

// Loads a library. Where that fails, `problem` says why.
std::optional<Runtime> load(const std::string& path, std::string& problem) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    problem = dlerror();
    return std::nullopt;
  }
  void* symbol = dlsym(library, "OrtGetApiBase");
  if (symbol == nullptr) {
    problem = fmt::format("{}: is not ONNX Runtime: it has no function OrtGetApiBase", path);
    return std::nullopt;
  }
  const OrtApiBase* base = reinterpret_cast<const OrtApiBase* (*)()>(symbol)();
  const OrtApi* api = base->GetApi(api_version);
  if (api == nullptr) {
    problem =
        fmt::format("{}: is ONNX Runtime {}, and 1.{} or newer is needed", path, base->GetVersionString(), api_version);
    return std::nullopt;
  }
  return Runtime{api, base->GetVersionString(), path_of_symbol(symbol, path)};
}

Runtime load_given(const std::string& given) {
  std::error_code error;
  std::string path = given;
  if (fs::is_directory(given, error)) {
    const std::optional<fs::path> found = library_in(given);
    if (!found) {
      throw NoRuntime(
          fmt::format("--onnxruntime {}: the folder holds no libonnxruntime.so, nor do its folders lib and "
                      "capi; the Python package of ONNX Runtime has it from 1.19 on: pip install onnxruntime",
                      given));
    }
    path = found->string();
  } else if (!fs::exists(given, error)) {
    throw NoRuntime(fmt::format("--onnxruntime {}: there is no such file or folder", given));
  }
  // Without a slash, the loader would look elsewhere.
  std::string problem;
  const std::optional<Runtime> runtime = load(fs::absolute(path, error).string(), problem);
  if (!runtime) throw NoRuntime(fmt::format("--onnxruntime {}: {}", given, problem));
  return *runtime;
}

}  // namespace

Runtime find_runtime(const std::string& given) {
  if (!given.empty()) return load_given(given);
  std::string problem;
  for (const char* name : {"libonnxruntime.so.1", "libonnxruntime.so"}) {
    if (const std::optional<Runtime> runtime = load(name, problem)) return *runtime;
  }
  std::string places =
      "\n  libonnxruntime.so.1 and libonnxruntime.so, where the loader looks (LD_LIBRARY_PATH, ldconfig)";
  for (const fs::path& folder : package_folders()) {
    const fs::path package = folder / "onnxruntime" / "capi";
    std::error_code error;
    if (const std::optional<fs::path> found = library_in(package)) {
      if (const std::optional<Runtime> runtime = load(found->string(), problem)) return *runtime;
      places += fmt::format("\n  {} ({})", found->string(), problem);
    } else if (fs::is_directory(package, error)) {
      places += fmt::format("\n  {} (without libonnxruntime.so, which the package has from 1.19 on)", package.string());
    } else {
      places += fmt::format("\n  {}", package.string());
    }
  }
  throw NoRuntime(fmt::format("ONNX Runtime is not found; it was looked for at{}\n{}", places, advice));
}

}  // namespace onnx_lower::verify_runtime
