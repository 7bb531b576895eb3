// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What may follow on a command line that is being written: the shells ask for it (completions/).
#pragma once

#include <string>
#include <vector>

namespace onnx_lower {

// `words`: those behind the program's name, of which the one at `current` is being written. The
// first line of the answer says what is wanted: "words", "nospace" (words behind which the user
// goes on writing), "files" or "folders". Each further line is a word that begins as the current
// one does, and perhaps a tab and what it means. Names of operators, inputs and dimensions are
// those of the first model among the words. Never throws for what the words say or the model is.
std::string completions(const std::vector<std::string>& words, size_t current);

}  // namespace onnx_lower
