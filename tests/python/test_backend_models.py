# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""300 of onnx's own node tests at older opsets: right, or refused with a reason; and those that ONNX Runtime does not run as they are, with --target. docs/operators.md has all of them; scripts/make_operator_table.py writes it."""
from __future__ import annotations

import collections
import itertools
import os
import pathlib
import re
import zlib

import numpy as np
import onnx

import backend_tests
import runtimes
import tool
from backend_tests import OPSETS, REFUSED, RIGHT

# What was right when this was written, of the 300: a rule that is lost shows here.
RIGHT_AT_LEAST = {21: 300, 17: 297, 15: 297, 13: 297, 11: 293, 9: 288}

PAGE = (tool.REPOSITORY / "docs" / "operators.md").read_text()


def test_sample(tmp_path: pathlib.Path) -> None:
    names = backend_tests.sample(300)
    assert len(names) == 300
    in_openvino = backend_tests.right_in_openvino(names, tmp_path)
    right = {}
    for opset in OPSETS:
        found = backend_tests.outcomes(names, opset, tmp_path)
        faults = [f"{outcome.name}: {outcome.verdict}: {outcome.detail}" for outcome in found if outcome.verdict not in (RIGHT, REFUSED)]
        assert not faults, f"opset {opset}\n" + "\n".join(faults)
        without_reason = [outcome.name for outcome in found if outcome.verdict == REFUSED and not re.search(r"^ +rule .*: ", outcome.detail, re.MULTILINE)]
        assert not without_reason, without_reason
        right[opset] = collections.Counter(outcome.verdict for outcome in found)[RIGHT]
        if opset == 13:
            lowered = {outcome.name for outcome in found if outcome.verdict == RIGHT}
            assert_right_in_openvino([name for name in in_openvino if name in lowered], opset, tmp_path)
    assert all(right[opset] >= RIGHT_AT_LEAST[opset] for opset in OPSETS), right


def spelled_out(model: onnx.ModelProto) -> onnx.ModelProto | None:
    """The same model, where each optional input and output that its node leaves out at the end is there without a name, and each attribute with a default has it; None if nothing is left out."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    node = copy.graph.node[0]
    version = next(entry.version for entry in model.opset_import if entry.domain == node.domain)
    schema = onnx.defs.get_schema(node.op_type, version, node.domain)
    for given, formal in ((node.input, schema.inputs), (node.output, schema.outputs)):
        while len(given) < len(formal) and formal[len(given)].option == onnx.defs.OpSchema.FormalParameterOption.Optional:
            given.append("")
    there = {attribute.name for attribute in node.attribute}
    for name, declared in schema.attributes.items():
        if name not in there and declared.default_value.type != onnx.AttributeProto.UNDEFINED:
            node.attribute.add().CopyFrom(declared.default_value)
            node.attribute[-1].name = name
    return None if copy == model else copy


def test_what_is_left_out_may_be_spelled_out(tmp_path: pathlib.Path) -> None:
    (tmp_path / "spelled" / "given").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    names = []
    for name, test in backend_tests.every_test().items():
        spelled = spelled_out(test.model) if len(test.model.graph.node) == 1 else None
        if spelled is not None:
            onnx.save(spelled, tmp_path / "spelled" / "given" / f"{name}.onnx")
            names.append(name)
    assert len(names) > 700
    for opset in (7, 13, 17):
        plain = backend_tests.lowered(names, opset, tmp_path / "plain")
        spelled = backend_tests.lowered(names, opset, tmp_path / "spelled")
        faults = [f"{name}: {spelled[name][1]}" for name in names if not plain[name][1] and spelled[name][1]]
        assert not faults, f"opset {opset}\n" + "\n".join(faults)


def test_flex_attention(tmp_path: pathlib.Path) -> None:
    """ONNX Runtime has no FlexAttention: what it computes with the lowered model is what the test expects, at every opset."""
    names = [name for name in backend_tests.every_test() if re.fullmatch(r"test_flexattention(?!.*expanded).*", name)]
    assert len(names) >= 11
    for opset in OPSETS:
        faults = [f"{outcome.name}: {outcome.verdict}: {outcome.detail}" for outcome in backend_tests.outcomes(names, opset, tmp_path) if outcome.verdict != RIGHT]
        assert not faults, f"opset {opset}\n" + "\n".join(faults)


# ONNX Runtime has no kernel for some tests of these, or none of so new a version: with --target it runs all of them.
TAKEN_WITH_TARGET = {
    "BitShift", "CausalConvWithState", "DepthToSpace", "GRU", "LSTM", "LinearAttention", "Max", "Min", "Mod", "OptionalGetElement", "OptionalHasElement", "Pow", "RNN",
    "ReduceLogSum", "ReduceLogSumExp", "RoiAlign", "SpaceToDepth", "SwiGLU", "ai.onnx.preview.training::Adagrad", "ai.onnx.preview.training::Adam",
    "ai.onnx.preview.training::Momentum", "ai.onnx.preview::FlexAttention",
}  # fmt: skip


def test_what_onnx_runtime_does_not_run_as_it_is(tmp_path: pathlib.Path) -> None:
    names = sorted((name for name in backend_tests.every_test() if of_name(name).operator in TAKEN_WITH_TARGET), key=lambda name: zlib.crc32(name.encode()))
    refused = list(itertools.islice((name for name in names if not backend_tests.runs(of_name(name))), 60))
    assert len(refused) == 60
    faults = []
    for name in refused:
        content = tool.lowered(of_name(name).model.SerializeToString(), ["--target", "onnxruntime-1.31"])
        verdict, detail = backend_tests.verdict(content, of_name(name), runtimes.in_onnxruntime)
        if verdict != RIGHT:
            faults.append(f"{name}: {verdict}: {detail}")
    assert not faults, "\n".join(faults)


def test_without_elements_in_openvino(tmp_path: pathlib.Path) -> None:
    """Tensors of no elements, which OpenVINO takes in few arrangements of nodes."""
    names = [name for name in backend_tests.every_test() if re.search(r"empty_set|allowzero|tri[lu]_zero|kernel_size_one_expanded", name)]
    names = backend_tests.right_in_openvino(names, tmp_path)
    assert len(names) >= 15
    for opset in (17, 13, 9):
        assert_right_in_openvino(names, opset, tmp_path)


def test_bits_of_bfloat16() -> None:
    """ONNX Runtime's Python takes and gives no bfloat16: the model makes it of float, and gives float."""
    text = """<ir_version: 13, opset_import: ["" : 26]>
    g (float[n] x, int16[m] i) => (int16[n] bits, float[m] y) { b = Cast <to = 16> (x) bits = BitCast <to = 5> (b) c = BitCast <to = 16> (i) y = Cast <to = 1> (c) }"""
    bits = np.arange(-(2**15), 2**15, dtype=np.int16)
    numbers = (bits.astype(np.int32) << 16).view(np.float32)
    bits, numbers = bits[~np.isnan(numbers)], numbers[~np.isnan(numbers)]
    content = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--target-opset", "13"])
    got = runtimes.in_onnxruntime(content)({"x": numbers, "i": bits})
    assert (got["bits"] == bits).all() and (got["y"].view(np.int32) == numbers.view(np.int32)).all()


def test_bits_of_zero_with_its_sign() -> None:
    """Zeros equal each other whatever their signs: their inverses do not."""
    for size, signed, floating in ((16, "int16", "float16"), (32, "int32", "float"), (64, "int64", "double")):
        to = onnx.TensorProto.DataType.Value(floating.upper())
        text = f'<ir_version: 13, opset_import: ["" : 26]> g ({signed}[n] i) => ({floating}[n] y) {{ y = BitCast <to = {to}> (i) }}'
        content = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--target-opset", "13"])
        got = runtimes.in_onnxruntime(content)({"i": np.array([-(2 ** (size - 1)), 0], signed)})["y"]
        assert (got == 0).all() and np.signbit(got).tolist() == [True, False], floating


def of_name(name: str) -> backend_tests.BackendTest:
    return backend_tests.every_test()[name]


def assert_right_in_openvino(names: list[str], opset: int, folder: pathlib.Path) -> None:
    """Those that it ran as they were."""
    faults = [f"{name}: {said}" for name, said in backend_tests.in_openvino_at(names, opset, folder).items() if not said.startswith(RIGHT)]
    assert not faults, f"OpenVINO ran these as they were, opset {opset}\n" + "\n".join(faults)


def test_page() -> None:
    """It has the opsets and the operators, and nothing on it is wrong or does not load."""
    rows = re.findall(r"^\| (\d+)" + r" \| (\d+)" * 8 + r" \|$", PAGE, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(OPSETS)
    for _, right, wrong, unloadable, refused, *_ in rows:
        assert (wrong, unloadable) == ("0", "0") and int(right) + int(refused) == int(rows[0][1]) + int(rows[0][4])
    rows = re.findall(r"^\| (\d+)" + r" \| (\d+)" * 6 + r" \|$", PAGE, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(OPSETS) and all((failed, with_target) == ("0", "0") for _, _, _, failed, _, _, with_target in rows)
    operators = {of_name(name).operator for name in backend_tests.sample(300)}
    shown = set(re.findall(r"^\| `([\w.:]+)` \| \d", PAGE, re.MULTILINE))
    assert operators <= shown, f"scripts/make_operator_table.py has to be run again: the page lacks {sorted(operators - shown)}"
    assert os.access(tool.REPOSITORY / "scripts" / "make_operator_table.py", os.X_OK)
