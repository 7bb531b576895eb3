// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// These tables were reviewed against onnx 1.23.2: every version step of every operator whose schema
// or documentation differs in more than the element types, and the adapters of onnx's version
// converter. Steps that are not listed only accept more than before (types, negative axes and
// indices), or show in the schema. Steps below opset 7 were not reviewed: the runtimes begin there.
#include "standard_operators/changed_meanings.h"

#include <algorithm>
#include <climits>

#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

// Before 13, all dimensions from the axis on are taken as one; from 13 on, only the axis itself.
// Both mean the same only if the axis is the last one.
bool softmax_over_several(const onnx::NodeProto& node, const OperatorVersion& written_for) {
  const onnx::AttributeProto* axis = find_attribute(node, "axis");
  return (axis != nullptr ? axis->i() : written_for.since_version >= 13 ? -1 : 1) != -1;
}

// A split into equal parts: before 18 this is a node without sizes; since 18 num_outputs says it,
// which lets the last part be smaller.
bool split_into_parts(const onnx::NodeProto& node, const OperatorVersion&) {
  return (node.input_size() < 2 || node.input(1).empty()) && find_attribute(node, "split") == nullptr;
}

bool dropout_gives_mask(const onnx::NodeProto& node, const OperatorVersion&) {
  return node.output_size() > 1 && !node.output(1).empty();
}

// Runtimes accept negative axes before 11 as well, but the shape inference of
// these operators does not.
bool counts_axes_from_end(const onnx::NodeProto& node, const OperatorVersion&) {
  const onnx::AttributeProto* axis = find_attribute(node, "axis");
  const onnx::AttributeProto* axes = find_attribute(node, "axes");
  // A value that a function is called with may be negative or not.
  if ((axis != nullptr && is_open(*axis)) || (axes != nullptr && is_open(*axes))) return true;
  return (axis != nullptr && axis->i() < 0) ||
         (axes != nullptr && std::ranges::any_of(axes->ints(), [](int64_t value) { return value < 0; }));
}

// OpenVINO reads tensors in a Constant always, numbers and lists only from 13 on. A number that
// refers to a function's attribute cannot become a tensor, and OpenVINO reads no functions.
bool constant_is_no_tensor(const onnx::NodeProto& node, const OperatorVersion&) {
  const bool refers = std::ranges::any_of(
      node.attribute(), [](const onnx::AttributeProto& attribute) { return !attribute.ref_attr_name().empty(); });
  return !refers && find_attribute(node, "value") == nullptr;
}

// Whether the node computes the remainder of a floor division. For integers this can be said in
// every version, and there is a rule that does so.
bool is_floored(const onnx::NodeProto& node, const OperatorVersion&) {
  const onnx::AttributeProto* fmod = find_attribute(node, "fmod");
  return fmod == nullptr || fmod->i() == 0;
}

bool is_newer(const onnx::NodeProto&, const OperatorVersion& written_for) { return written_for.since_version >= 8; }
bool is_newer_than_6(const onnx::NodeProto&, const OperatorVersion& written_for) {
  return written_for.since_version >= 7;
}

constexpr ChangedMeaning meaning_list[] = {
    {"Softmax", 13, softmax_over_several, "below 13 all dimensions from the axis on are taken as one"},
    {"LogSoftmax", 13, softmax_over_several, "below 13 all dimensions from the axis on are taken as one"},
    {"Hardmax", 13, softmax_over_several, "below 13 all dimensions from the axis on are taken as one"},
    {"Constant", 13, constant_is_no_tensor, "below 13 some runtimes read tensors only"},
    {"Split", 18, split_into_parts,
     "equal parts are asked for by num_outputs from 18 on, and the last one may then be smaller"},
    {"GroupNormalization", 21, nullptr, "scale and bias are per group below 21 and per channel from 21 on"},
    {"OneHot", 11, nullptr, "a negative index is out of range below 11 and counts from the end from 11 on"},
    {"Scan", 9, nullptr,
     "below 9 the first input holds the lengths of the sequences, and every other has a batch axis"},
    {"Mod", 28, is_floored, "below 28 a floating-point remainder has fmod = 1"},
    {"Flatten", 11, counts_axes_from_end, "no axis is counted from the end below 11"},
    {"Squeeze", 11, counts_axes_from_end, "no axis is counted from the end below 11"},
    {"Unsqueeze", 11, counts_axes_from_end, "no axis is counted from the end below 11"},
    {"Dropout", 10, dropout_gives_mask, "the mask is a number below 10 and a boolean from 10 on"},
    {"Dropout", 12, dropout_gives_mask, "below 12 the mask is not defined outside training"},
    {"Max", 8, is_newer, "below 8 the inputs are not broadcast"},
    {"Min", 8, is_newer, "below 8 the inputs are not broadcast"},
    {"Mean", 8, is_newer, "below 8 the inputs are not broadcast"},
    {"Sum", 8, is_newer, "below 8 the inputs are not broadcast"},
    {"PRelu", 7, is_newer_than_6, "below 7 the slope is a number or one per channel"},
};

constexpr BoundedValue value_list[] = {
    {"GridSample", "mode", "bilinear", 16, 19, "linear"},
    {"GridSample", "mode", "bicubic", 16, 19, "cubic"},
    {"GridSample", "mode", "linear", 20, INT_MAX, ""},
    {"GridSample", "mode", "cubic", 20, INT_MAX, ""},
    {"Pad", "mode", "wrap", 19, INT_MAX, ""},
    {"Resize", "coordinate_transformation_mode", "tf_half_pixel_for_nn", 11, 12, ""},
    {"Resize", "coordinate_transformation_mode", "half_pixel_symmetric", 19, INT_MAX, ""},
    {"ScatterElements", "reduction", "max", 18, INT_MAX, ""},
    {"ScatterElements", "reduction", "min", 18, INT_MAX, ""},
    {"ScatterND", "reduction", "max", 18, INT_MAX, ""},
    {"ScatterND", "reduction", "min", 18, INT_MAX, ""},
};

constexpr FormerBehaviour former_list[] = {
    {"RoiAlign", "coordinate_transformation_mode", "output_half_pixel"},
};

constexpr DroppedAttribute dropped_list[] = {
    {"BatchNormalization", "spatial"},  // its default, 1, is what 9 does
    // It has no effect outside training, and no node of version 7 or 10 can ask for training.
    {"Dropout", "ratio"},
};

// ONNX Runtime accepts these before that version as well, OpenVINO does not.
constexpr FormerRank rank_list[] = {
    {"DequantizeLinear", 1, 13, 0, "below 13 its scale is a single number"},
    {"GridSample", 0, 20, 4, "below 20 its image has two dimensions"},
    {"QuantizeLinear", 1, 13, 0, "below 13 its scale is a single number"},
};

constexpr SupersededInput superseded_list[] = {
    {"Resize", 2, 3, 13},  // the scales, by the sizes
};

constexpr RenamedInput renamed_list[] = {
    {"BatchNormalization", "mean", "input_mean"},
    {"BatchNormalization", "var", "input_var"},
};

}  // namespace

std::span<const ChangedMeaning> changed_meanings() { return meaning_list; }
std::span<const BoundedValue> bounded_values() { return value_list; }
std::span<const FormerBehaviour> former_behaviours() { return former_list; }
std::span<const DroppedAttribute> dropped_attributes() { return dropped_list; }
std::span<const FormerRank> former_ranks() { return rank_list; }
std::span<const SupersededInput> superseded_inputs() { return superseded_list; }
std::span<const RenamedInput> renamed_inputs() { return renamed_list; }

}  // namespace onnx_lower
