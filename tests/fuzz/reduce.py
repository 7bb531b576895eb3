# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Makes what a fuzzer has found small: reduce.py TARGET INPUT OUTPUT leaves out of a model, or of a text line by line and character by character, whatever is not needed to
fail for the same reason. It wants build-fuzz/onnx-lower-fuzz, or what ONNX_LOWER_FUZZ names."""
from __future__ import annotations

import functools
import operator
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import onnx
from google.protobuf.message import Message

FUZZER = os.environ.get("ONNX_LOWER_FUZZ", str(pathlib.Path(__file__).resolve().parents[2] / "build-fuzz" / "onnx-lower-fuzz"))


def reason(target: str, content: bytes) -> str:
    """Why the fuzzer ends, in words that do not change with names and numbers; empty when it does not."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        run = subprocess.run([FUZZER, f"--target={target}", "-timeout=5", "-rss_limit_mb=1024", file.name], capture_output=True)
    if run.returncode == 0:
        return ""
    output = run.stderr.decode(errors="replace")
    line = re.search(r"^onnx-lower-fuzz: .*|ERROR: .*|what\(\): .*|runtime error: .*", output, re.M)
    place = re.search(r" in (onnx_lower::(?!fuzz)\S+)", output)
    words = re.sub(r"'[^']*'|node name: [^)]*|[0-9a-fx/.]*\d[0-9a-fx/.]*", "_", line[0] if line else "")
    return f"{words} {place[1] if place and 'onnx-lower-fuzz: ' not in words else ''}"


Candidates = list[Callable[[], bytes]]


def smaller_models(content: bytes) -> Candidates:
    """Each without one part; the largest parts come first."""
    model = onnx.ModelProto.FromString(content)

    def paths(message: Message, path: tuple) -> Iterator[tuple[int, tuple]]:
        for field, value in message.ListFields():
            for index in reversed(range(len(value) if field.is_repeated else 1)):
                here = (*path, (field.name, index if field.is_repeated else None))
                part = value[index] if field.is_repeated else value
                is_message = field.type == field.TYPE_MESSAGE
                yield part.ByteSize() if is_message else 1, here
                if is_message:
                    yield from paths(part, here)

    def without(path: tuple) -> bytes:
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        message = copy
        for name, index in path[:-1]:
            message = getattr(message, name) if index is None else getattr(message, name)[index]
        name, index = path[-1]
        if index is None:
            message.ClearField(name)
        else:
            del getattr(message, name)[index]
        return copy.SerializePartialToString()

    found = sorted(paths(model, ()), key=lambda entry: -entry[0])
    return [functools.partial(without, path) for _, path in found]


def smaller_texts(content: bytes) -> Candidates:
    lines = content.splitlines(keepends=True)
    candidates = [functools.partial(b"".join, lines[:index] + lines[index + 1 :]) for index in range(len(lines))]
    step = max(len(content) // 2, 1)
    while step >= 1:
        candidates += [functools.partial(operator.add, content[:start], content[start + step :]) for start in range(0, len(content), step)]
        step //= 2
    return candidates


def reduced(content: bytes, smaller: Callable[[bytes], Candidates], fails: Callable[[bytes], bool]) -> bytes:
    progress = True
    while progress:
        progress = False
        candidates, index = smaller(content), 0
        while index < len(candidates):
            candidate = candidates[index]()
            if len(candidate) < len(content) and fails(candidate):
                content, progress = candidate, True
                print(len(content), "bytes", flush=True)
                candidates = smaller(content)  # what came behind has moved up to this place
            else:
                index += 1
    return content


def main(target: str, source: str, destination: str) -> None:
    content = pathlib.Path(source).read_bytes()
    why = reason(target, content)
    if not why:
        sys.exit("it does not fail")
    print(why)

    try:
        is_model = target == "model" and reason(target, onnx.ModelProto.FromString(content).SerializePartialToString()) == why
    except Exception:
        is_model = False
    content = reduced(content, smaller_models if is_model else smaller_texts, lambda candidate: reason(target, candidate) == why)
    pathlib.Path(destination).write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
