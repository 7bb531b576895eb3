# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A plugin of pytest, which runs the collected tests for one mutant after the other, each in a process forked from the one that has collected them.

With MUTATION_PLAN naming a file of JSON: {"mutant": ..., "tests": {test: the seconds that it may take}} in a list. Results are appended to MUTATION_RESULTS, a line of JSON each.
Without a plan every test is run once, with nothing mutated, and its name, its time and whether it passed are what is appended.

Seconds are the CPU's, of a test and of the programs that it runs, so that a machine with other work gives the same results.
"""
from __future__ import annotations

import collections
import hashlib
import json
import math
import os
import pathlib
import resource
import signal
import time

import pytest

AT_ONCE = int(os.environ.get("MUTATION_PROCESSES", "2"))
RESULTS = pathlib.Path(os.environ["MUTATION_RESULTS"])
# What waits and computes nothing ends by the clock, which is for deadlocks only.
LONGEST = 1800
MOST_MEMORY = int(os.environ["MUTATION_MEMORY"])
# Of the thousands of parameters that one test is run with. A mutant has time for a part of them only, and to learn which ones reach it takes a run of all.
MOST_OF_ONE_TEST = 400
failed = False


def cpu_seconds() -> float:
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def limit_cpu(seconds: float) -> None:
    """From now on, of this process; a program that it starts may take as long as all of it, which ends endless loops."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used.ru_utime + used.ru_stime + seconds), resource.RLIM_INFINITY))


def append(result: dict) -> None:
    with RESULTS.open("a") as file:
        file.write(json.dumps(result) + "\n")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    global failed
    failed = failed or report.failed


def run_tests(tests: list[pytest.Item], limits: list[float], results: pathlib.Path | None) -> str:
    """The name of the first that fails, if one does."""
    global failed
    for index, item in enumerate(tests):
        failed = False
        begun = cpu_seconds()
        if limits:
            limit_cpu(limits[index])
        following = tests[index + 1] if index + 1 < len(tests) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if results is None:
            append({"test": item.nodeid, "seconds": round(cpu_seconds() - begun, 3), "passed": not failed})
        elif failed:
            return item.nodeid
    return ""


def start(tests: list[pytest.Item], limits: list[float], mutant: int | None, answer: pathlib.Path | None) -> int:
    """The process that runs them. What it has found is in the file `answer` when it has ended."""
    child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(quiet, stream)
        if mutant is not None:
            os.environ["ONNX_LOWER_MUTANT"] = str(mutant)
        found = run_tests(tests, limits, answer)
        if answer is not None:
            answer.write_text(found)
    finally:
        os._exit(0)


def end(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    found: dict[str, list[pytest.Item]] = collections.defaultdict(list)
    for item in items:
        found[item.nodeid.split("[")[0]].append(item)
    kept = {item for of_one in found.values() for item in sorted(of_one, key=lambda item: hashlib.sha256(item.nodeid.encode()).digest())[:MOST_OF_ONE_TEST]}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    items = {item.nodeid: item for item in session.items}
    if "MUTATION_PLAN" not in os.environ:
        files = sorted({item.fspath for item in session.items})
        children = [start([item for item in session.items if files.index(item.fspath) % AT_ONCE == part], [], None, None) for part in range(AT_ONCE)]
        for child in children:
            os.waitpid(child, 0)
        return True

    waiting = json.loads(pathlib.Path(os.environ["MUTATION_PLAN"]).read_text())
    waiting.reverse()
    running: dict[int, dict] = {}
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            job = waiting.pop()
            answer = RESULTS.with_name(f"answer-{job['mutant']}{'-again' if 'again' in job else ''}")
            answer.unlink(missing_ok=True)
            tests = [items[name] for name in job["tests"]]
            job.update(answer=answer, begun=time.monotonic())
            child = start(tests, list(job["tests"].values()), None if "again" in job else job["mutant"], answer)
            running[child] = job
        time.sleep(0.02)
        for child, job in list(running.items()):
            over = os.waitpid(child, os.WNOHANG)[0] == child
            late = not over and time.monotonic() > job["begun"] + LONGEST
            if not over and not late:
                continue
            end(child)
            if late:
                os.waitpid(child, 0)
            del running[child]
            found = job["answer"].read_text() if job["answer"].exists() else "it did not end"
            job["answer"].unlink(missing_ok=True)
            if "again" in job:
                first, result = job["again"]
                if found:
                    # The test fails without the mutant too, and so says nothing about it. What comes behind it may.
                    behind = list(first["tests"]).index(result["killed_by"]) + 1
                    waiting.append({**first, "tests": dict(list(first["tests"].items())[behind:])})
                else:
                    append(result)
                continue
            result = {"mutant": job["mutant"], "killed_by": found, "seconds": round(time.monotonic() - job["begun"], 1)}
            if found in items:
                waiting.append({"mutant": job["mutant"], "tests": {found: job["tests"][found]}, "again": (job, result)})
            else:
                append(result)
    return True
