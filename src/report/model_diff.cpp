// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/model_diff.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "error.h"
#include "model_file/derived_tensor.h"
#include "model_file/encode_model.h"
#include "model_file/tensor_rewriting.h"
#include "onnx/defs/printer.h"
#include "report/terminal.h"
#include "report/unified_diff.h"

namespace onnx_lower {
namespace {

// The model as ONNX's textual syntax. Tensors that are larger than a few numbers are written as if
// they lay in another file, by which nothing of them is read.
std::string text_without_weights(Model& model, const EncodedModel& encoded) {
  constexpr uint64_t most_bytes = 64;
  const EncodedModel light = rewrite_tensors(model, encoded, [](const FoundTensor& tensor) -> ElementsPlace {
    if (tensor.sparse_indices || (!tensor.facts.external && tensor.facts.byte_size <= most_bytes)) return {};
    const bool is_elsewhere = tensor.facts.external && !derivation_of(tensor.facts);
    const std::string location = is_elsewhere ? std::string(tensor.facts.external_data.location) : "weights";
    return {.kind = ElementsPlace::Kind::in_a_file, .location = location};
  });
  std::string bytes;
  bytes.reserve(light.size);
  for (const Bytes range : light.ranges) bytes.append(range);
  onnx::ModelProto message;
  if (!message.ParseFromString(bytes)) {
    throw InvalidInput(fmt::format("{}: the model is too large, or its subgraphs are nested too deep, for --diff",
                                   model.input().path()));
  }
  return onnx::ProtoToString(message);
}

// A line for each initializer and each input, which the printer writes into one.
std::string with_line_breaks(const std::string& text) {
  std::string lines;
  constexpr size_t longest = 120;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const bool is_node = line.find(" = ") != std::string_view::npos && line.starts_with("   ");
    if (line.size() <= longest || is_node) {
      lines += line;
    } else {
      bool is_quoted = false;
      int depth = 0;
      for (size_t i = 0; i < line.size(); ++i) {
        lines += line[i];
        if (line[i] == '\\' && is_quoted && i + 1 < line.size())
          lines += line[++i];
        else if (line[i] == '"')
          is_quoted = !is_quoted;
        else if (is_quoted)
          continue;
        else if (line[i] == '[' || line[i] == '{')
          ++depth;
        else if (line[i] == ']' || line[i] == '}')
          --depth;
        else if (line[i] == ',' && depth == 0)
          lines += "\n     ";
      }
    }
    lines += '\n';
    begin = end + 1;
  }
  return lines;
}

Colors colors_of_stdout(ColorMode mode) {
  if (mode != ColorMode::automatic) return Colors(mode == ColorMode::always);
  const char* no_color = std::getenv("NO_COLOR");
  return Colors((no_color == nullptr || *no_color == '\0') && isatty(STDOUT_FILENO) != 0);
}

void show(const std::string& text) {
  const char* pager = std::getenv("PAGER");
  if (pager == nullptr || *pager == '\0' || isatty(STDOUT_FILENO) == 0) {
    print(text);
    return;
  }
  // As git does it: less is to end at once where all fits on the screen, and to show colours.
  ::setenv("LESS", "FRX", 0);
  std::FILE* pipe = ::popen(pager, "w");
  if (pipe == nullptr) throw_file_error(pager, "cannot be run");
  std::fwrite(text.data(), 1, text.size(), pipe);  // who leaves the pager early has seen enough
  ::pclose(pipe);
}

}  // namespace

void print_diff(Model& model, const Options& options) {
  EncodedModel before;
  before.append(model.input().bytes());
  const std::string text_before = with_line_breaks(text_without_weights(model, before));
  const std::string text_after = with_line_breaks(text_without_weights(model, encode_model(model)));
  show(unified_diff(options.input, text_before, options.output.empty() ? options.input + " (lowered)" : options.output,
                    text_after, colors_of_stdout(options.color)));
}

}  // namespace onnx_lower
