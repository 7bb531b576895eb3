# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a model runs as fast at an older opset: parts of well-known architectures as exporters write them, and single operators, before and after `--target-opset`.

    ONNX_LOWER=build/onnx-lower build/venv/bin/python bench/lowered_speed.py [--opsets 17,13,11] [--runtimes onnxruntime,openvino] [--runs 41] [--profile] [--backend-tests] [MODEL...]

What is printed is the time of the model as it is, and by how much each older one is slower: the median over rounds in which each model runs once, on one thread. It asserts nothing.
"""
from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
import onnx
from onnx import helper

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "python"))
import runtimes

TOOL = pathlib.Path(os.environ.get("ONNX_LOWER", REPOSITORY / "build" / "onnx-lower")).resolve()


class Network:
    """A model that is put together node by node; a value is its name."""

    def __init__(self, opset: int) -> None:
        self.opset = opset
        self.random = np.random.default_rng(0)
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.inputs: dict[str, np.ndarray] = {}
        self.outputs: list[str] = []
        self.declared: list[onnx.ValueInfoProto] = []

    def input(self, *shape: int, dtype: str = "float32") -> str:
        name = f"input_{len(self.inputs)}"
        self.inputs[name] = self.random.standard_normal(shape).astype(dtype)
        return name

    def ids(self, *shape: int, below: int) -> str:
        name = f"input_{len(self.inputs)}"
        self.inputs[name] = self.random.integers(0, below, shape)
        return name

    def constant(self, value: object, dtype: str = "int64") -> str:
        name = f"constant_{len(self.initializers)}"
        self.initializers.append(onnx.numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def weight(self, *shape: int) -> str:
        scale = 1 / np.sqrt(np.prod(shape[1:]) if len(shape) > 2 else shape[0])
        return self.constant(self.random.standard_normal(shape) * scale, "float32")

    def __call__(self, op_type: str, *inputs: str, outputs: int = 1, **attributes: object) -> str | list[str]:
        names = [f"{op_type}_{len(self.nodes)}_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(op_type, inputs, names, **attributes))
        return names if outputs > 1 else names[0]

    def linear(self, x: str, of: int, to: int) -> str:
        return self("Add", self("MatMul", x, self.weight(of, to)), self.weight(to))

    def reshape(self, x: str, *shape: int) -> str:
        return self("Reshape", x, self.constant(shape))

    def heads(self, x: str, count: int, size: int) -> str:
        return self("Transpose", self.reshape(x, 0, -1, count, size), perm=[0, 2, 1, 3])

    def layer_norm(self, x: str, width: int) -> str:
        return self("LayerNormalization", x, self.weight(width), self.weight(width), axis=-1, epsilon=1e-5)

    def group_norm(self, x: str, *shape: int, groups: int = 8) -> str:
        """Its shape is declared, as exporters declare all, because onnx's shape inference does not know the operator."""
        y = self("GroupNormalization", x, self.weight(shape[1]), self.weight(shape[1]), num_groups=groups)
        self.declared.append(helper.make_tensor_value_info(y, onnx.TensorProto.FLOAT, shape))
        return y

    def attention(self, x: str, width: int, heads: int, memory: str | None = None, bias: str = "") -> str:
        """As TorchScript's exporter writes scaled_dot_product_attention."""
        memory = memory or x
        size = width // heads
        q, k, v = (self.heads(self.linear(source, width, width), heads, size) for source in (x, memory, memory))
        scores = self("Mul", self("MatMul", q, self("Transpose", k, perm=[0, 1, 3, 2])), self.constant(size**-0.5, "float32"))
        if bias:
            scores = self("Add", scores, bias)
        mixed = self("MatMul", self("Softmax", scores, axis=-1), v)
        return self.linear(self.reshape(self("Transpose", mixed, perm=[0, 2, 1, 3]), 0, -1, width), width, width)

    def give(self, x: str) -> Network:
        self.outputs.append(x)
        return self

    def model(self) -> onnx.ModelProto:
        inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape) for name, array in self.inputs.items()]
        outputs = [helper.make_empty_tensor_value_info(name) for name in self.outputs]
        graph = helper.make_graph(self.nodes, "network", inputs, outputs, self.initializers, value_info=self.declared)
        imports = [helper.make_opsetid("", self.opset)]
        made = helper.make_model(graph, opset_imports=imports, ir_version=helper.find_min_ir_version_for(imports))
        return onnx.shape_inference.infer_shapes(made, strict_mode=True, data_prop=True)


def bert() -> Network:
    n = Network(20)
    x = n.layer_norm(n("Gather", n.weight(1000, 256), n.ids(1, 128, below=1000)), 256)
    for _ in range(3):
        x = n.layer_norm(n("Add", x, n.attention(x, 256, 4)), 256)
        x = n.layer_norm(n("Add", x, n.linear(n("Gelu", n.linear(x, 256, 1024)), 1024, 256)), 256)
    return n.give(n("ReduceMean", x, n.constant([1]), keepdims=0))


def gpt2() -> Network:
    n = Network(23)
    x = n("Gather", n.weight(1000, 256), n.ids(1, 128, below=1000))
    for _ in range(3):
        q, k, v = n("Split", n.linear(n.layer_norm(x, 256), 256, 768), axis=-1, num_outputs=3, outputs=3)
        mixed = n("Attention", *(n.heads(part, 4, 64) for part in (q, k, v)), is_causal=1)
        x = n("Add", x, n.linear(n.reshape(n("Transpose", mixed, perm=[0, 2, 1, 3]), 0, -1, 256), 256, 256))
        x = n("Add", x, n.linear(n("Gelu", n.linear(n.layer_norm(x, 256), 256, 1024), approximate="tanh"), 1024, 256))
    return n.give(n("MatMul", n.layer_norm(x, 256), n.weight(256, 1000)))


def llama() -> Network:
    """As the Attention of opset 23 takes its heads: in one dimension, keys and values with fewer of them, and what was before."""
    n = Network(24)
    x = n("Gather", n.weight(1000, 256), n.ids(1, 64, below=1000))
    cos, sin = n.weight(256, 32), n.weight(256, 32)
    positions = n.constant(np.arange(64, 128)[None])
    for _ in range(3):
        y = n("RMSNormalization", x, n.weight(256), epsilon=1e-6)
        q, k, v = (n("MatMul", y, n.weight(256, width)) for width in (256, 128, 128))
        q = n("RotaryEmbedding", q, cos, sin, positions, num_heads=4)
        k = n("RotaryEmbedding", k, cos, sin, positions, num_heads=2)
        mixed, keys, values = n("Attention", q, k, v, "", n.input(1, 2, 64, 64), n.input(1, 2, 64, 64), q_num_heads=4, kv_num_heads=2, is_causal=1, outputs=3)
        n.give(keys).give(values)
        x = n("Add", x, n("MatMul", mixed, n.weight(256, 256)))
        y = n("RMSNormalization", x, n.weight(256), epsilon=1e-6)
        y = n("Mul", n("Swish", n("MatMul", y, n.weight(256, 512))), n("MatMul", y, n.weight(256, 512)))
        x = n("Add", x, n("MatMul", y, n.weight(512, 256)))
    return n.give(n("MatMul", n("RMSNormalization", x, n.weight(256), epsilon=1e-6), n.weight(256, 1000)))


def vit() -> Network:
    n = Network(20)
    x = n("Conv", n.input(1, 3, 112, 112), n.weight(192, 3, 16, 16), n.weight(192), strides=[16, 16])
    x = n("Transpose", n("Flatten", n("Squeeze", x, n.constant([0])), axis=1), perm=[1, 0])
    x = n("Unsqueeze", x, n.constant([0]))
    x = n("Add", n("Concat", n.weight(1, 1, 192), x, axis=1), n.weight(1, 50, 192))
    for _ in range(4):
        x = n("Add", x, n.attention(n.layer_norm(x, 192), 192, 3))
        x = n("Add", x, n.linear(n("Gelu", n.linear(n.layer_norm(x, 192), 192, 768)), 768, 192))
    return n.give(n.linear(n("Gather", n.layer_norm(x, 192), n.constant(0), axis=1), 192, 1000))


def t5() -> Network:
    n = Network(18)
    x = n("Gather", n.weight(1000, 256), n.ids(1, 128, below=1000))
    distance = n.constant(np.clip(np.arange(128)[None] - np.arange(128)[:, None] + 16, 0, 31))
    bias = n("Unsqueeze", n("Transpose", n("Gather", n.weight(32, 4), distance), perm=[2, 0, 1]), n.constant([0]))

    def rms(x: str) -> str:
        mean = n("ReduceMean", n("Pow", x, n.constant(2, "float32")), n.constant([-1]))
        root = n("Sqrt", n("Add", mean, n.constant(1e-6, "float32")))
        return n("Mul", n("Mul", x, n("Div", n.constant(1, "float32"), root)), n.weight(256))

    for _ in range(3):
        x = n("Add", x, n.attention(rms(x), 256, 4, bias=bias))
        x = n("Add", x, n("MatMul", n("Relu", n("MatMul", rms(x), n.weight(256, 1024))), n.weight(1024, 256)))
    return n.give(rms(x))


def whisper() -> Network:
    n = Network(20)
    x = n("Gelu", n("Conv", n.input(1, 80, 400), n.weight(192, 80, 3), n.weight(192), pads=[1, 1]))
    x = n("Gelu", n("Conv", x, n.weight(192, 192, 3), n.weight(192), pads=[1, 1], strides=[2]))
    x = n("Add", n("Transpose", x, perm=[0, 2, 1]), n.weight(200, 192))
    for _ in range(3):
        x = n("Add", x, n.attention(n.layer_norm(x, 192), 192, 3))
        x = n("Add", x, n.linear(n("Gelu", n.linear(n.layer_norm(x, 192), 192, 768)), 768, 192))
    return n.give(n.layer_norm(x, 192))


def unet() -> Network:
    n = Network(21)

    def silu(x: str) -> str:
        return n("Mul", x, n("Sigmoid", x))

    def block(x: str, of: int, to: int, size: int) -> str:
        y = silu(n.group_norm(x, 1, of, size, size))
        y = n("Conv", y, n.weight(to, of, 3, 3), n.weight(to), pads=[1] * 4)
        y = silu(n.group_norm(y, 1, to, size, size))
        y = n("Conv", y, n.weight(to, to, 3, 3), n.weight(to), pads=[1] * 4)
        return n("Add", y, x if of == to else n("Conv", x, n.weight(to, of, 1, 1), n.weight(to)))

    x = n("Conv", n.input(1, 4, 32, 32), n.weight(64, 4, 3, 3), n.weight(64), pads=[1] * 4)
    before = x = block(x, 64, 64, 32)
    x = n("Conv", x, n.weight(64, 64, 3, 3), n.weight(64), pads=[1] * 4, strides=[2, 2])
    x = block(x, 64, 128, 16)
    tokens = n("Transpose", n.reshape(x, 0, 0, -1), perm=[0, 2, 1])
    tokens = n("Add", tokens, n.attention(n.layer_norm(tokens, 128), 128, 2))
    text = n.input(1, 77, 128)
    tokens = n("Add", tokens, n.attention(n.layer_norm(tokens, 128), 128, 2, text))
    value, gate = n("Split", n.linear(n.layer_norm(tokens, 128), 128, 512), axis=-1, num_outputs=2, outputs=2)
    tokens = n("Add", tokens, n.linear(n("Mul", value, n("Gelu", gate)), 256, 128))
    x = n("Add", x, n.reshape(n("Transpose", tokens, perm=[0, 2, 1]), 0, 0, 16, 16))
    x = n("Resize", x, "", n.constant([1, 1, 2, 2], "float32"), mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    x = block(n("Concat", x, before, axis=1), 192, 64, 32)
    return n.give(n("Conv", silu(n.group_norm(x, 1, 64, 32, 32)), n.weight(4, 64, 3, 3), n.weight(4), pads=[1] * 4))


def resnet() -> Network:
    n = Network(18)

    def conv(x: str, of: int, to: int, size: int, stride: int = 1) -> str:
        x = n("Conv", x, n.weight(to, of, size, size), pads=[size // 2] * 4, strides=[stride] * 2)
        return n("BatchNormalization", x, n.weight(to), n.weight(to), n.weight(to), n.constant(np.ones(to), "float32"))

    x = n("Relu", conv(n.input(1, 3, 112, 112), 3, 32, 7, 2))
    x = n("MaxPool", x, kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
    for of, to in ((32, 32), (32, 64), (64, 128)):
        stride = 1 if of == to else 2
        y = conv(n("Relu", conv(x, of, to, 3, stride)), to, to, 3)
        x = n("Relu", n("Add", y, x if of == to else conv(x, of, to, 1, stride)))
    x = n("ReduceMean", x, n.constant([2, 3]), keepdims=0)
    return n.give(n("Gemm", x, n.weight(1000, 128), n.weight(1000), transB=1))


def mobilenet() -> Network:
    n = Network(22)
    x = n("HardSwish", n("Conv", n.input(1, 3, 96, 96), n.weight(16, 3, 3, 3), n.weight(16), pads=[1] * 4, strides=[2, 2]))
    for of, inner, to in ((16, 64, 24), (24, 72, 40), (40, 120, 40)):
        y = n("HardSwish", n("Conv", x, n.weight(inner, of, 1, 1), n.weight(inner)))
        y = n("HardSwish", n("Conv", y, n.weight(inner, 1, 3, 3), n.weight(inner), group=inner, pads=[1] * 4))
        gate = n("Relu", n("Conv", n("GlobalAveragePool", y), n.weight(16, inner, 1, 1), n.weight(16)))
        y = n("Mul", y, n("HardSigmoid", n("Conv", gate, n.weight(inner, 16, 1, 1), n.weight(inner)), alpha=1 / 6, beta=0.5))
        y = n("Conv", y, n.weight(to, inner, 1, 1), n.weight(to))
        x = n("Add", x, y) if of == to else y
    x = n("Mish", n("Resize", x, "", "", n.constant([1, 40, 24, 24]), mode="linear", antialias=1))
    return n.give(n("ReduceMax", x, n.constant([2, 3]), keepdims=0))


def quantized() -> Network:
    """Weights of four bits in blocks, and activations of eight."""
    n = Network(21)
    x = n.input(1, 64, 256)
    for _ in range(3):
        packed = onnx.TensorProto(name=f"int4_{len(n.nodes)}", data_type=onnx.TensorProto.INT4, dims=[256, 256], raw_data=n.random.bytes(256 * 128))
        n.initializers.append(packed)
        weight = n("DequantizeLinear", packed.name, n.constant(n.random.random((8, 256)) / 50 + 0.01, "float32"), axis=0, block_size=32)
        x = n("Relu", n("MatMul", x, weight))
        scale, zero = n.constant(0.05, "float32"), n.constant(0, "uint8")
        x = n("DequantizeLinear", n("QuantizeLinear", x, scale, zero), scale, zero)
    return n.give(x)


MODELS: dict[str, Callable[[], Network]] = {
    function.__name__: function for function in (bert, gpt2, llama, vit, t5, whisper, unet, resnet, mobilenet, quantized)
}


def one(opset: int, op_type: str, *inputs: object, outputs: int = 1, then: str = "", **attributes: object) -> Callable[[], Network]:
    """A model of a node, and of another one that follows it. An input is a shape, or an array, which becomes a constant."""

    def make() -> Network:
        n = Network(opset)
        names = ["" if value is None else n.input(*value) if isinstance(value, tuple) else n.constant(value, value.dtype.name) for value in inputs]
        made = n(op_type, *names, outputs=outputs, **attributes)
        if then:
            made = n(then, made)
        n.outputs += [made] if outputs == 1 else made
        return n

    return make


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


IMAGE = (1, 64, 56, 56)
ROWS = (1, 128, 768)
HEADS = (1, 8, 128, 64)

OPERATORS: dict[str, Callable[[], Network]] = {
    "LayerNormalization": one(17, "LayerNormalization", ROWS, ones(768), ones(768)),
    "LayerNormalization without bias": one(17, "LayerNormalization", ROWS, ones(768)),
    "LayerNormalization with mean": one(17, "LayerNormalization", ROWS, ones(768), ones(768), outputs=3),
    "RMSNormalization": one(23, "RMSNormalization", ROWS, ones(768)),
    "GroupNormalization": one(21, "GroupNormalization", IMAGE, ones(64), ones(64), num_groups=8),
    "GroupNormalization-18": one(18, "GroupNormalization", IMAGE, ones(8), ones(8), num_groups=8),
    "Gelu": one(20, "Gelu", ROWS),
    "Gelu tanh": one(20, "Gelu", ROWS, approximate="tanh", then="Abs"),
    "Swish": one(24, "Swish", ROWS),
    "HardSwish": one(22, "HardSwish", IMAGE),
    "Mish": one(22, "Mish", IMAGE),
    "Softmax": one(13, "Softmax", IMAGE, axis=1),
    "LogSoftmax": one(13, "LogSoftmax", IMAGE, axis=1),
    "Softmax last": one(13, "Softmax", HEADS, axis=-1),
    "Hardmax": one(13, "Hardmax", IMAGE, axis=1),
    "Attention": one(23, "Attention", HEADS, HEADS, HEADS),
    "Attention causal": one(23, "Attention", HEADS, HEADS, HEADS, is_causal=1),
    "Attention masked": one(23, "Attention", HEADS, HEADS, HEADS, (128, 128)),
    "Attention grouped": one(23, "Attention", HEADS, (1, 2, 128, 64), (1, 2, 128, 64)),
    "Attention one token": one(23, "Attention", (1, 8, 1, 64), (1, 8, 1, 64), (1, 8, 1, 64), None, (1, 8, 255, 64), (1, 8, 255, 64), outputs=3),
    "RotaryEmbedding": one(23, "RotaryEmbedding", HEADS, np.ones((128, 32), np.float32), np.ones((128, 32), np.float32), np.arange(128)[None]),
    "Resize nearest": one(19, "Resize", IMAGE, None, np.array([1, 1, 2, 2], np.float32)),
    "Resize linear": one(19, "Resize", IMAGE, None, np.array([1, 1, 2, 2], np.float32), mode="linear"),
    "Resize axes": one(18, "Resize", IMAGE, None, np.array([2, 2], np.float32), mode="linear", axes=[2, 3]),
    "Resize not_larger": one(18, "Resize", IMAGE, None, None, ints(80, 100), mode="linear", axes=[2, 3], keep_aspect_ratio_policy="not_larger"),
    "Resize antialias": one(18, "Resize", IMAGE, None, None, ints(1, 64, 28, 28), mode="linear", antialias=1),
    "GridSample": one(20, "GridSample", IMAGE, (1, 56, 56, 2)),
    "ReduceMean": one(18, "ReduceMean", IMAGE, ints(2, 3)),
    "ReduceSum": one(13, "ReduceSum", IMAGE, ints(1)),
    "ReduceL2": one(18, "ReduceL2", IMAGE, ints(1)),
    "ReduceLogSumExp": one(18, "ReduceLogSumExp", IMAGE, ints(1)),
    "AveragePool dilated": one(19, "AveragePool", IMAGE, kernel_shape=[3, 3], dilations=[2, 2]),
    "AveragePool ceil": one(22, "AveragePool", IMAGE, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
    "MaxPool dilated": one(12, "MaxPool", IMAGE, kernel_shape=[3, 3], dilations=[2, 2]),
    "LpPool": one(18, "LpPool", IMAGE, kernel_shape=[3, 3], ceil_mode=1),
    "Col2Im": one(18, "Col2Im", (1, 64 * 9, 56 * 56), ints(56, 56), ints(3, 3), pads=[1, 1, 1, 1]),
    "DeformConv": one(19, "DeformConv", (1, 16, 28, 28), ones(16, 16, 3, 3), (1, 18, 28, 28), pads=[1, 1, 1, 1]),
    "Pad reflect": one(18, "Pad", IMAGE, ints(2, 2, 2, 2), None, ints(2, 3), mode="reflect"),
    "Pad wrap": one(19, "Pad", IMAGE, ints(0, 0, 2, 2, 0, 0, 2, 2), mode="wrap"),
    "Split": one(18, "Split", ROWS, axis=-1, num_outputs=3, outputs=3),
    "Trilu": one(14, "Trilu", (8, 256, 256)),
    "Where": one(16, "Where", np.arange(128 * 768).reshape(1, 128, 768) % 2 == 0, ROWS, ROWS),
    "Clip": one(13, "Clip", IMAGE, np.array(0, np.float32), np.array(6, np.float32)),
    "CumSum": one(14, "CumSum", ROWS, np.array(1, np.int64)),
    "CumProd": one(26, "CumProd", (16, 64, 64), np.array(1, np.int64)),
    "PRelu": one(16, "PRelu", IMAGE, ones(64, 1, 1)),
    "ScatterND": one(18, "ScatterND", (256, 768), np.arange(64)[:, None] * 4, (64, 768)),
    "ScatterND add": one(18, "ScatterND", (256, 768), np.arange(64)[:, None] % 16, (64, 768), reduction="add"),
    "ScatterElements add": one(18, "ScatterElements", (256, 768), np.arange(64 * 768).reshape(64, 768) % 200, (64, 768), reduction="add"),
    "TensorScatter": one(24, "TensorScatter", (1, 8, 256, 64), (1, 8, 1, 64), ints(17)),
    "GatherND": one(13, "GatherND", (4, 64, 768), np.arange(16).reshape(4, 4, 1), batch_dims=1),
    "GatherElements": one(13, "GatherElements", (256, 768), np.arange(64 * 768).reshape(64, 768) % 256),
    "TopK": one(11, "TopK", (128, 1000), ints(8), outputs=2),
    "ArgMax": one(13, "ArgMax", IMAGE, axis=1, select_last_index=1),
    "DFT": one(20, "DFT", (1, 256, 1), None, np.array(1, np.int64), onesided=1),
    "STFT": one(17, "STFT", (1, 4000, 1), np.array(100, np.int64), ones(400)),
    "BatchNormalization": one(15, "BatchNormalization", IMAGE, ones(64), ones(64), ones(64), ones(64)),
    "InstanceNormalization": one(22, "InstanceNormalization", IMAGE, ones(64), ones(64)),
    "LpNormalization": one(22, "LpNormalization", ROWS, axis=-1),
    "MeanVarianceNormalization": one(13, "MeanVarianceNormalization", IMAGE, axes=[0, 2, 3]),
    "CastLike": one(15, "CastLike", ROWS, np.ones(1, np.float64)),
    "Pow": one(15, "Pow", ROWS, np.array(2, np.int64)),
    "Einsum": one(12, "Einsum", HEADS, HEADS, equation="bhid,bhjd->bhij"),
    "CenterCropPad": one(18, "CenterCropPad", IMAGE, ints(40, 60), axes=[2, 3]),
    "AffineGrid": one(20, "AffineGrid", (1, 2, 3), ints(1, 3, 112, 112)),
    "NegativeLogLikelihoodLoss": one(22, "NegativeLogLikelihoodLoss", (64, 1000), np.arange(64)),
    "SoftmaxCrossEntropyLoss": one(13, "SoftmaxCrossEntropyLoss", (64, 1000), np.arange(64)),
}


def in_onnxruntime(model: bytes, feeds: dict[str, np.ndarray], profile: pathlib.Path | None = None) -> Callable[[], object]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    if profile:
        options.enable_profiling = True
        options.profile_file_prefix = str(profile)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    known = {value.name for value in session.get_inputs()}
    used = {name: array for name, array in feeds.items() if name in known}

    def run() -> object:
        return session.run(None, used)

    run.session = session
    return run


def in_openvino(model: bytes, feeds: dict[str, np.ndarray]) -> Callable[[], object]:
    core = runtimes.openvino_core()
    compiled = core.compile_model(core.read_model(model), "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    request = compiled.create_infer_request()
    ports = {name for port in compiled.inputs for name in port.get_names()}
    used = {name: array for name, array in feeds.items() if name in ports}
    return lambda: request.infer(used)


RUNTIMES = {"onnxruntime": in_onnxruntime, "openvino": in_openvino}


def lowered(model: bytes, opset: int) -> bytes | None:
    done = subprocess.run([TOOL, "-q", "-", "-o", "-", "--target-opset", str(opset)], input=model, capture_output=True)
    return done.stdout if done.returncode == 0 else None


def seconds(run: Callable[[], object], times: int = 1) -> float:
    """Of the processor, which others on the machine change less than the time of the clock."""
    start = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - start) / times


def compare(original: Callable[[], object], others: dict[int, Callable[[], object]], runs: int) -> tuple[float, dict[int, float]]:
    """The median time of the original, and for each other one the median of how much longer it took in the same round."""
    for run in (original, *others.values()):
        run()
        run()
    # Small models run several times a turn.
    times = max(1, int(0.002 / max(1e-7, min(seconds(original) for _ in range(3)))))

    def turn(run: Callable[[], object]) -> float:
        run()  # brings its weights back into the caches
        return seconds(run, times)

    # All run equally often, and each follows each other one: a model that runs twice as often as another takes a quarter less time, if it is small.
    turns = [None, *others]
    took: dict[int | None, list[float]] = collections.defaultdict(list)
    for number in range(runs):
        order = turns if number % 2 == 0 else turns[::-1]
        start = number // 2 % len(order)
        for opset in order[start:] + order[:start]:
            took[opset].append(turn(original if opset is None else others[opset]))
    ratios = {opset: statistics.median(one / other for one, other in zip(took[opset], took[None], strict=True)) for opset in others}
    return statistics.median(took[None]), ratios


def profile(model: bytes, feeds: dict[str, np.ndarray]) -> str:
    """Which operators ONNX Runtime spends its time in, and how often each is executed in a run."""
    runs = 20
    run = in_onnxruntime(model, feeds, pathlib.Path("profile"))
    for _ in range(runs):
        run()
    file = pathlib.Path(run.session.end_profiling())
    events = json.loads(file.read_text())
    file.unlink()
    time_of: collections.Counter = collections.Counter()
    count: collections.Counter = collections.Counter()
    for event in events:
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            operator = event["args"]["op_name"]
            time_of[operator] += event["dur"]
            count[operator] += 1
    return ", ".join(f"{operator} ×{count[operator] // runs} {spent / runs:.0f} µs" for operator, spent in time_of.most_common(14))


def compare_backend_tests(opsets: list[int], runs: int) -> None:
    """onnx's backend tests that ONNX Runtime runs as they are, most of which take four microseconds: of each the best time of many, and how these differ one by one and in all."""
    os.environ["ONNX_LOWER"] = str(TOOL)
    import backend_tests

    names = backend_tests.those_that_run(backend_tests.every_test())
    print("| opset | tests | median | all together | within 5 % | more than half as long again |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        given = backend_tests.written(names, pathlib.Path(folder))
        for opset in opsets:
            took = []
            for name, (path, refusal) in backend_tests.lowered(names, opset, pathlib.Path(folder)).items():
                if refusal or path.read_bytes() == given[name].read_bytes():
                    continue
                inputs, _ = backend_tests.every_test()[name].data_sets[0]
                feeds = {value.name: backend_tests.fed(array) for value, array in zip(backend_tests.every_test()[name].model.graph.input, inputs)}
                both = [in_onnxruntime(model.read_bytes(), feeds) for model in (given[name], path)]
                best = [float("inf")] * 2
                for _ in range(runs):
                    best = [min(so_far, seconds(run)) for so_far, run in zip(best, both)]
                took.append(best)
            ratios = [after / before for before, after in took]
            total = sum(after for _, after in took) / sum(before for before, _ in took)
            print(f"| {opset} | {len(took)} | {statistics.median(ratios) * 100 - 100:+.1f} % | {total * 100 - 100:+.1f} % | {sum(ratio <= 1.05 for ratio in ratios)} | {sum(ratio > 1.5 for ratio in ratios)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--opsets", default="17,13,11")
    parser.add_argument("--runtimes", default="onnxruntime,openvino")
    parser.add_argument("--runs", type=int, default=41)
    parser.add_argument("--profile", action="store_true", help="print the operators in which ONNX Runtime spends its time")
    parser.add_argument("--backend-tests", action="store_true", help="compare onnx's backend tests, and no models")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    opsets = [int(opset) for opset in options.opsets.split(",")]
    if options.backend_tests:
        compare_backend_tests(opsets, options.runs)
        return
    print("| model | runtime | as it is | " + " | ".join(map(str, opsets)) + " |")
    print("| --- | --- | --- |" + " --- |" * len(opsets))
    for name, make in {**MODELS, **OPERATORS}.items():
        if options.names and name not in options.names:
            continue
        network = make()
        model = network.model().SerializeToString()
        made = {opset: lowered(model, opset) for opset in opsets if opset < network.opset}
        for runtime in options.runtimes.split(","):
            start = RUNTIMES[runtime]
            try:
                original = start(model, network.inputs)
                original()
            except Exception:
                print(f"| {name} | {runtime} | not run |" + " |" * len(opsets), flush=True)
                continue
            others = {opset: start(older, network.inputs) for opset, older in made.items() if older is not None}
            took, ratios = compare(original, others, options.runs)
            cells = [f"{(ratios[opset] - 1) * 100:+.0f} %" if opset in ratios else "refused" if opset in made else "" for opset in opsets]
            print(f"| {name} ({network.opset}) | {runtime} | {took * 1e3:.3f} ms | {' | '.join(cells)} |", flush=True)
        if options.profile:
            for opset, shown in {network.opset: model, **made}.items():
                if shown:
                    print(f"  {opset}: {profile(shown, network.inputs)}", flush=True)


if __name__ == "__main__":
    main()
