# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Attributes that are yes or no, and have neither 1 nor 0: what becomes of their nodes takes them as ONNX Runtime does, to which nearly all of them mean yes at 1 alone."""
from __future__ import annotations

import dataclasses

import numpy as np
import onnx
import pytest

import contrib_nodes
import one_node_model
import runtimes
import tool
from compare import assert_equal

CONTRIB = "com.microsoft"
RANDOM = np.random.default_rng(27)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


@dataclasses.dataclass
class Node(one_node_model.Node):
    rtol: float = 1e-5
    atol: float = 1e-6
    # OpenVINO gives this, too: to it any number but 0 means yes, so that it differs where the node stays what it is, and did so before.
    openvino: bool = True


def check(node: Node) -> None:
    model, feeds = node.model(), node.feeds()
    wanted = runtimes.in_onnxruntime(model)(feeds)
    for target in node.targets:
        lowered = tool.lowered(model, ["--target-opset", target])
        for runtime, run in (("ONNX Runtime", runtimes.in_onnxruntime), ("OpenVINO", runtimes.in_openvino)):
            if runtime == "OpenVINO" and not node.openvino:
                continue
            results = run(lowered)(feeds)
            for name, want in wanted.items():
                assert_equal(f"{runtime} at {target}, {name}", results[name], want, node.rtol, node.atol)


TENSOR, IMAGE = floats(2, 3, 4), floats(1, 2, 3, 4)
OTHERS = (2, -1)
SECOND = np.array([1])


@pytest.mark.parametrize("value", OTHERS)
@pytest.mark.parametrize(
    "node",
    [
        Node("ReduceSum", {"keepdims": 0}, [TENSOR, SECOND], targets=(12, 11, 9)),
        Node("ReduceMax", {"keepdims": 0}, [TENSOR, SECOND], opset=18),
        Node("ReduceL2", {"keepdims": 0}, [TENSOR, SECOND], opset=18, constants=(1,)),
        Node("ArgMax", {"keepdims": 0, "axis": 1}, [TENSOR]),
        Node("TopK", {"largest": 0}, [TENSOR, np.array([2])], constants=(1,), outputs=2, targets=(10, 9)),
        Node("MaxPool", {"ceil_mode": 0, "kernel_shape": [2, 2], "strides": [2, 2]}, [IMAGE], targets=(9,)),
        Node("AveragePool", {"ceil_mode": 0, "kernel_shape": [2, 2], "strides": [2, 2]}, [IMAGE], targets=(9,)),
        Node("Attention", {"is_causal": 0, "q_num_heads": 2, "kv_num_heads": 2}, [floats(2, 3, 16), floats(2, 3, 16), floats(2, 3, 16)], opset=23, targets=(22, 17)),
        Node("RotaryEmbedding", {"interleaved": 0}, [floats(2, 3, 4, 8), floats(5, 4), floats(5, 4), RANDOM.integers(0, 5, (2, 4))], opset=23, targets=(22, 17)),
        *(Node(f"{name}Window", {"periodic": 0}, [np.array(8)], targets=(16, 9)) for name in ("Blackman", "Hamming", "Hann")),
    ],
    ids=lambda node: node.op,
)
def test_of_standard_operators(node: Node, value: int) -> None:
    flag = next(iter(node.attributes))
    check(dataclasses.replace(node, attributes={**node.attributes, flag: value}, openvino=node.op.endswith("Window")))


FLAGS = {
    "Attention": ("unidirectional",),
    "GroupQueryAttention": ("do_rotary", "rotary_interleaved", "smooth_softmax"),
    "MRotaryEmbedding": ("interleaved",),
    "MoE": ("normalize_routing_weights",),
    "MultiHeadAttention": ("unidirectional",),
    "NhwcMaxPool": ("ceil_mode",),
    "QAttention": ("unidirectional",),
    "QLinearAveragePool": ("ceil_mode", "count_include_pad"),
    "RotaryEmbedding": ("interleaved",),
}


@pytest.mark.parametrize("op, flag", [(op, flag) for op, flags in FLAGS.items() for flag in flags])
def test_of_com_microsoft(op: str, flag: str) -> None:
    tried = 0
    for number in range(60):
        case = contrib_nodes.drawn(op, number)
        if flag not in case.attributes:
            continue
        case = dataclasses.replace(case, attributes={**case.attributes, flag: OTHERS[number % 2]})
        model = one_node_model.build(case, case.opsets[0], [np.float32(0)] * (case.outputs or 1))
        for output in model.graph.output:
            output.ClearField("type")
        feeds = one_node_model.feeds(case, case.inputs)
        wanted = runtimes.in_onnxruntime(model.SerializeToString())(feeds)
        outcome = tool.lower(model.SerializeToString())
        if outcome.status == tool.NOT_LOWERED:
            continue
        results = runtimes.in_onnxruntime(outcome.stdout)(feeds)
        for name, want in wanted.items():
            assert_equal(f"{case.attributes}, {name}", results[name], want, case.rtol, case.atol)
        tried += 1
    assert tried >= 3


WORDS = RANDOM.integers(0, 5, (2, 4)).astype(np.int32)
QUERY, KEY, VALUE = 5 * floats(2, 3, 16), 5 * floats(2, 3, 16), floats(2, 3, 16)
LENGTHS = [np.full(2, 2, np.int32), np.array(3, np.int32)]
STEEP = {"rtol": 1e-3, "atol": 1e-4}
ONE_OF_EACH = [np.full((1, 1), value, kind) for value, kind in ((8, np.int64), (16, np.int64), (8192, np.int64), (20, np.float32), (4000, np.float32))]
WHOLE = {"coordinate_transformation_mode": "tf_crop_and_resize"}
LARGE = 300 * floats(2, 3, 4)


@pytest.mark.parametrize(
    "node",
    [
        # No number but 1 of a mask counts.
        Node("EmbedLayerNormalization", {}, [WORDS, WORDS % 2, floats(5, 8), floats(6, 8), floats(2, 8), floats(8), floats(8), np.int32([[1, 2, 1, 0], [3, -1, 0, 1]])], CONTRIB, outputs=2, targets=(17, 9), **STEEP),
        Node("GroupQueryAttention", {"num_heads": 2, "kv_num_heads": 2, "softcap": -5.0}, [QUERY, KEY, VALUE, None, None, *LENGTHS], CONTRIB, outputs=3, targets=(17, 13), **STEEP),
        Node("Attention", {"q_num_heads": 2, "kv_num_heads": 2, "softcap": -5.0}, [QUERY, KEY, VALUE], opset=23, targets=(22, 17, 13), **STEEP),
        # Whatever it is to be computed in, it is computed in float: the square of 300 is too large for a float16.
        *(
            Node(op, {"stash_type": stash_type}, [LARGE.astype(kind), floats(4).astype(kind)], opset=23, targets=targets, rtol=4e-3 if kind == np.float16 else 1e-5, atol=1e-3 if kind == np.float16 else 1e-6)
            for op, targets in (("RMSNormalization", (22, 17, 13)), ("LayerNormalization", (16, 13)))
            for stash_type in (onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16)
            for kind in (np.float32, np.float16)
        ),
        # Of the whole image.
        *(Node("Resize", {"mode": mode, **WHOLE}, [IMAGE, None, np.float32([1, 1, 0.5, 1.5])], opset=13, targets=targets, constants=(2,), openvino=False) for mode, targets in (("linear", (12, 11, 10, 9)), ("nearest", (12, 11)), ("cubic", (12, 11)))),
        Node("Resize", {"mode": "linear", **WHOLE}, [IMAGE, None, None, np.array([1, 2, 5, 3])], opset=13, targets=(12, 11, 10, 9), constants=(3,), openvino=False),
        # Sizes that are scalars by their number of elements.
        *(Node(f"{name}Window", {}, [np.full(shape, 8)], targets=(16, 9)) for name in ("Blackman", "Hamming", "Hann") for shape in ((1,), (1, 1))),
        *(Node("MelWeightMatrix", {}, [array.reshape(shape) for array in ONE_OF_EACH], targets=(16, 9)) for shape in ((1,), (1, 1))),
    ],
    ids=lambda node: f"{node.op}-{node.attributes}-{node.inputs[0].shape}",
)
def test_numbers_that_nobody_expects(node: Node) -> None:
    check(node)


@pytest.mark.parametrize("stash_type", [onnx.TensorProto.UNDEFINED, onnx.TensorProto.INT64], ids=["undefined", "int64"])
@pytest.mark.parametrize("op, target", [("RMSNormalization", 22), ("LayerNormalization", 16)])
def test_no_type_to_compute_in(op: str, target: int, stash_type: int) -> None:
    tool.assert_clean_refusal(tool.lower(Node(op, {"stash_type": stash_type}, [TENSOR, floats(4)], opset=23).model(), ["--target-opset", target]))
