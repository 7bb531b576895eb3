# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The runtimes in which lowered models are run: each a function from a model (its bytes or its path) to a function from inputs to outputs, by name."""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import onnx

from model_checks import all_nodes

Arrays = Mapping[str, np.ndarray]
Runner = Callable[[Arrays], dict[str, np.ndarray]]


def in_onnxruntime(model: bytes | str, *, optimize: bool = True, overlook_unused: bool = False) -> Runner:
    """`overlook_unused`: initializers that are inputs may be given other elements even where nothing reads them, of which the runtime then knows nothing."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    # Else it multiplies weights in blocks of codes by numbers that it rounds to 8 bits.
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "1")
    if not optimize:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    known = {value.name for value in (*session.get_inputs(), *session.get_overridable_initializers())}
    return lambda inputs: dict(zip(names, session.run(names, {name: value for name, value in inputs.items() if name in known or not overlook_unused})))


def has_own_kernel(domain: str, op_type: str) -> bool:
    """ONNX Runtime knows the operator, and executes its own kernel where a model has a function of that name."""
    return domain.startswith("com.microsoft")


@functools.lru_cache(maxsize=1)
def operators_without_kernel() -> frozenset[str]:
    """Of com.microsoft: what ONNX Runtime knows and has no CPU kernel for. It does not look for a function of such a name in the model either."""
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def, get_all_operator_schema

    known = {schema.name for schema in get_all_operator_schema() if schema.domain == "com.microsoft"}
    kernels = {kernel.op_name for kernel in get_all_opkernel_def() if kernel.domain == "com.microsoft" and kernel.provider == "CPUExecutionProvider"}
    return frozenset(known - kernels)


def in_reference_evaluator(model: bytes) -> Runner:
    from onnx.reference import ReferenceEvaluator

    evaluator = ReferenceEvaluator(onnx.load_model_from_string(model))

    def go(inputs: Arrays) -> dict[str, np.ndarray]:
        with np.errstate(all="ignore"):
            return dict(zip(evaluator.output_names, map(np.asarray, evaluator.run(None, dict(inputs)))))

    return go


@functools.lru_cache(maxsize=1)
def openvino_core():
    import openvino

    return openvino.Core()


def in_openvino(model: bytes | str) -> Runner:
    run = in_openvino_together([model])
    return lambda inputs: run([inputs])[0]


def in_openvino_together(models: Sequence[bytes | str]) -> Callable[[Sequence[Arrays]], list[dict[str, np.ndarray]]]:
    """Compiled as one model whose parts have nothing in common: most of what OpenVINO does for a small model it does once for any model."""
    import openvino

    parts = [openvino_core().read_model(model) for model in models]
    results, sinks, parameters = ([one for part in parts for one in getattr(part, f"get_{kind}")()] for kind in ("results", "sinks", "parameters"))
    whole = parts[0] if len(parts) == 1 else openvino.Model(results, sinks, parameters)
    compiled = openvino_core().compile_model(whole, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1, "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0})
    # An input that nothing uses is no port.
    ports = [{name: index for index, parameter in _numbered(parts, part, "parameters") for name in parameter.output(0).get_names()} for part in parts]
    names = []
    for model, part in zip(models, parts):
        parsed = onnx.load_model_from_string(model) if isinstance(model, bytes) else onnx.load(model, load_external_data=False)
        names.append({output.name: index for output, (index, _) in zip(parsed.graph.output, _numbered(parts, part, "results"))})

    def go(inputs: Sequence[Arrays]) -> list[dict[str, np.ndarray]]:
        fed = {known[name]: np.array(value, order="C") for known, given in zip(ports, inputs) for name, value in given.items() if name in known}
        result = compiled.create_infer_request().infer(fed)
        return [{name: result[index] for name, index in known.items()} for known in names]

    return go


def _numbered(parts: list, of: object, kind: str) -> list[tuple[int, object]]:
    """The parameters or results of a part, each with its number among those of all parts."""
    numbered = enumerate((part, one) for part in parts for one in getattr(part, f"get_{kind}")())
    return [(number, one) for number, (part, one) in numbered if part is of]


def openvino_limit(model: onnx.ModelProto) -> str:
    """Why OpenVINO itself cannot be asked about this model, the original or the lowered one; empty when it can."""
    for value in (*model.graph.input, *model.graph.output):
        tensor = value.type.tensor_type
        if not value.type.HasField("tensor_type"):
            return "it has no sequences, optionals or sparse tensors as inputs and outputs"
        if tensor.elem_type == onnx.TensorProto.DOUBLE:
            return "it computes float64 in float32"
        if tensor.elem_type == onnx.TensorProto.STRING:
            return "it has few operators on strings"
        if tensor.elem_type in (onnx.TensorProto.UINT64, onnx.TensorProto.INT64) and not _small(model):
            return "it computes 64-bit integers in 32 bits"
        if not tensor.HasField("shape"):
            return "its CPU plugin wants ranks"
    operators = {node.op_type for node in all_nodes(model)}
    if "Scan" in operators:
        return "its CPU plugin allocates no memory for what a Scan gives"
    if "DeformConv" in operators:
        return "its front end does not convert the standard DeformConv"
    initializers = {tensor.name for tensor in model.graph.initializer}
    if any(value.name in initializers for value in model.graph.input):
        return "it cannot override an initializer"
    return ""


def _small(model: onnx.ModelProto) -> bool:
    """Whether no constant of the model needs more than 32 bits."""
    limits = np.iinfo(np.int32)
    for tensor in model.graph.initializer:
        if tensor.data_type in (onnx.TensorProto.UINT64, onnx.TensorProto.INT64):
            array = onnx.numpy_helper.to_array(tensor)
            if array.size and (array.min() < limits.min or array.max() > limits.max):
                return False
    return True
