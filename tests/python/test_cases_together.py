# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Cases of many definitions as nodes of one model: what the tool remembers of one node, as bodies that it compiled and verdicts on their nodes, may not tell on another one."""
from __future__ import annotations

import random

import numpy as np
import onnx
import onnx.compose
import pytest
from onnx import helper

import one_node_model
import runtimes
import test_numbers
import tool
from compare import assert_equal
from definition import Case, Definition

OPSET = 13
NODES = 25
MODELS = 24


def possible(operator: Definition | None, case: Case, attached: bool) -> bool:
    """Whether the node can stand in one model with others and run in ONNX Runtime, which takes its own kernels for functions of their name."""
    if operator is None or case.refuse or "ort" in case.cannot or OPSET not in case.opsets or test_numbers.arguments(case):
        return False
    return not (attached and runtimes.has_own_kernel(case.domain, case.op_type))


def part(case: Case, expected: list, number: int) -> onnx.ModelProto:
    """Its names, those of dimensions too, are its own."""
    model = onnx.compose.add_prefix(one_node_model.build(case, OPSET, expected), f"node{number}_")
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        for dimension in value.type.tensor_type.shape.dim:
            if dimension.dim_param:
                dimension.dim_param = f"node{number}_{dimension.dim_param}"
    return model


def joined(models: list[onnx.ModelProto]) -> bytes:
    graph = onnx.GraphProto(name="together")
    imports: dict[str, int] = {}
    for model in models:
        imports.update({opset.domain: opset.version for opset in model.opset_import})
        for field in ("node", "initializer", "input", "output", "value_info"):
            getattr(graph, field).extend(getattr(model.graph, field))
    opsets = [helper.make_opsetid(domain, version) for domain, version in imports.items()]
    return helper.make_model(graph, opset_imports=opsets, ir_version=max(model.ir_version for model in models)).SerializeToString()


@pytest.mark.parametrize("option", ["", "--attach", "--fold"])
@pytest.mark.parametrize("number", range(MODELS))
def test_cases_as_nodes_of_one_model(number: int, option: str) -> None:
    cases = [parameter.values for parameter in test_numbers.COLLECTED if possible(*parameter.values, option == "--attach")]
    random.Random(0).shuffle(cases)
    chosen, versions = [], {}
    for operator, case in cases[number * NODES : (number + 1) * NODES]:
        expected = operator.expected(case, case.inputs)
        model = part(case, expected, len(chosen))
        own = {opset.domain: opset.version for opset in model.opset_import}
        if model.functions or any(versions.get(domain, version) != version for domain, version in own.items()):
            continue  # its domain has another version than another node's
        versions |= own
        chosen.append((operator, case, expected, model))
    assert len(chosen) > NODES // 4
    lowered = tool.lowered(joined([model for *_, model in chosen]), [option] if option else [])
    feeds: dict[str, np.ndarray] = {}
    for node, (_, case, _, _) in enumerate(chosen):
        feeds |= {f"node{node}_{name}": value for name, value in one_node_model.feeds(case, case.inputs).items()}
    got = runtimes.in_onnxruntime(lowered)(feeds)
    for node, (operator, case, expected, _) in enumerate(chosen):
        for name, want in one_node_model.results(case, expected).items():
            assert_equal(f"{operator.name}, {case.name}, {name}", got[f"node{node}_{name}"], want, case.rtol, case.atol)
