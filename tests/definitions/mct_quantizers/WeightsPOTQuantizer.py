# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mct_quantizers::WeightsPOTQuantizer: another name for mct_quantizers::WeightsSymmetricQuantizer.

Source: Sony's mct_quantizers, where the thresholds are powers of two.
"""
from definition import definition_of

define = definition_of("mct_quantizers", "WeightsSymmetricQuantizer").define
cases = definition_of("mct_quantizers", "WeightsSymmetricQuantizer").cases
