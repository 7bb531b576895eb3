# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--fold: what is known before the model runs becomes constants, with the numbers that the operators are defined to give; and an If whose condition is known its branch."""
from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import runtimes
import tool
from model_checks import all_nodes

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
SIGNED = [np.int8, np.int16, np.int32, np.int64]
NUMBERS = [np.int32, np.int64, np.uint8, np.float32, np.float64]
ANY = [*INTEGERS, np.bool_, np.float16, np.float32, np.float64]


def model_of(nodes: Iterable[onnx.NodeProto], outputs: Sequence[tuple[str, int, Any]], *, inputs: Sequence[Any] = (), initializers: dict[str, np.ndarray] | None = None, opset: int = 21, **more: Any) -> onnx.ModelProto:
    """`inputs` and `outputs`: name, element type, shape."""
    graph = helper.make_graph(
        list(nodes), "g", [helper.make_tensor_value_info(*each) for each in inputs], [helper.make_tensor_value_info(*each) for each in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in (initializers or {}).items()],
    )
    imports = more.pop("imports", [])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), *imports], ir_version=more.pop("ir_version", min(10, helper.OP_SET_ID_VERSION_MAP.get(("ai.onnx", opset), 3))), **more)


def fold(model: onnx.ModelProto, *arguments: str) -> onnx.ModelProto:
    return onnx.load_model_from_string(tool.lowered(model.SerializeToString(), ["--fold", *arguments]))


def report_of(model: onnx.ModelProto, folder: pathlib.Path, *arguments: str) -> dict:
    result = tool.run(["-", "-o", folder / "out.onnx", "--report", folder / "report.json", *arguments], stdin=model.SerializeToString())
    assert result.status == tool.DONE, str(result)
    return json.loads((folder / "report.json").read_text())


def operators(model: onnx.ModelProto) -> list[str]:
    return [node.op_type for node in all_nodes(model)]


def constants(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    found = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            found[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    return found


def assert_same(got: np.ndarray, expected: np.ndarray) -> None:
    assert got.dtype == expected.dtype and got.shape == expected.shape, (got.dtype, got.shape, expected.dtype, expected.shape)
    assert got.tobytes() == np.ascontiguousarray(expected).tobytes(), (got, expected)


# ------------------------------------------------------------------ each operator, against NumPy


@dataclasses.dataclass
class Computed:
    op: str
    inputs: list[np.ndarray | None]
    expected: Sequence[np.ndarray]
    opset: int = 21
    attributes: dict[str, Any] = dataclasses.field(default_factory=dict)


class Draw:
    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def one(self, choices: Sequence[Any]) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def shape(self, least: int = 0, most: int = 3, empty: bool = False) -> tuple[int, ...]:
        return tuple(int(size) for size in self.rng.integers(0 if empty else 1, 5, int(self.rng.integers(least, most + 1))))

    def array(self, dtype: Any, shape: tuple[int, ...]) -> np.ndarray:
        if dtype == np.bool_:
            return self.rng.integers(0, 2, shape).astype(np.bool_)
        if np.issubdtype(dtype, np.integer):
            info = np.iinfo(dtype)
            wide = self.rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
            near = self.rng.integers(max(info.min, -5), 6, shape).astype(dtype)
            return np.asarray(np.where(self.rng.integers(0, 2, shape) == 0, wide, near), dtype)
        return np.asarray(self.rng.integers(-6, 7, shape), dtype) / dtype(2)

    def broadcastable(self, count: int) -> list[tuple[int, ...]]:
        """Shapes that are broadcast to each other."""
        whole = self.shape(0, 3)
        shapes = []
        for _ in range(count):
            shape = [size if self.rng.integers(4) else 1 for size in whole]
            shapes.append(tuple(shape[int(self.rng.integers(len(shape) + 1)) :] if self.rng.integers(3) == 0 else shape))
        return shapes

    def axis(self, rank: int) -> int:
        return int(self.rng.integers(-rank, rank))

    def axes(self, rank: int) -> list[int]:
        chosen = self.rng.permutation(rank)[: int(self.rng.integers(1, rank + 1))]
        return [int(axis) - (rank if self.rng.integers(2) else 0) for axis in chosen]


def truncated_quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    a, b = np.broadcast_arrays(a, b)
    signs = [-1 if (int(x) < 0) != (int(y) < 0) else 1 for x, y in zip(a.flat, b.flat)]
    quotients = [sign * (abs(int(x)) // abs(int(y))) for sign, x, y in zip(signs, a.flat, b.flat)]
    return np.array(quotients, dtype=object).reshape(a.shape).astype(a.dtype)


def nonzero(array: np.ndarray) -> np.ndarray:
    """Without 0, and without -1, whose quotient of the least integer no type holds."""
    return np.where((array == 0) | (array == array.dtype.type(np.array(-1).astype(array.dtype))), array.dtype.type(3), array)


def binary(op: str, dtypes: Sequence[Any], compute: Callable[[np.ndarray, np.ndarray], Any], result: Any = None, *, divides: bool = False, **attributes: Any) -> Callable[[Draw], Computed]:
    def draw(d: Draw) -> Computed:
        dtype = d.one(dtypes)
        shapes = d.broadcastable(2)
        a, b = (d.array(dtype, shape) for shape in shapes)
        if divides:
            b = np.asarray(nonzero(b), dtype)
        with np.errstate(all="ignore"):
            expected = np.asarray(compute(a, b)).astype(result or dtype)
        return Computed(op, [a, b], [expected], attributes=dict(attributes))

    return draw


def unary(op: str, dtypes: Sequence[Any], compute: Callable[[np.ndarray], Any], result: Any = None) -> Callable[[Draw], Computed]:
    def draw(d: Draw) -> Computed:
        dtype = d.one(dtypes)
        array = d.array(dtype, d.shape(empty=True))
        with np.errstate(all="ignore"):
            return Computed(op, [array], [np.asarray(compute(array)).astype(result or dtype)])

    return draw


def draw_cast(d: Draw) -> Computed:
    source, to = d.one([*INTEGERS, np.bool_, np.float32, np.float64]), d.one([*INTEGERS, np.bool_, np.float32, np.float64])
    array = d.array(source, d.shape())
    if np.issubdtype(source, np.floating) and np.issubdtype(to, np.unsignedinteger):
        array = np.abs(array)
    opset = d.one([5, 13, 21])
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(to))
    with np.errstate(all="ignore"):
        return Computed("Cast", [array], [array.astype(to)], opset, {"to": TensorProto.DataType.Name(kind) if opset == 5 else kind})


def draw_cast_of_halves(d: Draw) -> Computed:
    """Where a half holds the number, it is the same in both types."""
    other = d.one([np.int32, np.int64, np.float32, np.float64])
    array = d.array(np.float16, d.shape()) * np.float16(d.one([1, 64, 512]))
    array = np.trunc(array) if np.issubdtype(other, np.integer) else array
    source, to = (np.float16, other) if d.rng.integers(2) else (other, np.float16)
    return Computed("Cast", [array.astype(source)], [array.astype(source).astype(to)], d.one([6, 13, 21]), {"to": helper.np_dtype_to_tensor_dtype(np.dtype(to))})


def draw_where(d: Draw) -> Computed:
    shapes, dtype = d.broadcastable(3), d.one(ANY)
    condition, x, y = d.array(np.bool_, shapes[0]), d.array(dtype, shapes[1]), d.array(dtype, shapes[2])
    return Computed("Where", [condition, x, y], [np.where(condition, x, y)])


def draw_clip(d: Draw) -> Computed:
    dtype = d.one(INTEGERS)
    array, low, high = d.array(dtype, d.shape()), d.array(dtype, ()), d.array(dtype, ())
    low, high = (None if d.rng.integers(3) == 0 else bound for bound in (low, high))
    expected = array if low is None else np.maximum(array, low)
    return Computed("Clip", [array, low, high], [expected if high is None else np.minimum(expected, high)])


def draw_extreme(d: Draw) -> Computed:
    op, compute = d.one([("Min", np.minimum), ("Max", np.maximum)])
    dtype = d.one(INTEGERS)
    arrays = [d.array(dtype, shape) for shape in d.broadcastable(int(d.rng.integers(1, 4)))]
    expected = arrays[0]
    for array in arrays[1:]:
        expected = compute(expected, array)
    return Computed(op, arrays, [expected])


def draw_pow(d: Draw) -> Computed:
    base, exponent = d.rng.integers(-9, 10, d.shape()).astype(np.int64), np.asarray(d.rng.integers(0, 8), np.int64)
    return Computed("Pow", [base, exponent], [base**exponent])


def draw_shift(d: Draw) -> Computed:
    dtype = d.one([np.uint8, np.uint16, np.uint32, np.uint64])
    a = d.array(dtype, d.shape())
    b = d.rng.integers(0, dtype().itemsize * 8, a.shape).astype(dtype)
    left = bool(d.rng.integers(2))
    return Computed("BitShift", [a, b], [np.asarray(a << b if left else a >> b, dtype)], attributes={"direction": "LEFT" if left else "RIGHT"})


def draw_reshape(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 3))
    shape = [int(size) for size in d.rng.permutation(array.shape)]
    if d.rng.integers(2):
        shape[int(d.rng.integers(len(shape)))] = -1
    elif shape[0] == array.shape[0]:
        shape[0] = 0
    expected = array.reshape([array.shape[0] if size == 0 else size for size in shape])
    if d.rng.integers(4) == 0:
        return Computed("Reshape", [array], [expected], 4, {"shape": shape})
    return Computed("Reshape", [array, np.array(shape, np.int64)], [expected], d.one([5, 13, 21]))


def draw_reshape_to_nothing(d: Draw) -> Computed:
    array = d.array(np.int64, (0, 3))
    return Computed("Reshape", [array, np.array([3, 0], np.int64)], [array.reshape(3, 0)], 14, {"allowzero": 1})


def with_axes(op: str, array: np.ndarray, axes: list[int], expected: np.ndarray, d: Draw) -> Computed:
    if d.rng.integers(2):
        return Computed(op, [array, np.array(axes, np.int64)], [expected], d.one([13, 21]))
    return Computed(op, [array], [expected], 11, {"axes": axes})


def draw_squeeze(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 2) + (1,) + d.shape(0, 1) + (1,))
    if d.rng.integers(3) == 0:
        return Computed("Squeeze", [array], [np.squeeze(array)], d.one([11, 13, 21]))
    ones = [axis for axis, size in enumerate(array.shape) if size == 1]
    axes = [axis - (array.ndim if d.rng.integers(2) else 0) for axis in ones if d.rng.integers(2)] or [ones[0]]
    return with_axes("Squeeze", array, axes, np.squeeze(array, tuple(axes)), d)


def draw_unsqueeze(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(0, 2))
    rank = array.ndim + int(d.rng.integers(1, 3))
    axes = [int(axis) - (rank if d.rng.integers(2) else 0) for axis in d.rng.permutation(rank)[: rank - array.ndim]]
    return with_axes("Unsqueeze", array, axes, np.expand_dims(array, tuple(axes)), d)


def draw_flatten(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 3))
    axis = int(d.rng.integers(-array.ndim, array.ndim + 1))
    return Computed("Flatten", [array], [array.reshape(int(np.prod(array.shape[:axis] if axis else ())), -1)], 21, {"axis": axis})


def draw_transpose(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 3, empty=True))
    if d.rng.integers(3) == 0:
        return Computed("Transpose", [array], [array.T], d.one([1, 13, 21]))
    perm = [int(axis) for axis in d.rng.permutation(array.ndim)]
    return Computed("Transpose", [array], [array.transpose(perm)], d.one([1, 13, 21]), {"perm": perm})


def draw_slice(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 3))
    axes = d.axes(array.ndim)
    bounds = [-(2**63), -7, -3, -1, 0, 1, 2, 3, 9, 2**31 - 1, 2**63 - 1]
    starts, ends = ([d.one(bounds) for _ in axes] for _ in range(2))
    new = bool(d.rng.integers(3))
    steps = [d.one([-(2**62), -3, -2, -1, 1, 2, 3, 2**62]) if new else 1 for _ in axes]
    taken = [slice(None)] * array.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps):
        size = array.shape[axis]
        start, end = (bound + size if bound < 0 else bound for bound in (start, end))
        # As the operator is defined: bounds are clamped to what is there.
        start = min(max(start, 0), size if step > 0 else size - 1)
        end = min(max(end, 0), size) if step > 0 else min(max(end, -1), size - 1)
        indices = [index for index in range(size) if (index >= start and index < end if step > 0 else index <= start and index > end) and (index - start) % step == 0]
        taken[axis] = indices[::-1] if step < 0 else indices
    expected = array
    for axis, indices in enumerate(taken):
        if not isinstance(indices, slice):
            expected = np.take(expected, np.array(indices, np.int64), axis)
    if not new:
        axes = [axis % array.ndim for axis in axes]
        return Computed("Slice", [array], [expected], d.one([1, 9]), {"starts": starts, "ends": ends, "axes": axes})
    return Computed("Slice", [array, *(np.array(values, np.int64) for values in (starts, ends, axes, steps))], [expected], d.one([10, 13, 21]))


def draw_concat(d: Draw) -> Computed:
    dtype, shape = d.one(ANY), d.shape(1, 3)
    axis = d.axis(len(shape))
    arrays = []
    for _ in range(int(d.rng.integers(1, 4))):
        size = list(shape)
        size[axis] = int(d.rng.integers(0, 4))
        arrays.append(d.array(dtype, tuple(size)))
    return Computed("Concat", arrays, [np.concatenate(arrays, axis)], d.one([11, 13, 21]), {"axis": axis})


def draw_split(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 3))
    axis = d.axis(array.ndim)
    size = array.shape[axis]
    cut = int(d.rng.integers(0, size + 1))
    expected = np.split(array, [cut], axis)
    if d.rng.integers(2):
        return Computed("Split", [array, np.array([cut, size - cut], np.int64)], expected, d.one([13, 18, 21]), {"axis": axis})
    if d.rng.integers(2):
        return Computed("Split", [array], expected, 11, {"axis": axis, "split": [cut, size - cut]})
    first = -(-size // 2)
    return Computed("Split", [array], np.split(array, [first], axis), 18, {"axis": axis, "num_outputs": 2})


def draw_gather(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 3))
    axis = d.axis(array.ndim)
    size = array.shape[axis]
    indices = d.rng.integers(-size, size, d.shape(0, 2, empty=True)).astype(d.one([np.int32, np.int64]))
    return Computed("Gather", [array, indices], [np.take(array, indices, axis)], d.one([11, 13, 21]), {"axis": axis})


def draw_gather_elements(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 3))
    axis = d.axis(array.ndim)
    size = array.shape[axis]
    indices = d.rng.integers(-size, size, array.shape).astype(np.int64)
    return Computed("GatherElements", [array, indices], [np.take_along_axis(array, indices, axis)], d.one([11, 13, 21]), {"axis": axis})


def draw_expand(d: Draw) -> Computed:
    shapes = d.broadcastable(2)
    array = d.array(d.one(ANY), shapes[0])
    return Computed("Expand", [array, np.array(shapes[1], np.int64)], [np.broadcast_to(array, np.broadcast_shapes(*shapes))], d.one([8, 13, 21]))


def draw_triangle(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(0, 1) + d.shape(2, 2))
    upper = int(d.rng.integers(2))
    cut = np.triu if upper else np.tril
    if d.rng.integers(3) == 0:
        return Computed("Trilu", [array], [cut(array)], 14, {"upper": upper})
    k = d.one([-(2**63), -3, -2, -1, 0, 1, 2, 3, 2**63 - 1])
    return Computed("Trilu", [array, np.asarray(k, np.int64)], [cut(array, max(-9, min(9, k)))], d.one([14, 21]), {"upper": upper})


def draw_tile(d: Draw) -> Computed:
    array = d.array(d.one(ANY), d.shape(1, 2))
    repeats = d.rng.integers(0, 3, array.ndim).astype(np.int64)
    return Computed("Tile", [array, repeats], [np.tile(array, repeats)], d.one([6, 13, 21]))


def draw_range(d: Draw) -> Computed:
    dtype = d.one([np.int16, np.int32, np.int64, np.float32, np.float64])
    start, limit = (int(bound) for bound in d.rng.integers(-9, 10, 2))
    delta = d.one([-3, -2, -1, 1, 2, 3])
    return Computed("Range", [np.asarray(each, dtype) for each in (start, limit, delta)], [np.array(list(range(start, limit, delta)), dtype)], d.one([11, 21]))


def draw_constant_of_shape(d: Draw) -> Computed:
    shape = d.shape(0, 3, empty=True)
    if d.rng.integers(4) == 0:
        return Computed("ConstantOfShape", [np.array(shape, np.int64)], [np.zeros(shape, np.float32)], d.one([9, 21]))
    value = d.array(d.one(ANY), (1,))
    return Computed("ConstantOfShape", [np.array(shape, np.int64)], [np.full(shape, value[0])], d.one([9, 21]), {"value": numpy_helper.from_array(value)})


def draw_non_zero(d: Draw) -> Computed:
    array = d.array(d.one([np.bool_, np.int32, np.int64]), d.shape(1, 3, empty=True))
    return Computed("NonZero", [array], [np.stack(np.nonzero(array)).astype(np.int64)], d.one([9, 21]))


def draw_reduction(d: Draw) -> Computed:
    op, compute = d.one([("ReduceSum", np.sum), ("ReduceProd", np.prod), ("ReduceMin", np.min), ("ReduceMax", np.max)])
    dtype = d.one([np.int32, np.int64])
    array = d.array(dtype, d.shape(0, 3))
    keep = int(d.rng.integers(2))
    first = 13 if op == "ReduceSum" else 18
    kind = d.one(["attribute", "input", "all", "noop"])
    with np.errstate(all="ignore"):
        if kind == "all" or (array.ndim == 0 and kind != "noop"):
            return Computed(op, [array], [np.asarray(compute(array, keepdims=bool(keep)), dtype)], d.one([11, 13, 18, 21]), {"keepdims": keep})
        if kind == "noop":
            return Computed(op, [array], [array], d.one([18, 21]), {"keepdims": keep, "noop_with_empty_axes": 1})
        axes = d.axes(array.ndim)
        expected = np.asarray(compute(array, axis=tuple(axes), keepdims=bool(keep)), dtype)
    if kind == "attribute":
        return Computed(op, [array], [expected], first - 1 if first == 13 else d.one([11, 13, 17]), {"keepdims": keep, "axes": axes})
    return Computed(op, [array, np.array(axes, np.int64)], [expected], d.one([first, 21]), {"keepdims": keep})


FLOATS = [np.float32, np.float64]
SIZES_AND_SCALES = [1.0, 2.0, 3.0, 7.0, 13.0, 26.0, 224.0, 640.0, 0.5, 0.25, 1.5, 2.5, -2.5, 0.1, 1 / 3, 1e-3, 1e6, -7.0]


def floats(d: Draw, dtype: Any, shape: tuple[int, ...], *, least: float | None = None) -> np.ndarray:
    """Sizes and scales as exporters write them, and numbers of all magnitudes whose sums and products are finite, with all of their digits."""
    small = np.asarray([d.one(SIZES_AND_SCALES) for _ in range(int(np.prod(shape)))], dtype).reshape(shape)
    wide = np.asarray(d.rng.normal(size=shape) * 10.0 ** d.rng.integers(-12, 13, shape), dtype)
    drawn = np.asarray(np.where(d.rng.integers(0, 2, shape) == 0, small, wide), dtype)
    return drawn if least is None else np.asarray(np.abs(drawn) + dtype(least), dtype)


def of_floats(op: str, compute: Callable[..., Any], count: int, *, opsets: Sequence[int] = (21,), **attributes: Any) -> Callable[[Draw], Computed]:
    """NumPy rounds each of these operations once, as IEEE 754 says."""
    def draw(d: Draw) -> Computed:
        dtype = d.one(FLOATS)
        arrays = [floats(d, dtype, shape, least=1e-3 if op in ("Sqrt", "Mod") else None) for shape in d.broadcastable(count)]
        return Computed(op, list(arrays), [np.asarray(compute(*arrays), dtype)], d.one(opsets), dict(attributes))

    return draw


def draw_extreme_of_floats(d: Draw) -> Computed:
    op, compute = d.one([("Min", np.minimum), ("Max", np.maximum)])
    dtype, opset = d.one(FLOATS), d.one([6, 8, 11, 12, 21])
    shapes = d.broadcastable(int(d.rng.integers(1, 4)))
    arrays = [floats(d, dtype, shapes[0] if opset == 6 else shape) for shape in shapes]
    expected = arrays[0]
    for array in arrays[1:]:
        expected = compute(expected, array)
    return Computed(op, list(arrays), [expected], opset)


def draw_clip_of_floats(d: Draw) -> Computed:
    opset = d.one([6, 11, 12, 21])
    dtype = np.float32 if opset == 6 else d.one(FLOATS)
    array = floats(d, dtype, d.shape())
    low, high = (None if d.rng.integers(3) == 0 else dtype(bound) for bound in (-2.5, 100))
    expected = array if low is None else np.maximum(array, low)
    expected = expected if high is None else np.minimum(expected, high)
    if opset == 6:
        return Computed("Clip", [array], [expected], opset, {name: float(bound) for name, bound in (("min", low), ("max", high)) if bound is not None})
    return Computed("Clip", [array, *(None if bound is None else np.asarray(bound) for bound in (low, high))], [expected], opset)


def draw_pow_of_floats(d: Draw) -> Computed:
    dtype = d.one(FLOATS)
    base, exponent = np.asarray(d.rng.integers(1, 10, d.shape()), dtype), np.asarray(d.rng.integers(0, 7), dtype)
    return Computed("Pow", [base, exponent], [np.asarray(base**exponent, dtype)], d.one([7, 13, 21]))


def draw_reduction_of_floats(d: Draw) -> Computed:
    op, compute = d.one([("ReduceSum", np.sum), ("ReduceProd", np.prod), ("ReduceMin", np.min), ("ReduceMax", np.max)])
    dtype = d.one(FLOATS)
    shape = d.shape(1, 2)
    array = np.asarray(d.rng.integers(0, 9, shape), dtype) if op in ("ReduceSum", "ReduceProd") else floats(d, dtype, shape)
    # Each element of a product of as many is below 3, so that a float holds it.
    array = np.minimum(array, 2) if op == "ReduceProd" else array
    keep = int(d.rng.integers(2))
    return Computed(op, [array], [np.asarray(compute(array, keepdims=bool(keep)), dtype)], d.one([11, 13, 18]), {"keepdims": keep})


def draw_cumulative_sum(d: Draw) -> Computed:
    array = d.array(d.one([np.int32, np.int64]), d.shape(1, 3))
    axis = d.axis(array.ndim)
    exclusive, reverse = int(d.rng.integers(2)), int(d.rng.integers(2))
    turned = np.flip(array, axis) if reverse else array
    expected = np.cumsum(turned, axis, dtype=array.dtype)
    if exclusive:
        expected = expected - turned
    return Computed("CumSum", [array, np.asarray(axis, np.int64)], [np.flip(expected, axis) if reverse else expected], d.one([11, 14, 21]), {"exclusive": exclusive, "reverse": reverse})


DRAWS: dict[str, Callable[[Draw], Computed]] = {
    "Add": binary("Add", INTEGERS, np.add),
    "Sub": binary("Sub", INTEGERS, np.subtract),
    "Mul": binary("Mul", INTEGERS, np.multiply),
    "Div": binary("Div", INTEGERS, truncated_quotient, divides=True),
    "Mod": binary("Mod", INTEGERS, np.mod, divides=True),
    "Mod of C": binary("Mod", INTEGERS, np.fmod, divides=True, fmod=1),
    "Add of floats": of_floats("Add", np.add, 2, opsets=[7, 13, 21]),
    "Sub of floats": of_floats("Sub", np.subtract, 2, opsets=[7, 13, 21]),
    "Mul of floats": of_floats("Mul", np.multiply, 2, opsets=[7, 13, 21]),
    "Div of floats": of_floats("Div", np.divide, 2, opsets=[7, 13, 21]),
    "Mod of floats": of_floats("Mod", np.fmod, 2, opsets=[10, 21], fmod=1),
    "Floor": of_floats("Floor", np.floor, 1, opsets=[1, 6, 13]),
    "Ceil": of_floats("Ceil", np.ceil, 1, opsets=[1, 6, 13]),
    "Round": of_floats("Round", np.rint, 1, opsets=[11, 22]),
    "Sqrt": of_floats("Sqrt", np.sqrt, 1, opsets=[1, 6, 13]),
    "Reciprocal": of_floats("Reciprocal", lambda x: x.dtype.type(1) / x, 1, opsets=[1, 6, 13]),
    "Abs of floats": of_floats("Abs", np.abs, 1, opsets=[6, 13]),
    "Neg of floats": of_floats("Neg", np.negative, 1, opsets=[6, 13]),
    "Sign of floats": of_floats("Sign", np.sign, 1, opsets=[9, 13]),
    "Min and Max of floats": draw_extreme_of_floats,
    "Clip of floats": draw_clip_of_floats,
    "Pow of floats": draw_pow_of_floats,
    "Reductions of floats": draw_reduction_of_floats,
    "And": binary("And", [np.bool_], np.logical_and),
    "Or": binary("Or", [np.bool_], np.logical_or),
    "Xor": binary("Xor", [np.bool_], np.logical_xor),
    "BitwiseAnd": binary("BitwiseAnd", INTEGERS, np.bitwise_and),
    "BitwiseOr": binary("BitwiseOr", INTEGERS, np.bitwise_or),
    "BitwiseXor": binary("BitwiseXor", INTEGERS, np.bitwise_xor),
    "Equal": binary("Equal", [*INTEGERS, np.bool_, np.float32, np.float64], np.equal, np.bool_),
    "Less": binary("Less", [*INTEGERS, np.float32, np.float64], np.less, np.bool_),
    "Greater": binary("Greater", [*INTEGERS, np.float32, np.float64], np.greater, np.bool_),
    "LessOrEqual": binary("LessOrEqual", [*INTEGERS, np.float32, np.float64], np.less_equal, np.bool_),
    "GreaterOrEqual": binary("GreaterOrEqual", [*INTEGERS, np.float32, np.float64], np.greater_equal, np.bool_),
    "Abs": unary("Abs", INTEGERS, np.abs),
    "Neg": unary("Neg", SIGNED, np.negative),
    "Sign": unary("Sign", INTEGERS, np.sign),
    "Not": unary("Not", [np.bool_], np.logical_not),
    "BitwiseNot": unary("BitwiseNot", INTEGERS, np.bitwise_not),
    "Identity": unary("Identity", ANY, np.array),
    "Cast": draw_cast,
    "Cast of halves": draw_cast_of_halves,
    "Where": draw_where,
    "Clip": draw_clip,
    "Min and Max": draw_extreme,
    "Pow": draw_pow,
    "BitShift": draw_shift,
    "Reshape": draw_reshape,
    "Reshape to nothing": draw_reshape_to_nothing,
    "Squeeze": draw_squeeze,
    "Unsqueeze": draw_unsqueeze,
    "Flatten": draw_flatten,
    "Transpose": draw_transpose,
    "Slice": draw_slice,
    "Concat": draw_concat,
    "Split": draw_split,
    "Gather": draw_gather,
    "GatherElements": draw_gather_elements,
    "Expand": draw_expand,
    "Tile": draw_tile,
    "Trilu": draw_triangle,
    "Range": draw_range,
    "ConstantOfShape": draw_constant_of_shape,
    "NonZero": draw_non_zero,
    "Reductions": draw_reduction,
    "CumSum": draw_cumulative_sum,
}


@pytest.mark.parametrize("name", DRAWS)
def test_an_operator_is_computed_as_it_is_defined(name: str) -> None:
    """Many draws in one model for each opset, whose outputs are all constants afterwards."""
    draw = Draw(sum(map(ord, name)))
    by_opset: dict[int, list[Computed]] = {}
    for _ in range(40):
        computed = DRAWS[name](draw)
        by_opset.setdefault(computed.opset, []).append(computed)
    for opset, cases in by_opset.items():
        nodes, outputs, initializers, expected = [], [], {}, {}
        for case, computed in enumerate(cases):
            names = []
            for index, array in enumerate(computed.inputs):
                names.append("" if array is None else f"in{case}_{index}")
                if array is not None:
                    initializers[names[-1]] = array
            made = [f"out{case}_{index}" for index in range(len(computed.expected))]
            nodes.append(helper.make_node(computed.op, names, made, **computed.attributes))
            for output, array in zip(made, computed.expected):
                outputs.append((output, helper.np_dtype_to_tensor_dtype(array.dtype), None))
                expected[output] = array
        model = model_of(nodes, outputs, initializers=initializers, opset=opset, ir_version=8)
        folded = fold(model)
        assert set(operators(folded)) <= {"Constant"}, (opset, [node for node in folded.graph.node if node.op_type != "Constant"][:1])
        found = constants(folded)
        for output, array in expected.items():
            assert_same(found[output], array)


# What is not computed: the node stays.
@pytest.mark.parametrize(
    ("op", "inputs", "attributes"),
    [
        ("Div", [np.int64(1), np.int64(0)], {}),
        ("Div", [np.int32(-(2**31)), np.int32(-1)], {}),
        ("Mod", [np.int64(1), np.int64(0)], {}),
        ("Div", [np.float32(1), np.float32(0)], {}),
        ("Mul", [np.float32(1e30), np.float32(1e30)], {}),
        ("Sqrt", [np.float32(-1)], {}),
        ("Max", [np.float32(np.nan), np.float32(1)], {}),
        ("Min", [np.float32(0), np.float32(-0.0)], {}),
        ("Clip", [np.float32(np.nan), np.float32(1)], {}),
        ("Exp", [np.float32(1)], {}),
        ("Add", [np.float16(1), np.float16(2)], {}),
        ("Pow", [np.float32(2), np.float32(0.5)], {}),
        ("Pow", [np.float32(3), np.float32(20)], {}),
        ("ReduceSum", [np.float32([1, 2, -3])], {}),
        ("ReduceSum", [np.float32([0.5, 2])], {}),
        ("ReduceProd", [np.float32([5000, 5000])], {}),
        ("Pow", [np.int64(3), np.int64(60)], {}),
        ("Pow", [np.int64(3), np.int64(-1)], {}),
        ("Cast", [np.float32(1e30)], {"to": TensorProto.INT32}),
        ("Cast", [np.float32(np.nan)], {"to": TensorProto.INT64}),
        ("Cast", [np.float32(0.1)], {"to": TensorProto.FLOAT16}),
        ("Cast", [np.int64(2049)], {"to": TensorProto.FLOAT16}),
        ("Cast", [np.float32(1e6)], {"to": TensorProto.FLOAT16}),
        ("Range", [np.float32(0), np.float32(1), np.float32(0.1)], {}),
        ("Range", [np.int64(0), np.int64(129), np.int64(1)], {}),
        ("ConstantOfShape", [np.array([257], np.int64)], {}),
        ("Gather", [np.arange(3), np.int64(3)], {}),
        ("Reshape", [np.arange(4), np.array([3, -1], np.int64)], {}),
        ("Identity", [np.arange(129)], {}),
        ("BitShift", [np.uint8(1), np.uint8(8)], {"direction": "LEFT"}),
    ],
)
def test_what_is_not_known_stays(op: str, inputs: list[np.ndarray], attributes: dict[str, Any]) -> None:
    initializers = {f"in{index}": np.asarray(array) for index, array in enumerate(inputs)}
    model = model_of([helper.make_node(op, list(initializers), ["out"], **attributes)], [], initializers=initializers)
    model.graph.output.append(onnx.ValueInfoProto(name="out"))
    assert operators(fold(model)) == [op]


def test_the_largest_results() -> None:
    """1 KiB, and not a byte more."""
    size = np.array([256], np.int64)
    model = model_of([helper.make_node("ConstantOfShape", ["size"], ["out"])], [("out", TensorProto.FLOAT, None)], initializers={"size": size})
    assert operators(fold(model)) == ["Constant"]
    assert_same(constants(fold(model))["out"], np.zeros(256, np.float32))


def test_broadcasting_before_opset_7() -> None:
    nodes = [helper.make_node("Add", ["a", "b"], ["scalar"], broadcast=1), helper.make_node("Add", ["a", "a"], ["same"]), helper.make_node("Add", ["a", "row"], ["axis"], broadcast=1, axis=0)]
    initializers = {"a": np.arange(4, dtype=np.int64).reshape(2, 2), "b": np.array([3]), "row": np.array([10, 20])}
    outputs = [(name, TensorProto.INT64, [2, 2]) for name in ("scalar", "same", "axis")]
    folded = fold(model_of(nodes, outputs, initializers=initializers, opset=6, ir_version=4))
    assert_same(constants(folded)["scalar"], np.array([[3, 4], [5, 6]]))
    assert_same(constants(folded)["same"], np.array([[0, 2], [4, 6]]))
    # Its axis is not the one of today's broadcasting.
    assert operators(folded).count("Add") == 1


# ------------------------------------------------------------------ whole graphs, against ONNX Runtime

SHAPE = [2, 3, 4]


def random_graph(draw: Draw, *, dynamic: bool) -> onnx.ModelProto:
    """Nodes on shapes and small integers, as far as ONNX Runtime computes them; each is tried at once, so that what is drawn next fits it."""
    dims: list[Any] = ["batch" if dynamic else 2, 3, 4]
    nodes = [helper.make_node("Shape", ["x"], ["shape"])]
    values: dict[str, np.ndarray] = {"shape": np.array(SHAPE), "zero": np.array([0]), "two": np.array([2]), "scalar": np.array(1), "pair": np.array([[3, -1]])}
    initializers = {name: values[name] for name in ("zero", "two", "scalar", "pair")}
    for index in range(int(draw.rng.integers(4, 14))):
        a, b = draw.one(list(values)), draw.one(list(values))
        array, other = values[a], values[b]
        name = f"v{index}"
        kind = draw.one(["binary", "compare", "where", "concat", "gather", "slice", "reshape", "unsqueeze", "squeeze", "reduce", "cast", "transpose", "shape", "range", "full", "expand", "split"])
        if kind == "binary":
            op, compute = draw.one([("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply), ("Div", truncated_quotient), ("Mod", np.mod), ("Min", np.minimum), ("Max", np.maximum)])
            if op in ("Div", "Mod") and not np.all(other):
                continue
            try:
                made = {name: (helper.make_node(op, [a, b], [name]), np.asarray(compute(array, other)))}
            except ValueError:
                continue
        elif kind in ("compare", "where"):
            try:
                condition = np.less(array, other)
            except ValueError:
                continue
            nodes.append(helper.make_node("Less", [a, b], [f"{name}_less"]))
            chosen = np.where(condition, array, other) if kind == "where" else condition.astype(np.int64)
            last = helper.make_node("Where", [f"{name}_less", a, b], [name]) if kind == "where" else helper.make_node("Cast", [f"{name}_less"], [name], to=TensorProto.INT64)
            made = {name: (last, chosen)}
        elif kind == "concat":
            if array.ndim != 1 or other.ndim != 1:
                continue
            made = {name: (helper.make_node("Concat", [a, b], [name], axis=0), np.concatenate([array, other]))}
        elif kind == "gather":
            if array.ndim == 0 or other.size == 0 or not np.all((other >= -array.shape[0]) & (other < array.shape[0])):
                continue
            made = {name: (helper.make_node("Gather", [a, b], [name]), np.take(array, other, 0))}
        elif kind == "slice":
            if array.ndim == 0:
                continue
            start, end, step = draw.one([-2, -1, 0, 1]), draw.one([1, 2, 3, 2**63 - 1]), draw.one([1, 2])
            for word, number in (("start", start), ("end", end), ("step", step)):
                initializers[f"{name}_{word}"] = np.array([number])
            initializers[f"{name}_axis"] = np.array([0])
            made = {name: (helper.make_node("Slice", [a, f"{name}_start", f"{name}_end", f"{name}_axis", f"{name}_step"], [name]), array[start:end:step])}
        elif kind == "reshape":
            initializers[f"{name}_to"] = np.array([-1])
            made = {name: (helper.make_node("Reshape", [a, f"{name}_to"], [name]), array.reshape(-1))}
        elif kind in ("unsqueeze", "squeeze"):
            if kind == "unsqueeze" and array.ndim > 3 or kind == "squeeze" and (array.ndim == 0 or array.shape[0] != 1):
                continue
            made = {name: (helper.make_node(kind.capitalize(), [a, "zero"], [name]), array[None] if kind == "unsqueeze" else array[0])}
        elif kind == "reduce":
            op, compute = draw.one([("ReduceSum", np.sum), ("ReduceProd", np.prod), ("ReduceMax", np.max)])
            if array.size == 0:
                continue
            made = {name: (helper.make_node(op, [a], [name], keepdims=0), np.asarray(compute(array)))}
        elif kind == "cast":
            nodes.append(helper.make_node("Cast", [a], [f"{name}_narrow"], to=TensorProto.INT32))
            made = {name: (helper.make_node("Cast", [f"{name}_narrow"], [name], to=TensorProto.INT64), array.astype(np.int32).astype(np.int64))}
        elif kind == "transpose":
            made = {name: (helper.make_node("Transpose", [a], [name]), array.T)}
        elif kind == "shape":
            op = draw.one(["Shape", "Size"])
            made = {name: (helper.make_node(op, [a], [name]), np.array(array.shape, np.int64) if op == "Shape" else np.array(array.size))}
        elif kind == "range":
            if array.size != 1 or not -20 < array.item() < 20:
                continue
            nodes.append(helper.make_node("Squeeze", [a], [f"{name}_limit"]))
            made = {name: (helper.make_node("Range", ["scalar", f"{name}_limit", "scalar"], [name]), np.arange(1, array.item()))}
        elif kind == "full":
            if array.ndim != 1 or array.size > 3 or np.any(array < 0) or np.prod(array) > 60:
                continue
            made = {name: (helper.make_node("ConstantOfShape", [a], [name], value=numpy_helper.from_array(np.array([7]))), np.full(array, 7))}
        elif kind == "expand":
            initializers[f"{name}_to"] = np.array([2, 1])
            try:
                made = {name: (helper.make_node("Expand", [a, f"{name}_to"], [name]), np.broadcast_to(array, np.broadcast_shapes(array.shape, (2, 1))))}
            except ValueError:
                continue
        else:
            if array.ndim == 0 or array.shape[0] < 2:
                continue
            initializers[f"{name}_parts"] = np.array([1, array.shape[0] - 1])
            made = {name: (helper.make_node("Split", [a, f"{name}_parts"], [name, f"{name}_rest"], axis=0), array[:1])}
        for output, (node, array) in made.items():
            if array.size <= 60:
                nodes.append(node)
                values[output] = np.asarray(array, np.int64)
    last = list(values)[-3:]
    # What only a run can tell uses the values, too.
    nodes.append(helper.make_node("Cast", [last[-1]], ["as_float"], to=TensorProto.FLOAT))
    nodes.append(helper.make_node("ReduceSum", ["as_float"], ["total"], keepdims=0))
    nodes.append(helper.make_node("Mul", ["x", "total"], ["scaled"]))
    outputs = [(name, TensorProto.INT64, [None] * values[name].ndim) for name in last if name not in initializers]
    return model_of(nodes, [*outputs, ("scaled", TensorProto.FLOAT, dims)], inputs=[("x", TensorProto.FLOAT, dims)], initializers=initializers, opset=draw.one([13, 17, 21]))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_random_graphs_compute_the_same(dynamic: bool) -> None:
    folded_nodes = 0
    for seed in range(60):
        model = random_graph(Draw(seed), dynamic=dynamic)
        x = {"x": np.linspace(-1, 1, 24, dtype=np.float32).reshape(SHAPE)}
        folded = fold(model)
        assert_computes_the_same(model, folded, x)
        if not dynamic:
            assert set(operators(folded)) <= {"Constant", "Mul", "ReduceSum"}, seed
        folded_nodes += len(model.graph.node) - len(folded.graph.node)
        assert fold(folded) == folded
    assert folded_nodes > 60


# ------------------------------------------------------------------ what becomes of the model


def test_only_the_dimensions_that_are_taken_must_be_known(tmp_path: pathlib.Path) -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"], name="shape"),
        helper.make_node("Gather", ["shape", "one"], ["channels"], name="channels"),
        helper.make_node("Gather", ["shape", "zero"], ["batch"], name="batch"),
        helper.make_node("Unsqueeze", ["channels", "axes"], ["as_list"], name="as_list"),
        helper.make_node("Unsqueeze", ["batch", "axes"], ["batch_as_list"], name="batch_as_list"),
        helper.make_node("Concat", ["batch_as_list", "as_list"], ["to"], axis=0, name="to"),
        helper.make_node("Reshape", ["x", "to"], ["y"], name="y"),
        helper.make_node("Shape", ["x"], ["tail"], start=1, name="tail"),
    ]
    model = model_of(
        nodes, [("y", TensorProto.FLOAT, [None, None]), ("tail", TensorProto.INT64, [2])], inputs=[("x", TensorProto.FLOAT, ["batch", 3, 1])],
        initializers={"one": np.array(1), "zero": np.array(0), "axes": np.array([0])},
    )
    model.graph.value_info.extend([helper.make_tensor_value_info("channels", INT64, []), helper.make_tensor_value_info("as_list", INT64, [1])])
    folded = fold(model)
    assert_same(constants(folded)["as_list"], np.array([3]))
    assert [info.name for info in folded.graph.value_info] == ["as_list"]
    assert_same(constants(folded)["tail"], np.array([3, 1]))
    assert [node.name for node in folded.graph.node if node.op_type != "Constant"] == ["shape", "batch", "batch_as_list", "to", "y"]
    # What only the folded node took, went with it; `axes` is still read.
    assert {tensor.name for tensor in folded.graph.initializer} == {"zero", "axes"}
    report = report_of(model, tmp_path, "--fold")
    assert report["settings"]["fold"] is True
    assert report["folded"] == [
        {"node": "channels", "operator": "ai.onnx::Gather", "into": "constant"}, {"node": "as_list", "operator": "ai.onnx::Unsqueeze", "into": "constant"},
        {"node": "tail", "operator": "ai.onnx::Shape", "into": "constant"},
    ]


def test_the_report_lists_each_node_that_goes_once(tmp_path: pathlib.Path) -> None:
    nodes = [
        helper.make_node("Neg", ["x"], ["negative"], name="before"), helper.make_node("Abs", ["negative"], ["absolute"]),
        helper.make_node("Shape", ["absolute"], ["dims"], name="shape"), helper.make_node("Reshape", ["x", "dims"], ["y"]),
    ]
    model = model_of(nodes, [("y", TensorProto.FLOAT, [2, 3])], inputs=[("x", TensorProto.FLOAT, [2, 3])])
    assert operators(fold(model)) == ["Constant", "Reshape"]
    went = sorted((each["operator"], each["node"], each["into"]) for each in report_of(model, tmp_path, "--fold")["folded"])
    assert went == [("ai.onnx::Abs", "absolute", "nothing"), ("ai.onnx::Neg", "before", "nothing"), ("ai.onnx::Shape", "shape", "constant")]


@pytest.mark.parametrize("opset", [10, 13, 21])
def test_a_shape_that_begins_somewhere_is_not_known(opset: int) -> None:
    """onnx's own inference takes the start, which is known when the model runs, for 0."""
    text = f"""<ir_version: 8, opset_import: ["" : {opset}]> g (float[2,3,4] x, float[n] z) => (int64[m] y) {{
        from = Shape (z) to = Constant <value = int64[1] {{3}}> () shape = Shape (x) part = Slice (shape, from, to) ones = ConstantOfShape (part) y = Shape (ones) }}"""
    model = onnx.parser.parse_model(text)
    folded = fold(model)
    for size, expected in ((1, [3, 4]), (2, [4])):
        given = {"x": np.zeros((2, 3, 4), np.float32), "z": np.zeros(size, np.float32)}
        assert runtimes.in_onnxruntime(folded.SerializeToString())(given)["y"].tolist() == expected


FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def graph_of(nodes: Sequence[onnx.NodeProto], outputs: Sequence[str], initializers: dict[str, np.ndarray] | None = None, elem_type: int = FLOAT, inputs: Sequence[Any] = ()) -> onnx.GraphProto:
    return helper.make_graph(
        list(nodes), "body", [helper.make_tensor_value_info(*each) for each in inputs], [helper.make_tensor_value_info(name, elem_type, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in (initializers or {}).items()],
    )


X = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)


def assert_computes_the_same(before: onnx.ModelProto, after: onnx.ModelProto, given: dict[str, np.ndarray]) -> None:
    expected = runtimes.in_onnxruntime(before.SerializeToString(), optimize=False)(given)
    got = runtimes.in_onnxruntime(after.SerializeToString(), optimize=False)(given)
    assert list(got) == list(expected)
    for name, array in expected.items():
        assert_same(got[name], array)


def test_a_chosen_branch_takes_the_place_of_the_if(tmp_path: pathlib.Path) -> None:
    """Names that come up in both branches and outside, a capture, an initializer of 4 KiB, which is an output, too, and an output twice; graphs inside the branch."""
    weights = np.arange(1024, dtype=np.float32)
    loop = graph_of([helper.make_node("Add", ["carried", "t"], ["next"], name="add"), helper.make_node("Identity", ["go"], ["going"], name="go_on")], ["going", "next"], inputs=[("i", INT64, []), ("go", BOOL, []), ("carried", FLOAT, None)])
    loop.output[0].type.tensor_type.elem_type = BOOL
    taken = graph_of(
        [
            helper.make_node("Mul", ["x", "two"], ["t"], name="node"),
            helper.make_node("ReduceSum", ["weights"], ["sum"], name="sum", keepdims=0),
            helper.make_node("Add", ["t", "sum"], ["made"], name="made"),
            helper.make_node("Loop", ["trips", "", "t"], ["looped"], body=loop, name="loop"),
            helper.make_node("Identity", ["x"], ["same"], name="same"),
        ],
        ["made", "made", "same", "weights", "looped"], {"two": np.float32(2), "weights": weights, "trips": np.int64(2)},
    )
    other = graph_of([helper.make_node("Neg", ["x"], ["t"], name="node"), helper.make_node("Identity", ["t"], ["made"], name="made")], ["t", "t", "t", "t", "t"])
    nodes = [
        helper.make_node("Not", ["no"], ["yes"], name="not"),
        helper.make_node("If", ["yes"], ["a", "b", "c", "d", "e"], then_branch=taken, else_branch=other, name="choice"),
        helper.make_node("Relu", ["a"], ["later"], name="made"),
    ]
    outputs = [("b", FLOAT, [2, 3]), ("c", FLOAT, [2, 3]), ("d", FLOAT, [1024]), ("e", FLOAT, [2, 3]), ("later", FLOAT, [2, 3])]
    model = model_of(nodes, outputs, inputs=[("x", FLOAT, [2, 3])], initializers={"no": np.array(False)})
    folded = fold(model)
    assert sorted(set(operators(folded))) == ["Add", "Identity", "Loop", "Mul", "ReduceSum", "Relu"]
    onnx.checker.check_model(folded)
    names = [node.name for node in folded.graph.node if node.name]
    assert len(names) == len(set(names))
    # Written out, for ONNX Runtime itself does not fill an output of an If that its branch names twice.
    made = 2 * X + weights.sum()
    expected = {"b": made, "c": X, "d": weights, "e": 2 * X + 2 * X + 2 * X, "later": np.maximum(made, 0)}
    got = runtimes.in_onnxruntime(folded.SerializeToString(), optimize=False)({"x": X})
    assert list(got) == list(expected)
    for name, array in expected.items():
        assert_same(got[name], array)
    # What the branch alone reads moves out of it under its own name; what chose it is gone.
    assert {tensor.name for tensor in folded.graph.initializer} == {"two", "weights", "trips"}
    assert {"t", "made"}.isdisjoint(output for node in folded.graph.node for output in node.output)
    assert report_of(model, tmp_path, "--fold")["folded"] == [
        {"node": "not", "operator": "ai.onnx::Not", "into": "constant"}, {"node": "choice", "operator": "ai.onnx::If", "into": "then_branch"},
    ]
    # Without --fold, what the model itself says stays.
    assert tool.lowered(model.SerializeToString()) == model.SerializeToString()
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.array(True), "no"))
    folded = fold(model)
    assert "If" not in operators(folded) and "Loop" not in operators(folded)


def test_what_a_function_computes_for_a_constant_only_is_not_made(tmp_path: pathlib.Path) -> None:
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2, 3] x) => (float[n] y) { y = d.F (x) }
      <domain: "d", opset_import: ["" : 17]> F (a) => (b) {
        r = Relu (a)  s = Shape (r)  i = Constant <value = int64[1] {0}> ()  e = Gather (s, i)  m = Constant <value = int64[1] {3}> ()  p = Mul (e, m)  b = Reshape (a, p) }""")
    report = report_of(model, tmp_path, "--fold")
    assert [entry["operator"] for entry in report["folded"]] == ["ai.onnx::Shape", "ai.onnx::Gather", "ai.onnx::Mul"]


def test_private_attributes_are_no_branches() -> None:
    """Exporters leave marks on nodes whose names begin with two underscores."""
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) <bool t = {1}> {
      y = If <__mark = 3, then_branch = p () => (u) { u = Abs (x) }, __other = "m", else_branch = q () => (u) { u = Neg (x) }> (t) }""")
    assert operators(fold(model)) == ["Abs"]


def test_what_branches_hold_gets_names_of_its_own() -> None:
    branches = [f"If (t) <then_branch = p () => (u) <float[2] w = {{{numbers}}}> {{ u = Mul (x, w) }}, else_branch = q () => (u) {{ u = Neg (x) }}>" for numbers in ("1, 2", "3, 4")]
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y, float[2] z) <bool t = {{1}}> {{ y = {branches[0]} z = {branches[1]} }}')
    content = tool.lowered(model.SerializeToString(), ["--fold"])
    assert [node.op_type for node in onnx.load_model_from_string(content).graph.node] == ["Mul", "Mul"]
    results = runtimes.in_onnxruntime(content)({"x": np.array([5, 7], np.float32)})
    np.testing.assert_array_equal(results["y"], [5, 14])
    np.testing.assert_array_equal(results["z"], [15, 28])


def test_an_unknown_condition_keeps_the_if() -> None:
    """What is known in its branches is folded all the same, with what they take from outside."""
    taken = graph_of([helper.make_node("Shape", ["x"], ["dims"]), helper.make_node("Mul", ["dims", "two"], ["large"]), helper.make_node("Expand", ["x", "dims"], ["expanded"])], ["expanded"])
    other = graph_of([helper.make_node("Neg", ["x"], ["negative"])], ["negative"])
    nodes = [helper.make_node("Add", ["one", "one"], ["two"]), helper.make_node("If", ["c"], ["y"], then_branch=taken, else_branch=other)]
    model = model_of(nodes, [("y", FLOAT, [2, 3])], inputs=[("x", FLOAT, [2, 3]), ("c", BOOL, [])], initializers={"one": np.array([1])})
    folded = fold(model)
    # The product is read by nothing, and was not before either: what the model brought so stays.
    assert operators(folded) == ["If", "Constant", "Constant", "Expand", "Neg"]
    assert not folded.graph.initializer
    for choice in (True, False):
        assert_computes_the_same(model, folded, {"x": X, "c": np.array(choice)})


def test_a_choice_in_a_choice() -> None:
    inner = helper.make_node("If", ["deep"], ["chosen"], then_branch=graph_of([helper.make_node("Exp", ["x"], ["value"])], ["value"]), else_branch=graph_of([helper.make_node("Neg", ["x"], ["value"])], ["value"]))
    taken = graph_of([helper.make_node("Not", ["yes"], ["deep"]), inner], ["chosen"])
    model = model_of([helper.make_node("If", ["yes"], ["y"], then_branch=taken, else_branch=graph_of([helper.make_node("Abs", ["x"], ["value"])], ["value"]))], [("y", FLOAT, [2, 3])], inputs=[("x", FLOAT, [2, 3])], initializers={"yes": np.array(True)})
    folded = fold(model)
    assert operators(folded) == ["Neg"] and list(folded.graph.node[0].output) == ["y"]
    assert_computes_the_same(model, folded, {"x": X})


def test_a_graph_inside_that_hides_a_name_keeps_the_if() -> None:
    """An inner graph has a value of the name that the outer one would have to change."""
    hides = helper.make_node("If", ["c"], ["t"], then_branch=graph_of([helper.make_node("Neg", ["x"], ["y"])], ["y"]), else_branch=graph_of([helper.make_node("Abs", ["x"], ["other"])], ["other"]))
    model = model_of([helper.make_node("If", ["yes"], ["y"], then_branch=graph_of([hides], ["t"]), else_branch=graph_of([helper.make_node("Exp", ["x"], ["e"])], ["e"]))], [("y", FLOAT, [2, 3])], inputs=[("x", FLOAT, [2, 3]), ("c", BOOL, [])], initializers={"yes": np.array(True)})
    assert operators(fold(model)) == ["If", "If", "Neg", "Abs", "Exp"]


def function_with_choice(rank: int) -> onnx.FunctionProto:
    """Takes a branch of an operator that nobody knows unless its input has that rank."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Size", ["shape"], ["rank"]),
        helper.make_node("Constant", [], ["wanted"], value_int=rank),
        helper.make_node("Equal", ["rank", "wanted"], ["is_it"]),
        helper.make_node("If", ["is_it"], ["y"], then_branch=graph_of([helper.make_node("Neg", ["x"], ["negative"])], ["negative"]), else_branch=graph_of([helper.make_node("Nobody", ["x"], ["knows"], domain="nowhere")], ["knows"])),
    ]
    return helper.make_function("local", "Chooses", ["x"], ["y"], nodes, [helper.make_opsetid("", 21), helper.make_opsetid("nowhere", 1)])


def test_an_if_of_a_function_becomes_its_branch_without_the_option(tmp_path: pathlib.Path) -> None:
    local = [helper.make_opsetid("local", 1), helper.make_opsetid("nowhere", 1)]
    calls = [helper.make_node("Chooses", ["x"], ["a"], domain="local", name="first"), helper.make_node("Chooses", ["a"], ["y"], domain="local", name="second")]
    model = model_of(calls, [("y", FLOAT, ["n", "m"])], inputs=[("x", FLOAT, ["n", "m"])], imports=local, functions=[function_with_choice(2)])
    lowered = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    assert operators(lowered) == ["Neg", "Neg"] and not lowered.functions
    assert_same(runtimes.in_onnxruntime(lowered.SerializeToString())({"x": X})["y"], X)
    folded = report_of(model, tmp_path)["folded"]
    assert [(each["operator"], each["into"]) for each in folded] == [("ai.onnx::If", "then_branch")] * 2
    # The other branch would run.
    model.functions[0].CopyFrom(function_with_choice(3))
    tool.assert_clean_refusal(tool.lower(model.SerializeToString()), tool.NOT_LOWERED)
    # Nobody knows which.
    model.functions[0].CopyFrom(function_with_choice(2))
    model.graph.input[0].type.tensor_type.ClearField("shape")
    tool.assert_clean_refusal(tool.lower(model.SerializeToString()), tool.NOT_LOWERED)


def test_a_function_that_stays_is_folded_too() -> None:
    taken = graph_of([helper.make_node("Add", ["x", "two"], ["sum"])], ["sum"], {"two": np.float32(2)})
    nodes = [
        helper.make_node("Constant", [], ["three"], value_int=3),
        helper.make_node("Constant", [], ["four"], value_int=4),
        helper.make_node("Less", ["three", "four"], ["less"]),
        helper.make_node("If", ["less"], ["y"], then_branch=taken, else_branch=graph_of([helper.make_node("Neg", ["x"], ["negative"])], ["negative"])),
    ]
    function = helper.make_function("local", "Adds", ["x"], ["y"], nodes, [helper.make_opsetid("", 21)])
    model = model_of([helper.make_node("Adds", ["x"], ["y"], domain="local")], [("y", FLOAT, [2, 3])], inputs=[("x", FLOAT, [2, 3])], imports=[helper.make_opsetid("local", 1)], functions=[function])
    folded = fold(model, "--keep", "local")
    assert [node.op_type for node in folded.functions[0].node] == ["Constant", "Add"]
    assert_computes_the_same(model, folded, {"x": X})


def test_a_function_that_is_attached_is_for_other_calls_too() -> None:
    nodes = [helper.make_node("Shape", ["x"], ["shape"]), helper.make_node("Reshape", ["y", "shape"], ["z"])]
    function = helper.make_function("local", "As", ["x", "y"], ["z"], nodes, [helper.make_opsetid("", 21)])
    model = model_of(
        [helper.make_node("As", ["x", "v"], ["y"], domain="local"), helper.make_node("As", ["v", "x"], ["z"], domain="local")], [("y", FLOAT, [2, 3]), ("z", FLOAT, [6])],
        inputs=[("x", FLOAT, [2, 3]), ("v", FLOAT, [6])], imports=[helper.make_opsetid("local", 1)], functions=[function],
    )
    folded = fold(model, "--attach")
    assert [node.op_type for node in folded.functions[0].node] == ["Shape", "Reshape"]
    assert_computes_the_same(model, folded, {"x": X, "v": X.reshape(6)})
    assert sorted(operators(fold(model))) == ["Constant", "Constant", "Reshape", "Reshape"]


def test_what_a_loop_carries_is_not_known() -> None:
    body = graph_of(
        [helper.make_node("Concat", ["carried", "carried"], ["next"], axis=0), helper.make_node("Shape", ["carried"], ["dims"]), helper.make_node("Shape", ["x"], ["of_x"]), helper.make_node("Identity", ["go"], ["going"])],
        ["going", "next", "dims", "of_x"], inputs=[("i", INT64, []), ("go", BOOL, []), ("carried", FLOAT, None)],
    )
    body.output[0].type.tensor_type.elem_type = BOOL
    body.output[2].type.tensor_type.elem_type = body.output[3].type.tensor_type.elem_type = INT64
    model = model_of([helper.make_node("Loop", ["trips", "", "x"], ["last", "dims", "of_x"], body=body)], [("last", FLOAT, [None, None]), ("dims", INT64, [None, None]), ("of_x", INT64, [None, None])], inputs=[("x", FLOAT, [2, 3])], initializers={"trips": np.int64(3)})
    folded = fold(model)
    assert operators(folded) == ["Loop", "Concat", "Shape", "Constant", "Identity"]
    assert_computes_the_same(model, folded, {"x": X})


def test_outputs_of_the_graph_keep_their_names_and_load() -> None:
    nodes = [helper.make_node("Shape", ["x"], ["shape"]), helper.make_node("Cast", ["shape"], ["as_float"], to=FLOAT), helper.make_node("Neg", ["x"], ["y"])]
    for opset in (7, 11, 21):
        model = model_of(nodes, [("shape", INT64, [2]), ("as_float", FLOAT, [2]), ("y", FLOAT, [2, 3])], inputs=[("x", FLOAT, [2, 3])], opset=opset, ir_version=6)
        folded = fold(model)
        # No Constant of an older opset holds integers.
        assert operators(folded) == (["Constant", "Neg"] if opset == 7 else ["Constant", "Constant", "Neg"])
        onnx.checker.check_model(folded, full_check=True)
        assert_computes_the_same(model, folded, {"x": X})
        got = runtimes.in_openvino(folded.SerializeToString())({"x": X})
        np.testing.assert_array_equal(got["shape"], [2, 3])
        np.testing.assert_array_equal(got["as_float"], [2, 3])


def test_what_a_node_and_the_if_around_it_read_counts_once() -> None:
    """Nothing reads the Gather once the Shape behind it is known, nor the If once the shape of its result is: the graph's own output, which the Gather read, stays."""
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 17]>
        g (float[n] x, float[1] w, int64[5] t, bool c) => (int64[1] s, int64[1] z) {
          s = Shape (x)
          p = If (c) <then_branch: graph = a () => (float[1] r) { a = Gather (t, s)  sh = Shape (a)  r = Reshape (w, sh) }, else_branch: graph = b () => (float[1] q) { q = Neg (w) }>
          z = Shape (p)
        }"""
    )
    folded = fold(model)
    assert operators(folded) == ["Shape", "Constant"]
    feeds = {"x": np.zeros(3, np.float32), "w": np.ones(1, np.float32), "t": np.arange(5), "c": np.array(True)}
    assert_computes_the_same(model, folded, feeds)


def test_an_initializer_that_is_an_input_is_not_known() -> None:
    nodes = [helper.make_node("Add", ["default", "one"], ["sum"]), helper.make_node("Reshape", ["x", "sum"], ["y"])]
    model = model_of(nodes, [("y", FLOAT, [None, None])], inputs=[("x", FLOAT, [2, 3]), ("default", INT64, [2])], initializers={"default": np.array([2, 1]), "one": np.array([1, 1])})
    assert operators(fold(model)) == ["Add", "Reshape"]
    # Below IR version 4 every initializer had to be one, and no caller replaces it.
    old = model_of(nodes, [("y", FLOAT, [None, None])], inputs=[("x", FLOAT, [2, 3]), ("default", INT64, [2]), ("one", INT64, [2])], initializers={"default": np.array([2, 1]), "one": np.array([1, 1])}, opset=9, ir_version=3)
    assert operators(fold(old)) == ["Constant", "Reshape"]
    # Where no Constant holds integers, and no initializer may be there without an input, nothing can take its place.
    old.opset_import[0].version = 7
    assert operators(fold(old)) == ["Add", "Reshape"]


def test_external_data_are_not_read(tmp_path: pathlib.Path) -> None:
    nodes = [helper.make_node("Add", ["outside", "one"], ["sum"]), helper.make_node("Reshape", ["x", "sum"], ["y"]), helper.make_node("Shape", ["outside"], ["length"])]
    model = model_of(nodes, [("y", FLOAT, [None, None]), ("length", INT64, [1])], inputs=[("x", FLOAT, [2, 3])], initializers={"outside": np.array([2, 1]), "one": np.array([1, 1])})
    onnx.external_data_helper.set_external_data(model.graph.initializer[0], "data.bin", offset=0, length=16)
    (tmp_path / "data.bin").write_bytes(model.graph.initializer[0].raw_data)
    model.graph.initializer[0].ClearField("raw_data")
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    result = tool.run([tmp_path / "model.onnx", "-o", tmp_path / "out.onnx", "--fold"])
    assert result.status == tool.DONE, str(result)
    # Its shape is in the model itself.
    assert operators(onnx.load(tmp_path / "out.onnx", load_external_data=False)) == ["Add", "Reshape", "Constant"]


def test_what_the_user_keeps_stays() -> None:
    nodes = [helper.make_node("Shape", ["x"], ["shape"]), helper.make_node("Size", ["x"], ["size"]), helper.make_node("Add", ["size", "shape"], ["y"])]
    model = model_of(nodes, [("y", INT64, [2])], inputs=[("x", FLOAT, [2, 3])])
    assert operators(fold(model)) == ["Constant"]
    # What is computed of it is known all the same.
    assert operators(fold(model, "--keep", "ai.onnx::Shape")) == ["Shape", "Constant"]


def test_what_somebody_else_defines_is_not_computed(tmp_path: pathlib.Path) -> None:
    nodes = [helper.make_node("Neg", ["one"], ["y"])]
    model = model_of(nodes, [("y", INT64, [])], initializers={"one": np.array(1)})
    rules = tmp_path / "rules.onnxtxt"
    rules.write_text('<domain: "ai.onnx", opset_import: ["" : 21]>\nNeg (x) => (y) {\n  y = Abs (x)\n}\n')
    assert_same(constants(fold(model))["y"], np.array(-1))
    folded = fold(model, "--rules", str(rules))
    assert_same(runtimes.in_onnxruntime(folded.SerializeToString())({})["y"], np.array(1))


def test_nothing_to_fold_changes_nothing() -> None:
    model = model_of([helper.make_node("Relu", ["x"], ["y"])], [("y", FLOAT, [2, 3])], inputs=[("x", FLOAT, [2, 3])], initializers={"unused": np.arange(3)})
    assert tool.lowered(model.SerializeToString(), ["--fold"]) == model.SerializeToString()


def test_the_summary_counts_what_was_folded(tmp_path: pathlib.Path) -> None:
    model = model_of([helper.make_node("Shape", ["x"], ["s"], name="shape"), helper.make_node("Identity", ["s"], ["y"], name="same")], [("y", INT64, [2])], inputs=[("x", FLOAT, [2, 3])])
    result = tool.run(["-", "-o", tmp_path / "out.onnx", "--fold", "-v"], stdin=model.SerializeToString())
    assert "nothing to lower; folded 2 nodes; 2 -> 1 nodes" in result.stderr
    assert "'shape' (ai.onnx::Shape) -> a constant" in result.stderr


NETWORKS = sorted((tool.TESTDATA / "exports" / "dynamo_networks").glob("*.onnx"))


@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: path.stem)
def test_networks_of_static_shapes_compute_no_shapes(path: pathlib.Path) -> None:
    """And give the numbers of torch, in both runtimes."""
    model = path.read_bytes()
    assert "If" not in operators(onnx.load_model_from_string(tool.lowered(model)))
    folded = tool.lowered(model, ["--fold"])
    assert {"If", "Shape", "Size", "Range"}.isdisjoint(operators(onnx.load_model_from_string(folded)))
    arrays = np.load(path.with_suffix(".npz"))
    given, expected = ({key.split("/")[1]: arrays[key] for key in arrays.files if key.startswith(f"{kind}_0/")} for kind in ("inputs", "expected"))
    for run in (runtimes.in_onnxruntime, runtimes.in_openvino):
        got = run(folded)(given)
        for name, array in expected.items():
            np.testing.assert_allclose(got[name], array, rtol=1e-4, atol=1e-5)


def test_casts_that_change_nothing_go_from_branches_that_a_function_made() -> None:
    """What a rule makes within the If of a model's function is what it makes beside it."""
    def of(body: str) -> bytes:
        text = f"""<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1, "d" : 1]>
            g (float[3] x, bool c) => (float[3] y) {{ y = d.F (x, c) }}
            <domain: "d", opset_import: ["" : 17, "com.microsoft" : 1]> F (a, c) => (b) {{ {body} }}"""
        return onnx.parser.parse_model(text).SerializeToString()

    plain = onnx.load_model_from_string(tool.lowered(of("b = com.microsoft.FastGelu (a)")))
    both = onnx.load_model_from_string(tool.lowered(of("b = If (c) <then_branch = t () => (p) { p = com.microsoft.FastGelu (a) }, else_branch = e () => (q) { q = Neg (a) }>")))
    branch = next(attribute.g for attribute in both.graph.node[0].attribute if attribute.name == "then_branch")
    assert [node.op_type for node in branch.node] == [node.op_type for node in plain.graph.node]
    x = np.float32([-1, 0.5, 2])
    want = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    for run in (runtimes.in_onnxruntime, runtimes.in_openvino):
        found = run(both.SerializeToString())
        # exp and tanh of a runtime are right to a few units in the last place.
        np.testing.assert_allclose(found({"x": x, "c": np.array(True)})["y"], want, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(found({"x": x, "c": np.array(False)})["y"], -x)

# ------------------------------------------------------------------ sizes that exporters compute in floats


def test_floats_have_the_bits_that_onnx_runtime_computes() -> None:
    """As many as a known tensor may have, so that its kernels take several at a time."""
    d = Draw(42)
    for dtype in FLOATS:
        count = 1024 // dtype().itemsize
        a, b = floats(d, dtype, (count,), least=1e-3), floats(d, dtype, (count,), least=1e-3)
        binaries = ["Add", "Sub", "Mul", "Div", "Min", "Max"]
        unaries = ["Floor", "Ceil", "Round", "Sqrt", "Reciprocal", "Abs", "Neg", "Sign"]
        nodes = [helper.make_node(op, ["a", "b"], [op]) for op in binaries] + [helper.make_node(op, ["a"], [op]) for op in unaries]
        nodes += [helper.make_node("Mod", ["a", "b"], ["Mod"], fmod=1), helper.make_node("Cast", ["a"], ["Cast"], to=TensorProto.DOUBLE if dtype == np.float32 else FLOAT)]
        outputs = [(node.output[0], TensorProto.UNDEFINED, None) for node in nodes]
        model = model_of(nodes, outputs, initializers={"a": a, "b": b})
        for output in model.graph.output:
            is_double = (dtype == np.float64) != (output.name == "Cast")
            output.type.tensor_type.elem_type = TensorProto.DOUBLE if is_double else FLOAT
        folded = fold(model)
        expected = runtimes.in_onnxruntime(model.SerializeToString(), optimize=False)({})
        # Where the double is twice as wide as known tensors are, the Cast stays.
        left = ["Cast"] if dtype == np.float32 else []
        assert [op for op in operators(folded) if op != "Constant"] == left
        for name, array in constants(folded).items():
            if name in expected:
                assert_same(array, expected[name])


# Each as the exporter writes it, of an input of 13 x 17 or 1 x 3 x 60 x 80, and what is left of it.
SIZES_IN_FLOATS: dict[str, tuple[str, list[str]]] = {
    # torch 1.0 to 1.4: functional.interpolate(x, scale_factor=2) at opset 9.
    "torch, Upsample": ("""<ir_version: 4, opset_import: ["" : 9]>
        g (float[1,8,13,17] x) => (float[1,8,26,34] y) <int64 c2 = {2}, int64 c3 = {3}, float two = {2}, float[2] ones = {1,1}> {
            s1 = Shape (x)  h = Gather <axis = 0> (s1, c2)  hf = Cast <to = 1> (h)  h2 = Mul (hf, two)  hc = Cast <to = 1> (h2)  hfl = Floor (hc)
            s2 = Shape (x)  w = Gather <axis = 0> (s2, c3)  wf = Cast <to = 1> (w)  w2 = Mul (wf, two)  wc = Cast <to = 1> (w2)  wfl = Floor (wc)
            hu = Unsqueeze <axes = [0]> (hfl)  wu = Unsqueeze <axes = [0]> (wfl)  hw = Concat <axis = 0> (hu, wu)
            s3 = Shape (x)  sp = Slice <axes = [0], starts = [2], ends = [4]> (s3)  spf = Cast <to = 1> (sp)
            r = Div (hw, spf)  scales = Concat <axis = 0> (ones, r)
            y = Upsample <mode = "nearest"> (x, scales)
        }""", ["Upsample"]),
    # The same with a factor of 1.5 that is a double, as Python's numbers are.
    "torch, Upsample by a double": ("""<ir_version: 4, opset_import: ["" : 9]>
        g (float[1,2,4,6] x) => (float[1,2,6,9] y) <int64 c2 = {2}, int64 c3 = {3}, double factor = {1.5}, float[2] ones = {1,1}> {
            s1 = Shape (x)  h = Gather <axis = 0> (s1, c2)  hd = Cast <to = 11> (h)  h2 = Mul (hd, factor)  hc = Cast <to = 1> (h2)  hfl = Floor (hc)
            s2 = Shape (x)  w = Gather <axis = 0> (s2, c3)  wd = Cast <to = 11> (w)  w2 = Mul (wd, factor)  wc = Cast <to = 1> (w2)  wfl = Floor (wc)
            hu = Unsqueeze <axes = [0]> (hfl)  wu = Unsqueeze <axes = [0]> (wfl)  hw = Concat <axis = 0> (hu, wu)
            s3 = Shape (x)  sp = Slice <axes = [0], starts = [2], ends = [4]> (s3)  spf = Cast <to = 1> (sp)
            r = Div (hw, spf)  scales = Concat <axis = 0> (ones, r)
            y = Upsample <mode = "linear"> (x, scales)
        }""", ["Upsample"]),
    # torch 1.5 on: interpolate(x, scale_factor=1.5, recompute_scale_factor=True) at opset 11.
    "torch, Resize to sizes": ("""<ir_version: 6, opset_import: ["" : 11]>
        g (float[1,3,13,17] x) => (float[1,3,19,25] y) <int64 c2 = {2}, int64 c3 = {3}, float factor = {1.5}, int64[1] zero = {0}, int64[1] two = {2}> {
            s1 = Shape (x)  h = Gather <axis = 0> (s1, c2)  hf = Cast <to = 1> (h)  h2 = Mul (hf, factor)  hfl = Floor (h2)  hi = Cast <to = 7> (hfl)
            s2 = Shape (x)  w = Gather <axis = 0> (s2, c3)  wf = Cast <to = 1> (w)  w2 = Mul (wf, factor)  wfl = Floor (w2)  wi = Cast <to = 7> (wfl)
            hu = Unsqueeze <axes = [0]> (hi)  wu = Unsqueeze <axes = [0]> (wi)  hw = Concat <axis = 0> (hu, wu)
            s3 = Shape (x)  nc = Slice (s3, zero, two, zero)  sizes = Concat <axis = 0> (nc, hw)
            roi = Constant <value = float[0] {}> ()  none = Constant <value = float[0] {}> ()
            y = Resize <mode = "linear", coordinate_transformation_mode = "pytorch_half_pixel"> (x, roi, none, sizes)
        }""", ["Resize"]),
    # tf2onnx: tf.image.resize to sizes that are a share of the input's, as scales.
    "tf2onnx, Resize by scales": ("""<ir_version: 5, opset_import: ["" : 10]>
        g (float[1,60,80,3] x) => (float[1,120,160,3] y) <int64[1] one = {1}, int64[1] three = {3}, int64[1] zero = {0}, float[2] ones = {1,1}, float share = {2}> {
            t = Transpose <perm = [0,3,1,2]> (x)
            s = Shape (x)  si = Cast <to = 6> (s)  s64 = Cast <to = 7> (si)  hw = Slice (s64, one, three, zero)
            hwf = Cast <to = 1> (hw)  scaled = Mul (hwf, share)  rounded = Cast <to = 6> (scaled)  goal = Cast <to = 1> (rounded)
            r = Div (goal, hwf)  scales = Concat <axis = 0> (ones, r)
            u = Resize <mode = "nearest"> (t, scales)
            y = Transpose <perm = [0,2,3,1]> (u)
        }""", ["Transpose", "Resize", "Transpose"]),
    # paddle2onnx: F.interpolate of a pyramid to the size of another level, and a share of it.
    "paddle, a pyramid": ("""<ir_version: 7, opset_import: ["" : 11]>
        g (float[1,4,15,20] small, float[1,4,60,80] large) => (float[1,4,60,80] y) <int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4}, float half = {0.5}> {
            ls = Shape (large)  hw = Slice (ls, two, four)  hwf = Cast <to = 1> (hw)  halved = Mul (hwf, half)  up = Ceil (halved)  sizes_i = Cast <to = 6> (up)  hw2 = Cast <to = 7> (sizes_i)
            ss = Shape (small)  nc = Slice (ss, zero, two)  to = Concat <axis = 0> (nc, hw2)
            roi = Constant <value = float[0] {}> ()  none = Constant <value = float[0] {}> ()
            mid = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (small, roi, none, to)
            ms = Shape (mid)  mhw = Slice (ms, two, four)  mf = Cast <to = 1> (mhw)  lf = Cast <to = 1> (hw)  r = Div (lf, mf)
            ones = Constant <value = float[2] {1,1}> ()  scales = Concat <axis = 0> (ones, r)
            roi2 = Constant <value = float[0] {}> ()
            last = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (mid, roi2, scales)
            y = Add (last, large)
        }""", ["Resize", "Resize", "Add"]),
    # torch's scaled_dot_product_attention at opset 14: the root of the size of a head.
    "torch, attention": ("""<ir_version: 7, opset_import: ["" : 14]>
        g (float[1,2,5,8] q, float[1,2,5,8] k) => (float[1,2,5,5] y) <int64[1] last = {-1}, int64[1] end = {9223372036854775807}, float[1] one = {1}> {
            s = Shape (q)  d = Slice (s, last, end)  df = Cast <to = 1> (d)  root = Sqrt (df)  scale = Div (one, root)  half = Sqrt (scale)
            qs = Mul (q, half)  kt = Transpose <perm = [0,1,3,2]> (k)  ks = Mul (kt, half)  y = MatMul (qs, ks)
        }""", ["Mul", "Transpose", "Mul", "MatMul"]),
    # A padding to a multiple of 32: Ceil and Max of floats.
    "keras, a padding": ("""<ir_version: 7, opset_import: ["" : 13]>
        g (float[1,3,60,80] x) => (float[1,3,64,96] y) <int64[1] two = {2}, int64[1] four = {4}, float unit = {32}, int64[6] before = {0,0,0,0,0,0}, float least = {0}> {
            s = Shape (x)  hw = Slice (s, two, four)  f = Cast <to = 1> (hw)  parts = Div (f, unit)  whole = Ceil (parts)  goal = Mul (whole, unit)
            more = Sub (goal, f)  some = Max (more, least)  ends = Cast <to = 7> (some)  pads = Concat <axis = 0> (before, ends)  y = Pad (x, pads)
        }""", ["Pad"]),
    # Powers of two as strides, and how many anchors there are, by a product of floats.
    "strides and counts": ("""<ir_version: 7, opset_import: ["" : 13]>
        g (float[1,4,60,80] x) => (float[1,4,300] y) <float two = {2}, float three = {2}, int64[1] axis = {2}, int64[1] end = {4}, int64[1] one = {1}, int64[1] four = {4}> {
            stride = Pow (two, three)  s = Shape (x)  hw = Slice (s, axis, end)  f = Cast <to = 1> (hw)  cells = Div (f, stride)  rounded = Round (cells)
            n = ReduceProd <keepdims = 1> (rounded)  ni = Cast <to = 7> (n)  to = Concat <axis = 0> (one, four, ni)
            p = AveragePool <kernel_shape = [4,4], strides = [4,4]> (x)  y = Reshape (p, to)
        }""", ["AveragePool", "Reshape"]),
}


@pytest.mark.parametrize("form", SIZES_IN_FLOATS)
def test_sizes_that_are_computed_in_floats(form: str) -> None:
    """Of these, simplifiers that run the constant part of a model leave the same operators."""
    text, left = SIZES_IN_FLOATS[form]
    model = onnx.parser.parse_model(text)
    folded = fold(model)
    assert [op for op in operators(folded) if op != "Constant"] == left
    rng = np.random.default_rng(1)
    feeds = {value.name: rng.normal(size=[dim.dim_value for dim in value.type.tensor_type.shape.dim]).astype(np.float32) for value in model.graph.input}
    onnx.checker.check_model(folded, full_check=True)
    expected, got = (runtimes.in_onnxruntime(each.SerializeToString())(feeds)["y"] for each in (model, folded))
    assert_same(got, expected)
    assert list(got.shape) == [dim.dim_value for dim in model.graph.output[0].type.tensor_type.shape.dim]


def test_sizes_in_floats_of_an_open_dimension() -> None:
    """What depends on the batch stays, and what does not is folded."""
    model = onnx.parser.parse_model(SIZES_IN_FLOATS["torch, Resize to sizes"][0].replace("float[1,3,13,17] x", "float[n,3,13,17] x").replace("float[1,3,19,25] y", "float[n,3,19,25] y"))
    folded = fold(model)
    assert sorted(op for op in operators(folded) if op != "Constant") == ["Concat", "Resize", "Shape", "Slice"]
    whole = fold(model, "--dim", "n=2")
    assert [op for op in operators(whole) if op != "Constant"] == ["Resize"]
    x = np.random.default_rng(1).normal(size=(2, 3, 13, 17)).astype(np.float32)
    expected = runtimes.in_onnxruntime(model.SerializeToString())({"x": x})["y"]
    for each in (folded, whole):
        assert_same(runtimes.in_onnxruntime(each.SerializeToString())({"x": x})["y"], expected)
