# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The CUDA kernels, for which `make test-cuda` needs a GPU and onnxruntime-gpu: each runs on the device, and gives what the CPU's kernel gives."""
from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest

import kernels
import one_node_model
from compare import assert_equal
from definition import Case

CUDA = "CUDAExecutionProvider"
RANDOM = np.random.default_rng(7)
INT_OUTPUT, FLOATS = np.zeros((0, 0), np.int32), (np.float32, np.float64, np.float16)
# Sums over hundreds of products, which both kernels make in an order of their own; a float16 is rounded once, at the end.
SUMS = {np.dtype(np.float32): 2e-5, np.dtype(np.float64): 1e-13, np.dtype(np.float16): 2e-3}


def normal(dtype: type, *shape: int, scale: float = 1.0) -> np.ndarray:
    return RANDOM.normal(0, scale, shape).astype(dtype)


def residual(dtype: type, x: tuple, y: tuple) -> Case:
    return Case("residual", domain="rknn_cst", op_type="cstDualResidual", inputs=[normal(dtype, *x), normal(dtype, *y)], attributes={"alpha": 0.37})


def threshold(dtype: type, *shape: int) -> Case:
    x = normal(dtype, *shape)
    x.reshape(-1)[:: 7] = np.nan
    return Case("threshold", domain="rknn_cst", op_type="cstThreshold", inputs=[x], attributes={"threshold": 0.1, "value": 20.0})


def total(dtype: type, a: tuple, b: tuple) -> Case:
    return Case("total", domain="custom", op_type="my_add", inputs=[normal(dtype, *a), normal(dtype, *b)])


def convolution(dtype: type, batch: int = 2, channels: int = 8, outputs: int = 8, size: tuple = (17, 13), kernel: tuple = (3, 3), groups: int = 1, offset_groups: int = 1, stride: int = 1,
                padding: int = 1, dilation: int = 1, mask: bool = True, bias: bool = True, special: bool = False) -> Case:
    reach = [(size[i] + 2 * padding - dilation * (kernel[i] - 1) - 1) // stride + 1 for i in (0, 1)]
    cells = kernel[0] * kernel[1]
    image, offset = normal(dtype, batch, channels, *size), normal(dtype, batch, 2 * offset_groups * cells, *reach, scale=2.0)
    if special:
        offset[RANDOM.random(offset.shape) < 0.01] = np.nan
        offset[RANDOM.random(offset.shape) < 0.01] = np.inf
        image[:, :, 0, 0] = np.inf
    inputs = [image, normal(dtype, outputs, channels // groups, *kernel), offset, normal(dtype, batch, offset_groups * cells, *reach) if mask else None, normal(dtype, outputs) if bias else None]
    return Case("convolution", domain="custom", op_type="deform_conv2d", inputs=inputs, attributes={"stride": stride, "padding": padding, "dilation": dilation, "groups": groups,
                                                                                                  "offset_groups": offset_groups, "use_mask": int(mask)})


def neighbours(dtype: type, points: list[int], samples: int, queries: list[int] | None = None, scale: float = 10.0, whole: bool = False, special: bool = False, end: type = np.int32) -> Case:
    """`points` and `queries` are the numbers in each batch; where `whole`, many distances are equal."""
    def cloud(counts: list[int]) -> list[np.ndarray]:
        places = normal(dtype, sum(counts), 3, scale=scale)
        places = np.round(places) if whole else places
        if special:
            places[RANDOM.random(places.shape) < 0.02] = np.nan
            places[RANDOM.random(places.shape) < 0.02] = np.inf
        return [places.astype(dtype), np.cumsum(counts).astype(end)]

    return Case("neighbours", domain="custom", op_type="knnquery", inputs=[np.int64(samples), *cloud(points), *(cloud(queries) if queries else [])])


def grid(dtype: type, points: int, dimensions: int, bounds: str = "") -> Case:
    position = normal(dtype, points, dimensions, scale=30.0)
    sizes = np.maximum(np.abs(normal(dtype, dimensions, scale=5.0)), 1).astype(dtype)
    start = (position.min(0) - 1).astype(dtype) if "s" in bounds else None
    end = (position.max(0) + 1).astype(dtype) if "e" in bounds else None
    return Case("grid", domain="custom", op_type="torch_cluster_grid", inputs=[position, sizes, start, end])


CASES = {
    **{f"threshold-{np.dtype(dtype)}-{'x'.join(map(str, shape))}": threshold(dtype, *shape) for dtype in FLOATS for shape in [(1,), (3, 5), (1024,), (33, 1025), (4, 64, 56, 56)]},
    **{f"residual-{np.dtype(dtype)}-{x}-{y}": residual(dtype, x, y) for dtype in FLOATS for x, y in [((7,), (7,)), ((64, 1023), (64, 1023)), ((3, 1, 50), (1, 7, 50)), ((4, 5), ()), ((2, 3, 4), (3, 1))]},
    **{f"total-{np.dtype(dtype)}-{a}-{b}": total(dtype, a, b) for dtype in (*FLOATS, np.int32, np.int64) for a, b in [((1000, 33), (1000, 33)), ((5, 1), (1, 9)), ((1,), (4097,))]},
    **{f"convolution-{np.dtype(dtype)}-{number}": convolution(dtype, **arguments) for dtype in FLOATS for number, arguments in enumerate([
        {}, {"mask": False, "bias": False}, {"groups": 2, "offset_groups": 4}, {"groups": 4, "offset_groups": 2, "stride": 2}, {"groups": 8, "channels": 8, "outputs": 8},
        {"kernel": (1, 1), "padding": 0}, {"kernel": (7, 5), "padding": 2, "dilation": 2}, {"special": True}, {"special": True, "mask": False, "padding": 3},
        {"channels": 70, "outputs": 70, "batch": 3}, {"channels": 33, "outputs": 130, "size": (40, 41)}, {"channels": 48, "outputs": 17, "groups": 1, "offset_groups": 3},
        {"channels": 256, "outputs": 256, "size": (25, 30), "batch": 1}])},
    **{f"neighbours-{np.dtype(dtype)}-{number}": neighbours(dtype, **arguments) for dtype in FLOATS for number, arguments in enumerate([
        {"points": [1000], "samples": 16}, {"points": [100, 1, 2000, 37], "samples": 5}, {"points": [3, 5], "samples": 20}, {"points": [700, 300], "samples": 33},
        {"points": [1000, 200], "samples": 128}, {"points": [900, 400], "samples": 500}, {"points": [1500, 600], "samples": 24, "scale": 2.0, "whole": True},
        {"points": [800, 800], "samples": 200, "scale": 1.5, "whole": True}, {"points": [500, 20], "samples": 9, "special": True},
        {"points": [400, 900], "samples": 8, "queries": [33, 1]}, {"points": [20] * 150, "samples": 7, "end": np.int64}, {"points": [64, 0, 64], "samples": 40, "queries": [5, 3, 0]},
        {"points": [300, 0], "samples": 3, "scale": 4e4}, {"points": [5000], "samples": 1}])},
    **{f"grid-{np.dtype(dtype)}-{points}x{dimensions}-{bounds}": grid(dtype, points, dimensions, bounds) for dtype in (np.float32, np.float64, np.int32, np.int64)
       for points, dimensions, bounds in [(1, 3, ""), (5, 2, "s"), (100_000, 3, ""), (3000, 1, "e"), (700, 32, "se"), (1000, 7, ""), (513, 31, "")]},
}


def model_of(case: Case) -> bytes:
    outputs = {"knnquery": [INT_OUTPUT, np.zeros((0, 0), case.inputs[1].dtype) if len(case.inputs) > 1 else INT_OUTPUT], "torch_cluster_grid": [np.zeros(0, np.int64)],
               "cstDualResidual": [case.inputs[0], case.inputs[0]]}.get(case.op_type, [case.inputs[0]])
    return one_node_model.build(case, 17, outputs).SerializeToString()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_as_on_the_cpu(case: Case) -> None:
    model, feeds = model_of(case), one_node_model.feeds(case, case.inputs)
    expected, got = (kernels.natively(model, 2, provider)(feeds) for provider in ("CPUExecutionProvider", CUDA))
    for name, want in expected.items():
        if case.op_type != "deform_conv2d":
            assert_equal(name, got[name], want)
            continue
        finite = np.isfinite(want)
        scale = np.abs(want[finite].astype(np.float64)).max(initial=0)
        assert_equal(name, got[name], want, SUMS[want.dtype], SUMS[want.dtype] * scale)


@pytest.mark.parametrize("op_type", sorted({case.op_type for case in CASES.values()}))
def test_nodes_run_on_the_device(op_type: str, tmp_path: pathlib.Path) -> None:
    case = next(case for case in CASES.values() if case.op_type == op_type)
    running = kernels.session(model_of(case), provider=CUDA, profile=tmp_path / "profile")
    running.run(None, one_node_model.feeds(case, case.inputs))
    events = json.loads(pathlib.Path(running.end_profiling()).read_text())
    where = {event["args"]["provider"] for event in events if event.get("args", {}).get("op_name") == op_type}
    assert where == {CUDA}
