// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "error.h"
#include "model_file/derived_tensor.h"
#include "model_file/encode_model.h"
#include "model_file/external_data.h"
#include "model_file/read_model.h"
#include "rules/native_kernels.h"
#include "verify/determined.h"
#include "verify/first_difference.h"
#include "verify/input_plan.h"

namespace onnx_lower {
namespace {

using Outcome = ComparisonAnswer::Outcome;

std::vector<std::string> output_names(const Model& model) {
  std::vector<std::string> names;
  for (const ValueInfo& output : model.graph.outputs) names.emplace_back(model.value_name(output.value));
  return names;
}

// Throws where the outputs of the models are not the same ones.
void check_outputs(const VerifiedModel& original, const VerifiedModel& output) {
  const std::vector<std::string> names = output_names(original.model());
  const std::vector<std::string> others = output_names(output.model());
  const auto lacks = [](const std::vector<std::string>& all, const std::string& name) {
    return std::ranges::find(all, name) == all.end();
  };
  for (const std::string& name : names) {
    if (lacks(others, name))
      throw Error(ExitStatus::different, fmt::format("{}: has no output '{}', which {} has", output.runnable().name,
                                                     name, original.runnable().name));
  }
  for (const std::string& name : others) {
    if (lacks(names, name))
      throw Error(ExitStatus::different, fmt::format("{}: has the output '{}', which {} lacks", output.runnable().name,
                                                     name, original.runnable().name));
  }
}

bool has_native_kernel(const Model& model) {
  for (OperatorId id = 0; id < model.operator_count(); ++id) {
    const Operator& op = model.op(id);
    if (std::ranges::any_of(native_kernels(), [&](const NativeKernel& kernel) {
          return kernel.domain == op.domain && kernel.op_type == op.op_type;
        }))
      return true;
  }
  return false;
}

[[noreturn]] void fail(const ComparisonRequest& request, const ComparisonAnswer& answer, const std::string& refusals) {
  const std::string& original = request.original.name;
  const std::string& output = request.output.name;
  switch (answer.outcome) {
    case Outcome::no_runtime:
      throw FileError("--verify: " + answer.message);
    case Outcome::wrong_inputs:
      throw UsageError("--verify-inputs: " + answer.message);
    case Outcome::original_refused:
      throw InvalidInput(fmt::format(
          "{}: cannot be verified, since ONNX Runtime {} does not load it:{}\nAnother version may: --onnxruntime PATH",
          original, answer.version, refusals));
    case Outcome::original_fails:
      throw InvalidInput(fmt::format(
          "{}: cannot be verified, since it does not run in ONNX Runtime {} on the inputs that were made for it: {}\n"
          "Give inputs, as numpy.savez writes them, with --verify-inputs FILE.npz, or sizes with --dim and "
          "--input-shape",
          original, answer.version, answer.message));
    case Outcome::output_refused:
      throw Error(ExitStatus::different, fmt::format("{}: ONNX Runtime {} loads {}, and not this model: {}", output,
                                                     answer.version, original, answer.message));
    default:
      throw Error(ExitStatus::different, fmt::format("{}: fails in ONNX Runtime {} on inputs on which {} runs: {}",
                                                     output, answer.version, original, answer.message));
  }
}

// The comparison, with the original in the first of the ways in which the runtime loads it.
class OriginalInWays {
 public:
  OriginalInWays(ComparisonRequest& request, const VerifiedModel& original, const WithFunctions& with_functions)
      : request_(request), original_(original), with_functions_(with_functions) {}

  ComparisonAnswer compare(VerifyResult& result) {
    if (try_as("as it is", {})) return answer_;
    const std::string library = kernel_library_beside();
    if (!library.empty() && has_native_kernel(original_.model())) {
      request_.original.kernel_library = library;
      if (try_as("with the library of native kernels", "with the library of native kernels")) return done(result);
      request_.original.kernel_library.clear();
    }
    try {
      functions_.emplace(with_functions_());
      request_.original = functions_->runnable();
      if (try_as("with its custom nodes as functions of their rules",
                 "with its custom nodes as functions of their rules"))
        return done(result);
    } catch (const Error& error) {
      refusals_ += fmt::format("\n  with its custom nodes as functions of their rules: {}", error.what());
    }
    fail(request_, *first_refusal_, refusals_);
  }

 private:
  // Whether the runtime has run the original so.
  bool try_as(std::string_view way, std::string as) {
    answer_ = ask_runtime(request_);
    as_ = std::move(as);
    const bool is_refused = answer_.outcome == Outcome::original_refused || answer_.outcome == Outcome::original_fails;
    if (!is_refused) {
      if (answer_.outcome != Outcome::compared) fail(request_, answer_, refusals_);
      return true;
    }
    // That it is loaded and does not run says more than that it is not loaded.
    if (!first_refusal_ || first_refusal_->outcome == Outcome::original_refused) first_refusal_ = answer_;
    refusals_ += fmt::format("\n  {}: {}", way, answer_.message);
    return false;
  }

  ComparisonAnswer done(VerifyResult& result) {
    result.original_as = as_;
    return answer_;
  }

  ComparisonRequest& request_;
  const VerifiedModel& original_;
  const WithFunctions& with_functions_;
  std::optional<VerifiedModel> functions_;
  ComparisonAnswer answer_;
  std::optional<ComparisonAnswer> first_refusal_;
  std::string as_, refusals_;
};

}  // namespace

VerifiedModel VerifiedModel::of_file(const std::string& path) {
  Model model = read_model(path);
  const bool is_mapped = model.input().descriptor() >= 0;
  std::optional<UnnamedFile> file;
  if (!is_mapped) file.emplace(ByteRanges{model.input().bytes()});
  VerifiedModel verified(std::move(model), std::move(file));
  verified.runnable_.name = path == "-" ? "<stdin>" : path;
  verified.runnable_.path = is_mapped ? path : verified.file_->path();
  if (!is_mapped && !verified.model_.external_data.empty())
    verified.runnable_.data_folder = data_folder_of(verified.model_.input().path()).string();
  return verified;
}

VerifiedModel VerifiedModel::of(Model& model, const std::string& name, const std::string& data_folder) {
  ExternalFiles files(model);
  DerivedTensors derived(model, files);
  const EncodedModel encoded = with_derived_elements(model, encode_model(model), derived);
  RangeSources sources;
  derived.add_to(sources);
  UnnamedFile file(encoded.ranges, sources);
  const std::string path = file.path();
  Model written = read_model(InputFile::open(path));
  const bool has_data = !written.external_data.empty();
  VerifiedModel verified(std::move(written), std::move(file));
  verified.runnable_.name = name;
  verified.runnable_.path = path;
  if (has_data) verified.runnable_.data_folder = data_folder;
  return verified;
}

VerifyResult verify(const VerifiedModel& original, const VerifiedModel& output, const VerifyOptions& options,
                    const LegalizeOptions& given, const WithFunctions& with_functions, const LegalizeResult* lowered) {
  check_outputs(original, output);
  VerifyResult result;
  ComparisonRequest request;
  request.onnxruntime = options.onnxruntime;
  request.original = original.runnable();
  request.output = output.runnable();
  request.tries = plan_inputs(original.model(), output.model(), given);
  request.inputs_file = options.inputs_file;
  request.seed = options.seed;
  request.runs = options.runs;

  const GraphUses uses(original.model(), original.model().graph);
  const std::unordered_set<ValueId> undetermined = undetermined_values(original.model(), uses);
  for (const ValueInfo& value : original.model().graph.outputs) {
    const std::string name(original.model().value_name(value.value));
    if (undetermined.contains(value.value)) {
      result.undetermined.push_back(name);
    } else {
      request.values.push_back({.name = name, .holds_codes = holds_codes(original.model(), uses, value.value)});
    }
  }
  // Shown all the same, so that the models are run.
  if (request.values.empty()) {
    request.values.push_back({.name = result.undetermined.front()});
  }

  OriginalInWays ways(request, original, with_functions);
  ComparisonAnswer answer = ways.compare(result);
  result.version = answer.version;
  result.library = answer.library;
  result.runs = answer.runs;
  result.shapes = std::move(answer.shapes);
  result.load_milliseconds = answer.load_milliseconds;
  result.run_milliseconds = answer.run_milliseconds;
  if (result.undetermined.size() < original.model().graph.outputs.size()) result.outputs = std::move(answer.values);
  const auto differing =
      std::ranges::find_if(result.outputs, [](const ValueDifference& value) { return !value.is_equal; });
  result.is_same = differing == result.outputs.end();
  if (!result.is_same)
    result.first = find_first_difference(original.model(), output.model(), request, differing->name, lowered);
  return result;
}

}  // namespace onnx_lower
