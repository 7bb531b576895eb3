// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/packed_bits.h"

namespace onnx_lower::native_rules::com_microsoft_MatMulNBits {
namespace {

Lowering lower(const CallSite& site) {
  const int64_t rows = site.attribute_int("N", 0);
  const int64_t columns = site.attribute_int("K", 0);
  const int64_t block = site.attribute_int("block_size", 0);
  const int64_t bits = site.attribute_int("bits", 4);
  if (rows <= 0 || columns <= 0 || block <= 0) return Declined{"N, K and block_size are not all positive"};
  if (bits != 2 && bits != 4 && bits != 8) return Declined{fmt::format("bits is {}, and not 2, 4 or 8", bits)};
  if (site.attribute_int("weight_prepacked", 0) != 0) return Declined{"B is packed for one kind of GPU"};
  const int64_t blocks = (columns + block - 1) / block;
  Body body("com.microsoft", "MatMulNBits",
            first_names({"A", "B", "scales", "zero_points", "g_idx", "bias"}, site.input_count()), {"Y"}, 15);
  body.all_are_float(site.dtype(2) == onnx::TensorProto::FLOAT);

  const std::string bytes = body.reshape("B", {rows, blocks, -1}, "bytes");
  const std::string weights = unpacked_bits(body, bytes, bits, rows, blocks, "weight");
  body("weight_float", "CastLike", {weights, "scales"});
  const std::string scale = body.reshape("scales", {rows, blocks, 1}, "scale");

  std::string zero;  // (N, blocks, 1), or one for all
  if (!site.has_input(3)) {
    zero = body.scalar_like(1 << (bits - 1), "scales", "zero");
  } else {
    const int type = site.need_dtype(3);
    if (type == onnx::TensorProto::UINT8) {
      const std::string zero_bytes = body.reshape("zero_points", {rows, 1, -1}, "zero_bytes");
      const std::string unpacked = unpacked_bits(body, zero_bytes, bits, rows, 1, "zero");
      const std::string used = body.slice(unpacked, 0, blocks, 2, "zero_used");
      const std::string column = body.reshape(used, {rows, blocks, 1}, "zero_column");
      body("zero_float", "CastLike", {column, "scales"});
      zero = "zero_float";
    } else {
      zero = body.reshape("zero_points", {rows, blocks, 1}, "zero");
    }
  }

  std::string matrix;
  if (site.has_input(4)) {
    // Each column has the group that g_idx names, not that of its block.
    const std::string flat = body.reshape("weight_float", {rows, -1}, "weight_rows");
    const std::string used = body.slice(flat, 0, columns, 1, "weight_used");
    const std::string scale_row = body.reshape(scale, {rows, blocks}, "scale_row");
    body("column_scale", "Gather", {scale_row, "g_idx"}, {{"axis", 1}});
    std::string column_zero = zero;
    if (site.has_input(3)) {
      const std::string zero_row = body.reshape(zero, {rows, blocks}, "zero_row");
      body("column_zero", "Gather", {zero_row, "g_idx"}, {{"axis", 1}});
      column_zero = "column_zero";
    }
    body("weight_centred", "Sub", {used, column_zero});
    body("weight_scaled", "Mul", {"weight_centred", "column_scale"});
    matrix = "weight_scaled";
  } else {
    body("weight_centred", "Sub", {"weight_float", zero});
    body("weight_scaled", "Mul", {"weight_centred", scale});
    matrix = body.reshape("weight_scaled", {rows, -1}, "weight_rows");
    if (blocks * block != columns) matrix = body.slice(matrix, 0, columns, 1, "weight_used");
  }
  const std::string transposed = body.transpose(matrix, {1, 0}, "weight_columns");
  body(site.has_input(5) ? "product" : "Y", "MatMul", {"A", transposed});
  if (site.has_input(5)) body("Y", "Add", {"product", "bias"});
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "MatMulNBits",
                      .summary = "Matrix product with weights of 2, 4 or 8 bits, quantized block by block.",
                      .source = "ONNX Runtime's contrib operator MatMulNBits",
                      .attributes = "K, N, accuracy_level, bits, block_size, weight_prepacked",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_MatMulNBits
