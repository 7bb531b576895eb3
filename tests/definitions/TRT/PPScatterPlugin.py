# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::PPScatterPlugin: features of the pillars of one image on a plane.

Source: src/pointpillar/pointpillar-scatter.cpp and pillarscatter-kernel.cu of NVIDIA's Lidar_AI_Solution.
"""
import numpy as np

from definition import Case


def define(features, coords, params, dense_shape, plugin_version="1", plugin_namespace=""):
    output = np.zeros((1, features.shape[1], *dense_shape), features.dtype)
    for pillar in range(min(int(params[0]), features.shape[0])):
        output[0, :, coords[pillar, 2], coords[pillar, 3]] = features[pillar]
    return output


def cases():
    features = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
    coords = np.int32([[0, 0, 1, 4], [0, 0, 0, 0], [0, 0, 2, 3], [0, 0, 0, 0]])
    attributes = {"dense_shape": np.int64([3, 5])}
    later = {"opsets": range(11, 27), "output_shapes": [(1, "c", 3, 5)]}
    yield Case("float", inputs=[features, coords, np.int32([3])], attributes=attributes, also=[[features, coords, np.int32([0])]], **later)
    yield Case("static", inputs=[features, coords.astype(np.uint32), np.uint32([2])], attributes={"dense_shape": [3, 5]}, shapes="static")
