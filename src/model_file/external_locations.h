// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where a model's external data lie, read without the model.
#pragma once

#include <string>
#include <vector>

namespace onnx_lower {

// The locations that the tensors of a model's file name, each once: a look at the headers of the
// messages, which takes a small part of the time of read_model(). Of a file that is no model,
// cannot be read or is not there: what was found so far; reading the model will say what is wrong.
std::vector<std::string> external_locations_at(const std::string& path);

}  // namespace onnx_lower
