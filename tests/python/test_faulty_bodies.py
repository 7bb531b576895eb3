# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What a rule of the user or a function of the model makes with a fault is refused at every opset, or is a model that ONNX Runtime loads."""
from __future__ import annotations

import os
import pathlib
import zlib

import onnx
import onnxruntime
import pytest
from faulty_bodies import Body, every_body
from onnx import helper

import tool

# Of the 35,000 bodies as many as take a few seconds. Their names decide which ones, so that one more operator chooses no others.
EVERY = 50

# What ONNX Runtime refuses though no schema and no documentation has anything against the node.
OF_THE_RUNTIME = (
    "(ReorderOutput)",  # its own operator around a pool, which takes no value without channels
    "division by zero",  # of constants, which it divides before the model runs
    "modulo by zero",
    "implementation for RandomNormalLike",  # of integers
    "implementation for RandomUniformLike",
)


def problem_of_loading(model: bytes) -> str:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # each of its error codes has a class of its own
        return str(error)
    return ""


def problems_of_loading(models: list[bytes]) -> list[str]:
    """In processes of their own: some faults end the one that loads the model."""
    problems: list[str] = []
    while len(problems) < len(models):
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            for model in models[len(problems):]:
                os.write(write_end, problem_of_loading(model).encode()[:1000] + b"\0")
            os._exit(0)
        os.close(write_end)
        with open(read_end, "rb") as results:
            problems += [problem.decode(errors="replace") for problem in results.read().split(b"\0")[:-1]]
        os.waitpid(child, 0)
        if len(problems) < len(models):
            problems.append("it ended the process")
    return problems


def chosen_bodies() -> list[Body]:
    return [body for _, faulty in every_body() for body in faulty if zlib.crc32(body.name.encode()) % EVERY == 0]


@pytest.mark.parametrize("origin", ["function", "rule"])
def test_no_fault_is_let_through(tmp_path: pathlib.Path, origin: str) -> None:
    bodies = chosen_bodies()
    assert {body.opset for body in bodies} >= {7, 9, 11, 12, 13, 18, 21}
    names = [f"F{number}" for number in range(len(bodies))]
    arguments = []
    if origin == "rule":
        functions = [body.function(name) for body, name in zip(bodies, names)]
        rules = helper.make_model(helper.make_graph([], "no_graph", [], []), functions=functions, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("custom", 1)])
        onnx.save(rules, tmp_path / "rules.onnx")
        arguments = ["--rules", tmp_path / "rules.onnx"]
    models = [body.model(with_function=origin == "function", name=name).SerializeToString() for body, name in zip(bodies, names)]
    results = tool.lower_together(models, arguments)
    assert {result.status for result in results} == {tool.DONE, tool.NOT_LOWERED}
    done = [(body, result.stdout) for body, result in zip(bodies, results) if result.status == tool.DONE]
    problems = problems_of_loading([model for _, model in done])
    let_through = [f"{body.name}: {problem}" for (body, _), problem in zip(done, problems) if problem and not any(known in problem for known in OF_THE_RUNTIME)]
    assert not let_through, "\n".join(let_through)


def test_nothing_right_is_refused() -> None:
    """The nodes without fault are lowered however their function is looked into, unless another opset is needed to say what they mean."""
    bodies = [right for right, _ in every_body()]
    problems = problems_of_loading([body.model(with_function=True).SerializeToString() for body in bodies])
    loaded = [body for body, problem in zip(bodies, problems) if not problem]
    results = tool.lower_together([body.model(with_function=True).SerializeToString() for body in loaded])
    refused = [f"{body.name}: {result.stderr}" for body, result in zip(loaded, results) if result.status != tool.DONE and "add: --target-opset" not in result.stderr]
    assert len(loaded) > 500 and not refused, "\n".join(refused)


@pytest.mark.parametrize("axes", ["axes = Constant <value = int32[1] {1}> ()", "one = Constant <value = int64[1] {1}> ()  axes = Cast <to = 6> (one)",
                                  "sizes = Shape (x)  first = Constant <value = int64[1] {0}> ()  second = Constant <value = int64[1] {1}> ()  number = Slice (sizes, first, second)  axes = Cast <to = 6> (number)"])
def test_what_becomes_static_is_looked_into_as_what_was(axes: str) -> None:
    """onnx's inference reads axes as int64 where they are constants, or are computed before the model runs, and so no runtime loads others."""
    def model(shape: str) -> bytes:
        return onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["": 18, "custom": 1]> g (float{shape} x) => (float[a, b] y) {{ y = custom.F (x) }}
            <domain: "custom", opset_import: ["": 18]> F (x) => (y) {{ pads = Constant <value = int64[2] {{1, 1}}> ()  {axes}  y = Pad (x, pads, , axes) }}""").SerializeToString()

    for given, arguments in ((model("[1, 3]"), []), (model("[n, 3]"), ["--input-shape", "x:1,3"])):
        result = tool.lower(given, arguments)
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        assert "ParseData type mismatch" in result.stderr, str(result)
    if "Shape" in axes:
        assert not problem_of_loading(tool.lowered(model("[n, 3]")))
