# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers: every definition, case and opset, lowered and run; where a model is another's with another number of the opset, once. See ../definitions/README.md."""
from __future__ import annotations

import itertools
import pathlib
import zlib
from collections.abc import Iterator

import numpy as np
import onnx
import pytest

import definition
import model_checks
import one_node_model
import runtimes
import test_ai_onnx_ml
import test_trees
import tool
from compare import assert_equal
from definition import Case, Definition, Tensors
from test_targets import ONLY_FOR_TARGETS


def collected() -> list:
    """One parameter per case; a file that cannot be read becomes a parameter that fails, and does not hide the others."""
    found = []
    for path in definition.definition_files():
        domain, op_type = path.parent.name, path.stem
        try:
            operator = Definition(domain, op_type, definition.definition_of(domain, op_type))
            cases = list(operator.cases())
            names = [case.name for case in cases]
            if repeated := {name for name in names if names.count(name) > 1}:
                raise ValueError(f"several cases are called {sorted(repeated)}")
        except Exception as error:  # whatever a file does wrong is a failure of its test
            found.append(pytest.param(None, error, id=f"{domain}::{op_type}-unreadable"))
            continue
        if not cases:
            found.append(pytest.param(None, ValueError("it has no cases"), id=f"{domain}::{op_type}-empty"))
        found += [pytest.param(operator, case, id=f"{domain}::{op_type}-{case.name}") for case in cases]
    return found


COLLECTED = collected()
MOST_TOGETHER = 12
EVERY_CASE = pytest.mark.parametrize("operator, case", COLLECTED)


def is_for_openvino(operator: Definition | None, case: Case) -> bool:
    return operator is not None and not case.refuse and "openvino" not in case.cannot


def cases_for_openvino() -> list:
    """Some cases of an operator each. What a case says that OpenVINO cannot is no test of ours."""
    parameters = [parameter for parameter in COLLECTED if is_for_openvino(*parameter.values)]
    found = []
    for name, group in itertools.groupby(parameters, lambda parameter: parameter.values[0].name):
        values = [parameter.values for parameter in group]
        for first in range(0, len(values), MOST_TOGETHER):
            some = values[first : first + MOST_TOGETHER]
            found.append(pytest.param(some[0][0], [case for _, case in some], id=f"{name}-{first}"))
    return found


def arguments(case: Case) -> list[str]:
    def text(value: object) -> str:
        if isinstance(value, (list, tuple)):
            return ",".join(map(text, value))
        return repr(value) if isinstance(value, float) else str(value)

    sets = [f"{case.domain}::{case.op_type}.{name}={text(value)}" for name, value in case.set.items()]
    return [*(argument for value in sets for argument in ("--set", value)), *case.options]


def check_numbers(run: runtimes.Runner, case: Case, all_expected: list, rtol: float, atol: float, *, any_dtype: bool = False) -> None:
    for number, (inputs, expected) in enumerate(zip(case.input_lists(), all_expected)):
        got = run(one_node_model.feeds(case, inputs))
        for name, want in one_node_model.results(case, expected).items():
            assert_equal(f"input list {number}, {name}", got[name], want, rtol, atol, any_dtype=any_dtype)


def check_in_onnxruntime(lowered: bytes, case: Case, all_expected: list) -> bool:
    """Whether ONNX Runtime ran it; where it has no kernel, and the case says so, onnx's reference evaluator does instead."""
    try:
        run = runtimes.in_onnxruntime(lowered)
    except Exception:
        if "ort" not in case.cannot:
            raise
        check_numbers(runtimes.in_reference_evaluator(lowered), case, all_expected, case.rtol, case.atol)
        return False
    check_numbers(run, case, all_expected, case.rtol, case.atol)
    return True


def operators(graph: onnx.GraphProto) -> Iterator[tuple[str, str]]:
    for node in graph.node:
        yield node.domain, node.op_type
        for attribute in node.attribute:
            for body in (*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])):
                yield from operators(body)


def meaning(model: onnx.ModelProto) -> tuple:
    """What a runtime knows a model by: its graph, and the version of each operator. Two models that agree in it differ in the number of the opset only. That
    counts where an operator is a function, whose body a runtime may take at some opsets and not at others."""
    imports = {opset.domain: opset.version for opset in model.opset_import}
    schemas = [onnx.defs.get_schema(op, imports[domain], domain) for domain, op in sorted(set(operators(model.graph)))]
    has_functions = model.functions or any(schema.has_function or schema.has_context_dependent_function for schema in schemas)
    return model.graph.SerializeToString(deterministic=True), tuple(schema.since_version for schema in schemas), imports[""] if has_functions else None


def check_one_opset(model: onnx.ModelProto, result: tool.Run, case: Case, all_expected: list, ran_before: dict[tuple, bool]) -> bool:
    if result.status != tool.DONE:
        raise tool.Unlowered(str(result))
    after = onnx.load_model_from_string(result.stdout)
    model_checks.assert_standard(after)
    model_checks.assert_same_interface(model, after)
    key = meaning(after)
    if key in ran_before:
        return ran_before[key]
    arrays = {**one_node_model.feeds(case, case.inputs), **one_node_model.results(case, all_expected[0])}
    model_checks.assert_valid(after, arrays)
    ran_before[key] = check_in_onnxruntime(result.stdout, case, all_expected)
    return ran_before[key]


@EVERY_CASE
def test_numbers(operator: Definition | None, case: Case) -> None:
    if operator is None:
        raise case
    if case.refuse:
        return check_refusals(operator, case)
    all_expected = [operator.expected(case, inputs) for inputs in case.input_lists()]
    models = [one_node_model.build(case, opset, all_expected[0]) for opset in case.opsets]
    results = tool.lower_together([model.SerializeToString() for model in models], arguments(case))
    failures, ran, ran_before = [], [], {}
    for opset, model, result in zip(case.opsets, models, results):
        try:
            ran.append(check_one_opset(model, result, case, all_expected, ran_before))
        except Exception as error:  # an opset's failure is reported with those of the others
            failures.append((opset, f"{type(error).__name__}: {error}"))
    if failures:
        opsets = [opset for opset, _ in failures]
        messages = {message: opset for opset, message in reversed(failures)}
        pytest.fail("\n".join([f"fails at opsets {opsets}", *(f"opset {opset}: {message}" for message, opset in messages.items())]), False)
    if "ort" in case.cannot and all(ran):
        pytest.fail(f"ONNX Runtime can run this, though the case says that it cannot: {case.cannot['ort']}", False)


def check_refusals(operator: Definition, case: Case) -> None:
    """The one output of the refused node is declared like its first input: nothing defines what it would be."""
    expected = [np.asarray(value) for value in case.expected or ()] or [next(array[0] if isinstance(array, Tensors) else array for array in case.inputs if array is not None)]
    models = [one_node_model.build(case, opset, expected).SerializeToString() for opset in case.opsets]
    for opset, result in zip(case.opsets, tool.lower_together(models, arguments(case))):
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert case.refuse in result.stderr, f"opset {opset}: the message does not say '{case.refuse}': {result.stderr}"
        assert not result.stdout, f"opset {opset}: something was written"


def model_for_openvino(operator: Definition, case: Case, all_expected: list) -> onnx.ModelProto:
    """At one opset, chosen by the case's name, so that together the cases see them all."""
    choice = zlib.crc32(f"{operator.name} {case.name}".encode()) % len(case.opsets)
    return one_node_model.build(case, case.opsets[choice], all_expected[0])


def lowered_by_arguments(cases: list[Case], models: list[bytes]) -> list[tool.Run]:
    """One run for all cases that have the same arguments."""
    by_arguments: dict[tuple[str, ...], list[int]] = {}
    for number, case in enumerate(cases):
        by_arguments.setdefault(tuple(arguments(case)), []).append(number)
    results = {}
    for options, numbers in by_arguments.items():
        results.update(zip(numbers, tool.lower_together([models[number] for number in numbers], options)))
    return [results[number] for number in range(len(cases))]


def check_in_openvino(run: runtimes.Runner, case: Case, all_expected: list) -> None:
    # It fuses, reorders and approximates, so that the last bits differ where ONNX Runtime is exact.
    arrays = [array for given in case.inputs if given is not None for array in (given if isinstance(given, Tensors) else [given])]
    half = any(array.dtype == np.float16 for array in arrays)
    check_numbers(run, case, all_expected, max(case.rtol, 2e-3 if half else 1e-5), max(case.atol, 1e-3 if half else 1e-6), any_dtype=True)


@pytest.mark.parametrize("operator, cases", cases_for_openvino())
def test_numbers_in_openvino(operator: Definition, cases: list[Case]) -> None:
    """Compiled together; where that fails, each alone, and that decides."""
    failures, limits, possible, able = [], {}, [], []
    for case in cases:
        try:
            all_expected = [operator.expected(case, inputs) for inputs in case.input_lists()]
            model = model_for_openvino(operator, case, all_expected)
            limits[case.name] = runtimes.openvino_limit(model)
            if not limits[case.name]:
                possible.append((case, all_expected, model.SerializeToString()))
        except Exception as error:  # a case's failure is reported with those of the others
            failures.append(f"{case.name}: {type(error).__name__}: {error}")
    for (case, all_expected, _), result in zip(possible, lowered_by_arguments([case for case, _, _ in possible], [model for _, _, model in possible])):
        if result.status != tool.DONE:
            failures.append(f"{case.name}: {result}")
            continue
        limits[case.name] = runtimes.openvino_limit(onnx.load_model_from_string(result.stdout))
        if not limits[case.name]:
            able.append((case, all_expected, result.stdout))
    try:
        runners = together([(case, lowered) for case, _, lowered in able])
    except Exception:
        runners = [None] * len(able)
    for (case, all_expected, lowered), run in zip(able, runners):
        try:
            if run is not None:
                check_in_openvino(run, case, all_expected)
                continue
        except Exception:  # of the parts together, or its own
            pass
        try:
            check_in_openvino(runtimes.in_openvino(lowered), case, all_expected)
        except Exception as error:
            failures.append(f"{case.name}: {type(error).__name__}: {error}")
    if failures:
        pytest.fail("\n".join(failures), False)
    if not able:
        pytest.skip("OpenVINO cannot: " + "; ".join(sorted(set(limits.values()))))


def together(models: list[tuple[Case, bytes]]) -> list[runtimes.Runner]:
    """What they give for each of their input lists, computed at once."""
    if not models:
        return []
    run = runtimes.in_openvino_together([lowered for _, lowered in models])
    lists = [[one_node_model.feeds(case, inputs) for inputs in case.input_lists()] for case, _ in models]
    rounds = [run([each[min(number, len(each) - 1)] for each in lists]) for number in range(max(map(len, lists)))]
    # A runner is asked for the lists in their order.
    return [lambda _, results=iter([results[index] for results in rounds]): next(results) for index in range(len(models))]


CAN_BE_ATTACHED = [
    parameter
    for parameter in COLLECTED
    if parameter.values[0] is not None and not parameter.values[1].refuse and parameter.values[1].domain not in ("ai.onnx", "ai.onnx.ml")
]


@pytest.mark.parametrize("operator, case", CAN_BE_ATTACHED)
def test_numbers_of_attached_function(operator: Definition, case: Case) -> None:
    """At one opset, chosen by the case's name: the node stays, the function computes it, and lowering it later gives what lowering the original gives."""
    choice = zlib.crc32(f"attached {operator.name} {case.name}".encode()) % len(case.opsets)
    all_expected = [operator.expected(case, inputs) for inputs in case.input_lists()]
    model = one_node_model.build(case, case.opsets[choice], all_expected[0]).SerializeToString()
    attached = tool.lowered(model, [f"--attach={case.domain}", *arguments(case)])
    if any(isinstance(given, Tensors) and len({tensor.dtype for tensor in given}) > 1 for given in case.inputs):
        assert attached == tool.lowered(model, arguments(case)), "no runtime has a list of several types, so the node is to be expanded"
        return
    after = onnx.load_model_from_string(attached)
    assert after.functions and any(node.domain == case.domain for node in after.graph.node), "the node has gone"
    results = tool.lower_together([attached, model], arguments(case))
    assert all(result.status == tool.DONE for result in results), "\n".join(map(str, results))
    lowered_later, lowered = (onnx.load_model_from_string(result.stdout) for result in results)
    lowered_later.ir_version = lowered.ir_version
    if {tensor.name for tensor in lowered.graph.initializer} <= {tensor.name for tensor in after.graph.initializer}:
        assert lowered_later == lowered
    else:  # weights in another order; a function gets them as they are
        check_in_onnxruntime(results[0].stdout, case, all_expected)
    if runtimes.has_own_kernel(case.domain, case.op_type):
        # ONNX Runtime would not look at the function.
        for function in after.functions:
            function.domain = "attached"
        for node in model_checks.all_nodes(after):
            if (node.domain, node.op_type) in {(case.domain, function.name) for function in after.functions}:
                node.domain = "attached"
        after.opset_import.add(domain="attached", version=1)
        attached = after.SerializeToString()
    check_in_onnxruntime(attached, case, all_expected)


# Rules that lower nothing and only say why: their cases are refusals.
DECLINING = {("com.microsoft.nchwc", "*")}
# The rule that makes inputs of attributes, which test_aten_parameters.py asks with the cases of all others.
REWRITING = {("aten", "*")}


def operators_with_a_case() -> set[tuple[str, str]]:
    found = [case for operator, case in (parameter.values for parameter in COLLECTED) if operator is not None]
    return {(case.domain, case.op_type) for case in found if not case.refuse or (case.domain, "*") in DECLINING}


def test_every_rule_has_a_definition_with_a_case() -> None:
    rules, cases = tool.built_in_rules(), operators_with_a_case()
    served = {(domain, "*") for domain, op_type in cases if (domain, op_type) not in rules}
    for_targets = {("ai.onnx", op) for op in ONLY_FOR_TARGETS} | {("ai.onnx.ml", op) for op in (*test_ai_onnx_ml.OPERATORS, *test_ai_onnx_ml.REFUSED)}
    for_targets |= {("ai.onnx.ml", op) for op in test_trees.LOWERED}
    untested = rules - cases - served - for_targets - REWRITING
    assert not untested, "no case for " + ", ".join(sorted("::".join(rule) for rule in untested))


def test_every_definition_has_a_rule() -> None:
    rules = tool.built_in_rules()
    files = {(path.parent.name, path.stem) for path in definition.definition_files()}
    stray = {operator for operator in files if operator not in rules and (operator[0], "*") not in rules}
    assert not stray, "no rule for " + ", ".join(sorted("::".join(operator) for operator in stray))


def test_definitions_lie_in_folders_of_their_domain() -> None:
    misplaced = [path.name for path in pathlib.Path(definition.DEFINITIONS).glob("*.py")]
    assert not misplaced, f"{misplaced} must lie in a folder named after the domain"
