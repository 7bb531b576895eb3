# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Bodies of functions that hold one node with one fault: nodes of `old_operators`, with another number, list, text, shape or type than theirs."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import onnx
from old_operators import OldNode, every_node
from onnx import helper, numpy_helper


@dataclasses.dataclass
class Body:
    """A node whose small inputs of integers are constants in the body, and whose others are inputs of the model."""

    name: str
    opset: int
    op_type: str
    inputs: list[np.ndarray | None]
    attributes: dict
    outputs: list[str]

    def model(self, *, with_function: bool, name: str = "F") -> onnx.ModelProto:
        """A model whose only node calls a function, which it has, or which a rule shall have."""
        given = [helper.make_tensor_value_info(f"input_{i}", helper.np_dtype_to_tensor_dtype(value.dtype), value.shape) for i, value in enumerate(self.inputs) if self._is_given(i)]
        results = [helper.make_empty_tensor_value_info(f"result_{i}") for i, name in enumerate(self.outputs) if name]
        call = helper.make_node(name, [value.name for value in given], [value.name for value in results], "custom", domain="custom")
        imports = [helper.make_opsetid("", self.opset), helper.make_opsetid("custom", 1)]
        return helper.make_model(helper.make_graph([call], "graph", given, results), opset_imports=imports, ir_version=10, functions=[self.function(name)] if with_function else [])

    def function(self, name: str = "F") -> onnx.FunctionProto:
        names, nodes = [], []
        for i, value in enumerate(self.inputs):
            names.append("" if value is None else f"input_{i}")
            if value is not None and not self._is_given(i):
                nodes.append(helper.make_node("Constant", [], [names[-1]], value=numpy_helper.from_array(value)))
        nodes.append(helper.make_node(self.op_type, names, self.outputs, "faulty", **self.attributes))
        given = [name for i, name in enumerate(names) if name and self._is_given(i)]
        return helper.make_function("custom", name, given, [name for name in self.outputs if name], nodes, [helper.make_opsetid("", self.opset)])

    def _is_given(self, i: int) -> bool:
        value = self.inputs[i]
        return value is not None and not is_small(value)


def is_small(value: np.ndarray | None) -> bool:
    return value is not None and value.dtype in (np.int64, np.int32) and value.size <= 16 and value.ndim <= 2


FAR = 100


def other_lists(numbers: list[int]) -> Iterator[tuple[str, list[int]]]:
    yield "empty", []
    yield "longer", [*numbers, numbers[-1] if numbers else 1]
    yield "twice", [*numbers[:1], *numbers] if numbers else [1, 1]
    if len(numbers) > 1:
        yield "shorter", numbers[:-1]
        yield "alike", [numbers[0]] * len(numbers)
    for i in range(len(numbers)):
        for number in (-FAR, -1, 0, FAR):
            if numbers[i] != number:
                yield f"{number} at {i}", [*numbers[:i], number, *numbers[i + 1:]]


def with_attribute(body: Body, name: str, value: object, how: str) -> Body:
    return dataclasses.replace(body, name=f"{body.name}: {name} {how}", attributes={**body.attributes, name: value})


def with_input(body: Body, i: int, value: np.ndarray | None, how: str) -> Body:
    return dataclasses.replace(body, name=f"{body.name}: input {i} {how}", inputs=[*body.inputs[:i], value, *body.inputs[i + 1:]])


def other_attributes(body: Body) -> Iterator[Body]:
    kinds = onnx.defs.OpSchema.AttrType
    for name, declared in onnx.defs.get_schema(body.op_type, body.opset).attributes.items():
        value = body.attributes.get(name)
        if declared.type == kinds.INT:
            for number in {-FAR, -1, 0, 1, FAR, 1 << 40} - {value}:
                yield with_attribute(body, name, number, str(number))
        elif declared.type == kinds.INTS:
            for how, numbers in other_lists(list(value or [])):
                if numbers:
                    yield with_attribute(body, name, numbers, how)
        elif declared.type == kinds.STRING:
            yield with_attribute(body, name, "nonsense", "nonsense")


def other_inputs(body: Body) -> Iterator[Body]:
    for i, value in enumerate(body.inputs):
        if value is None:
            continue
        yield with_input(body, i, None, "absent")
        yield with_input(body, i, value[None], "of one more dimension")
        if value.ndim > 0 and value.shape[0] > 0:
            yield with_input(body, i, value[0].copy() if value.ndim > 1 else np.asarray(value[0], value.dtype), "of one dimension less")
        for other in {np.dtype(t) for t in (np.int32, np.int64, np.float32, np.bool_)} - {value.dtype}:
            if value.dtype != object:
                yield with_input(body, i, value.astype(other), f"of {other}")
        if is_small(value):
            if value.ndim == 1:
                for how, numbers in other_lists(value.tolist()):
                    yield with_input(body, i, np.array(numbers, value.dtype), how)
            elif value.ndim == 0:
                for number in (-FAR, -1, 0, FAR):
                    yield with_input(body, i, np.array(number, value.dtype), str(number))
        for axis in range(value.ndim):
            if value.shape[axis] > 0:
                yield with_input(body, i, np.concatenate([value, value.take([0], axis)], axis), f"longer along {axis}")
                yield with_input(body, i, value.take([], axis), f"empty along {axis}")


def other_counts(body: Body) -> Iterator[Body]:
    yield dataclasses.replace(body, name=f"{body.name}: one input more", inputs=[*body.inputs, body.inputs[0] if body.inputs else np.float32([1])])
    yield dataclasses.replace(body, name=f"{body.name}: one output more", outputs=[*body.outputs, "one_more"])
    if len(body.outputs) > 1:
        yield dataclasses.replace(body, name=f"{body.name}: one output less", outputs=body.outputs[:-1])


def body_of(node: OldNode, opset: int) -> Body:
    outputs = ["" if i in node.absent_outputs else f"output_{i}" for i in range(node.outputs)]
    return Body(f"{node.name} at {opset}", opset, node.op_type, list(node.inputs), node.attributes, outputs)


def every_body() -> Iterator[tuple[Body, list[Body]]]:
    """Nodes without fault, and each with those that have one; whether a runtime takes these, only the runtime knows."""
    for node in every_node():
        if any(isinstance(value, onnx.GraphProto) for value in node.attributes.values()):
            continue
        for opset in node.opsets():
            body = body_of(node, opset)
            yield body, [*other_attributes(body), *other_inputs(body), *other_counts(body)]
