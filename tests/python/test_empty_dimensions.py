# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Batches without entries and sequences without tokens: what becomes of their nodes gives as many of nothing as ONNX Runtime's kernels do."""
from __future__ import annotations

import dataclasses
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


def test_images_of_nothing_are_refused() -> None:
    """What is gathered from nothing no runtime finds."""
    points = Node("GridSample", {}, [floats(2, 0, 4, 4), floats(2, 2, 3, 2)], "").model()
    refusal = tool.lower(points, ["--target-opset", 15])
    tool.assert_clean_refusal(refusal)
    assert "its image has no channels" in refusal.stderr
    crops = Node("CropAndResize", {}, [floats(2, 3, 0, 4), floats(3, 4), np.zeros(3, np.int32), np.array([2, 3], np.int32)], constants=(3,)).model()
    refusal = tool.lower(crops)
    tool.assert_clean_refusal(refusal)
    assert "its image has no pixels" in refusal.stderr
