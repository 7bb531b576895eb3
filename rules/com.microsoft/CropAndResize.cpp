#include "body_text.h"

namespace onnx_lower {
namespace {

// One coordinate of the samples, (R, count), in which 0 and 1 are the centres of the image's first and last pixels.
std::string positions(BodyText& body, int64_t low, int64_t high, int64_t count, const std::string& name) {
  body.line("{}_low = Gather <axis = 1> (rois_float, {})", name, body.ints({low}, "low"));
  body.line("{}_high = Gather <axis = 1> (rois_float, {})", name, body.ints({high}, "high"));
  body.line("{}_span = Sub ({}_high, {}_low)", name, name, name);
  std::vector<std::string> shares;
  for (int64_t step = 0; step < count; ++step) {
    shares.push_back(float_text(count == 1 ? 0.5 : static_cast<double>(step) / static_cast<double>(count - 1)));
  }
  body.line("{}_shares = Constant <value = float[{}] {{{}}}> ()", name, count, fmt::join(shares, ", "));
  body.line("{}_steps = Mul ({}_span, {}_shares)", name, name, name);
  body.line("{} = Add ({}_steps, {}_low)", name, name, name);
  return name;
}

Lowering lower(const CallSite& site) {
  if (const auto unknown = site.unknown_attribute({"extrapolation_value", "mode"})) {
    return Declined{"it does not know the attribute " + *unknown};
  }
  const std::string mode = site.attribute_string("mode", "bilinear");
  if (mode != "bilinear" && mode != "nearest") return Declined{"it does not know the mode " + mode};
  const auto size = site.constant_ints(3);
  if (!size || size->size() != 2) return Declined{"crop_size is not a constant of two elements"};
  const int64_t height = (*size)[0];
  const int64_t width = (*size)[1];
  if (height < 1 || width < 1) return Declined{"crop_size is not positive"};

  BodyText body("com.microsoft", "CropAndResize", {"X", "rois", "batch_indices", "crop_size"}, {"Y"},
                site.opset() >= 20 ? 20 : 16);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  body.line("rois_float = Cast <to = 1> (rois)");
  const std::string rows = body.unsqueeze(positions(body, 0, 2, height, "row"), {2, 3}, "rows");
  const std::string columns = body.unsqueeze(positions(body, 1, 3, width, "column"), {1, 3}, "columns");
  // A grid of (x, y) from -1 to 1.
  const std::string two = body.float_scalar(2.0, "two");
  const std::string one = body.float_scalar(1.0, "one");
  const std::string zero = body.float_scalar(0.0, "zero");
  body.line("no_rows = Mul ({}, {})", rows, zero);
  body.line("no_columns = Mul ({}, {})", columns, zero);
  body.line("all_rows = Add ({}, no_columns)", rows);
  body.line("all_columns = Add ({}, no_rows)", columns);
  body.line("places = Concat <axis = 3> (all_columns, all_rows)");
  body.line("doubled = Mul (places, {})", two);
  body.line("grid = Sub (doubled, {})", one);
  body.line("grid_x = CastLike (grid, X)");
  body.line("images = Gather <axis = 0> (X, batch_indices)");
  const char* bilinear = site.opset() >= 20 ? "linear" : "bilinear";
  body.line("samples = GridSample <align_corners = 1, mode = \"{}\", padding_mode = \"border\"> (images, grid_x)",
            mode == "bilinear" ? bilinear : "nearest");
  // Outside of the image there is only one value.
  body.line("before = Less (places, {})", zero);
  body.line("behind = Less ({}, places)", one);
  body.line("beyond = Or (before, behind)");
  body.line("beyond_number = Cast <to = 1> (beyond)");
  const std::string last = body.ints({3}, "axis");
  body.line("outside_count = ReduceSum <keepdims = 0> (beyond_number, {})", last);
  body.line("outside = Greater (outside_count, {})", zero);
  const std::string outside = body.unsqueeze("outside", {1}, "outside");
  const std::string filler = body.scalar_like(site.attribute_float("extrapolation_value", 0.0f), "X", "filler");
  body.line("Y = Where ({}, {}, samples)", outside, filler);
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "CropAndResize",
    .summary =
        "Crops of images, each resized to the same size, with the corners of the crops as first and last samples.",
    .source = "ONNX Runtime's contrib operator CropAndResize",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
