# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The Python module of the wheel: each kind of model, each option, each exception."""
from __future__ import annotations

import inspect
import itertools
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np
import onnx
import onnx.parser
import onnx.reference
import onnxruntime
import onnxscript
import pytest
from onnxscript import opset18 as op

import tool

CASES = tool.TESTDATA / "cases"
THRESHOLD = CASES / "thr_attrs_dyn" / "model.onnx"
LOST = CASES / "thr_noattr_dyn" / "model.onnx"
SETTING = "rknn_cst::cstThreshold"

SCALED = """
<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
network (float[n] x) => (float[n] y) { y = acme.ScaleAndCap <factor = 2.5> (x) }
"""
RULE = """
<domain: "acme", opset_import: ["" : 18]>
ScaleAndCap <factor: float, limit: float = 6.0> (x) => (y) {
  f  = Constant <value_float = @factor> ()
  m  = Constant <value_float = @limit> ()
  fx = CastLike (f, x)
  mx = CastLike (m, x)
  s  = Mul (x, fx)
  y  = Min (s, mx)
}
"""

acme = onnxscript.values.Opset("acme", 1)


@onnxscript.script(acme)
def capped(x, limit):
    return op.Min(x, op.CastLike(limit, x))


@onnxscript.script(acme)
def ScaleAndCap(x, factor: float, limit: float = 6.0):
    return capped(x * op.CastLike(op.Constant(value_float=factor), x), op.Constant(value_float=limit))


def outputs(model: bytes | str, **inputs: np.ndarray) -> list[np.ndarray]:
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, inputs)


def scaled_and_capped(x: np.ndarray) -> np.ndarray:
    return np.minimum(x * np.float32(2.5), np.float32(6))


X = np.float32([-1, 0, 1, 2, 3])


def open_files() -> set[str]:
    """Pipes and temporary files that this process has open."""
    found = set()
    for entry in os.scandir("/proc/self/fd"):
        try:
            target = os.readlink(entry.path)
        except FileNotFoundError:  # that of the listing itself
            continue
        if target.startswith("pipe:") or tempfile.gettempdir() in target:
            found.add(f"{entry.name} -> {target}")
    return found


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    """No call leaves a file where temporary files lie, nor an open one, nor a process."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = open_files()
    yield
    assert not list(folder.iterdir())
    assert not open_files() - before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


# The kinds of models.


def expected() -> bytes:
    return tool.lowered(THRESHOLD.read_bytes())


@pytest.mark.parametrize("kind", [str, pathlib.Path])
def test_a_path_gives_a_path(onnx_lower, tmp_path: pathlib.Path, kind: type) -> None:
    output = tmp_path / "out.onnx"
    result = onnx_lower.lower(kind(THRESHOLD), output)
    assert type(result.model) is (str if kind is str else type(output)) and result.model == kind(output)
    assert output.read_bytes() == expected()


def test_bytes_give_bytes(onnx_lower) -> None:
    given = THRESHOLD.read_bytes()
    assert onnx_lower.lower(given).model == expected()


def test_a_proto_gives_a_proto_and_stays_as_it_is(onnx_lower) -> None:
    model = onnx.load(THRESHOLD)
    before = model.SerializeToString()
    result = onnx_lower.lower(model)
    assert type(result.model) is onnx.ModelProto and result.model is not model
    assert result.model == onnx.load_model_from_string(expected())
    assert model.SerializeToString() == before


def test_text_is_read_and_written(onnx_lower, tmp_path: pathlib.Path) -> None:
    (tmp_path / "in.onnxtxt").write_text(SCALED)
    onnx_lower.lower(tmp_path / "in.onnxtxt", tmp_path / "out.onnx", rules=[RULE])
    np.testing.assert_array_equal(outputs(str(tmp_path / "out.onnx"), x=X)[0], scaled_and_capped(X))


def test_names_that_look_like_options(onnx_lower, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-", "--check", "-o", "-x.onnx"):
        pathlib.Path(name).write_bytes(THRESHOLD.read_bytes())
        onnx_lower.lower(name, name)
        assert pathlib.Path(name).read_bytes() == expected()


def test_in_place(onnx_lower, tmp_path: pathlib.Path) -> None:
    model = tmp_path / "model.onnx"
    model.write_bytes(THRESHOLD.read_bytes())
    onnx_lower.lower(model, model)
    assert model.read_bytes() == expected()


def test_what_is_no_model(onnx_lower) -> None:
    with pytest.raises(TypeError, match="a path, bytes or a ModelProto, not int"):
        onnx_lower.lower(3)
    with pytest.raises(TypeError, match="needs an output"):
        onnx_lower.lower(str(THRESHOLD))
    with pytest.raises(TypeError, match="output is for a model that is a path"):
        onnx_lower.lower(THRESHOLD.read_bytes(), "out.onnx")
    with pytest.raises(TypeError, match="not NoneType"):
        onnx_lower.check(None)


def test_onnx_is_needed_for_protos_only(installed) -> None:
    code = f"""
import sys
sys.modules["onnx"] = None  # whoever imports it fails
import onnx_lower
given = open({str(THRESHOLD)!r}, "rb").read()
assert len(onnx_lower.lower(given, rules=[{RULE!r}]).model) > len(given)
onnx_lower.check({str(THRESHOLD)!r})
onnx_lower.rules()
"""
    done = installed.run("-c", code)
    assert done.returncode == 0, done.stderr


# External data, and models that protobuf does not write.


def model_with_weights(elements: int, tensors: int = 1) -> onnx.ModelProto:
    """y = threshold(x + w0 + w1 + …)"""
    weights = [onnx.numpy_helper.from_array(np.arange(elements, dtype=np.float32) + number, f"w{number}") for number in range(tensors)]
    nodes = [onnx.helper.make_node("Add", ["x" if number == 0 else f"s{number - 1}", f"w{number}"], [f"s{number}"]) for number in range(tensors)]
    nodes.append(onnx.helper.make_node("cstThreshold", [f"s{tensors - 1}"], ["y"], domain="rknn_cst", threshold=1.0, value=-3.0))
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(nodes, "g", [value("x", 1, [elements])], [value("y", 1, [elements])], initializer=weights, doc_string="a graph")
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("rknn_cst", 1)], ir_version=8, producer_name="me")
    model.metadata_props.add(key="k", value="v")
    return model


def threshold_of_sum(x: np.ndarray, elements: int, tensors: int = 1) -> np.ndarray:
    for number in range(tensors):
        x = x + (np.arange(elements, dtype=np.float32) + number)
    return np.where(x <= 1, np.float32(-3), x)


@pytest.fixture
def beside_data(tmp_path: pathlib.Path) -> onnx.ModelProto:
    """A model whose weights are in tmp_path/data, and not in it."""
    onnx.save(model_with_weights(1000), tmp_path / "m.onnx", save_as_external_data=True, location="data", size_threshold=0)
    return onnx.load(tmp_path / "m.onnx", load_external_data=False)


def test_external_data_is_kept(onnx_lower, beside_data: onnx.ModelProto, tmp_path: pathlib.Path) -> None:
    lowered = onnx_lower.lower(beside_data, base_dir=tmp_path).model
    assert lowered.graph.initializer == beside_data.graph.initializer
    onnx.save(lowered, tmp_path / "lowered.onnx")
    x = np.zeros(1000, np.float32)
    np.testing.assert_array_equal(outputs(str(tmp_path / "lowered.onnx"), x=x)[0], threshold_of_sum(x, 1000))


def test_external_data_is_embedded(onnx_lower, beside_data: onnx.ModelProto, tmp_path: pathlib.Path) -> None:
    x = np.ones(1000, np.float32)
    for given in (beside_data, beside_data.SerializeToString()):
        lowered = onnx_lower.lower(given, base_dir=tmp_path, external_data="embed").model
        content = lowered if isinstance(lowered, bytes) else lowered.SerializeToString()
        np.testing.assert_array_equal(outputs(content, x=x)[0], threshold_of_sum(x, 1000))


def test_external_data_is_split_off(onnx_lower, beside_data: onnx.ModelProto, tmp_path: pathlib.Path) -> None:
    (tmp_path / "out").mkdir()
    onnx_lower.lower(tmp_path / "m.onnx", tmp_path / "out" / "m.onnx", external_data="split")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"m.onnx", "m.onnx.data"}
    with pytest.raises(onnx_lower.UsageError, match='external_data="split" puts a file beside the output'):
        onnx_lower.lower(beside_data, external_data="split")


def test_external_data_is_relative_to_the_current_folder(onnx_lower, beside_data: onnx.ModelProto, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(onnx_lower.FileError, match="data"):
        onnx_lower.lower(beside_data)
    monkeypatch.chdir(tmp_path)
    assert onnx_lower.lower(beside_data).report.exit_status == 0
    # Rules are files of the caller, wherever the data lie.
    (tmp_path / "mine.onnxtxt").write_text(RULE)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data").rename(tmp_path / "elsewhere" / "data")
    assert onnx_lower.lower(beside_data, base_dir="elsewhere", rules=["mine.onnxtxt"]).report.json["settings"]["rules"] == [str(tmp_path / "mine.onnxtxt")]


def test_external_paths(onnx_lower, beside_data: onnx.ModelProto, tmp_path: pathlib.Path) -> None:
    for entry in beside_data.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = str(tmp_path / "data")
    with pytest.raises(onnx_lower.Error, match="add allow_external_paths=True"):
        onnx_lower.lower(beside_data)
    assert onnx_lower.lower(beside_data, allow_external_paths=True).report.exit_status == 0


def assert_lowered_in_pieces(onnx_lower, model: onnx.ModelProto, tensors: int) -> None:
    lowered = onnx_lower.lower(model).model
    small = onnx_lower.lower(model_with_weights(10, tensors).SerializeToString()).model
    assert [node.op_type for node in lowered.graph.node] == [node.op_type for node in onnx.load_model_from_string(small).graph.node]
    assert (lowered.producer_name, lowered.graph.doc_string, lowered.metadata_props[0].value) == ("me", "a graph", "v")
    for ours, theirs in zip(lowered.graph.initializer, model.graph.initializer):
        assert ours.name == theirs.name and ours.raw_data == theirs.raw_data
    assert onnx_lower.check(model).complete


def test_models_that_are_written_in_pieces(onnx_lower, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of models above 2 GiB, with a small one."""
    from onnx_lower import message_file

    model = model_with_weights(1000, tensors=3)
    monkeypatch.setattr(message_file, "LARGEST_MESSAGE", 100)
    assert_lowered_in_pieces(onnx_lower, model, 3)
    x = np.full(1000, -2, np.float32)
    lowered = onnx_lower.lower(model).model
    np.testing.assert_array_equal(outputs(lowered.SerializeToString(), x=x)[0], threshold_of_sum(x, 1000, 3))


def test_pieces_are_the_message(onnx_lower, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """What is written in pieces is the same model, whatever fields it has."""
    from onnx_lower import message_file

    monkeypatch.setattr(message_file, "LARGEST_MESSAGE", 1)
    models = [THRESHOLD, *CASES.glob("fn_*/model.onnx"), *CASES.glob("misc_*/model.onnx"), *CASES.glob("dual_in_loop/model.onnx")]
    assert len(models) > 8
    for path in models:
        model = onnx.load(path, load_external_data=False)
        with (tmp_path / "pieces").open("wb") as file:
            assert not message_file.write_model(model, file)
        assert onnx.load_model_from_string((tmp_path / "pieces").read_bytes()) == model, path


@pytest.mark.parametrize("length", [0, 1, 127, 2**31, 2**35 - 1, 2**35, 2**42 - 1])
def test_headers_are_as_long_as_one_another(onnx_lower, length: int) -> None:
    """And a length takes more bytes than the five that every reader takes only where it needs them."""
    from onnx_lower import message_file

    header = message_file._header(7, length)
    assert len(header) == 7
    numbers, number, place = [], 0, 0
    for byte in header:
        number, place = number | (byte & 0x7F) << 7 * place, place + 1
        if byte < 0x80:
            numbers.append((number, place))
            number, place = 0, 0
    assert numbers == [(7 << 3 | 2, 2), (length, 5)] or (length >= 2**35 and numbers == [(7 << 3 | 2, 1), (length, 6)])


class Counted:
    """A file that is as long as what is written into it, and holds nothing of it."""

    length = place = 0

    def write(self, content: bytes) -> int:
        self.place += len(content)
        self.length = max(self.length, self.place)
        return len(content)

    def tell(self) -> int:
        return self.place

    def seek(self, place: int) -> int:
        self.place = place
        return place


def test_a_proto_above_2_gib_is_written_in_pieces(onnx_lower) -> None:
    from onnx_lower import message_file

    model = model_with_weights(10, tensors=5)
    elements = 2**27 - 2**20
    content = bytes(4 * elements)
    for tensor in model.graph.initializer:
        tensor.dims[:], tensor.raw_data = [elements], content
    file = Counted()
    assert not message_file.write_model(model, file)
    assert len(content) * 5 > 2**31 and 0 < file.length - len(content) * 5 < 1000


# Options.


def test_every_option_of_the_command_line_is_one_of_lower(onnx_lower) -> None:
    table = [line for line in tool.run(["--help"]).stdout.decode().splitlines() if line.startswith("  -")]
    options = {option for line in table for option in re.findall(r"(?<![\w-])--([a-z][a-z-]+)", line)}
    # What says how the tool itself is called: many models, lists, messages.
    of_the_program = {"check", "color", "check-rules", "diff", "expand", "explain", "force", "help", "jobs", "json", "list-rules", "list-targets", "manifest", "new-rule", "output-dir", "quiet", "report", "shard", "show-rule", "show-target",
                      "verbose", "version"}
    of_verify = {"verify", "onnxruntime", "verify-inputs", "seed", "runs"}  # a function of its own
    assert of_the_program | of_verify <= options
    # "as" is a word of Python's.
    of_lower = {option.replace("-", "_").removesuffix("as") or "read_as" for option in options - of_the_program - of_verify}
    assert set(inspect.signature(onnx_lower.lower).parameters) - {"model", "base_dir"} == of_lower
    assert set(inspect.signature(onnx_lower.check).parameters) - {"model", "base_dir"} == of_lower - {"output", "allow_unlowered", "external_data"}


@pytest.mark.parametrize("settings", [
    {f"{SETTING}.threshold": 0.5, f"{SETTING}.value": 20},
    {f"{SETTING}.threshold": np.float32(0.5), f"{SETTING}.value": np.int64(20)},
    {f"{SETTING}.param": [0.5, 20.0]},
    {f"{SETTING}.param": np.float32([0.5, 20])},
    [f"{SETTING}.threshold=0.5", f"{SETTING}.value=20"],
    f"{SETTING}.param=0.5,20",
])
def test_set(onnx_lower, settings) -> None:
    lowered = onnx_lower.lower(LOST.read_bytes(), set=settings).model
    shape = [d.dim_value or 3 for d in onnx.load_model_from_string(lowered).graph.input[0].type.tensor_type.shape.dim]
    x = np.linspace(-1, 2, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    (name,) = [value.name for value in onnx.load_model_from_string(lowered).graph.input]
    np.testing.assert_array_equal(outputs(lowered, **{name: x})[0], np.where(x <= 0.5, np.float32(20), x))


def test_texts_of_settings(onnx_lower) -> None:
    from onnx_lower.command_line import setting_texts

    given = {"d::O.a": "1", "d::O.b": ["x,y", 'say "no" \\'], "d::O.c": True, "d::O.d": 1e-7, "d::O.e": float("inf"), "d::O.f": [1, 2]}
    assert setting_texts(given) == ['d::O.a="1"', 'd::O.b=["x,y","say \\"no\\" \\\\"]', "d::O.c=1", "d::O.d=1e-07", "d::O.e=inf", "d::O.f=[1,2]"]


def test_keep_and_attach(onnx_lower) -> None:
    model = onnx.load(THRESHOLD)
    assert onnx_lower.lower(model, keep="rknn_cst").model == model
    assert onnx_lower.lower(model, keep=["rknn_cst::cstThreshold"]).report.nodes_after == 1
    for attach in (True, "rknn_cst::cstThreshold", ["rknn_cst"]):
        result = onnx_lower.lower(model, attach=attach)
        assert [function.name for function in result.model.functions] == ["cstThreshold"] and result.report.lowered[0].attached
    assert not onnx_lower.lower(model, attach=False).model.functions


def test_shapes_of_inputs(onnx_lower) -> None:
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Shape", ["x"], ["s"])], "g",
        [onnx.helper.make_tensor_value_info("x", 1, ["n", 3, "h"])], [onnx.helper.make_tensor_value_info("s", 7, [3])])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    for shapes in ({"input_shape": {"x": [2, None, 5]}}, {"dim": {"n": 2, "h": 5}}):
        result = onnx_lower.lower(model, fold=True, **shapes).model
        assert [dim.dim_value for dim in result.graph.input[0].type.tensor_type.shape.dim] == [2, 3, 5]
        assert [node.op_type for node in result.graph.node] == ["Constant"]
        assert onnx_lower.check(model, **shapes).complete


def test_values_of_inputs(onnx_lower) -> None:
    kinds = {"rate": (onnx.TensorProto.INT64, []), "share": (onnx.TensorProto.FLOAT, [1, 2]), "flags": (onnx.TensorProto.BOOL, ["n"]), "word": (onnx.TensorProto.STRING, [])}
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Identity", [name], [f"{name}_out"]) for name in kinds], "g", [onnx.helper.make_tensor_value_info(name, *kind) for name, kind in kinds.items()],
        [onnx.helper.make_tensor_value_info(f"{name}_out", *kind) for name, kind in kinds.items()])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    values = {"rate": 16000, "share": np.float32([[0.25, float("inf")]]), "flags": [True, False], "word": 'a "b", c'}
    result = onnx_lower.lower(model, input_value=values).model
    assert not result.graph.input
    found = dict(zip((value.name for value in result.graph.output), onnx.reference.ReferenceEvaluator(result).run(None, {})))
    assert found["rate_out"].tolist() == 16000 and found["share_out"].tolist() == [[0.25, float("inf")]]
    assert found["flags_out"].tolist() == [True, False] and found["word_out"].tolist() == 'a "b", c'
    assert onnx_lower.check(model, input_value=values).complete


def test_target_and_target_opset(onnx_lower) -> None:
    for target in ("onnxruntime", "onnxruntime-1.17,openvino", ["onnxruntime-1.17", "openvino"]):
        result = onnx_lower.lower(onnx.load(THRESHOLD), target=target, target_opset=18)
        assert [(entry.domain, entry.version) for entry in result.model.opset_import] == [("", 18)]
    assert result.model.ir_version <= 9
    assert onnx_lower.lower(onnx.load(THRESHOLD), target_opset=13, ir_version=9).model.ir_version == 9
    assert onnx_lower.check(onnx.load(THRESHOLD), ir_version=6).json["ir_version"] == 6
    with pytest.raises(onnx_lower.UsageError, match=r'target="some-runtime": there is no such target; onnx_lower.targets\(\) lists them'):
        onnx_lower.lower(onnx.load(THRESHOLD), target="some-runtime")


@pytest.mark.parametrize("rule", ["text", "path", "str", "folder", "proto", "script"])
def test_rules(onnx_lower, tmp_path: pathlib.Path, rule: str) -> None:
    path = tmp_path / "acme.onnxtxt"
    path.write_text(RULE)
    rules = {"text": RULE, "path": path, "str": str(path), "folder": tmp_path, "proto": onnx.parser.parse_function(RULE), "script": ScaleAndCap}[rule]
    model = onnx.parser.parse_model(SCALED)
    for given in ([rules], rules):
        lowered = onnx_lower.lower(model, rules=given).model
        np.testing.assert_array_equal(outputs(lowered.SerializeToString(), x=X)[0], scaled_and_capped(X))
    assert onnx_lower.check(model, rules=[rules]).complete
    (listed,) = [listed for listed in onnx_lower.rules([rules]) if listed.operator == "acme::ScaleAndCap"]
    assert listed.origin == "user" and not listed.native and len(listed.forms) == 1


def test_the_first_rule_wins(onnx_lower) -> None:
    capped_at_three = RULE.replace("limit: float = 6.0", "limit: float = 3.0")
    model = onnx.parser.parse_model(SCALED)
    lowered = onnx_lower.lower(model, rules=[capped_at_three, ScaleAndCap]).model
    np.testing.assert_array_equal(outputs(lowered.SerializeToString(), x=X)[0], np.minimum(scaled_and_capped(X), np.float32(3)))


def test_what_is_no_rule(onnx_lower) -> None:
    model = onnx.parser.parse_model(SCALED)
    with pytest.raises(TypeError, match="a rule is a path, .* not int"):
        onnx_lower.lower(model, rules=[3])
    with pytest.raises(onnx_lower.InvalidInputError, match="rule_0.onnxtxt:.*error"):
        onnx_lower.lower(model, rules=["<nonsense> {}"])
    with pytest.raises(onnx_lower.FileError, match="nowhere"):
        onnx_lower.lower(model, rules=["nowhere.onnxtxt"])


def test_built_in_rules(onnx_lower) -> None:
    rules = onnx_lower.rules()
    assert {(rule.domain or "ai.onnx", rule.op_type) for rule in rules} == tool.built_in_rules()
    (threshold,) = [rule for rule in rules if rule.operator == "rknn_cst::cstThreshold"]
    assert threshold.kernel and threshold.origin == "built-in" and threshold.forms and threshold.summary


# Reports and exceptions.


def test_report(onnx_lower) -> None:
    report = onnx_lower.lower(THRESHOLD.read_bytes()).report
    assert report.exit_status == 0 and report.complete and (report.nodes_before, report.nodes_after) == (1, 4)
    (node,) = report.lowered
    assert node.operator == "rknn_cst::cstThreshold" and node.nodes_made == 4 and node.rule.startswith("rules/rknn_cst/cstThreshold.onnxtxt:")
    assert report.json["input"] == "-" and report.json["versions"]["onnx-lower"] == onnx_lower.__version__


def test_what_cannot_be_lowered(onnx_lower, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "out.onnx"
    with pytest.raises(onnx_lower.LoweringError, match=r'cannot be lowered(.|\n)*set=\["rknn_cst::cstThreshold.threshold=VALUE"') as caught:
        onnx_lower.lower(LOST, output)
    assert not output.exists() and caught.value.exit_status == 1 and not str(caught.value).startswith("error")
    (node,) = caught.value.report.unlowered
    assert node.operator == "rknn_cst::cstThreshold" and node.refusals[0].missing_attributes == ("threshold", "value")
    assert pickle.loads(pickle.dumps(caught.value)).report == caught.value.report

    report = onnx_lower.check(LOST)
    assert not report.complete and report.unlowered == caught.value.report.unlowered and report.exit_status == 1
    assert onnx_lower.check(LOST, set={f"{SETTING}.param": [1, 2]}).complete
    with pytest.warns(onnx_lower.LoweringWarning, match="cannot be lowered(.|\n)*add: set="):
        result = onnx_lower.lower(LOST.read_bytes(), allow_unlowered=True)
    assert result.report.unlowered == report.unlowered and result.model == LOST.read_bytes()


def test_invalid_models(onnx_lower, tmp_path: pathlib.Path) -> None:
    with pytest.raises(onnx_lower.InvalidInputError) as caught:
        onnx_lower.lower(b"nonsense")
    assert caught.value.exit_status == 3 and caught.value.report.json["error"] and isinstance(caught.value, ValueError)
    for model in (tmp_path / "nowhere.onnx", str(tmp_path / "nowhere.onnx")):
        with pytest.raises(onnx_lower.FileError, match="nowhere.onnx"):
            onnx_lower.check(model)
    with pytest.raises(onnx_lower.UsageError, match="is a folder"):
        onnx_lower.check(tmp_path)
    with pytest.raises(onnx_lower.FileError, match="is a folder"):
        onnx_lower.lower(tmp_path, tmp_path / "out.onnx")


def test_an_output_that_cannot_be_written(onnx_lower, tmp_path: pathlib.Path) -> None:
    """The tool reports twice then: that it is about to write, and that it could not."""
    with pytest.raises(onnx_lower.FileError, match="out.onnx") as caught:
        onnx_lower.lower(THRESHOLD, tmp_path / "nowhere" / "out.onnx")
    assert caught.value.report.exit_status == 4


def test_usage_errors(onnx_lower) -> None:
    with pytest.raises(onnx_lower.UsageError, match="target_opset=999") as caught:
        onnx_lower.lower(THRESHOLD.read_bytes(), target_opset=999)
    assert caught.value.exit_status == 2 and caught.value.report is None and isinstance(caught.value, ValueError)


def test_assumptions_are_warnings(onnx_lower) -> None:
    model = CASES / "dcn_lossy_dyn" / "model.onnx"
    with pytest.warns(onnx_lower.LoweringWarning, match="which no known shape contradicts") as caught:
        report = onnx_lower.lower(model.read_bytes()).report
    assert report.lowered[0].assumption
    # It is told of at the line that called.
    assert all(warning.filename == __file__ for warning in caught)
    with pytest.warns(onnx_lower.LoweringWarning, match="fits no node") as caught:
        onnx_lower.check(THRESHOLD, set={"nobody::Knows.this": 1})
    assert all(warning.filename == __file__ for warning in caught)


def test_no_warning_without_a_reason(onnx_lower) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        onnx_lower.lower(THRESHOLD.read_bytes())


# The process.


@pytest.fixture
def slow_tool(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    """Stands for a run that takes long; says when it is under way."""
    script = tmp_path / "slow"
    started = tmp_path / "started"
    script.write_text(f"#!/bin/sh\n: > {started}\nexec sleep 600\n")
    script.chmod(0o755)
    monkeypatch.setenv("ONNX_LOWER", str(script))
    return started


def test_timeout(onnx_lower, slow_tool: pathlib.Path) -> None:
    begin = time.monotonic()
    with pytest.raises(onnx_lower.TimeLimitExceeded, match="after 0.3 s") as caught:
        onnx_lower.lower(b"", timeout=0.3)
    assert isinstance(caught.value, TimeoutError) and time.monotonic() - begin < 30


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), 0, -1, 1e300])
def test_no_time_at_all(onnx_lower, timeout: float) -> None:
    for call in (onnx_lower.lower, onnx_lower.check):
        with pytest.raises(onnx_lower.UsageError, match=re.escape(f"timeout={timeout}: ")) as caught:
            call(THRESHOLD.read_bytes(), timeout=timeout)
        assert caught.value.exit_status == 2


def test_time_that_suffices(onnx_lower) -> None:
    assert onnx_lower.lower(THRESHOLD.read_bytes(), timeout=60).model == expected()


def test_interrupt(onnx_lower, slow_tool: pathlib.Path) -> None:
    """Ctrl-C ends the call, and the tool with it."""
    def interrupt() -> None:
        while not slow_tool.exists():
            time.sleep(0.01)
        time.sleep(0.2)  # subprocess itself does not mind the process that it is just starting
        # Of a signal to the process another thread may take notice, and the call goes on waiting.
        while not ended.is_set():
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            ended.wait(5)

    ended = threading.Event()
    thread = threading.Thread(target=interrupt)
    # A shell starts what it puts into the background with this signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            try:
                onnx_lower.lower(b"")
            finally:
                ended.set()
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()


@pytest.mark.parametrize("call", ["lower", "rules"])
def test_an_interrupt_at_any_step(onnx_lower, call: str) -> None:
    """At each line of the module that runs the program, one after another, until a call has no more of them."""
    source = sys.modules["onnx_lower.tool"].__file__

    def descriptors() -> set[str]:
        return set(os.listdir("/proc/self/fd"))

    arguments = [THRESHOLD.read_bytes()] if call == "lower" else []
    before = descriptors()
    for step in itertools.count():
        lines = 0

        def trace(frame, event: str, _) -> object:
            nonlocal lines
            if frame.f_code.co_filename != source:
                return None
            if event == "line":
                lines += 1
                if lines == step + 1:
                    raise KeyboardInterrupt
            return trace

        sys.settrace(trace)
        try:
            getattr(onnx_lower, call)(*arguments)
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        assert not descriptors() - before, f"of the interrupt at line {lines}"
        if lines <= step:
            break
    assert step > 0


def test_a_tool_that_dies(onnx_lower, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "dying"
    script.write_text("#!/bin/sh\nkill -SEGV $$\n")
    script.chmod(0o755)
    monkeypatch.setenv("ONNX_LOWER", str(script))
    with pytest.raises(onnx_lower.ToolDiedError, match="signal 11") as caught:
        onnx_lower.lower(b"")
    assert caught.value.exit_status == -signal.SIGSEGV


def test_a_tool_that_is_not_there(onnx_lower, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONNX_LOWER", "/nowhere/onnx-lower")
    with pytest.raises(FileNotFoundError, match="/nowhere/onnx-lower"):
        onnx_lower.lower(b"")


def test_a_killed_python_leaves_nothing(installed, tmp_path: pathlib.Path, slow_tool: pathlib.Path) -> None:
    """Also files without names go with their process."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary), "ONNX_LOWER": str(slow_tool.with_name("slow"))}
    caller = subprocess.Popen([installed.python, "-c", "import onnx_lower; onnx_lower.lower(bytes(1000))"], env=environment)
    end = time.monotonic() + 60
    while not slow_tool.exists():
        assert time.monotonic() < end and caller.poll() is None
        time.sleep(0.01)
    # Whichever thread of Python has started it.
    (tool_process,) = [child for thread in pathlib.Path(f"/proc/{caller.pid}/task").iterdir() for child in (thread / "children").read_text().split()]
    caller.kill()
    caller.wait()
    os.kill(int(tool_process), signal.SIGKILL)
    assert not list(temporary.iterdir())


def test_threads(onnx_lower) -> None:
    given, wanted = THRESHOLD.read_bytes(), expected()
    results: list[bytes] = []

    def work() -> None:
        for _ in range(10):
            results.append(onnx_lower.lower(given).model)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [wanted] * 40


def test_the_program_through_the_module(installed) -> None:
    done = installed.run("-m", "onnx_lower", "--version")
    assert done.returncode == 0 and done.stdout == tool.run(["--version"]).stdout.decode()
    assert installed.run("-m", "onnx_lower", "--nonsense").returncode == tool.WRONG_USAGE


def test_kernel_library(onnx_lower) -> None:
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library(onnx_lower.kernel_library())
    session = onnxruntime.InferenceSession(THRESHOLD, options, providers=["CPUExecutionProvider"])
    case = CASES / "thr_attrs_dyn"
    inputs, wanted = dict(np.load(case / "inputs_0.npz")), dict(np.load(case / "expected_0.npz"))
    for name, value in zip(wanted, session.run(list(wanted), inputs)):
        np.testing.assert_array_equal(value, wanted[name])


def test_examples_of_the_documentation(installed, tmp_path: pathlib.Path) -> None:
    """docs/python.md and the README: every block runs, in one folder, with a model of the name that it uses."""
    blocks = [block for page in ("docs/python.md", "README.md") for block in re.findall(r"```python\n(.*?)```", (tool.REPOSITORY / page).read_text(), re.DOTALL)]
    assert len(blocks) == 7
    (tmp_path / "exported.onnx").write_bytes(THRESHOLD.read_bytes())
    printed = []
    for number, block in enumerate(blocks):
        (tmp_path / f"example{number}.py").write_text(block)
        done = installed.run(f"example{number}.py", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    assert "onnxruntime-1.31 after_lowering 4 None\n" in printed.pop(4)
    assert printed == ["1 -> 4\n", "", "['Constant', 'Constant', 'Mul', 'Min']\n", "", "", ""]


def test_version(onnx_lower) -> None:
    text = (tool.REPOSITORY / "CMakeLists.txt").read_text()
    assert onnx_lower.__version__ == re.search(r"project\(onnx_lower\s+VERSION ([\d.]+)", text)[1]


# Where a model runs.


def test_where_and_targets(onnx_lower, tmp_path: pathlib.Path) -> None:
    all_targets = onnx_lower.targets()
    assert [target.name for target in all_targets] == [line.split()[0] for line in tool.run(["--list-targets"]).stdout.decode().splitlines()[1:]]
    assert {target.source for target in all_targets} == {"probe", "documents"} and all(target.title for target in all_targets)
    verdicts = onnx_lower.where(THRESHOLD)
    assert list(verdicts) == [target.name for target in all_targets]
    taken, refused = verdicts["onnxruntime-1.31"], verdicts["coreml-1.24"]
    assert taken and taken.verdict == "after_lowering" and taken.nodes_after and taken.obstacle is None
    assert not refused and refused.verdict == "refused" and "has no" in refused.obstacle and refused.unlowered
    lowered = onnx_lower.lower(THRESHOLD.read_bytes(), target="onnxruntime-1.31").model
    assert onnx_lower.where(lowered, target="onnxruntime-1.31")["onnxruntime-1.31"].verdict == "as_it_is"


def test_bytes_of_any_kind_and_short_texts(onnx_lower) -> None:
    content = THRESHOLD.read_bytes()
    result = onnx_lower.lower(content)
    for other in (bytearray(content), memoryview(content)):
        assert onnx_lower.lower(other).model == result.model and onnx_lower.check(other).complete
    assert repr(result) == f"Result(model=<bytes of {len(result.model):,} bytes>, report={result.report!r})" and len(repr(result)) < 200
    with pytest.raises(OSError, match="not_there"):
        onnx_lower.check("not_there.onnx")


def test_read_as_and_without(onnx_lower) -> None:
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17, "nobody" : 1]> g (float[2] x, float[2] b) => (float[2] y) { z = nobody.BiasGelu (x, b) y = Sign (z) }')
    assert not onnx_lower.check(model).complete
    lowered = onnx_lower.lower(model, read_as={"nobody::BiasGelu": "com.microsoft::BiasGelu"}, without=["Sign"]).model
    assert not {"BiasGelu", "Sign"} & {node.op_type for node in lowered.graph.node}
