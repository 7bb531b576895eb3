// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Resize at opset 10, which has one way to place its points and takes scales only, and Upsample
// below, which makes nothing smaller besides.
//
// Both count places from the corners of pixels ("asymmetric"). In mode nearest they take the pixel
// before a place along axes that become larger, and Resize-10 the pixel behind it along axes that
// become smaller, as ONNX's tests of that version and ONNX Runtime have it. What a newer Resize
// samples elsewhere is said so:
//
//     nearest, from centres, by a whole factor:  the same pixels
//     linear, by align_corners:  Slice(Upsample(X, (out - 1) / (in - 1)))
//     linear, from centres, by a whole factor:  Slice(Upsample(Pad(X, one pixel at each border)))
//         The places are half a pixel further in the result. Of an even factor that is between two
//         places, whose mean it is: no pixel of the input lies between them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_before_11 {
namespace {

constexpr int kX = 0, kScales = 2, kSizes = 3;
using Factors = std::vector<double>;  // of every axis, as single precision holds them

double as_float(double value) { return static_cast<double>(static_cast<float>(value)); }
int64_t size_by(int64_t size, double factor) {
  return static_cast<int64_t>(std::floor(static_cast<float>(size) * static_cast<float>(factor)));
}
bool is_whole(double factor) { return factor == std::floor(factor); }
bool is_no_smaller(double factor) { return factor >= 1; }
bool is_inverse_power_of_two(double factor) {
  int exponent = 0;
  return factor > 0 && factor <= 1 && std::frexp(factor, &exponent) == 0.5;
}

// The node as an older version has it: with scales of all axes.
struct Older {
  std::string mode;
  std::optional<Factors> factors;  // nothing: they are known only when the model runs
  bool are_input = false;          // the input `scales` has them
};

class NewerResize {
 public:
  explicit NewerResize(const CallSite& site)
      : site_(site),
        mode_(site.attribute_string("mode", "nearest")),
        coordinates_(site.attribute_string("coordinate_transformation_mode", "half_pixel")),
        nearest_mode_(site.attribute_string("nearest_mode", "round_prefer_floor")),
        axes_(site.attribute_ints("axes", {})) {}

  Lowering lowering() const {
    if (site_.opset() >= 11) return Declined{.reason = "it is as it was below opset 11", .is_of_signature = true};
    if (mode_ == "cubic") return Declined{"Resize-10 and Upsample have no mode \"cubic\""};
    if (coordinates_ == "tf_crop_and_resize") return Declined{"Resize-10 and Upsample take no region"};
    if (mode_ == "linear" && site_.attribute_int("antialias", 0) != 0)
      return Declined{"Resize-10 and Upsample have no antialiasing"};
    const std::optional<Factors> factors = known_factors();
    if (!factors) return by_scales_at_run_time();
    if (const auto older = as_it_is(*factors)) return resized(*older);
    if (mode_ == "linear" && coordinates_ == "align_corners") return from_corners(*factors);
    if (mode_ == "linear" && coordinates_ != "asymmetric") return from_centres(*factors);
    return Declined{"Resize-10 and Upsample take other pixels"};
  }

 private:
  // What becomes of every axis, where that is known: nothing for sizes that no scale asks for.
  std::optional<Factors> known_factors() const {
    const auto scales = site_.has_input(kSizes) ? std::nullopt : site_.constant_floats(kScales);
    const auto sizes = site_.has_input(kSizes) ? site_.constant_ints(kSizes) : std::nullopt;
    if (!scales && !sizes) return std::nullopt;
    if (sizes && site_.attribute_string("keep_aspect_ratio_policy", "stretch") != "stretch") return std::nullopt;
    const size_t count = scales ? scales->size() : sizes->size();
    Factors factors(axes_.empty() ? count : static_cast<size_t>(site_.need_rank(kX)), 1);
    if (!axes_.empty() && axes_.size() != count) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
      const int64_t axis =
          axes_.empty() ? static_cast<int64_t>(i) : need_axis(axes_[i], static_cast<int64_t>(factors.size()));
      double& factor = factors[static_cast<size_t>(axis)];
      if (scales) {
        factor = as_float((*scales)[i]);
        continue;
      }
      const auto size = site_.dim(kX, static_cast<int>(axis));
      if (!size || *size == 0) return std::nullopt;
      factor = as_float(static_cast<double>((*sizes)[i]) / static_cast<double>(*size));
      if (size_by(*size, factor) != (*sizes)[i]) return std::nullopt;
    }
    if (std::ranges::any_of(factors, [](double factor) { return !(factor > 0); })) return std::nullopt;
    return factors;
  }

  Lowering by_scales_at_run_time() const {
    const bool is_by_scales = site_.has_input(kScales) && !site_.has_input(kSizes) && axes_.empty();
    if (!is_by_scales) return Declined{"its sizes are not known, or no scales ask for them"};
    if (site_.opset() < 10) return Declined{"Upsample wants scales that are known to be 1 or more"};
    if (mode_ != "linear" || coordinates_ != "asymmetric")
      return Declined{"its scales are known only when the model runs, and which pixels it takes depends on them"};
    return resized({.mode = mode_, .factors = std::nullopt, .are_input = true});
  }

  // Whether the element at floor(x / factor) is what mode nearest takes.
  bool takes_pixel_before(double factor) const {
    if (factor == 1) return true;
    if (factor < 1) return false;
    // OpenVINO's Upsample takes other pixels where the factor is no whole number.
    if (coordinates_ == "asymmetric" && nearest_mode_ == "floor") return site_.opset() >= 10 || is_whole(factor);
    if (coordinates_ == "asymmetric") return nearest_mode_ == "round_prefer_floor" && factor == 2;
    if (coordinates_ == "tf_half_pixel_for_nn") return is_whole(factor) && nearest_mode_ == "floor";
    return coordinates_ != "align_corners" && is_whole(factor) && nearest_mode_.starts_with("round");
  }

  // Whether the element at ceil(x / factor) is.
  bool takes_pixel_behind(double factor) const {
    return factor < 1 && coordinates_ == "asymmetric" && (nearest_mode_ == "ceil" || is_inverse_power_of_two(factor));
  }

  std::optional<Older> as_it_is(const Factors& factors) const {
    if (site_.opset() < 10 && !std::ranges::all_of(factors, is_no_smaller)) return std::nullopt;
    const bool has_same_pixels = mode_ == "nearest" && std::ranges::all_of(factors, [this](double factor) {
                                   return takes_pixel_before(factor) || takes_pixel_behind(factor);
                                 });
    const bool has_same_places =
        coordinates_ == "asymmetric" || std::ranges::none_of(factors, [](double factor) { return factor != 1; });
    if (!has_same_pixels && (mode_ != "linear" || !has_same_places)) return std::nullopt;
    return asked_for(factors);
  }

  Older asked_for(const Factors& factors) const {
    return {.mode = mode_, .factors = factors, .are_input = !site_.has_input(kSizes) && axes_.empty()};
  }

  Body new_body() const {
    return {"ai.onnx",
            "Resize",
            {"X", "roi", "scales", "sizes"},
            {"Y"},
            static_cast<int>(std::max<int64_t>(7, site_.opset()))};
  }

  void append_resize(Body& body, std::string_view output, std::string_view input, const Older& older) const {
    const std::string_view op_type = site_.opset() < 10 ? "Upsample" : "Resize";
    if (site_.opset() < 9) {
      body(output, op_type, {input}, {{"mode", older.mode}, {"scales", *older.factors}});
      return;
    }
    std::string scales = "scales";
    if (!older.are_input) {
      const Ints dims = {static_cast<int64_t>(older.factors->size())};
      scales = body.constant("factors", tensor_of(onnx::TensorProto::FLOAT, dims, *older.factors));
    }
    body(output, op_type, {input, scales}, {{"mode", older.mode}});
  }

  Lowering resized(const Older& older) const {
    Body body = new_body();
    append_resize(body, "Y", "X", older);
    return body.function();
  }

  Lowering from_corners(const Factors& factors) const {
    Factors between_centres = factors;
    Ints axes, ends;
    for (size_t i = 0; i < factors.size(); ++i) {
      if (factors[i] == 1) continue;
      const auto size = site_.dim(kX, static_cast<int>(i));
      if (!size) return Declined{"of align_corners, the size of each axis must be known"};
      const int64_t result = size_by(*size, factors[i]);
      if (*size > 1) between_centres[i] = as_float(static_cast<double>(result - 1) / static_cast<double>(*size - 1));
      const int64_t made = size_by(*size, between_centres[i]);
      if (factors[i] < 1 || made < result) return Declined{"Resize-10 and Upsample make no such corners"};
      if (made == result) continue;
      axes.push_back(static_cast<int64_t>(i));
      ends.push_back(result);
    }
    Body body = new_body();
    append_resize(body, axes.empty() ? "Y" : "whole", "X", {.mode = mode_, .factors = between_centres});
    if (!axes.empty()) append_slice(body, "whole", axes, Ints(axes.size(), 0), ends);
    return body.function();
  }

  Lowering from_centres(const Factors& factors) const {
    constexpr size_t rank_of_images = 4;
    const bool is_of_images = factors.size() == rank_of_images && factors[0] == 1 && factors[1] == 1;
    if (!is_of_images || !std::ranges::all_of(factors, is_whole) || coordinates_ == "tf_half_pixel_for_nn")
      return Declined{"Resize-10 and Upsample place its points elsewhere"};
    const int dtype = site_.need_dtype(kX);
    if (dtype != onnx::TensorProto::FLOAT && dtype != onnx::TensorProto::FLOAT16)
      return Declined{"its elements are neither float nor float16"};
    Ints pads(2 * rank_of_images, 0), kernel, axes, starts, ends;
    for (size_t i = 2; i < rank_of_images; ++i) {
      const auto factor = static_cast<int64_t>(factors[i]);
      const bool is_even = factor % 2 == 0;
      kernel.push_back(is_even ? 2 : 1);
      if (factor == 1) continue;
      pads[i] = pads[i + rank_of_images] = 1;
      const int64_t start = is_even ? factor / 2 : (factor + 1) / 2;
      axes.push_back(static_cast<int64_t>(i));
      starts.push_back(start);
      ends.push_back(start + (is_even ? 1 : 0) - 2 * factor);
    }
    Body body = new_body();
    body("with_border", "Pad", {"X"}, {{"mode", "edge"}, {"pads", pads}});
    append_resize(body, "places", "with_border", asked_for(factors));
    std::string whole = "places";
    if (std::ranges::find(kernel, 2) != kernel.end())
      whole = body("between", "AveragePool", {"places"}, {{"kernel_shape", kernel}});
    append_slice(body, whole, axes, starts, ends);
    return body.function();
  }

  void append_slice(Body& body, std::string_view of, const Ints& axes, const Ints& starts, const Ints& ends) const {
    if (site_.opset() < 10) {
      body("Y", "Slice", {of}, {{"axes", axes}, {"ends", ends}, {"starts", starts}});
    } else {
      body("Y", "Slice", {of, body.ints(starts, "starts"), body.ints(ends, "ends"), body.ints(axes, "axes")});
    }
  }

  const CallSite& site_;
  std::string mode_, coordinates_, nearest_mode_;
  Ints axes_;
};

// Resize-10 and Upsample as each other.
Lowering with_scales(const CallSite& site, const std::string& mode, std::optional<Factors> scales) {
  const bool is_upsample = site.node().op_type() == "Upsample";
  const bool is_input = !scales;
  if (is_input) scales = site.constant_floats(1);
  if (site.opset() >= 11 || (site.opset() == 10 && !is_upsample))
    return Declined{.reason = "it is as it was below opset 11", .is_of_signature = true};
  if (site.opset() < 10 && !is_upsample && !(scales && std::ranges::all_of(*scales, is_no_smaller)))
    return Declined{"its scales are not constants of 1 or more, as Upsample wants them"};
  if (site.opset() < 9 && !scales) return Declined{"below opset 9 the scales must be constants"};
  const int opset = static_cast<int>(site.opset());
  Body body("ai.onnx", site.node().op_type(), is_input ? Values{"X", "scales"} : Values{"X"}, {"Y"},
            std::max(7, opset));
  if (opset < 9) {
    body("Y", "Upsample", {"X"}, {{"mode", mode}, {"scales", *scales}});
    return body.function();
  }
  std::string factors = "scales";
  if (!is_input) {
    const Ints dims = {static_cast<int64_t>(scales->size())};
    factors = body.constant("factors", tensor_of(onnx::TensorProto::FLOAT, dims, *scales));
  }
  body("Y", opset < 10 ? "Upsample" : "Resize", {"X", factors}, {{"mode", mode}});
  return body.function();
}

Lowering lower_resize(const CallSite& site) {
  if (site.input_count() != 2) return NewerResize(site).lowering();
  return with_scales(site, site.attribute_string("mode", "nearest"), std::nullopt);
}

Lowering lower_upsample(const CallSite& site) {
  const std::string mode = site.attribute_string("mode", "nearest");
  if (site.attribute("scales") == nullptr) return with_scales(site, mode, std::nullopt);
  const std::vector<float> scales = site.attribute_floats("scales", {});
  return with_scales(site, mode, Factors(scales.begin(), scales.end()));
}

const NativeRule rules[] = {
    {.domain = "ai.onnx",
     .op_type = "Resize",
     .summary = "Below opset 11 there are scales only, counted from the corners of pixels; below 10 it is Upsample.",
     .source = "ONNX Resize-10, Upsample-9, Upsample-7",
     .attributes = "antialias, axes, coordinate_transformation_mode, cubic_coeff_a, exclude_outside, "
                   "extrapolation_value, keep_aspect_ratio_policy, mode, nearest_mode",
     .turn = RuleTurn::first,
     .lower = lower_resize},
    {.domain = "ai.onnx",
     .op_type = "Upsample",
     .summary = "The scales are an attribute below opset 9 and an input from 9 on; at 10 it is Resize.",
     .source = "ONNX Upsample-7, Upsample-9, Resize-10",
     .attributes = "mode, scales",
     .turn = RuleTurn::first,
     .lower = lower_upsample},
};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_before_11
