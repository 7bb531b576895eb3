# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""run_natively.py LIBRARY FOLDER: runs each FOLDER/<name>.onnx with the kernels of LIBRARY on the arrays of its FOLDER/<name>.npz ("<K>/<input>"), and writes
FOLDER/<name>.results.npz ("<K>/<output>"). A script for another virtual environment than that of the tests: it needs onnxruntime and numpy alone.
"""
import collections
import pathlib
import sys

import numpy as np
import onnxruntime


def main(library: str, folder: str) -> None:
    print(f"onnxruntime {onnxruntime.__version__}", flush=True)
    for model in sorted(pathlib.Path(folder).glob("*.onnx")):
        print(model.stem, flush=True)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.register_custom_ops_library(library)
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        inputs = collections.defaultdict(dict)
        with np.load(model.with_suffix(".npz")) as arrays:
            for key in arrays.files:
                number, name = key.split("/", 1)
                inputs[number][name] = arrays[key]
        results = {f"{number}/{name}": value for number, feeds in inputs.items() for name, value in zip(names, session.run(names, feeds))}
        np.savez(model.with_suffix(".results.npz"), **results)


main(*sys.argv[1:])
