# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models that people ship: the list of them, and that a target's promise holds for the smallest. targets/real/measure.py asks about all."""
from __future__ import annotations

import collections
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import tool

REAL = tool.REPOSITORY / "targets" / "real"
sys.path.insert(0, str(REAL))
import fetch
import summary

MODELS = fetch.listed()
MNN = os.environ.get("ONNX_LOWER_MNN", tool.REPOSITORY / "build" / "venv-mnn" / "bin" / "python")
RUNTIMES = [("onnxruntime-1.31", "onnxruntime", sys.executable), ("openvino-2026.4", "openvino", sys.executable), ("mnn-3.6", "mnn", MNN)]


def smallest(count: int) -> list[fetch.Model]:
    """One of each package, of the two registries whose clients every machine of ours has."""
    of_packages: dict[str, fetch.Model] = {}
    for model in sorted(MODELS, key=lambda model: model.size):
        if model.registry in ("pip", "npm"):
            of_packages.setdefault(model.origin, model)
    return list(of_packages.values())[:count]


def test_the_list_is_long_enough_to_say_something() -> None:
    assert len(MODELS) >= 150 and len({model.origin for model in MODELS}) >= 60
    assert {model.registry for model in MODELS} == set(fetch.CLIENTS)
    assert len({model.sha256 for model in MODELS}) == len(MODELS), "a file that several packages ship counts once"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_line_of_the_list_says_what_is_fetched(model: fetch.Model) -> None:
    assert re.fullmatch("[0-9a-f]{64}", model.sha256) and model.size > 0
    assert model.version and not re.search(r"[*<>=~^ ]", model.version), "one version, so that the bytes are the same tomorrow"
    path = pathlib.PurePosixPath(model.path)
    assert path.suffix == ".onnx" and not path.is_absolute() and ".." not in path.parts
    assert "://" not in "".join(model.row()), "clients know where their registries are"


def test_what_is_said_of_models_is_said_of_some() -> None:
    """A line of inputs.tsv or reasons.tsv that speaks of no model was left over."""
    import csv

    for name in ("inputs.tsv", "reasons.tsv"):
        for row in csv.DictReader((REAL / name).open(newline=""), delimiter="\t"):
            assert any(fnmatch.fnmatch(model.name, row["model"]) for model in MODELS), row


def test_figures_are_counted_of_the_worse_of_two_sets() -> None:
    right, wrong = ["taken", "taken"], ["taken", "wrong output 0 is off"]
    refused, not_lowered = ["refused it says so", "taken"], ["not lowered error: this"] * 2
    found = {"a": (right, right), "b": (right, wrong), "c": (wrong, refused), "d": (right, not_lowered), "e": (refused, not_lowered)}
    models = {name: {summary.AS_IT_IS: first, summary.WITH_TARGET: second} for name, (first, second) in found.items()}
    counts = summary.counts_of({"name": "t", "models": {**models, "f": {"no reference": "custom"}}})
    assert counts == summary.Counts(5, {summary.AS_IT_IS: 3, summary.WITH_TARGET: 1}, ["c"], ["b"], ["d"], ["b"])
    known = [summary.Reason("t", "[bc]", "this"), summary.Reason("*", "*", "that"), summary.Reason("other", "b", "not this")]
    assert summary.by_reasons({"name": "t", "models": models}, known) == {"this": ["b", "c"], "that": ["d", "e"]}


def test_the_smallest_are_right_or_it_is_known_why_not(tmp_path: pathlib.Path) -> None:
    """A model that a target's runtime does not run rightly, or that is refused for it, is one that reasons.tsv has a line for."""
    models = smallest(10)
    folder = tool.REPOSITORY / "build" / "real"
    assert not fetch.fetch(models, folder)
    found: dict[str, dict] = collections.defaultdict(dict)
    for name, runtime, python in RUNTIMES:
        command = [sys.executable, REAL / "measure.py", name, "--runtime", runtime, "--python", python, "--tool", tool.TOOL, "--work", tmp_path, "--models", folder, "--ways", summary.AS_IT_IS, summary.WITH_TARGET]
        subprocess.run([*command, "--only", *[model.name for model in models]], check=True, stdout=subprocess.DEVNULL)
        found[name] = json.loads((tmp_path / f"{name}.real.json").read_text())
        assert set(found[name]["models"]) == {model.name for model in models}
        assert not [model for model, ways in found[name]["models"].items() if "no reference" in ways]
    known = summary.reasons()
    surprises = {(name, model): found[name]["models"][model][summary.WITH_TARGET] for name, _, _ in RUNTIMES for model in summary.by_reasons(found[name], known).get("", [])}
    assert not surprises
    worse = {name: counts.worse for name in found if (counts := summary.counts_of(found[name])).worse}
    assert not worse
