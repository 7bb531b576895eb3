# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::pad_sequence: tensors of different lengths in one batch.

Source: PyTorch's documentation of torch.nn.utils.rnn.pad_sequence.
"""
import numpy as np

from definition import Case, Tensors


def define(tensors, batch_first=False, padding_value=0.0, padding_side="right"):
    longest = max(len(tensor) for tensor in tensors)
    rows = []
    for tensor in tensors:
        lacking = (longest - len(tensor), 0) if str(padding_side) == "left" else (0, longest - len(tensor))
        rows.append(np.pad(tensor, [lacking] + [(0, 0)] * (tensor.ndim - 1), constant_values=float(padding_value)))
    return np.stack(rows, 0 if batch_first else 1)


def cases():
    a, b, c = np.float32([[1, 2], [3, 4], [5, 6]]), np.float32([[7, 8]]), np.float32([[9, 10], [11, 12]])
    right, left = np.array("right", object), np.array("left", object)
    yield Case("three", inputs=[Tensors([a, b, c]), np.bool_(True), np.float64(-1), right], constants=[1, 2, 3], opsets=range(11, 27))
    yield Case("batch-second", inputs=[Tensors([b, a]), np.bool_(False), np.float64(0), right], constants=[1, 2, 3], opsets=(11, 13, 26))
    yield Case("left", inputs=[Tensors([b, a]), np.bool_(True), np.float64(0.5), left], constants=[1, 2, 3], opsets=(11, 13, 26))
    yield Case("vectors", inputs=[Tensors([np.int64([1, 2]), np.int64([3])]), np.bool_(True), np.float64(7)], constants=[1, 2], opsets=(11, 13, 26))
    yield Case("ranks", inputs=[Tensors([a, b[0]]), np.bool_(True), np.float64(0)], constants=[1, 2], opsets=(13,), refuse="do not fit by their ranks")
