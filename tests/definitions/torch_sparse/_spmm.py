# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the products with a sparse matrix share: what is reduced for each element of the result, and the cases."""
import numpy as np

from definition import Case


def reduced(rowptr, col, value, mat, reduce):
    """`reduce` gets the numbers of an element of the result, and the number of the first of them."""
    rows = len(rowptr) - 1
    out = np.zeros((*mat.shape[:-2], rows, mat.shape[-1]), mat.dtype)
    arg = np.full(out.shape, len(col), np.int64)
    for place in np.ndindex(*out.shape):
        *batch, row, k = place
        begin, end = int(rowptr[row]), int(rowptr[row + 1])
        numbers = [mat[(*batch, int(col[e]), k)] * (1 if value is None else value[e]) for e in range(begin, end)]
        out[place], arg[place] = reduce(np.array(numbers, mat.dtype), begin, len(col))
    return out, arg


def best(numbers, begin, count, limit, is_better):
    """As the kernel goes through the products: the first that is better than all before it and than the limit."""
    most, at = (limit, count) if len(numbers) else (0, count)
    for place, number in enumerate(numbers):
        if is_better(number, most):
            most, at = number, begin + place
    return most, at


def cases(arrange, dtypes=(np.float32, np.float64, np.float16, np.int64, np.int32)):
    """`arrange` puts the beginnings of rows, the columns, the elements (or None) and the dense matrix in the operator's order."""
    rng = np.random.default_rng(44)
    begins, columns = np.int64([0, 2, 2, 5, 6, 6]), np.int64([1, 3, 0, 0, 2, 3])
    for dtype in dtypes:
        values, dense = rng.integers(-9, 10, 6).astype(dtype), rng.integers(-9, 10, (4, 3)).astype(dtype)
        yield Case(f"weighted-{np.dtype(dtype)}", inputs=arrange(begins, columns, values, dense))
    dense = rng.integers(-9, 10, (2, 4, 3)).astype(np.float32)
    nothing = arrange(np.int64([0, 0, 0]), np.int64([]), None, dense)
    yield Case("without-elements", inputs=arrange(begins, columns, None, dense), also=[nothing, arrange(np.int64([0, 3]), np.int64([3, 3, 1]), None, dense)])
    values = rng.integers(-9, 10, 6).astype(np.float32)
    yield Case("static", inputs=arrange(begins, columns, values, dense), shapes="static", opsets=(13, 9, 26))
