# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What ONNX Runtime has a kernel for is that kernel again when it loads the lowered model, with all its optimizations: such a form costs nothing.

Each node has one behind it, as in a network, which some of the runtime's fusions want.
"""
from __future__ import annotations

import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest
import tool
from onnx import helper, numpy_helper

random = np.random.default_rng(0)
BEHIND = "Transpose"


def drawn(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return random.standard_normal(shape).astype(dtype)


def codes(*shape: int, signed: bool = False) -> np.ndarray:
    return random.integers(-100, 100, shape, np.int8) if signed else random.integers(0, 255, shape, np.uint8)


def scale(value: float) -> np.ndarray:
    return np.float32(value)


ROWS = {"x": drawn(4, 32, 64)}
TWO = {**ROWS, "skip": drawn(4, 32, 64)}
HALF = {name: array.astype(np.float16) for name, array in TWO.items()}
IMAGE = {"x": drawn(1, 8, 16, 16)}
CODED_IMAGE = {"x": codes(1, 8, 16, 16)}
OF_X = {"xs": scale(0.1), "xz": np.uint8(3)}
OF_Y = {"ys": scale(0.3), "yz": np.uint8(1)}
ANY = "com.microsoft"

# The operator and its domain, the inputs, the constants, the attributes, what is left for the runtime to run, and the opsets of the model and of the output.
NODES = {
    "Gelu": ("Gelu", ANY, ROWS, {}, {}, ["Gelu"], 17, 17),
    "Gelu-20": ("Gelu", "", ROWS, {}, {}, ["Gelu"], 20, 17),
    "Gelu-20-by-tanh": ("Gelu", "", ROWS, {}, {"approximate": "tanh"}, ["FastGelu"], 20, 17),
    "FastGelu": ("FastGelu", ANY, ROWS, {}, {}, ["FastGelu"], 17, 17),
    "FastGelu-with-bias": ("FastGelu", ANY, ROWS, {"b": drawn(64)}, {}, ["FastGelu"], 17, 17),
    "BiasGelu": ("BiasGelu", ANY, ROWS, {"b": drawn(64)}, {}, ["BiasGelu"], 17, 17),
    "QuickGelu": ("QuickGelu", ANY, ROWS, {}, {}, ["QuickGelu"], 17, 17),
    "LayerNormalization": ("LayerNormalization", "", ROWS, {"g": drawn(64), "b": drawn(64)}, {}, ["LayerNormalization"], 17, 13),
    "SkipLayerNormalization": ("SkipLayerNormalization", ANY, TWO, {"g": drawn(64), "b": drawn(64)}, {}, ["SkipLayerNormalization"], 17, 17),
    "SkipLayerNormalization-with-bias": ("SkipLayerNormalization", ANY, TWO, {"g": drawn(64), "b": drawn(64), "c": drawn(64)}, {}, ["SkipLayerNormalization"], 17, 17),
    "RMSNormalization": ("RMSNormalization", "", ROWS, {"g": drawn(64)}, {}, ["SimplifiedLayerNormalization"], 23, 17),
    "SimplifiedLayerNormalization": ("SimplifiedLayerNormalization", "", ROWS, {"g": drawn(64)}, {}, ["SimplifiedLayerNormalization"], 17, 17),
    "SkipSimplifiedLayerNormalization": ("SkipSimplifiedLayerNormalization", ANY, TWO, {"g": drawn(64)}, {}, ["Add", "SimplifiedLayerNormalization"], 17, 17),
    "SkipSimplifiedLayerNormalization-float16": ("SkipSimplifiedLayerNormalization", ANY, HALF, {"g": drawn(64, dtype=np.float16)}, {},
                                                 ["Cast", "Cast", "Add", "SimplifiedLayerNormalization", "Cast"], 21, 21),
    "MatMulNBits": ("MatMulNBits", ANY, {"x": drawn(3, 128)}, {"b": codes(64, 4, 16), "s": drawn(64, 4)}, {"K": 128, "N": 64, "bits": 4, "block_size": 32}, ["MatMulNBits"], 21, 21),
    "DynamicQuantizeMatMul": ("DynamicQuantizeMatMul", ANY, {"x": drawn(32, 64)}, {"w": codes(64, 64, signed=True), "ws": scale(0.1), "wz": np.int8(0)}, {}, ["DynamicQuantizeMatMul"], 17, 17),
    "FusedMatMul": ("FusedMatMul", ANY, {"x": drawn(32, 64)}, {"w": drawn(64, 64)}, {"transB": 1, "alpha": 0.5}, ["FusedMatMul"], 17, 17),
    "FusedGemm": ("FusedGemm", ANY, {"x": drawn(32, 64)}, {"w": drawn(64, 64), "b": drawn(64)}, {"activation": "Relu"}, ["FusedGemm"], 17, 17),
    "FusedConv": ("FusedConv", ANY, IMAGE, {"w": drawn(8, 8, 3, 3), "b": drawn(8)}, {"activation": "Relu"}, ["Conv", "ReorderOutput"], 17, 17),
    "QLinearAdd": ("QLinearAdd", ANY, {"x": codes(4, 32, 64)}, {**OF_X, "w": codes(64), "ws": scale(0.2), "wz": np.uint8(5), **OF_Y}, {}, ["QLinearAdd"], 17, 17),
    "QLinearSigmoid": ("QLinearSigmoid", ANY, CODED_IMAGE, {**OF_X, **OF_Y}, {}, ["QLinearSigmoid"], 17, 17),
    "QLinearGlobalAveragePool": ("QLinearGlobalAveragePool", ANY, CODED_IMAGE, {**OF_X, **OF_Y}, {}, ["QLinearGlobalAveragePool"], 17, 17),
}


def model_of(op_type: str, domain: str, inputs: dict, constants: dict, attributes: dict, opset: int) -> onnx.ModelProto:
    node = helper.make_node(op_type, [*inputs, *constants], ["made"], domain=domain, **attributes)
    values = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape) for name, array in inputs.items()]
    output = helper.make_tensor_value_info("y", values[0].type.tensor_type.elem_type, None)
    graph = helper.make_graph([node, helper.make_node(BEHIND, ["made"], ["y"])], "g", values, [output], [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()])
    imports = [helper.make_opsetid("", opset), *([helper.make_opsetid(domain, 1)] if domain else [])]
    return helper.make_model(graph, opset_imports=imports, ir_version=10 if opset > 20 else 8)


@pytest.mark.parametrize("name", NODES)
def test_it_is_joined_again(name: str, tmp_path: pathlib.Path) -> None:
    op_type, domain, inputs, constants, attributes, expected, opset, target_opset = NODES[name]
    lowered = tool.lowered(model_of(op_type, domain, inputs, constants, attributes, opset).SerializeToString(), ["--target-opset", str(target_opset)])
    assert all(node.domain in ("", "ai.onnx") for node in onnx.load_model_from_string(lowered).graph.node)
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(lowered, options, providers=["CPUExecutionProvider"])
    optimized = onnx.load(tmp_path / "optimized.onnx")
    assert [node.op_type for node in optimized.graph.node if node.op_type != BEHIND] == expected
