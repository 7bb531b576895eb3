#!/usr/bin/env python3

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many small faults in our own code the tests notice.

Faults (mutants) are drawn by a seed among all places of the folders where one can be made, and are compiled into one program, in a folder of its own. Each is then
switched on and the tests that reach its place are run, the C++ tests first, until one fails. See docs/testing.md.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import pickle
import re
import resource
import shutil
import subprocess
import time

from candidates import Candidate, candidates_of
from schemata import write_all

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
# Mutants that no test can kill, each with the reason.
NO_DIFFERENCE = HERE / "no_difference.json"
MOST_REACHED = 1 << 16  # as in mutant.cpp
# By the clock, for what waits and computes nothing.
LONGEST = 1800
MOST_MEMORY = 6 << 30  # for loops that allocate
# What is compiled, and nothing that the tests read in their own repository.
COPIED = ("CMakeLists.txt", "CMakePresets.json", "cmake", "src", "rules", "targets", "kernels", "tests/cpp", "tests/fuzz", "third_party", "man", "completions", "schemas", "LICENSE",
          "THIRD_PARTY_NOTICES", "CHANGELOG.md")


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def reasons() -> dict[str, str]:
    """Why mutants make no difference, by their keys."""
    return {"\0".join((told["file"], told["kind"], told["original"], told["mutated"], str(told.get("occurrence", 0)))): told["reason"] for told in json.loads(NO_DIFFERENCE.read_text())}


class Workplace:
    def __init__(self, folder: pathlib.Path, onnx: pathlib.Path) -> None:
        self.folder, self.root = folder, folder / "source"
        self.build, self.onnx = self.root / "build", onnx
        self.originals: dict[str, bytes] = {}

    def copy_sources(self, folders: list[str]) -> None:
        listed = subprocess.run(["git", "ls-files", "-z", "--", *COPIED], cwd=REPOSITORY, capture_output=True, check=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (REPOSITORY / name).exists()}
        self.originals = {name: (REPOSITORY / name).read_bytes() for name in sorted(wanted)
                          if name.endswith((".cpp", ".h")) and name.startswith(tuple(f"{folder}/" for folder in folders))}
        for name in wanted:
            if name not in self.originals or not (self.root / name).exists():
                self.write(name, (REPOSITORY / name).read_bytes())
        self.write("src/mutant.cpp", (HERE / "mutant.cpp").read_bytes())
        for path in [path for path in self.root.glob("src/**/*") if path.is_file()]:
            if (name := str(path.relative_to(self.root))) not in wanted and name != "src/mutant.cpp":
                path.unlink()

    def write(self, name: str, text: bytes) -> None:
        path = self.root / name
        if not path.exists() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)

    def configure(self, unity: str) -> None:
        subprocess.run(["cmake", "--preset", "default", "--log-level=WARNING", f"-DONNX_LOWER_ONNX_BUILD_DIR={self.onnx}", "-DONNX_LOWER_KERNELS=OFF", f"-DONNX_LOWER_UNITY={unity}"],
                       cwd=self.root, check=True, stdout=subprocess.DEVNULL)

    def candidates(self, folders: list[str]) -> list[Candidate]:
        """Those of the folders, kept for the next run on the same sources."""
        told_by = [(HERE / "candidates.py").read_bytes(), *self.originals.values()]
        kept = self.folder / f"candidates-{hashlib.sha256(repr(told_by).encode()).hexdigest()[:16]}"
        if not kept.exists():
            for name, text in self.originals.items():
                self.write(name, text)
            # Places are looked for in the files that the compile commands name, which a unity build's are not.
            self.configure("OFF")
            kept.write_bytes(pickle.dumps(list(candidates_of(self.root, self.build, folders))))
        return pickle.loads(kept.read_bytes())

    def compile(self, processes: int) -> str:
        """The compiler's output; empty if all is well."""
        self.configure("ON")
        done = subprocess.run(["cmake", "--build", str(self.build), "-j", str(processes), "--target", "onnx-lower", "onnx-lower-tests", "--", "-k", "0"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout if done.returncode else ""


def sample_of(candidates: list[Candidate], count: int, seed: int) -> list[Candidate]:
    """The same ones as long as the sources say the same there."""
    return sorted(candidates, key=lambda candidate: hashlib.sha256(f"{seed}\0{candidate.key}".encode()).digest())[:count]


def numbered(candidates: list[Candidate]) -> dict[int, Candidate]:
    """Whatever else is drawn, a mutant has the same number, nearly always: so a file whose mutants stay is not compiled again."""
    found: dict[int, Candidate] = {}
    for candidate in candidates:
        number = int.from_bytes(hashlib.sha256(candidate.key.encode()).digest()[:8])
        while (number := number % (MOST_REACHED - 1) + 1) in found:
            pass
        found[number] = candidate
    return found


def compiled(workplace: Workplace, candidates: list[Candidate], count: int, seed: int, processes: int) -> dict[int, Candidate]:
    """Mutants that the compiler takes, by number."""
    drawn = sample_of(candidates, count + count // 5, seed)
    kept = workplace.folder / "refused.json"
    known = set(json.loads(kept.read_text())) if kept.exists() else set()
    mutants = {number: mutant for number, mutant in numbered(drawn).items() if mutant.key not in known}
    while True:
        write_all(workplace.root, workplace.originals, mutants)
        output = workplace.compile(processes)
        if not output:
            break
        refused = set()
        for file, line in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error:", output, re.MULTILINE):
            for number, mutant in mutants.items():
                if file.endswith(mutant.file) and mutant.line <= int(line) <= mutant.line + mutant.original.count("\n"):
                    refused.add(number)
        if not refused:
            raise SystemExit(f"Nothing mutated is to blame for this:\n{output[-6000:]}")
        say(f"{len(refused)} mutants do not compile")
        known |= {mutants.pop(number).key for number in refused}
        kept.write_text(json.dumps(sorted(known)))
    return dict(list(mutants.items())[:count])


def reached_by(folder: pathlib.Path) -> dict[str, set[int]]:
    """The mutants that each test reaches, by what PYTEST_CURRENT_TEST says of it; "" are the C++ tests."""
    reached = {}
    for path in folder.iterdir():
        data = path.read_bytes()
        flags, name = data[:MOST_REACHED], data[MOST_REACHED:].decode()
        reached.setdefault(name, set()).update(number for number, flag in enumerate(flags) if flag)
    return reached


def limit(seconds: float) -> float:
    """CPU seconds after which a test that takes so many without a mutant is held to be endless."""
    return 20 + 5 * seconds


def cpp_tests(workplace: Workplace, mutant: int, tests: list[str], seconds: float, **environment: str) -> str:
    """How those of the C++ tests fail, if they do. So many CPU seconds, not those of the clock: other work on the machine is not a failure."""
    # Catch takes them as patterns.
    chosen = ",".join('"' + re.sub(r'([\\,\[\]"])', r"\\\1", test) + '"' for test in tests)
    command = ["prlimit", f"--cpu={math.ceil(seconds)}", f"--data={MOST_MEMORY}", workplace.build / "onnx-lower-tests", "--abort", "--warn", "NoTests", chosen]
    try:
        done = subprocess.run(command, cwd=workplace.root, timeout=LONGEST, capture_output=True, env={**os.environ, "ONNX_LOWER_MUTANT": str(mutant), **environment})
    except subprocess.TimeoutExpired:
        return "C++ tests: they do not end"
    if done.returncode == 0:
        return ""
    failing = re.search(r"-{70,}\n(.+)\n", done.stdout.decode(errors="replace"))
    return f"C++ tests: {failing[1] if failing else done.returncode}"


def cpp_tests_of(workplace: Workplace, folder: pathlib.Path) -> tuple[dict[int, list[str]], dict[str, float]]:
    """The C++ tests that reach each mutant, the fastest first, and how many CPU seconds each takes; all pass without a mutant."""
    listed = subprocess.run([workplace.build / "onnx-lower-tests", "--list-test-names-only"], cwd=workplace.root, capture_output=True, text=True)
    reached: dict[str, set[int]] = {}
    seconds: dict[str, float] = {}
    for test in listed.stdout.splitlines():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if failure := cpp_tests(workplace, 0, [test], LONGEST, ONNX_LOWER_REACHED=str(folder)):
            raise SystemExit(failure)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds[test] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        reached[test] = reached_by(folder).get("", set())
        for path in folder.iterdir():
            path.unlink()
    tests_of = collections.defaultdict(list)
    for test in sorted(seconds, key=seconds.__getitem__):
        for number in reached[test]:
            tests_of[number].append(test)
    return tests_of, seconds


def pytest(workplace: Workplace, arguments: list[str], results: pathlib.Path, **environment: str) -> None:
    command = [REPOSITORY / "build/venv/bin/python", "-m", "pytest", "-p", "each_mutant", "-p", "no:xdist", "-p", "no:cacheprovider", "--capture=no", "-q", *arguments]
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PYTHONPATH": str(HERE), "ONNX_LOWER": str(workplace.build / "onnx-lower"), "MUTATION_RESULTS": str(results), "MUTATION_MEMORY": str(MOST_MEMORY), **environment})
    if done.returncode not in (0, 5):
        raise SystemExit(done.stdout[-6000:])


def lines_of(path: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def chosen_tests(tests: list[str], reaching: dict[str, int], seconds: dict[str, float], budget: float, seed: int) -> list[str]:
    """One of each file after the other, as many as fit; of a file by turns what reaches the fewest places, which it is likeliest to be about, and any."""
    files: dict[str, list[str]] = collections.defaultdict(list)
    for test in sorted(tests, key=lambda test: hashlib.sha256(f"{seed}{test}".encode()).digest()):
        files[test.split("::")[0]].append(test)
    for file, drawn in files.items():
        narrow = sorted(drawn, key=lambda test: (reaching[test], test))
        files[file] = list(dict.fromkeys(test for pair in zip(narrow, drawn) for test in pair))
    chosen, spent = [], 0.0
    while any(files.values()):
        for file in sorted(files):
            if files[file]:
                test = files[file].pop(0)
                if spent + seconds[test] <= budget:
                    chosen.append(test)
                    spent += seconds[test]
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folders", nargs="+", default=["src/legalizer", "src/check", "src/model_file"])
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=60, help="CPU seconds of Python tests for each mutant that the C++ tests leave alive")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path, default=REPOSITORY / "build" / "mutation")
    parser.add_argument("--onnx", type=pathlib.Path, default=REPOSITORY / "build", help="the build folder with the onnx to be linked")
    parser.add_argument("--tests", nargs="+", default=[f"tests/python/test_{name}.py" for name in TESTS], help="files of Python tests")
    parser.add_argument("--survivors", action="store_true", help="only those that survived the last run, or that were not in it")
    arguments = parser.parse_args()

    workplace = Workplace(arguments.work.resolve(), arguments.onnx.resolve())
    workplace.folder.mkdir(parents=True, exist_ok=True)
    workplace.copy_sources(arguments.folders)
    # The rules' texts and what else the C++ tests read.
    for name in ("testdata", "docs", "examples"):
        link = workplace.root / name
        link.unlink(missing_ok=True)  # the last run may have been made from another checkout
        link.symlink_to(REPOSITORY / name)
    say("looking for places")
    candidates = workplace.candidates(arguments.folders)
    say(f"{len(candidates)} mutants can be made; compiling")
    mutants = compiled(workplace, candidates, arguments.mutants, arguments.seed, arguments.processes)
    record = workplace.folder / "results.json"
    before = {tuple(found["key"]): found for found in json.loads(record.read_text())} if arguments.survivors else {}
    drawn = mutants
    if arguments.survivors:
        mutants = {number: mutant for number, mutant in drawn.items() if not before.get(tuple(mutant.key.split("\0")), {}).get("killed_by")}
        say(f"{len(drawn) - len(mutants)} of {len(drawn)} were killed before")

    # Which tests reach which mutants, and that they pass without them.
    reached_folder = workplace.folder / "reached"
    shutil.rmtree(reached_folder, ignore_errors=True)
    reached_folder.mkdir()
    killed: dict[int, str] = {}
    by_cpp, cpp_seconds = cpp_tests_of(workplace, reached_folder)
    say(f"{len(set(by_cpp) & set(mutants))} of {len(mutants)} mutants are reached by the {len(cpp_seconds)} C++ tests, which take {sum(cpp_seconds.values()):.0f} s; running these")
    with concurrent.futures.ThreadPoolExecutor(arguments.processes) as pool:
        numbers = [number for number in mutants if number in by_cpp]

        def failure_of(number: int) -> str:
            quick, slow = [[test for test in by_cpp[number] if (cpp_seconds[test] < 5) == is_quick] for is_quick in (True, False)]
            # What survived the slow ones does so again, and there are few of them.
            for tests in (quick, [] if arguments.survivors else slow):
                if tests and (failure := cpp_tests(workplace, number, tests, limit(sum(cpp_seconds[test] for test in tests)))):
                    return failure
            return ""

        for number, failure in zip(numbers, pool.map(failure_of, numbers)):
            if failure:
                killed[number] = failure
    tests_of: dict[int, set[str]] = collections.defaultdict(set)

    def keep_results() -> list[dict]:
        found = [{"number": number, "file": mutant.file, "line": mutant.line, "kind": mutant.kind, "original": mutant.original, "mutated": mutant.mutated,
                  "killed_by": killed.get(number, ""), "reached": number in by_cpp or bool(tests_of[number]), "key": mutant.key.split("\0")}
                 if number in mutants else before[tuple(mutant.key.split("\0"))] for number, mutant in drawn.items()]
        record.write_text(json.dumps(found, indent=1))
        return found

    keep_results()  # where the Python tests are interrupted, --survivors goes on
    say(f"{len(killed)} killed; running the Python tests once without a mutant")

    baseline = workplace.folder / "baseline.jsonl"
    baseline.unlink(missing_ok=True)
    pytest(workplace, arguments.tests, baseline, ONNX_LOWER_REACHED=str(reached_folder), MUTATION_PROCESSES=str(arguments.processes))
    seconds = {line["test"]: line["seconds"] for line in lines_of(baseline) if line["passed"]}
    failing = [line["test"] for line in lines_of(baseline) if not line["passed"]]
    say(f"{len(seconds)} tests pass in {sum(seconds.values()):.0f} s" + (f"; these do not: {' '.join(failing)}" if failing else ""))
    for name, numbers in reached_by(reached_folder).items():
        test, _, phase = name.rpartition(" (")
        # What serves a whole file may be made by its first test.
        tests = [test] if phase == "call)" else [other for other in seconds if other.split("::")[0] == test.split("::")[0]]
        for number in numbers:
            tests_of[number].update(other for other in tests if other in seconds)

    reaching = collections.Counter(test for tests in tests_of.values() for test in tests)
    plan = [{"mutant": number, "tests": {test: limit(seconds[test]) for test in chosen_tests(sorted(tests_of[number]), reaching, seconds, arguments.budget, arguments.seed)}}
            for number in mutants if number not in killed and tests_of[number]]
    say(f"{len(plan)} mutants are left that Python tests reach")
    (workplace.folder / "plan.json").write_text(json.dumps(plan))
    results = workplace.folder / "python.jsonl"
    results.unlink(missing_ok=True)
    pytest(workplace, arguments.tests, results, MUTATION_PLAN=str(workplace.folder / "plan.json"), MUTATION_PROCESSES=str(arguments.processes))
    for line in lines_of(results):
        if line["killed_by"]:
            killed[line["mutant"]] = line["killed_by"]

    found = keep_results()
    told = reasons()
    for mutant in found:
        told_of = told.get("\0".join(mutant["key"]))
        if not mutant["killed_by"] and not told_of:
            print(f"{mutant['file']}:{mutant['line']}: {'' if mutant['reached'] else 'NOT REACHED '}[{mutant['kind']}] {mutant['original']}  ->  {mutant['mutated']}")
        if mutant["killed_by"] and told_of:
            print(f"{mutant['file']}:{mutant['line']}: {NO_DIFFERENCE.name} says that it makes no difference, and {mutant['killed_by']} fails: {mutant['original']}  ->  {mutant['mutated']}")
    killed_count = sum(bool(mutant["killed_by"]) for mutant in found)
    same_count = sum(not mutant["killed_by"] and "\0".join(mutant["key"]) in told for mutant in found)
    say(f"{killed_count} of {len(found)} mutants killed, {100 * killed_count / max(1, len(found)):.1f} %; {same_count} make no difference, "
        f"{len(found) - killed_count - same_count} are left; of those that make one, {100 * killed_count / max(1, len(found) - same_count):.1f} % are killed")


TESTS = ("golden", "hostile_models", "command_line", "attach", "cases", "external_data", "file_systems", "bad_input", "limits", "ir_version", "properties", "tensors", "report_notes",
         "report_schema", "many_models", "random_models", "promise", "interrupted_writes", "large_models", "targets", "input_shapes", "fold", "upwards",
         "hostile_numbers", "kernel_gaps", "numbers")

if __name__ == "__main__":
    main()
