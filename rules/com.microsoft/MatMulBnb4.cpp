// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/packed_bits.h"

namespace onnx_lower::native_rules::com_microsoft_MatMulBnb4 {
namespace {

// What the 16 codes stand for, before the block's scale.
const std::vector<double> fp4_values = {0.0, 0.005208333333,  0.66666667,  1.0,  0.33333333,  0.5,  0.16666667,  0.25,
                                        0.0, -0.005208333333, -0.66666667, -1.0, -0.33333333, -0.5, -0.16666667, -0.25};
const std::vector<double> nf4_values = {-1.0,
                                        -0.6961928009986877,
                                        -0.5250730514526367,
                                        -0.39491748809814453,
                                        -0.28444138169288635,
                                        -0.18477343022823334,
                                        -0.09105003625154495,
                                        0.0,
                                        0.07958029955625534,
                                        0.16093020141124725,
                                        0.24611230194568634,
                                        0.33791524171829224,
                                        0.44070982933044434,
                                        0.5626170039176941,
                                        0.7229568362236023,
                                        1.0};

Lowering lower(const CallSite& site) {
  const int64_t rows = site.attribute_int("N", 0);
  const int64_t columns = site.attribute_int("K", 0);
  const int64_t block = site.attribute_int("block_size", 0);
  const int64_t kind = site.attribute_int("quant_type", -1);
  if (rows <= 0 || columns <= 0 || block <= 0) return Declined{"N, K and block_size are not all positive"};
  if (kind != 0 && kind != 1) return Declined{fmt::format("quant_type is {}, and not 0 or 1", kind)};
  const int64_t count = rows * columns;
  const int64_t blocks = (count + block - 1) / block;
  Body body("com.microsoft", "MatMulBnb4", {"A", "B", "absmax"}, {"Y"}, 15);

  // The first of two codes is in the higher bits.
  body("bytes", "Cast", {"B"}, {{"to", 6}});
  body.constant("base", tensor_of(onnx::TensorProto::INT32, {}, Ints{16}));
  body("high", "Div", {"bytes", "base"});
  body("high_part", "Mul", {"high", "base"});
  body("low", "Sub", {"bytes", "high_part"});
  const std::string high = body.reshape("high", {-1, 1}, "high_column");
  const std::string low = body.reshape("low", {-1, 1}, "low_column");
  body("pairs", "Concat", {high, low}, {{"axis", 1}});
  const std::string padded_codes = body.reshape("pairs", {-1}, "all_codes");
  const std::string codes = body.slice(padded_codes, 0, count, 0, "codes");
  body.constant("values", tensor_of(onnx::TensorProto::FLOAT, {16}, kind == 0 ? fp4_values : nf4_values));
  body("units", "Gather", {"values", codes}, {{"axis", 0}});
  body("units_typed", "CastLike", {"units", "absmax"});
  // Each block becomes a row; the last block may be shorter.
  std::string grid = "units_typed";
  if (blocks * block != count) {
    const std::string pads = body.ints({0, blocks * block - count}, "pads");
    body("padded_units", "Pad", {"units_typed", pads});
    grid = "padded_units";
  }
  const std::string rows_of_units = body.reshape(grid, {blocks, block}, "blocks");
  const std::string scale = body.reshape("absmax", {blocks, 1}, "scale");
  body("scaled", "Mul", {rows_of_units, scale});
  const std::string flat = body.reshape("scaled", {-1}, "flat");
  const std::string used = blocks * block == count ? flat : body.slice(flat, 0, count, 0, "used");
  std::string matrix = body.reshape(used, {rows, columns}, "matrix");
  if (site.attribute_int("transB", 1) != 0) matrix = body.transpose(matrix, {1, 0}, "matrix_transposed");
  body("Y", "MatMul", {"A", matrix});
  return body.function();
}

const NativeRule rule{
    .domain = "com.microsoft",
    .op_type = "MatMulBnb4",
    .summary = "Matrix product with weights in 4-bit floating-point codes (FP4 or NF4), scaled block by block.",
    .source = "ONNX Runtime's contrib operator MatMulBnb4; the code tables are those of bitsandbytes",
    .attributes = "K, N, block_size, quant_type, training_mode, transB",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_MatMulBnb4
