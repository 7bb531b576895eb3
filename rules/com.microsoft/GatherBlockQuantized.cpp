// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The rows of a matrix that is quantized block by block along them, at the indices:
//
//     output[i, column] = (data[indices[i], column] - zero_points[indices[i], block])
//                         * scales[indices[i], block], block = column / block_size
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../ai.onnx/families/packed_integers.h"
#include "families/packed_bits.h"

namespace onnx_lower::native_rules::com_microsoft_GatherBlockQuantized {
namespace {

using onnx::TensorProto;

class DequantizedRows {
 public:
  explicit DequantizedRows(const CallSite& site)
      : site_(site),
        type_(site.need_dtype(0)),
        block_(site.attribute_int("block_size", 128)),
        is_bytes_(type_ == TensorProto::UINT8),
        body_("com.microsoft", "GatherBlockQuantized",
              first_names({"data", "indices", "scales", "zero_points"}, site.input_count()), {"output"}, 21) {
    if (block_ <= 0) decline("block_size is not positive");
    if (site.rank(0) != 2) decline("data is not known to be a matrix");
    site.need_rank(1);
    const int64_t quantize_axis = site.attribute_int("quantize_axis", 1);
    const int64_t gather_axis = site.attribute_int("gather_axis", 0);
    if ((gather_axis != 0 && gather_axis != -2) || (quantize_axis != 1 && quantize_axis != -1))
      decline("it does not gather rows that are quantized along themselves");
    bits_ = is_bytes_ ? site.attribute_int("bits", 4) : 4;
    if (!is_bytes_ && type_ != TensorProto::INT4 && type_ != TensorProto::UINT4)
      decline("data is neither of 4 bits nor of bytes");
    if (bits_ != 2 && bits_ != 4 && bits_ != 8) decline(fmt::format("bits is {}, and not 2, 4 or 8", bits_));
    const int64_t width = site.need_dim(0, 1);
    columns_ = is_bytes_ ? width * 8 / bits_ : width;
  }

  Lowering lowering() {
    widen_types_that_are_too_new();
    keep_packed();
    indices_ = body_.reshape("indices", {-1}, "flat_indices");
    const std::string codes = rows("data", columns_, "code", has_packed_data_);
    body_("code_float", "CastLike", {codes, "scales"});
    // There is one column of scales for each block, for as many columns of data as the block
    // is wide.
    Ints block_of_column = numbers_below(columns_);
    for (int64_t& column : block_of_column) column /= block_;
    const std::string spread = body_.ints(block_of_column, "block_of_column");
    const std::string centred = without_zero_point(spread);
    body_("scale_rows", "Gather", {"scales", indices_}, {{"axis", 0}});
    body_("scale_columns", "Gather", {"scale_rows", spread}, {{"axis", 1}});
    const std::string values = body_.reshape(centred, {-1, columns_}, "value_rows");
    body_("scaled", "Mul", {values, "scale_columns"});
    body_("index_shape", "Shape", {"indices"});
    const std::string row_shape = body_.ints({columns_}, "row_shape");
    body_("output_shape", "Concat", {"index_shape", row_shape}, {{"axis", 0}});
    body_("output", "Reshape", {"scaled", "output_shape"});
    return body_.function();
  }

 private:
  // A constant of a type that the model's opset does not have is unpacked to bytes.
  void widen_types_that_are_too_new() {
    for (const auto& [input, name] : {std::pair{0, "data_bytes"}, std::pair{3, "zero_points_bytes"}}) {
      if (!is_packed_too_new(site_, input)) continue;
      append_widened(site_, body_, input, name);
      is_widened_ = true;
    }
  }

  // Constants of 4 bits whose rows are whole bytes become these bytes, as Gather takes no 4-bit
  // types: a cast of the whole table would be eight times as large. Codes with a sign get the
  // middle of all codes added. The zero points are left as they are where the data are.
  void keep_packed() {
    if (is_bytes_ || is_widened_) return;
    has_packed_data_ = make_bytes(0, "data", columns_);
    has_packed_zeros_ = has_packed_data_ && site_.has_input(3) && make_bytes(3, "zero_points", blocks());
  }

  bool make_bytes(int input, const std::string& name, int64_t columns) {
    const std::optional<StoredTensor> stored = site_.stored_constant(input);
    if (!stored || stored->element_type != type_ || stored->dims.size() != 2 || stored->dims[1] != columns ||
        stored->dims[0] == 0 || columns == 0 || columns % 2 != 0)
      return false;
    const auto bytes = static_cast<uint64_t>(stored->dims[0] * columns / 2);
    // A matrix of one row, transposed, is the same bytes.
    constexpr uint64_t both_signs = 0x88;
    body_.transposed(name + "_packed", *stored, TensorProto::UINT8, {stored->dims[0], columns / 2},
                     {.rows = 1, .columns = bytes, .row_bytes = bytes},
                     {.bits = 8, .flipped = type_ == TensorProto::INT4 ? both_signs : 0});
    return true;
  }

  int64_t blocks() const { return (columns_ + block_ - 1) / block_; }

  // Gives the rows of `table` at the indices, as integers in (rows, 1, columns). `is_packed`:
  // keep_packed() has made bytes of the table.
  std::string rows(const std::string& table, int64_t columns, const std::string& stem, bool is_packed) {
    std::string source = table;
    if (is_packed) {
      source += "_packed";
    } else if (is_widened_) {
      source += "_bytes";
    } else if (!is_bytes_) {
      // Gather does not take 4-bit types.
      source = body_(stem + "_table", "Cast", {table}, {{"to", 6}});
    }
    body_(stem + "_rows", "Gather", {source, indices_}, {{"axis", 0}});
    std::string whole = body_.unsqueeze(stem + "_rows", {1}, stem + "_apart");
    if (is_bytes_ || is_packed) whole = unpacked_bits(body_, whole, bits_, 0, 1, stem);
    return body_.slice(whole, 0, columns, 2, stem + "_used");
  }

  // Gives the quantized data less the zero points, (rows, 1, columns). `spread` says to which block
  // a column belongs.
  std::string without_zero_point(const std::string& spread) {
    // By how much the codes, and the zero points, are greater than the numbers that they stand for.
    const double middle = 1 << (bits_ - 1);
    const bool is_signed = type_ == TensorProto::INT4;
    const double too_much = (is_bytes_ && !site_.has_input(3)) || (is_signed && has_packed_data_) ? middle : 0;
    const double zero_too_much = is_signed && has_packed_zeros_ ? middle : 0;
    std::string codes = "code_float";
    if (too_much != zero_too_much)
      codes = body_(site_.has_input(3) ? "code_moved" : "centred", "Sub",
                    {codes, body_.scalar_like(middle, "scales", "zero")});
    if (!site_.has_input(3)) return codes;
    const std::string zeros = rows("zero_points", blocks(), "zero", has_packed_zeros_);
    body_("zero_columns", "Gather", {zeros, spread}, {{"axis", 2}});
    body_("zero_float", "CastLike", {"zero_columns", "scales"});
    return body_("centred", "Sub", {codes, "zero_float"});
  }

  const CallSite& site_;
  const int type_;
  const int64_t block_;
  const bool is_bytes_;
  int64_t bits_ = 0, columns_ = 0;
  Body body_;
  bool is_widened_ = false;
  bool has_packed_data_ = false, has_packed_zeros_ = false;
  std::string indices_;  // as a list
};

Lowering lower(const CallSite& site) { return DequantizedRows(site).lowering(); }

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
