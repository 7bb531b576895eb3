// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Lists of models: what is read of them is complete, and what is wrong with them is said with the
// line.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cpp/temporary_folder.h"
#include "error.h"
#include "fuzz/fuzz_target.h"
#include "many_models/manifest.h"

namespace onnx_lower::fuzz {

void run_manifest(std::string_view input) {
  static const TemporaryFolder folder("onnx-lower-fuzz-manifest");
  const std::string path = folder.write("list.jsonl", std::string(input));
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{"onnx-lower", "--manifest", path.c_str(), "--output-dir", "lowered"},
        std::vector<const char*>{"onnx-lower", "--manifest", path.c_str(), "--check", "--keep", "custom"},
        std::vector<const char*>{"onnx-lower", "--manifest", path.c_str()}}) {
    const Options options = parse_options(static_cast<int>(arguments.size()), arguments.data());
    try {
      read_manifest(options, [&options](const ModelJob& job, const std::string& where) {
        if (job.input.empty() || where.empty() || !job.options) fail("a job without a model");
        if (job.output.empty() != options.check_only) fail("a job without an output");
        if (!job.id.empty() && !nlohmann::json::accept(job.id)) fail("an id that is no JSON");
      });
    } catch (const Error& error) {
      if (!std::string_view(error.what()).starts_with(path))
        fail(std::string("it does not say where: ") + error.what());
    }
  }
}

}  // namespace onnx_lower::fuzz
