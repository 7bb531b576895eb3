# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mct_quantizers::ActivationPOTQuantizer: another name for mct_quantizers::ActivationSymmetricQuantizer.

Source: Sony's mct_quantizers, where the threshold is a power of two.
"""
from definition import definition_of

define = definition_of("mct_quantizers", "ActivationSymmetricQuantizer").define
cases = definition_of("mct_quantizers", "ActivationSymmetricQuantizer").cases
