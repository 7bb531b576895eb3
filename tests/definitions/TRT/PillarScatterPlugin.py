# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::PillarScatterPlugin: features of pillars on a plane.

Source: plugin/pillarScatterPlugin/pillarScatterKernels.cu of TensorRT.
"""
import numpy as np

from definition import Case


def define(features, coords, params, dense_shape, plugin_version="1", plugin_namespace=""):
    output = np.zeros((features.shape[0], features.shape[2], *dense_shape), features.dtype)
    for image, count in enumerate(params):
        for pillar in range(min(int(count), features.shape[1])):
            y, x = coords[image, pillar, 2:]
            output[image, :, y, x] = features[image, pillar]
    return output


def cases():
    features = np.arange(1, 1 + 2 * 4 * 3, dtype=np.float32).reshape(2, 4, 3)
    coords = np.int32([[[0, 0, 1, 4], [0, 0, 0, 0], [0, 0, 2, 3], [0, 0, 0, 0]], [[1, 0, 0, 2], [1, 0, 1, 1], [0] * 4, [0] * 4]])
    attributes = {"dense_shape": [3, 5]}
    yield Case("float", inputs=[features, coords, np.int32([3, 2])], attributes=attributes, also=[[features, coords, np.int32([0, 1])]], opsets=range(11, 27))
    static = {**attributes, "plugin_version": "1", "plugin_namespace": ""}
    yield Case("half", inputs=[features.astype(np.float16), coords, np.int32([1, 2])], attributes=static, shapes="static")
