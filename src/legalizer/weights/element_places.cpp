// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/weights/element_places.h"

#include <algorithm>
#include <utility>

namespace onnx_lower {
namespace {

using Axis = std::vector<int64_t>;

// No axis of weights is longer: a tensor of one axis would need as much memory as it has elements.
constexpr int64_t longest_axis = int64_t{1} << 22;

// The axis whose indices have the first axis as their upper part and the second one as their lower.
std::optional<Axis> joined(const Axis& upper, const Axis& lower) {
  if (std::cmp_greater(upper.size() * lower.size(), longest_axis)) return std::nullopt;
  Axis axis;
  axis.reserve(upper.size() * lower.size());
  for (const int64_t begin : upper) {
    for (const int64_t place : lower) axis.push_back(begin + place);
  }
  return axis;
}

// The two axes whose joined() is this one; the lower one is so long.
std::optional<std::pair<Axis, Axis>> split(const Axis& axis, size_t lower_size) {
  Axis upper, lower;
  for (size_t index = 0; index < axis.size(); index += lower_size) upper.push_back(axis[index]);
  for (size_t index = 0; index < lower_size; ++index) lower.push_back(axis[index] - axis[0]);
  for (size_t index = 0; index < axis.size(); ++index) {
    if (axis[index] != upper[index / lower_size] + lower[index % lower_size]) return std::nullopt;
  }
  return std::pair(std::move(upper), std::move(lower));
}

// Makes axes of other sizes of those of a tensor.
class Reshaping {
 public:
  explicit Reshaping(const Dims& dims) : dims_(dims) {}

  // To be called for each axis of the tensor; false where the axes of the result would not do.
  bool take(Axis axis) {
    while (axis.size() > 1) {
      if (left_ == 1 && !begin_next()) return false;
      const auto size = static_cast<int64_t>(axis.size());
      if (size <= left_) {
        if (left_ % size != 0 || !append(axis)) return false;
        left_ /= size;
        return true;
      }
      if (size % left_ != 0) return false;
      std::optional<std::pair<Axis, Axis>> parts = split(axis, static_cast<size_t>(size / left_));
      if (!parts || !append(parts->first)) return false;
      left_ = 1;
      axis = std::move(parts->second);
    }
    if (axis.size() == 1) begin_ += axis[0];
    return axis.size() == 1;
  }

  std::optional<std::vector<Axis>> axes() {
    while (left_ == 1 && made_.size() < dims_.size() && dims_[made_.size()] == 1) made_.push_back({0});
    if (left_ != 1 || made_.size() != dims_.size()) return std::nullopt;
    if (!made_.empty()) {
      for (int64_t& place : made_[0]) place += begin_;
    } else if (begin_ != 0) {
      return std::nullopt;
    }
    return std::move(made_);
  }

 private:
  bool begin_next() {
    do {
      if (made_.size() == dims_.size()) return false;
      left_ = dims_[made_.size()];
      made_.push_back({0});
    } while (left_ == 1);
    return left_ > 1;
  }

  bool append(const Axis& axis) {
    std::optional<Axis> longer = joined(made_.back(), axis);
    if (!longer) return false;
    made_.back() = *std::move(longer);
    return true;
  }

  const Dims& dims_;
  std::vector<Axis> made_;
  int64_t left_ = 1;   // of the axis that is being made, how many times as long it has to become
  int64_t begin_ = 0;  // what axes of one element add to all places
};

}  // namespace

std::optional<ElementPlaces> ElementPlaces::of_constant(const Dims& dims, int64_t bits_of_element) {
  std::vector<Axis> axes(dims.size());
  int64_t stride = bits_of_element;
  for (size_t axis = dims.size(); axis-- > 0;) {
    if (dims[axis] < 1 || dims[axis] > longest_axis) return std::nullopt;
    for (int64_t index = 0; index < dims[axis]; ++index) axes[axis].push_back(index * stride);
    stride *= dims[axis];
  }
  ElementPlaces places;
  for (Axis& axis : axes) places.add(std::move(axis));
  return places;
}

Dims ElementPlaces::dims() const {
  Dims dims;
  for (const auto& axis : axes_) dims.push_back(static_cast<int64_t>(axis->size()));
  return dims;
}

bool ElementPlaces::operator==(const ElementPlaces& other) const {
  return std::ranges::equal(axes_, other.axes_,
                            [](const auto& one, const auto& two) { return one == two || *one == *two; });
}

std::optional<ElementPlaces> ElementPlaces::reshaped(const Dims& dims) const {
  Reshaping reshaping(dims);
  for (const auto& axis : axes_) {
    if (!reshaping.take(*axis)) return std::nullopt;
  }
  std::optional<std::vector<Axis>> axes = reshaping.axes();
  if (!axes) return std::nullopt;
  ElementPlaces result;
  for (Axis& axis : *axes) result.add(std::move(axis));
  return result;
}

std::optional<ElementPlaces> ElementPlaces::transposed(std::span<const int64_t> perm) const {
  if (perm.size() != rank()) return std::nullopt;
  ElementPlaces result;
  std::vector<bool> taken(rank(), false);
  for (const int64_t axis : perm) {
    if (axis < 0 || std::cmp_greater_equal(axis, rank()) || taken[static_cast<size_t>(axis)]) return std::nullopt;
    taken[static_cast<size_t>(axis)] = true;
    result.axes_.push_back(axes_[static_cast<size_t>(axis)]);
  }
  return result;
}

std::optional<ElementPlaces> ElementPlaces::broadcast(const Dims& dims) const {
  if (dims.size() < rank()) return std::nullopt;
  ElementPlaces result;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const size_t before = dims.size() - rank();
    const auto own = axis < before ? std::make_shared<const Axis>(1, 0) : axes_[axis - before];
    if (std::cmp_equal(own->size(), dims[axis]) || dims[axis] == 1) {
      result.axes_.push_back(own);
    } else if (own->size() == 1 && dims[axis] > 0 && dims[axis] <= longest_axis) {
      result.add(Axis(static_cast<size_t>(dims[axis]), own->front()));
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::optional<ElementPlaces> ElementPlaces::tiled(std::span<const int64_t> repeats) const {
  if (repeats.size() != rank()) return std::nullopt;
  ElementPlaces result;
  for (size_t axis = 0; axis < rank(); ++axis) {
    if (repeats[axis] < 1 || repeats[axis] > longest_axis) return std::nullopt;
    std::optional<Axis> longer = joined(Axis(static_cast<size_t>(repeats[axis]), 0), *axes_[axis]);
    if (!longer) return std::nullopt;
    result.add(*std::move(longer));
  }
  return result;
}

std::optional<ElementPlaces> ElementPlaces::gathered(size_t axis, std::span<const int64_t> indices) const {
  if (axis >= rank() || indices.empty()) return std::nullopt;
  const Axis& from = *axes_[axis];
  Axis to;
  const auto size = static_cast<int64_t>(from.size());
  for (const int64_t index : indices) {
    if (index < -size || index >= size) return std::nullopt;
    to.push_back(from[static_cast<size_t>(index < 0 ? index + size : index)]);
  }
  ElementPlaces result = *this;
  result.axes_[axis] = std::make_shared<const Axis>(std::move(to));
  return result;
}

std::optional<ElementPlaces> ElementPlaces::concatenated(const ElementPlaces& other, size_t axis) const {
  if (rank() != other.rank() || axis >= rank()) return std::nullopt;
  int64_t apart = 0;  // how far the places of the other tensor lie apart along all other axes
  for (size_t each = 0; each < rank(); ++each) {
    const Axis& own = *axes_[each];
    const Axis& others = *other.axes_[each];
    if (each == axis) continue;
    const int64_t distance = others[0] - own[0];
    if (!std::ranges::equal(own, others, [&](int64_t a, int64_t b) { return a + distance == b; })) return std::nullopt;
    apart += distance;
  }
  Axis both = *axes_[axis];
  for (const int64_t place : *other.axes_[axis]) both.push_back(place + apart);
  if (std::cmp_greater(both.size(), longest_axis)) return std::nullopt;
  ElementPlaces result = *this;
  result.axes_[axis] = std::make_shared<const Axis>(std::move(both));
  return result;
}

std::optional<ElementPlaces> ElementPlaces::moved(const Dims& dims, std::span<const int64_t> more) const {
  const auto is_long = [](int64_t dim) { return dim != 1; };
  const std::optional<Dims> all = broadcast_dims(dims, this->dims());
  std::optional<ElementPlaces> result = all ? broadcast(*all) : std::nullopt;
  if (!result || result->rank() == 0 || more.empty() || std::ranges::count_if(dims, is_long) > 1) return std::nullopt;
  const auto found = std::ranges::find_if(dims, is_long);
  const size_t from_end = found == dims.end() ? 1 : static_cast<size_t>(dims.end() - found);
  auto& axis = result->axes_[result->rank() - from_end];
  if (more.size() != 1 && more.size() != axis->size()) return std::nullopt;
  Axis further = *axis;
  for (size_t index = 0; index < further.size(); ++index) further[index] += more[more.size() == 1 ? 0 : index];
  axis = std::make_shared<const Axis>(std::move(further));
  return result;
}

std::optional<Dims> broadcast_dims(const Dims& one, const Dims& other) {
  const Dims& longer = one.size() < other.size() ? other : one;
  const Dims& shorter = one.size() < other.size() ? one : other;
  Dims dims = longer;
  for (size_t index = 0; index < shorter.size(); ++index) {
    int64_t& dim = dims[longer.size() - shorter.size() + index];
    if (dim == 1) dim = shorter[index];
    if (shorter[index] != dim && shorter[index] != 1) return std::nullopt;
  }
  return dims;
}

}  // namespace onnx_lower
