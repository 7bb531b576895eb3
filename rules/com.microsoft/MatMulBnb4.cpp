// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rules/body.h"

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

// What the two codes of each byte stand for, of which the first is in the higher bits.
onnx::TensorProto pairs_of(const std::vector<double>& values) {
  std::vector<double> pairs;
  for (const double first : values) {
    for (const double second : values) pairs.insert(pairs.end(), {first, second});
  }
  return tensor_of(onnx::TensorProto::FLOAT, {256, 2}, pairs);
}

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

  // Each byte is looked up as a whole: of integers that are as wide as indices there is one for two
  // codes, and no arithmetic.
  const std::string bytes = body("bytes", "Cast", {"B"}, {{"to", 6}});
  body.constant_like("pairs", pairs_of(kind == 0 ? fp4_values : nf4_values), "absmax");
  std::string units = body("units_of_bytes", "Gather", {"pairs", bytes}, {{"axis", 0}});
  // Each block becomes a row; the last block may be shorter.
  if (blocks * block != count || count % 2 != 0) {
    units = body.slice(body.reshape(units, {-1}, "all_units"), 0, count, 0, "units");
    if (blocks * block != count)
      units = body("padded_units", "Pad", {units, body.ints({0, blocks * block - count}, "pads")});
  }
  const std::string rows_of_units = body.reshape(units, {blocks, block}, "blocks");
  const std::string scale = body.reshape("absmax", {blocks, 1}, "scale");
  body("scaled", "Mul", {rows_of_units, scale});
  std::string used = "scaled";
  if (blocks * block != count) used = body.slice(body.reshape(used, {-1}, "flat"), 0, count, 0, "used");
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
