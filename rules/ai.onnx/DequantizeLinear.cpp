// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// y = (x - x_zero_point) * x_scale, with one scale and zero point for all elements, one for each
// place along an axis, or one for each block along it.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "families/packed_integers.h"
#include "families/scales_of_elements.h"

namespace onnx_lower::native_rules::ai_onnx_DequantizeLinear {
namespace {

bool fits_in_eight_bits(std::optional<int> type) {
  switch (type.value_or(onnx::TensorProto::UNDEFINED)) {
    case onnx::TensorProto::INT2:
    case onnx::TensorProto::UINT2:
    case onnx::TensorProto::INT4:
    case onnx::TensorProto::UINT4:
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::UINT8:
      return true;
    default:
      return false;
  }
}

bool is_read_by(const CallSite& site, std::initializer_list<std::string> op_types) {
  return site.is_read_by(0, std::vector<std::string>(op_types));
}

// Whether a product adds up the elements along the axis.
bool is_added_up(const CallSite& site, int64_t axis) {
  if (site.rank(0) != 2) return false;
  if (axis == 1) return is_read_by(site, {"Transpose", "MatMul"});
  return is_read_by(site, {"MatMul"}) || is_read_by(site, {"Identity", "MatMul"}) ||
         is_read_by(site, {"Reshape", "MatMul"});
}

// Whether runtimes may keep the quantized integers, and dequantize them where they are read.
// OpenVINO does so in the product, for weights in blocks, or of four bits with a scale for each
// channel. It dequantizes others wrongly unless they go through int32, a form that it does not
// recognize: those with one scale for all, with scales along the axis that a product adds up, or
// with blocks along another one, and what a Gather takes from a table.
bool may_be_kept(const CallSite& site, int64_t axis, int64_t block_size) {
  if (!fits_in_eight_bits(site.dtype(0))) return false;
  if (site.constant(0) == nullptr) return true;
  if (block_size != 0) return site.rank(0) != 2 || !is_added_up(site, 1 - axis);
  return packed_bits(*site.dtype(0)) != 0 && site.rank(1) == 1 && !is_read_by(site, {"Gather"}) &&
         !is_added_up(site, axis);
}

struct BlockShapes {
  Ints apart;  // with each block along the axis in a dimension behind it
  Ints whole;
};

// Gives nothing where a dimension from the axis on is not known, or the last block is shorter.
std::optional<BlockShapes> shapes_of_blocks(const CallSite& site, int axis, int64_t block_size) {
  BlockShapes shapes;
  for (int i = 0; i < *site.rank(0); ++i) {
    const int64_t size = site.dim(0, i).value_or(0);
    if (i >= axis && size <= 0) return std::nullopt;
    const int64_t kept = i < axis ? 0 : size;  // in a Reshape, 0 is the size that the input has
    shapes.whole.push_back(kept);
    if (i == axis) {
      if (size % block_size != 0) return std::nullopt;
      shapes.apart.push_back(size / block_size);
      shapes.apart.push_back(block_size);
    } else {
      shapes.apart.push_back(kept);
    }
  }
  return shapes;
}

// Dequantizes to the type that the node's output_dtype says. ONNX Runtime and onnx's reference
// round the product once, to that type.
Lowering to_output_dtype(const CallSite& site, int scale_type, int output_dtype) {
  constexpr int float32 = onnx::TensorProto::FLOAT;
  Body body("ai.onnx", "DequantizeLinear", {"x", "x_scale", "x_zero_point"}, {"y"}, 21);
  const bool is_of_scale = scale_type == output_dtype;
  const bool widens = !is_of_scale && scale_type != float32;
  const std::string scale = widens ? body("wide_scale", "Cast", {"x_scale"}, {{"to", float32}}) : "x_scale";
  const bool narrows = !is_of_scale && output_dtype != float32;
  const std::string number = body(narrows ? "number" : "y", "DequantizeLinear", {"x", scale, "x_zero_point"});
  if (narrows) body("y", "Cast", {number}, {{"to", output_dtype}});
  body.copy_attributes(site, {"axis", "block_size"}, "DequantizeLinear");
  return body.function();
}

class Dequantization {
 public:
  // The type and the rank of the scale are known.
  Dequantization(const CallSite& site, int64_t block_size)
      : site_(site),
        type_(site.need_dtype(1)),
        scale_rank_(site.need_rank(1)),
        rank_(site.rank(0)),
        block_size_(block_size),
        is_shifted_(site.has_input(2)),
        is_in_blocks_(block_size > 0 && scale_rank_ > 0),
        axis_(site.attribute_int("axis", 1)),
        body_("ai.onnx", "DequantizeLinear", {"x", "x_scale", "x_zero_point"}, {"y"}, 11) {
    if (axis_ < 0 && rank_) axis_ += *rank_;
  }

  Lowering lowering() {
    const std::string codes = codes_of(0, "x");
    const std::string zero_codes = codes_of(2, "x_zero_point");
    // Differences of numbers of eight bits are exact in every type of a scale.
    const bool is_narrow = may_be_kept(site_, axis_, block_size_);
    const int computed_in = is_narrow ? type_ : onnx::TensorProto::INT32;
    const std::optional<BlockShapes> blocks =
        is_in_blocks_ ? shapes_of_blocks(site_, static_cast<int>(axis_), block_size_) : std::nullopt;
    // Each block is a dimension of its own.
    const std::string apart = blocks ? body_.reshape(codes, blocks->apart, "blocks") : codes;
    body_("wide", "Cast", {apart}, {{"to", computed_in}});
    if (is_shifted_) body_("wide_zero", "Cast", {zero_codes}, {{"to", computed_in}});
    const Parameters of_elements = beside_elements(codes, blocks.has_value());
    std::string number = is_shifted_ ? body_("difference", "Sub", {"wide", of_elements.zero}) : "wide";
    if (!is_narrow) number = body_("number", "Cast", {number}, {{"to", type_}});
    if (blocks) {
      body_("products", "Mul", {number, of_elements.scale});
      body_.constant("whole_shape", blocks->whole);
      body_("y", "Reshape", {"products", "whole_shape"});
    } else {
      body_("y", "Mul", {number, of_elements.scale});
    }
    return body_.function();
  }

 private:
  struct Parameters {
    std::string scale, zero;
  };

  // Gives the input, unpacked to bytes if the model's opset has no type for it.
  std::string codes_of(int input, std::string name) {
    if (!is_packed_too_new(site_, input)) return name;
    name += "_bytes";
    append_widened(site_, body_, input, name);
    return name;
  }

  // Gives scale and zero point in a shape that broadcasts to that of the elements.
  Parameters beside_elements(const std::string& codes, bool are_blocks_apart) {
    if (are_blocks_apart) return with_axes({axis_ + 1});
    if (is_in_blocks_) return of_each_element_of_blocks(append_blocks(body_, codes, axis_, block_size_));
    if (scale_rank_ == 1 && *rank_ > 1) return with_axes(other_axes(*rank_, axis_));
    return {"x_scale", "wide_zero"};
  }

  Parameters with_axes(const Ints& axes) {
    body_("scales", "Unsqueeze", {"x_scale"}, {{"axes", axes}});
    if (is_shifted_) body_("zeros", "Unsqueeze", {"wide_zero"}, {{"axes", axes}});
    return {"scales", "zeros"};
  }

  // `block` says in which block an element is.
  Parameters of_each_element_of_blocks(const std::string& block) {
    body_("scales", "Gather", {"x_scale", block}, {{"axis", axis_}});
    if (is_shifted_) body_("zeros", "Gather", {"wide_zero", block}, {{"axis", axis_}});
    return {"scales", "zeros"};
  }

  const CallSite& site_;
  const int type_, scale_rank_;  // of the scale
  const std::optional<int> rank_;
  const int64_t block_size_;
  const bool is_shifted_, is_in_blocks_;
  int64_t axis_;
  Body body_;
};

Lowering lower(const CallSite& site) {
  const auto type = site.dtype(1);
  const auto scale_rank = site.rank(1);
  if (!type) return Declined{"the type of its scale is not known"};
  if (const int64_t output_dtype = site.attribute_int("output_dtype", 0); output_dtype != 0)
    return to_output_dtype(site, *type, static_cast<int>(output_dtype));
  if (!scale_rank) return Declined{"the rank of its scale is not known"};
  const int64_t block_size = site.attribute_int("block_size", 0);
  if (block_size < 0) return Declined{"block_size is negative"};
  const auto rank = site.rank(0);
  if (*scale_rank > 0 && !rank) return Declined{"the rank of its input is not known"};
  if (*scale_rank > 1 && (block_size == 0 || scale_rank != rank))
    return Declined{"its scale is neither one number, nor a list, nor in blocks"};
  decline_lists_for_a_number(site);
  return Dequantization(site, block_size).lowering();
}

// Writes zero points of 0, for a runtime that takes those that are absent for ones of another type
// than that of the weights.
Lowering with_zero_point(const CallSite& site) {
  const onnx::TensorProto* scale = site.constant(1);
  if (site.has_input(2) || site.constant(0) == nullptr || scale == nullptr)
    return Declined{"it has a zero point, or is not of constants", {}, true};
  if (!fits_in_eight_bits(site.dtype(0))) return Declined{"it is not of integers of 8 bits or fewer", {}, true};
  onnx::TensorProto zeros;
  zeros.set_data_type(*site.dtype(0));
  *zeros.mutable_dims() = scale->dims();
  constexpr int64_t most = int64_t{1} << 28;  // more than any model has scales
  int64_t count = 1;
  for (const int64_t dim : scale->dims()) {
    if (dim < 0 || dim > most || (count *= dim) > most) return Declined{"its scales are too many"};
  }
  const int packed = packed_bits(zeros.data_type());
  zeros.set_raw_data(std::string((static_cast<size_t>(count) * (packed == 0 ? 8 : packed) + 7) / 8, '\0'));
  Body body("ai.onnx", "DequantizeLinear", {"x", "x_scale"}, {"y"}, site.own_opset());
  body.constant("zero", std::move(zeros));
  body("y", "DequantizeLinear", {"x", "x_scale", "zero"});
  body.copy_attributes(site, {"axis", "block_size", "output_dtype"}, "DequantizeLinear");
  return body.function();
}

constexpr std::string_view source =
    "ONNX DequantizeLinear-10, DequantizeLinear-13, DequantizeLinear-21, DequantizeLinear-23";
constexpr std::string_view attributes = "axis, block_size, output_dtype";

const NativeRule rules[] = {
    {.domain = "ai.onnx",
     .op_type = "DequantizeLinear",
     .summary = "Of constants without a zero point: with one that is 0.",
     .source = source,
     .attributes = attributes,
     .makes_it_anew = true,
     .lower = with_zero_point},
    {.domain = "ai.onnx",
     .op_type = "DequantizeLinear",
     .summary = "(x - zero point) * scale, per tensor, along an axis (from 13 on) or in blocks (from 21 on).",
     .source = source,
     .attributes = attributes,
     .lower = lower}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_DequantizeLinear
