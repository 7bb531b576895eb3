# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models at edge values give the same before and after, in ONNX Runtime and in OpenVINO, or are refused with a reason: one node each, or an exported model in which something was changed.

ONNX_LOWER_EDGE_MODELS=20000 in the environment tries more than 300, and ONLY_SEED=N one: each seed gives the same model every time. `cd tests/python && python -m edge_models N`
prints it and tries it.
"""
from __future__ import annotations

import collections
import os

import numpy as np
import pytest

import runtimes
from edge_models import trial
from edge_models.edges import RECIPES
from edge_models.known_differences import KNOWN_DIFFERENCES, KnownDifference, proof

COUNT = int(os.environ.get("ONNX_LOWER_EDGE_MODELS", "300"))
BATCH = 50 if COUNT <= 1000 else 500
BATCHES = [[int(os.environ["ONLY_SEED"])]] if "ONLY_SEED" in os.environ else [range(first, min(first + BATCH, COUNT)) for first in range(0, COUNT, BATCH)]


@pytest.mark.parametrize("seeds", BATCHES, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_edge_models(seeds: range) -> None:
    outcomes = trial.tried(seeds)
    faults = [outcome for outcome in outcomes if outcome.verdict not in trial.GOOD]
    told = [f"{outcome.detail.strip()} [{outcome.stage}]\n{trial.described(outcome.seed)}" for outcome in faults]
    assert not faults, f"{len(faults)} of {len(outcomes)} models:\n\n" + "\n\n".join(told)
    counts = collections.Counter(outcome.verdict for outcome in outcomes)
    if len(outcomes) > 1:
        # Of 300, half would be far more than there are: what is refused or cannot be told of is no test.
        assert counts[trial.RIGHT] + counts[trial.UNCHANGED] > len(outcomes) / 2, counts


def test_kinds() -> None:
    assert len(RECIPES) >= 85


@pytest.mark.parametrize("known", KNOWN_DIFFERENCES, ids=lambda known: known.operators)
def test_known_difference_is_still_there(known: KnownDifference) -> None:
    """ONNX Runtime gives what is wrong; once it does not, the entry goes."""
    run = runtimes.in_onnxruntime(proof(known), optimize=False)
    if isinstance(known.gives, str):
        with pytest.raises(Exception, match=known.gives):
            run(known.inputs)
        return
    [got] = run(known.inputs).values()
    np.testing.assert_array_equal(got, known.gives)
    assert not np.array_equal(known.gives, known.right, equal_nan=True)
