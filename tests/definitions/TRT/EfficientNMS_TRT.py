# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::EfficientNMS_TRT: as in the default domain.

Source: TensorRT's plugin of that name; PyTorch exporters of detectors write it into the domain TRT.
"""
from definition import definition_of

define = definition_of("ai.onnx", "EfficientNMS_TRT").define


def cases():
    for case in definition_of("ai.onnx", "EfficientNMS_TRT").cases():
        if case.name in ("usual", "background"):
            yield case
