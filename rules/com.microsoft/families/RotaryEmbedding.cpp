// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "rotary_body.h"

namespace onnx_lower::native_rules::com_microsoft_RotaryEmbedding {
namespace {

constexpr int kInput = 0;
constexpr int kPositions = 1;
constexpr int kCosines = 2;

// One of the caches, as a row for each token: (B or 1, 1, S, width / 2).
using RowsOfCache = std::function<std::string(const std::string& cache, const std::string& stem)>;

// The size of one head, if it is known: a row of a cache has half of that, or half of the
// components that are rotated.
std::optional<int64_t> head_size(const CallSite& site) {
  const int64_t heads = site.need_rank(kInput) == 4 ? 1 : site.attribute_int("num_heads", 0);
  if (const auto width = site.dim(kInput, -1); width && heads > 0) return *width / heads;
  const auto half = site.dim(kCosines, 1);
  if (!half || site.attribute_int("rotary_embedding_dim", 0) != 0) return std::nullopt;
  return 2 * *half;
}

// The input's heads (B, N, S, H).
std::string heads_of_input(const CallSite& site, Body& body) {
  const int rank = site.need_rank(kInput);
  if (rank != 3 && rank != 4) decline(fmt::format("input has rank {}", rank));
  if (rank == 4) return "input";
  std::string split;
  if (const int64_t heads = site.attribute_int("num_heads", 0); heads > 0) {
    split = body.reshape("input", {0, 0, heads, told_size(head_size(site))}, "split");
  } else {
    if (site.attribute_int("rotary_embedding_dim", 0) != 0) decline("it has a rotary_embedding_dim and no num_heads");
    const int64_t size = 2 * site.need_dim(kCosines, 1);
    const std::optional<int64_t> width = size > 0 ? site.dim(kInput, -1) : std::nullopt;
    split = body.reshape("input", {0, 0, width ? told_size(*width / size) : -1, size}, "split");
  }
  return body.transpose(split, {0, 2, 1, 3}, "heads");
}

void append_output(const CallSite& site, Body& body, const std::string& heads, const RowsOfCache& rows) {
  const int64_t width = site.attribute_int("rotary_embedding_dim", 0);
  const bool is_interleaved = site.attribute_int("interleaved", 0) == 1;
  const std::string cosines = rows("cos_cache", "cosines");
  const std::string sines = rows("sin_cache", "sines");
  const std::string turned = rotated(body, heads, cosines, sines, head_size(site), width, is_interleaved, "input");
  if (site.need_rank(kInput) == 4) {
    body("output", "Identity", {turned});
  } else {
    const std::string merged = body.transpose(turned, {0, 2, 1, 3}, "merged");
    const std::string shape = body.ints({0, 0, told_size(site.dim(kInput, 2))}, "shape");
    body("output", "Reshape", {merged, shape});
  }
}

// The kernels read scale and is_packed_batching, and compute the same whatever they are.
Lowering lower(const CallSite& site) {
  Body body("com.microsoft", "RotaryEmbedding", {"input", "position_ids", "cos_cache", "sin_cache"}, {"output"}, 15);
  const std::string heads = heads_of_input(site, body);
  std::string positions = "position_ids";
  if (site.need_rank(kPositions) == 1) {
    // The position of the first token; the others follow.
    const std::string length = body.dim(heads, 2);
    const std::string zero = body.scalar(0, "zero");
    const std::string one = body.scalar(1, "one");
    body("steps", "Range", {zero, length, one});
    body("position_row", "Add", {"steps", "position_ids"});
    positions = body.unsqueeze("position_row", {0}, "positions");
  }
  append_output(site, body, heads, [&](const std::string& cache, const std::string& stem) {
    return cache_rows(body, cache, positions, stem);
  });
  return body.function();
}

// Which of the three positions of a token, in time, height and width, rotates each pair
// of components.
Ints streams_of_pairs(const CallSite& site) {
  const Ints sections = site.attribute_ints("mrope_section", {});
  const int64_t layout = site.attribute_int("mrope_layout", 0);
  if (sections.size() != 3 || std::ranges::min(sections) < 0) decline("mrope_section is not three sizes");
  if (layout != 0 && layout != 1) decline(fmt::format("mrope_layout is {}, not 0 or 1", layout));
  Ints streams(list_size({sections[0] + sections[1] + sections[2]}), 0);
  const auto size = static_cast<int64_t>(streams.size());
  if (layout == 0) {
    std::fill(streams.begin() + sections[0], streams.end() - sections[2], 1);
    std::fill(streams.end() - sections[2], streams.end(), 2);
  } else {
    for (const int64_t stream : {1, 2}) {
      for (int64_t pair = stream; pair < std::min(size, 3 * sections[static_cast<size_t>(stream)]); pair += 3)
        streams[static_cast<size_t>(pair)] = stream;
    }
  }
  return streams;
}

Lowering lower_of_three_positions(const CallSite& site) {
  const Ints streams = streams_of_pairs(site);
  Body body("com.microsoft", "MRotaryEmbedding", {"input", "position_ids", "cos_cache", "sin_cache"}, {"output"}, 15);
  const std::string heads = heads_of_input(site, body);
  append_output(site, body, heads, [&](const std::string& cache, const std::string& stem) {
    const std::string all = body(stem + "_of_streams", "Gather", {cache, "position_ids"}, {{"axis", 0}});
    std::string rows;
    for (const int64_t stream : {0, 1, 2}) {
      const std::string name = fmt::format("{}_of_stream_{}", stem, stream);
      body(name, "Gather", {all, body.scalar(stream, "stream")}, {{"axis", 0}});
      if (stream == 0) {
        rows = name;
        continue;
      }
      Ints is_of_stream = streams;
      for (int64_t& pair : is_of_stream) pair = pair == stream ? 1 : 0;
      const std::string pairs =
          body.constant(name + "_pairs",
                        tensor_of(onnx::TensorProto::BOOL, {static_cast<int64_t>(is_of_stream.size())}, is_of_stream));
      rows = body(name + "_chosen", "Where", {pairs, name, rows});
    }
    return body.unsqueeze(rows, {1}, stem);
  });
  return body.function();
}

constexpr std::string_view inputs = "input, position_ids, cos_cache, sin_cache";

const NativeRule rules[] = {
    {.domain = "com.microsoft",
     .op_type = "RotaryEmbedding",
     .summary = "Turns pairs of components by angles that grow with the position.",
     .source = "ONNX Runtime's contrib operator RotaryEmbedding",
     .attributes = "interleaved, is_packed_batching, num_heads, rotary_embedding_dim, scale",
     .inputs = inputs,
     .lower = lower},
    {.domain = "com.microsoft",
     .op_type = "MRotaryEmbedding",
     .summary = "The same for tokens with three positions, in time, height and width.",
     .source = "ONNX Runtime's contrib operator MRotaryEmbedding",
     .attributes =
         "interleaved, is_packed_batching, mrope_layout, mrope_section, num_heads, rotary_embedding_dim, scale",
     .required_attributes = "mrope_section",
     .inputs = inputs,
     .lower = lower_of_three_positions},
};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_RotaryEmbedding
