// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/verify_message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "counted.h"

namespace onnx_lower {
namespace {

using Json = nlohmann::ordered_json;

std::string tolerance_text(const ValueDifference& value) {
  if (value.tolerance == 0) return "exactly the same is asked for";
  return fmt::format("tolerance {:.1e} for {}", value.tolerance, value.element_type);
}

// "'y': 3 of 12 elements differ, by up to 0.5 (relative 0.25; tolerance 1.2e-04 for float)".
std::string in_words(const ValueDifference& value) {
  if (!value.problem.empty() && value.differing == 0) return fmt::format("'{}': {}", value.name, value.problem);
  std::string text = fmt::format("'{}': {} of {} differ", value.name, value.differing,
                                 counted(static_cast<size_t>(value.elements), "element"));
  if (value.largest_absolute > 0)
    text += fmt::format(", by up to {:.3g}, relative {:.2g}", value.largest_absolute, value.largest_relative);
  if (!value.problem.empty()) text += "; there is " + value.problem;
  return text + fmt::format(" ({})", tolerance_text(value));
}

std::string in_words(const FirstDifference& first) {
  std::string text = fmt::format("\n  first after node '{}' ({}) of the original", first.node, first.op_type);
  if (!first.lowered_by.empty()) text += ", " + first.lowered_by;
  if (!first.difference.empty()) text += ": " + first.difference;
  return text + "\n    " + in_words(first.numbers);
}

std::string where(const VerifyResult& result) {
  std::string text = "ONNX Runtime " + result.version;
  if (!result.original_as.empty()) text += ", where that runs " + result.original_as;
  return text;
}

std::string differing_message(const std::string& original, const std::string& output, const VerifyResult& result) {
  std::string text = fmt::format("{}: computes other numbers than {} in {}", output, original, where(result));
  for (const ValueDifference& value : result.outputs) {
    if (!value.is_equal) text += "\n  output " + in_words(value);
  }
  if (result.first) return text + in_words(*result.first);
  return text + "\n  The runtime does not show the values between, so that the node is not known.";
}

Json to_json(const ValueDifference& value) {
  return {{"name", value.name},
          {"element_type", value.element_type},
          {"same", value.is_equal},
          {"elements", value.elements},
          {"differing", value.differing},
          {"largest_absolute", value.largest_absolute},
          {"largest_relative", value.largest_relative},
          {"tolerance", value.tolerance},
          {"problem", value.problem.empty() ? Json() : Json(value.problem)}};
}

Json to_json(const FirstDifference& first) {
  return {{"node", first.node},
          {"operator", first.op_type},
          {"value", first.value},
          {"lowered_by", first.lowered_by.empty() ? Json() : Json(first.lowered_by)},
          {"difference", first.difference.empty() ? Json() : Json(first.difference)},
          {"numbers", to_json(first.numbers)}};
}

}  // namespace

std::string verify_message(const std::string& original_path, const std::string& output_path,
                           const VerifyResult& result) {
  const std::string original = original_path == "-" ? "<stdin>" : original_path;
  const std::string output = output_path.empty() ? "the lowered model" : output_path == "-" ? "<stdout>" : output_path;
  if (!result.is_same) return differing_message(original, output, result);
  if (result.outputs.empty()) {
    return fmt::format(
        "{}: runs as {} does in {}; all outputs depend on random numbers ({}), so that none is compared\n", output,
        original, where(result), fmt::join(result.undetermined, ", "));
  }
  std::string text =
      fmt::format("{}: the same as {} in {} ({}, {}", output, original, where(result),
                  counted(result.outputs.size(), "output"), counted(static_cast<size_t>(result.runs), "run"));
  const auto largest = std::ranges::max_element(result.outputs, {}, [](const ValueDifference& value) {
    return value.tolerance > 0 ? value.largest_relative / value.tolerance : value.largest_relative;
  });
  if (largest->largest_absolute == 0) {
    text += "; no difference";
  } else if (largest->tolerance > 0) {
    text += fmt::format("; largest difference {:.1e}, relative {:.1e}, {}", largest->largest_absolute,
                        largest->largest_relative, tolerance_text(*largest));
  } else {
    text +=
        fmt::format("; largest difference {:.0f} step of quantized numbers, tolerance 1", largest->largest_absolute);
  }
  if (!result.undetermined.empty()) {
    text += fmt::format("; {} not compared, as random numbers go into {}", fmt::join(result.undetermined, ", "),
                        result.undetermined.size() == 1 ? "it" : "them");
  }
  return text + ")\n";
}

Json to_json(const VerifyResult& result) {
  Json outputs = Json::array();
  for (const ValueDifference& value : result.outputs) outputs.push_back(to_json(value));
  return {{"same", result.is_same},
          {"onnxruntime", result.version},
          {"library", result.library},
          {"original_as", result.original_as.empty() ? Json() : Json(result.original_as)},
          {"runs", result.runs},
          {"input_shapes", result.shapes},
          {"outputs", outputs},
          {"undetermined", result.undetermined},
          {"first_difference", result.first ? to_json(*result.first) : Json()},
          {"load_milliseconds", result.load_milliseconds},
          {"run_milliseconds", result.run_milliseconds}};
}

}  // namespace onnx_lower
