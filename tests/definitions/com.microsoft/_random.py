# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers for the cases of com.microsoft's operators: the same in every run."""
import numpy as np

FLOAT_WHY = "sums and exponentials are rounded in another order than here"
STEP_WHY = "a value that lies between two steps may go to either when it is computed in another order"


class Numbers:
    def __init__(self, seed=0):
        self.generator = np.random.default_rng(seed)

    def floats(self, *shape, dtype=np.float32):
        return self.generator.standard_normal(shape).astype(dtype)

    def positive(self, *shape, dtype=np.float32):
        return (0.05 + self.generator.random(shape)).astype(dtype)

    def bytes(self, *shape, dtype=np.uint8):
        info = np.iinfo(dtype)
        return self.generator.integers(info.min, info.max + 1, shape).astype(dtype)

    def weights(self, *shape, dtype):
        """To be multiplied by bytes. Where a processor has no instructions for dot products of bytes (VNNI), ONNX Runtime and OpenVINO add two products of uint8 and int8 in 16
        bits, which saturate unless the int8 are of seven bits: so quantizers make them with `reduce_range`."""
        return self.integers(-64, 64, *shape, dtype=dtype) if dtype == np.int8 else self.bytes(*shape, dtype=dtype)

    def integers(self, low, high, *shape, dtype=np.int64):
        return self.generator.integers(low, high, shape).astype(dtype)
