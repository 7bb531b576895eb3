// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// output[f] = DFT(window * signal[f * frame_step : f * frame_step + frame_length]): the frames are
// gathered, multiplied by the window, and transformed by one DFT.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_STFT {
namespace {

enum Input { signal, frame_step, window, frame_length };

Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(signal);
  if (rank != 2 && rank != 3) return Declined{"its signal has not two or three dimensions"};
  if (!site.has_input(window) && !site.has_input(frame_length)) return Declined{"nothing says how long its frames are"};
  const auto single = [&](int input) -> std::optional<int64_t> {
    const auto numbers = site.constant_ints(input);
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
  };
  const std::optional<int64_t> length = site.dim(signal, 1), step = single(frame_step),
                               size = site.has_input(frame_length) ? single(frame_length) : site.dim(window, 0);
  if (step && *step < 1) return Declined{"the step between its frames is not positive"};
  if (size && (*size < 1 || (length && *size > *length))) return Declined{"its frames do not fit into the signal"};

  Body body("ai.onnx", "STFT", {"signal", "frame_step", "window", "frame_length"}, {"output"}, 17);
  const std::string next = body.scalar(1, "next"), first = body.scalar(0, "first");
  const auto number = [&](Input input, std::string_view name) {
    const std::string given = input == frame_step ? "frame_step" : "frame_length";
    return body(name, "Reshape", {given, body.ints({}, "no_axes")});
  };
  std::string places, starts;
  if (size) {
    places = body.constant("places", numbers_below(*size));
  } else {
    const std::string count = site.has_input(frame_length) ? number(frame_length, "size") : body.dim("window", 0);
    places = body("places", "Range", {first, count, next});
  }
  if (size && step && length) {
    Ints numbers = numbers_below((*length - *size) / *step + 1);
    for (int64_t& start : numbers) start *= *step;
    starts = body.constant("starts", numbers);
  } else {
    const std::string stride = step ? body.scalar(*step, "step") : number(frame_step, "step");
    body("last_start", "Sub", {body.dim("signal", 1), body.dim(places, 0)});
    const std::string end = body("end", "Add", {"last_start", next});
    starts = body("starts", "Range", {first, end, stride});
  }
  body("elements", "Add", {body.unsqueeze(starts, {1}, "start_column"), places});
  const std::string numbers = rank == 3 ? "signal" : body.unsqueeze("signal", {2}, "numbers");
  std::string frames = body("frames", "Gather", {numbers, "elements"}, {{"axis", 1}});
  if (site.has_input(window)) frames = body("seen", "Mul", {frames, body.unsqueeze("window", {1}, "window_column")});
  body("output", "DFT", {frames}, {{"axis", 2}, {"onesided", site.attribute_int("onesided", 1)}});
  return body.function();
}

// torch's exporter writes signals of real numbers as they come, without the third dimension that
// the schema's text asks for, and ONNX Runtime takes them.
Lowering lower_of_two_dimensions(const CallSite& site) {
  if (site.need_rank(signal) != 2) return Declined{"its signal has not two dimensions", {}, true};
  Body body("ai.onnx", "STFT", {"signal", "frame_step", "window", "frame_length"}, {"output"}, 17);
  std::vector<std::string> inputs = {body.unsqueeze("signal", {2}, "numbers"), "frame_step",
                                     site.has_input(window) ? "window" : ""};
  if (site.has_input(frame_length)) inputs.push_back("frame_length");
  while (inputs.back().empty()) inputs.pop_back();
  body("output", "STFT", inputs, {{"onesided", site.attribute_int("onesided", 1)}});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view summary, RuleTurn turn, bool makes_it_anew,
                              Lowering (*lower_it)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = "STFT",
          .summary = summary,
          .source = "ONNX STFT-17",
          .attributes = "onesided",
          .turn = turn,
          .makes_it_anew = makes_it_anew,
          .inputs = "signal, frame_step, window, frame_length",
          .needed_inputs = 2,
          .most_inputs = 4,
          .lower = lower_it};
}

const NativeRule rules[] = {rule_for("Of a signal without a dimension for real and imaginary parts.", RuleTurn::first,
                                     true, lower_of_two_dimensions),
                            rule_for("The Fourier transforms of frames of a signal.", RuleTurn::usual, false, lower)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_STFT
