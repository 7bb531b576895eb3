# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the element types that ONNX Runtime has no kernel for into targets/default.target, from its own list of kernels.

    python targets/probe/kernel_gaps.py

The operators that it executes by their function bodies are left out, for it has no kernel for them that could lack a type, and float16, which it casts to float by itself.
"""
from __future__ import annotations

import collections
import pathlib
from collections.abc import Iterator

from onnx import defs
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def

TARGET = pathlib.Path(__file__).resolve().parent.parent / "default.target"
HEAD = "# ONNX Runtime has no kernel for these element types (written by targets/probe/kernel_gaps.py).\n"
NEWEST_OPSET = 26
OPEN_END = 2**31 - 1
TYPES = ("bfloat16", "double", "float", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")

Gaps = dict[str, tuple[str, ...]]  # by the name of an input, the first of those that share a type


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


def versions() -> Iterator[tuple[str, list[tuple[int, Gaps]]]]:
    """Of each operator its versions that have kernels, with what these lack."""
    schemas = collections.defaultdict(list)
    for schema in defs.get_all_schemas_with_history():
        if not schema.domain and not schema.deprecated and schema.since_version <= NEWEST_OPSET:
            schemas[schema.name].append(schema)
    for name, own in sorted(kernels().items()):
        found = [(schema.since_version, gaps_of(schema, own)) for schema in sorted(schemas[name], key=lambda schema: schema.since_version)]
        yield name, [(version, gaps) for version, gaps in found if gaps is not None]


def lines() -> str:
    written = []
    for name, found in versions():
        # Versions with the same gaps share a line.
        runs: list[list] = []
        for version, gaps in found:
            if runs and runs[-1][2] == gaps:
                runs[-1][1] = version
            else:
                runs.append([version, version, gaps])
        for index, (first, last, gaps) in enumerate(runs):
            if gaps:
                span = f" {first}.." if index == len(runs) - 1 else f" {first}" if first == last else f" {first}..{last}"
                written.append(f"{name}{span if len(runs) > 1 else ''}  {condition(gaps)}\n")
    return "".join(written)


def rewritten(text: str) -> str:
    before, found, _ = text.partition(HEAD)
    assert found, f"{TARGET} has no line '{HEAD.strip()}'"
    return before + HEAD + lines()


if __name__ == "__main__":
    TARGET.write_text(rewritten(TARGET.read_text()))
