# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The command line: each option, what it prints, and the exit status."""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
from onnx import TensorProto, helper

import model_checks
import runtimes
import tool
from compare import assert_equal

TEXT = """
<ir_version: 8, opset_import: ["" : 15, "rknn_cst" : 1, "custom" : 1]>
network (float[n] x) => (float[n] y) {
  [first] a = rknn_cst.cstThreshold <threshold: float = 0.5, value: float = 2.0> (x)
  [second] y = custom.my_add (a, x)
}
"""
LOST = """
<ir_version: 8, opset_import: ["" : 15, "rknn_cst" : 1]>
network (float[n] x) => (float[n] y, float[n] z) {
  [first] y = rknn_cst.cstThreshold (x)
  [second] z = rknn_cst.cstThreshold (y)
}
"""
UNKNOWN = """
<ir_version: 8, opset_import: ["" : 15, "nobody" : 1, "custom" : 1]>
network (float[n] x) => (float[n] y) {
  [first] t = nobody.Knows (x)
  [second] y = custom.my_add (t, x)
}
"""
PLAIN = """
<ir_version: 8, opset_import: ["" : 15]>
network (float[n] x) => (float[n] y) { y = Relu (x) }
"""
X = np.float32([-1, 0.25, 0.5, 0.75, np.nan])


def binary(text: str) -> bytes:
    return onnx.parser.parse_model(text).SerializeToString()


def run_model(model: bytes, **inputs: np.ndarray) -> dict[str, np.ndarray]:
    return runtimes.in_onnxruntime(model)(inputs or {"x": X})


def below(x: np.ndarray, threshold: float, value: float) -> np.ndarray:
    return np.where(x <= np.float32(threshold), np.float32(value), x)


@pytest.fixture
def given(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "in.onnx"
    path.write_bytes(binary(TEXT))
    return path


def operators(model: bytes) -> set[str]:
    return {f"{node.domain}::{node.op_type}" for node in model_checks.all_nodes(onnx.load_model_from_string(model))}


# Input and output


def test_from_file_to_file(given: pathlib.Path) -> None:
    output = given.with_name("out.onnx")
    result = tool.run([given, "-o", output])
    assert result.status == tool.DONE, str(result)
    assert not result.stdout
    model_checks.assert_standard(onnx.load(output))
    assert_equal("y", run_model(output.read_bytes())["y"], 2 * below(X, 0.5, 2.0) + X)
    assert {path.name for path in given.parent.iterdir()} == {"in.onnx", "out.onnx"}


def test_output_option_may_come_first_or_be_long(given: pathlib.Path) -> None:
    wanted = tool.lowered(given.read_bytes())
    for arguments in (["-o", "a.onnx", given], ["--output", "b.onnx", given], ["--output=c.onnx", given]):
        assert tool.run(arguments, cwd=given.parent).status == tool.DONE
    for name in ("a", "b", "c"):
        assert given.with_name(f"{name}.onnx").read_bytes() == wanted


def test_a_file_as_stdin(given: pathlib.Path) -> None:
    """It is mapped as if it were named; one that somebody has begun to read is read on from there."""
    expected = tool.lowered(given.read_bytes())
    behind = given.with_name("behind")
    behind.write_bytes(b"head" + given.read_bytes())
    for path, offset in ((given, 0), (behind, 4)):
        with path.open("rb", buffering=0) as file:
            file.seek(offset)
            done = subprocess.run([str(tool.TOOL), "-", "-o", "-"], stdin=file, capture_output=True, timeout=60)
        assert (done.returncode, done.stdout) == (tool.DONE, expected), done.stderr


def test_stdin_and_stdout_are_the_same_as_files(given: pathlib.Path) -> None:
    output = given.with_name("out.onnx")
    assert tool.run([given, "-o", output]).status == tool.DONE
    assert tool.lowered(given.read_bytes()) == output.read_bytes()
    assert tool.run([given, "-o", "-"]).stdout == output.read_bytes()
    assert tool.run(["-", "-o", given.with_name("other.onnx")], stdin=given.read_bytes()).status == tool.DONE
    assert given.with_name("other.onnx").read_bytes() == output.read_bytes()


def test_named_pipes_are_read_and_written(given: pathlib.Path) -> None:
    wanted = tool.lowered(given.read_bytes())
    source, sink = given.with_name("source"), given.with_name("sink")
    os.mkfifo(source)
    os.mkfifo(sink)
    with subprocess.Popen([str(tool.TOOL), source, "-o", sink], stderr=subprocess.PIPE) as process:
        source.write_bytes(given.read_bytes())
        assert sink.read_bytes() == wanted
    assert process.returncode == tool.DONE
    assert source.is_fifo() and sink.is_fifo(), "a pipe was replaced by a file"


def test_no_output_is_an_error(given: pathlib.Path) -> None:
    result = tool.run([given])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "-o" in result.stderr
    assert list(given.parent.iterdir()) == [given]


def test_no_input_is_an_error() -> None:
    tool.assert_clean_refusal(tool.run([]), tool.WRONG_USAGE)
    tool.assert_clean_refusal(tool.run(["-o", "out.onnx"]), tool.WRONG_USAGE)


@pytest.mark.parametrize(
    "arguments",
    [["--no-such-option"], ["other.onnx"], ["--color", "red"], ["--set", "nonsense"], ["--set", "custom::my_add.x"], ["-q", "-v"], ["--check"]],
    ids=" ".join,
)
def test_wrong_usage(given: pathlib.Path, arguments: list[str]) -> None:
    result = tool.run([given, "-o", given.with_name("out.onnx"), *arguments])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert list(given.parent.iterdir()) == [given]


def test_text_in_and_out(tmp_path: pathlib.Path) -> None:
    (tmp_path / "in.onnxtxt").write_text(TEXT)
    for name in ("out.onnxtxt", "out.onnx"):
        result = tool.run(["in.onnxtxt", "-o", name], cwd=tmp_path)
        assert result.status == tool.DONE, str(result)
    from_text = onnx.parser.parse_model((tmp_path / "out.onnxtxt").read_text())
    model_checks.assert_standard(from_text)
    expected = 2 * below(X, 0.5, 2.0) + X
    assert_equal("y", run_model(from_text.SerializeToString())["y"], expected)
    assert_equal("y", run_model((tmp_path / "out.onnx").read_bytes())["y"], expected)


def test_binary_to_text(given: pathlib.Path) -> None:
    output = given.with_name("out.onnxtxt")
    assert tool.run([given, "-o", output]).status == tool.DONE
    assert_equal("y", run_model(binary(output.read_text()))["y"], 2 * below(X, 0.5, 2.0) + X)


@pytest.mark.parametrize("what, arguments, named", [("attribute_proto", ["--attach"], "functions[0].attribute_proto[0]"), ("int4", [], "out.onnxtxt:")])
def test_text_that_would_not_say_all(what: str, arguments: list[str], named: str, tmp_path: pathlib.Path) -> None:
    """The syntax has no words for the defaults of attributes, and the printer none for elements of four bits."""
    model = onnx.parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 21, "l" : 1]> g (float[n] x) => (float[n] y) { y = l.F (x) }
        <domain: "l", opset_import: ["" : 21]> F <alpha: float = 0.5> (x) => (y) { y = Elu <alpha: float = @alpha> (x) }
    """)
    if what == "int4":
        model.graph.initializer.append(onnx.TensorProto(name="w", data_type=onnx.TensorProto.INT4, dims=[3], raw_data=b"\x21\x03"))
    content, output = model.SerializeToString(), tmp_path / "out.onnxtxt"
    result = tool.run(["-", "-o", output, *arguments], stdin=content)
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert "out.onnxtxt: ONNX's textual syntax cannot say all of the model; write an .onnx file: " in result.stderr
    assert named in result.stderr and not output.exists(), result.stderr
    assert tool.run(["-", "-o", tmp_path / "out.onnx", *arguments], stdin=content).status == tool.DONE


def test_text_leaves_remarks_out(tmp_path: pathlib.Path) -> None:
    model = onnx.parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 21, "l" : 1], producer_name: "p"> g (float[n] x) => (float[n] y) { t = Elu <alpha: float = 0.5> (x)  y = l.F (t) }
        <domain: "l", opset_import: ["" : 21]> F (x) => (y) { y = Neg (x) }
    """)
    for message in (model, model.graph, model.graph.node[0], model.graph.node[0].attribute[0], model.graph.input[0]):
        message.doc_string = "a remark"
    output = tmp_path / "out.onnxtxt"
    assert tool.run(["-", "-o", output], stdin=model.SerializeToString()).status == tool.DONE
    assert [node.op_type for node in onnx.parser.parse_model(output.read_text()).graph.node] == ["Elu", "Neg"]


def test_wrong_text_is_shown_where_it_is(tmp_path: pathlib.Path) -> None:
    (tmp_path / "in.onnxtxt").write_text(TEXT.replace("custom.my_add (a, x)", "custom.my_add ((a, x)"))
    result = tool.run(["in.onnxtxt", "-o", "out.onnx"], cwd=tmp_path)
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert re.search(r"in\.onnxtxt:5:\d+", result.stderr) and "^" in result.stderr, result.stderr


def test_plain_model_comes_out_byte_for_byte() -> None:
    assert tool.lowered(binary(PLAIN)) == binary(PLAIN)


# Messages


def test_one_summary_line(given: pathlib.Path) -> None:
    result = tool.run([given.name, "-o", "out.onnx"], cwd=given.parent)
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    for part in ("in.onnx", "rknn_cst::cstThreshold", "custom::my_add", "2 nodes", "ms"):
        assert part in lines[0], lines[0]


def test_quiet(given: pathlib.Path) -> None:
    for option in ("-q", "--quiet"):
        result = tool.run([given, "-o", given.with_name("out.onnx"), option])
        assert (result.status, result.stdout, result.stderr) == (tool.DONE, b"", "")


def test_quiet_still_prints_errors() -> None:
    tool.assert_clean_refusal(tool.lower(binary(UNKNOWN), ["-q"]), tool.NOT_LOWERED)


def test_verbose_names_each_node(given: pathlib.Path) -> None:
    for option in ("-v", "--verbose"):
        result = tool.run([given, "-o", given.with_name("out.onnx"), option])
        assert result.status == tool.DONE
        assert "first" in result.stderr and "second" in result.stderr, result.stderr


ESCAPE = "\x1b["


def test_color() -> None:
    def stderr(*arguments: str, **environment: str) -> str:
        return tool.lower(binary(UNKNOWN), arguments, env={**os.environ, **environment}).stderr

    assert ESCAPE in stderr("--color", "always")
    assert ESCAPE in stderr("--color=always")
    assert ESCAPE not in stderr("--color", "never")
    assert ESCAPE not in stderr("--color", "auto")  # which is no terminal here
    assert ESCAPE not in stderr()
    assert ESCAPE not in stderr(NO_COLOR="1")


def test_no_color_in_a_terminal(given: pathlib.Path) -> None:
    """NO_COLOR speaks where there are colours: in a terminal."""
    import pty

    def in_terminal(**environment: str) -> str:
        leader, follower = pty.openpty()
        names = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        process = subprocess.Popen([str(tool.TOOL), "-", "-o", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=follower, env={**names, "TERM": "xterm", **environment})
        process.communicate(binary(UNKNOWN), timeout=60)
        os.close(follower)
        return tool.shown_in_terminal(leader)

    assert ESCAPE in in_terminal()
    assert ESCAPE not in in_terminal(NO_COLOR="1")
    assert "nobody::Knows" in in_terminal(NO_COLOR="1")


def test_loop_in_a_function_says_what_it_carries() -> None:
    """onnxscript gives the inputs of a loop's body no type, and OpenVINO takes no ReduceSum of an unknown one."""
    given = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 17, "d" : 1]>
        main (float[n] x, int64 count) => (float[n] y) { y = d.Sums (x, count) }
        <domain: "d", opset_import: ["" : 17]>
        Sums (x, count) => (y) {
          y = Loop (count, "", x) <body = b (int64 i, bool go, float[] carried) => (go_on, next) {
            go_on = Identity (go)
            sum = ReduceSum <keepdims = 0> (carried)
            next = Add (carried, sum)
          }>
        }
    """)
    given.functions[0].node[0].attribute[0].g.input[2].ClearField("type")
    model = tool.lowered(given.SerializeToString())
    x = np.float32([1, -2, 4])
    for run in (runtimes.in_onnxruntime(model), runtimes.in_openvino(model)):
        assert_equal("y", run({"x": x, "count": np.array(2)})["y"], x + np.float32(3 + 12))


def test_text_with_a_byte_order_mark(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "in.onnxtxt"
    path.write_text(PLAIN, encoding="utf-8-sig")
    result = tool.run([path, "-o", "-"])
    assert result.status == tool.DONE and result.stdout == binary(PLAIN), str(result)
    assert tool.lowered(path.read_bytes()) == binary(PLAIN)


def test_names_do_not_command_the_terminal() -> None:
    given = onnx.parser.parse_model(UNKNOWN)
    given.graph.node[0].name = "title\x1b]0;owned\x07 up\x1b[2A back\r"
    result = tool.lower(given.SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert r"'title\x1b]0;owned\x07 up\x1b[2A back\x0d'" in result.stderr, result.stderr


def test_unlowered_nodes_are_named_with_reasons() -> None:
    result = tool.lower(binary(UNKNOWN))
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "nobody::Knows" in result.stderr and "'first'" in result.stderr
    assert "my_add" not in result.stderr.replace("custom::my_add, ", ""), "what could be lowered is no problem"
    assert not result.stdout


def test_version() -> None:
    result = tool.run(["--version"])
    assert result.status == tool.DONE
    for name in ("onnx-lower", "onnx", "protobuf"):
        assert re.search(rf"^{name} \d+\.\d+", result.stdout.decode(), re.MULTILINE), result.stdout


def test_help() -> None:
    for option in ("-h", "--help"):
        result = tool.run([option])
        assert result.status == tool.DONE and not result.stderr
        text = result.stdout.decode()
        for name in ("--output", "--rules", "--set", "--keep", "--check", "--report", "--list-rules", "--show-rule", "--allow-unlowered", "--color"):
            assert name in text, f"{name} is not in --help"
        assert all(len(line) <= 80 for line in text.splitlines())


def test_help_is_aligned() -> None:
    """All descriptions begin at one column, behind names with characters of several bytes, too."""
    text = tool.run(["--help"]).stdout.decode()
    entries = [line for line in text[text.index("Positionals:"):text.index("\nExamples:")].splitlines() if line.startswith("  ")]
    described = {found.end() for line in entries if (found := re.match(r"  \S.*?   *(?=\S)|   +(?=\S)", line))}
    assert len(described) == 1 and any("…" in line for line in entries), described


# Attributes that the export lost


def test_lost_attributes_are_asked_for() -> None:
    result = tool.lower(binary(LOST))
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "--set rknn_cst::cstThreshold.threshold=" in result.stderr, result.stderr
    assert "--set rknn_cst::cstThreshold.value=" in result.stderr, result.stderr


def test_set_for_all_nodes() -> None:
    model = tool.lowered(binary(LOST), ["--set", "rknn_cst::cstThreshold.threshold=0.5", "--set", "rknn_cst::cstThreshold.value=2"])
    assert_equal("z", run_model(model)["z"], below(below(X, 0.5, 2.0), 0.5, 2.0))


def test_set_for_one_node() -> None:
    arguments = ["--set", "rknn_cst::cstThreshold.threshold=0.5", "--set", "rknn_cst::cstThreshold.value=0.625", "--set", "node:second.threshold=0.7", "--set", "node:second.value=3"]
    result = run_model(tool.lowered(binary(LOST), arguments))
    assert_equal("y", result["y"], below(X, 0.5, 0.625))
    assert_equal("z", result["z"], below(below(X, 0.5, 0.625), 0.7, 3.0))


def test_set_a_list() -> None:
    for text in ("0.5,2.0", "[0.5, 2.0]"):
        model = tool.lowered(binary(LOST), ["--set", f"rknn_cst::cstThreshold.param={text}"])
        assert_equal("y", run_model(model)["y"], below(X, 0.5, 2.0))


def test_set_that_fits_nothing_is_said(given: pathlib.Path) -> None:
    result = tool.run([given, "-o", given.with_name("out.onnx"), "--set", "custom::Elsewhere.alpha=1"])
    assert result.status == tool.DONE
    assert "custom::Elsewhere.alpha" in result.stderr


# Nodes to leave alone


def test_keep_an_operator(given: pathlib.Path) -> None:
    model = tool.lowered(given.read_bytes(), ["--keep", "custom::my_add"])
    assert "custom::my_add" in operators(model) and "rknn_cst::cstThreshold" not in operators(model)
    assert {entry.domain for entry in onnx.load_model_from_string(model).opset_import} == {"", "custom"}


def test_keep_a_domain() -> None:
    model = tool.lowered(binary(UNKNOWN), ["--keep", "nobody"])
    assert "nobody::Knows" in operators(model) and "custom::my_add" not in operators(model)


def test_keep_everything_is_byte_for_byte(given: pathlib.Path) -> None:
    assert tool.lowered(given.read_bytes(), ["--keep", "custom", "--keep", "rknn_cst"]) == given.read_bytes()


CALLED_TWICE = """
<ir_version: 10, opset_import: ["" : 17, "acme" : 1]>
main (float[2,3] a) => (y, z) {{
  y = acme.F <k = 0> (a)
  z = acme.F <k = 1> (a)
}}
<domain: "acme", opset_import: ["" : 17, "com.microsoft" : 1]>
F <k> (x) => (y) {{ {body} }}
"""


@pytest.mark.parametrize("body, opset, reason", [
    ("y = com.microsoft.FusedMatMul <transA: int = @k, transB = 1> (x, x)", 17, "attribute 'transA' is whatever the function that it stands in is called with"),
    ("y = com.microsoft.QuickGelu <alpha: float = @k> (x)", 11, "attribute 'value_float' is whatever"),
    ("y = com.microsoft.Trilu <upper: int = @k> (x)", 13, "attribute 'upper' is whatever"),
    ("s = Shape <start: int = @k> (x) y = ConstantOfShape (s)", 13, "attribute 'start' exists from opset 15 on"),
])
def test_what_a_function_that_stays_is_called_with_is_not_known(body: str, opset: int, reason: str) -> None:
    result = tool.lower(binary(CALLED_TWICE.format(body=body)), ["--keep", "acme", "--target-opset", str(opset)])
    tool.assert_clean_refusal(result)
    assert reason in result.stderr


@pytest.mark.parametrize("body", ["y = com.microsoft.QuickGelu <alpha: float = @k> (x)", "y = com.microsoft.Trilu <upper: int = @k> (x)"])
def test_a_function_that_stays_hands_on_what_it_is_called_with(body: str) -> None:
    if "QuickGelu" in body:
        body = body.replace("@k", "@f").replace("y =", "v =") + " y = Mul (v, x)"
    model = binary(CALLED_TWICE.format(body=body).replace("k = 0", "k = 0, f = 0.5").replace("k = 1", "k = 1, f = 2.5").replace("F <k>", "F <k, f>"))
    inputs = {"a": np.float32([[1, 2, 3], [-1, -2, -3]])}
    expanded = runtimes.in_onnxruntime(tool.lowered(model))(inputs)
    for name, got in runtimes.in_onnxruntime(tool.lowered(model, ["--keep", "acme"]))(inputs).items():
        assert_equal(name, got, expanded[name], 1e-6, 1e-6)


def test_expand_is_the_default(given: pathlib.Path) -> None:
    assert tool.lowered(given.read_bytes(), ["--expand"]) == tool.lowered(given.read_bytes())


def test_allow_unlowered() -> None:
    result = tool.lower(binary(UNKNOWN), ["--allow-unlowered"])
    assert result.status == tool.DONE, str(result)
    assert operators(result.stdout) >= {"nobody::Knows"} and "custom::my_add" not in operators(result.stdout)
    assert "nobody::Knows" in result.stderr, "what is left is said all the same"


def test_check_writes_nothing(given: pathlib.Path) -> None:
    result = tool.run(["--check", given])
    assert result.status == tool.NEEDS_LOWERING, str(result)
    assert "2 nodes" in result.stderr and list(given.parent.iterdir()) == [given]
    tool.assert_clean_refusal(tool.run(["--check", "-"], stdin=binary(UNKNOWN)), tool.NOT_LOWERED)
    tool.assert_clean_refusal(tool.run(["--check", "-"], stdin=b"nonsense"), tool.INVALID_INPUT)
    assert tool.run(["--check", "-"], stdin=binary(PLAIN)).status == tool.DONE


# Reports


def test_report(given: pathlib.Path) -> None:
    path = given.with_name("report.json")
    assert tool.run([given, "-o", given.with_name("out.onnx"), "--report", path]).status == tool.DONE
    report = json.loads(path.read_text())
    assert {entry["node"] for entry in report["lowered"]} == {"first", "second"}
    assert not report["unlowered"]
    assert report["nodes_before"] == 2
    assert report["nodes_after"] == len(onnx.load(given.with_name("out.onnx")).graph.node)


@pytest.mark.parametrize("name", ["model", "out.onnx", "./out.onnx", "folder/out.onnx", "link", "hard", "coming"])
def test_report_is_not_the_model(given: pathlib.Path, name: str) -> None:
    content = given.read_bytes()
    given.with_name("link").symlink_to(given)
    given.with_name("hard").hardlink_to(given)
    given.with_name("folder").symlink_to(".")
    given.with_name("coming").symlink_to("out.onnx")
    report = given if name == "model" else given.parent / name
    result = tool.run([given, "-o", given.with_name("out.onnx"), "--report", report])
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert given.read_bytes() == content and not given.with_name("out.onnx").exists()


def test_report_of_a_failure(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "report.json"
    result = tool.lower(binary(UNKNOWN), ["--report", path])
    assert result.status == tool.NOT_LOWERED
    report = json.loads(path.read_text())
    assert [entry["operator"] for entry in report["unlowered"]] == ["nobody::Knows"]
    assert report["exit_status"] == tool.NOT_LOWERED


def test_report_counts_a_large_model(tmp_path: pathlib.Path) -> None:
    nodes = [helper.make_node("my_add", [f"v{k}", "x"], [f"v{k + 1}"], domain="custom", name=f"add{k}") for k in range(500)]
    infos = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"])] for name in ("x", "v500")]
    nodes.insert(0, helper.make_node("Mul", ["x", "x"], ["v0"]))
    model = helper.make_model(helper.make_graph(nodes, "g", *infos), opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("custom", 1)], ir_version=8)
    path = tmp_path / "report.json"
    result = tool.lower(model.SerializeToString(), ["--report", path])
    assert result.status == tool.DONE
    assert len(json.loads(path.read_text())["lowered"]) == 500
    assert len(result.stderr.splitlines()) == 1


# Rules


def test_list_rules() -> None:
    result = tool.run(["--list-rules"])
    assert result.status == tool.DONE and not result.stderr
    lines = result.stdout.decode().splitlines()
    assert any(line.startswith("custom::my_add ") for line in lines)
    assert any(line.startswith("rknn_cst::cstThreshold ") for line in lines)


def test_list_rules_as_json() -> None:
    rules = json.loads(tool.run(["--list-rules", "--json"]).stdout)
    for rule in rules:
        assert rule["summary"], f"{rule['domain']}::{rule['op_type']} has no summary"
        assert rule["source"], f"{rule['domain']}::{rule['op_type']} does not say from where its definition comes"
    keys = [(rule["domain"], rule["op_type"]) for rule in rules]
    assert keys == sorted(keys), "not in the order of their names"


def test_show_rule_is_a_rule_again(tmp_path: pathlib.Path) -> None:
    shown = tool.run(["--show-rule", "rknn_cst::cstThreshold"])
    assert shown.status == tool.DONE
    (tmp_path / "again.onnxtxt").write_bytes(shown.stdout)
    result = tool.run(["--check-rules", tmp_path / "again.onnxtxt"])
    assert result.status == tool.DONE, str(result)
    assert tool.lowered(binary(TEXT), ["--rules", tmp_path / "again.onnxtxt"])


def test_show_rule_that_is_not_there() -> None:
    result = tool.run(["--show-rule", "custom::my_ad"])
    tool.assert_clean_refusal(result)
    assert "custom::my_add" in result.stderr, "the nearest names help"


KNOWS = '# y = -x.\n# Source: this test.\n<domain: "nobody", opset_import: ["" : 15]>\nKnows (x) => (y) { y = Neg (x) }\n'
EXPECTED = {"y": -2 * X + X}


def test_rules_from_a_file(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.onnxtxt").write_text(KNOWS)
    assert_equal("y", run_model(tool.lowered(binary(UNKNOWN), ["--rules", tmp_path / "mine.onnxtxt"]))["y"], EXPECTED["y"])


LET = """["let": "first = axis if axis >= 0 else axis + rank(x); rest = range(first, rank(x))", "where": "first >= 0 and length(rest) > 0"]
<domain: "nobody", opset_import: ["" : 18]>
Sum <axis: int = 1> (x) => (y) { axes = Constant <value_ints = @rest> ()  y = ReduceSum <keepdims = 0> (x, axes) }
"""


@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1, -3])
def test_a_rule_that_computes_its_axes(tmp_path: pathlib.Path, axis: int | None) -> None:
    (tmp_path / "sum.onnxtxt").write_text(LET)
    attribute = "" if axis is None else f"<axis = {axis}>"
    text = f'<ir_version: 8, opset_import: ["" : 18, "nobody" : 1]>\ng (float[2, 3, 4] x) => (float[] y) {{ y = nobody.Sum {attribute} (x) }}'
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    model = onnx.load_model_from_string(tool.lowered(binary(text.replace("float[] y", "float y")), ["--rules", tmp_path / "sum.onnxtxt"]))
    model.graph.output[0].type.tensor_type.ClearField("shape")
    first = 1 if axis is None else axis % 3
    want = x.sum(axis=tuple(range(first, 3)))
    assert_equal("y", runtimes.in_onnxruntime(model.SerializeToString())({"x": x})["y"], want, 0, 0)


@pytest.mark.parametrize(
    "value, axis, reason",
    [
        ("float x", 1, "rank(x) is not known"),
        ("float[2, 3] x", 2, "length(rest) is 0, which is not > 0"),
        ("float[2, 3] x", -3, "first is -1, which is not >= 0"),
    ],
)
def test_a_rule_that_cannot_compute_its_axes(tmp_path: pathlib.Path, value: str, axis: int, reason: str) -> None:
    (tmp_path / "sum.onnxtxt").write_text(LET)
    text = f'<ir_version: 8, opset_import: ["" : 18, "nobody" : 1]>\ng ({value}) => (float y) {{ y = nobody.Sum <axis = {axis}> (x) }}'
    model = onnx.load_model_from_string(binary(text))
    if "[" not in value:
        model.graph.input[0].type.tensor_type.ClearField("shape")
    result = tool.lower(model.SerializeToString(), ["--rules", tmp_path / "sum.onnxtxt"])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert reason in result.stderr


def test_rules_from_a_folder(tmp_path: pathlib.Path) -> None:
    (tmp_path / "rules" / "nobody").mkdir(parents=True)
    (tmp_path / "rules" / "nobody" / "Knows.onnxtxt").write_text(KNOWS)
    assert_equal("y", run_model(tool.lowered(binary(UNKNOWN), ["--rules", tmp_path / "rules"]))["y"], EXPECTED["y"])


def test_rules_from_a_text_with_a_model(tmp_path: pathlib.Path) -> None:
    model = '<ir_version: 8, opset_import: ["" : 15, "nobody" : 1]>\nunused (float[n] x) => (float[n] y) { y = Neg (x) }\n'
    (tmp_path / "mine.onnxtxt").write_text(model + KNOWS)
    assert_equal("y", run_model(tool.lowered(binary(UNKNOWN), ["--rules", tmp_path / "mine.onnxtxt"]))["y"], EXPECTED["y"])


def test_rules_written_with_onnxscript(tmp_path: pathlib.Path) -> None:
    import onnxscript
    from onnxscript import opset15 as op

    nobody = onnxscript.values.Opset("nobody", 1)

    @onnxscript.script(nobody, default_opset=op)
    def Knows(x):
        return op.Neg(x)

    path = tmp_path / "mine.onnx"
    imports = [helper.make_opsetid("", 15), helper.make_opsetid("nobody", 1)]
    graph = helper.make_graph([], "nothing", [], [])
    onnx.save(helper.make_model(graph, functions=[Knows.to_function_proto()], opset_imports=imports, ir_version=8), path)
    assert_equal("y", run_model(tool.lowered(binary(UNKNOWN), ["--rules", path]))["y"], EXPECTED["y"])
    onnx.save(Knows.to_model_proto(), path)
    result = tool.lower(binary(UNKNOWN), ["--rules", path])
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert "to_function_proto" in result.stderr


def test_a_user_rule_goes_before_a_built_in_one(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.onnxtxt").write_text('<domain: "custom", opset_import: ["" : 15]>\nmy_add (a, b) => (y) { y = Sub (a, b) }\n')
    model = tool.lowered(binary(TEXT), ["--rules", tmp_path / "mine.onnxtxt"])
    assert_equal("y", run_model(model)["y"], below(X, 0.5, 2.0) - X)


def test_a_user_rule_may_replace_a_standard_operator(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.onnxtxt").write_text('<domain: "ai.onnx", opset_import: ["" : 15]>\nRelu (x) => (y) { y = Abs (x) }\n')
    model = tool.lowered(binary(PLAIN), ["--rules", tmp_path / "mine.onnxtxt"])
    assert operators(model) == {"::Abs"}


def test_several_rules_options_first_wins(tmp_path: pathlib.Path) -> None:
    (tmp_path / "one.onnxtxt").write_text(KNOWS)
    (tmp_path / "two.onnxtxt").write_text(KNOWS.replace("Neg", "Abs"))
    model = tool.lowered(binary(UNKNOWN), ["--rules", tmp_path / "one.onnxtxt", "--rules", tmp_path / "two.onnxtxt"])
    assert "::Neg" in operators(model)


def test_user_rules_are_listed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.onnxtxt").write_text(KNOWS)
    text = tool.run(["--list-rules", "--rules", tmp_path / "mine.onnxtxt"]).stdout.decode()
    line = next(line for line in text.splitlines() if line.startswith("nobody::Knows"))
    assert "mine.onnxtxt" in line and "y = -x." in line


def test_check_rules_finds_what_the_parser_lets_through(tmp_path: pathlib.Path) -> None:
    wrong = {
        "undeclared.onnxtxt": "y = LeakyRelu <alpha: float = @nowhere> (x)",
        "unknown.onnxtxt": "y = NoSuchOperator (x)",
        "undefined.onnxtxt": "y = Neg (nothing)",
        "arity.onnxtxt": "y = Neg (x, x)",
    }
    for name, body in wrong.items():
        (tmp_path / name).write_text('<domain: "d", opset_import: ["" : 15]>\nF (x) => (y) {\n  ' + body + "\n}\n")
        result = tool.run(["--check-rules", tmp_path / name])
        tool.assert_clean_refusal(result, tool.INVALID_INPUT)
        assert name in result.stderr, result.stderr


def test_built_in_rules_are_in_order() -> None:
    result = tool.run(["--check-rules", tool.REPOSITORY / "rules"], timeout=600)  # seconds, and minutes under a sanitizer
    assert result.status == tool.DONE, str(result)


# What the README says


def test_exit_statuses_are_those_of_the_readme(tmp_path: pathlib.Path) -> None:
    readme = (tool.REPOSITORY / "README.md").read_text()
    table = {int(status): meaning for status, meaning in re.findall(r"^\|\s*`?(\d+)`?\s*\|\s*(.+?)\s*\|", readme, re.MULTILINE)}
    assert set(table) == {tool.DONE, tool.NOT_LOWERED, tool.WRONG_USAGE, tool.INVALID_INPUT, tool.FILE_ERROR, tool.SOME_FAILED, tool.NEEDS_LOWERING, tool.DIFFERENT}
    for name, op in (("one", "Relu"), ("other", "Neg")):
        (tmp_path / f"{name}.onnx").write_bytes(binary(f'<ir_version: 8, opset_import: ["": 13]> g (float[2] x) => (float[2] y) {{ y = {op} (x) }}'))
    runtime = pathlib.Path(onnxruntime.__file__).parent / "capi"
    shown = {
        tool.DIFFERENT: tool.run(["--verify", tmp_path / "one.onnx", tmp_path / "other.onnx", "--onnxruntime", runtime]),
        tool.NEEDS_LOWERING: tool.run(["--check", "-"], stdin=binary(TEXT)),
        tool.DONE: tool.lower(binary(TEXT)),
        tool.NOT_LOWERED: tool.lower(binary(UNKNOWN)),
        tool.WRONG_USAGE: tool.run(["-"]),
        tool.INVALID_INPUT: tool.lower(b"no model"),
        tool.FILE_ERROR: tool.run([tmp_path / "nothing.onnx", "-o", "-"]),
        tool.SOME_FAILED: tool.run([tmp_path / "nothing.onnx", "--output-dir", tmp_path / "out"]),
    }
    if tool.SANITIZED:
        del shown[tool.DIFFERENT]  # that build is of the program alone
    for status, result in shown.items():
        assert result.status == status, f"{table[status]}: {result}"
