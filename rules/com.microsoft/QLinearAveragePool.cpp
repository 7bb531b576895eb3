#include "fused_conv.h"
#include "windows.h"

namespace onnx_lower {
namespace {

// What is added to an axis of that size so that whole windows fill what comes of it. With ceil_mode the last window, which has to begin before the padding
// behind the image, may reach further than the given padding.
Padding filled_padding(const Windows& windows, int axis, int64_t size) {
  if (windows.is_same()) return windows.same_padding(axis, size);
  const int64_t kernel = windows.kernel[axis];
  const int64_t stride = windows.strides[axis];
  const Padding given = windows.given_padding(axis);
  int64_t last_start = (size + given.begin + given.end - kernel + stride - 1) / stride * stride;
  if (last_start >= size + given.begin) last_start -= stride;
  return {given.begin, std::max<int64_t>(last_start + kernel - size - given.begin, 0)};
}

// Appends what Pad adds at both ends of each axis, where the kernel adds it and counts it.
std::string counted_pads(const CallSite& site, BodyText& body, const Windows& windows, const std::string& image,
                         bool channels_last) {
  const int axes = windows.axes();
  const bool is_by_size = windows.is_same() || site.attribute_int("ceil_mode", 0) != 0;
  std::vector<Padding> paddings;
  bool is_known = true;
  for (int axis = 0; axis < axes; ++axis) {
    const std::optional<int64_t> size = site.dim(0, axis + (channels_last ? 1 : 2));
    is_known = is_known && (size || !is_by_size);
    paddings.push_back(is_by_size && size ? filled_padding(windows, axis, *size) : windows.given_padding(axis));
  }
  if (is_known) return body.ints(spatial_pads(paddings), "pads");
  const std::string zero = body.ints({0}, "zero");
  const std::string one = body.ints({1}, "one");
  const std::string none = body.ints({0, 0}, "none");
  const std::string kernel = body.ints(windows.kernel, "kernel");
  const std::string strides = body.ints(windows.strides, "strides");
  body.line("shape = Shape ({})", image);
  body.line("size = Slice (shape, {}, {}, {})", body.ints({2}, "start"), body.ints({axes + 2}, "end"), zero);
  const std::vector<int64_t> before(windows.pads.begin(), windows.pads.begin() + axes);
  std::string begins = body.ints(before, "begins");
  std::string last_start = "last_start";
  if (windows.is_same()) {
    body.line("before_end = Sub (size, {})", one);
    body.line("last_window = Div (before_end, {})", strides);
    body.line("last_start = Mul (last_window, {})", strides);
  } else {
    std::vector<int64_t> room(axes);
    for (int axis = 0; axis < axes; ++axis) {
      room[axis] = windows.pads[axis] + windows.pads[axes + axis] - windows.kernel[axis] + windows.strides[axis] - 1;
    }
    body.line("room = Add (size, {})", body.ints(room, "given_room"));
    body.line("last_window = Div (room, {})", strides);
    body.line("ceil_start = Mul (last_window, {})", strides);
    body.line("image_end = Add (size, {})", begins);
    body.line("is_inside = Less (ceil_start, image_end)");
    body.line("earlier_start = Sub (ceil_start, {})", strides);
    body.line("last_start = Where (is_inside, ceil_start, earlier_start)");
  }
  body.line("needed = Add (last_start, {})", kernel);
  body.line("missing = Sub (needed, size)");
  std::string ends = "ends";
  if (windows.is_same()) {
    body.line("is_missing = Less ({}, missing)", zero);
    body.line("total = Where (is_missing, missing, {})", zero);
    body.line("smaller = Div (total, {})", body.ints({2}, "two"));
    body.line("larger = Sub (total, smaller)");
    begins = windows.auto_pad == "SAME_UPPER" ? "smaller" : "larger";
    ends = windows.auto_pad == "SAME_UPPER" ? "larger" : "smaller";
  } else {
    body.line("missing_behind = Sub (missing, {})", begins);
    body.line("is_missing = Less ({}, missing_behind)", zero);
    body.line("ends = Where (is_missing, missing_behind, {})", zero);
  }
  body.line("pads = Concat <axis = 0> ({}, {}, {}, {})", none, begins, none, ends);
  return "pads";
}

Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute(
          {"auto_pad", "ceil_mode", "channels_last", "count_include_pad", "kernel_shape", "pads", "strides"})) {
    return Declined{"it does not know the attribute " + *unknown};
  }
  const bool channels_last = site.attribute_int("channels_last", 0) != 0;
  const int rank = image_rank(site, 0, -1).value_or(0);
  if (channels_last && rank < 3) return Declined{"the rank of X is not known"};
  const auto given = windows_of(site);
  if (const auto* declined = std::get_if<Declined>(&given)) return *declined;
  const Windows& windows = std::get<Windows>(given);
  BodyText body("com.microsoft", "QLinearAveragePool",
                first_names({"X", "x_scale", "x_zero_point", "y_scale", "y_zero_point"}, site.input_count()), {"Y"},
                15);
  // Transposed while they are quantized: what ONNX Runtime makes of int8 dequantized before a Transpose is not valid from opset 21 on.
  std::string image = channels_last ? body.transpose("X", channels_first_order(rank), "channels_first") : "X";
  const bool shifted = site.has_input(2);
  // The kernel divides by the size of the whole window, whatever of it lies in the padding or, with ceil_mode, behind it. So the padding is made of
  // zeros: OpenVINO moves the zero point of a DequantizeLinear behind the AveragePool, which would pad with something else than zero.
  const bool padded = site.attribute_int("count_include_pad", 0) != 0 &&
                      (windows.is_same() || windows.has_pads() || site.attribute_int("ceil_mode", 0) != 0);
  if (padded) {
    const std::string pads = counted_pads(site, body, windows, image, channels_last);
    // Pad takes integers, and a computed value, from opset 11 on.
    if (site.opset() >= 11 && (!shifted || site.constant_ints(2))) {
      body.line("padded = Pad ({}, {}{})", image, pads, shifted ? ", x_zero_point" : "");
      body.line("x = DequantizeLinear (padded, x_scale{})", shifted ? ", x_zero_point" : "");
    } else {
      body.line("codes = Cast <to = 1> ({})", image);
      if (shifted) {
        body.line("zero_code = Cast <to = 1> (x_zero_point)");
        body.line("steps = Sub (codes, zero_code)");
      }
      body.line("padded = Pad ({}, {})", shifted ? "steps" : "codes", pads);
      body.line("x = Mul (padded, x_scale)");
    }
  } else {
    body.line("x = DequantizeLinear ({}, x_scale{})", image, shifted ? ", x_zero_point" : "");
  }
  body.line("y = AveragePool (x)");
  std::string zero = "y_zero_point";
  if (!site.has_input(4)) zero = body.scalar_like(0.0, "X", "zero");
  body.line("{} = QuantizeLinear (y, y_scale, {})", channels_last ? "pooled" : "Y", zero);
  if (channels_last) body.line("Y = Transpose <perm = [{}]> (pooled)", fmt::join(channels_last_order(rank), ", "));
  onnx::FunctionProto function = body.function();
  copy_attributes(site, {"kernel_shape", "strides"}, "AveragePool", function);
  if (!padded) copy_attributes(site, {"auto_pad", "ceil_mode", "count_include_pad", "pads"}, "AveragePool", function);
  return function;
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "QLinearAveragePool",
                      .summary = "Average pooling of a quantized image, channels first or last.",
                      .source = "ONNX Runtime's contrib operator QLinearAveragePool",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
