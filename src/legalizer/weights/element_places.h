// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where the elements of a tensor come from that nodes make of a constant by moving its elements, or
// bits of them: each comes from a place that its indices decide, one axis apart from the others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace onnx_lower {

using Dims = std::vector<int64_t>;

// By axis and index: how many bits of the constant this adds to the place of an element.
class ElementPlaces {
 public:
  ElementPlaces() = default;
  // The elements of a constant in their order; nothing where an axis is too long.
  static std::optional<ElementPlaces> of_constant(const Dims& dims, int64_t bits_of_element);

  Dims dims() const;
  size_t rank() const { return axes_.size(); }
  const std::vector<int64_t>& axis(size_t axis) const { return *axes_[axis]; }

  // The places after a node has moved the elements. Nothing where a place is no such sum, or where
  // the node is wrong.

  std::optional<ElementPlaces> reshaped(const Dims& dims) const;
  std::optional<ElementPlaces> transposed(std::span<const int64_t> perm) const;
  // Broadcast to a shape that all of these dimensions go with.
  std::optional<ElementPlaces> broadcast(const Dims& dims) const;
  std::optional<ElementPlaces> tiled(std::span<const int64_t> repeats) const;
  std::optional<ElementPlaces> gathered(size_t axis, std::span<const int64_t> indices) const;
  std::optional<ElementPlaces> concatenated(const ElementPlaces& other, size_t axis) const;
  // Each element comes from so many bits further on: `more` has these dimensions, which are
  // broadcast to those of the tensor, and all but one of them are 1.
  std::optional<ElementPlaces> moved(const Dims& dims, std::span<const int64_t> more) const;

  bool operator==(const ElementPlaces& other) const;

 private:
  using Axis = std::vector<int64_t>;

  void add(Axis axis) { axes_.push_back(std::make_shared<const Axis>(std::move(axis))); }

  // Most nodes leave the axes as they are, which all tensors share then.
  std::vector<std::shared_ptr<const Axis>> axes_;
};

// The dimensions to which both are broadcast; nothing where they do not go together.
std::optional<Dims> broadcast_dims(const Dims& one, const Dims& other);

}  // namespace onnx_lower
