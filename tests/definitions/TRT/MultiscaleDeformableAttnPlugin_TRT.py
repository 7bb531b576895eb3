# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::MultiscaleDeformableAttnPlugin_TRT: MMCVMultiScaleDeformableAttention, with the heads in a dimension of their own.

Source: the README of TensorRT's multiscaleDeformableAttnPlugin.
"""
import dataclasses

from definition import definition_of

_attention = definition_of("mmdeploy", "MMCVMultiScaleDeformableAttention")


def define(value, shapes, starts, places, weights, plugin_version="1", plugin_namespace=""):
    rows = _attention.define(value, shapes, starts, places, weights)
    return rows.reshape(len(value), places.shape[1], value.shape[2], value.shape[3])


def cases():
    for case in _attention.cases():
        yield dataclasses.replace(case, attributes={"plugin_version": "1", "plugin_namespace": ""})
