# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::channel_shuffle: the groups of channels interleaved.

Source: PyTorch's documentation of torch.nn.ChannelShuffle.
"""
import numpy as np

from definition import Case

def define(x, groups):
    groups = int(groups)
    return np.concatenate([x[:, k::x.shape[1] // groups] for k in range(x.shape[1] // groups)], 1)


def cases():
    x = np.arange(72, dtype=np.float32).reshape(2, 6, 3, 2)
    for groups in (1, 2, 3, 6):
        yield Case(f"groups{groups}", inputs=[x, np.int64(groups)], constants=[1], opsets=range(9, 27) if groups == 3 else (9, 13, 26))
    yield Case("rank-3", inputs=[x[..., 0], np.int64(2)], constants=[1], opsets=(9, 13, 26))
