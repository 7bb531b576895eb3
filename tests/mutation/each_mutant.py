# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A plugin of pytest, which runs the collected tests for one mutant after the other, each in a process forked from the one that has collected them.

With MUTATION_PLAN naming a file of JSON: {"mutant": ..., "budget": ..., "tests": [...]} in a list. Results are appended to MUTATION_RESULTS, a line of JSON each.
Without a plan every test is run once, with nothing mutated, and its name, its time and whether it passed are what is appended.
"""
from __future__ import annotations

import json
import os
import pathlib
import signal
import time

import pytest

AT_ONCE = int(os.environ.get("MUTATION_PROCESSES", "2"))
RESULTS = pathlib.Path(os.environ["MUTATION_RESULTS"])
failed = False


def append(result: dict) -> None:
    with RESULTS.open("a") as file:
        file.write(json.dumps(result) + "\n")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    global failed
    failed = failed or report.failed


def run_tests(session: pytest.Session, tests: list[pytest.Item], until: float, results: pathlib.Path | None) -> str:
    """The name of the first that fails, if one does."""
    global failed
    for index, item in enumerate(tests):
        failed = False
        begun = time.monotonic()
        following = tests[index + 1] if index + 1 < len(tests) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if results is None:
            append({"test": item.nodeid, "seconds": round(time.monotonic() - begun, 3), "passed": not failed})
        elif failed:
            return item.nodeid
        elif time.monotonic() > until:
            break
    return ""


def start(session: pytest.Session, tests: list[pytest.Item], mutant: int | None, until: float, answer: pathlib.Path | None) -> int:
    """The process that runs them. What it has found is in the file `answer` when it has ended."""
    child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(quiet, stream)
        if mutant is not None:
            os.environ["ONNX_LOWER_MUTANT"] = str(mutant)
        found = run_tests(session, tests, until, answer)
        if answer is not None:
            answer.write_text(found)
    finally:
        os._exit(0)


def end(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    items = {item.nodeid: item for item in session.items}
    if "MUTATION_PLAN" not in os.environ:
        files = sorted({item.fspath for item in session.items})
        children = [start(session, [item for item in session.items if files.index(item.fspath) % AT_ONCE == part], None, float("inf"), None) for part in range(AT_ONCE)]
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
            now = time.monotonic()
            job.update(answer=answer, begun=now, latest=now + job["budget"] + 90)
            child = start(session, tests, None if "again" in job else job["mutant"], now + job["budget"], answer)
            running[child] = job
        time.sleep(0.02)
        for child, job in list(running.items()):
            over = os.waitpid(child, os.WNOHANG)[0] == child
            late = not over and time.monotonic() > job["latest"]
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
                    waiting.append({**first, "tests": first["tests"][first["tests"].index(result["killed_by"]) + 1:]})
                else:
                    append(result)
                continue
            result = {"mutant": job["mutant"], "killed_by": found, "seconds": round(time.monotonic() - job["begun"], 1)}
            if found in items:
                waiting.append({"mutant": job["mutant"], "budget": 60, "tests": [found], "again": (job, result)})
            else:
                append(result)
    return True
