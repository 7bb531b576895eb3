# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--check says where a model runs, and why it does not elsewhere."""
import json
import pathlib
import re
import time

import onnx
import pytest
import tool
from onnx import parser

PLAIN = '<ir_version: 7, opset_import: ["": 13]> g (float[2,3] x) => (float[2,3] y) { y = Relu (x) }'
CUSTOM = '<ir_version: 8, opset_import: ["": 13, "rknn_cst": 1]> g (float[2,3] x) => (float[2,3] y) { y = rknn_cst.cstThreshold <threshold = 0.5, value = 0.0> (x) }'
UNKNOWN = '<ir_version: 8, opset_import: ["": 13, "nobody": 1]> g (float[2,3] x) => (float[2,3] y) { y = nobody.Knows (x) }'
LOOPS = """<ir_version: 8, opset_import: ["": 13]> g (int64 n, float[2] x) => (float[2] y)
{
    true = Constant <value: tensor = bool {1}> ()
    y = Loop (n, true, x) <body = b (int64 i, bool c, float[2] v) => (bool d, float[2] w) { d = Identity (c) w = Add (v, v) }>
}"""


def binary(text: str) -> bytes:
    return parser.parse_model(text).SerializeToString()


def targets() -> list[str]:
    return [target["name"] for target in json.loads(tool.run(["--list-targets", "--json"]).stdout)]


def verdicts(content: bytes, *arguments: object) -> tuple[tool.Run, dict[str, dict]]:
    done = tool.run(["--check", "-", "--json", *arguments], stdin=content)
    answer = json.loads(done.stdout)
    assert answer["exit_status"] == done.status
    return done, {verdict["target"]: verdict for verdict in answer["targets"]}


def rows(table: bytes) -> dict[str, str]:
    lines = table.decode().splitlines()
    assert re.fullmatch(r"TARGET +RUNS IT", lines[0])
    return dict(line.split(None, 1) for line in lines[1:])


def test_a_model_of_standard_nodes_runs_as_it_is() -> None:
    done = tool.run(["--check", "-"], stdin=binary(PLAIN))
    assert done.status == tool.DONE
    table = rows(done.stdout)
    assert list(table) == targets()
    # Some take older opsets only.
    assert set(table.values()) == {"as it is", "after lowering 1 -> 1 node"} and table["onnxruntime-1.8"] == table["openvino-2026.4"] == "as it is"
    assert re.search(r"nothing to lower; 1 node; runs as it is in \S+, \S+, \S+ and \d+ more; ", done.stderr)


def test_a_custom_node_is_lowered() -> None:
    done, all_targets = verdicts(binary(CUSTOM))
    assert done.status == tool.NEEDS_LOWERING
    for name, verdict in all_targets.items():
        lowered = tool.lower(binary(CUSTOM), ["--target", name])
        if verdict["verdict"] == "refused":
            assert lowered.status == tool.NOT_LOWERED and verdict["obstacle"] and verdict["nodes_after"] is None, name
        else:
            assert verdict["verdict"] == "after_lowering" and lowered.status == tool.DONE, name
            assert verdict["nodes_before"] == 1 and verdict["nodes_after"] == len(onnx.load_from_string(lowered.stdout).graph.node), name
    assert rows(tool.run(["--check", "-"], stdin=binary(CUSTOM)).stdout)["onnxruntime-1.31"].startswith("after lowering 1 -> ")


def test_the_first_obstacle_in_words() -> None:
    table = rows(tool.run(["--check", "-"], stdin=binary(LOOPS)).stdout)
    assert re.fullmatch(r"no +has no Loop: y", table["tract-0.23"])
    assert table["onnxruntime-1.31"] == "as it is"
    unknown = tool.run(["--check", "-"], stdin=binary(UNKNOWN))
    assert unknown.status == tool.NOT_LOWERED and "cannot be lowered" in unknown.stderr
    assert {re.fullmatch(r"no +(.*)", verdict)[1] for verdict in rows(unknown.stdout).values()} == {"there is no rule for nobody::Knows: y"}


def test_the_targets_that_are_named() -> None:
    done, named = verdicts(binary(LOOPS), "--target", "tract,onnxruntime-1.31")
    assert done.status == tool.NOT_LOWERED
    assert {name: verdict["verdict"] for name, verdict in named.items()} == {"tract-0.23": "refused", "onnxruntime-1.31": "as_it_is", "all of these": "refused"}
    assert [node["operator"] for node in named["tract-0.23"]["unlowered"]] == ["ai.onnx::Loop"]
    assert tool.run(["--check", "-", "--target", "onnxruntime-1.31"], stdin=binary(LOOPS)).status == tool.DONE
    assert tool.run(["--check", "-", "--target", "onnxruntime-1.31"], stdin=binary(CUSTOM)).status == tool.NEEDS_LOWERING
    several = tool.run(["--check", "-", "--target", "onnxruntime-1.31,openvino-2026.4"], stdin=binary(PLAIN))
    assert several.status == tool.DONE and list(rows(several.stdout)) == ["onnxruntime-1.31", "openvino-2026.4", "all"]


def test_what_is_quiet_and_what_is_json(tmp_path: pathlib.Path) -> None:
    assert not tool.run(["--check", "-q", "-"], stdin=binary(CUSTOM)).stdout
    report = json.loads(tool.run(["--check", "-", "--report", "-"], stdin=binary(CUSTOM)).stdout)
    assert [verdict["target"] for verdict in report["targets"]] == targets()
    assert tool.run(["-", "-o", tmp_path / "out.onnx", "--json"], stdin=binary(CUSTOM)).status == tool.WRONG_USAGE


def test_many_models_are_a_matrix(tmp_path: pathlib.Path) -> None:
    for name, text in (("plain", PLAIN), ("custom", CUSTOM), ("loops", LOOPS), ("unknown", UNKNOWN)):
        (tmp_path / f"{name}.onnx").write_bytes(binary(text))
    done = tool.run(["--check", "."], cwd=tmp_path)
    assert done.status == tool.SOME_FAILED
    results = {pathlib.Path(line["input"]).stem: line["targets"] for line in map(json.loads, done.stdout.splitlines())}
    symbols = {"as_it_is": "=", "after_lowering": "+", "refused": "-"}
    for name, of_model in results.items():
        assert list(of_model) == targets()
        assert f"{''.join(symbols[verdict] for verdict in of_model.values())}  ./{name}.onnx" in done.stderr or f"  {name}.onnx" in done.stderr
    counts = [[of_model[name] for of_model in results.values()] for name in targets()]
    for name, of_target in zip(targets(), counts):
        numbers = [str(of_target.count(verdict)) for verdict in symbols]
        assert re.search(rf"^\w  {re.escape(name)} +{' +'.join(numbers)}$", done.stderr, re.MULTILINE), name
    elsewhere = tool.run(["--check", ".", "--report", "r.jsonl"], cwd=tmp_path)
    assert b"MODEL" in elsewhere.stdout, "where the results do not go to standard output, the matrix does"


@pytest.mark.parametrize(("nodes", "limit"), [(1000, 1.0), (10000, 6.0)])
def test_it_takes_no_long_time(nodes: int, limit: float, tmp_path: pathlib.Path) -> None:
    """Some twenty times what is measured on an idle machine: the bound holds back what grows faster than the model."""
    body = "".join(f"v{i + 1} = {('Relu', 'Tanh', 'Sigmoid', 'Neg')[i % 4]} (v{i})\n" for i in range(nodes))
    (tmp_path / "m.onnx").write_bytes(binary(f'<ir_version: 8, opset_import: ["": 13]> g (float[2,3] v0) => (float[2,3] v{nodes}) {{ {body} }}'))
    start = time.monotonic()
    tool.run(["--check", "m.onnx"], cwd=tmp_path)
    assert time.monotonic() - start < limit


@pytest.mark.parametrize("targets", ["qnn", "qnn,onnxruntime"])
def test_a_whole_model_that_a_target_refuses_is_a_verdict(targets: str, tmp_path: pathlib.Path) -> None:
    """What no node says, as that a dimension is open, stands in the table and in JSON as well."""
    (tmp_path / "open.onnx").write_bytes(parser.parse_model('<ir_version: 8, opset_import: ["": 17]> g (float[n,3] x) => (float[n,3] y) { y = Relu (x) }').SerializeToString())
    told = tool.run(["--check", "--json", "--target", targets, "open.onnx"], cwd=tmp_path)
    assert told.status == tool.NOT_LOWERED and "dimensions are all numbers" in told.stderr
    verdicts = {verdict["target"]: verdict for verdict in json.loads(told.stdout)["targets"]}
    assert verdicts["qnn-2.5"]["verdict"] == "refused" and json.loads(told.stdout)["exit_status"] == tool.NOT_LOWERED
    if "," in targets:
        assert verdicts["onnxruntime-1.32"]["verdict"] == "as_it_is" and verdicts["all of these"]["verdict"] == "refused"
    table = tool.run(["--check", "--target", targets, "open.onnx"], cwd=tmp_path)
    assert re.search(r"^qnn-2\.5 +no ", table.stdout.decode(), re.MULTILINE), table
