# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Reports as a page and as SARIF, what they say of the model's cost, and --diff."""
from __future__ import annotations

import html.parser
import json
import os
import pathlib
import pty
import re
import subprocess

import jsonschema
import numpy
import onnx
import pytest
from onnx import helper, numpy_helper

import tool

SARIF_SCHEMA = json.loads((tool.REPOSITORY / "tests" / "python" / "sarif" / "sarif-2.1.0-rtm.5.json").read_text())
CASES = sorted(path.parent for path in tool.TESTDATA.glob("cases/*/model.onnx"))
BAD = sorted(path for path in tool.TESTDATA.glob("bad/*.onnx"))

TWO_THRESHOLDS = """<ir_version: 8, opset_import: ["" : 17, "rknn_cst" : 1, "acme" : 1]>
main_graph (float[n,4] x, bool c) => (float[n,4] y, float[n,4] z) {
  ["first"] a = rknn_cst.cstThreshold <threshold: float = 0.5, value: float = 1> (x)
  ["second"] y = rknn_cst.cstThreshold <threshold: float = 0.25, value: float = 2> (a)
  ["choose"] z = If (c) <then_branch = yes () => (float[n,4] t) { ["lost"] t = acme.Unheard (a) }, else_branch = no () => (float[n,4] e) { e = Identity (x) }>
}"""

# What ends an element of a page, or begins one, and what a page would show as markup.
HOSTILE = ["</script><script>document.title='harmed'</script>", "<!--<script>", "<img src=x onerror=alert(1)>", "&lt;b&gt;", "\u2028 line", "quote\" and 'quote", "]]>"]


class Page(html.parser.HTMLParser):
    """The elements of a page, as a browser finds them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""
        self.in_data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.in_data = dict(attrs).get("id") == "data"

    def handle_endtag(self, tag: str) -> None:
        self.in_data = False

    def handle_data(self, data: str) -> None:
        if self.in_data:
            self.data += data


def page_of(text: str) -> dict:
    return json.loads(Page(text).data)


def report(model: str | bytes | onnx.ModelProto, folder: pathlib.Path, name: str, *arguments: object) -> str:
    if isinstance(model, onnx.ModelProto):
        model = model.SerializeToString()
    given = folder / ("in.onnxtxt" if isinstance(model, str) else "in.onnx")
    given.write_bytes(model.encode() if isinstance(model, str) else model)
    result = tool.run([given, "-o", folder / "out.onnx", "--report", folder / name, *arguments], cwd=folder)
    assert (folder / name).exists(), str(result)
    return (folder / name).read_text()


def model_of(nodes: list[onnx.NodeProto], inputs: dict[str, list], outputs: dict[str, list], weights: dict[str, numpy.ndarray], opset: int = 17) -> onnx.ModelProto:
    def infos(values: dict[str, list]) -> list[onnx.ValueInfoProto]:
        return [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, dims) for name, dims in values.items()]

    graph = helper.make_graph(nodes, "main_graph", infos(inputs), infos(outputs), [numpy_helper.from_array(value, name) for name, value in weights.items()])
    domains = sorted({node.domain for node in nodes} - {""})
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)], ir_version=8)


# The page


def test_the_page_says_what_became_of_each_kind_of_node(tmp_path: pathlib.Path) -> None:
    data = page_of(report(TWO_THRESHOLDS, tmp_path, "r.html", "--allow-unlowered"))
    assert (data["nodes_before"], data["exit_status"]) == (5, 0)
    rewrite, = data["rewrites"]
    assert (rewrite["operator"], rewrite["nodes"], rewrite["nodes_made"], rewrite["names"]) == ("rknn_cst::cstThreshold", 2, 4, ["first", "second"])
    assert rewrite["before"]["attributes"] == {"threshold": "0.5", "value": "1"} and rewrite["before"]["inputs"] == ["x"]
    assert [node["operator"] for node in rewrite["after"]] == ["ai.onnx::Constant", "ai.onnx::Constant", "ai.onnx::LessOrEqual", "ai.onnx::Where"]
    assert rewrite["after"][-1]["outputs"] == rewrite["before"]["outputs"] == ["a"]
    assert rewrite["types"]["x"] == "float[n,4]" and rewrite["types"]["a"] == "float[n,4]"
    assert "cstThreshold <threshold: float, value: float> (x) => (y)" in data["rule_texts"]["rknn_cst::cstThreshold"]
    refused, = data["unlowered"]
    assert (refused["operator"], refused["code"], refused["nodes"]) == ("acme::Unheard", "OL001", ["main_graph/choose/then_branch/lost"])
    assert data["cost"]["before"]["operators"]["rknn_cst::cstThreshold"] == 2
    assert data["cost"]["after"]["operators"]["ai.onnx::Where"] == 2


def test_the_page_has_what_targets_say(tmp_path: pathlib.Path) -> None:
    """By the names that the page's script reads."""
    (tmp_path / "in.onnxtxt").write_text(TWO_THRESHOLDS)
    tool.run(["--check", "in.onnxtxt", "--report", "r.html"], cwd=tmp_path)
    targets = page_of((tmp_path / "r.html").read_text())["targets"]
    script = (tool.REPOSITORY / "src" / "report" / "page" / "3_page.js").read_text()
    assert len(targets) > 5 and {target["verdict"] for target in targets} == {"refused"} and all(target["obstacle"] for target in targets)
    assert set(re.findall(r"(?<![\w.])target\.(\w+)", script)) <= set(targets[0])
    assert set(re.findall(r"(\w+): \[", script[script.index("const VERDICTS"):].split("\n")[0])) == {"as_it_is", "after_lowering", "refused"}


def test_the_page_loads_nothing(tmp_path: pathlib.Path) -> None:
    text = report(TWO_THRESHOLDS, tmp_path, "r.html", "--allow-unlowered")
    page = Page(text)
    policy = next(attributes["content"] for tag, attributes in page.tags if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'") and "http" not in policy
    for tag, attributes in page.tags:
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,")), (tag, attributes)
    without_data = text.replace(page.data, "")
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|import\(|sourceMappingURL", without_data)
    # Names of namespaces are no addresses that anything is loaded from.
    assert set(re.findall(r"https?://[^\s\"'<>]+", without_data)) <= {"http://www.w3.org/2000/svg"}


def test_what_comes_from_the_model_ends_no_element(tmp_path: pathlib.Path) -> None:
    for hostile in HOSTILE:
        node = helper.make_node("cstThreshold", ["x"], [hostile], name=hostile, domain="rknn_cst", threshold=0.5, value=1.0)
        refused = helper.make_node(hostile, [hostile], ["y"], name=f"2{hostile}", domain=hostile, text=hostile)
        model = model_of([node, refused], {"x": [2, 2]}, {"y": [2, 2]}, {})
        text = report(model, tmp_path, "r.html", "--allow-unlowered")
        page = Page(text)
        assert [tag for tag, _ in page.tags] == [tag for tag, _ in Page(report(TWO_THRESHOLDS, tmp_path, "r.html", "--allow-unlowered")).tags]
        data = json.loads(page.data)
        assert data["rewrites"][0]["before"]["outputs"] == [hostile] and data["rewrites"][0]["names"] == [hostile]
        assert data["unlowered"][0]["nodes"] == [f"main_graph/2{hostile}"]
        assert "</script" not in text[text.index('id="data">') + 10:].split("</script>")[0]


def test_names_that_are_no_text(tmp_path: pathlib.Path) -> None:
    """Bytes that are not UTF-8 are replaced, so that a browser and a program read what is there."""
    model = model_of([helper.make_node("cstThreshold", ["x"], ["y"], name="node-NAME", domain="rknn_cst", threshold=0.5, value=1.0)], {"x": [2]}, {"y": [2]}, {}).SerializeToString()
    for name in ("r.html", "r.sarif", "r.json"):
        text = report(model.replace(b"node-NAME", b"node-\xff\xfeE!"), tmp_path, name)
        assert "node-\ufffd\ufffdE!" in text or name == "r.sarif"


def test_a_large_body_is_cut(tmp_path: pathlib.Path) -> None:
    body = "".join(f"  v{i + 1} = Sin (v{i})\n" for i in range(1000))
    (tmp_path / "rule.onnxtxt").write_text(f'<domain: "acme", opset_import: ["" : 17]>\nLong (v0) => (v1000) {{\n{body}}}\n')
    model = model_of([helper.make_node("Long", ["x"], ["y"], domain="acme")], {"x": [2]}, {"y": [2]}, {})
    rewrite, = page_of(report(model, tmp_path, "r.html", "--rules", tmp_path / "rule.onnxtxt"))["rewrites"]
    assert rewrite["nodes_made"] == 1000 and len(rewrite["after"]) == 400


@pytest.mark.parametrize("options", [[], ["--target", "openvino"], ["--fold"], ["--attach"]], ids=lambda options: " ".join(options) or "plain")
def test_a_report_changes_nothing_in_the_model(tmp_path: pathlib.Path, options: list[str]) -> None:
    golden = sorted(tool.TESTDATA.glob("golden/*/*/*.in.onnxtxt"))[::9]
    manifest = "".join(json.dumps({"input": str(path), "output": f"{number}.onnx"}) + "\n" for number, path in enumerate(golden))
    made = {}
    for name in ("r.html", "r.sarif", "r.jsonl"):
        tool.run(["--manifest", "-", "--output-dir", tmp_path / name[2:], "--report", tmp_path / name, "--allow-unlowered", *options], stdin=manifest.encode(), timeout=300)
        made[name] = {path.name: path.read_bytes() for path in (tmp_path / name[2:]).iterdir() if path.suffix == ".onnx"}
    assert len(made["r.jsonl"]) > 100 and made["r.html"] == made["r.sarif"] == made["r.jsonl"]


def test_a_page_for_many_models(tmp_path: pathlib.Path) -> None:
    zoo = tmp_path / "zoo"
    zoo.mkdir()
    for number in range(3):
        onnx.save(onnx.parser.parse_model(TWO_THRESHOLDS), zoo / f"{number}.onnx")
    (zoo / "broken.onnx").write_bytes(b"no model")
    result = tool.run([zoo, "--output-dir", tmp_path / "out", "--report", tmp_path / "r.html", "--allow-unlowered"])
    assert result.status == tool.SOME_FAILED
    models = {pathlib.Path(model["input"]).name: model for model in page_of((tmp_path / "r.html").read_text())["models"]}
    assert {name: model["status"] for name, model in models.items()} == {"0.onnx": "lowered", "1.onnx": "lowered", "2.onnx": "lowered", "broken.onnx": "failed"}
    assert models["1.onnx"]["report"]["rewrites"][0]["names"] == ["first", "second"]
    assert models["broken.onnx"]["error"]
    # The next run has nothing to do, and its page says so; what is recorded of a model has no page.
    tool.run([zoo, "--output-dir", tmp_path / "out", "--report", tmp_path / "r.html", "--allow-unlowered"])
    again = {pathlib.Path(model["input"]).name: model for model in page_of((tmp_path / "r.html").read_text())["models"]}
    assert again["1.onnx"]["status"] == "up_to_date" and "report" not in again["1.onnx"]


# SARIF


def checked(text: str) -> dict:
    log = json.loads(text)
    jsonschema.Draft4Validator(SARIF_SCHEMA).validate(log)
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    return log


def test_the_schema_of_sarif_refuses_something() -> None:
    assert not jsonschema.Draft4Validator(SARIF_SCHEMA).is_valid({"version": "2.1.0", "runs": [{}]})


def test_refusals_are_results_with_logical_locations(tmp_path: pathlib.Path) -> None:
    for arguments, level in (((), "error"), (("--allow-unlowered",), "warning")):
        run, = checked(report(TWO_THRESHOLDS, tmp_path, "r.sarif", *arguments))["runs"]
        result, = run["results"]
        location, = result["locations"]
        logical, = location["logicalLocations"]
        assert (result["ruleId"], result["level"]) == ("OL001", level)
        assert (logical["name"], logical["fullyQualifiedName"], logical["kind"]) == ("lost", "main_graph/choose/then_branch/lost", "object")
        assert location["physicalLocation"]["artifactLocation"]["uri"].endswith("/in.onnxtxt")
        assert run["invocations"][0] == {"executionSuccessful": True, "exitCode": tool.DONE if arguments else tool.NOT_LOWERED}


def test_every_kind_of_run_is_valid_sarif(tmp_path: pathlib.Path) -> None:
    models = [case / "model.onnx" for case in CASES[::3]] + BAD
    seen = set()
    for number, model in enumerate(models):
        tool.run([model, "-o", tmp_path / "out.onnx", "--report", tmp_path / f"{number}.sarif", "--target-opset", "11"])
        for result in checked((tmp_path / f"{number}.sarif").read_text())["runs"][0]["results"]:
            seen.add((result["ruleId"], result["level"]))
    assert {level for _, level in seen} >= {"error"} and len(seen) > 2, seen
    manifest = "".join(json.dumps({"input": str(model), "output": f"{number}.onnx"}) + "\n" for number, model in enumerate(models))
    tool.run(["--manifest", "-", "--output-dir", tmp_path / "out", "--report", tmp_path / "all.sarif"], stdin=manifest.encode(), timeout=300)
    assert len(checked((tmp_path / "all.sarif").read_text())["runs"]) == len(models)


def test_a_path_is_written_as_a_reference(tmp_path: pathlib.Path) -> None:
    (tmp_path / "ä b#1%.onnxtxt").write_text(TWO_THRESHOLDS)
    tool.run(["--check", "ä b#1%.onnxtxt", "--report", "r.sarif"], cwd=tmp_path)
    run, = checked((tmp_path / "r.sarif").read_text())["runs"]
    assert run["artifacts"][0]["location"]["uri"] == "%C3%A4%20b%231%25.onnxtxt"


# Cost


def cost_of(model: onnx.ModelProto, folder: pathlib.Path, *arguments: object) -> tuple[dict, dict]:
    cost = json.loads(report(model, folder, "r.json", *arguments))["cost"]
    return cost["before"], cost["after"]


def test_multiplications(tmp_path: pathlib.Path) -> None:
    """Counted here by the loops that the operators' definitions are."""
    rng = numpy.random.default_rng(0)
    weights = {"k": rng.random((8, 1, 3, 3), numpy.float32), "u": rng.random((8, 2, 2, 2), numpy.float32), "m": rng.random((6, 5), numpy.float32), "g": rng.random((7, 5), numpy.float32)}
    nodes = [
        helper.make_node("Conv", ["x", "k"], ["a"], group=4, pads=[1] * 4, strides=[2, 2]),  # [2,8,4,4]
        helper.make_node("ConvTranspose", ["a", "u"], ["b"]),  # [2,2,5,5]
        helper.make_node("MatMul", ["p", "m"], ["c"]),  # [3,4,5]
        helper.make_node("ReduceSum", ["c"], ["d"], keepdims=0),
        helper.make_node("Gemm", ["q", "g"], ["e"], transB=1),  # [4,7]
        helper.make_node("Gemm", ["s", "m"], ["f"], transA=1),  # [2,5]
    ]
    model = model_of(nodes, {"x": [2, 4, 8, 8], "p": [3, 4, 6], "q": [4, 5], "s": [6, 2]}, {"b": [2, 2, 5, 5], "d": [], "e": [4, 7], "f": [2, 5]}, weights)
    expected = 2 * 8 * 4 * 4 * 1 * 9 + 2 * 8 * 4 * 4 * 2 * 4 + 3 * 4 * 5 * 6 + 4 * 7 * 5 + 2 * 5 * 6
    before, after = cost_of(model, tmp_path)
    assert before == after and before["multiplications"] == expected and before["not_counted"] == {}
    assert before["weight_bytes"] == before["held_bytes"] == sum(value.nbytes for value in weights.values())


def test_multiplications_that_are_not_known(tmp_path: pathlib.Path) -> None:
    model = model_of([helper.make_node("MatMul", ["x", "x"], ["y"]), helper.make_node("cstThreshold", ["y"], ["z"], domain="rknn_cst", threshold=0.5, value=1.0)], {"x": ["n", "n"]}, {"z": ["n", "n"]}, {})
    before, after = cost_of(model, tmp_path)
    assert before["not_counted"] == {"ai.onnx::MatMul": 1, "rknn_cst::cstThreshold": 1} and before["multiplications"] == 0
    assert after["not_counted"] == {"ai.onnx::MatMul": 1}


@pytest.mark.parametrize("bits", [4, 8])
def test_a_packed_weight_that_becomes_float(tmp_path: pathlib.Path, bits: int) -> None:
    rows, columns, block = 512, 256, 32
    packed = numpy.zeros((columns, rows // block, block * bits // 8), numpy.uint8)
    scales = numpy.ones(columns * rows // block, numpy.float32)
    node = helper.make_node("MatMulNBits", ["x", "w", "s"], ["y"], domain="com.microsoft", K=rows, N=columns, bits=bits, block_size=block)
    before, after = cost_of(model_of([node], {"x": [3, rows]}, {"y": [3, columns]}, {"w": packed, "s": scales}), tmp_path, "--target-opset", "17")
    assert before["held_bytes"] == before["weight_bytes"] == packed.nbytes + scales.nbytes and before["grown_weights"] == []
    grown, = after["grown_weights"]
    # The codes are bytes in the output, each of which becomes a float.
    assert (grown["weight"], grown["bytes"], grown["held_bytes"]) == ("y/weight", rows * columns, rows * columns * 4)
    assert after["held_bytes"] >= rows * columns * 4 and after["multiplications"] == 3 * rows * columns


def test_weights_that_a_runtime_keeps_quantized(tmp_path: pathlib.Path) -> None:
    weights = {"w": numpy.zeros((512, 64), numpy.int8), "s": numpy.ones((), numpy.float32)}
    nodes = [helper.make_node("DequantizeLinear", ["w", "s"], ["f"]), helper.make_node("MatMul", ["x", "f"], ["y"])]
    before, _ = cost_of(model_of(nodes, {"x": [3, 512]}, {"y": [3, 64]}, weights), tmp_path)
    assert before["held_bytes"] == before["weight_bytes"] == 512 * 64 + 4


def test_the_line_about_what_is_slower(tmp_path: pathlib.Path) -> None:
    model = model_of([helper.make_node("Trilu", ["x"], ["y"], name="mask"), helper.make_node("Pad", ["x", "p"], ["w"], mode="wrap"), helper.make_node("Pad", ["x", "p"], ["v"])], {"x": [4, 4]}, {"y": [4, 4], "w": [6, 6], "v": [6, 6]}, {"p": numpy.ones(4, numpy.int64)}, 19).SerializeToString()
    lines = tool.run(["-", "-o", tmp_path / "out.onnx", "--target-opset", "13"], stdin=model).stderr.splitlines()
    assert lines[1:] == ["note: 'mask' (Trilu) takes onnxruntime 2.2 times as long as its own kernel; 1 more node is known to be slower"]
    assert "note:" not in tool.run(["-", "-o", tmp_path / "out.onnx", "--target-opset", "13", "-q"], stdin=model).stderr
    assert "note:" not in tool.run(["-", "-o", tmp_path / "out.onnx", "--target", "openvino-2026.4", "--target-opset", "13"], stdin=model).stderr
    slower = json.loads(report(model, tmp_path, "r.json", "--target-opset", "13"))["slower"]
    assert [(one["operator"], one["times"], one["runtime"]) for one in slower] == [("ai.onnx::Trilu", 2.2, "onnxruntime"), ("ai.onnx::Pad", 1.2, "onnxruntime")]


def test_the_page_on_speed_has_the_same_table() -> None:
    lines = (tool.REPOSITORY / "src" / "standard_operators" / "slower_forms.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    expected = [f"| `{op}`{'' if which == '-' else ' ' + which} | {opset} | {times} |" for op, which, _, opset, times, _ in rows]
    page = (tool.REPOSITORY / "docs" / "speed.md").read_text()
    table = page[page.index("| operator | below opset | times as long |"):].split("\n\n")[0].splitlines()
    assert table[2:] == expected


# Names of files


@pytest.mark.parametrize("name", ["r.csv", "r.txt", "r.xml", "r.htm"])
def test_other_endings_of_a_report(tmp_path: pathlib.Path, name: str) -> None:
    (tmp_path / "in.onnxtxt").write_text(TWO_THRESHOLDS)
    for arguments in (["in.onnxtxt", "-o", "out.onnx"], ["in.onnxtxt", "--output-dir", "out"]):
        result = tool.run([*arguments, "--report", name], cwd=tmp_path)
        assert result.status == tool.WRONG_USAGE and all(ending in result.stderr for ending in (name, ".json", ".html", ".sarif"))
    assert [path.name for path in tmp_path.iterdir()] == ["in.onnxtxt"]


@pytest.mark.parametrize(("name", "what_makes_it"), [("n.ort", "onnxruntime.tools.convert_onnx_models_to_ort n.onnx"), ("n.xml", "ovc n.onnx"), ("a/n.TFLITE", "onnx2tf -i a/n.onnx"), ("n.engine", "trtexec --onnx=n.onnx --saveEngine=n.engine")])
def test_outputs_of_other_formats(tmp_path: pathlib.Path, name: str, what_makes_it: str) -> None:
    (tmp_path / "in.onnxtxt").write_text(TWO_THRESHOLDS)
    result = tool.run(["in.onnxtxt", "-o", name], cwd=tmp_path)
    assert result.status == tool.WRONG_USAGE and what_makes_it in result.stderr
    line = json.dumps({"input": "in.onnxtxt", "output": name}).encode()
    many = tool.run(["--manifest", "-"], stdin=line, cwd=tmp_path)
    assert many.status == tool.WRONG_USAGE and what_makes_it in many.stderr


# --diff


def patched(before: list[str], diff: str) -> list[str]:
    """The text after a unified diff."""
    made, at = [], 0
    for group in re.split(r"^@@ ", diff, flags=re.MULTILINE)[1:]:
        first, count = map(int, re.match(r"-(\d+),(\d+)", group).groups())
        begin = first - (1 if count else 0)
        made += before[at:begin]
        at = begin
        for line in group.splitlines()[1:]:
            if line[0] in " -":
                assert before[at] == line[1:]
                at += 1
            if line[0] in " +":
                made.append(line[1:])
    return made + before[at:]


def test_the_diff_leads_from_the_text_of_one_to_that_of_the_other(tmp_path: pathlib.Path) -> None:
    for given in sorted(tool.TESTDATA.glob("golden/rknn_cst/*/*.in.onnxtxt")):
        made = tool.run([given, "-o", tmp_path / "out.onnxtxt"])
        if made.status != tool.DONE:
            continue
        (tmp_path / "in.onnx").write_bytes(onnx.parser.parse_model(given.read_text()).SerializeToString())
        before, after = (onnx.printer.to_text(model).splitlines() for model in (onnx.load(tmp_path / "in.onnx"), onnx.parser.parse_model((tmp_path / "out.onnxtxt").read_text())))
        diff = tool.run([given, "--diff"])
        assert diff.status == tool.DONE
        assert patched(before, diff.stdout.decode()) == after, given


def test_the_diff_has_no_weights_and_writes_nothing(tmp_path: pathlib.Path) -> None:
    model = model_of([helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("cstThreshold", ["h"], ["y"], name="t", domain="rknn_cst", threshold=0.5, value=1.0)], {"x": [2, 99]}, {"y": [2, 99]}, {"w": numpy.full((99, 99), 7.5, numpy.float32)})
    onnx.save(model, tmp_path / "in.onnx")
    done = tool.run(["in.onnx", "--diff"], cwd=tmp_path)
    assert done.status == tool.DONE and b"7.5" not in done.stdout and b"\n-   [t]" in done.stdout and b"\x1b" not in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["in.onnx"]
    assert b"\x1b[32m+" in tool.run(["in.onnx", "--diff", "--color", "always"], cwd=tmp_path).stdout
    assert tool.run(["in.onnx", "-o", "out.onnx", "--diff"], cwd=tmp_path).stdout == done.stdout.replace(b"in.onnx (lowered)", b"out.onnx")
    assert tool.run(["out.onnx", "--diff"], cwd=tmp_path).stdout == b""
    assert tool.run(["in.onnx", "-o", "-", "--diff"], cwd=tmp_path).status == tool.WRONG_USAGE


def test_a_pager_shows_the_diff_on_a_terminal(tmp_path: pathlib.Path) -> None:
    (tmp_path / "in.onnxtxt").write_text(TWO_THRESHOLDS)
    for pager, on_terminal in (("sed s/^/paged:/", True), ("sed s/^/paged:/", False), ("", True)):
        leader, follower = pty.openpty()
        target = follower if on_terminal else os.open(tmp_path / "plain", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        done = subprocess.Popen([tool.TOOL, "in.onnxtxt", "--diff", "--allow-unlowered", "-q"], cwd=tmp_path, stdout=target, stderr=subprocess.DEVNULL, env={**os.environ, "PAGER": pager})
        os.close(follower)
        shown = tool.shown_in_terminal(leader)
        assert done.wait() == tool.DONE
        if not on_terminal:
            shown = (tmp_path / "plain").read_text()
        assert ("paged:" in shown) == (bool(pager) and on_terminal) and "cstThreshold" in shown and ("\x1b[31m" in shown) == on_terminal
