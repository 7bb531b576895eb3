// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// That of all processes on all machines one at a time works on a file.
#pragma once

#include <map>
#include <string>

namespace onnx_lower {

// Waits for files and holds them until it goes, or the process ends in whatever way. Where the file
// system has no locks there is no lock: then two runs that are given the same model both do the
// work, and the output is that of either, which are the same.
class OutputLock {
 public:
  OutputLock() = default;
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  void model(const std::string& path);
  // Of a model that is locked already; several must be asked for in the order of their names, so
  // that nobody waits in a circle.
  void external_data(const std::string& path);

 private:
  void wait_for(const std::string& path, const char* kind);

  std::map<std::string, int> descriptors_;  // of lock files, by folder
};

}  // namespace onnx_lower
