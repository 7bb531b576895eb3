# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators on elements: of one tensor, of two that are broadcast, of many; comparisons, conversions, and choices."""
from __future__ import annotations

import numpy as np

from edge_models.edges import ROUNDED, Case, Edges, draws, node, tensor_type

# Attributes of operators on one element; the numbers are usual ones.
ATTRIBUTES = {
    "Celu": {"alpha": (1.0, 0.5)}, "Elu": {"alpha": (1.0, 0.5)}, "HardSigmoid": {"alpha": (0.2,), "beta": (0.5,)}, "LeakyRelu": {"alpha": (0.01, -0.5)},
    "Selu": {"alpha": (1.67,), "gamma": (1.05,)}, "Shrink": {"bias": (0.0, 0.5), "lambd": (0.5,)}, "Swish": {"alpha": (1.0, 1.7)}, "ThresholdedRelu": {"alpha": (1.0, 0.0)},
}  # fmt: skip


@draws("Abs", "Ceil", "Floor", "Identity", "Neg", "Relu", "Round", "Sign", "Not", "BitwiseNot", "IsNaN", "Shrink", "ThresholdedRelu", "Shape", "Size")
@draws("Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Celu", "Cos", "Cosh", "Elu", "Erf", "Exp", "HardSigmoid", "HardSwish", "LeakyRelu", "Log", "Mish", "Reciprocal",
       "Selu", "Sigmoid", "Sin", "Sinh", "Softplus", "Softsign", "Sqrt", "Swish", "Tan", "Tanh", near=ROUNDED)  # fmt: skip
def of_one(edges: Edges) -> Case:
    first = {"IsNaN": "T1", "Identity": "V" if edges.opset >= 14 else "T"}.get(edges.operator, "T")
    x = edges.values(*edges.shape(), dtype=np.bool_ if edges.operator == "Not" else edges.type(first))
    if edges.operator in ("Sin", "Cos", "Tan"):
        # The remainder of a large number by a period is computed by each library in its own way.
        x = np.where(np.abs(x) > 1e4, np.inf, x).astype(x.dtype)
    attributes = {name: edges.parameter(*usual) for name, usual in ATTRIBUTES.get(edges.operator, {}).items() if edges.chance(0.7)}
    if edges.operator == "Shape" and edges.opset >= 15:
        attributes = edges.some(start=edges.one_of(0, 1, -1, -9, 9, x.ndim), end=edges.one_of(0, 1, -1, -9, 9, x.ndim))
    return node([x], attributes)


@draws("IsInf")
def is_infinite(edges: Edges) -> Case:
    return node([edges.values(*edges.shape(), dtype=edges.type("T1"))], edges.some(detect_negative=edges.one_of(0, 1), detect_positive=edges.one_of(0, 1)))


@draws("Gelu", near=ROUNDED)
def gelu(edges: Edges) -> Case:
    return node([edges.values(*edges.shape(), dtype=edges.type())], edges.some(approximate=edges.one_of("none", "tanh")))


@draws("Add", "Sub", "Mul", "Div", near=ROUNDED)
def arithmetic(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    a, b = edges.values(*shape, dtype=dtype), edges.values(*edges.broadcast(shape), dtype=dtype)
    if edges.operator == "Div" and np.dtype(dtype).kind in "iu":
        # An integer divided by zero ends the process.
        b = np.where(b == 0, dtype(3), b)
        if np.dtype(dtype).kind == "i":
            b = np.where(b == -1, dtype(1), b)
    return node(edges.one_of([a, b], [a, b], [b, a]) if edges.operator != "Div" else [a, b])


@draws("Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Equal", "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor")
def comparison(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    a, b = edges.values(*shape, dtype=dtype), edges.values(*edges.broadcast(shape), dtype=dtype)
    if a.shape == b.shape and edges.chance(0.5):
        b = np.where(edges.integers(0, 1, *shape).astype(bool), a, b).astype(a.dtype)
    return node(edges.one_of([a, b], [b, a]))


@draws("BitShift")
def bit_shift(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    by = edges.integers(0, np.iinfo(dtype).bits - 1, *edges.broadcast(shape), dtype=dtype)
    return node([edges.values(*shape, dtype=dtype), by], {"direction": edges.one_of("LEFT", "RIGHT")})


@draws("Mod")
def mod(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    a, b = edges.values(*shape, dtype=dtype), edges.values(*edges.broadcast(shape), dtype=dtype)
    if np.dtype(dtype).kind in "iu":
        b = np.where((b == 0) | (b == dtype(-1 if np.dtype(dtype).kind == "i" else 0)), dtype(3), b)
    return node([a, b], {"fmod": 1} if np.dtype(dtype).kind == "f" or edges.chance() else edges.some(fmod=0))


@draws("Pow", near=ROUNDED)
def power(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    other = edges.type("T1") if edges.opset >= 12 else dtype
    a, b = edges.values(*shape, dtype=dtype), edges.values(*edges.broadcast(shape), dtype=other)
    if np.dtype(dtype).kind in "iu":
        # What is too large for the type, or no integer, is not said to be any number.
        a, b = edges.integers(0, 3, *shape, dtype=dtype), edges.integers(0, 3, *b.shape, dtype=other)
    return node([a, b])


@draws("PRelu", near=ROUNDED)
def p_relu(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    return node([edges.values(*shape, dtype=dtype), edges.values(*edges.broadcast(shape), dtype=dtype)])


@draws("Max", "Min")
def extreme(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    return node([edges.values(*(shape if edges.opset < 8 else edges.broadcast(shape)), dtype=dtype) for _ in range(edges.size(1, 4))])


@draws("Mean", "Sum", near=ROUNDED)
def mean(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    return node([edges.summable(*(shape if edges.opset < 8 else edges.broadcast(shape)), dtype=dtype) for _ in range(edges.size(1, 4))])


@draws("Where")
def where(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    return node([edges.integers(0, 1, *edges.broadcast(shape)).astype(bool), *(edges.values(*edges.broadcast(shape), dtype=dtype) for _ in range(2))])


@draws("Clip")
def clip(edges: Edges) -> Case:
    dtype = edges.type()
    x = edges.values(*edges.shape(), dtype=dtype)
    if edges.opset < 11:
        return node([x], {name: edges.parameter(usual) for name, usual in (("min", -0.5), ("max", 0.75)) if edges.chance(0.7)})
    low, high = (edges.maybe(edges.values(dtype=dtype), 0.75) for _ in range(2))
    if low is not None and high is not None and edges.chance(0.8):
        low, high = (high, low) if low > high else (low, high)
    return node([x, low, high])


def convertible(edges: Edges, dtype: type, to: type) -> np.ndarray:
    """Numbers whose conversion is defined: those that the other type holds, if that is one of integers."""
    shape = edges.shape()
    if dtype is np.str_:
        texts = ["1", "-2", "3.5", "inf", "NaN", "-0", "1e3"] if np.dtype(to).kind == "f" else ["0", "1", "7"]
        return np.array([edges.one_of(*texts) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)
    x = edges.values(*shape, dtype=dtype)
    if to is np.str_:
        return np.trunc(np.nan_to_num(super(Edges, edges).values(*shape, dtype=dtype))).astype(dtype) if np.dtype(dtype).kind == "f" else x
    if np.dtype(dtype).kind == "f" and np.dtype(to).kind in "iu":
        info = np.iinfo(to)
        with np.errstate(all="ignore"):
            return np.where(np.isfinite(x) & (x > max(info.min, -1e4) - 0.5) & (x < min(info.max, 1e4)), x, dtype(1.5)).astype(dtype)
    return x


@draws("Cast", near=ROUNDED)
def cast(edges: Edges) -> Case:
    dtype, to = edges.type("T1"), edges.type("T2")
    return node([convertible(edges, dtype, to)], {"to": tensor_type(to)} | ({"saturate": edges.one_of(0, 1)} if edges.opset >= 19 and edges.chance(0.3) else {}))


@draws("CastLike", near=ROUNDED)
def cast_like(edges: Edges) -> Case:
    dtype, to = edges.type("T1"), edges.type("T2")
    return node([convertible(edges, dtype, to), edges.values(*edges.shape(), dtype=to)])


@draws("BitCast")
def bit_cast(edges: Edges) -> Case:
    dtype = edges.type("T1", np.bool_, np.str_)
    to = edges.one_of(*(other for other in (np.int8, np.uint8, np.int16, np.uint16, np.float16, np.int32, np.uint32, np.float32, np.int64, np.uint64, np.float64)
                        if np.dtype(other).itemsize == np.dtype(dtype).itemsize))  # fmt: skip
    return node([edges.values(*edges.shape(), dtype=dtype)], {"to": tensor_type(to)})
