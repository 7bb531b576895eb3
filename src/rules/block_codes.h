// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Weights that are quantized in blocks, as DequantizeLinear takes them: with a scale, and maybe a
// zero point, for each block along an axis.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

// With a sign, a code is less by the middle of all codes.
enum class BlockCodes : uint8_t { as_they_are, with_sign };

inline onnx::TensorProto::DataType block_type(int64_t bits, bool is_unsigned) {
  switch (bits) {
    case 2:
      return is_unsigned ? onnx::TensorProto::UINT2 : onnx::TensorProto::INT2;
    case 4:
      return is_unsigned ? onnx::TensorProto::UINT4 : onnx::TensorProto::INT4;
    case 8:
      return is_unsigned ? onnx::TensorProto::UINT8 : onnx::TensorProto::INT8;
    default:
      decline(fmt::format("bits is {}, and not 2, 4 or 8", bits));
  }
}

// The opset from which on DequantizeLinear takes blocks of that type.
inline int first_opset_with_blocks(onnx::TensorProto::DataType type) {
  return type == onnx::TensorProto::UINT2 || type == onnx::TensorProto::INT2 ? 25 : 21;
}

inline void need_opset_with_blocks(const CallSite& site, onnx::TensorProto::DataType type) {
  const int first = first_opset_with_blocks(type);
  if (site.opset() < first)
    decline(
        fmt::format("DequantizeLinear takes blocks of {} bits from opset {} on", first == 25 ? "2" : "4 or 8", first));
}

// A constant of the model as a matrix, or as several of one size: how many rows and columns it has,
// and how many bytes a row.
struct MatrixSize {
  int64_t rows, columns, row_bytes;
  int64_t matrices = 1;
  Ints dims = {};  // of the transposed constant, if not (matrices * columns, rows)
};

// An input, with its name in messages, that is to be a constant of the model.
struct ConstantInput {
  int index;
  std::string_view name;
};

inline StoredTensor need_stored(const CallSite& site, ConstantInput input, int64_t elements) {
  std::optional<StoredTensor> stored = site.stored_constant(input.index);
  if (!stored) decline(fmt::format("{} is no constant of the model", input.name));
  int64_t count = 1;
  for (const int64_t dim : stored->dims) count *= dim;
  if (count != elements) decline(fmt::format("{} has {} elements, and not {}", input.name, count, elements));
  return *std::move(stored);
}

// Whether codes stay as small as they are, or each gets a byte.
enum class CodeWidth : uint8_t { as_stored, byte };

// Adds the constant `name`, (matrices * columns, rows): the transpose of a tensor, or of each of
// its matrices, whose bytes hold codes of so many bits.
inline void append_transposed_codes(Body& body, const StoredTensor& stored, std::string_view name,
                                    const MatrixSize& size, int64_t bits, BlockCodes codes, CodeWidth width) {
  const bool has_sign = codes == BlockCodes::with_sign;
  const bool is_widened = width == CodeWidth::byte && bits < 8;
  if (size.matrices > 1 && size.rows * size.columns * bits % 8 != 0)
    decline(fmt::format("what a matrix of {} holds ends within a byte", name));
  body.transposed(name, stored, block_type(is_widened ? 8 : bits, !has_sign),
                  size.dims.empty() ? Ints{size.matrices * size.columns, size.rows} : size.dims,
                  {.rows = static_cast<uint64_t>(size.rows),
                   .columns = static_cast<uint64_t>(size.columns),
                   .row_bytes = static_cast<uint64_t>(size.row_bytes),
                   .matrices = static_cast<uint64_t>(size.matrices)},
                  {.bits = static_cast<uint64_t>(bits),
                   .flipped = has_sign ? uint64_t{1} << (bits - 1) : 0,
                   .widened = is_widened,
                   .has_sign = has_sign});
}

// The same for an input.
inline void transposed_codes(const CallSite& site, Body& body, ConstantInput input, std::string_view name,
                             const MatrixSize& size, int64_t bits, BlockCodes codes,
                             CodeWidth width = CodeWidth::as_stored) {
  const StoredTensor stored = need_stored(site, input, size.matrices * size.rows * size.row_bytes);
  if (stored.element_type != onnx::TensorProto::UINT8) decline(fmt::format("{} does not hold codes", input.name));
  append_transposed_codes(body, stored, name, size, bits, codes, width);
}

// The same for an input that holds numbers of floating point.
inline void transposed_numbers(const CallSite& site, Body& body, ConstantInput input, std::string_view name,
                               int64_t rows, int64_t columns, int64_t matrices = 1) {
  const StoredTensor stored = need_stored(site, input, matrices * rows * columns);
  const bool is_float = stored.element_type == onnx::TensorProto::FLOAT;
  if (!is_float && stored.element_type != onnx::TensorProto::FLOAT16 &&
      stored.element_type != onnx::TensorProto::BFLOAT16)
    decline(fmt::format("{} has elements of a type that is no scale for DequantizeLinear", input.name));
  const uint64_t bytes = is_float ? 4 : 2;
  body.transposed(name, stored, static_cast<onnx::TensorProto::DataType>(stored.element_type),
                  {matrices * columns, rows},
                  {.rows = static_cast<uint64_t>(rows),
                   .columns = static_cast<uint64_t>(columns),
                   .row_bytes = static_cast<uint64_t>(columns) * bytes,
                   .matrices = static_cast<uint64_t>(matrices)},
                  {.bits = bytes * 8});
}

// The weights of a product that are quantized in blocks along their columns: the codes, (columns,
// rows), the scales and the zero points, (blocks, rows). Codes with a sign have no zero points.
struct BlockWeights {
  std::string codes, scale, zero;
  int64_t block_size;
  // Where the zero points are numbers of floating point, a difference may be rounded, too.
  bool rounds_each_step = false;
};

// Runtimes have kernels for blocks of such sizes, into which a larger one is divided, as that only
// repeats its scale; its own size where none divides it.
inline int64_t block_of_kernels(int64_t size) {
  for (const int64_t block : {128, 64, 32, 16}) {
    if (size % block == 0) return block;
  }
  return size;
}

// weights = DequantizeLinear <axis = 0, block_size> (codes, scales, zero points)
inline std::string dequantized_blocks(Body& body, const BlockWeights& weights, const std::string& output) {
  return body(output, "DequantizeLinear", {weights.codes, weights.scale, weights.zero},
              {{"axis", 0}, {"block_size", weights.block_size}});
}

// The product of a value of this rank with the weights, for a runtime whose blocks have no zero
// points. Both codes and zero points are numbers with a sign, and for the sums of each block:
//
//     left * ((codes - zeros) * scales) = left * (codes * scales) - sums * (zeros * scales)
inline std::string product_without_zeros(Body& body, const std::string& left, int64_t rank, const BlockWeights& weights,
                                         int64_t blocks, int scale_type, const std::string& output) {
  const std::string codes = dequantized_blocks(body, {weights.codes, weights.scale, {}, weights.block_size}, "weights");
  body("product_of_codes", "MatMul", {left, codes});
  Ints in_blocks(static_cast<std::size_t>(rank - 1), 0);  // as many as there are
  in_blocks.insert(in_blocks.end(), {blocks, weights.block_size});
  const std::string apart = body.reshape(left, in_blocks, "left_blocks");
  body("sums", "ReduceSum", {apart, body.ints({-1}, "last")}, {{"keepdims", 0}});
  const auto type = static_cast<onnx::TensorProto::DataType>(scale_type);
  body.constant("one", tensor_of(type, {}, std::vector<double>{1}));
  body("zero_numbers", "DequantizeLinear", {weights.zero, "one"});
  body("zeros_scaled", "Mul", {"zero_numbers", weights.scale});
  body("product_of_zeros", "MatMul", {"sums", "zeros_scaled"});
  return body(output, "Sub", {"product_of_codes", "product_of_zeros"});
}

// weights = (codes - zero points) * scales
//
// for an opset or a runtime that has no such blocks: the codes are bytes, and only the runtime
// makes numbers of floating point of them. Of float16 it makes these in float, which is exact up to
// the last rounding: ONNX Runtime computes float before the model runs, and float16 in each run.
// `stem` begins the names of what is made, and may be empty.
inline std::string multiplied_blocks(Body& body, const BlockWeights& weights, int64_t blocks, int64_t rows,
                                     const std::string& stem) {
  const auto number_of = [&](const std::string& value, const std::string& name) {
    return weights.rounds_each_step ? body(name, "CastLike", {value, weights.scale})
                                    : body(name, "Cast", {value}, {{"to", onnx::TensorProto::FLOAT}});
  };
  const std::string in_blocks = body.reshape(weights.codes, {blocks, weights.block_size, rows}, stem + "weight_blocks");
  std::string number = number_of(in_blocks, stem + "weight_float");
  if (!weights.zero.empty()) {
    const std::string zeros = body.unsqueeze(weights.zero, {1}, stem + "zero_blocks");
    number = body(stem + "weight_centred", "Sub", {number, number_of(zeros, stem + "zero_float")});
  }
  const std::string scale = number_of(body.unsqueeze(weights.scale, {1}, stem + "scale_blocks"), stem + "scale_float");
  body(stem + "weight_scaled", "Mul", {number, scale});
  const std::string columns =
      body.reshape(stem + "weight_scaled", {blocks * weights.block_size, rows}, stem + "weight_columns");
  return body(stem + "weight_numbers", "CastLike", {columns, weights.scale});
}

// The same where a list names the block of each of the columns, whose codes are bytes or wider.
// They go through int32: what OpenVINO recognizes as weights it takes for ones with a block for
// each column, and divides by zero.
inline std::string multiplied_by_group(Body& body, const BlockWeights& weights, const std::string& groups) {
  constexpr int int32 = onnx::TensorProto::INT32;
  const std::string wide = body("weight_wide", "Cast", {weights.codes}, {{"to", int32}});
  std::string number = body("weight_float", "CastLike", {wide, weights.scale});
  if (!weights.zero.empty()) {
    body("zero_float", "CastLike", {weights.zero, weights.scale});
    body("zero_of_column", "Gather", {"zero_float", groups}, {{"axis", 0}});
    number = body("weight_centred", "Sub", {number, "zero_of_column"});
  }
  body("scale_of_column", "Gather", {weights.scale, groups}, {{"axis", 0}});
  return body("weight_scaled", "Mul", {number, "scale_of_column"});
}

// Whether an input that names the block of each column is absent, or says what is so without it.
inline bool is_in_order(const CallSite& site, int groups, int64_t columns, int64_t block_size) {
  if (!site.has_input(groups)) return true;
  const std::optional<std::vector<int64_t>> named = site.constant_ints(groups);
  if (!named || named->size() != static_cast<std::size_t>(columns)) return false;
  for (int64_t column = 0; column < columns; ++column) {
    if ((*named)[static_cast<std::size_t>(column)] != column / block_size) return false;
  }
  return true;
}

}  // namespace onnx_lower
