#include "model_file/encode_model.h"

#include <unordered_map>

#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

// Sizes have to be known before the content is written, and a graph's is asked for by every graph around it: as each changed graph's size is kept
// here, both passes are linear however deep the nesting. It is not kept in the graph, which may change once more after a part of it was encoded.
class Encoder {
 public:
  explicit Encoder(Model& model) : model_(model) {}

  void model();
  void graph(const Graph& graph);
  void node(const Node& node);
  EncodedModel take() { return std::move(encoded_); }

 private:
  uint64_t size_of(const Graph& graph);
  uint64_t size_of(const Node& node);
  uint64_t size_of_attribute(Bytes attribute, const Bodies& bodies, size_t& next_body);
  void attribute(Bytes attribute, const Bodies& bodies, size_t& next_body);

  void append(Bytes bytes) {
    if (bytes.empty()) return;
    encoded_.size += bytes.size();
    if (!encoded_.ranges.empty()) {
      Bytes& last = encoded_.ranges.back();
      if (last.data() + last.size() == bytes.data()) {
        last = Bytes(last.data(), last.size() + bytes.size());
        return;
      }
    }
    encoded_.ranges.push_back(bytes);
  }
  void opset_imports();
  void append_new_header(uint32_t number, uint64_t length) {
    std::string header;
    append_header(header, number, length);
    append(model_.keep(header));
  }

  Model& model_;
  EncodedModel encoded_;
  std::unordered_map<const Graph*, uint64_t> sizes_;
};

bool has_changed_bodies(const Node& node) { return node.bodies && node.bodies->changed; }

// A singular graph that occurs twice is written once, where it occurs first; as the reader does, `g` comes after all `graphs`.
struct AttributeBodies {
  size_t graphs = 0;
  bool has_g = false;
};

AttributeBodies bodies_of(Bytes attribute) {
  AttributeBodies found;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    if (field.number == field::Attribute::graphs) ++found.graphs;
    if (field.number == field::Attribute::g) found.has_g = true;
  }
  return found;
}

uint64_t Encoder::size_of_attribute(Bytes attribute, const Bodies& bodies, size_t& next_body) {
  const AttributeBodies found = bodies_of(attribute);
  const size_t g_body = next_body + found.graphs;
  uint64_t size = 0;
  bool g_seen = false;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    if (field.number == field::Attribute::graphs || (field.number == field::Attribute::g && !g_seen)) {
      const bool is_g = field.number == field::Attribute::g;
      g_seen |= is_g;
      const uint64_t body = size_of(bodies.graphs[is_g ? g_body : next_body++]);
      size += header_size(field.number, body) + body;
    } else if (field.number != field::Attribute::g) {
      size += field.whole.size();
    }
  }
  next_body = g_body + (found.has_g ? 1 : 0);
  return size;
}

void Encoder::attribute(Bytes attribute, const Bodies& bodies, size_t& next_body) {
  const AttributeBodies found = bodies_of(attribute);
  const size_t g_body = next_body + found.graphs;
  bool g_seen = false;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    if (field.number == field::Attribute::graphs || (field.number == field::Attribute::g && !g_seen)) {
      const bool is_g = field.number == field::Attribute::g;
      g_seen |= is_g;
      const Graph& body = bodies.graphs[is_g ? g_body : next_body++];
      append_new_header(field.number, size_of(body));
      graph(body);
    } else if (field.number != field::Attribute::g) {
      append(field.whole);
    }
  }
  next_body = g_body + (found.has_g ? 1 : 0);
}

uint64_t Encoder::size_of(const Node& node) {
  if (!has_changed_bodies(node)) return node.wire.size();
  uint64_t size = 0;
  size_t next_body = 0;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.number == field::Node::attribute) {
      const uint64_t attribute = size_of_attribute(field.content, *node.bodies, next_body);
      size += header_size(field::Node::attribute, attribute) + attribute;
    } else {
      size += field.whole.size();
    }
  }
  return size;
}

uint64_t Encoder::size_of(const Graph& graph) {
  if (!graph.changed) return graph.wire.size();
  if (const auto known = sizes_.find(&graph); known != sizes_.end()) return known->second;
  const uint32_t number = graph.is_function ? field::Function::node : field::Graph::node;
  uint64_t size = 0;
  for (const GraphPiece& piece : graph.pieces) {
    size += piece.bytes.size();
    for (const Node* node : piece.nodes) {
      const uint64_t node_size = size_of(*node);
      size += header_size(number, node_size) + node_size;
    }
  }
  sizes_.emplace(&graph, size);
  return size;
}

void Encoder::node(const Node& node) {
  if (!has_changed_bodies(node)) {
    append(node.wire);
    return;
  }
  size_t next_body = 0;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.number == field::Node::attribute) {
      size_t counted_body = next_body;
      append_new_header(field::Node::attribute, size_of_attribute(field.content, *node.bodies, counted_body));
      attribute(field.content, *node.bodies, next_body);
    } else {
      append(field.whole);
    }
  }
}

void Encoder::graph(const Graph& graph) {
  if (!graph.changed) {
    append(graph.wire);
    return;
  }
  const uint32_t number = graph.is_function ? field::Function::node : field::Graph::node;
  // A node keeps its tag and length only if they are what would be written here: some writers pad their lengths, and a node may come from a function.
  const auto tag = static_cast<char>(wire_tag(number, WireType::length_delimited));
  for (const GraphPiece& piece : graph.pieces) {
    append(piece.bytes);
    for (const Node* each : piece.nodes) {
      const Node& node = *each;
      const char* whole = node.wire.data() - node.header;
      if (!has_changed_bodies(node) && node.header == header_size(number, node.wire.size()) && *whole == tag) {
        append(Bytes(whole, node.header + node.wire.size()));
      } else {
        append_new_header(number, size_of(node));
        this->node(node);
      }
    }
  }
}

void Encoder::opset_imports() {
  std::string imports;
  for (const OpsetImport& import : model_.opset_imports) {
    if (!import.field.empty()) {
      imports.append(import.field);
      continue;
    }
    append_opset_import(imports, field::Model::opset_import, import);
  }
  append(model_.keep(imports));
}

void Encoder::model() {
  if (!model_.changed()) {
    append(model_.wire);
    return;
  }
  // New imports stand where the first of the old ones stood.
  bool imports_due = model_.opset_imports_changed;
  for (const ModelPiece& piece : model_.pieces) {
    switch (piece.kind) {
      case ModelPiece::Kind::verbatim:
        append(piece.bytes);
        break;
      case ModelPiece::Kind::ir_version:
        if (model_.ir_version_changed) {
          std::string field;
          append_field(field, field::Model::ir_version, static_cast<uint64_t>(model_.ir_version));
          append(model_.keep(field));
        } else {
          append(piece.bytes);
        }
        break;
      case ModelPiece::Kind::opset_import:
        if (!model_.opset_imports_changed) append(piece.bytes);
        if (imports_due) opset_imports();
        imports_due = false;
        break;
      case ModelPiece::Kind::graph:
        append_new_header(field::Model::graph, size_of(model_.graph));
        graph(model_.graph);
        break;
      case ModelPiece::Kind::function: {
        const Function& function = model_.functions[piece.index];
        if (function.dropped) break;
        if (!function.body.changed) {
          append(piece.bytes);
        } else {
          append_new_header(field::Model::functions, size_of(function.body));
          graph(function.body);
        }
        break;
      }
    }
  }
  if (imports_due) opset_imports();
}

}  // namespace

void append_opset_import(std::string& out, uint32_t number, const OpsetImport& import) {
  std::string content;
  append_field(content, field::OpsetId::domain, import.domain);
  append_field(content, field::OpsetId::version, static_cast<uint64_t>(import.version));
  append_field(out, number, content);
}

EncodedModel encode_model(Model& model) {
  Encoder encoder(model);
  encoder.model();
  return encoder.take();
}

std::string encode_node(Model& model, const Node& node) {
  Encoder encoder(model);
  encoder.node(node);
  std::string bytes;
  for (const Bytes range : encoder.take().ranges) bytes.append(range);
  return bytes;
}

}  // namespace onnx_lower
