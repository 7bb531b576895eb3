# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the tool reports of a run (its option --report), with types."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from onnx_lower.notebook import table


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
class TargetVerdict:
    """What a target says of a model."""

    target: str
    verdict: str
    """"as_it_is", "after_lowering" or "refused"."""
    nodes_before: int
    nodes_after: Optional[int]
    """Of what would be written for the target; None where the model is refused."""
    obstacle: Optional[str]
    """Why the model is refused, in a line."""
    warnings: tuple[str, ...]
    unlowered: tuple[UnloweredNode, ...]
    """Nodes that cannot be lowered for the target: all where the target was named, else the first."""

    def __bool__(self) -> bool:
        """Whether the target takes the model, as it is or after lowering."""
        return self.verdict != "refused"

    def __repr__(self) -> str:
        return f"<TargetVerdict {self.target}: {self.told}>"

    @property
    def told(self) -> str:
        """The verdict in words: "after lowering"."""
        return self.verdict.replace("_", " ") + (f", {self.obstacle}" if self.obstacle else "")


class Verdicts(dict[str, TargetVerdict]):
    """What targets say of a model, by their names."""

    def _repr_html_(self) -> str:
        taken = sum(map(bool, self.values()))
        rows = [
            [verdict.target, verdict.verdict.replace("_", " "), verdict.nodes_after, "\n".join([*([verdict.obstacle] if verdict.obstacle else []), *verdict.warnings])]
            for verdict in self.values()
        ]
        return table(f"{taken} of {len(self)} targets take the model", ["target", "takes it", "nodes", "what stands against it, or is doubtful"], rows)


@dataclass(frozen=True)
class Report:
    """What a run did. `json` is the whole report, as docs/stability.md and its JSON schema describe it."""

    exit_status: int
    """0: done, 1: some nodes cannot be lowered, 6: with check(), the model can be lowered and does not run as it is."""
    nodes_before: int
    nodes_after: int
    lowered: tuple[LoweredNode, ...]
    unlowered: tuple[UnloweredNode, ...]
    milliseconds: float
    messages: str = ""
    """What the tool wrote to stderr."""
    json: dict[str, Any] = field(default_factory=dict, repr=False)
    targets: tuple[TargetVerdict, ...] = ()
    """Of check(): what each target says of the model, or each that was named."""

    def __repr__(self) -> str:
        """Short, as the lists may have a hundred thousand nodes."""
        counts = f"{len(self.lowered)} lowered, {len(self.unlowered)} not, {self.nodes_before} -> {self.nodes_after} nodes"
        return f"<Report: exit status {self.exit_status}, {counts}>"

    def _repr_html_(self) -> str:
        nodes: dict[tuple[str, ...], list[int]] = {}
        for node in self.lowered:
            kind = (node.operator, "stays, with a function" if node.attached else "lowered", node.rule, node.assumption or node.note)
            nodes.setdefault(kind, []).append(node.nodes_made)
        for unlowered in self.unlowered:
            nodes.setdefault((unlowered.operator, "cannot be lowered", "", unlowered.message), []).append(0)
        rows = [[operator, len(made), what, sum(made), rule, note] for (operator, what, rule, note), made in nodes.items()]
        title = f"{self.nodes_before} → {self.nodes_after} nodes, {len(self.lowered)} lowered"
        title += f", {len(self.unlowered)} cannot be" if self.unlowered else ""
        return table(title, ["operator", "nodes", "what became of them", "nodes made", "rule", "note"], rows)

    @property
    def complete(self) -> bool:
        """Whether every node that the target does not know was lowered, or with check() can be."""
        return not self.unlowered


Told = Callable[[str], str]
"""What is made of the texts for people: messages, reasons, warnings."""


def _as_it_is(text: str) -> str:
    return text


def _refusal(json: dict[str, Any], told: Told) -> Refusal:
    causes = tuple(_refusal(cause, told) for cause in json["causes"])
    return Refusal(json["rule"], json["from"], told(json["reason"]), tuple(json["missing_attributes"]), causes)


def _unlowered(json: dict[str, Any], told: Told) -> UnloweredNode:
    return UnloweredNode(
        json["node"],
        json["operator"],
        tuple(_refusal(refusal, told) for refusal in json["refusals"]),
        tuple(json["similar_operators"]),
        json["target_opset"],
        told(json["message"]),
    )


def _verdict(json: dict[str, Any], told: Told) -> TargetVerdict:
    return TargetVerdict(
        json["target"],
        json["verdict"],
        json["nodes_before"],
        json["nodes_after"],
        told(json["obstacle"]) if json["obstacle"] else None,
        tuple(map(told, json["warnings"])),
        tuple(_unlowered(node, told) for node in json["unlowered"]),
    )


def _lowered(json: dict[str, Any], told: Told) -> LoweredNode:
    note, assumption = (told(json.get(key, "")) for key in ("note", "assumption"))
    return LoweredNode(json["node"], json["operator"], json["rule"], json["nodes_made"], json["attached"], note, assumption)


def parse_report(text: str, messages: str = "", told: Told = _as_it_is) -> Report:
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
        lowered=tuple(_lowered(node, told) for node in report["lowered"]),
        unlowered=tuple(_unlowered(node, told) for node in report["unlowered"]),
        milliseconds=report["milliseconds"],
        messages=messages,
        json=report,
        targets=tuple(_verdict(verdict, told) for verdict in report["targets"]),
    )


def report_of_line(line: dict[str, Any], told: Told = _as_it_is) -> Report:
    """Of a line of the results on many models, which has counts and no nodes: one unlowered node stands for those of an operator."""
    message = line["error"] or ""
    nodes = [{"node": "", "operator": operator, "refusals": [], "similar_operators": [], "target_opset": None, "message": message} for operator in line.get("unlowered", {})]
    report = {
        "input": line["input"],
        "exit_status": line["exit_status"],
        "error": message if not nodes and message else None,
        "nodes_before": line.get("nodes_before", 0),
        "nodes_after": line.get("nodes_after", 0),
        "milliseconds": line["process_milliseconds"],
        "lowered": [],
        "unlowered": nodes,
        "targets": [],
        "unused_settings": line.get("unused_settings", []),
        "contradictions": [],
        "doubtful": [],
        "computed_as_float": [],
        "functions_beside_kernels": [],
    }
    return parse_report(json.dumps(report), "", told)
