# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Random nodes of com.microsoft: for each operator that ONNX Runtime's CPU build has a kernel for, and that a rule lowers, a function that draws one."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from definition import ALL_OPSETS, Case

SUMS = "sums and exponentials are rounded in another order than the kernel's"
ACCURATE = {"rtol": 1e-4, "atol": 1e-5, "why": SUMS}
HALF = {"rtol": 4e-3, "atol": 4e-3, "why": "float16 is rounded at other places than the kernel's"}


# Why a node may be refused: what it needs is not said by the model, or not to be had at its opset. And GatherBlockQuantized of more than a matrix has no rule.
REFUSALS = ("not known", "add: --target-opset", "needs the size of the image", "does not gather rows")


class Draw:
    """Random numbers, sizes and choices."""

    def __init__(self, seed: Sequence[int]) -> None:
        self.generator = np.random.default_rng(seed)

    def chance(self, probability: float = 0.5) -> bool:
        return bool(self.generator.random() < probability)

    def one_of(self, *values: Any) -> Any:
        return values[self.generator.integers(len(values))]

    def size(self, low: int = 1, high: int = 5) -> int:
        return int(self.generator.integers(low, high + 1))

    def dims(self, rank: int, low: int = 1, high: int = 5) -> tuple[int, ...]:
        return tuple(self.size(low, high) for _ in range(rank))

    def floats(self, *shape: int, dtype: Any = np.float32, scale: float = 1.0) -> np.ndarray:
        return (self.generator.standard_normal(shape) * scale).astype(dtype)

    def scalar(self, low: float, high: float) -> float:
        return float(np.float32(self.generator.uniform(low, high)))

    def integers(self, low: int, high: int, *shape: int, dtype: Any = np.int64) -> np.ndarray:
        """From low to high, both included."""
        return self.generator.integers(low, high + 1, shape).astype(dtype)

    def weights(self, *shape: int, dtype: Any) -> np.ndarray:
        """To be multiplied by bytes. int8 are of seven bits, as quantizers make them with `reduce_range`: on processors without dot products of bytes (VNNI), ONNX Runtime and OpenVINO
        add two products in 16 bits, which saturate with more, and not both of them where the other does."""
        return self.integers(-64, 63, *shape, dtype=dtype) if dtype == np.int8 else self.codes(*shape, dtype=dtype)

    def codes(self, *shape: int, dtype: Any = np.uint8) -> np.ndarray:
        """Integers of the type's whole range."""
        info = ml_dtypes.iinfo(dtype)
        return self.integers(int(info.min), int(info.max), *shape, dtype=dtype)

    def values(self, *shape: int, dtype: Any = np.float32) -> np.ndarray:
        """Of any type."""
        if dtype == np.str_:
            return np.array([chr(ord("a") + letter) for letter in self.integers(0, 9, int(np.prod(shape)))], dtype=object).reshape(shape)
        if np.dtype(dtype) == bool:
            return self.integers(0, 1, *shape).astype(bool)
        if np.dtype(dtype).kind in "iu":
            return self.integers(0 if np.dtype(dtype).kind == "u" else -9, 9, *shape, dtype=dtype)
        return self.floats(*shape, dtype=dtype)

    def quantization(self, dtype: Any = np.uint8, low: float = 0.005, high: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
        """A scale and a zero point."""
        middle = 128 if dtype == np.uint8 else 0
        return np.float32(self.generator.uniform(low, high)), dtype(middle + self.generator.integers(-40, 41))

    def maybe(self, value: Any, probability: float = 0.5) -> Any:
        return value if self.chance(probability) else None

    def some(self, **attributes: Any) -> dict[str, Any]:
        """Each of the attributes, or its default."""
        return {name: value for name, value in attributes.items() if value is not None and self.chance(0.7)}


GENERATORS: dict[str, Callable[[Draw], Case]] = {}


def draws(*names: str) -> Callable:
    """Says of which operators a function draws nodes; one that takes a second argument gets the operator's name."""

    def register(function: Callable) -> Callable:
        for name in names:
            GENERATORS[name] = (lambda draw, name=name: function(draw, name)) if function.__code__.co_argcount == 2 else function
        return function

    return register


def node(inputs: Sequence[Any], attributes: dict[str, Any] | None = None, constants: Sequence[int] = (), **fields: Any) -> Case:
    inputs = list(inputs)
    while inputs and inputs[-1] is None:
        inputs.pop()
    constants = [index for index in constants if index < len(inputs) and inputs[index] is not None]
    return Case("node", inputs, attributes or {}, constants=constants, **fields)


def kernels() -> set[str]:
    """The operators that this version of ONNX Runtime has a CPU kernel for."""
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def

    return {kernel.op_name for kernel in get_all_opkernel_def() if kernel.domain == "com.microsoft" and kernel.provider == "CPUExecutionProvider"}


def drawn(operator: str, number: int) -> Case:
    """The operator's node of that number: always the same."""
    draw = Draw([number, *operator.encode()])
    case = GENERATORS[operator](draw)
    opsets = [draw.one_of(*[opset for opset in ALL_OPSETS if opset in case.opsets])]
    shapes = draw.one_of(*["symbolic", "static"] * 4, "unranked") if case.shapes == "symbolic" else case.shapes
    return dataclasses.replace(case, name=f"{operator}-{number}", domain="com.microsoft", op_type=operator, opsets=opsets, shapes=shapes)


# Functions of one value, and of a value and a bias.


@draws("Gelu", "QuickGelu", "SampleOp")
def activation(draw: Draw, name: str) -> Case:
    attributes = draw.some(alpha=draw.scalar(-2, 3)) if name == "QuickGelu" else {}
    return node([draw.floats(*draw.dims(draw.size(0, 4)), scale=3)], attributes, **ACCURATE)


@draws("FastGelu", "BiasGelu")
def biased_activation(draw: Draw, name: str) -> Case:
    x = draw.floats(*draw.dims(draw.size(1, 4)), scale=3)
    bias = draw.floats(x.shape[-1])
    return node([x, bias if name == "BiasGelu" else draw.maybe(bias)], constants=draw.one_of([], [1]), **ACCURATE)


# Products of matrices.


@draws("FusedMatMul", "TransposeMatMul")
def fused_mat_mul(draw: Draw, name: str) -> Case:
    m, k, n = draw.dims(3)
    batch = draw.dims(draw.size(0, 2))
    a_batch = b_batch = batch
    if draw.chance(0.3):
        a_batch, b_batch = draw.one_of((batch, ()), (batch, tuple(draw.one_of(1, size) for size in batch)))
    attributes = draw.some(alpha=draw.scalar(-2, 2), transA=1, transB=1)
    if name == "FusedMatMul" and batch and a_batch == b_batch:
        attributes |= draw.some(transBatchA=1, transBatchB=1)

    def operand(rows: int, columns: int, lead: Sequence[int], letter: str) -> np.ndarray:
        dims = [*lead, *([columns, rows] if attributes.get(f"trans{letter}") else [rows, columns])]
        if attributes.get(f"transBatch{letter}"):
            # The rows stand first.
            dims = [dims[-2], *dims[:-2], dims[-1]]
        return draw.floats(*dims, dtype=dtype)

    dtype = draw.one_of(np.float32, np.float32, np.float64) if name == "FusedMatMul" else np.float32
    return node([operand(m, k, a_batch, "A"), operand(k, n, b_batch, "B")], attributes, constants=draw.one_of([], [1]), **ACCURATE)


# The activations of FusedGemm's kernel, with their parameters.
PARAMETERS = dict.fromkeys(("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign"), ())
PARAMETERS |= dict.fromkeys(("LeakyRelu", "Elu", "ThresholdedRelu"), ("activation_alpha",))
PARAMETERS |= dict.fromkeys(("HardSigmoid", "ScaledTanh", "ParametricSoftplus"), ("activation_alpha", "activation_beta"))
PARAMETERS["Selu"] = ("activation_alpha", "activation_gamma")


@draws("FusedGemm")
def fused_gemm(draw: Draw) -> Case:
    m, k, n = draw.dims(3)
    attributes = {"alpha": draw.scalar(-2, 2), "beta": draw.scalar(-2, 2)} | draw.some(transA=1, transB=1)
    a = draw.floats(*((k, m) if attributes.get("transA") else (m, k)))
    b = draw.floats(*((n, k) if attributes.get("transB") else (k, n)))
    c = draw.maybe(draw.floats(*draw.one_of((m, n), (n,), (1, n), (m, 1), (1,), ())), 0.7)
    attributes["activation"] = name = draw.one_of(*PARAMETERS)
    # The kernel does not know the defaults.
    attributes |= {parameter: draw.scalar(0.1, 1) for parameter in PARAMETERS[name]}
    return node([a, b, c], attributes, constants=draw.one_of([], [1], [1, 2]), **ACCURATE)


@draws("MatMulInteger16")
def mat_mul_integer_16(draw: Draw) -> Case:
    m, k, n = draw.dims(3)
    batch = draw.dims(draw.size(0, 2))
    exact = {"openvino": "it multiplies matrices of integers in float32"}
    return node([draw.codes(*batch, m, k, dtype=np.int16), draw.codes(*batch, k, n, dtype=np.int16)], cannot=exact)


@draws("CDist")
def cdist(draw: Draw) -> Case:
    m, n, k = draw.dims(3, high=9)
    dtype = draw.one_of(np.float32, np.float64)
    return node([draw.floats(m, k, dtype=dtype), draw.floats(n, k, dtype=dtype)], {"metric": draw.one_of("euclidean", "sqeuclidean")},
                rtol=1e-4, atol=1e-4, why="the kernel takes the difference of large squares, which loses digits")


# Convolution and pooling.


def window(draw: Draw, axes: int, *, dilations: bool = True, pads: bool = True, high: int = 3) -> dict[str, Any]:
    attributes: dict[str, Any] = {"kernel_shape": list(draw.dims(axes, high=high))}
    attributes |= draw.some(strides=list(draw.dims(axes, high=3)))
    if dilations and draw.chance(0.3):
        attributes["dilations"] = list(draw.dims(axes, high=2))
    if pads and draw.chance(0.3):
        attributes["auto_pad"] = draw.one_of("VALID", "SAME_UPPER", "SAME_LOWER", "NOTSET")
        if attributes["auto_pad"].startswith("SAME"):
            attributes.pop("dilations", None)
    elif pads and draw.chance(0.7):
        # No more than a window: a runtime refuses what covers nothing but padding.
        attributes["pads"] = [draw.size(0, kernel - 1) for kernel in attributes["kernel_shape"] * 2]
    return attributes


@draws("FusedConv")
def fused_conv(draw: Draw) -> Case:
    axes, group = draw.size(1, 2), draw.one_of(1, 1, 2)
    inputs, outputs = draw.size(1, 3) * group, draw.size(1, 3) * group
    attributes = window(draw, axes)
    x = draw.floats(draw.size(1, 2), inputs, *draw.dims(axes, 5, 9))
    w = draw.floats(outputs, inputs // group, *attributes["kernel_shape"])
    if group != 1:
        attributes["group"] = group
    if draw.chance(0.3):
        del attributes["kernel_shape"]
    name, count = draw.one_of(("Relu", 0), ("Tanh", 0), ("Sigmoid", 0), ("LeakyRelu", 1), ("HardSigmoid", 2), ("Clip", 2))
    attributes |= {"activation": name} | ({"activation_params": sorted(draw.scalar(-1, 1) for _ in range(count))} if count else {})
    return node([x, w, draw.maybe(draw.floats(outputs))], attributes, constants=draw.one_of([1], [1, 2]), **ACCURATE)


@draws("ConvTransposeWithDynamicPads")
def conv_transpose(draw: Draw) -> Case:
    axes, group = 2, draw.one_of(1, 1, 2)
    inputs, outputs = draw.size(1, 2) * group, draw.size(1, 2)
    attributes = window(draw, axes, pads=False) | ({"group": group} if group != 1 else {})
    x = draw.floats(draw.size(1, 2), inputs, *draw.dims(axes, 3, 6))
    w = draw.floats(inputs, outputs, *attributes["kernel_shape"])
    pads = draw.integers(0, 1, 2 * axes)
    return node([x, w, pads, draw.maybe(draw.floats(outputs * group))], attributes, constants=[1, 2], **ACCURATE)


@draws("NhwcMaxPool")
def nhwc_max_pool(draw: Draw) -> Case:
    attributes = window(draw, 2) | draw.some(ceil_mode=1)
    return node([draw.codes(draw.size(1, 2), *draw.dims(2, 5, 9), draw.size(), dtype=draw.one_of(np.uint8, np.int8))], attributes)


@draws("MaxpoolWithMask")
def maxpool_with_mask(draw: Draw) -> Case:
    axes = draw.size(1, 3)
    batch, channels = draw.dims(2, high=3)
    size = draw.dims(axes, 3, 6)
    x = draw.floats(batch, channels, *size)
    mask = draw.integers(0, 1, *draw.one_of((batch, channels), (1, channels), (batch, 1), (1, 1)), *size, dtype=np.int32)
    attributes = window(draw, axes, dilations=False)
    crops = "SAME" in attributes.get("auto_pad", "") and any(stride > kernel for stride, kernel in zip(attributes.get("strides", ()), attributes["kernel_shape"], strict=False))
    cannot = {"openvino": "its Pad takes no negative numbers that are computed"} if crops else {}
    return node([x, mask], attributes, constants=draw.one_of([], [1]), cannot=cannot)


@draws("QLinearAveragePool")
def q_linear_average_pool(draw: Draw) -> Case:
    axes, dtype, last = draw.size(1, 3), draw.one_of(np.uint8, np.int8), draw.one_of(0, 1)
    attributes = window(draw, axes, dilations=False) | draw.some(ceil_mode=1, count_include_pad=1) | ({"channels_last": 1} if last else {})
    size, channels = draw.dims(axes, 4, 8), draw.size()
    x = draw.codes(draw.size(1, 2), *((*size, channels) if last else (channels, *size)), dtype=dtype)
    (x_scale, x_zero), (y_scale, y_zero) = draw.quantization(dtype), draw.quantization(dtype)
    return node([x, x_scale, x_zero, y_scale, draw.maybe(y_zero, 0.8)], attributes,
                constants=draw.one_of([], [1, 2, 3, 4]))


@draws("QLinearGlobalAveragePool")
def q_linear_global_average_pool(draw: Draw) -> Case:
    dtype, last = draw.one_of(np.uint8, np.int8), draw.one_of(0, 1)
    size, channels = draw.dims(draw.size(1, 3)), draw.size()
    x = draw.codes(draw.size(1, 2), *((*size, channels) if last else (channels, *size)), dtype=dtype)
    (x_scale, x_zero), (y_scale, y_zero) = draw.quantization(dtype), draw.quantization(dtype)
    cannot = {"openvino": "of images of one dimension and one channel it quantizes the mean of the first, whatever computes it"} if len(size) == channels == 1 else {}
    return node([x, x_scale, x_zero, y_scale, y_zero], {"channels_last": last} if last or draw.chance() else {},
                constants=draw.one_of([], [1, 2, 3, 4]), cannot=cannot)


@draws("QLinearConv")
def q_linear_conv(draw: Draw) -> Case:
    axes, group, last = 2, draw.one_of(1, 1, 2), draw.one_of(0, 1)
    x_type, w_type = draw.one_of((np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8))
    inputs, outputs = draw.size(1, 3) * group, draw.size(1, 3) * group
    attributes = window(draw, axes) | ({"channels_last": 1} if last else {}) | ({"group": group} if group != 1 else {})
    size = draw.dims(axes, 5, 8)
    x = draw.codes(draw.size(1, 2), *((*size, inputs) if last else (inputs, *size)), dtype=x_type)
    w = draw.weights(outputs, inputs // group, *attributes["kernel_shape"], dtype=w_type)
    (x_scale, x_zero), (y_scale, y_zero), (w_scale, w_zero) = draw.quantization(x_type), draw.quantization(x_type, 0.1, 0.5), draw.quantization(w_type)
    if draw.chance(0.3):
        w_scale, w_zero = draw.generator.uniform(0.01, 0.05, outputs).astype(np.float32), np.full(outputs, w_zero)
    bias = draw.maybe(draw.integers(-500, 500, outputs, dtype=np.int32))
    return node([x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias], attributes, constants=draw.one_of([3, 4, 5, 8], [1, 2, 3, 4, 5, 6, 7, 8]))


# Quantization.

QUANTIZED = (np.uint8, np.int8, np.uint16, np.int16, ml_dtypes.uint4, ml_dtypes.int4)


def along(draw: Draw, shape: Sequence[int], dtype: Any) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """A scale and a zero point for the whole tensor, or for each slice of an axis."""
    if draw.chance() or not shape:
        middle = draw.codes(dtype=dtype)
        return np.float32(draw.scalar(0.01, 0.3)), np.array(middle, dtype), {}
    axis = draw.size(0, len(shape) - 1)
    count = shape[axis]
    scale = draw.generator.uniform(0.01, 0.3, count).astype(np.float32)
    return scale, draw.codes(count, dtype=dtype), {"axis": draw.one_of(axis, axis - len(shape))}


@draws("QuantizeLinear")
def quantize_linear(draw: Draw) -> Case:
    dtype = draw.one_of(*QUANTIZED[:4])  # there are no NumPy arrays of 4 bits to take as a result
    x = draw.floats(*draw.dims(draw.size(0, 4)), scale=10)
    scale, zero, attributes = along(draw, x.shape, dtype)
    given = dtype != np.uint8 or draw.chance()
    cannot = {"openvino": "its own QuantizeLinear along an axis fails, or gives other shapes, where sizes are not known"} if attributes else {}
    return node([x, scale, zero if given else None], attributes, constants=draw.one_of([], [1, 2]), cannot=cannot)


@draws("DequantizeLinear")
def dequantize_linear(draw: Draw) -> Case:
    dtype = draw.one_of(*QUANTIZED, np.int32)
    shape = draw.dims(draw.size(0, 4))
    x = draw.integers(-(2**20), 2**20, *shape, dtype=dtype) if dtype == np.int32 else draw.codes(*shape, dtype=dtype)
    scale, zero, attributes = along(draw, shape, dtype)
    if dtype == np.int32:
        zero = np.zeros_like(zero)
    zero = draw.maybe(zero)
    constants = [0, 1, 2] if dtype in QUANTIZED[4:] else draw.one_of([], [1, 2], [0, 1, 2])
    return node([x, scale, zero], attributes, constants=constants, rtol=1e-6, why="the product is rounded once or twice")


@draws("QLinearAdd", "QLinearMul")
def q_linear_binary(draw: Draw) -> Case:
    dtype = draw.one_of(np.uint8, np.int8)
    shape = draw.dims(draw.size(0, 4))
    first = tuple(draw.one_of(1, size, size, size) for size in shape)
    second = tuple(draw.one_of(1, size, size, size) for size in shape)[draw.size(0, len(shape)) if draw.chance(0.3) else 0 :]
    parts = []
    for dims in (first, second):
        scale, zero = draw.quantization(dtype)
        parts += [draw.codes(*dims, dtype=dtype), scale, zero]
    scale, zero = draw.quantization(dtype)
    return node([*parts, scale, zero if draw.chance(0.8) else None], constants=draw.one_of([], [1, 2, 4, 5, 6, 7], [3, 4, 5]))


@draws("QLinearSigmoid", "QLinearLeakyRelu")
def q_linear_unary(draw: Draw, name: str) -> Case:
    dtype = draw.one_of(np.uint8, np.int8)
    (x_scale, x_zero), (y_scale, y_zero) = draw.quantization(dtype), draw.quantization(dtype, 0.002, 0.02)
    attributes = draw.some(alpha=draw.scalar(0, 0.5)) if name == "QLinearLeakyRelu" else {}
    x = draw.codes(*draw.dims(draw.size(0, 4)), dtype=dtype)
    return node([x, x_scale, x_zero, y_scale, y_zero], attributes, constants=draw.one_of([], [1, 2, 3, 4]))


@draws("QLinearSoftmax")
def q_linear_softmax(draw: Draw) -> Case:
    dtype, opset = draw.one_of(np.uint8, np.int8), draw.one_of(1, 11, 13, 18)
    # Of a single element the kernel's table of exponentials overflows.
    x = draw.codes(*draw.dims(draw.size(1, 4), 2, 5), dtype=dtype)
    axis = draw.size(-x.ndim, x.ndim - 1)
    scale, zero = draw.quantization(dtype, 0.01, 0.1)
    attributes = {"opset": opset} | ({"axis": axis} if draw.chance(0.8) else {})
    y_scale, y_zero = draw.one_of(1 / 256, 1 / 256, 1 / 255, draw.scalar(0.004, 0.02)), draw.one_of(*((0, 0, 7) if dtype == np.uint8 else (-128, -128, 5)))
    return node([x, scale, zero, np.float32(y_scale), np.array(y_zero, dtype)], attributes, constants=draw.one_of([1, 2, 3, 4], []))


@draws("QLinearWhere")
def q_linear_where(draw: Draw) -> Case:
    dtype = draw.one_of(np.uint8, np.int8)
    shape = draw.dims(draw.size(0, 4))
    fitting = lambda: tuple(draw.one_of(1, size, size) for size in shape)
    (x_scale, x_zero), (y_scale, y_zero), (z_scale, z_zero) = (draw.quantization(dtype) for _ in range(3))
    return node([draw.values(*fitting(), dtype=bool), draw.codes(*fitting(), dtype=dtype), x_scale, x_zero, draw.codes(*fitting(), dtype=dtype), y_scale, y_zero,
                 z_scale, z_zero], constants=draw.one_of([], [2, 3, 5, 6, 7, 8]))


@draws("QLinearConcat")
def q_linear_concat(draw: Draw) -> Case:
    dtype = draw.one_of(np.uint8, np.int8)
    shape = list(draw.dims(draw.size(1, 4)))
    axis = draw.size(0, len(shape) - 1)
    inputs: list[Any] = [*draw.quantization(dtype)]
    for _ in range(draw.size(1, 4)):
        shape[axis] = draw.size()
        inputs += [draw.codes(*shape, dtype=dtype), *draw.quantization(dtype)]
    parameters = [index for index in range(len(inputs)) if index < 2 or index % 3 != 2]
    return node(inputs, {"axis": draw.one_of(axis, axis - len(shape))}, constants=draw.one_of([], parameters))


@draws("QGemm")
def q_gemm(draw: Draw) -> Case:
    m, k, n = draw.dims(3)
    a_type, b_type = draw.one_of((np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8))
    attributes = draw.some(alpha=draw.scalar(0.2, 2), transA=1, transB=1)
    a = draw.codes(*((k, m) if attributes.get("transA") else (m, k)), dtype=a_type)
    b = draw.weights(*((n, k) if attributes.get("transB") else (k, n)), dtype=b_type)
    (a_scale, a_zero), (b_scale, b_zero) = draw.quantization(a_type), draw.quantization(b_type)
    if draw.chance(0.3):
        b_scale, b_zero = draw.generator.uniform(0.01, 0.05, n).astype(np.float32), draw.codes(n, dtype=b_type)
    c = draw.maybe(draw.integers(-999, 999, *draw.one_of((m, n), (n,), (1, n), (m, 1), (1,), ()), dtype=np.int32))
    quantized = draw.chance()
    y = draw.quantization(a_type, 0.05, 0.2) if quantized else [None, None]
    tolerance = {} if quantized else ACCURATE
    return node([a, a_scale, a_zero, b, b_scale, b_zero, c, *y], attributes, constants=draw.one_of([], [1, 2, 3, 4, 5, 6, 7, 8]), **tolerance)


@draws("MatMulIntegerToFloat")
def mat_mul_integer_to_float(draw: Draw) -> Case:
    m, k, n = draw.dims(3)
    batch = draw.dims(draw.size(0, 2))
    a_type, b_type = draw.one_of((np.uint8, np.uint8), (np.uint8, np.int8), (np.int8, np.int8))
    (a_scale, a_zero), (b_scale, b_zero) = draw.quantization(a_type), draw.quantization(b_type)
    b_batch = draw.one_of(batch, ())
    if draw.chance(0.3) and not b_batch:
        b_scale, b_zero = draw.generator.uniform(0.01, 0.05, n).astype(np.float32), draw.codes(n, dtype=b_type)
    inputs = [draw.codes(*batch, m, k, dtype=a_type), draw.weights(*b_batch, k, n, dtype=b_type), a_scale, b_scale]
    return node([*inputs, draw.maybe(a_zero), draw.maybe(b_zero), draw.maybe(draw.floats(n))], constants=draw.one_of([], [1, 3, 5], [1, 2, 3, 4, 5, 6]), **ACCURATE)


@draws("DynamicQuantizeMatMul")
def dynamic_quantize_mat_mul(draw: Draw) -> Case:
    m, k, n = draw.dims(3)
    b_type = draw.one_of(np.uint8, np.int8)
    b_scale, b_zero = draw.quantization(b_type)
    if draw.chance(0.3):
        b_scale, b_zero = draw.generator.uniform(0.01, 0.05, n).astype(np.float32), draw.codes(n, dtype=b_type)
    inputs = [draw.floats(*draw.dims(draw.size(0, 2)), m, k), draw.weights(k, n, dtype=b_type), b_scale, draw.maybe(b_zero), draw.maybe(draw.floats(n))]
    return node(inputs, constants=draw.one_of([], [1, 2, 3], [1, 2, 3, 4]), **ACCURATE)


@draws("DynamicQuantizeLSTM")
def dynamic_quantize_lstm(draw: Draw) -> Case:
    count, inputs, size = draw.size(1, 2), draw.size(1, 6), draw.size(1, 6)
    batch = 1  # of a larger one the kernel quantizes as many parts by themselves as it has threads
    kind = draw.one_of(np.uint8, np.int8)
    channels = (4 * size,) if draw.chance() else ()
    zero = 0 if kind == np.int8 else draw.size(100, 150)
    weights = [draw.weights(count, rows, 4 * size, dtype=kind) for rows in (inputs, size)]
    scales = [draw.generator.uniform(0.002, 0.006, (count, *channels)).astype(np.float32) for _ in range(2)]
    points = [np.full((count, *channels), zero, kind) for _ in range(2)]
    attributes: dict[str, Any] = {"hidden_size": size, "direction": "bidirectional" if count == 2 else draw.one_of("forward", "reverse")}
    attributes |= draw.some(clip=draw.scalar(0.3, 2), input_forget=1)
    if draw.chance(0.3):
        attributes["activations"] = [draw.one_of("Sigmoid", "Tanh", "Relu") for _ in range(3 * count)]
    values = [draw.floats(draw.size(1, 5), batch, inputs), *weights, draw.maybe(draw.floats(count, 8 * size)), None,
              *[draw.maybe(draw.floats(count, batch, size)) for _ in range(2)], draw.maybe(draw.floats(count, 3 * size)), scales[0], points[0], scales[1], points[1]]
    # Sums in another order may end on the other side of a step of the quantization of the next hidden state.
    why = "a hidden state that lies between two of its 256 steps may go to either, and moves the sums by 1/128 of a weight"
    return node(values, attributes, constants=draw.one_of([1, 2], [1, 2, 8, 9, 10, 11]), outputs=3, rtol=1e-3, atol=5e-3, why=why)


# Weights that are quantized block by block.


@draws("MatMulNBits")
def mat_mul_n_bits(draw: Draw) -> Case:
    bits, block, level = draw.one_of(2, 4, 4, 8), draw.one_of(16, 32, 64), draw.one_of(0, 0, 1, 4)
    k, n, dtype = draw.size(1, 80), draw.size(1, 9), draw.one_of(np.float32, np.float32, np.float16)
    blocks = -(-k // block)
    b = draw.codes(n, blocks, block * bits // 8)
    scales = draw.generator.uniform(0.01, 0.1, n * blocks).astype(dtype)
    # Other than of 4 bits the kernel takes neither numbers as zero points nor g_idx (it reads 2 bits as 4), and beside g_idx it ignores zero points of bytes.
    kind = draw.one_of("none", "codes", "codes", *(["numbers"] if bits == 4 else []))
    zero = None
    if kind == "codes":
        zero = draw.codes(n * (-(-blocks * bits // 8)))
    elif kind == "numbers":
        zero = draw.floats(n, blocks, dtype=dtype, scale=3) + dtype(8)
    g_idx = draw.integers(0, blocks - 1, k, dtype=np.int32) if bits == 4 and kind != "codes" and draw.chance(0.3) else None
    bias = draw.maybe(draw.floats(n, dtype=dtype), 0.3)
    attributes = {"K": k, "N": n, "block_size": block, "bits": bits} | draw.some(accuracy_level=level)
    tolerance = {"rtol": 1e-2, "atol": 0.1, "why": "the weights are rounded to float16"} if dtype == np.float16 else ACCURATE
    if attributes.get("accuracy_level") == 4:
        tolerance = {"rtol": 0.05, "atol": 1.0, "why": "at accuracy level 4 the kernel rounds A to 8 bits"}
    inputs = [draw.floats(*draw.dims(draw.size(1, 3)), k, dtype=dtype), b, scales, zero, g_idx, bias]
    return node(inputs, attributes, constants=draw.one_of([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], []), shapes=["symbolic", *["static"] * 5], **tolerance)


@draws("MatMulBnb4")
def mat_mul_bnb_4(draw: Draw) -> Case:
    k, n, block = draw.size(1, 40), draw.size(1, 9), draw.one_of(16, 32, 64)
    blocks = -(-k * n // block)
    attributes = {"K": k, "N": n, "block_size": block, "quant_type": draw.one_of(0, 1)} | draw.some(transB=1)
    return node([draw.floats(*draw.dims(draw.size(0, 2)), draw.size(), k), draw.codes((k * n + 1) // 2), draw.generator.uniform(0.1, 2, blocks).astype(np.float32)],
                attributes, constants=[1, 2], **ACCURATE)


@draws("GatherBlockQuantized")
def gather_block_quantized(draw: Draw) -> Case:
    kind, block, dtype = draw.one_of("uint8", "uint4", "int4"), draw.one_of(16, 32), draw.one_of(np.float32, np.float16)
    rank = draw.one_of(2, 2, 2, 2, 2, 3)
    bits = draw.one_of(2, 4, 8) if kind == "uint8" else 4
    attributes: dict[str, Any] = {"block_size": block}
    shape = [*draw.dims(rank - 1, 2, 6), draw.size(1, 5) * 8]
    if kind == "uint8":
        axis, gather = rank - 1, 0
        attributes["bits"] = bits
        data = draw.codes(*shape[:-1], shape[-1] * bits // 8)
    else:
        axis, gather = rank - 1, 0
        if draw.chance(0.2):
            axis = draw.size(0, rank - 1)
            gather = draw.one_of(*[other for other in range(rank) if other != axis])
        shape[axis], shape[-1] = draw.size(1, 40), shape[-1] if axis != rank - 1 else draw.size(1, 40)
        data = draw.codes(*shape, dtype=getattr(ml_dtypes, kind))
    attributes["quantize_axis"], attributes["gather_axis"] = draw.one_of(axis, axis - rank), draw.one_of(gather, gather - rank)
    if attributes["gather_axis"] == 0 and draw.chance():
        del attributes["gather_axis"]
    blocks = [*shape]
    blocks[axis] = -(-shape[axis] // block)
    scales = draw.generator.uniform(0.01, 0.1, blocks).astype(dtype)
    packed = [*blocks[:-1], -(-blocks[-1] * bits // 8)] if kind == "uint8" else blocks
    zero = draw.maybe(draw.codes(*packed, dtype=np.uint8 if kind == "uint8" else getattr(ml_dtypes, kind)))
    indices = draw.integers(-shape[gather] if draw.chance(0.3) else 0, shape[gather] - 1, *draw.dims(draw.size(0, 2)), dtype=draw.one_of(np.int32, np.int64))
    shapes = draw.one_of("static", ["static", "symbolic", "static", "static"][: 4 if zero is not None else 3])
    tolerance = HALF if dtype == np.float16 else ACCURATE
    return node([data, indices, scales, zero], attributes, constants=[0, 2, 3], shapes=shapes, **tolerance)


# Attention, and what stands around it.


def key_mask(draw: Draw, batch: int, length: int, total: int, *kinds: str) -> np.ndarray | None:
    kind = draw.one_of("none", "none", "ends", "keys", "queries", *kinds)
    if kind == "none":
        return None
    if kind in ("ends", "bounds"):
        ends = draw.integers(1, total, batch, dtype=np.int32)
        return ends if kind == "ends" else np.concatenate([ends, [draw.size(0, int(end) - 1) for end in ends]]).astype(np.int32)
    shape = {"keys": (batch, total), "queries": (batch, length, total), "column": (draw.one_of(1, batch), 1)}[kind]
    return draw.integers(0, 1, *shape, dtype=np.int32)


@draws("Attention", "QAttention")
def attention(draw: Draw, name: str) -> Case:
    heads, size, batch, length, inputs = draw.size(1, 4), draw.one_of(2, 4, 8), draw.size(1, 3), draw.size(1, 6), draw.size(1, 8)
    past = draw.maybe(draw.floats(2, batch, heads, draw.size(0, 4), size), 0.4)
    total = length + (past.shape[3] if past is not None else 0)
    attributes: dict[str, Any] = {"num_heads": heads} | draw.some(scale=draw.scalar(0.1, 1), mask_filter_value=draw.one_of(-10000.0, -50.0))
    causal = draw.chance(0.4)
    if causal:
        attributes["unidirectional"] = 1
    value_size = size
    if name == "Attention" and draw.chance(0.3):
        value_size = size if past is not None else draw.one_of(size, size + 2, 1)
        attributes["qkv_hidden_sizes"] = [heads * size, heads * size, heads * value_size]
    width = heads * (2 * size + value_size)
    mask = key_mask(draw, batch, length, total, "bounds", "column")
    outputs = 2 if past is not None or (value_size == size and draw.chance(0.3)) else 1
    if name == "QAttention":
        w_type = draw.one_of(np.uint8, np.int8)
        (scale, zero), (w_scale, w_zero) = draw.quantization(low=0.01), draw.quantization(w_type, low=0.01)
        given = draw.one_of((zero, w_zero), (zero, None), (None, None))
        values = [draw.codes(batch, length, inputs), draw.weights(inputs, width, dtype=w_type), draw.floats(width), scale, w_scale, mask, *given, past]
        attributes.pop("qkv_hidden_sizes", None)
        return node(values, attributes, constants=draw.one_of([1, 2, 3, 4, 6, 7], []), outputs=outputs, **ACCURATE)
    bias = None
    if past is None:
        bias = draw.maybe(draw.floats(draw.one_of(1, batch), draw.one_of(1, heads), length, total), 0.3)
    values = [draw.floats(batch, length, inputs), draw.floats(inputs, width), draw.floats(width), mask, past, bias]
    return node(values, attributes, constants=draw.one_of([1, 2], []), outputs=outputs, **ACCURATE)


@draws("MultiHeadAttention")
def multi_head_attention(draw: Draw) -> Case:
    heads, size, value_size = draw.size(1, 4), draw.one_of(2, 4, 8), draw.one_of(2, 4)
    batch, length, kv_length = draw.size(1, 3), draw.size(1, 6), draw.size(1, 6)
    attributes: dict[str, Any] = {"num_heads": heads} | draw.some(scale=draw.scalar(0.1, 1), mask_filter_value=draw.one_of(-10000.0, -50.0))
    if draw.chance(0.4):
        attributes["unidirectional"] = 1
    form = draw.one_of("plain", "plain", "past", "heads")
    bias, past = None, [None, None]
    if form == "past":
        # The past has heads of one size.
        value_size, before = size, draw.size(1, 4)
        kv_length = draw.one_of(length, kv_length)
        past = [draw.floats(batch, heads, before, size), draw.floats(batch, heads, before, size)]
    total = kv_length + (past[0].shape[2] if past[0] is not None else 0)
    if form == "past" and draw.chance(0.3):
        # A buffer, in which the new ones have room. Of one with further room the kernel leaves the rest as it was in memory.
        past = [draw.floats(batch, heads, total, size), draw.floats(batch, heads, total, size), np.int32([before])]
    if form == "heads":
        key, value = draw.floats(batch, heads, kv_length, size), draw.floats(batch, heads, kv_length, size)
    else:
        key, value = draw.floats(batch, kv_length, heads * size), draw.floats(batch, kv_length, heads * value_size)
        bias = draw.maybe(draw.floats(heads * (2 * size + value_size)), 0.4)
    mask = key_mask(draw, batch, length, total)
    added = draw.maybe(draw.floats(draw.one_of(1, batch), draw.one_of(1, heads), length, total), 0.3)
    outputs = 3 if form == "past" or (form == "plain" and draw.chance(0.2)) else 1
    values = [draw.floats(batch, length, heads * size), key, value, bias, mask, added, *past]
    return node(values, attributes, constants=draw.one_of([3], []), outputs=outputs, **ACCURATE)


@draws("GroupQueryAttention")
def group_query_attention(draw: Draw) -> Case:
    kv_heads, size, batch = draw.size(1, 2), draw.one_of(16, 32), draw.size(1, 3)
    heads = kv_heads * draw.size(1, 3)
    prompt = draw.chance(0.4)
    if prompt:
        length, before, room = draw.size(1, 6), 0, draw.one_of(0, 0, 8)
        lengths = [length] * batch
    else:
        length = draw.size(2, 4) if draw.chance(0.4) else 1
        batch = batch if length == 1 else 1
        before = draw.size(1, 5)
        room = before + draw.one_of(0, 0, length, length + 2)
        lengths = [before + length] + [draw.size(0, before) + length for _ in range(batch - 1)]
    packed, rotary = draw.chance(0.3), draw.chance()
    attributes: dict[str, Any] = {"num_heads": heads, "kv_num_heads": kv_heads}
    attributes |= draw.some(scale=draw.maybe(draw.scalar(0.1, 1)), softcap=draw.maybe(draw.scalar(1, 9)), local_window_size=draw.maybe(draw.size(1, 4)))
    caches = [None, None, None]
    if rotary:
        attributes |= {"do_rotary": 1} | draw.some(rotary_interleaved=1)
        width = draw.one_of(size // 2, size // 2, 8)
        angles = draw.floats(24, width)
        positions = draw.maybe(draw.integers(0, 9, batch, length), 0.3)
        caches = [np.cos(angles), np.sin(angles), positions]
    total = max(lengths)
    bias = draw.maybe(draw.floats(draw.one_of(1, batch), draw.one_of(1, heads), length, total), 0.2)
    past = [draw.floats(batch, kv_heads, room, size), draw.floats(batch, kv_heads, room, size)] if room else [None, None]
    q = [draw.floats(batch, length, (heads + 2 * kv_heads) * size), None, None] if packed else [
        draw.floats(batch, length, heads * size), draw.floats(batch, length, kv_heads * size), draw.floats(batch, length, kv_heads * size)]
    values = [*q, *past, np.int32(lengths) - 1, np.int32(total) if draw.chance() else np.int32([total]), *caches, bias, draw.maybe(draw.floats(heads), 0.2)]
    if values[-1] is None:
        attributes |= draw.some(smooth_softmax=draw.maybe(1, 0.2))
    # Of an entry that is shorter than another the kernel leaves the last scores as they were in memory.
    asked = draw.one_of(0, 0, 0, 1, 2) if len(set(lengths)) == 1 else 0
    if asked:
        attributes["qk_output"] = asked
    return node(values, attributes, constants=draw.one_of([7, 8], [6, 7, 8], []), outputs=4 if asked else 3, **ACCURATE)


@draws("RotaryEmbedding")
def rotary_embedding(draw: Draw) -> Case:
    heads, size, batch, length, rows = draw.size(1, 4), draw.one_of(4, 8), draw.size(1, 3), draw.size(1, 6), 12
    dtype = draw.one_of(np.float32, np.float32, np.float16)
    attributes: dict[str, Any] = draw.some(interleaved=1)
    width = size
    if draw.chance(0.3):
        width = size // 2
        attributes |= {"rotary_embedding_dim": width, "num_heads": heads}
    elif draw.chance():
        attributes["num_heads"] = heads
    x = draw.floats(batch, heads, length, size, dtype=dtype) if draw.chance(0.4) else draw.floats(batch, length, heads * size, dtype=dtype)
    positions = draw.integers(0, rows - 1, batch, length) if draw.chance(0.6) else draw.integers(0, rows - length, 1)
    angles = draw.floats(rows, width // 2)
    tolerance = HALF if dtype == np.float16 else ACCURATE
    return node([x, positions, np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)], attributes, constants=draw.one_of([2, 3], [], [1, 2, 3]), **tolerance)


@draws("MRotaryEmbedding")
def m_rotary_embedding(draw: Draw) -> Case:
    heads, half, batch, length, rows = draw.size(1, 4), draw.one_of(4, 8), draw.size(1, 3), draw.size(1, 6), 12
    width = draw.size(0, half)
    height = draw.size(0, half - width)
    sections = [half - width - height, height, width]
    attributes: dict[str, Any] = {"mrope_section": sections} | draw.some(interleaved=1, mrope_layout=1) | {"num_heads": heads}
    x = draw.floats(batch, heads, length, 2 * half) if draw.chance(0.4) else draw.floats(batch, length, heads * 2 * half)
    angles = draw.floats(rows, half)
    return node([x, draw.integers(0, rows - 1, 3, batch, length), np.cos(angles), np.sin(angles)], attributes, constants=draw.one_of([2, 3], []), **ACCURATE)


@draws("LinearAttention")
def linear_attention(draw: Draw) -> Case:
    kv_heads, keys, values, batch, length = draw.size(1, 2), draw.size(2, 4), draw.size(2, 4), draw.size(1, 2), draw.one_of(1, 1, 3)
    heads, rule = kv_heads * draw.size(1, 2), draw.one_of("linear", "gated", "delta", "gated_delta")
    attributes: dict[str, Any] = {"q_num_heads": heads, "kv_num_heads": kv_heads, "update_rule": rule} | draw.some(scale=draw.scalar(0.1, 1))
    decay = -np.abs(draw.floats(batch, length, kv_heads * draw.one_of(1, keys))) if "gated" in rule else None
    beta = draw.generator.random((batch, length, draw.one_of(1, kv_heads))).astype(np.float32) if "delta" in rule else None
    inputs = [draw.floats(batch, length, heads * keys), draw.floats(batch, length, kv_heads * keys, scale=0.5), draw.floats(batch, length, kv_heads * values),
              draw.maybe(draw.floats(batch, kv_heads, keys, values)), decay, beta]
    return node(inputs, attributes, outputs=2, **ACCURATE)


@draws("CausalConvWithState")
def causal_conv_with_state(draw: Draw) -> Case:
    batch, channels, length, size = draw.size(1, 3), draw.size(1, 4), draw.size(1, 6), draw.size(2, 4)
    x, past = draw.floats(batch, channels, length), draw.maybe(draw.floats(batch, channels, size - 1))
    return node([x, draw.floats(channels, 1, size), draw.maybe(draw.floats(channels)), past], draw.some(activation=draw.one_of("silu", "swish", "none")), outputs=2,
                constants=draw.one_of([1], [1, 2], []), **ACCURATE)


@draws("GatedRMSNorm")
def gated_rms_norm(draw: Draw) -> Case:
    size, groups, dtype = draw.size(1, 6), draw.size(1, 3), draw.one_of(np.float32, np.float32, np.float16)
    shape = (*draw.dims(draw.size(1, 2)), size * groups)
    attributes = draw.some(activation=draw.one_of("silu", "swish", "sigmoid"), epsilon=draw.scalar(1e-6, 0.1))
    tolerance = HALF if dtype == np.float16 else ACCURATE
    return node([draw.floats(*shape, dtype=dtype), draw.floats(size, dtype=dtype), draw.floats(*shape, dtype=dtype)], attributes, constants=draw.one_of([1], []), **tolerance)


@draws("LinearAttentionGate")
def linear_attention_gate(draw: Draw) -> Case:
    (*shape, heads), dtype = draw.dims(3), draw.one_of(np.float32, np.float32, np.float16)
    inputs = [draw.floats(*shape, heads, dtype=dtype), draw.floats(heads), draw.floats(heads)]
    tolerance = HALF if dtype == np.float16 else ACCURATE
    if draw.chance(0.3):
        return node(inputs, **tolerance)
    return node([*inputs, draw.floats(*shape, heads, dtype=dtype)], outputs=2, **tolerance)


@draws("BranchwiseRMSNorm")
def branchwise_rms_norm(draw: Draw) -> Case:
    branches, size, dtype = draw.size(1, 4), draw.size(1, 6), draw.one_of(np.float32, np.float32, np.float16)
    is_row = draw.chance()
    shape = (*draw.dims(draw.size(1, 2)), *([branches * size] if is_row else [branches, size]))
    attributes = {**draw.some(epsilon=draw.scalar(1e-6, 0.1)), **({"num_branches": branches} if is_row else {})}
    scale = draw.maybe(draw.one_of(draw.floats(size, dtype=dtype), draw.floats(branches, size, dtype=dtype), draw.floats(branches * size, dtype=dtype)), 0.8)
    inputs = [draw.floats(*shape, dtype=dtype)] if scale is None else [draw.floats(*shape, dtype=dtype), scale]
    return node(inputs, attributes, shapes="static", **(HALF if dtype == np.float16 else ACCURATE))


@draws("GatedAdd")
def gated_add(draw: Draw) -> Case:
    shape = draw.dims(draw.size(1, 4))
    return node([draw.floats(*shape), draw.floats(*shape), draw.floats(*shape[:-1], 1)], **ACCURATE)


@draws("ScaledSiLU")
def scaled_silu(draw: Draw) -> Case:
    if draw.chance():
        return node([draw.floats(*draw.dims(draw.size(1, 3))), np.float32(draw.scalar(0.1, 2))], **ACCURATE)
    return node([draw.floats(*draw.dims(draw.size(1, 3)))], draw.some(alpha=draw.scalar(0.1, 2)), **ACCURATE)


@draws("MoE")
def mixture_of_experts(draw: Draw) -> Case:
    experts, inside, size, shape = draw.size(1, 5), draw.size(1, 8), draw.size(1, 6), draw.dims(draw.size(1, 2))
    activation = draw.one_of("relu", "gelu", "silu", "identity", "swiglu")
    attributes: dict[str, Any] = {"k": draw.size(1, experts), "activation_type": activation} | draw.some(normalize_routing_weights=1)
    fused = 1
    if activation == "swiglu":
        fused = 2
        attributes |= {"swiglu_fusion": 1} | draw.some(swiglu_limit=draw.scalar(0.5, 3), activation_alpha=draw.scalar(0.5, 2), activation_beta=draw.scalar(0, 1))
    inputs = [draw.floats(*shape, size), draw.floats(int(np.prod(shape)), experts), draw.floats(experts, fused * inside, size), draw.maybe(draw.floats(experts, fused * inside)),
              draw.floats(experts, size, inside), draw.maybe(draw.floats(experts, size))]
    return node(inputs, attributes, constants=draw.one_of([2, 4], []), **ACCURATE)


@draws("QMoE")
def quantized_mixture_of_experts(draw: Draw) -> Case:
    experts, bits, block, shape = draw.size(1, 4), draw.one_of(4, 8), draw.one_of(0, 16, 32), draw.dims(draw.size(1, 2))
    activation, with_points = draw.one_of("relu", "gelu", "silu", "identity", "swiglu"), draw.chance(0.4)
    # Blocks of 8 bits without zero points, or with constant ones, the kernel multiplies with inputs that it rounds to 8 bits.
    with_points |= bits == 8 and block != 0
    inside, size = 32 * draw.size(1, 2), 32 * draw.size(1, 2)
    attributes: dict[str, Any] = {"k": draw.size(1, experts), "activation_type": activation, "expert_weight_bits": bits} | draw.some(normalize_routing_weights=1)
    attributes |= {"block_size": block} if block else {}
    attributes |= {"swiglu_fusion": 1} | draw.some(swiglu_limit=draw.scalar(0.5, 3)) if activation == "swiglu" else {}

    def layer(out: int, columns: int) -> list[np.ndarray | None]:
        scales = (experts, out, columns // block) if block else (experts, out)
        points = draw.codes(*scales[:-1], -(-scales[-1] * bits // 8), dtype=np.uint8) if with_points else None
        weights = draw.codes(experts, out, columns * bits // 8, dtype=np.uint8)
        return [weights, draw.generator.uniform(0.5, 1.5, scales).astype(np.float32) / (1 << bits), draw.maybe(draw.floats(experts, out)), points]

    first, second = layer(inside * (2 if activation == "swiglu" else 1), size), layer(size, inside)
    values = [draw.floats(*shape, size), draw.floats(int(np.prod(shape)), experts), *first[:3], *second[:3], None, None, None, first[3], second[3]]
    why = "sums of some fifty products of numbers beyond 1 are rounded in another order"
    constants = draw.one_of([2, 3, 5, 6], [2, 3, 5, 6, 11, 12], [2, 3, 4, 5, 6, 7, 11, 12], [3, 6])
    if bits == 8 and block:
        constants = [index for index in constants if index < 11]
    return node(values, attributes, constants=constants, shapes="static", rtol=1e-3, atol=2e-3, why=why)


@draws("EmbedLayerNormalization", "QEmbedLayerNormalization")
def embed_layer_normalization(draw: Draw, name: str) -> Case:
    batch, length, width, words, rows = draw.size(1, 3), draw.size(1, 5), draw.size(2, 8), draw.size(3, 9), draw.size(5, 9)
    ids, segment_ids = draw.integers(0, words - 1, batch, length, dtype=np.int32), draw.integers(0, 1, batch, length, dtype=np.int32)
    mask = draw.maybe(draw.integers(0, 1, batch, length, dtype=np.int32))
    segments = draw.chance()
    attributes = draw.some(epsilon=draw.one_of(1e-12, 1e-5, 0.1))
    shapes = [(words, width), (rows, width), (2, width) if segments else None, (width,), (width,)]
    ids_shapes = draw.one_of(["symbolic"] * 2, ["static"] * 2)
    if name == "QEmbedLayerNormalization":
        parameters = [draw.quantization() if shape else (None, None) for shape in shapes]
        tables = [shape and draw.codes(*shape) for shape in shapes]
        scales, zeros = zip(*parameters)
        inputs = [ids, segment_ids if segments else None, *tables, mask, *scales, *zeros]
        return node(inputs, attributes, constants=draw.one_of(range(2, 18), []), outputs=2, shapes=[*ids_shapes, *["static"] * 16], **ACCURATE)
    tables = [shape and draw.floats(*shape) for shape in shapes]
    positions = draw.maybe(draw.integers(0, rows - 1, draw.one_of(1, batch), length, dtype=np.int32), 0.3)
    inputs = [ids, segment_ids if segments else None, *tables, mask, positions]
    return node(inputs, attributes, constants=draw.one_of([2, 3, 4, 5, 6], []), outputs=draw.size(2, 3), shapes=[*ids_shapes, *["static"] * 7], **ACCURATE)


@draws("SkipLayerNormalization", "SkipSimplifiedLayerNormalization")
def skip_layer_normalization(draw: Draw, name: str) -> Case:
    dtype = draw.one_of(np.float32, np.float32, np.float16)
    shape = draw.dims(3) if draw.chance(0.7) else draw.dims(2)
    width = shape[-1]
    skip = shape if draw.chance(0.7) else shape[1:] if len(shape) == 3 and draw.chance() else (1, *shape[1:]) if len(shape) == 3 else shape
    bias = draw.maybe(draw.floats(width, dtype=dtype), 0.4)
    beta = [draw.maybe(draw.floats(width, dtype=dtype), 0.8)] if name == "SkipLayerNormalization" else []
    outputs, absent = draw.one_of((1, ()), (4, (1, 2)))
    tolerance = HALF if dtype == np.float16 else ACCURATE
    return node([draw.floats(*shape, dtype=dtype), draw.floats(*skip, dtype=dtype), draw.floats(width, dtype=dtype), *beta, bias],
                draw.some(epsilon=draw.one_of(1e-12, 1e-5, 0.1)), constants=draw.one_of([2, 3, 4], []), outputs=outputs, absent_outputs=absent, **tolerance)


# Others.

NUMBERS = (np.float32, np.float64, np.float16, np.int64, np.uint64, np.int32, np.uint32, np.int16, np.uint16, np.int8, np.uint8, bool, np.str_)


@draws("ExpandDims")
def expand_dims(draw: Draw) -> Case:
    x = draw.values(*draw.dims(draw.size(0, 4)), dtype=draw.one_of(*NUMBERS))
    return node([x, np.int32(draw.size(-x.ndim - 1, x.ndim))], constants=draw.one_of([], [1]))


@draws("GatherND")
def gather_nd(draw: Draw) -> Case:
    x = draw.values(*draw.dims(draw.size(1, 4)), dtype=draw.one_of(*NUMBERS))
    depth = draw.size(1, x.ndim)
    places = draw.dims(draw.size(0, 2))
    columns = [draw.integers(-size if draw.chance(0.2) else 0, size - 1, *places, 1) for size in x.shape[:depth]]
    return node([x, np.concatenate(columns, -1).astype(draw.one_of(np.int32, np.int64))], constants=draw.one_of([], [1]))


@draws("GridSample")
def grid_sample(draw: Draw) -> Case:
    batch = draw.size(1, 2)
    attributes = draw.some(mode=draw.one_of("bilinear", "nearest", "bicubic"), padding_mode=draw.one_of("zeros", "border", "reflection"), align_corners=draw.one_of(0, 1))
    return node([draw.floats(batch, draw.size(1, 3), *draw.dims(2, 2, 6)), draw.floats(batch, *draw.dims(2), 2)], attributes, **ACCURATE)


@draws("CropAndResize")
def crop_and_resize(draw: Draw) -> Case:
    batch, rois = draw.size(1, 3), draw.size(1, 4)
    corners = draw.generator.uniform(-0.2, 1.2, (rois, 4)).astype(np.float32)
    if draw.chance(0.4):
        # Places on and between the pixels.
        corners = draw.integers(0, 4, rois, 4).astype(np.float32) / 4
    inputs = [draw.floats(batch, draw.size(1, 3), *draw.dims(2, 1, 7)), corners, draw.integers(0, batch - 1, rois, dtype=np.int32), draw.integers(1, 5, 2, dtype=np.int32)]
    attributes = draw.some(mode=draw.one_of("bilinear", "nearest"), extrapolation_value=draw.scalar(-1, 1))
    return node(inputs, attributes, constants=draw.one_of([3], [1, 3]), **ACCURATE)


@draws("Inverse")
def inverse(draw: Draw) -> Case:
    size, dtype = draw.size(1, 5), draw.one_of(np.float32, np.float32, np.float64, np.float16)
    # No matrix that is nearly singular.
    orthogonal = np.linalg.qr(draw.generator.standard_normal((*draw.dims(draw.size(0, 2)), size, size)))[0]
    x = (orthogonal * draw.generator.uniform(0.5, 2, size)).astype(dtype)
    tolerance = {"rtol": 2e-2, "atol": 2e-2, "why": "float16 is rounded at each step of the elimination"} if dtype == np.float16 else {**ACCURATE, "atol": 1e-4}
    return node([x], shapes=draw.one_of(*["static"] * 5, "symbolic"), **tolerance)


@draws("Pad")
def pad(draw: Draw) -> Case:
    x = draw.floats(*draw.dims(draw.size(1, 4), 2, 5))
    mode = draw.one_of("constant", "constant", "reflect", "edge")
    pads = draw.integers(-1 if mode == "constant" else 0, min(x.shape) - 1, 2 * x.ndim)
    value = draw.maybe(draw.floats(*draw.one_of((), (1,)))) if mode == "constant" else None
    cannot = {"openvino": "it divides by zero where nothing is left"} if min(x.shape + pads.reshape(2, -1).sum(0)) == 0 else {}
    return node([x, pads.reshape(draw.one_of((-1,), (1, -1))), value], draw.some(mode=mode) if mode == "constant" else {"mode": mode}, constants=draw.one_of([1], [1, 2], []), cannot=cannot)


@draws("Range")
def contrib_range(draw: Draw) -> Case:
    dtype = draw.one_of(np.int32, np.int64, np.int16, np.float32, np.float64)
    shape = draw.one_of((), (1,))
    start, count = draw.size(-9, 9), draw.size(0, 9)
    delta = draw.maybe(draw.one_of(-3, -1, 1, 2), 0.7)
    limit = start + count * (1 if delta is None else delta)
    number = lambda value: None if value is None else np.full(shape, value, dtype)
    return node([number(start), number(limit), number(delta)], constants=draw.one_of([], [0, 1, 2]))


@draws("Trilu")
def trilu(draw: Draw) -> Case:
    x = draw.values(*draw.dims(draw.size(2, 4)), dtype=draw.one_of(np.float32, np.float64, np.int64))
    if x.dtype.kind == "f" and draw.chance(0.3):
        x[..., 0, 0], x[..., -1, -1] = np.inf, np.nan
    return node([x, draw.maybe(np.int64(draw.size(-6, 6)))], draw.some(upper=draw.one_of(0, 1)), constants=draw.one_of([], [1]))


@draws("UnfoldTensor")
def unfold_tensor(draw: Draw) -> Case:
    x = draw.values(*draw.dims(draw.size(1, 4), 2, 6), dtype=draw.one_of(np.float32, np.float64, np.int32, np.int64))
    axis = draw.size(0, x.ndim - 1)
    return node([x], {"size": draw.size(1, x.shape[axis])} | {"dim": draw.one_of(axis, axis - x.ndim)} | draw.some(step=draw.size(1, 3)))


@draws("NGramRepeatBlock")
def n_gram_repeat_block(draw: Draw) -> Case:
    batch, tokens = draw.size(1, 3), draw.size(2, 6)
    ids = draw.integers(0, draw.size(1, tokens - 1), batch, draw.size(1, 12))
    return node([ids, draw.values(batch, tokens)], {"ngram_size": draw.size(1, 5)}, constants=draw.one_of([], [0]))


@draws("MurmurHash3")
def murmur_hash_3(draw: Draw) -> Case:
    dtype = np.dtype(draw.one_of(np.int32, np.uint32, np.int64, np.uint64))
    x = draw.codes(*draw.dims(draw.size(1, 3)), dtype.itemsize).view(dtype)[..., 0]
    attributes = draw.some(seed=draw.one_of(0, 1, 42, 2**31, 2**32 - 1)) | draw.some(positive=draw.one_of(0, 1))
    return node([x], attributes, cannot={"openvino": "it computes integers of 64 bits in 32"})


@draws("DynamicTimeWarping")
def dynamic_time_warping(draw: Draw) -> Case:
    shape = draw.dims(2, 1, 12)
    cost = draw.integers(0, 3, *shape).astype(np.float32) if draw.chance() else draw.values(*shape)
    return node([cost if draw.chance() else cost[None]], output_shapes=[(2, "steps")], shapes=draw.one_of("symbolic", "static"))


@draws("Unique")
def unique(draw: Draw) -> Case:
    return node([draw.integers(0, 5, draw.size(1, 12)).astype(np.float32)], outputs=3)


# What models of language have besides attention.


@draws("HyperConnectionPreMix", "HyperConnectionPostMix")
def hyper_connection(draw: Draw, name: str) -> Case:
    dtype, gate_dtype = draw.one_of(np.float32, np.float32, np.float16), draw.one_of(np.float32, np.float16)
    before, count, size = draw.dims(draw.size(1, 3)), draw.size(1, 4), draw.size(2, 5)
    is_flat = draw.chance()
    streams = draw.floats(*before, *((count * size,) if is_flat else (count, size)), dtype=dtype)
    shapes = [(count,), (count, 1), (count, size)] + ([(count * size,)] if is_flat and name == "HyperConnectionPreMix" else [])
    gates = draw.floats(*before, *shapes[draw.size(0, len(shapes) - 1)], dtype=gate_dtype)
    attributes = {"num_branches": count} if is_flat else {}
    tolerance = HALF if dtype == np.float16 else ACCURATE
    if name == "HyperConnectionPreMix":
        return node([streams, gates], attributes | draw.some(reduction_scale=draw.scalar(-2, 2)), **tolerance)
    mix = draw.maybe(draw.floats(*before, count, count, dtype=gate_dtype))
    return node([streams, draw.floats(*before, size, dtype=dtype), gates, mix], attributes, **tolerance)


@draws("NGramHashMapping")
def n_gram_hash_mapping(draw: Draw) -> Case:
    dtype = draw.one_of(np.int32, np.int64)
    batch, length, longest, heads = draw.size(1, 3), draw.size(1, 8), draw.size(2, 5), draw.size(1, 3)
    most = np.iinfo(dtype).max if draw.chance() else 100
    ids = draw.integers(0, draw.one_of(3, 1000), batch, length).astype(dtype)
    factors = draw.integers(-most, most, longest).astype(dtype)
    sizes, offsets = (draw.integers(1, 500, (longest - 1) * heads).astype(dtype) for _ in range(2))
    past = draw.integers(0, 4, batch, longest - 1).astype(dtype)
    segments = np.sort(draw.integers(0, 3, batch, length), axis=1).astype(np.int32)
    optional = [draw.maybe(past), draw.maybe(offsets), draw.maybe(np.array(1, dtype)), draw.maybe(segments)]
    attributes = {"max_ngram_size": longest, "n_head_per_ngram": heads, "pad_id": draw.size(0, 9)} | draw.some(reset_on_eos=draw.one_of(0, 1))
    return node([ids, factors, sizes, *optional], attributes, outputs=draw.size(1, 2), cannot={"openvino": "its products of integers do not wrap around"})


@draws("EngramGate")
def engram_gate(draw: Draw) -> Case:
    dtype = draw.one_of(np.float32, np.float32, np.float16)
    batch, length, branches, size = draw.dims(4)
    key, query = (draw.floats(batch, length, branches, size, dtype=dtype) for _ in range(2))
    scales = [draw.floats(branches, size, dtype=dtype) for _ in range(3)]
    inputs = [key, query, draw.floats(batch, length, size, dtype=dtype), *scales]
    outputs = draw.size(1, 2)
    tolerance = HALF if dtype == np.float16 else ACCURATE
    return node(inputs if outputs == 2 else inputs[:5], draw.some(epsilon=draw.scalar(0, 0.5)), outputs=outputs, shapes="static", **tolerance)


@draws("MoEGroupRouter")
def moe_group_router(draw: Draw) -> Case:
    dtype = draw.one_of(np.float32, np.float32, np.float16)
    groups, size = draw.size(1, 4), draw.size(1, 4)
    chosen = draw.size(1, groups)
    bias = draw.floats(groups * size)
    before = draw.dims(draw.size(1, 3))
    tolerance = HALF if dtype == np.float16 else ACCURATE
    attributes = {"top_k": draw.size(1, chosen * size), "n_group": groups, "topk_group": chosen} | draw.some(group_topk=draw.size(1, 5), router_sentinel=-7.5)
    return node([draw.floats(*before, groups * size, dtype=dtype), bias], attributes, constants=[1], **tolerance)


@draws("VarlenCausalConvWithState")
def varlen_causal_conv_with_state(draw: Draw) -> Case:
    dtype = draw.one_of(np.float32, np.float32, np.float16)
    bounds = np.cumsum([0, *draw.integers(1, 6, draw.size(1, 4))]).astype(np.int32)
    channels, taps, dilation, capacity = draw.size(1, 4), draw.size(2, 4), draw.size(1, 3), draw.one_of(0, 0, draw.size(1, 4))
    inputs = [draw.floats(bounds[-1], channels, dtype=dtype), draw.floats(channels, 1, taps, dtype=dtype), bounds]
    inputs += [draw.maybe(draw.floats(channels, dtype=dtype)), draw.floats(len(bounds) - 1, channels, (taps - 1) * dilation, dtype=dtype)]
    inputs += [draw.integers(-1, 6, len(bounds) - 1, dtype=np.int32) if capacity else None]
    attributes = {"dilation": dilation} | draw.some(activation=draw.one_of("none", "silu", "swish")) | ({"state_update_capacity": capacity} if capacity else {})
    return node(inputs, attributes, constants=[1], outputs=3 if capacity else 2, **(HALF if dtype == np.float16 else ACCURATE))


@draws("GatedDeltaNet")
def gated_delta_net(draw: Draw) -> Case:
    dtype = draw.one_of(np.float32, np.float32, np.float16)
    rule = draw.one_of("linear", "gated", "delta", "gated_delta")
    is_ragged, few = draw.chance(), draw.size(1, 2)
    heads, size, value_size = few * draw.size(1, 2), draw.size(1, 4), draw.size(1, 4)
    lengths = draw.integers(1, 5, draw.size(1, 3)) if is_ragged else np.full(draw.size(1, 3), draw.size(1, 4))
    bounds = np.cumsum([0, *lengths]).astype(np.int32)
    before = (bounds[-1],) if is_ragged or draw.chance() else (len(lengths), lengths[0])
    # No short ones: to the square of a length that it divides by, ONNX Runtime 1.32's kernel adds 1e-12 for some nodes, and more for others.
    query, key = (np.sign(x) * (0.4 + np.abs(x) / 4).astype(dtype) for x in (draw.floats(*before, few, size, dtype=dtype) for _ in range(2)))
    value, state = draw.floats(*before, heads, value_size, dtype=dtype), draw.floats(len(lengths), heads, value_size, size)
    gate_dtype, gate = draw.one_of(np.float32, dtype), draw.one_of("none", "softplus", "sigmoid", "kda", "qwen") if "gated" in rule else "none"
    gate_size = draw.one_of((), (size,))
    decay = draw.floats(*before, heads, *gate_size)
    decay = (decay if gate != "none" else -np.abs(decay)).astype(gate_dtype) if "gated" in rule else None
    beta = draw.generator.random((*before, heads)).astype(gate_dtype) if "delta" in rule else None
    activation = [draw.floats(heads), draw.floats(heads * int(np.prod(gate_size)))] if gate != "none" else [None, None]
    inputs = [query, key, value, bounds if is_ragged else None, decay, beta, state, *activation]
    if draw.chance(0.3):
        inputs[:3] = [np.concatenate([part.reshape(*before, -1) for part in inputs[:3]], -1), None, None]
    attributes = {"update_rule": rule, "gate_activation": gate} | draw.some(scale=draw.scalar(0.1, 2), gate_lower_bound=-2.5)
    attributes["qk_l2_norm"] = 1 if "delta" in rule else draw.one_of(0, 1)
    attributes |= draw.some(beta_activation="sigmoid") if beta is not None else {}
    return node(inputs, attributes, outputs=2, shapes="static", **(HALF if dtype == np.float16 else ACCURATE))


@draws("DecoderMaskedMultiHeadAttention")
def decoder_masked_multi_head_attention(draw: Draw) -> Case:
    batch, heads, size, past, room = draw.size(1, 3), draw.size(1, 4), draw.size(1, 4), draw.size(0, 4), draw.size(5, 7)
    width = heads * size
    attributes = {"num_heads": heads} | draw.some(scale=draw.scalar(0.1, 2), mask_filter_value=-50.0)
    query, bias = draw.floats(batch, 1, width), draw.maybe(draw.floats(3 * width))
    if draw.chance(0.3):  # what an encoder has given
        keys = [draw.floats(batch, heads, room, size) for _ in range(2)]
        mask = draw.maybe(draw.integers(0, 1, batch, room, dtype=np.int32))
        return node([query, *keys, mask, *[None] * 6, bias], attributes, shapes="static", **ACCURATE)
    new, cache = [draw.floats(batch, 1, width) for _ in range(2)], [draw.floats(batch, heads, room, size) for _ in range(2)]
    mask = draw.maybe(draw.integers(0, 1, batch, past + 1, dtype=np.int32))
    scores_bias = draw.maybe(draw.floats(draw.one_of(1, batch), draw.one_of(1, heads), 1, past + 1))
    inputs = [query, *new, mask, scores_bias, *cache, np.int32([past]), None, None, bias]
    return node(inputs, attributes | {"past_present_share_buffer": 1}, outputs=3, shapes="static", **ACCURATE)


@draws("SparseAttention")
def sparse_attention(draw: Draw) -> Case:
    dtype = draw.one_of(np.float32, np.float32, np.float16)
    kv_heads, size, block, layouts = draw.size(1, 2), 16 * draw.size(1, 2), 16, draw.size(1, 2)
    heads, blocks = kv_heads * layouts * draw.size(1, 2), draw.size(2, 4)
    room, batch = blocks * block, draw.size(1, 3)
    length = draw.one_of(1, 1, draw.size(2, room))
    # The kernel mixes up entries of different lengths: it writes the weights as far apart as the longest has them, and reads them otherwise.
    totals = np.full(batch, length if length > 1 else draw.size(1, room))
    masks = [np.tril(draw.integers(0, 1, blocks, blocks)) | np.eye(blocks, dtype=int) for _ in range(layouts)]
    columns = [np.nonzero(mask)[1] for mask in masks]
    most = max(map(len, columns))
    column_indices = np.int32([[*each, *[-1] * (most - len(each))] for each in columns])
    row_indices = np.int32([[0, *np.cumsum(mask.sum(1))] for mask in masks])
    widths = [heads * size, kv_heads * size, kv_heads * size]
    new = [draw.floats(batch, length, width, dtype=dtype) for width in widths]
    new = [np.concatenate(new, -1), None, None] if draw.chance(0.3) else new
    cache = [draw.floats(batch, kv_heads, room, size, dtype=dtype) for _ in range(2)]
    inputs = [*new, *cache, row_indices, column_indices, np.int32([totals.max()]), totals.astype(np.int32)]
    attributes = {"num_heads": heads, "kv_num_heads": kv_heads, "sparse_block_size": block} | draw.some(scale=draw.scalar(0.1, 1))
    if draw.chance():
        angles = draw.floats(room, size // 2)
        inputs += [np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)]
        attributes |= {"do_rotary": 1} | draw.some(rotary_interleaved=draw.one_of(0, 1))
    return node(inputs, attributes, outputs=3, shapes="static", constants=draw.one_of([], [5, 6]), **(HALF if dtype == np.float16 else ACCURATE))


@draws("GatherPacked")
def gather_packed(draw: Draw) -> Case:
    packed_type = draw.one_of(1, 2, 6, 8, 20)
    size = 32 * draw.size(1, 3)
    blocks = draw.codes(draw.size(1, 5), size // 32, {1: 64, 2: 18, 6: 22, 8: 34, 20: 18}[packed_type])
    numbers = slice(None) if packed_type == 1 else slice(1, 2)  # no infinities, and no scales beyond half precision
    blocks[..., numbers] &= 0xBF
    data = blocks.reshape(len(blocks), -1)
    indices = draw.integers(-2, len(data) + 1, *draw.dims(draw.size(0, 3)), dtype=draw.one_of(np.int32, np.int64))
    attributes = {"packed_type": packed_type, "K": size, "output_dtype": draw.one_of(1, 10)}
    return node([data, indices], attributes, **(HALF if attributes["output_dtype"] == 10 else ACCURATE))


@draws("AttnLSTM")
def attention_lstm(draw: Draw) -> Case:
    steps, batch, width, size, memory_steps, depth, keys, layer = draw.dims(8, 1, 4)
    layer_weight = draw.maybe(draw.floats(1, depth + size, layer))
    attention = layer if layer_weight is not None else depth
    inputs = [draw.floats(steps, batch, width), draw.floats(1, 4 * size, width + attention), draw.floats(1, 4 * size, size), draw.maybe(draw.floats(1, 8 * size)), None]
    inputs += [draw.maybe(draw.floats(1, batch, size)), draw.maybe(draw.floats(1, batch, size)), draw.maybe(draw.floats(1, 3 * size))]
    inputs += [draw.floats(1, size, keys), draw.floats(1, depth, keys), draw.floats(1, keys), draw.floats(batch, memory_steps, depth)]
    inputs += [draw.maybe(draw.integers(1, memory_steps, batch, dtype=np.int32)), layer_weight]
    return node(inputs, {"hidden_size": size}, outputs=3, shapes="static", constants=draw.one_of([], [1, 2]), **ACCURATE)


@draws("WordConvEmbedding")
def word_conv_embedding(draw: Draw) -> Case:
    length, letters, size, filters = draw.size(1, 8), draw.size(2, 8), draw.size(1, 4), draw.size(1, 5)
    words = draw.integers(0, letters - 1, draw.size(1, 6), length, dtype=np.int32)
    words[:, 0] = draw.integers(1, letters - 1, len(words))  # of words without characters the kernel gives what memory holds
    window = draw.size(1, length)
    weights = [draw.floats(filters, 1, window, size), draw.floats(filters), draw.floats(letters, size)]
    return node([words, *weights], draw.some(conv_window_size=window, embedding_size=filters), constants=draw.one_of([1], [1, 2, 3]), **ACCURATE)


# Nodes of the attention operators of a given number of steps and heads, with static shapes.


def sized_attention(length: int, heads: int) -> Case:
    draw = Draw([length, heads])
    width = heads * 4
    inputs = [draw.floats(1, length, width), draw.floats(width, 3 * width), draw.floats(3 * width)]
    return sized("Attention", inputs, {"num_heads": heads, "unidirectional": length % 2}, [1, 2])


def sized_quantized_attention(length: int, heads: int) -> Case:
    draw = Draw([length, heads])
    width = heads * 4
    inputs = [draw.codes(2, length, 3), draw.codes(3, 3 * width), draw.floats(3 * width), np.float32(0.02), np.float32(0.02), None, np.uint8(120), np.uint8(130)]
    return sized("QAttention", inputs, {"num_heads": heads}, [1, 2, 3, 4, 6, 7])


def sized_multi_head_attention(length: int, heads: int) -> Case:
    draw = Draw([length, heads])
    inputs = [draw.floats(2, length, heads * 4) for _ in range(3)]
    return sized("MultiHeadAttention", [*inputs, draw.floats(heads * 12)], {"num_heads": heads, "unidirectional": heads % 2}, [3])


def sized_step(length: int, heads: int, *, packed: bool, interleaved: int) -> Case:
    draw = Draw([length, heads])
    angles, past = draw.floats(32, 8), [draw.floats(1, 1, 4, 16), draw.floats(1, 1, 4, 16)]
    q = [draw.floats(1, length, (heads + 2) * 16), None, None] if packed else [draw.floats(1, length, width * 16) for width in (heads, 1, 1)]
    inputs = [*q, *past, np.int32([length + 3]), np.int32(length + 4), np.cos(angles), np.sin(angles)]
    attributes = {"num_heads": heads, "kv_num_heads": 1, "do_rotary": 1, "rotary_interleaved": interleaved}
    return sized("GroupQueryAttention", inputs, attributes, [6, 7, 8], outputs=3)


def sized_rotary_embedding(length: int, heads: int) -> Case:
    draw = Draw([length, heads])
    angles = draw.floats(32, 4)
    inputs = [draw.floats(1, length, heads * 8), np.arange(length)[None], np.cos(angles), np.sin(angles)]
    return sized("RotaryEmbedding", inputs, {"num_heads": heads}, [2, 3])


def sized(op_type: str, inputs: Sequence[Any], attributes: dict[str, Any], constants: Sequence[int], **fields: Any) -> Case:
    case = node(inputs, attributes, constants, shapes="static", **fields, **ACCURATE)
    return dataclasses.replace(case, domain="com.microsoft", op_type=op_type, opsets=[17])


SIZED: dict[str, Callable[[int, int], Case]] = {
    "Attention": sized_attention,
    "QAttention": sized_quantized_attention,
    "MultiHeadAttention": sized_multi_head_attention,
    "GroupQueryAttention": lambda length, heads: sized_step(length, heads, packed=False, interleaved=0),
    "GroupQueryAttention-packed": lambda length, heads: sized_step(length, heads, packed=True, interleaved=1),
    "RotaryEmbedding": sized_rotary_embedding,
}
