# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators that work on elements one by one."""
from __future__ import annotations

import math

import numpy as np
from onnx import helper

from drawn_graphs import BFLOAT16, BOOL, DOUBLE, EPSILON, FEEDABLE, FLOAT, FLOAT16, FLOATS, INT16, INT32, INT64, INT8, SIGNED, STRING, Scope, UINT64, UINT8, UNSIGNED, Unfit, Value, exists
from random_operators.making import ANY, INTEGERS, NUMBERS, broadcast, like, makes, moved, pair, result, together


@makes(2)
def unary_exact(scope: Scope):
    op_type = scope.choice(["Neg", "Abs", "Relu", "Identity", "Identity", "Sign", "Floor", "Ceil", "Round"])
    types = {"Identity": ANY, "Neg": NUMBERS, "Abs": (*NUMBERS, INT8, UINT8), "Sign": NUMBERS if scope.opset >= 9 else ()}.get(op_type, FLOATS)
    value = scope.read(types, exact=op_type in ("Sign", "Floor", "Ceil", "Round"))
    bound = {"Sign": 1.0, "Floor": value.bound + 1, "Ceil": value.bound + 1, "Round": value.bound + 1}.get(op_type, value.bound)
    moves = op_type in ("Neg", "Abs", "Relu", "Identity")
    scope.emit(op_type, [value], [moved(value, value.shape) if moves else like(value, bound=bound, exact=True)])


SMOOTH = {
    "Tanh": {}, "Sigmoid": {}, "Sin": {}, "Cos": {}, "Softplus": {}, "Softsign": {}, "Erf": {}, "Atan": {}, "HardSwish": {}, "Mish": {}, "Asinh": {},
    "Elu": {"alpha": 0.5}, "Selu": {}, "LeakyRelu": {"alpha": 0.25}, "HardSigmoid": {"alpha": 0.25, "beta": 0.5}, "Gelu": {"approximate": "tanh"}, "Celu": {"alpha": 0.5},
}  # fmt: skip


@makes(2)
def unary_smooth(scope: Scope):
    op_type = scope.choice(list(SMOOTH))
    value = scope.read([FLOAT, FLOAT16] if scope.chance(0.3) and op_type != "Celu" else [FLOAT])
    attributes = {name: given for name, given in SMOOTH[op_type].items() if scope.chance(0.6)}
    scope.emit(op_type, [value], [like(value, bound=1.1 * value.bound + 2, slope=2)], **attributes)


@makes(0.5)
def unary_steep(scope: Scope):
    op_type = scope.choice(["Exp", "Sinh", "Cosh"])
    if op_type != "Exp" and scope.opset < 9:
        raise Unfit(op_type)
    value = scope.read([FLOAT], bound=4.5)
    steepest = math.exp(value.bound)
    scope.emit(op_type, [value], [like(value, bound=steepest, slope=steepest)])


@makes(0.5)
def roots_and_logarithms(scope: Scope):
    value = scope.read([FLOAT, DOUBLE], exact=True)
    size = scope.emit("Abs", [value], [moved(value, value.shape)])[0]
    if scope.chance(0.5):
        scope.emit("Sqrt", [size], [like(size)])
        return
    one = scope.constant(np.array(1, helper.tensor_dtype_to_np_dtype(value.type)))
    more = scope.emit("Add", [size, one], [like(size, bound=size.bound + 1, exact=True)])[0]
    scope.emit(scope.choice(["Log", "Reciprocal"]), [more], [like(more)])


@makes(3)
def binary(scope: Scope):
    op_type = scope.choice(["Add", "Sub", "Mul"])
    one, other = pair(scope, (*NUMBERS, *((INT8, UINT8) if scope.opset >= 14 else ())))
    if op_type == "Mul":
        bound, error = one.bound * other.bound, one.error * other.bound + other.error * one.bound + one.error * other.error
        scope.emit(op_type, [one, other], [result(one.type, together(one, other), bound, error)])
    else:
        scope.emit(op_type, [one, other], [result(one.type, together(one, other), one.bound + other.bound, one.error + other.error, exact=True)])


@makes(0.7)
def division(scope: Scope):
    one = scope.read([FLOAT, DOUBLE, INT32, INT64])
    dtype = helper.tensor_dtype_to_np_dtype(one.type)
    divisor = scope.constant(scope.drawing.arrays.integers(1, 5, broadcast(scope, one.shape)).astype(dtype))
    if one.type in INTEGERS:  # rounding of negative ones is the runtime's own affair
        one = scope.emit("Abs", [one], [moved(one, one.shape)])[0]
    scope.emit("Div", [one, divisor], [like(one)])


@makes(0.5)
def power(scope: Scope):
    base = scope.read([FLOAT, DOUBLE], bound=20)
    exponent = scope.random.choice([2, 3])
    array = np.array(exponent, helper.tensor_dtype_to_np_dtype(base.type if scope.opset < 12 else scope.choice([base.type, INT32, INT64])))
    scope.emit("Pow", [base, scope.constant(array)], [like(base, bound=max(base.bound, 1) ** exponent, slope=exponent * max(base.bound, 1) ** (exponent - 1))])


@makes(1.5)
def variadic(scope: Scope):
    op_type = scope.choice(["Max", "Min", "Sum", "Mean"])
    integers = (INT32, INT64) if op_type in ("Max", "Min") and scope.opset >= 12 else ()
    values = [scope.read([FLOAT, DOUBLE, *integers] if op_type in ("Max", "Min") and scope.opset >= 8 else [FLOAT])]
    for _ in range(scope.random.randint(0, 3)):
        shape = values[0].shape if scope.opset < 8 else broadcast(scope, values[0].shape)
        values.append(scope.choice(values) if scope.chance(0.2) and scope.opset >= 8 else scope.read([values[0].type], shape=shape))
    scope.random.shuffle(values)
    bounds, errors = [value.bound for value in values], [value.error for value in values]
    if op_type in ("Max", "Min"):
        scope.emit(op_type, values, [result(values[0].type, together(*values), max(bounds), max(errors), exact=True)])
    else:
        scope.emit(op_type, values, [result(values[0].type, together(*values), sum(bounds), sum(errors), exact=op_type == "Sum")])


@makes(1.5)
def comparison(scope: Scope):
    op_type = scope.choice(["Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual"])
    if op_type == "Equal":
        types = [INT32, INT64, BOOL] + ([FLOAT, DOUBLE] if scope.opset >= 11 else []) + ([STRING] if scope.opset >= 19 else [])
    else:
        types = [FLOAT, DOUBLE, FLOAT16] + (list(INTEGERS) if scope.opset >= 9 else [])
    one, other = pair(scope, types, exact=True)
    scope.emit(op_type, [one, other], [result(BOOL, together(one, other))])


@makes(1)
def logic(scope: Scope):
    op_type = scope.choice(["And", "Or", "Xor", "Not", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", "BitShift"])
    if op_type == "BitShift":
        one = scope.read([UINT8, UINT64])
        by = scope.constant(np.array(1, helper.tensor_dtype_to_np_dtype(one.type)))
        scope.emit(op_type, [one, by], [moved(one, one.shape)], direction=scope.choice(["LEFT", "RIGHT"]))
        return
    types = [INT32, UINT8, INT8] if op_type.startswith("Bitwise") else [BOOL]
    one, other = pair(scope, types)
    if op_type.endswith("Not"):
        scope.emit(op_type, [one], [moved(one, one.shape)])
    else:
        scope.emit(op_type, [one, other], [result(one.type, together(one, other))])


@makes(1)
def where(scope: Scope):
    one, other = pair(scope, [FLOAT, INT64, UINT8, DOUBLE, STRING])
    condition = scope.read([BOOL], shape=broadcast(scope, together(one, other)))
    shape = together(condition, one, other)
    scope.emit("Where", [condition, one, other], [Value("", one.type, shape, max(one.bound, other.bound), max(one.error, other.error))])


@makes(2)
def cast(scope: Scope):
    to = scope.choice([FLOAT, FLOAT, DOUBLE, FLOAT16, INT8, INT32, INT64, UINT8, BOOL, STRING, BFLOAT16, INT16])
    to_integer = to in SIGNED or to in UNSIGNED or to == BOOL
    value = scope.read([BOOL, UINT8] if to in UNSIGNED else [INT32, INT64, INT8] if to == STRING else (*FLOATS, INT8, INT32, INT64, BOOL, UINT8), exact=to_integer, bound=100)
    if to == STRING and scope.opset < 9 or to == BFLOAT16 and scope.opset < 13:
        raise Unfit("no such Cast")
    if to not in EPSILON:
        given = result(to, value.shape)
    elif value.type in EPSILON:
        given = result(to, value.shape, value.bound, value.error, exact=True)
    elif value.type in (BOOL,) or all(entry is not value for entry in scope.values) or value.type in (INT8, UINT8):
        # Integers may be large where arithmetic made them.
        if value.type not in (BOOL, INT8, UINT8) or to in (FLOAT16, BFLOAT16) and value.type != BOOL:
            raise Unfit("perhaps large")
        given = result(to, value.shape, 1 if value.type == BOOL else 255, exact=True)
    else:
        raise Unfit("perhaps large")
    if exists("CastLike", scope.opset) and to != STRING and scope.chance(0.3):
        scope.emit("CastLike", [value, scope.read([to]) if to in FEEDABLE else scope.constant(scope.drawing.array(to, ()), to)], [given])
    else:
        scope.emit("Cast", [value], [given], to=to)


@makes(1.5)
def clip(scope: Scope):
    """With a limit left out: in front, behind, or both."""
    integers = INTEGERS if scope.opset >= 12 else ()
    value = scope.read([FLOAT, *((DOUBLE,) if scope.opset >= 12 else ()), *integers])
    low, high = scope.chance(0.5), scope.chance(0.6)
    if scope.opset < 11:
        if value.type != FLOAT:
            raise Unfit("Clip takes floats")
        scope.emit("Clip", [value], [like(value, bound=max(value.bound, 1.5), exact=True)], **({"min": -0.5} if low else {}), **({"max": 1.5} if high else {}))
        return
    dtype = helper.tensor_dtype_to_np_dtype(value.type)
    limits = [scope.constant(np.array(limit, dtype)) if given else None for limit, given in ((-1, low), (2, high))]
    scope.emit("Clip", [value, *limits], [like(value, bound=max(value.bound, 2), exact=True)])


@makes(0.7)
def elementwise_others(scope: Scope):
    op_type = scope.choice(["PRelu", "Shrink", "ThresholdedRelu", "Mod", "IsNaN", "IsInf"])
    if op_type == "PRelu":
        value = scope.read([FLOAT])
        slope = scope.read([FLOAT], shape=broadcast(scope, value.shape), exact=True)
        scope.emit(op_type, [value, slope], [result(FLOAT, value.shape, value.bound * max(slope.bound, 1), value.error * max(slope.bound, 1))])
    elif op_type == "Shrink":
        value = scope.read([FLOAT, INT32], exact=True)
        scope.emit(op_type, [value], [like(value, bound=value.bound + 1, exact=True)], lambd=0.5, **({"bias": 0.25} if value.type == FLOAT and scope.chance(0.5) else {}))
    elif op_type == "ThresholdedRelu":
        if scope.opset < 10:
            raise Unfit(op_type)
        value = scope.read([FLOAT], exact=True)
        scope.emit(op_type, [value], [moved(value, value.shape)], alpha=0.5)
    elif op_type == "Mod":
        value = scope.read([INT32, INT64])
        divisor = scope.constant(np.array(3, helper.tensor_dtype_to_np_dtype(value.type)))
        scope.emit(op_type, [value, divisor], [moved(value, value.shape)], **({"fmod": 1} if scope.chance(0.3) else {}))
    else:
        value = scope.read([FLOAT, DOUBLE] if op_type == "IsInf" else [FLOAT, FLOAT16])
        scope.emit(op_type, [value], [result(BOOL, value.shape)])
