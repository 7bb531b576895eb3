# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What a refusal says: the reason in a few lines, and what to add, which works as it is printed."""
import pathlib
import re
import shlex

import onnx
import pytest
import tool
from onnx import parser

HEAD = '<ir_version: 8, opset_import: ["": {opset}, "nobody": 1, "rknn_cst": 1, "TRT": 1, "com.microsoft": 1]>'


def binary(graph: str, opset: int = 17) -> bytes:
    return parser.parse_model(HEAD.format(opset=opset) + graph).SerializeToString()


LOOP = """g (int64 n, float[2] x) => (float[2] y) {
    true = Constant <value: tensor = bool {1}> ()
    y = Loop (n, true, x) <body = b (int64 i, bool c, float[2] v) => (bool d, float[2] w) { d = Identity (c) w = Add (v, v) }>
}"""
SHAPES = "g (float[batch,seq] x) => (float[batch,seq] y) { y = Relu (x) }"
CASES = {
    "no rule": ("OL001", [], binary("g (float[2] x) => (float[2] y) { y = nobody.Knows (x) }")),
    "no domain": ("OL002", [], binary("g (float[2] x) => (float[2] y) { y = NobodyKnows (x) }")),
    "no domain, and a rule in another": ("OL002", [], binary("g (float[2] x, float[2] b) => (float[2] y) { y = relu (x) }")),
    "a target without it": ("OL003", ["--target", "tract"], binary(LOOP, 13)),
    "a target without what its rules make": ("OL003", ["--target", "coreml"], binary("g (float[2] x) => (float[2] y) { y = rknn_cst.cstThreshold <threshold = 0.5, value = 0.0> (x) }")),
    "an attribute that is lost": ("OL005", [], binary("g (float[2] x) => (float[2] y) { y = rknn_cst.cstThreshold (x) }")),
}


def first_advice(message: str) -> list[str]:
    """The words behind the first add:, without what stands in brackets."""
    advice = re.search(r"^  add: (.*?)(?: \(.*\))?$", message, re.MULTILINE)
    assert advice, message
    return shlex.split(advice[1])


@pytest.mark.parametrize("name", CASES)
def test_each_has_a_code_a_reason_and_advice_that_works(name: str) -> None:
    code, options, content = CASES[name]
    refused = tool.lower(content, options)
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    lines = [line for line in refused.stderr.splitlines() if not line.startswith("note:")]
    assert lines[0].endswith(f"cannot be lowered ({code})"), refused.stderr
    assert len(lines) <= 8, refused.stderr
    advice = [word.replace("VALUE", "0.5") for word in first_advice(refused.stderr)]
    assert tool.lower(content, [*options, *advice]).status == tool.DONE, f"{advice}: {tool.lower(content, [*options, *advice])}"


THRESHOLD = "g (float[2] x) => (float[2] y) { [thres] y = rknn_cst.cstThreshold <value = 0.0> (x) }"


@pytest.mark.parametrize(("setting", "instead"), [
    ("rknn_cst::cstThreshold.treshold=0.1", "rknn_cst::cstThreshold.threshold=0.1"),
    ("node:thres.treshold=0.1", "node:thres.threshold=0.1"),
    ("rknn_cst::cstThreshold.threshold=abc", "rknn_cst::cstThreshold.threshold=VALUE"),
])
def test_a_setting_that_a_rule_does_not_take(setting: str, instead: str) -> None:
    refused = tool.lower(binary(THRESHOLD), ["--set", setting])
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    assert f"  given: --set {setting}\n" in refused.stderr
    assert first_advice(refused.stderr) == ["--set", instead], refused.stderr
    assert tool.lower(binary(THRESHOLD), ["--set", instead.replace("VALUE", "0.5")]).status == tool.DONE


@pytest.mark.parametrize(("setting", "instead"), [("rknn_cst::cstTreshold.threshold=0.1", "rknn_cst::cstThreshold"), ("node:trhes.threshold=1.0", "node:thres")])
def test_a_setting_for_what_is_not_there(setting: str, instead: str) -> None:
    refused = tool.lower(binary(THRESHOLD), ["--set", setting])
    assert f"--set {setting} fits no node that is to be lowered; is it {instead}?\n" in refused.stderr, refused.stderr


@pytest.mark.parametrize(("graph", "lacking"), [
    ("g (float[4,8] x, float[4,2] r, float[2,8,16] w) => (float[4,8] y) { y = com.microsoft.MoE <k = 1> (x, r, w) }", "fc2_experts_weights"),
    ("g (float[2,4] x) => (float[2,4] y) { y = com.microsoft.SkipLayerNormalization (x) }", ""),
])
def test_a_node_without_an_input_that_it_needs(graph: str, lacking: str) -> None:
    refused = tool.lower(binary(graph))
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    assert re.search(rf"the model is incomplete: the node has \d inputs?, and lacks '{lacking}\w*', which it needs", refused.stderr) or re.search(r"input '?\w+'?.* is absent", refused.stderr), refused.stderr


@pytest.mark.parametrize(("words", "instead"), [
    (["verify", "m.onnx"], "write onnx-lower m.onnx -o OUT --verify"), (["verify", "m.onnx", "n.onnx"], "write onnx-lower --verify m.onnx n.onnx"),
    (["check", "m.onnx"], "write onnx-lower --check m.onnx"), (["lower", "m.onnx", "-o", "o.onnx"], "write onnx-lower m.onnx -o o.onnx"),
    (["help"], "write onnx-lower --help"), (["list-rules"], "write onnx-lower --list-rules"),
    (["m.onnx", "n.onnx"], "to lower both write --output-dir DIR, to compare them --verify m.onnx n.onnx"), (["m.onnx", "new.onnx"], "the output is given with -o: -o new.onnx"),
])
def test_commands_in_the_manner_of_other_tools(tmp_path: pathlib.Path, words: list[str], instead: str) -> None:
    for name in ("m.onnx", "n.onnx"):
        (tmp_path / name).write_bytes(binary(THRESHOLD))
    refused = tool.run(words, cwd=tmp_path)
    tool.assert_clean_refusal(refused, tool.WRONG_USAGE)
    assert instead in refused.stderr, refused.stderr


def test_a_file_named_as_a_command_is_a_model(tmp_path: pathlib.Path) -> None:
    (tmp_path / "check").write_bytes(binary("g (float[2] x) => (float[2] y) { y = Relu (x) }"))
    assert tool.run(["check", "-o", "o.onnx"], cwd=tmp_path).status == tool.DONE


def test_text_that_is_no_model(tmp_path: pathlib.Path) -> None:
    for text in ("hello, this is a note\n", "größer\tals\n" * 100, '{"json": 1}', "name: model\nversion: 3\n"):
        (tmp_path / "m.onnx").write_text(text)
        refused = tool.run(["m.onnx", "-o", "o.onnx"], cwd=tmp_path)
        tool.assert_clean_refusal(refused, tool.INVALID_INPUT)
        assert "it is text" in refused.stderr, refused.stderr


def test_what_another_target_makes_fewer_nodes_of(tmp_path: pathlib.Path) -> None:
    content = binary("g (float[1,8,16,16] x, float[8,8,3,3] w, float[1,18,16,16] o, float[1,9,16,16] m, float[8] b) => (float[1,8,16,16] y) {"
                     " y = torchvision.deform_conv2d <padding = [1, 1]> (x, w, o, m, b) }", 19)
    model = onnx.load_from_string(content)
    model.opset_import.append(onnx.helper.make_opsetid("torchvision", 1))
    content = model.SerializeToString()
    run = tool.lower(content)
    note = re.search(r"^note: --target (\w+) makes (\d+) nodes? of torchvision::deform_conv2d, and not (\d+)$", run.stderr, re.MULTILINE)
    assert run.status == tool.DONE and note, run.stderr
    there = onnx.load_from_string(tool.lowered(content, ["--target", note[1]]))
    assert len(there.graph.node) == int(note[2]) == 1 and int(note[3]) > 100
    assert "note:" not in tool.lower(content, ["--target", "openvino"]).stderr.replace("note: --target openvino:", "")


def test_a_type_that_is_too_wide(tmp_path: pathlib.Path) -> None:
    (tmp_path / "floats.target").write_text("# A board.\nSin dtype(input) == float\n")
    content = binary("g (double[2] x) => (double[2] y) { y = Sin (x) }")
    refused = tool.lower(content, ["--target", tmp_path / "floats.target"])
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    assert "(OL009)" in refused.stderr and first_advice(refused.stderr) == ["--allow-narrowing"]
    assert tool.lower(content, ["--target", tmp_path / "floats.target", "--allow-narrowing"]).status == tool.DONE


def test_the_tree_of_reasons_is_for_those_who_ask() -> None:
    _, options, content = CASES["a target without what its rules make"]
    brief, long = (tool.lower(content, [*options, *more]).stderr for more in ([], ["-v"]))
    assert "rule ai.onnx::Where" not in brief and "rule ai.onnx::Where" in long
    assert re.search(r"^  coreml-\S+ has no Where, which the rules of rknn_cst::cstThreshold need$", brief, re.MULTILINE), brief
    assert re.search(r"^  -v shows all \d+ reasons$", brief, re.MULTILINE)


def test_nodes_that_are_refused_for_one_reason_are_one_message() -> None:
    nodes = " ".join(f"y{i} = rknn_cst.cstThreshold <threshold = 0.5, value = 0.0> (x)" for i in range(5))
    outputs = ", ".join(f"float[2] y{i}" for i in range(5))
    refused = tool.lower(binary(f"g (float[2] x) => ({outputs}) {{ {nodes} }}"), ["--target", "coreml"])
    assert refused.stderr.count("error:") == 1 and "5 nodes (rknn_cst::cstThreshold), 'y0', 'y1', 'y2' and 2 more, cannot be lowered" in refused.stderr, refused.stderr


def test_sizes_are_given_as_they_are_named() -> None:
    refused = tool.lower(binary(SHAPES), ["--target", "qnn"])
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    advice = first_advice(refused.stderr)
    assert advice == ["--dim", "batch=1", "--dim", "seq=1"]
    assert tool.lower(binary(SHAPES), ["--target", "qnn", *advice]).status == tool.DONE


def test_codes_are_those_of_the_page() -> None:
    page = dict(re.findall(r"^\| (OL\d+) \| (.*) \|$", (tool.REPOSITORY / "docs" / "checking.md").read_text(), re.MULTILINE))
    assert {code for code, _, _ in CASES.values()} <= set(page)
    for code, title in page.items():
        explained = tool.run(["--explain", code])
        assert explained.status == tool.DONE and explained.stdout.decode().startswith(f"{code}: {title}\n\n"), code
    unknown = tool.run(["--explain", "OL999"])
    tool.assert_clean_refusal(unknown, tool.WRONG_USAGE)
    assert f"they are {min(page)} to {max(page)}" in unknown.stderr


TWO = "g (float[2,3] x, float[3,4] w, float[3] b) => (float[2,4] y, float[2,3] z) { e = Einsum <equation = \"ij,jk->ik\"> (x, w) y = Relu (e) z = com.microsoft.BiasGelu (x, b) }"


@pytest.mark.parametrize(("options", "there"), [
    (["--without", "Einsum"], {"MatMul", "Erf"}),
    (["--target", "onnxruntime", "--without", "Einsum"], {"MatMul", "BiasGelu"}),
    (["--target", "onnxruntime"], {"Einsum", "BiasGelu"}),
    (["--target", "onnxruntime", "--without", "com.microsoft"], {"Einsum", "Erf"}),
    (["--target", "onnxruntime", "--without", "com.microsoft::BiasGelu,Einsum"], {"MatMul", "Erf"}),
    (["--target", "onnxruntime", "--without", "com.microsoft::Gelu"], {"Einsum", "BiasGelu"}),
])
def test_without(options: list[str], there: set[str]) -> None:
    lowered = onnx.load_from_string(tool.lowered(binary(TWO), options))
    operators = {node.op_type for node in lowered.graph.node}
    assert operators & {"Einsum", "MatMul", "BiasGelu", "Erf"} == there


@pytest.mark.parametrize(("value", "complaint"), [("Einsm", "is it Einsum?"), ("ai.onnx", "one by one"), ("ai.onnx::Nothing", "has no operator")])
def test_without_what_there_is_not(value: str, complaint: str) -> None:
    refused = tool.lower(binary(TWO), ["--without", value])
    tool.assert_clean_refusal(refused, tool.WRONG_USAGE)
    assert complaint in refused.stderr


def test_an_operator_is_read_as_another_one() -> None:
    text = "g (float[2] x) => (float[2] y) { y = ? <threshold = 0.5, value = 0.0> (x) }"
    direct = onnx.load_from_string(tool.lowered(binary(text.replace("?", "rknn_cst.cstThreshold"))))
    for written, reading in (("Mask", "Mask=rknn_cst::cstThreshold"), ("nobody.Mask", "nobody::Mask=rknn_cst::cstThreshold")):
        read = onnx.load_from_string(tool.lowered(binary(text.replace("?", written)), ["--as", reading]))
        assert read.graph.node == direct.graph.node
    inside = "g (bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = t () => (z) { z = nobody.Mask <threshold = 0.5, value = 0.0> (x) }, else_branch = e () => (z) { z = Identity (x) }> }"
    assert tool.lower(binary(inside)).status == tool.NOT_LOWERED
    assert tool.lower(binary(inside), ["--as", "nobody::Mask=rknn_cst::cstThreshold"]).status == tool.DONE
    tool.assert_clean_refusal(tool.lower(binary(inside), ["--as", "Mask"]), tool.WRONG_USAGE)


def test_what_is_kept_is_left_to_a_kernel_of_the_runtime() -> None:
    content = binary("g (float[2] x) => (float[2] y) { y = nobody.Knows (x) }")
    run = tool.lower(content, ["--keep", "nobody::Knows"])
    assert run.status == tool.DONE and "note: nobody::Knows stays, and runs only where the runtime has a kernel for it\n" in run.stderr
    assert "runs as it is in" not in run.stderr
    checked = tool.run(["--check", "-", "--keep", "nobody::Knows"], stdin=content)
    assert "it runs only with a kernel for nobody::Knows" in checked.stdout.decode()
    assert "stays" not in tool.lower(binary(SHAPES), ["--keep", "Relu"]).stderr
    with_target = tool.lower(binary(LOOP, 13), ["--target", "tract", "--keep", "Loop"])
    assert "note: ai.onnx::Loop stays" in with_target.stderr, with_target


@pytest.mark.parametrize(("graph", "advice"), [
    ("g (float[2] x) => (float[2] y) { y = Reluu (x) }", ["--as", "Reluu=ai.onnx::Relu"]),
    ("g (float[2] x) => (float[2] y) { y = nobody.cstThreshold (x) }", ["--as", "nobody::cstThreshold=ai.onnx::cstThreshold", "--set", "ai.onnx::cstThreshold.threshold=VALUE", "--set", "ai.onnx::cstThreshold.value=VALUE"]),
])
def test_an_operator_is_offered_as_one_that_takes_the_node(graph: str, advice: list[str]) -> None:
    refused = tool.lower(binary(graph))
    assert first_advice(refused.stderr) == advice, refused.stderr
    assert tool.lower(binary(graph), [word.replace("VALUE", "0.5") for word in advice]).status == tool.DONE


def test_an_operator_of_a_similar_name_that_does_not_take_the_node_is_not_offered() -> None:
    refused = tool.lower(binary("g (float[1,9,4] b, float[1,9,2] s) => (int32[1,1] n, float[1,5,4] o, float[1,5] t, int32[1,5] c, int32[1,5] i) { n, o, t, c, i = nobody.EfficientNMSS_TRT <iou_threshold = 0.5, max_output_boxes = 5, score_threshold = 0.1> (b, s) }"))
    assert "of similar names, and not what the node is: " in refused.stderr and "--as" not in refused.stderr, refused.stderr


def test_a_setting_beside_one_that_is_lacking() -> None:
    graph = binary("g (float[2] x) => (float[2] y) { y = rknn_cst.cstThreshold (x) }")
    refused = tool.lower(graph, ["--set", "rknn_cst::cstThreshold.threshold=0.5"])
    assert "  add: --set rknn_cst::cstThreshold.value=VALUE (beside what is given)\n" in refused.stderr and "in its place" not in refused.stderr, refused.stderr
    misspelled = tool.lower(graph, ["--set", "rknn_cst::cstThreshold.treshold=0.5"])
    assert first_advice(misspelled.stderr) == ["--set", "rknn_cst::cstThreshold.threshold=0.5", "--set", "rknn_cst::cstThreshold.value=VALUE"], misspelled.stderr


@pytest.mark.parametrize(("node", "said"), [
    ("y = com.microsoft.BeamSearch (x)", "export the decoder alone"), ("y = com.microsoft.EPContext <embed_mode = 1> (x)", "from before the compilation"),
    ("y = ai.onnx.contrib.BertTokenizer (x)", "onnxruntime-extensions"),
    ("y, past = com.microsoft.DecoderMaskedSelfAttention <num_heads = 1> (x, x, x, , x, , x)", "export the attention as Attention or MultiHeadAttention"),
    ("y = com.microsoft.SparseToDenseMatMul (x, x)", "multiply by MatMul"), ("y = com.microsoft.MatMulFpQ4 (x, x, x)", "to MatMulNBits"),
    ("y = com.microsoft.QOrderedLongformerAttention (x)", "LongformerAttention, and quantize"),
    ("y = com.microsoft.SparsePagedAttention (x)", "past_key, present_key"), ("y = com.microsoft.Snpe <DLC = \"\"> (x)", "from before the compilation"),
])
def test_what_no_rule_can_say_is_told_with_what_to_do_instead(node: str, said: str) -> None:
    model = onnx.load_from_string(binary(f"g (float[2] x) => (float[2] y) {{ {node} }}"))
    model.opset_import.append(onnx.helper.make_opsetid("ai.onnx.contrib", 1))
    refused = tool.lower(model.SerializeToString())
    tool.assert_clean_refusal(refused, tool.NOT_LOWERED)
    assert "there can be no rule for this operator: " in refused.stderr and said in refused.stderr and "--new-rule" not in refused.stderr, refused.stderr
    assert tool.lower(model.SerializeToString(), first_advice(refused.stderr)).status == tool.DONE
