# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators of ai.onnx.ml for targets that have none of them: random nodes, lowered, beside ONNX Runtime's kernels."""
from __future__ import annotations

import dataclasses
import functools
import pathlib
import zlib
from collections.abc import Callable, Iterator

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import runtimes
import tool

TARGET = "# A board.\nopset 7..26\nopset ai.onnx.ml none\nir 3..13\n"
NODES_OF_EACH = 500
FLOAT, DOUBLE, INT32, INT64 = np.float32, np.float64, np.int32, np.int64
Random = np.random.Generator
# The last one leaves the second of two scores as it was in memory.
TRANSFORMS = ["NONE", "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"]


@dataclasses.dataclass
class Drawn:
    """A node, its inputs, and the element types of its outputs."""

    inputs: list[np.ndarray]
    outputs: list[int]
    attributes: dict[str, object]
    version: int = 1


def numbers(random: Random, shape: tuple[int, ...], dtype: type, edges: bool) -> np.ndarray:
    """Some small integers, so that there are ties, or any numbers; and with edges what computing may trip over."""
    if np.issubdtype(dtype, np.integer):
        found = random.integers(-4, 5, shape).astype(dtype)
        bounds = np.iinfo(dtype)
        strange = np.array([bounds.min, bounds.max, 0, 2**24 + 1], dtype)
    else:
        found = (random.integers(-4, 5, shape) if random.random() < 0.3 else random.standard_normal(shape) * 3).astype(dtype)
        strange = np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1e-40, 2**24 + 1], dtype)
    return np.where(random.random(shape) < 0.15, random.choice(strange, shape), found) if edges else found


def rows(random: Random, features: int, dtypes: tuple = (FLOAT, FLOAT, FLOAT, DOUBLE, INT64, INT32), edges: bool | None = None) -> np.ndarray:
    shape = (features,) if random.random() < 0.15 else (int(random.choice([0, 1, 1, 3, 7])), features)
    return numbers(random, shape, dtypes[random.integers(len(dtypes))], random.random() < 0.3 if edges is None else edges)


def floats(random: Random, count: int) -> list[float]:
    return [float(number) for number in (random.integers(-2, 3, count) if random.random() < 0.3 else random.standard_normal(count)).astype(FLOAT)]


def labels(random: Random, count: int) -> list[int]:
    return [list(range(count)), [int(number) for number in random.permutation(count) * 7 - 3], [2**62 + place for place in range(count)]][random.integers(3)]


def scaler(random: Random) -> Drawn:
    features = int(random.integers(1, 6))
    x = rows(random, features)
    if random.random() < 0.15:
        x = numbers(random, (2, features, 3), FLOAT, edges=True)
    count = features if random.random() < 0.7 else 1
    return Drawn([x], [TensorProto.FLOAT], {"offset": floats(random, count), "scale": floats(random, count)})


def normalizer(random: Random) -> Drawn:
    x = rows(random, int(random.integers(1, 6)), edges=False)
    if x.dtype.kind == "f" and random.random() < 0.4:
        x = np.where(random.random(x.shape) < 0.4, random.choice(np.array([0, -0.0, np.nan, np.inf, -np.inf, 1e-30, 1e19, -1e19], x.dtype), x.shape), x)
    if random.random() < 0.2:
        x = np.zeros_like(x) if random.random() < 0.5 else -np.abs(x)
    return Drawn([x], [TensorProto.FLOAT], {"norm": ["MAX", "L1", "L2"][random.integers(3)]})


def imputer(random: Random) -> Drawn:
    features = int(random.integers(1, 6))
    count = features if random.random() < 0.6 else 1
    x = rows(random, features, (FLOAT, INT64), edges=random.random() < 0.6)
    if x.dtype == FLOAT:
        attributes = {"imputed_value_floats": floats(random, count), "replaced_value_float": float(random.choice(np.array([np.nan, 0, 1, -2, np.inf])))}
    else:
        attributes = {"imputed_value_int64s": [int(number) for number in random.integers(-9, 10, count)], "replaced_value_int64": int(random.choice([0, 1, -2, 2**63 - 1, -2**63]))}
    return Drawn([x], [helper.np_dtype_to_tensor_dtype(x.dtype)], attributes)


def binarizer(random: Random) -> Drawn:
    x = numbers(random, tuple(random.integers(0, 4, random.integers(0, 5))), FLOAT, edges=True)
    x = np.where(np.isnan(x), FLOAT(1), x)
    return Drawn([x], [TensorProto.FLOAT], {} if random.random() < 0.3 else {"threshold": floats(random, 1)[0]})


def label_encoder(random: Random) -> Drawn:
    key, value = (random.choice([INT64, FLOAT], 2) if (version := int(random.choice([2, 4]))) == 2 else random.choice([INT64, FLOAT, DOUBLE], 2))
    if DOUBLE in (key, value):
        key = value = DOUBLE
    count = int(random.integers(1, 9))
    keys = numbers(random, (count,), key, edges=random.random() < 0.5)
    if random.random() < 0.3:
        keys = (np.arange(count) + random.integers(-3, 4)).astype(key)
    values = numbers(random, (count,), value, edges=random.random() < 0.5)
    x = numbers(random, tuple(random.integers(0, 4, random.integers(1, 4))), key, edges=random.random() < 0.7)
    kept = random.random(x.shape) < 0.6
    x = np.where(kept, random.choice(keys, x.shape), x).astype(key)
    suffixes = {INT64: "int64s", FLOAT: "floats"}
    as_tensors = version == 4 and (DOUBLE in (key, value) or random.random() < 0.4)
    attributes: dict[str, object] = {}
    for name, elements, dtype in (("keys", keys, key), ("values", values, value)):
        if as_tensors:
            attributes[f"{name}_tensor"] = numpy_helper.from_array(elements, name)
        else:
            attributes[f"{name}_{suffixes[dtype]}"] = elements.tolist()
    if random.random() < 0.6:
        default = numbers(random, (1,), value, edges=random.random() < 0.5)
        if as_tensors:
            attributes["default_tensor"] = numpy_helper.from_array(default, "default")
        else:
            attributes["default_int64" if value == INT64 else "default_float"] = default[0].item()
    return Drawn([x], [helper.np_dtype_to_tensor_dtype(np.dtype(value))], attributes, version)


def one_hot_encoder(random: Random) -> Drawn:
    categories = [int(number) for number in random.integers(-4, 6, random.integers(1, 8))] if random.random() < 0.7 else [-2**63, 2**63 - 1, 0]
    dtype = [INT64, FLOAT, DOUBLE][random.integers(3)]
    x = numbers(random, tuple(random.integers(0, 4, random.integers(0, 3))), dtype, edges=random.random() < 0.4)
    x = np.where(np.abs(x) < 1e18, x, 0).astype(dtype) if dtype != INT64 else x  # What NaN is as an integer depends on the processor.
    return Drawn([x], [TensorProto.FLOAT], {"cats_int64s": categories, "zeros": int(random.random() < 0.8)})


def feature_vectorizer(random: Random) -> Drawn:
    batch, inputs, widths = int(random.integers(1, 4)), [], []
    is_list = random.random() < 0.2
    dtype = [FLOAT, DOUBLE, INT64, INT32][random.integers(4)]
    for _ in range(random.integers(1, 5)):
        shape = (int(random.integers(1, 5)),) if is_list else (batch, *(int(size) for size in random.integers(1, 4, random.integers(1, 3))))
        inputs.append(numbers(random, shape, dtype, edges=random.random() < 0.3))
        widths.append(max(1, int(np.prod(shape[0 if is_list else 1:])) + int(random.choice([0, 0, 0, 1, -1, 2]))))
    return Drawn(inputs, [TensorProto.FLOAT], {"inputdimensions": widths})


def array_feature_extractor(random: Random) -> Drawn:
    shape = tuple(int(size) for size in random.integers(1, 5, random.integers(1, 4)))
    x = numbers(random, shape, [FLOAT, DOUBLE, INT64, INT32][random.integers(4)], edges=True)
    indices = random.integers(0, shape[-1], tuple(random.integers(1, 4, random.integers(0, 3)))).astype(INT64)
    return Drawn([x, indices], [helper.np_dtype_to_tensor_dtype(x.dtype)], {})


def linear_regressor(random: Random) -> Drawn:
    features, targets = int(random.integers(1, 6)), int(random.integers(1, 4))
    attributes: dict[str, object] = {"coefficients": floats(random, features * targets), "targets": targets}
    if random.random() < 0.8:
        attributes["intercepts"] = floats(random, targets)
    attributes["post_transform"] = TRANSFORMS[random.integers(len(TRANSFORMS))]
    return Drawn([rows(random, features, (FLOAT,), edges=False)], [TensorProto.FLOAT], attributes)


def linear_classifier(random: Random) -> Drawn:
    features, classes = int(random.integers(1, 6)), int(random.integers(1, 5))
    attributes: dict[str, object] = {"coefficients": floats(random, features * classes), "intercepts": floats(random, classes)}
    attributes["classlabels_ints"] = labels(random, classes if classes > 1 else int(random.integers(1, 3)))
    if random.random() < 0.3:
        attributes["multi_class"] = 1
    attributes["post_transform"] = TRANSFORMS[random.integers(len(TRANSFORMS))] if classes > 1 or len(attributes["classlabels_ints"]) == 1 else "SOFTMAX"
    return Drawn([rows(random, features, edges=False)], [TensorProto.INT64, TensorProto.FLOAT], attributes)


def kernel(random: Random) -> dict[str, object]:
    return {"kernel_type": ["LINEAR", "POLY", "RBF", "SIGMOID"][random.integers(4)], "kernel_params": [float(random.random()), float(random.choice([0, 1, 0.5])), float(random.choice([1, 2, 3]))]}


def svm_regressor(random: Random) -> Drawn:
    features, supports = int(random.integers(1, 6)), int(random.choice([0, 1, 4]))
    attributes = {**kernel(random), "n_supports": supports, "rho": floats(random, 1), "coefficients": floats(random, supports or features)}
    if supports:
        attributes["support_vectors"] = floats(random, supports * features)
    if random.random() < 0.3:
        attributes["one_class"] = 1
    return Drawn([rows(random, features, (FLOAT,), edges=False)], [TensorProto.FLOAT], attributes)


def svm_classifier(random: Random) -> Drawn:
    features, classes = int(random.integers(1, 6)), int(random.integers(2, 5))
    attributes: dict[str, object] = {**kernel(random), "classlabels_ints": labels(random, classes)}
    if random.random() < 0.3:
        attributes |= {"coefficients": floats(random, classes * features), "rho": floats(random, 1)}
        if random.random() < 0.3:
            attributes["coefficients"] = [abs(number) for number in attributes["coefficients"]]
    else:
        counts = [int(count) for count in random.integers(1, 4, classes)]
        attributes |= {"vectors_per_class": counts, "support_vectors": floats(random, sum(counts) * features)}
        attributes |= {"coefficients": floats(random, sum(counts) * (classes - 1)), "rho": floats(random, classes * (classes - 1) // 2)}
    attributes["post_transform"] = TRANSFORMS[random.integers(len(TRANSFORMS) - (classes == 2))]
    return Drawn([rows(random, features, edges=False)], [TensorProto.INT64, TensorProto.FLOAT], attributes)


OPERATORS: dict[str, Callable[[Random], Drawn]] = {
    "ArrayFeatureExtractor": array_feature_extractor, "Binarizer": binarizer, "FeatureVectorizer": feature_vectorizer, "Imputer": imputer, "LabelEncoder": label_encoder, "LinearClassifier": linear_classifier,
    "LinearRegressor": linear_regressor, "Normalizer": normalizer, "OneHotEncoder": one_hot_encoder, "SVMClassifier": svm_classifier, "SVMRegressor": svm_regressor, "Scaler": scaler,
}
# What is copied, compared and counted is the same; what is summed depends on the order of the terms, of which there are at most a dozen here, each a few units large.
EXACT = {"ArrayFeatureExtractor", "Binarizer", "FeatureVectorizer", "Imputer", "LabelEncoder", "OneHotEncoder"}


def model_of(op: str, drawn: Drawn, opset: int, known: bool) -> bytes:
    """With shapes that are known, or of which only the rank is."""
    names = [f"x{place}" for place in range(len(drawn.inputs))]
    node = helper.make_node(op, names, [f"y{place}" for place in range(len(drawn.outputs))], "node", domain="ai.onnx.ml", **drawn.attributes)
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), [size if known else None for size in x.shape]) for name, x in zip(names, drawn.inputs)]
    outputs = [helper.make_tensor_value_info(name, kind, None) for name, kind in zip(node.output, drawn.outputs)]
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", drawn.version)]
    return helper.make_model(helper.make_graph([node], "g", inputs, outputs), opset_imports=imports, ir_version=8).SerializeToString()


def in_kernel(model: bytes, feed: dict) -> list[np.ndarray] | None:
    """Nothing where the kernel ends with an error."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, feed)
    except Exception:  # noqa: BLE001: of several types that only the extension module has
        return None


def drawn_nodes(op: str, count: int) -> Iterator[tuple[Drawn, bytes, dict, list[np.ndarray] | None]]:
    for seed in range(count):
        random = np.random.default_rng([zlib.crc32(op.encode()), seed])
        drawn = OPERATORS[op](random)
        model = model_of(op, drawn, int(random.choice([9, 11, 13, 17, 18, 22])), bool(random.random() < 0.5))
        feed = {f"x{place}": x for place, x in enumerate(drawn.inputs)}
        yield drawn, model, feed, in_kernel(model, feed)


def assert_same(op: str, found: list[np.ndarray], expected: list[np.ndarray], about: str) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape, about
        with np.errstate(invalid="ignore"):
            if op in EXACT or one.dtype.kind == "i":
                np.testing.assert_array_equal(one, other, err_msg=about)
            else:
                np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5, err_msg=about)


def board(folder: pathlib.Path) -> pathlib.Path:
    path = folder / "board.target"
    path.write_text(TARGET)
    return path


@pytest.mark.parametrize("op", OPERATORS)
def test_random_nodes(op: str, tmp_path: pathlib.Path) -> None:
    nodes = list(drawn_nodes(op, NODES_OF_EACH))
    results = tool.lower_together([model for _, model, _, _ in nodes], ["--target", board(tmp_path)])
    compared = 0
    for (drawn, model, feed, expected), result in zip(nodes, results, strict=True):
        about = f"{drawn}\n{result.stderr}"
        if expected is None:
            continue
        assert result.status == tool.DONE, about
        out = onnx.load_from_string(result.stdout)
        assert not any(node.domain for node in out.graph.node) and [entry.domain for entry in out.opset_import] == [""], about
        found = in_kernel(result.stdout, feed)
        assert found is not None, about
        assert_same(op, found, expected, about + onnx.printer.to_text(out))
        compared += 1
    assert compared > NODES_OF_EACH * 0.7, f"the kernel takes {compared}"
