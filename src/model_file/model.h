// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A model as the legalizer needs it. Nodes, values and operators are read from the wire format;
// everything else stays a range of bytes of the input, which nobody has parsed. To write the model
// is to join the ranges that stayed with those that are new. Whatever a string_view or Bytes in
// this file points to lies in the input or in the model's arenas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain.h"
#include "model_file/arena.h"
#include "model_file/arena_allocator.h"
#include "model_file/declaration.h"
#include "model_file/hash_set.h"
#include "model_file/input_file.h"
#include "model_file/interner.h"
#include "model_file/value_id.h"
#include "model_file/wire.h"

namespace onnx_lower {

// An operator as a node names it: domain ("" for ai.onnx), op_type, overload.
using OperatorId = uint32_t;

struct Operator {
  std::string_view domain;
  std::string_view op_type;
  std::string_view overload;

  bool operator==(const Operator&) const = default;
};

inline uint64_t hash_of(const Operator& op) {
  uint64_t hash = hash_of(op.op_type);
  // Most nodes have neither a domain nor an overload.
  if (!op.domain.empty()) hash = hash * 31 + hash_of(op.domain);
  if (!op.overload.empty()) hash = hash * 31 + hash_of(op.overload);
  return hash;
}

// For hash tables that are not iterated.
struct HashOfOperator {
  size_t operator()(const Operator& op) const { return hash_of(op); }
};

// Which version of each operator set a node means, as a number that
// legalizer/knowledge/opset_contexts.h gives out. 0 stands for the opset imports of the graph in
// which the node was read, which are the model's or a function's; other numbers for those of the
// rule that made the node.
using OpsetContext = uint16_t;
constexpr OpsetContext own_opsets = 0;

// An import is only ever replaced as a whole, so that `field` always says the same as the rest.
class OpsetImport {
 public:
  // `field` is the whole field as it was read from the model; empty when the import is made here.
  OpsetImport(std::string_view domain, int64_t version, Bytes field = {})
      : domain_(domain), version_(version), field_(field) {}

  std::string_view domain() const { return domain_; }
  int64_t version() const { return version_; }
  Bytes field() const { return field_; }

  // Whether both import the same version of the same domain, whatever their fields are.
  bool operator==(const OpsetImport& other) const { return domain_ == other.domain_ && version_ == other.version_; }

 private:
  std::string_view domain_;
  int64_t version_;
  Bytes field_;
};

// The version of a domain among imports; 0 if the domain is not there. If it is there several
// times, the last import counts, as it does for all readers.
int64_t version_of(std::span<const OpsetImport> imports, std::string_view domain);

struct Graph;

// The subgraphs that a node's attributes hold, in the order in which they stand on the wire.
struct Bodies {
  std::vector<Graph, ArenaAllocator<Graph>> graphs;
  bool changed = false;
};

// A node in a few words: what it refers to belongs to the model, and so does the node itself. A
// node never changes, except for what stands in its subgraphs.
// A run is one Node for several nodes that a rule made, of which only the last one's output is used
// outside: it takes a tenth of the memory of all of them. Its `wire` holds these nodes as fields of
// the graph or function, its inputs are what they read from outside, and its op, opsets and output
// are those of the last node.
struct Node {
  Bytes wire;  // a NodeProto; outdated inside its subgraphs when bodies->changed
  std::string_view name;
  const ValueId* values = nullptr;  // the inputs, then the outputs
  uint32_t input_count = 0;
  uint32_t output_count = 0;
  Bodies* bodies = nullptr;  // null when no attribute holds a graph
  OperatorId op = 0;
  OpsetContext opsets = own_opsets;
  uint8_t run_length = 0;  // how many nodes a run has; 0 for a node that is no run
  uint8_t header : 4 = 0;  // how many bytes of tag and length stand right before `wire`
  // The node names its domain "ai.onnx", which onnx's checker and OpenVINO do not accept.
  bool spells_domain_out : 1 = false;
  bool has_attributes : 1 = false;
  // Whether the tag and length before `wire` are those that a graph has there. In a function they
  // are those of another field, and some writers pad the length.
  bool stands_in_graph : 1 = false;

  std::span<const ValueId> inputs() const { return {values, input_count}; }
  std::span<const ValueId> outputs() const { return {values + input_count, output_count}; }
  // The subgraphs that the node's attributes hold; mostly none.
  std::span<Graph> graphs() const;
  bool is_run() const { return run_length != 0; }
};
static_assert(sizeof(Node) == 64, "one cache line: a model has hundreds of thousands");

// A graph input, output or value_info; `wire` is its ValueInfoProto.
struct ValueInfo {
  ValueId value = absent_value;
  Bytes wire;
  DeclaredType type = DeclaredType::none;
};

// A TensorProto without its elements.
struct TensorSkeleton {
  ValueId value = absent_value;
  Bytes wire;
  bool external = false;
};

// A part of a graph: fields that stay as they are, or consecutive nodes, or one field that may have
// to change. That is a sparse initializer, a graph output or a value_info without an element type,
// or a graph input whose type is incomplete.
struct GraphPiece {
  enum class Kind : uint8_t {
    verbatim,
    nodes,
    sparse_initializer,
    untyped_output,
    untyped_value_info,
    incomplete_input
  };
  Kind kind = Kind::verbatim;
  Bytes bytes;                     // whole fields; nothing for nodes
  std::vector<const Node*> nodes;  // these belong to the model
};

using GraphPieces = std::vector<GraphPiece, ArenaAllocator<GraphPiece>>;

struct Graph {
  Bytes wire;  // a GraphProto, or a FunctionProto
  bool is_function = false;
  bool changed = false;     // if so, `pieces` counts and not `wire`
  bool has_bodies = false;  // some node has subgraphs
  std::string_view name;
  GraphPieces pieces;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> value_infos;
  std::vector<TensorSkeleton> initializers;
  std::vector<ValueId> sparse_initializers;

  size_t node_count() const;  // subgraphs included
};

inline std::span<Graph> Node::graphs() const { return bodies == nullptr ? std::span<Graph>() : bodies->graphs; }

// Edits each graph that a node of `graph` holds, and notes whether that changed it.
template <typename Edit>
void edit_graphs_of(const Node& node, Graph& graph, const Edit& edit) {
  for (Graph& inner : node.graphs()) {
    edit(inner);
    node.bodies->changed |= inner.changed;
    graph.changed |= inner.changed;
  }
}

// Visits the nodes of a graph, without those of its subgraphs.
template <typename Visit>
void for_each_own_node(const Graph& graph, const Visit& visit) {
  for (const GraphPiece& piece : graph.pieces) {
    for (const Node* node : piece.nodes) visit(*node);
  }
}

template <typename Visit>
void for_each_node(const Graph& graph, const Visit& visit);

// Visits a node, and those of its subgraphs.
template <typename Visit>
void for_each_node_of(const Node& node, const Visit& visit) {
  visit(node);
  for (const Graph& body : node.graphs()) for_each_node(body, visit);
}

// Visits every node of a graph and of its subgraphs.
template <typename Visit>
void for_each_node(const Graph& graph, const Visit& visit) {
  for_each_own_node(graph, [&](const Node& node) { for_each_node_of(node, visit); });
}

// Visits the inputs of a node, those of the nodes in its subgraphs, and the outputs of these.
template <typename Visit>
void for_each_used(const Node& node, const Visit& visit) {
  for_each_node_of(node, [&](const Node& inner) {
    for (const ValueId input : inner.inputs()) visit(input);
    for (const Graph& body : inner.graphs()) {
      for (const ValueInfo& output : body.outputs) visit(output.value);
    }
  });
}

// Visits a graph, and those that its nodes hold, to any depth.
template <typename Visit>
void for_each_graph(const Graph& graph, const Visit& visit) {
  visit(graph);
  if (!graph.has_bodies) return;
  for_each_node(graph, [&](const Node& node) { std::ranges::for_each(node.graphs(), visit); });
}

// Visits what a graph defines: inputs, initializers, and outputs of its own nodes.
template <typename Visit>
void for_each_defined(const Graph& graph, const Visit& visit) {
  for (const ValueInfo& input : graph.inputs) visit(input.value);
  for (const TensorSkeleton& initializer : graph.initializers) visit(initializer.value);
  for (const ValueId initializer : graph.sparse_initializers) visit(initializer);
  for_each_own_node(graph, [&](const Node& node) { std::ranges::for_each(node.outputs(), visit); });
}

// A model-local function; `body` has its nodes, and its inputs and outputs without types.
struct Function {
  std::string_view domain;
  std::string_view name;
  std::string_view overload;
  std::vector<OpsetImport> opset_imports;
  Graph body;
  bool dropped = false;
  bool added = false;  // made here, not read from the model
};

// Where the external data of a tensor lies, as the tensor says it.
struct ExternalData {
  std::string_view location;
  uint64_t offset = 0;
  int64_t length = -1;  // -1: up to the end of the file
  std::string_view tensor;
  uint64_t byte_size = 0;  // computed from shape and element type; 0 when not known
};

// A part of the model's top level. The parts are in the order of the file.
struct ModelPiece {
  enum class Kind : uint8_t { verbatim, graph, function, opset_import, ir_version };
  Kind kind = Kind::verbatim;
  Bytes bytes;       // whole fields
  size_t index = 0;  // which function or opset import it is
};

class Model {
  // Declared first, so that it is destroyed after all that may lie in it.
  std::unique_ptr<Arena> graph_memory_ = std::make_unique<Arena>();

 public:
  explicit Model(InputFile input);
  Model(Model&&) = default;
  // Not the default: that would assign member by member, and free the memory before
  // what lies in it.
  Model& operator=(Model&& other) {
    if (this == &other) return *this;
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
    return *this;
  }

  const InputFile& input() const { return input_; }
  // Takes the input over from a model whose bytes this one shares (see InputFile::shared).
  void take_input(Model& other) { input_ = std::move(other.input_); }
  // To be called when a tensor has been looked at: its pages no longer count as memory in use,
  // since nothing near large weights will be looked at next.
  void leave_tensor(Bytes wire) const;

  int64_t ir_version = 0;
  Bytes wire;
  std::vector<OpsetImport> opset_imports;  // domain "ai.onnx" reads as ""
  Graph graph;
  std::vector<Function> functions;
  // The graphs of training_info, which stay as they are. Their nodes may
  // call the model's functions.
  std::vector<Graph> training_graphs;
  std::vector<ModelPiece> pieces;
  std::vector<ExternalData> external_data;

  // Whether the written model has other opset imports than the one that was read.
  bool opset_imports_changed = false;
  bool ir_version_changed = false;
  // Whether a rule made a tensor whose elements are to be derived (model_file/derived_tensor.h).
  bool has_derived_tensors = false;

  // Whether the model differs from its `wire`.
  bool changed() const;

  // The version that the model imports of a domain; 0 when it imports none.
  int64_t opset(std::string_view domain) const { return version_of(opset_imports, domain); }
  size_t node_count() const;  // subgraphs and functions included

  Interner& values() { return values_; }
  const Interner& values() const { return values_; }
  std::string_view value_name(ValueId value) const { return values_[value]; }
  const Operator& op(OperatorId id) const { return operators_[id]; }
  // The domain may be "ai.onnx", too. The strings need not live longer than the call.
  OperatorId intern_operator(const Operator& op);
  size_t operator_count() const { return operators_.size(); }

  // To be called with the name of each node that is read, wherever it stands. Only the end of
  // the name is remembered: the names of a model's nodes end in few different ways, and most
  // new names in others.
  void note_node_name(std::string_view name) { node_name_ends_.insert(hash_of_end(name)); }
  // Whether a node that was read may have this name. False is certain.
  bool may_name_a_node(std::string_view name) const { return node_name_ends_.contains(hash_of_end(name)); }

  // Keeps bytes for as long as the model lives.
  Bytes keep(Bytes bytes) { return arena_.copy(bytes); }
  // Copies bytes behind the tag and length of a field, for as long as the model lives; returns the
  // copy of the content.
  Bytes keep_field(uint32_t number, Bytes content) {
    char* memory = new_field(number, content.size());
    write_bytes(memory, content);
    return {memory, content.size()};
  }
  // Makes such a field for a content of that size; returns the place where it is to be written.
  char* new_field(uint32_t number, size_t size) {
    return write_header(fields_.allocate(field_size(number, size)), number, size);
  }
  std::span<ValueId> new_ids(size_t count) { return arena_.allocate_array<ValueId>(count); }
  // Memory for what rules make: names, lists of values, nodes. Parts that turn out not to be needed
  // can be given back, see legalizer/placement/made_run.h.
  Arena& made() { return made_; }
  Arena& fields() { return fields_; }
  // Memory for what subgraphs hold, which are small and many.
  Arena& graph_memory() { return *graph_memory_; }
  Bodies* new_bodies();
  const Node* keep(const Node& node) { return new (arena_.allocate(sizeof(Node), alignof(Node))) Node(node); }
  // Makes room for that many nodes; they are not constructed yet.
  Node* new_nodes(size_t count) { return arena_.allocate_array<Node>(count).data(); }

 private:
  OperatorId add_operator(const Operator& op, size_t slot);

  // A hash of the last bytes of a name, which is never 0.
  static uint64_t hash_of_end(std::string_view name) {
    uint32_t end = 0;
    const size_t size = std::min(name.size(), sizeof(end));
    if (size != 0) std::memcpy(&end, name.data() + name.size() - size, size);
    // 2^64 divided by the golden ratio.
    const uint64_t product = (end + uint64_t{1}) * 0x9e3779b97f4a7c15;
    return product ^ product >> 32;
  }

  InputFile input_;
  Arena arena_;
  Arena made_;
  // Fields have an arena of their own, so that they lie side by side, as they will in the output.
  Arena fields_;
  Interner values_;
  std::vector<std::unique_ptr<Bodies>> bodies_;
  HashSet node_name_ends_;
  std::vector<Operator> operators_;
  // A hash table of indices into `operators_`, since every node that is read asks for its operator.
  std::vector<uint32_t> operator_slots_;
};

}  // namespace onnx_lower
