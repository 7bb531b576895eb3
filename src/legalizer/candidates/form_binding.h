// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a form of a rule fits a node, and which values the attributes have then to which the
// form's body refers.
#pragma once

#include <optional>
#include <string>

#include "legalizer/body/attribute_binding.h"
#include "legalizer/legalize_result.h"
#include "rules/native_rule.h"
#include "rules/text/form.h"

namespace onnx_lower {

// Why the attributes of a node are ambiguous or broken: two have one name, or one has no value of
// the type that it says it is of. nullopt where they are good.
std::optional<std::string> problem_of_attributes(const onnx::NodeProto& node);

// Whether the form fits the call: its signature, its bound attributes (such as rank_of_x), its
// condition. `binding`, which has to be clear, gets the values of the form's attributes; it refers
// to the call and to the form, which must outlive it. Where the form does not fit, `refusal` gets
// the reason, all but the rule's name. Where it is null no reason is made: that costs more than all
// else, and mostly another form fits.
bool bind(const Form& form, const CallSite& call, AttributeBinding& binding, Refusal* refusal);

}  // namespace onnx_lower
