#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// Axes that make a vector along `axis` broadcast against a tensor of this rank.
std::string other_axes(int rank, int64_t axis) {
  std::vector<int> axes;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  return fmt::format("{}", fmt::join(axes, ", "));
}

Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute({"axis"})) {
    return Declined{fmt::format("attribute '{}' has no equivalent", *unknown)};
  }
  const auto type = site.dtype(1);
  const auto scale_rank = site.rank(1);
  if (!type || !scale_rank) return Declined{"the type and rank of its scale are not known"};
  if (*scale_rank > 1) return Declined{"scales in blocks have no equivalent"};
  std::string body = "wide = Cast <to = 6> (x)\n";
  std::string difference = "wide";
  if (site.has_input(2)) {
    body += "wide_zero = Cast <to = 6> (x_zero_point)\n";
    difference = "difference";
  }
  std::string scale = "x_scale";
  std::string zero = "wide_zero";
  if (*scale_rank == 1) {
    const auto rank = site.rank(0);
    if (!rank) return Declined{"the rank of its input is not known"};
    const int64_t axis = site.attribute_int("axis", 1);
    if (*rank > 1) {
      const std::string axes = other_axes(*rank, axis < 0 ? axis + *rank : axis);
      body += fmt::format("scales = Unsqueeze <axes: ints = [{}]> (x_scale)\n", axes);
      scale = "scales";
      if (site.has_input(2)) body += fmt::format("zeros = Unsqueeze <axes: ints = [{}]> (wide_zero)\n", axes);
      zero = "zeros";
    }
  }
  if (site.has_input(2)) body += fmt::format("difference = Sub (wide, {})\n", zero);
  body += fmt::format("number = Cast <to = {}> ({})\n y = Mul (number, {})", *type, difference, scale);
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 11]> DequantizeLinear (x, x_scale, x_zero_point) => (y) {{ {} }})",
      body));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "DequantizeLinear",
                      .summary = "(x - zero point) * scale, per tensor or along an axis (from 13 on).",
                      .source = "ONNX DequantizeLinear-10, DequantizeLinear-13",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
