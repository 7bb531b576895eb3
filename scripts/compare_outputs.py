#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Do two builds of the tool write the same bytes, and refuse with the same words?

    build/venv/bin/python scripts/compare_outputs.py OLD NEW [--only NAME] [--more FOLDER]

The models are those of testdata (the golden texts too) and the node tests of onnx's own backend suite; they are written by
default, for several opsets, with --fold, --attach and for several targets. A change that only moves or renames code has to
end with 0; otherwise the models that differ are listed, and the exit status is 1.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]

TARGETS = ("openvino", "opencv", "mnn", "tract", "onnxruntime-1.8", "tensorrt")
SETTINGS = {
    "default": [],
    **{f"opset {opset}": ["--target-opset", str(opset)] for opset in (26, 17, 13, 11, 9)},
    "fold": ["--fold"],
    "attach": ["--attach"],
    **{target: ["--target", target] for target in TARGETS},
}


def write_backend_tests(folder: pathlib.Path) -> None:
    """The suite's models, once for all runs."""
    if (folder / "complete").exists():
        return
    sys.path.insert(0, str(REPOSITORY / "tests" / "python"))
    import backend_tests

    folder.mkdir(parents=True, exist_ok=True)
    for name, test in backend_tests.every_test().items():
        (folder / f"{name}.onnx").write_bytes(test.model.SerializeToString(deterministic=True))
    (folder / "complete").touch()


def outputs(program: pathlib.Path, models: list[pathlib.Path], options: list[str]) -> dict[str, str]:
    """By model: a digest of what was written for it, or the message that refuses it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        manifest = folder / "manifest.jsonl"
        results = folder / "results.jsonl"
        manifest.write_text("".join(json.dumps({"input": str(model), "output": f"{number}.onnx", "id": str(model)}) + "\n"
                                    for number, model in enumerate(models)))
        run = subprocess.run([str(program.resolve()), "--manifest", str(manifest), "--output-dir", str(folder / "out"), "--report", str(results),
                              "--timeout", "60", "-q", *options], capture_output=True, text=True)
        if run.returncode not in (0, 5):
            sys.exit(f"{program} ended with {run.returncode}: {run.stderr}")
        found = {}
        for line in results.read_text().splitlines():
            result = json.loads(line)
            found[result["id"]] = (f"exit status {result['exit_status']}: " + re.sub(re.escape(scratch), "", result["error"] or "")
                                   if result["status"] == "failed" else f"{result['lowered']} {result['attached']}")
        for number, model in enumerate(models):
            for file in (folder / "out" / f"{number}.onnx", folder / "out" / f"{number}.onnx.data"):
                if file.exists():
                    found[str(model)] += " " + hashlib.sha256(file.read_bytes()).hexdigest()
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--only", action="append", choices=SETTINGS, help="these settings alone")
    parser.add_argument("--more", action="append", type=pathlib.Path, default=[], help="a folder of further models")
    arguments = parser.parse_args()

    corpus = REPOSITORY / "build" / "backend-tests"
    write_backend_tests(corpus)
    folders = [REPOSITORY / "testdata", corpus, *arguments.more]
    models = sorted({path for folder in folders for pattern in ("*.onnx", "*.in.onnxtxt") for path in folder.resolve().rglob(pattern)})
    different = 0
    for name in arguments.only or SETTINGS:
        old, new = (outputs(program, models, SETTINGS[name]) for program in (arguments.old, arguments.new))
        others = [model for model in old if old[model] != new[model]]
        different += len(others)
        refused = sum(result.startswith("exit status") for result in new.values())
        print(f"{name}: {len(models)} models, {refused} of them refused, {len(others)} differ", flush=True)
        for model in others[:20]:
            print(f"  {os.path.relpath(model, REPOSITORY)}\n    {old[model][:300]}\n    {new[model][:300]}")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
