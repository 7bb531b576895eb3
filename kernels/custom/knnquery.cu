// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// knnquery on a CUDA device. A warp answers a query: its lanes go through the points of the batch,
// and hold the nearest ones so far among them, in order. No distance is kept that is not one of
// these.
#include "custom/knnquery.h"
#include "library/cuda_device.cuh"

namespace onnx_lower::kernels {
namespace {

constexpr int kWarp = 32, kWarpsOfABlock = 8;
constexpr unsigned kAllLanes = 0xffffffff;
constexpr int kBatchesAtOnce = 64;
// How many points a lane reads before it uses the first.
constexpr int kPointsInFlight = 4;

// Some batches, one behind another: points_end[b] is where batch b ends, and batch b + 1 begins.
struct Batches {
  int count;
  int32_t points_begin, queries_begin;
  int32_t points_end[kBatchesAtOnce], queries_end[kBatchesAtOnce];
};

// The smallest of the distances that were inserted, in order: place p is in entry p / 32 of lane p
// % 32.
template <typename Real, int kEntries>
struct Nearest {
  Real squared[kEntries];
  int32_t index[kEntries];

  __device__ void clear() {
    for (int i = 0; i < kEntries; ++i) {
      squared[i] = kSquaredLimit;
      index[i] = -1;
    }
  }

  // What one of the arrays has at that place.
  template <typename V>
  __device__ static V at(const V (&values)[kEntries], int place) {
    V result = 0;
    for (int i = 0; i < kEntries; ++i) {
      const V here = __shfl_sync(kAllLanes, values[i], place % kWarp);
      if (place / kWarp == i) result = here;
    }
    return result;
  }

  // What one of the arrays has before the place of this lane in entry i. At place 0 it means
  // nothing.
  template <typename V>
  __device__ static V before(const V (&values)[kEntries], int i) {
    V result = __shfl_up_sync(kAllLanes, values[i], 1);
    if (i == 0) return result;
    const V last = __shfl_sync(kAllLanes, values[i > 0 ? i - 1 : 0], kWarp - 1);
    return threadIdx.x % kWarp == 0 ? last : result;
  }

  // Behind those that are as near: points are inserted in the order of their indices.
  __device__ void insert(Real distance, int32_t point) {
    const int lane = threadIdx.x % kWarp;
    int place = 0;
    for (int i = 0; i < kEntries; ++i) place += __popc(__ballot_sync(kAllLanes, squared[i] <= distance));
    for (int i = kEntries - 1; i >= 0; --i) {
      const Real squared_before = before(squared, i);
      const int32_t index_before = before(index, i);
      const int own = i * kWarp + lane;
      if (own > place) {
        squared[i] = squared_before;
        index[i] = index_before;
      } else if (own == place) {
        squared[i] = distance;
        index[i] = point;
      }
    }
  }
};

template <typename T, typename Real>
struct Search {
  const T *points, *queries;
  int64_t samples;
  int32_t* idx;
  T* dist;  // may be null

  __device__ static Real squared(const T* point, const Real (&query)[3]) {
    const Real x = static_cast<Real>(widened(point[0])) - query[0], y = static_cast<Real>(widened(point[1])) - query[1];
    const Real z = static_cast<Real>(widened(point[2])) - query[2];
    return x * x + y * y + z * z;
  }

  // Finds the nearest points behind the first `found`, of which the last is given, at most as many
  // as the entries hold.
  template <int kEntries>
  __device__ void find(const Real (&query)[3], int32_t begin, int32_t end, int kept, bool is_first, Real last_distance,
                       int32_t last_index, Nearest<Real, kEntries>& nearest) const {
    const int lane = threadIdx.x % kWarp;
    nearest.clear();
    Real farthest = kSquaredLimit;
    for (int64_t from = begin; from < end; from += kWarp * kPointsInFlight) {
      Real distance[kPointsInFlight];
#pragma unroll
      for (int k = 0; k < kPointsInFlight; ++k) {
        const int64_t point = from + k * kWarp + lane;
        distance[k] = point < end ? squared(points + 3 * point, query) : Real(kSquaredLimit);
        const bool is_behind =
            is_first || distance[k] > last_distance || (distance[k] == last_distance && point > last_index);
        if (!is_behind) distance[k] = kSquaredLimit;
      }
#pragma unroll
      for (int k = 0; k < kPointsInFlight; ++k) {
        // Neither a NaN nor what is infinitely far is below anything.
        unsigned nearer = __ballot_sync(kAllLanes, distance[k] < farthest);
        for (; nearer != 0; nearer &= nearer - 1) {
          const int at = __ffs(static_cast<int>(nearer)) - 1;
          const Real candidate = __shfl_sync(kAllLanes, distance[k], at);
          if (!(candidate < farthest)) continue;
          nearest.insert(candidate, static_cast<int32_t>(from + k * kWarp + at));
          farthest = nearest.at(nearest.squared, kept - 1);
        }
      }
    }
  }

  template <int kEntries>
  __device__ void answer(int64_t place, int32_t begin, int32_t end) const {
    const int lane = threadIdx.x % kWarp;
    Real query[3];
    for (int axis = 0; axis < 3; ++axis) query[axis] = static_cast<Real>(widened(queries[3 * place + axis]));
    Nearest<Real, kEntries> nearest;
    Real last_distance = 0;
    int32_t last_index = 0;
    for (int64_t found = 0; found < samples; found += kEntries * kWarp) {
      const int kept = static_cast<int>(min(samples - found, int64_t{kEntries * kWarp}));
      find(query, begin, end, kept, found == 0, last_distance, last_index, nearest);
      for (int i = 0; i < kEntries; ++i) {
        const int64_t sample = found + i * kWarp + lane;
        if (sample >= samples) continue;
        idx[place * samples + sample] = nearest.index[i];
        if (dist != nullptr) dist[place * samples + sample] = narrowed<T>(sqrt(nearest.squared[i]));
      }
      last_distance = nearest.at(nearest.squared, kept - 1);
      last_index = nearest.at(nearest.index, kept - 1);
    }
  }
};

template <typename T, typename Real, int kEntries>
__global__ void __launch_bounds__(kWarp* kWarpsOfABlock) find_nearest(Search<T, Real> search, Batches batches) {
  const int64_t query = batches.queries_begin + static_cast<int64_t>(blockIdx.x) * kWarpsOfABlock + threadIdx.x / kWarp;
  if (query >= batches.queries_end[batches.count - 1]) return;
  int batch = 0;
  while (query >= batches.queries_end[batch]) ++batch;
  const int32_t begin = batch == 0 ? batches.points_begin : batches.points_end[batch - 1];
  search.template answer<kEntries>(query, begin, batches.points_end[batch]);
}

template <typename T, typename Real, int kEntries>
void run_on_device(const Call& call, const NeighbourQuestion& question, const Search<T, Real>& search) {
  const Cloud &cloud = question.cloud, &queries = question.of_queries();
  for (size_t first = 0; first < cloud.ends.size(); first += kBatchesAtOnce) {
    Batches batches{.count = static_cast<int>(std::min<size_t>(kBatchesAtOnce, cloud.ends.size() - first)),
                    .points_begin = static_cast<int32_t>(cloud.begin(first)),
                    .queries_begin = static_cast<int32_t>(queries.begin(first)),
                    .points_end = {},
                    .queries_end = {}};
    for (int i = 0; i < batches.count; ++i) {
      batches.points_end[i] = static_cast<int32_t>(cloud.ends[first + i]);
      batches.queries_end[i] = static_cast<int32_t>(queries.ends[first + i]);
    }
    const int64_t count = batches.queries_end[batches.count - 1] - batches.queries_begin;
    launch(call, (count + kWarpsOfABlock - 1) / kWarpsOfABlock, kWarp * kWarpsOfABlock, find_nearest<T, Real, kEntries>,
           search, batches);
  }
}

class KnnQueryOnDevice : public Kernel {
 public:
  explicit KnnQueryOnDevice(const Node& node) : samples_(samples_attribute(node)) {}

  void run(Call& call) const override {
    const NeighbourQuestion question = read_question(call, samples_);
    const Shape shape{question.of_queries().points.shape[0], question.samples};
    with_type<float, double, Half>(question.cloud.points.type, [&]<typename T>(T) {
      using D = DeviceType<T>;
      // A float16 has too few digits for the square of a distance.
      using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;
      const Search<D, Real> search{question.cloud.points.as<D>(), question.of_queries().points.as<D>(),
                                   question.samples, call.output<int32_t>(0, shape), call.output<D>(1, shape)};
      if (question.samples <= kWarp) return run_on_device<D, Real, 1>(call, question, search);
      run_on_device<D, Real, 4>(call, question, search);
    });
  }

 private:
  std::optional<int64_t> samples_;
};

const Registration registration(ONNX_LOWER_KERNEL, knnquery(make_kernel<KnnQueryOnDevice>, kCudaProvider));

}  // namespace
}  // namespace onnx_lower::kernels
