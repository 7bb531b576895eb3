// Runs the targets on all files of a corpus, FOLDER/<target>/*: onnx-lower-replay FOLDER. Then it draws models, which have to be right most of the time.

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/model_mutation.h"

namespace onnx_lower::fuzz {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replay(const FuzzTarget& target, const fs::path& corpus) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(corpus / target.name)) files.push_back(entry.path());
  std::ranges::sort(files);
  if (files.empty()) fail("the corpus has nothing for " + std::string(target.name));
  for (const fs::path& file : files) {
    std::fprintf(stderr, "%s\n", file.c_str());  // the last one is the culprit
    target.run(content_of(file));
  }
}

// What the fuzzer does with each input: nothing may end the program, and the same seed gives the same input.
void mutate(const FuzzTarget& target, const fs::path& corpus) {
  constexpr uint64_t count = 50;
  std::string input;
  for (const auto& entry : fs::directory_iterator(corpus / target.name)) {
    if (input.empty() || entry.path().filename() < "b") input = content_of(entry.path());
  }
  for (uint64_t seed = 0; seed < count; ++seed) {
    Random random(seed), same(seed);
    const std::string mutant = target.mutate(input, input, random);
    if (mutant != target.mutate(input, input, same)) fail("the same seed makes another mutant");
    target.run(mutant);
  }
}

}  // namespace
}  // namespace onnx_lower::fuzz

int main(int argc, char** argv) {
  using namespace onnx_lower::fuzz;
  if (argc != 2) fail("onnx-lower-replay CORPUS");
  google::protobuf::SetLogHandler(nullptr);
  for (const FuzzTarget& target : fuzz_targets()) {
    replay(target, argv[1]);
    mutate(target, argv[1]);
  }
}
