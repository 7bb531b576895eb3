// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Models in ONNX's textual syntax: what parses is lowered, and what is written as text says the
// same.

#include <string>

#include "error.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/lowering_oracle.h"
#include "model_file/model_text.h"

namespace onnx_lower::fuzz {

void run_model_text(std::string_view input) {
  std::string bytes;
  try {
    bytes = model_bytes_from_text(std::string(input), "model.onnxtxt");
  } catch (const InvalidInput&) {
    return;
  }
  try {
    const std::string text = model_text_from_bytes(bytes, "model.onnxtxt");
    const std::string again = model_text_from_bytes(model_bytes_from_text(text, "model.onnxtxt"), "model.onnxtxt");
    if (again != text) fail("text of text is another text");
  } catch (const InvalidInput& refusal) {
    if (std::string_view(refusal.what()).find("cannot say") == std::string_view::npos) fail(refusal.what());
  }
  check_lowering(bytes, {}, {});
}

}  // namespace onnx_lower::fuzz
