# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Saves what a script here exported as cases: a model, its inputs and what torch computed for them, and the case's entry in cases.json.

The scripts need torch, and some of them a certain version, which their first line names; the tests need only what they saved.
    python testdata/exports/threshold.py [FOLDER]
writes testdata/exports/threshold/ (or FOLDER/threshold/) for the torch that runs it: the end of a case's name (t113, t220, t215) tells which it was.
"""
import io
import json
import pathlib
import sys
import warnings

import numpy as np
import onnx
import torch

HERE = pathlib.Path(__file__).resolve().parent
FAMILY = (pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE) / pathlib.Path(sys.argv[0]).stem
VERSION = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
TAG = "t{}{}".format(*VERSION) + ("0" if VERSION == (2, 2) else "")
EXPORTER = "torch " + torch.__version__.split("+")[0]

warnings.simplefilter("ignore")


def share(opsets):
    """The opsets that this torch is to save here, so that together the versions see them all; every one where a folder is named."""
    if len(sys.argv) > 1:
        return list(opsets)
    torches = [(1, 13), (2, 2), (2, 15)] if len(opsets) > 2 else [(1, 13), (2, 2)]
    return list(opsets)[torches.index(VERSION) % len(opsets) :: len(torches)]


def to_numpy(value):
    return value.detach().cpu().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)


def flat(value):
    if isinstance(value, (tuple, list)):
        return [one for part in value for one in flat(part)]
    return [value]


def without_paths(model):
    """The dynamo exporters note in which files of this machine a node's Python source lies."""
    site_packages = str(pathlib.Path(torch.__file__).resolve().parent.parent)

    def clean(message):
        for field, value in message.ListFields():
            if field.type == field.TYPE_MESSAGE:
                for part in value if hasattr(value, "add") else [value]:
                    clean(part)
            elif field.name in ("value", "doc_string") and isinstance(value, str):
                setattr(message, field.name, value.replace(str(HERE), "exports").replace(site_packages, "site-packages"))

    clean(model)
    return model


def save(name, model, sets, *, exporter, about="", arguments=(), expect=None, names=(), rtol=0.0, atol=0.0, **more):
    """`sets` is a list of pairs: input tensors and output tensors, in the order of the graph's inputs and outputs."""
    name = name + "_" + TAG
    model = without_paths(model)
    initializers = {tensor.name for tensor in model.graph.initializer}
    inputs = [value.name for value in model.graph.input if value.name not in initializers]
    outputs = [value.name for value in model.graph.output]
    arrays = {}
    for number, (given, expected) in enumerate(sets):
        given, expected = flat(given), flat(expected)
        if len(given) != len(inputs) or len(expected) != len(outputs):
            print("not saved:", name, "has other inputs or outputs:", inputs, outputs)
            return
        arrays.update({f"inputs_{number}/{key}": to_numpy(value) for key, value in zip(inputs, given)})
        arrays.update({f"expected_{number}/{key}": to_numpy(value) for key, value in zip(outputs, expected)})
    FAMILY.mkdir(parents=True, exist_ok=True)
    (FAMILY / f"{name}.onnx").write_bytes(model.SerializeToString())
    np.savez_compressed(FAMILY / f"{name}.npz", **arrays)
    case = {"about": about, "exporter": EXPORTER + " " + exporter, "arguments": list(arguments), "rtol": rtol, "atol": atol}
    index = FAMILY / "cases.json"
    cases = json.loads(index.read_text()) if index.exists() else {}
    # What must become of it is not the export's to say: the tests record it, with BLESS=1.
    recorded = cases.get(name, {})
    case.update(more, names=list(names or recorded.get("names", ())), expect=expect or recorded.get("expect", "lowered"))
    cases[name] = {key: value for key, value in case.items() if value not in ("", [])}
    index.write_text(json.dumps(cases, indent=1, sort_keys=True) + "\n")
    operators = sorted({f"{node.domain}::{node.op_type}" for node in model.graph.node if node.domain} | {f"{f.domain}::{f.name}" for f in model.functions})
    print(name, *operators[:8])


def legacy(name, module, sets, *, opset, dynamic=None, operator_export_type=None, export=None, only_custom=False, **case):
    """Exports with the TorchScript-based exporter: `sets` is a list of input tuples, the first of which is traced.

    With `only_custom` an export that turned out to be standard is dropped."""
    options = dict(opset_version=opset, **(export or {}))
    if dynamic:
        options.update(input_names=[f"x{k}" for k in range(len(sets[0]))], output_names=["y"], dynamic_axes=dynamic)
    if operator_export_type:
        options["operator_export_type"] = getattr(torch.onnx.OperatorExportTypes, operator_export_type)
    if VERSION >= (2, 5):
        options["dynamo"] = False
    file = io.BytesIO()
    try:
        try:
            torch.onnx.export(module, tuple(sets[0]), file, **options)
        except getattr(torch.onnx, "CheckerError", ()):
            pass  # torch's own checker does not know the custom node's type; the file is written all the same
        pairs = [(given, module(*(one.clone() for one in given))) for given in sets]
    except Exception as error:
        print("not exported:", name, "opset", opset, type(error).__name__, str(error).splitlines()[0][:150])
        return
    model = onnx.load_model_from_string(file.getvalue())
    if only_custom and not any(node.domain for node in model.graph.node):
        return
    save(name, model, pairs, exporter="legacy", **case)
