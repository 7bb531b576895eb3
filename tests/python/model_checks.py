# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What must be true of every model that the tool wrote, told by onnx and not by the tool itself."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import onnx

STANDARD_DOMAINS = {"": "", "ai.onnx": "", "ai.onnx.ml": "ai.onnx.ml"}


def all_nodes(model: onnx.ModelProto) -> Iterator[onnx.NodeProto]:
    """The nodes of the graph and its functions, and of the graphs in their attributes, at any depth."""
    pending = [model.graph.node, *(function.node for function in model.functions)]
    while pending:
        for node in pending.pop():
            yield node
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    pending.append(attribute.g.node)
                pending.extend(graph.node for graph in attribute.graphs)


def assert_standard(model: onnx.ModelProto) -> None:
    """Nothing but standard operators that exist at the imported opset, and no function."""
    assert not model.functions, f"functions are left: {[function.name for function in model.functions]}"
    versions: dict[str, int] = {}
    for opset in model.opset_import:
        assert opset.domain in STANDARD_DOMAINS, f"an opset_import of '{opset.domain}' is left"
        versions[STANDARD_DOMAINS[opset.domain]] = opset.version
    for node in all_nodes(model):
        assert node.domain in STANDARD_DOMAINS, f"node {node.domain}::{node.op_type} is left"
        domain = STANDARD_DOMAINS[node.domain]
        assert domain in versions, f"nothing imports domain '{domain}' of {node.op_type}"
        assert onnx.defs.has(node.op_type, domain), f"{node.op_type} is no standard operator"
        try:
            schema = onnx.defs.get_schema(node.op_type, versions[domain], domain)
        except onnx.defs.SchemaError:
            raise AssertionError(f"{node.op_type} does not exist at opset {versions[domain]}") from None
        assert not schema.deprecated, f"{node.op_type} is deprecated at opset {versions[domain]}"


def assert_valid(model: onnx.ModelProto, arrays: Mapping[str, np.ndarray] = {}) -> None:
    """onnx's full check. It wants ranks of graph inputs and outputs that an exporter may not know: `arrays` tell them."""
    unranked = [
        value
        for value in (*model.graph.input, *model.graph.output)
        if value.name in arrays and not value.type.tensor_type.HasField("shape") and value.type.tensor_type.elem_type
    ]
    if unranked:
        names = {value.name for value in unranked}
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        for value in (*copy.graph.input, *copy.graph.output):
            if value.name in names:
                value.type.tensor_type.shape.SetInParent()
                for axis in range(arrays[value.name].ndim):
                    value.type.tensor_type.shape.dim.add().dim_param = f"{value.name}_axis_{axis}"
        model = copy
    onnx.checker.check_model(model, full_check=True)


def assert_same_interface(before: onnx.ModelProto, after: onnx.ModelProto) -> None:
    """Graph inputs and outputs are the same to the last byte: names, order, types, shapes, doc strings.

    Only what an exporter left out may be filled in: the type of a graph output, without which the model is not valid."""
    for kind in ("input", "output"):
        old, new = getattr(before.graph, kind), getattr(after.graph, kind)
        assert [value.name for value in old] == [value.name for value in new], f"graph {kind}s changed"
        for value, kept in zip(old, new):
            if kind == "output" and not value.type.tensor_type.elem_type and value.type.WhichOneof("value") in (None, "tensor_type"):
                assert kept.type.tensor_type.elem_type, f"graph output '{value.name}' has no type"
                value, kept = without_type(value), without_type(kept)
            assert value.SerializeToString() == kept.SerializeToString(), f"graph {kind} '{value.name}' changed:\n{value}\n{kept}"


def without_type(value: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    copy = onnx.ValueInfoProto()
    copy.CopyFrom(value)
    copy.ClearField("type")
    return copy


def assert_no_duplicate_names(model: onnx.ModelProto) -> None:
    """Every value is defined once along each path of scopes, and every named node has a name of its own in its graph."""

    def visit(graph: onnx.GraphProto, outer: frozenset[str]) -> None:
        own: set[str] = set()

        def define(name: str) -> None:
            assert not name or (name not in own and name not in outer), f"'{name}' is defined twice"
            own.add(name)

        inputs = {value.name for value in graph.input}
        for value in graph.input:
            define(value.name)
        for tensor in graph.initializer:
            if tensor.name not in inputs:
                define(tensor.name)
        node_names: set[str] = set()
        for node in graph.node:
            for attribute in node.attribute:
                for body in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
                    visit(body, outer | own)
            for name in node.output:
                define(name)
            assert not node.name or node.name not in node_names, f"two nodes are called '{node.name}'"
            node_names.add(node.name)

    visit(model.graph, frozenset())
