# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Sequences of a batch with padding at their ends, and the same tokens in one list without it."""
import numpy as np


def token_offset(counts, length):
    """(batch, length): the places of all tokens among those of the batch, then those of the padding."""
    is_token = (np.arange(length) < np.asarray(counts)[:, None]).ravel()
    return np.concatenate([np.flatnonzero(is_token), np.flatnonzero(~is_token)]).reshape(len(counts), length).astype(np.int32)


def cumulated(counts):
    return np.cumsum([0, *counts], dtype=np.int32)


def padded(tokens, offsets):
    rows = np.zeros((offsets.size, tokens.shape[1]), tokens.dtype)
    rows[offsets.ravel()[: len(tokens)]] = tokens
    return rows.reshape(*offsets.shape, -1)
