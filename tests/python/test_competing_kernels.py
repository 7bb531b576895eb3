# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A model's function of an operator that runtimes know themselves: ONNX leaves it to the runtime which of them is computed, so that the user has to be told."""
from __future__ import annotations

import json
from pathlib import Path

import onnx.parser
import pytest

import tool


def lower(domain: str, op_type: str, opset: int, tmp_path: Path) -> tuple[tool.Run, list[str]]:
    call = f"{domain}.{op_type}" if domain else op_type
    model = onnx.parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : {opset}, "com.microsoft" : 1, "d" : 1]> g (float[2, 3] x) => (float[2, 3] y) {{ t = {call} (x)  y = {call} (t) }}
        <domain: "{domain}", opset_import: ["" : {opset}]> {op_type} (a) => (b) {{ b = Neg (a) }}"""
    )
    report = tmp_path / "report.json"
    outcome = tool.lower(model.SerializeToString(), ["--report", report])
    assert outcome.status == tool.DONE, str(outcome)
    return outcome, json.loads(report.read_text())["functions_beside_kernels"]


@pytest.mark.parametrize("domain, op_type, name", [("", "Relu", "ai.onnx::Relu"), ("com.microsoft", "FastGelu", "com.microsoft::FastGelu")])
def test_it_is_warned_of_once(domain: str, op_type: str, name: str, tmp_path: Path) -> None:
    outcome, reported = lower(domain, op_type, 18, tmp_path)
    assert outcome.stderr.count(f"warning: <stdin>: the model has a function {name}, which was taken; a runtime may take its own kernel") == 1
    assert reported == [name]


@pytest.mark.parametrize("domain, op_type", [("", "Gelu"), ("d", "Relu"), ("com.microsoft", "NoSuchOperator")])
def test_what_no_runtime_knows_is_not(domain: str, op_type: str, tmp_path: Path) -> None:
    """Gelu came with opset 20."""
    outcome, reported = lower(domain, op_type, 18, tmp_path)
    assert "warning" not in outcome.stderr
    assert reported == []
