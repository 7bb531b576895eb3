// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <array>

#include "rules/body.h"

namespace onnx_lower::native_rules::aten_fft_fftshift {
namespace {

// Each dimension is rolled by half its size, rounded down there and up back.
Lowering shifted(const CallSite& site, std::string_view op_type, bool is_back) {
  const int rank = site.need_rank(0);
  Ints axes = site.has_input(1) ? site.need_ints(1) : numbers_below(rank);
  Body body("aten", op_type, {"x", "dim"}, {"y"}, 18);
  body.grows_with(axes.size());
  std::string value = "x";
  for (int64_t& axis : axes) {
    axis = need_axis(axis, rank);
    const std::string list = body.ints({axis}, "axis");
    const std::string size = body.dim_list("x", static_cast<int>(axis));
    const std::string more = is_back ? size : body.made("more", "Add", {size, body.ints({1}, "one")});
    const std::string start = body.made("start", "Div", {more, body.ints({2}, "two")});
    const std::string end = body.ints({std::numeric_limits<int64_t>::max()}, "end");
    const std::string second = body.made("second", "Slice", {value, start, end, list});
    const std::string first = body.made("first", "Slice", {value, body.ints({0}, "zero"), start, list});
    value = body.made("shifted", "Concat", {second, first}, {{"axis", axis}});
  }
  body("y", "Identity", {value});
  return body.function();
}

Lowering lower(const CallSite& site) { return shifted(site, "fft_fftshift", false); }
Lowering lower_back(const CallSite& site) { return shifted(site, "fft_ifftshift", true); }

const std::array<NativeRule, 2> rules{
    NativeRule{.domain = "aten",
               .op_type = "fft_fftshift",
               .summary = "The halves of each dimension exchanged, so that the element 0 comes to stand in the middle.",
               .source = "aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor",
               .inputs = "x, dim",
               .needed_inputs = 1,
               .most_inputs = 2,
               .lower = lower},
    NativeRule{.domain = "aten",
               .op_type = "fft_ifftshift",
               .summary = "What undoes fft_fftshift.",
               .source = "aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor",
               .inputs = "x, dim",
               .needed_inputs = 1,
               .most_inputs = 2,
               .lower = lower_back}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_fft_fftshift
