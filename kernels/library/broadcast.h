// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Element-wise operators: inputs are broadcast as in NumPy, and walked in runs
// that take little time.
#pragma once

#include <array>
#include <string_view>

#include "library/call.h"
#include "library/shape_inference.h"

namespace onnx_lower::kernels {

// The shape that both are broadcast to; `what` names the second one in the message. Throws BadInput
// where they cannot be broadcast.
Shape broadcast(const Shape& one, const Shape& other, std::string_view what);

// Broadcasts shapes as far as they are known before a run; nothing where a rank is not known.
std::optional<Dims> broadcast(const std::optional<Dims>& one, const std::optional<Dims>& other);

// The order in which `Count` inputs are read to compute the elements of the output.
template <size_t Count>
class Walk {
 public:
  // One or several dimensions that are walked as one, with the distance between
  // neighbours in each input.
  struct Axis {
    int64_t size;
    std::array<bool, Count> has;
    std::array<int64_t, Count> stride;
  };

  // Elements of the output that are computed in one loop: the `length` elements from `begin` on,
  // which use the elements first[i], first[i] + step[i] … of input i.
  struct Run {
    int64_t begin, length;
    std::array<int64_t, Count> first, step;
  };

  Walk(const Shape& output, const std::array<const Shape*, Count>& inputs) : count_(element_count(output)) {
    // Neighbouring dimensions become one if each input either has both or is broadcast along both.
    for (size_t axis = 0; axis < output.size(); ++axis) {
      if (output[axis] == 1) continue;
      std::array<bool, Count> has;
      for (size_t input = 0; input < Count; ++input) {
        const Shape& shape = *inputs[input];
        const size_t missing = output.size() - shape.size();
        has[input] = axis >= missing && shape[axis - missing] != 1;
      }
      if (!axes_.empty() && axes_.back().has == has) {
        axes_.back().size *= output[axis];
      } else {
        axes_.push_back({output[axis], has, {}});
      }
    }
    if (axes_.empty()) axes_.push_back({1, {}, {}});
    std::array<int64_t, Count> stride;
    stride.fill(1);
    for (size_t axis = axes_.size(); axis-- > 0;) {
      for (size_t input = 0; input < Count; ++input) {
        axes_[axis].stride[input] = axes_[axis].has[input] ? stride[input] : 0;
        if (axes_[axis].has[input]) stride[input] *= axes_[axis].size;
      }
    }
  }

  // Calls `use(run)` for runs that together are all of the output's elements, on the
  // threads of the session.
  template <typename Use>
  void go(const Call& call, const Use& use) const {
    constexpr int64_t grain = 1 << 15;
    call.parallel_for(count_, grain, [&](int64_t begin, int64_t end) {
      while (begin < end) {
        const Run run = run_at(begin, end);
        use(run);
        begin += run.length;
      }
    });
  }

  // The axes, the outermost one first.
  const std::vector<Axis>& axes() const { return axes_; }

 private:
  Run run_at(int64_t begin, int64_t end) const {
    const Axis& inner = axes_.back();
    int64_t rest = begin;
    Run run{.begin = begin,
            .length = std::min(end - begin, inner.size - begin % inner.size),
            .first = {},
            .step = inner.stride};
    for (size_t axis = axes_.size(); axis-- > 0;) {
      const int64_t place = rest % axes_[axis].size;
      rest /= axes_[axis].size;
      for (size_t input = 0; input < Count; ++input) run.first[input] += place * axes_[axis].stride[input];
    }
    return run;
  }

  int64_t count_;
  std::vector<Axis> axes_;
};

}  // namespace onnx_lower::kernels
