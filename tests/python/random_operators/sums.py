# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators that add elements up: reductions, products of matrices, convolutions, normalizations; and those that quantize."""
from __future__ import annotations

import math

import numpy as np
import onnx
from onnx import helper

from drawn_graphs import BFLOAT16, BOOL, FLOAT, INT32, INT64, INT8, Scope, UINT8, Unfit, Value
from random_operators.making import axis_of, ints, like, makes, moved, result, some_axes


REDUCTIONS = ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceSumSquare", "ReduceLogSum"]


@makes(2)
def reduction(scope: Scope):
    op_type = scope.choice(REDUCTIONS)
    value = scope.read([FLOAT, FLOAT, INT32, *((INT64,) if op_type in ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd") else ())], filled=True, exact=op_type in ("ReduceL2", "ReduceProd"), bound=4.5)
    if op_type in ("ReduceL2", "ReduceLogSumExp", "ReduceLogSum", "ReduceMean") and value.type == INT32:
        raise Unfit("float results of integers")
    rank = len(value.shape)
    axes = some_axes(scope, rank) if rank and scope.chance(0.7) else None
    if scope.opset < 11 and axes is not None:
        axes = [axis % rank for axis in axes]
    reduced = set(range(rank)) if axes is None else {axis % rank for axis in axes}
    keep = scope.chance(0.5)
    count = int(np.prod([value.shape[axis] for axis in reduced], dtype=np.int64))
    shape = [1 if axis in reduced else length for axis, length in enumerate(value.shape) if keep or axis not in reduced]
    bound = max(value.bound, 1)
    if op_type == "ReduceLogSum":
        value = scope.emit("Exp", [value], [like(value, bound=math.exp(value.bound), slope=math.exp(value.bound))])[0]
        given = like(value, bound=bound + count, slope=math.exp(bound) * count, shape=shape)
    elif op_type == "ReduceProd":
        given = like(value, bound=bound**count, shape=shape)
    elif op_type == "ReduceSumSquare":
        given = like(value, bound=bound**2 * count, slope=2 * bound * count, shape=shape)
    else:
        exact = op_type in ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceL1")
        given = like(value, bound=bound * count + count, slope=count, shape=shape, exact=exact)
    attributes = {} if keep and scope.chance(0.5) else {"keepdims": int(keep)}
    since = 13 if op_type == "ReduceSum" else 18
    if axes is None:
        if scope.opset >= since and scope.chance(0.3):
            # No axes at all, and that means: leave it as it is. But for the squares, logarithms and such of its elements.
            if op_type in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"):
                scope.emit(op_type, [value], [moved(value, value.shape)], noop_with_empty_axes=1)
                return
        scope.emit(op_type, [value], [given], **attributes)
    elif scope.opset < since:
        scope.emit(op_type, [value], [given], axes=axes, **attributes)
    else:
        scope.emit(op_type, [value, ints(scope, axes)], [given], **attributes)


@makes(1.5)
def softmax(scope: Scope):
    op_type = scope.choice(["Softmax", "LogSoftmax", "Hardmax"])
    value = scope.read([FLOAT], least_rank=1, filled=True, bound=20)
    if op_type == "Hardmax":
        shape = tuple(max(length, 1) for length in scope.drawing.shape()) or (3,)
        value = scope.constant((scope.drawing.arrays.permutation(int(np.prod(shape))).reshape(shape) / 4).astype(np.float32))
    axis = axis_of(scope, len(value.shape))
    attributes = {} if scope.chance(0.3) and (scope.opset >= 13 or len(value.shape) > 1) else {"axis": axis if scope.opset >= 11 else axis % len(value.shape)}
    bound = 1.0 if op_type != "LogSoftmax" else 2 * value.bound + 8
    scope.emit(op_type, [value], [like(value, bound=bound, slope=2, exact=op_type == "Hardmax")], **attributes)


@makes(1)
def matrices(scope: Scope):
    kind = scope.choice(["MatMul", "MatMul", "Gemm", "Einsum"])
    if kind == "Gemm":
        rows, inner, columns = (scope.random.randint(1, 4) for _ in range(3))
        flip = [int(scope.chance(0.4)) for _ in range(2)]
        a = scope.read([FLOAT], shape=(inner, rows) if flip[0] else (rows, inner), bound=16)
        b = scope.read([FLOAT], shape=(columns, inner) if flip[1] else (inner, columns), bound=16)
        c = scope.read([FLOAT], shape=scope.choice([(columns,), (rows, columns), (1, columns), ()])) if scope.opset < 11 or scope.chance(0.6) else None
        attributes = {name: given for name, given in (("transA", flip[0]), ("transB", flip[1])) if given or scope.chance(0.2)}
        if scope.chance(0.4):
            attributes["alpha"] = 0.5
        bound = a.bound * b.bound * inner + (c.bound if c else 0)
        error = (a.error * b.bound + b.error * a.bound + a.error * b.error) * inner + (c.error if c else 0)
        scope.emit(kind, [a, b, c], [result(FLOAT, (rows, columns), bound, error)], **attributes)
        return
    a = scope.read([FLOAT, *((INT32,) if scope.opset >= 9 and kind == "MatMul" else ())], rank=2, filled=True, bound=16)
    b = scope.read([a.type], shape=(a.shape[1], scope.random.randint(1, 3)), bound=16)
    bound, error = a.bound * b.bound * a.shape[1], (a.error * b.bound + b.error * a.bound + a.error * b.error) * a.shape[1]
    given = result(a.type, (a.shape[0], b.shape[1]), bound, error)
    if kind == "Einsum":
        scope.emit(kind, [a, b], [given], equation="ij,jk->ik")
    else:
        scope.emit(kind, [a, b], [given])


@makes(1)
def images(scope: Scope):
    channels, height, width = scope.random.randint(1, 3), scope.random.randint(3, 5), scope.random.randint(3, 5)
    value = scope.read([FLOAT], shape=(scope.random.randint(1, 2), channels, height, width), bound=16)
    batch = value.shape[0]
    kind = scope.choice(["Conv", "Conv", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "BatchNormalization", "InstanceNormalization", "LRN", "Dropout"])
    if kind == "Conv":
        out = scope.random.randint(1, 3)
        kernel = scope.read([FLOAT], shape=(out, channels, 2, 3), exact=True, bound=4)
        bias = scope.read([FLOAT], shape=(out,)) if scope.chance(0.5) else None
        attributes, pads = {}, (0, 0)
        if scope.chance(0.5):
            attributes["pads"], pads = [1, 0, 1, 0], (2, 0)
        bound, error = value.bound * kernel.bound * channels * 6 + (bias.bound if bias else 0), value.error * kernel.bound * channels * 6 + (bias.error if bias else 0)
        scope.emit(kind, [value, kernel, bias], [result(FLOAT, (batch, out, height + pads[0] - 1, width + pads[1] - 2), bound, error)], **attributes)
    elif kind in ("MaxPool", "AveragePool"):
        results = [result(FLOAT, (batch, channels, height - 1, width - 1), value.bound, value.error, exact=kind == "MaxPool")]
        scope.emit(kind, [value], results, kernel_shape=[2, 2])
    elif kind.startswith("Global"):
        scope.emit(kind, [value], [result(FLOAT, (batch, channels, 1, 1), value.bound, value.error, exact=kind == "GlobalMaxPool")])
    elif kind == "BatchNormalization":
        scale, bias, mean = (scope.read([FLOAT], shape=(channels,), bound=16) for _ in range(3))
        variance = scope.constant((scope.drawing.arrays.integers(1, 9, channels) / 4).astype(np.float32))
        bound, error = (value.bound + mean.bound) * 2 * scale.bound + bias.bound, (value.error + mean.error) * 2 * scale.bound + 2 * scale.error * (value.bound + mean.bound) + bias.error
        scope.emit(kind, [value, scale, bias, mean, variance], [result(FLOAT, value.shape, bound, error)])
    elif kind == "InstanceNormalization":
        scale, bias = (scope.read([FLOAT], shape=(channels,), bound=16) for _ in range(2))
        bound, error = 5 * scale.bound + bias.bound, 8 * value.error * scale.bound + 5 * scale.error + bias.error
        scope.emit(kind, [value, scale, bias], [result(FLOAT, value.shape, bound, error)], epsilon=0.25)
    elif kind == "LRN":
        scope.emit(kind, [value], [like(value, slope=2)], size=3)
    else:
        mask = scope.chance(0.3) and scope.opset >= 10
        results = [moved(value, value.shape), result(BOOL, value.shape) if mask else None]
        scope.emit("Dropout", [value], results[: 1 + mask], **({"ratio": 0.5} if scope.opset < 12 and scope.chance(0.5) else {}))


@makes(0.7)
def normalization(scope: Scope):
    kind = scope.choice(["LayerNormalization", "RMSNormalization", "MeanVarianceNormalization", "LpNormalization", "GroupNormalization"])
    if kind == "MeanVarianceNormalization":
        value = scope.read([FLOAT], shape=(2, 2, 3, 3), exact=True)
        # Elements that are all equal are divided by nearly nothing.
        noise = scope.constant((scope.drawing.arrays.permutation(36).reshape(2, 2, 3, 3) * 4).astype(np.float32))
        value = scope.emit("Add", [value, noise], [result(FLOAT, value.shape, value.bound + 144, exact=True)])[0]
        # Written out though it is the default, which onnx's own check of its function cannot do without.
        scope.emit(kind, [value], [result(FLOAT, value.shape, 8)], axes=[0, 2, 3])
        return
    if kind == "LpNormalization":
        value = scope.read([FLOAT], least_rank=1, filled=True, exact=True)
        one = scope.constant(np.array(0.25, np.float32))
        value = scope.emit("Abs", [value], [moved(value, value.shape)])[0]
        value = scope.emit("Add", [value, one], [like(value, bound=value.bound + 0.25, exact=True)])[0]
        scope.emit(kind, [value], [like(value, bound=1)], **({"axis": axis_of(scope, len(value.shape)), "p": scope.choice([1, 2])} if scope.chance(0.7) else {}))
        return
    if kind == "GroupNormalization":
        value = scope.read([FLOAT], shape=(2, 4, 3))
        scale, bias = (scope.read([FLOAT], shape=(4 if scope.opset >= 21 else 2,), bound=16) for _ in range(2))
        scope.emit(kind, [value, scale, bias], [result(FLOAT, value.shape, 5 * scale.bound + bias.bound, 8 * value.error * scale.bound + 5 * scale.error + bias.error)], num_groups=2, epsilon=0.25)
        return
    value = scope.read([FLOAT], least_rank=1, filled=True)
    axis = axis_of(scope, len(value.shape))
    shape = value.shape[axis % len(value.shape) :]
    scale, bias = scope.read([FLOAT], shape=shape, bound=16), scope.read([FLOAT], shape=shape) if scope.chance(0.5) and kind == "LayerNormalization" else None
    bound = math.sqrt(np.prod(shape)) * max(scale.bound, 1) + (bias.bound if bias else 0)
    error = 8 * value.error * scale.bound + math.sqrt(np.prod(shape)) * scale.error + (bias.error if bias else 0)
    scope.emit(kind, [value, scale, bias], [result(FLOAT, value.shape, bound, error)], axis=axis, epsilon=0.25)


@makes(0.7)
def resize(scope: Scope):
    value = scope.read([FLOAT], shape=(1, scope.random.randint(1, 2), 3, 2))
    shape = (*value.shape[:2], 6, 4)
    scales = np.array([1, 1, 2, 2], np.float32)
    mode = scope.choice(["nearest", "linear"])
    given = result(FLOAT, shape, value.bound, value.error, exact=mode == "nearest")
    if scope.opset < 9:
        scope.emit("Upsample", [value], [given], mode=mode, scales=scales.tolist())
    elif scope.opset < 10:
        scope.emit("Upsample", [value, scope.constant(scales)], [given], mode=mode)
    elif scope.opset < 11:
        scope.emit("Resize", [value, scope.constant(scales)], [given], mode=mode)
    elif scope.chance(0.5):  # roi, and scales, are left out or empty before sizes
        nothing = None if scope.opset >= 13 else scope.constant(np.zeros(0, np.float32))
        scope.emit("Resize", [value, nothing, nothing, ints(scope, shape)], [given], mode=mode, **({"coordinate_transformation_mode": "asymmetric"} if scope.chance(0.5) else {}))
    else:
        roi = None if scope.opset >= 13 else scope.constant(np.zeros(0, np.float32))
        scope.emit("Resize", [value, roi, scope.constant(scales)], [given], mode=mode)


@makes(0.7)
def quantization(scope: Scope):
    if scope.opset < 10:
        raise Unfit("QuantizeLinear")
    value = scope.read([FLOAT], exact=True, bound=30)
    element_type = scope.choice([UINT8, INT8])
    scale = scope.constant(np.array(0.25, np.float32))
    zero = scope.constant(np.array(3, helper.tensor_dtype_to_np_dtype(element_type)))
    if element_type == UINT8 and scope.chance(0.3):
        zero = None
    quantized = scope.emit("QuantizeLinear", [value, scale, zero], [result(element_type, value.shape)])[0]
    if scope.chance(0.7):
        scope.emit("DequantizeLinear", [quantized, scale, zero], [result(FLOAT, value.shape, 64, exact=True)])


@makes(0.3)
def small_types(scope: Scope):
    """Types that only constants have: four bits, eight bits of float, 16 bits of brain float."""
    T = onnx.TensorProto
    types = [BFLOAT16] * (scope.opset >= 13) + [T.FLOAT8E4M3FN, T.FLOAT8E5M2] * (scope.opset >= 19) + [T.INT4, T.UINT4] * (scope.opset >= 21)
    if not types:
        raise Unfit("types of later opsets")
    element_type = scope.choice(types)
    shape = (scope.random.randint(1, 5),)
    array = scope.drawing.arrays.integers(0, 4, shape)
    tensor = helper.make_tensor("value", element_type, shape, array.astype(np.float32))
    if scope.drawing.ir_version < {T.FLOAT8E4M3FN: 9, T.FLOAT8E5M2: 9, T.INT4: 10, T.UINT4: 10}.get(element_type, 4):
        raise Unfit("types of later versions")
    value = scope.emit("Constant", [], [Value("", element_type, shape)], value=tensor)[0]
    if scope.chance(0.3):
        value = scope.emit("Identity", [value], [value])[0]
    scope.emit("Cast", [value], [Value("", FLOAT, shape, 4.0)], to=FLOAT)
