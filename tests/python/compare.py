# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Compares what a model gave with what it should have given."""
from __future__ import annotations

import numpy as np


def assert_equal(name: str, got: object, want: object, rtol: float = 0.0, atol: float = 0.0, *, any_dtype: bool = False) -> None:
    """Same element type, shape and values; NaN equals NaN, and an infinity only itself."""
    if isinstance(want, (list, tuple)):
        assert isinstance(got, (list, tuple)) and len(got) == len(want), f"{name}: not a sequence of {len(want)}"
        for index, (one, other) in enumerate(zip(got, want)):
            assert_equal(f"{name}[{index}]", one, other, rtol, atol, any_dtype=any_dtype)
        return
    got, want = np.asarray(got), np.asarray(want)
    strings = want.dtype.kind in "OUS"
    if not any_dtype:
        assert strings and got.dtype.kind in "OUS" or got.dtype == want.dtype, f"{name}: element type {got.dtype}, not {want.dtype}"
    assert got.shape == want.shape, f"{name}: shape {got.shape}, not {want.shape}"
    if strings or (want.dtype.kind in "iub" and got.dtype.kind in "iub" and not rtol and not atol):
        same = got == want
    else:
        with np.errstate(all="ignore"):
            same = np.isclose(*_comparable(got, want), rtol=rtol, atol=atol, equal_nan=True)
    if not np.all(same):
        where = tuple(int(index) for index in np.argwhere(~same)[0])
        wrong = int(np.size(same) - np.count_nonzero(same))
        raise AssertionError(f"{name}: {wrong} of {want.size} values differ, the first at {list(where)}: {got[where]!r}, not {want[where]!r}")


def _comparable(*arrays: np.ndarray) -> list[np.ndarray]:
    wide = np.complex128 if any(array.dtype.kind == "c" for array in arrays) else np.float64
    return [array.astype(wide) for array in arrays]
