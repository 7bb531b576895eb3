# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::ScatterBEV: the greatest features of the points of pillars on a plane.

Source: src/plugin/ScatterBEV.cpp and ScatterBEV_kernels.cu of the first releases of NVIDIA's CUDA-PointPillars. `params` are unsigned integers there,
which its models call float; what is no integer of that kind is taken as the number that it is.
"""
import numpy as np

from definition import Case


def count_of(params):
    last = params.reshape(-1)[4]
    if params.dtype != np.float32:
        return int(last)
    return int(last) if last >= 1 else int(last.view(np.int32))


def define(features, coords, params, dense_shape, plugin_version="1", plugin_namespace=""):
    output = np.zeros((1, features.shape[2], *dense_shape), np.float32)
    for pillar in range(min(count_of(params), features.shape[0])):
        y, x = (int(place) for place in coords.reshape(-1, 4)[pillar, 2:])
        for channel in range(features.shape[2]):
            output[0, channel, y, x] = max(0.0, *features[pillar, :, channel])
    return output


def cases():
    features = np.random.default_rng(44).standard_normal((4, 3, 5)).astype(np.float32)
    features[2, :, 1] = [-1, -2, -3]
    coords = np.float32([[0, 0, 1, 4], [0, 0, 0, 0], [0, 0, 2, 3], [0, 0, 2, 2]]).reshape(1, 1, 4, 4)

    def params(count, dtype=np.uint32):
        return np.array([1, 5, 3, 6, count], dtype).reshape(1, 1, 1, 5)

    size = {"dense_shape": [3, 6]}
    given = {"set": size, "meaning": size, "opsets": range(11, 27)}
    numbers = [[features, coords, params(count, np.float32)] for count in (0, 4, 9)]
    bits = [[features, coords, params(count).view(np.float32)] for count in (0, 1, 4, 9, 2**23 + 5, 2**31)]
    yield Case("numbers", inputs=[features, coords, params(3, np.float32)], also=numbers, **given)
    yield Case("bits", inputs=[features, coords, params(3).view(np.float32)], also=bits, **given)
    integers = [[features, coords, params(count, np.int32)] for count in (0, 4, 9)]
    yield Case("integers", inputs=[features, coords, params(3, np.int32)], also=integers, **given)
    declared = {"meaning": size, "opsets": range(11, 27), "shapes": "static"}
    yield Case("declared", inputs=[features, coords, params(3).view(np.float32)], output_shapes=[(1, 5, 3, 6)], **declared)
    yield Case("default-domain", domain="ai.onnx", inputs=[features, coords, params(3).view(np.float32)], output_shapes=[(1, 5, 3, 6)], **declared)
    yield Case("no-size", inputs=[features, coords, params(3, np.float32)], meaning=size, output_shapes=[(1, "c", "y", "x")], opsets=(17,), refuse="TRT::ScatterBEV.dense_shape")
