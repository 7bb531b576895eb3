#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Whether what is written for a target loads, runs and is right in its runtime, for random models.

  random_models_in_target.py onnxruntime-1.17 --runtime onnxruntime --python VENV/bin/python --work FOLDER --first 50000 --count 300

The models are those of tests/python/random_models.py, or with --quantized of random_quantized_models.py, one for each seed; the newest ONNX Runtime, beside this Python, says what they compute. Prints each that is written and does not load, run or
come out right; each that the tool refuses though the runtime executes it rightly as it is; each exit status that is neither success nor a refusal; and for what reasons models are refused. The model
of seed N stays as FOLDER/random/NAME/given/N.onnx, and what was written of it as FOLDER/random/NAME/N.onnx."""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import numpy as np
import onnx

import measure
import networks
import probe
import seeds

sys.path.insert(0, str(probe.REPOSITORY / "tests" / "python"))
import random_models
import random_quantized_models
import test_random_models

WRITTEN, REFUSED = 0, 1  # the tool's exit status


def drawn(number: int) -> seeds.Seed | None:
    """None where the newest ONNX Runtime does not execute the model, or where it has a sequence as input or output, which the other runtimes are not handed."""
    model = random_models.random_model(number)
    try:
        computed = test_random_models.results(model.proto, model.feeds[:1])[0]
    except Exception:
        return None
    graph = model.proto.graph
    given = [model.feeds[0][declared.name] for declared in seeds.asked_inputs(model.proto)]
    expected = [computed[declared.name] for declared in graph.output]
    if not all(seeds.is_native(value) for value in [*given, *expected]):
        return None
    # Of the models' own bounds for what rounding may do, which hold for one runtime's kernels beside each other.
    atol = 4 * max(float(np.max(bound, initial=0)) for bound in model.errors.values())
    return seeds.Seed(f"seed {number}", model.proto, given, expected, rtol=1e-3, atol=max(1e-5, atol))


def drawn_quantized(number: int) -> seeds.Seed:
    """Codes may be the next ones wherever a runtime rounds in another order, in each of the layers."""
    model, feed, expected = random_quantized_models.random_quantized_model(number)
    return seeds.Seed(f"seed {number}", model, list(feed.values()), [expected], rtol=0, atol=max(networks.OF_THE_GREATEST["qdq"] * float(np.abs(expected).max()), 1e-6))


def same_interface(given: onnx.ModelProto, made: onnx.ModelProto) -> bool:
    return all([value.name for value in one] == [value.name for value in other] for one, other in ((given.graph.input, made.graph.input), (given.graph.output, made.graph.output)))


def lower(folder: pathlib.Path, models: dict[int, seeds.Seed], tool: str, target: str) -> list[dict]:
    """Writes each model as it is, and what the tool makes of it, with its seed for a name; and what became of it."""
    (folder / "given").mkdir(parents=True, exist_ok=True)
    tasks = []
    for number, seed in models.items():
        given, made = folder / "given" / f"{number}.onnx", folder / f"{number}.onnx"
        onnx.save(seed.model, given)
        measure.write_arrays(folder / "given", number, seed)
        made.unlink(missing_ok=True)
        done = subprocess.run([tool, given, "-o", made, "-q", "--target", measure.target_file(target), *measure.input_shapes(seed, target)], capture_output=True, text=True, check=False)
        tasks.append({**measure.write_arrays(folder, number, seed), "status": done.returncode, "message": done.stderr})
    for at in (folder, folder / "given"):
        (at / "tasks.json").write_text(json.dumps(tasks))
    return tasks


def reason(message: str) -> str:
    """The operator that was refused, and what the first rule says, without the names by which models differ."""
    first = re.sub(r"^error: \S+?\.onnx: ", "", message.strip().split("\n")[0])
    operator = re.search(r"\(([\w.]+::\w+)\),? .*cannot be lowered", first)
    said = re.search(r"\n *rule [^(]*\([^)]*\): (.*)", message)
    return re.sub(r"node '.*?' \(", "node (", f"{operator[1]}: {said[1] if said else ''}" if operator else first)


def main() -> None:
    parser = measure.options(__doc__)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=300, help="how many of them")
    parser.add_argument("--quantized", action="store_true", help="quantized networks")
    arguments = parser.parse_args()
    folder = arguments.work / ("random_quantized" if arguments.quantized else "random") / arguments.name
    numbers = range(arguments.first, arguments.first + arguments.count)
    models = {number: seed for number in numbers if (seed := (drawn_quantized if arguments.quantized else drawn)(number)) is not None}
    sys.exit(bool(report(arguments, folder, models)))


def report(arguments: argparse.Namespace, folder: pathlib.Path, models: dict[int, seeds.Seed]) -> dict[int, str]:
    """Says what became of the models, and gives back what is not as it should be, by seed."""
    tasks = lower(folder, models, str(arguments.tool), arguments.name)
    answers = probe.ask_new(arguments, folder, [task for task in tasks if task["status"] == WRITTEN])
    as_they_are = probe.ask_new(arguments, folder / "given", [task for task in tasks if task["status"] != WRITTEN])
    counts: collections.Counter = collections.Counter()
    reasons: dict[str, list[int]] = collections.defaultdict(list)
    problems: dict[int, str] = {}
    for task in tasks:
        number = task["number"]
        problem = ""
        if task["status"] == REFUSED:
            kind = "refused"
            reasons[reason(task["message"])].append(number)
            if as_they_are[number] == "taken":
                problem = f"refused, and right as it is: {task['message'].strip()}"
        elif task["status"] != WRITTEN:
            kind = "no clean end"
            problem = f"exit status {task['status']}: {task['message'].strip()}"
        else:
            answer = answers[number]
            kind = {"taken": "right", "wrong": "wrong"}.get(answer.split(" ")[0], "not run")
            if not same_interface(models[number].model, onnx.load(folder / f"{number}.onnx")):
                problem = "its inputs or outputs are others"
            elif answer != "taken":
                problem = answer
        counts[kind] += 1
        if problem:
            problems[number] = problem
            print(f"{arguments.name} {task['name']}: {problem}")
    for text, numbers in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{arguments.name} refused {len(numbers)}: {text[:300]} (seeds {', '.join(map(str, numbers[:5]))})")
    print(f"{arguments.name}: {dict(counts)}, to be looked at: {len(problems)}")
    return problems


if __name__ == "__main__":
    main()
