// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "model_file/data_layout.h"
#include "model_file/onnx_fields.h"
#include "model_file/pending_file.h"
#include "model_file/range_writer.h"
#include "model_file/raw_elements.h"
#include "model_file/read_model.h"
#include "model_file/scattered_message.h"
#include "model_file/tensor_rewriting.h"
#include "model_file/tensor_skeleton.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

std::string joined(const ScatteredBytes& bytes) {
  std::string whole;
  bytes.for_each_piece([&whole](Bytes piece) { whole.append(piece); });
  return whole;
}

TEST_CASE("a message in pieces reads as the same message in one, wherever it is cut") {
  std::string message;
  append_field(message, 1, std::string_view("text"));
  append_field(message, 1000, uint64_t{1} << 40);
  append_varint(message, wire_tag(3, WireType::fixed32));
  message += "four";
  append_varint(message, wire_tag(4, WireType::fixed64));
  message += "eight by";
  append_varint(message, wire_tag(5, WireType::group_start));
  append_field(message, 1, std::string_view("inside"));
  append_varint(message, wire_tag(2, WireType::group_start));
  append_varint(message, wire_tag(2, WireType::group_end));
  append_varint(message, wire_tag(5, WireType::group_end));
  append_field(message, 6, std::string_view(""));
  append_field(message, 7, std::string_view("the last"));

  for (size_t first = 0; first <= message.size(); ++first) {
    for (size_t second = first; second <= message.size(); ++second) {
      const Bytes whole = message;
      const std::vector<Bytes> pieces = {whole.substr(0, first), whole.substr(first, second - first),
                                         whole.substr(second)};
      ScatteredReader scattered(ScatteredBytes::all_of(pieces));
      WireReader reader(whole);
      WireField expected;
      ScatteredField field;
      bool same = true;
      while (reader.next(expected)) {
        same &= scattered.next(field) && field.number == expected.number && field.type == expected.type &&
                joined(field.whole) == expected.whole &&
                (field.type != WireType::length_delimited || joined(field.content) == expected.content);
      }
      same &= !scattered.next(field);
      REQUIRE(same);
    }
  }
}

TEST_CASE("a message in pieces that is cut short is malformed") {
  std::string message;
  append_field(message, 1, std::string_view("text"));
  for (size_t size = 1; size < message.size(); ++size) {
    const std::vector<Bytes> pieces = {Bytes(message).substr(0, size)};
    ScatteredReader reader(ScatteredBytes::all_of(pieces));
    ScatteredField field;
    CHECK_THROWS_AS(reader.next(field), MalformedMessage);
  }
}

TEST_CASE("elements get aligned places, in the order in which they come, and the same bytes one place") {
  const std::string memory(3 << 20, 'm');
  const Bytes all = memory;
  const Bytes small = all.substr(0, 1000), page = all.substr(5000, 64 << 10), large = all.substr(1 << 20, 1 << 20);
  const Bytes inside = page.substr(100, 50), across = all.substr(70000, 2000);
  DataLayout layout;
  for (const Bytes bytes : {large, small, page, inside, across, small}) layout.add(bytes);
  layout.arrange();
  CHECK(layout.offset_of(large) == 0);
  CHECK(layout.offset_of(small) == 1 << 20);
  CHECK(layout.offset_of(page) == (1 << 20) + 4096);
  CHECK(layout.offset_of(inside) == layout.offset_of(page) + 100);
  CHECK(layout.offset_of(across) == layout.offset_of(page) + 65000);
  CHECK(layout.size() == (1 << 20) + 4096 + 67000);
  std::string content;
  for (const Bytes range : layout.ranges()) content.append(range);
  CHECK(content.size() == layout.size());
  CHECK(content.substr(layout.offset_of(page), 67000) == all.substr(5000, 67000));
  CHECK(content.substr((1 << 20) + 1000, 3096) == std::string(3096, '\0'));
  CHECK_FALSE(layout.is_content_of(content));

  DataLayout there;
  there.add(Bytes(content).substr(0, 1 << 20));
  there.add(Bytes(content).substr((1 << 20) + 64, 100));
  there.arrange();
  CHECK_FALSE(there.is_content_of(content));
  DataLayout same;
  same.add(Bytes(content).substr(0, 1 << 20));
  same.add(Bytes(content).substr(1 << 20, 67096 + 4000));
  same.arrange();
  CHECK(same.is_content_of(content));
}

TEST_CASE("nothing to lay out") {
  DataLayout layout;
  layout.arrange();
  CHECK(layout.size() == 0);
  CHECK(layout.ranges().empty());
}

TEST_CASE("a range that goes over the end of a mapped file is taken apart there") {
  const TemporaryFolder folder("external_data_test");
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const InputFile a = InputFile::open(folder.write("a", std::string(page, 'a')));
  const InputFile b = InputFile::open(folder.write("b", std::string(page, 'b')));
  RangeSources sources;
  sources.add(a);
  sources.add(b);
  const InputFile* file = nullptr;
  CHECK(sources.first_piece(a.bytes().substr(10), file).size() == page - 10);
  CHECK(file == &a);
  const Bytes beyond(a.bytes().data() + 10, page);  // only looked at, not read
  CHECK(sources.first_piece(beyond, file).size() == page - 10);
  CHECK(file == &a);
  const std::string memory = "memory";
  CHECK(sources.first_piece(memory, file) == memory);
  CHECK(file == nullptr);
}

// For this process and for good: files without a name, which some file systems cannot hold, cannot
// be had.
void forbid_nameless_files() {
  constexpr auto number = static_cast<uint32_t>(offsetof(seccomp_data, nr));
  constexpr auto flags = static_cast<uint32_t>(offsetof(seccomp_data, args) + 2 * sizeof(uint64_t));
  std::array<sock_filter, 6> program = {{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  CHECK(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
}

TEST_CASE("a file appears whole or not at all, whether the file system has files without names or not") {
  const auto check = [](size_t names_meanwhile) {
    const TemporaryFolder folder("external_data_test");
    folder.write("there", "old");
    {
      const PendingFile abandoned(folder.path() / "abandoned");
      CHECK(write(abandoned.descriptor(), "half", 4) == 4);
      CHECK(folder.file_count() == 1 + names_meanwhile);
    }
    CHECK(folder.file_count() == 1);
    {
      PendingFile begun(folder.path() / "there");
      PendingFile file(std::move(begun));
      CHECK(write(file.descriptor(), "new", 3) == 3);
      file.finish(true);
      CHECK(folder.read("there") == "old");
      file.publish_as(folder.path() / "other");
      CHECK(folder.read("there") == "old");
      CHECK(folder.read("other") == "new");
      file.publish();
      CHECK(folder.read("there") == "new");
    }
    CHECK(folder.file_count() == 2);
  };
  check(0);
  // In a thread of its own, which alone bears the filter.
  std::thread([&] {
    forbid_nameless_files();
    check(1);
  }).join();
}

TEST_CASE("ranges are copied alike from memory, from files and from files with holes") {
  const TemporaryFolder folder("external_data_test");
  std::string dense(300'000, '\0');
  for (size_t index = 0; index < dense.size(); ++index) dense[index] = static_cast<char>(index % 251 + 1);
  const std::string path = folder.write("dense", dense);
  const std::string with_holes = folder.write("holes", dense);
  REQUIRE(::truncate(with_holes.c_str(), 4'000'000) == 0);
  const InputFile file = InputFile::open(path);
  const InputFile sparse = InputFile::open(with_holes);
  struct stat kept {};
  REQUIRE(::stat(with_holes.c_str(), &kept) == 0);
  CHECK(sparse.has_holes() == (kept.st_blocks * 512 < kept.st_size));
  CHECK_FALSE(file.has_holes());
  RangeSources sources;
  sources.add(file);
  sources.add(sparse);
  const std::string memory(100'000, 'm');
  const std::vector<std::vector<Bytes>> cases = {
      {},
      {memory},
      {file.bytes()},
      {sparse.bytes()},
      {file.bytes().substr(1, 10)},
      {file.bytes().substr(7, 64 * 1024), memory, file.bytes().substr(1), Bytes(), file.bytes()},
      {memory, sparse.bytes().substr(100'000, 1'000'000), file.bytes(), sparse.bytes().substr(2'000'000)},
  };
  for (const auto& ranges : cases) {
    std::string expected;
    for (const Bytes range : ranges) expected.append(range);
    for (const bool is_new_file : {true, false}) {
      const std::string target = folder.write("target", is_new_file ? "" : "before");
      const int descriptor = ::open(target.c_str(), is_new_file ? O_WRONLY : O_WRONLY | O_APPEND);
      uint64_t told = 0;
      write_ranges({.descriptor = descriptor, .path = target, .is_new_file = is_new_file, .is_synced = true}, ranges,
                   sources, [&told](uint64_t count) { told += count; });
      CHECK(told == expected.size());
      CHECK(folder.read("target") == (is_new_file ? expected : "before" + expected));
      struct stat status {};
      REQUIRE(::fstat(descriptor, &status) == 0);
      // Twelve thirteenths of that file are a hole, which stays one.
      if (is_new_file && expected.size() == 4'000'000 && sparse.has_holes()) CHECK(status.st_blocks * 512 < 1'000'000);
      ::close(descriptor);
    }
  }
  REQUIRE(::truncate(path.c_str(), 100'000) == 0);
  const std::string target = folder.write("target", "");
  const int descriptor = ::open(target.c_str(), O_WRONLY);
  CHECK_THROWS_WITH(write_ranges({.descriptor = descriptor, .path = target, .is_new_file = true},
                                 std::array{file.bytes().substr(50'000)}, sources, {}),
                    Catch::EndsWith("became shorter while it was read"));
  ::close(descriptor);
}

// A model with a Constant node whose tensor comes in two parts, which protobuf reads as one.
std::string model_with_parted_tensor() {
  std::string first, second, attribute, node, graph, import, model;
  append_field(first, field::Tensor::dims, uint64_t{8});
  append_field(first, field::Tensor::raw_data, std::string_view("12345678"));
  append_field(second, field::Tensor::data_type, uint64_t{onnx::TensorProto::UINT8});
  append_field(attribute, field::Attribute::name, std::string_view("value"));
  append_field(attribute, field::Attribute::t, first);
  append_field(attribute, field::Attribute::type, uint64_t{onnx::AttributeProto::TENSOR});
  append_field(attribute, field::Attribute::t, second);
  append_field(node, field::Node::output, std::string_view("y"));
  append_field(node, field::Node::op_type, std::string_view("Constant"));
  append_field(node, field::Node::attribute, attribute);
  append_field(graph, field::Graph::node, node);
  append_field(import, field::OpsetId::version, uint64_t{18});
  append_field(model, field::Model::ir_version, uint64_t{10});
  append_field(model, field::Model::opset_import, import);
  append_field(model, field::Model::graph, graph);
  return model;
}

TEST_CASE("a tensor in two parts is one tensor, and is written as one when its elements move") {
  const TemporaryFolder folder("external_data_test");
  Model model = read_model(folder.write("model.onnx", model_with_parted_tensor()));
  const EncodedModel encoded = encode_model(model);
  size_t seen = 0;
  const auto rewritten = [&](ElementsPlace place) {
    std::string bytes;
    const EncodedModel moved = rewrite_tensors(model, encoded, [&](const FoundTensor& tensor) {
      ++seen;
      CHECK(read_tensor_facts(tensor.wire).byte_size == 8);
      return place;
    });
    for (const Bytes range : moved.ranges) bytes.append(range);
    CHECK(bytes.size() == moved.size);
    return bytes;
  };
  CHECK(rewritten({}) == model_with_parted_tensor());
  onnx::ModelProto message;
  REQUIRE(message.ParseFromString(rewritten({ElementsPlace::Kind::in_a_file, {}, "w.bin", 64, 8})));
  const onnx::TensorProto& tensor = message.graph().node(0).attribute(0).t();
  CHECK(tensor.data_type() == onnx::TensorProto::UINT8);
  CHECK(tensor.dims_size() == 1);
  CHECK_FALSE(tensor.has_raw_data());
  REQUIRE(tensor.external_data_size() == 3);
  CHECK(tensor.external_data(0).value() == "w.bin");
  CHECK(tensor.external_data(1).value() == "64");
  CHECK(tensor.external_data(2).value() == "8");
  CHECK(seen == 2);
}

TEST_CASE("a graph in two parts stays as it is where the elements of a function's tensor move") {
  onnx::GraphProto rest;
  rest.set_name("named in its second part");
  onnx::FunctionProto function;
  function.set_name("F");
  function.set_domain("d");
  onnx::NodeProto& node = *function.add_node();
  node.set_op_type("Constant");
  node.add_output("w");
  onnx::AttributeProto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  value.mutable_t()->set_data_type(onnx::TensorProto::UINT8);
  value.mutable_t()->add_dims(16);
  value.mutable_t()->set_raw_data(std::string(16, 'w'));
  std::string bytes = model_with_parted_tensor();
  append_field(bytes, field::Model::graph, rest.SerializeAsString());
  append_field(bytes, field::Model::functions, function.SerializeAsString());
  onnx::ModelProto before, after;
  REQUIRE(before.ParseFromString(bytes));
  const TemporaryFolder folder("external_data_test");
  Model model = read_model(folder.write("model.onnx", bytes));
  const EncodedModel encoded = encode_model(model);
  std::string moved;
  for (const Bytes range : rewrite_tensors(model, encoded, [](const FoundTensor& tensor) {
                             return read_tensor_facts(tensor.wire).byte_size == 16
                                        ? ElementsPlace{ElementsPlace::Kind::in_a_file, {}, "w.bin", 64, 16}
                                        : ElementsPlace{};
                           }).ranges)
    moved.append(range);
  REQUIRE(after.ParseFromString(moved));
  CHECK(after.functions(0).node(0).attribute(0).t().external_data_size() == 3);
  CHECK(after.graph().SerializeAsString() == before.graph().SerializeAsString());
}

TEST_CASE("elements in any field are the same as raw data") {
  const TemporaryFolder folder("external_data_test");
  Model model = read_model(folder.write("model.onnx", model_with_parted_tensor()));
  const auto raw = [&](const onnx::TensorProto& tensor) {
    const Bytes wire = model.keep(tensor.SerializeAsString());
    return std::string(raw_elements(model, wire, read_tensor_facts(wire)).value_or("none"));
  };
  const auto numbers = [&](auto type, const std::vector<int>& values) {
    onnx::TensorProto tensor;
    tensor.set_data_type(type);
    tensor.add_dims(static_cast<int64_t>(values.size()));
    for (const int value : values) tensor.add_int32_data(value);
    return raw(tensor);
  };
  using onnx::TensorProto;
  CHECK(numbers(TensorProto::INT8, {1, -2, 127}) == "\x01\xfe\x7f");
  CHECK(numbers(TensorProto::INT16, {1, -2}) == std::string("\x01\0\xfe\xff", 4));
  CHECK(numbers(TensorProto::FLOAT16, {0x3c00}) == std::string("\0\x3c", 2));
  CHECK(numbers(TensorProto::INT32, {-2}) == "\xfe\xff\xff\xff");
  // Element k of six bits has the bits 6 k to 6 k + 5.
  const std::vector<int> sixes = {0x3f, 0x01, 0x2a, 0x15, 0x20, 0x33, 0x0c};
  std::string expected(6, '\0');
  for (size_t bit = 0; bit < sixes.size() * 6; ++bit)
    expected[bit / 8] = static_cast<char>(expected[bit / 8] | (sixes[bit / 6] >> bit % 6 & 1) << bit % 8);
  for (const auto type : {TensorProto::FLOAT6E2M3, TensorProto::FLOAT6E3M2}) CHECK(numbers(type, sixes) == expected);

  TensorProto floats;
  floats.set_data_type(TensorProto::FLOAT);
  floats.add_dims(2);
  for (const float value : {1.0F, -2.0F}) floats.add_float_data(value);
  const std::string bytes("\0\0\x80\x3f\0\0\0\xc0", 8);
  CHECK(raw(floats) == bytes);
  floats.clear_float_data();
  floats.set_raw_data(bytes);
  CHECK(raw(floats) == bytes);
  TensorProto strings;
  strings.set_data_type(TensorProto::STRING);
  strings.add_dims(1);
  strings.add_string_data("a");
  CHECK(raw(strings) == "none");
}

TEST_CASE("elements that overlap stand where the first of them would") {
  const std::string memory(4096, 'm');
  const Bytes all = memory;
  const Bytes behind = all.substr(100, 100), elsewhere = all.substr(3000, 64), before = all.substr(50, 100);
  DataLayout layout;
  for (const Bytes bytes : {elsewhere, before, behind}) layout.add(bytes);
  layout.arrange();
  CHECK(layout.offset_of(elsewhere) == 0);
  CHECK(layout.offset_of(before) == 64);
  CHECK(layout.offset_of(behind) == 64 + 50);
  DataLayout turned;
  for (const Bytes bytes : {behind, elsewhere, before}) turned.add(bytes);
  turned.arrange();
  CHECK(turned.offset_of(before) == 0);
  CHECK(turned.offset_of(elsewhere) == 192);
}

TEST_CASE("a layout equals a file of its size with its bytes, zeros between them") {
  const std::string memory = std::string(100, 'a') + std::string(100, 'b');
  DataLayout layout;
  layout.add(Bytes(memory).substr(100));
  layout.arrange();
  std::string more = memory.substr(0, 50);
  DataLayout two;
  two.add(Bytes(memory).substr(0, 100));
  two.add(more);
  two.arrange();
  CHECK(layout.equals(std::string(100, 'b')));
  CHECK_FALSE(layout.equals(std::string(100, 'c')));
  CHECK_FALSE(layout.equals(std::string(101, 'b')));
  CHECK(two.equals(std::string(100, 'a') + std::string(28, '\0') + std::string(50, 'a')));
  CHECK_FALSE(two.equals(std::string(100, 'a') + std::string(28, 'x') + std::string(50, 'a')));
}

}  // namespace
}  // namespace onnx_lower
