#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many of the models that people ship a runtime executes rightly: as they are, and lowered with --target in three ways.

  measure.py openvino-2026.4 --runtime openvino --python VENV/bin/python --work FOLDER --models FOLDER

The models are those of models.tsv that fetch.py has fetched. Each is asked about in a process of its own. Writes FOLDER/NAME.real.json; docs/targets.md is made from such files by write_page.py."""
from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "probe"))
import fetch
import inputs
import measure as probe_measure
import probe
import seeds
import summary

SECONDS_FOR_A_REFERENCE = 300
SECONDS_FOR_A_MODEL = 90
WAYS = (summary.AS_IT_IS, summary.WITH_TARGET, summary.FOLDED, summary.WITH_SHAPES)


def reference_of(model: fetch.Model, models: pathlib.Path, work: pathlib.Path) -> pathlib.Path:
    """The folder with two sets of what goes in and what comes out, or with the reason why there are none. They are computed once, as long as nothing that makes them changes."""
    digest = hashlib.sha256(model.sha256.encode() + "".join(line.value for line in inputs.said_of(model.name)).encode())
    for script in ("inputs.py", "reference.py"):
        digest.update((HERE / script).read_bytes())
    folder = work / "references" / digest.hexdigest()[:32]
    if not (folder / "reference.json").exists() and not (folder / "reason.txt").exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run([sys.executable, HERE / "reference.py", models / model.name, model.name, folder], capture_output=True, text=True, check=False, timeout=SECONDS_FOR_A_REFERENCE)
            reason = "" if done.returncode == 0 else (done.stderr.strip().splitlines() or [f"it ends with {done.returncode}"])[-1]
        except subprocess.TimeoutExpired:
            reason = f"ONNX Runtime takes more than {SECONDS_FOR_A_REFERENCE} seconds"
        if reason:
            (folder / "reason.txt").write_text(reason)
    return folder


def shapes_said(model: onnx.ModelProto, arrays: dict[str, np.ndarray]) -> list[str]:
    """Of all inputs whose dimensions the model leaves open."""
    found = []
    for index, declared in enumerate(seeds.asked_inputs(model)):
        shape = inputs.shape_of(declared)
        if shape is None or any(isinstance(dim, str) for dim in shape):
            found += ["--input-shape", f"{declared.name}:{','.join(map(str, arrays[f'i{index}'].shape))}"]
    return found


def lower(tool: pathlib.Path, target: str, given: pathlib.Path, made: pathlib.Path, more: list[str]) -> str:
    """What the tool says where it refuses."""
    done = subprocess.run([tool, given, "-o", made, "-q", "--target", probe_measure.target_file(target), *more], capture_output=True, text=True, check=False, cwd=probe.REPOSITORY)
    return "" if done.returncode == 0 else f"not lowered {' '.join(done.stderr.replace(str(given), 'MODEL').split())[:600]}"


def write(folder: pathlib.Path, given: pathlib.Path, reference: pathlib.Path, arguments) -> list[dict]:
    """A task for each way and each set. The original is linked to, and not copied."""
    model = onnx.load(given)
    told = json.loads((reference / "reference.json").read_text())
    tasks: list[dict] = []
    for way in arguments.ways:
        made, said = folder / f"{way}.onnx", ""
        if way in (summary.WITH_TARGET, summary.FOLDED):
            said = lower(arguments.tool, arguments.name, given, made, ["--fold"] if way == summary.FOLDED else [])
        for number, of_set in enumerate(told["sets"]):
            if way == summary.WITH_SHAPES:
                said = lower(arguments.tool, arguments.name, given, made, shapes_said(model, dict(np.load(reference / f"{number}.npz"))))
            task = {"number": len(tasks), "way": way, "set": number, "said": said, "compares": True, "rtol": 0, "atol": 0, "tolerances": of_set["tolerances"],
                    "inputs": [value.name for value in seeds.asked_inputs(model)], "outputs": [value.name for value in model.graph.output]}
            if not said:
                path = folder / f"{task['number']}.onnx"
                if way == summary.AS_IT_IS:
                    path.symlink_to(given.resolve())
                else:
                    os.replace(made, path) if way == summary.WITH_SHAPES else os.link(made, path)
                (folder / f"{task['number']}.npz").symlink_to((reference / f"{number}.npz").resolve())
            tasks.append(task)
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return tasks


def ask(given: pathlib.Path, reference: pathlib.Path, arguments) -> dict[str, list[str]]:
    """The answers for both sets, by ways."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        tasks = write(folder, given, reference, arguments)
        answers = probe.ask_new(arguments, folder, [task for task in tasks if not task["said"]], seconds=SECONDS_FOR_A_MODEL)
    return {way: [task["said"] or answers[task["number"]] for task in tasks if task["way"] == way] for way in arguments.ways}


def main() -> None:
    parser = probe_measure.options(__doc__)
    parser.add_argument("--models", type=pathlib.Path, default=probe.REPOSITORY / "build" / "real", help="the folder that fetch.py has filled")
    parser.add_argument("--only", nargs="*", default=["*"], help="patterns of REGISTRY/PACKAGE/PATH")
    parser.add_argument("--largest", type=float, default=float("inf"), help="bytes; larger models are left out")
    parser.add_argument("--ways", nargs="*", choices=WAYS, default=WAYS)
    arguments = parser.parse_args()
    arguments.tool = pathlib.Path(arguments.tool).resolve()
    found = {}
    models = [model for model in sorted(fetch.listed(), key=lambda model: model.size) if any(fnmatch.fnmatch(model.name, only) for only in arguments.only) and model.size <= arguments.largest]
    missing = [model.name for model in models if not fetch.is_there(model, arguments.models)]
    arguments.work.mkdir(parents=True, exist_ok=True)
    if missing:
        sys.exit(f"{len(missing)} models are missing, {missing[0]} among them; fetch them: {HERE / 'fetch.py'} {arguments.models}")
    path = arguments.work / f"{arguments.name}.real.json"
    for model in models:
        reference = reference_of(model, arguments.models, arguments.work)
        reason = reference / "reason.txt"
        found[model.name] = {"no reference": reason.read_text()} if reason.exists() else ask(arguments.models / model.name, reference, arguments)
        print(arguments.name, model.name, found[model.name], flush=True)
        path.write_text(json.dumps({"name": arguments.name, "models": found}, indent=1))


if __name__ == "__main__":
    main()
