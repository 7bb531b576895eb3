#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Which element types that NumPy lacks an ONNX Runtime has kernels of, by operator and version: writes them at the end of a target's file.

  element_types.py onnxruntime-1.17 --runtime onnxruntime --python VENV/bin/python --work FOLDER

It looks for its kernels when it loads a model, so that no numbers are needed: each operator's first tests, at each version, are given each type that the schema allows. Of what no test loads with the
types that it has nothing is said."""
from __future__ import annotations

import argparse
import collections
import copy
import json
import pathlib
import re
import sys
from collections.abc import Iterator

import numpy as np
import onnx
from onnx import TensorProto, helper

import measure
import probe
import seeds

TYPES = {
    name.lower(): number for name, number in TensorProto.DataType.items()
    if number not in (TensorProto.UNDEFINED, *seeds.NATIVE, *seeds.WITHOUT_NUMBERS)
}
# What can be asked about an operator: its version, what has the type, and the type; and of tests as they are, nothing of these two.
Question = tuple[str, int, str, str]
# How many tests of an operator and version are asked about: some are refused for a reason of their own.
ASKED = 2
NEWEST_OPSET = 28


def tests_of_each_version(tool: str) -> Iterator[tuple[seeds.Seed, int]]:
    """The first few of each operator at the first opset that has a version of it, and that opset."""
    own: dict[str, list[seeds.Seed]] = collections.defaultdict(list)
    for seed in seeds.backend_tests():
        if not seed.node.domain and seed.node.op_type not in seeds.RANDOM and len(own[seed.node.op_type]) < 2 * ASKED:
            own[seed.node.op_type].append(seed)
    count: collections.Counter = collections.Counter()
    for opset in range(7, NEWEST_OPSET + 1):
        for seed in seeds.lowered_to([seed for group in own.values() for seed in group], opset, tool):
            key = seed.node.op_type, seed.schema.since_version
            if count[key] < ASKED:
                count[key] += 1
                yield seed, opset


def of_each_type(seed: seeds.Seed) -> Iterator[tuple[onnx.ModelProto, str, str]]:
    """With the input that has a type, or the attribute that says one, and the type."""
    asked = set()
    for parameter in seed.schema.inputs:
        variable = parameter.type_str
        constraint = next((one for one in seed.schema.type_constraints if one.type_param_str == variable), None)
        if constraint is None or variable in asked:
            continue
        asked.add(variable)
        for name, number in TYPES.items():
            if f"tensor({name})" in constraint.allowed_type_strs and (changed := seeds.of_a_type_without_numbers(seed, [variable], number)):
                yield changed.model, f"dtype({parameter.name})", name
    # What an attribute says.
    made_types = seed.schema.outputs[0].types if seed.node.op_type in ("Cast", "ConstantOfShape") else ()
    for name, number in TYPES.items():
        if f"tensor({name})" in made_types:
            model = copy.deepcopy(seed.model)
            model.graph.output[0].type.tensor_type.elem_type = number
            if seed.node.op_type == "Cast":
                next(attribute for attribute in model.graph.node[0].attribute if attribute.name == "to").i = number
                model.graph.input[0].type.tensor_type.elem_type = TensorProto.FLOAT
                yield model, "to", str(number)
            else:
                value = onnx.TensorProto(data_type=number, dims=[1], **({"string_data": [b""]} if number == TensorProto.STRING else {"raw_data": bytes(16 if name == "complex128" else 8 if name == "complex64" else 1)}))
                del model.graph.node[0].attribute[:]
                model.graph.node[0].attribute.append(helper.make_attribute("value", value))
                yield model, "dtype(output)", name


def without_sizes(model: onnx.ModelProto) -> bytes:
    """What it knows of a shape it computes when it loads the model, without a kernel."""
    for value in [*model.graph.input, *model.graph.output]:
        if value.type.HasField("tensor_type"):
            for dim in value.type.tensor_type.shape.dim:
                dim.Clear()
    return model.SerializeToString()


def write(folder: pathlib.Path, tool: str) -> None:
    """The models of all opsets, and the list of them."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks: list[dict] = []
    for seed, opset in tests_of_each_version(tool):
        for model, what, name in [(seed.model, "", ""), *of_each_type(seed)]:
            number = len(tasks)
            (folder / f"{number}.onnx").write_bytes(without_sizes(model))
            np.savez(folder / f"{number}.npz")
            tasks.append({"number": number, "compares": False, "rtol": 0, "atol": 0, "inputs": [], "outputs": [], "opset": opset, "question": [seed.node.op_type, seed.schema.since_version, what, name]})
    (folder / "tasks.json").write_text(json.dumps(tasks))


def ask(arguments: argparse.Namespace, last: int) -> dict[Question, bool]:
    """Whether a model of it loads; of operators of which one does."""
    folder = arguments.work / "element_types"
    if not (folder / "tasks.json").exists():
        write(folder, str(arguments.tool))
    tasks = [task for task in json.loads((folder / "tasks.json").read_text()) if task["opset"] <= last]
    answers = probe.ask_new(arguments, folder, tasks)
    loads: dict[Question, bool] = {}
    for task in tasks:
        question = tuple(task["question"])
        loads[question] = loads.get(question, False) or answers[task["number"]] == "taken"
    return {question: answer for question, answer in loads.items() if question[2] and loads[(*question[:2], "", "")]}


def is_said(written: list[str], op: str, version: int, what: str, name: str) -> bool:
    """Whether a line that stands in the file already refuses that type."""
    for line in written:
        found = re.match(r"(\S+)(?: (\d+)(?:\.\.(\d+))?| (\d+)\.\.)?  (.*)", line.split("  #")[0])
        if not found or found[1] != op:
            continue
        first, last = int(found[2] or found[4] or 0), int(found[3] or found[2] or sys.maxsize)
        if not first <= version <= last:
            continue
        for part in found[5].split(" and "):
            listed = re.fullmatch(r"(not )?(.*?) in \((.*)\)", part)
            if part == "never" or listed and listed[2] == what and (name in listed[3].split(", ")) == bool(listed[1]):
                return True
    return False


def text_of(what: str, names: list[str]) -> str:
    return f"{what} != {names[0]}" if what == "to" and len(names) == 1 else f"not {what} in ({', '.join(names)})"


def lines_of(answers: dict[Question, bool], written: list[str]) -> list[str]:
    """A type that no version takes stands in a line for all of them, those too that do not know it."""
    taken = {(op, what, name) for (op, _, what, name), loads in answers.items() if loads}
    refused: dict[str, dict[int, dict[str, list[str]]]] = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for (op, version, what, name), loads in answers.items():
        if not loads and not is_said(written, op, version, what, name):
            names = refused[op][version if (op, what, name) in taken else 0][what]
            names += [name] * (name not in names)
    lines = []
    for op, by_version in sorted(refused.items()):
        runs: list[tuple[list[int], str]] = []
        for version, conditions in sorted(by_version.items()):
            text = " and ".join(text_of(what, sorted(names)) for what, names in conditions.items())
            if runs and version and runs[-1][1] == text and runs[-1][0][0]:
                runs[-1][0].append(version)
            else:
                runs.append(([version], text))
        for versions, text in runs:
            span = "" if not versions[0] else f" {versions[0]}" if len(versions) == 1 else f" {versions[0]}..{versions[-1]}"
            lines.append(f"{op}{span}  {text}")
    return lines


def main() -> None:
    arguments = measure.options_of_a_sample(__doc__).parse_args()
    path = measure.target_file(arguments.name)
    before, _, _ = path.read_text().partition(probe.ELEMENT_TYPES)
    written = before.rstrip().splitlines()
    last = int(next(line for line in written if re.match(r"opset \d", line)).split("..")[1])
    answers = ask(arguments, last)
    lacking = {name for _, _, what, name in answers if what != "to"} - {name for (_, _, _, name), loads in answers.items() if loads}
    # What kernels of its own have is a type to it all the same.
    own = " ".join(line for line in written if line.startswith("com.microsoft::"))
    lacking = {name for name in lacking if not re.search(rf"\b{name}\b", own)}
    lines = lines_of({question: answer for question, answer in answers.items() if question[3] not in lacking}, written)
    path.write_text("\n".join([*written, "", probe.ELEMENT_TYPES, f"types not in ({', '.join(sorted(lacking))})", *lines]) + "\n")
    print(f"{arguments.name}: {len(answers)} questions, {sum(not answer for answer in answers.values())} refused, {len(lines)} lines")


if __name__ == "__main__":
    main()
