# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Bad input: a clear message, the documented exit status, no output, nothing left behind, the input untouched, and never a crash."""
from __future__ import annotations

import os
import pathlib
import random
import stat
from collections.abc import Callable

import onnx
import pytest
from onnx import TensorProto, helper

import tool

THRESHOLD = dict(threshold=0.5, value=2.0)


def model(nodes: list, *, inputs: tuple = ("x",), outputs: tuple = ("y",), initializers: tuple = (), opset: int = 17) -> onnx.ModelProto:
    infos = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in names] for names in (inputs, outputs)]
    graph = helper.make_graph(nodes, "graph", *infos, list(initializers))
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("rknn_cst", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def threshold(given: str, result: str, **attributes) -> onnx.NodeProto:
    return helper.make_node("cstThreshold", [given], [result], domain="rknn_cst", name=f"make_{result}", **(attributes or THRESHOLD))


GOOD = model([threshold("x", "y")]).SerializeToString()


def nested_ifs(depth: int) -> bytes:
    """An If in an If in an If …, written by hand, because protobuf itself would not go that deep."""

    def head(number: int, size: int) -> bytes:
        """The tag and the length that stand before a message of this size."""
        length = b""
        while size > 127:
            length += bytes([size & 127 | 128])
            size >>= 7
        return bytes([number << 3 | 2]) + length + bytes([size])

    def text(number: int, content: bytes) -> bytes:
        return head(number, len(content)) + content

    tail = text(2, b"body") + text(12, text(1, b"y"))
    innermost = text(1, text(1, b"x") + text(2, b"y") + text(4, b"Relu")) + tail
    before, after, size = [], [], len(innermost)
    for _ in range(depth):
        graph = text(1, b"then_branch") + head(6, size)
        attribute_type = b"\xa0\x01\x05"
        attribute = head(5, len(graph) + size + len(attribute_type)) + graph
        node = text(1, b"c") + text(2, b"y") + text(4, b"If") + attribute
        node = head(1, len(node) + size + len(attribute_type)) + node
        before.append(node)
        after.append(attribute_type + tail)
        size += len(node) + len(after[-1])
    return b"\x08\x08" + head(7, size) + b"".join(reversed(before)) + innermost + b"".join(after) + text(8, b"\x0a\x00\x10\x11")


def other_message() -> bytes:
    return helper.make_tensor("weights", TensorProto.FLOAT, [4], [1.0, 2.0, 3.0, 4.0]).SerializeToString()


INVALID = {
    "empty": b"",
    "one byte": b"\x08",
    "random": random.Random(0).randbytes(4096),
    "zeros": bytes(512),
    "text": b"this is not a model, but a text\n" * 20,
    "other message": other_message(),
    "other graph": model([threshold("x", "y")]).graph.SerializeToString(),
    "followed by garbage": GOOD + b"\xff" * 50,
    "10,000 levels": nested_ifs(10_000),
    "cycle": model([helper.make_node("Add", ["x", "b"], ["a"]), threshold("a", "b"), helper.make_node("Relu", ["b"], ["y"])]).SerializeToString(),
    "own input": model([threshold("y", "y")]).SerializeToString(),
    "duplicate output": model([threshold("x", "y"), helper.make_node("Relu", ["x"], ["y"])]).SerializeToString(),
    "duplicate of an input": model([threshold("x", "x"), helper.make_node("Relu", ["x"], ["y"])]).SerializeToString(),
    "missing input": model([threshold("nowhere", "y")]).SerializeToString(),
    "missing graph output": model([threshold("x", "z")]).SerializeToString(),
    "missing in a body": model(
        [
            helper.make_node("ReduceMax", ["x"], ["m"], keepdims=0),
            helper.make_node("Cast", ["m"], ["c"], to=TensorProto.BOOL),
            helper.make_node(
                "If",
                ["c"],
                ["y"],
                then_branch=helper.make_graph([threshold("nowhere", "t")], "then", [], [helper.make_tensor_value_info("t", 1, ["n"])]),
                else_branch=helper.make_graph([threshold("x", "e")], "else", [], [helper.make_tensor_value_info("e", 1, ["n"])]),
            ),
        ]
    ).SerializeToString(),
    "short tensor": model(
        [helper.make_node("Add", ["x", "w"], ["t"]), threshold("t", "y")],
        initializers=(TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[6], raw_data=bytes(20)),),
    ).SerializeToString(),
    "no graph": onnx.ModelProto(ir_version=8, opset_import=[helper.make_opsetid("", 17)]).SerializeToString(),
    "unknown opset": model([threshold("x", "y")], opset=999).SerializeToString(),
}


def refused(given: pathlib.Path, content: bytes) -> tool.Run:
    given.write_bytes(content)
    result = tool.run([given, "-o", given.parent / "out.onnx"])
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    return result


@pytest.mark.parametrize("name", INVALID)
def test_invalid_model(name: str, tmp_path: pathlib.Path) -> None:
    given = tmp_path / "in.onnx"
    result = refused(given, INVALID[name])
    assert "in.onnx" in result.stderr, result.stderr
    assert given.read_bytes() == INVALID[name]
    assert list(tmp_path.iterdir()) == [given]


@pytest.mark.parametrize("name", INVALID)
def test_invalid_model_from_stdin(name: str) -> None:
    result = tool.lower(INVALID[name])
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert not result.stdout


@pytest.mark.parametrize("op_type", ["FusedMatMul", "QLinearConcat", "Inverse"])
def test_more_outputs_than_the_operator_makes(op_type: str) -> None:
    """Of operators whose rules are written in C++, too."""
    node = helper.make_node(op_type, ["x", "x"], ["y", "z"], domain="com.microsoft")
    tool.assert_clean_refusal(tool.lower(model([node], outputs=("y", "z")).SerializeToString()), tool.NOT_LOWERED)


def test_truncated_at_every_byte() -> None:
    """A cut may leave a valid protobuf message, but never a whole model."""
    for length in range(len(GOOD)):
        result = tool.lower(GOOD[:length])
        if result.status != tool.DONE:
            tool.assert_clean_refusal(result)
            assert not result.stdout
        else:
            onnx.checker.check_model(onnx.load_model_from_string(result.stdout), full_check=True)


def test_changed_bytes() -> None:
    """A changed byte gives a refusal or a model, never a crash or a hang."""
    generator = random.Random(1)
    for _ in range(300):
        changed = bytearray(GOOD)
        for _ in range(generator.randint(1, 3)):
            changed[generator.randrange(len(changed))] = generator.randrange(256)
        result = tool.lower(bytes(changed), timeout=10)
        if result.status != tool.DONE:
            tool.assert_clean_refusal(result)
            assert not result.stdout


@pytest.mark.parametrize(
    "attributes",
    [
        dict(threshold="high", value=2.0),
        dict(threshold=[0.5, 1.0], value=2.0),
        dict(threshold=helper.make_tensor("t", TensorProto.FLOAT, [2], [0.5, 1.0]), value=2.0),
        dict(param=[0.5]),
        dict(param=[0.5, 1.0, 2.0]),
        dict(param="0.5,1.0,"),
        dict(threshold=0.5, value=2.0, more=1),
        dict(threshold=0.5),
    ],
    ids=str,
)
def test_attributes_of_the_wrong_type(attributes: dict) -> None:
    result = tool.lower(model([threshold("x", "y", **attributes)]).SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "cstThreshold" in result.stderr and "make_y" in result.stderr, result.stderr
    assert not result.stdout


def given_twice(node: onnx.NodeProto) -> None:
    node.attribute.append(helper.make_attribute("threshold", 0.75))


def of_another_type(node: onnx.NodeProto) -> None:
    """Read as it says, it would be the integer 0."""
    node.attribute[0].type = onnx.AttributeProto.INT


def of_no_type(node: onnx.NodeProto) -> None:
    node.attribute[0].ClearField("type")


@pytest.mark.parametrize(
    "spoil, reason",
    [
        (given_twice, "it has the attribute 'threshold' twice"),
        (of_another_type, "its attribute 'threshold' says that it is int, and holds something else"),
        (of_no_type, "the type of its attribute 'threshold' is missing"),
    ],
)
def test_attribute_that_contradicts_itself(spoil: Callable, reason: str) -> None:
    given = model([threshold("x", "y")])
    spoil(given.graph.node[0])
    result = tool.lower(given.SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "make_y" in result.stderr and reason in result.stderr, result.stderr
    assert not result.stdout


def test_zero_that_is_left_out() -> None:
    """A number that is zero need not be written."""
    given = model([threshold("x", "y", threshold=0.0, value=2.0)])
    written = tool.lowered(given.SerializeToString())
    given.graph.node[0].attribute[0].ClearField("f")
    assert tool.lowered(given.SerializeToString()) == written


FOREIGN = {
    "Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
    "gzip": b"\x1f\x8b\x08" + bytes(64),
    "zip": b"PK\x03\x04" + bytes(64),
    "web page": b"<!DOCTYPE html><html><body>404</body></html>",
    ".ort": b"\x1c\0\0\0ORTM" + bytes(64),
    ".onnxtxt": b'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) { y = Neg (x) }\n',
}


@pytest.mark.parametrize("what", FOREIGN)
def test_file_of_another_kind(what: str, tmp_path: pathlib.Path) -> None:
    result = refused(tmp_path / "in.onnx", FOREIGN[what])
    assert what in result.stderr, result.stderr


def test_text_is_known_by_its_beginning() -> None:
    """On standard input, where nothing has a name: behind white space and remarks, too."""
    text = FOREIGN[".onnxtxt"]
    for before in (b"", b"\n", b" \t\r\n", b"# a remark\n", b"\n#\n\n"):
        assert tool.lower(before + text).status == tool.DONE
        result = tool.lower(before + b"<<" + text)
        tool.assert_clean_refusal(result, tool.INVALID_INPUT)
        line = before.count(b"\n") + 1
        assert f"<stdin>:{line}:" in result.stderr, result.stderr


def test_standard_attribute_of_the_wrong_type() -> None:
    """What is not touched is not judged, or it is found invalid; it is never a crash."""
    nodes = [helper.make_node("Softmax", ["x"], ["t"], axis="first"), threshold("t", "y")]
    result = tool.lower(model(nodes).SerializeToString())
    assert result.status in (tool.DONE, tool.INVALID_INPUT), str(result)


def test_wrong_number_of_inputs() -> None:
    node = helper.make_node("cstThreshold", ["x", "x", "x"], ["y"], domain="rknn_cst", **THRESHOLD)
    result = tool.lower(model([node]).SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    node = helper.make_node("cstThreshold", [], ["y"], domain="rknn_cst", **THRESHOLD)
    tool.assert_clean_refusal(tool.lower(model([node]).SerializeToString()), tool.NOT_LOWERED)


SELF = '<domain: "d", opset_import: ["" : 17, "d" : 1]>\nSelf (x) => (y) { t = Neg (x)\n y = d.Self (t) }\n'
FIRST = '<domain: "d", opset_import: ["" : 17, "d" : 1]>\nFirst (x) => (y) { y = d.Second (x) }\n'
SECOND = '<domain: "d", opset_import: ["" : 17, "d" : 1]>\nSecond (x) => (y) { y = d.First (x) }\n'


@pytest.mark.parametrize("rules, operator", [((SELF,), "Self"), ((FIRST, SECOND), "First")])
def test_rules_that_go_round_in_circles(rules: tuple, operator: str, tmp_path: pathlib.Path) -> None:
    arguments: list = []
    for number, text in enumerate(rules):
        path = tmp_path / f"rule{number}.onnxtxt"
        path.write_text(text)
        arguments += ["--rules", path]
    node = helper.make_node(operator, ["x"], ["y"], domain="d")
    graph = helper.make_graph([node], "g", *([helper.make_tensor_value_info(name, 1, ["n"])] for name in "xy"))
    given = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("d", 1)], ir_version=8)
    result = tool.lower(given.SerializeToString(), arguments)
    tool.assert_clean_refusal(result)
    assert result.status in (tool.NOT_LOWERED, tool.INVALID_INPUT), str(result)
    assert operator in result.stderr


def test_model_function_that_calls_itself() -> None:
    graph = helper.make_graph([helper.make_node("F", ["x"], ["y"], domain="d")], "g", *([helper.make_tensor_value_info(name, 1, ["n"])] for name in "xy"))
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("d", 1)]
    function = helper.make_function("d", "F", ["x"], ["y"], [helper.make_node("F", ["x"], ["y"], domain="d")], imports)
    given = helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8)
    result = tool.lower(given.SerializeToString())
    tool.assert_clean_refusal(result)
    assert result.status in (tool.NOT_LOWERED, tool.INVALID_INPUT), str(result)


def test_attribute_that_a_model_function_needs() -> None:
    """Without it, its Constant would have no value."""
    graph = helper.make_graph([helper.make_node("F", ["x"], ["y"], domain="d", name="call")], "g", *([helper.make_tensor_value_info(name, 1, ["n"])] for name in "xy"))
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("d", 1)]
    constant = helper.make_node("Constant", [], ["c"])
    constant.attribute.append(onnx.AttributeProto(name="value_float", type=onnx.AttributeProto.FLOAT, ref_attr_name="k"))
    function = helper.make_function("d", "F", ["x"], ["y"], [constant, helper.make_node("Mul", ["x", "c"], ["y"])], imports, ["k"])
    given = helper.make_model(graph, opset_imports=imports, functions=[function], ir_version=8)
    result = tool.lower(given.SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "'call' (d::F)" in result.stderr and "attribute 'k' is missing, and Constant needs it" in result.stderr, result.stderr


WRONG_RULES = {
    "syntax": ('<domain: "d", opset_import: ["" : 17]>\nBad (x) => (y) {\n  y = = Neg (x)\n}\n', 3),
    "unclosed": ('<domain: "d", opset_import: ["" : 17]>\nBad (x) => (y) {\n  y = Neg (x)\n', None),
    "unknown attribute": ('<domain: "d", opset_import: ["" : 17]>\nBad (x) => (y) {\n  y = LeakyRelu <alpha: float = @nowhere> (x)\n}\n', None),
    "not text": ("\x00\x01\x02", None),
    "deep": ('<domain: "d", opset_import: ["" : 17]>\nBad (x) => (y) { y = If (x) <then_branch = ' + "{" * 20000, None),
    "huge integer": ('<domain: "d", opset_import: ["" : 99999999999999999999999999]>\nBad (x) => (y) { y = Neg (x) }\n', None),
}


@pytest.mark.parametrize("name", WRONG_RULES)
def test_wrong_rule_file(name: str, tmp_path: pathlib.Path) -> None:
    text, line = WRONG_RULES[name]
    path = tmp_path / "Bad.onnxtxt"
    path.write_text(text)
    graph = helper.make_graph([helper.make_node("Bad", ["x"], ["y"], domain="d")], "g", *([helper.make_tensor_value_info(v, 1, ["n"])] for v in "xy"))
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("d", 1)]
    result = tool.lower(helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString(), ["--rules", path])
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert "Bad.onnxtxt" in result.stderr
    if line:
        assert f"Bad.onnxtxt:{line}:" in result.stderr and "^" in result.stderr, result.stderr
    assert not result.stdout


# Files that cannot be read or written.


@pytest.fixture
def given(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "in.onnx"
    path.write_bytes(GOOD)
    return path


def entries(folder: pathlib.Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_input_that_cannot_be_read() -> None:
    # What a process has at address 0, which is nothing.
    result = tool.run(["/proc/self/mem", "-o", "-"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert "/proc/self/mem: cannot be read: Input/output error" in result.stderr


def test_input_is_not_there(tmp_path: pathlib.Path) -> None:
    result = tool.run([tmp_path / "nothing.onnx", "-o", tmp_path / "out.onnx"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert "nothing.onnx: cannot be opened: No such file" in result.stderr
    assert not entries(tmp_path)


def test_input_is_a_folder(tmp_path: pathlib.Path) -> None:
    (tmp_path / "folder").mkdir()
    result = tool.run([tmp_path / "folder", "-o", tmp_path / "out.onnx"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert entries(tmp_path) == {"folder"}


def test_output_is_a_folder(given: pathlib.Path) -> None:
    (given.parent / "folder").mkdir()
    result = tool.run([given, "-o", given.parent / "folder"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert "folder" in result.stderr
    assert entries(given.parent) == {"in.onnx", "folder"} and not entries(given.parent / "folder")


def test_output_in_a_missing_folder(given: pathlib.Path) -> None:
    result = tool.run([given, "-o", given.parent / "missing" / "out.onnx"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert entries(given.parent) == {"in.onnx"}


def test_output_below_a_file(given: pathlib.Path) -> None:
    result = tool.run([given, "-o", given / "out.onnx"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert given.read_bytes() == GOOD


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_output_in_a_folder_that_is_not_writable(given: pathlib.Path) -> None:
    folder = given.parent / "closed"
    folder.mkdir(mode=0o500)
    result = tool.run([given, "-o", folder / "out.onnx"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert not entries(folder)


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="needs a file system on which nobody can write")
def test_output_where_nobody_can_write(given: pathlib.Path) -> None:
    result = tool.run([given, "-o", "/proc/self/out.onnx"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_device_is_full(given: pathlib.Path) -> None:
    tool.assert_clean_refusal(tool.run([given, "-o", "/dev/full"]), tool.FILE_ERROR)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode), "the device was replaced by a file"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("elements", [0, 100_000])
def test_stdout_is_full(elements: int, tmp_path: pathlib.Path) -> None:
    import subprocess

    model = onnx.load_model_from_string(GOOD)
    # Large tensors are written from where the file is in memory.
    model.graph.initializer.add(name="large", data_type=onnx.TensorProto.FLOAT, dims=[elements], raw_data=bytes(4 * elements))
    path = tmp_path / "in.onnx"
    onnx.save(model, path)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([str(tool.TOOL), path, "-o", "-"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    tool.assert_clean_refusal(tool.Run(done.returncode, b"", done.stderr.decode()), tool.FILE_ERROR)
    assert "<stdout>: cannot be written: No space left on device" in done.stderr.decode()


def test_null_device_stays_a_device(given: pathlib.Path) -> None:
    result = tool.run([given, "-o", "/dev/null"])
    assert result.status == tool.DONE, str(result)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_output_is_the_input(given: pathlib.Path) -> None:
    """Which is allowed: the file is replaced when all is well, and left alone when not."""
    result = tool.run([given, "-o", given])
    assert result.status == tool.DONE, str(result)
    assert given.read_bytes() == tool.lowered(GOOD)
    assert entries(given.parent) == {"in.onnx"}


def test_failed_run_onto_the_input(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "in.onnx"
    path.write_bytes(INVALID["cycle"])
    tool.assert_clean_refusal(tool.run([path, "-o", path]), tool.INVALID_INPUT)
    assert path.read_bytes() == INVALID["cycle"] and entries(tmp_path) == {"in.onnx"}


def test_failed_run_keeps_an_older_output(tmp_path: pathlib.Path) -> None:
    given, output = tmp_path / "in.onnx", tmp_path / "out.onnx"
    given.write_bytes(INVALID["missing input"])
    output.write_bytes(b"from an earlier run")
    tool.assert_clean_refusal(tool.run([given, "-o", output]), tool.INVALID_INPUT)
    assert output.read_bytes() == b"from an earlier run" and entries(tmp_path) == {"in.onnx", "out.onnx"}


def test_read_only_input(given: pathlib.Path) -> None:
    given.chmod(0o444)
    result = tool.run([given, "-o", given.parent / "out.onnx"])
    assert result.status == tool.DONE, str(result)
    assert given.read_bytes() == GOOD


def test_output_through_a_symbolic_link(given: pathlib.Path) -> None:
    link, target = given.parent / "link.onnx", given.parent / "target.onnx"
    target.write_bytes(b"old")
    link.symlink_to(target.name)
    result = tool.run([given, "-o", link])
    assert result.status == tool.DONE, str(result)
    assert link.read_bytes() == tool.lowered(GOOD)
    assert entries(given.parent) == {"in.onnx", "link.onnx", "target.onnx"}


def test_output_through_a_link_to_what_is_not_there_yet(given: pathlib.Path) -> None:
    (given.parent / "folder").mkdir()
    (given.parent / "link.onnx").symlink_to("folder/target.onnx")
    (given.parent / "chain.onnx").symlink_to("link.onnx")
    result = tool.run([given, "-o", given.parent / "chain.onnx"])
    assert result.status == tool.DONE, str(result)
    assert (given.parent / "folder" / "target.onnx").read_bytes() == tool.lowered(GOOD)
    assert (given.parent / "chain.onnx").is_symlink() and (given.parent / "link.onnx").is_symlink()
    (given.parent / "lost.onnx").symlink_to("nowhere/target.onnx")
    tool.assert_clean_refusal(tool.run([given, "-o", given.parent / "lost.onnx"]), tool.FILE_ERROR)
    assert (given.parent / "lost.onnx").is_symlink() and not (given.parent / "nowhere").exists()


@pytest.mark.parametrize("names", [("self",), ("one", "other")])
@pytest.mark.parametrize("option", ["-o", "--report"])
def test_links_in_a_circle(given: pathlib.Path, names: tuple, option: str) -> None:
    links = tuple(f"{name}.{'onnx' if option == '-o' else 'json'}" for name in names)
    for name, target in zip(links, links[1:] + links[:1]):
        (given.parent / name).symlink_to(target)
    arguments = ["-o", links[0]] if option == "-o" else ["-o", "out.onnx", "--report", links[0]]
    result = tool.run([given, *arguments], cwd=given.parent)
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert f"{links[0]}: is a link that leads back to itself" in result.stderr, result.stderr
    assert entries(given.parent) == {"in.onnx", *links} and all((given.parent / name).is_symlink() for name in links)


def test_output_through_a_link_to_the_input(given: pathlib.Path) -> None:
    """Which is the input by another name, and may be written as that may."""
    (given.parent / "link.onnx").symlink_to("in.onnx")
    assert tool.run([given, "-o", given.parent / "link.onnx"]).status == tool.DONE
    assert (given.parent / "link.onnx").is_symlink() and given.read_bytes() == tool.lowered(GOOD)


def test_output_is_a_link_to_a_folder(given: pathlib.Path) -> None:
    (given.parent / "folder").mkdir()
    (given.parent / "link").symlink_to("folder")
    tool.assert_clean_refusal(tool.run([given, "-o", given.parent / "link"]), tool.FILE_ERROR)
    assert not entries(given.parent / "folder")


@pytest.mark.parametrize("name", ["rules.onnxtxt", "./rules.onnxtxt", "link", "hard"])
@pytest.mark.parametrize("option", ["-o", "--report"])
def test_a_file_of_rules_is_not_overwritten(given: pathlib.Path, name: str, option: str) -> None:
    rules = given.parent / "rules.onnxtxt"
    rules.write_text(SELF)
    (given.parent / "link").symlink_to("rules.onnxtxt")
    (given.parent / "hard").hardlink_to(rules)
    arguments = ["-o", name] if option == "-o" else ["-o", "out.onnx", "--report", name]
    result = tool.run([given, "--rules", "rules.onnxtxt", *arguments], cwd=given.parent)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert name in result.stderr and "holds rules" in result.stderr
    assert rules.read_text() == SELF and not (given.parent / "out.onnx").exists()


def test_rules_that_are_not_there(given: pathlib.Path) -> None:
    result = tool.run([given, "-o", given.parent / "out.onnx", "--rules", given.parent / "nothing.onnxtxt"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
    assert "nothing.onnxtxt" in result.stderr
    assert entries(given.parent) == {"in.onnx"}


def test_report_that_cannot_be_written(given: pathlib.Path) -> None:
    result = tool.run([given, "-o", given.parent / "out.onnx", "--report", given.parent / "missing" / "report.json"])
    tool.assert_clean_refusal(result, tool.FILE_ERROR)
