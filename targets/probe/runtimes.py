# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Asks the runtime that is installed beside this Python (3.8 or newer) whether it loads models and computes what it should.

  runtimes.py onnxruntime FOLDER < numbers

Reads the number of a model in FOLDER from each line, and answers each with a line: the number, and taken, wrong or refused with a reason. A model that kills or hangs the process
is for the caller to notice."""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest.mock

import numpy as np


class OnnxRuntime:
    providers = ["CPUExecutionProvider"]
    entries = {}  # of the session's configuration

    def __init__(self):
        import onnxruntime

        self.onnxruntime = onnxruntime
        onnxruntime.set_default_logger_severity(4)

    def load(self, path, inputs):
        options = self.onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        for key, value in self.entries.items():
            options.add_session_config_entry(key, value)
        return self.onnxruntime.InferenceSession(path, options, providers=self.providers)

    def run(self, session, feed):
        return session.run(None, feed)


class OnnxRuntimeGpu(OnnxRuntime):
    """On a GPU, and on the CPU what has no kernel there. Products are of full precision, as the expected numbers are."""

    providers = [("CUDAExecutionProvider", {"use_tf32": "0", "cudnn_conv_algo_search": "DEFAULT"})]

    def __init__(self):
        importlib.import_module("torch")  # it brings cuBLAS and cuDNN, which the provider links with
        super().__init__()

    def load(self, path, inputs):
        session = super().load(path, inputs)
        if "CUDAExecutionProvider" not in session.get_providers():
            os._exit(1)  # no GPU, which is no answer about the model
        return session


class OnnxRuntimeCuda(OnnxRuntimeGpu):
    """A model of which a node would run on the CPU is refused."""

    entries = {"session.disable_cpu_ep_fallback": "1"}


class OpenVino:
    def __init__(self):
        import openvino

        self.core = openvino.Core() if hasattr(openvino, "Core") else openvino.runtime.Core()
        # As exact as it can be asked to be: in float, and no codes of 8 bits of what is multiplied by weights of 8 bits.
        exact = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0"}
        supported = self.core.get_property("CPU", "SUPPORTED_PROPERTIES")
        self.settings = {"INFERENCE_NUM_THREADS": 1, **{name: value for name, value in exact.items() if name in supported}}

    def load(self, path, inputs):
        return self.core.compile_model(self.core.read_model(path), "CPU", self.settings)

    def run(self, model, feed):
        # An input that nothing uses is none of the compiled model.
        used = {name for value in model.inputs for name in value.get_names()}
        # Strings it does not take as objects.
        results = model({name: value.astype("U") if value.dtype.kind == "O" else value for name, value in feed.items() if name in used})
        return [np.array(results[output]) for output in model.outputs]


class Tract:
    NAMES = {"float32": "f32", "float64": "f64", "float16": "f16", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8",
             "uint64": "u64", "uint32": "u32", "uint16": "u16", "uint8": "u8", "bool": "bool"}

    def __init__(self):
        import tract

        self.onnx = tract.onnx()

    def load(self, path, inputs):
        model = self.onnx.load(path)
        for index, value in enumerate(inputs):
            dims = ",".join(str(size) for size in value.shape)
            model.set_input_fact(index, (dims + "," if dims else "") + self.NAMES[value.dtype.name])
        return model.into_model().into_runnable()

    def run(self, model, feed):
        return [result.to_numpy() for result in model.run(list(feed.values()))]


class OpenCv:
    def __init__(self):
        import cv2

        self.cv2 = cv2
        cv2.setNumThreads(1)

    def load(self, path, inputs):
        engine = [self.cv2.dnn.ENGINE_NEW] if hasattr(self.cv2.dnn, "ENGINE_NEW") else []
        return self.cv2.dnn.readNetFromONNX(path, *engine)

    def run(self, net, feed):
        for name, value in feed.items():
            net.setInput(value, name)
        return list(net.forward(self.outputs))


class OpenCv4(OpenCv):
    """Its engine has no tensors of fewer than two dimensions: a list comes out as a column, and a number as a matrix of one, which is no fault of the model."""

    def __init__(self):
        super().__init__()
        import onnx

        self.onnx = onnx

    def load(self, path, inputs):
        # It takes no value for an input that nothing uses.
        self.used = {name for node in self.onnx.load(path).graph.node for name in node.input}
        return super().load(path, inputs)

    def run(self, net, feed):
        # Its Python takes no truths; they are 0 and 1 in its layers, whatever the type.
        return super().run(net, {name: value.astype(np.uint8) if value.dtype == np.bool_ else value for name, value in feed.items() if name in self.used})

    def as_wanted(self, results, expected):
        return [found.reshape(wanted.shape) if wanted.ndim < 2 and found is not None and found.shape in ((wanted.size, 1), (1, wanted.size)) else found for found, wanted in zip(results, expected)]


class Mnn:
    def __init__(self):
        import _tools
        import MNN

        self.convert, self.expr, self.nn = _tools.mnnconvert, MNN.expr, MNN.nn
        self.expr.set_thread_number(1)

    def load(self, path, inputs):
        converted = path + ".mnn"
        try:
            self.convert(["mnnconvert", "-f", "ONNX", "--modelFile", path, "--MNNModel", converted, "--bizCode", "probe"])
            if not os.path.exists(converted):
                raise RuntimeError("the converter refuses it")
            return self.nn.load_module_from_file(converted, self.inputs, self.outputs)
        finally:
            if os.path.exists(converted):
                os.remove(converted)

    def run(self, module, feed):
        expr = self.expr
        values = []
        for value, declared in zip(feed.values(), module.get_info()["inputs"]):
            # It says which of its few types stands for the model's; Python can hand over float and int only.
            name, kind = ("float32", expr.float) if declared.dtype == expr.float else ("int32", expr.int)
            values.append(expr.cast(expr.const(np.ascontiguousarray(value.astype(name)), list(value.shape), expr.NCHW, kind), declared.dtype))
        results = [expr.convert(result, expr.NCHW) for result in module.forward(values)]
        return [np.zeros(result.shape, np.float32) if 0 in result.shape else result.read() for result in results]  # it cannot read nothing


class Ncnn:
    """By way of its converter pnnx, a program, which also writes a Python script that says which dimension is none of ncnn's own, but one of a batch. Both store and compute in half precision where they are
    not told otherwise."""

    KINDS = {"float32": "f32", "float64": "f64", "float16": "f16", "int64": "i64", "int32": "i32"}

    def __init__(self):
        import ncnn
        import onnx

        self.ncnn, self.onnx = ncnn, onnx
        self.pnnx = os.path.join(importlib.util.find_spec("pnnx").submodule_search_locations[0], "pnnx")

    def load(self, path, inputs):
        lacking = [value.dtype.name for value in inputs if value.dtype.name not in self.KINDS]
        if lacking:
            raise RuntimeError("ncnn's matrices hold floats, and integers of 32 bits for indices: no " + lacking[0])
        with tempfile.TemporaryDirectory() as folder:
            self.convert(path, inputs, folder)
            with open(os.path.join(folder, "model_ncnn.py")) as stream:
                script = stream.read()
            self.given = [(name, int(batch)) for name, batch in re.findall(r'ex\.input\("(\w+)", ncnn\.Mat\(\w+\.numpy\(\), batch_index=(\d+)\)', script)]
            self.made = [(name, int(batch)) for name, batch in re.findall(r'_, (\w+) = ex\.extract.*\n.*numpy\(batch_index=(\d+)\)', script)]
            net = self.ncnn.Net()
            net.opt.num_threads, net.opt.use_vulkan_compute = 1, False
            net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
            if net.load_param(os.path.join(folder, "model.ncnn.param")) != 0:
                raise RuntimeError(self.lacking(folder))
            if net.load_model(os.path.join(folder, "model.ncnn.bin")) != 0:
                raise RuntimeError("it does not load the weights")
        return net

    def convert(self, path, inputs, folder):
        shutil.copy(path, os.path.join(folder, "model.onnx"))
        command = [self.pnnx, "model.onnx", "fp16=0"]
        types = [declared.type.tensor_type for declared in self.onnx.load(path, load_external_data=False).graph.input]
        if not all(kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim) for kind in types):
            command.append("inputshape=" + ",".join("[%s]%s" % (",".join(map(str, value.shape)), self.KINDS[value.dtype.name]) for value in inputs))
        try:
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, errors="replace", timeout=15)
        except subprocess.TimeoutExpired:
            raise RuntimeError("pnnx comes to no end") from None
        if done.returncode != 0 or not os.path.exists(os.path.join(folder, "model_ncnn.py")):
            said = [line for line in done.stdout.splitlines() if any(word in line for word in ("failed", "not support", "unsupport", "unknown", "expect"))]
            raise RuntimeError("pnnx: %s" % (said[0] if said else "it crashes" if done.returncode < 0 else "it writes no model"))

    def lacking(self, folder):
        """The first operator that pnnx has written, and that is no layer of ncnn's."""
        with open(os.path.join(folder, "model.ncnn.param")) as stream:
            layers = [line.split()[0] for line in stream.read().splitlines()[2:]]
        return "ncnn has no layer %s" % next((layer for layer in layers if self.ncnn.layer_to_index(layer) == -1), "that it is asked for")

    def run(self, net, feed):
        if len(self.given) != len(feed):
            raise RuntimeError("pnnx has left out inputs")
        extractor = net.create_extractor()
        for (name, batch), value in zip(self.given, feed.values()):
            extractor.input(name, self.ncnn.Mat(np.ascontiguousarray(value.astype(np.float32 if value.dtype.kind == "f" else np.int32)), batch_index=batch).clone())
        results = []
        for name, batch in self.made:
            status, result = extractor.extract(name)
            if status != 0:
                raise RuntimeError("ncnn computes no %s: %d" % (name, status))
            results.append(result.numpy(batch_index=batch).copy())
        return results

    def as_wanted(self, results, expected):
        """A number is a list of one to it, which is no fault of the model."""
        return [found.reshape(()) if wanted.ndim == 0 and found.shape == (1,) else found for found, wanted in zip(results, expected)]


class Tvm:
    """Its importer of ONNX, Relax, and what LLVM makes of that."""

    def __init__(self):
        import onnx
        import tvm
        from tvm import relax
        from tvm.relax.frontend.onnx import from_onnx

        self.onnx, self.tvm, self.relax, self.from_onnx = onnx, tvm, relax, from_onnx

    def load(self, path, inputs):
        module = self.from_onnx(self.onnx.load(path))
        return self.relax.VirtualMachine(self.tvm.compile(module, target="llvm"), self.tvm.cpu())

    def run(self, machine, feed):
        found = machine["main"](*(self.tvm.runtime.tensor(np.asarray(value, order="C")) for value in feed.values()))
        return [self.array(value) for value in (found if isinstance(found, (list, self.tvm.ir.Array)) else [found])]

    def array(self, value):
        """Sizes, and numbers that are computed of sizes, are no tensors to it."""
        return value.numpy() if hasattr(value, "numpy") else np.array(value if isinstance(value, int) else list(value), np.int64)


class LiteRt:
    """By way of its converter onnx2tf and of TensorFlow. onnx2tf puts the channels of what goes in behind its other dimensions where it is not told otherwise."""

    def __init__(self):
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        import onnx2tf
        from ai_edge_litert.interpreter import Interpreter

        self.convert, self.interpreter = onnx2tf.convert, Interpreter
        # Pictures that it tries with what it has converted, and fetches where they are not in the folder.
        self.pictures = np.random.default_rng(1).random((20, 128, 128, 3), np.float32)

    def load(self, path, inputs):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            np.save("calibration_image_sample_data_20x128x128x3_float32.npy", self.pictures)
            try:
                self.convert(path, output_folder_path=folder, non_verbose=True, not_use_onnxsim=True, keep_shape_absolutely_input_names=self.inputs, copy_onnx_input_output_names_to_tflite=True)
            except SystemExit:
                raise RuntimeError("onnx2tf gives up") from None
            made = next((name for name in os.listdir(folder) if name.endswith("_float32.tflite")), None)
            if made is None:
                raise RuntimeError("onnx2tf writes no model")
            with open(made, "rb") as stream:
                content = stream.read()
            os.chdir(os.path.dirname(path))
        interpreter = self.interpreter(model_content=content, num_threads=1)
        interpreter.allocate_tensors()
        return interpreter

    def run(self, interpreter, feed):
        if not interpreter.get_signature_list():  # as what it makes of convolutions in groups
            return self.run_in_order(interpreter, feed)
        runner = interpreter.get_signature_runner()
        used = runner.get_input_details()
        # What the converter writes has float in the place of half precision and of double.
        given = {name: value.astype(used[name]["dtype"]) if value.dtype in (np.float16, np.float64) else value for name, value in feed.items() if name in used}
        results = runner(**given)
        return [results[name] for name in self.outputs]

    def run_in_order(self, interpreter, feed):
        for given, name in zip(interpreter.get_input_details(), self.inputs):
            interpreter.set_tensor(given["index"], feed[name].astype(given["dtype"]))
        interpreter.invoke()
        return [interpreter.get_tensor(made["index"]) for made in interpreter.get_output_details()]

    def as_wanted(self, results, expected):
        """What it computes of pictures it may give with the channels behind the other dimensions."""
        def nearest(found, wanted):
            moved = np.moveaxis(found, -1, 1) if found.ndim >= 3 and wanted.ndim == found.ndim else found
            others = [each for each in (found, moved) if each.shape == wanted.shape and wanted.dtype.kind in "biuf"]
            return min(others, key=lambda each: np.nansum(np.abs(each.astype(np.float64) - wanted.astype(np.float64))), default=found)

        with np.errstate(all="ignore"):
            return [nearest(np.asarray(found), wanted) for found, wanted in zip(results, expected)]


class Rknn:
    """RKNN-Toolkit2's simulator, which computes in half precision."""

    precision, tolerance = np.float16, 5e-3

    def __init__(self):
        sys.meta_path.insert(0, WithoutTorch())
        import onnx
        from rknn.api import RKNN

        self.onnx, self.rknn = onnx, RKNN

    def load(self, path, inputs):
        model = self.rknn(verbose=False)
        model.config(target_platform="rk3588")
        # An input that nothing uses may not be named.
        used = {name for node in self.onnx.load(path).graph.node for name in node.input}
        shapes = {name: list(value.shape) for name, value in zip(self.inputs, inputs) if name in used}
        self.inputs = list(shapes)
        shapes = {"inputs": self.inputs, "input_size_list": [*shapes.values()]} if shapes else {}
        for step in (lambda: model.load_onnx(path, **shapes), lambda: model.build(do_quantization=False), lambda: model.init_runtime()):
            if step() != 0:
                raise RuntimeError("it says so in its log")
        return model

    def run(self, model, feed):
        inputs = [value.astype(np.float32) if value.dtype == np.float64 else value for value in (feed[name] for name in self.inputs)]  # it computes in half anyway
        images = any(value.ndim == 4 for value in inputs)
        results = model.inference(inputs=inputs, data_format=["nchw"] * len(inputs) if images else None)
        model.release()
        if results is None:
            raise RuntimeError("it says so in its log")
        return results


class WithoutTorch(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands for torch, which RKNN-Toolkit2 imports for what is not asked of it here: it would be 5 GB."""

    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] == "torch" else None

    def create_module(self, spec):
        return unittest.mock.MagicMock(__path__=[], __name__=spec.name)

    def exec_module(self, module):
        pass


class Program:
    """A runtime that Python cannot call: a program that answers the requests which rten/src/main.rs describes."""

    TYPES = {}  # of inputs that the program takes as another type

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            os._exit(1)  # the program has died of the model
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def load(self, path, inputs):
        self.ask({"load": path})

    def run(self, model, feed):
        inputs = []
        for name, value in feed.items():
            kind = "string" if value.dtype.kind == "O" else self.TYPES.get(value.dtype.name, value.dtype.name)
            data = value.ravel().tolist() if kind == "string" else np.ascontiguousarray(value.astype(kind)).tobytes().hex()
            inputs.append({"name": name, "type": kind, "dims": list(value.shape), "data": data})
        results = []
        for output in self.ask({"run": inputs})["outputs"]:
            if output["type"] == "string":
                results.append(np.array(output["data"], dtype=object).reshape(output["dims"]))
            else:
                results.append(np.frombuffer(bytes.fromhex(output["data"]), output["type"]).reshape(output["dims"]))
        return results


class OnnxRuntimeWeb(Program):
    def __init__(self):
        super().__init__("node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnxruntime_web.mjs"), os.environ["NODE_MODULES"])


class Rten(Program):
    TYPES = {"int64": "int32", "bool": "int32", "float64": "float32", "float16": "float32"}  # all that it has are float, int32, int8 and uint8

    def __init__(self):
        super().__init__(os.environ["RTEN_PROBE"])


class Candle(Program):
    TYPES = {"bool": "uint8"}

    def __init__(self):
        super().__init__(os.environ["CANDLE_PROBE"])


class TensorRtRtx:
    """TensorRT for RTX: its parser of ONNX, and its builder, which makes an engine of what the parser has read. Both work without a GPU, and an engine runs on one of compute capability 8.0, 8.6, 8.9,
    12.0 or newer only. So a model counts as taken when it is parsed and built and its outputs have the types and sizes that they should; no numbers are compared here: tensorrt_rtx_numbers.py
    compares them where such a GPU is."""

    def __init__(self):
        import tensorrt_rtx_bindings

        self.trt = trt = tensorrt_rtx_bindings

        class Log(trt.ILogger):
            def __init__(self):
                trt.ILogger.__init__(self)
                self.errors = []

            def log(self, severity, message):
                if severity in (trt.ILogger.ERROR, trt.ILogger.INTERNAL_ERROR):
                    self.errors.append(message)

        self.log = Log()
        self.builder = trt.Builder(self.log)

    def network(self, path):
        """As the parser has read it, with the parser, which holds the weights."""
        network = self.builder.create_network()
        parser = self.trt.OnnxParser(network, self.log)
        if not parser.parse_from_file(path):
            error = parser.get_error(parser.num_errors - 1)
            raise RuntimeError("%s: %s" % (error.node_operator(), error.desc()))
        return network, parser

    def profile(self, network, inputs):
        """The sizes of the inputs whose dimensions the model leaves open, and what those of them hold that shapes are computed from."""
        profile, needed = self.builder.create_optimization_profile(), False
        by_name = dict(zip(self.inputs, inputs))
        for index in range(network.num_inputs):
            tensor = network.get_input(index)
            value = by_name.get(tensor.name)
            if -1 in tuple(tensor.shape):
                sizes = [1 if size == -1 else size for size in tensor.shape] if value is None else value.shape
                profile.set_shape(tensor.name, sizes, sizes, sizes)
                needed = True
            if tensor.is_shape_tensor and value is not None:
                held = [int(element) for element in value.ravel()]
                profile.set_shape_input(tensor.name, held, held, held)
                needed = True
        return profile if needed else None

    def load(self, path, inputs):
        return self.engine(path, inputs)[1:]

    def engine(self, path, inputs):
        """With the network that it was built of, and the parser."""
        self.log.errors.clear()
        network, parser = self.network(path)
        if not inputs and any(network.get_input(index).is_shape_tensor for index in range(network.num_inputs)):
            return None, network, parser  # which shapes they say nobody knows: of a type that NumPy lacks there are no numbers
        config = self.builder.create_builder_config()
        profile = self.profile(network, inputs)
        if profile is not None:
            config.add_optimization_profile(profile)
        engine = self.builder.build_serialized_network(network, config)
        if engine is None:
            raise RuntimeError(next(iter(self.log.errors), "it builds no engine, and says nothing"))
        return engine, network, parser

    def run(self, model, feed):
        """What it says that comes out, of each output the type and the sizes: it takes codes of uint8 for int8 without a word."""
        network, _ = model
        return [network.get_output(index) for index in range(network.num_outputs)]

    def right(self, found, wanted):
        kind = np.dtype(self.trt.nptype(found.dtype))
        return kind == (np.float32 if wanted.dtype == np.float64 else wanted.dtype) and len(found.shape) == wanted.ndim and all(one in (-1, other) for one, other in zip(found.shape, wanted.shape))


RUNTIMES = {"onnxruntime-web": OnnxRuntimeWeb, "rten": Rten, "onnxruntime": OnnxRuntime, "onnxruntime-gpu": OnnxRuntimeGpu, "onnxruntime-cuda": OnnxRuntimeCuda, "openvino": OpenVino, "tract": Tract, "opencv": OpenCv, "opencv4": OpenCv4, "mnn": Mnn, "ncnn": Ncnn, "tvm": Tvm, "litert": LiteRt, "candle": Candle, "rknn": Rknn, "tensorrt_rtx": TensorRtRtx}


def same(found, expected, rtol, atol, nearby=None):
    """`nearby`: what is right as well, and what lies between."""
    if found is None:
        return expected.size == 0  # all that OpenCV's Python tells of what has no elements
    found = np.asarray(found)
    if expected.dtype.kind == "U":
        return found.shape == expected.shape and (found.astype("U") == expected).all()
    if found.shape != expected.shape:
        return False
    if found.dtype != expected.dtype and expected.dtype != np.bool_:  # a truth is 1, whatever it is held in
        found = found.astype(expected.dtype)
    if expected.dtype.kind == "f" and expected.size:
        finite = np.abs(expected[np.isfinite(expected)].astype(np.float64))
        atol = max(atol, 1e-6 * finite.max(initial=0.0))  # sums that come out near zero
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    right = np.isclose(found, expected, rtol=rtol, atol=atol, equal_nan=True)
    if nearby is not None:
        nearby = nearby.astype(np.float64)
        least, greatest = np.fmin.reduce(nearby), np.fmax.reduce(nearby)  # but for NaN
        with np.errstate(invalid="ignore"):
            right |= (found >= least - atol - rtol * np.abs(least)) & (found <= greatest + atol + rtol * np.abs(greatest))
        right |= (found == least) | (found == greatest) | np.isnan(found) & np.isnan(nearby).any(axis=0)
    return bool(np.all(right))


def how_wrong(results, expected, right):
    """Of the first output that is wrong, in words."""
    if len(results) != len(expected):
        return "%d outputs where %d were expected" % (len(results), len(expected))
    index = right.index(False)
    found, wanted = results[index], expected[index]
    if found is None:
        return "output %d is missing" % index
    found = np.asarray(found)
    if found.shape != wanted.shape:
        return "output %d is of shape %s in the place of %s" % (index, list(found.shape), list(wanted.shape))
    if wanted.dtype.kind == "U":
        return "output %d has other texts" % index
    with np.errstate(all="ignore"):
        apart = np.abs(found.astype(np.float64) - wanted.astype(np.float64))
    if not np.isfinite(apart).all() and np.isfinite(wanted.astype(np.float64)).all():
        return "output %d is not finite" % index
    return "output %d is off by up to %.2g, where the greatest is %.2g" % (index, np.nanmax(apart, initial=0), np.nanmax(np.abs(wanted.astype(np.float64)), initial=0))


def main():
    folder = os.path.abspath(sys.argv[2])
    os.chdir(folder)  # some runtimes leave files
    with open(os.path.join(folder, "tasks.json")) as stream:
        tasks = {task["number"]: task for task in json.load(stream)}
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # some runtimes print
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    runtime = RUNTIMES[sys.argv[1]]()
    tolerance = getattr(runtime, "tolerance", 0)  # of one that computes in a precision of its own
    for line in sys.stdin:
        task = tasks[int(line)]
        path = os.path.join(folder, "%d.onnx" % task["number"])
        try:
            arrays = dict(np.load(os.path.join(folder, "%d.npz" % task["number"])))
            inputs = [arrays["i%d" % index] for index in range(len(task["inputs"]))] if task["compares"] else []
            expected = [arrays["o%d" % index] for index in range(sum(key[0] == "o" for key in arrays))] if task["compares"] else []
            nearby = [arrays.get("n%d" % index) for index in range(len(expected))]
            if hasattr(runtime, "precision"):
                with np.errstate(over="ignore"):
                    expected, nearby = ([value.astype(runtime.precision).astype(value.dtype) if value is not None and value.dtype.kind == "f" else value for value in values] for values in (expected, nearby))
            runtime.inputs, runtime.outputs = task["inputs"], task.get("outputs")
            model = runtime.load(path, inputs)
            answer = "taken"
            if task["compares"]:
                feed = {name: value.astype(object) if value.dtype.kind == "U" else value for name, value in zip(task["inputs"], inputs)}
                results = runtime.run(model, feed)
                if hasattr(runtime, "as_wanted") and len(results) == len(expected):
                    results = runtime.as_wanted(results, expected)
                if hasattr(runtime, "right"):  # of one that computes nothing
                    right = [runtime.right(found, wanted) for found, wanted in zip(results, expected)]
                else:
                    bounds = task.get("tolerances") or [[task["rtol"], task["atol"]]] * len(expected)  # one for each output, or one for all
                    right = [same(found, wanted, max(rtol, tolerance), max(atol, tolerance), besides) for found, wanted, (rtol, atol), besides in zip(results, expected, bounds, nearby)]
                answer = "taken" if len(results) == len(expected) and all(right) else "wrong" if hasattr(runtime, "right") else "wrong " + how_wrong(results, expected, right)
        except Exception as error:
            reason = next((line for line in reversed(str(error).splitlines()) if line.strip()), "") if "Traceback" in str(error) else str(error)
            answer = "refused " + " ".join(reason.replace(path, "MODEL").split())[:1000]
        print(task["number"], answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
