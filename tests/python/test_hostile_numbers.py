# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Nodes whose dimensions, attributes and constants are numbers that nobody means, such as the largest int64: a rule that reckons with them may decline or not, but
costs neither memory nor time and does not crash.

The inputs of the golden texts, so that every rule is led through, each with some of its numbers replaced at random. ONNX_LOWER_HOSTILE_ROUNDS says how often.
"""
from __future__ import annotations

import os
import pathlib
import random

import onnx
import pytest
from onnx import AttributeProto, TensorProto

import test_golden
import tool

ROUNDS = int(os.environ.get("ONNX_LOWER_HOSTILE_ROUNDS", "1"))
FOLDERS = sorted({path.parent for path in test_golden.INPUTS})
# Bounds of types, what is just beyond them, powers of two whose products overflow, and what is near nothing.
NUMBERS = [0, 1, -1, 2, -2, 3, 7, 1 << 20, (1 << 31) - 1, 1 << 31, -(1 << 31), 1 << 32, 1 << 40, 1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63)]
MOST_MEMORY = 1 << 30
ARGUMENTS = ([], [], [], ["--target-opset", "21"], ["--target-opset", "17"], ["--target-opset", "11"], ["--fold"], ["--target", "opencv-5.0"], ["--target", "tract-0.23"])


def graphs_of(graph: onnx.GraphProto):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from graphs_of(attribute.g)


def replace_in_list(numbers, rng: random.Random, number: int) -> None:
    kind = rng.random()
    if len(numbers) and kind < 0.8:
        numbers[rng.randrange(len(numbers))] = number
    elif len(numbers) and kind < 0.9:
        del numbers[-1]
    else:
        numbers.append(number)


def places_of(model: onnx.ModelProto) -> list:
    """What can be replaced: functions that take the random numbers and do it."""
    def in_shape(shape: onnx.TensorShapeProto, rng: random.Random) -> None:
        kind = rng.random()
        if len(shape.dim) and kind < 0.8:
            shape.dim[rng.randrange(len(shape.dim))].dim_value = max(rng.choice(NUMBERS), 0)
        elif len(shape.dim) and kind < 0.9:
            del shape.dim[-1]
        else:
            shape.dim.add().dim_value = max(rng.choice(NUMBERS), 0)

    def in_tensor(tensor: onnx.TensorProto, rng: random.Random) -> None:
        bits = {TensorProto.INT64: 64, TensorProto.INT32: 32}.get(tensor.data_type)
        if bits is None or tensor.data_location == TensorProto.EXTERNAL:
            return
        array = onnx.numpy_helper.to_array(tensor).copy()
        if array.size:
            array.flat[rng.randrange(array.size)] = min(max(rng.choice(NUMBERS), -(1 << bits - 1)), (1 << bits - 1) - 1)
        if rng.random() < 0.2:
            array = array.reshape([1, *array.shape]) if rng.random() < 0.5 else array.reshape(-1)[:0]
        tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))

    def in_attribute(attribute: onnx.AttributeProto, rng: random.Random) -> None:
        number = rng.choice(NUMBERS)
        if attribute.type == AttributeProto.INT:
            attribute.i = number
        elif attribute.type == AttributeProto.INTS:
            replace_in_list(attribute.ints, rng, number)
        elif attribute.type == AttributeProto.FLOAT:
            attribute.f = rng.choice([0.0, -1.0, 1e38, float("inf"), float("nan")])
        elif attribute.type == AttributeProto.TENSOR:
            in_tensor(attribute.t, rng)

    places = []
    for graph in graphs_of(model.graph):
        for declared in (*graph.input, *graph.output, *graph.value_info):
            if declared.type.tensor_type.HasField("shape"):
                places.append(lambda rng, shape=declared.type.tensor_type.shape: in_shape(shape, rng))
        for tensor in graph.initializer:
            places.append(lambda rng, tensor=tensor: in_tensor(tensor, rng))
        for node in graph.node:
            for attribute in node.attribute:
                places.append(lambda rng, attribute=attribute: in_attribute(attribute, rng))
    return places


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(test_golden.GOLDEN)))
def test_numbers_that_nobody_means(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    rng = random.Random(folder.name)
    for text in sorted(folder.glob(f"*{test_golden.INPUT}")):
        extra = test_golden.beside(text, test_golden.ARGUMENTS)
        arguments = extra.read_text().splitlines() if extra.exists() else []
        for _ in range(ROUNDS):
            try:
                model = onnx.parser.parse_model(text.read_text())
            except onnx.parser.ParseError:
                assert text.name.startswith("bad-"), text
                break
            places = places_of(model)
            for place in rng.sample(places, min(len(places), rng.choice([1, 1, 2, 3]))):
                place(rng)
            (tmp_path / "in.onnx").write_bytes(model.SerializeToString())
            more = rng.choice(ARGUMENTS)
            more = [] if more and more[0] in arguments else more
            # The sanitizer reserves far more than the tool takes. A function that is called in a forked process would cost a copy of all of this process's page tables.
            limit = [] if tool.SANITIZED else ["prlimit", f"--as={MOST_MEMORY}"]
            result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", *arguments, *more], cwd=text.parent, timeout=60, within=limit)
            told = f"{text.name} {more}\n{onnx.printer.to_text(model)[:4000]}\n{result}"
            assert result.status in (tool.DONE, tool.NOT_LOWERED, tool.INVALID_INPUT, tool.WRONG_USAGE), told
            for crash in ("Sanitizer", "runtime error:", "internal error", "std::"):
                assert crash not in result.stderr, told
            assert result.status != tool.DONE or (tmp_path / "out.onnx").stat().st_size < 20 << 20, told
