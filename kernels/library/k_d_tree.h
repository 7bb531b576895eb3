// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds the exact k nearest points in space. nanoflann 1.4, which Debian 12 has, is not used
// because it builds its tree with one thread only: for 100,000 points this takes 22 ms, here 23 ms,
// and 16 ms with two threads. Finding 3 neighbours of each point takes both the same time; finding
// 16 takes nanoflann 255 ms, and 218 ms here.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace onnx_lower::kernels {

// A neighbour. Neighbours are compared by squared distance and, if that is equal, by index.
template <typename Real>
struct Neighbour {
  Real squared;
  int32_t index;

  Neighbour() = default;
  Neighbour(Real squared, int32_t index) : squared(squared), index(index) {}

  auto operator<=>(const Neighbour&) const = default;
};

// For float, both are in one integer: the bits of floats that are not negative are in the
// order of the floats.
template <>
struct Neighbour<float> {
  uint64_t key;

  Neighbour() = default;
  Neighbour(float squared, int32_t index)
      : key(uint64_t{std::bit_cast<uint32_t>(squared)} << 32 | static_cast<uint32_t>(index)) {}

  auto operator<=>(const Neighbour&) const = default;
};

inline float squared_distance(Neighbour<float> neighbour) {
  return std::bit_cast<float>(static_cast<uint32_t>(neighbour.key >> 32));
}
inline int32_t index_of(Neighbour<float> neighbour) { return static_cast<int32_t>(neighbour.key); }
inline double squared_distance(Neighbour<double> neighbour) { return neighbour.squared; }
inline int32_t index_of(Neighbour<double> neighbour) { return neighbour.index; }

template <typename Real>
using Point = std::array<Real, 3>;

template <typename Real>
bool is_finite(const Point<Real>& point) {
  return std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2]);
}

// Squared distances are computed in Real, as dx * dx + dy * dy + dz * dz from the left. The
// distance from a query to a box of points is computed by the same steps from smaller differences;
// as rounding keeps the order, no box is skipped wrongly.
template <typename Real>
class KdTree {
 public:
  // A function that runs `work(i)` for 0 … count-1, in any order and possibly at the same time.
  using ForEach = std::function<void(int64_t count, const std::function<void(int64_t)>& work)>;

  // Points that are not finite are left out, as they are near to nothing. The points get the
  // indices from `first_index` on.
  KdTree(const Point<Real>* points, int64_t count, int64_t first_index, const ForEach& for_each) {
    std::vector<Entry> entries;
    entries.reserve(count);
    for (int64_t i = 0; i < count; ++i) {
      if (is_finite(points[i])) entries.push_back({points[i], static_cast<int32_t>(first_index + i)});
    }
    const auto size = static_cast<int64_t>(entries.size());
    while ((size >> depth_) > kLeafSize) ++depth_;
    const int64_t leaves = int64_t{1} << depth_;
    boxes_.resize(2 * leaves - 1);
    leaf_begin_.resize(leaves + 1);
    leaf_begin_[leaves] = size;
    // The first levels are built one after another, then the subtrees below them at the same time.
    const int top = std::min(depth_, kSerialLevels);
    std::vector<Range> roots{{0, 0, size}};
    for (int level = 0; level < top; ++level) {
      std::vector<Range> children;
      for (const Range& range : roots) {
        const int64_t middle = split(entries, range);
        children.push_back({2 * range.node + 1, range.begin, middle});
        children.push_back({2 * range.node + 2, middle, range.end});
      }
      roots = std::move(children);
    }
    for_each(static_cast<int64_t>(roots.size()), [&](int64_t root) { build(entries, roots[root], top); });

    for (auto& axis : coordinates_) axis.resize(size);
    index_.resize(size);
    for (int64_t i = 0; i < size; ++i) {
      for (int axis = 0; axis < 3; ++axis) coordinates_[axis][i] = entries[i].point[axis];
      index_[i] = entries[i].index;
    }
  }

  int64_t size() const { return static_cast<int64_t>(index_.size()); }
  // The index of a point, in an order in which near points follow one another.
  int32_t index(int64_t i) const { return index_[i]; }

  // Puts the nearest points into `nearest`, nearest first, as many as it has elements. All
  // elements must be equal before: they are the limit, and stay where there are not enough
  // points that are nearer.
  void search(const Point<Real>& query, std::vector<Neighbour<Real>>& nearest) const {
    if (size() == 0 || nearest.empty()) return;
    struct Visit {
      int64_t node;
      Real squared;
    };
    std::array<Visit, 2 * 64> stack;
    int height = 0;
    stack[height++] = {0, to_box(query, boxes_[0])};
    const int64_t first_leaf = (int64_t{1} << depth_) - 1;
    while (height > 0) {
      const Visit visit = stack[--height];
      if (Neighbour<Real>(visit.squared, 0) >= nearest.back()) continue;
      if (visit.node >= first_leaf) {
        search_leaf(query, visit.node - first_leaf, nearest);
        continue;
      }
      Visit near{2 * visit.node + 1, to_box(query, boxes_[2 * visit.node + 1])};
      Visit far{2 * visit.node + 2, to_box(query, boxes_[2 * visit.node + 2])};
      if (far.squared < near.squared) std::swap(near, far);
      stack[height++] = far;
      stack[height++] = near;
    }
  }

 private:
  static constexpr int64_t kLeafSize = 12;
  static constexpr int kSerialLevels = 4;

  struct Entry {
    Point<Real> point;
    int32_t index;
  };
  struct Range {
    int64_t node, begin, end;
  };
  struct Box {
    Point<Real> low, high;
  };

  static Real to_box(const Point<Real>& query, const Box& box) {
    std::array<Real, 3> away;
    for (int axis = 0; axis < 3; ++axis)
      away[axis] = std::max(std::max(box.low[axis] - query[axis], query[axis] - box.high[axis]), Real(0));
    return away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
  }

  // Computes the box of a node, and divides the node's entries into two halves along the longest
  // side of the box.
  int64_t split(std::vector<Entry>& entries, const Range& range) {
    set_box(entries, range);
    const Box& box = boxes_[range.node];
    int longest = 0;
    for (int axis = 1; axis < 3; ++axis) {
      if (box.high[axis] - box.low[axis] > box.high[longest] - box.low[longest]) longest = axis;
    }
    const int64_t middle = range.begin + (range.end - range.begin) / 2;
    std::nth_element(entries.begin() + range.begin, entries.begin() + middle, entries.begin() + range.end,
                     [longest](const Entry& a, const Entry& b) { return a.point[longest] < b.point[longest]; });
    return middle;
  }

  void set_box(const std::vector<Entry>& entries, const Range& range) {
    // An empty node has an empty box, which is infinitely far from everything.
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    Box box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (int64_t i = range.begin; i < range.end; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min(box.low[axis], entries[i].point[axis]);
        box.high[axis] = std::max(box.high[axis], entries[i].point[axis]);
      }
    }
    boxes_[range.node] = box;
  }

  void build(std::vector<Entry>& entries, const Range& range, int level) {
    if (level == depth_) {
      set_box(entries, range);
      leaf_begin_[range.node - ((int64_t{1} << depth_) - 1)] = range.begin;
      return;
    }
    const int64_t middle = split(entries, range);
    build(entries, {2 * range.node + 1, range.begin, middle}, level + 1);
    build(entries, {2 * range.node + 2, middle, range.end}, level + 1);
  }

  void search_leaf(const Point<Real>& query, int64_t leaf, std::vector<Neighbour<Real>>& nearest) const {
    const int64_t begin = leaf_begin_[leaf], count = leaf_begin_[leaf + 1] - begin;
    const Real *xs = &coordinates_[0][begin], *ys = &coordinates_[1][begin], *zs = &coordinates_[2][begin];
    std::array<Real, kLeafSize + 1> squared;
    for (int64_t i = 0; i < count; ++i) {
      const Real x = query[0] - xs[i], y = query[1] - ys[i], z = query[2] - zs[i];
      squared[i] = x * x + y * y + z * z;
    }
    for (int64_t i = 0; i < count; ++i) {
      const Neighbour<Real> found(squared[i], index_[begin + i]);
      if (!(found < nearest.back())) continue;
      size_t place = nearest.size() - 1;
      for (; place > 0 && found < nearest[place - 1]; --place) nearest[place] = nearest[place - 1];
      nearest[place] = found;
    }
  }

  int depth_ = 0;
  // The boxes as a heap: the children of node i are 2i+1 and 2i+2, and the leaves
  // are the last level.
  std::vector<Box> boxes_;
  std::vector<int64_t> leaf_begin_;
  std::array<std::vector<Real>, 3> coordinates_;
  std::vector<int32_t> index_;
};

}  // namespace onnx_lower::kernels
