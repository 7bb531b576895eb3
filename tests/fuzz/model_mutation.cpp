// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/model_mutation.h"

#include <fmt/format.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/lowering_oracle.h"
#include "fuzz/model_editor.h"

namespace onnx_lower::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// All messages of a message, itself included, but for what lies deeper than protobuf's own readers
// go.
void add_messages(Message& message, std::vector<Message*>& found, int depth = 0) {
  found.push_back(&message);
  if (depth > 80) return;
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      add_messages(*reflection.MutableMessage(&message, field), found, depth + 1);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i)
      add_messages(*reflection.MutableRepeatedMessage(&message, field, i), found, depth + 1);
  }
}

std::vector<Message*> messages_of(Message& message) {
  std::vector<Message*> found;
  add_messages(message, found);
  return found;
}

// A name that the model has somewhere, or one that is odd.
std::string some_name(const onnx::ModelProto& model, Random& random) {
  constexpr std::string_view odd[] = {"",
                                      "x",
                                      "y",
                                      "ai.onnx",
                                      "ai.onnx.ml",
                                      "com.microsoft",
                                      "custom",
                                      "Constant",
                                      "If",
                                      "Loop",
                                      "Cast",
                                      "Split",
                                      "axes",
                                      "then_branch",
                                      "\xff",
                                      "a\nb",
                                      "external",
                                      "location",
                                      "data.bin",
                                      "../data.bin",
                                      "offset",
                                      "length",
                                      "18446744073709551616",
                                      "-1"};
  std::vector<std::string> names;
  const auto& graph = model.graph();
  for (const auto& node : graph.node()) {
    names.insert(names.end(), node.input().begin(), node.input().end());
    names.insert(names.end(), node.output().begin(), node.output().end());
    names.push_back(node.op_type());
    for (const auto& attribute : node.attribute()) names.push_back(attribute.name());
  }
  for (const auto& function : model.functions()) names.push_back(function.name());
  if (!names.empty() && random.chance(65)) return random.pick(names);
  return std::string(random.pick(odd));
}

void set_value(Message& message, const FieldDescriptor* field, int index, const onnx::ModelProto& model,
               Random& random) {
  const Reflection& reflection = *message.GetReflection();
  // Sets one element of a repeated field, or the field.
  const auto set = [&](auto set_one, auto set_repeated, auto value) {
    if (field->is_repeated()) {
      (reflection.*set_repeated)(&message, field, index, value);
    } else {
      (reflection.*set_one)(&message, field, value);
    }
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      set(&Reflection::SetInt32, &Reflection::SetRepeatedInt32, static_cast<int32_t>(random.odd_integer()));
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      set(&Reflection::SetInt64, &Reflection::SetRepeatedInt64, random.odd_integer());
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      set(&Reflection::SetUInt64, &Reflection::SetRepeatedUInt64, static_cast<uint64_t>(random.odd_integer()));
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      set(&Reflection::SetFloat, &Reflection::SetRepeatedFloat, static_cast<float>(random.odd_integer()) / 2);
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      set(&Reflection::SetDouble, &Reflection::SetRepeatedDouble, static_cast<double>(random.odd_integer()) / 2);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      set(&Reflection::SetEnumValue, &Reflection::SetRepeatedEnumValue, static_cast<int>(random.below(16)));
      break;
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string text = some_name(model, random);
      // Elements of a tensor: fewer or more of them.
      if (field->name() == "raw_data") text.assign(random.below(20), static_cast<char>(random.number()));
      if (field->is_repeated()) {
        reflection.SetRepeatedString(&message, field, index, text);
      } else {
        reflection.SetString(&message, field, text);
      }
      break;
    }
    default:
      break;
  }
}

void add_value(Message& message, const FieldDescriptor* field) {
  const Reflection& reflection = *message.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.AddInt32(&message, field, 0);
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.AddInt64(&message, field, 0);
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection.AddUInt64(&message, field, 0);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.AddFloat(&message, field, 0);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.AddDouble(&message, field, 0);
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection.AddString(&message, field, "");
    case FieldDescriptor::CPPTYPE_MESSAGE:
      reflection.AddMessage(&message, field);
      return;
    default:
      return;
  }
}

// Any field of any message, whatever it means. Where `other` has a message of the same type, that
// may be taken over.
void change_field(onnx::ModelProto& model, onnx::ModelProto* other, Random& random) {
  std::vector<Message*> messages = messages_of(model);
  Message& message = *random.pick(messages);
  const Reflection& reflection = *message.GetReflection();
  if (&message != &model && random.chance(other != nullptr ? 50 : 5)) {
    std::vector<Message*> same;
    for (Message* one : messages_of(other != nullptr ? *other : model)) {
      if (one->GetDescriptor() == message.GetDescriptor() && one != &message) same.push_back(one);
    }
    if (!same.empty()) {
      // By way of a copy: one of them may hold the other.
      const Message& source = *random.pick(same);
      const std::string bytes = source.SerializePartialAsString();
      message.ParsePartialFromString(bytes);
      return;
    }
  }
  std::vector<const FieldDescriptor*> present;
  reflection.ListFields(message, &present);
  const FieldDescriptor* field = present.empty() || random.chance(15)
                                     ? message.GetDescriptor()->field(static_cast<int>(
                                           random.below(static_cast<size_t>(message.GetDescriptor()->field_count()))))
                                     : random.pick(present);
  const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  if (!field->is_repeated()) {
    if (random.chance(15)) {
      reflection.ClearField(&message, field);
    } else if (is_message) {
      reflection.MutableMessage(&message, field);
    } else {
      set_value(message, field, 0, model, random);
    }
    return;
  }
  const int size = reflection.FieldSize(message, field);
  if (size == 0 || random.chance(20)) {
    add_value(message, field);
    if (!is_message) set_value(message, field, size, model, random);
    return;
  }
  const auto index = static_cast<int>(random.below(static_cast<size_t>(size)));
  switch (random.below(4)) {
    case 0:
      reflection.SwapElements(&message, field, index, size - 1);
      reflection.RemoveLast(&message, field);
      break;
    case 1:
      reflection.SwapElements(&message, field, index, static_cast<int>(random.below(static_cast<size_t>(size))));
      break;
    case 2:
      if (is_message) {
        const std::string bytes = reflection.GetRepeatedMessage(message, field, index).SerializePartialAsString();
        reflection.AddMessage(&message, field)->ParsePartialFromString(bytes);
        break;
      }
      [[fallthrough]];
    default:
      if (!is_message) set_value(message, field, index, model, random);
      break;
  }
}

// A value gets another name wherever it stands in the main graph: perhaps that of another value.
void rename_value(onnx::ModelProto& model, ModelEditor& editor, Random& random) {
  const std::string from = some_name(model, random);
  const std::string to = random.chance(70) ? editor.fresh_name() : some_name(model, random);
  for (const Body& body : bodies_of(model)) {
    for (onnx::NodeProto& node : *body.nodes) {
      std::ranges::replace(*node.mutable_input(), from, to);
      std::ranges::replace(*node.mutable_output(), from, to);
    }
    if (body.graph == nullptr) continue;
    const auto rename = [&](auto& named) {
      for (auto& one : named) {
        if (one.name() == from) one.set_name(to);
      }
    };
    rename(*body.graph->mutable_input());
    rename(*body.graph->mutable_output());
    rename(*body.graph->mutable_value_info());
    rename(*body.graph->mutable_initializer());
  }
}

// The versions that are imported.
void change_import(onnx::ModelProto& model, Random& random) {
  auto* imports = model.mutable_opset_import();
  if (model.functions_size() > 0 && random.chance(30))
    imports = random.pick(*model.mutable_functions()).mutable_opset_import();
  if (imports->empty() || random.chance(10)) imports->Add();
  onnx::OperatorSetIdProto& import = random.pick(*imports);
  if (random.chance(10)) import.set_domain(some_name(model, random));
  import.set_version(random.chance(90) ? static_cast<int64_t>(1 + random.below(27)) : random.odd_integer());
  if (random.chance(20)) model.set_ir_version(static_cast<int64_t>(1 + random.below(14)));
}

// Another input, or another operator.
void change_node(onnx::ModelProto& model, Random& random) {
  std::vector<Body> bodies = bodies_of(model);
  const Body& body = random.pick(bodies);
  if (body.nodes->empty()) return;
  onnx::NodeProto& node = random.pick(*body.nodes);
  const size_t kind = random.below(5);
  if (kind == 0) {
    const auto& [domain, op_type] = random.pick(ModelEditor::operators_with_rules());
    node.set_domain(domain);
    node.set_op_type(op_type);
  } else if (kind == 1) {
    node.add_input(some_name(model, random));
  } else if (kind == 2 && node.input_size() > 0) {
    node.set_input(static_cast<int>(random.below(static_cast<size_t>(node.input_size()))),
                   random.chance(40) ? "" : some_name(model, random));
  } else if (kind == 3 && node.output_size() > 0) {
    node.set_output(static_cast<int>(random.below(static_cast<size_t>(node.output_size()))), "");
  } else if (node.input_size() > 0) {
    node.mutable_input()->RemoveLast();
  }
}

// An If in an If in an If, or a chain of calls that doubles with each link.
void repeat_nesting(onnx::ModelProto& model, Random& random) {
  if (random.chance(50)) {
    for (size_t count = random.below(12); count > 0; --count) {
      onnx::GraphProto inner = model.graph();
      inner.clear_input();
      inner.clear_initializer();
      onnx::NodeProto node;
      node.set_op_type("If");
      if (model.graph().input_size() > 0) node.add_input(model.graph().input(0).name());
      for (const auto& output : model.graph().output()) node.add_output(output.name());
      onnx::AttributeProto& attribute = *node.add_attribute();
      attribute.set_name("then_branch");
      attribute.set_type(onnx::AttributeProto::GRAPH);
      *attribute.mutable_g() = inner;
      model.mutable_graph()->clear_node();
      *model.mutable_graph()->add_node() = node;
    }
    return;
  }
  const size_t links = 2 + random.below(20);
  for (size_t link = 0; link < links; ++link) {
    onnx::FunctionProto& function = *model.add_functions();
    function.set_domain("local");
    function.set_name(fmt::format("link{}", link));
    function.add_input("x");
    function.add_output("y");
    *function.mutable_opset_import() = model.opset_import();
    function.add_opset_import()->set_domain("local");
    function.mutable_opset_import(function.opset_import_size() - 1)->set_version(1);
    std::string last = "x";
    for (int i = 0; i < 2; ++i) {
      onnx::NodeProto& node = *function.add_node();
      node.set_op_type(link == 0 ? "Neg" : fmt::format("link{}", link - 1));
      if (link > 0) node.set_domain("local");
      node.add_input(last);
      last = i == 0 ? "t" : "y";
      node.add_output(last);
    }
  }
  if (model.graph().input_size() == 0) return;
  onnx::NodeProto& call = *model.mutable_graph()->add_node();
  call.set_domain("local");
  call.set_op_type(fmt::format("link{}", random.below(links)));
  call.add_input(model.graph().input(0).name());
  call.add_output("end of the chain");
  model.set_ir_version(std::max<int64_t>(8, model.ir_version()));
}

void mutate(onnx::ModelProto& model, onnx::ModelProto* other, Random& random) {
  ModelEditor editor(model, random);
  switch (random.below(14)) {
    case 0:
    case 1:
    case 2:
      editor.insert_node();
      break;
    case 3:
      editor.move_into_function();
      break;
    case 4:
      editor.move_into_branch();
      break;
    case 5:
      editor.hand_attribute_in();
      break;
    case 6:
      editor.choose_arguments();
      break;
    case 7:
      editor.change_outputs();
      break;
    case 8:
      rename_value(model, editor, random);
      break;
    case 9:
      change_import(model, random);
      break;
    case 10:
      change_node(model, random);
      break;
    case 11:
      if (random.chance(10)) repeat_nesting(model, random);
      break;
    default:
      change_field(model, other, random);
      break;
  }
}

// The same message, written in another way: the fields of one of its messages stand in two parts,
// which readers merge.
std::string in_two_parts(const onnx::ModelProto& model, Random& random) {
  onnx::ModelProto rest = model;
  onnx::ModelProto part;
  // The graph of the first part has some of the last nodes, inputs or initializers.
  onnx::GraphProto& graph = *rest.mutable_graph();
  for (size_t count = random.below(4); count > 0 && graph.node_size() > 0; --count)
    part.mutable_graph()->mutable_node()->AddAllocated(graph.mutable_node()->ReleaseLast());
  if (random.chance(50) && graph.input_size() > 0)
    part.mutable_graph()->mutable_input()->AddAllocated(graph.mutable_input()->ReleaseLast());
  std::string first, second;
  rest.SerializePartialToString(&first);
  part.SerializePartialToString(&second);
  return random.chance(50) ? first + second : second + first;
}

}  // namespace

onnx::ModelProto drawn_model(Random& random) {
  onnx::ModelProto model;
  model.set_ir_version(static_cast<int64_t>(random.chance(15) ? 3 : 7 + random.below(6)));
  model.set_producer_name("fuzz");
  onnx::OperatorSetIdProto& import = *model.add_opset_import();
  import.set_domain("");
  import.set_version(static_cast<int64_t>(7 + random.below(20)));
  model.mutable_graph()->set_name("graph");
  ModelEditor editor(model, random);
  for (size_t count = 1 + random.below(8); count > 0; --count) editor.insert_node();
  for (size_t count = 1 + random.below(3); count > 0; --count) editor.change_outputs();
  for (size_t count = random.below(4); count > 0; --count) {
    if (random.chance(60)) {
      editor.move_into_function();
    } else {
      editor.move_into_branch();
    }
    if (random.chance(30)) editor.hand_attribute_in();
  }
  if (random.chance(50)) editor.choose_arguments();
  return model;
}

std::string mutated_model(std::string_view input, std::string_view other, Random& random) {
  onnx::ModelProto model;
  if (random.chance(3) || !model.ParsePartialFromArray(input.data(), static_cast<int>(input.size())))
    return drawn_model(random).SerializePartialAsString();
  onnx::ModelProto other_model;
  const bool has_other =
      !other.empty() && other_model.ParsePartialFromArray(other.data(), static_cast<int>(other.size()));
  for (size_t count = 1 + random.below(4); count > 0; --count)
    mutate(model, has_other ? &other_model : nullptr, random);
  if (random.chance(4)) return in_two_parts(model, random);
  return model.SerializePartialAsString();
}

}  // namespace onnx_lower::fuzz
