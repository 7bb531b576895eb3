// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Y = A * ((B - zero_points) * scales)' + bias, where the scales and the zero points are those of
// the block, or of the group, that an element of B is in.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "families/packed_bits.h"

namespace onnx_lower::native_rules::com_microsoft_MatMulNBits {
namespace {

// N is the number of B's rows, K that of its columns, and blocks that of the blocks of a row.
class QuantizedProduct {
 public:
  explicit QuantizedProduct(const CallSite& site)
      : site_(site),
        rows_(site.attribute_int("N", 0)),
        columns_(site.attribute_int("K", 0)),
        block_(site.attribute_int("block_size", 0)),
        bits_(site.attribute_int("bits", 4)),
        body_("com.microsoft", "MatMulNBits",
              first_names({"A", "B", "scales", "zero_points", "g_idx", "bias"}, site.input_count()), {"Y"}, 15) {
    if (rows_ <= 0 || columns_ <= 0 || block_ <= 0) decline("N, K and block_size are not all positive");
    if (bits_ != 2 && bits_ != 4 && bits_ != 8) decline(fmt::format("bits is {}, and not 2, 4 or 8", bits_));
    if (site.attribute_int("weight_prepacked", 0) != 0) decline("B is packed for one kind of GPU");
    blocks_ = (columns_ + block_ - 1) / block_;
    body_.all_are_float(site.dtype(2) == onnx::TensorProto::FLOAT);
  }

  Lowering lowering() {
    const std::string bytes = body_.reshape("B", {rows_, blocks_, -1}, "bytes");
    const std::string weights = unpacked_bits(body_, bytes, bits_, rows_, blocks_, "weight");
    body_("weight_float", "CastLike", {weights, "scales"});
    const std::string scale = body_.reshape("scales", {rows_, blocks_, 1}, "scale");
    const std::string zero = zero_point();
    const std::string matrix = site_.has_input(4) ? weights_by_group(scale, zero) : weights_by_block(scale, zero);
    const std::string transposed = body_.transpose(matrix, {1, 0}, "weight_columns");
    body_(site_.has_input(5) ? "product" : "Y", "MatMul", {"A", transposed});
    if (site_.has_input(5)) body_("Y", "Add", {"product", "bias"});
    return body_.function();
  }

 private:
  // Gives the zero points, (N, blocks, 1), or one for all.
  std::string zero_point() {
    if (!site_.has_input(3)) return body_.scalar_like(1 << (bits_ - 1), "scales", "zero");
    if (site_.need_dtype(3) != onnx::TensorProto::UINT8)
      return body_.reshape("zero_points", {rows_, blocks_, 1}, "zero");
    const std::string bytes = body_.reshape("zero_points", {rows_, 1, -1}, "zero_bytes");
    const std::string unpacked = unpacked_bits(body_, bytes, bits_, rows_, 1, "zero");
    const std::string used = body_.slice(unpacked, 0, blocks_, 2, "zero_used");
    const std::string column = body_.reshape(used, {rows_, blocks_, 1}, "zero_column");
    return body_("zero_float", "CastLike", {column, "scales"});
  }

  // Gives the weights, (N, K), where each column has the group that g_idx names, not that of
  // its block.
  std::string weights_by_group(const std::string& scale, const std::string& zero) {
    const std::string flat = body_.reshape("weight_float", {rows_, -1}, "weight_rows");
    const std::string used = body_.slice(flat, 0, columns_, 1, "weight_used");
    const std::string scale_row = body_.reshape(scale, {rows_, blocks_}, "scale_row");
    body_("column_scale", "Gather", {scale_row, "g_idx"}, {{"axis", 1}});
    std::string column_zero = zero;
    if (site_.has_input(3)) {
      const std::string zero_row = body_.reshape(zero, {rows_, blocks_}, "zero_row");
      column_zero = body_("column_zero", "Gather", {zero_row, "g_idx"}, {{"axis", 1}});
    }
    body_("weight_centred", "Sub", {used, column_zero});
    return body_("weight_scaled", "Mul", {"weight_centred", "column_scale"});
  }

  // Gives the weights, (N, K), where each column has the group of its block.
  std::string weights_by_block(const std::string& scale, const std::string& zero) {
    body_("weight_centred", "Sub", {"weight_float", zero});
    body_("weight_scaled", "Mul", {"weight_centred", scale});
    const std::string matrix = body_.reshape("weight_scaled", {rows_, -1}, "weight_rows");
    return blocks_ * block_ == columns_ ? matrix : body_.slice(matrix, 0, columns_, 1, "weight_used");
  }

  const CallSite& site_;
  const int64_t rows_, columns_, block_, bits_;
  int64_t blocks_ = 0;
  Body body_;
};

Lowering lower(const CallSite& site) { return QuantizedProduct(site).lowering(); }

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "MatMulNBits",
                      .summary = "Matrix product with weights of 2, 4 or 8 bits, quantized block by block.",
                      .source = "ONNX Runtime's contrib operator MatMulNBits",
                      .attributes = "K, N, accuracy_level, bits, block_size, weight_prepacked",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_MatMulNBits
