// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The convolution on a CUDA device, without a matrix of patches in its memory. A block of threads
// computes a tile of outputs at a tile of positions. For one kernel cell and a few channels after
// another it interpolates the image at the sampling points of its positions into shared memory, and
// multiplies them there by the weight; while it multiplies, the pixels and the weight of the next
// step are read.
#include <algorithm>
#include <cmath>

#include "library/cuda_device.cuh"
#include "library/deformable_convolution.h"

namespace onnx_lower::kernels {
namespace {

constexpr int kThreads = 256;
// Sixteen threads share the positions of a tile, four each, and sixteen its outputs.
constexpr int kSide = 16, kOwnPositions = 4, kPositions = kSide * kOwnPositions;
constexpr int kCellsAtOnce = kThreads / kPositions;
// How many channels a step takes, of which each thread samples a few for one position.
template <typename R>
constexpr int kStepChannels = 64 / sizeof(R);
template <typename R>
constexpr int kOwnChannels = kStepChannels<R> / kCellsAtOnce;

// Neighbours in shared memory, which are read at once.
template <typename R, int kCount>
struct alignas(kCount * sizeof(R) < 16 ? kCount * sizeof(R) : 16) Numbers {
  R at[kCount];
};

template <int kCount, typename R>
__device__ Numbers<R, kCount> neighbours(const R* first) {
  return *reinterpret_cast<const Numbers<R, kCount>*>(first);
}

// Where a kernel cell samples the image for one position of a tile: the shares of the four pixels
// around the point, the place of the first of them in its plane, and in `inside` a bit for each
// that is in the image.
template <typename R>
struct SamplingPoints {
  R share[4][kPositions], factor[kPositions];
  int first[kPositions], inside[kPositions];
};

// Some channels, from `channel` on, of one kernel cell. The channels from `first` to `last` have
// their sampling points in common.
struct Step {
  int64_t first, last, channel, cell;
  int channels;

  // Whether it needs other sampling points than the step before it.
  __device__ bool is_first_of_points() const { return channel == first && cell % kCellsAtOnce == 0; }
};

template <typename T, typename R>
struct DeviceConvolution {
  DeformableGeometry g;
  DeformableOperands<T> operands;
  const R* weight;  // [group, cell, channel of the group, output of the group]
  int64_t cells, positions, group_channels, group_outputs;
  int64_t position_tiles, output_tiles;

  DeviceConvolution(const DeformableGeometry& geometry, const DeformableOperands<T>& operands, const R* weight,
                    int64_t tile_outputs)
      : g(geometry),
        operands(operands),
        weight(weight),
        cells(g.cells()),
        positions(g.positions()),
        group_channels(g.channels / g.groups),
        group_outputs(g.outputs / g.groups),
        position_tiles((positions + kPositions - 1) / kPositions),
        output_tiles((group_outputs + tile_outputs - 1) / tile_outputs) {}

  __device__ void find_point(int64_t image, int64_t offset_group, int64_t cell, int64_t position, int slot,
                             SamplingPoints<R>& points) const {
    for (auto& share : points.share) share[slot] = 0;
    points.inside[slot] = points.first[slot] = 0;
    points.factor[slot] = 0;
    if (position >= positions) return;
    const auto& vertical = g.axes[0];
    const auto& horizontal = g.axes[1];
    const int64_t place = (image * g.offset_groups + offset_group) * cells + cell;
    points.factor[slot] = operands.mask == nullptr ? R(1) : widened(operands.mask[place * positions + position]);
    const T* offset = operands.offset + 2 * place * positions + position;
    const int64_t grid_y =
        position / horizontal.output * vertical.stride - vertical.begin + cell / horizontal.kernel * vertical.dilation;
    const int64_t grid_x = position % horizontal.output * horizontal.stride - horizontal.begin +
                           cell % horizontal.kernel * horizontal.dilation;
    const R y = static_cast<R>(grid_y) + widened(offset[0]);
    const R x = static_cast<R>(grid_x) + widened(offset[positions]);
    // A NaN is nowhere.
    if (!(y > -1 && y < static_cast<R>(vertical.input) && x > -1 && x < static_cast<R>(horizontal.input))) return;
    const R top = floor(y), left = floor(x);
    const R bottom_share = y - top, right_share = x - left;
    const R top_share = 1 - bottom_share, left_share = 1 - right_share;
    const int row = static_cast<int>(top), column = static_cast<int>(left);
    const int has_top = row >= 0, has_bottom = row + 1 < vertical.input;
    const int has_left = column >= 0, has_right = column + 1 < horizontal.input;
    points.share[0][slot] = top_share * left_share;
    points.share[1][slot] = top_share * right_share;
    points.share[2][slot] = bottom_share * left_share;
    points.share[3][slot] = bottom_share * right_share;
    points.first[slot] = row * static_cast<int>(horizontal.input) + column;
    points.inside[slot] = (has_top & has_left) | (has_top & has_right) << 1 | (has_bottom & has_left) << 2 |
                          (has_bottom & has_right) << 3;
  }

  // Reads the four pixels around a thread's point in its channels of a step. Pixels outside of the
  // image are zeros, whatever lies there.
  __device__ void read_pixels(int64_t image, const Step& step, const SamplingPoints<R>& points,
                              T (&pixels)[kOwnChannels<R>][4]) const {
    const int slot = threadIdx.x % kPositions, inside = points.inside[slot];
    const int64_t width = g.axes[1].input, plane = g.axes[0].input * width;
    const T* at =
        operands.image + (image * g.channels + step.channel + threadIdx.x / kPositions) * plane + points.first[slot];
#pragma unroll
    for (int i = 0; i < kOwnChannels<R>; ++i, at += kCellsAtOnce * plane) {
      const bool is_there = static_cast<int>(threadIdx.x) / kPositions + i * kCellsAtOnce < step.channels;
      pixels[i][0] = is_there && (inside & 1) ? at[0] : T(0);
      pixels[i][1] = is_there && (inside & 2) ? at[1] : T(0);
      pixels[i][2] = is_there && (inside & 4) ? at[width] : T(0);
      pixels[i][3] = is_there && (inside & 8) ? at[width + 1] : T(0);
    }
  }

  __device__ static void interpolate(const T (&pixels)[kOwnChannels<R>][4], const SamplingPoints<R>& points,
                                     R (&columns)[kStepChannels<R>][kPositions]) {
    const int slot = threadIdx.x % kPositions;
    const R a = points.share[0][slot], b = points.share[1][slot], c = points.share[2][slot], d = points.share[3][slot];
#pragma unroll
    for (int i = 0; i < kOwnChannels<R>; ++i) {
      const R sum =
          a * widened(pixels[i][0]) + b * widened(pixels[i][1]) + c * widened(pixels[i][2]) + d * widened(pixels[i][3]);
      columns[threadIdx.x / kPositions + i * kCellsAtOnce][slot] = sum * points.factor[slot];
    }
  }

  // Writes a thread's sums: those of the group's outputs from `first_output` on.
  template <int kOwnOutputs>
  __device__ void write(int64_t image, int64_t group, int64_t first_output, int64_t first_position,
                        const R (&sums)[kOwnOutputs][kOwnPositions]) const {
    for (int i = 0; i < kOwnOutputs && first_output + i < group_outputs; ++i) {
      const int64_t output = group * group_outputs + first_output + i;
      const R bias = operands.bias == nullptr ? R(0) : widened(operands.bias[output]);
      T* to = operands.result + (image * g.outputs + output) * positions + first_position;
      for (int k = 0; k < kOwnPositions && first_position + k < positions; ++k) to[k] = narrowed<T>(sums[i][k] + bias);
    }
  }

  // The step behind that one, of the same group; its channels are 0 behind the last.
  __device__ Step next(Step step, int64_t end) const {
    const int64_t offset_group_channels = g.channels / g.offset_groups;
    step.channel += kStepChannels<R>;
    if (step.channel >= step.last) {
      step.channel = step.first;
      if (++step.cell == cells) step = {.first = step.last, .last = 0, .channel = step.last, .cell = 0, .channels = 0};
    }
    return with_length(step, end, offset_group_channels);
  }

  __device__ static Step with_length(Step step, int64_t end, int64_t offset_group_channels) {
    step.last = min(end, (step.first / offset_group_channels + 1) * offset_group_channels);
    step.channels = step.first < end ? static_cast<int>(min(int64_t{kStepChannels<R>}, step.last - step.channel)) : 0;
    return step;
  }
};

template <typename T, typename R>
__global__ void pack_weight(const T* weight, int64_t count, int64_t cells, int64_t group_channels,
                            int64_t group_outputs, R* packed) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const int64_t output = i % group_outputs, channel = i / group_outputs % group_channels;
    const int64_t cell = i / (group_outputs * group_channels) % cells;
    const int64_t group = i / (group_outputs * group_channels * cells);
    packed[i] = widened(weight[((group * group_outputs + output) * group_channels + channel) * cells + cell]);
  }
}

// Each thread computes kOwnOutputs outputs at kOwnPositions positions.
template <typename T, typename R, int kOwnOutputs>
__global__ void __launch_bounds__(kThreads, 2) convolve(DeviceConvolution<T, R> it) {
  constexpr int kOutputs = kSide * kOwnOutputs, kChannels = kStepChannels<R>,
                kWeights = (kChannels * kOutputs + kThreads - 1) / kThreads;
  __shared__ SamplingPoints<R> points[kCellsAtOnce];
  __shared__ alignas(16) R columns[2][kChannels][kPositions];
  __shared__ alignas(16) R weights[2][kChannels][kOutputs];
  const DeformableGeometry& g = it.g;
  const int64_t position_tile = blockIdx.x % it.position_tiles, image = blockIdx.x / it.position_tiles % g.batch;
  const int64_t output_tile = blockIdx.x / (it.position_tiles * g.batch) % it.output_tiles;
  const int64_t group = blockIdx.x / (it.position_tiles * g.batch * it.output_tiles);
  const int64_t first_position = position_tile * kPositions, first_output = output_tile * kOutputs;
  const int64_t group_channels = it.group_channels, group_outputs = it.group_outputs;
  const int64_t begin = group * group_channels, end = begin + group_channels;
  const int64_t offset_group_channels = g.channels / g.offset_groups;
  const int own_position = threadIdx.x % kSide * kOwnPositions, own_output = threadIdx.x / kSide * kOwnOutputs;
  R sums[kOwnOutputs][kOwnPositions] = {}, own_weights[kWeights];
  T pixels[kOwnChannels<R>][4];

  const auto read = [&](const Step& step) {
    if (step.is_first_of_points()) {
      const int cell = threadIdx.x / kPositions, slot = threadIdx.x % kPositions;
      if (step.cell + cell < it.cells) {
        it.find_point(image, step.first / offset_group_channels, step.cell + cell, first_position + slot, slot,
                      points[cell]);
      }
      __syncthreads();
    }
    it.read_pixels(image, step, points[step.cell % kCellsAtOnce], pixels);
    const R* from =
        it.weight + ((group * it.cells + step.cell) * group_channels + step.channel - begin) * group_outputs;
#pragma unroll
    for (int i = 0; i < kWeights; ++i) {
      const int place = threadIdx.x + i * kThreads, row = place / kOutputs;
      const int64_t output = first_output + place % kOutputs;
      own_weights[i] = row < step.channels && output < group_outputs ? from[row * group_outputs + output] : R(0);
    }
  };

  Step step = it.with_length({.first = begin, .last = 0, .channel = begin, .cell = 0, .channels = 0}, end,
                             offset_group_channels);
  read(step);
  for (int half = 0; step.channels > 0; half ^= 1) {
    it.interpolate(pixels, points[step.cell % kCellsAtOnce], columns[half]);
#pragma unroll
    for (int i = 0; i < kWeights; ++i) {
      const int place = threadIdx.x + i * kThreads;
      if (place < kChannels * kOutputs) weights[half][place / kOutputs][place % kOutputs] = own_weights[i];
    }
    // Nobody reads the other half any more, nor the points of this step.
    __syncthreads();
    const int rows = step.channels;
    step = it.next(step, end);
    if (step.channels > 0) read(step);
#pragma unroll 8
    for (int row = 0; row < rows; ++row) {
      const auto at_positions = neighbours<kOwnPositions>(&columns[half][row][own_position]);
      const auto at_outputs = neighbours<kOwnOutputs>(&weights[half][row][own_output]);
      for (int output = 0; output < kOwnOutputs; ++output) {
        for (int i = 0; i < kOwnPositions; ++i)
          sums[output][i] = fma(at_outputs.at[output], at_positions.at[i], sums[output][i]);
      }
    }
  }
  it.write(image, group, first_output + own_output, first_position + own_position, sums);
}

template <typename T, typename R, int kOwnOutputs>
void launch_tiles(const Call& call, const DeformableGeometry& g, const DeformableOperands<T>& operands,
                  const R* weight) {
  const DeviceConvolution<T, R> it(g, operands, weight, kSide * kOwnOutputs);
  launch(call, it.position_tiles * g.batch * it.output_tiles * g.groups, kThreads, convolve<T, R, kOwnOutputs>, it);
}

template <typename T>
void run_on_device(Call& call, const DeformableGeometry& g, const DeformableOperands<T>& operands) {
  using R = WideOnDevice<T>;
  const int64_t group_channels = g.channels / g.groups, group_outputs = g.outputs / g.groups;
  const int64_t count = g.outputs * group_channels * g.cells();
  const DeviceMemory<R> packed(call, count);
  constexpr int64_t most_blocks = 1024;
  launch(call, std::min((count + kThreads - 1) / kThreads, most_blocks), kThreads, pack_weight<T, R>, operands.weight,
         count, g.cells(), group_channels, group_outputs, packed.data());
  // Wider tiles sample the image less often; those of doubles have no room for the widest.
  if (group_outputs <= kSide) return launch_tiles<T, R, 1>(call, g, operands, packed.data());
  if constexpr (sizeof(R) == 4) {
    if (group_outputs > 4 * kSide) return launch_tiles<T, R, 8>(call, g, operands, packed.data());
  }
  launch_tiles<T, R, 4>(call, g, operands, packed.data());
}

}  // namespace

void convolve_on_cuda(Call& call, const DeformableGeometry& geometry, const DeformableConvolutionTensors& tensors,
                      const Shape& shape) {
  if (tensors.image.shape[2] * tensors.image.shape[3] > INT32_MAX / 2)
    fail("the image (input 0) has planes of ", tensors.image.shape[2], " x ", tensors.image.shape[3],
         " pixels, which is too large for the CUDA kernel");
  with_type<float, double, Half>(tensors.image.type, [&]<typename T>(T) {
    using D = DeviceType<T>;
    const DeformableOperands<D> operands(tensors, call.output<D>(0, shape));
    if (element_count(shape) > 0) run_on_device<D>(call, geometry, operands);
  });
}

}  // namespace onnx_lower::kernels
