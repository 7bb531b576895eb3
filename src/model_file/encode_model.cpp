// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/encode_model.h"

#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

// Appends ranges. A message's length stands before its content and is known after it: a place for
// the length is kept among the ranges, and filled when the message ends.
class Encoder {
 public:
  explicit Encoder(Model& model) : model_(model) {}

  void model();
  void graph(const Graph& graph);
  void node(const Node& node);
  EncodedModel take() { return std::move(encoded_); }

 private:
  void attribute(Bytes attribute, const Bodies& bodies, size_t& next_body);
  void opset_imports();

  void append(Bytes bytes) { encoded_.append(bytes); }

  // Appends a field whose content is what `write` appends.
  template <typename Write>
  void append_field_of(uint32_t number, Write write) {
    const size_t place = encoded_.ranges.size();
    encoded_.ranges.emplace_back();
    const uint64_t size_before = encoded_.size;
    write();
    char header[longest_header];
    const char* end = write_header(header, number, encoded_.size - size_before);
    encoded_.ranges[place] = model_.keep({header, static_cast<size_t>(end - header)});
    encoded_.size += encoded_.ranges[place].size();
  }

  Model& model_;
  EncodedModel encoded_;
};

bool has_changed_bodies(const Node& node) { return node.bodies && node.bodies->changed; }

// The subgraphs of an attribute. If the singular field `g` occurs twice, one graph is written,
// where the first stands. As in the reader, `g` comes after all `graphs`.
struct AttributeBodies {
  size_t graphs = 0;
  bool has_g = false;
};

AttributeBodies bodies_of(Bytes attribute) {
  AttributeBodies found;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    if (field.tag == delimited_tag(field::Attribute::graphs)) ++found.graphs;
    if (field.tag == delimited_tag(field::Attribute::g)) found.has_g = true;
  }
  return found;
}

void Encoder::attribute(Bytes attribute, const Bodies& bodies, size_t& next_body) {
  const AttributeBodies found = bodies_of(attribute);
  const size_t g_body = next_body + found.graphs;
  bool g_seen = false;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    const bool is_g = field.tag == delimited_tag(field::Attribute::g);
    if (!is_g && field.tag != delimited_tag(field::Attribute::graphs)) {
      append(field.whole);
    } else if (!is_g || !g_seen) {
      g_seen |= is_g;
      const Graph& body = bodies.graphs[is_g ? g_body : next_body++];
      append_field_of(field.number, [&] { graph(body); });
    }
  }
  next_body = g_body + (found.has_g ? 1 : 0);
}

void Encoder::node(const Node& node) {
  if (!has_changed_bodies(node)) {
    append(node.wire);
    return;
  }
  size_t next_body = 0;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.tag == delimited_tag(field::Node::attribute)) {
      append_field_of(field::Node::attribute, [&] { attribute(field.content, *node.bodies, next_body); });
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
  for (const GraphPiece& piece : graph.pieces) {
    append(piece.bytes);
    for (const Node* each : piece.nodes) {
      const Node& node = *each;
      if (node.is_run()) {
        append(node.wire);
        // A node keeps its tag and length only if they are what would be written here: some writers
        // pad the lengths, and in a function nodes are a field of another number.
      } else if (!has_changed_bodies(node) && node.stands_in_graph && !graph.is_function) {
        append(Bytes(node.wire.data() - node.header, node.header + node.wire.size()));
      } else {
        append_field_of(number, [&] { this->node(node); });
      }
    }
  }
}

void Encoder::opset_imports() {
  std::string imports;
  for (const OpsetImport& import : model_.opset_imports) {
    if (import.field().empty()) {
      append_opset_import(imports, field::Model::opset_import, import);
    } else {
      imports.append(import.field());
    }
  }
  append(model_.keep(imports));
}

void Encoder::model() {
  if (!model_.changed()) {
    append(model_.wire);
    return;
  }
  // New opset imports are written where the first of the old ones stood.
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
        append_field_of(field::Model::graph, [&] { graph(model_.graph); });
        break;
      case ModelPiece::Kind::function: {
        const Function& function = model_.functions[piece.index];
        if (function.dropped) break;
        if (!function.body.changed) {
          append(piece.bytes);
        } else {
          append_field_of(field::Model::functions, [&] { graph(function.body); });
        }
        break;
      }
    }
  }
  if (imports_due) opset_imports();
}

std::string in_one_piece(const EncodedModel& encoded) {
  std::string bytes;
  bytes.reserve(encoded.size);
  for (const Bytes range : encoded.ranges) bytes.append(range);
  return bytes;
}

}  // namespace

void EncodedModel::append(Bytes bytes) {
  if (bytes.empty()) return;
  size += bytes.size();
  if (ranges.empty() || !extend(ranges.back(), bytes)) ranges.push_back(bytes);
}

void append_opset_import(std::string& out, uint32_t number, const OpsetImport& import) {
  std::string content;
  append_field(content, field::OpsetId::domain, import.domain());
  append_field(content, field::OpsetId::version, static_cast<uint64_t>(import.version()));
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
  return in_one_piece(encoder.take());
}

std::string encode_graph(Model& model, const Graph& graph) {
  Encoder encoder(model);
  encoder.graph(graph);
  return in_one_piece(encoder.take());
}

}  // namespace onnx_lower
