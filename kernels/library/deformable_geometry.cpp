// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/deformable_geometry.h"

namespace onnx_lower::kernels {
namespace {

using Number = std::optional<int64_t>;

constexpr std::array<const char*, 2> kSides = {"height", "width"};

std::array<Number, 2> both(const std::optional<std::vector<int64_t>>& list, Number height, Number width,
                           std::string_view name) {
  if (!list) return {height, width};
  if (height || width) fail(name, " is given both as a list and as single numbers");
  if (list->size() == 1) return {list->front(), list->front()};
  if (list->size() == 2) return {(*list)[0], (*list)[1]};
  fail("attribute '", name, "' has ", list->size(), " elements instead of one or two");
}

void check_signs(const GivenNumbers& given) {
  for (int i : {0, 1}) {
    const GivenNumbers::Axis& axis = given.axes[i];
    if (axis.stride.value_or(1) <= 0) fail("the stride of the ", kSides[i], " is ", *axis.stride, ", not positive");
    if (axis.dilation.value_or(1) <= 0)
      fail("the dilation of the ", kSides[i], " is ", *axis.dilation, ", not positive");
    if (axis.begin.value_or(0) < 0 || axis.end.value_or(0) < 0) fail("the padding of the ", kSides[i], " is negative");
  }
  if (given.groups.value_or(1) <= 0) fail("groups is ", *given.groups, ", not positive");
  if (given.offset_groups.value_or(1) <= 0) fail("offset_groups is ", *given.offset_groups, ", not positive");
}

int64_t output_size(int64_t input, int64_t kernel, int64_t stride, int64_t begin, int64_t end, int64_t dilation) {
  const int64_t reach = input + begin + end - dilation * (kernel - 1) - 1;
  return reach < 0 ? 0 : reach / stride + 1;
}

DeformableGeometry::Axis complete_axis(const GivenNumbers::Axis& given, int64_t input, int64_t kernel, int64_t output,
                                       std::string_view side, size_t offset_input, size_t offset_axis) {
  const auto size = [&](const GivenNumbers::Axis& axis) {
    return output_size(input, kernel, *axis.stride, *axis.begin, *axis.end, *axis.dilation);
  };
  const auto as_result = [&](const GivenNumbers::Axis& axis) {
    return DeformableGeometry::Axis{*axis.stride, *axis.begin, *axis.dilation, kernel, input, output};
  };
  GivenNumbers::Axis usual = given;
  usual.stride = given.stride.value_or(1);
  usual.begin = given.begin.value_or(0);
  usual.end = given.end.value_or(0);
  usual.dilation = given.dilation.value_or(1);
  if (size(usual) == output && output > 0) return as_result(usual);

  std::string lost;
  for (auto [number, name] :
       {std::pair{given.stride, "stride"}, {given.begin, "padding"}, {given.dilation, "dilation"}}) {
    if (!number) lost += (lost.empty() ? "" : ", ") + std::string(name);
  }
  const int lost_count = !given.stride + !given.begin + !given.dilation;
  const int64_t bound = input + output * *usual.stride + *usual.dilation * kernel + *usual.begin + *usual.end;
  std::vector<GivenNumbers::Axis> fitting;
  for (int64_t value = 0; lost_count == 1 && output > 0 && value <= bound && fitting.size() < 2; ++value) {
    GivenNumbers::Axis guess = usual;
    if (!given.begin) guess.begin = guess.end = value;
    if (!given.stride) guess.stride = value;
    if (!given.dilation) guess.dilation = value;
    if (*guess.stride > 0 && *guess.dilation > 0 && size(guess) == output) fitting.push_back(guess);
  }
  if (fitting.size() == 1) return as_result(fitting.front());
  fail("stride ", *usual.stride, ", padding ", *usual.begin, " and dilation ", *usual.dilation,
       lost.empty() ? "" : " (" + lost + ": not given, so the default)", " make a ", side, " of ", size(usual),
       " from ", input, " with a kernel of ", kernel, ", where dimension ", offset_axis, " of the offset (input ",
       offset_input, ") is ", output);
}

// How often `part` goes into `whole`; it must be equal to `given` if that has a value.
int64_t times(Number given, int64_t whole, int64_t part, std::string_view what, std::string_view whole_name,
              std::string_view part_name) {
  if (part <= 0 || whole % part != 0) fail(whole_name, ", ", whole, ", is no multiple of ", part_name, ", ", part);
  if (given && *given != whole / part) {
    fail(what, " is ", *given, ", but ", whole_name, ", ", whole, ", is ", whole / part, " times ", part_name, ", ",
         part);
  }
  return whole / part;
}

void require_dim(const Tensor& tensor, size_t axis, int64_t size, std::string_view name, size_t input,
                 std::string_view reason) {
  if (tensor.shape[axis] != size) {
    fail("dimension ", axis, " of ", name, " (input ", input, ") is ", tensor.shape[axis], ", not ", size, ", ",
         reason);
  }
}

}  // namespace

GivenNumbers GivenNumbers::from_attributes(const Node& node, bool padding_in_pairs) {
  GivenNumbers given;
  const auto strides =
      both(node.integers({"stride", "strides"}), node.integer({"stride_h"}), node.integer({"stride_w"}), "stride");
  const auto dilations = both(node.integers({"dilation", "dilations"}), node.integer({"dilation_h", "dil_h"}),
                              node.integer({"dilation_w", "dil_w"}), "dilation");
  const auto kernel = both(node.integers({"kernel_size", "kernel_shape"}), node.integer({"kernel_h"}),
                           node.integer({"kernel_w"}), "kernel_size");
  const Number pad_height = node.integer({"pad_h", "padding_h"}), pad_width = node.integer({"pad_w", "padding_w"});
  auto padding = node.integers({"padding", "paddings", "pad", "pads"});
  std::array<Number, 2> begins, ends;
  if (padding && padding->size() == 4) {
    if (pad_height || pad_width) fail("padding is given both as a list and as single numbers");
    if (padding_in_pairs) std::swap((*padding)[1], (*padding)[2]);
    begins = {(*padding)[0], (*padding)[1]};
    ends = {(*padding)[2], (*padding)[3]};
  } else {
    begins = ends = both(padding, pad_height, pad_width, "padding");
  }
  for (int i : {0, 1}) given.axes[i] = {strides[i], begins[i], ends[i], dilations[i], kernel[i]};
  given.groups = node.integer({"groups", "group", "n_weight_grps"});
  given.offset_groups = node.integer({"offset_groups", "offset_group", "deform_groups", "deform_group",
                                      "deformable_groups", "deformable_group", "n_offset_grps"});
  given.use_mask = node.integer({"use_mask"});
  given.has_bias = node.integer({"bias", "with_bias"});
  given.outputs = node.integer({"oc", "out_channels"});
  check_signs(given);
  return given;
}

GivenNumbers GivenNumbers::with_inputs(const Call& call, size_t first) const {
  GivenNumbers given = *this;
  const auto take = [&](Number& number, size_t place, std::string_view name) {
    if (call.has_input(first + place)) number = call.integer_input(first + place, name);
  };
  for (size_t i : {0, 1}) {
    Axis& axis = given.axes[i];
    take(axis.stride, i, i == 0 ? "stride_h" : "stride_w");
    if (call.has_input(first + 2 + i)) {
      take(axis.begin, 2 + i, i == 0 ? "pad_h" : "pad_w");
      axis.end = axis.begin;
    }
    take(axis.dilation, 4 + i, i == 0 ? "dilation_h" : "dilation_w");
  }
  take(given.groups, 6, "groups");
  take(given.offset_groups, 7, "offset_groups");
  take(given.use_mask, 8, "use_mask");
  check_signs(given);
  return given;
}

DeformableConvolutionTensors read_tensors(const Call& call, const DeformableConvolutionInputs& inputs,
                                          Number use_mask) {
  constexpr size_t none = DeformableConvolutionInputs::none;
  DeformableConvolutionTensors tensors{.image = call.input(0, "the image", 4),
                                       .weight = call.input(inputs.weight, "the weight", 4),
                                       .offset = call.input(inputs.offset, "the offset", 4),
                                       .mask = {},
                                       .bias = {}};
  size_t bias = none;
  if (inputs.bias != none && call.has_input(inputs.bias)) bias = inputs.bias;
  if (inputs.mask != none && call.has_input(inputs.mask)) {
    tensors.mask = call.input(inputs.mask, "the mask");
    // The inputs may be (image, weight, offset, bias): without a mask, the bias is in its place.
    const bool may_be_bias = bias == none && inputs.weight < inputs.mask && inputs.mask < inputs.bias;
    if (may_be_bias && tensors.mask->rank() == 1) {
      tensors.mask.reset();
      bias = inputs.mask;
    } else if (use_mask == 0 || (!use_mask && tensors.mask->rank() == 2 && tensors.mask->shape[1] == 1)) {
      tensors.mask.reset();
    } else {
      tensors.mask = call.input(inputs.mask, "the mask", 4);
    }
  }
  if (use_mask == 1 && !tensors.mask) fail("use_mask is set, and there is no mask");
  if (bias != none) tensors.bias = call.input(bias, "the bias", 1);
  if (tensors.bias && tensors.bias->size() == 0) tensors.bias.reset();
  return tensors;
}

DeformableGeometry complete(const GivenNumbers& given, const DeformableConvolutionTensors& tensors,
                            const DeformableConvolutionInputs& inputs) {
  const Shape &image = tensors.image.shape, &weight = tensors.weight.shape, &offset = tensors.offset.shape;
  DeformableGeometry geometry{
      .axes = {}, .batch = image[0], .channels = image[1], .outputs = weight[0], .groups = 0, .offset_groups = 0};
  for (size_t i : {0, 1}) {
    if (weight[2 + i] <= 0)
      fail("dimension ", 2 + i, " of the weight (input ", inputs.weight, "), the kernel's ", kSides[i], ", is zero");
    if (given.axes[i].kernel)
      require_dim(tensors.weight, 2 + i, *given.axes[i].kernel, "the weight", inputs.weight, "as kernel_size says");
  }
  const int64_t cells = weight[2] * weight[3];
  geometry.groups = times(given.groups, image[1], weight[1], "groups", "the number of channels of the image (input 0)",
                          message("that of the weight (input ", inputs.weight, ")"));
  if (geometry.groups == 0) fail("dimension 1 of the image (input 0), its channels, is zero");
  if (weight[0] % geometry.groups != 0) {
    fail("dimension 0 of the weight (input ", inputs.weight, "), ", weight[0], " outputs, does not divide into ",
         geometry.groups, " groups");
  }
  if (given.has_bias.value_or(0) != 0 && !tensors.bias) fail("attribute 'bias' is set, and there is no bias");
  if (given.outputs)
    require_dim(tensors.weight, 0, *given.outputs, "the weight", inputs.weight, "as attribute 'oc' says");
  geometry.offset_groups =
      times(given.offset_groups, offset[1], 2 * cells, "offset_groups",
            message("dimension 1 of the offset (input ", inputs.offset, ")"), "twice the number of kernel cells");
  if (geometry.offset_groups == 0) fail("dimension 1 of the offset (input ", inputs.offset, ") is zero");
  if (image[1] % geometry.offset_groups != 0) {
    fail("dimension 1 of the image (input 0), ", image[1], " channels, does not divide into ", geometry.offset_groups,
         " offset groups");
  }
  require_dim(tensors.offset, 0, image[0], "the offset", inputs.offset, "as many as there are images");
  for (size_t i : {0, 1}) {
    geometry.axes[i] =
        complete_axis(given.axes[i], image[2 + i], weight[2 + i], offset[2 + i], kSides[i], inputs.offset, 2 + i);
  }
  if (tensors.mask) {
    require_dim(*tensors.mask, 0, image[0], "the mask", inputs.mask, "as many as there are images");
    require_dim(*tensors.mask, 1, cells * geometry.offset_groups, "the mask", inputs.mask,
                "offset groups times kernel cells");
    for (size_t i : {0, 1})
      require_dim(*tensors.mask, 2 + i, offset[2 + i], "the mask", inputs.mask, message("the offset's ", kSides[i]));
  }
  if (tensors.bias && tensors.bias->shape[0] != weight[0]) {
    fail("dimension 0 of the bias is ", tensors.bias->shape[0], ", not ", weight[0],
         ", the number of outputs of the weight");
  }
  return geometry;
}

}  // namespace onnx_lower::kernels
