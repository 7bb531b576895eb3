// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

std::string list(const std::vector<int64_t>& values) { return fmt::format("{}", fmt::join(values, ", ")); }

// From 11 on the widths are an input.
Lowering with_inputs(const CallSite& site) {
  const std::vector<int64_t> pads = site.attribute_ints("pads", {});
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 15]> Pad (data) => (output) {{
        pads = Constant <value = int64[{}] {{{}}}> ()
        value = Constant <value_float = {:.9e}> ()
        typed_value = CastLike (value, data)
        output = Pad <mode = "{}"> (data, pads, typed_value)
      }})",
      pads.size(), list(pads), site.attribute_float("value", 0), site.attribute_string("mode", "constant")));
}

// The widths of all axes, from those of the given ones.
std::optional<std::vector<int64_t>> spread(const std::vector<int64_t>& pads, const std::vector<int64_t>& axes,
                                           int64_t rank) {
  if (pads.size() != axes.size() * 2) return std::nullopt;
  std::vector<int64_t> all(static_cast<size_t>(rank) * 2);
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank) return std::nullopt;
    all[static_cast<size_t>(axis)] = pads[i];
    all[static_cast<size_t>(axis + rank)] = pads[i + axes.size()];
  }
  return all;
}

// The same when the widths are known only when the model runs.
std::string spread_at_run_time(const std::vector<int64_t>& axes, int64_t rank) {
  std::string body = "none = Constant <value = int64[1] {0}> () ";
  std::vector<std::string> pieces(static_cast<size_t>(rank) * 2, "none");
  for (size_t i = 0; i < axes.size() * 2; ++i) {
    const size_t of = i % axes.size();
    const int64_t axis = (axes[of] < 0 ? axes[of] + rank : axes[of]) + (i < axes.size() ? 0 : rank);
    if (axis < 0 || axis >= rank * 2) return {};
    pieces[static_cast<size_t>(axis)] = fmt::format("width{}", i);
    body += fmt::format(
        "place{0} = Constant <value = int64[1] {{{0}}}> () width{0} = Gather <axis = 0> (pads, place{0}) ", i);
  }
  return body + fmt::format("all_pads = Concat <axis = 0> ({}) ", fmt::join(pieces, ", "));
}

// Below 18 there are no axes.
Lowering without_axes(const CallSite& site, const std::string& mode) {
  const auto axes = site.constant_ints(3);
  const auto rank = site.rank(0);
  if (!axes || !rank) return Declined{"below opset 18 the axes must be constants and the input's rank known"};
  std::string body;
  if (const auto pads = site.constant_ints(1)) {
    const auto all = spread(*pads, *axes, *rank);
    if (!all) return Declined{"pads and axes do not fit together"};
    body = fmt::format("all_pads = Constant <value = int64[{}] {{{}}}> () ", all->size(), list(*all));
  } else {
    body = spread_at_run_time(*axes, *rank);
    if (body.empty()) return Declined{"an axis is out of range"};
  }
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 13]> Pad (data, pads, constant_value, axes) => (output) {{
        {} output = Pad <mode = "{}"> (data, all_pads{})
      }})",
      body, mode, site.has_input(2) ? ", constant_value" : ""));
}

// Below 11 widths and value are attributes, and only floating-point numbers are padded.
Lowering with_attributes(const CallSite& site, const std::string& mode) {
  const auto pads = site.constant_ints(1);
  if (!pads) return Declined{"below opset 11 the pads must be constants"};
  double value = 0;
  if (site.has_input(2)) {
    const auto given = site.constant_floats(2);
    const auto integers = given ? std::nullopt : site.constant_ints(2);
    if (!given && !integers) return Declined{"below opset 11 the constant value must be a constant"};
    const std::vector<double> values = given ? *given : std::vector<double>(integers->begin(), integers->end());
    if (values.size() != 1) return Declined{"the constant value is not one number"};
    value = values[0];
  }
  if (value != static_cast<double>(static_cast<float>(value))) {
    return Declined{"below opset 11 the constant value must be one that float holds"};
  }
  const int dtype = site.need_dtype(0);
  const std::string pad =
      fmt::format("Pad <mode = \"{}\", pads: ints = [{}], value = {:.9e}>", mode, list(*pads), value);
  std::string body;
  switch (dtype) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::FLOAT16:
      body = fmt::format("output = {} (data)", pad);
      break;
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::UINT16:
    case onnx::TensorProto::UINT32:
    case onnx::TensorProto::BOOL:
      body = fmt::format("number = Cast <to = 11> (data) padded = {} (number) output = Cast <to = {}> (padded)", pad,
                         dtype);
      break;
    default:
      return Declined{"below opset 11 elements of this type cannot be padded"};
  }
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 9]> Pad (data, pads, constant_value) => (output) {{ {} }})", body));
}

Lowering lower(const CallSite& site) {
  if (site.attribute("pads") != nullptr) return with_inputs(site);
  if (site.attribute("value") != nullptr) return Declined{"it has the attribute 'value' without the attribute 'pads'"};
  const std::string mode = site.attribute_string("mode", "constant");
  if (mode != "constant" && mode != "reflect" && mode != "edge") {
    return Declined{fmt::format("below opset 19 there is no mode \"{}\"", mode)};
  }
  if (site.has_input(3)) return without_axes(site, mode);
  return with_attributes(site, mode);
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Pad",
                      .summary = "The widths are an attribute below 11 and an input from 11 on; axes are new in 18.",
                      .source = "ONNX Pad-2, Pad-11, Pad-18",
                      .attributes = "mode, pads, value",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
