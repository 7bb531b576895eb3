// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The image is copied into an order in which the channels of a pixel are neighbours. Then, for one
// block of positions after another, the four pixels around each sampling point are interpolated
// into rows of patches, and these are multiplied by the weight.
#include "library/deformable_convolution.h"

#include <algorithm>
#include <cmath>

#include "library/deformable_geometry.h"
#include "library/matrix_product.h"

namespace onnx_lower::kernels {
namespace {

template <typename T>
class Convolution {
 public:
  using R = Wide<T>;

  Convolution(const DeformableGeometry& geometry, const DeformableOperands<T>& operands)
      : g_(geometry),
        operands_(operands),
        pixels_(g_.axes[0].input * g_.axes[1].input),
        group_channels_(g_.channels / g_.groups),
        group_outputs_(g_.outputs / g_.groups),
        patch_(g_.cells() * g_.channels) {}

  void go(const Call& call) {
    pack_weight();
    image_.resize(g_.batch * pixels_ * g_.channels);
    call.parallel_for(g_.batch * pixels_, 1024, [this](int64_t begin, int64_t end) { turn_pixels(begin, end); });
    // The patches of a block should stay in the cache until they are multiplied.
    const int64_t block = std::clamp<int64_t>(kPatchNumbers / patch_, 2 * kTileRows, 128);
    const int64_t blocks = (g_.positions() + block - 1) / block;
    call.parallel_for(g_.batch * blocks, 1, [&](int64_t begin, int64_t end) {
      std::vector<R> patches(block * patch_), sums(block * g_.outputs);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i % blocks * block;
        compute(i / blocks, first, std::min(block, g_.positions() - first), patches.data(), sums.data());
      }
    });
  }

 private:
  static constexpr int64_t kColumns = kTileColumns<R>;
  static constexpr int64_t kPatchNumbers = 1 << 15;

  // Fills weight_: [group, column tile, cell and channel, kColumns]; the last tile
  // is padded with zeros.
  void pack_weight() {
    tiles_ = (group_outputs_ + kColumns - 1) / kColumns;
    const int64_t depth = g_.cells() * group_channels_;
    weight_.assign(g_.groups * tiles_ * depth * kColumns, R(0));
    for (int64_t output = 0; output < g_.outputs; ++output) {
      const int64_t group = output / group_outputs_, column = output % group_outputs_;
      R* tile = &weight_[(group * tiles_ + column / kColumns) * depth * kColumns + column % kColumns];
      const T* from = operands_.weight + output * depth;
      for (int64_t channel = 0; channel < group_channels_; ++channel) {
        for (int64_t cell = 0; cell < g_.cells(); ++cell)
          tile[(cell * group_channels_ + channel) * kColumns] = widen(from[channel * g_.cells() + cell]);
      }
    }
  }

  // Copies a range of pixels into image_. Pixels are numbered through all images.
  void turn_pixels(int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t image = begin / pixels_, stop = std::min(end, (image + 1) * pixels_);
      for (int64_t channel = 0; channel < g_.channels; ++channel) {
        const T* plane = operands_.image + (image * g_.channels + channel - image) * pixels_;
        for (int64_t pixel = begin; pixel < stop; ++pixel) image_[pixel * g_.channels + channel] = widen(plane[pixel]);
      }
      begin = stop;
    }
  }

  void compute(int64_t image, int64_t first, int64_t count, R* patches, R* sums) const {
    for (int64_t offset_group = 0; offset_group < g_.offset_groups; ++offset_group) {
      for (int64_t cell = 0; cell < g_.cells(); ++cell) {
        for (int64_t i = 0; i < count; ++i) sample(image, offset_group, cell, first + i, patches + i * patch_);
      }
    }
    for (int64_t i = 0; i < count; i += kTileRows) {
      for (int64_t group = 0; group < g_.groups; ++group)
        multiply(group, std::min(kTileRows, count - i), patches + i * patch_, sums + i * g_.outputs);
    }
    for (int64_t output = 0; output < g_.outputs; ++output) {
      const R bias = operands_.bias == nullptr ? R(0) : widen(operands_.bias[output]);
      T* to = operands_.result + (image * g_.outputs + output) * g_.positions() + first;
      for (int64_t i = 0; i < count; ++i) to[i] = narrow<T>(sums[i * g_.outputs + output] + bias);
    }
  }

  // Interpolates the channels of an offset group for one kernel cell at one position. A point
  // outside of (-1, height) x (-1, width), or with a NaN, gives zeros; pixels outside of the image
  // count as zeros for points at its edge.
  void sample(int64_t image, int64_t offset_group, int64_t cell, int64_t position, R* patch) const {
    const auto& [vertical, horizontal] = g_.axes;
    const int64_t channels = g_.channels / g_.offset_groups, place = offset_group * g_.cells() + cell;
    R* to = patch + cell * g_.channels + offset_group * channels;
    const T* offset =
        operands_.offset + (image * 2 * g_.offset_groups * g_.cells() + 2 * place) * g_.positions() + position;
    const int64_t row = position / horizontal.output, column = position % horizontal.output;
    const int64_t grid_y = row * vertical.stride - vertical.begin + cell / horizontal.kernel * vertical.dilation;
    const int64_t grid_x =
        column * horizontal.stride - horizontal.begin + cell % horizontal.kernel * horizontal.dilation;
    const R y = static_cast<R>(grid_y) + widen(offset[0]), x = static_cast<R>(grid_x) + widen(offset[g_.positions()]);
    if (!(y > -1 && y < static_cast<R>(vertical.input) && x > -1 && x < static_cast<R>(horizontal.input))) {
      std::fill_n(to, channels, R(0));
      if (operands_.mask != nullptr) modulate(image, place, position, channels, to);
      return;
    }
    const R top = std::floor(y), left = std::floor(x);
    const R bottom_share = y - top, top_share = 1 - bottom_share, right_share = x - left, left_share = 1 - right_share;
    const auto first_row = static_cast<int64_t>(top), first_column = static_cast<int64_t>(left);
    const R* pixel = &image_[0] + (image * pixels_ + first_row * horizontal.input + first_column) * g_.channels +
                     offset_group * channels;
    const int64_t down = horizontal.input * g_.channels, right = g_.channels;
    const bool has_top = first_row >= 0, has_bottom = first_row + 1 < vertical.input;
    const bool has_left = first_column >= 0, has_right = first_column + 1 < horizontal.input;
    if (has_top && has_bottom && has_left && has_right) {
      const R a = top_share * left_share, b = top_share * right_share, c = bottom_share * left_share,
              d = bottom_share * right_share;
      const R *p = pixel, *q = pixel + right, *r = pixel + down, *s = pixel + down + right;
      for (int64_t i = 0; i < channels; ++i) to[i] = a * p[i] + b * q[i] + c * r[i] + d * s[i];
    } else {
      std::fill_n(to, channels, R(0));
      const auto add = [&](bool is_inside, const R* from, R share) {
        for (int64_t i = 0; is_inside && i < channels; ++i) to[i] += share * from[i];
      };
      add(has_top && has_left, pixel, top_share * left_share);
      add(has_top && has_right, pixel + right, top_share * right_share);
      add(has_bottom && has_left, pixel + down, bottom_share * left_share);
      add(has_bottom && has_right, pixel + down + right, bottom_share * right_share);
    }
    if (operands_.mask != nullptr) modulate(image, place, position, channels, to);
  }

  void modulate(int64_t image, int64_t place, int64_t position, int64_t channels, R* to) const {
    const int64_t plane = image * g_.offset_groups * g_.cells() + place;
    const R factor = widen(operands_.mask[plane * g_.positions() + position]);
    for (int64_t i = 0; i < channels; ++i) to[i] *= factor;
  }

  // Computes a group's outputs at `rows` positions, at most kTileRows.
  void multiply(int64_t group, int64_t rows, const R* patches, R* sums) const {
    const int64_t depth = g_.cells() * group_channels_;
    for (int64_t tile = 0; tile < tiles_; ++tile) {
      R total[kTileRows][kColumns] = {};
      const R* weight = &weight_[(group * tiles_ + tile) * depth * kColumns];
      for (int64_t cell = 0; cell < g_.cells(); ++cell) {
        add_product(patches + cell * g_.channels + group * group_channels_, patch_, rows,
                    weight + cell * group_channels_ * kColumns, group_channels_, total[0]);
      }
      const int64_t columns = std::min(kColumns, group_outputs_ - tile * kColumns);
      for (int64_t row = 0; row < rows; ++row)
        std::copy_n(total[row], columns, sums + row * g_.outputs + group * group_outputs_ + tile * kColumns);
    }
  }

  const DeformableGeometry& g_;
  const DeformableOperands<T>& operands_;
  int64_t pixels_, group_channels_, group_outputs_, patch_;
  int64_t tiles_ = 0;
  std::vector<R> weight_;
  std::vector<R> image_;  // [image, pixel, channel]
};

class DeformableConvolution : public Kernel {
 public:
  DeformableConvolution(const Node& node, const DeformableConvolutionInputs& inputs, Convolve convolve)
      : inputs_(inputs), given_(GivenNumbers::from_attributes(node, inputs.padding_in_pairs)), convolve_(convolve) {}

  void run(Call& call) const override {
    const bool has_numbers = inputs_.numbers != DeformableConvolutionInputs::none;
    const GivenNumbers given = has_numbers ? given_.with_inputs(call, inputs_.numbers) : given_;
    const DeformableConvolutionTensors tensors = read_tensors(call, inputs_, given.use_mask);
    const DeformableGeometry geometry = complete(given, tensors, inputs_);
    const Shape shape{geometry.batch, geometry.outputs, geometry.axes[0].output, geometry.axes[1].output};
    convolve_(call, geometry, tensors, shape);
  }

 private:
  DeformableConvolutionInputs inputs_;
  GivenNumbers given_;
  Convolve convolve_;
};

constexpr DeformableConvolutionInputs kTorchvision{.weight = 1, .offset = 2, .mask = 3, .bias = 4, .numbers = 5};
constexpr DeformableConvolutionInputs kModulated{.weight = 3, .offset = 1, .mask = 2, .bias = 4};
constexpr DeformableConvolutionInputs kPlain{.weight = 2, .offset = 1, .padding_in_pairs = true};

template <const DeformableConvolutionInputs& inputs>
void infer_shapes(ShapeInference& shapes) {
  const auto image = shapes.input(0), weight = shapes.input(inputs.weight), offset = shapes.input(inputs.offset);
  if (!offset || offset->size() != 4) return;
  const Dim batch = image && image->size() == 4 ? (*image)[0] : (*offset)[0];
  const Dim outputs = weight && weight->size() == 4 ? (*weight)[0] : Dim();
  shapes.set_output(0, {batch, outputs, (*offset)[2], (*offset)[3]});
}

template <const DeformableConvolutionInputs& inputs>
Operator declare(size_t required_inputs, std::vector<Form> forms, Convolve convolve, const char* execution_provider) {
  return {
      .required_inputs = required_inputs,
      .required_outputs = 1,
      .forms = std::move(forms),
      .make = [convolve](const Node& node) { return std::make_unique<DeformableConvolution>(node, inputs, convolve); },
      .infer_shapes = infer_shapes<inputs>,
      .execution_provider = execution_provider};
}

}  // namespace

void convolve_on_host(Call& call, const DeformableGeometry& geometry, const DeformableConvolutionTensors& tensors,
                      const Shape& shape) {
  with_type<float, double, Half>(tensors.image.type, [&]<typename T>(T) {
    const DeformableOperands<T> operands(tensors, call.output<T>(0, shape));
    if (element_count(shape) > 0) Convolution<T>(geometry, operands).go(call);
  });
}

Operator torchvision_deformable_convolution(Convolve convolve, const char* execution_provider) {
  std::vector<Form> forms = same_type_forms(5, 1, {kFloat, kDouble, kHalf});
  for (Form& form : forms) {
    form.inputs.insert(form.inputs.end(), 8, kInt64);
    form.inputs.push_back(kBool);
    for (size_t number = kTorchvision.numbers; number < form.inputs.size(); ++number) form.on_host.push_back(number);
  }
  return declare<kTorchvision>(3, std::move(forms), convolve, execution_provider);
}

Operator modulated_deformable_convolution(Convolve convolve, const char* execution_provider) {
  return declare<kModulated>(4, same_type_forms(5, 1, {kFloat, kDouble, kHalf}), convolve, execution_provider);
}

Operator plain_deformable_convolution(Convolve convolve, const char* execution_provider) {
  return declare<kPlain>(3, same_type_forms(3, 1, {kFloat, kDouble, kHalf}), convolve, execution_provider);
}

}  // namespace onnx_lower::kernels
