# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""lower_many of the Python module."""
from __future__ import annotations

import contextlib
import io
import os
import pathlib
import signal
import subprocess
import time

import onnx
import onnx.parser
import pytest

import tool

CASES = tool.TESTDATA / "cases"
THRESHOLD = CASES / "thr_attrs_dyn" / "model.onnx"
LOST = CASES / "thr_noattr_dyn" / "model.onnx"


@pytest.fixture
def models(tmp_path: pathlib.Path) -> list[pathlib.Path]:
    """One that is lowered, one that is not there, one that lost its attributes, and one that has nothing to lower."""
    plain = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu (x) }')
    onnx.save(plain, tmp_path / "plain.onnx")
    (tmp_path / "a.onnx").write_bytes(THRESHOLD.read_bytes())
    (tmp_path / "lost.onnx").write_bytes(LOST.read_bytes())
    return [tmp_path / name for name in ("a.onnx", "nowhere.onnx", "lost.onnx", "plain.onnx")]


def test_results_are_in_order_and_failures_among_them(onnx_lower, models: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    results = onnx_lower.lower_many(models, tmp_path / "lowered")
    assert [result.status for result in results] == ["lowered", "failed", "failed", "unchanged"]
    assert [result.input for result in results] == list(map(str, models)) and list(map(bool, results)) == [True, False, False, True]
    assert [result.output for result in results] == [str(tmp_path / "lowered" / model.name) for model in models]
    first, missing, lost, plain = results
    assert pathlib.Path(first.output).read_bytes() == tool.lowered(THRESHOLD.read_bytes()) and pathlib.Path(plain.output).read_bytes() == models[3].read_bytes()
    assert first.lowered == {"rknn_cst::cstThreshold": 1} and (first.nodes_before, first.nodes_after) == (1, 4) and first.error is None
    assert not pathlib.Path(lost.output).exists() and lost.unlowered == {"rknn_cst::cstThreshold": 1}
    assert results.failed == [missing, lost] and repr(results) == "<Results: 4 models: 1 lowered, 1 unchanged, 2 failed>"
    # What lower() raises for the model alone.
    for result in results.failed:
        with pytest.raises(onnx_lower.Error) as caught:
            onnx_lower.lower(result.input, tmp_path / "out.onnx")
        assert type(result.error) is type(caught.value) and str(result.error) == str(caught.value) and result.error.exit_status == caught.value.exit_status
    assert lost.error.report.unlowered[0].operator == "rknn_cst::cstThreshold" and len(repr(lost)) < 300


def test_what_is_up_to_date(onnx_lower, models: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    for wanted, options in (("lowered", {}), ("up_to_date", {}), ("lowered", {"force": True}), ("lowered", {"target": "onnxruntime-1.17"})):
        (result,) = onnx_lower.lower_many(models[:1], tmp_path / "lowered", **options)
        assert result.status == wanted and result.lowered == {"rknn_cst::cstThreshold": 1}


def test_folders_and_mappings(onnx_lower, models: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    zoo = tmp_path / "zoo"
    (zoo / "deep" / "er").mkdir(parents=True)
    (zoo / "b.onnx").write_bytes(THRESHOLD.read_bytes())
    (zoo / "deep" / "er" / "c.onnx").write_bytes(THRESHOLD.read_bytes())
    (zoo / "deep" / "back").symlink_to(zoo)
    for given in (str(zoo), [zoo]):
        assert [result.output for result in onnx_lower.lower_many(given, tmp_path / "lowered")] == [str(tmp_path / "lowered" / name) for name in ("b.onnx", "deep/er/c.onnx")]
    (found,) = onnx_lower.lower_many({models[0]: tmp_path / "elsewhere" / "x.onnx"})
    assert found and found.output == str(tmp_path / "elsewhere" / "x.onnx") and pathlib.Path(found.output).exists()
    (found,) = onnx_lower.lower_many({models[0]: "x.onnx"}, tmp_path / "below")
    assert found and found.output == str(tmp_path / "below" / "x.onnx")
    assert onnx_lower.lower_many([], tmp_path) == []


def test_options_are_those_of_lower(onnx_lower, models: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    setting = {"rknn_cst::cstThreshold.threshold": 0.5, "rknn_cst::cstThreshold.value": 1.0}
    (found,) = onnx_lower.lower_many([models[2]], tmp_path / "lowered", set=setting, jobs=1)
    assert found and pathlib.Path(found.output).read_bytes() == onnx_lower.lower(LOST.read_bytes(), set=setting).model
    with pytest.warns(onnx_lower.LoweringWarning, match="fits no node of any model") as caught:
        onnx_lower.lower_many([models[0]], tmp_path / "lowered", keep="nobody::Knows", force=True)
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.raises(TypeError, match="nonsense"):
        onnx_lower.lower_many(models, tmp_path / "lowered", nonsense=1)


def test_what_concerns_the_whole_run_is_raised(onnx_lower, models: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    with pytest.raises(onnx_lower.UsageError, match="two models have the same output"):
        onnx_lower.lower_many([models[0], THRESHOLD.with_name("a.onnx"), tmp_path / "b" / "a.onnx"], tmp_path / "lowered")
    with pytest.raises(onnx_lower.UsageError, match="no such target"):
        onnx_lower.lower_many(models, tmp_path / "lowered", target="some-runtime")
    with pytest.raises(onnx_lower.InvalidInputError, match="rule_0.onnxtxt"):
        onnx_lower.lower_many(models, tmp_path / "lowered", rules=["<nonsense> {}"])
    with pytest.raises(TypeError, match="output_dir='lowered', or a mapping"):
        onnx_lower.lower_many(models)
    with pytest.raises(TypeError, match="takes paths, not bytes"):
        onnx_lower.lower_many(b"", tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(onnx_lower.UsageError, match="no .onnx file in this folder"):
        onnx_lower.lower_many([tmp_path / "empty"], tmp_path / "lowered")
    assert not (tmp_path / "lowered").exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress(onnx_lower, models: list[pathlib.Path], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from onnx_lower import tool as module

    monkeypatch.setattr(module, "_SECONDS_BETWEEN_CALLS", 0.001)
    for stream in (io.StringIO(), Terminal()):
        with contextlib.redirect_stderr(stream):
            onnx_lower.lower_many(models, tmp_path / "lowered", progress=True, force=True)
        *before, last = stream.getvalue().replace("\n", "").split("\r")
        assert last.rstrip().startswith("4 models: 1 lowered, 1 unchanged, 2 failed; ") and stream.getvalue().endswith("\n")
        # A line that changes is for terminals only.
        assert any(line.startswith("0 of 4 models") for line in before) == stream.isatty()
        silent = io.StringIO()
        with contextlib.redirect_stderr(silent):
            onnx_lower.lower_many(models, tmp_path / "lowered")
        assert not silent.getvalue()


def test_lines_of_progress(onnx_lower, monkeypatch: pytest.MonkeyPatch) -> None:
    from onnx_lower.many import _Progress

    moments = iter([0.0, 30.0])
    monkeypatch.setattr("onnx_lower.many.time", type("Time", (), {"monotonic": staticmethod(lambda: next(moments))}))
    assert _Progress(40, True)._text(10, 2) == "10 of 40 models, 2 failed, about 90 s left"


def test_a_model_that_takes_too_long(onnx_lower, models: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    """A model of a pipe that nobody writes to; the others are done."""
    os.mkfifo(tmp_path / "pipe.onnx")
    late, done = onnx_lower.lower_many([tmp_path / "pipe.onnx", models[0]], tmp_path / "lowered", timeout=0.5)
    assert done and isinstance(late.error, onnx_lower.TimeLimitExceeded) and "0.5 s" in str(late.error)


def test_an_interrupted_run_leaves_no_process(installed, models: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    """And what was done stays done: the same call goes on."""
    os.mkfifo(tmp_path / "pipe.onnx")
    code = f"import onnx_lower; onnx_lower.lower_many({[str(models[0]), str(tmp_path / 'pipe.onnx')]!r}, {str(tmp_path / 'lowered')!r})"
    caller = subprocess.Popen([installed.python, "-c", code], stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + 60
    while not (tmp_path / "lowered" / "a.onnx").exists():
        assert time.monotonic() < end and caller.poll() is None
        time.sleep(0.01)
    caller.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in caller.communicate(timeout=60)[1]
    # All of them were in its session.
    with pytest.raises(ProcessLookupError):
        os.killpg(caller.pid, 0)
    assert sorted(path.name for path in (tmp_path / "lowered").iterdir()) == [".onnx-lower", "a.onnx"]
