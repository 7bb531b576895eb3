// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Compiled into the mutated program: says whether a mutant is the one that ONNX_LOWER_MUTANT names,
// and keeps which ones were asked for.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>

namespace {

constexpr size_t kMost = 1 << 16;

struct Mutation {
  int active = 0;
  unsigned char* reached = nullptr;  // a byte for each mutant

  Mutation() {
    static unsigned char unwatched[kMost];
    reached = unwatched;
    if (const char* number = std::getenv("ONNX_LOWER_MUTANT")) active = std::atoi(number);
    // A file for each test, which all its processes share: the bytes, and then the test's name. It
    // is there also after a crash.
    const char* folder = std::getenv("ONNX_LOWER_REACHED");
    if (folder == nullptr) return;
    const char* named = std::getenv("PYTEST_CURRENT_TEST");
    const std::string test = named == nullptr ? "" : named;
    const std::string path = std::string(folder) + "/" + std::to_string(std::hash<std::string>()(test));
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, static_cast<off_t>(kMost + test.size())) < 0 ||
        pwrite(file, test.data(), test.size(), kMost) < 0)
      std::abort();
    void* mapped = mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) std::abort();
    close(file);
    reached = static_cast<unsigned char*>(mapped);
  }
};

}  // namespace

bool onnx_lower_mutant(int number) {
  static const Mutation mutation;
  mutation.reached[number] = 1;
  return number == mutation.active;
}
