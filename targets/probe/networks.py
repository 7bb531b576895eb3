#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many exports of well-known architectures a runtime executes as torch does: as they are, lowered by default, and lowered with --target.

  architectures.py onnxruntime-1.17 --runtime onnxruntime --python VENV/bin/python --work FOLDER

The models are those that export_architectures.py has written into FOLDER/architectures. Where a target asks for static shapes, a run with it is told those of the inputs. Writes
FOLDER/NAME.architectures.json; docs/targets.md is made from such files by write_page.py."""
from __future__ import annotations

import collections
import json
import pathlib

import measure
import nearby
import numpy as np
import onnx
import probe
import seeds


def exports(folder: pathlib.Path) -> list[seeds.Seed]:
    """Of the kind that its architecture is."""
    found = []
    for path in sorted(folder.glob("*.onnx")):
        arrays = np.load(path.with_suffix(".npz"))
        given, computed = ([arrays[key] for key in arrays if key.startswith(start)] for start in "io")
        found.append(seeds.Seed(path.stem, onnx.load(path), given, computed, rtol=1e-3, atol=1e-4, kind=path.stem.split("-")[0]))
    return found


def main() -> None:
    arguments = measure.options_of_a_sample(__doc__)
    folder = arguments.work / "asked-architectures" / arguments.name
    tasks = measure.write(folder, [(seed, []) for seed in exports(arguments.work / "architectures")[::arguments.every]], str(arguments.tool), arguments.name, nearby.PRECISIONS.get(arguments.runtime))
    answers = probe.ask_new(arguments, folder, [task for task in tasks if task["status"] == 0])
    counts: dict[str, dict[str, collections.Counter]] = collections.defaultdict(lambda: {way: collections.Counter() for way in measure.WAYS})
    failures, worse, was_right = [], [], set()
    for task in tasks:
        answer = answers[task["number"]] if task["status"] == 0 else f"not lowered {task['message']}"
        counts[task["kind"]][task["way"]]["not lowered" if task["status"] else answer.split(" ")[0]] += 1
        if answer == "taken" and task["way"] != "with --target":
            was_right.add(task["name"])
        elif answer != "taken" and task["way"] == "with --target":
            failures.append([task["name"], task["number"], answer])
            print(f"{task['name']}: {answer[:300]}")
            if task["name"] in was_right:
                worse.append(task["name"])
    for kind, ways in counts.items():
        print(arguments.name, kind, {way: dict(counter) for way, counter in ways.items()})
    print("worse:", worse)
    (arguments.work / f"{arguments.name}.architectures.json").write_text(json.dumps({"name": arguments.name, "counts": counts, "worse": worse, "failures": failures}, indent=1))


if __name__ == "__main__":
    main()
