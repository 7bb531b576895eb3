// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The parts of an image of known size, of each of which an adaptive pooling gives one number.
#pragma once

#include <cstdint>

#include "rules/body.h"

namespace onnx_lower {

struct AdaptiveGrid {
  int64_t height, width;  // of the image, the last two dimensions of input 0
  int64_t rows, columns;  // of the output, which input 1 says
};

// The rule declines where any of these sizes is not known, or not positive.
inline AdaptiveGrid need_adaptive_grid(const CallSite& site) {
  const Ints size = site.need_sizes(1, 2);
  const AdaptiveGrid grid{site.need_dim(0, -2), site.need_dim(0, -1), size[0], size[1]};
  if (grid.rows <= 0 || grid.columns <= 0 || grid.height <= 0 || grid.width <= 0)
    decline("the image, or the output, is empty");
  return grid;
}

struct AdaptivePart {
  int64_t begin, end;
};

// The bounds that PyTorch gives part `number`, of `parts`, of a dimension of that size.
inline AdaptivePart adaptive_part(int64_t number, int64_t size, int64_t parts) {
  return {number * size / parts, ((number + 1) * size + parts - 1) / parts};
}

}  // namespace onnx_lower
