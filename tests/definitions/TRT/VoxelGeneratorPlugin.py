# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::VoxelGeneratorPlugin: the points of clouds gathered in the voxels of a grid.

Source: plugin/voxelGeneratorPlugin/voxelGenerator.cpp and plugin/common/kernels/voxelGeneratorKernels.cu of TensorRT. The threads of the kernels take
numbers from counters in any order; here they go one after another.
"""
import numpy as np

from definition import Case


def define(points, num_points, max_num_points_per_voxel, max_voxels, point_cloud_range, voxel_feature_num, voxel_size, plugin_version="1", plugin_namespace=""):
    low, high, size = np.float32(point_cloud_range[:3]), np.float32(point_cloud_range[3:]), np.float32(voxel_size)
    columns, rows, _ = (int(round(float(steps))) for steps in (high - low) / size)
    images = points.shape[0]
    cells = {}
    for image, number in np.ndindex(points.shape[:2]):
        point = points[image, number]
        if number >= num_points[image] or not all(low <= point[:3]) or not all(point[:3] < high):
            continue
        column, row = (int(step) for step in np.floor((point[:2] - low[:2]) / size[:2]))
        cell = (image * rows + row) * columns + column
        if cell < images * rows * columns:
            cells.setdefault(cell, []).append(point)
    voxels = np.zeros((images, max_voxels, max_num_points_per_voxel, voxel_feature_num), np.float32)
    coordinates = np.zeros((images, max_voxels, 4), np.int32)
    counts = np.zeros(images, np.int32)
    for cell in sorted(cells):
        image, row, column = cell // (columns * rows), cell // columns % rows, cell % columns
        if counts[image] == max_voxels:
            continue
        found = np.stack(cells[cell][:max_num_points_per_voxel])
        middle = size / np.float32(2) + np.float32([column, row, 0]) * size + low
        every = np.concatenate([found, found[:, :3] - found[:, :3].mean(axis=0, dtype=np.float32), found[:, :3] - middle], axis=1)
        voxels[image, counts[image], : len(found)] = every[:, :voxel_feature_num]
        coordinates[image, counts[image], 2:] = row, column
        counts[image] += 1
    return voxels, coordinates, counts


def cases():
    rng = np.random.default_rng(44)

    def cloud(images, count, numbers=4):
        # Beyond the range on all sides, and thick enough that there are voxels with several points.
        return (rng.uniform(-0.1, 1.1, (images, count, numbers)) * np.float32([4.0, 3.0, 4.0, 1.0, 1.0][:numbers]) + np.float32([0, -1.5, -3, 0, 0][:numbers])).astype(np.float32)

    usual = {"max_num_points_per_voxel": 5, "max_voxels": 16, "point_cloud_range": [0.0, -1.5, -3.0, 4.0, 1.5, 1.0], "voxel_feature_num": 10, "voxel_size": [1.0, 0.75, 4.0]}
    tolerance = {"rtol": 1e-5, "atol": 2e-6, "why": "The sums of points depend on the order in which they are added."}
    fields = {"opsets": range(11, 27), "shapes": [("b", "m", 4), ("b",)], **tolerance}
    three = [cloud(3, 40), np.int32([40, 17, 0])]
    yield Case("usual", inputs=three, attributes=usual, also=[[cloud(1, 1), np.int32([1])], [cloud(2, 90), np.int32([90, 70])], [cloud(1, 0), np.int32([0])]], **fields)
    written = {**usual, "plugin_version": "1", "plugin_namespace": ""}
    yield Case("default-domain", domain="ai.onnx", inputs=three, attributes=written, **{**fields, "opsets": (11, 17, 26), "shapes": "static"})
    yield Case("full", inputs=[cloud(2, 300), np.int32([300, 250])], attributes={**usual, "max_num_points_per_voxel": 3, "max_voxels": 7}, **{**fields, "opsets": (13,)})
    few = {**usual, "voxel_feature_num": 6}
    yield Case("few-features", inputs=three, attributes=few, **{**fields, "opsets": (13,)})
    five = [cloud(1, 60, 5), np.int32([55])]
    alone = {**fields, "shapes": [(1, "m", 5), (1,)], "opsets": (11, 13, 18)}
    yield Case("five-numbers", inputs=five, attributes=usual, **alone)
    small = {**usual, "point_cloud_range": [0.0, -39.68, -3.0, 69.12, 39.68, 1.0], "voxel_size": [0.16, 0.16, 4.0], "max_voxels": 50}
    wide = rng.uniform([0, -39.68, -3, 0], [69.12, 39.68, 1, 1], (1, 60, 4)).astype(np.float32)
    yield Case("kitti", inputs=[wide, np.int32([60])], attributes=small, **{**fields, "opsets": (13, 18), "rtol": 1e-4, "atol": 1e-5})
    yield Case("layers", inputs=[cloud(1, 60), np.int32([55])], attributes={**usual, "voxel_size": [1.0, 0.75, 2.0]}, **{**alone, "shapes": "static"})
    yield Case("layers-of-several", inputs=three, attributes={**usual, "voxel_size": [1.0, 0.75, 2.0]}, **{**fields, "opsets": (13,)}, refuse="dim(points, 0)")
    yield Case("five-of-several", inputs=[cloud(2, 9, 5), np.int32([9, 9])], attributes=usual, **{**fields, "shapes": "static", "opsets": (13,)}, refuse="dim(points, 0)")
    yield Case("eleven", inputs=five, attributes={**usual, "voxel_feature_num": 11}, **{**alone, "opsets": (13,)}, refuse="voxel_feature_num is 11")
