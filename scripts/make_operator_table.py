#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes docs/operators.md: which standard operators reach which opset, as onnx's own node tests show it.

Every test that ONNX Runtime runs as it is, and rightly, is lowered to each opset and run again; beside it stand the numbers of onnx's version converter on the same models, and then what
becomes of the tests in OpenVINO. What is wrong, does not load or kills the runtime is printed. It takes half an hour, the Python of build/venv, and the program that ONNX_LOWER names, else build/onnx-lower.
"""
from __future__ import annotations

import collections
import pathlib
import re
import sys
import tempfile

import onnx

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "python"))

import backend_tests
import old_operators
import runtimes
import test_upwards
from backend_tests import OPSETS, REFUSED, RIGHT, UNLOADABLE, WRONG, Outcome

PAGE = REPOSITORY / "docs" / "operators.md"

INTRODUCTION = """\
# Standard operators at older opsets

`--target-opset N` writes a model for another version of the standard operators. What becomes of each operator is measured here with the node tests of onnx {onnx}: of the {all} tests that it generates, ONNX
Runtime {onnxruntime} runs {good} as they are, and rightly. Each of these was lowered to each opset and run again, and its outputs compared with those that the test expects, within the test's own tolerance. This page is
written by [`scripts/make_operator_table.py`](../scripts/make_operator_table.py).
"""

OPENVINO = """\
## In OpenVINO

OpenVINO {openvino} runs {good} of all {all} tests as they are, and rightly. After they were written for another opset:

| opset | right | refused | fails | with `--target openvino`: right | refused | fails |
| --- | --- | --- | --- | --- | --- | --- |
{rows}
"""

TABLE = """\
## Operator by operator

How many of the operator's tests are right at each opset, of how many there are; a number alone means all of them. The others are refused with a reason, which
[stands below](#what-is-refused). An operator that has a function body is counted with it, too.
"""


UPWARDS = """\
## Newer opsets

`--target-opset` may be above the model's opset, too. That is tested with {count} models of one node: for each of the {operators} operators that changed between opset 7 and {newest}, nodes as each of its versions
takes them. Written for opset 11, 13, 17, 21 and {newest}, each gives in ONNX Runtime what it gave at its own opset. What changes on the way: numbers and lists that were attributes become inputs (`Clip`, `Pad`, `Slice`,
`Split`, `Squeeze`, `TopK`, `Unsqueeze`, reductions); a softmax over several dimensions is made of one over rows; `Upsample` and the `Resize` of opset 10 become a `Resize` that samples where they did, `Scatter` a
`ScatterElements`; scales of `GroupNormalization` are given to each channel; `BatchNormalization` with statistics of each element (`spatial = 0`) becomes arithmetic; the `Scan` of opset 8 gets a batch.
Refused is a `Scan` of opset 8 whose sequences have lengths of their own.

ONNX Runtime {onnxruntime} has no kernels for {unknown} from opset 22 on. `GlobalLpPool` and `RoiAlign` are said in other operators there; the others are refused, as is `Bernoulli`, whose function has a `RandomUniformLike` in it: `--target-opset 21`
is the newest that they run at, and `--keep ai.onnx::RandomNormalLike` writes one all the same.

[Speed of lowered models](speed.md) says how fast they run.
"""


def convert(asked: tuple[str, int]) -> str:
    """What becomes of a test's model by onnx's version converter."""
    name, opset = asked
    test = backend_tests.every_test()[name]
    try:
        converted = onnx.version_converter.convert_version(test.model, opset)
    except Exception:
        return REFUSED
    return backend_tests.verdict(converted.SerializeToString(), test, runtimes.in_onnxruntime)[0]


def operator_of(name: str) -> str:
    return backend_tests.every_test()[name].operator


def totals(outcomes: dict[int, list[Outcome]], converted: dict[int, list[str]]) -> str:
    lines = ["| opset | right | wrong | not loaded | refused | by onnx's version converter: right | wrong | not loaded | refused |", "|" + " --- |" * 9]
    for opset in OPSETS:
        ours, theirs = collections.Counter(outcome.verdict for outcome in outcomes[opset]), collections.Counter(converted[opset])
        cells = [str(count[verdict]) for count in (ours, theirs) for verdict in (RIGHT, WRONG, UNLOADABLE, REFUSED)]
        lines.append(f"| {opset} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def by_operator(outcomes: dict[int, list[Outcome]]) -> str:
    right: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    count: collections.Counter = collections.Counter()
    for opset in OPSETS:
        for outcome in outcomes[opset]:
            right[operator_of(outcome.name)][opset] += outcome.verdict == RIGHT
    for outcome in outcomes[OPSETS[0]]:
        count[operator_of(outcome.name)] += 1
    lines = ["| operator | " + " | ".join(map(str, OPSETS)) + " |", "| --- |" + " --- |" * len(OPSETS)]
    for operator in sorted(count):
        cells = [str(count[operator]) if right[operator][opset] == count[operator] else f"{right[operator][opset]} of {count[operator]}" for opset in OPSETS]
        lines.append(f"| `{operator}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def reason_of(refusal: str) -> str:
    """The innermost reason of the message, without names and numbers of lines."""
    reasons = re.findall(r"^ *rule (\S+) \((.*?)\): (.*)$", refusal, re.MULTILINE)
    reasons = [each for each in reasons if each[2] != "it would expand to itself"] or reasons
    own = [(rule, reason) for rule, where, reason in reasons if not where.startswith("as it is") and not reason.endswith("cannot be lowered") and "cannot be lowered" not in reason]
    rule, reason = own[-1] if own else ((reasons[-1][0], reasons[-1][2]) if reasons else ("", refusal.strip().splitlines()[-1]))
    return f"`{rule}`: {reason}" if rule else reason


def refused(outcomes: dict[int, list[Outcome]]) -> str:
    found: dict[tuple[str, str], dict[int, int]] = collections.defaultdict(collections.Counter)
    for opset in OPSETS:
        for outcome in outcomes[opset]:
            if outcome.verdict == REFUSED:
                found[operator_of(outcome.name), reason_of(outcome.detail)][opset] += 1
    lines = ["| operator | tests at each opset | reason |", "| --- | --- | --- |"]
    for (operator, reason), at in sorted(found.items()):
        where = ", ".join(f"{opset}: {count}" for opset, count in at.items())
        lines.append(f"| `{operator}` | {where} | {reason.replace('|', chr(92) + '|')} |")
    return "## What is refused\n\n" + "\n".join(lines) + "\n"


def upwards(onnxruntime: str) -> str:
    models = test_upwards.old_models()
    operators = len({node.op_type for node, *_ in models.values()})
    unknown = sorted(f"`{name}`" for name in test_upwards.NO_KERNEL_FROM_22_ON)
    return UPWARDS.format(count=len(models), operators=operators, newest=old_operators.NEWEST, onnxruntime=onnxruntime, unknown=", ".join(unknown[:-1]) + " and " + unknown[-1])


def in_openvino(folder: pathlib.Path) -> str:
    import openvino

    everything = list(backend_tests.every_test())
    good = backend_tests.right_in_openvino(everything, folder)
    rows = []
    for opset in OPSETS:
        cells = []
        for target in ("", "openvino"):
            said = backend_tests.in_openvino_at(good, opset, folder, target)
            failed = {name: detail for name, detail in said.items() if not detail.startswith(RIGHT)}
            for name, detail in failed.items():
                print(f"opset {opset}, target {target or 'none'}: {name}: {detail}", file=sys.stderr)
            cells += [len(said) - len(failed), len(good) - len(said), len(failed)]
        rows.append(f"| {opset} | {' | '.join(map(str, cells))} |")
    return OPENVINO.format(openvino=openvino.__version__.split("-")[0], good=len(good), all=len(everything), rows="\n".join(rows))


def page() -> str:
    import onnxruntime

    names = backend_tests.those_that_run(backend_tests.every_test())
    outcomes, converted = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for opset in OPSETS:
            outcomes[opset] = backend_tests.outcomes(names, opset, pathlib.Path(folder))
            converted[opset] = backend_tests.in_processes(convert, [(name, opset) for name in names])
            for outcome in outcomes[opset]:
                if outcome.verdict not in (RIGHT, REFUSED):
                    print(f"opset {opset}: {outcome.name}: {outcome.verdict}: {outcome.detail}", file=sys.stderr)
        openvino = in_openvino(pathlib.Path(folder))
    head = INTRODUCTION.format(onnx=onnx.__version__, onnxruntime=onnxruntime.__version__, all=len(backend_tests.every_test()), good=len(names))
    return "\n".join([head, totals(outcomes, converted), openvino, TABLE, by_operator(outcomes), refused(outcomes), upwards(onnxruntime.__version__)])


if __name__ == "__main__":
    PAGE.write_text(page())
