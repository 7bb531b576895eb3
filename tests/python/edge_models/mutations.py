# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Exported models in which something was changed: an attribute, a type, a size, an input, the number of an opset, an element of a constant."""
from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto

import model_checks
import tool

LARGEST = 60_000
NUMBERS = [0, 1, -1, 2, -2, 3, 7, 100, 2**31 - 1, 2**31, -(2**31), 2**63 - 1, -(2**63)]
REALS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-40, 3e38, float("inf"), float("-inf"), float("nan")]


@functools.lru_cache(maxsize=1)
def real_models() -> list[tuple[str, bytes, dict[str, np.ndarray]]]:
    """The first set of inputs of each; of one that is refused, or that takes arguments, none."""
    found = []
    for path in sorted([*(tool.TESTDATA / "exports").glob("*/*.onnx"), *(tool.TESTDATA / "cases").glob("*/model.onnx")]):
        if path.stat().st_size > LARGEST:
            continue
        feeds: dict[str, np.ndarray] = {}
        arrays = path.with_suffix(".npz") if path.name != "model.onnx" else path.with_name("inputs_0.npz")
        if arrays.exists():
            with np.load(arrays) as file:
                feeds = {key.removeprefix("inputs_0/"): file[key] for key in file.files if path.name == "model.onnx" or key.startswith("inputs_0/")}
        says = path.with_name("case.json") if path.name == "model.onnx" else path.with_name("cases.json")
        if json.loads(says.read_text() if says.exists() else "{}").get("cannot"):
            continue
        found.append((str(path.relative_to(tool.TESTDATA)), path.read_bytes(), feeds))
    return found


def mutated_model(rng: random.Random) -> tuple[str, onnx.ModelProto, list[dict[str, np.ndarray]]]:
    name, content, feeds = rng.choice(real_models())
    model = onnx.load_model_from_string(content)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(CHANGES)(model, rng)
    return name, model, [feeds]


def some_node(model: onnx.ModelProto, rng: random.Random) -> onnx.NodeProto | None:
    nodes = list(model_checks.all_nodes(model))
    return rng.choice(nodes) if nodes else None


def attribute(model: onnx.ModelProto, rng: random.Random) -> None:
    having = [node for node in model_checks.all_nodes(model) if node.attribute]
    if not having:
        return
    node = rng.choice(having)
    chosen = rng.randrange(len(node.attribute))
    if rng.random() < 0.15:
        del node.attribute[chosen]
        return
    one = node.attribute[chosen]
    if one.type == AttributeProto.INT:
        one.i = rng.choice(NUMBERS)
    elif one.type == AttributeProto.FLOAT:
        one.f = rng.choice(REALS)
    elif one.type == AttributeProto.INTS and one.ints and rng.random() < 0.8:
        one.ints[rng.randrange(len(one.ints))] = rng.choice(NUMBERS)
    elif one.type == AttributeProto.INTS:
        one.ints.append(rng.choice(NUMBERS))
    elif one.type == AttributeProto.STRING:
        one.s = rng.choice([b"", b"\xff", b"linear", one.s + one.s, b"{}", b"[1"])
    elif one.type == AttributeProto.TENSOR:
        change_tensor(one.t, rng)
    else:
        one.type = rng.choice([AttributeProto.INT, AttributeProto.FLOAT, AttributeProto.STRING, AttributeProto.TENSOR])


def change_tensor(tensor: TensorProto, rng: random.Random) -> None:
    if tensor.data_location == TensorProto.EXTERNAL or tensor.data_type in (TensorProto.STRING, TensorProto.UNDEFINED):
        return
    array = onnx.numpy_helper.to_array(tensor).copy()
    kind = rng.random()
    if array.size and kind < 0.5 and array.dtype.kind in "fiu":
        value = rng.choice(REALS) if array.dtype.kind == "f" else rng.choice(NUMBERS)
        info = np.iinfo(array.dtype) if array.dtype.kind in "iu" else None
        with np.errstate(all="ignore"):
            array.flat[rng.randrange(array.size)] = value if info is None else min(max(value, info.min), info.max)
    elif kind < 0.7:
        array = array.reshape(-1) if rng.random() < 0.5 else array[None]
    elif kind < 0.8:
        array = array.reshape(-1)[:0]
    elif kind < 0.9 and array.dtype.kind in "fiu":
        with np.errstate(all="ignore"):
            array = np.nan_to_num(array.astype(np.float64)).clip(-100, 100).astype(rng.choice([np.float32, np.float64, np.int64, np.int32, np.float16]))
    tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))


def initializer(model: onnx.ModelProto, rng: random.Random) -> None:
    if model.graph.initializer:
        change_tensor(rng.choice(model.graph.initializer), rng)


def declared(model: onnx.ModelProto, rng: random.Random) -> None:
    values = [*model.graph.input, *model.graph.output, *model.graph.value_info]
    if not values:
        return
    tensor = rng.choice(values).type.tensor_type
    if rng.random() < 0.3:
        tensor.elem_type = rng.choice([1, 6, 7, 9, 10, 11, 16])
    elif rng.random() < 0.3 or not tensor.shape.dim:
        tensor.ClearField("shape")
    else:
        dimension = rng.choice(tensor.shape.dim)
        dimension.Clear()
        if rng.random() < 0.4:
            dimension.dim_value = rng.choice([0, 1, 2, 5, 2**40])
        elif rng.random() < 0.5:
            dimension.dim_param = "n"


def inputs(model: onnx.ModelProto, rng: random.Random) -> None:
    node = some_node(model, rng)
    if node is None or not node.input:
        return
    kind, index = rng.random(), rng.randrange(len(node.input))
    if kind < 0.3:
        node.input[index] = ""
    elif kind < 0.5:
        del node.input[-1]
    elif kind < 0.7:
        node.input.append(node.input[index])
    else:
        node.input[index] = rng.choice(node.input)


def outputs(model: onnx.ModelProto, rng: random.Random) -> None:
    node = some_node(model, rng)
    if node is None or not node.output:
        return
    if rng.random() < 0.5:
        node.output.append("one_more_output")
    else:
        node.output[rng.randrange(len(node.output))] = rng.choice(["", "another_output"])


def imports(model: onnx.ModelProto, rng: random.Random) -> None:
    if not model.opset_import:
        return
    entry = rng.choice(model.opset_import)
    if rng.random() < 0.15:
        model.opset_import.remove(entry)
    else:
        entry.version = rng.choice([1, 6, *range(7, 27), 99, -1, 0])


def operator(model: onnx.ModelProto, rng: random.Random) -> None:
    node, other = some_node(model, rng), some_node(model, rng)
    if node is None or other is None:
        return
    if rng.random() < 0.5:
        node.op_type, node.domain = other.op_type, other.domain
    else:
        node.domain = rng.choice(["", "aten", "com.microsoft", "unknown"])


def nodes(model: onnx.ModelProto, rng: random.Random) -> None:
    if not model.graph.node:
        return
    chosen = rng.randrange(len(model.graph.node))
    if rng.random() < 0.5:
        model.graph.node.add().CopyFrom(model.graph.node[chosen])
        for index, name in enumerate(model.graph.node[-1].output):
            model.graph.node[-1].output[index] = f"{name}_again"
    else:
        del model.graph.node[chosen]


CHANGES: list[Callable[[onnx.ModelProto, random.Random], None]] = [attribute, attribute, attribute, initializer, initializer, declared, declared, inputs, inputs, outputs, imports, imports, operator, nodes]
