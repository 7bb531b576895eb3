# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::index_reduce: slices multiplied, or compared, with those that an index names.

Source: PyTorch's documentation of torch.Tensor.index_reduce_.
"""
import numpy as np

from definition import Case

FUNCTIONS = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def define(x, dim, index, source, reduce, include_self):
    y, source = np.moveaxis(x.copy(), int(dim), 0), np.moveaxis(source, int(dim), 0)
    FUNCTIONS[str(reduce)].at(y, index, source)
    return np.moveaxis(y, 0, int(dim))


def cases():
    x = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    for word in FUNCTIONS:
        common = {"constants": [1, 4, 5], "opsets": (11, 13, 16, 18, 26)}
        yield Case(f"rows-{word}", inputs=[x, np.int64(0), np.int64([2, 0, 2]), 7 - x, np.array(word, object), np.bool_(True)], **common)
        yield Case(f"columns-{word}", inputs=[x, np.int64(-1), np.int64([1, 1]), 7 - x[:, :2], np.array(word, object), np.bool_(True)], **common)
    yield Case("mean", inputs=[x, np.int64(0), np.int64([2]), x[:1], np.array("mean", object), np.bool_(True)], constants=[1, 4, 5], opsets=(18,), refuse="value_of_reduce")
    yield Case("without-self", inputs=[x, np.int64(0), np.int64([2]), x[:1], np.array("amax", object), np.bool_(False)], constants=[1, 4, 5], opsets=(18,), refuse="value_of_include_self")
