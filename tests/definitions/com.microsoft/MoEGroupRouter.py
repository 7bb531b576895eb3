# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MoEGroupRouter: which experts get a token: the best ones of the best groups.

Source: ONNX Runtime's contrib operator MoEGroupRouter.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def best(values, count):
    """The places of the greatest; of equal ones, the first."""
    return np.argsort(-values, kind="stable")[:count]


def define(logits, expert_bias, top_k, n_group=1, topk_group=1, group_topk=2, router_sentinel=-10000.0):
    scores = 1 / (1 + np.exp(-logits.reshape(-1, len(expert_bias)).astype(float)))
    result = np.full(scores.shape, router_sentinel)
    for row, (score, ranked) in enumerate(zip(scores, scores + expert_bias)):
        groups = ranked.reshape(n_group, -1)
        sums = -np.sort(-groups, -1)[:, :group_topk].sum(-1)
        allowed = np.full(groups.shape, -np.inf)
        chosen = best(sums, topk_group)
        allowed[chosen] = groups[chosen]
        for expert in best(allowed.reshape(-1), top_k):
            result[row, expert] = np.log(max(score[expert], 1e-20))
    return result.astype(logits.dtype)


def all_scores(logits, expert_bias, projection_weight=None, top_k=1):
    wide = logits.astype(float)
    wide = wide.reshape(-1, len(expert_bias)) if projection_weight is None else wide @ projection_weight.T.astype(float)
    scores = 1 / (1 + np.exp(-wide))
    return np.float32(0), (scores + expert_bias).astype(np.float32), scores.astype(np.float32)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    logits, bias = numbers.floats(2, 3, 8), numbers.floats(8) / 4
    settings = {"one-group": {}, "groups": {"n_group": 4, "topk_group": 2}, "best-of-group": {"n_group": 2, "group_topk": 1, "router_sentinel": -5.0}}
    settings |= {"small-groups": {"n_group": 4, "topk_group": 3, "group_topk": 5}, "all-groups": {"n_group": 2, "topk_group": 2}}
    for name, attributes in settings.items():
        yield Case(name, inputs=[logits, bias], attributes={"top_k": 2, **attributes}, constants=[1], **tolerance)
    yield Case("bias-computed", inputs=[logits, bias], attributes={"top_k": 2, "n_group": 4}, shapes="static", **tolerance)
    half = {"rtol": 2e-3, "atol": 1e-3, "why": "the result is rounded to half precision"}
    yield Case("half", inputs=[logits.astype(np.float16), bias], attributes={"top_k": 3, "n_group": 2, "topk_group": 1}, constants=[1], **half)
    scores = {"absent_outputs": [0], "define": all_scores, **tolerance}
    yield Case("scores", inputs=[logits, bias], attributes={"top_k": 2}, constants=[1], **scores)
    yield Case("projected", inputs=[numbers.floats(5, 256) / 16, bias, numbers.floats(8, 256)], attributes={"top_k": 2}, constants=[1], **scores)
    yield Case("too-few", inputs=[logits, bias], attributes={"top_k": 3, "n_group": 4}, constants=[1], opsets=(18,), refuse="top_k")
