# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Where a runtime is wrong against the definition of an operator, or the definition leaves open what it gives: no difference of ours."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable

from edge_models.models import EdgeModel


@dataclasses.dataclass
class KnownDifference:
    operator: str
    reason: str
    applies: Callable[[EdgeModel, str, str], bool]  # the model, the step, and what was found


KNOWN_DIFFERENCES: list[KnownDifference] = []


def known_difference(model: EdgeModel, stage: str, found: str) -> str:
    """Why it is none of ours; empty where nothing says so."""
    for known in KNOWN_DIFFERENCES:
        if known.operator in (model.kind, "*") and known.applies(model, stage, found):
            return known.reason
    return ""
