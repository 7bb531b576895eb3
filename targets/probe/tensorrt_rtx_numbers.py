#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Whether TensorRT for RTX computes what it should, of models that measure.py has written for it: for a machine with a GPU of compute capability 8.0, 8.6, 8.9, 12.0 or newer.

  measure.py tensorrt-rtx-1.7 --runtime tensorrt_rtx --python VENV/bin/python --work FOLDER       on any machine
  VENV/bin/python tensorrt_rtx_numbers.py FOLDER/measured/tensorrt-rtx-1.7                         where the GPU is

Needs the packages tensorrt-rtx-cu13-libs, tensorrt-rtx-cu13-bindings and numpy, and CUDA's libcudart.so. Prints each model that is not right, and how many are, for each way in which they are
written. A model that ends the process is left out by --from NUMBER of the next one."""
import argparse
import collections
import ctypes
import json
import pathlib

import numpy as np

import runtimes

TO_DEVICE, TO_HOST = 1, 2


class Device:
    """Memory of the GPU, by CUDA's own library."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcudart.so")
        self.taken = []

    def check(self, status):
        if status != 0:
            raise RuntimeError("CUDA says error %d" % status)

    def memory(self, size):
        address = ctypes.c_void_p()
        self.check(self.cuda.cudaMalloc(ctypes.byref(address), ctypes.c_size_t(max(size, 1))))
        self.taken.append(address)
        return address

    def copy(self, to, source, size, direction):
        self.check(self.cuda.cudaMemcpy(to, source, ctypes.c_size_t(size), direction))

    def give_back(self):
        while self.taken:
            self.cuda.cudaFree(self.taken.pop())


def computed(runtime, device, path, feed):
    """The outputs, each with the sizes that it has at the run."""
    trt = runtime.trt
    engine = trt.Runtime(runtime.log).deserialize_cuda_engine(runtime.engine(path, list(feed.values()))[0])
    context = engine.create_execution_context()
    host = {}
    for name, value in feed.items():
        kind = np.dtype(trt.nptype(engine.get_tensor_dtype(name)))
        host[name] = np.ascontiguousarray(value.astype(kind))
        context.set_input_shape(name, value.shape)
        if engine.is_shape_inference_io(name):
            context.set_tensor_address(name, host[name].ctypes.data)
            continue
        memory = device.memory(host[name].nbytes)
        device.copy(memory, host[name].ctypes.data_as(ctypes.c_void_p), host[name].nbytes, TO_DEVICE)
        context.set_tensor_address(name, memory.value)
    results = {}
    for name in runtime.outputs:
        results[name] = np.empty(tuple(context.get_tensor_shape(name)), trt.nptype(engine.get_tensor_dtype(name)))
        results[name, "memory"] = device.memory(results[name].nbytes)
        context.set_tensor_address(name, results[name, "memory"].value)
    if not context.execute_async_v3(0):
        raise RuntimeError(next(iter(runtime.log.errors), "it does not run, and says nothing"))
    device.check(device.cuda.cudaDeviceSynchronize())
    for name in runtime.outputs:
        device.copy(results[name].ctypes.data_as(ctypes.c_void_p), results[name, "memory"], results[name].nbytes, TO_HOST)
    return [results[name] for name in runtime.outputs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--from", dest="first", type=int, default=0)
    arguments = parser.parse_args()
    runtime, device = runtimes.TensorRtRtx(), Device()
    counts = collections.defaultdict(collections.Counter)
    for task in json.loads((arguments.folder / "tasks.json").read_text()):
        if task["number"] < arguments.first or task.get("status"):
            continue
        arrays = dict(np.load(arguments.folder / ("%d.npz" % task["number"])))
        runtime.inputs, runtime.outputs = task["inputs"], task["outputs"]
        feed = {name: arrays["i%d" % index] for index, name in enumerate(task["inputs"])}
        expected = [arrays["o%d" % index] for index in range(len(task["outputs"]))]
        try:
            found = computed(runtime, device, str(arguments.folder / ("%d.onnx" % task["number"])), feed)
            right = all(runtimes.same(one, other, task["rtol"], task["atol"]) for one, other in zip(found, expected))
            answer = "right" if right else "wrong"
        except Exception as error:
            answer = "refused " + " ".join(str(error).split())[:200]
        device.give_back()
        counts[task["way"]][answer.split(" ")[0]] += 1
        if answer != "right":
            print(task["number"], task["way"], task["name"], answer, flush=True)
    for way, answers in counts.items():
        print(way, dict(answers))


if __name__ == "__main__":
    main()
