# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Lowers a model that torch exported and ONNX Runtime refuses, and compares what it then computes with torch's own output."""
import pathlib
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
CASE = REPOSITORY / "testdata" / "cases" / "thr_attrs_dyn"
TOOL = REPOSITORY / "build" / "onnx-lower"
LOWERED = REPOSITORY / "build" / "demo.onnx"


def heading(text):
    print(f"\n== {text}", flush=True)


def show(model):
    print(onnx.printer.to_text(onnx.load(model)))


def try_to_load(model):
    """ONNX Runtime's session for the model, or what it says against it."""
    try:
        return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]), ""
    except Exception as refusal:  # ONNX Runtime's exceptions have no common base
        if "onnxruntime" not in type(refusal).__module__:
            raise
        return None, str(refusal)


def main():
    exported = CASE / "model.onnx"
    heading(f"A model as torch exports it: {exported.relative_to(REPOSITORY)}")
    show(exported)

    heading(f"ONNX Runtime {onnxruntime.__version__} refuses it")
    session, refusal = try_to_load(exported)
    if session:
        sys.exit("ONNX Runtime took the exported model, so there is nothing to show")
    print(refusal)

    command = [TOOL.relative_to(REPOSITORY), exported.relative_to(REPOSITORY), "-o", LOWERED.relative_to(REPOSITORY)]
    heading(" ".join(map(str, command)))
    status = subprocess.run(command, cwd=REPOSITORY).returncode
    if status != 0:
        sys.exit(f"onnx-lower failed with exit status {status}")
    show(LOWERED)

    heading("ONNX Runtime runs it, and computes what torch did")
    session, refusal = try_to_load(LOWERED)
    if not session:
        sys.exit(refusal)
    inputs = dict(np.load(CASE / "inputs_0.npz"))
    expected = dict(np.load(CASE / "expected_0.npz"))
    computed = dict(zip(expected, session.run(list(expected), inputs)))
    for name, value in expected.items():
        print(f"{name}: shape {list(value.shape)}, first values {computed[name].ravel()[:4]}, torch's {value.ravel()[:4]}")
        if not np.array_equal(computed[name], value, equal_nan=True):
            sys.exit(f"{name} differs from torch's output")
    print("All values are equal.")


if __name__ == "__main__":
    main()
