#include "model_file/read_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "error.h"
#include "model_file/foreign_format.h"
#include "model_file/model_text.h"
#include "model_file/onnx_fields.h"
#include "model_file/tensor_rewriting.h"
#include "model_file/tensor_skeleton.h"
#include "source_text/source_position.h"

namespace onnx_lower {
namespace {

// Reads skeletons into one model. Keeps buffers that are reused from node to node.
class SkeletonReader {
 public:
  explicit SkeletonReader(Model& model) : model_(model) {}

  void read_model(Bytes wire);
  Node read_node(Bytes wire, size_t header, OpsetContext opsets);
  Function read_function(Bytes wire);
  void read_training_info(Bytes wire);

 private:
  Graph read_graph(Bytes wire, bool is_function, OpsetContext opsets);
  void read_attribute(Bytes wire, Bodies*& bodies, OpsetContext opsets);
  void read_initializer(Bytes wire, Graph& graph);
  void read_sparse_initializer(Bytes wire, Graph& graph);
  void check_tensor(Bytes wire);
  void check_tensors_in(Bytes message, MessageKind kind);
  OpsetImport read_opset_import(Bytes wire);
  ValueId named_value(Bytes wire, uint32_t name_field);

  // A value's name that is being looked up: its place in a large table is on its way while the rest of the node is read.
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
  // Most nodes take what the one before them makes.
  HashedName look_up_input(Bytes name) {
    if (last_output_ != absent_value && name == last_output_name_) return {name, 0, last_output_};
    return look_up(name);
  }
  ValueId found(const HashedName& wanted) {
    if (wanted.known != absent_value) return wanted.known;
    return model_.values().intern_with(wanted.name, wanted.hash, [](Bytes same) { return same; });
  }

  // A singular message that occurs more than once is the concatenation of its occurrences.
  Bytes merged(Bytes first, Bytes second) {
    if (first.data() == nullptr) return second;
    std::string both(first);
    both.append(second);
    return model_.keep(both);
  }

  Model& model_;
  int depth_ = 0;
  std::vector<HashedName> inputs_;
  std::vector<HashedName> outputs_;
  ValueId last_output_ = absent_value;
  Bytes last_output_name_;
};

void append_verbatim(std::vector<GraphPiece>& pieces, Bytes field) {
  if (!pieces.empty() && pieces.back().kind == GraphPiece::Kind::verbatim &&
      pieces.back().bytes.data() + pieces.back().bytes.size() == field.data()) {
    pieces.back().bytes = Bytes(pieces.back().bytes.data(), pieces.back().bytes.size() + field.size());
    return;
  }
  pieces.push_back({GraphPiece::Kind::verbatim, field, {}});
}

// How many nodes to make room for behind those that have been read: as many as what is left of the graph would hold. It may be weights instead, so that
// room is made for three times as many as there are at most, and for some of them at least.
size_t nodes_to_expect(size_t nodes, size_t bytes, size_t bytes_left) {
  constexpr size_t first = 16;
  if (nodes == 0) return first;
  return std::clamp(bytes_left / (bytes / nodes), first + nodes / 8, first + nodes * 3);
}

// What a ValueInfoProto says. Sequences and the like count as said.
struct SaidType {
  bool element_type = false;
  bool shape = false;
};

SaidType said_type(Bytes value_info) {
  SaidType said;
  WireField field;
  for (WireReader info(value_info); info.next(field);) {
    if (field.number != field::ValueInfo::type) continue;
    WireField kind;
    for (WireReader type(field.bytes("the type of a value")); type.next(kind);) {
      if (kind.number != field::Type::tensor_type) {
        if (kind.number != field::Type::denotation) said = {true, true};
        continue;
      }
      WireField part;
      for (WireReader tensor(kind.bytes("a tensor type")); tensor.next(part);) {
        said.element_type |= part.number == field::Type::tensor_elem_type && part.integer("elem_type") != 0;
        said.shape |= part.number == field::Type::tensor_shape;
      }
    }
  }
  return said;
}

ValueId SkeletonReader::named_value(Bytes wire, uint32_t name_field) {
  std::string_view name;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.number == name_field) name = field.bytes("the name of a value");
  }
  return model_.values().intern(name);
}

void SkeletonReader::check_tensor(Bytes wire) {
  const TensorFacts facts = read_tensor_facts(wire);
  if (facts.external) model_.external_data.push_back(facts.external_data);
  model_.leave_tensor(wire);
}

void SkeletonReader::check_tensors_in(Bytes message, MessageKind kind) {
  for_each_tensor(model_, message, kind, [this](const FoundTensor& tensor) { check_tensor(tensor.wire); });
}

void SkeletonReader::read_initializer(Bytes wire, Graph& graph) {
  const TensorFacts facts = read_tensor_facts(wire);
  if (facts.external) model_.external_data.push_back(facts.external_data);
  graph.initializers.push_back({model_.values().intern(facts.name), wire, facts.external});
  model_.leave_tensor(wire);
}

void SkeletonReader::read_sparse_initializer(Bytes wire, Graph& graph) {
  Bytes values;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.number == field::SparseTensor::values)
      values = merged(values, field.bytes("the values of a sparse tensor"));
  }
  check_tensors_in(wire, MessageKind::sparse_tensor);
  graph.sparse_initializers.push_back(model_.values().intern(read_tensor_facts(values).name));
}

OpsetImport SkeletonReader::read_opset_import(Bytes wire) {
  OpsetImport import;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.number == field::OpsetId::domain)
      import.domain = normalized_domain(field.bytes("the domain of an opset_import"));
    if (field.number == field::OpsetId::version) import.version = field.integer("the version of an opset_import");
  }
  return import;
}

void SkeletonReader::read_attribute(Bytes wire, Bodies*& bodies, OpsetContext opsets) {
  Bytes graph;
  Bytes tensor;
  Bytes sparse_tensor;
  const auto add_body = [&](Bytes body) {
    if (bodies == nullptr) bodies = model_.new_bodies();
    bodies->graphs.push_back(read_graph(body, false, opsets));
  };
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.number) {
      case field::Attribute::g:
        graph = merged(graph, field.bytes("a graph attribute"));
        break;
      case field::Attribute::t:
        tensor = merged(tensor, field.bytes("a tensor attribute"));
        break;
      case field::Attribute::tensors:
        check_tensor(field.bytes("a tensors attribute"));
        break;
      case field::Attribute::graphs:
        add_body(field.bytes("a graphs attribute"));
        break;
      case field::Attribute::sparse_tensor:
        sparse_tensor = merged(sparse_tensor, field.bytes("a sparse tensor attribute"));
        break;
      case field::Attribute::sparse_tensors:
        check_tensors_in(field.bytes("a sparse tensor attribute"), MessageKind::sparse_tensor);
        break;
      default:
        break;
    }
  }
  if (tensor.data() != nullptr) check_tensor(tensor);
  if (sparse_tensor.data() != nullptr) check_tensors_in(sparse_tensor, MessageKind::sparse_tensor);
  if (graph.data() != nullptr) add_body(graph);
}

Node SkeletonReader::read_node(Bytes wire, size_t header, OpsetContext opsets) {
  Node node;
  node.wire = wire;
  node.header = static_cast<uint8_t>(header);
  node.opsets = opsets;
  constexpr auto tag = static_cast<char>(wire_tag(field::Graph::node, WireType::length_delimited));
  node.stands_in_graph = header == header_size(field::Graph::node, wire.size()) && *(wire.data() - header) == tag;
  Operator op;
  inputs_.clear();
  outputs_.clear();
  // Subgraphs are read after the node's own fields, since reading them uses the same buffers.
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.number) {
      case field::Node::input:
        inputs_.push_back(look_up_input(field.bytes("the input of a node")));
        break;
      case field::Node::output:
        outputs_.push_back(look_up(field.bytes("the output of a node")));
        break;
      case field::Node::name:
        node.name = field.bytes("the name of a node");
        break;
      case field::Node::op_type:
        op.op_type = field.bytes("the op_type of a node");
        break;
      case field::Node::domain:
        op.domain = field.bytes("the domain of a node");
        break;
      case field::Node::overload:
        op.overload = field.bytes("the overload of a node");
        break;
      case field::Node::attribute:
        field.bytes("an attribute of a node");
        node.has_attributes = true;
        break;
      default:
        break;
    }
  }
  if (op.op_type.empty()) throw MalformedMessage(fmt::format("node '{}' has no op_type", node.name));
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
  if (node.has_attributes) {
    for (WireReader reader(wire); reader.next(field);) {
      if (field.number == field::Node::attribute) read_attribute(field.content, node.bodies, opsets);
    }
  }
  return node;
}

Graph SkeletonReader::read_graph(Bytes wire, bool is_function, OpsetContext opsets) {
  if (++depth_ > deepest_nesting) {
    throw MalformedMessage(
        fmt::format("subgraphs are nested deeper than {} levels, which no reader of ONNX takes", deepest_nesting));
  }
  const uint32_t node_field = is_function ? field::Function::node : field::Graph::node;
  Graph graph;
  graph.wire = wire;
  graph.is_function = is_function;
  size_t nodes = 0;
  size_t node_bytes = 0;
  Node* next_node = nullptr;
  const Node* room_end = nullptr;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.number == node_field) {
      const Bytes node = field.bytes("a node");
      if (graph.pieces.empty() || graph.pieces.back().kind != GraphPiece::Kind::nodes)
        graph.pieces.push_back({GraphPiece::Kind::nodes, {}, {}});
      if (next_node == room_end) {
        const char* end = wire.data() + wire.size();
        const size_t count = nodes_to_expect(nodes, node_bytes, static_cast<size_t>(end - field.whole.data()));
        next_node = model_.new_nodes(count);
        room_end = next_node + count;
        std::vector<const Node*>& kept = graph.pieces.back().nodes;
        if (kept.size() + count > kept.capacity()) kept.reserve((kept.size() + count) * 2);
        model_.values().expect(count);
      }
      ++nodes;
      node_bytes += field.whole.size();
      std::construct_at(next_node, read_node(node, static_cast<size_t>(node.data() - field.whole.data()), opsets));
      model_.note_node_name(next_node->name);
      graph.has_bodies |= next_node->bodies != nullptr;
      graph.pieces.back().nodes.push_back(next_node++);
      continue;
    }
    if (is_function) {
      if (field.number == field::Function::input)
        graph.inputs.push_back({model_.values().intern(field.bytes("a function's input")), {}});
      if (field.number == field::Function::output)
        graph.outputs.push_back({model_.values().intern(field.bytes("a function's output")), {}});
      if (field.number == field::Function::attribute_proto)
        check_tensors_in(field.bytes("a function's attribute"), MessageKind::attribute);
      append_verbatim(graph.pieces, field.whole);
      continue;
    }
    switch (field.number) {
      case field::Graph::name:
        graph.name = field.bytes("the name of a graph");
        break;
      case field::Graph::input:
        graph.inputs.push_back({named_value(field.bytes("a graph input"), field::ValueInfo::name), field.content});
        if (const SaidType said = said_type(field.content); !said.element_type || !said.shape) {
          graph.pieces.push_back({GraphPiece::Kind::incomplete_input, field.whole, {}});
          continue;
        }
        break;
      case field::Graph::output:
        graph.outputs.push_back({named_value(field.bytes("a graph output"), field::ValueInfo::name), field.content});
        if (!said_type(field.content).element_type) {
          graph.pieces.push_back({GraphPiece::Kind::untyped_output, field.whole, {}});
          continue;
        }
        break;
      case field::Graph::value_info:
        graph.value_infos.push_back({named_value(field.bytes("a value_info"), field::ValueInfo::name), field.content});
        if (!said_type(field.content).element_type) {
          graph.pieces.push_back({GraphPiece::Kind::untyped_value_info, field.whole, {}});
          continue;
        }
        break;
      case field::Graph::initializer:
        read_initializer(field.bytes("an initializer"), graph);
        break;
      case field::Graph::sparse_initializer:
        read_sparse_initializer(field.bytes("a sparse initializer"), graph);
        graph.pieces.push_back({GraphPiece::Kind::sparse_initializer, field.whole, {}});
        continue;
      default:
        break;
    }
    append_verbatim(graph.pieces, field.whole);
  }
  --depth_;
  return graph;
}

Function SkeletonReader::read_function(Bytes wire) {
  Function function;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.number == field::Function::name) function.name = field.bytes("the name of a function");
    if (field.number == field::Function::domain)
      function.domain = normalized_domain(field.bytes("the domain of a function"));
    if (field.number == field::Function::overload) function.overload = field.bytes("the overload of a function");
    if (field.number == field::Function::opset_import) {
      function.opset_imports.push_back(read_opset_import(field.bytes("the opset_import of a function")));
    }
  }
  function.body = read_graph(wire, true, model_opsets);
  return function;
}

void SkeletonReader::read_training_info(Bytes wire) {
  Bytes initialization, algorithm;
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (field.number == field::TrainingInfo::initialization)
      initialization = merged(initialization, field.bytes("the initialization of a training_info"));
    if (field.number == field::TrainingInfo::algorithm)
      algorithm = merged(algorithm, field.bytes("the algorithm of a training_info"));
  }
  for (const Bytes graph : {initialization, algorithm}) {
    if (graph.data() != nullptr) model_.training_graphs.push_back(read_graph(graph, false, model_opsets));
  }
}

void SkeletonReader::read_model(Bytes wire) {
  model_.wire = wire;
  Bytes graph;
  WireField field;
  const auto add_piece = [this](ModelPiece::Kind kind, Bytes bytes, size_t index) {
    auto& pieces = model_.pieces;
    if (kind == ModelPiece::Kind::verbatim && !pieces.empty() && pieces.back().kind == kind &&
        pieces.back().bytes.data() + pieces.back().bytes.size() == bytes.data()) {
      pieces.back().bytes = Bytes(pieces.back().bytes.data(), pieces.back().bytes.size() + bytes.size());
    } else {
      pieces.push_back({kind, bytes, index});
    }
  };
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.number) {
      case field::Model::ir_version:
        model_.ir_version = field.integer("ir_version");
        add_piece(ModelPiece::Kind::ir_version, field.whole, 0);
        break;
      case field::Model::graph:
        if (graph.data() == nullptr) add_piece(ModelPiece::Kind::graph, field.whole, 0);
        graph = merged(graph, field.bytes("the graph"));
        break;
      case field::Model::opset_import:
        add_piece(ModelPiece::Kind::opset_import, field.whole, model_.opset_imports.size());
        model_.opset_imports.push_back(read_opset_import(field.bytes("an opset_import")));
        model_.opset_imports.back().field = field.whole;
        break;
      case field::Model::functions:
        add_piece(ModelPiece::Kind::function, field.whole, model_.functions.size());
        model_.functions.push_back(read_function(field.bytes("a function")));
        break;
      case field::Model::training_info:
        read_training_info(field.bytes("training_info"));
        add_piece(ModelPiece::Kind::verbatim, field.whole, 0);
        break;
      default:
        add_piece(ModelPiece::Kind::verbatim, field.whole, 0);
        break;
    }
  }
  if (graph.data() == nullptr) throw MalformedMessage("it has no graph");
  if (model_.ir_version <= 0) throw MalformedMessage("it has no ir_version");
  model_.graph = read_graph(graph, false, model_opsets);
}

bool is_text_name(const std::string& path) { return path.size() > 8 && path.ends_with(".onnxtxt"); }

// On standard input there is no name to tell: text begins with '<' after white space and comments, and no ModelProto does (0x3c would be field 7 as a group's end).
bool looks_like_text(Bytes bytes) {
  bytes = without_byte_order_mark(bytes);
  while (!bytes.empty()) {
    const char first = bytes.front();
    if (first == '#') {
      bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
    } else if (first == ' ' || first == '\t' || first == '\r' || first == '\n') {
      bytes.remove_prefix(1);
    } else {
      return first == '<';
    }
  }
  return false;
}

// A file that is something else altogether is better named than described by its first bytes.
std::string_view malformed_as(const InputFile& file, const MalformedMessage& problem) {
  if (const std::string_view format = foreign_format(file.bytes()); !format.empty()) return format;
  if (looks_like_text(file.bytes())) return "it is text: a file in ONNX's textual syntax is named .onnxtxt";
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
  return SkeletonReader(model).read_node(message, header, opsets);
}

Function read_function(Model& model, Bytes message) { return SkeletonReader(model).read_function(message); }

}  // namespace onnx_lower
