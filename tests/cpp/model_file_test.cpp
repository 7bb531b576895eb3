// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "catch.h"
#include "error.h"
#include "model_file/encode_model.h"
#include "model_file/external_data.h"
#include "model_file/output_file.h"
#include "model_file/read_model.h"
#include "model_file/tensor_skeleton.h"
#include "model_file/wire.h"
#include "model_file/write_model.h"
#include "onnx/defs/parser.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// A varint in `padding` bytes more than it needs, as some writers leave room for a length that they
// do not know yet.
std::string varint(uint64_t value, int padding = 0) {
  std::string bytes;
  append_varint(bytes, value);
  for (; padding > 0; --padding) {
    bytes.back() = static_cast<char>(bytes.back() | 0x80);
    bytes.push_back('\0');
  }
  return bytes;
}

std::string field(uint32_t number, const std::string& content, int padding = 0) {
  return varint(wire_tag(number, WireType::length_delimited)) + varint(content.size(), padding) + content;
}

std::string number(uint32_t number, uint64_t value) {
  return varint(wire_tag(number, WireType::varint)) + varint(value);
}

std::string group(uint32_t number, const std::string& content) {
  return varint(wire_tag(number, WireType::group_start)) + content + varint(wire_tag(number, WireType::group_end));
}

// One of each wire type, none of them known to ONNX.
std::string unknown_fields() {
  return field(900, "hello") + number(901, 77) + group(902, field(1, "x") + group(5, number(3, 1))) +
         varint(wire_tag(903, WireType::fixed64)) + "12345678" + varint(wire_tag(904, WireType::fixed32)) + "1234";
}

std::string serialized_model(const char* text) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, text);
  INFO(status.ErrorMessage());
  REQUIRE(status.IsOK());
  return model.SerializeAsString();
}

std::string bytes_of(const EncodedModel& encoded) {
  std::string bytes;
  for (const Bytes range : encoded.ranges) bytes.append(range);
  CHECK(bytes.size() == encoded.size);
  return bytes;
}

// Marks every graph as changed although nothing in it did: what comes out is spliced, and says the
// same.
void mark_changed(Graph& graph) {
  graph.changed = true;
  for (GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) {
      if (!node->bodies) continue;
      node->bodies->changed = true;
      for (Graph& body : node->bodies->graphs) mark_changed(body);
    }
  }
}

std::string spliced(const std::string& bytes) {
  const TemporaryFolder folder("model_file_test");
  Model model = read_model(folder.write("model.onnx", bytes));
  CHECK(bytes_of(encode_model(model)) == bytes);
  mark_changed(model.graph);
  return bytes_of(encode_model(model));
}

void check_same_message(const std::string& bytes, const std::string& other) {
  onnx::ModelProto a, b;
  REQUIRE(a.ParseFromString(bytes));
  REQUIRE(b.ParseFromString(other));
  CHECK(a.SerializeAsString() == b.SerializeAsString());
}

std::string message_of(const std::string& bytes) {
  const TemporaryFolder folder("model_file_test");
  try {
    read_model(folder.write("model.onnx", bytes));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* nested_model = R"(
  <ir_version: 8, opset_import: ["" : 17]>
  g (bool c, float[2] x) => (float[2] y) {
    a = Relu (x)
    y = If (c) <
      then_branch = t () => (float[2] p) { p = If (c) <
        then_branch = tt () => (float[2] q) { q = Neg (a) }, else_branch = te () => (float[2] r) { r = Abs (x) }> },
      else_branch = e () => (float[2] s) { s = Identity (a) }>
  })";

TEST_CASE("the wire reader gives every field, whatever its type, and skips groups whole") {
  const std::string bytes = number(1, 300) + unknown_fields() + field(2, "");
  WireReader reader(bytes);
  WireField read;
  std::string all;
  std::vector<uint32_t> numbers;
  while (reader.next(read)) {
    numbers.push_back(read.number);
    all.append(read.whole);
    if (read.tag == varint_tag(1)) CHECK(read.value == 300);
  }
  CHECK(numbers == std::vector<uint32_t>{1, 900, 901, 902, 903, 904, 2});
  CHECK(all == bytes);
}

TEST_CASE("the wire reader refuses what is no protobuf") {
  const std::vector<std::string> broken = {
      varint(wire_tag(1, WireType::length_delimited)) + varint(5) + "abc",
      varint(wire_tag(1, WireType::length_delimited)) + varint(UINT64_MAX),
      varint(wire_tag(1, WireType::varint)),
      varint(wire_tag(1, WireType::varint)) + std::string(11, '\x80'),
      varint(wire_tag(1, WireType::fixed32)) + "123",
      varint(wire_tag(0, WireType::varint)) + varint(1),
      std::string("\x0f\x01", 2),
      varint(wire_tag(1, WireType::group_start)) + number(2, 1),
      varint(wire_tag(1, WireType::group_start)) + varint(wire_tag(2, WireType::group_end)),
      varint(wire_tag(1, WireType::group_end)),
  };
  for (const std::string& bytes : broken) {
    CAPTURE(broken.size());
    WireReader reader(bytes);
    WireField read;
    CHECK_THROWS_AS(
        [&] {
          while (reader.next(read)) {
          }
        }(),
        MalformedMessage);
  }
}

TEST_CASE("groups in groups are skipped as deep as protobuf skips them") {
  const auto groups = [](int levels) {
    std::string bytes;
    for (int level = 0; level < levels; ++level) bytes += varint(wire_tag(7, WireType::group_start));
    for (int level = 0; level < levels; ++level) bytes += varint(wire_tag(7, WireType::group_end));
    return bytes;
  };
  const std::string deepest = groups(100);
  WireReader reader(deepest);
  WireField read;
  CHECK(reader.next(read));
  CHECK(read.value == 100);
  CHECK_FALSE(reader.next(read));
  const std::string deeper = groups(200000);
  WireReader other(deeper);
  CHECK_THROWS_AS(other.next(read), MalformedMessage);
  // In the model itself, and in the graph, which is a message in it.
  const std::string model = number(1, 8) + field(8, number(2, 17));
  CHECK(message_of(model + field(7, field(2, "g")) + groups(100)) == "accepted");
  CHECK(message_of(model + field(7, field(2, "g") + groups(99))) == "accepted");
  CHECK_THAT(message_of(model + field(7, field(2, "g") + groups(100))), Catch::Contains("nested deeper than 100"));
}

TEST_CASE("a model that did not change is the input's bytes in one range") {
  const TemporaryFolder folder("model_file_test");
  const std::string bytes = unknown_fields() + serialized_model(nested_model) + unknown_fields();
  Model model = read_model(folder.write("model.onnx", bytes));
  CHECK_FALSE(model.changed());
  const EncodedModel encoded = encode_model(model);
  CHECK(encoded.ranges.size() == 1);
  CHECK(bytes_of(encoded) == bytes);
}

TEST_CASE("splicing a changed model keeps every byte that stayed") {
  const std::string bytes = serialized_model(nested_model);
  CHECK(spliced(bytes) == bytes);
}

TEST_CASE("unknown fields stay where they are at every level") {
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(serialized_model(nested_model)));
  std::string node = model.graph().node(0).SerializeAsString() + unknown_fields();
  model.mutable_graph()->mutable_node(0)->ParseFromString(node);
  std::string graph = unknown_fields() + model.graph().SerializeAsString();
  model.clear_graph();
  const std::string bytes = model.SerializeAsString() + field(7, graph) + unknown_fields();
  CHECK(spliced(bytes) == bytes);
}

TEST_CASE("fields may come in any order") {
  const std::string output = field(12, field(1, "y")), input = field(11, field(1, "x"));
  const std::string first = field(1, field(1, "x") + field(2, "a") + field(4, "Relu"));
  const std::string second = field(1, field(4, "Neg") + field(2, "y") + field(1, "a"));
  const std::string bytes =
      field(7, output + first + input + second + field(2, "g")) + field(8, number(2, 17)) + number(1, 8);
  CHECK(spliced(bytes) == bytes);
}

TEST_CASE("lengths in more bytes than they need") {
  const std::string inner = field(1, field(2, "q") + field(4, "Neg") + field(1, "x"), 2) + field(12, field(1, "q"), 1);
  const std::string attribute = field(5, field(1, "then_branch") + field(6, inner, 1) + number(20, 5), 2);
  const std::string node = field(1, "c") + attribute + field(2, "y") + field(4, "If");
  const std::string graph =
      field(1, field(1, "x") + field(2, "a") + field(4, "Relu"), 3) + field(1, node, 4) + field(2, "g", 1);
  const std::string bytes = number(1, 8) + field(7, graph, 2) + field(8, number(2, 17), 2);
  check_same_message(spliced(bytes), bytes);
}

TEST_CASE("a singular message that occurs twice is merged, as protobuf merges it") {
  SECTION("the graph") {
    const std::string first =
        field(2, "g") + field(1, field(1, "x") + field(2, "a") + field(4, "Relu")) + field(11, field(1, "x"));
    const std::string second = field(1, field(1, "a") + field(2, "y") + field(4, "Neg")) + field(12, field(1, "y"));
    const std::string bytes = number(1, 8) + field(7, first) + field(8, number(2, 17)) + field(7, second);
    check_same_message(spliced(bytes), bytes);
  }
  SECTION("an attribute's graph, between other attributes' graphs") {
    const std::string one = field(1, field(1, "x") + field(2, "p") + field(4, "Abs"));
    const std::string two = field(12, field(1, "p"));
    const std::string repeated = field(11, field(12, field(1, "x")));
    const std::string split = field(5, field(1, "g") + field(6, one) + repeated + field(6, two) + number(20, 5));
    const std::string whole = field(5, field(1, "h") + field(6, one + two) + number(20, 5));
    const std::string node = field(4, "Custom") + field(2, "y") + split + whole;
    const std::string bytes =
        number(1, 8) + field(7, field(11, field(1, "x")) + field(1, node)) + field(8, number(2, 17));
    check_same_message(spliced(bytes), bytes);
  }
}

TEST_CASE("new opset imports stand where the old ones stood, and those that stayed keep their bytes") {
  const TemporaryFolder folder("model_file_test");
  const std::string kept = field(8, field(1, "ai.onnx") + number(2, 17) + unknown_fields());
  const std::string gone = field(8, field(1, "custom") + number(2, 1));
  const std::string graph = field(7, field(11, field(1, "x")) + field(12, field(1, "x")));
  Model model = read_model(folder.write("model.onnx", number(1, 8) + gone + graph + kept + unknown_fields()));
  REQUIRE(model.opset_imports.size() == 2);
  CHECK(model.opset("") == 17);
  model.opset_imports.erase(model.opset_imports.begin());
  model.opset_imports.push_back({"new", 3});
  model.opset_imports_changed = true;
  CHECK(bytes_of(encode_model(model)) ==
        number(1, 8) + kept + field(8, field(1, "new") + number(2, 3)) + graph + unknown_fields());
}

TEST_CASE("of several imports of a domain the last one counts") {
  const TemporaryFolder folder("model_file_test");
  const std::string graph = field(7, field(2, "g"));
  const Model model =
      read_model(folder.write("model.onnx", number(1, 8) + field(8, number(2, 9)) + graph + field(8, number(2, 17))));
  CHECK(model.opset("") == 17);
  CHECK(model.opset("custom") == 0);
}

TEST_CASE("what is no model is refused with its reason") {
  const std::string model = number(1, 8) + field(8, number(2, 17));
  CHECK_THAT(message_of(""), Catch::Contains("is empty"));
  CHECK_THAT(message_of("hello"), Catch::Contains("is not a valid ONNX model"));
  CHECK_THAT(message_of(model), Catch::Contains("it has no graph"));
  CHECK_THAT(message_of(field(7, field(2, "g"))), Catch::Contains("it has no ir_version"));
  CHECK_THAT(message_of(model + field(7, field(1, field(2, "y")))), Catch::Contains("has no op_type"));
  // A field of another wire type than the schema's is one that nobody knows.
  CHECK(message_of(model + field(7, number(1, 1))) == "accepted");
  const std::string whole = serialized_model(nested_model);
  for (size_t size = 1; size < whole.size(); ++size) {
    CAPTURE(size);
    // A cut between two fields of the model leaves a message that may be one.
    const std::string said = message_of(whole.substr(0, size));
    const bool is_expected = said == "accepted" || said.find("is not a valid ONNX model") != std::string::npos;
    CHECK(is_expected);
  }
}

TEST_CASE("tensors whose data does not fit their shape are refused with both figures") {
  const auto with_tensor = [](const std::string& tensor) {
    return message_of(number(1, 8) + field(8, number(2, 17)) + field(7, field(5, tensor + field(8, "w"))));
  };
  const std::string dims = number(1, 2) + number(1, 3);
  const std::string floats = number(2, onnx::TensorProto::FLOAT);
  CHECK(with_tensor(dims + floats + field(9, std::string(24, 'x'))) == "accepted");
  CHECK(with_tensor(field(1, "\x02\x03") + floats + field(4, std::string(24, 'x'))) == "accepted");
  CHECK(with_tensor(dims + number(2, onnx::TensorProto::INT4) + field(9, "abc")) == "accepted");
  CHECK(with_tensor(number(1, 0) + floats) == "accepted");
  CHECK_THAT(with_tensor(dims + floats + field(9, std::string(23, 'x'))),
             Catch::Contains("tensor 'w' has 23 bytes of data where its shape asks for 24"));
  CHECK_THAT(with_tensor(dims + floats), Catch::Contains("has 0 elements where its shape asks for 6"));
  CHECK_THAT(with_tensor(dims + number(2, onnx::TensorProto::STRING) + field(6, "s")),
             Catch::Contains("has 1 strings where its shape asks for 6"));
  CHECK_THAT(with_tensor(number(1, UINT64_MAX) + floats), Catch::Contains("negative dimension"));
  CHECK_THAT(with_tensor(number(1, uint64_t{1} << 62) + number(1, uint64_t{1} << 62) + floats),
             Catch::Contains("more elements than 64 bits count"));
  CHECK_THAT(with_tensor(dims + floats + number(14, 1)), Catch::Contains("not where"));
}

TEST_CASE("subgraphs in subgraphs are refused beyond a depth") {
  std::string graph = field(1, field(4, "Relu"));
  for (int level = 0; level < 10000; ++level)
    graph = field(1, field(4, "If") + field(5, field(1, "then_branch") + field(6, graph)));
  CHECK_THAT(message_of(number(1, 8) + field(8, number(2, 17)) + field(7, graph)),
             Catch::Contains("nested deeper than"));
}

void write(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
  write_output(folder.file(name), bytes);
}

TEST_CASE("an output file appears whole, with the permissions of the one before it") {
  const TemporaryFolder folder("model_file_test");
  write(folder, "new", "one");
  CHECK(folder.read("new") == "one");
  REQUIRE(chmod(folder.file("new").c_str(), 0640) == 0);
  write(folder, "new", "another");
  CHECK(folder.read("new") == "another");
  CHECK(fs::status(folder.file("new")).permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
  CHECK(folder.file_count() == 1);
}

TEST_CASE("what a symbolic link points to is replaced, not the link") {
  const TemporaryFolder folder("model_file_test");
  folder.write("target", "old");
  fs::create_symlink("target", folder.file("link"));
  write(folder, "link", "new");
  CHECK(fs::is_symlink(fs::symlink_status(folder.file("link"))));
  CHECK(folder.read("target") == "new");
  CHECK(folder.file_count() == 2);
}

TEST_CASE("an output that cannot be written leaves nothing behind") {
  const TemporaryFolder folder("model_file_test");
  CHECK_THROWS_AS(write(folder, ".", "bytes"), FileError);
  CHECK_THROWS_AS(write(folder, "no/such/folder/file", "bytes"), FileError);
  CHECK(folder.file_count() == 0);
  CHECK_THROWS_AS(write_output("/dev/full", "bytes"), FileError);
}

TEST_CASE("a name as long as names may be") {
  const TemporaryFolder folder("model_file_test");
  write(folder, std::string(255, 'n'), "bytes");
  CHECK(folder.read(std::string(255, 'n')) == "bytes");
}

TEST_CASE("a model may be written over its own input") {
  const TemporaryFolder folder("model_file_test");
  const std::string bytes = serialized_model(nested_model);
  Model model = read_model(folder.write("model.onnx", bytes));
  mark_changed(model.graph);
  write_model(model, folder.file("model.onnx"));
  CHECK(folder.read("model.onnx") == bytes);
}

// A model with one tensor of six floats in another file.
std::string external_model(const std::string& location, const std::string& more = "") {
  const auto entry = [](const std::string& key, const std::string& value) {
    return field(13, field(1, key) + field(2, value));
  };
  const std::string tensor = number(1, 6) + number(2, onnx::TensorProto::FLOAT) + field(8, "w") +
                             entry("location", location) + more + number(14, 1);
  return number(1, 8) + field(8, number(2, 17)) + field(7, field(2, "g") + field(5, tensor) + field(12, field(1, "w")));
}

std::string external_message(const TemporaryFolder& folder, const std::string& location, const std::string& more = "") {
  const Model model = read_model(folder.write("in/model.onnx", external_model(location, more)));
  try {
    check_external_data(model, false);
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.status())) + " " + error.what();
  }
  return "accepted";
}

TEST_CASE("external data must be there, inside the model's folder, and large enough") {
  const TemporaryFolder folder("model_file_test");
  folder.write("in/w.bin", std::string(24, 'w'));
  folder.write("in/sub/w.bin", std::string(24, 'w'));
  folder.write("in/short.bin", std::string(23, 'w'));
  folder.write("outside.bin", std::string(24, 'w'));
  fs::create_symlink("../outside.bin", folder.file("in/link.bin"));
  const std::string offset = field(13, field(1, "offset") + field(2, "4"));
  const std::string length = field(13, field(1, "length") + field(2, "20"));
  CHECK(external_message(folder, "w.bin") == "accepted");
  CHECK(external_message(folder, "sub/w.bin") == "accepted");
  CHECK(external_message(folder, "sub/../w.bin") == "accepted");
  CHECK_THAT(external_message(folder, "missing.bin"), Catch::StartsWith("4 ") && Catch::Contains("not there"));
  CHECK_THAT(external_message(folder, "sub"), Catch::StartsWith("4 ") && Catch::Contains("no file"));
  CHECK_THAT(external_message(folder, "../outside.bin"), Catch::StartsWith("3 ") && Catch::Contains("outside"));
  CHECK_THAT(external_message(folder, "link.bin"), Catch::StartsWith("3 ") && Catch::Contains("outside"));
  CHECK_THAT(external_message(folder, folder.file("in/w.bin")), Catch::StartsWith("3 ") && Catch::Contains("outside"));
  CHECK_THAT(external_message(folder, "short.bin"), Catch::StartsWith("3 ") && Catch::Contains("the file has 23"));
  CHECK_THAT(external_message(folder, "w.bin", offset), Catch::StartsWith("3 ") && Catch::Contains("end at byte 28"));
  CHECK_THAT(external_message(folder, "w.bin", length),
             Catch::StartsWith("3 ") && Catch::Contains("its shape asks for 24"));
}

TEST_CASE("external data goes along into another folder, and is never written over") {
  const TemporaryFolder folder("model_file_test");
  const std::string data(24, 'w');
  folder.write("in/sub/w.bin", data);
  fs::create_directories(folder.file("out/sub"));
  Model model = read_model(folder.write("in/model.onnx", external_model("sub/w.bin")));
  write_model(model, folder.file("out/model.onnx"));
  CHECK(folder.read("out/sub/w.bin") == data);
  CHECK(folder.read("out/model.onnx") == folder.read("in/model.onnx"));
  CHECK_THROWS_AS(write_model(model, folder.file("in/sub/w.bin")), FileError);
  CHECK(folder.read("in/sub/w.bin") == data);

  folder.write("in/w.bin", data);
  Model beside = read_model(folder.write("in/beside.onnx", external_model("w.bin")));
  CHECK_THROWS_AS(write_model(beside, folder.file("in/w.bin")), FileError);
  CHECK_THROWS_AS(write_model(beside, folder.file("out/w.bin")), FileError);
  CHECK(folder.read("in/w.bin") == data);
}

// What is let go of is read again when it is wanted, and what was never in the file stays: a tensor
// in two pieces is joined in memory.
TEST_CASE("pages of a mapped file come and go") {
  const TemporaryFolder folder("onnx-lower-pages");
  std::string content(5 << 20, '\0');
  for (size_t index = 0; index < content.size(); ++index) content[index] = static_cast<char>(index % 251);
  const InputFile file = InputFile::open(folder.write("weights", content));
  const Bytes middle = file.bytes().substr(1'000'001, 3'000'000);
  file.map_pages(middle);
  file.unmap_pages(middle);
  CHECK(file.bytes() == content);
  const std::string copy(middle);
  file.unmap_pages(copy);
  CHECK(copy == content.substr(1'000'001, 3'000'000));
  CHECK_FALSE(file.map_pages(copy));
  const InputFile made = InputFile::from_bytes("made", content);
  made.unmap_pages(made.bytes());
  CHECK(made.bytes() == content);
}

// KiB of mapped files that count as this process's memory.
size_t mapped_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssFile:")) return std::stoul(line.substr(line.find(':') + 1));
  }
  FAIL("the kernel does not say RssFile");
  return 0;
}

TEST_CASE("a file that is gone through once counts as memory only where the reader is") {
  const TemporaryFolder folder("onnx-lower-pass");
  const std::string content(size_t{16} << 20, 'x');
  const InputFile file = InputFile::open(folder.write("model", content));
  const auto look_at_all = [&] { CHECK(file.bytes() == content); };
  const size_t before = mapped_kilobytes();
  look_at_all();
  const size_t looked_at = mapped_kilobytes();
  REQUIRE(looked_at > before + 15 * 1024);
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t offset = 0; offset < content.size(); offset += 1000) file.pass(file.bytes().data() + offset);
    CHECK(mapped_kilobytes() < before + 3 * 1024);
    look_at_all();
  }
  file.pass(file.bytes().data() + (size_t{5} << 20));
  file.end_pass();
  CHECK(mapped_kilobytes() < before + 1024);
  look_at_all();
  // There is no pass any more that could end.
  file.end_pass();
  // What lies elsewhere is no place in it.
  file.pass(content.data());
  file.pass(file.bytes().data() + file.bytes().size());
  CHECK(mapped_kilobytes() > before + 15 * 1024);
  const InputFile made = InputFile::from_bytes("made", content);
  made.pass(made.bytes().data() + (size_t{3} << 20));
  CHECK(made.bytes() == content);
}

TEST_CASE("files that are moved or gone leave the descriptors of others alone") {
  const TemporaryFolder folder("onnx-lower-descriptors");
  const std::string path = folder.write("model", "content");
  const auto is_open = [](int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1; };
  REQUIRE(is_open(STDIN_FILENO));
  int first = -1;
  {
    InputFile file = InputFile::open(path);
    first = file.descriptor();
    REQUIRE(first > STDERR_FILENO);
    InputFile moved = std::move(file);
    CHECK(moved.descriptor() == first);
    InputFile made = InputFile::from_bytes("made", "bytes");
    CHECK(made.descriptor() == -1);
    made = std::move(moved);
    CHECK(made.descriptor() == first);
    CHECK(made.bytes() == "content");
    made = InputFile::from_bytes("made", "bytes");
    CHECK_FALSE(is_open(first));
    CHECK(made.bytes() == "bytes");
    // It has the number that became free, and is none of theirs.
    const InputFile other = InputFile::open(path);
    REQUIRE(other.descriptor() == first);
    made = InputFile::from_bytes("made", "again");
    CHECK(is_open(first));
  }
  CHECK_FALSE(is_open(first));
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) CHECK(is_open(standard));
}

TEST_CASE("large tensors in two pieces keep their elements") {
  const TemporaryFolder folder("onnx-lower-joined");
  const std::string elements(3 << 20, 'e');
  // The attribute's tensor: type and shape first, then the elements, once more as `t`.
  const std::string described = number(onnx::TensorProto::kDimsFieldNumber, elements.size()) +
                                number(onnx::TensorProto::kDataTypeFieldNumber, onnx::TensorProto::UINT8);
  const std::string attribute =
      field(onnx::AttributeProto::kNameFieldNumber, "value") +
      number(onnx::AttributeProto::kTypeFieldNumber, onnx::AttributeProto::TENSOR) +
      field(onnx::AttributeProto::kTFieldNumber, described) +
      field(onnx::AttributeProto::kTFieldNumber, field(onnx::TensorProto::kRawDataFieldNumber, elements));
  onnx::ModelProto rest;
  REQUIRE(
      rest.ParseFromString(serialized_model(R"(<ir_version: 8, opset_import: ["" : 18]> g () => (uint8[N] y) {})")));
  const std::string node = field(onnx::NodeProto::kOutputFieldNumber, "y") +
                           field(onnx::NodeProto::kOpTypeFieldNumber, "Constant") +
                           field(onnx::NodeProto::kAttributeFieldNumber, attribute);
  const std::string model = rest.SerializeAsString() +
                            field(onnx::ModelProto::kGraphFieldNumber, field(onnx::GraphProto::kNodeFieldNumber, node));
  Model read = read_model(folder.write("model.onnx", model));
  WriteOptions options;
  options.external_data = ExternalDataMode::split;
  write_model(read, folder.file("out.onnx"), options);
  CHECK(folder.read("out.onnx.data") == elements);
}

TEST_CASE("the number of a field may take as many bytes as it needs") {
  for (const uint32_t expected : {1U, 15U, 16U, 2047U, 2048U, 16384U, 2097152U, (1U << 29) - 1}) {
    const std::string bytes = number(expected, 7);
    WireReader reader(bytes);
    WireField field;
    REQUIRE(reader.next(field));
    CHECK(field.number == expected);
    CHECK(field.value == 7);
    CHECK_FALSE(reader.next(field));
  }
}

TEST_CASE("a length of many bytes is one that no memory holds") {
  const auto problem = [](uint64_t length, int padding) -> std::string {
    const std::string bytes = varint(wire_tag(1, WireType::length_delimited)) + varint(length, padding) + "x";
    WireReader reader(bytes);
    WireField field;
    try {
      reader.next(field);
    } catch (const MalformedMessage& error) {
      return error.what();
    }
    return "none";
  };
  CHECK(problem(1, 4) == "none");
  CHECK_THAT(problem(1, 5), Catch::Contains("more bytes than any reader takes"));
  CHECK_THAT(problem((1ULL << 35) - 1, 1), Catch::Contains("more bytes than any reader takes"));
  CHECK_THAT(problem(1ULL << 35, 0), Catch::Contains("ends beyond its message"));
}

TEST_CASE("of places in places the six innermost ones are told") {
  MalformedMessage problem("it is none");
  for (const char* place : {"a", "b", "c", "d", "e", "f", "g", "h"}) problem = problem.inside(place);
  CHECK(std::string(problem.what()) == "f: e: d: c: b: a: it is none");
}

TEST_CASE("a node that cannot be read is told by its name and operator, or by its number") {
  const auto problem = [](const std::string& node) -> std::string {
    const TemporaryFolder folder("place_of_node");
    const std::string graph = field(1, field(4, "Relu") + field(2, "a")) + field(1, node);
    const std::string model = number(1, 8) + field(8, number(2, 17)) + field(7, graph);
    try {
      read_model(folder.write("model.onnx", model));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "none";
  };
  // an attribute that ends within a length
  const std::string broken = field(5, field(1, "alpha") + "\x0a");
  CHECK_THAT(problem(broken + field(2, "b")), Catch::Contains("node 2 of the graph"));
  CHECK_THAT(problem(broken + field(4, "Elu") + field(3, "n")), Catch::Contains("node 'n' (ai.onnx::Elu)"));
  CHECK_THAT(problem(broken + field(4, "Elu") + field(2, "b")),
             Catch::Contains("the node (ai.onnx::Elu) that makes 'b'"));
}

TEST_CASE("functions that stay as they are change no model") {
  const TemporaryFolder folder("unchanged_functions");
  const Model model = read_model(folder.write("model.onnx", serialized_model(R"(
    <ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu (a) })")));
  CHECK(model.functions.size() == 1);
  CHECK_FALSE(model.changed());
}

TEST_CASE("the element type of a Constant is that of its attribute") {
  const auto type_of = [](const std::string& attribute) {
    const std::string model = serialized_model(
        ("<ir_version: 8, opset_import: [\"\" : 17]> g () => (y) { y = Constant <" + attribute + "> () }").c_str());
    onnx::ModelProto message;
    REQUIRE(message.ParseFromString(model));
    return element_type_of_constant(message.graph().node(0).SerializeAsString());
  };
  CHECK(type_of("value = double[2] {1, 2}") == onnx::TensorProto::DOUBLE);
  CHECK(type_of("value = int8[1] {1}") == onnx::TensorProto::INT8);
  CHECK(type_of("value = int8[0] {}") == onnx::TensorProto::INT8);
  CHECK(type_of("value_int = 1") == onnx::TensorProto::INT64);
  CHECK(type_of("value_ints = [1]") == onnx::TensorProto::INT64);
  CHECK(type_of("value_float = 1.0") == onnx::TensorProto::FLOAT);
  CHECK(type_of("value_floats = [1.0]") == onnx::TensorProto::FLOAT);
  CHECK(type_of("value_string = \"a\"") == onnx::TensorProto::STRING);
  CHECK(type_of("value_strings = [\"a\"]") == onnx::TensorProto::STRING);
  CHECK(type_of("other = 1") == 0);
}

TEST_CASE("a tensor has its data in one place, which is that of its element type") {
  const auto problem = [](const auto& edit) -> std::string {
    onnx::TensorProto tensor;
    tensor.set_name("t");
    tensor.add_dims(1);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_float_data(1);
    edit(tensor);
    const std::string bytes = tensor.SerializeAsString();
    try {
      return read_tensor_facts(bytes).external ? "external" : "good";
    } catch (const MalformedMessage& error) {
      return error.what();
    }
  };
  CHECK(problem([](auto&) {}) == "good");
  CHECK_THAT(problem([](auto& tensor) { tensor.set_raw_data("1234"); }),
             Catch::Contains("has data in raw_data and in float_data: only one of them can count"));
  CHECK_THAT(problem([](auto& tensor) { tensor.clear_float_data(), tensor.add_double_data(1); }),
             Catch::Contains("has data in double_data, and those of its element type, FLOAT, are in float_data"));
  CHECK_THAT(problem([](auto& tensor) { tensor.clear_float_data(), tensor.add_string_data("a"); }),
             Catch::Contains("has data in string_data"));
  CHECK_THAT(problem([](auto& tensor) { tensor.set_dims(0, -1); }), Catch::Contains("has the negative dimension -1"));
  CHECK_THAT(problem([](auto& tensor) { tensor.add_dims(2); }),
             Catch::Contains("has 1 elements where its shape asks for 2"));
  CHECK(problem([](auto& tensor) { tensor.mutable_segment()->set_end(1); }) == "good");
}

TEST_CASE("a text that cannot be read is refused with its line, its column and the reason") {
  const TemporaryFolder folder("text");
  const auto problem = [&](const std::string& text) -> std::string {
    const std::string path = folder.write("model.onnxtxt", text);
    try {
      read_model(path);
    } catch (const InvalidInput& error) {
      return std::string(error.what()).substr(path.size());
    }
    return "none";
  };
  const std::string head = "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[2] x) => (float[2] y)\n{\n";
  CHECK(problem(head + "  y = Relu (x)\n}\n") == "none");
  CHECK_THAT(problem(""), Catch::StartsWith(":1:1: "));
  CHECK_THAT(problem(")"), Catch::StartsWith(":1:1: "));
  CHECK_THAT(problem("# a comment\n)"), Catch::StartsWith(":2:1: "));
  const std::string found = problem(head + "  y = Relu (x\n}\n");
  CHECK_THAT(found, Catch::StartsWith(":5:1: "));
  CHECK(found.substr(0, 40).find('\n') == std::string::npos);
  CHECK_THAT(found, Catch::Contains("Expected character ) not found"));
}

TEST_CASE("text under the name of another file is known behind white space and remarks") {
  const TemporaryFolder folder("text");
  for (const std::string before : {"", "\n", " \t\r\n", "# a remark\n", "\n#\n\n"})
    CHECK_THROWS_WITH(read_model(folder.write("model.onnx", before + "<ir_version: 8>")),
                      Catch::Contains("it is text"));
  CHECK_THROWS_WITH(read_model(folder.write("model.onnx", "\n#")), !Catch::Contains("it is text"));
}

TEST_CASE("the tensors of a sparse attribute are looked at, too") {
  onnx::ModelProto message;
  REQUIRE(message.ParseFromString(serialized_model(
      R"(<ir_version: 8, opset_import: ["" : 17]> g () => (float[3] y) { y = Constant <value = float[1] {1}> () })")));
  onnx::AttributeProto& attribute = *message.mutable_graph()->mutable_node(0)->mutable_attribute(0);
  onnx::SparseTensorProto sparse;
  *sparse.mutable_values() = attribute.t();
  *sparse.mutable_indices() = attribute.t();
  attribute.Clear();
  attribute.set_name("sparse_value");
  attribute.set_type(onnx::AttributeProto::SPARSE_TENSOR);
  sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse.mutable_indices()->clear_raw_data();
  sparse.mutable_indices()->clear_float_data();
  sparse.mutable_indices()->add_int64_data(2);
  sparse.add_dims(3);
  const auto problem = [&]() -> std::string {
    *attribute.mutable_sparse_tensor() = sparse;
    const TemporaryFolder folder("sparse_attribute");
    try {
      read_model(folder.write("model.onnx", message.SerializeAsString()));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "none";
  };
  CHECK(problem() == "none");
  sparse.mutable_indices()->add_int64_data(2);
  CHECK_THAT(problem(), Catch::Contains("has 2 elements where its shape asks for 1"));
}

}  // namespace
}  // namespace onnx_lower
