# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Einsum: sums of products over named dimensions.

Source: ONNX Einsum-12, whose reference is NumPy's einsum.
"""
import numpy as np

from definition import Case


def define(*operands, equation):
    dtype = operands[0].dtype
    wide = [operand.astype(np.float64 if dtype.kind == "f" else np.int64) for operand in operands]
    with np.errstate(over="ignore"):
        return np.asarray(np.einsum(equation, *wide)).astype(dtype)


def numbers(shape, dtype=np.float32, seed=0):
    """Whole ones, so that all sums are exact, in whatever order."""
    return np.random.default_rng([seed, *shape]).integers(-4, 5, shape).astype(dtype)


EQUATIONS = [
    # One operand: permuted, summed, diagonals.
    ("ij->ji", (2, 3)),
    ("ji", (2, 3)),
    ("ij->", (2, 3)),
    ("ijk->k", (2, 3, 4)),
    ("ab->ab", (2, 3)),
    ("->", ()),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("bii->bi", (2, 3, 3)),
    ("ibi->bi", (3, 2, 3)),
    ("iii->i", (3, 3, 3)),
    ("ijij->ji", (2, 3, 2, 3)),
    ("...ii->...i", (2, 4, 3, 3)),
    ("...ij->...ji", (2, 4, 3, 5)),
    ("i...->...", (3, 2, 4)),
    # Two: products of elements and of matrices.
    ("i,i", (4,), (4,)),
    ("i,j->ij", (2,), (3,)),
    ("i,j->ji", (2,), (3,)),
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ij,kj->ki", (2, 3), (4, 3)),
    ("ij,j->i", (2, 3), (3,)),
    ("j,ji->i", (2,), (2, 3)),
    ("ij,ij->i", (2, 3), (2, 3)),
    ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)),
    ("bij,jk->bik", (5, 2, 3), (3, 4)),
    ("ij,bjk->bik", (2, 3), (5, 3, 4)),
    ("bqhd,bkhd->bhqk", (2, 3, 4, 5), (2, 6, 4, 5)),
    ("bhqk,bkhd->bqhd", (2, 4, 3, 6), (2, 6, 4, 5)),
    ("bld,dhk->blhk", (2, 3, 4), (4, 2, 5)),
    ("blhk,hkd->bld", (2, 3, 2, 5), (2, 5, 4)),
    ("ijkl,lkmn->ijmn", (2, 3, 4, 5), (5, 4, 2, 3)),
    ("Aij,Ajk->ikA", (2, 3, 4), (2, 4, 5)),
    (" i j , j k -> i k ", (2, 3), (3, 4)),
    ("ij,->ij", (2, 3), ()),
    (",ij", (), (2, 3)),
    ("ij,jj->i", (2, 3), (3, 3)),
    ("ijk,il->kl", (2, 3, 4), (2, 5)),
    ("...ij,...jk->...ik", (2, 5, 3, 4), (2, 5, 4, 6)),
    ("...ij,jk->...ik", (2, 5, 3, 4), (4, 6)),
    ("ij,...jk->...ik", (3, 4), (2, 5, 4, 6)),
    ("...d,...d->...", (2, 3, 4), (2, 3, 4)),
    ("b...i,i...->b...", (2, 3, 4), (4, 3)),
    # More.
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
    ("i,i,i->i", (3,), (3,), (3,)),
    ("bi,oij,bj->bo", (2, 3), (4, 3, 5), (2, 5)),
    ("ab,bc,cd,da->", (2, 3), (3, 4), (4, 5), (5, 2)),
    ("i,j,k->kji", (2,), (3,), (4,)),
]


def cases():
    for index, (equation, *shapes) in enumerate(EQUATIONS):
        inputs = [numbers(shape, seed=index + place) for place, shape in enumerate(shapes)]
        for known in ("symbolic", "static"):
            yield Case(f"{index}-{known}", inputs=inputs, attributes={"equation": equation}, written_for=13, shapes=known)
    # Those of the ellipsis are broadcast, and letters' sizes of 1, which NumPy's reference does as well.
    for name, equation, *shapes in (
        ("ellipsis", "...ij,...jk->...ik", (1, 5, 3, 4), (2, 1, 4, 6)),
        ("elements", "...i,...i->...i", (4, 1, 3), (1, 2, 3)),
        ("no-ellipsis", "...i,i...->...", (3,), (3,)),
    ):
        for known in ("symbolic", "static"):
            inputs = [numbers(shape, seed=99 + place) for place, shape in enumerate(shapes)]
            yield Case(f"broadcast-{name}-{known}", inputs=inputs, attributes={"equation": equation}, written_for=13, shapes=known)
    one = [numbers((2, 1)), numbers((3, 4), seed=1)]
    yield Case("broadcast-letter", inputs=one, attributes={"equation": "ij,jk->ik"}, written_for=13, shapes="static", cannot={"openvino": "it wants equal sizes"})
    for dtype in (np.float16, np.float64, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
        inputs = [np.abs(numbers((2, 3))).astype(dtype), np.abs(numbers((3, 4), seed=1)).astype(dtype)]
        yield Case(f"{np.dtype(dtype)}", inputs=inputs, attributes={"equation": "ij,jk->ik"}, written_for=13)
    large = np.int8([[100, -120], [77, 3]])
    yield Case("digits-that-are-lost", inputs=[large, large], attributes={"equation": "ij,jk->ik"}, written_for=13)
    # From 12 on it is the node itself, whose sums of integers ONNX Runtime's kernel adds up in double.
    for dtype in (np.int16, np.int32, np.int64, np.uint32, np.uint64):
        limits = np.iinfo(dtype)
        random = np.random.default_rng(40)
        left, right = (random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True) for shape in ((3, 4), (4, 2)))
        for name, equation, inputs in (("product", "ij,jk->ik", [left, right]), ("sum", "ij->i", [left]), ("sum-of-product", "ij,jk->i", [left, right])):
            yield Case(f"wraps-{name}-{np.dtype(dtype)}", inputs=inputs, attributes={"equation": equation}, opsets=range(7, 12), written_for=13,
                       cannot={"openvino": "it computes 64-bit integers in 32 bits, and 32 bits in float"})
    odd = np.float32([[np.inf, np.nan, 1], [2, np.nan, np.inf], [-np.inf, 0, -0.0]])
    yield Case("infinite-beside-the-diagonal", inputs=[odd], attributes={"equation": "ii->i"}, written_for=13)
    for name, shapes in (("rows", ((0, 3), (3, 4))), ("all", ((0, 0), (0, 0))), ("inner", ((2, 0), (0, 4)))):
        inputs = [np.zeros(shape, np.float32) for shape in shapes]
        yield Case(f"empty-{name}", inputs=inputs, attributes={"equation": "ij,jk->ik"}, written_for=13, shapes="static")
    yield Case("empty-diagonal", inputs=[np.zeros((0, 0), np.float32)], attributes={"equation": "ii->i"}, written_for=13)

    for name, equation, reason, *shapes in (
        ("terms", "ij,jk->ik", "speaks of another number of inputs", (2, 3)),
        ("dimensions", "ijk->i", "gives an input of 2 dimensions 3", (2, 3)),
        ("digit", "i1->i", "something else than letters", (2, 3)),
        ("twice", "ij->ii", "a dimension twice in its result", (2, 3)),
        ("from-nowhere", "ij->k", "a dimension in its result that no input has", (2, 3)),
        ("two-ellipses", "...j,...j->...", "an ellipsis of 0 dimensions and one of 1", (3,), (2, 3)),
        ("lost-ellipsis", "...j->j", "an ellipsis, and none in its result", (2, 3)),
    ):
        inputs = [numbers(shape) for shape in shapes]
        yield Case(f"refused-{name}", inputs=inputs, attributes={"equation": equation}, written_for=13, refuse=reason, opsets=[11, 9], expected=[np.zeros(2, np.float32)])
    yield Case("refused-rank", inputs=[numbers((2, 3))], attributes={"equation": "...i->..."}, written_for=13, refuse="rank", opsets=[11], shapes="unranked", expected=[np.zeros(2, np.float32)])
