# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Random models give the same numbers before and after, in ONNX Runtime: bit by bit where the operators define every bit, else within what rounding may do.

ONLY_SEED=N in the environment tries one of them, and ONNX_LOWER_RANDOM_MODELS=10000 more than the usual number: each seed gives the same model every time.
`python random_models.py N` prints it.
"""
from __future__ import annotations

import os
import pathlib
import random
import re
from collections.abc import Callable, Iterator, Sequence

import numpy
import onnx
import pytest
from onnx import parser
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented

import model_checks
import random_models
import runtimes
import tool
from compare import assert_equal
from random_operators import CUSTOM

COUNT = int(os.environ.get("ONNX_LOWER_RANDOM_MODELS", "300"))
BATCH = 10
SEEDS = [int(os.environ["ONLY_SEED"])] if "ONLY_SEED" in os.environ else range(COUNT)

# What a user may think of as a better way to say it.
OVERRIDES = [
    "Relu (x) => (y) { z = Constant <value_float = 0.0> ()  zx = CastLike (z, x)  y = Max (x, zx) }",
    "Sub (a, b) => (y) { n = Neg (b)  y = Add (a, n) }",
    "Not (x) => (y) { f = Constant <value = bool {0}> ()  y = Equal (x, f) }",
    "Softsign (x) => (y) { one = Constant <value_float = 1.0> ()  ox = CastLike (one, x)  a = Abs (x)  s = Add (a, ox)  y = Div (x, s) }",
    "LeakyRelu <alpha: float = 0.01> (x) => (y) { z = Constant <value_float = 0.0> ()  a = Constant <value_float = @alpha> ()  zx = CastLike (z, x)  ax = CastLike (a, x)"
    "  low = Less (x, zx)  s = Mul (x, ax)  y = Where (low, s, x) }",
    "Sum (a, b) => (y) { y = Add (a, b) }",
    "GreaterOrEqual (a, b) => (y) { l = Less (a, b)  y = Not (l) }",
    "Identity (x) => (y) { o = Optional (x)  y = OptionalGetElement (o) }",
]  # fmt: skip
CUSTOM_OVERRIDES = [
    '<domain: "custom", opset_import: ["" : 15]> my_add (a, b) => (y) { two = Constant <value_int = 2> ()  t = CastLike (two, a)  aa = Mul (a, t)  y = Add (aa, b) }',
]


class CannotTell(Exception):
    """ONNX Runtime does not execute the model as it is."""


def own_operators(model: onnx.ModelProto) -> set[tuple[str, str]]:
    return {(function.domain, function.name) for function in model.functions}


def executable(model: onnx.ModelProto) -> onnx.ModelProto:
    """What ONNX Runtime can be asked about: custom operators as functions that say what they compute, and functions without overloads, which it loses in functions."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    used = {(node.domain, node.op_type) for node in model_checks.all_nodes(copy)}
    for key, text in CUSTOM.items():
        if key in used and key not in own_operators(model):
            copy.functions.append(parser.parse_function(text))
    for function in copy.functions:
        if function.overload:
            function.name, function.overload = f"{function.name}__{function.overload}", ""
    for node in model_checks.all_nodes(copy):
        if node.overload:
            node.op_type, node.overload = f"{node.op_type}__{node.overload}", ""
    if copy.functions:
        copy.ir_version = max(copy.ir_version, 9)
        imported = {entry.domain for entry in copy.opset_import}
        copy.opset_import.extend(onnx.helper.make_opsetid(domain, 1) for domain in sorted({function.domain for function in copy.functions} - imported))
    return copy


def results(model: onnx.ModelProto | str, feeds: list[dict[str, object]]) -> list[dict[str, object]]:
    # Without optimizations: what they do to numbers is not the question.
    run = runtimes.in_onnxruntime(model if isinstance(model, str) else executable(model).SerializeToString(), optimize=False, overlook_unused=True)
    return [run(feed) for feed in feeds]


class Trial:
    """A random model, and what it computes."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(f"trial {seed}")
        self.drawn = random_models.random_model(seed)
        self.content = self.drawn.proto.SerializeToString()
        try:
            self.wanted = results(self.drawn.proto, self.drawn.feeds)
        except Exception as error:
            raise CannotTell(str(error)) from error
        self.is_valid = is_valid(self.drawn.proto)
        self.is_lowered = tool.run(["--check", "-q", "-"], stdin=self.content).status in (tool.DONE, tool.NEEDS_LOWERING)

    def assert_same(self, model: onnx.ModelProto | str, feeds: list[dict[str, object]] | None = None) -> None:
        for wanted, got in zip(self.wanted, results(model, self.drawn.feeds if feeds is None else feeds)):
            assert list(wanted) == list(got)
            for name, want in wanted.items():
                assert_equal(name, got[name], want, atol=self.drawn.errors[name])

    def assert_good(self, content: bytes, arguments: Sequence[object] = ()) -> onnx.ModelProto:
        """A lowered model: it loads, onnx takes it if it took the original, it computes the same, and lowering it again changes nothing."""
        model = onnx.load_model_from_string(content)
        # Constant-1 makes floating-point numbers only; below opset 9 every runtime takes integers as well, and rules need them.
        if self.is_valid and all(entry.version >= 9 for entry in model.opset_import if entry.domain in ("", "ai.onnx")):
            onnx.checker.check_model(model, full_check=True)
        model_checks.assert_same_interface(self.drawn.proto, model)
        self.assert_same(model)
        assert tool.lowered(content, arguments) == content, "lowering what is lowered changes it"
        return model

    def lower(self, *arguments: object) -> bytes:
        return tool.lowered(self.content, arguments)


def is_valid(model: onnx.ModelProto) -> bool:
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception:
        return False
    return True


def lowered_plainly(trial: Trial, folder: pathlib.Path) -> None:
    """What an old opset cannot say is refused, with the opset that can."""
    result = tool.lower(trial.content)
    arguments: list[object] = []
    if result.status != tool.DONE:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        advice = re.search(r"--target-opset (\d+)$", result.stderr.strip())
        assert advice, str(result)
        arguments = ["--target-opset", advice[1]]
        result = tool.lower(trial.content, arguments)
        assert result.status == tool.DONE, f"with the advice {advice[0]}: {result}"
    model_checks.assert_standard(trial.assert_good(result.stdout, arguments))


def to_another_opset(trial: Trial, folder: pathlib.Path) -> None:
    """Most models can be written for some opsets only; where one cannot be, the tool says so."""
    target = trial.random.randint(9, 26)
    result = tool.lower(trial.content, ["--target-opset", target])
    if result.status != tool.DONE:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        return
    try:
        model = trial.assert_good(result.stdout, ["--target-opset", target])
    except NotImplemented:
        return  # for want of a kernel of the older version for the type, which ONNX gives it
    assert {entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")} <= {target}


def needs_constants_of_integers(run: tool.Run) -> bool:
    """Below opset 9 a function cannot have them."""
    return run.status == tool.NOT_LOWERED and "a function has no Constant of type" in run.stderr and run.stderr.endswith("--target-opset 9\n")


def attached(trial: Trial, folder: pathlib.Path) -> None:
    result = tool.lower(trial.content, ["--attach"])
    if needs_constants_of_integers(result):
        return
    assert result.status == tool.DONE, str(result)
    model = trial.assert_good(result.stdout, ["--attach"])
    lowered = tool.lowered(model.SerializeToString())
    model_checks.assert_standard(onnx.load_model_from_string(lowered))
    trial.assert_same(onnx.load_model_from_string(lowered))


def folded(trial: Trial, folder: pathlib.Path) -> None:
    """What is known before the model runs is no longer computed, and is what would have been."""
    model_checks.assert_standard(trial.assert_good(trial.lower("--fold"), ["--fold"]))


def for_the_runtime(trial: Trial, folder: pathlib.Path) -> None:
    """What ONNX Runtime runs as it is, it runs when the model was made for it; operators of other domains that it has kernels for may stay."""
    trial.assert_good(trial.lower("--target", "onnxruntime-1.31"), ["--target", "onnxruntime-1.31"])


def with_shapes_given(trial: Trial, folder: pathlib.Path) -> None:
    """The shapes that the inputs will have, and all that follows from them."""
    shapes = [f"{name}:{','.join(map(str, value.shape))}" for name, value in trial.drawn.feeds[0].items() if isinstance(value, numpy.ndarray) and value.ndim > 0]
    given = [argument for shape in shapes for argument in ("--input-shape", shape)]
    lowered = tool.lowered(trial.content, ["--fold", *given])
    trial.assert_same(onnx.load_model_from_string(lowered), trial.drawn.feeds[:1])


def overridden(trial: Trial, folder: pathlib.Path) -> None:
    rules = [f'<domain: "ai.onnx", opset_import: ["" : 18]> {text}' for text in trial.random.sample(OVERRIDES, 4)]
    path = folder / "rules.onnxtxt"
    # A rule of the user goes before a function of the model.
    others = [text for text in CUSTOM_OVERRIDES if ("custom", "my_add") not in own_operators(trial.drawn.proto)]
    path.write_text("\n".join(rules + others))
    result = tool.lower(trial.content, ["--rules", path])
    if result.status != tool.DONE:
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        return
    trial.assert_good(result.stdout, ["--rules", path])


def as_text(trial: Trial, folder: pathlib.Path) -> None:
    """Text in and text out, where the syntax has words for all of the model; lowered and attached."""
    for argument in ("--expand", "--attach"):
        output = folder / "lowered.onnxtxt"
        run = tool.run(["-", "-o", output, argument], stdin=trial.content)
        if needs_constants_of_integers(run):
            assert argument == "--attach"
        elif run.status != tool.DONE:
            tool.assert_clean_refusal(run, tool.INVALID_INPUT)
            assert "textual syntax cannot say" in run.stderr and not output.exists(), str(run)
        else:
            trial.assert_same(parser.parse_model(output.read_text()))
            output.unlink()
    try:
        text = onnx.printer.to_text(trial.drawn.proto)
        said = parser.parse_model(text)
    except onnx.parser.ParseError:
        return
    path = folder / "model.onnxtxt"
    path.write_text(text)
    assert tool.run([path, "-o", "-"]).stdout == tool.lower(said.SerializeToString()).stdout


def with_external_data(trial: Trial, folder: pathlib.Path) -> None:
    (folder / "given").mkdir()
    (folder / "made").mkdir()
    model = onnx.ModelProto()
    model.CopyFrom(trial.drawn.proto)
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.STRING:
            tensor.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor), tensor.name))
    given, made = folder / "given" / "model.onnx", folder / "made" / "lowered.onnx"
    onnx.save(model, given, save_as_external_data=True, location=trial.random.choice(["data.bin", "model.onnx.data"]), size_threshold=0)
    mode = trial.random.choice(["keep", "embed", "split"])
    run = tool.run([given, "-o", made, "--external-data", mode])
    assert run.status == tool.DONE, str(run)
    written = onnx.load(made)
    onnx.external_data_helper.convert_model_from_external_data(written)
    trial.assert_same(written)


def with_names_that_clash(trial: Trial, folder: pathlib.Path) -> None:
    """Values get the names that the tool itself has just invented for its own."""
    before = names_of(trial.drawn.proto)
    lowered = onnx.load_model_from_string(trial.lower())
    invented = sorted(names_of(lowered) - before)
    interface = {value.name for value in (*trial.drawn.proto.graph.input, *trial.drawn.proto.graph.output)}
    old = sorted(before - interface)
    trial.random.shuffle(old)
    trial.random.shuffle(invented)
    new_names = dict(zip(old, invented))
    model = onnx.ModelProto()
    model.CopyFrom(trial.drawn.proto)
    rename(model, new_names)
    trial.assert_good(tool.lowered(model.SerializeToString()))


def graphs_of(model: onnx.ModelProto) -> Iterator[onnx.GraphProto | onnx.FunctionProto]:
    pending = [model.graph, *model.functions]
    while pending:
        graph = pending.pop()
        yield graph
        pending += [attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g")]


def names_of(model: onnx.ModelProto) -> set[str]:
    return {name for graph in graphs_of(model) for node in graph.node for name in (*node.input, *node.output) if name}


def rename(model: onnx.ModelProto, new_names: dict[str, str]) -> None:
    """In every graph and function: names that are alike stay alike."""

    def of(name: str) -> str:
        return new_names.get(name, name)

    for graph in graphs_of(model):
        for node in graph.node:
            node.input[:], node.output[:] = map(of, node.input), map(of, node.output)
        if isinstance(graph, onnx.FunctionProto):
            graph.input[:], graph.output[:] = map(of, graph.input), map(of, graph.output)
            continue
        for named in (*graph.input, *graph.output, *graph.value_info, *graph.initializer, *(tensor.values for tensor in graph.sparse_initializer)):
            named.name = of(named.name)


WAYS: list[Callable[[Trial, pathlib.Path], None]] = [
    to_another_opset, attached, folded, for_the_runtime, to_another_opset, with_shapes_given, overridden, as_text, with_external_data, with_names_that_clash
]  # fmt: skip


@pytest.mark.parametrize("batch", range(-(-len(SEEDS) // BATCH)))
def test_random_models(batch: int, tmp_path: pathlib.Path) -> None:
    refused = []
    seeds = SEEDS[batch * BATCH : (batch + 1) * BATCH]
    for seed in seeds:
        try:
            trial = Trial(seed)
        except CannotTell as error:
            refused.append(f"{seed}: {error}")
            continue
        ways = [lowered_plainly]
        if trial.is_lowered or WAYS[seed % len(WAYS)] is to_another_opset:
            ways.append(WAYS[seed % len(WAYS)])
        for way in ways:
            folder = tmp_path / f"{seed}_{way.__name__}"
            folder.mkdir()
            try:
                way(trial, folder)
            except Exception as error:
                raise AssertionError(f"model {seed}, {way.__name__}: {error}") from error
    assert len(refused) <= len(seeds) // 2, "ONNX Runtime does not execute what is drawn:\n" + "\n".join(refused)
