# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Time and peak memory of onnx-lower on generated models, beside cp and the other tools that are installed. Asserts nothing.

The programs run by turns, so that a slow minute of the machine hits them all; what is printed are medians.
"""
import argparse
import collections
import importlib.util
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import many_models

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
TOOL = pathlib.Path(os.environ.get("ONNX_LOWER", REPOSITORY / "build" / "onnx-lower")).resolve()
FOLDER = REPOSITORY / "build" / "bench"
COPY = FOLDER / "onnx-lower"
OUTPUTS = ("out.onnx", "out.onnx.data")

Result = collections.namedtuple("Result", "seconds cpu peak_kb")

SIZES = ((20, 4), (10_000, 1_000), (100_000, 10_000), (400_000, 40_000))

# Of the model in blocks.
BLOCKS = (100_000, 400_000)

# Of these the instructions are counted, which do not depend on the machine's load.
COUNTED = ("20.onnx", "10000.onnx", "blocks_100000.onnx")

# What reading a target's file and judging each node by it costs; with the last one also the shapes that OpenCV wants declared.
TARGETS = ("onnxruntime", "openvino", "opencv-5.0")

# What the peers do, as Python programs: they have no command line of their own, or one that does more.
IMPORT = "import onnx"
LOAD_SAVE = "import onnx, sys; onnx.save(onnx.load(sys.argv[1]), sys.argv[2])"
INLINE = ("import onnx, onnx.inliner, sys; "
          "onnx.save(onnx.inliner.inline_local_functions(onnx.load(sys.argv[1])), sys.argv[2])")
OPTIMIZE = ("import onnx, onnxoptimizer, sys; onnx.save(onnxoptimizer.optimize(onnx.load(sys.argv[1])), sys.argv[2])")
SLIM = "import onnxslim, sys; onnxslim.slim(sys.argv[1], sys.argv[2])"
SIMPLIFY = "import onnx, onnxsim, sys; onnx.save(onnxsim.simplify(onnx.load(sys.argv[1]))[0], sys.argv[2])"
# Where they are installed. On large graphs they take minutes, which says enough at the small ones.
PEERS = (("onnxoptimizer", OPTIMIZE, 100_000), ("onnxslim", SLIM, 20), ("onnxsim", SIMPLIFY, 20))


def python(program, *arguments):
    return [sys.executable, "-c", program, *arguments]


def programs(model, nodes):
    """The command of each contestant on this model, by its name. `nodes` is 0 for the big model, None for one that only onnx-lower and cp run on."""
    out = FOLDER / "out.onnx"
    commands = {
        "onnx-lower": [COPY, "-q", model, "-o", out],
        "onnx-lower --check": [COPY, "-q", "--check", model],
        "cp": ["cp", model, out],
    }
    if nodes == 0:
        commands["onnx-lower, split"] = [COPY, "-q", model, "-o", out, "--external-data", "split"]
        return commands
    if nodes is None:
        return commands
    for target in TARGETS:
        commands[f"onnx-lower, {target}"] = [COPY, "-q", model, "-o", out, "--target", target]
    commands["Python: import onnx"] = python(IMPORT)
    commands["onnx: load, save"] = python(LOAD_SAVE, model, out)
    commands["onnx.inliner, as functions"] = python(INLINE, model.with_suffix(".functions.onnx"), out)
    for name, program, most_nodes in PEERS:
        if nodes <= most_nodes and importlib.util.find_spec(name):
            commands[name] = python(program, model, out)
    return commands


def programs_for_blocks(model):
    """The same for a model with functions of its own, which the other tools can read as well."""
    out = FOLDER / "out.onnx"
    return {
        "onnx-lower": [COPY, "-q", model, "-o", out],
        "cp": ["cp", model, out],
        "onnx: load, save": python(LOAD_SAVE, model, out),
        "onnx.inliner": python(INLINE, model, out),
    }


def measure(command):
    """One run, or None if the program fails."""
    log = FOLDER / "log"
    # Every run makes a new file: writing over an old one, as cp would, finds its memory in place.
    for name in OUTPUTS:
        (FOLDER / name).unlink(missing_ok=True)
    done = subprocess.run([FOLDER / "measure", log, *command], capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    if measured.pop("status") != 0:
        return None
    return Result(**measured)


def measure_by_turns(commands, rounds):
    """The results of each program; a program that fails is left out from then on, with the end of what it said."""
    results = {name: [] for name in commands}
    failed = {}
    for turn in range(rounds):
        for name, command in commands.items():
            # The first turn warms the caches.
            if name in failed or (turn > 2 and sum(result.seconds for result in results[name]) > 10):
                continue
            result = measure(command)
            if result is None:
                said = (FOLDER / "log").read_text(errors="replace").strip()
                failed[name] = said.splitlines()[-1][:100] if said else "without a message"
            elif turn > 0:
                results[name].append(result)
    return results, failed


def instructions(command):
    """How many instructions callgrind counts, or None where there is no valgrind."""
    if not shutil.which("valgrind"):
        return None
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          capture_output=True, text=True)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    return int(counted.group(1)) if counted else None


def medians(results):
    return Result(*(statistics.median(column) for column in zip(*results)))


def report(title, model, commands, rounds):
    """Measures all programs on a model and prints their table; returns their medians by name."""
    print(f"\n{title}: {model.name}, {model.stat().st_size / 1e6:.3g} MB")
    print(f"  {'':28} {'time':>10} {'of cp':>8} {'CPU':>10} {'memory':>10} {'runs':>5}")
    results, failed = measure_by_turns(commands, rounds)
    by_name = {name: medians(runs) for name, runs in results.items() if runs}
    for name in commands:
        if name in failed:
            print(f"  {name:28} failed: {failed[name]}")
            continue
        seconds, cpu, peak_kb = by_name[name]
        ratio = seconds / by_name["cp"].seconds
        print(f"  {name:28} {seconds * 1e3:7.1f} ms {ratio:8.2f} {cpu * 1e3:7.1f} ms {peak_kb / 1024:7.1f} MB {len(results[name]):5}")
    if model.name in COUNTED:
        count = instructions(commands["onnx-lower"])
        counted = f"{count / 1e6:7.1f} million instructions" if count else "needs valgrind: scripts/install_packages bench"
        print(f"  {'onnx-lower, callgrind':28} {counted}")
    sys.stdout.flush()
    return by_name


def compare(measured):
    """Prints the ratios of the rows to each other. `measured`: by the number of nodes, what report() returned."""
    print()
    for nodes, by_name in measured.items():
        ours, peer = by_name["onnx-lower"], by_name.get("onnx.inliner, as functions")
        line = f"{nodes:,} nodes: {ours.seconds / by_name['cp'].seconds:.1f} times cp's time"
        if peer:
            line += f"; onnx.inliner takes {peer.seconds / ours.seconds:.0f} times as long and {peer.peak_kb / ours.peak_kb:.1f} times the memory"
        print(line)
        for target in TARGETS:
            theirs = by_name[f"onnx-lower, {target}"]
            print(f"  --target {target}: {(theirs.seconds - ours.seconds) * 1e3:+.2f} ms, {theirs.seconds / ours.seconds - 1:+.1%}")
    ratio = measured[400_000]["onnx-lower"].seconds / measured[100_000]["onnx-lower"].seconds
    print(f"400,000 nodes take {ratio:.2f} times as long as 100,000")


def compare_blocks(measured):
    print()
    for nodes, by_name in measured.items():
        ours, peer = by_name["onnx-lower"], by_name["onnx.inliner"]
        print(f"{nodes:,} nodes in blocks: {ours.seconds / by_name['cp'].seconds:.1f} times cp's time, {ours.peak_kb / 1024:.1f} MB; "
              f"onnx.inliner takes {peer.seconds / ours.seconds:.0f} times as long and {peer.peak_kb / ours.peak_kb:.1f} times the memory")
    fewer, more = (measured[nodes]["onnx-lower"].seconds for nodes in BLOCKS)
    print(f"{BLOCKS[1]:,} nodes in blocks take {more / fewer:.2f} times as long as {BLOCKS[0]:,}")


def generate(file, *arguments):
    generator = pathlib.Path(__file__).with_name("models.py")
    if not file.exists() or file.stat().st_mtime < generator.stat().st_mtime:
        subprocess.run([sys.executable, generator, FOLDER, *map(str, arguments)], check=True)
    return file


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--big", action="store_true", help="also a model with 1.9 GB of weights, which needs 4 GB of disk")
    parser.add_argument("--rounds", type=int, default=10, help="runs of each program (the small model gets ten times as many)")
    options = parser.parse_args()

    FOLDER.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, "-std=c++20", "-O1", pathlib.Path(__file__).with_name("measure.cpp"), "-o", FOLDER / "measure"],
                   check=True)

    # A copy, which a build that goes on meanwhile does not replace.
    shutil.copy2(TOOL, COPY)

    measured = {}
    for nodes, custom_nodes in SIZES:
        model = generate(FOLDER / f"{nodes}.onnx", nodes, custom_nodes)
        rounds = options.rounds * 10 if nodes < 1000 else options.rounds
        measured[nodes] = report(f"{nodes:,} nodes, {custom_nodes:,} of them cstThreshold", model, programs(model, nodes), rounds + 1)
    compare(measured)

    measured = {}
    for nodes in BLOCKS:
        model = generate(FOLDER / f"blocks_{nodes}.onnx", "--blocks", nodes)
        title = f"{nodes:,} nodes in blocks of 30: 3 small initializers, 2 custom nodes and a call of a function each"
        measured[nodes] = report(title, model, programs_for_blocks(model), options.rounds + 1)
    compare_blocks(measured)

    model = generate(FOLDER / "ranks.onnx", "--ranks")
    report("10,000 nodes, 1,000 of them BiasSoftmax, whose rule asks for the rank of its input: types are inferred", model, programs(model, None), options.rounds + 1)

    model = generate(FOLDER / "external.onnx", "--external")
    report("4 GB of external data in the same folder, 40 cstThreshold; cp copies the graph alone", model, programs(model, None), options.rounds + 1)

    many_models.report(COPY, FOLDER / "20.onnx", FOLDER, min(options.rounds, 5) + 1, measure_by_turns, medians)

    if options.big:
        model = generate(FOLDER / "big.onnx", "--big")
        report("1.9 GB of weights, 40 cstThreshold", model, programs(model, 0), options.rounds + 1)
    for name in OUTPUTS:
        (FOLDER / name).unlink(missing_ok=True)


if __name__ == "__main__":
    main()
