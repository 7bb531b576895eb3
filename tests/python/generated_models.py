# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Hypothesis strategies for models: graphs of standard and custom nodes, with bodies, functions, clashing names and other oddities.

Every value is a vector of floats of length n. The numbers are multiples of 1/4 and the operators keep them exact, so that results can be compared bit by bit.
"""
from __future__ import annotations

import dataclasses

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

CUSTOM_IMPORTS = [helper.make_opsetid("rknn_cst", 1), helper.make_opsetid("custom", 1)]

# Names that a tool may well invent itself, and names that are legal though nobody expects them.
NAMES = ["x", "y", "t", "a", "b", "low", "tx", "vx", "n/low", "n/t", "n_t", "t_1", "y_0", "cstThreshold_low", "ä", "a b", "0", "::", "node:n"]
NODE_NAMES = ["", "", "n", "n_1", "low", "t", "/block/threshold", "ü"]


@dataclasses.dataclass
class Drawing:
    """What is being drawn: the model's own properties, and what its graphs share."""

    draw: st.DrawFn
    opset: int
    custom: bool
    functions: bool
    nodes_left: int
    ir_version: int
    # Constants that a graph inside reads but may not hold itself: IR version 3 wants every initializer to be a graph input.
    lifted: list[onnx.TensorProto] = dataclasses.field(default_factory=list)
    every_name: set[str] = dataclasses.field(default_factory=set)

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent


@dataclasses.dataclass
class Scope:
    """The names in use, here and outside, the vectors among them that a node may read, and the node names of this graph."""

    used: set[str]
    vectors: list[str]
    node_names: set[str] = dataclasses.field(default_factory=set)
    initializers: list[onnx.TensorProto] = dataclasses.field(default_factory=list)
    is_inside: bool = False

    def inner(self) -> Scope:
        """Of a graph inside, which sees the names of this one."""
        return Scope(set(self.used), list(self.vectors), is_inside=True)

    def close(self, *inner: Scope) -> None:
        """This graph may not define later what a graph inside has defined; another graph beside it may."""
        self.used.update(*(scope.used for scope in inner))


def fresh(drawing: Drawing, used: set[str]) -> str:
    base = drawing.draw(st.sampled_from(NAMES))
    lifted = {tensor.name for tensor in drawing.lifted}
    name, number = base, 0
    while name in used or name in lifted:
        number += 1
        name = f"{base}_{number}"
    used.add(name)
    drawing.every_name.add(name)
    return name


def node_name(drawing: Drawing, scope: Scope) -> str:
    name = drawing.draw(st.sampled_from(NODE_NAMES))
    if name in scope.node_names:
        return ""
    scope.node_names.add(name)
    return name


def make(drawing: Drawing, scope: Scope, op_type: str, inputs: list[str], outputs: list[str], domain: str = "", **attributes: object) -> onnx.NodeProto:
    return helper.make_node(op_type, inputs, outputs, name=node_name(drawing, scope), domain=domain, **attributes)


def constant(scope: Scope, drawing: Drawing, array: np.ndarray) -> str:
    lift = scope.is_inside and drawing.ir_version < 4
    name = fresh(drawing, drawing.every_name if lift else scope.used)
    (drawing.lifted if lift else scope.initializers).append(numpy_helper.from_array(array, name))
    return name


def vector_info(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"])


QUARTERS = st.integers(-8, 8).map(lambda number: number / 4)


def some_node(drawing: Drawing, scope: Scope, depth: int) -> list[onnx.NodeProto]:
    """A node that gives one more vector, with what it needs before it."""
    kinds = ["unary", "binary", "clip", "scaled"]
    if drawing.custom:
        kinds += ["threshold", "threshold list", "my_add", "foo", "dual", "dual"]
    if depth < 3 and drawing.nodes_left > 3:
        kinds += ["if", "loop", "loop"]
        if drawing.custom:
            kinds.append("scan")
    if drawing.functions:
        kinds += ["local F", "local G"]
    kind = drawing.draw(st.sampled_from(kinds))
    drawing.nodes_left -= 1
    read = lambda: drawing.draw(st.sampled_from(scope.vectors))

    if kind == "if":
        return some_if(drawing, scope, depth)
    if kind == "loop":
        return some_loop(drawing, scope, depth)
    if kind == "scan":
        return some_scan(drawing, scope)

    inputs = [read()]
    before: list[onnx.NodeProto] = []
    domain, attributes, results = "", {}, 1
    if kind == "unary":
        op_type = drawing.draw(st.sampled_from(["Neg", "Abs", "Relu", "Identity"]))
    elif kind == "binary":
        op_type, inputs = drawing.draw(st.sampled_from(["Add", "Sub", "Max", "Min"])), [*inputs, read()]
    elif kind == "clip":
        if drawing.opset < 11:
            op_type, attributes = "Clip", dict(max=1.5)
        else:
            op_type, inputs = "Clip", [*inputs, "", constant(scope, drawing, np.float32(1.5))]
    elif kind == "scaled":
        op_type, inputs = "Mul", [*inputs, constant(scope, drawing, np.float32(0.5))]
    elif kind == "threshold":
        op_type, domain, attributes = "cstThreshold", "rknn_cst", dict(threshold=drawing.draw(QUARTERS), value=drawing.draw(QUARTERS))
    elif kind == "threshold list":
        op_type, domain, attributes = "cstThreshold", "rknn_cst", dict(param=[drawing.draw(QUARTERS), drawing.draw(QUARTERS)])
    elif kind in ("my_add", "foo"):
        op_type, domain, inputs = {"my_add": "my_add", "foo": "Foo"}[kind], "custom", [*inputs, read()]
    elif kind == "dual":
        op_type, domain, inputs, attributes, results = "cstDualResidual", "rknn_cst", [*inputs, read()], dict(alpha=0.5), 2
    elif kind == "local F":
        op_type, domain, inputs, results = "F", "local", [*inputs, read()], 2
        if drawing.chance(60):
            attributes = dict(k=drawing.draw(QUARTERS))
    else:
        op_type, domain = "G", "local"
    outputs = [fresh(drawing, scope.used) for _ in range(results)]
    node = make(drawing, scope, op_type, inputs, outputs, domain, **attributes)
    if results == 2 and drawing.chance(40):
        node.output[drawing.draw(st.integers(0, 1))] = ""
    scope.vectors += [name for name in node.output if name]
    return [*before, node]


def body(drawing: Drawing, scope: Scope, depth: int) -> tuple[list[onnx.NodeProto], str]:
    """The nodes of a graph inside, and the vector of its own that it gives."""
    nodes = []
    own = len(scope.vectors)
    for _ in range(drawing.draw(st.integers(1, 3))):
        nodes += some_node(drawing, scope, depth + 1)
    if len(scope.vectors) == own:
        result = fresh(drawing, scope.used)
        nodes.append(make(drawing, scope, "Neg", [scope.vectors[-1]], [result]))
        scope.vectors.append(result)
    return nodes, drawing.draw(st.sampled_from(scope.vectors[own:]))


def some_if(drawing: Drawing, scope: Scope, depth: int) -> list[onnx.NodeProto]:
    highest, condition, result = fresh(drawing, scope.used), fresh(drawing, scope.used), fresh(drawing, scope.used)
    zero = constant(scope, drawing, np.float32(drawing.draw(QUARTERS)))
    before = [
        make(drawing, scope, "ReduceMax", [drawing.draw(st.sampled_from(scope.vectors))], [highest], keepdims=0),
        make(drawing, scope, "Greater", [highest, zero], [condition]),
    ]
    branches, scopes = {}, []
    for branch in ("then_branch", "else_branch"):
        inside = scope.inner()
        scopes.append(inside)
        nodes, output = body(drawing, inside, depth)
        branches[branch] = helper.make_graph(nodes, branch, [], [vector_info(output)], inside.initializers)
    scope.close(*scopes)
    node = make(drawing, scope, "If", [condition], [result], **branches)
    scope.vectors.append(result)
    return [*before, node]


def some_loop(drawing: Drawing, scope: Scope, depth: int) -> list[onnx.NodeProto]:
    result, trips = fresh(drawing, scope.used), constant(scope, drawing, np.int64(drawing.draw(st.integers(0, 3))))
    inside = scope.inner()
    iteration, going, carried, still = (fresh(drawing, inside.used) for _ in range(4))
    inside.vectors.append(carried)
    nodes, output = body(drawing, inside, depth)
    nodes.insert(0, make(drawing, inside, "Identity", [going], [still]))
    inputs = [helper.make_tensor_value_info(iteration, TensorProto.INT64, []), helper.make_tensor_value_info(going, TensorProto.BOOL, []), vector_info(carried)]
    outputs = [helper.make_tensor_value_info(still, TensorProto.BOOL, []), vector_info(output)]
    scope.close(inside)
    graph = helper.make_graph(nodes, "loop_body", inputs, outputs, inside.initializers)
    node = make(drawing, scope, "Loop", [trips, "", drawing.draw(st.sampled_from(scope.vectors))], [result], body=graph)
    scope.vectors.append(result)
    return [node]


def some_scan(drawing: Drawing, scope: Scope) -> list[onnx.NodeProto]:
    """Over the elements of a vector; the body works on scalars, one of them from outside."""
    outside = constant(scope, drawing, np.float32(drawing.draw(QUARTERS)))
    result = fresh(drawing, scope.used)
    inside = scope.inner()
    element, low, given = (fresh(drawing, inside.used) for _ in range(3))
    nodes = [
        make(drawing, inside, "cstThreshold", [element], [low], "rknn_cst", threshold=drawing.draw(QUARTERS), value=1.25),
        make(drawing, inside, "my_add", [low, outside], [given], "custom"),
    ]
    scope.close(inside)
    infos = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [])] for name in (element, given)]
    graph = helper.make_graph(nodes, "scan_body", *infos)
    node = make(drawing, scope, "Scan", [drawing.draw(st.sampled_from(scope.vectors))], [result], body=graph, num_scan_inputs=1)
    scope.vectors.append(result)
    return [node]


def local_functions(opset: int) -> list[onnx.FunctionProto]:
    """F with an attribute that has a default; G calls F in the branch of an If, under names that F uses too."""
    imports = [helper.make_opsetid("", opset), *CUSTOM_IMPORTS, helper.make_opsetid("local", 1)]
    scale = helper.make_node("Constant", [], ["y"])
    scale.attribute.append(onnx.AttributeProto(name="value_float", type=onnx.AttributeProto.FLOAT, ref_attr_name="k"))
    f = helper.make_function(
        "local",
        "F",
        ["a", "b"],
        ["t", "low"],
        [
            scale,
            helper.make_node("my_add", ["a", "b"], ["x"], domain="custom"),
            helper.make_node("Max", ["x", "y"], ["t"]),
            helper.make_node("cstDualResidual", ["b", "t"], ["", "low"], domain="rknn_cst", alpha=0.5),
        ],
        imports,
        attribute_protos=[helper.make_attribute("k", 0.25)],
    )
    then_branch = helper.make_graph([helper.make_node("F", ["t", "x"], ["a", ""], domain="local")], "then", [], [vector_info("a")])
    else_branch = helper.make_graph([helper.make_node("Foo", ["x", "x"], ["a"], domain="custom")], "else", [], [vector_info("a")])
    g = helper.make_function(
        "local",
        "G",
        ["x"],
        ["y"],
        [
            helper.make_node("Constant", [], ["zero"], value=numpy_helper.from_array(np.float32(0))),
            helper.make_node("ReduceMax", ["x"], ["low"], keepdims=0),
            helper.make_node("Greater", ["low", "zero"], ["c"]),
            helper.make_node("cstThreshold", ["x"], ["t"], domain="rknn_cst", threshold=0.5, value=0.75),
            helper.make_node("If", ["c"], ["y"], then_branch=then_branch, else_branch=else_branch),
        ],
        imports,
    )
    return [f, g]


@st.composite
def models(draw: st.DrawFn, custom: bool = True) -> onnx.ModelProto:
    ir_version = draw(st.integers(3, 12))
    opset = draw(st.integers(9, 26))
    drawing = Drawing(draw, opset, custom, custom and ir_version >= 8 and draw(st.booleans()), nodes_left=draw(st.integers(0, 10)), ir_version=ir_version)
    scope = Scope(set(), [])
    inputs = [fresh(drawing, scope.used) for _ in range(draw(st.integers(1, 2)))]
    scope.vectors += inputs
    nodes: list[onnx.NodeProto] = []
    while drawing.nodes_left > 0:
        nodes += some_node(drawing, scope, 0)
    scope.initializers += drawing.lifted
    own = scope.vectors[len(inputs) :]
    if not own or drawing.chance(20):
        own.append(fresh(drawing, scope.used))
        nodes.append(make(drawing, scope, "Abs", [inputs[0]], [own[-1]]))
    outputs = draw(st.lists(st.sampled_from(own), min_size=1, max_size=3, unique=True))
    infos = [vector_info(name) for name in inputs]
    if ir_version < 4 or drawing.chance(20):
        infos += [helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims) for tensor in scope.initializers]
    graph = helper.make_graph(nodes, "graph", infos, [vector_info(name) for name in outputs], scope.initializers, doc_string=draw(st.sampled_from(["", "said"])))
    if drawing.chance(30):
        inner = [name for name in own if name not in outputs]
        graph.value_info.extend(vector_info(name) for name in inner[:3])
    imports = [helper.make_opsetid("", opset)]
    if custom or drawing.chance(30):
        imports += CUSTOM_IMPORTS
    if drawing.functions:
        imports.append(helper.make_opsetid("local", 1))
    model = helper.make_model(
        graph, opset_imports=imports, producer_name="generated", functions=local_functions(draw(st.sampled_from([13, 15, 18, opset]) if opset >= 12 else st.sampled_from([13, 15]))) if drawing.functions else []
    )
    model.ir_version = ir_version
    if drawing.chance(30):
        helper.set_model_props(model, {"author": "nobody", "names": "{0: 'person'}"})
    if ir_version >= 10 and nodes and drawing.chance(30):
        nodes_of_model = model.graph.node
        nodes_of_model[0].metadata_props.add(key="origin", value="line 7")
    return model
