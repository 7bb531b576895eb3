# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""org.openvinotoolkit::FakeQuantize: what remains of numbers on a few levels.

Source: OpenVINO's FakeQuantize-1.
"""
import numpy as np

from definition import Case

BETWEEN = "what lies between two levels may go to either when it is computed in another order"


def define(x, input_low, input_high, output_low, output_high, levels, auto_broadcast="numpy"):
    gaps = x.dtype.type(levels - 1)
    x, input_low, input_high, output_low, output_high = np.broadcast_arrays(x, input_low, input_high, output_low, output_high)
    level = np.rint((x - input_low) / (input_high - input_low) * gaps)
    inside = level / gaps * (output_high - output_low) + output_low
    return np.where(x <= np.minimum(input_low, input_high), output_low, np.where(x > np.maximum(input_low, input_high), output_high, inside)).astype(x.dtype)


def cases():
    x = (np.random.default_rng(4).standard_normal((2, 3, 4, 5)) * 2).astype(np.float32)
    scalars = [np.float32(number) for number in (-1.5, 2, -1, 1)]
    near = {"rtol": 1e-5, "atol": 1e-5, "why": BETWEEN}
    yield Case("scalars", inputs=[x, *scalars], attributes={"levels": 256}, **near)
    channels = [np.float32(row).reshape(1, 3, 1, 1) for row in ([-1, -2, -3], [1, 2, 3], [-1, -2, -3], [1, 2, 3])]
    yield Case("channels", inputs=[x, *channels], attributes={"levels": 255}, constants=[1, 2, 3, 4], **near)
    yield Case("swapped", inputs=[x, np.float32(2), np.float32(-1), np.float32(0), np.float32(1)], attributes={"levels": 16, "auto_broadcast": "numpy"}, **near)
    yield Case("two-levels", inputs=[x, np.float32(0.5), np.float32(0.5), np.float32([0, 1, 2]).reshape(3, 1, 1), np.float32(3)], attributes={"levels": 2}, **near)
    yield Case("double", inputs=[np.float64(x), *map(np.float64, scalars)], attributes={"levels": 16}, opsets=[13, 18], **near)
