#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Networks of export_architectures.py as the tools of ONNX Runtime quantize and optimize them, and what ONNX Runtime computes with the result.

  export_quantized.py FOLDER

Needs torch, onnxscript and onnxruntime. Writes FOLDER/KIND-NETWORK-OPSET-WAY.onnx, and beside it an .npz of its inputs (i0, i1 ...) and of ONNX Runtime's outputs (o0, o1 ...). What it does not
take itself is left out, and named."""
from __future__ import annotations

import itertools
import logging
import multiprocessing
import pathlib
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import onnx
import onnxruntime
import torch
from export_architectures import ARCHITECTURES, exported, inputs_of, without_places
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.quantization.shape_inference import quant_pre_process
from onnxruntime.transformers.float16 import convert_float_to_float16

Arrays = dict[str, np.ndarray]
NETWORKS = ("bert", "resnet", "segmenter", "vit")
# The oldest that the tools write pairs of QuantizeLinear and DequantizeLinear along an axis for, and the newest that torch's older exporter knows.
OPSETS = (14, 20)
TYPES = {"uint8": QuantType.QUInt8, "int8": QuantType.QInt8}
LEVELS = {"basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC, "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED}


class Once(CalibrationDataReader):
    def __init__(self, feed: Arrays):
        self.feeds = iter([feed])

    def get_next(self) -> Arrays | None:
        return next(self.feeds, None)


def optimized(given: pathlib.Path, path: pathlib.Path, level: str) -> None:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = LEVELS[level]
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"])


def in_few_bits(given: pathlib.Path, path: pathlib.Path) -> None:
    quantizer = MatMulNBitsQuantizer(onnx.load(given), block_size=16, is_symmetric=False)
    quantizer.process()
    quantizer.model.save_model_to_file(str(path))


def ways(exported_as: pathlib.Path, prepared: pathlib.Path, feed: Arrays, opset: int, scratch: pathlib.Path) -> Iterator[tuple[str, str, Callable[[pathlib.Path], object]]]:
    """Of each way its kind, its name, and what writes the network so."""

    def pairs(codes: str, weights: str, each_channel: bool, quantized: QuantFormat = QuantFormat.QDQ) -> Callable[[pathlib.Path], object]:
        return lambda path: quantize_static(prepared, path, Once(feed), quant_format=quantized, activation_type=TYPES[codes], weight_type=TYPES[weights], per_channel=each_channel)

    yield "dynamic", "int8", lambda path: quantize_dynamic(prepared, path)
    yield "dynamic", "uint8-channels", lambda path: quantize_dynamic(prepared, path, weight_type=QuantType.QUInt8, per_channel=True)
    for (codes, weights), each_channel in itertools.product((("uint8", "int8"), ("int8", "int8"), ("uint8", "uint8")), (False, True)):
        yield "qdq", f"{codes}-{weights}{'-channels' if each_channel else ''}", pairs(codes, weights, each_channel)
    yield "qoperator", "uint8-int8", pairs("uint8", "int8", False, QuantFormat.QOperator)
    yield "qoperator", "uint8-uint8", pairs("uint8", "uint8", False, QuantFormat.QOperator)
    if opset >= 20:
        yield "16bits", "uint16", lambda path: quantize_static(prepared, path, Once(feed), activation_type=QuantType.QUInt16, weight_type=QuantType.QInt8, extra_options={"UseQDQContribOps": True})
    yield "16bits", "float16", lambda path: onnx.save(convert_float_to_float16(onnx.load(exported_as), keep_io_types=True), path)
    yield "4bits", "blocks", lambda path: in_few_bits(exported_as, path)
    codes = scratch / "qdq.onnx"
    pairs("uint8", "int8", False)(codes)
    for level, (name, given) in itertools.product(LEVELS, (("plain", exported_as), ("qdq", codes))):
        yield "optimized", f"{level}-{name}", lambda path, given=given, level=level: optimized(given, path, level)


def write_all(name: str, opset: int, folder: pathlib.Path, scratch: pathlib.Path) -> None:
    module, inputs = ARCHITECTURES[name]().eval(), inputs_of(name, 2, 8)
    as_exported, prepared = scratch / "exported.onnx", scratch / "prepared.onnx"
    with torch.no_grad():
        exported(name, module, inputs, as_exported, dynamo=False, opset=opset, dynamic=True)
    without_places(as_exported)
    quant_pre_process(as_exported, prepared, skip_symbolic_shape=True)
    feed = {key: value.numpy() for key, value in inputs.items()}
    for kind, way, write in ways(as_exported, prepared, feed, opset, scratch):
        path = folder / f"{kind}-{name}-{opset}-{way}.onnx"
        # In a process of its own, for what ONNX Runtime crashes on.
        process = multiprocessing.get_context("fork").Process(target=write_one, args=(path, write, feed))
        process.start()
        process.join()
        if not path.with_suffix(".npz").exists():
            path.unlink(missing_ok=True)
            print(f"{path.stem}: left out, exit status {process.exitcode}")


def write_one(path: pathlib.Path, write: Callable[[pathlib.Path], object], feed: Arrays) -> None:
    try:
        write(path)
        outputs = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, feed)
    except Exception as error:
        print(f"{path.stem}: {type(error).__name__}: {str(error).splitlines()[0][:200]}")
        return
    np.savez(path.with_suffix(".npz"), **{f"i{index}": value for index, value in enumerate(feed.values())}, **{f"o{index}": value for index, value in enumerate(outputs)})
    print(path.stem)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    logging.disable()
    torch.backends.mha.set_fastpath_enabled(False)  # for which there is no ONNX
    for name, opset in itertools.product(NETWORKS, OPSETS):
        torch.manual_seed(len(name))
        with tempfile.TemporaryDirectory() as scratch:
            write_all(name, opset, folder, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
