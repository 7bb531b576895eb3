# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Builds the model of one node that a case describes."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from definition import Case, Tensors


def ir_version(opset: int) -> int:
    """The IR version that an exporter writes for an opset."""
    return helper.OP_SET_ID_VERSION_MAP["ai.onnx", opset]


@dataclasses.dataclass
class Node:
    """A node, and the opsets that it is written for: what it gives is asked of a runtime, and not of a definition."""

    op: str
    attributes: dict[str, Any]
    inputs: Sequence[np.ndarray | None]
    domain: str = ""
    opset: int = 17
    targets: Sequence[int] = (15, 13, 11, 9)
    constants: Sequence[int] = ()  # indices of inputs that are initializers
    outputs: int = 1

    def model(self, unknown: Sequence[int] = ()) -> bytes:
        """`unknown`: the axes of which the inputs do not say the size."""
        names = ["" if array is None else f"in{index}" for index, array in enumerate(self.inputs)]
        inputs = [value_info(name, array, [f"{name}_{axis}" if axis in unknown else size for axis, size in enumerate(array.shape)]) for name, array in self.feeds().items()]
        initializers = [numpy_helper.from_array(self.inputs[index], names[index]) for index in self.constants]
        outputs = [f"out{index}" for index in range(self.outputs)]
        node = helper.make_node(self.op, names, outputs, domain=self.domain, **self.attributes)
        graph = helper.make_graph([node], "graph", inputs, [onnx.ValueInfoProto(name=name) for name in outputs], initializers)
        imports = [helper.make_opsetid("", self.opset), *([helper.make_opsetid(self.domain, 1)] if self.domain else [])]
        return helper.make_model(graph, opset_imports=imports, ir_version=ir_version(self.opset)).SerializeToString()

    def feeds(self) -> dict[str, np.ndarray]:
        return {f"in{index}": array for index, array in enumerate(self.inputs) if array is not None and index not in self.constants}


def build(case: Case, opset: int, expected: Sequence[np.ndarray]) -> onnx.ModelProto:
    domain = "" if case.domain == "ai.onnx" else case.domain
    graph_inputs, initializers, nodes, names = [], [], [], []
    for index, array in enumerate(case.inputs):
        name = "" if array is None else f"in{index}"
        names.append(name)
        if array is None:
            continue
        if isinstance(array, Tensors):
            items = [f"{name}_item{item}" for item in range(len(array))]
            graph_inputs += [value_info(item, tensor, _chosen(case.shapes, index)) for item, tensor in zip(items, array)]
            nodes.append(helper.make_node("SequenceConstruct", items, [name], name=f"{name}_list"))
            continue
        if index not in case.constants:
            graph_inputs.append(value_info(name, array, _chosen(case.shapes, index)))
        elif case.constants_as == "node":
            nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array, f"{name}_value")))
        else:
            initializers.append(numpy_helper.from_array(array, name))
    while names and not names[-1]:
        names.pop()

    count = len(expected) if case.outputs is None else case.outputs
    outputs = ["" if index in case.absent_outputs else f"out{index}" for index in range(count)]
    shapes = case.output_shapes
    if shapes is None:
        shapes = case.shapes if isinstance(case.shapes, str) else "symbolic"
    graph_outputs, takers = [], []
    for index, name in enumerate(outputs):
        if not name:
            continue
        if not isinstance(expected[index], Tensors):
            graph_outputs.append(value_info(name, expected[index], _chosen(shapes, index)))
            continue
        for item, tensor in enumerate(expected[index]):
            graph_outputs.append(value_info(f"{name}_item{item}", tensor, _chosen(shapes, index)))
            takers.append(helper.make_node("Constant", [], [f"{name}_at{item}"], value=numpy_helper.from_array(np.int64(item))))
            takers.append(helper.make_node("SequenceAt", [name, f"{name}_at{item}"], [f"{name}_item{item}"]))

    node = helper.make_node(case.op_type, names, outputs, name="node", domain=domain)
    node.attribute.extend(attribute(name, value) for name, value in case.attributes.items())
    if case.overload:
        node.overload = case.overload
    functions = []
    if case.written_for is not None:
        function, node = inside_function(node, case.written_for)
        functions.append(function)
    nodes += [node, *takers]
    graph = helper.make_graph(nodes, "graph", graph_inputs, graph_outputs, initializers)
    imports = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    imports += [helper.make_opsetid(function.domain, 1) for function in functions]
    model = helper.make_model(graph, opset_imports=imports, functions=functions, producer_name="test")
    model.ir_version = max(ir_version(opset), 10 if case.overload else 8 if functions else 0)
    return model


def inside_function(node: onnx.NodeProto, written_for: int) -> tuple[onnx.FunctionProto, onnx.NodeProto]:
    """The node as the body of a function that imports another opset, and the call of that function."""
    inputs, outputs = [name for name in node.input if name], [name for name in node.output if name]
    imports = [helper.make_opsetid("", written_for)] + ([helper.make_opsetid(node.domain, 1)] if node.domain else [])
    function = helper.make_function("written", f"at_opset_{written_for}", inputs, outputs, [node], imports)
    return function, helper.make_node(function.name, inputs, outputs, name="call", domain=function.domain)


def feeds(case: Case, inputs: Sequence[np.ndarray | None]) -> dict[str, np.ndarray]:
    return _named({f"in{index}": array for index, array in enumerate(inputs) if array is not None and index not in case.constants})


def results(case: Case, expected: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    count = len(expected) if case.outputs is None else case.outputs
    return _named({f"out{index}": expected[index] for index in range(count) if index not in case.absent_outputs})


def _named(values: dict[str, Any]) -> dict[str, np.ndarray]:
    """With the tensors of lists one by one."""
    named = {}
    for name, value in values.items():
        named.update({f"{name}_item{item}": tensor for item, tensor in enumerate(value)} if isinstance(value, Tensors) else {name: value})
    return named


def attribute(name: str, value: Any) -> onnx.AttributeProto:
    if isinstance(value, onnx.AttributeProto):
        return value
    if isinstance(value, np.ndarray):
        value = numpy_helper.from_array(value)
    return helper.make_attribute(name, value)


def value_info(name: str, array: np.ndarray, shape: Any) -> onnx.ValueInfoProto:
    if array.dtype.kind in "OU":
        element_type = onnx.TensorProto.STRING
    else:
        element_type = helper.np_dtype_to_tensor_dtype(array.dtype)
    if shape == "symbolic":
        dimensions = [f"{name}_{axis}" for axis in range(array.ndim)]
    elif shape == "static":
        dimensions = list(array.shape)
    elif shape == "unranked":
        dimensions = None
    else:
        dimensions = list(shape)
    return helper.make_tensor_value_info(name, element_type, dimensions)


def _chosen(shapes: Any, index: int) -> Any:
    return shapes if isinstance(shapes, str) else shapes[index]
