# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Messages of the Python module speak of its keywords, never of options of the command line; and what they say to add works."""
from __future__ import annotations

import contextlib
import pathlib
import re
import warnings

import pytest

import tool

CASES = tool.TESTDATA / "cases"
THRESHOLD = CASES / "thr_attrs_dyn" / "model.onnx"
GOLDEN = sorted((tool.TESTDATA / "golden").rglob("*.in.onnxtxt"))
MODELS = [path for number, path in enumerate(GOLDEN) if path.name.startswith("bad-") or number % 12 == 0]
ADVICE = re.compile(r"^  (?:add:|or: ) +(.*?)(?: \(.*| with a function .*| in place of \d+)?$", re.MULTILINE)


def options_of_help() -> set[str]:
    table = [line for line in tool.run(["--help"]).stdout.decode().splitlines() if line.startswith("  -")]
    return {option for line in table for option in re.findall(r"(?<![\w-])--([a-z][a-z-]+)", line)}


def assert_in_python(text: str) -> None:
    named = set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)", text)) & options_of_help()
    assert not named and not re.search(r"(?:^|\s)-[ovqj]\b", text), text


def test_every_option_has_its_keyword(onnx_lower) -> None:
    from onnx_lower.command_line import OPTIONS
    from onnx_lower.option_table import FUNCTIONS

    # How the tool is called by a person: what these do has no meaning in a call, or is what it does anyway.
    of_a_shell = {"color", "diff", "expand", "help", "json", "manifest", "quiet", "report", "shard", "verbose", "version", "check-rules"}
    assert {option.name for option in OPTIONS} | set(FUNCTIONS) | of_a_shell == options_of_help()
    assert all(callable(getattr(onnx_lower, name)) for name in FUNCTIONS.values())


@pytest.fixture(scope="module")
def refusals(onnx_lower, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, Exception]]:
    """Of golden models, as they are and for runtimes that take little: the model, the target and the exception."""
    found = []
    for target in ("any", "coreml", "tract,openvino"):
        folder = tmp_path_factory.mktemp("lowered")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", onnx_lower.LoweringWarning)  # of models that are lowered
            results = onnx_lower.lower_many({path: f"{number}.onnx" for number, path in enumerate(MODELS)}, folder, target=target)
        found += [(result.input, target, result.error) for result in results.failed]
    assert len(found) > 40
    return found


def test_refusals_name_no_options(refusals: list[tuple[str, str, Exception]]) -> None:
    for _, _, error in refusals:
        assert_in_python(str(error))
        for node in getattr(error.report, "unlowered", ()):
            assert_in_python(node.message)


def test_what_refusals_say_to_add_works(onnx_lower, refusals: list[tuple[str, str, Exception]], tmp_path: pathlib.Path) -> None:
    """Each kind of advice, evaluated as the keywords of a call, is taken."""
    kinds: dict[tuple[str, ...], int] = {}
    begun: list[tuple[str, str]] = []
    for model, target, error in refusals:
        for text in ADVICE.findall(str(error)):
            if text.startswith("onnx_lower.new_rule("):
                begun.append((model, text))
                continue
            given = eval(f"dict({text})", {"VALUE": 1, "N": 1})
            kind = (target, *sorted(given))
            kinds[kind] = kinds.get(kind, 0) + 1
            if kinds[kind] > 2 or "rules" in given:  # a file that is the reader's to write
                continue
            given = {name: [word.replace("VALUE", "1") for word in value] if name == "set" else value for name, value in given.items()}
            # The number 1 stands for one that fits.
            with contextlib.suppress(onnx_lower.InvalidInputError), warnings.catch_warnings():
                warnings.simplefilter("ignore", onnx_lower.LoweringWarning)
                onnx_lower.check(model, **{"target": target, **given})
    assert {name for kind in kinds for name in kind[1:]} >= {"set", "keep"}, kinds
    for number, (model, text) in enumerate(begun[:5]):
        written = eval(text[:-1] + f", {str(tmp_path / str(number))!r})", {"onnx_lower": onnx_lower, "model": model})
        assert written and all(pathlib.Path(path).exists() for path in written)
    assert begun


@pytest.mark.parametrize("options,told", [
    ({"target": "onnxruntime-0.1"}, 'target="'),
    ({"target": "some-runtime"}, 'target="some-runtime": there is no such target; onnx_lower.targets() lists them'),
    ({"target": "hailo"}, "target_opset="),
    ({"target_opset": 999}, "target_opset=999: the newest"),
    ({"ir_version": 1}, "ir_version=1: write a whole number"),
    ({"keep": "a::"}, 'keep=["a::"]: write DOMAIN'),
    ({"set": "x"}, 'set=["x"]: '),
    ({"read_as": {"NMS": ""}}, "read_as="),
    ({"without": "ai.onnx"}, 'without=["ai.onnx"]: nothing would be left'),
    ({"dim": {"nobody": 1}}, "dim="),
    ({"dim": {"n": "x"}}, "dim="),
    ({"input_shape": {"nobody": [1]}}, "input_shape={\"nobody\": [1]}: "),
    ({"input_value": {"nobody": 1}}, "input_value={\"nobody\": 1}: "),
    ({"external_data": "nonsense"}, 'external_data="nonsense": write keep, embed or split'),
    ({"attach": "ai.onnx::Relu"}, 'attach=["ai.onnx::Relu"]: runtimes look for no function'),
    ({"rules": ["nowhere.onnxtxt"]}, "nowhere.onnxtxt"),
])
def test_wrong_options(onnx_lower, options: dict, told: str) -> None:
    with pytest.raises(onnx_lower.Error) as caught:
        onnx_lower.lower(THRESHOLD.read_bytes(), **options)
    assert told in str(caught.value), str(caught.value)
    assert_in_python(str(caught.value))


def test_other_functions(onnx_lower, tmp_path: pathlib.Path) -> None:
    for call, told in (
        (lambda: onnx_lower.show_rule("nobody::Knows"), 'rules=["FILE.onnxtxt"]'),
        (lambda: onnx_lower.show_rule("x"), 'onnx_lower.show_rule("x"): write DOMAIN::OP'),
        (lambda: onnx_lower.show_target("x"), 'target="x": there is no such target'),
        (lambda: onnx_lower.explain("OL999"), 'onnx_lower.explain("OL999"): there is no such code'),
        (lambda: onnx_lower.lower_many([THRESHOLD], tmp_path, jobs=0), "jobs=0: write a number"),
        (lambda: onnx_lower.lower_many([THRESHOLD], tmp_path, timeout=-1), "timeout=-1: write a positive number"),
        (lambda: onnx_lower.verify(THRESHOLD, THRESHOLD, runs=0), "runs=0: write a number"),
        (lambda: onnx_lower.verify(THRESHOLD, THRESHOLD, onnxruntime=tmp_path / "nowhere"), "nowhere"),
    ):
        with pytest.raises(onnx_lower.Error) as caught:
            call()
        assert told in str(caught.value), str(caught.value)
        assert_in_python(str(caught.value))
    assert "cstThreshold" in onnx_lower.show_rule("rknn_cst::cstThreshold") and "TensorRT" in onnx_lower.show_target("trt")
    assert onnx_lower.explain("OL005").startswith("OL005: an attribute was lost")


def test_warnings_and_reports(onnx_lower) -> None:
    with pytest.warns(onnx_lower.LoweringWarning) as caught:
        onnx_lower.lower(THRESHOLD.read_bytes(), keep="nobody::Knows", set={"nobody::Knows.this": 1})
    assert sorted(str(warning.message) for warning in caught) == [
        '<stdin>: keep=["nobody::Knows"] fits no node', '<stdin>: set=["nobody::Knows.this=1"] fits no node that is to be lowered']


@pytest.mark.parametrize("text,told", [
    ("add: --set a::B.c=VALUE --set a::B.d=VALUE", 'add: set=["a::B.c=VALUE", "a::B.d=VALUE"]'),
    ("add: --dim n=1 --dim m=2 --input-shape x:1,?,3 (or", 'add: dim={"n": 1, "m": 2}, input_shape={"x": [1, None, 3]} (or'),
    ("add --input-value sr=VALUE", 'add input_value={"sr": VALUE}'),
    ("for a run give --input-value flags=true,false", 'for a run give input_value={"flags": [True, False]}'),
    ("give --target-opset 17 --fold, and --input-shape", "give target_opset=17, fold=True, and input_shape"),
    ("add --external-data split or embed", 'add external_data="split" or "embed"'),
    ("what it takes: onnx-lower --show-rule a::B --rules my/rules", 'what it takes: onnx_lower.show_rule("a::B", rules=["my/rules"])'),
    ("error\nonnx-lower --help says more", "error"),
    ("--input-shape and --dim give them", "input_shape and dim give them"),
    ("write trtexec --onnx=m.onnx --saveEngine=m.plan", "write trtexec --onnx=m.onnx --saveEngine=m.plan"),
])
def test_spelling(onnx_lower, text: str, told: str) -> None:
    from onnx_lower.command_line import in_python

    assert in_python(text) == told


def test_no_message_of_the_program_names_an_option(onnx_lower) -> None:
    """Whatever text there is of it: none of its options is left in what Python says."""
    from onnx_lower.command_line import OPTIONS, in_python
    from onnx_lower.option_table import FUNCTIONS

    texts = [text for path in (tool.REPOSITORY / "src").rglob("*.cpp") for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text()) if " --" in text and "cmake" not in text]
    assert len(texts) > 50
    for text in texts:
        assert not {option.name for option in OPTIONS}.union(FUNCTIONS) & set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)(?![\w-])", in_python(text))), text
