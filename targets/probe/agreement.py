#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How often what a target's file says and what the runtime does agree, on models that the probe did not make.

  agreement.py onnxruntime-1.17 --runtime onnxruntime --python VENV/bin/python --work FOLDER

The models are onnx's node tests of more than one node, functions written out among them, and the project's own cases, lowered by default; and what --target makes of each of them
that it changes. The file says that the runtime takes a model when --target leaves it as it is, or made it, and the runtime does when it loads, runs and computes what the test says. Where they
differ is printed."""
from __future__ import annotations

import collections
import copy
import dataclasses
import json
import pathlib
import subprocess
import tempfile
import warnings

import measure
import nearby
import numpy as np
import onnx
import probe
import seeds


def tests_of_many_nodes() -> list[seeds.Seed]:
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    return [seeds.Seed(case.name, case.model, list(case.data_sets[0][0]), list(case.data_sets[0][1]), case.rtol, case.atol) for case in cases
            if len(case.model.graph.node) > 1 and not any(node.op_type in seeds.RANDOM for node in case.model.graph.node)]


def cases_lowered(tool: str) -> list[seeds.Seed]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "in.onnx"), pathlib.Path(folder, "out.onnx")
        for seed, arguments in measure.cases():
            onnx.save(seed.model, source)
            done = subprocess.run([tool, source, "-o", target, "-q", *arguments], capture_output=True, check=False, cwd=probe.REPOSITORY)
            if done.returncode == 0:
                found.append(dataclasses.replace(seed, model=onnx.load(target)))
    return found


def is_as_it_was(given: onnx.ModelProto, made: onnx.ModelProto, asks_for_shapes: bool, asks_inside: bool) -> bool:
    """But for an import of an opset that is higher now: a runtime that takes the newer one takes the same nodes of the older. `asks_for_shapes`: whether what has no shape declared is
    said not to be taken; `asks_inside`: whether a body is whose inputs have no type. What comes out of a body the runtime finds out itself, if it can be known."""
    versions = [{entry.domain: entry.version for entry in one.opset_import} for one in (given, made)]
    raised = all(versions[1].get(domain, version) >= version for domain, version in versions[0].items())

    def said(graph: onnx.GraphProto, is_body: bool = False) -> list:
        # Not what is declared of dimensions: these are those of the numbers that the model is run with.
        nodes = copy.deepcopy(graph.node)
        bodies = [attribute.g for node in nodes for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
        found = [said(body, True) for body in bodies]
        for body in bodies:
            body.Clear()
        shapes = [value.type.tensor_type.HasField("shape") for value in graph.output] if asks_for_shapes else []
        shapes += [value.HasField("type") for value in graph.input] if asks_inside and is_body else []
        return [list(nodes), found, shapes, list(graph.initializer), [value.name for value in graph.input], [value.name for value in graph.output]]

    return raised and said(given.graph) == said(made.graph) and list(given.functions) == list(made.functions)


# How right a number of float is that a network computes; testdata/ holds its own floats to the same.
FLOAT_RTOL, FLOAT_ATOL = 2e-5, 2e-6


def is_above_float(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.float64 and bool(np.any(np.abs(value) > np.finfo(np.float32).max))


def main() -> None:
    arguments = measure.options_of_a_sample(__doc__).parse_args()
    tool = str(arguments.tool)
    folder = arguments.work / "agreement" / arguments.name
    folder.mkdir(parents=True, exist_ok=True)
    models = [seed for seed in [*tests_of_many_nodes(), *cases_lowered(tool)] if all(seeds.is_native(value) for value in [*seed.inputs, *seed.outputs])][::arguments.every]
    precision = nearby.PRECISIONS.get(arguments.runtime)
    models = [nearby.with_nearby(seed, seed.model, precision) for seed in models]
    tasks = measure.write_models(folder, models)
    # What stands behind "rather" is taken all the same, and comes out right for most numbers.
    file = measure.target_file(arguments.name)
    lines = file.read_text().splitlines(keepends=True)
    says_of_target = "".join(line for line in lines if not line.startswith("rather "))
    without_wishes = folder / f"{arguments.name}.target"
    without_wishes.write_text(says_of_target)
    wishes = len(says_of_target) < sum(map(len, lines))
    asks = "\nshapes declared\n" in says_of_target, "\nshapes declared inside\n" in says_of_target

    report = folder / "report.json"

    def lowered(number: int, to: pathlib.Path, target: pathlib.Path) -> onnx.ModelProto | None:
        to.unlink(missing_ok=True)
        subprocess.run([tool, folder / f"{number}.onnx", "-o", to, "-q", "--report", report, "--target", target, *measure.input_shapes(models[number], arguments.name)], capture_output=True, check=False, cwd=probe.REPOSITORY)
        return onnx.load(to) if to.exists() else None

    says = {}
    for task in list(tasks):
        number, next_number = task["number"], len(tasks)
        seed = models[number]
        given = onnx.load(folder / f"{number}.onnx")
        made = lowered(number, folder / f"{next_number}.onnx", file)
        comes_out = True
        if json.loads(report.read_text())["computed_as_float"]:
            # What the file says then is that floats come out, and nothing that is above them.
            task |= {"rtol": max(task["rtol"], FLOAT_RTOL), "atol": max(task["atol"], FLOAT_ATOL)}
            comes_out = not any(is_above_float(value) for value in seed.outputs)
        leaves = made is not None and is_as_it_was(given, made, *asks)
        taken = lowered(number, folder / "without_wishes.onnx", without_wishes) if wishes and not leaves else made
        says[number] = comes_out and (leaves or taken is not None and is_as_it_was(given, taken, *asks))
        if made is not None and not leaves:
            tasks.append({**task, **measure.write_arrays(folder, next_number, seed), "rtol": task["rtol"], "atol": task["atol"], "name": f"{task['name']}, lowered"})
            says[next_number] = comes_out
    (folder / "tasks.json").write_text(json.dumps(tasks))
    answers = probe.ask_new(arguments, folder, tasks)
    counts: collections.Counter = collections.Counter()
    differ = []
    for task in tasks:
        number = task["number"]
        does = answers[number] == "taken"
        counts[says[number], does] += 1
        if says[number] != does:
            differ.append([task["name"], "said to be taken" if says[number] else "said not to be taken", answers[number]])
            print(": ".join(differ[-1])[:300])
    agree = counts[True, True] + counts[False, False]
    print(f"{arguments.name}: of {len(tasks)} models they agree in {agree}, {100 * agree / len(tasks):.1f} %; said to be taken and not: {counts[True, False]}, taken and said not to be: {counts[False, True]}")
    (arguments.work / f"{arguments.name}.agreement.json").write_text(json.dumps({"name": arguments.name, "models": len(tasks), "agree": agree, "too_lax": counts[True, False], "too_strict": counts[False, True], "differ": differ}, indent=1))


if __name__ == "__main__":
    main()
