# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Batches without entries and sequences without tokens: what becomes of their nodes gives as many of nothing as ONNX Runtime's kernels do."""
from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np
import pytest

import one_node_model
import runtimes
import tool
from compare import assert_equal

CONTRIB = "com.microsoft"
RANDOM = np.random.default_rng(31)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


@dataclasses.dataclass
class Node(one_node_model.Node):
    domain: str = CONTRIB
    opset: int = 18
    targets: Sequence[int] = (18, 15, 13, 11, 9)
    # The axes of which the model does not say the size, where it does not say all sizes.
    unknown: Sequence[int] = (0, 1)


def images(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    return floats(*shape), RANDOM.integers(0, 2, shape).astype(np.int32)


def with_heads(batch: int, length: int, rule: str, heads: int = 2, size: int = 4) -> list[np.ndarray | None]:
    tokens = [floats(batch, length, heads * size) for _ in range(3)]
    decay, beta = floats(batch, length, heads) if "gated" in rule else None, floats(batch, length, heads) if "delta" in rule else None
    return [*tokens, floats(batch, heads, size, size), decay, beta]


SIZES = ((0, 3), (2, 0), (2, 3))
SHAPES = [np.array([4, 4]), np.array([2, 2])]
NODES = [
    *(Node("GatedRMSNorm", {"activation": activation}, [floats(*sizes, 8), floats(width), floats(*sizes, 8)], unknown=unknown) for sizes in SIZES for activation in ("silu", "sigmoid") for width in (4, 8) for unknown in ((0, 1), (0, 1, 2))),
    *(
        Node("BranchwiseRMSNorm", {"num_branches": 2}, [floats(*sizes, 8), *([floats(*scale)] if scale else [])], unknown=unknown)
        for sizes in SIZES
        for scale, unknown in (((), (0, 1)), ((), (0, 1, 2)), ((8,), (1,)), ((4,), (1,)), ((2, 4), (2,)))
    ),
    *(Node("LinearAttention", {"q_num_heads": 2, "kv_num_heads": 2, "update_rule": rule}, with_heads(*sizes, rule), outputs=2) for sizes in SIZES for rule in ("linear", "gated", "delta", "gated_delta")),
    *(Node("MaxpoolWithMask", {"kernel_shape": [2, 2], "pads": pads}, images(batch, 3, 4, 4)) for batch in (0, 2) for pads in ([0] * 4, [1] * 4)),
    Node("MaxpoolWithMask", {"kernel_shape": [2]}, images(0, 3, 4)),
    # The rows are a channel's by a number of cells, which is known where the block is.
    *(Node("Col2Im", attributes, [floats(batch, 8, places), *SHAPES], "", targets=(17, 15, 13, 11, 9), constants=constants, unknown=unknown) for batch in (0, 1) for attributes, places in (({"strides": [2, 2]}, 4), ({}, 9)) for constants, unknown in (((1, 2), (0,)), ((), ()))),
    *(Node("LayerNormalization", {"axis": axis}, [floats(*sizes, 4), floats(*((*sizes, 4)[axis:]))], "", outputs=3, targets=(16, 13, 11, 9)) for sizes in SIZES for axis in (-1, 2)),
    Node("LayerNormalization", {"axis": 1}, [floats(0, 3, 4), floats(3, 4)], "", outputs=2, targets=(16, 13, 11, 9), unknown=(0,)),
    # Boxes, regions and grids of nothing.
    *(Node("RoiAlign", {"output_height": 2, "output_width": 3, "mode": mode}, [floats(2, channels, 4, 4), floats(boxes, 4), np.zeros(boxes, np.int64)], "", targets=(15, 11)) for mode in ("avg", "max") for channels, boxes in ((3, 0), (1, 0))),
    *(Node("NonMaxSuppression", {}, [floats(batch, boxes, 4), floats(batch, 1, boxes), np.array([3])], "", targets=(10,), constants=(2,)) for batch, boxes in ((0, 3), (1, 0))),
    *(Node("CumSum", {"exclusive": 1, "reverse": 1}, [floats(*sizes), np.array(1)], "", targets=(13, 10, 9), constants=(1,)) for sizes in SIZES),
    *(Node("TopK", {"largest": largest}, [floats(*sizes), np.array([0])], "", targets=(10, 9), constants=(1,), outputs=2) for largest in (0, 1) for sizes in SIZES),
]


@pytest.mark.parametrize("is_static", [False, True], ids=["symbolic", "static"])
@pytest.mark.parametrize("node", NODES, ids=lambda node: f"{node.op}-{node.attributes}-{[array.shape for array in node.inputs if array is not None]}-{node.unknown}")
def test_empty_results_have_the_same_shape(node: Node, is_static: bool) -> None:
    model, feeds = node.model(() if is_static else node.unknown), node.feeds()
    wanted = runtimes.in_onnxruntime(model)(feeds)
    for target in node.targets:
        lowered = tool.lowered(model, ["--target-opset", target])
        results = runtimes.in_onnxruntime(lowered)(feeds)
        for name, want in wanted.items():
            assert_equal(f"at {target}, {name}", results[name], want, rtol=1e-4, atol=1e-5)


def known_sizes_only() -> list[Node]:
    """What is known to have no elements, of operators that would look for one of them when the model runs."""
    nodes = [Node("Det", {}, [floats(0, size, size)], "", targets=(10, 9)) for size in (1, 2, 3)]
    for image in (floats(0, 2, 4, 4), floats(2, 0, 4, 4)):
        for mode, antialias in itertools.product(("nearest", "linear", "cubic"), (0, 1)):
            if mode != "nearest" or not antialias:
                attributes = {"mode": mode, "antialias": antialias}
                nodes.append(Node("Resize", attributes, [image, None, np.float32([1, 1, 2, 0.5])], "", targets=(17, 13, 10, 9), constants=(2,)))
    nodes += [Node("RoiAlign", {}, [floats(0, 2, 4, 4), floats(0, 4), np.zeros(0, np.int64)], "", targets=(15, 11))]
    for sizes in ((0, 3), (3, 0), (0,), (2, 0, 3)):
        for axis in range(-1, len(sizes)):
            nodes += [Node(op, {"axis": axis}, [floats(*sizes)], "", opset=opset, targets=(21, 13, 12, 11, 9)) for op in ("Hardmax", "Softmax", "LogSoftmax") for opset in (11, 13)]
    for reduction in ("none", "add", "mul", "max", "min"):
        for sizes, places in (((3, 0), [[1], [1]]), ((3, 4, 0), [[0, 1], [1, 1]]), ((0, 3), np.zeros((0, 1)))):
            places = np.int64(places)
            updates = floats(len(places), *sizes[places.shape[-1] :])
            nodes.append(Node("ScatterND", {"reduction": reduction}, [floats(*sizes), places, updates], "", targets=(17, 15, 13, 11, *([9] * (reduction == "none")))))
    return nodes


@pytest.mark.parametrize("node", known_sizes_only(), ids=lambda node: f"{node.op}-{node.opset}-{node.attributes}-{[array.shape for array in node.inputs if array is not None]}")
def test_what_is_known_to_be_empty_has_the_same_shape(node: Node) -> None:
    model, feeds = node.model(), node.feeds()
    (want,) = runtimes.in_onnxruntime(model)(feeds).values()
    for target in node.targets:
        (result,) = runtimes.in_onnxruntime(tool.lowered(model, ["--target-opset", target]))(feeds).values()
        assert_equal(f"at {target}", result, want)


def test_images_of_nothing_are_refused() -> None:
    """What is gathered from nothing no runtime finds."""
    crops = Node("CropAndResize", {}, [floats(2, 3, 0, 4), floats(3, 4), np.zeros(3, np.int32), np.array([2, 3], np.int32)], constants=(3,)).model()
    refusal = tool.lower(crops)
    tool.assert_clean_refusal(refusal)
    assert "its image has no pixels" in refusal.stderr
