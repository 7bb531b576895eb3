# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators of ai.onnx.ml for targets that have none of them: random nodes, lowered, beside ONNX Runtime's kernels."""
from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Iterator

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import runtimes
import tool

TARGET = tool.TESTDATA / "targets" / "without_ml.target"
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


def some_not_finite(random: Random, x: np.ndarray) -> np.ndarray:
    """Of every fourth array of floats, some elements: the greatest finite numbers would show nothing but in which order they are summed."""
    if x.dtype.kind != "f" or random.random() < 0.75:
        return x
    return np.where(random.random(x.shape) < 0.2, random.choice(np.array([np.nan, np.inf, -np.inf], x.dtype), x.shape), x)


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
    elif key == INT64 and random.random() < 0.2:
        keys = INT64(random.choice([2**63 - 1, -2**63 + count + 1])) - INT64(random.integers(0, 3)) - np.arange(count)
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
    return Drawn([some_not_finite(random, rows(random, features, (FLOAT,), edges=False))], [TensorProto.FLOAT], attributes)


def linear_classifier(random: Random) -> Drawn:
    features, classes = int(random.integers(1, 6)), int(random.integers(1, 5))
    attributes: dict[str, object] = {"coefficients": floats(random, features * classes), "intercepts": floats(random, classes)}
    attributes["classlabels_ints"] = labels(random, classes if classes > 1 else int(random.integers(1, 3)))
    if random.random() < 0.3:
        attributes["multi_class"] = 1
    attributes["post_transform"] = TRANSFORMS[random.integers(len(TRANSFORMS) - (classes == 1))]
    return Drawn([some_not_finite(random, rows(random, features, edges=False))], [TensorProto.INT64, TensorProto.FLOAT], attributes)


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
        if random.random() < 0.4:
            attributes |= {"prob_a": [-2 * abs(number) for number in floats(random, classes * (classes - 1) // 2)], "prob_b": floats(random, classes * (classes - 1) // 2)}
    attributes["post_transform"] = TRANSFORMS[random.integers(len(TRANSFORMS) - (classes == 2))]
    return Drawn([rows(random, features, edges=False)], [TensorProto.INT64, TensorProto.FLOAT], attributes)


# Operators that are refused, with what the reason says of it.
REFUSED = {"CastMap": "a map", "CategoryMapper": "strings", "DictVectorizer": "a map"}
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
    except Exception:  # of several types that only the extension module has
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


@pytest.mark.parametrize("op", OPERATORS)
def test_random_nodes(op: str) -> None:
    nodes = list(drawn_nodes(op, NODES_OF_EACH))
    results = tool.lower_together([model for _, model, _, _ in nodes], ["--target", TARGET])
    compared = 0
    for (drawn, _, feed, expected), result in zip(nodes, results, strict=True):
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


# What the others need of a runtime is comparisons of values that may be NaN or of 64 bits, or choices.
WITHOUT_COMPARISONS = ("ArrayFeatureExtractor", "Binarizer", "FeatureVectorizer", "LinearClassifier", "LinearRegressor", "Normalizer", "OneHotEncoder", "SVMRegressor", "Scaler")


@pytest.mark.parametrize("op", WITHOUT_COMPARISONS)
def test_random_nodes_without_comparisons(op: str) -> None:
    """Numbers that are not finite are what the user is warned of."""
    nodes = [(drawn, model, feed, expected) for drawn, model, feed, expected in drawn_nodes(op, NODES_OF_EACH // 5) if expected is not None and all(np.all(np.isfinite(x)) for x in feed.values())]
    results = tool.lower_together([model for _, model, _, _ in nodes], ["--target", tool.TESTDATA / "targets" / "without_comparisons.target"])
    compared = 0
    for (drawn, _, feed, expected), result in zip(nodes, results, strict=True):
        about = f"{drawn}\n{result.stderr}"
        if result.status == tool.NOT_LOWERED:
            continue
        assert result.status == tool.DONE, about
        found = in_kernel(result.stdout, feed)
        assert found is not None, about
        assert_same(op, found, expected, about + onnx.printer.to_text(onnx.load_from_string(result.stdout)))
        compared += 1
    assert compared > len(nodes) * 0.5, f"{compared} of {len(nodes)} are lowered"


def asks_openvino_too_much(drawn: Drawn, feed: dict) -> bool:
    """It computes double in float and 64-bit integers in 32 bits, and a batch without rows or a tensor without dimensions is for other tests."""
    arrays = [*feed.values(), *(np.array(value) for value in drawn.attributes.values() if isinstance(value, list))]
    if "coefficients" in drawn.attributes and not np.all(np.isfinite(feed["x0"])):
        return True  # which of several NaN and infinities is the greatest score, it says in its own way
    return any(x.dtype == DOUBLE and x is feed.get("x0") or x.size == 0 or x.ndim == 0 or (x.dtype == INT64 and np.any(np.abs(x.astype(DOUBLE)) >= 2**31)) for x in arrays)


@pytest.mark.parametrize("op", OPERATORS)
def test_random_nodes_in_openvino(op: str) -> None:
    """As it is to get them: with its own target, by which some stay."""
    nodes = [(drawn, model, feed, expected) for drawn, model, feed, expected in drawn_nodes(op, NODES_OF_EACH // 5) if expected is not None and not asks_openvino_too_much(drawn, feed)]
    results = tool.lower_together([model for _, model, _, _ in nodes], ["--target", "openvino"])
    assert len(nodes) >= NODES_OF_EACH // 25
    for (drawn, _, feed, expected), result in zip(nodes, results, strict=True):
        assert result.status == tool.DONE, f"{drawn}\n{result.stderr}"
        found = runtimes.in_openvino(result.stdout)(feed)
        # It computes exponentials, hyperbolic tangents and quotients to six digits.
        for one, other in zip(found.values(), expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-4, err_msg=f"{drawn}\n{onnx.printer.to_text(onnx.load_from_string(result.stdout))}")


@pytest.mark.parametrize("op", OPERATORS)
def test_without_a_target_a_node_stays(op: str) -> None:
    """Of types that ONNX Runtime has a kernel for."""
    for _, model, _, expected in drawn_nodes(op, 20):
        assert expected is None or tool.lowered(model) == model


def test_unknown_category_is_warned_of() -> None:
    """Operators of ai.onnx cannot end a run with an error, which a OneHotEncoder does that is to know all categories."""
    for zeros in (0, 1):
        drawn = Drawn([INT64([[5]])], [TensorProto.FLOAT], {"cats_int64s": [1, 2], "zeros": zeros})
        result = tool.lower(model_of("OneHotEncoder", drawn, 17, known=True), ["--target", TARGET])
        assert result.status == tool.DONE and ("among its categories" in result.stderr) == (zeros == 0), str(result)


@pytest.mark.parametrize(
    "op, attributes, reason",
    [
        ("CategoryMapper", {"cats_int64s": [1], "cats_strings": ["a"]}, REFUSED["CategoryMapper"]),
        ("CastMap", {}, REFUSED["CastMap"]),
        ("DictVectorizer", {"int64_vocabulary": [1]}, REFUSED["DictVectorizer"]),
        ("LabelEncoder", {"keys_int64s": [1], "values_strings": ["a"]}, "strings"),
        ("LabelEncoder", {"keys_int64s": [1, 2], "values_floats": [1.0]}, "2 keys and 1 values"),
        ("LabelEncoder", {"classes_strings": ["a"]}, "strings"),
        ("OneHotEncoder", {"cats_strings": ["a"]}, "strings"),
        ("OneHotEncoder", {}, "no categories"),
        ("Scaler", {"offset": [1.0], "scale": [1.0, 2.0]}, "length"),
        ("Scaler", {"scale": [1.0]}, "'offset' is missing"),
        ("Imputer", {"imputed_value_floats": [1.0, 2.0]}, "dim(X, -1) is 3"),
        ("Normalizer", {"norm": "L3"}, "L3"),
        ("FeatureVectorizer", {"inputdimensions": [1, 2]}, "1 inputs"),
        ("LinearRegressor", {"coefficients": [1.0, 2.0]}, "2"),
        ("LinearRegressor", {"coefficients": [1.0, 2.0, 3.0], "targets": 0}, "targets"),
        ("LinearClassifier", {"coefficients": [1.0, 2.0, 3.0], "classlabels_ints": [0, 1]}, "no intercepts"),
        ("LinearClassifier", {"coefficients": [1.0] * 6, "intercepts": [0.0, 1.0], "classlabels_ints": [0]}, "1 labels for 2 classes"),
        ("LinearClassifier", {"coefficients": [1.0] * 3, "intercepts": [0.0], "classlabels_ints": [0, 1], "post_transform": "PROBIT"}, "PROBIT"),
        ("SVMRegressor", {"coefficients": [1.0], "rho": [1.0], "n_supports": 2, "support_vectors": [1.0] * 6}, "for 2 vectors"),
        ("SVMRegressor", {"coefficients": [1.0], "n_supports": 1, "support_vectors": [1.0] * 3}, "rho"),
        ("SVMRegressor", {"coefficients": [1.0] * 3, "rho": [1.0], "kernel_type": "COSINE"}, "COSINE"),
        ("SVMClassifier", {"coefficients": [1.0] * 2, "rho": [1.0], "classlabels_ints": [0, 1], "vectors_per_class": [1], "support_vectors": [1.0] * 3}, "of all classes"),
        ("SVMClassifier", {"coefficients": [1.0], "rho": [1.0], "classlabels_ints": [0, 1], "vectors_per_class": [1, 1], "support_vectors": [1.0] * 6}, "fewer coefficients"),
        ("SVMClassifier", {"coefficients": [1.0] * 2, "rho": [1.0], "classlabels_ints": [0, 1], "vectors_per_class": [1, 1], "support_vectors": [1.0] * 6, "prob_a": [1.0]}, "1 prob_a and 0 prob_b"),
    ],
)
def test_refused(op: str, attributes: dict, reason: str) -> None:
    outputs = [TensorProto.INT64, TensorProto.FLOAT] if "Classifier" in op else [TensorProto.FLOAT]
    result = tool.lower(model_of(op, Drawn([np.zeros((2, 3), INT64 if op == "LabelEncoder" else FLOAT)], outputs, attributes, 2 if op == "LabelEncoder" and "classes_strings" not in attributes else 1), 17, known=True), ["--target", TARGET])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert reason in result.stderr, str(result)


# What skl2onnx makes of pipelines of scikit-learn, with fewer features and shorter numbers.
PIPELINES = {
    "make_pipeline(StandardScaler(), LinearRegression())": """
g (float[?,2] X) => (float[?,1] variable) {
  scaled = ai.onnx.ml.Scaler <offset = [5.84, 3.05], scale = [1.21, 2.3]> (X)
  variable = ai.onnx.ml.LinearRegressor <coefficients = [0.7, -0.2], intercepts = [1.0], targets = 1> (scaled)
}""",
    "make_pipeline(StandardScaler(), LogisticRegression())": """
g (float[?,2] X) => (int64[?] label, float[?,3] probabilities) {
  scaled = ai.onnx.ml.Scaler <offset = [5.84, 3.05], scale = [1.21, 2.3]> (X)
  label, scores = ai.onnx.ml.LinearClassifier <classlabels_ints = [0, 1, 2], coefficients = [-1.0, 1.2, 0.5, -0.4, 0.6, -0.7], intercepts = [-0.2, 1.8, -1.6], multi_class = 1, post_transform = "SOFTMAX"> (scaled)
  probabilities = ai.onnx.ml.Normalizer <norm = "L1"> (scores)
}""",
    "SVC(), with its decision function of one class against the others": """
g (float[?,2] X) => (int64[?] label, float[?,1] first) <int64[1] zero = {0}, int64[1] one = {1}> {
  label, scores = ai.onnx.ml.SVMClassifier <classlabels_ints = [0, 1, 2], coefficients = [0.5, -0.5, 1.0, -1.0, 0.2, 0.3, -0.6, -0.4], kernel_params = [0.14, 0.0, 3.0], kernel_type = "RBF", post_transform = "NONE", rho = [0.1, -0.2, 0.05], support_vectors = [1.0, 0.2, 1.5, 0.3, 4.0, 1.2, 6.0, 2.1], vectors_per_class = [2, 1, 1]> (X)
  a = ai.onnx.ml.ArrayFeatureExtractor (scores, zero)
  b = ai.onnx.ml.ArrayFeatureExtractor (scores, one)
  first = Sub (a, b)
}""",
    "MLPClassifier(), behind its layers": """
g (float[?,3] scores) => (int64[?] label) <int64[3] classes = {3, 5, 8}, int64[1] line = {-1}> {
  probabilities = Softmax <axis = 1> (scores)
  place = ArgMax <axis = 1> (probabilities)
  chosen = ai.onnx.ml.ArrayFeatureExtractor (classes, place)
  label = Reshape (chosen, line)
}""",
    "OneHotEncoder(handle_unknown='ignore')": """
g (int64[?,2] X) => (float[?,5] variable) <int64[1] zero = {0}, int64[1] one = {1}, int64[2] first = {-1, 2}, int64[2] second = {-1, 3}> {
  a = ai.onnx.ml.ArrayFeatureExtractor (X, zero)
  b = ai.onnx.ml.ArrayFeatureExtractor (X, one)
  c = ai.onnx.ml.OneHotEncoder <cats_int64s = [0, 2], zeros = 1> (a)
  d = ai.onnx.ml.OneHotEncoder <cats_int64s = [1, 3, 4], zeros = 1> (b)
  e = Reshape (c, first)
  f = Reshape (d, second)
  variable = Concat <axis = 1> (e, f)
}""",
}


@pytest.mark.parametrize("target", [TARGET, "openvino", "opencv", "mnn", "tract", "rten", "tensorrt-rtx"], ids=str)
@pytest.mark.parametrize("name", PIPELINES)
def test_pipelines(name: str, target: object) -> None:
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 1]>' + PIPELINES[name])
    [given] = model.graph.input
    width = given.type.tensor_type.shape.dim[1].dim_value
    random = np.random.default_rng(0)
    x = random.standard_normal((5, width)).astype(FLOAT) if given.type.tensor_type.elem_type == TensorProto.FLOAT else random.integers(0, 5, (5, width))
    result = tool.lower(model.SerializeToString(), ["--target", target])
    assert result.status == tool.DONE, str(result)
    for one, other in zip(in_kernel(result.stdout, {given.name: x}), in_kernel(model.SerializeToString(), {given.name: x}), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
