# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Inputs for a model that somebody else has trained, in ranges that it takes: what its declarations, its tables and the names of its inputs say, and inputs.tsv what they do not."""
from __future__ import annotations

import csv
import dataclasses
import fnmatch
import itertools
import pathlib
from collections.abc import Iterator, Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import seeds

TABLE = pathlib.Path(__file__).resolve().parent / "inputs.tsv"
# What an open dimension is tried with, in this order: 1, then lengths of texts and of audio. And what the sides of pictures are: networks that halve them five times need a multiple of 32.
SIZES = (1, 16, 6, 64, 100, 128, 192, 320, 512, 640, 1600, 16000)
SIDES = (96, 160, 224, 320, 640, 48)
# Nodes that hand on what they are given, or another view of it.
HAND_ON = {"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Split", "Flatten", "Concat", "Expand", "Clip", "Gather", "Where", "Mul", "Add", "Sub", "Min", "Max"}


@dataclasses.dataclass(frozen=True)
class Said:
    """A line of inputs.tsv."""

    model: str
    input: str
    what: str  # sizes, values, range
    value: str


def said_of(model: str) -> list[Said]:
    with TABLE.open(newline="") as stream:
        rows = csv.DictReader((line for line in stream if not line.startswith("#")), delimiter="\t")
        return [said for row in rows if fnmatch.fnmatch(model, (said := Said(**row)).model)]


def shape_of(declared: onnx.ValueInfoProto) -> list[int | str] | None:
    """Numbers, and names of what is open. Those that have no name are counted in each input: the first is the batch of a picture [?, 3, ?, ?] and of a state [2, ?, 64] alike."""
    kind = declared.type.tensor_type
    if not kind.HasField("shape"):
        return None
    found: list[int | str] = []
    for dim in kind.shape.dim:
        # A negative number is how some converters write that a dimension is open, and '?' another.
        name = dim.dim_param if dim.dim_param not in ("?", "-1") else ""
        found.append(dim.dim_value if dim.dim_value > 0 else name or f"open {sum(isinstance(other, str) for other in found)}")
    return found


def graphs_of(graph: onnx.GraphProto) -> Iterator[onnx.GraphProto]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs_of(attribute.g)


def rows_of_tables(model: onnx.ModelProto) -> dict[str, int]:
    """Of the inputs that choose rows of a constant, how many rows it has, or the shortest of several."""
    graphs = list(graphs_of(model.graph))
    lengths = {tensor.name: tensor.dims[0] for graph in graphs for tensor in graph.initializer if tensor.dims}
    makers = {name: node for graph in graphs for node in graph.node for name in node.output}
    for name, node in makers.items():
        for attribute in node.attribute:
            if node.op_type == "Constant" and attribute.type == onnx.AttributeProto.TENSOR and attribute.t.dims:
                lengths[name] = attribute.t.dims[0]
        # A table that is kept in 8 bits.
        if node.op_type == "DequantizeLinear" and node.input[0] in lengths:
            lengths[name] = lengths[node.input[0]]
    inputs = {value.name for value in model.graph.input}
    found: dict[str, int] = {}
    for graph in graphs:
        for node in graph.node:
            if node.op_type not in ("Gather", "GatherBlockQuantized") or lengths.get(node.input[0], 0) < 2 or any(attribute.name == "axis" and attribute.i for attribute in node.attribute):
                continue
            reached, left = set(), [node.input[1]]
            while left:
                name = left.pop()
                if name in reached:
                    continue
                reached.add(name)
                if name in makers and makers[name].op_type in HAND_ON:
                    left += makers[name].input[:1] if makers[name].op_type in ("Gather", "Slice", "Reshape", "Expand") else makers[name].input
            for name in reached & inputs:
                found[name] = min(found.get(name, lengths[node.input[0]]), lengths[node.input[0]])
    return found


def keys_of(model: onnx.ModelProto) -> list[str]:
    """The strings that a LabelEncoder or the like of the model knows."""
    found = []
    for graph in graphs_of(model.graph):
        for node in graph.node:
            if node.op_type in ("LabelEncoder", "CategoryMapper", "OneHotEncoder", "StringNormalizer", "TfIdfVectorizer", "DictVectorizer"):
                found += [text.decode() for attribute in node.attribute if attribute.name in ("keys_strings", "classes_strings", "cats_strings", "string_vocabulary", "pool_strings") for text in attribute.strings]
                found += [text for attribute in node.attribute if attribute.name == "keys_tensor" for text in numpy_helper.to_array(attribute.t).ravel().astype(str)]
    return found or ["a", "b"]


def place_of_channels(shape: Sequence[int | str] | None) -> int | None:
    """Of a picture, gray or in colours."""
    return next((place for place in (1, 3) if shape is not None and len(shape) == 4 and shape[place] in (1, 3)), None)


def sides_of_pictures(shape: Sequence[int | str] | None) -> list[str]:
    channels = place_of_channels(shape)
    return [] if channels is None else [dim for dim in (shape[2:] if channels == 1 else shape[1:3]) if isinstance(dim, str)]


def picture(shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Between -1 and 1: paper that is not evenly lit, and on it lines of what looks like letters, so that what looks for text or things has something to find. Its last two dimensions are the
    picture's."""
    height, width = shape[-2:]
    rows, columns = np.mgrid[0:height, 0:width]
    page = 0.8 + 0.2 * np.sin(rows / height * 3 + random.uniform(0, 6)) * np.cos(columns / width * 2)
    tall = min(max(height // 5, 8), 32)
    for top in range(tall // 4, height - tall, 2 * tall):
        for left in range(tall // 2, width - tall, tall):
            letter = page[top:top + tall, left:left + 3 * tall // 4]
            # Of a letter's strokes each is there or not.
            for stroke in (np.s_[:, :tall // 6], np.s_[:, -(tall // 6):], np.s_[:tall // 6, :], np.s_[-(tall // 6):, :], np.s_[tall // 2 - 1:tall // 2 + tall // 6, :]):
                if random.uniform() < 0.6:
                    letter[stroke] = -0.9
    return np.clip(page * random.uniform(0.8, 1, (*shape[:-2], 1, 1)) + random.normal(0, 0.02, shape), -1, 1)


def sound(shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Between -1 and 1: a voiced tone with its harmonics, which swells, and some noise."""
    time = np.arange(shape[-1]) / 16000
    pitch = random.uniform(100, 250)
    voice = sum(np.sin(2 * np.pi * pitch * harmonic * time) / harmonic for harmonic in range(1, 8)) * (0.6 + 0.4 * np.sin(2 * np.pi * 4 * time))
    return np.clip(0.25 * voice * random.uniform(0.6, 1, (*shape[:-1], 1)) + random.normal(0, 0.02, shape), -1, 1)


def floats(name: str, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    lower = name.lower()
    channels = place_of_channels(shape)
    if channels == 1 and min(shape[2:]) >= 16:
        return picture(shape, random)
    if channels == 3 and min(shape[1:3]) >= 16:
        return np.moveaxis(picture((shape[0], shape[3], *shape[1:3]), random), 1, -1)
    if "mask" in lower:
        return np.ones(shape)
    if len(shape) in (1, 2, 3) and shape[-1] >= 256 and ("input" in lower or "audio" in lower or "wav" in lower or "samples" in lower or "signal" in lower):
        return sound(shape, random)
    # A factor, such as a speed or a scale.
    return random.uniform(0.5, 1, shape) if len(shape) < 2 and np.prod(shape) < 2 else random.normal(0, 0.5, shape)


def whole_numbers(name: str, shape: tuple[int, ...], rows: int | None, sequence: int, random: np.random.Generator) -> np.ndarray:
    lower = name.lower()
    if "mask" in lower:
        return np.ones(shape)
    if lower in ("sr", "sample_rate"):
        return np.full(shape, 16000)
    if "len" in lower:
        return np.full(shape, sequence)
    if "type" in lower:
        return np.zeros(shape)
    return random.integers(0, rows or 3, shape)


def values_of(declared: onnx.ValueInfoProto, shape: tuple[int, ...], said: list[Said], rows: int | None, keys: list[str], sequence: int, random: np.random.Generator) -> np.ndarray:
    kind = declared.type.tensor_type.elem_type
    told = {line.what: line.value for line in said if fnmatch.fnmatch(declared.name, line.input)}
    if kind == TensorProto.STRING:
        return random.choice(keys, shape).astype(object)
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(kind))
    if "values" in told:
        return np.resize(np.array([float(value) for value in told["values"].split(",")]), shape).astype(dtype)
    if "range" in told:
        low, high = (float(value) for value in told["range"].split(".."))
        return (random.uniform(low, high, shape) if dtype.kind == "f" else random.integers(int(low), int(high) + 1, shape)).astype(dtype)
    if kind == TensorProto.BOOL:
        return np.ones(shape, bool) if "mask" in declared.name.lower() else random.integers(0, 2, shape).astype(bool)
    if kind == TensorProto.UINT8:
        return (127.5 * (1 + floats(declared.name, shape, random)).clip(0, 2)).astype(dtype)
    if rows and dtype.kind == "f":  # which the model makes whole numbers of
        return random.integers(0, rows, shape).astype(dtype)
    return np.asarray(floats(declared.name, shape, random) if dtype.kind == "f" else whole_numbers(declared.name, shape, rows, sequence, random)).astype(dtype)


def sizes_to_try(model: onnx.ModelProto, said: list[Said]) -> Iterator[dict[str, int]]:
    """What open dimensions may be, by name: a batch of 1 first and then of 2; for each the sides of all pictures are equal, and all the others."""
    shapes = [shape_of(declared) or [] for declared in seeds.asked_inputs(model)]
    names = list(dict.fromkeys(dim for shape in shapes for dim in shape if isinstance(dim, str)))
    told = {line.input: [int(value) for value in line.value.split(",")] for line in said if line.what == "sizes"}
    sides = {side for shape in shapes for side in sides_of_pictures(shape)} - set(told)
    batches = {shape[0] for shape in shapes if len(shape) > 1 and isinstance(shape[0], str)} - sides - set(told)
    others = set(names) - batches - sides - set(told)
    # All sizes that inputs.tsv names go together: the first of each dimension, the second of each.
    turns = range(max(map(len, told.values()), default=1))
    for batch, size, side, turn in itertools.product((1, 2) if batches else (1,), SIZES if others else SIZES[:1], SIDES if sides else SIDES[:1], turns):
        yield {**dict.fromkeys(batches, batch), **dict.fromkeys(others, size), **dict.fromkeys(sides, side), **{name: values[min(turn, len(values) - 1)] for name, values in told.items() if name in names}}


def inputs_of(model: onnx.ModelProto, said: list[Said], sizes: dict[str, int], random: np.random.Generator) -> dict[str, np.ndarray]:
    rows, keys = rows_of_tables(model), keys_of(model)
    # An open dimension that is no batch is what lengths count.
    sequence = max([size for name, size in sizes.items()] or [1])
    found = {}
    for declared in seeds.asked_inputs(model):
        shape = tuple(sizes[dim] if isinstance(dim, str) else dim for dim in shape_of(declared) or [])
        found[declared.name] = values_of(declared, shape, said, rows.get(declared.name), keys, sequence, random)
    return found
