# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--external-data keep, embed and split: what a model's tensors hold stays what it was, wherever it is put."""
from __future__ import annotations

import os
import json
import pathlib
import pty
import resource
import shutil
import subprocess
import time

import external_tensors as external
import numpy as np
import onnx
import onnxruntime
import pytest
import tool
import wire_models
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.on_disk

THRESHOLD = helper.make_node("cstThreshold", ["s"], ["y"], domain="rknn_cst", threshold=0.5, value=20.0)
CUSTOM = [helper.make_opsetid("rknn_cst", 1)]


@pytest.mark.parametrize("mode", ["embed", "split"])
def test_the_name_of_the_data_in_another_folder(tmp_path: pathlib.Path, mode: str) -> None:
    """Data in ./out.onnx are in nobody's way in sub/, unless they go along."""
    given = save_external(weights_model(), tmp_path / "model.onnx", "out.onnx")
    before = (tmp_path / "out.onnx").read_bytes()
    output = tmp_path / "sub" / "out.onnx"
    output.parent.mkdir()
    result = tool.run([given, "-o", output])
    assert_refused(result, tool.WRONG_USAGE, "by the external data of the output", "--external-data embed")
    assert "lie in this file" not in result.stderr and not files(output.parent)
    lowered([given, "-o", output, "--external-data", mode])
    run_weights(output)
    assert (tmp_path / "out.onnx").read_bytes() == before


def floats(name: str, count: int, first: int = 0) -> TensorProto:
    return numpy_helper.from_array(np.arange(first, first + count, dtype=np.float32), name)


def weights_model(size: int = 4096) -> onnx.ModelProto:
    """y = cstThreshold(x + w), to be lowered."""
    return external.model_of([floats("w", size)], [helper.make_node("Add", ["x", "w"], ["s"]), THRESHOLD], imports=CUSTOM)


def save_external(model: onnx.ModelProto, path: pathlib.Path, location: str = "w.bin") -> pathlib.Path:
    """As onnx itself does it; the model stays as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    onnx.save(copy, path, save_as_external_data=True, location=location, size_threshold=0)
    return path


def lowered(arguments: list, **options) -> tool.Run:
    result = tool.run(arguments, **options)
    assert result.status == tool.DONE, str(result)
    return result


def files(folder: pathlib.Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def assert_refused(result: tool.Run, status: int, *words: str) -> None:
    tool.assert_clean_refusal(result, status)
    for word in words:
        assert word in result.stderr, str(result)


# What the modes do.


@pytest.fixture
def given(tmp_path: pathlib.Path) -> pathlib.Path:
    return save_external(weights_model(), tmp_path / "in" / "model.onnx")


def run_weights(path: pathlib.Path) -> None:
    x = np.full(4096, -3, np.float32)
    expected = np.where(np.arange(4096) - 3 <= 0.5, 20, np.arange(4096) - 3).astype(np.float32)
    import onnxruntime
    import openvino

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    np.testing.assert_array_equal(session.run(None, {"x": x})[0], expected)
    np.testing.assert_array_equal(openvino.Core().compile_model(str(path), "CPU")({"x": x})[0], expected)


def test_keep_in_the_same_folder(given: pathlib.Path) -> None:
    data = given.with_name("w.bin").stat()
    lowered([given, "-o", given.with_name("out.onnx")])
    assert files(given.parent) == {"model.onnx", "w.bin", "out.onnx"}
    assert given.with_name("w.bin").stat() == data
    run_weights(given.with_name("out.onnx"))


def test_keep_in_another_folder(given: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "out").mkdir()
    for _ in range(2):  # the second time the data are there already
        lowered([given, "-o", tmp_path / "out" / "model.onnx", "--external-data", "keep"])
        assert files(tmp_path / "out") == {"model.onnx", "w.bin"}
        run_weights(tmp_path / "out" / "model.onnx")


def test_embed(given: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "out").mkdir()
    lowered([given, "-o", tmp_path / "out" / "model.onnx", "--external-data", "embed"])
    assert files(tmp_path / "out") == {"model.onnx"}
    run_weights(tmp_path / "out" / "model.onnx")


@pytest.mark.parametrize("is_external", [False, True])
def test_split(given: pathlib.Path, tmp_path: pathlib.Path, is_external: bool) -> None:
    (tmp_path / "out").mkdir()
    if not is_external:
        onnx.save(weights_model(), given)
    lowered([given, "-o", tmp_path / "out" / "model.onnx", "--external-data", "split"])
    assert files(tmp_path / "out") == {"model.onnx", "model.onnx.data"}
    (tensor,) = (t for t in external.all_tensors(onnx.load(tmp_path / "out" / "model.onnx", load_external_data=False)) if external.is_external(t))
    assert external.entries(tensor) == {"location": "model.onnx.data", "offset": "0", "length": "16384"}
    run_weights(tmp_path / "out" / "model.onnx")


def test_split_spares_the_data_of_another_model(given: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    arguments = [given, "-o", folder / "model.onnx", "--external-data", "split"]
    (folder / "model.onnx.data").write_bytes(b"weights of somebody else")
    result = tool.run(arguments)
    assert_refused(result, tool.FILE_ERROR, "model.onnx.data", "another model's", "another name")
    assert files(folder) == {"model.onnx.data"} and (folder / "model.onnx.data").read_bytes() == b"weights of somebody else"
    (folder / "model.onnx.data").unlink()
    lowered(arguments)
    # They are this model's own now: the same again, and without the model too.
    lowered(arguments)
    (folder / "model.onnx").unlink()
    lowered(arguments)
    run_weights(folder / "model.onnx")


def test_split_is_aligned_and_has_the_large_tensors_only(tmp_path: pathlib.Path) -> None:
    sizes = {"small": 255, "least": 256, "page": 1 << 14, "odd": 1001, "large": 1 << 18, "last": 300}
    onnx.save(external.model_of([floats(name, count, 7) for name, count in sizes.items()]), tmp_path / "in.onnx")
    lowered([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--external-data", "split"])
    end = 0
    for tensor in external.all_tensors(onnx.load(tmp_path / "out.onnx", load_external_data=False)):
        size = 4 * sizes[tensor.name]
        assert external.is_external(tensor) == (size >= 1024)
        if not external.is_external(tensor):
            continue
        offset, length = (int(external.entries(tensor)[key]) for key in ("offset", "length"))
        assert length == size and offset % (65536 if size >= 1 << 20 else 4096 if size >= 65536 else 64) == 0
        assert end <= offset < end + 65536
        end = offset + length
    assert (tmp_path / "out.onnx.data").stat().st_size == end
    assert external.content(tmp_path / "out.onnx") == external.content(tmp_path / "in.onnx")
    assert onnx.load(tmp_path / "out.onnx").graph.initializer[4].raw_data == floats("", 1 << 18, 7).raw_data


def test_what_is_shared_stays_shared(tmp_path: pathlib.Path) -> None:
    """Two tensors of one range, two that overlap, and one under another name of the file."""
    data = np.arange(4096, dtype=np.float32)
    (tmp_path / "w.bin").write_bytes(data.tobytes())
    ranges = {"a": ("w.bin", 4096, 8192), "b": ("./w.bin", 4096, 8192), "c": ("w.bin", 8192, 8192), "d": ("w.bin", 0, 1024)}
    tensors = [external.place(floats(name, length // 4), location, offset, length) for name, (location, offset, length) in ranges.items()]
    onnx.save(external.model_of(tensors), tmp_path / "in.onnx")
    lowered([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--external-data", "split"])
    assert (tmp_path / "out.onnx.data").stat().st_size == 12288 + 1024
    assert external.content(tmp_path / "out.onnx") == external.content(tmp_path / "in.onnx")
    a, b, c, d = (int(external.entries(t)["offset"]) for t in onnx.load(tmp_path / "out.onnx", load_external_data=False).graph.initializer)
    assert (a, b, c, d) == (0, 0, 4096, 12288)


def test_split_takes_typed_data_too(tmp_path: pathlib.Path) -> None:
    count = 1200
    tensors = []
    for data_type in (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT8, TensorProto.INT64, TensorProto.UINT32, TensorProto.FLOAT16, TensorProto.FLOAT6E2M3, TensorProto.INT4, TensorProto.COMPLEX64):
        name = TensorProto.DataType.Name(data_type)
        numbers = [i % 5 for i in range(count)]
        tensor = TensorProto(name=name, data_type=data_type, dims=[count])
        if data_type == TensorProto.FLOAT:
            tensor.float_data.extend(numbers)
        elif data_type == TensorProto.COMPLEX64:
            tensor.float_data.extend(numbers + numbers)
        elif data_type == TensorProto.DOUBLE:
            tensor.double_data.extend(numbers)
        elif data_type == TensorProto.INT64:
            tensor.int64_data.extend([-n for n in numbers])
        elif data_type == TensorProto.UINT32:
            tensor.uint64_data.extend(numbers)
        elif data_type == TensorProto.INT4:
            tensor.dims[0] = 4 * count
            tensor.int32_data.extend([n * 16 + 3 for n in numbers + numbers])
        else:
            tensor.int32_data.extend([-n if data_type == TensorProto.INT8 else n * 7 for n in numbers])
        if data_type == TensorProto.FLOAT6E2M3:
            tensor.dims[0] = 2 * count
            tensor.int32_data.extend(numbers)
        tensors.append(tensor)
    onnx.save(external.model_of(tensors), tmp_path / "in.onnx")
    lowered([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--external-data", "split"])
    out = onnx.load(tmp_path / "out.onnx", load_external_data=False)
    assert all(external.is_external(tensor) for tensor in out.graph.initializer)
    assert external.content(tmp_path / "out.onnx") == external.content(tmp_path / "in.onnx")


def test_more_files_than_a_process_may_open(tmp_path: pathlib.Path) -> None:
    tensors = [floats(f"w{i}", 8, i) for i in range(600)]
    (tmp_path / "in").mkdir()
    onnx.save(external.model_of(tensors), tmp_path / "in" / "model.onnx", save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)
    assert len(files(tmp_path / "in")) == 601
    before = external.content(tmp_path / "in" / "model.onnx")
    for mode in ("keep", "embed", "split"):
        (tmp_path / mode).mkdir()
        lowered(
            [tmp_path / "in" / "model.onnx", "-o", tmp_path / mode / "model.onnx", "--external-data", mode],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1])),
        )
        assert external.content(tmp_path / mode / "model.onnx") == before


def test_many_models_may_share_one_file(tmp_path: pathlib.Path) -> None:
    for name in ("a", "b"):
        save_external(weights_model(), tmp_path / name / f"{name}.onnx")
    (tmp_path / "out").mkdir()
    lowered([tmp_path / "a" / "a.onnx", "-o", tmp_path / "out" / "a.onnx"])
    lowered([tmp_path / "b" / "b.onnx", "-o", tmp_path / "out" / "b.onnx"])
    run_weights(tmp_path / "out" / "a.onnx")
    # Another file of the same name is another model's, and stays.
    save_external(weights_model(5000), tmp_path / "c" / "c.onnx")
    result = tool.run([tmp_path / "c" / "c.onnx", "-o", tmp_path / "out" / "c.onnx"])
    assert_refused(result, tool.FILE_ERROR, "out/w.bin", "split or embed")
    assert files(tmp_path / "out") == {"a.onnx", "b.onnx", "w.bin"}
    run_weights(tmp_path / "out" / "a.onnx")


# In place.


@pytest.mark.parametrize("mode", ["keep", "embed", "split"])
def test_in_place(given: pathlib.Path, mode: str) -> None:
    lowered([given, "-o", given, "--external-data", mode])
    assert files(given.parent) == {"model.onnx", "w.bin"} | ({"model.onnx.data"} if mode == "split" else set())
    run_weights(given)


def test_in_place_where_the_data_file_has_the_name_of_the_new_one(tmp_path: pathlib.Path) -> None:
    """Read and written in one run; and once the layout is that of split, a further run leaves the file alone."""
    path = save_external(external.model_of([floats("odd", 333), floats("w", 1 << 15)]), tmp_path / "model.onnx", "model.onnx.data")
    before = external.content(path)
    lowered([path, "-o", path, "--external-data", "split"])
    assert files(tmp_path) == {"model.onnx", "model.onnx.data"}
    assert external.content(path) == before
    assert [external.entries(t)["offset"] for t in onnx.load(path, load_external_data=False).graph.initializer] == ["0", "4096"]
    model, data = path.read_bytes(), path.with_name("model.onnx.data").stat()
    lowered([path, "-o", path, "--external-data", "split"])
    after = path.with_name("model.onnx.data").stat()
    assert path.read_bytes() == model and (after.st_ino, after.st_mtime_ns) == (data.st_ino, data.st_mtime_ns)


def test_data_of_the_input_are_no_output(given: pathlib.Path) -> None:
    before = {name: (given.parent / name).read_bytes() for name in files(given.parent)}
    given.with_name("w.bin").rename(given.with_name("out.onnx.data"))
    model = onnx.load(given, load_external_data=False)
    model.graph.initializer[0].external_data[0].value = "out.onnx.data"
    onnx.save(model, given)
    result = tool.run([given, "-o", given.with_name("out.onnx"), "--external-data", "split"])
    assert given.with_name("out.onnx.data").read_bytes() == before["w.bin"]
    # Copied there as it is, it would be the same file; here it already is.
    if result.status != tool.DONE:
        assert_refused(result, tool.FILE_ERROR, "out.onnx.data")
    result = tool.run([given, "-o", given.with_name("out.onnx.data")])
    assert_refused(result, tool.WRONG_USAGE, "out.onnx.data", "would be overwritten")
    assert given.with_name("out.onnx.data").read_bytes() == before["w.bin"]


@pytest.mark.parametrize("mode", ["keep", "split"])
def test_what_is_in_the_way_of_the_data(given: pathlib.Path, tmp_path: pathlib.Path, mode: str) -> None:
    (tmp_path / "out" / "w.bin").mkdir(parents=True)
    (tmp_path / "out" / "model.onnx.data").mkdir()
    result = tool.run([given, "-o", tmp_path / "out" / "model.onnx", "--external-data", mode])
    assert_refused(result, tool.FILE_ERROR, "in the way", "w.bin" if mode == "keep" else "model.onnx.data")
    assert not files(tmp_path / "out")


@pytest.mark.parametrize("size", [0, 300])
def test_data_that_lie_there_already_are_in_nobodys_way(tmp_path: pathlib.Path, size: int) -> None:
    """Those of another model, byte for byte the same."""
    path = tmp_path / "in" / "model.onnx"
    for folder in ("in", "out"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "w.bin").write_bytes(floats("", size).raw_data)
    onnx.save(external.model_of([external.place(floats("v", size), "w.bin")]), path)
    lowered([path, "-o", tmp_path / "out" / "model.onnx"])
    assert files(tmp_path / "out") == {"model.onnx", "w.bin"}
    (tmp_path / "out" / "model.onnx").unlink()
    (tmp_path / "out" / "w.bin").write_bytes(b"another")
    assert_refused(tool.run([path, "-o", tmp_path / "out" / "model.onnx"]), tool.FILE_ERROR, "w.bin")
    assert (tmp_path / "out" / "w.bin").read_bytes() == b"another"


def test_folders_that_were_made_for_nothing_go_again(tmp_path: pathlib.Path) -> None:
    """The second file does not fit on the disk, after a folder was made for the first."""
    path = tmp_path / "in" / "model.onnx"
    (tmp_path / "in" / "a" / "b").mkdir(parents=True)
    (tmp_path / "in" / "a" / "b" / "small.bin").write_bytes(floats("", 300).raw_data)
    (tmp_path / "in" / "z.bin").write_bytes(floats("", 30_000).raw_data)
    onnx.save(external.model_of([external.place(floats("v", 300), "a/b/small.bin"), external.place(floats("w", 30_000), "z.bin")]), path)
    (tmp_path / "out").mkdir()
    arguments = [path, "-o", tmp_path / "out" / "model.onnx"]
    result = tool.run(arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)))
    assert_refused(result, tool.FILE_ERROR, "z.bin")
    assert not list((tmp_path / "out").iterdir())
    lowered(arguments)
    assert files(tmp_path / "out") == {"model.onnx", "a/b/small.bin", "z.bin"}


def test_a_pair_is_replaced_by_another(tmp_path: pathlib.Path) -> None:
    """A second run of a pipeline whose input has changed."""
    (tmp_path / "out").mkdir()
    for mode in ("keep", "split", "embed"):
        for size in (4096, 5000, 300):
            path = save_external(weights_model(size), tmp_path / f"in{size}" / "model.onnx")
            lowered([path, "-o", tmp_path / "out" / "model.onnx", "--external-data", mode])
            assert {name: held for name, *_, held in external.content(tmp_path / "out" / "model.onnx")}["w"] == floats("", size).raw_data
    assert files(tmp_path / "out") == {"model.onnx", "model.onnx.data", "w.bin"}


# Paths.


def external_model(location: str, folder: pathlib.Path) -> pathlib.Path:
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(external.model_of([external.place(floats("w", 300), location, 0, 1200)]), folder / "model.onnx")
    return folder / "model.onnx"


@pytest.mark.parametrize("way", ["parent", "absolute", "link", "folder link", "link to link", "there and back"])
def test_locations_that_leave_the_folder(tmp_path: pathlib.Path, way: str) -> None:
    data = floats("", 300).raw_data
    inside = tmp_path / "in"
    (inside / "sub").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "w.bin").write_bytes(data)
    (inside / "w.bin").write_bytes(data)
    (inside / "link").symlink_to("../outside/w.bin")
    (inside / "sub" / "folder").symlink_to("../../outside")
    (inside / "second").symlink_to("sub/third")
    (inside / "sub" / "third").symlink_to(tmp_path / "outside" / "w.bin")
    location = {
        "parent": "../outside/w.bin",
        "absolute": str(inside / "w.bin"),
        "link": "link",
        "folder link": "sub/folder/w.bin",
        "link to link": "second",
        "there and back": "../in/w.bin",
    }[way]
    path = external_model(location, inside)
    out = tmp_path / "out"
    out.mkdir()
    for mode in ("keep", "embed", "split"):
        for arguments in (["--check", path], [path, "-o", out / "model.onnx"]):
            assert_refused(tool.run([*arguments, "--external-data", mode]), tool.INVALID_INPUT, "'w'", location, "--allow-external-paths")
    assert not files(out)
    for mode in ("embed", "split"):
        lowered([path, "-o", out / "model.onnx", "--external-data", mode, "--allow-external-paths"])
        assert external.content(out / "model.onnx") == external.content(path)
        assert not any(".." in entry for t in external.all_tensors(onnx.load(out / "model.onnx", load_external_data=False)) for entry in external.entries(t).values())
    lowered([path, "-o", inside / "same.onnx", "--allow-external-paths"])
    (out / "model.onnx").unlink()
    result = tool.run([path, "-o", out / "model.onnx", "--allow-external-paths"])
    if location.startswith(".."):
        assert_refused(result, tool.FILE_ERROR, location, "split or embed")
        assert not (out / "model.onnx").exists()
    else:
        assert external.content(out / "model.onnx") == external.content(path)
    assert (tmp_path / "outside" / "w.bin").read_bytes() == data


def test_links_inside_the_folder_are_followed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "real.bin").write_bytes(floats("", 300).raw_data)
    (tmp_path / "in" / "link.bin").symlink_to("real.bin")
    (tmp_path / "folder").symlink_to("in")
    path = external_model("link.bin", tmp_path / "folder")
    (tmp_path / "out").mkdir()
    lowered([path, "-o", tmp_path / "out" / "model.onnx"])
    assert external.content(tmp_path / "out" / "model.onnx") == external.content(path)
    assert not (tmp_path / "out" / "link.bin").is_symlink()


def test_the_output_folder_may_not_lead_elsewhere(tmp_path: pathlib.Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "sub" / "w.bin").write_bytes(floats("", 300).raw_data)
    path = external_model("sub/w.bin", tmp_path / "in")
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "sub").symlink_to("../elsewhere")
    assert_refused(tool.run([path, "-o", tmp_path / "out" / "model.onnx"]), tool.FILE_ERROR, "sub/w.bin")
    assert not files(tmp_path / "elsewhere") and not (tmp_path / "out" / "model.onnx").exists()
    (tmp_path / "out" / "sub").unlink()
    lowered([path, "-o", tmp_path / "out" / "model.onnx"])
    assert files(tmp_path / "out") == {"model.onnx", "sub/w.bin"}


def test_a_location_that_goes_through_a_folder(tmp_path: pathlib.Path) -> None:
    """As an exporter that joins paths writes it: readers follow sub/../w.bin through sub, which must be there."""
    data = floats("", 300).raw_data
    path = external_model("sub/deep/../../w.bin", tmp_path / "in")
    (tmp_path / "in" / "w.bin").write_bytes(data)
    assert_refused(tool.run(["--check", path]), tool.FILE_ERROR, "sub/deep/../../w.bin", "not there")
    (tmp_path / "in" / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    output = tmp_path / "out" / "model.onnx"
    for _ in range(2):
        lowered([path, "-o", output])
        assert external.content(output) == external.content(path)
        assert files(tmp_path / "out") == {"model.onnx", "w.bin"} and (tmp_path / "out" / "sub" / "deep").is_dir()
        onnxruntime.InferenceSession(output, providers=["CPUExecutionProvider"])
        # Also where the data are there already, and only the way to them is not.
        (tmp_path / "out" / "sub" / "deep").rmdir()
    # Where the way leads elsewhere, readers would find other data.
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere" / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "out" / "sub").symlink_to(tmp_path / "elsewhere" / "sub")
    assert_refused(tool.run([path, "-o", output]), tool.FILE_ERROR, "sub/deep/../../w.bin", "split or embed")
    assert not output.exists() and not files(tmp_path / "elsewhere")


def test_data_go_along_into_the_current_folder(tmp_path: pathlib.Path) -> None:
    path = external_model("w.bin", tmp_path / "in")
    (tmp_path / "in" / "w.bin").write_bytes(floats("", 300).raw_data)
    for name in ("model.onnx", "./other.onnx"):
        lowered([path, "-o", name], cwd=tmp_path)
        assert external.content(tmp_path / name) == external.content(path)
    assert files(tmp_path) == {"in/model.onnx", "in/w.bin", "model.onnx", "other.onnx", "w.bin"}


@pytest.mark.parametrize("report", ["in/w.bin", "in/./w.bin", "link", "hard"])
def test_a_report_is_not_the_data(tmp_path: pathlib.Path, report: str) -> None:
    path = external_model("w.bin", tmp_path / "in")
    data = floats("", 300).raw_data
    (tmp_path / "in" / "w.bin").write_bytes(data)
    (tmp_path / "link").symlink_to("in/w.bin")
    (tmp_path / "hard").hardlink_to(tmp_path / "in" / "w.bin")
    assert_refused(tool.run([path, "-o", "out.onnx", "--report", report], cwd=tmp_path), tool.WRONG_USAGE, report, "external data")
    assert (tmp_path / "in" / "w.bin").read_bytes() == (tmp_path / "hard").read_bytes() == data and not (tmp_path / "out.onnx").exists()


# Data that are not there.


def broken(where: str, tensor: TensorProto) -> onnx.ModelProto:
    model = external.model_of([])
    constant = helper.make_node("Constant", [], ["c"])
    if where == "initializer":
        model.graph.initializer.append(tensor)
    elif where == "sparse initializer":
        sparse = model.graph.sparse_initializer.add(dims=[400])
        sparse.values.CopyFrom(tensor)
        sparse.indices.CopyFrom(numpy_helper.from_array(np.arange(300)))
    elif where == "indices":
        sparse = model.graph.sparse_initializer.add(dims=[400])
        sparse.values.CopyFrom(floats("s", 150))
        sparse.indices.CopyFrom(tensor)
        sparse.indices.data_type, sparse.indices.dims[0] = TensorProto.INT64, 150
    elif where == "attribute":
        constant.attribute.add(name="value", type=onnx.AttributeProto.TENSOR, t=tensor)
        model.graph.node.insert(0, constant)
    elif where == "list of tensors":
        model.graph.node[0].domain = "acme"
        model.opset_import.append(helper.make_opsetid("acme", 1))
        model.graph.node[0].attribute.add(name="many", type=onnx.AttributeProto.TENSORS, tensors=[floats("o", 3), tensor])
    elif where == "sparse attribute":
        sparse = onnx.SparseTensorProto(dims=[400], values=tensor, indices=numpy_helper.from_array(np.arange(300)))
        constant.attribute.add(name="sparse_value", type=onnx.AttributeProto.SPARSE_TENSOR, sparse_tensor=sparse)
        model.graph.node.insert(0, constant)
    elif where == "subgraph":
        inner = helper.make_graph([helper.make_node("Identity", ["w"], ["z"])], "b", [], [helper.make_tensor_value_info("z", 1, [300])], [tensor])
        model.graph.initializer.append(numpy_helper.from_array(np.array(True), "cond"))
        model.graph.node.append(helper.make_node("If", ["cond"], ["u"], then_branch=inner, else_branch=inner))
    elif where == "function":
        constant.attribute.add(name="value", type=onnx.AttributeProto.TENSOR, t=tensor)
        model.functions.append(helper.make_function("local", "F", [], ["c"], [constant], [helper.make_opsetid("", 18)]))
        model.opset_import.append(helper.make_opsetid("local", 1))
    elif where == "default of a function's attribute":
        function = helper.make_function("local", "F", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])], [helper.make_opsetid("", 18)])
        function.attribute_proto.add(name="value", type=onnx.AttributeProto.TENSOR, t=tensor)
        model.functions.append(function)
        model.opset_import.append(helper.make_opsetid("local", 1))
    else:
        model.training_info.add().algorithm.initializer.append(tensor)
    return model


PLACES = [
    "initializer",
    "sparse initializer",
    "indices",
    "attribute",
    "list of tensors",
    "sparse attribute",
    "subgraph",
    "function",
    "default of a function's attribute",
    "training information",
]


@pytest.mark.parametrize("where", PLACES)
def test_missing_and_short_files_are_found_before_anything_is_written(tmp_path: pathlib.Path, where: str) -> None:
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "model.onnx"
    onnx.save(broken(where, external.place(floats("w", 300), "w.bin", 64)), path)
    for size, status in ((None, tool.FILE_ERROR), (1263, tool.INVALID_INPUT)):
        if size is not None:
            path.with_name("w.bin").write_bytes(bytes(size))
        for mode in ("keep", "embed", "split"):
            result = tool.run([path, "-o", tmp_path / "model.onnx", "--external-data", mode])
            assert_refused(result, status, "tensor '", "w.bin", "in/model.onnx")
            assert files(tmp_path) == {"in/model.onnx"} | ({"in/w.bin"} if size else set())


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("name", ["model.onnx", "model.onnxtxt"])
def test_data_are_not_written_over_by_another_model_wherever_they_are_named(tmp_path: pathlib.Path, where: str, name: str) -> None:
    if where in ("list of tensors", "sparse initializer", "indices", "sparse attribute", "default of a function's attribute", "training information") and name.endswith("txt"):
        return  # the textual syntax has no words for these
    model = broken(where, external.place(floats("w", 300), "w.bin"))
    (tmp_path / name).write_bytes(onnx.printer.to_text(model).encode() if name.endswith("txt") else model.SerializeToString())
    (tmp_path / "w.bin").write_bytes(bytes(1200))
    (tmp_path / "plain.onnx").write_bytes(external.model_of([]).SerializeToString())
    lines = [{"input": name, "output": "out.onnx"}, {"input": "plain.onnx", "output": "w.bin"}]
    result = tool.run(["--manifest", "-"], stdin="".join(json.dumps(line) + "\n" for line in lines).encode(), cwd=tmp_path)
    assert_refused(result, tool.WRONG_USAGE, name, "plain.onnx", "external data")
    assert (tmp_path / "w.bin").read_bytes() == bytes(1200) and not (tmp_path / "out.onnx").exists()


# Pipes and texts.


def test_pipes(given: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A model on standard input has its data in the current folder."""
    model = given.read_bytes()
    kept = lowered(["-", "-o", "-"], stdin=model, cwd=given.parent).stdout
    (given.parent / "kept.onnx").write_bytes(kept)
    run_weights(given.parent / "kept.onnx")
    embedded = lowered(["-", "-o", "-", "--external-data", "embed"], stdin=model, cwd=given.parent).stdout
    (tmp_path / "embedded.onnx").write_bytes(embedded)
    run_weights(tmp_path / "embedded.onnx")
    lowered(["-", "-o", tmp_path / "split.onnx", "--external-data", "split"], stdin=model, cwd=given.parent)
    run_weights(tmp_path / "split.onnx")
    assert_refused(tool.run(["-", "-o", "-"], stdin=model, cwd=tmp_path), tool.FILE_ERROR, "w.bin")
    assert_refused(tool.run([given, "-o", "-", "--external-data", "split"]), tool.WRONG_USAGE, "-o OUT")


def test_devices_get_no_data_files(given: pathlib.Path) -> None:
    before = set(os.listdir("/dev"))
    lowered([given, "-o", "/dev/null"])
    assert_refused(tool.run([given, "-o", "/dev/null", "--external-data", "split"]), tool.WRONG_USAGE, "/dev/null")
    assert set(os.listdir("/dev")) == before


def test_text(given: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The textual syntax can say where data lie, and what they are."""
    (tmp_path / "out").mkdir()
    for mode in ("keep", "split", "embed"):
        text, again = tmp_path / "out" / f"{mode}.onnxtxt", tmp_path / "out" / f"{mode}.onnx"
        lowered([given, "-o", text, "--external-data", mode])
        lowered([text, "-o", again])
        assert ("w.bin" in text.read_text()) == (mode == "keep")
        assert (f"{mode}.onnxtxt.data" in text.read_text()) == (mode == "split")
        run_weights(again)


def test_wrong_mode(given: pathlib.Path) -> None:
    assert_refused(tool.run([given, "-o", "out.onnx", "--external-data", "move"]), tool.WRONG_USAGE, "keep, embed or split")


@pytest.mark.parametrize(("indices", "complaint"), [
    (np.array([0, 2], np.float32), "has indices that are no integers"), (np.array([0, 12]), "has the index 12, which is out of its shape"),
    (np.array([-1, 2]), "has the index -1, which is out of its shape"), (np.array([0, 2, 3]), "has not as many indices as values"),
])
def test_a_sparse_initializer_with_wrong_indices_is_refused(indices: np.ndarray, complaint: str) -> None:
    model = external.model_of([], [helper.make_node("Add", ["x", "w"], ["y"])])
    sparse = model.graph.sparse_initializer.add(dims=[12])
    sparse.values.CopyFrom(floats("w", 2))
    sparse.indices.CopyFrom(numpy_helper.from_array(indices))
    result = tool.lower(model.SerializeToString())
    tool.assert_clean_refusal(result, tool.INVALID_INPUT)
    assert complaint in result.stderr


def test_a_sparse_initializer_elsewhere_is_made_dense(tmp_path: pathlib.Path) -> None:
    """As one in the model is; its file is not needed any more then."""
    positions = np.array([1, 5, 7, 11])
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "values.bin").write_bytes(np.arange(1, 5, dtype=np.float32).tobytes())
    (tmp_path / "in" / "indices.bin").write_bytes(b"before" + positions.tobytes())
    model = external.model_of([], [helper.make_node("Add", ["x", "w"], ["y"])])
    sparse = model.graph.sparse_initializer.add(dims=[12])
    sparse.values.CopyFrom(external.place(floats("w", 4), "values.bin"))
    sparse.indices.CopyFrom(external.place(numpy_helper.from_array(positions, "i"), "indices.bin", 6, 32))
    onnx.save(model, tmp_path / "in" / "model.onnx")
    (tmp_path / "out").mkdir()
    lowered([tmp_path / "in" / "model.onnx", "-o", tmp_path / "out" / "model.onnx"])
    assert files(tmp_path / "out") == {"model.onnx"}
    (dense,) = onnx.load(tmp_path / "out" / "model.onnx").graph.initializer
    expected = np.zeros(12, np.float32)
    expected[positions] = np.arange(1, 5)
    np.testing.assert_array_equal(numpy_helper.to_array(dense), expected)


def test_a_rule_has_to_hold_its_own_data(given: pathlib.Path) -> None:
    constant = helper.make_node("Constant", [], ["c"])
    constant.attribute.add(name="value", type=onnx.AttributeProto.TENSOR, t=external.place(floats("t", 4), "w.bin"))
    rules = external.model_of([])
    rules.functions.append(helper.make_function("acme", "F", [], ["c"], [constant], [helper.make_opsetid("", 18)]))
    onnx.save(rules, given.with_name("rules.onnx"))
    result = tool.run([given, "-o", given.with_name("out.onnx"), "--rules", given.with_name("rules.onnx")])
    assert_refused(result, tool.INVALID_INPUT, "rules.onnx", "'t'", "another file")


def test_progress_is_shown_on_a_terminal_only(tmp_path: pathlib.Path) -> None:
    """While somebody takes his time to read what is written."""
    source = save_external(weights_model(1 << 20), tmp_path / "model.onnx")
    os.mkfifo(tmp_path / "pipe")

    def in_terminal(*options: str, terminal: str = "xterm", follower_is_stderr: bool = True) -> str:
        leader, follower = pty.openpty()
        stderr = follower if follower_is_stderr else subprocess.PIPE
        environment = {**os.environ, "TERM": terminal}
        process = subprocess.Popen([tool.TOOL, source, "-o", tmp_path / "pipe", "--external-data", "embed", *options], stderr=stderr, env=environment)
        os.close(follower)
        with open(tmp_path / "pipe", "rb") as reader:
            time.sleep(0.3)
            assert len(reader.read()) > 1 << 22
        shown = tool.shown_in_terminal(leader)
        if not follower_is_stderr:
            shown = process.stderr.read().decode()
        assert process.wait(60) == tool.DONE
        return shown

    shown = in_terminal()
    assert " of 4.2 MB" in shown
    # The line is taken away before the summary is printed.
    *drawn, last = shown.split("\r\x1b[K")
    assert drawn and "lowered 1 node" in last and "%" not in last
    assert "%" not in in_terminal("-q")
    assert "%" not in in_terminal(terminal="dumb")
    assert "%" not in in_terminal(follower_is_stderr=False)


def test_a_field_in_two_parts_beside_one_that_is_embedded(tmp_path: pathlib.Path) -> None:
    """The indices of a sparse constant, which protobuf merges; its values are in a file."""
    values = wire_models.tensor("", (2,), raw=None, rest=wire_models.field(13, wire_models.field(1, "location") + wire_models.field(2, "v.bin")) + wire_models.field(14, TensorProto.EXTERNAL))
    places = np.array([0, 2])
    parts = (wire_models.field(1, 2) + wire_models.field(2, TensorProto.INT64), wire_models.field(9, places.tobytes()))
    sparse = wire_models.field(1, values) + b"".join(wire_models.field(2, part) for part in parts) + wire_models.field(3, 4)
    attribute = wire_models.field(1, "sparse_value") + wire_models.field(20, onnx.AttributeProto.SPARSE_TENSOR) + wire_models.field(22, sparse)
    nodes = [wire_models.node("Constant", [], ["c"], attribute), wire_models.node("Add", ["x", "c"], ["y"])]
    path, output = tmp_path / "m.onnx", tmp_path / "o.onnx"
    path.write_bytes(wire_models.given_model(nodes=nodes))
    (tmp_path / "v.bin").write_bytes(np.float32([1, 2]).tobytes())
    for how in ("embed", "split"):
        assert lowered([path, "-o", output, "--external-data", how]).status == tool.DONE
        found = onnx.load(output).graph.node[0].attribute[0].sparse_tensor
        np.testing.assert_array_equal(numpy_helper.to_array(found.indices), places)
        np.testing.assert_array_equal(numpy_helper.to_array(found.values), np.float32([1, 2]))


def test_tensors_of_one_attribute_are_in_files_of_their_own(tmp_path: pathlib.Path) -> None:
    """A list of tensors is a field that is there several times, which are not parts of one."""
    def tensor(name: str) -> TensorProto:
        there = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
        there.external_data.add(key="location", value=f"{name}.bin")
        return there

    contents = {"a": np.float32([1, 2]), "b": np.float32([3, 4])}
    for name, content in contents.items():
        (tmp_path / f"{name}.bin").write_bytes(content.tobytes())
    node = helper.make_node("WithList", ["x"], ["y"], domain="rknn_cst", tensors=[tensor(name) for name in contents])
    path, output = tmp_path / "m.onnx", tmp_path / "o.onnx"
    path.write_bytes(external.model_of([], [node], imports=CUSTOM).SerializeToString())
    lowered([path, "-o", output, "--keep", "rknn_cst::WithList", "--external-data", "embed"])
    found = onnx.load(output, load_external_data=False).graph.node[0].attribute[0].tensors
    assert [tensor.name for tensor in found] == [*contents]
    for tensor, content in zip(found, contents.values(), strict=True):
        np.testing.assert_array_equal(numpy_helper.to_array(tensor), content)
