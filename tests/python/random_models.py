# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Random models that ONNX Runtime executes as they are: `random_model(seed)` gives the same one each time.

They prefer what tools of this kind get wrong: names that a tool may invent itself, functions that call functions under other opset imports, attributes handed down
through several of them, values captured by the graphs of If, Loop and Scan, optional inputs left out in the middle, initializers that are inputs too, outputs nobody uses.
The graphs are drawn by drawn_graphs.py, their nodes by random_operators.py.
"""
from __future__ import annotations

import dataclasses
import sys

import onnx
from onnx import helper

from drawn_graphs import FEEDABLE, FLOAT, Drawing, Value
from random_operators import CUSTOM, some_nodes


@dataclasses.dataclass
class RandomModel:
    proto: onnx.ModelProto
    feeds: list[dict[str, object]]
    errors: dict[str, float]  # by graph output: how far rounding may have moved its elements
    uses_custom_operators: bool
    functions: int


def random_model(seed: int) -> RandomModel:
    drawing = Drawing(seed)
    main = drawing.main
    while drawing.nodes_left > 0:
        some_nodes(main, 4)
    if not drawing.feeds and drawing.chance(0.8):
        drawing.main_input(drawing.array(FLOAT, (2, 3)), FLOAT)
    return finished(drawing)


def finished(drawing: Drawing) -> RandomModel:
    main = drawing.main
    made = {name for node in main.nodes for name in node.output}
    outputs = [value for value in main.values if can_be_output(drawing, value, made)]
    if not outputs or drawing.chance(0.05):
        outputs.append(main.own(main.read(FEEDABLE)))
    outputs = drawing.random.sample(outputs, drawing.random.randint(1, min(4, len(outputs))))
    if last := [value for value in outputs if value.name in made]:
        # What is made last depends on most.
        outputs[0] = outputs[0] if drawing.chance(0.5) else last[-1]
    outputs = list(dict.fromkeys(outputs))
    drawing.random.shuffle(drawing.inputs)
    graph = helper.make_graph(
        main.nodes,
        drawing.random.choice(["graph", "main", "ü"]),
        drawing.inputs,
        [drawing.info(value) for value in outputs],
        main.initializers,
        doc_string=drawing.random.choice(["", "said"]),
        sparse_initializer=main.sparse_initializers,
    )
    names = {value.name for value in outputs}
    inner = [value for value in main.values if value.name in made and value.name not in names]
    if inner and drawing.chance(0.4):
        graph.value_info.extend(drawing.info(value) for value in drawing.random.sample(inner, min(len(inner), 4)))
    domains = drawing.domains - {""}
    if drawing.chance(0.2):
        domains.add(drawing.random.choice(["unused", "com.microsoft", "ai.onnx.ml", "rknn_cst"]))
    imports = [helper.make_opsetid("", drawing.opset), *(helper.make_opsetid(domain, 1) for domain in sorted(domains))]
    drawing.random.shuffle(imports)
    functions = [function.proto for function in drawing.functions]
    drawing.random.shuffle(functions)
    model = helper.make_model(graph, opset_imports=imports, producer_name="random", functions=functions)
    model.ir_version = drawing.ir_version
    feeds = [drawing.feeds]
    if drawing.overridden:
        feeds.append({**drawing.feeds, **drawing.overridden})
    # An overridden default may be larger than what the errors were reckoned with.
    errors = {value.name: value.error for value in outputs}
    custom = {domain for domain, _ in CUSTOM}
    return RandomModel(model, feeds, errors, any(domain in custom for domain in drawing.domains), len(functions))


def can_be_output(drawing: Drawing, value: Value, made: set[str]) -> bool:
    if value.is_optional or value.type not in FEEDABLE or (value.items is not None and value.items == 0):
        return False
    if value.name in {tensor.values.name for tensor in drawing.main.sparse_initializers}:
        return False  # ONNX Runtime gives it out as a sparse tensor, which the declaration does not say
    return value.name in made or drawing.chance(0.05 if made else 0.7)


if __name__ == "__main__":
    drawn = random_model(int(sys.argv[1]))
    print(onnx.printer.to_text(drawn.proto))
