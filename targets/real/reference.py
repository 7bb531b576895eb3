#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What a model computes of two sets of inputs, by ONNX Runtime beside this Python: node for node as the model says, without the runtime's optimizations, and with codes of 8 bits multiplied exactly.

  reference.py MODEL NAME FOLDER

NAME is what inputs.tsv may say something of. Writes FOLDER/0.npz and FOLDER/1.npz, with inputs i0, i1, ..., outputs o0, o1, ... and, for outputs that are probabilities, bounds n0, n1, ...; and
FOLDER/reference.json. A process of its own, as models may end it."""
from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "probe"))
import inputs
import networks
import runtimes
import seeds

# Of a number, and of the greatest in its tensor: the second is what sums come out by that are added up in another order, or by way of Winograd's products.
RTOL, OF_THE_GREATEST = 1e-3, 1e-4
# Of the greatest of what a last Sigmoid or Softmax is given: where it is -16, and 1e-7 comes out, the relative difference of what comes out means nothing.
BEFORE_SIGMOID = 1e-3
SMALLEST_PROBABILITY = 1e-6
# Nodes that hand on what they are given, in another form.
VIEWS = {"Identity", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Split", "Gather", "Concat", "Cast", "Flatten"}
SEEDS = 4  # sets of numbers that are tried, until one is found that is no matter of rounding
# By how much inputs are changed to see that: about the last bits of a float.
LAST_BITS = 3e-7
# Of what seeds.py takes for random, these are not where a model is run.
NOT_IN_A_RUN = {"Dropout", "StringNormalizer", "ImageDecoder"}
# Nodes whose results are codes of 8 bits or are computed with such.
CODES = {"QuantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "ConvInteger", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "MatMulIntegerToFloat", "QAttention", "QGemm"}


def session_of(path: str, optimizations: onnxruntime.GraphOptimizationLevel) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = optimizations
    options.add_session_config_entry("session.x64quantprecision", "1")
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def nodes_of(model: onnx.ModelProto) -> list[onnx.NodeProto]:
    return [node for graph in inputs.graphs_of(model.graph) for node in graph.node] + [node for function in model.functions for node in function.node]


def has_codes(model: onnx.ModelProto) -> bool:
    return any(node.op_type in CODES or node.op_type.startswith("QLinear") for node in nodes_of(model))


def has_half(model: onnx.ModelProto) -> bool:
    kinds = [tensor.data_type for graph in inputs.graphs_of(model.graph) for tensor in graph.initializer] + [attribute.i for node in nodes_of(model) if node.op_type == "Cast" for attribute in node.attribute if attribute.name == "to"]
    return TensorProto.FLOAT16 in kinds


def tolerances(model: onnx.ModelProto, computed: list[np.ndarray]) -> list[tuple[float, float]]:
    """For each output. A code of 8 bits may be the next one wherever a runtime rounds, as networks.py says."""
    def greatest(value: np.ndarray) -> float:
        return float(np.abs(value.astype(np.float64)).max(initial=0, where=np.isfinite(value))) if value.dtype.kind == "f" else 0

    if has_codes(model):
        return [(0, networks.OF_THE_GREATEST["qdq"] * greatest(value)) for value in computed]
    return [(2e-2, 2e-3 * greatest(value)) if has_half(model) else (RTOL, OF_THE_GREATEST * greatest(value)) for value in computed]


def is_probability(name: str, graph: onnx.GraphProto) -> bool:
    """Whether a Sigmoid or Softmax makes it, in the steps of a Loop, too."""
    node = next((node for node in graph.node if name in node.output), None)
    if node is None:
        return False
    if node.op_type in VIEWS:
        return all(is_probability(given, graph) for given in (node.input if node.op_type == "Concat" else node.input[:1]))
    if node.op_type == "Loop":
        body = next(attribute.g for attribute in node.attribute if attribute.name == "body")
        return is_probability(body.output[1 + list(node.output).index(name)].name, body)
    return node.op_type in ("Sigmoid", "Softmax")


def around(probabilities: np.ndarray) -> np.ndarray:
    """Between what they may lie when what they are made of may be a little more or less."""
    clipped = np.clip(probabilities.astype(np.float64), SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY)
    given = np.log(clipped / (1 - clipped))
    most = BEFORE_SIGMOID * np.abs(given).max(initial=0)
    low, high = (1 / (1 + np.exp(-given - by)) for by in (-most, most))
    # Beyond the smallest all are as good as 0 or 1.
    return np.stack([np.where(probabilities < SMALLEST_PROBABILITY, 0, low), np.where(probabilities > 1 - SMALLEST_PROBABILITY, 1, high)]).astype(probabilities.dtype)


def same(found: list[np.ndarray], expected: list[np.ndarray], tolerated: list[tuple[float, float]], nearby: list[np.ndarray | None]) -> bool:
    def plain(value: np.ndarray) -> np.ndarray:
        return value.astype("U") if value.dtype == object else value

    return all(runtimes.same(plain(one), plain(other), *bounds, besides) for one, other, bounds, besides in zip(found, expected, tolerated, nearby))


def changed_a_little(given: dict[str, np.ndarray], random: np.random.Generator) -> dict[str, np.ndarray]:
    """But for whole numbers, which may be numbers of letters, held as floats."""
    return {name: np.asarray(value * (1 + random.choice([-LAST_BITS, LAST_BITS], value.shape)), value.dtype) if value.dtype.kind == "f" and (value % 1).any() else value
            for name, value in given.items()}


def run(session: onnxruntime.InferenceSession, given: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [np.asarray(value) for value in session.run(None, given)]


def with_others(computed: np.ndarray, others: list[np.ndarray]) -> np.ndarray | None:
    """All that is as right, where the numbers are a matter of rounding for all inputs that were tried."""
    comparable = computed.dtype.kind == "f" and all(other.shape == computed.shape for other in others)
    return np.stack([computed, *others]) if comparable else None


@dataclasses.dataclass
class Found:
    """A set of inputs, and what comes out."""

    sizes: dict[str, int]
    given: dict[str, np.ndarray]
    computed: list[np.ndarray]
    tolerances: list[tuple[float, float]]
    nearby: list[np.ndarray | None]
    is_steady: bool = False  # whether rounding changes little

    @property
    def is_ordinary(self) -> bool:
        return all(value.size and (value.dtype.kind != "f" or np.isfinite(value).all()) for value in self.computed)

    def told(self) -> dict:
        greatest = [float(np.abs(value.astype(np.float64)).max(initial=0)) if value.dtype.kind in "fiub" else None for value in self.computed]
        return {"sizes": self.sizes, "steady": self.is_steady, "tolerances": self.tolerances, "greatest": greatest}


class Model:
    def __init__(self, path: str, name: str):
        self.model = onnx.load(path)
        if any(node.op_type in seeds.RANDOM - NOT_IN_A_RUN for node in nodes_of(self.model)):
            sys.exit("what it computes is random")
        self.session = session_of(path, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
        self.sessions = [self.session]
        with contextlib.suppress(Exception):  # one of ONNX Runtime's optimizations of codes of 8 bits fails where they are to be multiplied exactly
            self.sessions.append(session_of(path, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL))
        self.said = inputs.said_of(name)
        self.failure = ""

    def with_sizes(self, sizes: dict[str, int], first_seed: int) -> Found | None:
        """What is steady, if there is such, so that neither the last bits of what goes in nor an optimization change it; None where the model does not run with these sizes."""
        found = None
        for seed in range(first_seed, first_seed + SEEDS):
            random = np.random.default_rng(seed)
            given = inputs.inputs_of(self.model, self.said, sizes, random)
            try:
                computed = run(self.session, given)
            except Exception as error:  # of several kinds, which ONNX Runtime does not say apart
                self.failure = " ".join(str(error).split())[:300]
                return found
            nearby = [around(value) if is_probability(output.name, self.model.graph) and value.dtype.kind == "f" else None for value, output in zip(computed, self.model.graph.output)]
            now = Found(sizes, given, computed, tolerances(self.model, computed), nearby)
            changed = changed_a_little(given, random)
            others = [run(session, changed) for session in self.sessions]
            now.is_steady = all(same(other, computed, now.tolerances, nearby) for other in others)
            if not now.is_steady:
                now.nearby = [with_others(one, [*([] if bounds is None else bounds), *(other[index] for other in others)]) for index, (one, bounds) in enumerate(zip(computed, nearby))]
            if found is None or now.is_steady:
                found = now
            if now.is_steady:
                break
        return found

    def with_one_of(self, candidates: list[dict[str, int]], first_seed: int) -> Found:
        first = None
        for sizes in candidates:
            found = self.with_sizes(sizes, first_seed)
            first = first or found
            if found is not None and found.is_ordinary:
                return found
        if first is None:
            sys.exit(f"ONNX Runtime does not run it: {self.failure}")
        return first


def main() -> None:
    path, name, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    model = Model(path, name)
    candidates = list(inputs.sizes_to_try(model.model, model.said))
    sets = [model.with_one_of(candidates, 0)]
    # The second time what differs in as many dimensions as can be.
    sets.append(model.with_one_of(sorted(candidates, key=lambda sizes: sum(sizes[dim] == sets[0].sizes[dim] for dim in sizes)), 100))
    for number, found in enumerate(sets):
        arrays = {f"i{index}": value for index, value in enumerate(found.given.values())} | {f"o{index}": value for index, value in enumerate(found.computed)}
        arrays |= {f"n{index}": value for index, value in enumerate(found.nearby) if value is not None}
        np.savez(folder / f"{number}.npz", **{key: value.astype("U") if value.dtype == object else value for key, value in arrays.items()})
    (folder / "reference.json").write_text(json.dumps({"sets": [found.told() for found in sets]}, indent=1))


if __name__ == "__main__":
    main()
