// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/node_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

// A string attribute and the values that it may have in some version of the operator, as its
// documentation lists them.
struct NamedValues {
  std::string_view op_type;  // empty: every operator with this attribute
  std::string_view attribute;
  std::string_view values;  // separated by blanks, with one at each end
};

constexpr NamedValues named_values[] = {
    {"", "auto_pad", " NOTSET SAME_UPPER SAME_LOWER VALID "},
    {"", "reduction", " none sum mean add mul max min "},
    {"", "padding_mode", " zeros border reflection "},
    {"", "coordinate_transformation_mode",
     " half_pixel half_pixel_symmetric pytorch_half_pixel align_corners asymmetric tf_half_pixel_for_nn "
     "tf_crop_and_resize output_half_pixel "},
    {"", "nearest_mode", " round_prefer_floor round_prefer_ceil floor ceil simple "},
    {"", "round_mode", " up down nearest "},
    {"", "keep_aspect_ratio_policy", " stretch not_larger not_smaller "},
    {"BitShift", "direction", " LEFT RIGHT "},
    {"DepthToSpace", "mode", " DCR CRD "},
    {"GRU", "direction", " forward reverse bidirectional "},
    {"Gelu", "approximate", " none tanh "},
    {"GridSample", "mode", " linear nearest cubic bilinear bicubic "},
    {"LSTM", "direction", " forward reverse bidirectional "},
    {"Pad", "mode", " constant reflect edge wrap "},
    {"RNN", "direction", " forward reverse bidirectional "},
    {"Resize", "mode", " nearest linear cubic "},
    {"RoiAlign", "mode", " avg max "},
    {"StringNormalizer", "case_change_action", " LOWER UPPER NONE "},
    {"TfIdfVectorizer", "mode", " TF IDF TFIDF "},
    {"Upsample", "mode", " nearest linear "},
};

// An attribute with one or several numbers, each of which must lie between these limits.
struct NumberLimits {
  std::string_view op_type;  // empty: every operator with this attribute
  std::string_view attribute;
  int64_t least;
  int64_t greatest;
};

constexpr int64_t any = std::numeric_limits<int64_t>::max();
// No tensor has more dimensions, and runtimes count them and some sizes with 32 bits.
constexpr int64_t least_axis = std::numeric_limits<int32_t>::min();
constexpr int64_t greatest_axis = std::numeric_limits<int32_t>::max();

constexpr NumberLimits number_limits[] = {
    {"", "antialias", 0, 1},
    {"", "axes", least_axis, greatest_axis},
    {"", "axis", least_axis, greatest_axis},
    {"", "block_size", 0, any},
    {"", "blocksize", 1, any},
    {"", "dilations", 1, any},
    {"", "exclude_outside", 0, 1},
    {"", "kernel_shape", 1, any},
    {"", "layout", 0, 1},
    {"", "num_outputs", 1, any},
    {"", "num_scan_inputs", 1, any},
    {"", "stash_type", 1, 16},
    {"", "strides", 1, any},
    {"Conv", "group", 1, any},
    {"ConvInteger", "group", 1, any},
    {"ConvTranspose", "group", 1, any},
    {"CumSum", "exclusive", 0, 1},
    {"CumSum", "reverse", 0, 1},
    {"GRU", "hidden_size", 1, greatest_axis},
    {"GRU", "linear_before_reset", 0, 1},
    {"GatherND", "batch_dims", 0, greatest_axis},
    {"GroupNormalization", "num_groups", 1, any},
    {"LRN", "size", 1, any},
    {"LSTM", "hidden_size", 1, greatest_axis},
    {"LpNormalization", "p", 1, 2},
    {"MaxPool", "storage_order", 0, 1},
    {"MaxRoiPool", "pooled_shape", 1, any},
    {"Mod", "fmod", 0, 1},
    {"NonMaxSuppression", "center_point_box", 0, 1},
    {"QLinearConv", "group", 1, any},
    {"RNN", "hidden_size", 1, greatest_axis},
    {"ReverseSequence", "batch_axis", 0, 1},
    {"ReverseSequence", "time_axis", 0, 1},
    {"RoiAlign", "output_height", 1, any},
    {"RoiAlign", "output_width", 1, any},
    {"RoiAlign", "sampling_ratio", 0, any},
};

// --- What the conditions are made of. A reference to an attribute of a function has no known
// value, and counts as fulfilling each condition. ---

const AttributeProto* known(const NodeProto& node, std::string_view name) {
  const AttributeProto* attribute = find_attribute(node, name);
  return attribute != nullptr && !is_open(*attribute) ? attribute : nullptr;
}

bool has_input(const NodeProto& node, int index) { return index < node.input_size() && !node.input(index).empty(); }

int64_t number(const NodeProto& node, std::string_view name, int64_t otherwise) {
  const AttributeProto* attribute = known(node, name);
  return attribute == nullptr ? otherwise : attribute->i();
}

bool sizes_are_clear(const NodeProto& node) {
  constexpr int scales = 2;
  constexpr int sizes = 3;
  return has_input(node, scales) != has_input(node, sizes);
}

bool parts_are_clear(const NodeProto& node) {
  constexpr int split = 1;
  if (const AttributeProto* count = find_attribute(node, "num_outputs"); count != nullptr && is_open(*count))
    return true;
  return has_input(node, split) != (find_attribute(node, "num_outputs") != nullptr);
}

bool has_outputs_of_count(const NodeProto& node) {
  return number(node, "num_outputs", node.output_size()) == node.output_size();
}

// For Split: the sizes are as many as the outputs, and none is negative.
bool has_size_for_each_output(const NodeProto& node) {
  const AttributeProto* split = known(node, "split");
  if (split == nullptr || split->ints().empty()) return true;
  return split->ints_size() == node.output_size() &&
         std::ranges::all_of(split->ints(), [](int64_t n) { return n >= 0; });
}

bool has_odd_size(const NodeProto& node) { return number(node, "size", 1) % 2 == 1; }

bool has_hidden_size(const NodeProto& node) { return find_attribute(node, "hidden_size") != nullptr; }

bool value_is_one_number(const NodeProto& node) {
  const AttributeProto* value = known(node, "value");
  return value == nullptr || (value->t().dims_size() == 1 && value->t().dims(0) == 1);
}

bool axes_differ(const NodeProto& node) {
  for (const std::string_view name : {"batch_axis", "time_axis"}) {
    if (const AttributeProto* axis = find_attribute(node, name); axis != nullptr && is_open(*axis)) return true;
  }
  return number(node, "batch_axis", 1) != number(node, "time_axis", 0);
}

bool has_outputs_of_mode(const NodeProto& node) {
  const AttributeProto* training = find_attribute(node, "training_mode");
  return node.output_size() == 1 || (training != nullptr && (is_open(*training) || training->i() != 0));
}

// The statistics of a training step are there together, or not at all.
bool has_all_statistics(const NodeProto& node) { return node.output_size() == 1 || node.output_size() == 5; }

bool equation_fits(const NodeProto& node) {
  const AttributeProto* equation = known(node, "equation");
  if (equation == nullptr) return true;
  const std::string_view text = equation->s();
  const std::string_view operands = text.substr(0, text.find("->"));
  return std::ranges::count(operands, ',') + 1 == node.input_size();
}

bool limits_are_in_order(const NodeProto& node) {
  const AttributeProto* least = known(node, "min");
  const AttributeProto* greatest = known(node, "max");
  return least == nullptr || greatest == nullptr || !(least->f() > greatest->f());
}

bool pads_by_one_rule(const NodeProto& node) {
  const AttributeProto* auto_pad = known(node, "auto_pad");
  return auto_pad == nullptr || auto_pad->s() == "NOTSET" || known(node, "pads") == nullptr;
}

bool has_each_axis_once(const NodeProto& node) {
  const AttributeProto* given = known(node, "axes");
  if (given == nullptr) return true;
  std::vector<int64_t> axes(given->ints().begin(), given->ints().end());
  std::ranges::sort(axes);
  return std::ranges::adjacent_find(axes) == axes.end();
}

bool is_permutation(const NodeProto& node) {
  const AttributeProto* perm = known(node, "perm");
  if (perm == nullptr) return true;
  std::vector<int64_t> axes(perm->ints().begin(), perm->ints().end());
  std::vector<int64_t> in_order(axes.size());
  std::ranges::sort(axes);
  std::iota(in_order.begin(), in_order.end(), int64_t{0});
  return axes == in_order;
}

struct NodeCondition {
  std::string_view op_type;
  int first_version;  // of the operator
  int last_version;
  bool (*holds)(const NodeProto& node);
  std::string_view problem;

  bool concerns(const OperatorVersion& version) const {
    return op_type == version.name && version.since_version >= first_version && version.since_version <= last_version;
  }
};

constexpr int newest = std::numeric_limits<int>::max();

constexpr NodeCondition conditions[] = {
    {"BatchNormalization", 7, 13, has_all_statistics, "it has some of the outputs of a training step, and not all"},
    {"BatchNormalization", 14, newest, has_outputs_of_mode, "it has outputs that only its training mode makes"},
    {"Clip", 1, 6, limits_are_in_order, "its attribute 'min' is above 'max'"},
    {"ConstantOfShape", 1, newest, value_is_one_number, "its attribute 'value' is no list of one number"},
    {"Conv", 1, newest, pads_by_one_rule, "it has both the attributes 'auto_pad' and 'pads'"},
    {"ConvInteger", 1, newest, pads_by_one_rule, "it has both the attributes 'auto_pad' and 'pads'"},
    {"ConvTranspose", 1, newest, pads_by_one_rule, "it has both the attributes 'auto_pad' and 'pads'"},
    {"Einsum", 1, newest, equation_fits, "its attribute 'equation' speaks of another number of inputs"},
    {"GRU", 7, newest, has_hidden_size, "it lacks the attribute 'hidden_size'"},
    {"LRN", 1, newest, has_odd_size, "its attribute 'size' is no odd number"},
    {"LSTM", 7, newest, has_hidden_size, "it lacks the attribute 'hidden_size'"},
    {"QLinearConv", 1, newest, pads_by_one_rule, "it has both the attributes 'auto_pad' and 'pads'"},
    {"RNN", 7, newest, has_hidden_size, "it lacks the attribute 'hidden_size'"},
    {"Resize", 13, newest, sizes_are_clear, "it needs one of its inputs 'scales' and 'sizes', and not both"},
    {"ReverseSequence", 1, newest, axes_differ, "its attributes 'batch_axis' and 'time_axis' are the same"},
    {"Split", 1, 11, has_size_for_each_output, "its attribute 'split' is not one size for each output"},
    {"Split", 18, newest, parts_are_clear,
     "it needs one of its input 'split' and its attribute 'num_outputs', and not both"},
    {"Split", 18, newest, has_outputs_of_count, "its attribute 'num_outputs' is not the number of its outputs"},
    {"Transpose", 1, newest, is_permutation, "its attribute 'perm' is no permutation"},
    {"Unsqueeze", 1, 11, has_each_axis_once, "its attribute 'axes' names an axis twice"},
};

bool concerns(std::string_view op_type, const OperatorVersion& version) {
  return op_type.empty() || op_type == version.name;
}

std::string problem_of_text(const AttributeProto& attribute, const OperatorVersion& version) {
  for (const NamedValues& named : named_values) {
    if (named.attribute != attribute.name() || !concerns(named.op_type, version)) continue;
    if (attribute.s().find(' ') != std::string::npos ||
        named.values.find(" " + attribute.s() + " ") == std::string_view::npos)
      return fmt::format("attribute '{}' is \"{}\", which is none of{}", attribute.name(), attribute.s(),
                         named.values.substr(0, named.values.size() - 1));
  }
  return {};
}

std::string problem_of_numbers(const AttributeProto& attribute, const OperatorVersion& version) {
  for (const NumberLimits& limits : number_limits) {
    if (limits.attribute != attribute.name() || !concerns(limits.op_type, version)) continue;
    const auto lies_outside = [&](int64_t number) { return number < limits.least || number > limits.greatest; };
    if (!(attribute.type() == AttributeProto::INT ? lies_outside(attribute.i())
                                                  : std::ranges::any_of(attribute.ints(), lies_outside)))
      continue;
    if (limits.greatest != any)
      return fmt::format("attribute '{}' is not between {} and {}", attribute.name(), limits.least, limits.greatest);
    return fmt::format("attribute '{}' has a number that is not above {}", attribute.name(),
                       limits.least == 1 ? "zero" : "-1");
  }
  return {};
}

}  // namespace

std::string condition_problem(const NodeProto& node, const OperatorVersion& version) {
  if (!version.domain.empty()) return {};
  for (const AttributeProto& attribute : node.attribute()) {
    if (is_open(attribute)) continue;
    std::string problem = attribute.type() == AttributeProto::STRING ? problem_of_text(attribute, version)
                                                                     : problem_of_numbers(attribute, version);
    if (!problem.empty()) return problem;
  }
  for (const NodeCondition& condition : conditions) {
    if (condition.concerns(version) && !condition.holds(node)) return std::string(condition.problem);
  }
  return {};
}

bool is_within_limits(const AttributeProto& attribute, const OperatorVersion& version) {
  return !version.domain.empty() || problem_of_numbers(attribute, version).empty();
}

bool has_limits(const OperatorVersion& version, std::string_view attribute) {
  const auto speaks_of_it = [&](const auto& each) {
    return each.attribute == attribute && concerns(each.op_type, version);
  };
  return version.domain.empty() &&
         (std::ranges::any_of(named_values, speaks_of_it) || std::ranges::any_of(number_limits, speaks_of_it));
}

bool has_conditions(const OperatorVersion& version) {
  return version.domain.empty() &&
         std::ranges::any_of(conditions, [&](const NodeCondition& each) { return each.concerns(version); });
}

}  // namespace onnx_lower
