#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Fetches the models that models.tsv lists, by the ordinary clients of the registries that hold them.

  fetch.py FOLDER                          all that is not there yet
  fetch.py FOLDER --only 'pip/rapidocr*'   those of some packages
  fetch.py --list pip magika 1.0.3         the lines of models.tsv for the .onnx files of a package

A model lies in FOLDER/REGISTRY/PACKAGE/PATH, and is there only if its SHA-256 is that of the list. Needed are the clients of the registries that are asked: pip, npm, cargo, mvn, go."""
from __future__ import annotations

import argparse
import csv
import dataclasses
import fnmatch
import hashlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator

LIST = pathlib.Path(__file__).resolve().parent / "models.tsv"
MINUTES_FOR_A_PACKAGE = 10


class NotFetchedError(Exception):
    """Says of which package, and what its client said."""


@dataclasses.dataclass(frozen=True, order=True)
class Model:
    """A line of the list."""

    registry: str
    package: str
    version: str
    path: str  # in the package
    size: int
    sha256: str

    @property
    def name(self) -> str:
        return f"{self.registry}/{self.package}/{self.path}"

    @property
    def origin(self) -> str:
        return f"{self.registry}/{self.package}"

    def row(self) -> list[str]:
        return [str(value) for value in dataclasses.astuple(self)]


FIELDS = [field.name for field in dataclasses.fields(Model)]


def listed() -> list[Model]:
    with LIST.open(newline="") as stream:
        rows = csv.DictReader((line for line in stream if not line.startswith("#")), delimiter="\t")
        return [Model(**{**row, "size": int(row["size"])}) for row in rows]


def ask_client(command: list[str], cwd: pathlib.Path) -> str:
    """What the client prints."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=60 * MINUTES_FOR_A_PACKAGE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotFetchedError(f"{' '.join(command)}: {error}") from error
    if done.returncode:
        raise NotFetchedError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout


def only_file(folder: pathlib.Path, pattern: str) -> pathlib.Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise NotFetchedError(f"one file {pattern} was expected, and there are {len(found)}")
    return found[0]


def by_pip(package: str, version: str, folder: pathlib.Path) -> pathlib.Path:
    # A package's models do not depend on the Python that asks, and no setup.py is run.
    ask_client([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--dest", ".", f"{package}=={version}"], folder)
    return only_file(folder, "*.whl")


def by_npm(package: str, version: str, folder: pathlib.Path) -> pathlib.Path:
    ask_client(["npm", "pack", "--silent", "--ignore-scripts", f"{package}@{version}"], folder)
    return only_file(folder, "*.tgz")


def by_cargo(package: str, version: str, folder: pathlib.Path) -> pathlib.Path:
    # Of what cargo tells, it fetches this package and none that it depends on.
    ask_client(["cargo", "info", "--quiet", f"{package}@{version}"], folder)
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    return only_file(home / "registry" / "cache", f"*/{package}-{version}.crate")


def by_maven(package: str, version: str, folder: pathlib.Path) -> pathlib.Path:
    ask_client(["mvn", "--quiet", "--batch-mode", "dependency:copy", f"-Dartifact={package}:{version}", f"-DoutputDirectory={folder}"], folder)
    return only_file(folder, "*.jar")


def by_go(package: str, version: str, folder: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(json.loads(ask_client(["go", "mod", "download", "-json", f"{package}@{version}"], folder))["Zip"])


CLIENTS: dict[str, Callable[[str, str, pathlib.Path], pathlib.Path]] = {"pip": by_pip, "npm": by_npm, "cargo": by_cargo, "maven": by_maven, "go": by_go}


def files_in(archive: pathlib.Path, above: str) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The paths of the files, and how each is read. `above`: the folder that some kinds of archives have all files in."""
    def inside(path: str) -> str:
        return path.removeprefix(above)

    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                yield inside(entry.filename), lambda entry=entry: opened.read(entry)
    else:
        with tarfile.open(archive) as opened:
            for member in opened:
                if member.isfile():
                    yield inside(member.name), lambda member=member: opened.extractfile(member).read()


def files_of(registry: str, package: str, version: str, folder: pathlib.Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    above = {"npm": "package/", "cargo": f"{package}-{version}/", "go": f"{package}@{version}/"}.get(registry, "")
    return files_in(CLIENTS[registry](package, version, folder), above)


def print_list(registry: str, package: str, version: str) -> None:
    """Without what has parts in files beside it, which would be fetched without them, and what is none for all its name."""
    import google.protobuf.message
    import onnx

    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    with tempfile.TemporaryDirectory() as folder:
        for path, read in files_of(registry, package, version, pathlib.Path(folder)):
            if not path.endswith(".onnx"):
                continue
            data = read()
            try:
                model = onnx.load_from_string(data)
            except google.protobuf.message.DecodeError:
                continue
            if model.graph.node and not any(tensor.data_location == onnx.TensorProto.EXTERNAL for tensor in model.graph.initializer):
                writer.writerow(Model(registry, package, version, path, len(data), hashlib.sha256(data).hexdigest()).row())


def is_there(model: Model, folder: pathlib.Path) -> bool:
    path = folder / model.name
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == model.sha256


def write_at_once(path: pathlib.Path, data: bytes) -> None:
    """So that nobody who looks meanwhile finds half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
        stream.write(data)
    os.replace(stream.name, path)


def fetch(models: list[Model], folder: pathlib.Path) -> list[str]:
    """What could not be fetched, and why. A package is asked for once."""
    failed = []
    for (registry, package, version), group in itertools.groupby(sorted(models), lambda model: (model.registry, model.package, model.version)):
        wanted = {model.path: model for model in group if not is_there(model, folder)}
        if not wanted:
            continue
        try:
            with tempfile.TemporaryDirectory() as temporary:
                for path, read in files_of(registry, package, version, pathlib.Path(temporary)):
                    if path not in wanted:
                        continue
                    data, model = read(), wanted[path]
                    found = hashlib.sha256(data).hexdigest()
                    if found != model.sha256:
                        failed.append(f"{model.name}: its SHA-256 is {found}")
                    else:
                        write_at_once(folder / model.name, data)
                    del wanted[path]
            failed += [f"{model.name}: version {version} of the package has no such file" for model in wanted.values()]
        except NotFetchedError as error:
            failed.append(f"{registry}/{package} {version}: {error}")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="where the models lie")
    parser.add_argument("--only", default="*", help="a pattern of REGISTRY/PACKAGE/PATH")
    parser.add_argument("--list", nargs=3, metavar=("REGISTRY", "PACKAGE", "VERSION"))
    arguments = parser.parse_args()
    if arguments.list:
        print_list(*arguments.list)
        return
    if not arguments.folder:
        parser.error("name the folder for the models, as in: fetch.py build/real")
    models = [model for model in listed() if fnmatch.fnmatch(model.name, arguments.only)]
    failed = fetch(models, arguments.folder)
    print("\n".join(failed), file=sys.stderr)
    print(f"{len(models) - len(failed)} of {len(models)} models are in {arguments.folder}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
