# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators of ONNX Runtime's own domain, and custom ones."""
from __future__ import annotations

import math

import numpy as np

from drawn_graphs import DOUBLE, FLOAT, INT64, Scope, UINT8, Unfit
from random_operators.making import like, makes, moved, pair, result, together


MICROSOFT = ["Gelu", "FastGelu", "QuickGelu", "BiasGelu", "FusedMatMul", "SkipLayerNormalization", "QLinearAdd", "Trilu", "FusedGemm"]


@makes(1.5)
def of_microsoft(scope: Scope):
    """What ONNX Runtime's optimizer writes; the rules are tried one by one elsewhere."""
    kind = scope.choice(MICROSOFT)
    domain = "com.microsoft"
    if kind in ("Gelu", "FastGelu", "QuickGelu", "BiasGelu"):
        value = scope.read([FLOAT], least_rank=1, filled=True, bound=20)
        inputs = [value]
        if kind == "BiasGelu" or kind == "FastGelu" and scope.chance(0.5):
            inputs.append(scope.read([FLOAT], shape=value.shape[-1:], bound=20))
        bound, error = sum(one.bound for one in inputs), sum(one.error for one in inputs)
        # FastGelu's tanh is a polynomial of the runtime's own.
        scope.emit(kind, inputs, [result(FLOAT, value.shape, bound + 1, 2 * error + 1e-5 * (bound + 1))], domain, **({"alpha": 1.5} if kind == "QuickGelu" and scope.chance(0.5) else {}))
    elif kind == "FusedMatMul":
        a = scope.read([FLOAT], rank=2, filled=True, bound=16)
        flip = int(scope.chance(0.5))
        b = scope.read([FLOAT], shape=(2, a.shape[1]) if flip else (a.shape[1], 2), bound=16)
        bound, error = a.bound * b.bound * a.shape[1], (a.error * b.bound + b.error * a.bound + a.error * b.error) * a.shape[1]
        scope.emit(kind, [a, b], [result(FLOAT, (a.shape[0], 2), bound, error)], domain, transB=flip, **({"alpha": 0.5} if scope.chance(0.5) else {}))
    elif kind == "SkipLayerNormalization":
        value = scope.read([FLOAT], rank=3, filled=True)
        skip = scope.read([FLOAT], shape=value.shape)
        scale, bias = scope.read([FLOAT], shape=value.shape[-1:], bound=16), scope.read([FLOAT], shape=value.shape[-1:]) if scope.chance(0.5) else None
        error = 8 * (value.error + skip.error) * scale.bound + math.sqrt(value.shape[-1]) * scale.error + (bias.error if bias else 0)
        scope.emit(kind, [value, skip, scale, bias], [result(FLOAT, value.shape, math.sqrt(value.shape[-1]) * max(scale.bound, 1) + (bias.bound if bias else 0), error)], domain, epsilon=0.25)
    elif kind == "QLinearAdd":
        if scope.opset < 10:
            raise Unfit("QuantizeLinear")
        a = scope.read([UINT8])
        b = scope.read([UINT8], shape=a.shape)
        scale, zero = scope.constant(np.array(0.25, np.float32)), scope.constant(np.array(2, np.uint8))
        scope.emit(kind, [a, scale, zero, b, scale, zero, scale, zero], [result(UINT8, a.shape)], domain)
    elif kind == "Trilu":
        value = scope.read([FLOAT, INT64], least_rank=2)
        scope.emit(kind, [value, *([scope.constant(np.array(1, np.int64))] if scope.chance(0.5) else [])], [moved(value, value.shape)], domain, upper=int(scope.chance(0.5)))
    else:
        a, b = scope.read([FLOAT], rank=2, filled=True, bound=16), None
        b = scope.read([FLOAT], shape=(a.shape[1], 3), bound=16)
        bound, error = a.bound * b.bound * a.shape[1], (a.error * b.bound + b.error * a.bound + a.error * b.error) * a.shape[1]
        scope.emit(kind, [a, b], [result(FLOAT, (a.shape[0], 3), bound, error)], domain, activation="Relu")


# What each of these custom operators computes, in words of opset 13 and not of the tool's rules. With these functions ONNX Runtime executes the model as it is.
CUSTOM = {
    ("rknn_cst", "cstThreshold"): '<domain: "rknn_cst", opset_import: ["" : 13]> cstThreshold <threshold, value> (x) => (y) '
    "{ low = Constant <value_float: float = @threshold> ()  v = Constant <value_float: float = @value> ()  above = Greater (x, low)  y = Where (above, x, v) }",
    ("rknn_cst", "cstDualResidual"): '<domain: "rknn_cst", opset_import: ["" : 13]> cstDualResidual <alpha> (x, y) => (p, q) '
    "{ a = Constant <value_float: float = @alpha> ()  ax = Mul (a, x)  p = Sub (ax, y)  ay = Mul (a, y)  q = Sub (ay, x) }",
    ("custom", "my_add"): '<domain: "custom", opset_import: ["" : 13]> my_add (a, b) => (y) { t = Add (b, a)  y = Add (t, a) }',
    ("custom", "Foo"): '<domain: "custom", opset_import: ["" : 13]> Foo (a, b) => (y) { y = Add (b, a) }',
}


@makes(3)
def custom(scope: Scope):
    if not scope.drawing.custom:
        raise Unfit("no custom operators here")
    (domain, op_type) = scope.choice(list(CUSTOM))
    if op_type == "cstThreshold":
        value = scope.read([FLOAT], exact=True)
        scope.emit(op_type, [value], [like(value, bound=max(value.bound, 2), exact=True)], domain, threshold=scope.random.randint(-4, 4) / 4, value=scope.random.randint(-8, 8) / 4)
        return
    one, other = pair(scope, [FLOAT] if op_type == "cstDualResidual" else [FLOAT, INT64, DOUBLE])
    if op_type == "cstDualResidual":
        one = other = scope.read([FLOAT], shape=one.shape) if one.shape != other.shape else one
        given = result(FLOAT, one.shape, one.bound + other.bound, one.error + other.error)
        scope.emit(op_type, [one, other], [given, given] if scope.chance(0.7) else scope.choice([[given, None], [None, given]]), domain, alpha=0.5)
    else:
        scope.emit(op_type, [one, other], [result(one.type, together(one, other), 2 * one.bound + other.bound, 2 * one.error + other.error, exact=True)], domain)
