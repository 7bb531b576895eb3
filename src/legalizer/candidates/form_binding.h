// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a form of a rule fits a node, and what its body's references to attributes mean there.
#pragma once

#include <optional>
#include <string>

#include "legalizer/body/attribute_binding.h"
#include "legalizer/legalize_result.h"
#include "rules/native_rule.h"
#include "rules/text/form.h"

namespace onnx_lower {

// Why the attributes of a node do not say what they mean: a name that is there twice, a value that
// is not of the type given for it.
std::optional<std::string> problem_of_attributes(const onnx::NodeProto& node);

// Binds the form's attributes to the node's, if the form fits the call: its signature, its bound
// attributes, its condition. The binding refers to the call and to the form. False if it does not
// fit: then `refusal` gets all but the rule's name. Null asks for no reasons: to put them into
// words costs more than all else, and mostly another form fits.
bool bind(const Form& form, const CallSite& call, AttributeBinding& binding, Refusal* refusal);

}  // namespace onnx_lower
