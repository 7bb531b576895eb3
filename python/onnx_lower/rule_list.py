# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The rules that the tool has."""
from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from onnx_lower.lists import printed
from onnx_lower.rule_sources import RuleSource, rule_files


@dataclass(frozen=True)
class Rule:
    """What the tool knows of an operator."""

    domain: str
    op_type: str
    origin: str
    """"built-in" or "user"."""
    native: bool
    """It is written in C++, not as an ONNX function."""
    kernel: bool
    """The kernel library has a native kernel for the operator."""
    forms: tuple[str, ...]
    """The signatures of its functions."""
    file: str
    summary: str
    source: str
    """What defines the operator."""

    @property
    def operator(self) -> str:
        """DOMAIN::OP, as the options `keep`, `attach` and `set` take it."""
        return f"{self.domain or 'ai.onnx'}::{self.op_type}"


def rules(rules: Iterable[RuleSource] = ()) -> list[Rule]:
    """All rules: those given, and the built-in ones."""
    with rule_files(rules) as files:
        text = printed("--list-rules", "--json", *(f"--rules={file}" for file in files))
    return [
        Rule(
            rule["domain"],
            rule["op_type"],
            rule["origin"],
            rule["native"],
            rule["kernel"],
            tuple(rule["forms"]),
            rule["file"],
            rule["summary"],
            rule["source"],
        )
        for rule in json.loads(text)
    ]


def show_rule(operator: str, rules: Iterable[RuleSource] = ()) -> str:
    """The text of the rule of an operator (DOMAIN::OP)."""
    with rule_files(rules) as files:
        return printed(f"--show-rule={operator}", *(f"--rules={file}" for file in files))
