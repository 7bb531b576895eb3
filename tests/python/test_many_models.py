# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Many models in one run: what is read, where it goes, what is told, what is skipped, and what is left when a run is killed."""
from __future__ import annotations

import collections
import json
import os
import pathlib
import pty
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper

import tool

pytestmark = pytest.mark.on_disk

TEXT = """
<ir_version: 8, opset_import: ["" : 15, "rknn_cst" : 1, "custom" : 1]>
network (float[n] x) => (float[n] y) {
  [first] a = rknn_cst.cstThreshold <threshold: float = 0.5, value: float = 2.0> (x)
  [second] y = custom.my_add (a, x)
}
"""
PLAIN = '<ir_version: 8, opset_import: ["" : 15]> network (float[n] x) => (float[n] y) { y = Relu (x) }'
UNKNOWN = '<ir_version: 8, opset_import: ["" : 15, "nobody" : 1]> network (float[n] x) => (float[n] y) { y = nobody.Knows (x) }'
LOST = '<ir_version: 8, opset_import: ["" : 15, "rknn_cst" : 1]> network (float[n] x) => (float[n] y) { y = rknn_cst.cstThreshold (x) }'
KNOWS = '<domain: "nobody", opset_import: ["" : 15]>\nKnows (x) => (y) { y = Neg (x) }\n'


def binary(text: str) -> bytes:
    return onnx.parser.parse_model(text).SerializeToString()


def model(number: int) -> bytes:
    return binary(TEXT.replace("0.5", f"{number}.5"))


def settle(*paths: pathlib.Path) -> None:
    """Waits until a change of these files would show in their times."""
    newest = max(max(path.stat().st_mtime, path.stat().st_ctime) for path in paths)
    time.sleep(max(0.0, newest + 2.1 - time.time()))


@pytest.fixture
def zoo(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "zoo"
    for number in range(12):
        path = folder / f"family{number % 3}" / f"m{number}.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model(number))
    (folder / "plain.onnx").write_bytes(binary(PLAIN))
    return folder


MODELS = 13


def lines_of(text: bytes | str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def many(arguments: Sequence[object], status: int = tool.DONE, **options) -> list[dict]:
    """Runs the tool; the results by the order in which they came."""
    result = tool.run(arguments, **options)
    assert result.status == status, str(result)
    return lines_of(result.stdout)


def statuses(results: list[dict]) -> dict[str, int]:
    return dict(collections.Counter(result["status"] for result in results))


def tree(folder: pathlib.Path) -> dict[str, bytes]:
    """All files, but for the records."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".onnx-lower" not in path.parts
    }


def alone(path: pathlib.Path, *arguments: object) -> bytes:
    return tool.lowered(path.read_bytes(), arguments)


# What is read and written


def test_a_folder_keeps_its_tree(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    results = many([zoo, "--output-dir", out])
    assert statuses(results) == {"lowered": 12, "unchanged": 1}
    wanted = {str(path.relative_to(zoo)): alone(path) for path in zoo.rglob("*.onnx")}
    assert tree(out) == wanted
    for result in results:
        assert result["output"] == str(out / pathlib.Path(result["input"]).relative_to(zoo))
        assert result["exit_status"] == 0 and result["error"] is None
        assert result["milliseconds"] >= 0 and result["peak_memory"] > 0
        if result["status"] == "lowered":
            assert result["lowered"] == {"rknn_cst::cstThreshold": 1, "custom::my_add": 1}
            assert result["nodes_before"] == 2 and result["nodes_after"] > 2


def test_files_keep_their_names(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    many([zoo / "family0" / "m0.onnx", zoo / "family1", zoo / "plain.onnx", "--output-dir", "out"], cwd=tmp_path)
    assert set(tree(tmp_path / "out")) == {"m0.onnx", "plain.onnx", "m1.onnx", "m4.onnx", "m7.onnx", "m10.onnx"}


def test_the_output_may_lie_in_the_folder_that_is_searched(zoo: pathlib.Path) -> None:
    assert len(many([".", "--output-dir", "out"], cwd=zoo)) == MODELS
    assert len(many([".", "--output-dir", "out"], cwd=zoo)) == MODELS, "the first run's outputs are no inputs of the second"


def test_links(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (zoo / "circle").symlink_to(zoo)
    (zoo / "linked.onnx").symlink_to(zoo / "plain.onnx")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "o.onnx").write_bytes(model(99))
    (zoo / "volume").symlink_to(tmp_path / "other")
    many([zoo, "--output-dir", tmp_path / "out"])
    assert {"linked.onnx", "volume/o.onnx"} <= set(tree(tmp_path / "out"))
    assert len(tree(tmp_path / "out")) == MODELS + 2


def test_two_models_with_one_output_are_refused_before_anything_runs(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "again").mkdir()
    shutil.copy(zoo / "plain.onnx", tmp_path / "again")
    for arguments in ([zoo, tmp_path / "again"], [zoo / "plain.onnx", zoo / "plain.onnx"]):
        result = tool.run([*arguments, "--output-dir", tmp_path / "out"])
        tool.assert_clean_refusal(result, tool.WRONG_USAGE)
        assert str(zoo / "plain.onnx") in result.stderr
        assert not (tmp_path / "out").exists()
    # Also by another way to the same folder, and in another shard.
    (tmp_path / "out").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path / "out")
    manifest = [{"input": str(zoo / "plain.onnx"), "output": str(tmp_path / folder / "p.onnx")} for folder in ("out", "alias")]
    for shard in ("1/3", "2/3", "3/3"):
        result = tool.run(["--manifest", "-", "--shard", shard], stdin=b"\n".join(json.dumps(line).encode() for line in manifest))
        tool.assert_clean_refusal(result, tool.WRONG_USAGE)
        assert "<stdin>:1" in result.stderr and "<stdin>:2" in result.stderr


def test_an_output_never_takes_an_inputs_place(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = tree(zoo)
    tool.assert_clean_refusal(tool.run([zoo, "--output-dir", zoo]), tool.WRONG_USAGE)
    chain = [("plain.onnx", "family0/m0.onnx"), ("family0/m0.onnx", "x.onnx")]
    for order in (chain, chain[::-1]):
        manifest = "\n".join(json.dumps({"input": source, "output": target}) for source, target in order)
        tool.assert_clean_refusal(tool.run(["--manifest", "-"], stdin=manifest.encode(), cwd=zoo), tool.WRONG_USAGE)
    # Where only the path with its links resolved tells.
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "plain.onnx").symlink_to(zoo / "plain.onnx")
    result = tool.run([zoo / "plain.onnx", "--output-dir", tmp_path / "out"])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "would be overwritten by the output of" in result.stderr
    assert tree(zoo) == before


@pytest.mark.parametrize("name", ["zoo.jsonl", "./zoo.jsonl", "folder/zoo.jsonl", "link", "hard"])
@pytest.mark.parametrize("place", ["report", "output"])
def test_the_manifest_is_not_overwritten(zoo: pathlib.Path, name: str, place: str) -> None:
    path = zoo / "zoo.jsonl"
    lines = [{"input": "family0/m0.onnx", "output": "good.onnx"}, {"input": "plain.onnx", "output": name if place == "output" else "b.onnx"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (zoo / "folder").symlink_to(".")
    (zoo / "link").symlink_to("zoo.jsonl")
    (zoo / "hard").hardlink_to(path)
    content = path.read_bytes()
    result = tool.run(["--manifest", "zoo.jsonl", *(["--report", name] if place == "report" else [])], cwd=zoo)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "manifest" in result.stderr, result.stderr
    assert path.read_bytes() == content and not (zoo / "good.onnx").exists()


@pytest.mark.parametrize("output", ["plain.onnx", "./plain.onnx", "folder/plain.onnx", "link.onnx", "hard.onnx"])
@pytest.mark.parametrize("first", [0, 1])
def test_an_output_is_no_model_of_another_line(zoo: pathlib.Path, output: str, first: int) -> None:
    (zoo / "folder").symlink_to(".")
    (zoo / "link.onnx").symlink_to("plain.onnx")
    (zoo / "hard.onnx").hardlink_to(zoo / "plain.onnx")
    lines = [{"input": "family0/m0.onnx", "output": output}, {"input": "plain.onnx", "output": "good.onnx"}]
    content = (zoo / "plain.onnx").read_bytes()
    result = tool.run(["--manifest", "-"], stdin="".join(json.dumps(line) + "\n" for line in (lines[first], lines[1 - first])).encode(), cwd=zoo)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert f"<stdin>:{first + 1}" in result.stderr or f"<stdin>:{2 - first}" in result.stderr
    assert (zoo / "plain.onnx").read_bytes() == content and not (zoo / "good.onnx").exists()


def test_an_output_that_is_the_input_by_a_link_of_another_line(zoo: pathlib.Path) -> None:
    (zoo / "link.onnx").symlink_to("plain.onnx")
    lines = [{"input": "link.onnx", "output": "good.onnx"}, {"input": "family0/m0.onnx", "output": "plain.onnx"}]
    result = tool.run(["--manifest", "-"], stdin="".join(json.dumps(line) + "\n" for line in lines).encode(), cwd=zoo)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert not (zoo / "good.onnx").exists()


@pytest.mark.parametrize("output", ["x.onnx", "./x.onnx", "folder/x.onnx", "link.onnx"])
def test_two_lines_with_one_output_by_links(zoo: pathlib.Path, output: str) -> None:
    (zoo / "folder").symlink_to(".")
    (zoo / "link.onnx").symlink_to("x.onnx")
    lines = [{"input": "family0/m0.onnx", "output": "x.onnx"}, {"input": "plain.onnx", "output": output}]
    result = tool.run(["--manifest", "-"], stdin="".join(json.dumps(line) + "\n" for line in lines).encode(), cwd=zoo)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "two models have the same output" in result.stderr and not (zoo / "x.onnx").exists()


@pytest.mark.parametrize("report", ["plain.onnx", "link", "hard", "good.onnx", "coming"])
def test_the_report_of_many_models_is_no_model(zoo: pathlib.Path, report: str) -> None:
    (zoo / "link").symlink_to("plain.onnx")
    (zoo / "hard").hardlink_to(zoo / "plain.onnx")
    (zoo / "coming").symlink_to("good.onnx")
    content = (zoo / "plain.onnx").read_bytes()
    result = tool.run(["--manifest", "-", "--report", report], stdin=b'{"input": "plain.onnx", "output": "good.onnx"}', cwd=zoo)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert report in result.stderr and "one of the models" in result.stderr
    assert (zoo / "plain.onnx").read_bytes() == content and not (zoo / "good.onnx").exists()


@pytest.mark.parametrize("output", ["rules.onnxtxt", "link", "hard"])
def test_rules_are_not_overwritten_by_outputs(zoo: pathlib.Path, output: str) -> None:
    (zoo / "rules.onnxtxt").write_text('<domain: "d", opset_import: ["" : 17]>\nF (x) => (y) { y = Neg (x) }\n')
    (zoo / "link").symlink_to("rules.onnxtxt")
    (zoo / "hard").hardlink_to(zoo / "rules.onnxtxt")
    content = (zoo / "rules.onnxtxt").read_bytes()
    line = {"input": "plain.onnx", "output": output, "rules": "rules.onnxtxt"}
    result = tool.run(["--manifest", "-"], stdin=json.dumps(line).encode(), cwd=zoo)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "a file of rules" in result.stderr and (zoo / "rules.onnxtxt").read_bytes() == content


def test_an_output_that_is_a_hard_link_to_its_input(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """As `cp -al` makes them: an output takes the place of the name, not of the content."""
    before = tree(zoo)
    (tmp_path / "out").mkdir()
    for name in ("plain.onnx", "family0/m0.onnx"):
        (tmp_path / "out" / name).parent.mkdir(exist_ok=True)
        os.link(zoo / name, tmp_path / "out" / name)
    settle(zoo / "plain.onnx")
    assert statuses(many([zoo, "--output-dir", tmp_path / "out"])) == {"lowered": MODELS - 1, "unchanged": 1}
    assert tree(zoo) == before
    assert not (tmp_path / "out" / "plain.onnx").samefile(zoo / "plain.onnx")
    assert statuses(many([zoo, "--output-dir", tmp_path / "out"])) == {"up_to_date": MODELS}


def test_the_folder_of_the_models_is_not_that_of_the_outputs(zoo: pathlib.Path) -> None:
    result = tool.run([zoo, "--output-dir", zoo / "family0" / ".."])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "the models lie in this folder" in result.stderr


@pytest.mark.parametrize("output", ["../m.onnx", "a/../../m.onnx", "/m.onnx"])
def test_an_output_stays_below_the_output_folder(zoo: pathlib.Path, tmp_path: pathlib.Path, output: str) -> None:
    manifest = json.dumps({"input": str(zoo / "plain.onnx"), "output": output})
    result = tool.run(["--manifest", "-", "--output-dir", tmp_path / "out"], stdin=manifest.encode())
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "leaves --output-dir" in result.stderr and not (tmp_path / "m.onnx").exists()


@pytest.mark.parametrize("report", ["zoo/plain.onnx", "out/plain.onnx"])
def test_the_report_is_none_of_the_models(zoo: pathlib.Path, tmp_path: pathlib.Path, report: str) -> None:
    before = tree(zoo)
    path = zoo / "plain.onnx" if report.startswith("zoo") else tmp_path / report
    result = tool.run([zoo, "--output-dir", tmp_path / "out", "--report", path])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "one of the models" in result.stderr and tree(zoo) == before


def test_two_models_that_want_one_data_file(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """One brings data along under the name that the other's split would give its own: nothing is written."""
    (tmp_path / "in").mkdir()
    for name, value in (("a", 1.0), ("b", 2.0)):
        weights = numpy_helper.from_array(np.full(1024, value, np.float32), "w")
        infos = [helper.make_tensor_value_info(key, TensorProto.FLOAT, [1024]) for key in ("x", "y")]
        graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g", infos[:1], infos[1:], [weights])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        external = {"save_as_external_data": True, "location": "b.onnx.data", "size_threshold": 0} if name == "a" else {}
        onnx.save(model, tmp_path / "in" / f"{name}.onnx", **external)
    manifest = [{"input": "in/a.onnx", "output": "a.onnx"}, {"input": "in/b.onnx", "output": "b.onnx", "external-data": "split"}]
    content = "\n".join(map(json.dumps, manifest)).encode()
    result = tool.run(["--manifest", "-", "--output-dir", "out", "-j", "2"], stdin=content, cwd=tmp_path)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "in/a.onnx" in result.stderr and "in/b.onnx" in result.stderr and not (tmp_path / "out").exists()


def test_no_models_are_a_mistake(tmp_path: pathlib.Path) -> None:
    (tmp_path / "empty").mkdir()
    result = tool.run([tmp_path / "empty", "--output-dir", tmp_path / "out"])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "no .onnx file" in result.stderr


def test_unusual_names(tmp_path: pathlib.Path) -> None:
    zoo = tmp_path / "zoo"
    zoo.mkdir()
    for name in ("a b.onnx", "ünï.onnx", 'quo"te.onnx', "new\nline.onnx", "x" * 250 + ".onnx", "-o.onnx"):
        (zoo / name).write_bytes(model(1))
    (zoo / os.fsdecode(b"byte\xff.onnx")).write_bytes(model(1))
    assert statuses(many([zoo, "--output-dir", tmp_path / "out"])) == {"lowered": 7}
    assert tree(tmp_path / "out").keys() == tree(zoo).keys()
    assert statuses(many([zoo, "--output-dir", tmp_path / "out"])) == {"up_to_date": 7}


def test_check_writes_nothing(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    results = many(["--check", zoo], tool.NEEDS_LOWERING)
    assert statuses(results) == {"lowered": 12, "unchanged": 1}
    assert all(result["output"] is None for result in results)
    (zoo / "bad.onnx").write_bytes(binary(UNKNOWN))
    results = many(["--check", zoo / "bad.onnx", zoo / "plain.onnx"], tool.SOME_FAILED)
    assert statuses(results) == {"failed": 1, "unchanged": 1}
    (zoo / "bad.onnx").unlink()
    assert sorted(tmp_path.rglob("*")) == before


# The manifest


def manifest(path: pathlib.Path, lines: Sequence[dict]) -> pathlib.Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_manifest_with_options_for_each_model(tmp_path: pathlib.Path) -> None:
    (tmp_path / "lost.onnx").write_bytes(binary(LOST))
    (tmp_path / "unknown.onnx").write_bytes(binary(UNKNOWN))
    (tmp_path / "mine.onnxtxt").write_text(KNOWS)
    threshold = "rknn_cst::cstThreshold.threshold=0.25"
    lines = [
        {"input": "lost.onnx", "output": "a.onnx", "set": [threshold, "rknn_cst::cstThreshold.value=1.0"], "id": {"any": ["thing", 1]}},
        {"input": "lost.onnx", "output": "deep/er/b.onnx", "keep": "rknn_cst"},
        {"input": "lost.onnx", "output": "c.onnx", "allow_unlowered": True},
        {"input": "unknown.onnx", "output": "d.onnx", "rules": ["mine.onnxtxt"], "target_opset": 17},
        {"input": "unknown.onnx", "output": "e.onnx"},
        {"input": "lost.onnx", "output": "f.onnx", "set": [threshold]},
        {"input": "unknown.onnx", "output": "g.onnx", "rules": "mine.onnxtxt", "attach": True},
    ]
    manifest(tmp_path / "m.jsonl", lines)
    common = ["--set", "rknn_cst::cstThreshold.value=3.0"]
    results = {result["output"]: result for result in many(["--manifest", "m.jsonl", *common], tool.SOME_FAILED, cwd=tmp_path)}
    assert {name: result["status"] for name, result in results.items()} == {
        "a.onnx": "lowered", "deep/er/b.onnx": "unchanged", "c.onnx": "unchanged", "d.onnx": "lowered", "e.onnx": "failed", "f.onnx": "lowered",
        "g.onnx": "lowered",
    }
    assert results["g.onnx"]["attached"] == {"nobody::Knows": 1} and results["d.onnx"]["attached"] == {}
    assert results["a.onnx"]["id"] == {"any": ["thing", 1]} and "id" not in results["d.onnx"]
    assert results["c.onnx"]["unlowered"] == {"rknn_cst::cstThreshold": 1}
    assert results["e.onnx"]["exit_status"] == tool.NOT_LOWERED and "nobody::Knows" in results["e.onnx"]["error"]
    lost = tmp_path / "lost.onnx"
    assert (tmp_path / "f.onnx").read_bytes() == alone(lost, *common, "--set", threshold)
    assert (tmp_path / "d.onnx").read_bytes() == alone(tmp_path / "unknown.onnx", "--rules", tmp_path / "mine.onnxtxt", "--target-opset", 17)
    assert (tmp_path / "deep" / "er" / "b.onnx").read_bytes() == lost.read_bytes()


def test_manifest_without_outputs(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lines = "\ufeff" + "\r\n\r\n".join(json.dumps({"input": f"zoo/family0/m{number}.onnx"}) for number in (0, 3))
    many(["--manifest", "-", "--output-dir", "out"], stdin=lines.encode(), cwd=tmp_path)
    assert set(tree(tmp_path / "out")) == {"zoo/family0/m0.onnx", "zoo/family0/m3.onnx"}
    assert many(["--manifest", "-", "--check"], tool.NEEDS_LOWERING, stdin=lines.encode(), cwd=tmp_path)
    assert many(["--manifest", "-", "--output-dir", "out"], stdin=b"") == []


@pytest.mark.parametrize(
    "line, complaint",
    [
        ("nonsense", "not a JSON object"),
        ("[1]", "must be an object"),
        ('{"output": "b.onnx"}', '"input" is missing'),
        ('{"input": "zoo/plain.onnx"}', "no --output-dir"),
        ('{"input": 3, "output": "b.onnx"}', '"input" must be a path'),
        ('{"input": "-", "output": "b.onnx"}', "is none"),
        ('{"input": "zoo/plain.onnx", "output": "-"}', "is none"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "ste": ["a::b.c=1"]}', '"ste" is no key: did you mean "set"?'),
        ('{"input": "zoo/plain.onnx", "outptu": "b.onnx"}', '"outptu" is no key: did you mean "output"?'),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "target-opsets": 17}', 'did you mean "target_opset"?'),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "frobnicate": 17}', '"frobnicate" is no key'),
        ('{"input": "zoo/plain.onnx" "output": "b.onnx"}', "there is an error at column 35"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "id": 1e999}', "a number is too large"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "target_opset": 99999999}', "the newest that is known is"),
        ('{"input": "zoo/pl\\u0000ain.onnx", "output": "b.onnx"}', '"input" holds a NUL character'),
        ('{"input": "zoo/plain.onnx", "output": "b\\u0000.onnx"}', '"output" holds a NUL character'),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "rules": ["a\\u0000"]}', '"rules" holds a NUL character'),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "id": ' + "[" * 101 + "]" * 101 + "}", "nested deeper than 100 levels"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "id": ' + '{"a":' * 100_000 + "1" + "}" * 100_001, "nested deeper than 100 levels"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "set": ["nonsense"]}', "nonsense"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "set": {"a": 1}}', "must be text"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "jobs": 3}', "whole run"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "target_opset": 17, "target_opset": 18}', '"target_opset" is there twice'),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "attach": true, "expand": true}', "do not go together"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "report": "x"}', "whole run"),
        ('{"input": "zoo/plain.onnx", "output": "b.onnx", "target_opset": "new"}', "target-opset"),
    ],
)
def test_manifest_that_makes_no_sense(zoo: pathlib.Path, line: str, complaint: str) -> None:
    good = json.dumps({"input": "zoo/family0/m0.onnx", "output": "good.onnx"})
    result = tool.run(["--manifest", "-"], stdin=f"{good}\n{line}\n".encode(), cwd=zoo.parent)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "<stdin>:2" in result.stderr and complaint in result.stderr, result.stderr
    assert not (zoo.parent / "good.onnx").exists(), "nothing runs before the whole manifest was read"


@pytest.mark.parametrize("path", ["/absolute/a.onnx", "../a.onnx", "a/../../b.onnx"])
def test_manifest_with_inputs_that_say_no_output(tmp_path: pathlib.Path, path: str) -> None:
    result = tool.run(["--manifest", "-", "--output-dir", "out"], stdin=json.dumps({"input": path}).encode(), cwd=tmp_path)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)


def test_manifest_that_is_not_there(tmp_path: pathlib.Path) -> None:
    tool.assert_clean_refusal(tool.run(["--manifest", tmp_path / "none.jsonl"]), tool.FILE_ERROR)


def test_large_manifest(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lines = [{"input": "zoo/plain.onnx", "output": f"out/{number % 1000}/{number}.onnx"} for number in range(100_000)]
    manifest(tmp_path / "m.jsonl", lines)
    start = time.monotonic()
    first = many(["--manifest", "m.jsonl", "--shard", "17/10000"], cwd=tmp_path)
    assert 1 <= len(first) <= 40
    assert time.monotonic() - start < 30
    # The same model is in the same shard whatever else the manifest has.
    manifest(tmp_path / "m.jsonl", random.Random(1).sample(lines, 50_000) + [{"input": "zoo/plain.onnx", "output": f"new/{n}.onnx"} for n in range(50_000)])
    second = many(["--manifest", "m.jsonl", "--shard", "17/10000"], cwd=tmp_path)
    kept = {line["output"] for line in lines_of((tmp_path / "m.jsonl").read_text())}
    assert {result["output"] for result in second if result["output"].startswith("out/")} == {result["output"] for result in first} & kept


# Shards


def test_shards_are_a_partition(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    whole = {result["input"] for result in many(["--check", zoo], tool.NEEDS_LOWERING)}
    parts = [{result["input"] for result in many([zoo, "--output-dir", tmp_path / "out", "--shard", f"{index}/4"])} for index in range(1, 5)]
    assert sum(map(len, parts)) == len(whole) == MODELS and set().union(*parts) == whole
    many([zoo, "--output-dir", tmp_path / "together"])
    assert tree(tmp_path / "out") == tree(tmp_path / "together")
    (zoo / "family0" / "added.onnx").write_bytes(model(100))
    for index, part in enumerate(parts, 1):
        now = {result["input"] for result in many([zoo, "--output-dir", tmp_path / "out", "--shard", f"{index}/4"])}
        assert now - part <= {str(zoo / "family0" / "added.onnx")} and part <= now


def test_shards_do_not_depend_on_where_the_folder_is(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    shutil.copytree(zoo, tmp_path / "elsewhere")
    here, there = ({pathlib.Path(result["input"]).name for result in many([folder, "--output-dir", tmp_path / folder.name / "out", "--shard", "2/3"])}
                   for folder in (zoo, tmp_path / "elsewhere"))
    assert here == there


# What is up to date


def test_nothing_is_done_twice(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    first = {result["input"]: result for result in many([zoo, "--output-dir", out])}
    stamps = {path: path.stat().st_mtime_ns for path in out.rglob("*.onnx")}
    settle(*zoo.rglob("*.onnx"))
    for turn in range(2):  # the first compares contents, since the models were new; the second looks at times only
        results = many([zoo, "--output-dir", out])
        assert statuses(results) == {"up_to_date": MODELS}
        for result in results:
            assert {key: result[key] for key in ("output", "lowered", "nodes_after")} == {key: first[result["input"]][key] for key in ("output", "lowered", "nodes_after")}
            assert ("peak_memory" in result) == (turn == 0), "only a process has a memory of its own"
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.onnx")} == stamps
    assert statuses(many([zoo, "--output-dir", out, "--force"])) == {"lowered": 12, "unchanged": 1}


def test_a_copy_of_the_same_content_is_up_to_date(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    many([zoo, "--output-dir", tmp_path / "out"])
    shutil.copytree(zoo, tmp_path / "copy")  # other inodes and times
    shutil.copytree(tmp_path / "out", tmp_path / "restored")
    assert statuses(many([tmp_path / "copy", "--output-dir", tmp_path / "restored"])) == {"up_to_date": MODELS}


def redone(zoo: pathlib.Path, out: pathlib.Path, *arguments: object) -> set[str]:
    return {pathlib.Path(result["input"]).name for result in many([zoo, "--output-dir", out, *arguments]) if result["status"] != "up_to_date"}


def test_a_changed_model_is_done_again(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out, target = tmp_path / "out", zoo / "family1" / "m1.onnx"
    many([zoo, "--output-dir", out])
    settle(*zoo.rglob("*.onnx"))
    assert redone(zoo, out) == set()
    # Of the same size, with its old times put back, and in the same place on disk.
    old = target.stat()
    with target.open("r+b") as file:
        file.write(model(7))
    os.utime(target, ns=(old.st_atime_ns, old.st_mtime_ns))
    new = target.stat()
    assert (new.st_size, new.st_mtime_ns, new.st_ino) == (old.st_size, old.st_mtime_ns, old.st_ino)
    assert redone(zoo, out) == {"m1.onnx"}
    assert (out / "family1" / "m1.onnx").read_bytes() == tool.lowered(model(7))
    assert redone(zoo, out) == set()


def test_a_change_right_after_the_run_is_seen(tmp_path: pathlib.Path) -> None:
    """Where the times of a file cannot tell, since it is written again within the same step of the clock."""
    source, out = tmp_path / "a.onnx", tmp_path / "out"
    for number in range(5):
        source.write_bytes(model(number))
        os.utime(source, ns=(10**18, 10**18))
        (result,) = many([source, "--output-dir", out])
        assert result["status"] == "lowered"
        assert (out / "a.onnx").read_bytes() == tool.lowered(model(number))


def test_a_damaged_or_missing_output_is_made_again(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    many([zoo, "--output-dir", out])
    wanted = tree(out)
    (out / "plain.onnx").unlink()
    damaged = out / "family0" / "m0.onnx"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    (out / "family2" / "m2.onnx").write_bytes(b"")
    assert redone(zoo, out) == {"plain.onnx", "m0.onnx", "m2.onnx"}
    assert tree(out) == wanted


def test_a_damaged_record_is_no_record(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    many([zoo, "--output-dir", out])
    records = sorted(out.rglob(".onnx-lower/*.json"))
    assert len(records) == MODELS
    records[0].write_bytes(b"")
    records[1].write_bytes(records[1].read_bytes()[:-20])
    records[2].write_text('{"format": 99}')
    records[3].unlink()
    assert len(redone(zoo, out)) == 4
    assert redone(zoo, out) == set()


def test_options_that_matter_and_options_that_do_not(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    run = (zoo / "family0", out)
    assert len(redone(*run)) == 4
    assert redone(*run, "-j", 1, "-v", "--color", "never", "--timeout", 60, "--report", "-") == set()
    for option in (["--target-opset", 17], ["--keep", "custom"], ["--set", "rknn_cst::cstThreshold.value=7.0"], ["--target", "onnxruntime"]):
        assert len(redone(*run, *option)) == 4
        assert redone(*run, *option) == set()
    assert len(redone(*run)) == 4, "the outputs at hand are those of the last options"


def test_a_changed_rule(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.onnx").write_bytes(binary(UNKNOWN))
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "mine.onnxtxt").write_text(KNOWS)
    run = ([tmp_path / "a.onnx", "--output-dir", tmp_path / "out", "--rules", rules])
    assert statuses(many(run)) == {"lowered": 1}
    shutil.move(rules, tmp_path / "moved")
    assert statuses(many([*run[:-1], tmp_path / "moved"])) == {"up_to_date": 1}, "what rules say counts, not where they are"
    (tmp_path / "moved" / "mine.onnxtxt").write_text(KNOWS.replace("Neg", "Abs"))
    assert statuses(many([*run[:-1], tmp_path / "moved"])) == {"lowered": 1}
    assert b"Abs" in (tmp_path / "out" / "a.onnx").read_bytes()
    (tmp_path / "moved" / "another.onnxtxt").write_text(KNOWS.replace("Knows", "Else"))
    assert statuses(many([*run[:-1], tmp_path / "moved"])) == {"lowered": 1}


def test_another_build_of_the_tool(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    other = tmp_path / "onnx-lower"
    shutil.copy2(tool.TOOL, other)
    with other.open("ab") as file:
        file.write(b"another version")
    run = [zoo, "--output-dir", tmp_path / "out"]
    many(run)
    again = subprocess.run([other, *run], capture_output=True, check=True)
    assert statuses(lines_of(again.stdout)) == {"lowered": 12, "unchanged": 1}
    same = tmp_path / "same"
    shutil.copy2(other, same)
    assert statuses(lines_of(subprocess.run([same, *run], capture_output=True, check=True).stdout)) == {"up_to_date": MODELS}


def with_external_data(folder: pathlib.Path, name: str, location: str) -> pathlib.Path:
    weights = np.arange(4096, dtype=np.float32)
    graph = helper.make_graph(
        [helper.make_node("my_add", ["x", "w"], ["y"], domain="custom")], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4096])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4096])],
        [onnx.numpy_helper.from_array(weights, "w")])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15), helper.make_opsetid("custom", 1)], ir_version=8)
    folder.mkdir(exist_ok=True)
    onnx.save(proto, folder / name, save_as_external_data=True, location=location, size_threshold=0)
    return folder / name


def test_external_data_counts(tmp_path: pathlib.Path) -> None:
    zoo, out = tmp_path / "zoo", tmp_path / "out"
    source = with_external_data(zoo, "a.onnx", "w.bin")
    weights = zoo / "w.bin"
    settle(source, weights)
    assert redone(zoo, out) == {"a.onnx"}
    assert (out / "w.bin").read_bytes() == weights.read_bytes()
    assert redone(zoo, out) == set()
    old = weights.stat()
    with weights.open("r+b") as file:
        file.write(b"\1\2\3\4")
    os.utime(weights, ns=(old.st_atime_ns, old.st_mtime_ns))
    settle(weights)
    assert redone(zoo, out) == {"a.onnx"}
    assert (out / "w.bin").read_bytes() == weights.read_bytes()
    (out / "w.bin").unlink()
    assert redone(zoo, out) == {"a.onnx"}
    assert (out / "w.bin").exists()
    assert redone(zoo, out) == set()


def test_models_may_share_external_data(tmp_path: pathlib.Path) -> None:
    zoo, out = tmp_path / "zoo", tmp_path / "out"
    sources = [with_external_data(zoo, f"{name}.onnx", "w.bin") if name == "a" else zoo / f"{name}.onnx" for name in "abcdefgh"]
    for other in sources[1:]:
        shutil.copy(sources[0], other)
    settle(*zoo.iterdir())
    assert len(redone(zoo, out, "-j", 8)) == 8
    assert redone(zoo, out) == set()
    assert set(tree(out)) == {path.name for path in zoo.iterdir()}


def test_external_data_of_one_name_never_mix(tmp_path: pathlib.Path) -> None:
    """Models from many folders, each with weights of the same name and other content, written into one folder."""
    for number in range(6):
        with_external_data(tmp_path / f"in{number}", f"m{number}.onnx", "w.bin")
        weights = tmp_path / f"in{number}" / "w.bin"
        weights.write_bytes(bytes([number]) * weights.stat().st_size)
    models = [tmp_path / f"in{number}" / f"m{number}.onnx" for number in range(6)]
    result = tool.run([*models, "--output-dir", tmp_path / "out", "-j", 6])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "would be overwritten" in result.stderr and not (tmp_path / "out").exists()
    assert statuses(many([*models, "--output-dir", tmp_path / "embedded", "-j", 6, "--external-data", "embed"])) == {"lowered": 6}
    # New, also where the run before took its time.
    for number in range(6):
        os.utime(tmp_path / f"in{number}" / "w.bin", (time.time() + 3,) * 2)
    assert statuses(many([*models, "--output-dir", tmp_path / "parts", "-j", 6, "--external-data", "split"])) == {"lowered": 6}
    for number in range(6):
        assert (tmp_path / "parts" / f"m{number}.onnx.data").read_bytes().startswith(bytes([number]) * 4096)
    settle(*tmp_path.glob("in*/*"))
    assert statuses(many([*models, "--output-dir", tmp_path / "parts", "--external-data", "split"]))["lowered"] == 6, "new data are not trusted"
    assert statuses(many([*models, "--output-dir", tmp_path / "parts", "--external-data", "split"])) == {"up_to_date": 6}
    (tmp_path / "parts" / "m3.onnx.data").unlink()
    assert statuses(many([*models, "--output-dir", tmp_path / "parts", "--external-data", "split"])) == {"up_to_date": 5, "lowered": 1}
    assert (tmp_path / "parts" / "m3.onnx.data").exists()


# Failures


def test_a_failed_model_stops_no_other(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (zoo / "bad.onnx").write_bytes(binary(UNKNOWN))
    (zoo / "nonsense.onnx").write_bytes(b"no model at all")
    (zoo / "dangling.onnx").symlink_to("nowhere")
    result = tool.run([zoo, "--output-dir", tmp_path / "out"])
    assert result.status == tool.SOME_FAILED, str(result)
    results = {pathlib.Path(line["input"]).name: line for line in lines_of(result.stdout)}
    failed = {name: line["exit_status"] for name, line in results.items() if line["status"] == "failed"}
    assert failed == {"bad.onnx": tool.NOT_LOWERED, "nonsense.onnx": tool.INVALID_INPUT, "dangling.onnx": tool.FILE_ERROR}
    assert len(results) == MODELS + 3 and len(tree(tmp_path / "out")) == MODELS
    for name in failed:
        assert str(zoo / name) in result.stderr
        assert results[name]["error"] and "\x1b" not in results[name]["error"]
    summary = result.stderr.splitlines()[-4:]
    assert summary[0].startswith(f"{MODELS + 3} models: 12 lowered, 1 unchanged, 0 up to date, 3 failed;")
    assert {line.split("failed: ")[1] for line in summary[1:]} == {str(zoo / name) for name in failed}
    # They are tried again, and the others are not.
    (zoo / "bad.onnx").write_bytes(binary(PLAIN))
    again = {pathlib.Path(line["input"]).name: line["status"] for line in many([zoo, "--output-dir", tmp_path / "out"], tool.SOME_FAILED)}
    assert {name for name, status in again.items() if status != "up_to_date"} == set(failed) and again["bad.onnx"] == "unchanged"


def test_messages_in_colour_leave_no_trace_in_results(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bad.onnx").write_bytes(binary(UNKNOWN))
    result = tool.run([tmp_path / "bad.onnx", "--output-dir", tmp_path / "out", "--color", "always"])
    assert "\x1b[" in result.stderr and b"\\u001b" not in result.stdout and b"\x1b" not in result.stdout


def fifo_zoo(zoo: pathlib.Path) -> pathlib.Path:
    """A model that nobody ever writes: its process waits, for as long as the test wants."""
    path = zoo / "slow.onnx"
    target = zoo.parent / "fifo"
    os.mkfifo(target)
    path.symlink_to(target)
    return path


def child_of(process: int, wait: float = 60) -> int:
    """The one process that the run keeps at work: the one that stays, for another that is about to end may be the only one for a moment."""
    end = time.monotonic() + wait
    seen: list[str] = []
    since = time.monotonic()
    while time.monotonic() < end:
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
        if children != seen:
            seen, since = children, time.monotonic()
        if len(seen) == 1 and time.monotonic() - since > 1.5:
            return int(seen[0])
        time.sleep(0.02)
    raise AssertionError("there is no process for the model")


def start_with_slow_model(zoo: pathlib.Path, out: pathlib.Path, *arguments: object) -> tuple[subprocess.Popen, int]:
    fifo_zoo(zoo)
    # A job in the background begins with SIGINT ignored, one that outlives its terminal with SIGHUP, and what it starts would leave it so.
    process = subprocess.Popen(
        [tool.TOOL, zoo, "--output-dir", out, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)],
    )
    end = time.monotonic() + 30
    while len(list(out.rglob(".onnx-lower/*.json"))) < MODELS:
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.02)
    return process, child_of(process.pid)


# Not SIGSEGV, which the sanitizers catch.
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGXCPU, signal.SIGABRT])
def test_a_process_that_dies_is_one_failed_model(zoo: pathlib.Path, tmp_path: pathlib.Path, number: signal.Signals) -> None:
    process, child = start_with_slow_model(zoo, tmp_path / "out")
    os.kill(child, number)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == tool.SOME_FAILED
    failed = [result for result in lines_of(stdout) if result["status"] == "failed"]
    assert len(failed) == 1 and failed[0]["input"] == str(zoo / "slow.onnx")
    assert number.name in failed[0]["error"] and failed[0]["signal"] == number and failed[0]["exit_status"] == 128 + number
    assert number.name in stderr.decode() and str(zoo / "slow.onnx") in stderr.decode()
    assert len(tree(tmp_path / "out")) == MODELS


def test_a_model_that_takes_too_long(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    fifo_zoo(zoo)
    results = many([zoo, "--output-dir", tmp_path / "out", "--timeout", 1.5], tool.SOME_FAILED)
    (failed,) = [result for result in results if result["status"] == "failed"]
    assert failed["input"] == str(zoo / "slow.onnx") and "--timeout" in failed["error"]
    assert len(tree(tmp_path / "out")) == MODELS


def test_memory_that_runs_out_is_one_failed_model(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    if tool.SANITIZED:
        pytest.skip("the sanitizer's shadow memory does not fit under any limit")
    (zoo / "huge.onnx").symlink_to("/dev/zero")

    def limit() -> None:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

    results = many([zoo, "--output-dir", tmp_path / "out"], tool.SOME_FAILED, preexec_fn=limit)
    (failed,) = [result for result in results if result["status"] == "failed"]
    assert failed["input"] == str(zoo / "huge.onnx") and "memory" in failed["error"]
    assert len(results) == MODELS + 1


# What is told


def test_report_goes_to_a_file(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    result = tool.run([zoo, "--output-dir", tmp_path / "out", "--report", tmp_path / "r.jsonl"])
    assert not result.stdout and len(lines_of((tmp_path / "r.jsonl").read_text())) == MODELS
    assert result.stderr == result.stderr.splitlines()[-1] + "\n", "one line in a pipe: no progress bar"
    quiet = tool.run([zoo, "--output-dir", tmp_path / "out", "--report", "-", "-q"])
    assert len(lines_of(quiet.stdout)) == MODELS and not quiet.stderr
    loud = tool.run([zoo, "--output-dir", tmp_path / "out", "--force", "-v"])
    assert "by rules/rknn_cst/cstThreshold.onnxtxt" in loud.stderr


def test_report_that_cannot_be_written(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    result = tool.run([zoo, "--output-dir", tmp_path / "out", "--report", tmp_path])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert not tree(tmp_path / "out")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([tool.TOOL, zoo, "--output-dir", tmp_path / "out"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == tool.FILE_ERROR and b"standard output" in done.stderr


def test_a_setting_that_fits_no_model_is_worth_a_word(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for name, words in (("custom::nothing.a=1", True), ("rknn_cst::cstThreshold.value=1.0", False)):
        result = tool.run([zoo, "--output-dir", tmp_path / "out", "--set", name])
        assert (name in result.stderr) == words, result.stderr


def test_an_assumption_is_a_warning_once(tmp_path: pathlib.Path) -> None:
    for name in "abc":
        (tmp_path / "zoo" / name).mkdir(parents=True)
        shutil.copy(tool.TESTDATA / "cases" / "dcn_lossy_dyn" / "model.onnx", tmp_path / "zoo" / name)
    result = tool.run([tmp_path / "zoo", "--output-dir", tmp_path / "out"])
    assert result.status == tool.DONE, str(result)
    assert all("which no known shape contradicts" in line["assumptions"][0] for line in lines_of(result.stdout))
    told = [line for line in result.stderr.splitlines() if "if that is not so, say it with --set" in line]
    assert len(told) == 2 and told[1].endswith("(in 3 models)"), result.stderr
    assert "warning" not in tool.run([tmp_path / "zoo", "--output-dir", tmp_path / "quiet", "-q"]).stderr


def test_progress_on_a_terminal(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    fifo_zoo(zoo)
    main, terminal = pty.openpty()
    process = subprocess.Popen([tool.TOOL, zoo, "--output-dir", tmp_path / "out", "-j1", "--timeout", "1"], stdout=terminal, stderr=terminal,
                               env={**os.environ, "TERM": "xterm"})
    os.close(terminal)
    text = b""
    try:
        while chunk := os.read(main, 65536):
            text += chunk
    except OSError:  # the terminal's way to say that nobody is at its other end
        pass
    os.close(main)
    assert process.wait(timeout=60) == tool.SOME_FAILED
    assert b"%" in text and b"\x1b[K" in text, "there is a bar, and it is cleared"
    assert b'"status"' not in text, "a terminal is for people"
    assert f"{MODELS + 1} models: 12 lowered, 1 unchanged, 0 up to date, 1 failed".encode() in text


# Runs that end early


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_and_leaves_what_is_done(zoo: pathlib.Path, tmp_path: pathlib.Path, number: signal.Signals) -> None:
    out = tmp_path / "out"
    process, child = start_with_slow_model(zoo, out)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == -number, "as the signal alone would have ended it"
    assert len(lines_of(stdout)) == MODELS and b"interrupted: 13 of 14 models done" in stderr
    assert not pathlib.Path(f"/proc/{child}").exists()
    assert not [path for path in out.rglob("*") if path.name.endswith(".tmp")]
    (zoo / "slow.onnx").unlink()
    assert redone(zoo, out) == set()


def test_processes_end_with_the_run_that_is_killed(zoo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    process, child = start_with_slow_model(zoo, tmp_path / "out")
    process.kill()
    process.communicate(timeout=30)
    end = time.monotonic() + 10
    while pathlib.Path(f"/proc/{child}").exists() and "\nState:\tZ" not in pathlib.Path(f"/proc/{child}/status").read_text():
        assert time.monotonic() < end, "the process of the model lives on"
        time.sleep(0.02)


def test_killed_at_any_point_and_resumed(tmp_path: pathlib.Path) -> None:
    """However often and wherever a run is killed, what is there in the end is what an undisturbed run makes, and nothing was done twice."""
    zoo, out = tmp_path / "zoo", tmp_path / "out"
    count = 150
    for number in range(count):
        path = zoo / f"f{number % 7}" / f"{number}.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model(number))
    dice = random.Random(4711)
    lowered: collections.Counter[str] = collections.Counter()
    kills = 0
    for turn in range(200):
        with open(tmp_path / f"{turn}.jsonl", "wb") as report:
            process = subprocess.Popen([tool.TOOL, zoo, "--output-dir", out, "-j2", "-q"], stdout=report)
        try:
            process.wait(timeout=dice.uniform(0.005, 0.08) if kills < 25 else 60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
        results = lines_of((tmp_path / f"{turn}.jsonl").read_bytes())
        assert not [result for result in results if result["status"] == "failed"]
        lowered.update(result["input"] for result in results if result["status"] == "lowered")
        if process.returncode == 0:
            break
    assert process.returncode == 0 and kills >= 3, "it was killed too late to prove anything"
    assert len(results) == count
    assert max(lowered.values()) == 1, "what was told to be lowered is not lowered again"
    many([zoo, "--output-dir", tmp_path / "undisturbed"])
    assert tree(out) == tree(tmp_path / "undisturbed")


def test_two_runs_at_once_share_the_work(tmp_path: pathlib.Path) -> None:
    """As when a machine that was given up for lost works on: a model is lowered by one of them, and the other finds it done."""
    zoo, out = tmp_path / "zoo", tmp_path / "out"
    zoo.mkdir()
    for number in range(100):
        (zoo / f"{number}.onnx").write_bytes(model(number))
    processes = [subprocess.Popen([tool.TOOL, zoo, "--output-dir", out, "-j2", "-q"], stdout=subprocess.PIPE) for _ in range(3)]
    lowered = collections.Counter(
        result["input"] for process in processes for result in lines_of(process.communicate(timeout=60)[0]) if result["status"] == "lowered")
    assert all(process.returncode == 0 for process in processes)
    assert len(lowered) == 100 and set(lowered.values()) == {1}
