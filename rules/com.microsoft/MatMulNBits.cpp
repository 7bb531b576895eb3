// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Y = A * ((B - zero_points) * scales)' + bias, where the scales and the zero points are those of
// the block, or of the group, that an element of B is in.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "families/packed_bits.h"
#include "rules/block_codes.h"

namespace onnx_lower::native_rules::com_microsoft_MatMulNBits {
namespace {

// N is the number of B's rows, K that of its columns, and blocks that of the blocks of a row.
class Product {
 protected:
  // `opset`: of the body.
  Product(const CallSite& site, int opset)
      : site_(site),
        rows_(site.attribute_int("N", 0)),
        columns_(site.attribute_int("K", 0)),
        block_(site.attribute_int("block_size", 0)),
        bits_(site.attribute_int("bits", 4)),
        body_("com.microsoft", "MatMulNBits",
              first_names({"A", "B", "scales", "zero_points", "g_idx", "bias"}, site.input_count()), {"Y"}, opset) {
    if (rows_ <= 0 || columns_ <= 0 || block_ <= 0) decline("N, K and block_size are not all positive");
    blocks_ = (columns_ + block_ - 1) / block_;
  }

  // The whole body, whose last nodes multiply by the weights, (K, N), and add the bias.
  Lowering product_of(const std::string& left, const std::string& weights) {
    body_(product(), "MatMul", {left, weights});
    return with_bias();
  }

  // What the product is called to which the bias is added, if there is one.
  std::string product() const { return site_.has_input(5) ? "product" : "Y"; }
  // The whole body, of which there is all but the bias.
  Lowering with_bias() {
    if (site_.has_input(5)) body_("Y", "Add", {"product", "bias"});
    return body_.function();
  }

  const CallSite& site_;
  const int64_t rows_, columns_, block_, bits_;
  int64_t blocks_ = 0;
  Body body_;
};

class QuantizedProduct : Product {
 public:
  explicit QuantizedProduct(const CallSite& site) : Product(site, 15) {
    if (bits_ != 2 && bits_ != 4 && bits_ != 8) decline(fmt::format("bits is {}, and not 2, 4 or 8", bits_));
    if (site.attribute_int("weight_prepacked", 0) != 0) decline("B is packed for one kind of GPU");
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
    return product_of("A", transposed);
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
};

Lowering lower(const CallSite& site) { return QuantizedProduct(site).lowering(); }

// A product with weights that are made of B while the model is written: B's codes transposed. Where
// there are no zero points, which then are the middle of the codes, the codes become numbers with a
// sign.
class ProductOfStored : protected Product {
 protected:
  ProductOfStored(const CallSite& site, int opset) : Product(site, opset) {
    if (site.attribute_int("weight_prepacked", 0) != 0) decline("B is packed for one kind of GPU");
    is_in_order_ = is_in_order(site, 4, columns_, block_);
    has_float_zeros_ = site.has_input(3) && site.need_dtype(3) != onnx::TensorProto::UINT8;
    if (block_ * bits_ % 8 != 0) decline("a block of B ends within a byte");
    padded_ = blocks_ * block_;
  }

  // Makes `weight`, (whole blocks of K, N), and, (blocks, N), `scale` and, where there are zero
  // points, `zero`.
  void append_stored(CodeWidth width) {
    append_stored(width, site_.has_input(3) ? BlockCodes::as_they_are : BlockCodes::with_sign);
  }

  void append_stored(CodeWidth width, BlockCodes codes) {
    const auto append_codes = [&](const ConstantInput& input, std::string_view name, int64_t columns) {
      transposed_codes(site_, body_, input, name, {rows_, columns, (columns * bits_ + 7) / 8}, bits_, codes, width);
    };
    append_codes({1, "B"}, "weight", padded_);
    transposed_numbers(site_, body_, {2, "scales"}, "scale", rows_, blocks_);
    if (has_float_zeros_) {
      transposed_numbers(site_, body_, {3, "zero_points"}, "zero", rows_, blocks_);
    } else if (site_.has_input(3)) {
      append_codes({3, "zero_points"}, "zero", blocks_);
    }
  }

  BlockWeights stored() const { return {"weight", "scale", site_.has_input(3) ? "zero" : "", block_}; }

  int64_t padded_ = 0;        // K in whole blocks
  bool is_in_order_ = false;  // whether each column has the group of its block
  bool has_float_zeros_ = false;
};

// A as many columns as B has whole blocks.
std::string padded(Body& body, int64_t more) {
  if (more == 0) return "A";
  const std::string pads = body.ints({0, more}, "pads");
  return body("A_padded", "Pad", {"A", pads, "", body.ints({-1}, "axes")});
}

// The same with weights that stay as small as they are:
//
//     weights = DequantizeLinear <axis = 0, block_size> (codes, scales, zero_points)
//     Y = A * weights + bias
//
// with codes (K, N), scales and zero points (blocks, N). Runtimes have a kernel for this product,
// which reads the codes. The last block of B may be longer than what is left of a row: A gets as
// many zeros, since OpenVINO takes whole blocks only.
class CompressedProduct : ProductOfStored {
 public:
  explicit CompressedProduct(const CallSite& site) : CompressedProduct(site, type_of_codes(site)) {}

  Lowering lowering() {
    if (!is_in_order_) decline("each column has a group of its own, and not that of its block");
    if (has_float_zeros_) decline("its zero points are numbers of floating point");
    append_stored(CodeWidth::as_stored);
    dequantized_blocks(body_, stored(), "weight_float");
    return product_of(padded(body_, padded_ - columns_), "weight_float");
  }

 private:
  CompressedProduct(const CallSite& site, onnx::TensorProto::DataType type)
      : ProductOfStored(site, first_opset_with_blocks(type)) {
    need_opset_with_blocks(site, type);
  }

  static onnx::TensorProto::DataType type_of_codes(const CallSite& site) {
    return block_type(site.attribute_int("bits", 4), site.has_input(3));
  }
};

Lowering lower_compressed(const CallSite& site) { return CompressedProduct(site).lowering(); }

// The same for a runtime whose blocks have no zero points.
class ProductWithoutZeros : ProductOfStored {
 public:
  explicit ProductWithoutZeros(const CallSite& site) : ProductOfStored(site, 21) {
    if (!site.has_input(3)) decline("it has no zero points");
    need_opset_with_blocks(site, block_type(bits_, false));
  }

  Lowering lowering() {
    if (!is_in_order_) decline("each column has a group of its own, and not that of its block");
    if (has_float_zeros_) decline("its zero points are numbers of floating point");
    const int64_t rank = site_.need_rank(0);
    append_stored(CodeWidth::as_stored, BlockCodes::with_sign);
    const std::string left = padded(body_, padded_ - columns_);
    product_without_zeros(body_, left, rank, stored(), blocks_, site_.need_dtype(2), product());
    return with_bias();
  }
};

Lowering lower_without_zeros(const CallSite& site) { return ProductWithoutZeros(site).lowering(); }

// The same for an opset or a runtime that has no such blocks.
class ProductOfBytes : ProductOfStored {
 public:
  explicit ProductOfBytes(const CallSite& site) : ProductOfStored(site, 15) {
    if (bits_ != 2 && bits_ != 4 && bits_ != 8) decline(fmt::format("bits is {}, and not 2, 4 or 8", bits_));
  }

  Lowering lowering() {
    append_stored(CodeWidth::byte);
    if (!is_in_order_) {
      BlockWeights used = stored();
      if (padded_ != columns_) used.codes = body_.slice(used.codes, 0, columns_, 0, "weight_used");
      return product_of("A", multiplied_by_group(body_, used, "g_idx"));
    }
    const std::string weights = multiplied_blocks(body_, stored(), blocks_, rows_, "");
    return product_of("A", padded_ == columns_ ? weights : body_.slice(weights, 0, columns_, 0, "weight_used"));
  }
};

Lowering lower_to_bytes(const CallSite& site) { return ProductOfBytes(site).lowering(); }

NativeRule rule_for(Lowering (*lower)(const CallSite&), std::string_view as_it_is) {
  return {.domain = "com.microsoft",
          .op_type = "MatMulNBits",
          .summary = "Matrix product with weights of 2, 4 or 8 bits, quantized block by block.",
          .source = "ONNX Runtime's contrib operator MatMulNBits",
          .attributes = "K, N, accuracy_level, bits, block_size, weight_prepacked",
          .as_it_is = as_it_is,
          .lower = lower};
}

// The weights become numbers of floating point while the model runs only where they cannot stay as
// they are.
const NativeRule rules[] = {rule_for(lower_compressed, "DequantizeLinear"),
                            rule_for(lower_without_zeros, "DequantizeLinear"), rule_for(lower_to_bytes, {}),
                            rule_for(lower, {})};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_MatMulNBits
