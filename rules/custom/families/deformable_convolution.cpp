// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Deformable convolution as torchvision computes it, as one ai.onnx DeformConv.
//
// Exporters write its numbers in many ways, or lose them. Groups and offset groups follow from the
// shapes. Of stride, padding and dilation, what is lost is the default (1, 0, 1) if no known shape
// contradicts that; and where a shape does, the one value that fits, if only one number is lost
// along the axis and only one value fits.
#include "deformable_convolution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "rules/body.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

constexpr int kImage = 0;
constexpr int kNumbers = 9;
// Where the numbers are inputs: nine scalars, or three lists of two (stride, padding, dilation) and
// the last three of the nine.
constexpr int kLists = 3;
constexpr std::array<const char*, 2> kSides = {"height", "width"};

using Number = std::optional<int64_t>;

// Thrown and caught in this file: most of what can be wrong is found while attributes are read,
// which is several calls below the rule.
struct Refusal {
  Declined declined;
};

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Refusal{{fmt::format(format, std::forward<Args>(args)...)}};
}

// What was proved of lost numbers, and what could only be assumed.
struct Notes {
  std::vector<std::string> all;
  std::vector<std::string> assumed;

  void add(bool is_assumption, std::string note) {
    if (is_assumption) assumed.push_back(note);
    all.push_back(std::move(note));
  }
};

struct Operands {
  int weight, offset;
  int mask = DeformableConvolutionInputs::none, bias = DeformableConvolutionInputs::none;
};

// Stride, dilation and the paddings at both ends along one axis, as far as they are known.
struct Geometry {
  Number stride, begin, end, dilation;
};

// Reads the node's attributes under any of their names, also with the suffix that some exporters
// leave on them.
class Attributes {
 public:
  Attributes(const CallSite& site, const DeformableConvolutionInputs& inputs) : site_(site), inputs_(inputs) {
    if (inputs.numbers == DeformableConvolutionInputs::none) return;
    has_list_inputs_ = site.has_input(inputs.numbers);
    for (int input = inputs.numbers; has_list_inputs_ && input < inputs.numbers + kLists; ++input) {
      if (!site.has_input(input)) continue;
      const auto numbers = site.constant_ints(input);
      has_list_inputs_ = numbers && numbers->size() == 2;
    }
  }

  // The list that one of the names gives, or nothing.
  std::optional<std::vector<int64_t>> list(std::initializer_list<std::string_view> names) {
    std::optional<std::vector<int64_t>> found;
    for (std::string_view name : names) {
      for (const std::string& spelling : {std::string(name), fmt::format("{}_i", name)}) {
        if (site_.attribute(spelling) == nullptr) continue;
        if (found) refuse("attribute '{}' gives once more what another one has given", spelling);
        found = site_.attribute_ints(spelling, {});
        known_.push_back(spelling);
      }
    }
    return found;
  }

  // The stride, the padding or the dilation, as `number` is 0, 1 or 2: an attribute, or an input
  // that is a list.
  std::optional<std::vector<int64_t>> pair(std::initializer_list<std::string_view> names, int number) {
    if (has_list_inputs_ && site_.has_input(inputs_.numbers + number))
      return site_.constant_ints(inputs_.numbers + number);
    return list(names);
  }

  // A single number: an attribute, or the scalar input at `number` where the operator has those.
  Number single(std::initializer_list<std::string_view> names, int number) {
    if (has_list_inputs_) number = number < 6 ? kNumbers : number - 6 + kLists;
    const int input = inputs_.numbers + number;
    if (inputs_.numbers != DeformableConvolutionInputs::none && number < kNumbers && site_.has_input(input)) {
      const auto value = site_.constant_ints(input);
      if (!value || value->size() != 1) refuse("input {} ({}) is not a constant of one element", input, *names.begin());
      return value->front();
    }
    const auto values = list(names);
    if (!values) return std::nullopt;
    if (values->size() != 1) refuse("attribute '{}' has {} elements instead of one", *names.begin(), values->size());
    return values->front();
  }

  void allow(std::string_view name) { known_.emplace_back(name); }

  void refuse_others() const {
    for (const onnx::AttributeProto& attribute : site_.node().attribute()) {
      if (std::ranges::find(known_, attribute.name()) == known_.end())
        refuse("it has the attribute '{}'", attribute.name());
    }
  }

 private:
  const CallSite& site_;
  const DeformableConvolutionInputs& inputs_;
  bool has_list_inputs_ = false;
  std::vector<std::string> known_;
};

std::array<Number, 2> both(const std::optional<std::vector<int64_t>>& list, Number height, Number width,
                           std::string_view name) {
  if (!list) return {height, width};
  if (height || width) refuse("{} is given both as a list and as single numbers", name);
  if (list->size() == 1) return {list->front(), list->front()};
  if (list->size() == 2) return {(*list)[0], (*list)[1]};
  refuse("attribute '{}' has {} elements instead of one or two", name, list->size());
}

std::array<Geometry, 2> read_geometry(Attributes& attributes, bool padding_in_pairs) {
  std::array<Geometry, 2> axes;
  const auto strides = both(attributes.pair({"stride", "strides"}, 0), attributes.single({"stride_h"}, 0),
                            attributes.single({"stride_w"}, 1), "stride");
  const auto dilations =
      both(attributes.pair({"dilation", "dilations"}, 2), attributes.single({"dilation_h", "dil_h"}, 4),
           attributes.single({"dilation_w", "dil_w"}, 5), "dilation");
  auto padding = attributes.pair({"padding", "paddings", "pad", "pads"}, 1);
  const Number pad_height = attributes.single({"pad_h", "padding_h"}, 2),
               pad_width = attributes.single({"pad_w", "padding_w"}, 3);
  std::array<Number, 2> begins, ends;
  if (padding && padding->size() == 4) {
    if (pad_height || pad_width) refuse("padding is given both as a list and as single numbers");
    if (padding_in_pairs) std::swap((*padding)[1], (*padding)[2]);
    begins = {(*padding)[0], (*padding)[1]};
    ends = {(*padding)[2], (*padding)[3]};
  } else {
    begins = ends = both(padding, pad_height, pad_width, "padding");
  }
  for (int axis : {0, 1}) {
    axes[axis] = {strides[axis], begins[axis], ends[axis], dilations[axis]};
    if (strides[axis].value_or(1) <= 0)
      refuse("the stride of the {} is {}, not positive", kSides[axis], *strides[axis]);
    if (dilations[axis].value_or(1) <= 0)
      refuse("the dilation of the {} is {}, not positive", kSides[axis], *dilations[axis]);
    if (begins[axis].value_or(0) < 0 || ends[axis].value_or(0) < 0)
      refuse("the padding of the {} is negative", kSides[axis]);
  }
  return axes;
}

void require_rank(const CallSite& site, int input, int rank, std::string_view what) {
  const int found = site.rank(input).value_or(rank);
  if (found != rank) refuse("input {} ({}) has rank {} instead of {}", input, what, found, rank);
}

// Finds out which inputs are meant: torchvision always passes a mask and a bias, and says by
// use_mask whether the mask counts.
Operands read_operands(const CallSite& site, const DeformableConvolutionInputs& inputs, Number use_mask) {
  constexpr int none = DeformableConvolutionInputs::none;
  const int limit = inputs.numbers != none ? inputs.numbers + kNumbers
                                           : 1 + std::max({inputs.weight, inputs.offset, inputs.mask, inputs.bias});
  if (site.input_count() > limit) refuse("it has {} inputs, and the operator only {}", site.input_count(), limit);
  Operands operands{.weight = inputs.weight, .offset = inputs.offset};
  require_rank(site, kImage, 4, "the image");
  for (auto [input, what] :
       {std::pair{kImage, "the image"}, {operands.weight, "the weight"}, {operands.offset, "the offset"}}) {
    if (!site.has_input(input)) refuse("input {} ({}) is absent", input, what);
    require_rank(site, input, 4, what);
  }
  if (inputs.mask != none && site.has_input(inputs.mask)) operands.mask = inputs.mask;
  // A bias without elements is a dummy.
  if (inputs.bias != none && site.has_input(inputs.bias) && site.dim(inputs.bias, 0) != 0) operands.bias = inputs.bias;

  // The inputs may be (image, weight, offset, mask or bias).
  if (operands.mask != none && inputs.mask < inputs.bias && inputs.weight < inputs.mask && operands.bias == none) {
    const auto rank = site.rank(operands.mask);
    if (!rank && use_mask != 1) {
      throw Refusal{{fmt::format("input {} may be the mask or the bias, and its rank is not known", operands.mask),
                     {"use_mask"}}};
    }
    if (rank == 1) operands.bias = std::exchange(operands.mask, none);
  }
  // They may also be (image, weight, offset, bias, mask), as ai.onnx DeformConv has them.
  if (operands.mask != none && operands.bias != none && site.rank(operands.mask) == 1 &&
      site.rank(operands.bias) == 4) {
    std::swap(operands.mask, operands.bias);
  }
  if (operands.mask != none &&
      (use_mask == 0 || (!use_mask && site.rank(operands.mask) == 2 && site.dim(operands.mask, 1).value_or(1) == 1))) {
    operands.mask = none;
  }
  if (use_mask == 1 && operands.mask == none) refuse("use_mask is set, and there is no mask");
  if (operands.mask != none) require_rank(site, operands.mask, 4, "the mask");
  if (operands.bias != none) require_rank(site, operands.bias, 1, "the bias");
  return operands;
}

// A number on which all sources that know it have to agree.
class Agreement {
 public:
  explicit Agreement(std::string_view what) : what_(what) {}
  void add(Number value, std::string source) {
    if (!value) return;
    if (value_ && *value_ != *value)
      refuse("the {} is {} in {}, but {} in {}", what_, *value_, source_, *value, source);
    value_ = value;
    source_ = std::move(source);
  }
  Number value() const { return value_; }

 private:
  std::string_view what_;
  Number value_;
  std::string source_;
};

Number declared_dim(const CallSite& site, int axis) {
  const onnx::TensorShapeProto* shape = shape_of(site.output_type(0));
  if (shape == nullptr || shape->dim_size() != 4 || !shape->dim(axis).has_dim_value()) return std::nullopt;
  return shape->dim(axis).dim_value();
}

// Completes the numbers of `axis` that are lost and says in `notes` where they come from.
void complete(Geometry& axis, Number input_size, Number kernel, Number output_size, std::string_view side,
              Notes& notes) {
  std::vector<std::string> lost;
  if (!axis.stride) lost.emplace_back("stride");
  if (!axis.begin) lost.emplace_back("padding");
  if (!axis.dilation) lost.emplace_back("dilation");
  const auto result = [&](const Geometry& g) {
    const int64_t reach = *input_size + *g.begin + *g.end - *g.dilation * (*kernel - 1) - 1;
    return reach < 0 ? 0 : reach / *g.stride + 1;
  };
  const Geometry usual = {axis.stride.value_or(1), axis.begin.value_or(0), axis.end.value_or(0),
                          axis.dilation.value_or(1)};
  const bool decidable = input_size && kernel && output_size;
  if (!decidable || result(usual) == *output_size) {
    if (!lost.empty())
      notes.add(!decidable, fmt::format("{} of the {}: the default, which {}", fmt::join(lost, ", "), side,
                                        decidable ? "agrees with the shapes" : "no known shape contradicts"));
    axis = usual;
    return;
  }
  std::vector<int64_t> fitting;
  const int64_t bound =
      *input_size + *output_size * *usual.stride + *usual.dilation * *kernel + *usual.begin + *usual.end;
  for (int64_t value = 0; lost.size() == 1 && value <= bound && fitting.size() < 2; ++value) {
    Geometry guess = usual;
    if (!axis.begin) guess.begin = guess.end = value;
    if (!axis.stride) guess.stride = value;
    if (!axis.dilation) guess.dilation = value;
    if (*guess.stride > 0 && *guess.dilation > 0 && result(guess) == *output_size) fitting.push_back(value);
  }
  if (fitting.size() == 1) {
    notes.add(false,
              fmt::format("{} {} of the {}: the only one that fits the shapes", lost.front(), fitting.front(), side));
    if (!axis.begin) axis.begin = axis.end = fitting.front();
    if (!axis.stride) axis.stride = fitting.front();
    if (!axis.dilation) axis.dilation = fitting.front();
    return;
  }
  throw Refusal{{fmt::format("stride {}, padding {} and dilation {}{} make a {} of {} from {} with a kernel of {}, "
                             "where the offset has {}",
                             *usual.stride, *usual.begin, *usual.dilation,
                             lost.empty() ? "" : fmt::format(" ({}: lost, so the default)", fmt::join(lost, ", ")),
                             side, result(usual), *input_size, *kernel, *output_size),
                 lost}};
}

// Gives how often `part` goes into `whole`: the given number, the one that follows from the sizes,
// or else 1.
int64_t count(Number given, Number whole, Number part, std::string_view what, std::string_view sizes, Notes& notes) {
  if (given.value_or(1) <= 0) refuse("{} is {}, not positive", what, *given);
  if (!whole || !part) {
    if (!given) notes.add(true, fmt::format("{}: 1, which no known shape contradicts", what));
    return given.value_or(1);
  }
  if (*part == 0 || *whole == 0) refuse("{} and {}, of which one is zero: {}", *whole, *part, sizes);
  if (*whole % *part != 0) refuse("{} is no multiple of {}: {}", *whole, *part, sizes);
  if (given && *given != *whole / *part)
    refuse("{} is {}, but {} / {} is {}: {}", what, *given, *whole, *part, *whole / *part, sizes);
  if (!given && *whole != *part) notes.add(false, fmt::format("{} {}: follows from the shapes", what, *whole / *part));
  return *whole / *part;
}

// All that the attributes and the numbers among the inputs say.
struct DeformableConvolution {
  Operands operands{};
  std::array<Geometry, 2> axes;
  Number groups, offset_groups, outputs;
  std::array<Number, 2> kernel_size;

  bool has_mask() const { return operands.mask != DeformableConvolutionInputs::none; }
  bool has_bias() const { return operands.bias != DeformableConvolutionInputs::none; }
};

DeformableConvolution read(const CallSite& site, const DeformableConvolutionInputs& inputs) {
  DeformableConvolution call;
  Attributes attributes(site, inputs);
  call.axes = read_geometry(attributes, inputs.padding_in_pairs);
  call.groups = attributes.single({"groups", "group", "n_weight_grps"}, 6);
  call.offset_groups = attributes.single({"offset_groups", "offset_group", "deform_groups", "deform_group",
                                          "deformable_groups", "deformable_group", "n_offset_grps"},
                                         7);
  call.operands = read_operands(site, inputs, attributes.single({"use_mask"}, 8));
  call.kernel_size = both(attributes.list({"kernel_size", "kernel_shape"}), attributes.single({"kernel_h"}, kNumbers),
                          attributes.single({"kernel_w"}, kNumbers), "kernel_size");
  // im2col_step is the size of a buffer, and bias says whether there is an input for the bias.
  for (const char* name : {"im2col_step", "im2col_step_i"}) attributes.allow(name);
  if (attributes.single({"bias", "with_bias"}, kNumbers).value_or(0) != 0 && !call.has_bias())
    refuse("attribute 'bias' is set, and there is no bias");
  call.outputs = attributes.single({"oc", "out_channels"}, kNumbers);
  attributes.refuse_others();
  return call;
}

// Gives the height and the width of the kernel.
std::array<Number, 2> agree_on_kernel(const CallSite& site, const DeformableConvolution& call) {
  std::array<Number, 2> kernel;
  for (int axis : {0, 1}) {
    Agreement size(kSides[axis]);
    size.add(call.kernel_size[axis], "kernel_size");
    size.add(site.dim(call.operands.weight, 2 + axis),
             fmt::format("the weight (dimension {} of input {})", 2 + axis, call.operands.weight));
    kernel[axis] = size.value();
    if (kernel[axis].value_or(1) <= 0) refuse("the kernel's {} is {}", kSides[axis], *kernel[axis]);
  }
  return kernel;
}

struct AgreedChannels {
  Number outputs;
  Number offsets;  // offset groups times cells of the kernel
};

AgreedChannels agree_on_channels(const CallSite& site, const DeformableConvolution& call) {
  const Operands& operands = call.operands;
  Agreement batch("number of images"), outputs("number of outputs"),
      offset_channels("number of offset groups times kernel cells");
  batch.add(site.dim(kImage, 0), "the image");
  batch.add(site.dim(operands.offset, 0), fmt::format("the offset (input {})", operands.offset));
  outputs.add(call.outputs, "attribute 'oc'");
  outputs.add(site.dim(operands.weight, 0), fmt::format("the weight (input {})", operands.weight));
  if (call.has_bias()) outputs.add(site.dim(operands.bias, 0), fmt::format("the bias (input {})", operands.bias));
  outputs.add(declared_dim(site, 1), "the output");
  if (const Number channels = site.dim(operands.offset, 1)) {
    if (*channels % 2 != 0)
      refuse("the offset (input {}) has an odd number of channels, {}", operands.offset, *channels);
    offset_channels.add(*channels / 2, fmt::format("the offset (dimension 1 of input {})", operands.offset));
  }
  if (call.has_mask()) {
    batch.add(site.dim(operands.mask, 0), fmt::format("the mask (input {})", operands.mask));
    offset_channels.add(site.dim(operands.mask, 1), fmt::format("the mask (dimension 1 of input {})", operands.mask));
  }
  return {outputs.value(), offset_channels.value()};
}

struct AgreedGroups {
  int64_t of_weight, of_offset;
};

AgreedGroups agree_on_groups(const CallSite& site, const DeformableConvolution& call,
                             const std::array<Number, 2>& kernel, Notes& notes) {
  const Number cells = kernel[0] && kernel[1] ? Number(*kernel[0] * *kernel[1]) : std::nullopt;
  const AgreedChannels agreed = agree_on_channels(site, call);
  const Number channels = site.dim(kImage, 1);
  AgreedGroups groups{};
  groups.of_weight = count(call.groups, channels, site.dim(call.operands.weight, 1), "groups",
                           "channels of the image and of the weight", notes);
  groups.of_offset = count(call.offset_groups, agreed.offsets, cells, "offset_groups",
                           "offsets at a position and cells of the kernel", notes);
  if (agreed.outputs && *agreed.outputs % groups.of_weight != 0)
    refuse("{} outputs do not divide into {} groups", *agreed.outputs, groups.of_weight);
  if (channels && *channels % groups.of_offset != 0)
    refuse("{} channels do not divide into {} offset groups", *channels, groups.of_offset);
  return groups;
}

void complete_axes(const CallSite& site, DeformableConvolution& call, const std::array<Number, 2>& kernel,
                   Notes& notes) {
  for (int axis : {0, 1}) {
    Agreement size(axis == 0 ? "output's height" : "output's width");
    size.add(site.dim(call.operands.offset, 2 + axis),
             fmt::format("the offset (dimension {} of input {})", 2 + axis, call.operands.offset));
    if (call.has_mask()) {
      size.add(site.dim(call.operands.mask, 2 + axis),
               fmt::format("the mask (dimension {} of input {})", 2 + axis, call.operands.mask));
    }
    size.add(declared_dim(site, 2 + axis), "the output's type");
    complete(call.axes[axis], site.dim(kImage, 2 + axis), kernel[axis], size.value(), kSides[axis], notes);
  }
}

onnx::FunctionProto function_of(const CallSite& site, const DeformableConvolution& call,
                                const std::array<Number, 2>& kernel, const AgreedGroups& groups) {
  std::vector<std::string> formals;
  for (int input = 0; input < std::max(site.input_count(), 1); ++input)
    formals.push_back(fmt::format("input_{}", input));
  const auto formal = [&](int input) {
    return input == DeformableConvolutionInputs::none ? std::string() : formals[input];
  };
  const auto& [height, width] = call.axes;
  Body body("custom", "deform_conv2d", formals, {"y"}, 19);
  body("y", "DeformConv",
       {formals[kImage], formal(call.operands.weight), formal(call.operands.offset), formal(call.operands.bias),
        formal(call.operands.mask)},
       {{"dilations", Ints{*height.dilation, *width.dilation}}, {"group", groups.of_weight}});
  if (kernel[0] && kernel[1]) body.add_attribute("DeformConv", {"kernel_shape", Ints{*kernel[0], *kernel[1]}});
  body.add_attribute("DeformConv", {"offset_group", groups.of_offset});
  body.add_attribute("DeformConv", {"pads", Ints{*height.begin, *width.begin, *height.end, *width.end}});
  body.add_attribute("DeformConv", {"strides", Ints{*height.stride, *width.stride}});
  return body.function();
}

onnx::FunctionProto lower(const CallSite& site, const DeformableConvolutionInputs& inputs) {
  DeformableConvolution call = read(site, inputs);
  Notes notes;
  const std::array<Number, 2> kernel = agree_on_kernel(site, call);
  const AgreedGroups groups = agree_on_groups(site, call, kernel, notes);
  complete_axes(site, call, kernel, notes);
  onnx::FunctionProto function = function_of(site, call, kernel, groups);
  function.set_doc_string(fmt::format("{}", fmt::join(notes.all, "; ")));
  if (!notes.assumed.empty())
    add_assumption(function, fmt::format("{}", fmt::join(notes.assumed, "; ")), "say it with --set");
  return function;
}

}  // namespace

Lowering lower_deformable_convolution(const CallSite& site, const DeformableConvolutionInputs& inputs) {
  try {
    return lower(site, inputs);
  } catch (const Refusal& refusal) {
    return refusal.declined;
  }
}

}  // namespace onnx_lower
