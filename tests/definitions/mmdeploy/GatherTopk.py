# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmdeploy::GatherTopk: elements along a dimension, other ones for each batch.

Source: docs/en/06-custom-ops/tensorrt.md of mmdeploy, and its gather_topk plugin.
"""
import numpy as np

from definition import Case


def define(x, indices):
    y = np.zeros((*indices.shape, *x.shape[indices.ndim :]), x.dtype)
    for place in np.ndindex(indices.shape):
        y[place] = x[(*place[:-1], indices[place])]
    return y


def cases():
    x = np.arange(2 * 5 * 3, dtype=np.float32).reshape(2, 5, 3)
    indices = np.int32([[4, 0, 4], [1, 2, 3]])
    yield Case("boxes", inputs=[x, indices])
    yield Case("scores", inputs=[x[:, :, 0], indices.astype(np.int64)])
    yield Case("one-batch", inputs=[x[0], np.int32([3, 3, 1])], shapes="static")
    yield Case("deeper", inputs=[np.arange(48, dtype=np.int32).reshape(2, 2, 4, 3), np.int32([[[3], [0]], [[1], [2]]])])
