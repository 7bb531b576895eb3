# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Scales and zero points of one element, which to ONNX Runtime's kernels may be numbers or lists, each of a pair in its own way: what becomes of their nodes gives the
same in ONNX Runtime and in OpenVINO. And the axis that those of several elements go along, where the node does not say it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import runtimes
import tool
from compare import assert_equal

CONTRIB = "com.microsoft"
# As it is, and below the opsets that brought axes, Round, quantization, and Where.
TARGETS: list[Sequence[object]] = [(), *(("--target-opset", opset) for opset in (12, 10, 9, 7))]
RANDOM = np.random.default_rng(20)


def codes(*shape: int) -> np.ndarray:
    return RANDOM.integers(0, 256, shape, dtype=np.uint8)


SCALE, ZERO = "a scale", "a zero point"  # of one element each
IMAGE, ROWS, FILTER = codes(2, 3, 4, 5), codes(2, 3), codes(2, 3, 2, 2)
CONDITION = np.array([[True], [False]])
Inputs = Sequence["np.ndarray | np.generic | str"]
NODES: list[tuple[str, dict[str, Any], Inputs]] = [
    ("QGemm", {}, [ROWS, SCALE, ZERO, codes(3, 2), np.float32(0.5), np.uint8(3), np.int32(5), SCALE, ZERO]),
    ("QLinearConcat", {"axis": 0}, [SCALE, ZERO, codes(4), SCALE, ZERO, codes(3), SCALE, ZERO]),
    ("QLinearConcat", {"axis": 1}, [SCALE, ZERO, ROWS, SCALE, ZERO, ROWS, SCALE, ZERO]),
    ("QLinearConv", {}, [IMAGE, SCALE, ZERO, FILTER, SCALE, ZERO, SCALE, ZERO]),
    ("QLinearConv", {}, [IMAGE, SCALE, ZERO, FILTER, np.float32([0.25, 0.5]), codes(2), SCALE, ZERO]),
    ("QLinearGlobalAveragePool", {}, [IMAGE, SCALE, ZERO, SCALE, ZERO]),
    ("QLinearGlobalAveragePool", {"channels_last": 1}, [IMAGE, SCALE, ZERO, SCALE, ZERO]),
    ("QLinearLeakyRelu", {"alpha": 0.25}, [ROWS, SCALE, ZERO, SCALE, ZERO]),
    ("QLinearSigmoid", {}, [np.uint8(9), SCALE, ZERO, SCALE, ZERO]),
    ("QLinearSoftmax", {"opset": 13}, [ROWS, SCALE, ZERO, SCALE, ZERO]),
    ("QLinearWhere", {}, [CONDITION, ROWS, SCALE, ZERO, ROWS, SCALE, ZERO, SCALE, ZERO]),
    *(("DequantizeLinear", attributes, [x, SCALE, ZERO]) for attributes in ({}, {"axis": 0}) for x in (np.uint8(7), ROWS)),
    *(("QuantizeLinear", attributes, [np.float32(x), SCALE, ZERO]) for attributes in ({}, {"axis": 0}) for x in (1.7, ROWS)),
]
# What a list of any length is to other operators, numbers along an axis or one, nobody knows before the model runs.
OF_NUMBERS = [node for node in NODES if node[0] not in ("DequantizeLinear", "QLinearConv", "QuantizeLinear")]
STANDARD = [("DequantizeLinear", x) for x in (np.uint8(7), ROWS)] + [("QuantizeLinear", np.float32(x)) for x in (1.7, ROWS)]
# Of each pair the scale is a list, the zero point is, or both are.
PAIRS = {"scales": ((1,), ()), "zero-points": ((), (1,)), "both": ((1,), (1,))}


def with_pairs(inputs: Inputs, pair: str) -> list[np.ndarray]:
    scale, zero = PAIRS[pair]
    return [np.full(scale, 0.125, np.float32) if given is SCALE else np.full(zero, 3, np.uint8) if given is ZERO else np.asarray(given) for given in inputs]


def check(domain: str, op: str, attributes: dict[str, Any], arrays: Sequence[np.ndarray], arguments: Sequence[object], *, constants: bool = True) -> None:
    """Numbers and lists are constants, as quantizers write them, or inputs, of which the lists are of any length."""
    names = [f"in{index}" for index in range(len(arrays))]
    fed = {name: array for name, array in zip(names, arrays) if not constants or name == "in0" or array.ndim > 1}
    shapes = {name: array.shape if constants or array.ndim != 1 else [f"{name}_length"] for name, array in fed.items()}
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), shapes[name]) for name, array in fed.items()]
    initializers = [numpy_helper.from_array(array, name) for name, array in zip(names, arrays) if name not in fed]
    node = helper.make_node(op, names, ["y"], domain=domain, **attributes)
    graph = helper.make_graph([node], "graph", inputs, [onnx.ValueInfoProto(name="y")], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)], ir_version=8).SerializeToString()
    want = runtimes.in_onnxruntime(model)(fed)["y"]
    lowered = tool.lowered(model, arguments)
    # Steps of quantized values, which lie between two of them, may be rounded to the other one.
    atol = 1 if want.dtype == np.uint8 else 0
    assert_equal("ONNX Runtime", runtimes.in_onnxruntime(lowered)(fed)["y"], want, atol=atol)
    assert_equal("OpenVINO", runtimes.in_openvino(lowered)(fed)["y"], want, rtol=1e-6, atol=atol)


@pytest.mark.parametrize("arguments", TARGETS, ids=str)
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("op, attributes, inputs", NODES, ids=lambda value: str(value) if isinstance(value, (str, dict)) else "")
def test_lists_and_numbers_are_the_same(op: str, attributes: dict[str, Any], inputs: Inputs, pair: str, arguments: Sequence[object]) -> None:
    check(CONTRIB, op, attributes, with_pairs(inputs, pair), arguments)


@pytest.mark.parametrize("arguments", TARGETS, ids=str)
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("op, attributes, inputs", OF_NUMBERS, ids=lambda value: str(value) if isinstance(value, (str, dict)) else "")
def test_lists_of_unknown_length(op: str, attributes: dict[str, Any], inputs: Inputs, pair: str, arguments: Sequence[object]) -> None:
    check(CONTRIB, op, attributes, with_pairs(inputs, pair), arguments, constants=False)


@pytest.mark.parametrize("arguments", TARGETS[1:], ids=str)
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("op, x", STANDARD, ids=lambda value: value if isinstance(value, str) else str(value.shape))
def test_standard_operators_too(op: str, x: np.ndarray, pair: str, arguments: Sequence[object]) -> None:
    check("", op, {"axis": 0}, with_pairs([x, SCALE, ZERO], pair), arguments)


@pytest.mark.parametrize("arguments", TARGETS, ids=str)
@pytest.mark.parametrize("shape", [(2, 3, 3), (3, 3), (2, 3)], ids=str)
@pytest.mark.parametrize("kind", [np.uint8, np.int16])
@pytest.mark.parametrize("op", ["DequantizeLinear", "QuantizeLinear"])
def test_the_axis_is_1_where_the_node_says_none(op: str, kind: type, shape: tuple[int, ...], arguments: Sequence[object]) -> None:
    x = codes(*shape)
    arrays = [x.astype(kind if op == "DequantizeLinear" else np.float32), np.float32([0.5, 0.25, 2]), np.array([5, 60, 7], kind)]
    check(CONTRIB, op, {}, arrays, arguments)
