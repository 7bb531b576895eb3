# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""softmax(scale * Q * K' + mask) * V of heads, and what the masks of ONNX Runtime's attention operators mean."""
import numpy as np

LOWEST = float(np.finfo(np.float32).min)


def heads(x, count):
    """(B, S, N * H) to (B, N, S, H)"""
    return x.reshape(*x.shape[:2], count, -1).transpose(0, 2, 1, 3).astype(np.float64)


def merged(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def attend(q, k, v, *, scale=0.0, added=0.0, causal=False, past=0):
    scores = (q @ k.swapaxes(-1, -2)) * (scale or 1 / np.sqrt(q.shape[-1])) + added
    if causal:
        # As ONNX Runtime's kernel has it, the last query sees all keys, and there may be more of them than of queries.
        query = np.arange(q.shape[2])[:, None]
        later = (np.arange(k.shape[2])[None, :] > past + query) & (query < q.shape[2] - 1)
        scores = np.where(later, LOWEST, scores)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return merged(powers / powers.sum(-1, keepdims=True) @ v)


def added_by(mask, filter_value, batch, total):
    """What a mask adds to the scores: its rank and length say what it means."""
    if mask is None:
        return 0.0
    if mask.ndim == 1:
        ends = mask[:batch]
        starts = mask[batch:] if len(mask) == 2 * batch else np.zeros(batch, np.int64)
        position = np.arange(total)[None, :]
        keep = (position < ends[:, None]) & (position >= starts[:, None])
    else:
        keep = mask > 0
    if keep.ndim == 2:
        keep = keep[:, None]
    return np.where(keep, 0.0, filter_value)[:, None]
