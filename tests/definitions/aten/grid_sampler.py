# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::grid_sampler: samples of x at the points of a grid.

Source: PyTorch's documentation of torch.nn.functional.grid_sample.
"""
import numpy as np

from definition import Case, definition_of

_grid_sample = definition_of("ai.onnx", "GridSample")
MODES = ("bilinear", "nearest")
PADDINGS = ("zeros", "border")


def define(x, grid, interpolation_mode, padding_mode, align_corners):
    return _grid_sample.define(x, grid, align_corners=int(align_corners), mode=MODES[int(interpolation_mode)], padding_mode=PADDINGS[int(padding_mode)])


def cases():
    random = np.random.default_rng(3)
    x, grid = random.normal(size=(2, 3, 4, 5)).astype(np.float32), random.uniform(-1.3, 1.3, size=(2, 3, 6, 2)).astype(np.float32)
    for mode in range(2):
        for padding in range(2):
            for align in (False, True):
                yield Case(f"{MODES[mode]}-{PADDINGS[padding]}-{align}", inputs=[x, grid, np.int64(mode), np.int64(padding), np.bool_(align)], constants=[2, 3, 4],
                           opsets=(11, 13, 16, 20, 22, 26), rtol=1e-5, atol=1e-5, why="The weights of the four points are rounded in another order.")
