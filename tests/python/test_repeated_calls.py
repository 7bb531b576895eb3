# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Many calls of the same functions in one model, of several types in turn: each becomes the nodes that it becomes alone, as what is remembered of one call may not tell on another one of other types."""
from __future__ import annotations

import itertools

import onnx
import pytest
from onnx import TensorProto, helper, parser

import tool

OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid("of", 1), helper.make_opsetid("rknn_cst", 1)]
# What decides what becomes of a node: the type of an input by CastLike, an attribute's value by Cast, whether an attribute or an input is there, and whether an output is.
FUNCTIONS = [
    """<domain: "of", opset_import: ["" : 18]>
Shifted (x, by) => (y) {
  one = Constant <value: tensor = float {1.0}> ()
  like_x = CastLike (one, x)
  like_by = CastLike (like_x, by)
  sum = Add (like_by, by)
  same = CastLike (sum, by)
  back = CastLike (same, x)
  y = Mul (back, x)
}""",
    """<domain: "of", opset_import: ["" : 18]>
Converted <to> (x) => (y) {
  wide = Cast <to = 1> (x)
  twice = Add (wide, wide)
  y = Cast <to : int = @to> (twice)
}""",
    """<domain: "of", opset_import: ["" : 18]>
Leaky <alpha> (x) => (y, unused) {
  a = LeakyRelu <alpha : float = @alpha> (x)
  b = Neg (a)
  y = Identity (b)
  unused = Identity (x)
}""",
]
TYPES = [TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16]
# A call of a function is held against onnx's inference in each smaller model, and then no call is like another.
FILLING = 5001


def calls() -> list[tuple[onnx.NodeProto, dict[str, int]]]:
    """Nodes, and the types of the values that they read."""
    made = []

    def add(op_type: str, types: list[int], outputs: int = 1, domain: str = "of", **attributes: object) -> None:
        number = len(made)
        inputs = [f"x{number}_{index}" for index in range(len(types))]
        node = helper.make_node(op_type, inputs, [f"y{number}_{index}" for index in range(outputs)], name=f"call{number}", domain=domain, **attributes)
        made.append((node, dict(zip(inputs, types))))

    for turn in range(8):
        # First a few in a row, and then in turn.
        for x, by in itertools.product(TYPES, repeat=2):
            add("Shifted", [x, by])
        for x in TYPES:
            for to in (TYPES if turn % 2 else [TYPES[turn % 3]]):
                add("Converted", [x], to=to)
            add("Leaky", [x], alpha=0.25)
            add("Leaky", [x], outputs=2, alpha=0.5 + turn)
            add("cstThreshold", [x], domain="rknn_cst", threshold=0.5, value=float(turn))
            add("cstDualResidual", [x, x], outputs=2, domain="rknn_cst", alpha=0.1 * turn)
    return made


def model_of(nodes: list[tuple[onnx.NodeProto, dict[str, int]]], filling: int) -> bytes:
    inputs = [helper.make_tensor_value_info(name, element_type, [2]) for _, types in nodes for name, element_type in types.items()]
    outputs = [helper.make_empty_tensor_value_info(name) for node, _ in nodes for name in node.output]
    others = [helper.make_node("Neg", [inputs[0].name], [f"filling{number}"], name=f"filling{number}") for number in range(filling)]
    graph = helper.make_graph([*(node for node, _ in nodes), *others], "graph", inputs, outputs)
    functions = [parser.parse_function(text) for text in FUNCTIONS]
    return helper.make_model(graph, opset_imports=OPSETS, ir_version=8, functions=functions).SerializeToString()


def nodes_of(model: bytes, name: str) -> list[onnx.NodeProto]:
    """What a node became: their names begin with its own, but for that of a node with one of its outputs."""
    return [node for node in onnx.load_model_from_string(model).graph.node if node.name.split("/")[0] == name]


@pytest.mark.parametrize("arguments", [[], ["--target", "onnxruntime"], ["--target", "openvino"]], ids=" ".join)
def test_each_call_becomes_what_it_becomes_alone(arguments: list[str]) -> None:
    nodes = calls()
    together = tool.lowered(model_of(nodes, FILLING), arguments)
    by_name: dict[str, list[onnx.NodeProto]] = {}
    for node in onnx.load_model_from_string(together).graph.node:
        by_name.setdefault(node.name.split("/")[0], []).append(node)
    runs = tool.lower_together([model_of([node], 0) for node in nodes], arguments)
    for (node, _), run in zip(nodes, runs, strict=True):
        assert run.status == tool.DONE, run
        alone = nodes_of(run.stdout, node.name)
        assert alone and by_name[node.name] == alone, node
