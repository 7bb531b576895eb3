// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A Slice whose bounds a Cast makes of numbers with fractions, for tract, which takes its length
// for another one where a dimension that they are computed of has a name: what lies between the
// bounds is gathered along each axis.

#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_slices_by_range {
namespace {

enum Input { data, starts, ends, axes, steps };

class Gathering {
 public:
  Gathering()
      : body_("ai.onnx", "Slice", {"data", "starts", "ends", "axes", "steps"}, {"output"}, 13),
        zero_(body_.scalar(0, "zero")),
        one_(body_.scalar(1, "one")) {}

  Lowering along(const Ints& all_axes) {
    std::string current = "data";
    for (size_t place = 0; place < all_axes.size(); ++place) {
      const std::string size = body_.dim("data", static_cast<int>(all_axes[place]));
      const std::string index = body_.scalar(static_cast<int64_t>(place), "place");
      const std::string first = bound("starts", index, size), end = bound("ends", index, size);
      const std::string taken = body_.made("taken", "Range", {first, end, one_});
      const bool is_last = place + 1 == all_axes.size();
      current =
          body_(is_last ? "output" : body_.fresh("part"), "Gather", {current, taken}, {{"axis", all_axes[place]}});
    }
    return body_.function();
  }

 private:
  // One of the bounds, counted from the first element and within the dimension.
  std::string bound(const std::string& bounds, const std::string& place, const std::string& size) {
    const std::string number = body_.made("number", "Gather", {bounds, place}, {{"axis", 0}});
    const std::string given = body_.made("given", "Cast", {number}, {{"to", onnx::TensorProto::INT64}});
    const std::string is_from_end = body_.made("is_from_end", "Less", {given, zero_});
    const std::string from_end = body_.made("from_end", "Add", {given, size});
    const std::string counted = body_.made("counted", "Where", {is_from_end, from_end, given});
    const std::string not_below = body_.made("not_below", "Max", {counted, zero_});
    return body_.made("bound", "Min", {not_below, size});
  }

  Body body_;
  std::string zero_, one_;
};

Lowering lower(const CallSite& site) {
  if (site.opset() < 10) return Declined{"below opset 10 its bounds are attributes", {}, true};
  if (!site.has_input(starts) || !site.has_input(ends)) return Declined{"its bounds are attributes", {}, true};
  const int type = site.need_dtype(data);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::FLOAT16)
    return Declined{"its elements are not of float or float16", {}, true};
  if (site.constant(starts) != nullptr && site.constant(ends) != nullptr)
    return Declined{"its bounds are constants", {}, true};
  if (site.has_input(steps)) {
    for (const int64_t step : site.need_ints(steps)) {
      if (step != 1) return Declined{"it has steps", {}, true};
    }
  }
  const int rank = site.need_rank(data);
  Ints all_axes = site.has_input(axes) ? site.need_ints(axes) : numbers_below(site.need_dim(starts, 0));
  for (int64_t& axis : all_axes) axis = need_axis(axis, rank);
  return Gathering().along(all_axes);
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Slice",
                      .summary = "What lies between computed bounds, gathered along each axis.",
                      .source = "ONNX Slice-13",
                      .turn = RuleTurn::first,
                      .inputs = "data, starts, ends, axes, steps",
                      .needed_inputs = 1,
                      .most_inputs = 5,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_slices_by_range
