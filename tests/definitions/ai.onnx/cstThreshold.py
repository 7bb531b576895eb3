# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""cstThreshold in the default domain: rknn_cst::cstThreshold, whose definition has the cases of its forms."""
import numpy as np

from definition import Case, definition_of

define = definition_of("rknn_cst", "cstThreshold").define


def cases():
    x = np.float32([-3, 0.1, 0.2, 30, np.nan])
    yield Case("attributes", inputs=[x], attributes={"threshold": 0.1, "value": 20.0})
    yield Case("inputs", inputs=[x, np.float32(0.1), np.float32(20)], constants=[1, 2], opsets=(9, 12, 26))
    yield Case("set", inputs=[x], set={"threshold": 0.1, "value": 20.0}, opsets=(9, 12, 26))
    yield Case("lost", inputs=[x], opsets=(12,), refuse="attributes 'threshold', 'value' are missing")
