# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Puts a drawn node into a model, and says how the model is to be lowered."""
from __future__ import annotations

import copy
import dataclasses
import functools
import random
import re
from typing import Any

import numpy as np
import onnx
from onnx import helper

import contrib_nodes
import definition
import one_node_model
from definition import Case, Definition
from edge_models import elements, moves, mutations, sums  # noqa: F401 - they fill RECIPES
from edge_models.edges import RECIPES, Edges, first_opset

NEWEST = definition.NEWEST_OPSET
FOR_RUNTIME, FOR_OPENVINO = "onnxruntime", "openvino"


@dataclasses.dataclass
class EdgeModel:
    seed: int
    kind: str  # the operator, or the exported model that was changed
    proto: onnx.ModelProto
    feeds: list[dict[str, np.ndarray]]
    options: dict[str, Any]  # of the manifest
    near: str = "exact"
    case: Case | None = None
    definition: Definition | None = None  # says what it computes; else ONNX Runtime does


def edge_model(seed: int) -> EdgeModel:
    rng = random.Random(f"edges {seed}")
    draw = rng.random()
    if draw < 0.65:
        return of_standard_operator(seed, rng)
    if draw < 0.77:
        return of_contrib_operator(seed, rng)
    if draw < 0.89:
        return of_aten_operator(seed, rng)
    return mutated(seed, rng)


def drawn_options(rng: random.Random, opset: int | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.9 if opset is not None else 0.4:
        options["target_opset"] = rng.choice([target for target in range(7, NEWEST + 1) if target != opset])
    if rng.random() < 0.25:
        options["target"] = rng.choice([FOR_RUNTIME, FOR_OPENVINO, FOR_OPENVINO])
    if rng.random() < 0.15:
        options["fold"] = True
    return options


def of_standard_operator(seed: int, rng: random.Random) -> EdgeModel:
    operator = rng.choice(sorted(RECIPES))
    recipe, near = RECIPES[operator]
    opsets = [opset for opset in range(first_opset(operator), NEWEST + 1) if not onnx.defs.get_schema(operator, opset, "").deprecated]
    opset = rng.choice(opsets)
    edges = Edges([seed, *operator.encode()], operator, opset)
    case = dataclasses.replace(recipe(edges), name=operator, domain="ai.onnx", op_type=operator)
    empty = {name: helper.make_attribute(name, value, attr_type=onnx.AttributeProto.INTS) for name, value in case.attributes.items() if isinstance(value, list) and not value}
    case = dataclasses.replace(case, attributes={**case.attributes, **empty})
    if rng.random() < 0.2 and case.inputs:
        # All that can be known is known.
        case = dataclasses.replace(case, constants=[index for index, value in enumerate(case.inputs) if value is not None and rng.random() < 0.8])
    return finished(seed, rng, operator, case, opset, drawn_options(rng, opset), near)


def of_contrib_operator(seed: int, rng: random.Random) -> EdgeModel:
    operator = rng.choice(sorted((contrib_nodes.kernels() & set(contrib_nodes.GENERATORS)) - {"SparseAttention"}))  # whose kernel wants its caches in place
    case = contrib_nodes.drawn(operator, seed)
    return finished(seed, rng, f"com.microsoft::{operator}", at_edges(case, rng), case.opsets[0], drawn_options(rng, None))


@functools.lru_cache(maxsize=1)
def aten_cases() -> dict[str, tuple[Definition, list[Case]]]:
    found = {}
    for operator in definition.all_definitions():
        if operator.domain == "aten":
            cases = [case for case in operator.cases() if not case.refuse and not case.cannot and case.expected is None and not any(isinstance(value, definition.Tensors) for value in case.inputs)]
            if cases:
                found[operator.op_type] = (operator, cases)
    return found


def of_aten_operator(seed: int, rng: random.Random) -> EdgeModel:
    name = rng.choice(sorted(aten_cases()))
    operator, cases = aten_cases()[name]
    case = rng.choice(cases)
    options = {} if case.set or case.options else drawn_options(rng, None)
    model = finished(seed, rng, f"aten::{name}", at_edges(case, rng), rng.choice(list(case.opsets)), options, expected=operator.expected(case, case.inputs))
    model.definition = operator
    if case.set:
        model.options["set"] = [f"{case.domain}::{case.op_type}.{key}={value}" for key, value in case.set.items()]
    return model


# What an integer is made of that is not a number, or of a scale that is infinite, is not said by any operator that quantizes.
# Nor is what a mask hides where all scores are infinite, or whether what is no number is the same as another.
FOR_NUMBERS = re.compile("Q|Quant|MatMulInteger|MatMulBnb4|Attention|Unique")
# What a nearly singular matrix gives is anything, and so is what is found in a list that is not sorted.
SOLVES = re.compile("bucketize|searchsorted|linalg|[Ii]nverse|cholesky|solve|qr|svd|(log)?det$|pinv|matrix_exp|matrix_power")
SPECIALS = [-0.0, 0.0, 1e-40, 1.0, -1.0, 0.5, 2.5]


def at_edges(case: Case, rng: random.Random) -> Case:
    """With other elements among those of its inputs that are floating-point numbers."""
    if SOLVES.search(case.op_type) or "MoE" in case.op_type:
        return case  # and experts that are as good as each other may be taken in either order
    specials = SPECIALS if case.domain == "com.microsoft" and FOR_NUMBERS.search(case.op_type) else [*SPECIALS, 88.0, -104.0, np.nan, np.inf, -np.inf]

    def changed(value: Any) -> Any:
        # Scalars are attributes, scales and zero points, which mean something within limits.
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or not value.size or value.ndim < (2 if specials is SPECIALS else 1) or rng.random() < 0.5:
            return value
        value = value.copy()
        for _ in range(rng.choice([1, 1, 2, value.size])):
            value.flat[rng.randrange(value.size)] = rng.choice(specials)
        return value

    return dataclasses.replace(case, inputs=[changed(value) for value in case.inputs], also=[])


def finished(seed: int, rng: random.Random, kind: str, case: Case, opset: int, options: dict[str, Any], near: str = "given",
             expected: list[Any] | None = None) -> EdgeModel:
    if rng.random() < 0.7 or not isinstance(case.shapes, str):
        shapes = rng.choice(["symbolic", "static", "static", "unranked", "mixed"]) if isinstance(case.shapes, str) else case.shapes
        if shapes == "mixed":
            shapes = [None if value is None else mixed(index, value.shape, rng) for index, value in enumerate(case.inputs)]
        case = dataclasses.replace(case, shapes=shapes, output_shapes=case.output_shapes if isinstance(shapes, str) or case.output_shapes else rng.choice(["symbolic", "unranked"]))
    case = dataclasses.replace(case, constants_as=rng.choice(["initializer", "node"]))
    if expected is not None:
        proto = one_node_model.build(case, opset, expected)
    else:
        # The types of the outputs are what the original gives: see `declared`.
        proto = one_node_model.build(case, opset, [np.float32(0)] * (case.outputs or 1))
        for output in proto.graph.output:
            output.ClearField("type")
    if rng.random() < 0.2:
        behind_identity(proto, rng)
    return EdgeModel(seed, kind, proto, [one_node_model.feeds(case, case.inputs)], options, near, case)


def mixed(index: int, shape: tuple[int, ...], rng: random.Random) -> tuple[Any, ...] | str:
    """Some sizes are numbers, some names, of which those of one size are the same, and of some nothing is said."""
    return rng.choice(["static", "unranked", tuple(rng.choice([size, f"n{size}", f"in{index}_{axis}", None]) for axis, size in enumerate(shape))])


def behind_identity(proto: onnx.ModelProto, rng: random.Random) -> None:
    """Inputs and constants of the node are computed."""
    node = next(node for node in proto.graph.node if node.name == "node")
    for index, name in enumerate(node.input):
        if name and rng.random() < 0.7:
            node.input[index] = f"{name}_computed"
            proto.graph.node.insert(len(proto.graph.node) - 1, helper.make_node("Identity", [name], [f"{name}_computed"]))
    nodes = sorted(proto.graph.node, key=lambda one: one.name == "node")
    del proto.graph.node[:]
    proto.graph.node.extend(nodes)


def declared(model: EdgeModel, results: dict[str, np.ndarray], rng: random.Random) -> onnx.ModelProto:
    """With the types, and sometimes the shapes, of the outputs."""
    proto = copy.deepcopy(model.proto)
    case = model.case
    shapes = case.output_shapes or (case.shapes if isinstance(case.shapes, str) else "unranked")
    for index, output in enumerate(proto.graph.output):
        chosen = shapes if isinstance(shapes, str) else shapes[index]
        if output.name in results and isinstance(results[output.name], np.ndarray):
            output.CopyFrom(one_node_model.value_info(output.name, results[output.name], chosen))
    return proto


def mutated(seed: int, rng: random.Random) -> EdgeModel:
    name, proto, feeds = mutations.mutated_model(rng)
    return EdgeModel(seed, f"mutated {name}", proto, feeds, drawn_options(rng, None), "sums")
