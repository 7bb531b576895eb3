# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models that a runtime is asked about as exporters write them, which onnx's own node tests do not show: each combination of optional outputs, kernels of other shapes, constants of one element and many
dimensions, numbers that lie far apart, signals of two dimensions, unknown lengths, and chains of operators that runtimes join."""
from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

import seeds


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).normal(size=shape).astype(np.float32)


def dims(shape: tuple) -> str:
    return ",".join(map(str, shape))


class Forms:
    """Collects the models for one opset."""

    def __init__(self, opset: int):
        self.opset = opset
        self.found: list[seeds.Seed] = []

    def add(self, name: str, asked: str, text: str, feed: dict, constants: dict | None = None, declared: dict | None = None, ranks: list[int] | None = None) -> None:
        """`text` is a body whose results are y, y1 …; `asked` is the operator that it asks about. `declared` has the shapes of inputs where they are not those of `feed`."""
        if not onnx.defs.has(asked, self.opset, ""):  # ONNX Runtime has some before ONNX does
            return
        shapes = {key: (declared or {}).get(key, value.shape) for key, value in feed.items()}
        kinds = {np.float32: "float", np.int64: "int64", np.bool_: "bool"}
        inputs = ", ".join(f"{kinds[value.dtype.type]}{f'[{dims(shapes[key])}]' if shapes[key] else ''} {key}" for key, value in feed.items())
        try:
            model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {self.opset}]> g ({inputs}) => () {{ {text} }}')
            model.graph.initializer.extend(numpy_helper.from_array(np.asarray(value), key) for key, value in (constants or {}).items())
            made = {output for node in model.graph.node for output in node.output}
            model.graph.output.extend(helper.make_empty_tensor_value_info(key) for key in sorted(made) if key == "y" or key[0] == "y" and key[1:].isdigit())
            options = onnxruntime.SessionOptions()
            options.log_severity_level, options.graph_optimization_level = 4, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            expected = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, feed)
        except Exception:  # an operator or a form that this opset does not have
            return
        names = [output.name for output in model.graph.output]
        del model.graph.output[:]
        open_shape = declared is not None
        for key, value in zip(names, expected, strict=True):
            model.graph.output.append(helper.make_tensor_value_info(key, helper.np_dtype_to_tensor_dtype(value.dtype), [None] * value.ndim if open_shape else value.shape))
        self.found.append(seeds.Seed(f"exported: {name}", model, list(feed.values()), expected, 1e-3, 1e-5, self.opset, asked=asked))


def outputs_of_normalizations(forms: Forms) -> None:
    for names in (["y"], ["y", "y1"], ["y", "y1", "y2"], ["y", "", "y1"]):
        text = ", ".join(name or "unread" for name in names)
        forms.add(f"LayerNormalization of {names}", "LayerNormalization", f"{text} = LayerNormalization <axis = -1> (x, w)", {"x": floats(2, 5, 16)}, {"w": floats(16)})


def kernels(forms: Forms) -> None:
    for kernel in ((1,), (3,), (7,), (9,), (1, 3), (3, 1), (1, 9), (9, 1), (3, 3), (2, 5), (5, 5), (7, 7), (1, 25), (3, 3, 3), (1, 1, 9)):
        size = (20,) if len(kernel) == 1 else (12, 30) if len(kernel) == 2 else (5, 6, 12)
        if any(one > other for one, other in zip(kernel, size)):
            size = size[::-1]
        for op, group in itertools.product(("Conv", "ConvTranspose"), (1, 2, 4)):
            weights = floats(4, 4 // group, *kernel)
            forms.add(f"{op} by {kernel} in {group} groups", op, f"y = {op} <group = {group}> (x, w)", {"x": floats(1, 4, *size)}, {"w": weights})


def numbers_far_apart(forms: Forms) -> None:
    """Of 64 elements, since kernels for several numbers at once may differ from those for the rest."""
    for op, spread in itertools.product(("Exp", "Sigmoid", "Tanh", "Softplus", "Erf", "Elu", "Selu", "Mish", "Gelu", "HardSwish", "Softmax", "LogSoftmax"), (30, 90, 200, 1e4)):
        forms.add(f"{op} up to {spread}", op, f"y = {op} (x)", {"x": np.linspace(-spread, spread, 192, dtype=np.float32).reshape(3, 64)})
    for spread in (30, 90, 200):
        forms.add(f"ReduceLogSumExp up to {spread}", "ReduceLogSumExp", "y = ReduceLogSumExp <keepdims = 1> (x)", {"x": np.linspace(-spread, spread, 192, dtype=np.float32).reshape(3, 64)})


def constants_of_one_element(forms: Forms) -> None:
    chains = {"a value": ("v = Neg (x)", {}, (2, 4, 12)), "a signal": ("v = Conv (x, w)", {"w": floats(4, 3, 3)}, (2, 3, 12)), "an image": ("v = Conv (x, w)", {"w": floats(4, 3, 3, 3)}, (1, 3, 8, 9)),
              "a product": ("v = MatMul (x, w)", {"w": floats(12, 8)}, (2, 5, 12)), "a row": ("k = Conv (x, w)  two = Constant <value_ints = [2]> ()  v = Squeeze (k, two)", {"w": floats(4, 3, 1, 3)}, (2, 3, 1, 12))}
    for (name, (text, constants, shape)), op, rank, first in itertools.product(chains.items(), ("Add", "Mul", "Sub", "Max", "Greater"), range(6), (True, False)):
        operands = "c, v" if first else "v, c"
        last = "y = Cast <to = 1> (u)" if op == "Greater" else "y = Abs (u)"
        forms.add(f"{op} ({operands}) of a constant of rank {rank} and {name}", op, f"{text}  u = {op} ({operands})  {last}", {"x": floats(*shape)}, constants | {"c": np.full((1,) * rank, 0.75, np.float32)})
    for rank in range(1, 5):
        forms.add(f"a bias of rank {rank} behind a product", "Add", "v = MatMul (x, w)  y = Add (v, c)", {"x": floats(2, 5, 12)}, {"w": floats(12, 8), "c": floats(*(1,) * (rank - 1), 8)})


def activations_in_parts(forms: Forms) -> None:
    numbers = {"one": np.float32(1), "half": np.float32(0.5), "root": np.float32(1.4142135), "slope": np.float32(0.7978846), "cubic": np.float32(0.044715), "three": np.float32(3)}
    for name, asked, text in (
        ("Gelu of torch", "Add", "d = Div (x, root)  e = Erf (d)  a = Add (e, one)  m = Mul (x, a)  y = Mul (m, half)"), ("Gelu, halved first", "Add", "d = Div (x, root)  e = Erf (d)  a = Add (e, one)  h = Mul (x, half)  y = Mul (h, a)"),
        ("Gelu by tanh of torch", "Tanh", "p = Pow (x, three)  q = Mul (p, cubic)  s = Add (x, q)  u = Mul (s, slope)  t = Tanh (u)  a = Add (t, one)  h = Mul (x, half)  y = Mul (h, a)"),
        ("Gelu by tanh of jax", "Tanh", "m = Mul (cubic, x)  n = Mul (x, m)  o = Mul (x, n)  s = Add (x, o)  u = Mul (slope, s)  t = Tanh (u)  a = Add (one, t)  h = Mul (half, a)  y = Mul (x, h)"),
        ("SiLU", "Sigmoid", "s = Sigmoid (x)  y = Mul (x, s)"), ("Mish", "Softplus", "s = Softplus (x)  t = Tanh (s)  y = Mul (x, t)"), ("a gate by a sigmoid", "HardSigmoid", "s = HardSigmoid (x)  y = Mul (s, x)"),
    ):
        forms.add(name, asked, text, {"x": 2 * floats(2, 5, 8)}, {key: value for key, value in numbers.items() if f"{key})" in text or f"{key}," in text})


def sequences(forms: Forms) -> None:
    for op, length, states in itertools.product(("RNN", "GRU", "LSTM"), (5, "t"), ("", "h", "h, c")):
        gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[op]
        if op != "LSTM" and "c" in states:
            continue
        results = "y, y1, y2" if op == "LSTM" else "y, y1"
        feed = {"x": floats(5, 1, 3)} | {name: floats(1, 1, 4) for name in states.replace(",", "").split()}
        attributes = "hidden_size = 4" + (", linear_before_reset = 1" if op == "GRU" else "")
        given = f"x, w, r, b, , {states}" if states else "x, w, r, b"
        forms.add(f"{op} of length {length} with states {states}", op, f"{results} = {op} <{attributes}> ({given})", feed, {"w": floats(1, 4 * gates, 3), "r": floats(1, 4 * gates, 4), "b": floats(1, 8 * gates)}, {"x": (length, 1, 3)} if length == "t" else None)
    for rank in (2, 3):
        forms.add(f"STFT of a signal of rank {rank}", "STFT", "y = STFT <onesided = 1> (x, hop, w)", {"x": floats(*(1, 64, 1)[:rank])}, {"hop": np.int64(4), "w": floats(16)})
    step = "d = Identity (c)  r = Gather <axis = 0> (x, i)  t = Add (s, r)  u = Identity (t)"
    forms.add("a Loop that gathers by its iterations", "Loop", f"z, rows = Loop (n, go, start) <body = b (int64 i, bool c, float[2,4] s) => (bool d, float[2,4] t, float[2,4] u) {{ {step} }}>  y = Neg (z)  y1 = Neg (rows)",
              {"x": floats(3, 2, 4), "go": np.array(True)}, {"n": np.int64(3), "start": np.zeros((2, 4), np.float32)})


def seeds_at(opset: int) -> Iterator[seeds.Seed]:
    forms = Forms(opset)
    for collect in (outputs_of_normalizations, kernels, numbers_far_apart, constants_of_one_element, activations_in_parts, sequences):
        collect(forms)
    yield from forms.found
