# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Chains of operators of several forms each, of which none leads to an end: the forms can be combined in more ways than any machine tries. The search takes time, memory and text in
proportion to the chain, and finds what fits."""
from __future__ import annotations

import json
import pathlib
import resource

import onnx
import pytest
import tool

pytestmark = pytest.mark.on_disk

FORMS = 3
IMPORTS = '["" : 18, "acme" : 1]'
HEADER = f'<domain: "acme", opset_import: {IMPORTS}>\n'
DECLINES = '["where": "rank(x) == 7"]'


def form(operator: str, body: str, before: str = "", attributes: str = "") -> str:
    return f"{before}\n{HEADER}{operator} {attributes} (x) => (y) {{ {body} }}\n"


def one_node(step: int, which: int) -> str:
    return form(f"B{step}", f"y = acme.B{step + 1} (x)")


def several_nodes(step: int, which: int) -> str:
    return form(f"B{step}", f"a = Constant <value_int = {which}> ()  b = CastLike (a, x)  c = Add (x, b)  y = acme.B{step + 1} (c)")


def two_calls(step: int, which: int) -> str:
    """The first of which is lowered, each time."""
    return form(f"B{step}", f"a = acme.Good (x)  y = acme.B{step + 1} (a)")


def attribute(step: int, which: int) -> str:
    return form(f"B{step}", f"y = acme.B{step + 1} <k = @n> (x)", f'["let": "n = k * {FORMS} + {which}"]', "<k: int = 0>")


def in_a_graph(step: int, which: int) -> str:
    """In a branch of an If: of what stands in graphs nothing is remembered. It ends where graphs are as deep in one another as readers of ONNX take them."""
    return form(f"B{step}", f"c = Constant <value_int = {which}> ()  d = CastLike (c, x)  s = ReduceSum <keepdims = 0> (x)  t = ReduceSum <keepdims = 0> (d)  b = Less (s, t)  "
                f"y = If (b) <then_branch = g () => (u) {{ u = acme.B{step + 1} (x) }}, else_branch = h () => (v) {{ v = Neg (x) }}>")


def refused_by_target(step: int, which: int) -> str:
    """By what its conditions know of the inputs."""
    return form(f"B{step}", f"a = Abs (x)  y = acme.B{step + 1} (a)")


GOOD = form("Good", "y = Mul (x, x)")
# How the chain ends, by how its steps look.
ENDS = {
    one_node: form("B{}", "y = Neg (x)", DECLINES),
    several_nodes: form("B{}", "y = Neg (x)", DECLINES),
    two_calls: form("B{}", "y = Neg (x)", DECLINES) + GOOD,
    attribute: form("B{}", "y = Neg (x)", '["where": "k == -7"]', "<k: int = 0>"),
    in_a_graph: form("B{}", "y = Neg (x)", DECLINES),
    refused_by_target: form("B{}", "y = Log (x)"),
}
STEPS = list(ENDS)
# Log is taken nowhere where it stands behind the Abs of the last step.
TARGET = "opset 7..28\nLog  not nonnegative(input)\n"


def chain(step, count: int, *, good: str = "") -> str:
    """`good`: operators that have one more form, behind all others, which needs no other rule."""
    forms = [form("First", "y = acme.B0 (x)")]
    for k in range(count):
        forms += [step(k, which) for which in range(FORMS)]
        if good == f"B{k}":
            forms.append(form(good, "y = Sqrt (x)", attributes="<k: int = 0>" if step is attribute else ""))
    forms.append(ENDS[step].replace("B{}", f"B{count}"))
    if good == "First":
        forms.append(form("First", "y = Sqrt (x)"))
    return "".join(forms)


def model(nodes: int = 1, functions: str = "") -> str:
    calls = "  ".join(f"{'y' if k == 0 else f'y{k}'} = acme.First (x)" for k in range(nodes))
    return f'<ir_version: 8, opset_import: {IMPORTS}>\ng (float[2,3] x) => (float[2,3] y) {{ {calls} }}\n{functions}'


def lower(folder: pathlib.Path, rules: str, *arguments: object, of: str = model()) -> tuple[tool.Run, float]:
    """With the seconds of the CPU."""
    (folder / "in.onnxtxt").write_text(of)
    (folder / "rules.onnxtxt").write_text(rules)
    (folder / "own.target").write_text(TARGET)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = tool.run(["in.onnxtxt", "-o", "out.onnx", "--rules", "rules.onnxtxt", "--report", "report.json", *arguments], cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def arguments_of(step) -> tuple:
    return ("--target", "own.target") if step is refused_by_target else ()


def refusals(report: dict) -> int:
    def count(reasons: list[dict]) -> int:
        return sum(1 + count(reason["causes"]) for reason in reasons)

    return sum(count(node["refusals"]) for node in report["unlowered"])


@pytest.mark.parametrize("arguments", [(), ("--attach",), ("--fold",), ("--target", "openvino")], ids=" ".join)
@pytest.mark.parametrize("count", [4, 8, 16, 32, 64])
@pytest.mark.parametrize("step", STEPS)
def test_that_leads_nowhere(step, count: int, arguments: tuple, tmp_path: pathlib.Path) -> None:
    result, seconds = lower(tmp_path, chain(step, count), *(arguments_of(step) or arguments))
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "node 'y' (acme::First) cannot be lowered" in result.stderr
    assert seconds < (20 if tool.SANITIZED else 5), f"{seconds} s"
    assert len(result.stderr) < 40_000
    assert refusals(json.loads((tmp_path / "report.json").read_text())) < 1000 + 10 * count
    assert not (tmp_path / "out.onnx").exists()


@pytest.mark.parametrize("step", [one_node, several_nodes, two_calls])
def test_what_declined_is_remembered(step, tmp_path: pathlib.Path) -> None:
    """So that the search comes to its end, and says what declines."""
    result, _ = lower(tmp_path, chain(step, 64))
    assert "is the limit" not in result.stderr
    assert "rank(x) is 2, not 7" in result.stderr


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("good", ["First", "B0", "B7"])
@pytest.mark.parametrize("count", [8, 24])
def test_that_ends_well(step, good: str, count: int, tmp_path: pathlib.Path) -> None:
    """A last form of one of the operators fits; the others are tried before."""
    result, seconds = lower(tmp_path, chain(step, count, good=good), *arguments_of(step))
    assert result.status == tool.DONE, str(result)[:1000]
    assert "Sqrt" in {node.op_type for node in all_nodes(onnx.load(tmp_path / "out.onnx").graph)}
    assert seconds < (20 if tool.SANITIZED else 5), f"{seconds} s"


def all_nodes(graph: onnx.GraphProto):
    for node in graph.node:
        yield node
        for given in node.attribute:
            if given.type == onnx.AttributeProto.GRAPH:
                yield from all_nodes(given.g)


def test_many_nodes(tmp_path: pathlib.Path) -> None:
    """All nodes of a model together have so many tries; one node, which needs few, finds what fits behind them."""
    calls = 150
    rules = chain(attribute, 16) + form("Late", "y = acme.Declines (x)") + form("Late", "y = Sqrt (x)") + form("Declines", "y = Neg (x)", DECLINES)
    text = model(calls).replace(" }\n", "  z = acme.Late (x) }\n", 1)
    result, seconds = lower(tmp_path, rules, "--allow-unlowered", of=text)
    assert result.status == tool.DONE, str(result)[:1000]
    report = json.loads((tmp_path / "report.json").read_text())
    assert len(report["unlowered"]) == calls
    assert [node["node"] for node in report["lowered"]] == ["z"]
    assert seconds < (60 if tool.SANITIZED else 20), f"{seconds} s"


def test_functions_of_the_model(tmp_path: pathlib.Path) -> None:
    """Beside each of them there is a rule of the user for the same operator."""
    count = 32
    functions = "".join(f'<domain: "acme", opset_import: {IMPORTS}>\nB{k} (x) => (y) {{ y = acme.B{k + 1} (x) }}\n' for k in range(count))
    functions += f'<domain: "acme", opset_import: {IMPORTS}>\nFirst (x) => (y) {{ y = acme.B0 (x) }}\n'
    for arguments in [(), ("--attach",), ("--target", "openvino")]:
        result, seconds = lower(tmp_path, chain(one_node, count), *arguments, of=model(functions=functions))
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert seconds < (20 if tool.SANITIZED else 5), f"{seconds} s"


@pytest.mark.parametrize(("made", "before", "attributes"), [
    ("a = Constant <value_ints = [{}]> ()", '["where": "value_of_a[0] == 2"]', "<value_of_a: ints>"),
    ("a = Constant <value_int = {}> ()", '["where": "value_of_a == 2"]', "<value_of_a: int>"),
    ("b = Constant <value_int = {}> ()  c = Constant <value_int = 2> ()  d = Range (b, c, c)  a = CastLike (d, x)", '["where": "dim(a, 0) == 0"]', ""),
], ids=["list", "number", "shape"])
def test_what_decides_is_told_apart(made: str, before: str, attributes: str, tmp_path: pathlib.Path) -> None:
    """Behind more than a thousand rules that declined, too: only what the last form of an operator hands over is what the next one takes."""
    forms = form("Middle", "y = acme.B0 (x)")
    for which in range(FORMS):
        forms += form("Middle", f"{made.format(which)}  y = acme.Chooses (x, a)")
    rules = chain(one_node, 16).replace("First", "Noise") + form("First", "y = acme.Middle (x)") + forms
    rules += f"{before}\n{HEADER}Chooses {attributes} (x, a) => (y) {{ y = Sqrt (x) }}\n"
    result, _ = lower(tmp_path, rules)
    assert result.status == tool.DONE, str(result)[:1000]
    assert [node.op_type for node in onnx.load(tmp_path / "out.onnx").graph.node] == ["Sqrt"]
