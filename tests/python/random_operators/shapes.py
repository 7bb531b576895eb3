# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators that move elements, and such as read or make shapes."""
from __future__ import annotations

import numpy as np
from onnx import helper

from drawn_graphs import BOOL, DOUBLE, EPSILON, FLOAT, FLOAT16, INT32, INT64, STRING, Scope, Unfit, Value
from random_operators.making import ANY, INTEGERS, axis_of, ints, like, makes, moved, result


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
