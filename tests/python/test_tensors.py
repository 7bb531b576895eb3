# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Tensors of every element type, in every place that holds one and in every way to write one, come through a lowering as onnx itself reads them."""
from __future__ import annotations

import random

import numpy as np
import onnx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

import tool
import wire_variants

many = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
seeds = st.integers(0, 2**32 - 1)

ELEMENT_TYPES = [value for name, value in TensorProto.DataType.items() if name != "UNDEFINED"]
# Types whose sparse tensors onnx can hold and the tool makes dense: whole bytes, and no strings.
SPARSE_TYPES = [TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.INT8, TensorProto.UINT16, TensorProto.INT64, TensorProto.BOOL]


@st.composite
def tensors(draw: st.DrawFn, name: str = "") -> onnx.TensorProto:
    element_type = draw(st.sampled_from(ELEMENT_TYPES))
    dims = draw(st.lists(st.integers(0, 4), max_size=3))
    count = int(np.prod(dims, dtype=np.int64))
    if element_type == TensorProto.STRING:
        return helper.make_tensor(name, element_type, dims, [draw(st.binary(max_size=5)) for _ in range(count)])
    values = [draw(st.integers(0, 1)) for _ in range(count)]
    tensor = helper.make_tensor(name, element_type, dims, np.array(values).astype(helper.tensor_dtype_to_np_dtype(element_type)))
    return tensor if draw(st.booleans()) else in_raw_data(tensor)


def in_raw_data(tensor: onnx.TensorProto) -> onnx.TensorProto:
    return numpy_helper.from_array(numpy_helper.to_array(tensor), tensor.name)


@st.composite
def sparse_tensors(draw: st.DrawFn, name: str) -> onnx.SparseTensorProto:
    element_type = draw(st.sampled_from(SPARSE_TYPES))
    dims = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    size = int(np.prod(dims))
    positions = np.array(sorted(draw(st.sets(st.integers(0, size - 1)))), np.int64)
    values = helper.make_tensor(name, element_type, [len(positions)], np.ones(len(positions), helper.tensor_dtype_to_np_dtype(element_type)))
    if draw(st.booleans()):
        indices = positions
    else:
        indices = np.stack(np.unravel_index(positions, dims), axis=1).astype(np.int64).reshape(len(positions), len(dims))
    return helper.make_sparse_tensor(values, numpy_helper.from_array(indices), dims)


def dense(sparse: onnx.SparseTensorProto) -> np.ndarray:
    values, indices = numpy_helper.to_array(sparse.values), numpy_helper.to_array(sparse.indices)
    result = np.zeros(tuple(sparse.dims), values.dtype)
    result[tuple(indices.T) if indices.ndim == 2 else np.unravel_index(indices, result.shape)] = values
    return result


def constant(tensor: onnx.TensorProto, output: str) -> onnx.NodeProto:
    return helper.make_node("Constant", [], [output], value=tensor)


def threshold(value: str, output: str) -> onnx.NodeProto:
    return helper.make_node("cstThreshold", [value], [output], name="lowered", domain="rknn_cst", threshold=0.25, value=0.5)


def vector(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"])


@st.composite
def models(draw: st.DrawFn) -> onnx.ModelProto:
    """A node to lower, and tensors around it: in initializers, Constant nodes, attributes, subgraphs, functions and training information."""
    holder = helper.make_node("Holder", ["x"], ["held"], name="holder", domain="kept")
    holder.attribute.append(helper.make_attribute("one", draw(tensors("t"))))
    holder.attribute.append(helper.make_attribute("many", [draw(tensors("u")), draw(tensors("v"))]))
    holder.attribute.append(helper.make_attribute("sparse", draw(sparse_tensors("s"))))
    branches = {
        name: helper.make_graph(
            [constant(draw(tensors()), f"{name}.c"), helper.make_node("Abs", ["a"], [f"{name}.y"])], name, [], [vector(f"{name}.y")], [draw(tensors(f"{name}.w"))]
        )
        for name in ("then_branch", "else_branch")
    }
    nodes = [
        holder,
        constant(draw(tensors()), "c"),
        threshold("x", "a"),
        constant(numpy_helper.from_array(np.array(True)), "condition"),
        helper.make_node("If", ["condition"], ["y"], **branches),
    ]
    initializers = [draw(tensors(f"w{index}")) for index in range(3)]
    graph = helper.make_graph(nodes, "graph", [vector("x")], [vector("y")], initializers)
    graph.sparse_initializer.append(draw(sparse_tensors("sparse")))
    kept = helper.make_function("kept", "Held", ["x"], ["y"], [constant(draw(tensors()), "c"), helper.make_node("Neg", ["x"], ["y"])], [helper.make_opsetid("", 23)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23), helper.make_opsetid("kept", 1), helper.make_opsetid("rknn_cst", 1)], functions=[kept])
    model.graph.node.append(helper.make_node("Held", ["x"], ["called"], domain="kept"))
    training = model.training_info.add()
    training.initialization.CopyFrom(helper.make_graph([constant(draw(tensors()), "w0")], "initialization", [], []))
    training.algorithm.CopyFrom(helper.make_graph([helper.make_node("Neg", ["w0"], ["w0.new"])], "algorithm", [], [], [draw(tensors("rate"))]))
    training.update_binding.add(key="w0", value="w0.new")
    model.ir_version = 11
    return model


def without(nodes: list[onnx.NodeProto], made_from: str) -> list[onnx.NodeProto]:
    return [node for node in nodes if not any(entry.key == "onnx_lower.node" and entry.value == made_from for entry in node.metadata_props)]


@many
@given(models(), seeds)
@pytest.mark.parametrize("way", ["as protobuf writes it", "in other ways"])
def test_every_tensor_comes_through(way: str, model: onnx.ModelProto, seed: int) -> None:
    content = model.SerializeToString() if way == "as protobuf writes it" else wire_variants.scrambled(model, random.Random(seed), unknown=0.1, split=0.2)
    after = onnx.load_model_from_string(tool.lowered(content, ["--keep", "kept"]))
    if way == "in other ways":
        after = wire_variants.without_unknown_fields(after)

    before = onnx.load_model_from_string(content)
    expected = wire_variants.without_unknown_fields(before)
    del expected.opset_import[2]
    sparse = expected.graph.sparse_initializer.pop()
    made_dense = after.graph.initializer.pop() if after.graph.initializer[-1].name == "sparse" else next(tensor for tensor in after.graph.initializer if tensor.name == "sparse")
    np.testing.assert_array_equal(numpy_helper.to_array(made_dense), dense(sparse))
    initializers = [tensor for tensor in after.graph.initializer if tensor.name != "sparse"]
    del after.graph.initializer[:]
    after.graph.initializer.extend(initializers)
    for graph in (expected.graph, after.graph):
        others = [node for node in without(list(graph.node), "lowered") if node.name != "lowered"]
        del graph.node[:]
        graph.node.extend(others)
    assert after == expected


def test_what_training_information_uses_stays() -> None:
    """It is no part of what runs, and stays as it is, with the functions and the imports that it needs."""
    local = helper.make_function("local", "Step", ["x"], ["y"], [helper.make_node("Neg", ["x"], ["y"])], [helper.make_opsetid("", 18)])
    other = helper.make_function("local", "Unused", ["x"], ["y"], [helper.make_node("Neg", ["x"], ["y"])], [helper.make_opsetid("", 18)])
    imports = [helper.make_opsetid(domain, version) for domain, version in (("", 18), ("rknn_cst", 1), ("local", 1), ("optimizers", 1), ("unused", 1))]
    model = helper.make_model(helper.make_graph([threshold("x", "y")], "graph", [vector("x")], [vector("y")]), opset_imports=imports, functions=[local, other])
    training = model.training_info.add()
    training.algorithm.CopyFrom(helper.make_graph([helper.make_node("Step", ["y"], ["s"], domain="local"), helper.make_node("Adam", ["s"], ["t"], domain="optimizers")], "algorithm", [], []))
    after = onnx.load_model_from_string(tool.lowered(model.SerializeToString()))
    assert after.training_info == model.training_info
    assert [function.name for function in after.functions] == ["Step"]
    assert [entry.domain for entry in after.opset_import] == ["", "local", "optimizers"]
    assert not any(node.domain for node in after.graph.node)


@pytest.mark.parametrize("element_type", ELEMENT_TYPES, ids=TensorProto.DataType.Name)
def test_a_model_of_standard_operators_comes_out_byte_for_byte(element_type: int) -> None:
    values = [b"a", b"bc", b""] if element_type == TensorProto.STRING else np.array([0, 1, 1]).astype(helper.tensor_dtype_to_np_dtype(element_type))
    tensor = helper.make_tensor("w", element_type, [3], values)
    forms = [tensor] if element_type == TensorProto.STRING else [tensor, in_raw_data(tensor)]
    for form in forms:
        graph = helper.make_graph([constant(form, "c"), helper.make_node("Neg", ["x"], ["y"])], "graph", [vector("x")], [vector("y")], [form])
        content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)]).SerializeToString()
        assert tool.lowered(content) == content
        for seed in range(3):
            scrambled = wire_variants.scrambled(onnx.load_model_from_string(content), random.Random(seed), unknown=0.3, split=0.3)
            assert tool.lowered(scrambled) == scrambled
