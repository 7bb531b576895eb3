// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators that compute their result's shape from the elements of an input: that input becomes a
// constant, which is read off the declared shape.

#include <algorithm>
#include <string>

#include "declared_shape.h"

namespace onnx_lower::native_rules::ai_onnx_shapes_as_declared {
namespace {

void must_not_be_known(const CallSite& site, int input) {
  if (!site.has_input(input) || site.constant_ints(input)) decline("what makes its result's shape is a constant");
}

// Reshape, Squeeze and Unsqueeze.
Lowering reshape(const CallSite& site) {
  must_not_be_known(site, 1);
  const Ints dims = need_declared_dims(site);
  Body body("ai.onnx", site.node().op_type(), {"data", "how"}, {"reshaped"}, 14);
  body.constant("shape", dims);
  if (std::ranges::find(dims, 0) == dims.end()) {
    body("reshaped", "Reshape", {"data", "shape"});
  } else {
    body("reshaped", "Reshape", {"data", "shape"}, {{"allowzero", 1}});
  }
  return as_declared(body, dims);
}

Lowering expand(const CallSite& site) {
  must_not_be_known(site, 1);
  const Ints dims = need_declared_dims(site);
  Body body("ai.onnx", "Expand", {"input", "shape"}, {"output"}, 13);
  body("output", "Expand", {"input", body.ints(dims, "dims")});
  return as_declared(body, dims);
}

Lowering constant_of_shape(const CallSite& site) {
  must_not_be_known(site, 0);
  const Ints dims = need_declared_dims(site);
  Body body("ai.onnx", "ConstantOfShape", {"input"}, {"output"}, 13);
  body("output", "ConstantOfShape", {body.ints(dims, "dims")});
  body.copy_attributes(site, {"value"}, "ConstantOfShape");
  return as_declared(body, dims);
}

Lowering tile(const CallSite& site) {
  must_not_be_known(site, 1);
  const Ints dims = need_declared_dims(site), given = need_dims(site, 0);
  if (dims.size() != given.size()) return Declined{"the declared shape is not of the input's rank"};
  Ints repeats;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (given[axis] == 0 ? dims[axis] != 0 : dims[axis] % given[axis] != 0)
      return Declined{"the declared shape is no multiple of the input's"};
    repeats.push_back(given[axis] == 0 ? 1 : dims[axis] / given[axis]);
  }
  Body body("ai.onnx", "Tile", {"input", "repeats"}, {"output"}, 13);
  body("output", "Tile", {"input", body.ints(repeats, "times")});
  return as_declared(body, dims);
}

Lowering split(const CallSite& site) {
  must_not_be_known(site, 1);
  const int rank = site.need_rank(0);
  const int64_t axis = need_axis(site.attribute_int("axis", 0), rank);
  std::vector<std::string> parts;
  Ints sizes, dims;
  for (int i = 0; i < site.output_count(); ++i) {
    dims = need_declared_dims(site, i);
    if (static_cast<int>(dims.size()) != rank) return Declined{"the declared shape is not of the input's rank"};
    sizes.push_back(dims[static_cast<size_t>(axis)]);
    parts.push_back(fmt::format("part{}", i));
  }
  Body body("ai.onnx", "Split", {"input", "split"}, parts, 13);
  body.node(parts, "Split", {"input", body.ints(sizes, "sizes")}, {{"axis", axis}});
  return as_declared(body, dims);
}

// A Slice whose starts and steps are known only when the model runs, while it is known how many
// elements it takes.
class SliceBody {
 public:
  explicit SliceBody(const CallSite& site)
      : dims_(need_declared_dims(site)),
        given_(need_dims(site, 0)),
        steps_(site.has_input(4) ? site.constant_ints(4) : std::nullopt),
        body_("ai.onnx", "Slice", {"data", "starts", "ends", "axes", "steps"}, {"output"}, 13) {
    if (dims_.size() != given_.size()) decline("the declared shape is not of the input's rank");
    if (site.constant_ints(1) && site.constant_ints(2) && (!site.has_input(3) || site.constant_ints(3)) &&
        (!site.has_input(4) || steps_))
      decline("what makes its result's shape is a constant");
    has_steps_ = site.has_input(4) && !(steps_ && std::ranges::all_of(*steps_, [](int64_t step) { return step == 1; }));
    if (site.has_input(3)) {
      axes_ = site.constant_ints(3);
    } else {
      axes_ = numbers_below(site.need_dim(1, 0));
    }
    if (!axes_) return;
    for (int64_t& axis : *axes_) axis = need_axis(axis, static_cast<int64_t>(given_.size()));
  }

  Lowering lower() {
    body_.constant("zero", Ints{0});
    body_("wide_starts", "Cast", {"starts"}, {{"to", 7}});
    if (has_steps_) body_("wide_steps", "Cast", {"steps"}, {{"to", 7}});
    if (!axes_) {
      const std::string rank = body_.ints({static_cast<int64_t>(given_.size())}, "rank");
      body_("wide_axes", "Cast", {"axes"}, {{"to", 7}});
      body_("axis_is_negative", "Less", {"wide_axes", "zero"});
      body_("axis_from_end", "Add", {"wide_axes", rank});
      body_("axis_from_start", "Where", {"axis_is_negative", "axis_from_end", "wide_axes"});
    }
    std::string values = "data";
    for (size_t axis = 0; axis < dims_.size(); ++axis) {
      const auto place = axes_ ? std::ranges::find(*axes_, static_cast<int64_t>(axis)) : Ints::iterator();
      if (axes_ && place == axes_->end()) continue;
      if (!has_steps_ && dims_[axis] == given_[axis]) continue;
      values = axes_ ? take(values, axis, place - axes_->begin()) : take(values, axis, std::nullopt);
    }
    body_("output", "Identity", {values});
    return as_declared(body_, dims_);
  }

 private:
  // What a list of starts or steps says of an axis: its element at `place`, or, where the axes are
  // known only when the model runs, the element whose axis is this one. An axis that is not among
  // them gets `otherwise`.
  std::string of_axis(const std::string& list, const std::string& name, size_t axis, std::optional<int64_t> place,
                      int64_t otherwise) {
    if (place) return body_(name, "Gather", {list, body_.ints({*place}, "place")}, {{"axis", 0}});
    const std::string axes = body_.ints({0}, "all");
    if (!body_has_match_) {
      body_has_match_ = true;
      const std::string number = body_.ints({static_cast<int64_t>(axis)}, "number");
      match_ = body_.fresh("is_this");
      body_(match_ + "_axis", "Equal", {"axis_from_start", number});
      body_(match_, "Cast", {match_ + "_axis"}, {{"to", 7}});
    }
    body_(name + "_of_this", "Mul", {list, match_});
    std::string value = body_(name + "_or_nothing", "ReduceSum", {name + "_of_this", axes}, {{"keepdims", 1}});
    if (otherwise == 0) return value;
    body_(name + "_times", "ReduceSum", {match_, axes}, {{"keepdims", 1}});
    body_(name + "_lacking", "Sub", {body_.ints({otherwise}, "otherwise"), name + "_times"});
    return body_(name, "Add", {value, name + "_lacking"});
  }

  std::string take(const std::string& values, size_t axis, std::optional<int64_t> place) {
    const std::string n = fmt::to_string(axis);
    const int64_t size = given_[axis], count = dims_[axis];
    if (count == 0) return body_.slice(values, 0, 0, static_cast<int64_t>(axis), "nothing");
    body_has_match_ = false;
    const std::string start = of_axis("wide_starts", "start" + n, axis, place, 0);
    const std::string length = body_.ints({size}, "size");
    std::string last = length, line = body_.ints(numbers_below(count), "line");
    if (has_steps_) {
      const std::string step = of_axis("wide_steps", "step" + n, axis, place, 1);
      body_("is_backwards" + n, "Less", {step, "zero"});
      body_("backwards" + n, "Cast", {"is_backwards" + n}, {{"to", 7}});
      last = body_("last" + n, "Sub", {length, "backwards" + n});
      line = body_("way" + n, "Mul", {line, step});
    }
    body_("is_negative" + n, "Less", {start, "zero"});
    body_("from_end" + n, "Add", {start, length});
    body_("from_start" + n, "Where", {"is_negative" + n, "from_end" + n, start});
    body_("not_before" + n, "Max", {"from_start" + n, "zero"});
    body_("first" + n, "Min", {"not_before" + n, last});
    body_("index" + n, "Add", {line, "first" + n});
    return body_("taken" + n, "Gather", {values, "index" + n}, {{"axis", static_cast<int64_t>(axis)}});
  }

  Ints dims_, given_;
  std::optional<Ints> steps_, axes_;
  bool has_steps_ = false, body_has_match_ = false;
  std::string match_;
  Body body_;
};

Lowering slice(const CallSite& site) {
  if (!site.has_input(1)) return Declined{.reason = "its starts are no input", .is_of_signature = true};
  return SliceBody(site).lower();
}

Lowering range(const CallSite& site) {
  const Ints dims = need_declared_dims(site);
  if (dims.size() != 1) return Declined{"the declared shape is not of rank 1"};
  if (site.constant(0) != nullptr && site.constant(1) != nullptr && site.constant(2) != nullptr)
    return Declined{"what makes its result's shape is a constant"};
  Body body("ai.onnx", "Range", {"start", "limit", "delta"}, {"output"}, 15);
  const std::string line = body.ints(numbers_below(dims[0]), "line");
  body("typed_line", "CastLike", {line, "start"});
  body("way", "Mul", {"typed_line", "delta"});
  body("output", "Add", {"way", "start"});
  return as_declared(body, dims);
}

Lowering top_k(const CallSite& site) {
  must_not_be_known(site, 1);
  const Ints dims = declared_dims(site, 0) ? *declared_dims(site, 0) : need_declared_dims(site, 1);
  const int64_t axis = need_axis(site.attribute_int("axis", -1), static_cast<int64_t>(dims.size()));
  Body body("ai.onnx", "TopK", {"X", "K"}, {"values", "indices"}, 11);
  const std::string count = body.ints({dims[static_cast<size_t>(axis)]}, "count");
  body.node({"values", "indices"}, "TopK", {"X", count}, {{"axis", axis}});
  body.copy_attributes(site, {"largest", "sorted"}, "TopK");
  return as_declared(body, dims);
}

Lowering center_crop_pad(const CallSite& site) {
  must_not_be_known(site, 1);
  const Ints dims = need_declared_dims(site);
  const auto rank = static_cast<int64_t>(dims.size());
  Ints sizes;
  for (const int64_t axis : site.attribute_ints("axes", numbers_below(rank)))
    sizes.push_back(dims[static_cast<size_t>(need_axis(axis, rank))]);
  Body body("ai.onnx", "CenterCropPad", {"input", "shape"}, {"output"}, 18);
  body("output", "CenterCropPad", {"input", body.ints(sizes, "sizes")});
  body.copy_attributes(site, {"axes"}, "CenterCropPad");
  return as_declared(body, dims);
}

// AffineGrid, which reads all of its size but the channels.
Lowering affine_grid(const CallSite& site) {
  must_not_be_known(site, 1);
  const Ints dims = need_declared_dims(site);
  if (dims.size() < 4) return Declined{"the declared shape is of no grid"};
  Ints size = {dims[0], 1};
  size.insert(size.end(), dims.begin() + 1, dims.end() - 1);
  Body body("ai.onnx", "AffineGrid", {"theta", "size"}, {"grid"}, 20);
  body("grid", "AffineGrid", {"theta", body.ints(size, "dims")});
  body.copy_attributes(site, {"align_corners"}, "AffineGrid");
  return as_declared(body, dims);
}

// The places of the `count` true elements of a list of `length`, in order.
std::string true_places(Body& body, const std::string& condition, int64_t length, int64_t count) {
  if (count > length) decline("the declared shape has more elements than can be taken");
  std::vector<double> from_end;
  for (const int64_t place : numbers_below(length)) from_end.push_back(static_cast<double>(length - place));
  const std::string least_at_end =
      body.constant(body.fresh("from_end"), tensor_of(onnx::TensorProto::FLOAT, {length}, from_end));
  body("is_true", "Cast", {condition}, {{"to", 1}});
  body("keys", "Mul", {"is_true", least_at_end});
  body.node({"greatest", "true_places"}, "TopK", {"keys", body.ints({count}, "count")}, {{"axis", 0}});
  return "true_places";
}

Lowering compress(const CallSite& site) {
  if (site.constant(1) != nullptr) return Declined{"its condition is a constant"};
  const Ints dims = need_declared_dims(site);
  const bool is_flat = site.attribute("axis") == nullptr;
  const int64_t axis = need_axis(site.attribute_int("axis", 0), static_cast<int64_t>(dims.size()));
  Body body("ai.onnx", "Compress", {"input", "condition"}, {"output"}, 13);
  const std::string values = is_flat ? body.reshape("input", {-1}, "elements") : "input";
  const std::string places = true_places(body, "condition", site.need_dim(1, 0), dims[static_cast<size_t>(axis)]);
  body("output", "Gather", {values, places}, {{"axis", axis}});
  return as_declared(body, dims);
}

// NonZero, by the numbers in the flat input of the elements that are not zero.
Lowering non_zero(const CallSite& site) {
  const Ints dims = need_declared_dims(site), given = need_dims(site, 0);
  if (dims.size() != 2 || given.empty()) return Declined{"the declared shape is not of rank 2"};
  Body body("ai.onnx", "NonZero", {"X"}, {"Y"}, 13);
  const std::string elements = body.reshape("X", {-1}, "elements");
  body("condition", "Cast", {elements}, {{"to", 9}});
  int64_t count = 1;
  for (const int64_t size : given) {
    if (__builtin_mul_overflow(count, size, &count)) return Declined{"its input has too many elements"};
  }
  std::string number = true_places(body, "condition", count, dims[1]);
  std::vector<std::string> rows(given.size());
  for (size_t axis = given.size(); axis-- > 0;) {
    const std::string n = fmt::to_string(axis), size = body.ints({std::max<int64_t>(given[axis], 1)}, "size");
    std::string place = number;
    if (axis > 0) {
      body("quotient" + n, "Div", {number, size});
      body("product" + n, "Mul", {"quotient" + n, size});
      place = body("place" + n, "Sub", {number, "product" + n});
      number = "quotient" + n;
    }
    rows[axis] = body.unsqueeze(place, {0}, "row");
  }
  body("Y", "Concat", rows, {{"axis", 0}});
  return as_declared(body, dims);
}

const NativeRule rules[] = {
    rule_as_declared("Reshape", "allowzero", reshape),
    rule_as_declared("Squeeze", "", reshape),
    rule_as_declared("Unsqueeze", "", reshape),
    rule_as_declared("Expand", "", expand),
    rule_as_declared("ConstantOfShape", "value", constant_of_shape),
    rule_as_declared("Tile", "", tile),
    rule_as_declared("Split", "axis, num_outputs", split),
    rule_as_declared("Slice", "", slice),
    rule_as_declared("Range", "", range),
    rule_as_declared("TopK", "axis, largest, sorted", top_k),
    rule_as_declared("CenterCropPad", "axes", center_crop_pad),
    rule_as_declared("AffineGrid", "align_corners", affine_grid),
    rule_as_declared("Compress", "axis", compress),
    rule_as_declared("NonZero", "", non_zero),
};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_shapes_as_declared
