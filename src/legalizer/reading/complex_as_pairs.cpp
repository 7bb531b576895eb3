// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/reading/complex_as_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "domain.h"
#include "legalizer/nodes/node_message.h"
#include "model_file/graph_fields.h"
#include "onnx/onnx_pb.h"
#include "rules/body.h"
#include "source_text/characters.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {
namespace {

// Which of the first inputs are complex.
enum class Complex : uint8_t { none, first, second, both };

// An operator that makes or takes complex numbers, and the one that takes its place.
struct Reading {
  std::string_view domain;  // "aten", or "" for those of ONNX and TensorFlow
  std::string_view op_type;
  Complex inputs;
  bool makes_complex;
  std::string_view as;  // of the domain onnx_lower; empty: the node stays as it is
  bool swaps_inputs = false;
};

constexpr Reading readings[] = {
    {"aten", "view_as_real", Complex::first, false, "ComplexParts"},
    {"aten", "view_as_complex", Complex::none, true, "ComplexParts"},
    {"aten", "complex", Complex::none, true, "ComplexOf"},
    {"aten", "real", Complex::first, false, "ComplexReal"},
    {"aten", "imag", Complex::first, false, "ComplexImag"},
    {"aten", "abs", Complex::first, false, "ComplexAbs"},
    {"aten", "angle", Complex::first, false, "ComplexAngle"},
    {"aten", "conj", Complex::first, true, "ComplexConj"},
    {"aten", "_conj", Complex::first, true, "ComplexConj"},
    {"aten", "conj_physical", Complex::first, true, "ComplexConj"},
    {"aten", "resolve_conj", Complex::first, true, "ComplexParts"},
    {"aten", "clone", Complex::first, true, "ComplexParts"},
    {"aten", "mul", Complex::both, true, "ComplexProduct"},
    {"aten", "mul", Complex::first, true, "ComplexScaled"},
    {"aten", "mul", Complex::second, true, "ComplexScaled", true},
    {"aten", "div", Complex::first, true, "ComplexDivided"},
    {"", "Identity", Complex::first, true, ""},
    {"", "Abs", Complex::first, false, "ComplexAbs"},
    {"", "Mul", Complex::both, true, "ComplexProduct"},
    {"", "Mul", Complex::first, true, "ComplexScaled"},
    {"", "Mul", Complex::second, true, "ComplexScaled", true},
    {"", "Div", Complex::first, true, "ComplexDivided"},
    {"", "Add", Complex::both, true, ""},
    {"", "Sub", Complex::both, true, ""},
    {"", "Complex", Complex::none, true, "ComplexOf"},
    {"", "ComplexAbs", Complex::first, false, "ComplexAbs"},
    {"", "Real", Complex::first, false, "ComplexReal"},
    {"", "Imag", Complex::first, false, "ComplexImag"},
    {"", "Angle", Complex::first, false, "ComplexAngle"},
    {"", "Conj", Complex::first, true, "ComplexConj"},
};

// A Fourier transform: its kind, and the axes where the node does not say them; none: all.
struct Transform {
  std::string_view kind;
  std::vector<int64_t> axes;
};

// Reads the kind of a transform, as fft or irfft, and what stands behind it.
std::optional<Transform> transform_of(std::string_view name, std::string_view one, std::string_view two,
                                      std::string_view any) {
  for (const std::string_view kind : {"ihfft", "hfft", "irfft", "rfft", "ifft", "fft"}) {
    if (!name.starts_with(kind)) continue;
    const std::string_view rest = name.substr(kind.size());
    if (rest == one) return Transform{kind, {-1}};
    if (rest == two) return Transform{kind, {-2, -1}};
    if (!any.empty() && rest == any) return Transform{kind, {}};
    return std::nullopt;
  }
  return std::nullopt;
}

bool is_aten(std::string_view domain) { return domain == "aten" || domain == "org.pytorch.aten"; }

bool is_in_capitals(std::string_view name) {
  return std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

// The name without what tf2onnx puts before those of TensorFlow Lite's operators.
std::string_view without_prefix(std::string_view op_type) {
  for (const std::string_view prefix : {"TFL_Flex", "TFL_", "Flex"}) {
    if (op_type.starts_with(prefix)) return op_type.substr(prefix.size());
  }
  return op_type;
}

std::optional<Transform> transform_of(const Operator& op) {
  if (is_aten(op.domain)) {
    constexpr std::string_view prefix = "fft_";
    if (!op.op_type.starts_with(prefix)) return std::nullopt;
    return transform_of(op.op_type.substr(prefix.size()), "", "2", "n");
  }
  std::string name(without_prefix(op.op_type));
  if (!is_in_capitals(name)) return std::nullopt;
  std::ranges::transform(name, name.begin(), lower_case);
  if (name.find("hfft") != std::string::npos) return std::nullopt;  // PyTorch alone has these
  return transform_of(name, "", "2d", "");
}

// The name as the table has it: tf2onnx writes COMPLEX_ABS of TensorFlow Lite for ComplexAbs.
std::string usual_name(std::string_view op_type) {
  const std::string_view name = without_prefix(op_type);
  if (name == op_type || !is_in_capitals(name)) return std::string(name);
  std::string usual;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') usual.push_back(begins ? c : lower_case(c));
    begins = c == '_';
  }
  return usual;
}

class ComplexReader {
 public:
  ComplexReader(Model& model, const RuleLibrary& library, const LegalizeOptions& options)
      : model_(model), library_(library), options_(options) {}

  std::vector<std::string> read() {
    const bool has_transforms = [&] {
      for (OperatorId id = 0; id < model_.operator_count(); ++id) {
        if (makes_complex(id)) return true;
      }
      return false;
    }();
    if (!has_transforms || !plan() || replaced_.empty() || is_used_elsewhere()) return {};
    replace();
    return {told_.begin(), told_.end()};
  }

 private:
  // Whether the operator may be the first to make complex numbers, and the user has no rule for it.
  bool makes_complex(OperatorId id) const {
    const Operator& op = model_.op(id);
    if (library_.has_rule(op.domain, op.op_type)) return false;
    if (!is_known_domain(op.domain) || stays(op)) return false;
    if (transform_of(op)) return true;
    return std::ranges::any_of(
        readings, [&](const Reading& reading) { return reading.inputs == Complex::none && fits(reading, op); });
  }

  // Whether the user wants the node to stay.
  bool stays(const Operator& op) const {
    const auto fits_op = [&](const OperatorPattern& pattern) { return pattern.fits(op.domain, op.op_type); };
    return options_.attach_all || std::ranges::any_of(options_.kept, fits_op) ||
           std::ranges::any_of(options_.attached, fits_op);
  }

  static bool is_known_domain(std::string_view domain) {
    return is_aten(domain) || is_standard_domain(domain) || domain == "ai.onnx.converters.tensorflow";
  }

  static bool fits(const Reading& reading, const Operator& op) {
    if (is_aten(op.domain)) return reading.domain == "aten" && reading.op_type == op.op_type;
    return reading.domain.empty() && reading.op_type == usual_name(op.op_type);
  }

  bool is_complex(const Node& node, size_t input) const {
    return input < node.inputs().size() && complex_.contains(node.inputs()[input]);
  }

  // Finds what takes the place of each node; false where there is one that is not known.
  bool plan() {
    bool all_known = true;
    for_each_own_node(model_.graph, [&](const Node& node) {
      const bool takes = std::ranges::any_of(node.inputs(), [&](ValueId value) { return complex_.contains(value); });
      if (!all_known || (!takes && !makes_complex(node.op))) return;
      all_known = plan(node);
    });
    return all_known;
  }

  bool plan(const Node& node) {
    const Operator& op = model_.op(node.op);
    if (!is_known_domain(op.domain) || stays(op) || node.outputs().size() != 1) return false;
    const Complex given = is_complex(node, 0) ? (is_complex(node, 1) ? Complex::both : Complex::first)
                                              : (is_complex(node, 1) ? Complex::second : Complex::none);
    for (size_t input = 2; input < node.inputs().size(); ++input) {
      if (is_complex(node, input)) return false;
    }
    if (const std::optional<Transform> transform = transform_of(op)) return plan_transform(node, *transform, given);
    if (is_standard_domain(op.domain) && role_of(op.op_type) == OperatorRole::cast) return plan_cast(node);
    for (const Reading& reading : readings) {
      if (reading.inputs != given || !fits(reading, op)) continue;
      if (reading.makes_complex) complex_.insert(node.outputs()[0]);
      if (reading.as.empty()) return true;
      onnx::NodeProto message = node_message(model_, node);
      if (message.attribute_size() != 0) return false;
      if (reading.swaps_inputs) message.mutable_input()->SwapElements(0, 1);
      put(node, std::move(message), reading.as);
      return true;
    }
    return false;
  }

  bool plan_transform(const Node& node, const Transform& transform, Complex given) {
    const bool makes_real = transform.kind == "irfft" || transform.kind == "hfft";
    const bool takes_real = transform.kind == "rfft" || transform.kind == "ihfft";
    if (given == Complex::second || given == Complex::both) return false;
    if (makes_real ? given != Complex::first : takes_real && given == Complex::first) return false;
    if (!makes_real) complex_.insert(node.outputs()[0]);
    onnx::NodeProto message = node_message(model_, node);
    if (message.attribute_size() != 0) return false;
    const auto add = [&](const BodyAttribute& attribute) { *message.add_attribute() = attribute.message(); };
    add({"kind", transform.kind});
    add({"of_complex", given == Complex::first});
    if (!transform.axes.empty()) add({"axes", transform.axes});
    put(node, std::move(message), "FourierTransform");
    return true;
  }

  // TensorFlow's cast of complex numbers to real ones takes the real parts.
  bool plan_cast(const Node& node) {
    onnx::NodeProto message = node_message(model_, node);
    if (message.attribute_size() != 1 || message.attribute(0).i() != onnx::TensorProto::FLOAT) return false;
    message.clear_attribute();
    put(node, std::move(message), "ComplexReal");
    return true;
  }

  void put(const Node& node, onnx::NodeProto message, std::string_view as) {
    const Operator op = model_.op(node.op);
    message.set_domain("onnx_lower");
    message.set_op_type(std::string(as));
    told_.insert(fmt::format("{} as {}", operator_name(op.domain, op.op_type), operator_name("onnx_lower", as)));
    replaced_.emplace(&node, std::move(message));
  }

  // Whether a complex value is an output of the graph, which cannot become another one, or one that
  // a subgraph uses.
  bool is_used_elsewhere() const {
    const auto is_complex = [&](ValueId value) { return complex_.contains(value); };
    if (std::ranges::any_of(model_.graph.outputs, is_complex, &ValueInfo::value)) return true;
    bool is_used = false;
    for_each_own_node(model_.graph, [&](const Node& node) {
      for (const Graph& inner : node.graphs()) {
        for_each_node(inner, [&](const Node& each) { is_used |= std::ranges::any_of(each.inputs(), is_complex); });
        is_used |= std::ranges::any_of(inner.outputs, is_complex, &ValueInfo::value);
      }
    });
    return is_used;
  }

  void replace() {
    for (GraphPiece& piece : model_.graph.pieces) {
      for (const Node*& node : piece.nodes) {
        const auto found = replaced_.find(node);
        if (found != replaced_.end()) node = &keep_node(model_, found->second, node->opsets);
      }
    }
    model_.graph.changed = true;
    // What is declared of them is the type of complex numbers.
    drop_initializers(
        model_.graph, [](const TensorSkeleton&) { return false; },
        [&](ValueId value) { return complex_.contains(value); });
  }

  Model& model_;
  const RuleLibrary& library_;
  const LegalizeOptions& options_;
  std::unordered_set<ValueId> complex_;
  std::unordered_map<const Node*, onnx::NodeProto> replaced_;
  std::set<std::string> told_;
};

}  // namespace

std::vector<std::string> read_complex_as_pairs(Model& model, const RuleLibrary& library,
                                               const LegalizeOptions& options) {
  return ComplexReader(model, library, options).read();
}

}  // namespace onnx_lower
