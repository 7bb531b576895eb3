"""The nodes of random models: one function for each family of operators, which reads values of a graph, adds nodes, and knows type, shape, bound and error of what they give.

The types are those for which ONNX Runtime has kernels. What a function cannot make where it is, it says with Unfit, and another one is drawn.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import onnx
from onnx import helper, parser

from drawn_graphs import (
    BFLOAT16, BOOL, DOUBLE, EPSILON, FEEDABLE, FLOAT, FLOAT16, FLOATS, INT8, INT16, INT32, INT64, SIGNED, STRING, UINT8, UINT64, UNSIGNED,
    Function, FunctionScope, Scope, Unfit, Value, exists,
)  # fmt: skip

Maker = Callable[[Scope], object]
MAKERS: list[Maker] = []
WEIGHTS: list[float] = []

INTEGERS = (INT32, INT64)
NUMBERS = (FLOAT, FLOAT, FLOAT, DOUBLE, FLOAT16, INT32, INT64)
# Moving elements is defined for all types.
ANY = (FLOAT, FLOAT, FLOAT, INT64, *FEEDABLE)
# Of a float type, larger numbers lose what the comparison is about.
LARGEST = {FLOAT: 1e4, DOUBLE: 1e6, FLOAT16: 500.0, BFLOAT16: 60.0}


def makes(weight: float = 1.0) -> Callable[[Maker], Maker]:
    def register(maker: Maker) -> Maker:
        MAKERS.append(maker)
        WEIGHTS.append(weight)
        return maker

    return register


def some_node(scope: Scope) -> None:
    """One node more, or a few."""
    for _ in range(20):
        maker = scope.random.choices(MAKERS, WEIGHTS)[0]
        try:
            maker(scope)
            return
        except Unfit:
            continue


def some_nodes(scope: Scope, most: int) -> None:
    for _ in range(scope.random.randint(1, most)):
        if scope.drawing.nodes_left <= 0:
            return
        scope.drawing.nodes_left -= 1
        some_node(scope)


def result(element_type: int, shape: Sequence[int], bound: float = 0.0, error: float = 0.0, exact: bool = False) -> Value:
    """What an operator gives whose inputs' errors add up to `error`. `exact`: it makes multiples of 1/4 of multiples of 1/4."""
    shape = tuple(shape)
    if element_type not in EPSILON:
        return Value("", element_type, shape)
    if bound > LARGEST[element_type]:
        raise Unfit("too large")
    if exact and error == 0 and bound * 8 < 1 / EPSILON[element_type]:
        return Value("", element_type, shape, bound)
    # Each operator rounds a few times on its way, and a rule may round at other places.
    error += 16 * EPSILON[element_type] * max(bound, 1)
    if error > 0.05 * max(bound, 1):
        raise Unfit("rounding would be larger than the values")
    return Value("", element_type, shape, bound, error)


def like(value: Value, *, bound: float | None = None, slope: float = 1.0, exact: bool = False, shape: Sequence[int] | None = None) -> Value:
    """Of the type of an input, whose errors it makes `slope` times as large."""
    return result(value.type, value.shape if shape is None else shape, value.bound if bound is None else bound, value.error * slope, exact)


def moved(value: Value, shape: Sequence[int]) -> Value:
    """The same elements, or some of them."""
    return Value("", value.type, tuple(shape), value.bound, value.error)


def axis_of(scope: Scope, rank: int) -> int:
    return scope.random.randint(-rank, rank - 1)


def some_axes(scope: Scope, rank: int, least: int = 1) -> list[int]:
    axes = scope.random.sample(range(rank), scope.random.randint(least, rank))
    return [axis - rank if scope.chance(0.3) else axis for axis in axes]


def ints(scope: Scope, numbers: Sequence[int]) -> Value:
    return scope.constant(np.array(numbers, np.int64))


def broadcast(scope: Scope, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that goes together with another one and does not change it."""
    kept = shape[scope.random.randint(0, len(shape)) :] if scope.chance(0.4) else shape
    return tuple(1 if length != 0 and scope.chance(0.25) else length for length in kept)


def pair(scope: Scope, types: Sequence[int], **conditions) -> tuple[Value, Value]:
    """Two tensors of one type whose shapes go together, in either order; sometimes the same one twice."""
    one = scope.read(types, **conditions)
    if scope.chance(0.1):
        return one, one
    other = scope.read([one.type], shape=broadcast(scope, one.shape), **{key: value for key, value in conditions.items() if key in ("exact", "bound")})
    return (one, other) if scope.chance(0.7) else (other, one)


def together(*values: Value) -> tuple[int, ...]:
    return tuple(np.broadcast_shapes(*(value.shape for value in values)))


# --- elements one by one


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


# --- shapes and places


def with_axes(scope: Scope, op_type: str, value: Value, axes: list[int], given: Value, since: int, **attributes) -> None:
    """Axes are an attribute before that opset, and an input from it on."""
    if scope.opset < since:
        scope.emit(op_type, [value], [given], axes=[axis % len(given.shape if op_type == "Unsqueeze" else value.shape) for axis in axes], **attributes)
    else:
        scope.emit(op_type, [value, ints(scope, axes)], [given], **attributes)


@makes(1.5)
def reshape(scope: Scope):
    value = scope.read(ANY, filled=True)
    factors = [value.size]
    for _ in range(scope.random.randint(0, 2)):
        last = factors.pop()
        divisor = scope.choice([number for number in range(1, last + 1) if last % number == 0])
        factors += [divisor, last // divisor]
    target = list(factors)
    if scope.chance(0.4):
        target[scope.random.randrange(len(target))] = -1
    elif value.shape and scope.chance(0.4) and value.shape[0] == factors[0]:
        target[0] = 0
    scope.emit("Reshape", [value, ints(scope, target)], [moved(value, factors)])


@makes(1)
def reshape_by_shape(scope: Scope):
    """To the shape of another tensor, which no constant says."""
    value = scope.read(ANY)
    flat = scope.emit("Reshape", [value, ints(scope, [-1])], [moved(value, [value.size])])[0] if value.size else value
    shape = scope.emit("Shape", [value], [result(INT64, [len(value.shape)])])[0]
    if flat is not value:
        scope.emit("Reshape", [flat, shape], [moved(value, value.shape)])


@makes(1)
def flatten(scope: Scope):
    value = scope.read(ANY if scope.opset >= 9 else [FLOAT], least_rank=1)
    axis = scope.random.randint(0, len(value.shape))
    shape = (int(np.prod(value.shape[:axis])), int(np.prod(value.shape[axis:])))
    scope.emit("Flatten", [value], [moved(value, shape)], axis=axis - len(value.shape) if scope.opset >= 11 and axis < len(value.shape) and scope.chance(0.3) else axis)


@makes(1)
def transpose(scope: Scope):
    value = scope.read(ANY)
    order = scope.random.sample(range(len(value.shape)), len(value.shape))
    if scope.chance(0.3):
        scope.emit("Transpose", [value], [moved(value, value.shape[::-1])])
    else:
        scope.emit("Transpose", [value], [moved(value, [value.shape[axis] for axis in order])], perm=order)


@makes(1)
def squeeze(scope: Scope):
    value = scope.read(ANY)
    if scope.chance(0.5):
        rank = len(value.shape) + scope.random.randint(1, 2)
        axes = scope.random.sample(range(rank), rank - len(value.shape))
        lengths = iter(value.shape)
        shape = [1 if axis in axes else next(lengths) for axis in range(rank)]
        if scope.opset >= 11 and scope.chance(0.3):
            axes = [axis - rank for axis in axes]
        with_axes(scope, "Unsqueeze", value, axes, moved(value, shape), 13)
        return
    ones = [axis for axis, length in enumerate(value.shape) if length == 1]
    if not ones or scope.chance(0.2):
        scope.emit("Squeeze", [value], [moved(value, [length for length in value.shape if length != 1])])
        return
    axes = scope.random.sample(ones, scope.random.randint(1, len(ones)))
    with_axes(scope, "Squeeze", value, axes, moved(value, [length for axis, length in enumerate(value.shape) if axis not in axes]), 13)


@makes(0.7)
def expand(scope: Scope):
    value = scope.read([FLOAT, DOUBLE, INT32, INT64, BOOL, STRING])
    if scope.opset < 8:
        raise Unfit("Expand")
    shape = [scope.random.randint(2, 3) if length == 1 and scope.chance(0.5) else length for length in value.shape]
    if scope.chance(0.3):
        shape = [scope.random.randint(1, 2), *shape]
    scope.emit("Expand", [value, ints(scope, [1 if length == given and scope.chance(0.3) else length for length, given in zip(shape, [-1] * (len(shape) - len(value.shape)) + list(value.shape))])], [moved(value, shape)])


@makes(0.7)
def tile(scope: Scope):
    value = scope.read([FLOAT, INT32, INT64, BOOL], least_rank=1)
    repeats = [scope.random.randint(1, 2) for _ in value.shape]
    scope.emit("Tile", [value, ints(scope, repeats)], [moved(value, np.multiply(value.shape, repeats).tolist())])


@makes(1.5)
def concat(scope: Scope):
    values = [scope.read(ANY, least_rank=1)]
    axis = axis_of(scope, len(values[0].shape))
    for _ in range(scope.random.randint(0, 2)):
        shape = list(values[0].shape)
        if scope.chance(0.3):
            shape[axis] = scope.random.randint(1, 3)
        values.append(scope.choice(values) if scope.chance(0.2) else scope.read([values[0].type], shape=tuple(shape)))
    shape = list(values[0].shape)
    shape[axis] = sum(value.shape[axis] for value in values)
    scope.emit("Concat", values, [Value("", values[0].type, tuple(shape), max(value.bound for value in values), max(value.error for value in values))], axis=axis if scope.opset >= 11 else axis % len(shape))


@makes(1.5)
def split(scope: Scope):
    value = scope.read([FLOAT, INT32, INT64, STRING, BOOL], least_rank=1, filled=True)
    axis = axis_of(scope, len(value.shape))
    length = value.shape[axis]
    attributes: dict[str, object] = {"axis": axis if scope.opset >= 11 else axis % len(value.shape)}
    inputs = [value]
    if scope.chance(0.5) or scope.opset < 18:
        cut = scope.random.randint(0 if scope.opset >= 13 else 1, length)
        parts = [cut, length - cut] if 0 < cut < length or scope.opset >= 13 else [length]
        if scope.opset >= 13:
            inputs.append(ints(scope, parts))
        else:
            attributes["split"] = parts
    else:
        count = scope.random.randint(1, length)
        size = -(-length // count)
        parts = [min(size, length - start) for start in range(0, length, size)]
        if len(parts) != count:
            raise Unfit("uneven")
        attributes["num_outputs"] = count
    shapes = [[part if index == axis % len(value.shape) else number for index, number in enumerate(value.shape)] for part in parts]
    scope.emit("Split", inputs, [moved(value, shape) for shape in shapes], **attributes)


@makes(1.5)
def slice_(scope: Scope):
    """Often with axes left out before steps."""
    value = scope.read([FLOAT, DOUBLE, INT32, INT64, STRING, BOOL, FLOAT16], least_rank=1)
    rank = len(value.shape)
    axes = list(range(scope.random.randint(1, rank)))
    slices = [scope.choice([(0, 2, 1), (1, 100, 1), (-2, 100, 1), (0, -1, 1), (None, None, 2), (-1, -100, -1), (3, 0, -2)]) for _ in axes]
    if scope.opset < 10:
        slices = [(one[0], one[1], 1) if one[0] is not None and one[2] == 1 else (0, 100, 1) for one in slices]
    slices = [(0 if one[0] is None else one[0], 2**31 if one[1] is None else one[1], one[2]) for one in slices]
    shape = np.empty(value.shape)[tuple(slice(start, stop, step) for start, stop, step in slices)].shape
    starts, ends, steps = map(list, zip(*slices))
    if scope.opset < 10:
        scope.emit("Slice", [value], [moved(value, shape)], starts=starts, ends=ends, **({"axes": axes} if scope.chance(0.5) else {}))
        return
    dtype = scope.choice([np.int64, np.int32]) if max(ends) < 2**31 else np.int64
    inputs = [scope.constant(np.array(starts, dtype)), scope.constant(np.array(ends, dtype))]
    inputs.append(scope.constant(np.array([axis - rank if scope.chance(0.3) else axis for axis in axes], dtype)) if scope.chance(0.5) else None)
    inputs.append(scope.constant(np.array(steps, dtype)) if any(step != 1 for step in steps) or scope.chance(0.3) else None)
    scope.emit("Slice", [value, *inputs], [moved(value, shape)])


@makes(1.5)
def gather(scope: Scope):
    value = scope.read(ANY, least_rank=1, filled=True)
    axis = axis_of(scope, len(value.shape))
    shape = scope.drawing.shape(2)
    lowest = -value.shape[axis] if scope.opset >= 11 else 0
    indices = scope.constant(scope.drawing.arrays.integers(lowest, value.shape[axis], shape).astype(scope.choice([np.int64, np.int32])))
    whole = axis % len(value.shape)
    scope.emit("Gather", [value, indices], [moved(value, value.shape[:whole] + shape + value.shape[whole + 1 :])], axis=axis if scope.opset >= 11 else whole)


@makes(1)
def gather_elements(scope: Scope):
    value = scope.read([FLOAT, INT64, DOUBLE, STRING, BOOL], least_rank=1, filled=True)
    axis = axis_of(scope, len(value.shape))
    indices = scope.constant(scope.drawing.arrays.integers(0, value.shape[axis], value.shape).astype(np.int64))
    op_type = scope.choice(["GatherElements", "ScatterElements", "Scatter"])
    if op_type == "GatherElements":
        scope.emit(op_type, [value, indices], [moved(value, value.shape)], axis=axis)
        return
    # Each place is written once, so that the order makes no difference.
    order = np.argsort(scope.drawing.arrays.random(value.shape), axis=axis).astype(np.int64)
    updates = scope.read([value.type], shape=value.shape)
    scope.emit(op_type, [value, scope.constant(order), updates], [Value("", value.type, value.shape, max(value.bound, updates.bound), max(value.error, updates.error))], axis=axis if scope.opset >= 11 else axis % len(value.shape))


@makes(0.7)
def gather_nd(scope: Scope):
    value = scope.read([FLOAT, INT64], least_rank=1, filled=True)
    depth = scope.random.randint(1, len(value.shape))
    count = scope.random.randint(1, 3)
    places = np.stack([scope.drawing.arrays.integers(0, value.shape[axis], count) for axis in range(depth)], axis=1).astype(np.int64)
    if scope.chance(0.5):
        scope.emit("GatherND", [value, scope.constant(places)], [moved(value, (count, *value.shape[depth:]))])
        return
    places = np.unique(places, axis=0)
    updates = scope.read([value.type], shape=(len(places), *value.shape[depth:]))
    scope.emit("ScatterND", [value, scope.constant(places), updates], [Value("", value.type, value.shape, max(value.bound, updates.bound), max(value.error, updates.error))])


@makes(1)
def pad(scope: Scope):
    """With the value left out before axes."""
    value = scope.read([FLOAT, DOUBLE, *(INTEGERS if scope.opset >= 11 else ())], least_rank=1, filled=True)
    rank = len(value.shape)
    mode = scope.choice(["constant", "constant", "edge", "reflect"])
    before, after = ([scope.random.randint(0, 2) if length > 2 or mode != "reflect" else 0 for length in value.shape] for _ in range(2))
    given = moved(value, [low + length + high for low, length, high in zip(before, value.shape, after)])
    attributes = {} if mode == "constant" and scope.chance(0.5) else {"mode": mode}
    if scope.opset < 11:
        scope.emit("Pad", [value], [given], pads=before + after, **attributes)
        return
    dtype = helper.tensor_dtype_to_np_dtype(value.type)
    filler = scope.constant(np.array(1, dtype)) if mode == "constant" and scope.chance(0.5) else None
    given = Value("", value.type, given.shape, max(value.bound, 1), value.error)
    if scope.opset >= 18 and scope.chance(0.4):
        axes = scope.random.sample(range(rank), rank)
        scope.emit("Pad", [value, ints(scope, [before[axis] for axis in axes] + [after[axis] for axis in axes]), filler, ints(scope, axes)], [given], **attributes)
    else:
        scope.emit("Pad", [value, ints(scope, before + after), filler], [given], **attributes)


@makes(1)
def what_shapes_say(scope: Scope):
    value = scope.read(ANY)
    rank = len(value.shape)
    kind = scope.choice(["Shape", "Size", "ConstantOfShape", "EyeLike"])
    if kind == "Size":
        scope.emit("Size", [value], [result(INT64, ())])
    elif kind == "EyeLike":
        matrix = scope.read([FLOAT, INT32, INT64], rank=2)
        scope.emit("EyeLike", [matrix], [Value("", matrix.type, matrix.shape, 1.0)], **({"k": 1} if scope.chance(0.3) else {}))
    elif scope.opset >= 15 and scope.chance(0.4):
        start, end = axis_of(scope, max(rank, 1)), axis_of(scope, max(rank, 1))
        scope.emit("Shape", [value], [result(INT64, [len(value.shape[start:end])])], start=start, end=end)
    else:
        shape = scope.emit("Shape", [value], [result(INT64, [rank])])[0]
        if kind == "ConstantOfShape" and scope.opset >= 9:
            element_type = scope.choice([FLOAT, INT64, BOOL, DOUBLE])
            filler = helper.make_tensor("value", element_type, [1], [1])
            if scope.chance(0.3):
                scope.emit(kind, [shape], [Value("", FLOAT, value.shape)])
            else:
                scope.emit(kind, [shape], [Value("", element_type, value.shape, 1.0 if element_type in EPSILON else 0.0)], value=filler)


@makes(0.5)
def ranges(scope: Scope):
    count = scope.random.randint(0, 4)
    element_type = scope.choice([FLOAT, INT64, INT32])
    dtype = helper.tensor_dtype_to_np_dtype(element_type)
    numbers = [scope.constant(np.array(number, dtype)) for number in (0, count, 1)]
    scope.emit("Range", numbers, [Value("", element_type, (count,), float(count) if element_type == FLOAT else 0.0)])


@makes(0.5)
def one_hot(scope: Scope):
    indices = scope.constant(scope.drawing.arrays.integers(-3 if scope.opset >= 11 else 0, 3, scope.drawing.shape(2) or (2,)).astype(np.int64))
    axis = scope.random.randint(-1, len(indices.shape))
    shape = list(indices.shape)
    shape.insert(len(shape) if axis == -1 else axis, 3)
    scope.emit("OneHot", [indices, ints(scope, [3]), scope.constant(np.array([0, 1.5], np.float32))], [Value("", FLOAT, tuple(shape), 1.5)], axis=axis)


@makes(0.7)
def ordering(scope: Scope):
    """Elements that differ, since which of equal ones comes first is the runtime's own affair."""
    shape = tuple(max(length, 1) for length in scope.drawing.shape()) or (3,)
    distinct = scope.drawing.arrays.permutation(int(np.prod(shape))).reshape(shape)
    value = scope.constant((distinct / 4).astype(np.float32))
    axis = axis_of(scope, len(shape))
    kind = scope.choice(["TopK", "ArgMax", "ArgMin"])
    if kind == "TopK":
        count = scope.random.randint(1, shape[axis])
        whole = [count if index == axis % len(shape) else length for index, length in enumerate(shape)]
        results = [moved(value, whole), result(INT64, whole)]
        attributes = {"largest": 0} if scope.opset >= 11 and scope.chance(0.4) else {}
        axis = axis if scope.opset >= 11 else axis % len(shape)
        if scope.opset < 10:
            scope.emit(kind, [value], results, axis=axis, k=count)
        else:
            scope.emit(kind, [value, ints(scope, [count])], results, axis=axis, **attributes)
        return
    keep = scope.chance(0.5)
    whole = [1 if index == axis % len(shape) else length for index, length in enumerate(shape) if keep or index != axis % len(shape)]
    scope.emit(kind, [value], [result(INT64, whole)], axis=axis if scope.opset >= 11 else axis % len(shape), **({} if keep and scope.chance(0.5) else {"keepdims": int(keep)}))


@makes(0.7)
def along_an_axis(scope: Scope):
    kind = scope.choice(["CumSum", "Trilu", "ReverseSequence", "Compress", "NonZero"])
    if kind == "CumSum":
        value = scope.read([FLOAT, INT64, INT32, DOUBLE], least_rank=1)
        length = max(value.shape)
        scope.emit(kind, [value, scope.constant(np.array(axis_of(scope, len(value.shape)), scope.choice([np.int64, np.int32])))], [like(value, bound=value.bound * length, slope=length, exact=True)], **{name: 1 for name in ("exclusive", "reverse") if scope.chance(0.4)})
    elif kind == "Trilu":
        value = scope.read([FLOAT, INT64, DOUBLE, BOOL], least_rank=2)
        inputs = [value] + ([scope.constant(np.array(scope.random.randint(-2, 2), np.int64))] if scope.chance(0.5) else [])
        scope.emit(kind, inputs, [moved(value, value.shape)], **({"upper": 0} if scope.chance(0.5) else {}))
    elif kind == "ReverseSequence":
        value = scope.read([FLOAT, INT64], least_rank=2, filled=True)
        lengths = scope.drawing.arrays.integers(0, value.shape[0] + 1, value.shape[1]).astype(np.int64)
        scope.emit(kind, [value, scope.constant(lengths)], [moved(value, value.shape)], **({"time_axis": 0, "batch_axis": 1} if scope.chance(0.5) else {}))
    elif kind == "Compress":
        value = scope.read([FLOAT, INT64, STRING], least_rank=1, filled=True)
        axis = axis_of(scope, len(value.shape))
        kept = scope.drawing.arrays.integers(0, 2, value.shape[axis]).astype(bool)
        shape = [int(kept.sum()) if index == axis % len(value.shape) else length for index, length in enumerate(value.shape)]
        scope.emit(kind, [value, scope.constant(kept)], [moved(value, shape)], axis=axis if scope.opset >= 11 else axis % len(value.shape))
    else:
        array = scope.drawing.array(FLOAT, scope.drawing.shape(2) or (2,))
        scope.emit(kind, [scope.constant(array)], [result(INT64, np.array(np.nonzero(array)).shape)])


@makes(0.5)
def blocks(scope: Scope):
    if scope.chance(0.5):
        value = scope.read([FLOAT], shape=(1, 4, 2, 2))
        scope.emit("DepthToSpace", [value], [moved(value, (1, 1, 4, 4))], blocksize=2, **({"mode": scope.choice(["DCR", "CRD"])} if scope.opset >= 11 and scope.chance(0.6) else {}))
    else:
        value = scope.read([FLOAT], shape=(1, 1, 4, 2))
        scope.emit("SpaceToDepth", [value], [moved(value, (1, 4, 2, 1))], blocksize=2)


# --- sums


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


# --- text, lists, and what may not be there


@makes(0.5)
def text(scope: Scope):
    kind = scope.choice(["StringConcat", "StringNormalizer", "RegexFullMatch"])
    if kind == "StringConcat":
        one, other = pair(scope, [STRING])
        scope.emit(kind, [one, other], [result(STRING, together(one, other))])
    elif kind == "StringNormalizer":
        if scope.opset < 10:
            raise Unfit(kind)
        value = scope.read([STRING], rank=1, filled=True)
        scope.emit(kind, [value], [moved(value, value.shape)], case_change_action=scope.choice(["UPPER", "LOWER"]), is_case_sensitive=1, locale="C")
    else:
        value = scope.read([STRING])
        scope.emit(kind, [value], [result(BOOL, value.shape)], pattern="a.*")


@makes(0.3)
def list_from_outside(scope: Scope):
    """A sequence that is an input of the model."""
    if scope.opset < 11 or scope.function is not None:
        raise Unfit("sequences")
    scope.drawing.list_input(scope.choice([FLOAT, INT64]))


def sequence_of(value: Value, items: int) -> Value:
    return Value("", value.type, value.shape, value.bound, value.error, items)


@makes(1)
def sequences(scope: Scope):
    if scope.opset < 11:
        raise Unfit("sequences")
    kind = scope.choice(["SequenceConstruct", "SequenceAt", "SequenceAt", "SequenceInsert", "SequenceErase", "SequenceLength", "ConcatFromSequence", "SplitToSequence", "SequenceEmpty", "Identity"])
    if kind == "SequenceConstruct":
        first = scope.read([FLOAT, INT64, STRING])
        values = [first] + [scope.read([first.type], shape=first.shape) for _ in range(scope.random.randint(0, 2))]
        whole = Value("", first.type, first.shape, max(value.bound for value in values), max(value.error for value in values))
        scope.emit(kind, values, [sequence_of(whole, len(values))])
        return
    if kind == "SplitToSequence":
        value = scope.read([FLOAT, INT64], least_rank=1, filled=True)
        axis = axis_of(scope, len(value.shape))
        keep = scope.chance(0.5)
        whole = axis % len(value.shape)
        shape = value.shape[:whole] + ((1,) if keep else ()) + value.shape[whole + 1 :]
        scope.emit(kind, [value], [sequence_of(moved(value, shape), value.shape[axis])], axis=axis, **({} if keep and scope.chance(0.5) else {"keepdims": int(keep)}))
        return
    if kind == "SequenceEmpty":
        item = scope.read([FLOAT, INT64])
        empty = scope.emit(kind, [], [sequence_of(item, 0)], **({"dtype": item.type} if item.type != FLOAT or scope.chance(0.5) else {}))[0]
        scope.emit("SequenceInsert", [empty, item], [sequence_of(item, 1)])
        return
    value = scope.read_sequence()
    item = Value("", value.type, value.shape, value.bound, value.error)
    items = value.items or 0
    if kind == "SequenceLength":
        scope.emit(kind, [value], [result(INT64, ())])
    elif kind == "SequenceInsert":
        added = scope.read([value.type], shape=value.shape)
        place = [scope.constant(np.array(scope.random.randint(-items, items), scope.choice([np.int64, np.int32])))] if scope.chance(0.6) else []
        scope.emit(kind, [value, added, *place], [Value("", value.type, value.shape, max(value.bound, added.bound), max(value.error, added.error), items + 1)])
    elif kind == "Identity":
        if scope.opset < 14:
            raise Unfit("Identity of a sequence")
        scope.emit(kind, [value], [value])
    elif items == 0:
        raise Unfit("an empty sequence")
    elif kind == "SequenceAt":
        scope.emit(kind, [value, scope.constant(np.array(scope.random.randint(-items, items - 1), np.int64))], [item])
    elif kind == "SequenceErase":
        place = [scope.constant(np.array(scope.random.randint(0, items - 1), np.int64))] if scope.chance(0.6) else []
        scope.emit(kind, [value, *place], [sequence_of(item, items - 1)])
    else:
        new_axis = int(scope.chance(0.5)) if item.shape else 1
        shape = list(item.shape)
        if new_axis:
            shape.insert(0, items)
        else:
            shape[0] *= items
        scope.emit(kind, [value], [moved(item, shape)], axis=0, **({"new_axis": 1} if new_axis else {}))


@makes(0.3)
def sequence_map(scope: Scope):
    """A function of the standard with a graph for an attribute."""
    if not exists("SequenceMap", scope.opset) or scope.function is not None and scope.drawing.ir_version < 8:
        raise Unfit("SequenceMap")
    value = scope.read_sequence()
    if value.type not in EPSILON or not value.items:
        raise Unfit("other lists")
    with scope.graph_inside() as inside:
        item = Value(inside.fresh(), value.type, value.shape, value.bound, value.error)
        inside.values.append(item)
        other = inside.read([value.type], shape=broadcast(scope, value.shape)) if scope.chance(0.5) else item
        made = inside.emit("Add", [item, other], [result(value.type, value.shape, item.bound + other.bound, item.error + other.error, exact=True)])[0]
    scope.emit("SequenceMap", [value], [sequence_of(made, value.items)], body=inside.graph("body", [item], [made]))


@makes(0.4)
def optionals(scope: Scope):
    if scope.opset < 15:
        raise Unfit("Optional")
    value = scope.read([FLOAT, INT64])
    optional = scope.emit("Optional", [value], [Value("", value.type, value.shape, value.bound, value.error, is_optional=True)])[0]
    if scope.chance(0.7):
        scope.emit("OptionalGetElement", [optional], [moved(value, value.shape)])
    if scope.chance(0.5):
        scope.emit("OptionalHasElement", [optional], [result(BOOL, ())])


# --- graphs inside


def inner_nodes(scope: Scope) -> None:
    some_nodes(scope, 3)


def result_of(inside: Scope, wanted: Value | None, types: Sequence[int] = FEEDABLE) -> Value:
    """What a graph inside gives: a value of its own, of the type and shape that are wanted."""
    own = [value for value in inside.values if value.is_tensor and value.type in types and any(value.name in node.output for node in inside.nodes)]
    if wanted is None:
        if own and inside.chance(0.9):
            return inside.choice(own)
        return inside.own(inside.read(types))
    fitting = [value for value in own if (value.type, value.shape) == (wanted.type, wanted.shape)]
    if fitting:
        return inside.choice(fitting)
    value = inside.read([wanted.type], shape=wanted.shape)
    return inside.own(value)


def truth(scope: Scope) -> Value:
    if scope.chance(0.3):
        return scope.constant(np.array(scope.chance(0.5)))
    value = scope.read([BOOL], shape=())
    return value


@makes(2.5)
def conditional(scope: Scope):
    if scope.depth > 3:
        raise Unfit("deep enough")
    condition = truth(scope)
    graphs, results = [], []
    wanted: list[Value | None] = [None] * scope.random.choice([1, 1, 1, 2])
    used = set(scope.used)
    inner: set[str] = set()
    for branch in ("then_branch", "else_branch"):
        scope.used = set(used)  # the branches do not see each other, and may have the same names
        with scope.graph_inside() as inside:
            inner_nodes(inside)
            given = [result_of(inside, one) for one in wanted]
            if len({value.name for value in given}) < len(given):
                given = [inside.own(value) for value in given]
            graphs.append(inside.graph(branch, [], given))
        inner |= scope.used
        results.append(given)
        wanted = list(given)
    scope.used = inner
    given = [Value("", one.type, one.shape, max(one.bound, other.bound), max(one.error, other.error)) for one, other in zip(*results)]
    scope.emit("If", [condition], given, then_branch=graphs[0], else_branch=graphs[1])


@makes(1.5)
def loop(scope: Scope):
    """Trips and condition are each there or not; values are carried, captured, and collected."""
    if scope.depth > 3 or scope.opset < 8 and scope.function:
        raise Unfit("deep enough")
    trips = scope.random.randint(1, 3)
    carried = [scope.read([FLOAT, INT64, DOUBLE]) for _ in range(scope.random.randint(0 if scope.opset >= 11 else 1, 2))]
    with_condition = scope.chance(0.5)
    condition = scope.constant(np.array(True)) if with_condition else None
    with scope.graph_inside() as inside:
        iteration, going = Value(inside.fresh(), INT64, ()), Value(inside.fresh(), BOOL, ())
        # Each time round, rounding adds up.
        parameters = [Value(inside.fresh(), value.type, value.shape, value.bound * 2**trips + trips, value.error * 4**trips) for value in carried]
        inside.values += [iteration, going, *parameters]
        inner_nodes(inside)
        still = inside.emit("Identity", [going], [going])[0]
        given = []
        for value, parameter in zip(carried, parameters):
            if value.type in EPSILON:
                fitting = [one for one in inside.values if one.is_tensor and (one.type, one.shape) == (value.type, value.shape) and one.bound <= parameter.bound and one.error <= parameter.error and one is not parameter]
                given.append(inside.own(inside.choice(fitting) if fitting else parameter))
            else:
                given.append(inside.own(result_of(inside, value)))
        collected = [inside.own(result_of(inside, None, [FLOAT, INT64, BOOL])) for _ in range(scope.random.randint(0 if carried else 1, 1))]
        graph = inside.graph("body", [iteration, going, *parameters], [still, *given, *collected])
    results = [Value("", value.type, value.shape, parameter.bound, parameter.error) for value, parameter in zip(carried, parameters)]
    results += [Value("", value.type, (trips, *value.shape), value.bound, value.error) for value in collected]
    # None of them is left out: ONNX Runtime 1.31 crashes on that.
    count = scope.constant(np.array(trips, np.int64))
    scope.emit("Loop", [count, condition, *carried], results, least_inputs=2, body=graph)


@makes(0.5)
def loop_over_a_list(scope: Scope):
    """A sequence that grows with each trip."""
    if scope.opset < 13 or scope.depth > 3:
        raise Unfit("sequences")
    value = scope.read_sequence()
    trips = scope.random.randint(1, 3)
    with scope.graph_inside() as inside:
        iteration, going = Value(inside.fresh(), INT64, ()), Value(inside.fresh(), BOOL, ())
        carried = value.named(inside.fresh())
        inside.values += [iteration, going]
        inner_nodes(inside)
        added = inside.read([value.type], shape=value.shape)
        still = inside.emit("Identity", [going], [going])[0]
        longer = inside.emit("SequenceInsert", [carried, added], [value])[0]
        graph = inside.graph("body", [iteration, going, carried], [still, longer])
    given = Value("", value.type, value.shape, max(value.bound, added.bound), max(value.error, added.error), (value.items or 0) + trips)
    scope.emit("Loop", [scope.constant(np.array(trips, np.int64)), None, value], [given], body=graph)


@makes(0.7)
def scan(scope: Scope):
    if scope.opset < 9 or scope.depth > 3:
        raise Unfit("Scan")
    value = scope.read([FLOAT, INT64], least_rank=1, filled=True)
    state = scope.read([value.type], shape=value.shape[1:], exact=True)
    length = value.shape[0]
    with scope.graph_inside() as inside:
        before, item = (Value(inside.fresh(), value.type, value.shape[1:], bound, value.error) for bound in (state.bound + length * value.bound, value.bound))
        inside.values += [before, item]
        inner_nodes(inside)
        after = inside.emit("Add", [before, item], [Value("", value.type, value.shape[1:], before.bound, 0)])[0]
        each = inside.own(result_of(inside, None, [FLOAT, INT64]))
        graph = inside.graph("body", [before, item], [after, each], ranked=True)
    if value.error or state.bound + length * value.bound > 1e3:
        raise Unfit("rounding adds up")
    scope.emit(
        "Scan",
        [state, value],
        [Value("", value.type, value.shape[1:], state.bound + length * value.bound), Value("", each.type, (length, *each.shape), each.bound, each.error)],
        body=graph,
        num_scan_inputs=1,
        **({"scan_input_directions": [1]} if scope.chance(0.3) else {}),
    )


# --- functions of the model


FUNCTION_NAMES = [("local", "F"), ("local", "G"), ("pkg.onnxscript.torch_lib", "aten_add"), ("custom", "my_function"), ("local", "Relu"), ("custom", "my_add"), ("custom", "F")]


@makes(5)
def call(scope: Scope):
    drawing = scope.drawing
    if drawing.ir_version < 8 or scope.depth > 3:
        raise Unfit("functions")
    fitting = []
    for function in drawing.functions:
        # A function's own opset says what it can call; it may not come to call itself.
        if scope.function is not None and function.level >= 3:
            continue
        arguments = [best_argument(scope, parameter) for parameter in function.parameters]
        if all(arguments):
            fitting.append((function, arguments))
    if fitting and scope.chance(0.5):
        function, arguments = scope.choice(fitting)
    else:
        function, arguments = new_function(scope)
    attributes = {}
    defaults = {attribute.name for attribute in function.proto.attribute_proto}
    for name, given in function.attributes.items():
        if name not in defaults or scope.chance(0.5):
            attributes[name] = given
    results: list[Value | None] = list(function.results)
    if len(results) > 1 and scope.chance(0.3):
        results[scope.random.randrange(len(results))] = None
    if scope.function is not None:
        scope.function.level = max(scope.function.level, function.level + 1)
    scope.emit(function.proto.name, arguments, results, function.proto.domain, function.proto.overload, **attributes)


def best_argument(scope: Scope, parameter: Value) -> Value | None:
    kind = lambda value: (value.type, value.shape, value.items, value.is_optional)
    found = [value for value in scope.visible() if kind(value) == kind(parameter) and value.bound <= parameter.bound and value.error <= parameter.error]
    return scope.choice(found) if found else None


def new_function(scope: Scope) -> tuple[Function, list[Value]]:
    drawing = scope.drawing
    if len(drawing.functions) > 5:
        raise Unfit("functions enough")
    arguments = [scope.read_sequence() if scope.chance(0.05) else scope.read(ANY) for _ in range(scope.random.randint(0, 3))]
    domain, name = scope.choice(FUNCTION_NAMES)
    overload = scope.choice(["", "", "one", "two"]) if drawing.ir_version >= 10 else ""
    if (domain, name, overload) in drawing.function_keys or domain == "custom" and name == "my_add" and drawing.custom:
        raise Unfit("taken")
    drawing.function_keys.add((domain, name, overload))
    opset = drawing.opset if scope.chance(0.6) else scope.random.randint(max(7, drawing.opset - 4), min(26, drawing.opset + 3))
    body = FunctionScope(drawing, opset, arguments)
    some_nodes(body, 4)
    own = [value for value in body.values if value not in body.parameters and not value.is_optional]
    if not own:
        own = [body.emit("Identity", [value], [value])[0] for value in [body.read(ANY)]]
    outputs = scope.random.sample(own, scope.random.randint(1, min(3, len(own))))
    proto = helper.make_function(
        domain,
        name,
        [value.name for value in body.parameters],
        [value.name for value in outputs],
        body.nodes,
        [helper.make_opsetid("", opset), *(helper.make_opsetid(one, 1) for one in sorted(body.domains - {""}))],
        doc_string=scope.choice(["", "said"]),
    )
    if overload:
        proto.overload = overload
    for given in body.attributes.values():
        # Defaults came with IR version 9.
        if drawing.ir_version >= 9 and scope.chance(0.4):
            proto.attribute_proto.append(given)
        else:
            proto.attribute.append(given.name)
    function = Function(proto, body.parameters, outputs, dict(body.attributes), body.level)
    drawing.functions.append(function)
    return function, arguments


@makes(0.5)
def call_with_absent_inputs(scope: Scope):
    """Limits that the call leaves out, and the body hands on to an operator that can do without."""
    drawing = scope.drawing
    if drawing.ir_version < 8 or scope.opset < 12 or ("local", "Limits", "") in drawing.function_keys:
        raise Unfit("functions")
    drawing.function_keys.add(("local", "Limits", ""))
    proto = parser.parse_function(f'<domain: "local", opset_import: ["" : {scope.opset}]> Limits (x, low, high) => (y, z) {{ y = Clip (x, low, high)  t = Neg (x)  z = Clip (t, , high) }}')
    drawing.functions.append(Function(proto, [Value("none of this", onnx.TensorProto.UNDEFINED, ())], [], {}, 0))
    for _ in range(scope.random.randint(1, 2)):
        value = scope.read([FLOAT])
        limits = [scope.constant(np.array(limit, np.float32)) if scope.chance(0.5) else None for limit in (-1, 2)]
        given = like(value, bound=max(value.bound, 2), exact=True)
        scope.emit("Limits", [value, *limits], [given, given], "local")


# --- operators that other domains define


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
