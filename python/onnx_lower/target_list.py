# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The targets that the tool has."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional

from onnx_lower.command_line import in_python
from onnx_lower.lists import printed


@dataclass(frozen=True)
class Target:
    """What the tool knows of a runtime."""

    name: str
    """As the option `target` takes it: "onnxruntime-1.17"."""
    title: str
    """The runtime, as people call it."""
    newest_opset: Optional[int]
    """The newest version of ai.onnx that it takes; None where it takes any."""
    source: str
    """"probe": the runtime itself was asked; "documents": what is published about it was read."""


def _target(json: dict[str, Any]) -> Target:
    opsets = json["opsets"].get("ai.onnx")
    return Target(json["name"], json["title"], opsets[1] if opsets else None, json["source"])


def targets() -> list[Target]:
    """All targets, by their names."""
    return list(map(_target, json.loads(printed("--list-targets", "--json"))))


def show_target(name: str) -> str:
    """The file of a target: what the runtime takes of each operator."""
    return printed(f"--show-target={name}")


def explain(code: str) -> str:
    """What a code of a message means ("OL003"), and what to do."""
    return in_python(printed(f"--explain={code}"))
