#include "legalizer/target.h"

#include <algorithm>
#include <array>

#include "legalizer/called_functions.h"
#include "standard_operators/reading.h"

namespace onnx_lower {
namespace {

// Standard operators that OpenVINO 2026.4 does not convert, as far as rules make them and other rules say them in operators that it has.
constexpr std::array<std::string_view, 1> missing_in_openvino = {"DeformConv"};

const OperatorVersion* usable(const OperatorVersion* version) {
  return version != nullptr && !version->deprecated ? version : nullptr;
}

}  // namespace

int64_t version_of(const std::vector<OpsetImport>& imports, std::string_view domain) {
  const auto found = std::find_if(imports.rbegin(), imports.rend(),
                                  [&](const OpsetImport& import) { return import.domain == domain; });
  return found == imports.rend() ? 0 : found->version;
}

Target::Target(const Model& model, std::vector<OpsetImport> opsets, const RuleLibrary& library,
               const LegalizeOptions& options)
    : model_(model), opsets_(std::move(opsets)), library_(library), kept_(options.kept), runtime_(options.runtime) {}

int64_t Target::version(std::string_view domain) const { return version_of(opsets_, domain); }

bool Target::lacks(const Operator& op, bool made) const {
  if (runtime_ == Runtime::onnxruntime || (runtime_ == Runtime::any && !made)) return false;
  return op.domain.empty() &&
         std::find(missing_in_openvino.begin(), missing_in_openvino.end(), op.op_type) != missing_in_openvino.end();
}

bool Target::keeps(const Operator& op) const {
  return std::any_of(kept_.begin(), kept_.end(),
                     [&](const OperatorPattern& kept) { return kept.fits(op.domain, op.op_type); });
}

bool Target::is_function(const Operator& op) const { return find_function(model_, op) != nullptr; }

// A function may use an operator that its own imports do not have yet (exporters write such); then it can only mean the first version.
const OperatorVersion* Target::meant(const Operator& op, const std::vector<OpsetImport>& written_for) const {
  const int64_t own = version_of(written_for, op.domain);
  const int64_t wanted = own != 0 ? own : version(op.domain);
  if (const OperatorVersion* found = find_operator(op.domain, op.op_type, wanted)) return found;
  const std::span<const OperatorVersion> versions = operator_versions(op.domain, op.op_type);
  return versions.empty() ? nullptr : &versions.front();
}

Legality Target::legality(const Operator& op, const std::vector<OpsetImport>& written_for, bool made) const {
  if (keeps(op)) return Legality::legal;
  if (!is_standard_domain(op.domain) || library_.has_user_rule(op.domain, op.op_type) || is_function(op))
    return Legality::illegal;
  const OperatorVersion* own = meant(op, written_for);
  const OperatorVersion* here = usable(find_operator(op.domain, op.op_type, version(op.domain)));
  if (own == nullptr || here == nullptr || lacks(op, made)) return Legality::illegal;
  if (own != here) return Legality::by_attributes;
  const bool may_need_a_look = op.domain.empty() && op.op_type == (made ? "SequenceAt" : "Constant");
  return may_need_a_look ? Legality::mostly_legal : Legality::legal;
}

std::string Target::restate(onnx::NodeProto& node, const std::vector<OpsetImport>& written_for, bool& edited) const {
  const Operator op{normalized_domain(node.domain()), node.op_type(), node.overload()};
  const OperatorVersion* own = meant(op, written_for);
  const OperatorVersion* here = usable(find_operator(op.domain, op.op_type, version(op.domain)));
  const Reading reading = read_at(node, *own, *here);
  if (!reading.means_the_same()) return reading.reason;
  edited = !reading.as_it_stands();
  if (edited) onnx_lower::restate(reading, node);
  return {};
}

std::string Target::refused_type(const onnx::NodeProto& node, const std::vector<OpsetImport>& written_for,
                                 const std::function<std::optional<int>(int input)>& element_type) const {
  const Operator op{normalized_domain(node.domain()), node.op_type(), node.overload()};
  const OperatorVersion* own = meant(op, written_for);
  const OperatorVersion* here = usable(find_operator(op.domain, op.op_type, version(op.domain)));
  return onnx_lower::refused_type(node, *own, *here, element_type);
}

int Target::opset_hint(const onnx::NodeProto& node, const std::vector<OpsetImport>& written_for) const {
  if (!normalized_domain(node.domain()).empty()) return 0;
  const OperatorVersion* own = meant({"", node.op_type(), ""}, written_for);
  if (own == nullptr) return 0;
  // What stands in the way is no version then, but a type, or the runtime.
  const OperatorVersion* here = usable(find_operator("", node.op_type(), version("")));
  if (here != nullptr && read_at(node, *own, *here).means_the_same()) return 0;
  return static_cast<int>(first_opset_with_the_meaning(node, *own, version("")).value_or(0));
}

}  // namespace onnx_lower
