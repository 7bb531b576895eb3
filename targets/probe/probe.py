#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Asks a runtime what it takes, and writes it down as a target.

  probe.py onnxruntime-1.17 --runtime onnxruntime --python VENV/bin/python --opset 7..20 --ir 3..9 --title "ONNX Runtime 1.17.3, CPU."

Runs beside onnx; the runtime is asked by a process of the other Python. One-node models (seeds.py) are put to it: of all operators at the highest opset and at some below it, and of those
versions of operators that are the newest at none of these, at the opset that brought each. From those that it takes and refuses, each operator gets the fewest conditions that tell them
apart. What no condition tells apart stands behind the operator as a comment."""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import datetime
import fnmatch
import hashlib
import itertools
import json
import os
import pathlib
import queue
import re
import subprocess
import threading
from collections.abc import Iterator

import onnx

import exported_forms
import seeds

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
# MNN's library asks for a stack that can be executed, which glibc from 2.41 on grants to a process that says so when it starts. And what malloc gives is filled with bytes that make numbers
# near the largest (but for its caches of small pieces, which are done without): a runtime that reads what nobody wrote is wrong each time then, and not only where no zeros happened to be.
ENVIRONMENT = {**os.environ, "GLIBC_TUNABLES": f"glibc.rtld.execstack=2:glibc.malloc.perturb={0xFF ^ 0x7F}:glibc.malloc.tcache_count=0"}
SECONDS_FOR_A_MODEL = 20.0
# After so many, the answers are written into their file: a runtime that takes a second for each may be asked in several runs.
ASKED_AT_ONCE = 200
# What ONNX Runtime's kernels are of, by the name of the runtime.
PROVIDERS = {"onnxruntime": "CPUExecutionProvider", "onnxruntime-gpu": "CUDAExecutionProvider"}
# Heads what a target's file says of the runtime's own operators where the runtime does not tell; it is then kept.
OWN_BY_TABLE = "# Operators of its own, by the table of the release"
# Heads what element_types.py writes at the end of a target's file.
ELEMENT_TYPES = "# Of these element types it has no kernel (written by targets/probe/element_types.py, which asked whether models load)."


def ask(python: str, runtime: str, folder: pathlib.Path, numbers: list[int], seconds: float = SECONDS_FOR_A_MODEL) -> dict[int, str]:
    """The answers by number, each of which may take so many seconds. A process that dies or hangs is started again at the model that it was at, which may have suffered from those before it, and if it dies of that alone, behind it."""
    answers: dict[int, str] = {}
    left = list(numbers)
    while left:
        process = subprocess.Popen([python, HERE / "runtimes.py", runtime, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
        lines: queue.Queue = queue.Queue()
        threading.Thread(target=lambda process=process, lines=lines: [lines.put(line) for line in process.stdout] + [lines.put(None)], daemon=True).start()
        first = True
        while left:
            try:
                process.stdin.write(f"{left[0]}\n")
                process.stdin.flush()
                line = lines.get(timeout=seconds + (40 if first else 0))
            except BrokenPipeError:
                line = None
            except queue.Empty:
                line = ""
            alone, first = first, False
            if not line and not alone:
                process.kill()
                break
            number = left.pop(0)
            if not line:
                answers[number] = "crashed" if line is None else "hung"
                process.kill()
                break
            answers[number] = line.split(" ", 1)[1].strip()
        process.kill()
        process.wait()
    return answers


def fingerprint(folder: pathlib.Path, task: dict) -> str:
    """Of all that an answer depends on: a model that is written again, under another number, is not asked for again."""
    bounds = [task["tolerances"]] if "tolerances" in task else []
    digest = hashlib.sha256(json.dumps([task["compares"], task["rtol"], task["atol"], task["inputs"], task["outputs"], *bounds]).encode())
    for ending in ("onnx", "npz"):
        digest.update((folder / f"{task['number']}.{ending}").read_bytes())
    return digest.hexdigest()[:32]


def ask_new(arguments: argparse.Namespace, folder: pathlib.Path, tasks: list[dict], jobs: int = 1, seconds: float = SECONDS_FOR_A_MODEL, runtime: str = "") -> dict[int, str]:
    """The answers by number, of the runtime or of another one. Those that it has given already are in a file of the work folder, also where a run was ended before it had them all."""
    path = arguments.work / f"{arguments.name}{runtime and '-'}{runtime}.answers.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    prints = {task["number"]: fingerprint(folder, task) for task in tasks}
    left = list({prints[number]: number for number in prints if prints[number] not in known}.values())
    for first in range(0, len(left), ASKED_AT_ONCE):
        asked = left[first:first + ASKED_AT_ONCE]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for part in pool.map(lambda start: ask(arguments.python, runtime or arguments.runtime, folder, asked[start::jobs], seconds), range(jobs)):
                known.update({prints[number]: answer for number, answer in part.items()})
        path.write_text(json.dumps(known))
    return {number: known[found] for number, found in prints.items()}


@dataclasses.dataclass(frozen=True)
class Predicate:
    """A condition on a node's features; what is not known holds."""

    text: str
    kind: str
    name: str
    test: object

    def holds(self, features: dict) -> bool:
        value = features[self.kind].get(self.name)
        return value is None or bool(self.test(value))


def same_types(types: dict[str, str]) -> dict[str, bool]:
    """Whether two inputs that may be of different types are of the same."""
    return {f"dtype({one}) == dtype({other})": types[one] == types[other] for one, other in itertools.combinations(sorted(types), 2)}


def list_text(values: set) -> str:
    return ", ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in sorted(values))


def is_flag(values: set) -> bool:
    return all(value in (0, 1) for value in values)


def says_something(name: str, values: set) -> bool:
    """A number that only some seeds have (hidden_size, an axis) says nothing; a flag, a word or an element type does."""
    return name == "to" or "axis" not in name and (is_flag(values) or all(isinstance(value, str) for value in values))


def possible_types(sample: dict, parameter: str) -> set:
    """What the schema allows of those that NumPy has."""
    schema = onnx.defs.get_schema(sample["op"], sample["version"], sample["domain"])
    types = next((found.types for found in schema.inputs if found.name == parameter), ())
    return {name for kind in seeds.NATIVE if f"tensor({(name := onnx.TensorProto.DataType.Name(kind).lower())})" in types}


def predicates(taken: list[dict], refused: list[dict]) -> list[Predicate]:
    """Those that hold for all that is taken, the plainest first."""
    found: list[Predicate] = []

    def values(samples: list[dict], kind: str, name: str) -> set:
        return {sample[kind][name] for sample in samples if name in sample[kind]}

    # In the order of what is likelier to be the reason.
    names = {kind: sorted({name for sample in [*taken, *refused] for name in sample[kind]}) for kind in ("dtype", "same", "present", "constant", "attribute", "given", "rank", "length", "largest")}
    for name in names["dtype"]:
        good, bad = values(taken, "dtype", name), values(refused, "dtype", name)
        if bad - good:
            # Of a type that nobody asked for nothing is known.
            few = len(bad - good) <= len(good) or not good or bool(possible_types(taken[0], name) - good - bad)
            listed = ", ".join(sorted(bad - good if few else good))
            found.append(Predicate(f"not dtype({name}) in ({listed})" if few else f"dtype({name}) in ({listed})", "dtype", name,
                                   (lambda value, bad=bad - good: value not in bad) if few else (lambda value, good=good: value in good)))
    for name in names["same"]:
        if values(taken, "same", name) == {True} and False in values(refused, "same", name):
            found.append(Predicate(name, "same", name, lambda value: value))
    for name in names["attribute"]:
        good, bad = values(taken, "attribute", name), values(refused, "attribute", name)
        if not bad - good or not good or not says_something(name, good | bad):
            continue
        if len(bad - good) <= len(good) and not is_flag(good | bad):
            text = f"not {name} in ({list_text(bad - good)})" if len(bad - good) > 1 else f"{name} != {list_text(bad - good)}"
            found.append(Predicate(text, "attribute", name, lambda value, bad=bad - good: value not in bad))
        else:
            found.append(Predicate(f"{name} in ({list_text(good)})" if len(good) > 1 else f"{name} == {list_text(good)}", "attribute", name, lambda value, good=good: value in good))
    for name in names["largest"]:
        good, bad = values(taken, "largest", name), values(refused, "largest", name)
        if good and bad - good and max(good) < min(bad - good):
            found.append(Predicate(f"max({name}) <= {max(good)}", "largest", name, lambda value, most=max(good): value <= most))
    for kind, positive in (("present", "present({})"), ("constant", "constant({})"), ("given", "attribute({})")):
        for name in names[kind]:
            good, bad = values(taken, kind, name), values(refused, kind, name)
            if good == {True} and False in bad:
                found.append(Predicate(positive.format(name), kind, name, lambda value: value))
            if good == {False} and True in bad:
                found.append(Predicate("not " + positive.format(name), kind, name, lambda value: not value))
    # An input that is absent need not be constant.
    for name in names["constant"]:
        if values(taken, "constant", name) == {True} and name in names["present"] and False in values(taken, "present", name):
            found.append(Predicate(f"(not present({name}) or constant({name}))", "constant", name, lambda value: value))
    for kind in ("rank", "length"):
        for name in names[kind]:
            good, bad = values(taken, kind, name), values(refused, kind, name)
            if not good or not bad - good:
                continue
            if max(good) < min(bad - good):
                found.append(Predicate(f"{kind}({name}) <= {max(good)}", kind, name, lambda value, most=max(good): value <= most))
            elif min(good) > max(bad - good):
                found.append(Predicate(f"{kind}({name}) >= {min(good)}", kind, name, lambda value, least=min(good): value >= least))
            elif len(good) == 1:
                found.append(Predicate(f"{kind}({name}) == {min(good)}", kind, name, lambda value, only=min(good): value == only))
    return found


def pairs(taken: list[dict], refused: list[dict]) -> list[Predicate]:
    """What one feature alone does not decide: of each two, that one of them holds."""
    atoms: list[Predicate] = []
    for name in sorted({name for sample in refused for name in sample["dtype"]}):
        for value in sorted({sample["dtype"].get(name, "") for sample in refused} - {""}):
            atoms.append(Predicate(f"not dtype({name}) == {value}", "dtype", name, lambda found, value=value: found != value))
    for name in sorted({name for sample in refused for name in sample["attribute"]}):
        if name != "to" and says_something(name, {sample["attribute"][name] for sample in [*taken, *refused] if name in sample["attribute"]}):
            for value in sorted({sample["attribute"][name] for sample in refused if name in sample["attribute"]}, key=str):
                atoms.append(Predicate(f"not {name} == {list_text({value})}", "attribute", name, lambda found, value=value: found != value))
    for kind, text in (("present", "present({})"), ("constant", "constant({})")):
        for name in sorted({name for sample in refused for name in sample[kind]}):
            atoms.append(Predicate(text.format(name), kind, name, lambda found: found))
            atoms.append(Predicate("not " + text.format(name), kind, name, lambda found: not found))
    for opset in sorted({sample["opset"]["opset"] for sample in [*taken, *refused]})[:-1]:
        atoms.append(Predicate(f"opset() <= {opset}", "opset", "opset", lambda found, opset=opset: found <= opset))
        atoms.append(Predicate(f"opset() > {opset}", "opset", "opset", lambda found, opset=opset: found > opset))
    found = []
    for index, one in enumerate(atoms):
        for other in atoms[index + 1:]:
            if one.name == other.name and one.kind == other.kind:
                continue
            if all(one.holds(sample) or other.holds(sample) for sample in taken):
                found.append((one, other))
    return found


def conditions(taken: list[dict], refused: list[dict]) -> tuple[list[str], list[dict]]:
    """The conditions that tell the two apart, and what of that which is refused they do not."""
    chosen: list[str] = []
    left = list(refused)
    possible = predicates(taken, refused)
    while left and possible:
        best = max(possible, key=lambda predicate: sum(not predicate.holds(sample) for sample in left))
        explained = [sample for sample in left if not best.holds(sample)]
        # What one model alone suggests about a size is no rule.
        if not explained or (best.kind in ("rank", "length") and len(explained) < 2):
            break
        chosen.append(best.text)
        left = [sample for sample in left if best.holds(sample)]
    possible_pairs = pairs(taken, left) if len(left) > 1 else []
    while len(left) > 1 and possible_pairs:
        one, other = max(possible_pairs, key=lambda pair: sum(not pair[0].holds(sample) and not pair[1].holds(sample) for sample in left))
        explained = [sample for sample in left if not one.holds(sample) and not other.holds(sample)]
        # Fewer suggest more than they say, but where the opset is part of it.
        if len(explained) < (2 if "opset" in (one.kind, other.kind) else 3):
            break
        chosen.append(f"({one.text} or {other.text})")
        left = [sample for sample in left if one.holds(sample) or other.holds(sample)]
    return chosen, left


# What stands before the sentence that says why: of OpenCV, where its own sources found it and in
# the import of which node, of OpenVINO the same, of ONNX Runtime the number and name of the error,
# the node and the function, and of TensorRT its own functions.
BEFORE_THE_SENTENCE = re.compile("|".join([
    r"OpenCV\([\d.]+\) \S+ error: \(-?\d+:(?:Unspecified error|Bad argument|Assertion failed|[^)]*not implemented|[^)]*combination of formats)\) ", r"in function '[^']*' ?>? ?", r"Node \[\S+\]:\(\S+\) parse error: ", r">\s*$",
    r"Exception from \S+:\d+:\s*", r"Check '(?:[^']|'(?=\w))*' failed at \S+:\d+:\s*", r"FrontEnd API failed with \w+:\s*", r"Model wasn't fully converted\. Summary: -- ", r"While validating ONNX node '[^']*':\s*",
    r"\[ONNXRuntimeError\] : \d+ : \w+ : ", r"Can't create a session\. ERROR_CODE: \d+, ERROR_MESSAGE: ", r"failed to call OrtRun\(\)\. ERROR_CODE: \d+, ERROR_MESSAGE: ",
    r"Non-zero status code returned while running \S+ node\. Name:'[^']*' Status Message: ", r"(?<=\s)\S+\.(?:h|cc):\d+ [^()]*\([^()]*\)(?: const)?(?: \[[^\]]*\])? ",
    r"IBuilder::buildSerializedNetwork: ", r"Error Code \d+: ", r"Myelin \(\[[^\]]*\] MyelinCheckException: ", r"(?<=^refused ): ",
]))


def sentence(answer: str) -> str:
    """Of what the runtime says of a model, what says why, without the folders of this machine."""
    return re.sub(r"(?<![\w/])/(?:[\w.+-]+/)+", "", BEFORE_THE_SENTENCE.sub("", answer)).strip()


def what_was_asked(features: dict) -> dict:
    """Of a model of a type that NumPy lacks only whether it loads, which says nothing of the rest."""
    names = {onnx.TensorProto.DataType.Name(kind).lower() for kind in seeds.WITHOUT_NUMBERS}
    unknown = {kind: {} for kind in ("present", "constant", "attribute", "given", "rank", "length", "largest")}
    return {**features, **unknown} if names & set(features["dtype"].values()) else features


def most_said(answers: list[str]) -> str:
    sentences = [sentence(answer) for answer in answers]
    return max(sentences, key=sentences.count)


def comment_on(asked: int, left: list[str]) -> str:
    """`left`: what the runtime says of those models of so many that it does not run, and that no condition tells from the others."""
    return f"of {asked} it does not run {len(left)} that no condition tells apart, most: {most_said(left)}" if left else ""


@dataclasses.dataclass
class Line:
    """What the answers about some versions of an operator say."""

    operator: str
    versions: list[int]
    answers: list[tuple[dict, str]]
    text: str = ""
    unexplained: list[str] = dataclasses.field(default_factory=list)  # what is said of the models that no condition tells from those that are taken

    def __post_init__(self) -> None:
        by_answer: dict[bool, list[dict]] = {True: [], False: []}
        said: dict[int, str] = {}
        for features, answer in self.answers:
            asked = what_was_asked(features)
            by_answer[answer == "taken"].append(asked)
            said[id(asked)] = answer
        chosen, left = conditions(by_answer[True], by_answer[False]) if by_answer[True] else (["never"], [])
        self.unexplained = [said[id(asked)] for asked in left]
        self.text = " and ".join(chosen)

    @property
    def comment(self) -> str:
        if self.text == "never":
            return most_said([answer for _, answer in self.answers])
        return comment_on(len(self.answers), self.unexplained)

    def joined(self, newer: Line) -> Line | None:
        """One line in the place of both: where they say the same, or one of them explains all that the other does. An older version may only lack a type that the newer one is refused for."""
        both = Line(self.operator, self.versions + newer.versions, self.answers + newer.answers)
        if self.text == newer.text:
            both.text, both.unexplained = self.text, self.unexplained + newer.unexplained
        return both if both.text in (self.text, newer.text) and len(both.unexplained) <= len(self.unexplained) + len(newer.unexplained) else None


def speaks_of(line: str, operator: str, version: int) -> bool:
    """Whether a line of a target's file does: of the versions that it names, or of all."""
    name, *rest = line.split("  ", 1)[0].split()
    first, dots, last = rest[0].partition("..") if rest else ("", "..", "")
    return name == operator and int(first or 0) <= version <= int((last if dots else first) or version)


def operator_of(features: dict) -> str:
    """As a target's file names it."""
    return f"{features['domain']}::{features['op']}" if features["domain"] else features["op"]


def lines_of(samples: list[tuple[dict, str]], in_place: list[str]) -> list[Line]:
    """What the answers say of each operator, for runs of versions of which one line says it; not of those that the lines `in_place` speak of."""
    by_operator: dict[str, dict[int, list[tuple[dict, str]]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    for features, answer in samples:
        by_operator[operator_of(features)][features["version"]].append((features, answer))
    lines = []
    for operator, versions in sorted(by_operator.items()):
        found: list[Line] = []
        may_join = False
        for version, answers in sorted(versions.items()):
            if any(speaks_of(line, operator, version) for line in in_place):
                may_join = False
                continue
            line = Line(operator, [version], answers)
            joined = found[-1].joined(line) if may_join else None
            if joined is None:
                found.append(line)
            else:
                found[-1] = joined
            may_join = True
        for line in found:
            if len(line.versions) == len(versions):
                line.versions = []
        lines += found
    return lines


def kernels_beside_onnx(python: str, provider: str) -> list[str]:
    """The operators of com.microsoft that the ONNX Runtime of another Python has kernels for in a provider, with their types. Old builds do not tell the operators' schemas; then those
    of the ONNX Runtime beside this Python do."""
    from onnxruntime.capi import onnxruntime_pybind11_state as newest

    schemas = {schema.name: schema for schema in newest.get_all_operator_schema() if schema.domain == "com.microsoft"}
    variables = {name: [parameter.typeStr for parameter in schema.inputs] for name, schema in schemas.items()}
    done = subprocess.run([python, HERE / "onnxruntime_kernels.py", provider], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return []  # a build that does not tell: all of them are lowered
    kernels: dict[str, list[dict]] = collections.defaultdict(list)
    told = json.loads(done.stdout)
    for name, constraints in told["kernels"]:
        kernels[name].append(constraints)
    lines = []
    for name, alternatives in sorted(kernels.items()):
        types: list[dict[str, set]] = []
        for constraints in alternatives:
            of_inputs = {}
            for variable, allowed in constraints.items():
                plain = {kind[len("tensor("):-1] for kind in allowed if kind.startswith("tensor(") and "float8" not in kind and "string" not in kind}
                if variable in variables.get(name, []) and 0 < len(plain) < 10:
                    of_inputs[f"input_{variables[name].index(variable)}"] = plain
            types.append(of_inputs)
        if all(set(one) == set(types[0]) and len(one) == 1 for one in types):
            types = [{key: set().union(*(one[key] for one in types)) for key in types[0]}]
        texts = sorted({" and ".join(f"dtype({key}) in ({', '.join(sorted(names))})" for key, names in sorted(one.items())) for one in types})
        types_text = "" if "" in texts else texts[0] if len(texts) == 1 else " or ".join(f"({text})" for text in texts)
        # What it had not come to have by then.
        inputs, attributes = told["schemas"][name]
        later = [f"not present(input_{index})" for index in range(inputs, len(variables.get(name, [])))]
        later += [f"not attribute({attribute})" for attribute in sorted(set(schemas[name].attributes if name in schemas else ()) - set(attributes))]
        conditions = [f"({types_text})" if later and " or " in types_text else types_text, *later]
        lines.append(f"com.microsoft::{name}  " + (" and ".join(filter(None, conditions)) or "always"))
    return lines


def spread(tasks: list[dict], most: int) -> list[dict]:
    """Of each version of an operator so many at most, from the first to the last: what is changed of a test stands behind it."""
    by_version: dict[tuple, list[dict]] = collections.defaultdict(list)
    for task in tasks:
        by_version[task["features"]["domain"], task["features"]["op"], task["features"]["version"]].append(task)
    return [found[index * len(found) // min(most, len(found))] for found in by_version.values() for index in range(min(most, len(found)))]


def models_to_ask(arguments: argparse.Namespace) -> Iterator[tuple[int, pathlib.Path, list[dict]]]:
    """By opsets, with their folder: those of all operators where all are asked about, then those of the versions of operators that are left. What is written of a version does not depend on
    where the others are asked about, so that targets share the folders."""
    lowest, highest = map(int, arguments.opset.split(".."))
    of_all = sorted({highest, *[opset for opset in arguments.also if opset < highest]})
    asked: set[tuple[str, int]] = set()
    for opset in [*of_all, *[opset for opset in range(lowest, highest) if opset not in of_all]]:
        # What is older than the lowest opset is the newest there.
        brought = opset not in of_all and opset != lowest
        folder = arguments.work / (f"models-{opset}-brought" if brought else f"models-{opset}")
        if not (folder / "tasks.json").exists():
            tests = [seed for seed in seeds.backend_tests() if not brought or seeds.brought_by(opset, seed.node)]
            # Chains show what a node alone does not, and need no asking again where only what an opset brought is asked about.
            forms = [] if brought else exported_forms.seeds_at(opset)
            seeds.write(folder, itertools.chain(seeds.variants(seeds.lowered_to(tests, opset, str(arguments.tool))), forms))
        tasks = [task for task in json.loads((folder / "tasks.json").read_text()) if task["features"]["op"] not in seeds.RANDOM]
        versions = [(task["features"]["op"], task["features"]["version"]) for task in tasks]
        if opset not in of_all:
            # Models of other domains are the same at every opset.
            tasks = [task for task, version in zip(tasks, versions) if not task["features"]["domain"] and version not in asked]
        asked |= set(versions)
        yield opset, folder, spread(tasks, arguments.at_most) if arguments.at_most else tasks


def parse(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--rather", default="", metavar="RUNTIME", help="the same, asked for the best way to run only, as a GPU without the CPU: what it refuses is said otherwise where a rule can")
    parser.add_argument("--python", required=True, help="of the environment that the runtime is installed in")
    parser.add_argument("--opset", required=True, help="7..20")
    parser.add_argument("--imports", help="what else is to be said of what a model may import, as in '15..28 where model_output(int64)' or 'lowered 7..17'")
    parser.add_argument("--ml", default="", help="versions of ai.onnx.ml, or none")
    parser.add_argument("--ir", default="3..13")
    parser.add_argument("--also", type=int, nargs="*", default=[13], help="opsets below the highest at which all operators are asked about, too: one version may be taken at one and refused at another")
    parser.add_argument("--at-most", type=int, help="models of each version of an operator, for a runtime that takes long for each")
    parser.add_argument("--title", required=True)
    parser.add_argument("--functions", default="no")
    parser.add_argument("--shapes", choices=["declared", "declared inside", "ranked", "static", "unnamed inside"], action="append", default=[], help="what the runtime wants to know of a model's shapes")
    parser.add_argument("--inputs", choices=["filled"], help="what the runtime wants of a model's inputs")
    parser.add_argument("--tool", default=REPOSITORY / "build" / "onnx-lower")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for models and answers, which are not asked for again")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def main() -> None:
    arguments = parse(__doc__)
    samples, best = [], []
    for opset, folder, tasks in models_to_ask(arguments):
        at_best = ask_new(arguments, folder, tasks, arguments.jobs, runtime=arguments.rather) if arguments.rather else {}
        # What the best way takes, the runtime takes.
        answers = {**at_best, **ask_new(arguments, folder, [task for task in tasks if at_best.get(task["number"]) != "taken"], arguments.jobs)}
        for task in tasks:
            features = {**task["features"], "opset": {"opset": opset}, "same": same_types(task["features"]["dtype"])}
            samples.append((features, answers[task["number"]]))
            if answers[task["number"]] == "taken" and at_best:
                best.append((features, at_best[task["number"]]))
    write_target(arguments, samples, best)


def lacking_types(samples: list[tuple[dict, str]]) -> list[str]:
    """Of the types that NumPy lacks those of which the runtime takes no model: that stands in one line, and holds for operators that the probe did not ask about, too."""
    names = [onnx.TensorProto.DataType.Name(kind).lower() for kind in seeds.WITHOUT_NUMBERS]
    asked = {name for features, _ in samples for name in features["dtype"].values()}
    taken = {name for features, answer in samples if answer == "taken" for name in features["dtype"].values()}
    return [name for name in names if name in asked - taken]


def written(line: Line, *, says_why: bool = True) -> str:
    versions = "" if not line.versions else f" {line.versions[0]}" if len(line.versions) == 1 else f" {line.versions[0]}..{line.versions[-1]}"
    comment = f"  # {line.comment[:200]}" if line.comment and says_why else ""
    return f"{line.operator}{versions}  {line.text}{comment}" if line.text else f"# {line.operator}{versions}:{comment[3:]}"


def write_target(arguments: argparse.Namespace, samples: list[tuple[dict, str]], best: list[tuple[dict, str]]) -> None:
    """`best`: of what is taken, what the best way to run says."""
    taken = sum(answer == "taken" for _, answer in samples)
    asked = len(samples)
    lacking = lacking_types(samples)
    text = [f"# {arguments.title}",
            f"# Probed on {datetime.date.today()} by targets/probe: of {len(samples):,} models of one node it takes {taken:,}.", "",
            f"opset {arguments.opset}", *([f"opset {arguments.imports}"] if arguments.imports else []), *([f"opset ai.onnx.ml {arguments.ml}"] if arguments.ml else []), f"ir {arguments.ir}", f"functions {arguments.functions}", *(f"shapes {shapes}" for shapes in arguments.shapes),
            *([f"inputs {arguments.inputs}"] if arguments.inputs else []), *([f"types not in ({', '.join(lacking)})"] if lacking else []), ""]
    by_hand = [line.split(maxsplit=1) for line in (HERE / "by_hand.txt").read_text().splitlines() if line and not line.startswith("#")]
    found = [line for name, line in by_hand if fnmatch.fnmatch(arguments.name, name)]
    # Of types that a line by hand says that it has none of nothing else has to be said.
    by_line = re.findall(r"^types not in \((.*?)\)", "\n".join(found), re.MULTILINE)
    without = {*lacking, *(name for names in by_line for name in names.split(", "))}
    in_place = [line for line in found if "  and " not in line and not line.startswith(("made ", "rather ", "right "))]
    found = [line.replace("  and ", "  ", 1) for line in found]
    samples, best = ([(features, answer) for features, answer in some if not without & set(features["dtype"].values())] for some in (samples, best))
    lines = [line for line in lines_of(samples, in_place) if line.text or line.comment]
    text += [written(line) for line in lines]
    preferred = [line for line in lines_of(best, []) if line.text]
    if preferred:
        text += ["", f"# What {arguments.rather} refuses of these, and runs on the CPU.", *(f"rather {written(line, says_why=False)}" for line in preferred)]
    provider = PROVIDERS.get(arguments.runtime)
    path = HERE.parent / f"{arguments.name}.target"
    in_file = path.read_text() if path.exists() else ""
    own = kernels_beside_onnx(arguments.python, provider) if provider else []
    if provider and not own and OWN_BY_TABLE in in_file:
        own = in_file[in_file.index(OWN_BY_TABLE):].split("\n\n")[0].splitlines()
        text += ["", *own]
    elif provider:
        text += ["", "# Operators of its own, which it has kernels for.", *own]
    # What a line adds to the condition of an operator of the runtime's own is nothing where the runtime does not tell that it has it.
    names = {line.split()[0] for line in own}
    found = [line for line in found if not line.startswith("com.microsoft::") or line.split()[0] in names]
    if found:
        text += ["", "# Found with larger models.", *found]
    _, head, types = in_file.partition(ELEMENT_TYPES)
    path.write_text("\n".join(text) + "\n" + ("\n" + head + types if head else ""))
    print(f"{arguments.name}: {asked} models, {taken} taken, {len(lines)} lines")


if __name__ == "__main__":
    main()
