# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Keeps what a script here exported: the model that it wrote, and beside it, in an .npz file, inputs and what torch computed for them.

The scripts need torch, of the version that their first lines name; the tests need only what they left. made_by.json
tells whether a script is still the one that made a model.
    cd testdata/exporting && python symbolic_with_attributes.py
"""
import hashlib
import json
import pathlib
import sys
import warnings

import numpy as np
import onnx
import torch

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).resolve().parent


def sample(*shape, seed=0, low=-2.0, high=2.0):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) * (high - low) + low


def flat(values):
    return [one for value in values for one in flat(value)] if isinstance(values, (tuple, list)) else [values]


def without_paths(message):
    """The exporters note where on this machine the Python source of a node lies."""
    site_packages = str(pathlib.Path(torch.__file__).resolve().parent.parent)
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for part in value if hasattr(value, "add") else [value]:
                without_paths(part)
        elif field.name in ("value", "doc_string") and isinstance(value, str):
            setattr(message, field.name, value.replace(str(HERE), "exporting").replace(site_packages, "site-packages"))


def digest(path):
    """Without the lines at the head that say the licence, which are no part of a script."""
    content = path.read_bytes()
    return hashlib.sha256(content.partition(b"\n\n")[2] if content.startswith(b"# SPDX-") else content).hexdigest()


def note_maker(file):
    """Notes what made a file, and that it was made by this very script."""
    index, script = pathlib.Path("made_by.json"), pathlib.Path(sys.argv[0])
    made = json.loads(index.read_text()) if index.exists() else {}
    digests = {name: digest(path) for name, path in (("script_sha256", script), ("sha256", pathlib.Path(file)))}
    made[file] = dict(torch=torch.__version__.split("+")[0], script=script.name, **digests)
    index.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n")


def record(file, module, *sets):
    """`sets` are tuples of inputs for `module`. Where the exporter saw no operator, the model has no inputs left."""
    model = onnx.load(file)
    without_paths(model)
    onnx.save(model, file)
    note_maker(file)
    arrays = {}
    for number, given in enumerate(sets):
        expected = flat(module(*(one.clone() for one in given)))
        assert len(model.graph.input) in (len(given), 0) and len(model.graph.output) == len(expected)
        for side, values, tensors in (("inputs", model.graph.input, given), ("expected", model.graph.output, expected)):
            arrays.update({f"{side}_{number}/{value.name}": tensor.detach().numpy() for value, tensor in zip(values, tensors)})
    np.savez_compressed(pathlib.Path(file).with_suffix(".npz"), **arrays)
    print(onnx.printer.to_text(model))


if pathlib.Path.cwd() != HERE:
    sys.exit(f"run it in {HERE}, where its files lie")
