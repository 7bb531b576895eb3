# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""keep, embed and split against onnx.load and onnx.save, on drawn models: tensors of every element type, in every place, in the model and in other files."""
from __future__ import annotations

import pathlib
import sys
import tempfile

import external_tensors as external
import numpy as np
import onnx
from external_tensors import all_tensors, entries, is_external
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper
from test_tensors import ELEMENT_TYPES, constant, in_raw_data, vector

import tool

some = settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)

# Around the size from which on tensors are split off, in elements of any width.
COUNTS = [0, 1, 2, 7, 64, 127, 128, 255, 256, 1023, 1024, 1025, 2047, 4096]


@st.composite
def tensors(draw: st.DrawFn, name: str) -> TensorProto:
    element_type = draw(st.sampled_from(ELEMENT_TYPES))
    count = draw(st.sampled_from(COUNTS))
    dims = draw(st.sampled_from([[count], [1, count], [count, 1, 1]])) if count != 1 else draw(st.sampled_from([[], [1]]))
    if element_type == TensorProto.STRING:
        return helper.make_tensor(name, element_type, dims, [b"%d" % i for i in range(count)])
    numbers = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 2, count)
    tensor = helper.make_tensor(name, element_type, dims, numbers.astype(helper.tensor_dtype_to_np_dtype(element_type)))
    if draw(st.booleans()):
        tensor.doc_string = "a doc string"
    return in_raw(tensor) if draw(st.booleans()) else tensor


def in_raw(tensor: TensorProto) -> TensorProto:
    raw = in_raw_data(tensor)
    raw.doc_string = tensor.doc_string
    return raw


@st.composite
def models(draw: st.DrawFn) -> onnx.ModelProto:
    """Nothing to lower. Not in sparse initializers, which are made dense."""
    branch = lambda name: helper.make_graph(
        [constant(draw(tensors("s")), f"{name}.c"), helper.make_node("Abs", ["x"], [f"{name}.y"])], name, [], [vector(f"{name}.y")], [draw(tensors(f"{name}.w"))]
    )
    holder = helper.make_node("Holder", ["x"], ["held"], domain="kept")
    holder.attribute.append(helper.make_attribute("many", [draw(tensors("t")), draw(tensors("u"))]))
    count = draw(st.sampled_from([0, 3, 300]))
    sparse = helper.make_sparse_tensor(numpy_helper.from_array(np.ones(count, np.float32), "v"), numpy_helper.from_array(np.arange(count), "i"), [400])
    holder.attribute.append(helper.make_attribute("sparse", sparse))
    nodes = [
        holder,
        constant(draw(tensors("c")), "c"),
        constant(numpy_helper.from_array(np.array(True)), "condition"),
        helper.make_node("If", ["condition"], ["y"], then_branch=branch("then"), else_branch=branch("else")),
        helper.make_node("Held", ["x"], ["called"], domain="kept"),
    ]
    graph = helper.make_graph(nodes, "graph", [vector("x")], [vector("y")], [draw(tensors(f"w{i}")) for i in range(3)])
    function = helper.make_function("kept", "Held", ["x"], ["y"], [constant(draw(tensors("f")), "c"), helper.make_node("Neg", ["x"], ["y"])], [helper.make_opsetid("", 23)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23), helper.make_opsetid("kept", 1)], functions=[function], ir_version=11)
    model.training_info.add().algorithm.CopyFrom(helper.make_graph([], "algorithm", [], [], [draw(tensors("r"))]))
    return model


def put_elsewhere(draw: st.DrawFn, model: onnx.ModelProto, folder: pathlib.Path) -> None:
    """Some tensors' elements into a few files, as onnx.save would, but with gaps, shared ranges, and a length left out where it is the rest of the file."""
    ends = {"a.bin": 0, "sub/b.bin": 0}  # of the files that still grow
    written: dict[bytes, tuple[str, int]] = {}
    (folder / "sub").mkdir()
    for tensor in all_tensors(model):
        if tensor.data_type == TensorProto.STRING or not ends or not draw(st.booleans()):
            continue
        content = in_raw_data(tensor).raw_data
        if content in written and draw(st.booleans()):
            external.place(tensor, *written[content], len(content))
            continue
        location = draw(st.sampled_from(sorted(ends)))
        offset = ends[location] + draw(st.sampled_from([0, 0, 1, 100]))
        with open(folder / location, "ab") as file:
            file.write(bytes(offset - ends[location]) + content)
        ends[location] = offset + len(content)
        written[content] = location, offset
        is_last = draw(st.sampled_from([False, False, False, True]))
        external.place(tensor, location, offset if offset or draw(st.booleans()) else None, None if is_last else len(content))
        if is_last:
            del ends[location]


@some
@given(st.data())
def test_against_onnx(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = data.draw(models())
        (folder / "in").mkdir()
        put_elsewhere(data.draw, model, folder / "in")
        source = folder / "in" / "model.onnx"
        source.write_bytes(model.SerializeToString())
        before = external.content(source)

        results = {}
        for mode in ("keep", "embed", "split"):
            (folder / mode).mkdir()
            results[mode] = folder / mode / "model.onnx"
            done = tool.run([source, "-o", results[mode], "--external-data", mode, "--keep", "kept"])
            assert done.status == tool.DONE, str(done)
            assert external.content(results[mode]) == before
            assert external.without_elements(onnx.load(results[mode], load_external_data=False)) == external.without_elements(model)
        assert results["keep"].read_bytes() == source.read_bytes()
        used = {entries(tensor)["location"] for tensor in all_tensors(model) if is_external(tensor)}
        assert {str(path.relative_to(folder / "keep")) for path in (folder / "keep").rglob("*") if path.is_file()} == used | {"model.onnx"}

        # onnx itself, as far as it goes: it does not look for tensors in sparse ones and in training information.
        loaded = onnx.load(source)
        assert [path.name for path in (folder / "embed").iterdir()] == ["model.onnx"]
        embedded = onnx.load(results["embed"], load_external_data=False)
        assert not any(is_external(tensor) for tensor in all_tensors(embedded))
        seen_by_onnx = lambda m, folder: [(t.name, external.elements(t, folder)) for t in onnx.external_data_helper._get_all_tensors(m)]
        assert seen_by_onnx(embedded, folder) == seen_by_onnx(loaded, folder) == seen_by_onnx(onnx.load(results["split"]), folder)

        # What onnx.save splits off is split off; and nothing is that is smaller.
        (folder / "saved").mkdir()
        python_bytes = sys.getsizeof(b"")  # which onnx counts, too
        onnx.save(embedded, folder / "saved" / "model.onnx", save_as_external_data=True, location="data", size_threshold=1024 + python_bytes, convert_attribute=True)
        saved = onnx.load(folder / "saved" / "model.onnx", load_external_data=False)
        split = onnx.load(results["split"], load_external_data=False)
        for theirs, ours in zip(all_tensors(saved), all_tensors(split), strict=True):
            assert is_external(ours) or not is_external(theirs)
            if is_external(ours):
                where = entries(ours)
                assert where["location"] == "model.onnx.data" and int(where["length"]) >= 1024 and int(where["offset"]) % 64 == 0

        # And in place, twice.
        for _ in range(2):
            done = tool.run([source, "-o", source, "--external-data", "split", "--keep", "kept"])
            assert done.status == tool.DONE, str(done)
            assert external.content(source) == before
            assert source.read_bytes() == results["split"].read_bytes()
