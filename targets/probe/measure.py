#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many models a runtime executes rightly: as they are, lowered by default, and lowered with --target.

  measure.py onnxruntime-1.17 --runtime onnxruntime --python VENV/bin/python --work FOLDER

The models are those that sample.txt names, of the project's own cases that are to be lowered and of onnx's node tests. Writes FOLDER/NAME.json; docs/targets.md is made from such files by
write_page.py."""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import subprocess
import sys

import numpy as np
import onnx

import nearby
import probe
import seeds

WAYS = ("as it is", "lowered", "with --target")
# Exported models, those that ask about infinities and the like, and onnx's node tests.
KINDS = ("case", "edge", "node")


def cases() -> list[tuple[seeds.Seed, list[str]]]:
    """The project's exported models with custom nodes, each with the arguments that it needs."""
    sys.path.insert(0, str(probe.REPOSITORY / "tests" / "python"))
    import test_cases

    found = []
    for case in test_cases.CASES:
        if case.says["expect"] != "lowered" or case.beside or case.says.get("pass_through") or not case.arrays:
            continue
        model = onnx.load(case.model)
        inputs, expected = case.sets()[0]
        names = [value.name for value in model.graph.input if value.name in inputs]
        if len(names) != len(model.graph.input) or any(value.name not in expected for value in model.graph.output):
            continue
        kind = "edge" if case.record.parent.name == "aten_values" else "case"
        arguments = [str(argument) for argument in case.says.get("arguments", [])]
        found.append((seeds.Seed(case.name, model, [inputs[name] for name in names], [expected[value.name] for value in model.graph.output],
                                 case.says.get("rtol", 1e-3), case.says.get("atol", 1e-5), kind=kind), arguments))
    return found


def models_to_measure(every: int | None) -> list[tuple[seeds.Seed, list[str]]]:
    """Those of the sample, or every Nth of all."""
    found = [*cases(), *((seed, []) for seed in seeds.backend_tests() if seed.node.op_type not in seeds.RANDOM)]
    found = [(seed, arguments) for seed, arguments in found if all(seeds.is_native(value) for value in [*seed.inputs, *seed.outputs])]
    if every:
        return found[::every]
    names = [line for line in (probe.HERE / "sample.txt").read_text().splitlines() if line and not line.startswith("#")]
    by_name = {seed.name: (seed, arguments) for seed, arguments in found}
    missing = [name for name in names if name not in by_name]
    if missing:
        sys.exit(f"sample.txt names what is not there: {', '.join(missing)}")
    return [by_name[name] for name in names]


def target_file(target: str) -> pathlib.Path:
    """The file as it stands, which the tool may have been built without."""
    return probe.REPOSITORY / "targets" / f"{target}.target"


def write_arrays(folder: pathlib.Path, number: int, seed: seeds.Seed) -> dict:
    """What goes in and out of a model, beside it; and the task that says so."""
    values = {**{f"i{index}": value for index, value in enumerate(seed.inputs)}, **{f"o{index}": value for index, value in enumerate(seed.outputs)}}
    values |= {f"n{index}": found for index, found in enumerate(seed.nearby) if found is not None}
    np.savez(folder / f"{number}.npz", **{key: value.astype("U") if value.dtype == object else value for key, value in values.items()})
    return {"number": number, "name": seed.name, "compares": True, "rtol": seed.rtol, "atol": max(seed.atol, 1e-6), "inputs": [value.name for value in seeds.asked_inputs(seed.model)],
            "outputs": [value.name for value in seed.model.graph.output]}


def input_shapes(seed: seeds.Seed, target: str) -> list[str]:
    """What a run for the target is told of the inputs whose dimensions the model does not say, if the target wants to know them."""
    text = target_file(target).read_text()
    is_static, is_ranked = "\nshapes static\n" in text, "\nshapes ranked\n" in text
    found = []
    for declared, value in zip(seeds.asked_inputs(seed.model), seed.inputs):
        kind = declared.type.tensor_type
        if is_static and not (kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim)):
            found += ["--input-shape", f"{declared.name}:{','.join(str(size) for size in value.shape)}"]
        elif is_ranked and declared.type.HasField("tensor_type") and not kind.HasField("shape"):
            found += ["--input-shape", f"{declared.name}:{','.join('?' * value.ndim)}"]
    return found


def write_models(folder: pathlib.Path, models: list[seeds.Seed]) -> list[dict]:
    """The models as they are."""
    tasks = []
    for number, seed in enumerate(models):
        (folder / f"{number}.onnx").write_bytes(seed.model.SerializeToString())
        tasks.append(write_arrays(folder, number, seed))
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return tasks


def lowered_by_default(model: onnx.ModelProto, tool: str, *arguments: str) -> onnx.ModelProto | None:
    done = subprocess.run([tool, "-", "-o", "-", "-q", *arguments], input=model.SerializeToString(), capture_output=True, check=False, cwd=probe.REPOSITORY)
    return onnx.load_model_from_string(done.stdout) if done.returncode == 0 else None


def write(folder: pathlib.Path, models: list[tuple[seeds.Seed, list[str]]], tool: str, target: str, precision: type | None) -> list[dict]:
    folder.mkdir(parents=True, exist_ok=True)
    tasks = []
    for given, arguments in models:
        seed = nearby.with_nearby(given, lowered_by_default(given.model, tool, *arguments) or given.model, precision) if precision else given
        for way in WAYS:
            number = len(tasks)
            path = folder / f"{number}.onnx"
            original = folder / "in.onnx"
            content = seed.model.SerializeToString()
            status = 0
            if way == "as it is":
                path.write_bytes(content)
            else:
                original.write_bytes(content)
                path.unlink(missing_ok=True)
                extra = ["--target", target_file(target), *input_shapes(seed, target)] if way == "with --target" else []
                done = subprocess.run([tool, original, "-o", path, "-q", *arguments, *extra], capture_output=True, text=True, check=False, cwd=probe.REPOSITORY)
                status = done.returncode
            tasks.append({**write_arrays(folder, number, seed), "way": way, "kind": seed.kind, "status": status, "message": "" if not status else done.stderr[-600:]})
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return tasks


def options(description: str | None) -> argparse.ArgumentParser:
    """What a run on models that are there already is told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--tool", default=probe.REPOSITORY / "build" / "onnx-lower")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    return parser


def options_of_a_sample(description: str | None) -> argparse.ArgumentParser:
    parser = options(description)
    parser.add_argument("--every", type=int, help="every Nth of all models, in the place of a sample")
    return parser


def main() -> None:
    arguments = options_of_a_sample(__doc__).parse_args()
    folder = arguments.work / "measured" / arguments.name
    tasks = write(folder, models_to_measure(arguments.every), str(arguments.tool), arguments.name, nearby.PRECISIONS.get(arguments.runtime))
    answers = probe.ask_new(arguments, folder, [task for task in tasks if task["status"] == 0])
    counts: dict[str, dict[str, collections.Counter]] = {kind: {way: collections.Counter() for way in WAYS} for kind in KINDS}
    worse, failures = [], []
    was_right = set()
    for task in tasks:
        answer = answers.get(task["number"], "not lowered").split(" ")[0] if task["status"] == 0 else "not lowered"
        counts[task["kind"]][task["way"]][answer] += 1
        if answer == "taken" and task["way"] == "as it is":
            was_right.add(task["name"])
        if task["way"] == "with --target" and answer != "taken":
            failures.append([task["name"], answer, answers.get(task["number"], task["message"])])
            if task["name"] in was_right:
                worse.append(task["name"])
    for kind, ways in counts.items():
        total = sum(ways[WAYS[0]].values())
        print(arguments.name, kind, total, {way: f"{100 * counter['taken'] / total:.1f} %" for way, counter in ways.items()}, dict(ways["with --target"]))
    print("worse:", len(worse), worse[:20])
    (arguments.work / f"{arguments.name}.json").write_text(json.dumps({"name": arguments.name, "counts": counts, "worse": worse, "failures": failures}, indent=1))


if __name__ == "__main__":
    main()
