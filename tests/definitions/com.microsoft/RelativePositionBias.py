# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::RelativePositionBias: T5's bias by distance.

Source: ONNX Runtime's contrib_ops/cuda/bert/relative_attn_bias_impl.cu.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def bucket(relative, buckets, bidirectional, max_distance):
    result = 0
    if bidirectional:
        buckets //= 2
        result = buckets if relative > 0 else 0
    distance = abs(relative)
    exact = buckets // 2
    if distance < exact:
        return result + distance
    share = np.log(np.float32(distance) / np.float32(exact)) / np.log(np.float32(max_distance) / np.float32(exact))
    return result + min(exact + int(share * np.float32(buckets - exact)), buckets - 1)


def define(bias_table, query_length, key_length, max_distance, is_bidirectional=0):
    buckets, heads = bias_table.shape
    table = bias_table.reshape(heads, buckets)
    length = int(query_length.item())
    places = [[bucket(column - row, buckets, is_bidirectional, max_distance) for column in range(length)] for row in range(length)]
    return table[:, places][None]


def cases():
    numbers = _random.Numbers()
    unused = {"cannot": {"openvino": "it drops inputs that nothing uses"}}
    for bidirectional in (0, 1):
        for buckets, distance, length in ((8, 20, 19), (32, 128, 70), (7, 11, 15)):
            table = numbers.floats(buckets, 3)
            name = f"{bidirectional}-{buckets}-{distance}"
            attributes = {"max_distance": distance, "is_bidirectional": bidirectional}
            sizes = [np.int64(length)] * 2
            yield Case(name, inputs=[table, *sizes], attributes=attributes, also=[[table, np.int64(1), np.int64(1)]], output_shapes=[(1, "heads", "rows", "columns")], **unused)
    yield Case("half", inputs=[numbers.floats(8, 2, dtype=np.float16), np.int64([6]), np.int64([6])], attributes={"max_distance": 9}, constants=[0, 1, 2])
