# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the element types and the versions of operators that ONNX Runtime has no kernel for into targets/default.target, from its own list of kernels.

    python targets/probe/kernel_gaps.py

Operators that it executes by the functions of their schemas alone are left out, for it has no kernel for them that could lack a type, and float16, which it casts to float by itself. Where it has a
kernel, and for another type a function, which it takes at some opsets only, what rules make is held to the kernel, and a node of the model keeps its function: at which opsets there is one is asked by loading a node.
"""
from __future__ import annotations

import collections
import itertools
import pathlib
from collections.abc import Iterator

import onnx
import onnxruntime
from onnx import TensorProto, defs, helper
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def

TARGET = pathlib.Path(__file__).resolve().parent.parent / "default.target"
HEAD = "# ONNX Runtime has no kernel for these element types, or for that version (written by targets/probe/kernel_gaps.py).\n"
FIRST_OPSET, NEWEST_OPSET = 7, 26
OPEN_END = 2**31 - 1
TYPES = ("bfloat16", "double", "float", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")

Gaps = dict[str, tuple[str, ...]]  # by the name of an input, the first of those that share a type
Functions = dict[tuple[str, tuple[int, ...]], tuple[str, ...]]  # types by the name of an input and the opsets at which a function serves


def kernels() -> dict[str, list]:
    found = collections.defaultdict(list)
    for kernel in get_all_opkernel_def():
        if kernel.provider == "CPUExecutionProvider" and not kernel.domain:
            found[kernel.op_name].append(kernel)
    return found


def serves(version: int, first: int, last: int) -> bool:
    return version == first or (first < version <= last and last != OPEN_END)


def gaps_of(schema: defs.OpSchema, own: list) -> Gaps | None:
    """None where no kernel is for this version of the operator."""
    # A kernel without a last version is for the version that it begins with: of a newer one the runtime knows nothing yet.
    serving = [kernel for kernel in own if serves(schema.since_version, *kernel.version_range)]
    if not serving:
        return None
    gaps = {}
    for constraint in schema.type_constraints:
        inputs = [formal.name for formal in schema.inputs if formal.type_str == constraint.type_param_str]
        if not inputs:
            continue
        allowed = set(constraint.allowed_type_strs)
        taken = set().union(*(kernel.type_constraints.get(constraint.type_param_str, allowed) for kernel in serving))
        if missing := [name for name in TYPES if f"tensor({name})" in allowed - taken]:
            gaps[inputs[0]] = tuple(missing)
    return gaps


def spelled(types: tuple[str, ...]) -> str:
    return f"== {types[0]}" if len(types) == 1 else f"in ({', '.join(types)})"


def condition(gaps: Gaps) -> str:
    return " and ".join(f"not dtype({name}) {spelled(types)}" for name, types in gaps.items())


def loads(schema: defs.OpSchema, tested: str, element_type: str, other: str, opset: int) -> bool:
    """A node whose input of that name has that type, and those of other type variables the other one, if they may. All have four dimensions, which some functions want to know."""
    variable = next(formal.type_str for formal in schema.inputs if formal.name == tested)

    def value(formal: defs.OpSchema.FormalParameter) -> onnx.ValueInfoProto:
        types = (element_type,) if formal.type_str == variable else (other, "float", "int64", "bool")
        found = next(name for name in types if f"tensor({name})" in formal.types)
        return helper.make_tensor_value_info(formal.name, getattr(TensorProto, found.upper()), [None] * 4)

    count = max(schema.min_input, 1 + [formal.name for formal in schema.inputs].index(tested))
    inputs, output = [value(formal) for formal in schema.inputs[:count]], value(schema.outputs[0])
    output.type.tensor_type.ClearField("shape")
    required = {name: 1 if attribute.type == defs.OpSchema.AttrType.INT else [1] for name, attribute in schema.attributes.items() if attribute.required}
    node = helper.make_node(schema.name, [given.name for given in inputs], [output.name], **required)
    model = helper.make_model(helper.make_graph([node], "g", inputs, [output]), opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), quiet, providers=["CPUExecutionProvider"])
    except Exception:  # of many classes that share no other
        return False
    return True


def opsets_of(version: int, last: int) -> range:
    return range(max(FIRST_OPSET, version), last + 1)


def functions_of(schema: defs.OpSchema, last: int, gaps: Gaps) -> Functions:
    if not schema.has_function and not schema.has_context_dependent_function:
        return {}
    found = {}
    for name, types in gaps.items():
        for element_type in types:
            opsets = tuple(opset for opset in opsets_of(schema.since_version, last) if any(loads(schema, name, element_type, other, opset) for other in ("float", element_type)))
            if opsets:
                found.setdefault((name, opsets), []).append(element_type)
    return {key: tuple(types) for key, types in found.items()}


def of_model(gaps: Gaps, functions: Functions, all_opsets: tuple[int, ...]) -> str:
    """The condition for a node of the model, which may be executed by a function; empty where it always is."""
    parts = []
    for name, types in gaps.items():
        by_function = {kind for (input_name, _), kinds in functions.items() if input_name == name for kind in kinds}
        if left := tuple(kind for kind in types if kind not in by_function):
            parts.append(f"not dtype({name}) {spelled(left)}")
    for (name, opsets), types in functions.items():
        if opsets == all_opsets:
            continue
        at = f"opset() == {opsets[0]}" if len(opsets) == 1 else f"opset() in ({', '.join(map(str, opsets))})"
        parts.append(f"(not dtype({name}) {spelled(types)} or {at})")
    return " and ".join(parts)


def versions() -> Iterator[tuple[str, list[tuple[int, str, str]]]]:
    """Of each operator that has kernels its versions, with the conditions for what rules make and for nodes of the model; empty where there is none."""
    schemas = collections.defaultdict(list)
    for schema in defs.get_all_schemas_with_history():
        if not schema.domain and not schema.deprecated and schema.since_version <= NEWEST_OPSET:
            schemas[schema.name].append(schema)
    for name, own in sorted(kernels().items()):
        ordered = sorted(schemas[name], key=lambda schema: schema.since_version)
        found = []
        for schema, after in itertools.zip_longest(ordered, ordered[1:]):
            last = after.since_version - 1 if after else NEWEST_OPSET
            if (gaps := gaps_of(schema, own)) is None:
                has_function = schema.has_function or schema.has_context_dependent_function
                found += [(schema.since_version, "never", "never")] * (last >= FIRST_OPSET and not has_function)
            else:
                functions = functions_of(schema, last, gaps)
                found.append((schema.since_version, condition(gaps), of_model(gaps, functions, tuple(opsets_of(schema.since_version, last)))))
        yield name, found


def lines() -> str:
    written = []
    for name, found in versions():
        # Versions with the same conditions share a line.
        runs: list[list] = []
        for version, made, of_model_too in found:
            if runs and runs[-1][2:] == [made, of_model_too]:
                runs[-1][1] = version
            else:
                runs.append([version, version, made, of_model_too])
        for index, (first, last, made, of_model_too) in enumerate(runs):
            span = f" {first}.." if index == len(runs) - 1 else f" {first}" if first == last else f" {first}..{last}"
            operator = f"{name}{span if len(runs) > 1 else ''}"
            if made != of_model_too:
                written.append(f"made {operator}  {made}\n")
            if of_model_too:
                written.append(f"{operator}  {of_model_too}\n")
    return "".join(written)


def rewritten(text: str) -> str:
    before, found, _ = text.partition(HEAD)
    assert found, f"{TARGET} has no line '{HEAD.strip()}'"
    return before + HEAD + lines()


if __name__ == "__main__":
    TARGET.write_text(rewritten(TARGET.read_text()))
