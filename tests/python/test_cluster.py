# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""examples/cluster on a cluster of two local workers, one of which is killed half way: nothing is lost, and nothing is done twice.

They run in the Python that ONNX_LOWER_CLUSTER names, else in that of build/venv-cluster.
"""
from __future__ import annotations

import collections
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import onnx
import onnx.parser
import pytest

import tool

PYTHON = pathlib.Path(os.environ.get("ONNX_LOWER_CLUSTER", tool.REPOSITORY / "build" / "venv-cluster" / "bin" / "python")).absolute()
EXAMPLES = tool.REPOSITORY / "examples" / "cluster"
MODELS, SHARDS = 400, 2

TEXT = """
<ir_version: 8, opset_import: ["" : 15, "rknn_cst" : 1]>
network (float[n] x) => (float[n] y) { y = rknn_cst.cstThreshold <threshold: float = 0.5, value: float = 2.0> (x) }
"""
BAD = '<ir_version: 8, opset_import: ["" : 15, "nobody" : 1]> network (float[n] x) => (float[n] y) { y = nobody.Knows (x) }'


@pytest.fixture
def manifest(tmp_path: pathlib.Path) -> pathlib.Path:
    lines = []
    (tmp_path / "zoo").mkdir()
    for number in range(MODELS):
        text = BAD if number == 7 else TEXT.replace("0.5", f"{number}.5")
        (tmp_path / "zoo" / f"{number}.onnx").write_bytes(onnx.parser.parse_model(text).SerializeToString())
        lines.append(json.dumps({"input": str(tmp_path / "zoo" / f"{number}.onnx"), "output": f"{number % 10}/{number}.onnx", "id": number}))
    path = tmp_path / "zoo.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def whole_lines(path: pathlib.Path) -> list[dict]:
    """A killed run's last line is whole, too: each is written at once."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def wait_for_half_a_report(reports: pathlib.Path, pattern: str, alive: subprocess.Popen) -> pathlib.Path:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert alive.poll() is None, "it ended before anything could be killed"
        for report in reports.glob(pattern):
            if 20 <= report.read_bytes().count(b"\n") <= MODELS / SHARDS * 0.7:
                return report
        time.sleep(0.005)
    raise AssertionError("no part is half done")


def running_tools() -> dict[int, tuple[int, list[bytes]]]:
    """The processes of the tool: the parent of each, and its arguments."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            arguments = (entry / "cmdline").read_bytes().split(b"\0")
            if arguments[0] == bytes(tool.TOOL):
                found[int(entry.name)] = (int((entry / "stat").read_text().split(")")[1].split()[1]), arguments)
        except OSError:  # it has ended meanwhile
            continue
    return found


def process_with(report: pathlib.Path) -> int:
    """The run that writes this report: the parent of the processes of its models."""
    tools = running_tools()
    (run,) = {process for process, (parent, arguments) in tools.items() if bytes(report) in arguments and parent not in tools}
    return run


def assert_complete(tmp_path: pathlib.Path, attempts: list[pathlib.Path], gathered: list[dict]) -> collections.Counter:
    """Every model has its one output and its one line in the end; and over all attempts none was told twice to be lowered."""
    assert sorted(line["id"] for line in gathered) == list(range(MODELS))
    assert [line["id"] for line in gathered if line["status"] == "failed"] == [7]
    outputs = {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*.onnx")}
    assert len(outputs) == MODELS - 1
    undisturbed = tool.run([tmp_path / "zoo", "--output-dir", tmp_path / "undisturbed"])
    assert undisturbed.status == tool.SOME_FAILED
    assert outputs == {path.name: path.read_bytes() for path in (tmp_path / "undisturbed").rglob("*.onnx")}
    lowered = collections.Counter(line["id"] for report in attempts for line in whole_lines(report) if line["status"] == "lowered")
    assert set(lowered.values()) == {1}, "a model was lowered twice"
    return lowered


def test_snakemake(manifest: pathlib.Path, tmp_path: pathlib.Path) -> None:
    command = [PYTHON, "-m", "snakemake", "-s", EXAMPLES / "Snakefile", "--cores", "2", "--config", f"manifest={manifest}",
               f"outputs={tmp_path / 'out'}", f"shards={SHARDS}", f"tool={tool.TOOL}"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    log = tmp_path / "log"
    with log.open("w") as output:
        workflow = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=tmp_path, env=environment)
        reports = tmp_path / "out.reports"
        half = wait_for_half_a_report(reports, "part*.attempt.*", workflow)
        os.kill(process_with(half), signal.SIGKILL)
        assert workflow.wait(timeout=120) == 0, log.read_text()
    part = half.name.split(".")[0]
    attempts = list(reports.glob("part*.attempt.*"))
    assert len([attempt for attempt in attempts if attempt.name.startswith(part)]) == 2, "the part that was killed was done again"
    lowered = assert_complete(tmp_path, attempts, whole_lines(reports / "all.jsonl"))
    # Who was killed may have finished a model, or two, and not have told of it.
    assert len(lowered) >= MODELS - 3


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_dask(manifest: pathlib.Path, tmp_path: pathlib.Path) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    log = (tmp_path / "log").open("w")

    def start(*arguments: object) -> subprocess.Popen:
        return subprocess.Popen(list(map(str, arguments)), stdout=log, stderr=log, cwd=tmp_path)

    worker = [PYTHON, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", tmp_path / "scratch"]
    cluster = [start(PYTHON, "-m", "distributed.cli.dask_scheduler", "--host", address, "--no-dashboard"), start(*worker), start(*worker)]
    try:
        job = start(PYTHON, EXAMPLES / "lower_with_dask.py", address, manifest, tmp_path / "out", "--shards", SHARDS, "--tool", tool.TOOL)
        reports = tmp_path / "out.reports"
        half = wait_for_half_a_report(reports, "part*", job)
        # What it had started works on, as on a machine that only lost its network.
        killed = int(half.name.split(".")[-3])
        assert killed in [process.pid for process in cluster[1:]]
        orphan = process_with(half)
        os.kill(killed, signal.SIGKILL)
        assert job.wait(timeout=120) == tool.SOME_FAILED, (tmp_path / "log").read_text()
    finally:
        for process in cluster:
            process.kill()
            process.wait()
        log.close()
    end = time.monotonic() + 30
    while orphan in running_tools():
        assert time.monotonic() < end, "it does not end"
        time.sleep(0.05)
    attempts = list(reports.glob("part*"))
    assert len(attempts) == SHARDS + 1
    lowered = assert_complete(tmp_path, attempts, whole_lines(reports / "all.jsonl"))
    assert len(lowered) == MODELS - 1, "the one that was given up for lost told of its models, too"
