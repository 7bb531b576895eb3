#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many models the targets from documents let through, and whether ONNX Runtime computes with the result what it should; it writes the table of docs/targets.md.

  measure.py [NAME ...]    those targets, or all of them; the rows of the others stay

The models are the project's own cases that are to be lowered, and onnx's node tests. Where a target takes static shapes only, inputs get those of the arrays that come with the model."""
from __future__ import annotations

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / "targets" / "probe"))
import measure
import seeds

BEGIN, END = "<!-- documents: begin -->", "<!-- documents: end -->"
TOOL = pathlib.Path(os.environ.get("ONNX_LOWER", REPOSITORY / "build" / "onnx-lower"))


def shape_arguments(seed: seeds.Seed) -> list[str]:
    arguments = []
    for value, array in zip(seed.model.graph.input, seed.inputs):
        if any(not dimension.HasField("dim_value") for dimension in value.type.tensor_type.shape.dim):
            arguments += ["--input-shape", f"{value.name}:{','.join(map(str, array.shape))}"]
    return arguments


def what_refuses(message: str, target: str) -> str:
    """The last operator that the target did not take, of those that were tried."""
    name = re.escape(target)
    found = re.findall(rf"(?:{name} does not take (\w+)|\(ai\.onnx::(\w+)[^\n]*\n[^\n]*{name} takes it only)", message)
    return next((word for word in reversed([one or other for one, other in found])), "another reason")


def in_onnxruntime(path: pathlib.Path, seed: seeds.Seed) -> list[np.ndarray] | None:
    """None where it does not run the model."""
    try:
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        asked = {value.name for value in session.get_inputs()}
        return session.run(None, {value.name: array for value, array in zip(seed.model.graph.input, seed.inputs) if value.name in asked})
    except Exception:  # noqa: BLE001: whatever ONNX Runtime throws
        return None


def differs(seed: seeds.Seed, computed: list[np.ndarray], expected: list[np.ndarray]) -> str:
    try:
        for one, other in zip(computed, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=max(seed.rtol, 1e-5), atol=max(seed.atol, 1e-6))
    except (AssertionError, ValueError, TypeError) as error:
        return str(error)
    return ""


def answer(seed: seeds.Seed, arguments: list[str], target: str, is_static: bool, folder: pathlib.Path) -> tuple[str, str]:
    """right, wrong, refused by the tool, or refused by ONNX Runtime, which lacks a kernel; and what refuses. Where ONNX Runtime is wrong with the model as it is, right is the same."""
    source, result = folder / "in.onnx", folder / "out.onnx"
    source.write_bytes(seed.model.SerializeToString())
    result.unlink(missing_ok=True)
    done = subprocess.run([TOOL, source, "-o", result, "-q", "--target", target, *arguments, *(shape_arguments(seed) if is_static else [])], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    if done.returncode != 0:
        return "refused", what_refuses(done.stderr, target)
    computed = in_onnxruntime(result, seed)
    if computed is None:
        return "no kernel", ""
    difference = differs(seed, computed, seed.outputs)
    as_it_is = in_onnxruntime(source, seed) if difference else None
    if difference and (as_it_is is None or differs(seed, computed, as_it_is)):
        print(f"{target}: {seed.name}: {difference[:200]}")
        return "wrong", ""
    return "right", ""


def main() -> None:
    onnxruntime.set_default_logger_severity(4)
    kinds = {"case": measure.cases(), "node": [(seed, []) for seed in seeds.backend_tests() if seed.compares]}
    found = {}
    for path in sorted((REPOSITORY / "targets").glob("*.target")):
        fields = path.read_text().splitlines()
        if "source documents" not in fields or (sys.argv[1:] and path.stem not in sys.argv[1:]):
            continue
        counts = {kind: collections.Counter() for kind in kinds}
        refusing: collections.Counter = collections.Counter()
        with tempfile.TemporaryDirectory() as folder:
            for kind, models in kinds.items():
                for seed, arguments in models:
                    said, operator = answer(seed, arguments, path.stem, "shapes static" in fields, pathlib.Path(folder))
                    counts[kind][said] += 1
                    if said == "refused" and kind == "case":
                        refusing[operator] += 1
        cells = [" / ".join(str(counts[kind][said]) for kind in kinds) for said in ("right", "no kernel", "wrong", "refused")]
        found[path.stem] = f"| `{path.stem}` | {' | '.join(cells)} | {', '.join(f'{operator} {number}' for operator, number in refusing.most_common(4))} |"
        print(found[path.stem], flush=True)
    page = REPOSITORY / "docs" / "targets.md"
    before, rest = page.read_text().split(BEGIN)
    rows = {line.split("`")[1]: line for line in rest.split(END)[0].splitlines() if line.startswith("| `")} | found
    totals = " / ".join(str(len(models)) for models in kinds.values())
    head = ["| target | lowered, and right in ONNX Runtime | lowered, but ONNX Runtime has no kernel | lowered and wrong | refused by the tool | of the cases refused, most for |", "| --- | --- | --- | --- | --- | --- |"]
    page.write_text("\n".join([before + BEGIN, f"{totals} exported models with custom nodes / of onnx's node tests:", "", *head, *(rows[name] for name in sorted(rows)), END]) + rest.split(END)[1])


if __name__ == "__main__":
    main()
