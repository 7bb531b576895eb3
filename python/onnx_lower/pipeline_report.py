# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""python -m onnx_lower.pipeline_report REPORT...: tells a pipeline what the reports of onnx-lower (its option --report) say.

    --github              annotations for GitHub's log, and a table in its job summary (the file that GITHUB_STEP_SUMMARY names)
    --code-quality FILE   a code quality report, as GitLab shows it in a merge request
    --junit FILE          test results, a test for each model, as Jenkins, GitLab and others show them

A report that is not there, because its run ended before it could write one, counts as a failed model.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from onnx_lower.report import Report, parse_report, report_of_line


@dataclass(frozen=True)
class Finding:
    """Something of a model that its owner wants to know."""

    model: str
    title: str
    text: str
    is_error: bool


@dataclass(frozen=True)
class Run:
    """What became of a model."""

    model: str
    report: Optional[Report]
    """None where the run ended before it could report."""

    @property
    def failed(self) -> bool:
        return self.report is None or self.report.exit_status not in (0, 6)  # 6: what was checked can be lowered

    def findings(self) -> Iterator[Finding]:
        if self.report is None:
            yield Finding(self.model, "no report", "onnx-lower ended before it could report; its log says why", is_error=True)
            return
        error = self.report.json["error"]
        if error:
            yield Finding(self.model, "error", error, is_error=True)
        for node in self.report.unlowered:
            yield Finding(self.model, f"{node.operator} cannot be lowered", node.message, is_error=self.failed)
        for lowered in self.report.lowered:
            if lowered.assumption:
                text = f"node '{lowered.node}' ({lowered.operator}): {lowered.assumption}"
                yield Finding(self.model, f"{lowered.operator} lowered on an assumption", text, is_error=False)
        for setting in self.report.json["unused_settings"]:
            yield Finding(self.model, "unused setting", f"--set {setting} fits no node that is to be lowered", is_error=False)
        if opset := self.report.json.get("other_opset"):
            yield Finding(self.model, "another opset", f"opset {opset} is written, as nodes cannot be lowered at the model's", is_error=False)
        for operator in self.report.json["functions_beside_kernels"]:
            text = f"the model has a function {operator}, which was taken; a runtime may take its own kernel of that name, and compute something else"
            yield Finding(self.model, f"function {operator}", text, is_error=False)
        for value in self.report.json["contradictions"]:
            text = f"'{value['value']}' is declared as {value['declared']}, and its node makes {value['inferred']}, which counts"
            yield Finding(self.model, "wrong declaration", text, is_error=False)
        for found in self.report.json.get("doubtful", []):
            text = f"node '{found['node']}' ({found['operator']}) stays and comes out wrong in {found['target']}: {found['reason']}"
            yield Finding(self.model, f"{found['operator']} comes out wrong", text, is_error=False)
        for found in self.report.json.get("computed_as_float", []):
            text = f"'{found['value']}' is of type {found['element_type']}, which {found['target']} computes as float"
            yield Finding(self.model, f"{found['element_type']} computed as float", text, is_error=False)


def read_runs(path: Path) -> list[Run]:
    """Of a report on one model, or of the results on many (JSON Lines)."""
    try:
        text = path.read_text(encoding="utf-8")
        first, _ = json.JSONDecoder().raw_decode(text)
        if "versions" not in first:
            lines = map(json.loads, text.splitlines())
            return [Run(line["input"], report_of_line(line)) for line in lines]
        report = parse_report(text)
    except (OSError, ValueError, KeyError, TypeError):
        return [Run(path.stem, None)]
    return [Run(report.json["input"], report)]


def _escaped(text: str, further: str = "") -> str:
    for character in "%\r\n" + further:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def github_annotations(runs: Sequence[Run]) -> Iterator[str]:
    """The commands by which a log's lines become annotations."""
    for run in runs:
        for finding in run.findings():
            kind = "error" if finding.is_error else "warning"
            yield f"::{kind} file={_escaped(finding.model, ':,')},title={_escaped(finding.title, ':,')}::{_escaped(finding.text)}"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", "<br>")


def github_summary(runs: Sequence[Run]) -> str:
    """Markdown: a table of the models, and one of the nodes that cannot be lowered."""
    lines = ["### onnx-lower", "", "| model | result | nodes | lowered | not lowered |", "| --- | --- | --- | --- | --- |"]
    for run in runs:
        report = run.report
        if report is None:
            lines.append(f"| {_cell(run.model)} | :x: no report | | | |")
            continue
        result = ":x: failed" if run.failed else ":warning: lowered in part" if report.unlowered else ":white_check_mark: done"
        counts = [Counter(node.operator for node in nodes) for nodes in (report.lowered, report.unlowered)]
        listed = [_cell("\n".join(f"{name} {count}" for name, count in sorted(counter.items()))) for counter in counts]
        lines.append(f"| {_cell(run.model)} | {result} | {report.nodes_before} → {report.nodes_after} | {listed[0]} | {listed[1]} |")
    errors = [finding for run in runs for finding in run.findings() if finding.is_error]
    if errors:
        lines += ["", "| model | what is wrong |", "| --- | --- |"]
        lines += [f"| {_cell(finding.model)} | {_cell(finding.text)} |" for finding in errors]
    return "\n".join(lines) + "\n"


def code_quality(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """GitLab's code quality report."""
    return [
        {
            "description": f"{finding.title}: {finding.text}",
            "check_name": "onnx-lower",
            "fingerprint": hashlib.sha256("\0".join([finding.model, finding.title, finding.text]).encode()).hexdigest(),
            "severity": "major" if finding.is_error else "minor",
            # A model has no lines.
            "location": {"path": finding.model, "lines": {"begin": 1}},
        }
        for run in runs
        for finding in run.findings()
    ]


def _allowed_in_xml(text: str) -> str:
    return "".join(character if character in "\t\n" or character >= " " and character not in "\ufffe\uffff" else "\ufffd" for character in text)


def junit(runs: Sequence[Run]) -> ElementTree.ElementTree:
    """Test results: each model is a test, which fails as its run did."""
    suite = ElementTree.Element("testsuite", name="onnx-lower", tests=str(len(runs)), failures=str(sum(run.failed for run in runs)), errors="0", skipped="0")
    for run in runs:
        seconds = run.report.milliseconds / 1000 if run.report else 0
        case = ElementTree.SubElement(suite, "testcase", classname="onnx-lower", name=_allowed_in_xml(run.model), time=f"{seconds:.6f}")
        findings = list(run.findings())
        if run.failed:
            errors = [finding for finding in findings if finding.is_error]
            failure = ElementTree.SubElement(case, "failure", message=_allowed_in_xml("; ".join(dict.fromkeys(error.title for error in errors))))
            failure.text = _allowed_in_xml("\n".join(error.text for error in errors))
        warnings = "\n".join(finding.text for finding in findings if not finding.is_error)
        if warnings:
            ElementTree.SubElement(case, "system-out").text = _allowed_in_xml(warnings)
    return ElementTree.ElementTree(suite)


def main(arguments: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m onnx_lower.pipeline_report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT")
    parser.add_argument("--github", action="store_true", help="write annotations and the job summary")
    parser.add_argument("--code-quality", type=Path, metavar="FILE", help="write GitLab's code quality report")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write test results")
    options = parser.parse_args(arguments)
    if not (options.github or options.code_quality or options.junit):
        parser.error("nothing to write: give --github, --code-quality FILE or --junit FILE")
    runs = [run for path in options.reports for run in read_runs(path)]
    if options.github:
        for line in github_annotations(runs):
            print(line)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with open(summary, "a", encoding="utf-8") as file:
                file.write(github_summary(runs))
        else:
            sys.stdout.write(github_summary(runs))
    if options.code_quality:
        options.code_quality.write_text(json.dumps(code_quality(runs), indent=2) + "\n", encoding="utf-8")
    if options.junit:
        junit(runs).write(options.junit, encoding="utf-8", xml_declaration=True)


if __name__ == "__main__":
    main()
