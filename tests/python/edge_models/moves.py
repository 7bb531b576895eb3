# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators that move elements, choose some of them or arrange them in another shape."""
from __future__ import annotations

from typing import Any

import numpy as np

from edge_models.edges import HUGE, ROUNDED, Case, Edges, draws, few, node, tensor_type


def axes_given(edges: Edges, since: int, inputs: list, axes: list[int] | None, attributes: dict[str, Any]) -> Case:
    """Axes are an attribute, and since some opset an input."""
    if axes is None:
        return node(inputs, attributes)
    if edges.opset < since:
        return node(inputs, attributes | {"axes": axes})
    return node([*inputs, edges.listed(axes)], attributes, constants=edges.one_of([], [len(inputs)]))


@draws("Squeeze")
def squeeze(edges: Edges) -> Case:
    shape = tuple(1 if edges.chance(0.5) else size for size in edges.shape())
    ones = [axis for axis, size in enumerate(shape) if size == 1]
    axes = [axis - (len(shape) if edges.opset >= 11 and edges.chance(0.4) else 0) for axis in ones if edges.chance(0.7)]
    return axes_given(edges, 13, [edges.values(*shape, dtype=edges.type())], axes if axes or (ones and edges.chance(0.1)) else None, {})


@draws("Unsqueeze")
def unsqueeze(edges: Edges) -> Case:
    shape = edges.shape(high=5)
    count = edges.size(1, 3)
    rank = len(shape) + count
    axes = [int(axis) - (rank if edges.opset >= 11 and edges.chance(0.4) else 0) for axis in edges.generator.permutation(rank)[:count]]
    return axes_given(edges, 13, [edges.values(*shape, dtype=edges.type())], axes, {})


@draws("Reshape")
def reshape(edges: Edges) -> Case:
    shape = edges.shape()
    to = list(edges.generator.permutation(shape)) if shape else []
    zero_means_zero = edges.opset >= 14 and edges.chance(0.3)
    if edges.chance(0.3):
        to = [int(np.prod(shape))]
    if not zero_means_zero and 0 not in shape:
        to = [0 if index < len(shape) and shape[index] == size and edges.chance(0.3) else size for index, size in enumerate(to)]
    if to and 0 not in shape and edges.chance(0.4):
        to[edges.size(0, len(to) - 1)] = -1
    to += [1] * edges.size(0, 2)
    return node([edges.values(*shape, dtype=edges.type()), edges.listed(to)], {"allowzero": 1} if zero_means_zero else {}, constants=edges.one_of([], [1]))


@draws("Flatten")
def flatten(edges: Edges) -> Case:
    shape = edges.shape(0 if edges.opset >= 9 else 1)
    axis = edges.one_of(edges.size(0, len(shape)), edges.axis(len(shape)) if shape else 0)
    return node([edges.values(*shape, dtype=edges.type())], edges.some(axis=axis) if len(shape) > 0 else {"axis": axis})


@draws("Expand")
def expand(edges: Edges) -> Case:
    shape = edges.shape()
    to = edges.one_of(shape, edges.broadcast(shape), [*edges.dims(edges.size(0, 2), 0, 3), *shape])
    return node([edges.values(*edges.broadcast(shape), dtype=edges.type()), edges.listed(to)], constants=edges.one_of([], [1]))


@draws("Tile")
def tile(edges: Edges) -> Case:
    shape = edges.shape(1)
    return node([edges.values(*shape, dtype=edges.type()), edges.listed(edges.one_of(0, 1, 1, 2, 3) for _ in shape)], constants=edges.one_of([], [1]))


@draws("Transpose")
def transpose(edges: Edges) -> Case:
    shape = edges.shape()
    return node([edges.values(*shape, dtype=edges.type())], edges.some(perm=[int(axis) for axis in edges.generator.permutation(len(shape))]) if shape else {})


@draws("Concat")
def concat(edges: Edges) -> Case:
    dtype, shape = edges.type(), list(edges.shape(1))
    axis = edges.axis(len(shape))
    parts = []
    for _ in range(edges.size(1, 4)):
        shape[axis] = edges.length()
        parts.append(edges.values(*shape, dtype=dtype))
    return node(parts, {"axis": axis})


@draws("Split")
def split(edges: Edges) -> Case:
    dtype, shape = edges.type(), list(edges.shape(1))
    axis, parts = edges.axis(len(shape)), edges.size(1, 4)
    sizes = [edges.length() for _ in range(parts)]
    attributes = {"axis": axis} if axis or edges.chance() else {}
    if edges.chance(0.4):
        if edges.opset >= 18:
            shape[axis] = edges.one_of(parts, 2 * parts, 2 * parts - 1, 3 * parts - 1)
            return node([edges.values(*shape, dtype=dtype)], attributes | {"num_outputs": parts}, outputs=parts)
        shape[axis] = parts * edges.size(0, 2)
        return node([edges.values(*shape, dtype=dtype)], attributes, outputs=parts)
    shape[axis] = sum(sizes)
    x = edges.values(*shape, dtype=dtype)
    if edges.opset < 13:
        return node([x], attributes | {"split": sizes}, outputs=parts)
    return node([x, edges.listed(sizes)], attributes, outputs=parts, constants=edges.one_of([], [1]))


@draws("Slice")
def slices(edges: Edges) -> Case:
    shape = edges.shape(1)
    axes = edges.axes(len(shape), 1)

    def bound(axis: int) -> int:
        return edges.one_of(0, 1, 2, -1, -2, shape[axis], -shape[axis] - 1, shape[axis] + 3, HUGE, -HUGE - 1, 2**31 - 1, -(2**31), -HUGE)

    starts, ends = [bound(axis) for axis in axes], [bound(axis) for axis in axes]
    x = edges.values(*shape, dtype=edges.type())
    if edges.opset < 10:
        return node([x], {"axes": axes, "starts": starts, "ends": ends} if axes != list(range(len(shape))) or edges.chance() else {"starts": starts, "ends": ends})
    dtype = edges.one_of(np.int64, np.int64, np.int32)

    def listed(values: list[int]) -> np.ndarray:
        info = np.iinfo(dtype)
        return edges.listed((min(max(value, info.min), info.max) for value in values), dtype)

    steps = edges.maybe(listed([edges.one_of(1, 1, 2, -1, -2, 7, -7, HUGE, -HUGE - 1, -HUGE) for _ in axes]), 0.7)
    constants = edges.one_of([], [1, 2, 3, 4], [3, 4], [1, 3], [2, 4], [3])
    if axes == list(range(len(shape))) and edges.chance():
        return node([x, listed(starts), listed(ends), None, steps], constants=constants)
    return node([x, listed(starts), listed(ends), listed(axes), steps], constants=constants)


@draws("Pad")
def pad(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape(1, 5)
    mode = edges.one_of("constant", "constant", "reflect", "edge", *(["wrap"] if edges.opset >= 19 else []))
    if mode != "constant":
        shape = tuple(max(size, 1) for size in shape)
    axes = edges.axes(len(shape), 1) if edges.opset >= 18 and edges.chance(0.5) else None
    padded = [shape[axis] for axis in axes] if axes is not None else shape
    most = [{"constant": 3, "edge": 3, "reflect": size - 1, "wrap": size}[mode] for size in padded]
    pads = [edges.size(0, limit) if limit > 0 else 0 for limit in most * 2]
    if edges.chance(0.3):
        pads = [edges.one_of(amount, -1 if size > 2 else 0) for amount, size in zip(pads, padded * 2 if isinstance(padded, list) else [*padded, *padded])]
    attributes = {"mode": mode} if mode != "constant" or edges.chance() else {}
    x = edges.values(*shape, dtype=dtype)
    if edges.opset < 11:
        return node([x], attributes | {"pads": pads} | edges.some(value=edges.parameter(0.5)))
    inputs = [x, edges.listed(pads), edges.maybe(edges.values(dtype=dtype)), None if axes is None else edges.listed(axes)]
    return node(inputs, attributes, constants=edges.one_of([], [1], [1, 2], [1, 3], [3], [2]))


@draws("Gather")
def gather(edges: Edges) -> Case:
    shape = edges.shape(1)
    axis = edges.axis(len(shape))
    size = shape[axis]
    indices = edges.integers(-size if edges.opset >= 11 else 0, size - 1, *edges.shape(high=3)) if size else np.zeros((0, *edges.shape(high=2)), np.int64)
    return node([edges.values(*shape, dtype=edges.type()), indices.astype(edges.one_of(np.int64, np.int64, np.int32))], edges.some(axis=axis) if axis == 0 else {"axis": axis})


@draws("GatherElements")
def gather_elements(edges: Edges) -> Case:
    shape = edges.shape(1)
    axis = edges.axis(len(shape))
    at = [size if size == 0 else edges.size(1, size) for size in shape]
    at[axis] = edges.length() if shape[axis] else 0
    return node([edges.values(*shape, dtype=edges.type()), edges.integers(-max(shape[axis], 1), max(shape[axis], 1) - 1, *at).astype(edges.one_of(np.int64, np.int32))], edges.some(axis=axis) if axis == 0 else {"axis": axis})


def tuples_of_indices(edges: Edges, shape: tuple[int, ...], lead: tuple[int, ...], count: int, batch: int = 0) -> np.ndarray:
    columns = [edges.integers(-shape[batch + column], shape[batch + column] - 1, *lead) for column in range(count)]
    return np.stack(columns, axis=-1) if columns else np.zeros((*lead, 0), np.int64)


@draws("GatherND")
def gather_nd(edges: Edges) -> Case:
    shape = edges.filled(1, 5)
    batch = edges.size(0, len(shape) - 1) if edges.opset >= 12 and edges.chance(0.4) else 0
    indices = tuples_of_indices(edges, shape, (*shape[:batch], *edges.shape(high=2)), edges.size(1, len(shape) - batch), batch)
    return node([edges.values(*shape, dtype=edges.type()), indices], {"batch_dims": batch} if batch else {})


@draws("ScatterND", near=ROUNDED)
def scatter_nd(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.filled(1, 4)
    count = edges.size(1, len(shape))
    # Each place once: of those that are written twice, either may stay.
    places = np.stack(np.unravel_index(edges.generator.permutation(int(np.prod(shape[:count])))[: edges.size(0, 4)], shape[:count]), axis=-1).astype(np.int64)
    attributes = {}
    if edges.opset >= 16 and np.dtype(dtype).kind in "fiu" and edges.chance(0.6):
        attributes["reduction"] = edges.one_of("none", "add", "mul", *(["max", "min"] if edges.opset >= 18 else []))
        if attributes["reduction"] != "none" and np.dtype(dtype).kind in "iu":
            places = np.concatenate([places, places[:1]])
    places = np.where(edges.integers(0, 1, *places.shape).astype(bool), places, places - np.array(shape[:count])) if edges.opset >= 11 else places
    return node([edges.values(*shape, dtype=dtype), places, edges.values(len(places), *shape[count:], dtype=dtype)], attributes)


@draws("ScatterElements", "Scatter", near=ROUNDED)
def scatter_elements(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.filled(1, 4)
    axis = edges.axis(len(shape))
    at = [edges.size(1, size) for size in shape]
    places = np.argsort(edges.generator.random(shape), axis=axis)[tuple(slice(size) for size in at)]
    attributes = {"axis": axis} if axis or edges.chance() else {}
    if edges.opset >= 16 and np.dtype(dtype).kind in "fiu" and edges.chance(0.6):
        attributes["reduction"] = edges.one_of("none", "add", "mul", *(["max", "min"] if edges.opset >= 18 else []))
    if edges.opset >= 11:
        places = np.where(edges.integers(0, 1, *places.shape).astype(bool), places, places - shape[axis])
    return node([edges.values(*shape, dtype=dtype), places.astype(edges.one_of(np.int64, np.int32)), edges.values(*at, dtype=dtype)], attributes)


@draws("Compress")
def compress(edges: Edges) -> Case:
    shape = edges.shape(1)
    axis = edges.maybe(edges.axis(len(shape)))
    size = int(np.prod(shape)) if axis is None else shape[axis]
    return node([edges.values(*shape, dtype=edges.type()), edges.integers(0, 1, edges.size(0, size)).astype(bool)], {} if axis is None else {"axis": axis})


@draws("NonZero")
def non_zero(edges: Edges) -> Case:
    return node([edges.values(*edges.shape(1), dtype=edges.type())])


@draws("OneHot")
def one_hot(edges: Edges) -> Case:
    of_indices, of_values = edges.type("T1"), edges.type("T3")
    rank = edges.size(0, 4)
    shape, depth = tuple(edges.length() for _ in range(rank)), edges.size(1, 5)
    indices = edges.integers(0 if np.dtype(of_indices).kind == "u" else -depth - 1, depth + 1, *shape, dtype=of_indices)
    axis = edges.size(0, rank) - edges.one_of(0, rank + 1)
    size = np.array(depth, edges.one_of(np.int64, np.int64, np.float32) if edges.type("T2") is not None else np.int64)
    return node([indices, edges.one_of(size, size.reshape(1)), edges.values(2, dtype=of_values)], edges.some(axis=axis) if axis == -1 else {"axis": axis}, constants=edges.one_of([], [1], [1, 2]))


@draws("Trilu")
def trilu(edges: Edges) -> Case:
    shape = edges.shape(2, 5)
    k = edges.maybe(np.int64(edges.one_of(0, 1, -1, 2, -3, 9, -9, 2**31, -(2**31))), 0.7)
    return node([edges.values(*shape, dtype=edges.type()), k], edges.some(upper=edges.one_of(0, 1)), constants=edges.one_of([], [1]))


@draws("EyeLike")
def eye_like(edges: Edges) -> Case:
    attributes = edges.some(k=edges.one_of(0, 1, -1, 3, -3, 9, -9))
    if edges.chance(0.5):
        attributes["dtype"] = tensor_type(edges.type("T2", np.str_))
    return node([edges.values(edges.length(), edges.length(), dtype=edges.type("T1", np.str_))], attributes)


@draws("ConstantOfShape")
def constant_of_shape(edges: Edges) -> Case:
    value = edges.values(1, dtype=edges.type("T2"))
    return node([edges.listed(edges.shape())], {"value": value} if edges.chance(0.7) else {}, constants=edges.one_of([], [0]))


@draws("Range")
def ranges(edges: Edges) -> Case:
    dtype = edges.type()
    if np.dtype(dtype).kind == "f":
        start, limit, delta = edges.one_of(0.0, -1.5, 3.0), edges.one_of(0.0, 2.0, -7.25, 9.0), edges.one_of(0.5, -0.25, 1.0, -3.0, 100.0)
    else:
        start, limit, delta = edges.one_of(0, -2, 5), edges.one_of(0, 9, -9, 5), edges.one_of(1, 2, -1, -3, 100)
    return node([np.array(value, dtype) for value in (start, limit, delta)], constants=edges.one_of([], [0, 1, 2], [0, 2], [2]))


@draws("ReverseSequence")
def reverse_sequence(edges: Edges) -> Case:
    shape = (*edges.filled(2, 2), *edges.shape(high=3))
    time = edges.one_of(0, 1)
    return node([edges.values(*shape, dtype=edges.type()), edges.integers(1, shape[time], shape[1 - time])], {"time_axis": time, "batch_axis": 1 - time})


@draws("Unique")
def unique(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.filled(1, 3)
    x = few(edges, shape, dtype)
    attributes = edges.some(sorted=edges.one_of(0, 1)) | ({"axis": edges.axis(len(shape))} if edges.chance(0.5) else {})
    return node([x], attributes, outputs=edges.size(1, 4))


@draws("DepthToSpace", "SpaceToDepth")
def blocks(edges: Edges) -> Case:
    size, batch, channels, height, width = edges.size(1, 3), edges.one_of(0, 1, 2), edges.size(1, 2), edges.size(1, 3), edges.size(1, 3)
    if edges.operator == "SpaceToDepth":
        return node([edges.values(batch, channels, height * size, width * size, dtype=edges.type())], {"blocksize": size})
    attributes = {"blocksize": size} | (edges.some(mode=edges.one_of("DCR", "CRD")) if edges.opset >= 11 else {})
    return node([edges.values(batch, channels * size * size, height, width, dtype=edges.type())], attributes)


@draws("CenterCropPad")
def center_crop_pad(edges: Edges) -> Case:
    shape = edges.shape(1, 4)
    axes = edges.maybe(edges.axes(len(shape), 1))
    to = [edges.size(1, 6) for _ in (shape if axes is None else axes)]
    return node([edges.values(*shape, dtype=edges.type()), edges.listed(to)], {} if axes is None else {"axes": axes}, constants=edges.one_of([], [1]))


@draws("TensorScatter")
def tensor_scatter(edges: Edges) -> Case:
    batch, heads, longest, width = edges.size(1, 3), edges.size(1, 2), edges.size(2, 5), edges.size(1, 3)
    length = edges.size(1, longest)
    mode = edges.one_of("linear", "circular")
    at = edges.maybe(edges.integers(0, longest - (length if mode == "linear" else 1), batch), 0.8)
    dtype = edges.type()
    return node([edges.values(batch, heads, longest, width, dtype=dtype), edges.values(batch, heads, length, width, dtype=dtype), at], edges.some(mode=mode) if mode == "linear" else {"mode": mode})


@draws("TopK")
def top_k(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape(1)
    axis = edges.axis(len(shape))
    x = edges.one_of(edges.values(*shape, dtype=dtype), few(edges, shape, dtype))
    if np.dtype(dtype).kind == "f":
        x = np.nan_to_num(x)  # what is not a number has no place in an order
    k = edges.size(0, shape[axis])
    attributes = edges.some(axis=axis) if axis == -1 else {"axis": axis}
    if edges.opset < 10:
        return node([x], attributes | {"k": max(k, 1)}, outputs=2)
    attributes |= edges.some(largest=edges.one_of(0, 1)) if edges.opset >= 11 else {}
    return node([x, np.array([k], np.int64)], attributes, outputs=2, constants=edges.one_of([], [1]))


@draws("Col2Im", near=ROUNDED)
def col2im(edges: Edges) -> Case:
    axes = edges.size(1, 2)
    kernel, image = edges.dims(axes, 1, 3), edges.dims(axes, 3, 5)
    strides, dilations = edges.dims(axes, 1, 2), edges.dims(axes, 1, 1)
    pads = edges.dims(2 * axes, 0, 1)
    blocks_ = 1
    for axis in range(axes):
        blocks_ *= (image[axis] + pads[axis] + pads[axis + axes] - dilations[axis] * (kernel[axis] - 1) - 1) // strides[axis] + 1
    x = edges.summable(edges.size(1, 2), edges.size(1, 2) * int(np.prod(kernel)), blocks_, dtype=edges.type())
    return node([x, edges.listed(image), edges.listed(kernel)], {"strides": list(strides), "dilations": list(dilations), "pads": list(pads)}, constants=edges.one_of([], [1, 2]))


@draws("StringConcat", "StringNormalizer", "StringSplit")
def strings(edges: Edges) -> Case:
    if edges.operator == "StringConcat":
        shape = edges.shape(high=4)
        return node([edges.values(*shape, dtype=np.str_), edges.values(*edges.broadcast(shape), dtype=np.str_)])
    texts = np.array([edges.one_of("", "a", "A b", "a,b", " c ", "Ü,", "a  b") for _ in range(edges.size(1, 4))], dtype=object)
    if edges.operator == "StringSplit":
        return node([texts], edges.some(delimiter=edges.one_of(",", " ", ""), maxsplit=edges.one_of(0, 1, 2)), outputs=2)
    return node([texts], edges.some(case_change_action=edges.one_of("LOWER", "UPPER", "NONE"), is_case_sensitive=edges.one_of(0, 1), stopwords=["a", "A b"]))
