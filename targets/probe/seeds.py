# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""One-node models that a runtime is asked about: onnx's own node tests, and the same with one thing changed: the element types, what is constant."""
from __future__ import annotations

import copy
import dataclasses
import functools
import itertools
import json
import pathlib
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Element types that NumPy has itself. Of the others only whether the model loads is asked.
NATIVE = {
    TensorProto.FLOAT16: np.float16, TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.BOOL: np.bool_,
    TensorProto.INT8: np.int8, TensorProto.INT16: np.int16, TensorProto.INT32: np.int32, TensorProto.INT64: np.int64,
    TensorProto.UINT8: np.uint8, TensorProto.UINT16: np.uint16, TensorProto.UINT32: np.uint32, TensorProto.UINT64: np.uint64,
}
# Of those that NumPy lacks, what models are trained and shipped in.
WITHOUT_NUMBERS = [TensorProto.BFLOAT16]
# What these make is random, or goes by what else is installed: libraries for images, locales.
RANDOM = {"Bernoulli", "Dropout", "ImageDecoder", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "StringNormalizer"}
# How many of an operator's models are tried with every element type, and with constants.
VARIED = 3


@dataclasses.dataclass
class Seed:
    name: str
    model: onnx.ModelProto
    inputs: list
    outputs: list
    rtol: float = 1e-3
    atol: float = 1e-7
    opset: int = 0
    kind: str = "node"  # which row of figures it belongs to: measure.KINDS
    asked: str = ""  # the operator that it asks about, if it is a chain of several
    nearby: list = dataclasses.field(default_factory=list)  # for each output what is right besides, and what lies between: nearby.py

    @property
    def node(self) -> onnx.NodeProto:
        nodes = self.model.graph.node
        return next((node for node in nodes if node.op_type == self.asked), nodes[0])

    @property
    def schema(self) -> onnx.defs.OpSchema:
        return onnx.defs.get_schema(self.node.op_type, self.opset, self.node.domain)

    @property
    def compares(self) -> bool:
        """Whether the numbers can be handed over and compared."""
        return self.node.op_type not in RANDOM and all(is_native(value) for value in [*self.inputs, *self.outputs])


def is_native(value: object) -> bool:
    return isinstance(value, np.ndarray) and (value.dtype in [np.dtype(kind) for kind in NATIVE.values()] or value.dtype.kind in "OU")


def asked_inputs(model: onnx.ModelProto) -> list[onnx.ValueInfoProto]:
    """Those that a run has to give, which have no initializer for a default."""
    defaults = {tensor.name for tensor in model.graph.initializer} | {tensor.values.name for tensor in model.graph.sparse_initializer}
    return [declared for declared in model.graph.input if declared.name not in defaults]


@functools.cache
def backend_tests() -> list[Seed]:
    """The node tests of one node, as onnx generates them."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    seeds = []
    for case in cases:
        graph = case.model.graph
        if len(graph.node) != 1 or case.model.functions or graph.node[0].domain not in ("", "ai.onnx.ml"):
            continue
        # Numbers without dimensions are NumPy's scalars in some.
        inputs, outputs = ([np.asarray(value) if isinstance(value, np.generic) else value for value in values] for values in case.data_sets[0])
        domain = graph.node[0].domain
        opset = next(entry.version for entry in case.model.opset_import if entry.domain == domain)
        seeds.append(Seed(case.name, case.model, inputs, outputs, case.rtol, case.atol, opset))
    return seeds


def brought_by(opset: int, node: onnx.NodeProto) -> bool:
    """Whether that opset has a version of the operator that none before it had."""
    return not node.domain and onnx.defs.has(node.op_type, opset, "") and onnx.defs.get_schema(node.op_type, opset, "").since_version == opset


def lowered_to(seeds: list[Seed], opset: int, tool: str) -> list[Seed]:
    """Those that are one node of the same operator at that opset, too, if need be with all inputs but the first constant: older versions have them as attributes."""
    result = []
    with tempfile.TemporaryDirectory() as folder:
        for constant in (False, True):
            source, target = pathlib.Path(folder, f"in-{constant}"), pathlib.Path(folder, f"out-{constant}")
            source.mkdir()
            for index, seed in enumerate(seeds):
                onnx.save(seed.model, source / f"{index}.onnx")
            subprocess.run([tool, source, "--output-dir", target, "--target-opset", str(opset)], capture_output=True, check=False)
            left = []
            for index, seed in enumerate(seeds):
                path = target / f"{index}.onnx"
                model = onnx.load(path) if path.exists() else None
                if model is not None and len(model.graph.node) == 1 and model.graph.node[0].op_type == seed.node.op_type:
                    model.ir_version = max(model.ir_version, 4)  # before which a constant had to be an input as well
                    own = seed.opset if seed.node.domain else opset
                    result.append(dataclasses.replace(seed, name=f"{seed.name}@{opset}", model=model, opset=own))
                elif seed.compares and len(seed.inputs) > 1:
                    left.append(with_constants(seed, list(range(1, len(seed.inputs)))))
            seeds = left
    return result


def of_another_type(seed: Seed, variables: Sequence[str], element_type: int) -> Seed | None:
    """The same node with these type variables bound to that type; None when the reference evaluator does not know what it makes of it."""
    dtype = NATIVE[element_type]
    parameters = list(seed.schema.inputs)
    inputs = []
    for index, value in enumerate(seed.inputs):
        place = next((k for k, name in enumerate(seed.node.input) if name == seed.model.graph.input[index].name), index)
        parameter = parameters[min(place, len(parameters) - 1)]
        if parameter.type_str not in variables:
            inputs.append(value)
            continue
        if np.dtype(dtype).kind == "u" and value.dtype.kind in "fi":
            value = np.abs(value)
        if value.dtype.kind in "OU":
            return None
        with np.errstate(all="ignore"):
            inputs.append(value.astype(dtype))
    model = copy.deepcopy(seed.model)
    for declared, value in zip(model.graph.input, inputs):
        declared.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(value.dtype)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            outputs = reference_outputs(model, inputs)
    except Exception:
        return None
    if not all(isinstance(value, np.ndarray) for value in outputs):
        return None
    for declared, value in zip(model.graph.output, outputs):
        declared.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(value.dtype)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception:
        return None
    half = element_type == TensorProto.FLOAT16
    return dataclasses.replace(seed, name=f"{seed.name}|{','.join(variables)}={helper.tensor_dtype_to_np_dtype(element_type)}", model=model, inputs=inputs, outputs=outputs,
                               rtol=2e-2 if half else seed.rtol, atol=2e-3 if half else max(seed.atol, 1e-6))


def of_a_type_without_numbers(seed: Seed, variables: Sequence[str], element_type: int) -> Seed | None:
    """The same for a type that NumPy lacks; None when the schema does not allow it."""
    model = copy.deepcopy(seed.model)
    parameters = list(seed.schema.inputs)
    for place, name in enumerate(seed.node.input):
        declared = next((value for value in model.graph.input if value.name == name), None)
        if declared is not None and parameters[min(place, len(parameters) - 1)].type_str in variables:
            declared.type.tensor_type.elem_type = element_type
    undeclared = copy.deepcopy(model)
    for output in undeclared.graph.output:
        output.ClearField("type")
    try:
        inferred = onnx.shape_inference.infer_shapes(undeclared, check_type=True, strict_mode=True)
        for declared, output in zip(model.graph.output, inferred.graph.output):
            declared.type.tensor_type.elem_type = output.type.tensor_type.elem_type
        onnx.checker.check_model(model, full_check=True)
    except Exception:
        return None
    name = f"{seed.name}|{','.join(variables)}={TensorProto.DataType.Name(element_type).lower()}"
    return dataclasses.replace(seed, name=name, model=model, inputs=[], outputs=[None])


def in_newer_words(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same, said in a version of the operator that the reference evaluator computes.

    Of opsets below 14 it computes a BatchNormalization as in training, and the RoiAlign of opset 10
    as if coordinates were moved by half a pixel."""
    opset = next((entry for entry in model.opset_import if not entry.domain), None)
    brought = {"BatchNormalization": 14, "RoiAlign": 16}.get(model.graph.node[0].op_type, 0)
    if opset is None or opset.version >= brought:
        return model
    newer = copy.deepcopy(model)
    next(entry for entry in newer.opset_import if not entry.domain).version = 16
    node = newer.graph.node[0]
    if node.op_type == "RoiAlign":
        node.attribute.append(helper.make_attribute("coordinate_transformation_mode", "output_half_pixel"))
    kept = [attribute for attribute in node.attribute if attribute.name != "spatial"]
    del node.attribute[:]
    node.attribute.extend(kept)
    return newer


def reference_outputs(model: onnx.ModelProto, inputs: list) -> list:
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(in_newer_words(model)).run(None, {declared.name: value for declared, value in zip(model.graph.input, inputs)})


def with_constants(seed: Seed, which: list[int]) -> Seed:
    """With some of the inputs as initializers."""
    model = copy.deepcopy(seed.model)
    inputs, kept = [], []
    for index, (declared, value) in enumerate(zip(seed.model.graph.input, seed.inputs)):
        if index in which:
            model.graph.initializer.append(numpy_helper.from_array(np.asarray(value), declared.name))
        else:
            inputs.append(value)
            kept.append(declared)
    del model.graph.input[:]
    model.graph.input.extend(kept)
    names = ",".join(seed.model.graph.input[index].name for index in which)
    return dataclasses.replace(seed, name=f"{seed.name}|constant={names}", model=model, inputs=inputs)


def with_defaults(seed: Seed) -> Iterator[Seed]:
    """Of a window, with what has its default but no value in the schema written out: all of it, and each alone."""
    given = {attribute.name: helper.get_attribute_value(attribute) for attribute in seed.node.attribute}
    axes = len(given.get("kernel_shape", []))
    defaults = {"strides": [1] * axes, "dilations": [1] * axes, "pads": [0] * (2 * axes)}
    if given.get("auto_pad", b"NOTSET") != b"NOTSET":
        del defaults["pads"]
    missing = [name for name in defaults if axes and name in seed.schema.attributes and name not in given]
    for names in [missing] * (len(missing) > 1) + [[name] for name in missing]:
        model = copy.deepcopy(seed.model)
        model.graph.node[0].attribute.extend(helper.make_attribute(name, defaults[name]) for name in names)
        yield dataclasses.replace(seed, name=f"{seed.name}|default={','.join(names)}", model=model)


def variants(seeds: list[Seed]) -> Iterator[Seed]:
    """Each seed, and then the changed ones of the first few of each operator and version."""
    tried: dict[tuple[str, int], int] = {}
    for seed in seeds:
        yield seed
        key = (seed.node.op_type, seed.schema.since_version)
        tried[key] = tried.get(key, 0) + 1
        if not seed.compares:
            continue
        if len(seed.inputs) == 1 and seed.inputs[0].dtype == np.int64 and seed.inputs[0].ndim == 1:
            yield with_constants(seed, [0])
        if len(seed.inputs) > 1 and tried[key] <= 2 * VARIED:
            yield with_constants(seed, list(range(1, len(seed.inputs))))
            if len(seed.inputs) > 2:
                for index in range(1, len(seed.inputs)):
                    yield with_constants(seed, [index])
        if tried[key] <= 2 * VARIED:
            yield from with_defaults(seed)
        if tried[key] > VARIED:
            continue
        of_inputs = {parameter.type_str for parameter in seed.schema.inputs}
        constraints = [constraint for constraint in seed.schema.type_constraints if constraint.type_param_str in of_inputs]
        for element_type in [*NATIVE, *WITHOUT_NUMBERS]:
            of_type = of_another_type if element_type in NATIVE else of_a_type_without_numbers
            name = TensorProto.DataType.Name(element_type).lower()
            variables = [constraint.type_param_str for constraint in constraints if f"tensor({name})" in constraint.allowed_type_strs]
            # Each alone, and all of them: a Pow may be of doubles, and not of a float and a double.
            for changing in [[variable] for variable in variables] + [variables] * (len(variables) > 1):
                changed = of_type(seed, changing, element_type)
                if changed is not None:
                    yield changed
    yield from casts(seeds)


def casts(seeds: list[Seed]) -> Iterator[Seed]:
    """From each element type to each: onnx's own tests have none of integers."""
    seed = next((seed for seed in seeds if seed.node.op_type == "Cast"), None)
    if seed is None:
        return
    values = np.array([0, 1, 2, 5, 100, 0.5], np.float32).reshape(2, 3)
    for of, to in itertools.permutations(NATIVE, 2):
        node = helper.make_node("Cast", ["x"], ["y"], to=to)
        graph = helper.make_graph([node], "cast", [helper.make_tensor_value_info("x", of, [2, 3])], [helper.make_tensor_value_info("y", to, [2, 3])])
        model = helper.make_model(graph, opset_imports=list(seed.model.opset_import), ir_version=seed.model.ir_version)
        given = values.astype(NATIVE[of])
        names = [np.dtype(NATIVE[kind]).name for kind in (of, to)]
        yield dataclasses.replace(seed, name=f"cast_{names[0]}_to_{names[1]}", model=model, inputs=[given], outputs=[given.astype(NATIVE[to])])


def features(seed: Seed) -> dict:
    """What a condition can say of the node."""
    schema, node = seed.schema, seed.node
    found: dict = {"op": node.op_type, "domain": node.domain, "version": schema.since_version, "dtype": {}, "rank": {}, "present": {}, "constant": {}, "attribute": {}, "length": {}, "largest": {}, "given": {}}
    declared = {value.name: value.type for value in seed.model.graph.input}
    constants = {tensor.name: tensor for tensor in seed.model.graph.initializer}
    seen = set()
    for index, parameter in enumerate(schema.inputs):
        name = node.input[index] if index < len(node.input) else ""
        if parameter.option == onnx.defs.OpSchema.FormalParameterOption.Optional:
            found["present"][parameter.name] = bool(name)
        if parameter.option == onnx.defs.OpSchema.FormalParameterOption.Variadic:
            found["present"][f"input_{index + 1}"] = index + 1 < len(node.input)
        if not name:
            continue
        found["constant"][parameter.name] = name in constants
        element_type = constants[name].data_type if name in constants else declared[name].tensor_type.elem_type if name in declared and declared[name].HasField("tensor_type") else 0
        rank = len(constants[name].dims) if name in constants else len(declared[name].tensor_type.shape.dim) if element_type else -1
        if element_type and parameter.type_str not in seen:
            seen.add(parameter.type_str)
            found["dtype"][parameter.name] = TensorProto.DataType.Name(element_type).lower()
        if rank >= 0:
            found["rank"][parameter.name] = rank
    for index, parameter in enumerate(schema.outputs):
        if parameter.option == onnx.defs.OpSchema.FormalParameterOption.Optional:
            found["present"][parameter.name] = index < len(node.output) and bool(node.output[index])
    given = {attribute.name: attribute for attribute in node.attribute}
    for name, attribute in schema.attributes.items():
        found["given"][name] = name in given
        value = given.get(name) or (attribute.default_value if attribute.default_value.type else None)
        if value is None:
            continue
        content = helper.get_attribute_value(value)
        if isinstance(content, bytes):
            found["attribute"][name] = content.decode(errors="replace")
        elif isinstance(content, int):
            found["attribute"][name] = content
        elif isinstance(content, list):
            found["length"][name] = len(content)
            if name == "dilations":  # 1 is none
                found["largest"][name] = max(content)
    return found


def write(folder: pathlib.Path, seeds: Iterator[Seed]) -> list[dict]:
    """One .onnx and one .npz for each, and the list of all."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = []
    for number, seed in enumerate(seeds):
        (folder / f"{number}.onnx").write_bytes(seed.model.SerializeToString())
        arrays = {}
        if seed.compares:
            for prefix, values in (("i", seed.inputs), ("o", seed.outputs)):
                arrays.update({f"{prefix}{index}": value.astype("U") if value.dtype == object else value for index, value in enumerate(values)})
        np.savez(folder / f"{number}.npz", **arrays)
        tasks.append({"number": number, "name": seed.name, "compares": seed.compares, "rtol": seed.rtol, "atol": seed.atol, "inputs": [value.name for value in seed.model.graph.input],
                      "outputs": [value.name for value in seed.model.graph.output],
                      "features": features(seed)})
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return tasks
