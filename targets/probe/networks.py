#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many whole networks a runtime executes as they are meant: as they are, lowered by default, and lowered with --target.

  networks.py onnxruntime-1.17 --networks architectures --runtime onnxruntime --python VENV/bin/python --work FOLDER

The models are those that export_architectures.py has written into FOLDER/architectures, or export_quantized.py into FOLDER/quantized. Where a target asks for static shapes, a run with it is told
those of the inputs. Writes FOLDER/NAME.architectures.json or FOLDER/NAME.quantized.json; docs/targets.md is made from such files by write_page.py."""
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


NETWORKS = ("architectures", "quantized")
# By how much numbers of quantized networks may differ, of the greatest that is expected. Codes of 8 bits may be the next ones wherever a runtime rounds sums or products in another order, and a
# network of some layers has hundreds of such places.
OF_THE_GREATEST = {"16bits": 0.02, "4bits": 0.02, "dynamic": 0.08, "optimized": 0.08, "qdq": 0.08, "qoperator": 0.08}


def exports(folder: pathlib.Path) -> list[seeds.Seed]:
    """Of the kind that a name begins with."""
    found = []
    for path in sorted(folder.glob("*.onnx")):
        arrays = np.load(path.with_suffix(".npz"))
        given, computed = ([arrays[key] for key in arrays if key.startswith(start)] for start in "io")
        kind = path.stem.split("-")[0]
        share = OF_THE_GREATEST.get(kind)
        rtol, atol = (1e-3, 1e-4) if share is None else (0, share * max(float(np.abs(value).max()) for value in computed))
        found.append(seeds.Seed(path.stem, onnx.load(path), given, computed, rtol=rtol, atol=atol, kind=kind))
    return found


def main() -> None:
    parser = measure.options_of_a_sample(__doc__)
    parser.add_argument("--networks", required=True, choices=NETWORKS)
    arguments = parser.parse_args()
    folder = arguments.work / f"asked-{arguments.networks}" / arguments.name
    tasks = measure.write(folder, [(seed, []) for seed in exports(arguments.work / arguments.networks)[::arguments.every]], str(arguments.tool), arguments.name, nearby.PRECISIONS.get(arguments.runtime))
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
    (arguments.work / f"{arguments.name}.{arguments.networks}.json").write_text(json.dumps({"name": arguments.name, "counts": counts, "worse": worse, "failures": failures}, indent=1))


if __name__ == "__main__":
    main()
