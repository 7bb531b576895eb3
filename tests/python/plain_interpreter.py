# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the models of generated_models.py as they are, custom nodes and functions included: the plainest reading of what they mean.

onnx's reference evaluator would do, but for functions whose attributes have defaults and custom nodes in functions.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import onnx
from onnx import helper, numpy_helper

Values = dict[str, np.ndarray]


def _dual(x: np.ndarray, y: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    alpha = np.float32(alpha)
    return x * alpha - y, y * alpha - x


def _threshold(x: np.ndarray, threshold: float = 0.0, value: float = 0.0, param: list | None = None) -> np.ndarray:
    low, instead = param or (threshold, value)
    return np.where(x <= np.float32(low), np.float32(instead), x)


def _clip(x: np.ndarray, low: np.ndarray | None = None, high: np.ndarray | None = None, **limits: float) -> np.ndarray:
    low, high = limits.get("min", low), limits.get("max", high)
    return np.clip(x, None if low is None else np.float32(low), None if high is None else np.float32(high))


OPERATORS: dict[tuple[str, str], Callable] = {
    ("", "Neg"): np.negative,
    ("", "Abs"): np.abs,
    ("", "Relu"): lambda x: np.maximum(x, np.float32(0)),
    ("", "Identity"): lambda x: x,
    ("", "Add"): np.add,
    ("", "Sub"): np.subtract,
    ("", "Mul"): np.multiply,
    ("", "Max"): np.maximum,
    ("", "Min"): np.minimum,
    ("", "Clip"): _clip,
    ("", "Greater"): np.greater,
    ("", "ReduceMax"): lambda x, keepdims: x.max(),
    ("", "Constant"): lambda value=None, value_float=None: np.float32(value_float) if value is None else numpy_helper.to_array(value),
    ("custom", "my_add"): lambda a, b: a + a + b,
    ("custom", "Foo"): np.add,
    ("rknn_cst", "cstThreshold"): _threshold,
    ("rknn_cst", "cstDualResidual"): _dual,
}


class Interpreter:
    def __init__(self, model: onnx.ModelProto) -> None:
        self.functions = {(function.domain, function.name): function for function in model.functions}

    def attributes(self, node: onnx.NodeProto, given: Mapping[str, object]) -> dict[str, object]:
        """Of a node; a reference is to an attribute of the function that it stands in, and absent where that is."""
        found = {}
        for attribute in node.attribute:
            if not attribute.ref_attr_name:
                found[attribute.name] = helper.get_attribute_value(attribute)
            elif attribute.ref_attr_name in given:
                found[attribute.name] = given[attribute.ref_attr_name]
        return found

    def graph(self, graph: onnx.GraphProto, values: Values, given: Mapping[str, object]) -> list[np.ndarray]:
        values = {**values, **{tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer if tensor.name not in values}}
        return self.nodes(graph.node, values, given, [output.name for output in graph.output])

    def nodes(self, nodes: list, values: Values, given: Mapping[str, object], wanted: list[str]) -> list[np.ndarray]:
        for node in nodes:
            results = self.node(node, values, given)
            values.update((name, result) for name, result in zip(node.output, results) if name)
        return [values[name] for name in wanted]

    def node(self, node: onnx.NodeProto, values: Values, given: Mapping[str, object]) -> list[np.ndarray]:
        inputs = [values[name] if name else None for name in node.input]
        attributes = self.attributes(node, given)
        if (node.domain, node.op_type) in self.functions:
            return self.call(self.functions[node.domain, node.op_type], inputs, attributes)
        if node.op_type == "If":
            return self.graph(attributes["then_branch" if inputs[0] else "else_branch"], dict(values), given)
        if node.op_type == "Loop":
            return self.loop(attributes["body"], inputs, values, given)
        if node.op_type == "Scan":
            body = attributes["body"]
            steps = [self.graph(body, {**values, body.input[0].name: element}, given)[0] for element in inputs[0]]
            return [np.array(steps, np.float32)]
        result = OPERATORS[node.domain, node.op_type](*inputs, **attributes)
        return list(result) if isinstance(result, tuple) else [result]

    def call(self, function: onnx.FunctionProto, inputs: list, attributes: dict[str, object]) -> list[np.ndarray]:
        defaults = {attribute.name: helper.get_attribute_value(attribute) for attribute in function.attribute_proto}
        return self.nodes(function.node, dict(zip(function.input, inputs)), {**defaults, **attributes}, list(function.output))

    def loop(self, body: onnx.GraphProto, inputs: list, values: Values, given: Mapping[str, object]) -> list[np.ndarray]:
        trips, _, carried = inputs
        names = [value.name for value in body.input]
        for iteration in range(int(trips)):
            _, carried = self.graph(body, {**values, **dict(zip(names, (np.int64(iteration), np.True_, carried)))}, given)
        return [carried]


def run(model: onnx.ModelProto, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    names = [output.name for output in model.graph.output]
    return dict(zip(names, Interpreter(model).graph(model.graph, dict(inputs), {})))
