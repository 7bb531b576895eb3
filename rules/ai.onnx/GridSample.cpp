// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sampling of an image at the points of a grid: with the names that the modes have below opset 20, and by gathering where the opset has no such operator (below 16, and below 20 for
// images of three dimensions).
//
// The image, with a margin of one zero on each side and the channels last, becomes a table of pixels. Of each coordinate a point has one neighbour (nearest), two (linear) or four (cubic),
// and what is outside is in the margin; a sample is the sum over all neighbours of a row of the table times the product of its weights.
#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_GridSample {
namespace {

constexpr int kImage = 0, kGrid = 1;
constexpr int rank_of_image = 4, rank_of_volume = 5;

class Sampling {
 public:
  Sampling(const CallSite& site, std::string mode, std::string padding, std::optional<int> rank)
      : site_(site),
        mode_(std::move(mode)),
        padding_(std::move(padding)),
        rank_(rank.value_or(rank_of_volume)),
        may_be_of_two_dimensions_(!rank),
        is_at_corners_(site.attribute_int("align_corners", 0) != 0),
        body_("ai.onnx", "GridSample", {"X", "grid"}, {"Y"}, 15) {}

  Lowering lowering() {
    // A float16 has too few digits for the place of a point. Where the type is not known, a double holds every value.
    const auto type = site_.dtype(kImage);
    const bool in_float = type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::FLOAT16;
    work_type_ = in_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE;
    const auto axes = static_cast<size_t>(rank_) - 2;
    for (const auto& [name, value] : {std::pair{"zero", 0.0}, {"one", 1.0}, {"half", 0.5}, {"before_first", -1.0}})
      body_.constant(name, tensor_of(work_type_, {}, std::vector<double>{value}));
    if (may_be_of_two_dimensions_) image_ = image_as_volume();
    body_("image", "Cast", {image_}, {{"to", work_type_}});
    points_ = body_("given_points", "Cast", {"grid"}, {{"to", work_type_}});
    if (may_be_of_two_dimensions_) points_ = points_in_volume();

    // In the order of the image's axes: the grid's last dimension begins with the last axis.
    std::vector<std::vector<Neighbour>> neighbours;
    for (size_t axis = 0; axis < axes; ++axis) neighbours.push_back(neighbours_along(axis, axes - 1 - axis));
    const std::string origins = append_table(axes);
    std::string samples;
    append_samples(neighbours, 0, origins, "", samples);
    std::vector<int64_t> order = {0, rank_ - 1};
    for (int64_t axis = 1; axis < rank_ - 1; ++axis) order.push_back(axis);
    std::string sampled = body_.transpose(samples, order, "channels_first");
    if (may_be_of_two_dimensions_) sampled = without_depth(sampled);
    body_("Y", "CastLike", {sampled, "X"});
    return body_.function();
  }

 private:
  // A row's number along one axis, in a table with a margin, and its weight; no weight where there is only one neighbour.
  struct Neighbour {
    std::string index, weight;
  };

  std::string number(double value) {
    return body_.constant(body_.fresh("number"), tensor_of(work_type_, {}, std::vector<double>{value}));
  }
  // The node's output has a fresh name, which begins with the stem.
  std::string let(std::string_view stem, std::string_view op_type, const Values& inputs,
                  std::initializer_list<BodyAttribute> attributes = {}) {
    return body_(body_.fresh(stem), op_type, inputs, attributes);
  }
  // An image whose rank is not known is sampled as a volume, and one of two dimensions is a volume of one layer, in whose middle all points are.

  // A shape of rank 5, or of one less, with a dimension of 1 before `place` in the latter.
  std::string shape_with_depth(const std::string& shape, int64_t place) {
    const std::string most = body_.ints({rank_of_volume}, "most"), given = let("given_rank", "Shape", {shape});
    const std::string ones = let("depth", "ConstantOfShape", {let("lacking", "Sub", {most, given})},
                                 {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
    const std::string before = body_.slice(shape, 0, place, 0, "before"),
                      behind = body_.slice(shape, place, rank_of_volume, 0, "behind");
    return let("shape_with_depth", "Concat", {before, ones, behind}, {{"axis", 0}});
  }
  std::string image_as_volume() {
    return let("volume", "Reshape", {"X", shape_with_depth(body_("image_shape", "Shape", {"X"}), 2)});
  }
  std::string points_in_volume() {
    const std::string shape = shape_with_depth(body_("grid_shape", "Shape", {"grid"}), 1);
    const std::string layered = let("layered", "Reshape", {points_, shape});
    Ints one_behind(size_t{2} * rank_of_volume, 0);
    one_behind.back() = 1;
    const std::string with_middle = let("with_middle", "Pad", {layered, body_.ints(one_behind, "one_behind")});
    return body_.slice(with_middle, 0, rank_of_volume - 2, rank_of_volume - 1, "points");
  }
  std::string without_depth(const std::string& sampled) {
    const std::string outer = body_.slice("image_shape", 0, 2, 0, "outer"),
                      inner = body_.slice("grid_shape", 1, -1, 0, "inner");
    return let("sampled", "Reshape", {sampled, let("shape", "Concat", {outer, inner}, {{"axis", 0}})});
  }

  // Not below `low`, which is what a place becomes that is no number.
  std::string at_least(const std::string& value, const std::string& low) {
    const std::string is_above = let("is_above", "Greater", {value, low});
    return let("raised", "Where", {is_above, value, low});
  }

  // The distance from the lower edge, folded back at both. An image of one pixel has no distance between the centres of its edges.
  std::string reflected(const std::string& place, const std::string& size, const std::string& last) {
    const std::string low = is_at_corners_ ? "zero" : number(-0.5);
    const std::string span = is_at_corners_ ? let("span", "Max", {last, number(1e-6)}) : size;
    const std::string from_edge = let("from_edge", "Sub", {place, low});
    const std::string away = let("away", "Abs", {from_edge});
    const std::string period = let("period", "Add", {span, span});
    const std::string turns = let("turns", "Div", {away, period});
    const std::string whole_turns = let("whole_turns", "Floor", {turns});
    const std::string turned = let("turned", "Mul", {whole_turns, period});
    const std::string on = let("on", "Sub", {away, turned});
    const std::string back = let("back", "Sub", {period, on});
    const std::string folded = let("folded", "Min", {on, back});
    return let("reflected", "Add", {folded, low});
  }

  std::vector<Neighbour> neighbours_along(size_t axis, size_t coordinate) {
    const std::string size =
        let("size", "Cast", {body_.dim_list(image_, static_cast<int>(axis) + 2)}, {{"to", work_type_}});
    const std::string last = let("last", "Sub", {size, "one"});
    const std::string given = let("given", "Gather", {points_, body_.scalar(static_cast<int64_t>(coordinate), "place")},
                                  {{"axis", rank_ - 1}});
    // In pixels, from its place between -1 and 1.
    const std::string moved = let("moved", "Add", {given, "one"});
    std::string place;
    if (is_at_corners_) {
      place = let("free", "Mul", {moved, let("half_way", "Mul", {last, "half"})});
    } else {
      const std::string doubled = let("doubled", "Mul", {moved, size});
      place = let("free", "Mul", {let("less", "Sub", {doubled, "one"}), "half"});
    }
    const bool is_cubic = mode_ == "cubic";
    if (!is_cubic && padding_ == "reflection") place = reflected(place, size, last);
    if (!is_cubic && padding_ != "zeros") {
      place = let("within", "Min", {at_least(place, "zero"), last});
    } else {
      // So far outside that no neighbour is inside, or that all are at the edge: nothing changes there, and what is no number becomes one. A reflection is not
      // the same everywhere.
      const bool is_reflected = padding_ == "reflection";
      const std::string far = is_reflected ? number(-1e6) : number(-4);
      const std::string beyond = let("beyond", "Add", {size, number(is_reflected ? 1e6 : 4)});
      place = let("near", "Min", {at_least(place, far), beyond});
    }
    if (mode_ == "nearest") return {{row(let("whole", "Round", {place}), size), ""}};
    const std::string whole = let("whole", "Floor", {place});
    const std::string rest = let("rest", "Sub", {place, whole});
    const std::string share = let("share", "Sub", {"one", rest});
    if (!is_cubic) return {{row(whole, size), share}, {row(let("next", "Add", {whole, "one"}), size), rest}};
    const std::array<std::string, 4> weights = {outer_weight(let("outer", "Add", {rest, "one"})), inner_weight(rest),
                                                inner_weight(share), outer_weight(let("outer", "Add", {share, "one"}))};
    std::vector<Neighbour> neighbours;
    for (int offset = -1; offset <= 2; ++offset) {
      std::string index = let("index", "Add", {whole, number(offset)});
      if (padding_ == "reflection") index = reflected(index, size, last);
      if (padding_ != "zeros") index = let("within", "Min", {at_least(index, "zero"), last});
      neighbours.push_back({row(index, size), weights[static_cast<size_t>(offset + 1)]});
    }
    return neighbours;
  }

  // Keys' cubic convolution with a = -0.75: for a distance up to 1, and between 1 and 2.
  std::string inner_weight(const std::string& distance) {
    // ((a + 2) d - (a + 3)) d^2 + 1
    const std::string slope = let("slope", "Mul", {distance, number(1.25)});
    const std::string bent = let("bent", "Sub", {slope, number(2.25)});
    const std::string once = let("once", "Mul", {bent, distance});
    return let("weight", "Add", {let("twice", "Mul", {once, distance}), "one"});
  }
  std::string outer_weight(const std::string& distance) {
    // ((a d - 5a) d + 8a) d - 4a
    const std::string slope = let("slope", "Mul", {distance, number(-0.75)});
    const std::string bent = let("bent", "Add", {slope, number(3.75)});
    const std::string six = number(6), bent_twice = let("product", "Mul", {bent, distance});
    const std::string once = let("once", "Sub", {bent_twice, six});
    const std::string three = number(3), product = let("product", "Mul", {once, distance});
    return let("weight", "Add", {product, three});
  }

  // From -1, the margin before the image, to its size, the margin behind; both are zeros.
  std::string row(const std::string& index, const std::string& size) {
    const std::string limited = let("limited", "Min", {at_least(index, "before_first"), size});
    return let("row", "Cast", {let("in_margin", "Add", {limited, "one"})}, {{"to", 7}});
  }

  // The pixels with their margin, and in which row of the table each image of the batch begins.
  std::string append_table(size_t axes) {
    std::vector<int64_t> margin(2 * axes + 4, 0), order = {0};
    for (size_t axis = 0; axis < axes; ++axis) {
      margin[axis + 2] = margin[axis + 4 + axes] = 1;
      order.push_back(static_cast<int64_t>(axis) + 2);
    }
    order.push_back(1);
    body_("padded", "Pad", {"image", body_.ints(margin, "margin")});
    const std::string last = body_.transpose("padded", order, "channels_last");
    const std::string channels = body_.dim_list(image_, 1), any = body_.ints({-1}, "any");
    body_("table_shape", "Concat", {any, channels}, {{"axis", 0}});
    body_("table", "Reshape", {last, "table_shape"});
    const std::string both = body_.ints({2}, "both_margins");
    std::string plane;
    for (size_t axis = 0; axis < axes; ++axis) {
      sizes_.push_back(let("row_size", "Add", {body_.dim_list(image_, static_cast<int>(axis) + 2), both}));
      plane = plane.empty() ? sizes_.back() : let("plane", "Mul", {plane, sizes_.back()});
    }
    const std::string step = body_.scalar(1, "step"), count = body_.dim(image_, 0), first = body_.scalar(0, "first");
    const std::string images = let("images", "Range", {first, count, step});
    std::vector<int64_t> column(axes + 1, 1);
    column[0] = -1;
    return body_.reshape(let("origin", "Mul", {images, plane}), column, "origins");
  }

  void append_samples(const std::vector<std::vector<Neighbour>>& neighbours, size_t axis, const std::string& so_far,
                      const std::string& weight, std::string& sum) {
    if (axis == neighbours.size()) {
      // Of the batch: the plane where its image begins comes last, since it is as large as the others.
      const std::string place = let("place", "Add", {origins_, so_far});
      std::string sample = let("pixel", "Gather", {"table", place}, {{"axis", 0}});
      if (!weight.empty()) sample = let("sample", "Mul", {sample, body_.unsqueeze(weight, {rank_ - 1}, "weight")});
      sum = sum.empty() ? sample : let("sum", "Add", {sum, sample});
      return;
    }
    for (const Neighbour& neighbour : neighbours[axis]) {
      std::string place = neighbour.index;
      if (axis == 0) {
        origins_ = so_far;
      } else {
        place = let("here", "Add", {let("above", "Mul", {so_far, sizes_[axis]}), neighbour.index});
      }
      const std::string product = weight.empty() || neighbour.weight.empty()
                                      ? weight + neighbour.weight
                                      : let("product", "Mul", {weight, neighbour.weight});
      append_samples(neighbours, axis + 1, place, product, sum);
    }
  }

  const CallSite& site_;
  std::string mode_, padding_;
  int rank_;
  bool may_be_of_two_dimensions_, is_at_corners_;
  onnx::TensorProto::DataType work_type_ = onnx::TensorProto::UNDEFINED;
  Body body_;
  std::string image_ = "X", points_;
  std::vector<std::string> sizes_;
  std::string origins_;
};

Lowering lower(const CallSite& site) {
  auto rank = site.rank(kImage) ? site.rank(kImage) : site.rank(kGrid);
  // From 20 on linear and cubic, below bilinear and bicubic.
  std::string mode = site.attribute_string("mode", "linear");
  if (mode == "bilinear" || mode == "bicubic") mode = mode.substr(2);
  const std::string padding = site.attribute_string("padding_mode", "zeros");
  if (mode != "linear" && mode != "cubic" && mode != "nearest")
    return Declined{fmt::format("it does not know the mode '{}'", mode)};
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    return Declined{fmt::format("it does not know the padding_mode '{}'", padding)};
  // From 20 on other names of the modes, and volumes.
  const bool has_newer_names = site.version().value_or(20) >= 20;
  if (!rank && (!has_newer_names || mode == "cubic")) rank = rank_of_image;
  if (has_newer_names && site.opset() >= 16 && site.opset() < 20 && rank == rank_of_image) {
    Body body("ai.onnx", "GridSample", {"X", "grid"}, {"Y"}, 16);
    body("Y", "GridSample", {"X", "grid"},
         {{"align_corners", site.attribute_int("align_corners", 0)},
          {"mode", mode == "nearest" ? mode : "bi" + mode},
          {"padding_mode", padding}});
    return body.function();
  }
  if (rank && rank != rank_of_image && rank != rank_of_volume)
    return Declined{fmt::format("its image has rank {}, not 4 or 5", *rank)};
  if (mode == "cubic" && rank == rank_of_volume) return Declined{"cubic means images of two dimensions"};
  if (site.dim(kImage, 1) == 0) return Declined{"its image has no channels, and nothing is gathered from it"};
  return Sampling(site, mode, padding, rank).lowering();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "GridSample",
    .summary = "the names of its modes below opset 20, and by gathering below 16 or where a runtime does not take it",
    .source = "ONNX GridSample-16, GridSample-20",
    .attributes = "align_corners, mode, padding_mode",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_GridSample
