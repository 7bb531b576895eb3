# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the tool reports of a run (its option --report), with types."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass(frozen=True)
class LoweredNode:
    """A node that was lowered, or attached."""

    node: str
    """Its name, or its first output where it has none."""
    operator: str
    """DOMAIN::OP"""
    rule: str
    """Where the rule's text is: file and line."""
    nodes_made: int
    attached: bool
    note: str
    """What the rule proved of attributes that the export lost; mostly empty."""
    assumption: str
    """What the rule took for granted, which nothing in the model proves; mostly empty."""


@dataclass(frozen=True)
class Refusal:
    """Why a rule did not lower a node."""

    rule: str
    source: str
    """Where the rule's text is: file and line."""
    reason: str
    missing_attributes: tuple[str, ...]
    """Attributes that the option `set` can give."""
    causes: tuple[Refusal, ...]
    """Of a node in the rule's body that could not be lowered in its turn."""


@dataclass(frozen=True)
class UnloweredNode:
    """A node that could not be lowered."""

    node: str
    operator: str
    refusals: tuple[Refusal, ...]
    """One for each rule of the operator; none if it has no rule."""
    similar_operators: tuple[str, ...]
    """Operators that have a rule, and whose names resemble this one's."""
    target_opset: Optional[int]
    """The target_opset with which it could be lowered, if there is one."""
    message: str
    """Why it cannot be lowered and what to do next, for people."""


@dataclass(frozen=True)
class Report:
    """What a run did. `json` is the whole report, as docs/stability.md and its JSON schema describe it."""

    exit_status: int
    """0: done, 1: some nodes cannot be lowered."""
    nodes_before: int
    nodes_after: int
    lowered: tuple[LoweredNode, ...]
    unlowered: tuple[UnloweredNode, ...]
    milliseconds: float
    messages: str = ""
    """What the tool wrote to stderr."""
    json: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def complete(self) -> bool:
        """Whether every node that the target does not know was lowered, or with check() can be."""
        return not self.unlowered


def _refusal(json: dict[str, Any]) -> Refusal:
    return Refusal(json["rule"], json["from"], json["reason"], tuple(json["missing_attributes"]), tuple(map(_refusal, json["causes"])))


def parse_report(text: str, messages: str = "") -> Report:
    """The report in `text`; the last one, if it holds several: the tool reports anew when the output could not be written."""
    decoder = json.JSONDecoder()
    report: dict[str, Any] = {}
    end = 0
    while end < len(text):
        report, end = decoder.raw_decode(text, end)
        end += len(text[end:]) - len(text[end:].lstrip())
    return Report(
        exit_status=report["exit_status"],
        nodes_before=report["nodes_before"],
        nodes_after=report["nodes_after"],
        lowered=tuple(
            LoweredNode(node["node"], node["operator"], node["rule"], node["nodes_made"], node["attached"], node.get("note", ""), node.get("assumption", ""))
            for node in report["lowered"]
        ),
        unlowered=tuple(
            UnloweredNode(
                node["node"],
                node["operator"],
                tuple(map(_refusal, node["refusals"])),
                tuple(node["similar_operators"]),
                node["target_opset"],
                node["message"],
            )
            for node in report["unlowered"]
        ),
        milliseconds=report["milliseconds"],
        messages=messages,
        json=report,
    )
