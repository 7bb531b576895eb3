# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::grid_sampler: GridSample with its modes as numbers.

Source: mmdeploy's operator of that name, and torch's grid_sampler.
"""
from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
sample = definition_of("com.microsoft", "GridSample").define


def define(x, grid, interpolation_mode=0, padding_mode=0, align_corners=0):
    return sample(x, grid, align_corners, ("bilinear", "nearest", "bicubic")[interpolation_mode], ("zeros", "border", "reflection")[padding_mode])


def cases():
    numbers = _random.Numbers()
    x, grid = numbers.floats(2, 2, 5, 6), numbers.floats(2, 3, 4, 2) / 2
    for mode in range(3):
        for padding in range(3):
            attributes = {"interpolation_mode": mode, "padding_mode": padding, "align_corners": (mode + padding) % 2}
            yield Case(f"{mode}-{padding}", inputs=[x, grid], attributes=attributes, opsets=range(16 if mode == 2 else 11, 27), rtol=1e-4, atol=1e-4,
                       why=_random.FLOAT_WHY)
