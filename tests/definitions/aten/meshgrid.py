# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::meshgrid: numpy.meshgrid, whose rows are the first vector if not asked otherwise.

Source: PyTorch's documentation of torch.meshgrid.
"""
import numpy as np

from definition import Case, Tensors

ALL, SOME = range(11, 27), (11, 13, 26)


def define(tensors, indexing="ij"):
    return Tensors(np.meshgrid(*tensors, indexing=str(indexing)))


def cases():
    a, b, c = np.float32([1, 2, np.nan]), np.float32([4, 5]), np.float32([6, -7, 8, 9])
    for name in ("ij", "xy"):
        yield Case(name, inputs=[Tensors([a, b]), np.array(name)], constants=[1], opsets=ALL)
        yield Case(f"three-{name}", inputs=[Tensors([a, b, c]), np.array(name)], constants=[1], constants_as="node", opsets=SOME)
        yield Case(f"one-{name}", inputs=[Tensors([a]), np.array(name)], constants=[1], opsets=SOME)
    yield Case("default", inputs=[Tensors([a, b])], opsets=SOME)
    yield Case("number", inputs=[Tensors([np.int64([3, 4]), np.int64(7)])], opsets=SOME)
    yield Case("other", inputs=[Tensors([a, b]), np.array("ji")], constants=[1], opsets=(17,), refuse="its indexing is 'ji', not 'ij' or 'xy'")
    yield Case("matrix", inputs=[Tensors([a, a[None]])], opsets=(17,), refuse="neither a number nor a vector")
    yield Case("types", inputs=[Tensors([a, np.int64([3, 4])])], opsets=(17,), refuse="the tensors of the list are of different types")
