// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/lowering_oracle.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "check/check_model.h"
#include "cpp/temporary_folder.h"
#include "error.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/model_editor.h"
#include "legalizer/legalizer.h"
#include "model_file/encode_model.h"
#include "model_file/external_data.h"
#include "model_file/read_model.h"
#include "model_file/write_model.h"
#include "onnx/checker.h"
#include "onnx/defs/schema.h"
#include "onnx/shape_inference/implementation.h"
#include "report/json_report.h"
#include "report/unlowered_message.h"

namespace onnx_lower::fuzz {
namespace {

// Where models are said to be, with a file beside them that external data may lie in.
const TemporaryFolder& folder() {
  static const TemporaryFolder made("onnx-lower-fuzz");
  [[maybe_unused]] static const std::string data = made.write("data.bin", std::string(1024, '\1'));
  [[maybe_unused]] static const std::string place = made.write("out/none", "");
  return made;
}

Options options_of(const std::vector<std::string>& arguments) {
  std::vector<const char*> words = {"onnx-lower", "model.onnx"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  try {
    const auto with_output = [&words](std::initializer_list<const char*> output) {
      words.insert(words.end(), output);
      return parse_options(static_cast<int>(words.size()), words.data());
    };
    Options options = with_output({"-o", "out.onnx"});
    if (options.task == Task::lower && !options.check_only) return options;
  } catch (const UsageError&) {
  }
  Options options;
  options.output = "out.onnx";
  return options;
}

struct Outcome {
  std::optional<std::string> written;
  std::string file;  // that holds it, when it was written to one
  std::string refusal;
  bool is_final = false;  // whether lowering it once more has nothing to do
};

// With external data to a file, beside which they lie then.
void write(Model& model, const Options& options, Outcome& outcome) {
  if (model.external_data.empty() && options.write.external_data == ExternalDataMode::keep) {
    outcome.written.emplace();
    for (const Bytes range : encode_model(model).ranges) outcome.written->append(range);
    return;
  }
  outcome.file = folder().file("out/out.onnx");
  write_model(model, outcome.file, options.write);
  outcome.written = folder().read("out/out.onnx");
}

// What main does with one model. Lets everything through that main would call an internal error.
Outcome lower(std::string_view bytes, const std::string& name, const Options& options, RuleLibrary& library) {
  RunReport report;
  Outcome outcome;
  try {
    Model model = read_model(InputFile::from_bytes(folder().file(name), std::string(bytes)));
    const ComparedVersions compared = check_model(model);
    check_external_data(model, options.write.allow_external_paths);
    report.external_files = external_locations(model);
    report.result = legalize(model, library, options.legalize);
    const bool is_lowered = report.result.unlowered.empty();
    // Where a node is left, what was written may have less in its way; and --fold finds in
    // functions that are there already what it leaves in those it attaches.
    outcome.is_final = is_lowered && !(options.legalize.fold && report.result.attached_functions > 0);
    const bool accepted = is_lowered || options.allow_unlowered;
    report.status = accepted ? ExitStatus::done : ExitStatus::not_lowered;
    if (accepted) {
      check_model(model, compared);
      write(model, options, outcome);
    } else {
      outcome.refusal = unlowered_message(name, report.result, false, Colors(false));
      if (outcome.refusal.empty()) fail("nodes are left, and no message says so");
    }
    if (!nlohmann::json::accept(json_report(options, report))) fail("the report is no JSON");
  } catch (const Error& error) {
    outcome.written.reset();
    outcome.refusal = error.what();
    report.result = {};
    report.error = outcome.refusal;
    const int status = static_cast<int>(error.status());
    if (status < 1 || status > 4) fail("exit status " + std::to_string(status) + " says something else");
    if (outcome.refusal.empty()) fail("a refusal without a message");
    if (!nlohmann::json::accept(json_report(options, report))) fail("the report is no JSON");
  }
  return outcome;
}

template <typename Nodes, typename Visit>
void for_each_node(const Nodes& nodes, const Visit& visit) {
  for (const onnx::NodeProto& node : nodes) {
    visit(node);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) for_each_node(attribute.g().node(), visit);
      for (const onnx::GraphProto& graph : attribute.graphs()) for_each_node(graph.node(), visit);
    }
  }
}

template <typename Visit>
void for_each_node(const onnx::ModelProto& model, const Visit& visit) {
  for_each_node(model.graph().node(), visit);
  for (const onnx::FunctionProto& function : model.functions()) for_each_node(function.node(), visit);
}

// How far onnx goes along with a model.
struct Verdict {
  bool is_checked = false;
  bool is_inferred = false;
  std::string complaint;
};

Verdict inferred(onnx::ModelProto model) {
  // These read the type of their input without asking whether it is known: not so behind a node
  // that onnx does not know.
  static const std::set<std::string_view> crashing = {"EyeLike", "LabelEncoder", "RegexFullMatch"};
  bool may_crash = false;
  for_each_node(model, [&](const onnx::NodeProto& node) { may_crash |= crashing.contains(node.op_type()); });
  if (may_crash) return {.is_checked = true, .is_inferred = false, .complaint = "onnx's inference may crash"};
  try {
    constexpr int report_errors = 1;
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                       onnx::ShapeInferenceOptions{true, report_errors, false});
  } catch (const std::exception& error) {
    return {.is_checked = true, .is_inferred = false, .complaint = error.what()};
  }
  return {.is_checked = true, .is_inferred = true, .complaint = {}};
}

// `file` holds the model where external data lie beside it.
Verdict verdict_on(const onnx::ModelProto& model, const std::string& file) {
  try {
    if (file.empty()) {
      onnx::checker::check_model(model);
    } else {
      onnx::checker::check_model(file);
    }
  } catch (const std::exception& error) {
    return {.is_checked = false, .is_inferred = false, .complaint = error.what()};
  }
  return inferred(model);
}

// After a node that it does not know, inference keeps silent on whatever it finds.
bool knows_all_operators(const onnx::ModelProto& model) {
  std::set<std::pair<std::string, std::string>> functions;
  for (const onnx::FunctionProto& function : model.functions()) functions.emplace(function.domain(), function.name());
  bool knows = true;
  for_each_node(model, [&](const onnx::NodeProto& node) {
    if (!functions.contains({node.domain(), node.op_type()}) &&
        onnx::OpSchemaRegistry::Schema(node.op_type(), node.domain()) == nullptr)
      knows = false;
  });
  return knows;
}

// A copy in which nothing is said of the types of values but of the main graph's inputs and
// initializers.
onnx::ModelProto without_declarations(const onnx::ModelProto& model) {
  onnx::ModelProto copy = model;
  for (const Body& body : bodies_of(copy)) {
    if (body.graph == nullptr) continue;
    body.graph->clear_value_info();
    for (onnx::ValueInfoProto& output : *body.graph->mutable_output()) output.clear_type();
  }
  return copy;
}

// Whether a complaint of inference speaks only of nodes that the input had: "(op_type:Add, node
// name: n): …". What a function's node becomes is called after the call and the node, or the first
// thing that it makes.
bool is_of_input(const std::string& complaint, const onnx::ModelProto& input) {
  std::set<std::string_view> names;
  for_each_node(input, [&names](const onnx::NodeProto& node) {
    names.insert(node.name());
    if (node.name().empty() && node.output_size() > 0) names.insert(node.output(0));
  });
  const auto is_known = [&names](std::string_view name) {
    if (names.contains(name)) return true;
    for (size_t at = name.find('/'); at != std::string_view::npos; at = name.find('/', at + 1)) {
      if (names.contains(name.substr(at + 1))) return true;
    }
    return false;
  };
  constexpr std::string_view label = ", node name: ";
  for (size_t at = complaint.find(label); at != std::string::npos; at = complaint.find(label, at + 1)) {
    const size_t begin = at + label.size();
    if (!is_known(std::string_view(complaint).substr(begin, complaint.find("): ", begin) - begin))) return false;
  }
  return true;
}

bool is_of_types(const std::string& complaint) {
  return complaint.find("has unsupported type") != std::string::npos ||
         complaint.find("has inconsistent type") != std::string::npos;
}

void check_against_onnx(const onnx::ModelProto& before, const onnx::ModelProto& after, const std::string& file) {
  const Verdict given = verdict_on(before, {});
  if (!given.is_checked) return;
  const Verdict made = verdict_on(after, file);
  if (!made.is_checked) fail("onnx's checker takes the input and not the output: " + made.complaint);
  if (!given.is_inferred || made.is_inferred) return;
  if (knows_all_operators(before)) fail("onnx's inference takes the input and not the output: " + made.complaint);
  // Once it knows all nodes, it may see that declarations were wrong from the beginning, that the
  // input's own nodes do not go together, or that the shapes of a custom node's inputs do not.
  // Element types, though, are what a rule has to look at.
  const Verdict plain = inferred(without_declarations(after));
  if (!plain.is_inferred && is_of_types(plain.complaint) && !is_of_input(plain.complaint, before))
    fail("onnx's inference takes the input and not the output: " + plain.complaint);
}

void check_interface(const onnx::GraphProto& before, const onnx::GraphProto& after) {
  const auto check = [](const auto& given, const auto& made) {
    if (given.size() != made.size()) fail("there are more or fewer graph inputs or outputs");
    for (int i = 0; i < given.size(); ++i) {
      if (given[i].name() != made[i].name()) fail("graph input or output '" + given[i].name() + "' has changed");
    }
  };
  check(before.input(), after.input());
  check(before.output(), after.output());
}

}  // namespace

// Drawn models do not say all shapes, which runtimes can do without and onnx cannot.
void say_shapes(onnx::TypeProto& type) {
  if (type.has_tensor_type()) type.mutable_tensor_type()->mutable_shape();
  if (type.has_sequence_type()) say_shapes(*type.mutable_sequence_type()->mutable_elem_type());
  if (type.has_optional_type()) say_shapes(*type.mutable_optional_type()->mutable_elem_type());
}

bool is_valid(const onnx::ModelProto& model) {
  onnx::ModelProto shaped = model;
  for (auto* values : {shaped.mutable_graph()->mutable_input(), shaped.mutable_graph()->mutable_output(),
                       shaped.mutable_graph()->mutable_value_info()}) {
    for (onnx::ValueInfoProto& info : *values) {
      if (info.has_type()) say_shapes(*info.mutable_type());
    }
  }
  return verdict_on(shaped, {}).is_checked;
}

bool has_schemas(const onnx::ModelProto& model) {
  bool known = true;
  const auto visit_body = [&known](const auto& body, const auto& imports) {
    int opset = 0;
    for (const onnx::OperatorSetIdProto& import : imports) {
      if (import.domain().empty()) opset = static_cast<int>(import.version());
    }
    for_each_node(body.node(), [&](const onnx::NodeProto& node) {
      if (node.domain().empty() && !onnx::OpSchemaRegistry::Schema(node.op_type(), opset)) known = false;
    });
  };
  visit_body(model.graph(), model.opset_import());
  for (const onnx::FunctionProto& function : model.functions()) visit_body(function, function.opset_import());
  return known;
}

void check_lowering(std::string_view bytes, const std::vector<std::string>& arguments, const std::string& rules) {
  const Options options = options_of(arguments);
  static RuleLibrary built_in;
  std::optional<RuleLibrary> own;
  if (!rules.empty()) {
    try {
      own.emplace().add_user_rules(folder().write("rules.onnxtxt", rules));
    } catch (const Error&) {
      return;
    }
  }
  RuleLibrary& library = own ? *own : built_in;

  const Outcome first = lower(bytes, "model.onnx", options, library);
  if (!first.written) return;

  const Outcome second = lower(*first.written, "out/out.onnx", options, library);
  if (!second.written) fail("what was written is refused: " + second.refusal);
  if (first.is_final && *second.written != *first.written) fail("lowering it once more changes it");

  onnx::ModelProto before;
  if (!before.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  onnx::ModelProto after;
  if (!after.ParseFromString(*first.written)) fail("protobuf reads the input and not the output");
  check_interface(before.graph(), after.graph());
  check_against_onnx(before, after, first.file);
}

}  // namespace onnx_lower::fuzz
