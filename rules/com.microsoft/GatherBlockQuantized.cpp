// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "../ai.onnx/families/packed_integers.h"
#include "packed_bits.h"

namespace onnx_lower::native_rules::com_microsoft_GatherBlockQuantized {
namespace {

using onnx::TensorProto;

Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  const int64_t block = site.attribute_int("block_size", 128);
  if (block <= 0) return Declined{"block_size is not positive"};
  if (site.rank(0) != 2) return Declined{"data is not known to be a matrix"};
  site.need_rank(1);
  const int64_t quantize_axis = site.attribute_int("quantize_axis", 1);
  const int64_t gather_axis = site.attribute_int("gather_axis", 0);
  if ((gather_axis != 0 && gather_axis != -2) || (quantize_axis != 1 && quantize_axis != -1)) {
    return Declined{"it does not gather rows that are quantized along themselves"};
  }
  const bool bytes = type == TensorProto::UINT8;
  const int64_t bits = bytes ? site.attribute_int("bits", 4) : 4;
  if (!bytes && type != TensorProto::INT4 && type != TensorProto::UINT4)
    return Declined{"data is neither of 4 bits nor of bytes"};
  if (bits != 2 && bits != 4 && bits != 8) return Declined{fmt::format("bits is {}, and not 2, 4 or 8", bits)};
  const int64_t width = site.need_dim(0, 1);
  const int64_t columns = bytes ? width * 8 / bits : width;
  const int64_t blocks = (columns + block - 1) / block;

  Body body("com.microsoft", "GatherBlockQuantized",
            first_names({"data", "indices", "scales", "zero_points"}, site.input_count()), {"output"}, 21);
  // What the model's opset has no type for is unpacked to bytes, if it is a constant.
  bool widened = false;
  for (const auto& [input, name] : {std::pair{0, "data_bytes"}, std::pair{3, "zero_points_bytes"}}) {
    if (!is_packed_too_new(site, input)) continue;
    append_widened(site, body, input, name);
    widened = true;
  }
  // Rows of `table` at the indices, as integers in (rows, 1, columns).
  const std::string flat_indices = body.reshape("indices", {-1}, "flat_indices");
  const auto rows = [&](const std::string& table, int64_t elements, const std::string& stem) {
    std::string source = table;
    if (widened) {
      source += "_bytes";
    } else if (!bytes) {
      // Gather does not take 4-bit types.
      source = stem + "_table";
      body(source, "Cast", {table}, {{"to", 6}});
    }
    body(stem + "_rows", "Gather", {source, flat_indices}, {{"axis", 0}});
    std::string whole = body.unsqueeze(stem + "_rows", {1}, stem + "_apart");
    if (bytes) whole = unpacked_bits(body, whole, bits, 0, 1, stem);
    return body.slice(whole, 0, elements, 2, stem + "_used");
  };
  const std::string codes = rows("data", columns, "code");
  body("code_float", "CastLike", {codes, "scales"});
  // One column per block, wide as the block.
  Ints block_of_column = numbers_below(columns);
  for (int64_t& column : block_of_column) column /= block;
  const std::string spread = body.ints(block_of_column, "block_of_column");
  std::string centred = "code_float";
  if (site.has_input(3)) {
    const std::string zeros = rows("zero_points", blocks, "zero");
    body("zero_columns", "Gather", {zeros, spread}, {{"axis", 2}});
    body("zero_float", "CastLike", {"zero_columns", "scales"});
    body("centred", "Sub", {"code_float", "zero_float"});
    centred = "centred";
  } else if (bytes) {
    body("centred", "Sub", {"code_float", body.scalar_like(1 << (bits - 1), "scales", "zero")});
    centred = "centred";
  }
  body("scale_rows", "Gather", {"scales", flat_indices}, {{"axis", 0}});
  body("scale_columns", "Gather", {"scale_rows", spread}, {{"axis", 1}});
  const std::string values = body.reshape(centred, {-1, columns}, "value_rows");
  body("scaled", "Mul", {values, "scale_columns"});
  body("index_shape", "Shape", {"indices"});
  const std::string row_shape = body.ints({columns}, "row_shape");
  body("output_shape", "Concat", {"index_shape", row_shape}, {{"axis", 0}});
  body("output", "Reshape", {"scaled", "output_shape"});
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "GatherBlockQuantized",
                      .summary = "Rows of a matrix that is quantized block by block, dequantized.",
                      .source = "ONNX Runtime's contrib operator GatherBlockQuantized",
                      .attributes = "bits, block_size, gather_axis, quantize_axis",
                      .inputs = "data, indices, scales, zero_points",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_GatherBlockQuantized
