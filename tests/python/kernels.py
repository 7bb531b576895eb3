# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The library of native kernels under test: named by the environment variable ONNX_LOWER_KERNELS, else build/libonnx_lower_kernels.so.

ONNX_LOWER_KERNELS_PROVIDER=CUDAExecutionProvider runs them where a GPU is at hand, and what has no kernel there on the CPU.
"""
from __future__ import annotations

import functools
import json
import os
import pathlib

import onnx
import onnxruntime

import runtimes
import tool
from model_checks import all_nodes

LIBRARY = pathlib.Path(os.environ.get("ONNX_LOWER_KERNELS", tool.REPOSITORY / "build" / "libonnx_lower_kernels.so")).resolve()

PROVIDER = os.environ.get("ONNX_LOWER_KERNELS_PROVIDER", "CPUExecutionProvider")


def session(model: bytes | str, threads: int = 1, seen: os.PathLike | None = None, provider: str = PROVIDER, profile: os.PathLike | None = None) -> onnxruntime.InferenceSession:
    """`seen` is where the session writes what it made of the model, and `profile` with what the names of its profiles begin."""
    assert LIBRARY.exists(), f"there is no {LIBRARY}: build it with -DONNX_LOWER_KERNELS=ON, or name it in ONNX_LOWER_KERNELS"
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    if seen is not None:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.optimized_model_filepath = str(seen)
    if profile is not None:
        options.enable_profiling = True
        options.profile_file_prefix = str(profile)
    options.register_custom_ops_library(str(LIBRARY))
    if provider == "CPUExecutionProvider":
        return onnxruntime.InferenceSession(model, options, providers=[provider])
    onnxruntime.preload_dlls()
    # TF32 has ten digits in its products.
    exact = {"use_tf32": "0"} if provider == "CUDAExecutionProvider" else {}
    running = onnxruntime.InferenceSession(model, options, providers=[(provider, exact), "CPUExecutionProvider"])
    assert provider in running.get_providers(), f"ONNX Runtime cannot load {provider}"
    return running


def natively(model: bytes | str, threads: int = 1, provider: str = PROVIDER) -> runtimes.Runner:
    """Runs the model with its custom nodes as they are."""
    running = session(model, threads, provider=provider)
    names = [output.name for output in running.get_outputs()]
    return lambda inputs: dict(zip(names, running.run(names, dict(inputs))))


@functools.lru_cache(maxsize=1)
def served() -> frozenset[tuple[str, str]]:
    """The operators that the tool says have a kernel, as (domain, operator)."""
    listed = json.loads(tool.run(["--list-rules", "--json"]).stdout)
    return frozenset((rule["domain"] or "ai.onnx", rule["op_type"]) for rule in listed if rule["kernel"])


def served_nodes(model: onnx.ModelProto) -> list[onnx.NodeProto]:
    return [node for node in all_nodes(model) if (node.domain or "ai.onnx", node.op_type) in served()]
