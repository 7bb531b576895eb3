# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Random nodes of com.microsoft, lowered, beside ONNX Runtime's own kernels.

The environment variable CONTRIB_NODES says how many nodes of each operator are tried, 20 if it is not there; the same number always gives the same node. With more than 20,
OpenVINO runs all of them, and not every fourth.
"""
from __future__ import annotations

import collections
import os

import numpy as np
import onnx
import pytest

import contrib_nodes
import model_checks
import one_node_model
import runtimes
import tool
from compare import assert_equal
from definition import Case

FEW = 20
NODES = int(os.environ.get("CONTRIB_NODES", FEW))

# What OpenVINO says of models that it cannot run, whatever the tool writes.
OPENVINO_LIMITS = ("with dynamic rank", "Doesn't support dynamic weights shape")


class Refused(Exception):
    """The tool refuses the node."""


def original(case: Case) -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """The model of the node, and what the kernel gives; graph outputs are declared as they come."""
    count = case.outputs or 1
    untyped = one_node_model.build(case, case.opsets[0], [np.float32(0)] * count)
    for output in untyped.graph.output:
        output.ClearField("type")
    results = runtimes.in_onnxruntime(untyped.SerializeToString())(one_node_model.feeds(case, case.inputs))
    arrays = [results.get(f"out{index}", np.float32(0)) for index in range(count)]
    return one_node_model.build(case, case.opsets[0], arrays), results


def check_in_openvino(case: Case, lowered: bytes, wanted: dict[str, np.ndarray]) -> None:
    """It fuses, reorders and approximates, so that the last bits differ where ONNX Runtime is exact."""
    try:
        results = runtimes.in_openvino(lowered)(one_node_model.feeds(case, case.inputs))
    except Exception as error:
        if any(limit in str(error) for limit in OPENVINO_LIMITS):
            return
        raise
    for name, want in wanted.items():
        # What lies between two steps of a quantized value may be rounded to the other one: so it came out in 2 nodes of 30,000.
        is_quantized = np.asarray(want).dtype in (np.int8, np.uint8)
        assert_equal(f"OpenVINO, {name}", results[name], want, 0 if is_quantized else max(case.rtol, 1e-4), 1 if is_quantized else max(case.atol, 5e-5), any_dtype=True)


def check(case: Case, *, openvino: bool) -> None:
    model, wanted = original(case)
    outcome = tool.lower(model.SerializeToString())
    if outcome.status == tool.NOT_LOWERED:
        tool.assert_clean_refusal(outcome)
        raise Refused(outcome.stderr)
    assert outcome.status == tool.DONE, str(outcome)
    after = onnx.load_model_from_string(outcome.stdout)
    model_checks.assert_standard(after)
    model_checks.assert_same_interface(model, after)
    results = runtimes.in_onnxruntime(outcome.stdout)(one_node_model.feeds(case, case.inputs))
    for name, want in wanted.items():
        assert_equal(f"ONNX Runtime, {name}", results[name], want, case.rtol, case.atol)
    if openvino and "openvino" not in case.cannot and not runtimes.openvino_limit(model) and not runtimes.openvino_limit(after):
        check_in_openvino(case, outcome.stdout, wanted)


@pytest.mark.parametrize("operator", sorted(contrib_nodes.GENERATORS))
def test_random_nodes(operator: str) -> None:
    failures, refusals = [], collections.Counter()
    for number in range(NODES):
        case = contrib_nodes.drawn(operator, number)
        try:
            check(case, openvino=NODES > FEW or number % 4 == 0)
        except Refused as refusal:
            refusals[str(refusal)] += 1
        except Exception as error:  # the other nodes are tried all the same
            failures.append(f"{case.name} at opset {case.opsets[0]}, {case.attributes}: {type(error).__name__}: {error}")
    assert not failures, f"{len(failures)} of {NODES} nodes:\n" + "\n".join(failures)
    assert refusals.total() <= NODES / 2, f"{refusals.total()} of {NODES} nodes are refused: {refusals.most_common(3)}"
    unexplained = [refusal for refusal in refusals if not any(reason in refusal for reason in contrib_nodes.REFUSALS)]
    assert not unexplained, f"refused for another reason than that something is not known, or new: {unexplained}"


def test_every_operator_with_kernel_and_rule_is_drawn() -> None:
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def

    kernels = {kernel.op_name for kernel in get_all_opkernel_def() if kernel.domain == "com.microsoft" and kernel.provider == "CPUExecutionProvider"}
    rules = {op_type for domain, op_type in tool.built_in_rules() if domain == "com.microsoft"}
    assert kernels & rules == set(contrib_nodes.GENERATORS)


# OpenVINO mixes up sequence and heads where there are as many of both, of some arrangements of nodes.


@pytest.mark.parametrize("operator", sorted(contrib_nodes.SIZED))
def test_every_size_of_sequence_and_heads(operator: str) -> None:
    failures = []
    for length in range(1, 10):
        for heads in range(1, 10):
            case = contrib_nodes.SIZED[operator](length, heads)
            try:
                check(case, openvino=True)
            except Exception as error:  # the other sizes are tried all the same
                failures.append(f"{length} steps, {heads} heads: {type(error).__name__}: {error}")
    assert not failures, f"{len(failures)} of 81 sizes:\n" + "\n".join(failures)
