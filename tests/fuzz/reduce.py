"""Makes what a fuzzer has found small: reduce.py TARGET INPUT OUTPUT leaves out of a model, or of a text line by line and character by character, whatever is not needed to
fail for the same reason. It wants build-fuzz/onnx-lower-fuzz, or what ONNX_LOWER_FUZZ names."""
from __future__ import annotations

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


def smaller_models(model: onnx.ModelProto) -> Iterator[onnx.ModelProto]:
    """Copies, each without a part; where nothing is left out for long, they get nearer to the leaves."""

    def paths(message: Message, path: tuple) -> Iterator[tuple]:
        inner = []
        for field, value in message.ListFields():
            count = len(value) if field.is_repeated else 1
            for index in reversed(range(count)):
                here = (*path, (field.name, index if field.is_repeated else None))
                yield here
                if field.type == field.TYPE_MESSAGE:
                    inner.append((value[index] if field.is_repeated else value, here))
        for child, here in inner:
            yield from paths(child, here)

    for path in list(paths(model, ())):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        message = copy
        try:
            for name, index in path[:-1]:
                value = getattr(message, name)
                message = value if index is None else value[index]
            name, index = path[-1]
            if index is None:
                message.ClearField(name)
            else:
                del getattr(message, name)[index]
        except IndexError:
            continue
        yield copy


def smaller_texts(text: bytes) -> Iterator[bytes]:
    lines = text.splitlines(keepends=True)
    for index in range(len(lines)):
        yield b"".join(lines[:index] + lines[index + 1 :])
    step = max(len(text) // 2, 1)
    while step >= 1:
        for start in range(0, len(text), step):
            yield text[:start] + text[start + step :]
        step //= 2


def reduced(content: bytes, smaller: Callable[[bytes], Iterator[bytes]], fails: Callable[[bytes], bool]) -> bytes:
    while True:
        for candidate in smaller(content):
            if len(candidate) < len(content) and fails(candidate):
                content = candidate
                print(len(content), "bytes", flush=True)
                break
        else:
            return content


def main(target: str, source: str, destination: str) -> None:
    content = pathlib.Path(source).read_bytes()
    why = reason(target, content)
    if not why:
        sys.exit("it does not fail")
    print(why)

    def models(bytes_: bytes) -> Iterator[bytes]:
        return (model.SerializePartialToString() for model in smaller_models(onnx.ModelProto.FromString(bytes_)))

    try:
        is_model = target == "model" and reason(target, onnx.ModelProto.FromString(content).SerializePartialToString()) == why
    except Exception:
        is_model = False
    content = reduced(content, models if is_model else smaller_texts, lambda candidate: reason(target, candidate) == why)
    pathlib.Path(destination).write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
