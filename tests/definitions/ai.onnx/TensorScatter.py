# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::TensorScatter: an update written into a cache along an axis, from each batch's own place on.

Source: ONNX TensorScatter-24.
"""
import numpy as np

from definition import Case


def define(past, update, write_indices=None, *, axis=-2, mode="linear"):
    result = past.copy()
    axis %= past.ndim
    for batch in range(past.shape[0]):
        for number in range(update.shape[axis]):
            place = number + (0 if write_indices is None else int(write_indices[batch]))
            place = place % past.shape[axis] if mode == "circular" else place
            np.moveaxis(result[batch], axis - 1, 0)[place] = np.moveaxis(update[batch], axis - 1, 0)[number]
    return result


def cases():
    past = np.arange(2 * 3 * 5 * 4, dtype=np.float32).reshape(2, 3, 5, 4)
    update = -np.ones((2, 3, 2, 4), np.float32) * np.arange(1, 5, dtype=np.float32)
    older = {"written_for": 24, "opsets": range(9, 24)}
    for name, dtype in (("float32", np.float32), ("int64", np.int64), ("float16", np.float16)):
        yield Case(f"linear-{name}", inputs=[past.astype(dtype), update.astype(dtype), np.int64([1, 3])], **older)
    yield Case("circular", inputs=[past, update, np.int64([4, 3])], attributes={"mode": "circular"}, **older)
    yield Case("from-the-start", inputs=[past, update], **older)
    yield Case("circular-static", inputs=[past, update, np.int64([4, 0])], attributes={"mode": "circular"}, shapes="static", **older)
    yield Case("axis", inputs=[past, update[:, :1].repeat(5, 2)[:, :, :5], np.int64([2, 0])], attributes={"axis": 1}, **older)
    yield Case("last-axis", inputs=[past[0], update[0, :, :, :2].repeat(3, 1)[:, :5], np.int64([2, 0, 1])], attributes={"axis": -1}, **older)
