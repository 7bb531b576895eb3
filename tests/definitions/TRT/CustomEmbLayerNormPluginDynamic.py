# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::CustomEmbLayerNormPluginDynamic: normalized sums of embeddings, and the lengths of the sequences.

Source: plugin/embLayerNormPlugin/embLayerNormKernel.cu and embLayerNormPlugin.cpp of TensorRT.
"""
import numpy as np

from definition import Case

NAMES = ["bert_embeddings_" + name for name in ("word_embeddings", "token_type_embeddings", "position_embeddings", "layernorm_beta", "layernorm_gamma")]


def define(token_id, segment_id, input_mask, output_fp16=0, full_mask=0, mha_type_id=0, plugin_version="1", plugin_namespace="", **weights):
    word, segment, position, beta, gamma = (np.asarray(weights[name], np.float64) for name in NAMES)
    word, segment, position = (table.reshape(-1, len(beta)) for table in (word, segment, position))
    length, batch = token_id.shape
    embedded = np.zeros((length, batch, len(beta), 1, 1))
    lengths = np.full((batch, 1), length, np.int32)
    for s, b in np.ndindex(length, batch):
        row = word[token_id[s, b]] + segment[segment_id[s, b]] + position[s]
        normal = (row - row.mean()) / np.sqrt((row**2).mean() - row.mean() ** 2)
        embedded[s, b, :, 0, 0] = gamma * normal + beta
        if input_mask[s, b] == 0:
            lengths[b] = min(lengths[b, 0], s)
    return embedded.astype(np.float16 if output_fp16 else np.float32), lengths


def cases():
    rng = np.random.default_rng(44)
    weights = {name: rng.normal(size=shape).astype(np.float32) for name, shape in zip(NAMES, ((7, 4), (2, 4), (6, 4), (4,), (4,)))}
    tokens, segments = rng.integers(0, 7, (5, 3)).astype(np.int32), rng.integers(0, 2, (5, 3)).astype(np.int32)
    mask = np.int32([[1, 1, 1], [1, 1, 1], [1, 0, 1], [0, 0, 1], [0, 0, 1]])
    fields = {"rtol": 1e-4, "atol": 1e-5, "why": "a mean and a root in float, of four numbers"}
    yield Case("float", inputs=[tokens, segments, mask], attributes={**weights, "output_fp16": 0, "full_mask": 0, "mha_type_id": 0}, **fields)
    flat = {**weights, **{name: weights[name].ravel() for name in NAMES}}
    unused = {"openvino": "it drops inputs that nothing uses"}

    def words(*inputs, **attributes):
        return define(*inputs, **attributes)[0]

    yield Case("flat", inputs=[tokens, segments, mask], attributes={**flat, "plugin_version": "1"}, define=words, shapes="static", cannot=unused, **fields)
    half = {**weights, "output_fp16": 1, "mha_type_id": 1}
    yield Case("half", inputs=[tokens, segments, mask], attributes=half, define=words, cannot=unused, rtol=2e-2, atol=2e-2, why="each step is rounded to half, the definition's only once")
    yield Case("packed", inputs=[tokens, segments, mask], attributes=half, outputs=2, expected=[np.zeros((5, 3, 4, 1, 1), np.float16), np.zeros((3, 1), np.int32)], refuse="mha_type_id")
