# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models above 2 GiB, which no parser of protobuf reads: made with holes, which take no space, and with bytes to be found again at both ends of each tensor."""
from __future__ import annotations

import os
import pathlib
import resource
import time

import onnx
import pytest
import tool
from external_tensors import all_tensors, entries, is_external, model_of, place
from onnx import TensorProto, helper
from wire_variants import varint

pytestmark = pytest.mark.on_disk

GIGABYTE = 10**9
# In bytes; each is a tensor of its own.
SIZES = [2 * GIGABYTE, 3 * GIGABYTE, 40_000]


def head(number: int, length: int) -> bytes:
    """The tag and the length of a field."""
    return varint(number << 3 | 2) + varint(length)


def mark(index: int, end: str) -> bytes:
    return f"<{index} {end}>".ljust(16).encode()


def nodes() -> list[onnx.NodeProto]:
    """y = cstThreshold(x), and the weights are looked at."""
    made = [helper.make_node("cstThreshold", ["x"], ["y"], domain="rknn_cst", threshold=0.5, value=20.0)]
    return made + [helper.make_node("Shape", [f"w{i}"], [f"s{i}"]) for i in range(len(SIZES))]


def write_single_file(path: pathlib.Path, in_constant: bool = False) -> None:
    """5 GB of weights inside of the model, the first of them in a Constant node if asked for."""
    model = model_of([], nodes(), imports=[helper.make_opsetid("rknn_cst", 1)])
    graph = model.graph.SerializeToString()
    model.ClearField("graph")
    heads = []
    for index, size in enumerate(SIZES):
        tensor = TensorProto(name=f"w{index}", data_type=TensorProto.UINT8, dims=[size]).SerializeToString() + head(TensorProto.RAW_DATA_FIELD_NUMBER, size)
        if in_constant and index == 0:
            length = len(tensor) + size
            attribute = onnx.AttributeProto(name="value", type=onnx.AttributeProto.TENSOR).SerializeToString() + head(onnx.AttributeProto.T_FIELD_NUMBER, length)
            length += len(attribute)
            node = onnx.NodeProto(op_type="Constant", output=["w0"]).SerializeToString() + head(onnx.NodeProto.ATTRIBUTE_FIELD_NUMBER, length)
            heads.append(head(onnx.GraphProto.NODE_FIELD_NUMBER, len(node) + length) + node + attribute + tensor)
        else:
            heads.append(head(onnx.GraphProto.INITIALIZER_FIELD_NUMBER, len(tensor) + size) + tensor)
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
        file.write(head(onnx.ModelProto.GRAPH_FIELD_NUMBER, len(graph) + sum(map(len, heads)) + sum(SIZES)))
        for index, (before, size) in enumerate(zip(heads, SIZES)):
            file.write(before + mark(index, "begin"))
            file.seek(size - 32, os.SEEK_CUR)
            file.write(mark(index, "end"))
        file.write(graph)


def write_external(path: pathlib.Path) -> None:
    path.parent.mkdir(exist_ok=True)
    tensors, offset = [], 0
    with open(path.with_name("w.bin"), "wb") as file:
        for index, size in enumerate(SIZES):
            tensors.append(place(TensorProto(name=f"w{index}", data_type=TensorProto.UINT8, dims=[size]), "w.bin", offset, size))
            file.seek(offset)
            file.write(mark(index, "begin"))
            file.seek(offset + size - 16)
            file.write(mark(index, "end"))
            offset += size
    onnx.save(model_of(tensors, nodes(), imports=[helper.make_opsetid("rknn_cst", 1)]), path)


def assert_holds_the_weights(path: pathlib.Path) -> None:
    """By reading the first and the last bytes of each; and the tool accepts what it wrote."""
    tensors = {t.name: t for t in all_tensors(onnx.load(path, load_external_data=False)) if is_external(t)}
    assert len(tensors) == len(SIZES)
    for index, size in enumerate(SIZES):
        tensor = tensors[f"w{index}"]
        where = entries(tensor)
        offset = int(where["offset"])
        assert int(where["length"]) == size == tensor.dims[0]
        with open(path.with_name(where["location"]), "rb") as file:
            file.seek(offset)
            assert file.read(16) == mark(index, "begin")
            file.seek(offset + size - 16)
            assert file.read(16) == mark(index, "end")
    assert tool.run(["--check", path]).status == tool.DONE


def run_small(arguments: list, status: int = tool.DONE) -> tool.Run:
    """Little memory and little disk, of which a copy without holes would take 5 GB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    start = time.monotonic()
    result = tool.run(arguments, timeout=60)
    assert result.status == status, str(result)
    assert time.monotonic() - start < 30
    # The largest child so far; a sanitizer's shadow memory is its own.
    if before < 200_000:
        assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 200_000
    return result


def blocks(folder: pathlib.Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def small(tmp_path: pathlib.Path):
    yield tmp_path
    # Not kept by pytest, like other tests' files are: whoever copies them may not know of holes.
    taken = blocks(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.unlink()
    assert taken < 50_000_000


@pytest.mark.parametrize("in_constant", [False, True])
def test_a_single_file_of_5_gb(small: pathlib.Path, in_constant: bool) -> None:
    source, out = small / "in.onnx", small / "out.onnx"
    write_single_file(source, in_constant)
    assert source.stat().st_size > 5 * GIGABYTE
    for mode in ("keep", "embed"):
        result = run_small([source, "-o", out, "--external-data", mode], tool.FILE_ERROR)
        assert "out.onnx: would be 5" in result.stderr and "--external-data split" in result.stderr
    result = run_small([source, "-o", small / "out.onnxtxt"], tool.FILE_ERROR)
    assert os.listdir(small) == ["in.onnx"]
    result = run_small([source, "-o", out, "--external-data", "split"])
    assert "cstThreshold 1" in result.stderr
    assert sorted(os.listdir(small)) == ["in.onnx", "out.onnx", "out.onnx.data"]
    assert out.stat().st_size < 10_000 and out.with_name("out.onnx.data").stat().st_size >= sum(SIZES)
    assert_holds_the_weights(out)
    assert all(int(entries(t)["offset"]) % 65536 == 0 for t in all_tensors(onnx.load(out, load_external_data=False)) if is_external(t) and t.dims[0] > GIGABYTE)
    # Over itself, and once more.
    run_small([source, "-o", source, "--external-data", "split"])
    assert_holds_the_weights(source)
    data = source.with_name("in.onnx.data").stat()
    run_small([source, "-o", source, "--external-data", "split"])
    assert source.with_name("in.onnx.data").stat() == data


def test_external_data_of_5_gb(small: pathlib.Path) -> None:
    source = small / "in" / "model.onnx"
    write_external(source)
    (small / "out").mkdir()
    run_small([source, "-o", small / "in" / "same.onnx"])
    assert_holds_the_weights(small / "in" / "same.onnx")
    for mode in ("keep", "split"):
        out = small / "out" / f"{mode}.onnx"
        run_small([source, "-o", out, "--external-data", mode])
        assert_holds_the_weights(out)
    result = run_small([source, "-o", small / "out" / "embed.onnx", "--external-data", "embed"], tool.FILE_ERROR)
    assert "--external-data split" in result.stderr
    assert sorted(os.listdir(small / "out")) == ["keep.onnx", "split.onnx", "split.onnx.data", "w.bin"]


def test_the_limit_is_2_gib(small: pathlib.Path) -> None:
    """To the byte: what has 2^31 - 1 is written, what has one more is not."""
    model = model_of([]).SerializeToString()
    for beyond in (0, 1):
        size = 2**31 - 1 + beyond
        with open(small / "in.onnx", "wb") as file:
            file.write(model)
            room = size - len(model)
            field = head(onnx.ModelProto.DOC_STRING_FIELD_NUMBER, room - 6)
            assert len(field) == 6
            file.write(field)
            file.truncate(size)
        # Two gigabytes are written, for which a busy disk takes its time.
        result = tool.run([small / "in.onnx", "-o", small / "out.onnx"], timeout=600)
        assert result.status == (tool.FILE_ERROR if beyond else tool.DONE), str(result)
        if beyond:
            assert not (small / "out.onnx").exists()
        else:
            assert (small / "out.onnx").stat().st_size == size
            (small / "out.onnx").unlink()
