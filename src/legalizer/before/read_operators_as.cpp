// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/before/read_operators_as.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

#include "domain.h"
#include "legalizer/nodes/node_message.h"
#include "spelling.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

// A node that names in an attribute what it is.
constexpr std::string_view plugin_node = "Plugin";

using ReadingOf = std::unordered_map<OperatorId, OperatorPattern>;

// Domains that exporters use for the same operators, in the order in which they are asked for a
// rule.
struct Family {
  std::span<const std::string_view> domains;
  bool contains(std::string_view domain) const { return std::ranges::find(domains, domain) != domains.end(); }
};
constexpr std::string_view tensorrt_domains[] = {"TRT", "trt", "trt.plugins", "nvidia"};
constexpr std::string_view mmdeploy_domains[] = {"mmdeploy", "mmcv"};
constexpr std::string_view aten_domains[] = {"aten", "org.pytorch.aten"};
constexpr std::string_view caffe2_domains[] = {"_caffe2", "org.pytorch._caffe2"};
constexpr Family families[] = {{tensorrt_domains}, {mmdeploy_domains}, {aten_domains}, {caffe2_domains}};

const Family* family_of(std::string_view domain) {
  const auto* found = std::ranges::find_if(families, [&](const Family& family) { return family.contains(domain); });
  return found == std::end(families) ? nullptr : found;
}

// The domain in which the operator has a rule, among those that mean the same as its own.
std::optional<std::string_view> other_name_of_domain(const Operator& op, const RuleLibrary& library) {
  const Family* family = family_of(op.domain);
  if (family == nullptr) return std::nullopt;
  for (const std::string_view domain : family->domains) {
    if (domain != op.domain && library.has_rule(domain, op.op_type)) return domain;
  }
  return std::nullopt;
}

// Whether ONNX has an operator of that name but for its capitals, which may have been meant.
bool is_misspelled(std::string_view op_type) {
  const std::vector<std::string_view> similar = similar_operators("", op_type);
  return std::ranges::any_of(similar, [&](std::string_view other) {
    return std::ranges::equal(
        op_type, other, {}, [](char c) { return std::tolower(static_cast<unsigned char>(c)); },
        [](char c) { return std::tolower(static_cast<unsigned char>(c)); });
  });
}

// The domain that an export has lost, if one family alone has an operator of that name.
std::optional<std::string_view> lost_domain(const Operator& op, const RuleLibrary& library) {
  if (is_misspelled(op.op_type)) return std::nullopt;
  std::optional<std::string_view> lost;
  for (const std::string_view domain : library.domains_with(op.op_type)) {
    if (is_standard_domain(domain)) return std::nullopt;
    if (domain == "onnx_lower") continue;  // no exporter writes these
    if (lost && (family_of(domain) == nullptr || family_of(domain) != family_of(*lost))) return std::nullopt;
    if (!lost) lost = domain;
  }
  return lost;
}

// Another operator that has a rule, in the place of one that has none.
std::optional<OperatorPattern> usual_reading(const Operator& op, const Model& model, const RuleLibrary& library,
                                             const LegalizeOptions& options) {
  const bool is_standard = is_standard_domain(op.domain);
  // A rule for a whole domain says what its operators are.
  if (!is_standard && RuleLibrary::native(op.domain, "*") != nullptr) return std::nullopt;
  if (is_standard ? !op.domain.empty() || !operator_versions("", op.op_type).empty() : family_of(op.domain) == nullptr)
    return std::nullopt;
  const auto stays = [&](const OperatorPattern& pattern) { return pattern.fits(op.domain, op.op_type); };
  if (library.has_rule(op.domain, op.op_type) || options.attach_all || std::ranges::any_of(options.kept, stays) ||
      std::ranges::any_of(options.attached, stays) ||
      std::ranges::any_of(model.functions, [&](const Function& function) {
        return function.domain == op.domain && function.name == op.op_type;
      }))
    return std::nullopt;
  const auto domain = is_standard ? lost_domain(op, library) : other_name_of_domain(op, library);
  if (!domain) return std::nullopt;
  return OperatorPattern{.domain = std::string(*domain), .op_type = std::string(op.op_type)};
}

// An attribute for a number, a text or a list of these; nothing for other values, and for a list of
// several kinds.
std::optional<onnx::AttributeProto> attribute_of(const std::string& name, const nlohmann::json& value) {
  using onnx::AttributeProto;
  AttributeProto attribute;
  attribute.set_name(name);
  const bool is_list = value.is_array();
  const auto all = [&](auto is) { return is_list ? std::ranges::all_of(value, is) : is(value); };
  const nlohmann::json items = is_list ? value : nlohmann::json::array({value});
  if (all([](const auto& item) { return item.is_number_integer() || item.is_boolean(); })) {
    attribute.set_type(is_list ? AttributeProto::INTS : AttributeProto::INT);
    for (const auto& item : items) {
      const int64_t number = item.is_boolean() ? (item.template get<bool>() ? 1 : 0) : item.template get<int64_t>();
      is_list ? attribute.add_ints(number) : attribute.set_i(number);
    }
  } else if (all([](const auto& item) { return item.is_number(); })) {
    attribute.set_type(is_list ? AttributeProto::FLOATS : AttributeProto::FLOAT);
    for (const auto& item : items) {
      const auto number = item.template get<float>();
      is_list ? attribute.add_floats(number) : attribute.set_f(number);
    }
  } else if (all([](const auto& item) { return item.is_string(); })) {
    attribute.set_type(is_list ? AttributeProto::STRINGS : AttributeProto::STRING);
    for (const auto& item : items) {
      const auto text = item.template get<std::string>();
      is_list ? attribute.add_strings(text) : attribute.set_s(text);
    }
  } else {
    return std::nullopt;
  }
  return attribute;
}

const std::string* text_attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name && attribute.type() == onnx::AttributeProto::STRING) return &attribute.s();
  }
  return nullptr;
}

// TensorRT's parsers of old take a node Plugin <name, info>, where `info` is a JSON object of the
// attributes of the operator `name`.
bool is_plugin(const Operator& op, const RuleLibrary& library) {
  return op.op_type == plugin_node && (op.domain.empty() || family_of(op.domain) != nullptr) &&
         !library.has_rule(op.domain, op.op_type);
}

bool take_apart_plugin(onnx::NodeProto& node) {
  const std::string* name = text_attribute(node, "name");
  const std::string* info = text_attribute(node, "info");
  if (name == nullptr || name->empty()) return false;
  const nlohmann::json told = info == nullptr ? nlohmann::json::object() : nlohmann::json::parse(*info, nullptr, false);
  if (!told.is_object()) return false;
  onnx::NodeProto read = node;
  read.clear_attribute();
  read.set_op_type(*name);
  for (const auto& [key, value] : told.items()) {
    const std::optional<onnx::AttributeProto> attribute = attribute_of(key, value);
    if (!attribute) return false;
    *read.add_attribute() = *attribute;
  }
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const bool is_told = attribute.name() == "name" || attribute.name() == "info" || told.contains(attribute.name());
    if (!is_told) *read.add_attribute() = attribute;
  }
  node = std::move(read);
  return true;
}

class Reader {
 public:
  Reader(Model& model, const RuleLibrary& library, const LegalizeOptions& options)
      : model_(model), library_(library), options_(options) {
    for (OperatorId id = 0; id < model.operator_count(); ++id) settle(id);
  }

  std::vector<std::string> read() {
    if (reading_of_.empty() && plugins_.empty()) return {};
    rename(model_.graph);
    for (Function& function : model_.functions) rename(function.body);
    return {told_.begin(), told_.end()};
  }

 private:
  void settle(OperatorId id) {
    const Operator& op = model_.op(id);
    for (const OperatorReading& reading : options_.readings) {
      if (!reading.op.fits(op.domain, op.op_type)) continue;
      reading_of_.try_emplace(id, reading.as);
      return;
    }
    if (is_plugin(op, library_)) {
      plugins_.insert(id);
    } else if (std::optional<OperatorPattern> reading = usual_reading(op, model_, library_, options_)) {
      usual_.insert(id);
      reading_of_.try_emplace(id, std::move(*reading));
    }
  }

  void rename(Graph& graph) {
    for (GraphPiece& piece : graph.pieces) {
      for (const Node*& node : piece.nodes) {
        // First inside: the message of a node has its graphs as they are then.
        edit_graphs_of(*node, graph, [&](Graph& inner) { rename(inner); });
        if (const Node* read = read_as_another(*node)) {
          node = read;
          graph.changed = true;
        }
      }
    }
  }

  const Node* read_as_another(const Node& node) {
    const auto reading = reading_of_.find(node.op);
    const bool is_plugin = plugins_.contains(node.op);
    if (reading == reading_of_.end() && !is_plugin) return nullptr;
    onnx::NodeProto message;
    read_node_message(model_, node, message);
    const Operator op = model_.op(node.op);
    if (is_plugin) {
      if (!take_apart_plugin(message)) return nullptr;
      const Operator named{model_.keep(message.domain()), model_.keep(message.op_type()), {}};
      if (const auto usual = usual_reading(named, model_, library_, options_)) message.set_domain(usual->domain);
    } else {
      message.set_domain(reading->second.domain);
      message.set_op_type(reading->second.op_type);
    }
    if (is_plugin || usual_.contains(node.op))
      told_.insert(fmt::format("{} as {}", operator_name(op.domain, op.op_type),
                               operator_name(message.domain(), message.op_type())));
    return &keep_node(model_, message, node.opsets);
  }

  Model& model_;
  const RuleLibrary& library_;
  const LegalizeOptions& options_;
  ReadingOf reading_of_;
  std::set<OperatorId> usual_, plugins_;
  std::set<std::string> told_;
};

}  // namespace

std::vector<std::string> read_operators_as(Model& model, const RuleLibrary& library, const LegalizeOptions& options) {
  return Reader(model, library, options).read();
}

}  // namespace onnx_lower
