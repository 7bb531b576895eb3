# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""PyTorch's operators with parameters as attributes: every case of every definition, with its constants under PyTorch's names, all of them or some."""
from __future__ import annotations

import dataclasses
import re
import zlib
from collections.abc import Iterator

import numpy as np
import onnx
import pytest

import definition
import one_node_model
import test_numbers
import tool
from definition import Case, Definition, Tensors

TABLE = tool.REPOSITORY / "rules" / "aten" / "families" / "schemas.h"


def schemas() -> dict[str, list[list[tuple[str, str]]]]:
    """By operator: of each overload the types and names of the parameters."""
    found: dict[str, list[list[tuple[str, str]]]] = {}
    for name, _, literals in re.findall(r'\{"(\w+)", "(\w*)",((?:\s*"[^"]*")+)\}', TABLE.read_text()):
        text = "".join(re.findall(r'"([^"]*)"', literals))
        parameters = [tuple(part.split("=")[0].split(" ")) for part in text.split(", ")]
        found.setdefault(name, []).append(parameters)
    return found


SCHEMAS = schemas()


def attribute_of(kind: str, array: np.ndarray) -> object:
    value = array.tolist()
    if kind.startswith("str"):
        return str(value)
    if kind.startswith("float"):
        return [float(item) for item in value] if isinstance(value, list) else float(value)
    if isinstance(value, list):
        return [item if isinstance(item, float) else int(item) for item in value]
    return value if isinstance(value, float) else int(value)


def may_be_attribute(case: Case, index: int, kind: str) -> bool:
    array = case.inputs[index]
    if kind.startswith("Tensor") or index not in case.constants or isinstance(array, Tensors) or array is None or array.ndim > ("[" in kind):
        return False
    is_integer = kind.startswith(("int", "bool", "ScalarType"))
    # An attribute is a float, which rounds what a tensor of doubles may say beside doubles.
    has_doubles = any(getattr(other, "dtype", None) == np.float64 for at, other in enumerate(case.inputs) if at not in case.constants)
    is_exact = array.dtype.kind != "f" or not has_doubles or np.array_equal(array, array.astype(np.float32))
    return array.dtype.kind in {"U": "U", "O": "O"}.get(array.dtype.kind, "iub" if is_integer else "fiub") and array.size > 0 and is_exact


def with_attributes(case: Case, every: int) -> Case | None:
    """The case with every so many of its constants as attributes, if it has any; of the overload that has most of them."""
    best: Case | None = None
    for parameters in SCHEMAS.get(case.op_type, []):
        if len(case.inputs) > len(parameters):
            continue
        if any(not kind.startswith("Tensor") and array is not None and index not in case.constants for index, ((kind, _), array) in enumerate(zip(parameters, case.inputs))):
            continue
        moved = [index for index in range(len(case.inputs)) if may_be_attribute(case, index, parameters[index][0])][::every]
        attributes = {parameters[index][1]: attribute_of(parameters[index][0], case.inputs[index]) for index in moved}
        if len(moved) <= (len(best.attributes) if best else 0):
            continue
        rest = [index for index in range(len(case.inputs)) if index not in moved]
        inputs = [[given[index] for index in rest] for given in case.input_lists()]
        constants = [at for at, index in enumerate(rest) if index in case.constants]
        shapes = case.shapes if isinstance(case.shapes, str) else [case.shapes[index] for index in rest if index < len(case.shapes)]
        best = dataclasses.replace(case, inputs=inputs[0], also=inputs[1:], attributes=attributes, constants=constants, shapes=shapes)
    return best


def cases_of(operator: Definition) -> Iterator[tuple[Case, Case]]:
    for case in operator.cases():
        if case.refuse or case.domain != "aten" or case.attributes or case.set or case.overload or case.written_for:
            continue
        for every in (1, 2):
            if changed := with_attributes(case, every):
                yield case, changed


OPERATORS = [found for found in definition.all_definitions() if found.domain == "aten" and any(cases_of(found))]


def as_node(case: Case, opset: int, expected: list, form: int) -> bytes:
    """The model: a node of aten, of its other domain, or one ATen with the name as an attribute; with suffixes in the last."""
    model = one_node_model.build(case, opset, expected)
    node = next(node for node in model.graph.node if node.domain == "aten")
    if form > 0:
        node.domain = next(entry for entry in model.opset_import if entry.domain == "aten").domain = "org.pytorch.aten"
    if form == 2:
        for attribute in node.attribute:
            attribute.name += {onnx.AttributeProto.FLOAT: "_f", onnx.AttributeProto.INT: "_i", onnx.AttributeProto.STRING: "_s"}.get(attribute.type, "")
        node.attribute.append(onnx.helper.make_attribute("operator", node.op_type))
        node.op_type = "ATen"
    return model.SerializeToString()


@pytest.mark.parametrize("operator", OPERATORS, ids=[operator.op_type for operator in OPERATORS])
def test_parameters_as_attributes(operator: Definition) -> None:
    pairs = list(cases_of(operator))
    all_expected = [[operator.expected(case, inputs) for inputs in case.input_lists()] for case, _ in pairs]
    models = []
    for number, ((case, changed), expected) in enumerate(zip(pairs, all_expected)):
        opset = case.opsets[zlib.crc32(f"{case.name}{number}".encode()) % len(case.opsets)]
        models.append(as_node(changed, opset, expected[0], number % 3))
    failures = []
    by_options: dict[tuple[str, ...], list[int]] = {}
    for number, (case, _) in enumerate(pairs):
        by_options.setdefault(tuple(case.options), []).append(number)
    for options, numbers in by_options.items():
        for number, result in zip(numbers, tool.lower_together([models[number] for number in numbers], list(options))):
            case, changed = pairs[number]
            try:
                assert result.status == tool.DONE, result
                test_numbers.check_in_onnxruntime(result.stdout, changed, all_expected[number])
            except Exception as error:  # a case's failure is reported with those of the others
                failures.append(f"{case.name} {dict(changed.attributes)}: {type(error).__name__}: {error}")
            except AssertionError as error:
                failures.append(f"{case.name} {dict(changed.attributes)}: {error}")
    assert not failures, "\n".join(failures)


def test_operators_with_parameters_are_asked() -> None:
    """But for those of which an overload that has no rule has the parameters."""
    left = {path.stem for path in definition.definition_files() if path.parent.name == "aten"} & set(SCHEMAS) - {operator.op_type for operator in OPERATORS}
    assert left == {"bmm", "mm"}
