// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The steps that make models out of models; each leaves a valid model valid, as far as onnx's
// checker tells.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/random.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower::fuzz {

// A graph or the body of a function, wherever it stands in a model.
struct Body {
  google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes = nullptr;
  onnx::GraphProto* graph = nullptr;        // or
  onnx::FunctionProto* function = nullptr;  // also of a graph that stands in a function
  int outer = -1;  // the body that this graph stands in, as an index into bodies_of(); -1: none
  int place = 0;   // of the node there that holds it
};

// All of them, outer ones before inner ones; the main graph is the first. Any change of the model
// but of fields of nodes makes them stale.
std::vector<Body> bodies_of(onnx::ModelProto& model);

// The element type of a type string of a schema; 0 for what is no tensor.
int element_type_of(onnx::DataType type);

// nullptr: none has that version.
const onnx::OpSchema* schema_of(const onnx::NodeProto& node, int64_t version);

class ModelEditor {
 public:
  ModelEditor(onnx::ModelProto& model, Random& random) : model_(model), random_(random) {}

  // A node more: of a standard operator, of one that has a rule, or a call of a function.
  void insert_node();
  // Some neighbouring nodes become a function, and a call of it takes their place.
  void move_into_function();
  // Some neighbouring nodes become a branch of an If.
  void move_into_branch();
  // A value of an attribute in a function becomes one that the calls give.
  void hand_attribute_in();
  // Options of the command line, in the model's metadata.
  void choose_arguments();
  // One more value becomes a graph output, or one fewer.
  void change_outputs();

  // A name that nothing has: such as tools invent, or such as nobody expects.
  std::string fresh_name();
  // The operators that have rules, as domain and name.
  static const std::vector<std::pair<std::string, std::string>>& operators_with_rules();

 private:
  struct Visible {
    std::string name;
    int element_type = 0;  // 0: not known
  };
  struct Part {  // some nodes of a body, with what they read and what others read of them
    int begin = 0, end = 0;
    std::vector<std::string> reads, gives;
  };

  int64_t version_of(const Body& body, const std::string& domain) const;
  void import(const Body& body, const std::string& domain, int64_t version = 1);
  std::vector<Visible> visible(const std::vector<Body>& bodies, int body, int place);
  std::string value_of_type(const Body& body, const std::vector<Visible>& values, int element_type);
  std::string new_value(const Body& body, int element_type);
  bool fill_standard(onnx::NodeProto& node, const std::vector<Body>& bodies, int body, int place);
  bool fill_by_schema(onnx::NodeProto& node, const onnx::OpSchema& schema, const Body& body,
                      const std::vector<Visible>& values);
  void fill_by_rule(onnx::NodeProto& node, const Body& body, const std::vector<Visible>& values);
  bool fill_call(onnx::NodeProto& node, const Body& body, const std::vector<Visible>& values);
  void fill_attribute(onnx::AttributeProto& attribute, const onnx::OpSchema::Attribute& declared);
  void fill_body(onnx::GraphProto& graph, const std::vector<Visible>& values, size_t inputs, size_t outputs);
  bool choose_part(const Body& body, Part& part);
  const std::set<std::string>& names();

  onnx::ModelProto& model_;
  Random& random_;
  std::set<std::string> names_;  // of values, functions and attributes; filled when first asked for
};

}  // namespace onnx_lower::fuzz
