// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Runs the targets on all files of a corpus, FOLDER/<target>/*, and on a mutant of each, and then
// on models that are drawn: onnx-lower-replay FOLDER.

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/lowering_oracle.h"
#include "fuzz/model_mutation.h"

namespace onnx_lower::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> contents_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> contents;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return contents;
}

void replay(const FuzzTarget& target, const fs::path& corpus) {
  const std::vector<std::string> inputs = contents_of(corpus / target.name);
  if (inputs.empty()) fail("the corpus has nothing for " + std::string(target.name));
  for (size_t index = 0; index < inputs.size(); ++index) {
    std::fprintf(stderr, "%s %zu\n", target.name.data(), index);  // the last one is the culprit
    target.run(inputs[index]);
    const std::string& other = index % 2 == 0 ? "" : inputs[index - 1];
    Random random(index), same(index);
    const std::string mutant = target.mutate(inputs[index], other, random);
    if (mutant != target.mutate(inputs[index], other, same)) fail("the same seed makes another mutant");
    target.run(mutant);
  }
}

void draw() {
  constexpr uint64_t count = 200;
  uint64_t known = 0, valid = 0;
  for (uint64_t seed = 0; seed < count; ++seed) {
    std::fprintf(stderr, "drawn model %zu\n", static_cast<size_t>(seed));
    Random random(seed);
    const onnx::ModelProto model = drawn_model(random);
    // Operators that exporters leave in the default domain have rules, and so have standard ones at
    // opsets that lack them: onnx takes neither.
    if (has_schemas(model)) {
      ++known;
      valid += is_valid(model);
    }
    run_model(model.SerializeAsString());
  }
  std::fprintf(stderr, "of %zu drawn models onnx has all schemas of %zu, and takes %zu\n", static_cast<size_t>(count),
               static_cast<size_t>(known), static_cast<size_t>(valid));
  if (known < count / 4) fail("onnx lacks schemas of too many of the drawn models");
  if (valid < known * 4 / 5) fail("too few of the drawn models are valid");
}

}  // namespace
}  // namespace onnx_lower::fuzz

int main(int argc, char** argv) {
  using namespace onnx_lower::fuzz;
  if (argc != 2) fail("onnx-lower-replay CORPUS");
  google::protobuf::SetLogHandler(nullptr);
  for (const FuzzTarget& target : fuzz_targets()) replay(target, argv[1]);
  draw();
}
