"""aten::logit: log(z / (1 - z)), z = x held between eps and 1 - eps where eps is given.

Source: PyTorch's documentation of torch.logit.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

def logit(x, eps=None):
    z = x if eps is None else np.where(x < eps, eps, np.where(x > 1 - eps, 1 - eps, x))
    return np.log(z / (1 - z))


def define(x, eps=None):
    kind = _elementwise.result_type(x)
    return logit(x.astype(kind).astype(np.float64), None if eps is None else np.float64(eps)).astype(kind)


VALUES = [0, -0.0, 1e-8, 0.01, 0.2, 0.5, 0.7, 0.999, 1, -1, 2, np.inf, -np.inf, np.nan]


def cases():
    yield from _elementwise.unary_cases(VALUES)
    for eps in (0.1, 1e-6):
        for dtype in ("float32", "float64", "float16"):
            rtol, atol = _elementwise.TOLERANCES[dtype]
            # In float16 the bounds themselves are rounded.
            if dtype != "float16" or eps == 0.1:
                yield Case(f"eps-{eps}-{dtype}", inputs=[np.array(VALUES, dtype), np.float64(eps)], constants=[1], opsets=(9, 11, 12, 15, 26),
                           rtol=max(rtol, 1e-4 if eps < 1e-5 else rtol), atol=atol, why=_elementwise.WHY)
    yield Case("int64-eps", inputs=[np.int64([0, 1, 2]), np.float64(0.25)], constants=[1], opsets=(9, 15, 26), rtol=1e-6, why=_elementwise.WHY)
    yield Case("left-out", inputs=[np.float32([0.25, 0.5]), None], opsets=(9, 12, 26), rtol=1e-6, why=_elementwise.WHY)
