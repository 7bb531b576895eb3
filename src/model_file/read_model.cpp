// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/read_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "error.h"
#include "model_file/declaration.h"
#include "model_file/message_kind.h"
#include "model_file/model_text.h"
#include "model_file/onnx_fields.h"
#include "model_file/tensor_rewriting.h"
#include "model_file/tensor_skeleton.h"
#include "source_text/source_position.h"
#include "source_text/source_tokens.h"

namespace onnx_lower {
namespace {

// The occurrences of a field that should occur once. If it occurs more often, their concatenation
// is read as one message.
struct Occurrences {
  Bytes last;
  size_t count = 0;

  void add(Bytes occurrence) {
    last = occurrence;
    ++count;
  }
};

// `whole_field` is the field of the model in which the import was found, if it was
// found in the model.
OpsetImport read_opset_import(Bytes wire, Bytes whole_field = {}) {
  std::string_view domain;
  int64_t version = 0;
  WireField part;
  for (WireReader reader(wire); reader.next(part);) {
    if (part.tag == delimited_tag(field::OpsetId::domain)) domain = normalized_domain(part.content);
    if (part.tag == varint_tag(field::OpsetId::version)) version = static_cast<int64_t>(part.value);
  }
  return {domain, version, whole_field};
}

// Reads parts of one model. It keeps buffers that are reused from node to node.
class SkeletonReader {
 public:
  explicit SkeletonReader(Model& model) : model_(model) {}

  void read_model(Bytes wire);
  Node read_node(Bytes wire, size_t header, OpsetContext opsets);
  void read_attributes(Node& node, OpsetContext opsets);
  Function read_function(Bytes wire);
  void read_training_info(Bytes wire);
  // To be called when what is read next belongs to a function that is made here: its attributes may
  // be references to those of the function.
  void stand_in_function() { inside_function_ = true; }

 private:
  Graph read_graph(Bytes wire, bool is_function, OpsetContext opsets);
  // Memory for the nodes of a graph that is being read, allocated for several nodes at a time.
  struct NodePlaces {
    Node* next = nullptr;
    const Node* end = nullptr;
    size_t nodes = 0;  // how many have been read or are being read
    size_t bytes = 0;  // the bytes of these nodes
  };
  // `left` is how many bytes the graph has from the node's field on.
  void add_node(Graph& graph, Bytes field, Bytes node, OpsetContext opsets, NodePlaces& places, size_t left);
  // Reads a field of a graph that is no node, and returns what kind of piece it is.
  GraphPiece::Kind read_graph_field(WireField field, Graph& graph);
  void read_function_field(WireField field, Graph& graph);
  void read_attribute(Bytes wire, Bodies*& bodies, OpsetContext opsets);
  GraphPiece::Kind read_declaration(WireField field, std::vector<ValueInfo>& values, const char* what);
  void read_initializer(Bytes wire, Graph& graph);
  void read_sparse_initializer(Bytes wire, Graph& graph);
  void check_tensor(Bytes wire);
  void note_external_data(const TensorFacts& facts) {
    if (facts.external) model_.external_data.push_back(facts.external_data);
  }
  void check_tensors_in(Bytes message, MessageKind kind);

  // The content of the fields with this tag in `wire`, as one message.
  Bytes merged(const Occurrences& occurrences, Bytes wire, uint32_t tag);

  // A value's name that is being looked up: its slot of a large hash table is being fetched into
  // the cache while the rest of the node is read.
  struct HashedName {
    Bytes name;
    uint64_t hash;
    ValueId known = absent_value;
  };
  HashedName look_up(Bytes name) {
    const uint64_t hash = hash_of(name);
    model_.values().prefetch(hash);
    return {name, hash};
  }
  // Most nodes read the output of the node before them.
  HashedName look_up_input(Bytes name) {
    if (last_output_ != absent_value && name == last_output_name_) return {name, 0, last_output_};
    return look_up(name);
  }
  ValueId found(const HashedName& wanted) {
    if (wanted.known != absent_value) return wanted.known;
    return model_.values().intern_with(wanted.name, wanted.hash, [](Bytes same) { return same; });
  }

  Model& model_;
  // How many messages the current graph or function is nested in; its nodes are nested in one more,
  // their attributes in two more.
  int depth_ = 0;
  bool inside_function_ = false;
  std::vector<HashedName> inputs_;
  std::vector<HashedName> outputs_;
  ValueId last_output_ = absent_value;
  Bytes last_output_name_;
};

// How much deeper the graph in an attribute of a node is nested than the node's graph.
constexpr int depth_of_body = 3;
// How much deeper the deepest message of a graph is nested that is read here and not by
// check_structure(): node, attribute, sparse tensor, tensor, external_data.
constexpr int depth_of_details = 5;

// Names a node in messages about what cannot be read.
std::string place_of_node(Bytes wire, size_t index) {
  const Bytes name = last_field(wire, delimited_tag(field::Node::name));
  const Bytes op_type = last_field(wire, delimited_tag(field::Node::op_type));
  if (op_type.empty()) return fmt::format("node {} of the graph", index);
  const std::string op =
      operator_name(normalized_domain(last_field(wire, delimited_tag(field::Node::domain))), op_type);
  if (!name.empty()) return fmt::format("node '{}' ({})", name, op);
  return fmt::format("the node ({}) that makes '{}'", op, last_field(wire, delimited_tag(field::Node::output)));
}

std::string place_of_function(Bytes wire) {
  return fmt::format("function {}",
                     operator_name(normalized_domain(last_field(wire, delimited_tag(field::Function::domain))),
                                   last_field(wire, delimited_tag(field::Function::name))));
}

// Runs `read`; what it throws is thrown again with the place that `place` returns.
template <typename Read, typename Place>
auto located(const Read& read, const Place& place) {
  try {
    return read();
  } catch (const MalformedMessage& problem) {
    throw problem.inside(place());
  }
}

template <typename Pieces>
void append_verbatim(Pieces& pieces, Bytes field) {
  using Piece = typename Pieces::value_type;
  if (pieces.empty() || pieces.back().kind != Piece::Kind::verbatim || !extend(pieces.back().bytes, field))
    pieces.push_back({Piece::Kind::verbatim, field, {}});
}

// For how many nodes to allocate memory, the current one and those behind it: as many as the rest
// of the graph holds if they are as large as the nodes so far. The rest may be weights instead, so
// that it is at most three times the number of nodes so far. It is little for a small graph, since
// a model may have a hundred thousand graphs of one node.
size_t nodes_to_expect(size_t nodes, size_t bytes, size_t bytes_left) {
  constexpr size_t first = 16;
  return std::clamp(bytes_left / (bytes / nodes), 1 + nodes / 8, first + nodes * 3);
}

Bytes SkeletonReader::merged(const Occurrences& occurrences, Bytes wire, uint32_t tag) {
  if (occurrences.count == 1) return occurrences.last;
  std::string all;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.tag == tag) all.append(field.content);
  }
  return model_.keep(all);
}

// Appends what a ValueInfoProto declares, and returns what kind of piece the field is.
GraphPiece::Kind SkeletonReader::read_declaration(WireField field, std::vector<ValueInfo>& values, const char* what) {
  const Declaration declared = located(
      [&] { return onnx_lower::read_declaration(field.content, depth_ + 1); },
      [&] { return fmt::format("{} '{}'", what, last_field(field.content, delimited_tag(field::ValueInfo::name))); });
  values.push_back({model_.values().intern(declared.name), field.content, declared.type});
  const bool says_element_type = declared.type == DeclaredType::good || declared.type == DeclaredType::wrong;
  switch (field.number) {
    case field::Graph::input:
      return says_element_type && declared.has_shape ? GraphPiece::Kind::verbatim : GraphPiece::Kind::incomplete_input;
    case field::Graph::output:
      return says_element_type ? GraphPiece::Kind::verbatim : GraphPiece::Kind::untyped_output;
    default:
      return says_element_type ? GraphPiece::Kind::verbatim : GraphPiece::Kind::untyped_value_info;
  }
}

void SkeletonReader::check_tensor(Bytes wire) {
  note_external_data(read_tensor_facts(wire));
  model_.leave_tensor(wire);
}

void SkeletonReader::check_tensors_in(Bytes message, MessageKind kind) {
  for_each_tensor(model_, message, kind, [this](const FoundTensor& tensor) { note_external_data(tensor.facts); });
}

void SkeletonReader::read_initializer(Bytes wire, Graph& graph) {
  const TensorFacts facts = read_tensor_facts(wire);
  note_external_data(facts);
  graph.initializers.push_back({model_.values().intern(facts.name), wire, facts.external});
  model_.leave_tensor(wire);
}

void SkeletonReader::read_sparse_initializer(Bytes wire, Graph& graph) {
  Occurrences values;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.tag == delimited_tag(field::SparseTensor::values)) {
      values.add(field.content);
    } else {
      check_structure(field, MessageKind::sparse_tensor, depth_ + 1);
    }
  }
  check_tensors_in(wire, MessageKind::sparse_tensor);
  const TensorFacts facts = read_tensor_facts(merged(values, wire, delimited_tag(field::SparseTensor::values)));
  if (facts.dims.size() != 1) {
    throw MalformedMessage(
        fmt::format("sparse initializer '{}' has values of rank {}, and not of rank 1", facts.name, facts.dims.size()));
  }
  graph.sparse_initializers.push_back(model_.values().intern(facts.name));
}

void SkeletonReader::read_attribute(Bytes wire, Bodies*& bodies, OpsetContext opsets) try {
  Occurrences graph, tensor, sparse_tensor;
  bool has_name = false;
  const auto add_body = [&](Bytes body) {
    if (bodies == nullptr) bodies = model_.new_bodies();
    depth_ += depth_of_body;
    bodies->graphs.push_back(read_graph(body, false, opsets));
    depth_ -= depth_of_body;
  };
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(field::Attribute::name):
        has_name = !field.content.empty();
        break;
      case varint_tag(field::Attribute::type):
      case varint_tag(field::Attribute::i):
      case wire_tag(field::Attribute::f, WireType::fixed32):
      case delimited_tag(field::Attribute::s):
      case delimited_tag(field::Attribute::strings):
        break;
      case delimited_tag(field::Attribute::ref_attr_name):
        if (!inside_function_ && !field.content.empty()) {
          throw MalformedMessage(
              fmt::format("it refers to the attribute '{}' of a function, and stands in none", field.content));
        }
        break;
      case delimited_tag(field::Attribute::g):
        graph.add(field.content);
        break;
      case delimited_tag(field::Attribute::t):
        tensor.add(field.content);
        break;
      case delimited_tag(field::Attribute::tensors):
        check_tensor(field.content);
        break;
      case delimited_tag(field::Attribute::graphs):
        add_body(field.content);
        break;
      case delimited_tag(field::Attribute::sparse_tensor):
        sparse_tensor.add(field.content);
        break;
      case delimited_tag(field::Attribute::sparse_tensors):
        check_tensors_in(field.content, MessageKind::sparse_tensor);
        break;
      default:
        check_structure(field, MessageKind::attribute, depth_ + 2);
        break;
    }
  }
  if (!has_name) throw MalformedMessage("it has no name");
  if (tensor.count != 0) check_tensor(merged(tensor, wire, delimited_tag(field::Attribute::t)));
  if (sparse_tensor.count != 0) {
    check_tensors_in(merged(sparse_tensor, wire, delimited_tag(field::Attribute::sparse_tensor)),
                     MessageKind::sparse_tensor);
  }
  if (graph.count != 0) add_body(merged(graph, wire, delimited_tag(field::Attribute::g)));
} catch (const MalformedMessage& problem) {
  throw problem.inside(fmt::format("attribute '{}'", last_field(wire, delimited_tag(field::Attribute::name))));
}

Node SkeletonReader::read_node(Bytes wire, size_t header, OpsetContext opsets) {
  Node node;
  node.wire = wire;
  node.header = static_cast<uint8_t>(header);
  node.opsets = opsets;
  constexpr auto tag = static_cast<char>(delimited_tag(field::Graph::node));
  node.stands_in_graph = header == header_size(field::Graph::node, wire.size()) && *(wire.data() - header) == tag;
  Operator op;
  inputs_.clear();
  outputs_.clear();
  // Subgraphs are read after the node's own fields, since reading them uses the same buffers.
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(field::Node::input):
        inputs_.push_back(look_up_input(field.content));
        break;
      case delimited_tag(field::Node::output):
        outputs_.push_back(look_up(field.content));
        break;
      case delimited_tag(field::Node::name):
        node.name = field.content;
        break;
      case delimited_tag(field::Node::op_type):
        op.op_type = field.content;
        break;
      case delimited_tag(field::Node::domain):
        op.domain = field.content;
        break;
      case delimited_tag(field::Node::overload):
        op.overload = field.content;
        break;
      case delimited_tag(field::Node::attribute):
        node.has_attributes = true;
        break;
      case delimited_tag(field::Node::doc_string):
        break;
      default:
        check_structure(field, MessageKind::node, depth_ + 1);
        break;
    }
  }
  if (op.op_type.empty()) throw MalformedMessage("it has no op_type");
  node.op = model_.intern_operator(op);
  const std::span<ValueId> ids = model_.new_ids(inputs_.size() + outputs_.size());
  auto id = ids.begin();
  for (const HashedName& input : inputs_) *id++ = found(input);
  for (const HashedName& output : outputs_) *id++ = found(output);
  if (!outputs_.empty()) {
    last_output_ = ids.back();
    last_output_name_ = outputs_.back().name;
  }
  node.values = ids.data();
  node.input_count = static_cast<uint32_t>(inputs_.size());
  node.output_count = static_cast<uint32_t>(outputs_.size());
  node.spells_domain_out = !op.domain.empty() && normalized_domain(op.domain).empty();
  if (node.has_attributes) read_attributes(node, opsets);
  return node;
}

void SkeletonReader::read_attributes(Node& node, OpsetContext opsets) {
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.tag == delimited_tag(field::Node::attribute)) read_attribute(field.content, node.bodies, opsets);
  }
}

void SkeletonReader::add_node(Graph& graph, Bytes field, Bytes node, OpsetContext opsets, NodePlaces& places,
                              size_t left) {
  if (graph.pieces.empty() || graph.pieces.back().kind != GraphPiece::Kind::nodes)
    graph.pieces.push_back({GraphPiece::Kind::nodes, {}, {}});
  std::vector<const Node*>& kept = graph.pieces.back().nodes;
  ++places.nodes;
  places.bytes += field.size();
  if (places.next == places.end) {
    const size_t count = nodes_to_expect(places.nodes, places.bytes, left);
    places.next = model_.new_nodes(count);
    places.end = places.next + count;
    if (kept.size() + count > kept.capacity()) kept.reserve((kept.size() + count) * (places.nodes == 1 ? 1 : 2));
    model_.values().expect(count);
  }
  try {
    std::construct_at(places.next, read_node(node, static_cast<size_t>(node.data() - field.data()), opsets));
  } catch (const MalformedMessage& problem) {
    throw problem.inside(place_of_node(node, places.nodes));
  }
  model_.note_node_name(places.next->name);
  graph.has_bodies |= places.next->bodies != nullptr;
  kept.push_back(places.next++);
}

GraphPiece::Kind SkeletonReader::read_graph_field(WireField field, Graph& graph) {
  switch (field.tag) {
    case delimited_tag(field::Graph::name):
      graph.name = field.content;
      return GraphPiece::Kind::verbatim;
    case delimited_tag(field::Graph::input):
      return read_declaration(field, graph.inputs, "graph input");
    case delimited_tag(field::Graph::output):
      return read_declaration(field, graph.outputs, "graph output");
    case delimited_tag(field::Graph::value_info):
      return read_declaration(field, graph.value_infos, "the value_info of");
    case delimited_tag(field::Graph::initializer):
      read_initializer(field.content, graph);
      return GraphPiece::Kind::verbatim;
    case delimited_tag(field::Graph::sparse_initializer):
      read_sparse_initializer(field.content, graph);
      return GraphPiece::Kind::sparse_initializer;
    default:
      check_structure(field, MessageKind::graph, depth_);
      return GraphPiece::Kind::verbatim;
  }
}

void SkeletonReader::read_function_field(WireField field, Graph& graph) {
  check_structure(field, MessageKind::function, depth_);
  if (field.tag == delimited_tag(field::Function::input)) {
    graph.inputs.push_back({model_.values().intern(field.content), {}});
  } else if (field.tag == delimited_tag(field::Function::output)) {
    graph.outputs.push_back({model_.values().intern(field.content), {}});
  } else if (field.tag == delimited_tag(field::Function::attribute_proto)) {
    check_tensors_in(field.content, MessageKind::attribute);
  }
}

Graph SkeletonReader::read_graph(Bytes wire, bool is_function, OpsetContext opsets) {
  if (depth_ + depth_of_details > deepest_message)
    check_structure(wire, is_function ? MessageKind::function : MessageKind::graph, depth_);
  const uint32_t node_tag = delimited_tag(is_function ? field::Function::node : field::Graph::node);
  Graph graph;
  graph.wire = wire;
  graph.is_function = is_function;
  if (depth_ >= depth_of_body) graph.pieces = GraphPieces(ArenaAllocator<GraphPiece>(model_.graph_memory()));
  graph.pieces.reserve(3);  // mostly the nodes, and the fields before and behind them
  NodePlaces places;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    GraphPiece::Kind kind = GraphPiece::Kind::verbatim;
    if (field.tag == node_tag) {
      const auto left = static_cast<size_t>(wire.data() + wire.size() - field.whole.data());
      add_node(graph, field.whole, field.content, opsets, places, left);
      continue;
    }
    if (is_function) {
      read_function_field(field, graph);
    } else {
      kind = read_graph_field(field, graph);
    }
    if (kind == GraphPiece::Kind::verbatim) {
      append_verbatim(graph.pieces, field.whole);
    } else {
      graph.pieces.push_back({kind, field.whole, {}});
    }
  }
  return graph;
}

Function SkeletonReader::read_function(Bytes wire) {
  Function function;
  inside_function_ = true;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(field::Function::name):
        function.name = field.content;
        break;
      case delimited_tag(field::Function::domain):
        function.domain = normalized_domain(field.content);
        break;
      case delimited_tag(field::Function::overload):
        function.overload = field.content;
        break;
      case delimited_tag(field::Function::opset_import):
        function.opset_imports.push_back(read_opset_import(field.content));
        break;
      default:
        break;
    }
  }
  depth_ = 1;
  function.body = read_graph(wire, true, own_opsets);
  inside_function_ = false;
  return function;
}

void SkeletonReader::read_training_info(Bytes wire) {
  Occurrences initialization, algorithm;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(field::TrainingInfo::initialization):
        initialization.add(field.content);
        break;
      case delimited_tag(field::TrainingInfo::algorithm):
        algorithm.add(field.content);
        break;
      default:
        check_structure(field, MessageKind::training_info, 1);
        break;
    }
  }
  depth_ = 2;
  const auto read = [&](const Occurrences& graph, uint32_t number) {
    if (graph.count == 0) return;
    model_.training_graphs.push_back(read_graph(merged(graph, wire, delimited_tag(number)), false, own_opsets));
  };
  read(initialization, field::TrainingInfo::initialization);
  read(algorithm, field::TrainingInfo::algorithm);
}

void SkeletonReader::read_model(Bytes wire) {
  model_.wire = wire;
  Occurrences graph;
  bool has_ir_version = false;
  WireField field;
  std::vector<ModelPiece>& pieces = model_.pieces;
  size_t functions = 0;
  for (WireReader reader(wire); reader.next(field);) functions += field.tag == delimited_tag(field::Model::functions);
  model_.functions.reserve(functions);
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.tag) {
      case varint_tag(field::Model::ir_version):
        model_.ir_version = static_cast<int64_t>(field.value);
        has_ir_version = true;
        pieces.push_back({ModelPiece::Kind::ir_version, field.whole, 0});
        break;
      case delimited_tag(field::Model::graph):
        if (graph.count == 0) pieces.push_back({ModelPiece::Kind::graph, field.whole, 0});
        graph.add(field.content);
        break;
      case delimited_tag(field::Model::opset_import):
        pieces.push_back({ModelPiece::Kind::opset_import, field.whole, model_.opset_imports.size()});
        model_.opset_imports.push_back(read_opset_import(field.content, field.whole));
        break;
      case delimited_tag(field::Model::functions):
        pieces.push_back({ModelPiece::Kind::function, field.whole, model_.functions.size()});
        model_.functions.push_back(
            located([&] { return read_function(field.content); }, [&] { return place_of_function(field.content); }));
        break;
      case delimited_tag(field::Model::training_info):
        located([&] { read_training_info(field.content); }, [] { return "training_info"; });
        append_verbatim(pieces, field.whole);
        break;
      default:
        check_structure(field, MessageKind::model, 0);
        append_verbatim(pieces, field.whole);
        break;
    }
  }
  if (graph.count == 0) throw MalformedMessage("it has no graph");
  if (!has_ir_version) throw MalformedMessage("it has no ir_version");
  depth_ = 1;
  model_.graph = read_graph(merged(graph, wire, delimited_tag(field::Model::graph)), false, own_opsets);
}

// Standard input has no name that ends in .onnxtxt. Text begins with '<' after white space and
// comments; no ModelProto does, since 0x3c would be the end of a group in field 7.
bool looks_like_text(Bytes bytes) {
  bytes = without_byte_order_mark(bytes);
  return bytes.substr(behind_comments(bytes, 0)).starts_with('<');
}

// Whether a file begins as texts do, in any language. A ModelProto has control characters soon: the
// headers of its first fields are some.
bool is_printable(Bytes bytes) {
  constexpr size_t least_bytes = 8;
  constexpr size_t most_looked_at = 512;
  if (bytes.size() < least_bytes) return false;
  const auto is_of_text = [](char c) {
    return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\r' || c == '\t';
  };
  return std::ranges::all_of(bytes.substr(0, most_looked_at), is_of_text);
}

struct Format {
  std::string_view magic;
  size_t offset;
  std::string_view description;
};

constexpr std::array<Format, 9> formats = {
    Format{"version https://git-lfs", 0, "it is the pointer that Git LFS leaves in a model's place: run git lfs pull"},
    Format{"\x1f\x8b", 0, "it is compressed with gzip: unpack it first"},
    Format{"PK\x03\x04", 0, "it is a zip archive, or a PyTorch file: unpack it, or export it to ONNX first"},
    Format{"\x28\xb5\x2f\xfd", 0, "it is compressed with zstd: unpack it first"},
    Format{"ORTM", 4, "it is in ONNX Runtime's own format (.ort): lower the .onnx file that it was made of"},
    Format{"TFL3", 4, "it is a TensorFlow Lite model: convert it to ONNX first"},
    Format{"\x89HDF", 0, "it is an HDF5 file: convert it to ONNX first"},
    Format{"<!DOCTYPE", 0, "it is a web page: was the download refused?"},
    Format{"<html", 0, "it is a web page: was the download refused?"}};

// If a file that cannot be read as a model is of another known format, which one it is and what to
// do about it; empty otherwise.
std::string_view foreign_format(Bytes bytes) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format& format) {
    return bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.magic);
  });
  return found == formats.end() ? std::string_view() : found->description;
}

// A file of another format is better named than described by what is wrong with its first bytes.
std::string_view malformed_as(const InputFile& file, const MalformedMessage& problem) {
  if (const std::string_view format = foreign_format(file.bytes()); !format.empty()) return format;
  if (looks_like_text(file.bytes())) return "it is text: a file in ONNX's textual syntax is named .onnxtxt";
  if (is_printable(file.bytes())) return "it is text, and an ONNX model is not: give the .onnx file itself";
  return problem.what();
}

}  // namespace

Model read_model(const std::string& path) {
  InputFile file = InputFile::open(path);
  if (is_text_name(path) || (path == "-" && looks_like_text(file.bytes()))) {
    file = InputFile::from_bytes(file.path(), model_bytes_from_text(file.bytes(), file.path()));
  }
  return read_model(std::move(file));
}

Model read_model(InputFile file) {
  if (file.bytes().empty()) throw InvalidInput(fmt::format("{}: is empty, and an ONNX model is expected", file.path()));
  Model model(std::move(file));
  try {
    SkeletonReader(model).read_model(model.input().bytes());
  } catch (const MalformedMessage& problem) {
    throw InvalidInput(
        fmt::format("{}: is not a valid ONNX model: {}", model.input().path(), malformed_as(model.input(), problem)));
  }
  return model;
}

Node read_node(Model& model, Bytes message, size_t header, OpsetContext opsets) {
  SkeletonReader reader(model);
  reader.stand_in_function();
  return reader.read_node(message, header, opsets);
}

Function read_function(Model& model, Bytes message) { return SkeletonReader(model).read_function(message); }

}  // namespace onnx_lower
