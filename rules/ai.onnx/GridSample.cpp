// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sampling of an image at the points of a grid: with the names that the modes have below opset 20,
// and by gathering where the opset has no such operator (below 16, and below 20 for images of
// three dimensions).
//
// The image, with a margin of zeros on each side and the channels last, becomes a table of pixels.
// Along each coordinate a point has one neighbour (nearest), two (linear) or four (cubic), and
// those outside of the image are in the margin. A sample is the sum over all neighbours of their
// row in the table, times the product of their weights along each coordinate.
//
// All coordinates and all neighbours of a point are computed at once, along a first dimension, in
// which a neighbour's coordinates are side by side.
#include <fmt/format.h>

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
// How many zeros are behind the image: a point is kept at `size` or before, whose neighbours are up
// to `size + 1`.
constexpr int64_t margin_behind = 2;
// ONNX Runtime takes a point that is no number, or that is this many pixels away, for one at -1.
constexpr double not_a_place = 0x1p62;

using Names = std::vector<std::string>;

class Sampling {
 public:
  Sampling(const CallSite& site, std::string mode, std::string padding, std::optional<int> rank)
      : site_(site),
        mode_(std::move(mode)),
        padding_(std::move(padding)),
        neighbours_(mode_ == "nearest"  ? 1
                    : mode_ == "linear" ? 2
                                        : 4),
        axes_(rank.value_or(rank_of_volume) - 2),
        // Both neighbours of a point before the image are in the margin: a weight of 0 would not
        // hide an infinite pixel.
        margin_before_(mode_ == "linear" && padding_ == "zeros" ? 2 : 1),
        may_be_of_two_dimensions_(!rank),
        is_at_corners_(site.attribute_int("align_corners", 0) != 0),
        body_("ai.onnx", "GridSample", {"X", "grid"}, {"Y"}, 15) {}

  Lowering lowering() {
    // A float16 has too few digits for the place of a point. Where the type is not known, a double
    // holds every value.
    const auto type = site_.dtype(kImage);
    const bool in_float = type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::FLOAT16;
    work_type_ = in_float ? onnx::TensorProto::FLOAT : onnx::TensorProto::DOUBLE;
    for (const auto& [name, value] : {std::pair{"zero", 0.0}, {"one", 1.0}, {"half", 0.5}})
      body_.constant(name, tensor_of(work_type_, {}, std::vector<double>{value}));
    before_first_ = number(-static_cast<double>(margin_before_));
    points_ = body_("given_points", "Cast", {"grid"}, {{"to", work_type_}});
    if (may_be_of_two_dimensions_) {
      image_ = image_as_volume();
      points_ = points_in_volume();
    }
    Ints last_axis_first, for_each(static_cast<size_t>(axes_) + 2, 1);
    for (int64_t axis = axes_ + 1; axis > 1; --axis) last_axis_first.push_back(axis);
    for_each[0] = axes_;
    const std::string shape = body_.made("shape", "Shape", {image_});
    body_("sizes", "Gather", {shape, body_.ints(last_axis_first, "last_axis_first")}, {{"axis", 0}});
    body_("size", "Reshape",
          {body_.made("size_list", "Cast", {"sizes"}, {{"to", work_type_}}), body_.ints(for_each, "for_each")});
    body_("last", "Sub", {"size", "one"});

    const std::string place = limited_place();
    append_table();
    append_neighbours(place);
    Ints channels_first = {0, 1, axes_ + 2};
    for (int64_t axis = 2; axis < axes_ + 2; ++axis) channels_first.push_back(axis);
    const std::string first = body_.transpose(sum_of_samples(), channels_first, "channels_first");
    std::string sampled = body_.made("sampled", "Squeeze", {first, body_.ints({0}, "axes")});
    if (may_be_of_two_dimensions_) sampled = without_depth(sampled);
    body_("Y", "CastLike", {sampled, "X"});
    return body_.function();
  }

 private:
  // What some of the coordinates add to the number of a row in the table, and the product of
  // their weights.
  struct Neighbour {
    std::string row, weight;
  };

  double before() const { return static_cast<double>(margin_before_); }
  std::string number(double value) {
    return body_.constant(body_.fresh("number"), tensor_of(work_type_, {}, std::vector<double>{value}));
  }
  // Numbers for the neighbours of a point, each for all coordinates.
  std::string numbers(const std::vector<double>& values) {
    Ints shape(static_cast<size_t>(axes_) + 2, 1);
    shape[0] = axes_ * std::ssize(values);
    std::vector<double> of_coordinates;
    for (const double value : values) of_coordinates.insert(of_coordinates.end(), static_cast<size_t>(axes_), value);
    return body_.constant(body_.fresh("numbers"), tensor_of(work_type_, shape, of_coordinates));
  }
  // The values of all coordinates, once for each of `count` neighbours.
  std::string repeated(const std::string& values, size_t count) {
    return body_.made("repeated", "Concat", Names(count, values), {{"axis", 0}});
  }

  // An image whose rank is not known is sampled as a volume: one of two dimensions becomes a volume
  // of one layer, and all points are in the middle of that.

  // Gives a shape of rank 5 as it is, and puts a dimension of 1 before `place` into one of rank 4.
  std::string shape_with_depth(const std::string& shape, int64_t place) {
    const std::string most = body_.ints({rank_of_volume}, "most"), given = body_.made("given_rank", "Shape", {shape});
    const std::string ones = body_.made("depth", "ConstantOfShape", {body_.made("lacking", "Sub", {most, given})},
                                        {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{1})}});
    const std::string before = body_.slice(shape, 0, place, 0, "before"),
                      behind = body_.slice(shape, place, rank_of_volume, 0, "behind");
    return body_.made("shape_with_depth", "Concat", {before, ones, behind}, {{"axis", 0}});
  }
  std::string image_as_volume() {
    return body_.made("volume", "Reshape", {"X", shape_with_depth(body_("image_shape", "Shape", {"X"}), 2)});
  }
  std::string points_in_volume() {
    const std::string shape = shape_with_depth(body_("grid_shape", "Shape", {"grid"}), rank_of_image - 1);
    const std::string layered = body_.made("layered", "Reshape", {points_, shape});
    Ints one_behind(size_t{2} * rank_of_volume, 0);
    one_behind.back() = 1;
    const std::string with_middle = body_.made("with_middle", "Pad", {layered, body_.ints(one_behind, "one_behind")});
    return body_.slice(with_middle, 0, rank_of_volume - 2, rank_of_volume - 1, "points");
  }
  std::string without_depth(const std::string& sampled) {
    const std::string outer = body_.slice("image_shape", 0, 2, 0, "outer"),
                      inner = body_.slice("grid_shape", 1, -1, 0, "inner");
    return body_.made("sampled", "Reshape", {sampled, body_.made("shape", "Concat", {outer, inner}, {{"axis", 0}})});
  }

  std::string between(const std::string& value, const std::string& low, const std::string& high) {
    return body_.made("limited", "Min", {body_.made("raised", "Max", {value, low}), high});
  }

  // The distance from the lower edge, folded back at both. An image of one pixel has no distance
  // between the centres of its edges.
  std::string reflected(const std::string& place, const std::string& size, const std::string& last) {
    const std::string low = is_at_corners_ ? "zero" : number(-0.5);
    const std::string span = is_at_corners_ ? body_.made("span", "Max", {last, number(1e-6)}) : size;
    const std::string from_edge = body_.made("from_edge", "Sub", {place, low});
    const std::string away = body_.made("away", "Abs", {from_edge});
    const std::string period = body_.made("period", "Add", {span, span});
    const std::string turns = body_.made("turns", "Div", {away, period});
    const std::string whole_turns = body_.made("whole_turns", "Floor", {turns});
    const std::string turned = body_.made("turned", "Mul", {whole_turns, period});
    const std::string on = body_.made("on", "Sub", {away, turned});
    const std::string back = body_.made("back", "Sub", {period, on});
    const std::string folded = body_.made("folded", "Min", {on, back});
    return body_.made("reflected", "Add", {folded, low});
  }

  // Where the points are, in pixels, from their coordinates between -1 and 1. Points far outside
  // are moved to a place near the image that has the same sample.
  std::string limited_place() {
    Ints perm = {axes_ + 1};
    for (int64_t axis = 0; axis <= axes_; ++axis) perm.push_back(axis);
    const std::string coordinates = body_.transpose(points_, perm, "coordinates");
    const std::string moved = body_.made("moved", "Add", {coordinates, "one"});
    std::string place;
    if (is_at_corners_) {
      place = body_.made("free", "Mul", {moved, body_.made("half_way", "Mul", {"last", "half"})});
    } else {
      const std::string doubled = body_.made("doubled", "Mul", {moved, "size"});
      place = body_.made("free", "Mul", {body_.made("less", "Sub", {doubled, "one"}), "half"});
    }
    const std::string far_away = number(not_a_place), away = body_.made("distance", "Abs", {place});
    const std::string is_place = body_.made("is_place", "Less", {away, far_away});
    place = body_.made("place", "Where", {is_place, place, is_at_corners_ ? "zero" : number(-0.5)});
    if (mode_ == "cubic") {
      // That far outside, all neighbours are in the margin, or at the edge. With a reflection the
      // samples differ everywhere.
      const double far = padding_ == "reflection" ? 1e6 : 4;
      return between(place, number(-far), body_.made("beyond", "Add", {"size", number(far)}));
    }
    if (padding_ == "reflection") {
      // The nearest pixel is found before it is reflected.
      if (mode_ == "nearest") place = body_.made("whole", "Round", {place});
      place = reflected(place, "size", "last");
    }
    return padding_ == "zeros" ? between(place, before_first_, "size") : between(place, "zero", "last");
  }

  // The pixels with their margin, and how many rows of the table are between two neighbours along
  // each axis and between two images.
  void append_table() {
    body_("image", "Cast", {image_}, {{"to", work_type_}});
    Ints margin(static_cast<size_t>(2 * axes_ + 4), 0), order = {0};
    for (int64_t axis = 2; axis < axes_ + 2; ++axis) {
      margin[static_cast<size_t>(axis)] = margin_before_;
      margin[static_cast<size_t>(axis + axes_ + 2)] = margin_behind;
      order.push_back(axis);
    }
    order.push_back(1);
    body_("padded", "Pad", {"image", body_.ints(margin, "margin")});
    const std::string last = body_.transpose("padded", order, "channels_last");
    body_("table", "Flatten", {last}, {{"axis", axes_ + 1}});
    body_("table_sizes", "Add", {"sizes", body_.ints({margin_before_ + margin_behind}, "margins")});
    std::string stride = body_.slice("table_sizes", 0, 1, 0, "stride");
    for (int64_t axis = 1; axis < axes_; ++axis) {
      strides_.push_back(stride);
      stride = body_.made("stride", "Mul", {stride, body_.slice("table_sizes", axis, axis + 1, 0, "size")});
    }
    const std::string step = body_.scalar(1, "step"), count = body_.dim(image_, 0), first = body_.scalar(0, "first");
    Ints column(static_cast<size_t>(axes_) + 1, 1);
    column[0] = -1;
    const std::string origins =
        body_.made("origins", "Mul", {body_.made("images", "Range", {first, count, step}), stride});
    origins_ = body_.reshape(origins, column, "origins");
  }

  // Makes what the neighbours along each coordinate add to the number of a row, and their weights.
  void append_neighbours(const std::string& place) {
    if (mode_ == "nearest") {
      const std::string whole = padding_ == "reflection" ? place : body_.made("whole", "Round", {place});
      append_rows(body_.made("in_margin", "Add", {whole, numbers({before()})}));
      return;
    }
    const std::string whole = body_.made("whole", "Floor", {place}), rest = body_.made("rest", "Sub", {place, whole});
    const std::string each_rest = repeated(rest, 2), each_whole = repeated(whole, neighbours_);
    const auto distances = [&](const std::vector<double>& from) {
      return body_.made("distance", "Abs", {body_.made("difference", "Sub", {numbers(from), each_rest})});
    };
    if (mode_ == "linear") {
      append_rows(body_.made("in_margin", "Add", {each_whole, numbers({before(), before() + 1})}));
      append_weights(distances({1, 0}));
      return;
    }
    const std::string size = repeated("size", neighbours_), last = repeated("last", neighbours_);
    std::string places = body_.made("places", "Add", {each_whole, numbers({0, 1, -1, 2})});
    if (padding_ == "reflection") places = reflected(places, size, last);
    places = padding_ == "zeros" ? between(places, before_first_, size) : between(places, "zero", last);
    append_rows(body_.made("in_margin", "Add", {places, "one"}));
    const std::string inner = inner_weight(distances({0, 1})), outer = outer_weight(distances({-1, 2}));
    append_weights(body_.made("weights", "Concat", {inner, outer}, {{"axis", 0}}));
  }

  // The values of each coordinate and each neighbour by themselves.
  std::vector<Names> taken_apart(std::string_view stem, const std::string& values) {
    std::vector<Names> result(static_cast<size_t>(axes_));
    Names parts;
    for (size_t neighbour = 0; neighbour < neighbours_; ++neighbour) {
      for (Names& of_coordinate : result) of_coordinate.push_back(parts.emplace_back(body_.fresh(stem)));
    }
    body_.node(parts, "Split", {values, body_.ints(Ints(parts.size(), 1), "one_each")}, {{"axis", 0}});
    return result;
  }
  void append_weights(const std::string& weights) {
    weights_ = taken_apart("weight", body_.unsqueeze(weights, {axes_ + 2}, "of_channels"));
  }
  // `places` are counted from the beginning of the margin.
  void append_rows(const std::string& places) {
    rows_ = taken_apart("place", body_.made("row", "Cast", {places}, {{"to", 7}}));
    for (std::string& first : rows_.front()) first = body_.made("in_image", "Add", {first, origins_});
    for (size_t coordinate = 1; coordinate < rows_.size(); ++coordinate) {
      for (std::string& row : rows_[coordinate]) row = body_.made("above", "Mul", {row, strides_[coordinate - 1]});
    }
  }

  // Keys' cubic convolution with a = -0.75: for a distance up to 1, and between 1 and 2.
  std::string inner_weight(const std::string& distance) {
    // ((a + 2) d - (a + 3)) d^2 + 1
    const std::string slope = body_.made("slope", "Mul", {distance, number(1.25)});
    const std::string bent = body_.made("bent", "Sub", {slope, number(2.25)});
    const std::string once = body_.made("once", "Mul", {bent, distance});
    return body_.made("weight", "Add", {body_.made("twice", "Mul", {once, distance}), "one"});
  }
  std::string outer_weight(const std::string& distance) {
    // ((a d - 5a) d + 8a) d - 4a
    const std::string slope = body_.made("slope", "Mul", {distance, number(-0.75)});
    const std::string bent = body_.made("bent", "Add", {slope, number(3.75)});
    const std::string six = number(6), bent_twice = body_.made("product", "Mul", {bent, distance});
    const std::string once = body_.made("once", "Sub", {bent_twice, six});
    const std::string three = number(3), product = body_.made("product", "Mul", {once, distance});
    return body_.made("weight", "Add", {product, three});
  }

  // One pixel after another: all at once would be many times what is sampled, and slower.
  std::string sum_of_samples() {
    // From the last coordinate to the first, what all neighbours of those before have in common is
    // computed once.
    std::vector<Neighbour> neighbours = {{}};
    for (size_t coordinate = rows_.size(); coordinate-- > 0;) {
      std::vector<Neighbour> with_this;
      for (const Neighbour& others : neighbours) {
        for (size_t part = 0; part < rows_[coordinate].size(); ++part) {
          const std::string& row = rows_[coordinate][part];
          Neighbour& neighbour =
              with_this.emplace_back(Neighbour{row, weights_.empty() ? "" : weights_[coordinate][part]});
          if (others.row.empty()) continue;
          neighbour.row = body_.made("place", "Add", {others.row, row});
          if (!weights_.empty()) neighbour.weight = body_.made("product", "Mul", {others.weight, neighbour.weight});
        }
      }
      neighbours = std::move(with_this);
    }
    std::string sum;
    for (const Neighbour& neighbour : neighbours) {
      std::string sample = body_.made("pixel", "Gather", {"table", neighbour.row}, {{"axis", 0}});
      if (!neighbour.weight.empty()) sample = body_.made("sample", "Mul", {sample, neighbour.weight});
      sum = sum.empty() ? sample : body_.made("sum", "Add", {sum, sample});
    }
    return sum;
  }

  const CallSite& site_;
  std::string mode_, padding_;
  size_t neighbours_;  // of each coordinate
  int64_t axes_;
  // How many zeros are before the image, and the first place that a point is kept at.
  int64_t margin_before_;
  std::string before_first_;
  bool may_be_of_two_dimensions_, is_at_corners_;
  onnx::TensorProto::DataType work_type_ = onnx::TensorProto::UNDEFINED;
  Body body_;
  std::string image_ = "X", points_, origins_;
  // By coordinate and neighbour; there are no weights where a point has one neighbour.
  std::vector<Names> rows_, weights_;
  // Of the table's axes but the last, in the order of the coordinates.
  Names strides_;
};

Lowering lower(const CallSite& site) {
  auto rank = site.rank(kImage) ? site.rank(kImage) : site.rank(kGrid);
  // The modes are linear and cubic from opset 20 on, and bilinear and bicubic below.
  std::string mode = site.attribute_string("mode", "linear");
  if (mode == "bilinear" || mode == "bicubic") mode = mode.substr(2);
  const std::string padding = site.attribute_string("padding_mode", "zeros");
  if (mode != "linear" && mode != "cubic" && mode != "nearest")
    return Declined{fmt::format("it does not know the mode '{}'", mode)};
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    return Declined{fmt::format("it does not know the padding_mode '{}'", padding)};
  // From opset 20 on there are other names of the modes, and volumes.
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
