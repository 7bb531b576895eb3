#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// With allowzero a 0 in the shape is a dimension of size 0, and not the input's dimension: then the result has no elements.
Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute({"allowzero"})) {
    return Declined{fmt::format("attribute '{}' is not one of Reshape's", *unknown)};
  }
  const auto text = [](const std::string& body) {
    return function_from_text(fmt::format(
        R"(<domain: "ai.onnx", opset_import: ["" : 13]> Reshape (data, shape) => (reshaped) {{ {} }})", body));
  };
  const auto shape = site.constant_ints(1);
  const bool has_zero = shape && std::ranges::find(*shape, 0) != shape->end();
  if (site.attribute_int("allowzero", 0) == 0 || (shape && !has_zero)) return text("reshaped = Reshape (data, shape)");
  const auto type = site.dtype(0);
  if (!type) return Declined{"the type of its input is not known"};
  const std::string empty = fmt::format("zeros = ConstantOfShape (shape) reshaped = Cast <to = {}> (zeros)", *type);
  if (has_zero) return text(empty);
  return text(fmt::format(R"(wide = Cast <to = 7> (shape)
      magnitude = Abs (wide)
      least = ReduceMin <axes = [0], keepdims = 0> (magnitude)
      none = Constant <value = int64 {{0}}> ()
      has_zero = Equal (least, none)
      reshaped = If (has_zero) <
        then_branch = empty () => (nothing) {{ zeros = ConstantOfShape (shape) nothing = Cast <to = {}> (zeros) }},
        else_branch = full () => (all) {{ all = Reshape (data, shape) }}
      >)",
                          *type));
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Reshape",
                      .summary = "Zeros in the shape that mean zeros, as they can from 14 on.",
                      .source = "ONNX Reshape-14",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
