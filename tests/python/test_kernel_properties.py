# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Kernels, expansions and definitions on the same random inputs: each is the oracle of the others."""
from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import definition
import kernels
import one_node_model
import runtimes
import tool
from compare import assert_equal
from definition import Case

LIMITED = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

FLOATS = st.sampled_from([np.float32, np.float64, np.float16])
SEEDS = st.integers(0, 2**32 - 1)
# Numbers at which something happens: signs of zero, ties, halves, what is not finite.
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -7.25, 0.1, 100.0, np.nan, np.inf, -np.inf]


@functools.lru_cache(maxsize=256)
def expanded(model: bytes) -> runtimes.Runner:
    return runtimes.in_onnxruntime(tool.lowered(model))


@functools.lru_cache(maxsize=256)
def native(model: bytes, threads: int) -> runtimes.Runner:
    return kernels.natively(model, threads)


def compare(case: Case, *, opset: int = 13, in_expansion: bool = True, to_expansion: float = 0.0) -> None:
    """The case's inputs in the kernel, on one thread and on three, in the expansion (at a distance of at most `to_expansion`), and in the definition."""
    definition_file = definition.definition_of(case.domain, case.op_type)
    operator = definition.Definition(case.domain, case.op_type, definition_file)
    expected = operator.expected(case, case.inputs)
    model = one_node_model.build(case, opset, expected).SerializeToString()
    feeds, results = one_node_model.feeds(case, case.inputs), one_node_model.results(case, expected)
    got = native(model, 1)(feeds)
    for name, want in results.items():
        assert_equal(f"kernel, {name}", got[name], want, case.rtol, case.atol)
    for name, value in native(model, 3)(feeds).items():
        assert_equal(f"kernel on three threads, {name}", value, got[name])
    if in_expansion:
        for name, value in expanded(model)(feeds).items():
            assert_equal(f"expansion, {name}", value, got[name], case.rtol, max(case.atol, to_expansion))


def numbers(random: np.random.Generator, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    if np.dtype(dtype).kind != "f":
        return random.integers(-100, 100, shape).astype(dtype)
    values = random.normal(0, 10, shape)
    return np.where(random.random(shape) < 0.3, random.choice(SPECIAL, shape), values).astype(dtype)


def product_step(*factors: np.ndarray) -> float:
    """How far apart float16 numbers are around the largest product: ONNX Runtime may keep a product in float32 where the operator rounds it."""
    if factors[0].dtype != np.float16:
        return 0.0
    largest = [np.abs(factor[np.isfinite(factor)]).max(initial=0).astype(np.float64) for factor in factors]
    return float(np.prod(largest)) * 2**-10


@st.composite
def shapes_to_broadcast(draw, count: int) -> list[tuple[int, ...]]:
    """Shapes that fit one another, of up to three dimensions; dimensions may be 0 or 1."""
    whole = draw(st.lists(st.sampled_from([0, 1, 2, 3, 5]), max_size=3))
    shapes = []
    for _ in range(count):
        rank = draw(st.integers(0, len(whole)))
        kept = whole[len(whole) - rank :]
        shapes.append(tuple(1 if draw(st.integers(0, 3)) == 0 else size for size in kept))
    return shapes


@pytest.mark.parametrize("op_type", ["my_add", "Foo"])
@LIMITED
@given(shapes=shapes_to_broadcast(2), dtype=st.sampled_from([np.float32, np.float64, np.float16, np.int32, np.int64]), seed=SEEDS)
def test_sums(op_type: str, shapes: list, dtype: type, seed: int) -> None:
    random = np.random.default_rng(seed)
    compare(Case("sum", domain="custom", op_type=op_type, inputs=[numbers(random, shape, dtype) for shape in shapes]))


@LIMITED
@given(shapes=shapes_to_broadcast(3), dtype=FLOATS, seed=SEEDS)
def test_mixed(shapes: list, dtype: type, seed: int) -> None:
    random = np.random.default_rng(seed)
    inputs = [numbers(random, shape, kind) for shape, kind in zip(shapes, (dtype, np.int64, np.int8))]
    compare(Case("mixed", domain="custom", op_type="Mixed", inputs=inputs), to_expansion=product_step(inputs[0], inputs[2]))


@LIMITED
@given(shapes=shapes_to_broadcast(2), dtype=st.sampled_from([np.float32, np.float64]), bounds=st.tuples(st.booleans(), st.booleans()), seed=SEEDS)
def test_optional_inputs(shapes: list, dtype: type, bounds: tuple, seed: int) -> None:
    random = np.random.default_rng(seed)
    x, w = (numbers(random, shape, dtype) for shape in shapes)
    with np.errstate(all="ignore"):
        finite = bool(np.isfinite(x * w).all())
    lo, hi = (np.array(value, dtype) if is_there else None for value, is_there in zip(np.sort(random.normal(0, 9, 2)), bounds))
    # What ONNX Runtime's Clip makes of a NaN is its own affair.
    compare(Case("bounds", domain="custom", op_type="OptSum", inputs=[x, w, lo, hi]), in_expansion=finite)


@LIMITED
@given(shapes=shapes_to_broadcast(1), dtype=st.sampled_from([np.float32, np.float64, np.float16, np.int64, np.int32, np.int8, np.uint8]), seed=SEEDS)
def test_threshold(shapes: list, dtype: type, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = np.abs(numbers(random, shapes[0], np.int32)).astype(dtype) if dtype == np.uint8 else numbers(random, shapes[0], dtype)
    attributes = {"threshold": float(random.choice([0, 0.1, -0.5, 2, 50])), "value": float(random.choice([0, 20, 1]))}
    compare(Case("threshold", domain="rknn_cst", op_type="cstThreshold", inputs=[x], attributes=attributes))


@LIMITED
@given(shapes=shapes_to_broadcast(2), dtype=FLOATS, seed=SEEDS)
def test_residual(shapes: list, dtype: type, seed: int) -> None:
    random = np.random.default_rng(seed)
    inputs = [numbers(random, shape, dtype) for shape in shapes]
    alpha = float(random.choice([0, 0.5, 0.3, -2]))
    case = Case("residual", domain="rknn_cst", op_type="cstDualResidual", inputs=inputs, attributes={"alpha": alpha})
    compare(case, to_expansion=max(product_step(x, np.array(alpha)) for x in inputs))


# Lattices have ties and points on borders.
def points(random: np.random.Generator, count: int, dimensions: int, dtype: type, lattice: bool) -> np.ndarray:
    return (random.integers(-3, 4, (count, dimensions)) if lattice else random.normal(0, 10, (count, dimensions))).astype(dtype)


@LIMITED
@given(count=st.integers(0, 40), dimensions=st.integers(1, 4), dtype=st.sampled_from([np.float32, np.float64, np.int32, np.int64]), lattice=st.booleans(),
       given_bounds=st.tuples(st.booleans(), st.booleans()), seed=SEEDS)
def test_voxels(count: int, dimensions: int, dtype: type, lattice: bool, given_bounds: tuple, seed: int) -> None:
    random = np.random.default_rng(seed)
    if not all(given_bounds):
        count += 1  # nothing has a minimum otherwise
    size = random.choice([1, 2, 3, -1] if np.dtype(dtype).kind == "i" else [0.5, 0.7, 1.3, 2, -1], dimensions).astype(dtype)
    start, end = (np.sort(random.integers(-20, 20, (2, dimensions)), axis=0)).astype(dtype)
    inputs = [points(random, count, dimensions, dtype, lattice), size, start if given_bounds[0] else None, end if given_bounds[1] else None]
    compare(Case("grid", domain="custom", op_type="torch_cluster_grid", inputs=inputs))


@st.composite
def clouds(draw) -> list:
    """nsample, points and offset, and for half of them queries and their offset: some batches empty, of one point, or shorter than nsample."""
    random = np.random.default_rng(draw(SEEDS))
    dtype, integer = draw(FLOATS), draw(st.sampled_from([np.int32, np.int64]))
    lattice, samples = draw(st.booleans()), draw(st.sampled_from([1, 2, 5, 17]))
    sizes = draw(st.lists(st.sampled_from([0, 1, 2, 13, 40, 100]), min_size=1, max_size=3))
    inputs = [np.array(samples, draw(st.sampled_from([np.int64, np.int32]))), points(random, sum(sizes), 3, dtype, lattice), np.cumsum(sizes).astype(integer)]
    if draw(st.booleans()):
        query_sizes = [draw(st.sampled_from([0, 1, 7, 30])) for _ in sizes]
        inputs += [points(random, sum(query_sizes), 3, dtype, lattice), np.cumsum(query_sizes).astype(integer)]
    if draw(st.booleans()):
        for cloud in inputs[1::2]:
            strange = random.random(cloud.shape) < 0.05
            with np.errstate(over="ignore"):
                cloud[strange] = random.choice([np.nan, np.inf, -np.inf, 1e5, 99999, 3e30], strange.sum()).astype(dtype)
    return inputs


def neighbours(nsample: np.ndarray, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As defined, with distances in the type of the points."""
    index, distance = definition.definition_of("custom", "knnquery").define(nsample, *arrays)
    with np.errstate(over="ignore"):
        return index, distance.astype(arrays[0].dtype)


@settings(LIMITED, max_examples=80)
@given(inputs=clouds())
def test_neighbours(inputs: list) -> None:
    shapes = ["static", ("n", 3), "symbolic", ("m", 3), "symbolic"][: len(inputs)]
    half = inputs[1].dtype == np.float16
    compare(Case("knn", domain="custom", op_type="knnquery", inputs=inputs, constants=(0,), shapes=shapes, define=neighbours, rtol=1e-3 if half else 1e-6,
                 why="the square root of ONNX Runtime may differ from NumPy's in the last bit, and a float16 is rounded by way of a float"))


def test_neighbours_of_many_points() -> None:
    """A tree with many levels, built by several threads; the distances of SciPy's tree, which are computed in float64."""
    from scipy.spatial import cKDTree

    random = np.random.default_rng(0)
    sizes = (30_000, 9, 20_000)
    cloud, offset = random.normal(0, 10, (sum(sizes), 3)).astype(np.float32), np.cumsum(sizes).astype(np.int32)
    inputs = [np.int64(16), cloud, offset]
    case = Case("knn", domain="custom", op_type="knnquery", inputs=inputs, constants=(0,))
    model = one_node_model.build(case, 13, [np.zeros((0, 0), np.int32), np.zeros((0, 0), np.float32)]).SerializeToString()
    feeds = one_node_model.feeds(case, case.inputs)
    got = kernels.natively(model, 3)(feeds)
    for name, value in kernels.natively(model, 1)(feeds).items():
        assert_equal(f"{name} on one thread", value, got[name])
    for begin, end in zip((0, *offset), offset):
        distance, index = cKDTree(cloud[begin:end].astype(np.float64)).query(cloud[begin:end].astype(np.float64), 16)
        missing = index == end - begin
        distance[missing] = 1e5
        assert_equal("distances", got["out1"][begin:end], distance.astype(np.float32), 1e-6, 1e-6)
        assert (got["out0"][begin:end] == np.where(missing, -1, index + begin)).mean() > 0.9999


@st.composite
def convolutions(draw) -> tuple[list, dict]:
    groups, offset_groups = draw(st.sampled_from([(1, 1), (2, 1), (1, 2), (2, 2), (4, 2)]))
    kernel = draw(st.sampled_from([(1, 1), (3, 3), (1, 2), (2, 3)]))
    shape = dict(batch=draw(st.integers(0, 3)), channels=4, outputs=4 * draw(st.integers(1, 2)), kernel=kernel, groups=groups, offset_groups=offset_groups,
                 size=draw(st.sampled_from([(5, 6), (3, 3), (9, 4)])), stride=draw(st.sampled_from([(1, 1), (2, 1), (1, 3)])),
                 padding=draw(st.sampled_from([(0, 0), (1, 2), (2, 1)])), dilation=draw(st.sampled_from([(1, 1), (1, 1), (2, 1)])))
    if any(shape["size"][i] + 2 * shape["padding"][i] < shape["dilation"][i] * (kernel[i] - 1) + 1 for i in (0, 1)):
        shape.update(padding=(2, 2))
    dtype = draw(FLOATS)
    inputs = definition.definition_of("custom", "deform_conv2d").operands(draw(SEEDS), dtype=dtype, **shape)
    if draw(st.booleans()):
        inputs[2][np.random.default_rng(0).random(inputs[2].shape) < 0.05] = draw(st.sampled_from([np.nan, np.inf, -np.inf]))
    if not (has_mask := draw(st.booleans())):
        inputs[3] = None
    if not draw(st.booleans()):
        inputs = inputs[:4] if has_mask else inputs[:3]
    return inputs, {name: list(shape[name]) for name in ("stride", "padding", "dilation")} | {"groups": groups, "offset_groups": offset_groups}


@settings(LIMITED, max_examples=60)
@given(convolution=convolutions())
def test_deformable_convolution(convolution: tuple[list, dict]) -> None:
    inputs, attributes = convolution
    near = {np.float32: 5e-5, np.float64: 1e-12, np.float16: 5e-3}[inputs[0].dtype.type]
    shapes = ["symbolic", "static", "symbolic", "symbolic", "static"][: len(inputs)]
    compare(Case("dcn", domain="custom", op_type="deform_conv2d", inputs=inputs, attributes=attributes, shapes=shapes, rtol=near, atol=near,
                 why="the products of a patch are summed in another order"), opset=16)
