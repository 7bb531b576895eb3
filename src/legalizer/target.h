// What is legal: the operators that the written model may hold.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "legalizer/legalize_options.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"
#include "rules/rule_library.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

enum class Legality : uint8_t {
  legal,
  illegal,
  by_attributes,  // the versions of the operator differ: it depends on what the node uses
  mostly_legal,  // but not a Constant whose value is a string, nor a made SequenceAt that takes what can be had without it
};
constexpr bool is_legal(Legality legality) { return legality == Legality::legal || legality == Legality::mostly_legal; }

// Legal are the operators of ai.onnx and ai.onnx.ml at the target's versions, when they mean there what the node means at its own; and what the user keeps.
// Illegal, even if standard, is an operator for which the user gave a rule or the model a function.
class Target {
 public:
  // `opsets`: the versions that the written graph imports. `functions` are the model's own that count as rules.
  Target(const Model& model, std::vector<OpsetImport> opsets, const RuleLibrary& library,
         const LegalizeOptions& options);

  // `written_for`: the versions that the node's origin imports. `made`: a rule made the node. What the model itself says in standard operators stays,
  // but a rule should not make what the runtime of the options lacks.
  Legality legality(const Operator& op, const std::vector<OpsetImport>& written_for, bool made) const;

  // For Legality::by_attributes. Edits the node where it has to be said otherwise at the target's version; returns why not, or nothing if it is legal.
  std::string restate(onnx::NodeProto& node, const std::vector<OpsetImport>& written_for, bool& edited) const;

  // The same for the types of its inputs, which `element_type` gives as far as they are known.
  std::string refused_type(const onnx::NodeProto& node, const std::vector<OpsetImport>& written_for,
                           const std::function<std::optional<int>(int input)>& element_type) const;

  // The smallest newer version of ai.onnx at which the node would be legal; 0 if there is none.
  int opset_hint(const onnx::NodeProto& node, const std::vector<OpsetImport>& written_for) const;

  bool keeps(const Operator& op) const;
  bool is_function(const Operator& op) const;
  int64_t version(std::string_view domain) const;

 private:
  bool lacks(const Operator& op, bool made) const;
  const OperatorVersion* meant(const Operator& op, const std::vector<OpsetImport>& written_for) const;

  const Model& model_;
  std::vector<OpsetImport> opsets_;
  const RuleLibrary& library_;
  const std::vector<OperatorPattern>& kept_;
  Runtime runtime_;
};

// The version of a domain among imports; 0 if it is not there. Of several imports the last one counts, as for all readers.
int64_t version_of(const std::vector<OpsetImport>& imports, std::string_view domain);

}  // namespace onnx_lower
