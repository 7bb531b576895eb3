// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Weights as GPTQ stores them, which QLLM exports: codes in integers of 32 bits, the lowest bits
// first.
//
//     weights[k, n] = (code[k, n] - zero[group, n]) * scales[group, n]
//
// where the group is k / group size, or g_idx[k]. The codes are in words (K * bits / 32, N), so
// that those of a word are of one column; the zero points in words (groups, N * bits / 32), so that
// those of a word are of one row, or they are numbers of floating point (groups, N). AutoGPTQ
// stores zero points that are less by 1: QLLM adds the 1 when it reads them, and no kernel does.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/block_codes.h"

namespace onnx_lower::native_rules::com_microsoft_codes_in_words {
namespace {

constexpr int64_t kWord = 32;

// Codes that stay as small as they are, that become bytes, or that are unpacked by arithmetic.
enum class Form : uint8_t { blocks, bytes, arithmetic };

struct Operator {
  std::string_view op_type, summary;
  std::vector<std::string> inputs;
  int codes = 0;    // the input, before the scales and the zero points
  int groups = -1;  // the input, -1 for none
  int bias = -1;    // the same
  std::string_view group_size = "groupsize", columns = "in_features", attributes = "bits, groupsize, in_features";
  std::string_view required_attributes = "bits, groupsize";
  int64_t default_bits = 0, default_group_size = 0;
};

const Operator packed_product = {
    .op_type = "MatMulNBits",
    .summary = "Matrix product with weights in the packings of GPTQ and HQQ, as QLLM exports it.",
    .inputs = {"A", "B", "scales", "zero_points", "g_idx", "bias"},
    .codes = 1,
    .groups = 4,
    .bias = 5,
    .group_size = "block_size",
    .columns = "K",
    .attributes = "K, N, accuracy_level, bits, block_size, packing",
    .required_attributes = "packing, block_size",
    .default_bits = 4};
const Operator product = {.op_type = "QuantNbitsGemm",
                          .summary = "Matrix product with weights in the packing of GPTQ.",
                          .inputs = {"x", "qweight", "scales", "qzeros", "sbias", "g_idx"},
                          .codes = 1,
                          .groups = 5,
                          .required_attributes = {},
                          .default_bits = 3,
                          .default_group_size = 128};
const Operator weights_alone = {.op_type = "DequantizeAndUnpackWeight",
                                .summary = "Numbers of weights in the packing of GPTQ.",
                                .inputs = {"qweight", "scales", "qzeros"}};
const Operator weights_by_group = {.op_type = "DequantizeLinearBlockWise",
                                   .summary = "Numbers of weights in the packing of GPTQ, whose groups may be named.",
                                   .inputs = {"qweight", "scales", "qzeros", "g_idx"},
                                   .groups = 3};

bool has_zeros(const CallSite& site, const Operator& of) { return site.has_input(of.codes + 2); }

int opset_of(const CallSite& site, const Operator& of, Form form) {
  if (form != Form::blocks) return 18;
  const auto type = block_type(site.attribute_int("bits", of.default_bits), has_zeros(site, of));
  need_opset_with_blocks(site, type);
  return first_opset_with_blocks(type);
}

std::vector<std::string> names_of_inputs(const Operator& of, int count) {
  const auto used = std::min(of.inputs.size(), static_cast<std::size_t>(count));
  return {of.inputs.begin(), of.inputs.begin() + static_cast<std::ptrdiff_t>(used)};
}

class CodesInWords {
 public:
  CodesInWords(const CallSite& site, const Operator& of, Form form)
      : site_(site),
        of_(of),
        form_(form),
        bits_(site.attribute_int("bits", of.default_bits)),
        body_("com.microsoft", of.op_type, names_of_inputs(of, site.input_count()), {"Y"}, opset_of(site, of, form)) {
    if (bits_ != 2 && bits_ != 4 && bits_ != 8) decline(fmt::format("bits is {}, and not 2, 4 or 8", bits_));
    columns_ = site.need_dim(of.codes, 0) * kWord / bits_;
    rows_ = site.need_dim(of.codes, 1);
    const std::string columns(of.columns);
    if (const int64_t said = site.attribute_int(columns, -1); said != -1 && said != columns_)
      decline(fmt::format("{} is {}, and there are codes of {}", columns, said, columns_));
    const int64_t group = site.attribute_int(std::string(of.group_size), of.default_group_size);
    group_size_ = group > 0 ? group : columns_;
    groups_ = (columns_ + group_size_ - 1) / group_size_;
    if (site.dtype(of.codes + 2) == onnx::TensorProto::FLOAT || site.dtype(of.codes + 2) == onnx::TensorProto::FLOAT16)
      has_float_zeros_ = true;
  }

  Lowering lowering() {
    // A list of one or no element stands for none.
    const bool has_groups =
        of_.groups >= 0 && site_.has_input(of_.groups) && site_.dim(of_.groups, 0).value_or(columns_) > 1;
    const bool in_order = !has_groups || is_in_order(site_, of_.groups, columns_, group_size_);
    if (!in_order && of_.bias < 0 && of_.codes == 1)
      decline("its kernel takes columns in the order of their groups only");
    const bool is_product = of_.codes == 1;
    const bool by_block = in_order && columns_ % group_size_ == 0;
    if (form_ == Form::blocks && !by_block) decline("its columns are not in blocks of one size");
    const BlockWeights weights{codes(), of_.inputs[static_cast<std::size_t>(of_.codes) + 1], zeros(), group_size_};
    std::string numbers;
    if (form_ == Form::blocks) {
      numbers = dequantized_blocks(body_, weights, is_product ? "weights" : "Y");
    } else if (by_block) {
      numbers = multiplied_blocks(body_, weights, groups_, rows_, "");
    } else {
      numbers = multiplied_by_group(body_, weights, in_order ? groups_in_order() : "g_idx");
    }
    if (is_product) return multiplied(numbers);
    if (form_ != Form::blocks) body_("Y", "Identity", {numbers});
    return body_.function();
  }

 private:
  Lowering multiplied(const std::string& weights) {
    const bool has_bias = of_.bias >= 0 && site_.has_input(of_.bias);
    body_(has_bias ? "product" : "Y", "MatMul", {of_.inputs[0], weights});
    if (has_bias) body_("Y", "Add", {"product", "bias"});
    return body_.function();
  }

  std::string groups_in_order() {
    Ints groups = numbers_below(columns_);
    for (int64_t& group : groups) group /= group_size_;
    return body_.ints(groups, "groups");
  }

  // Gives (K, N).
  std::string codes() {
    const std::string& input = of_.inputs[static_cast<std::size_t>(of_.codes)];
    const bool has_sign = !has_zeros(site_, of_);
    if (form_ != Form::arithmetic) {
      // Each row of words is a matrix whose rows are the words.
      return stored({of_.codes, input}, "codes", has_sign,
                    {.rows = rows_,
                     .columns = kWord / bits_,
                     .row_bytes = kWord / 8,
                     .matrices = columns_ * bits_ / kWord,
                     .dims = {columns_, rows_}});
    }
    const std::string all = body_.reshape(digits(input, 1, "code"), {columns_, rows_}, "codes");
    return has_sign ? centred(all) : all;
  }

  std::string centred(const std::string& codes) {
    body_.constant("middle", tensor_of(onnx::TensorProto::INT32, {}, Ints{int64_t{1} << (bits_ - 1)}));
    return body_("signed_codes", "Sub", {codes, "middle"});
  }

  // Gives (groups, N), or no name for none.
  std::string zeros() {
    if (!has_zeros(site_, of_)) return {};
    const std::string& input = of_.inputs[static_cast<std::size_t>(of_.codes) + 2];
    if (has_float_zeros_) {
      if (form_ == Form::blocks) decline("its zero points are numbers of floating point");
      return input;
    }
    const int64_t words = (rows_ * bits_ + kWord - 1) / kWord;
    if (form_ != Form::arithmetic)
      return stored(
          {of_.codes + 2, input}, "zeros", false,
          {.rows = 1, .columns = rows_, .row_bytes = words * kWord / 8, .matrices = groups_, .dims = {groups_, rows_}});
    const std::string all = body_.reshape(digits(input, 2, "zero"), {groups_, -1}, "all_zeros");
    return body_.slice(all, 0, rows_, 1, "zeros");
  }

  // A constant of words, taken for matrices of codes.
  std::string stored(ConstantInput input, const std::string& name, bool has_sign, const MatrixSize& size) {
    const StoredTensor words = need_stored(site_, input, size.matrices * size.rows * size.row_bytes / (kWord / 8));
    if (words.element_type != onnx::TensorProto::INT32 && words.element_type != onnx::TensorProto::UINT32)
      decline(fmt::format("{} is not of integers of 32 bits", input.name));
    append_transposed_codes(body_, words, name, size, bits_, has_sign ? BlockCodes::with_sign : BlockCodes::as_they_are,
                            form_ == Form::blocks ? CodeWidth::as_stored : CodeWidth::byte);
    return name;
  }

  // The codes of each word along a new axis. No number on the way has more digits than a code,
  // since OpenVINO computes with integers in float.
  std::string digits(const std::string& words, int64_t axis, const std::string& stem) {
    Ints places, masks;
    for (int64_t at = 0; at < kWord; at += bits_) {
      places.push_back(int64_t{1} << at);
      masks.push_back(static_cast<int32_t>(((uint32_t{1} << bits_) - 1) << at));
    }
    const auto count = static_cast<int64_t>(places.size());
    const Ints shape = axis == 1 ? Ints{count, 1} : Ints{count};
    body_.constant(stem + "_masks", tensor_of(onnx::TensorProto::INT32, shape, masks));
    body_.constant(stem + "_places", tensor_of(onnx::TensorProto::INT32, shape, places));
    body_.constant(stem + "_base", tensor_of(onnx::TensorProto::INT32, {}, Ints{int64_t{1} << bits_}));
    const std::string wide = body_(stem + "_wide", "Cast", {words}, {{"to", onnx::TensorProto::INT32}});
    const std::string column = body_.unsqueeze(wide, {axis}, stem + "_apart");
    body_(stem + "_alone", "BitwiseAnd", {column, stem + "_masks"});
    // The last one has the sign of the word.
    body_(stem + "_signed", "Div", {stem + "_alone", stem + "_places"});
    return body_(stem + "_digits", "Mod", {stem + "_signed", stem + "_base"});
  }

  const CallSite& site_;
  const Operator& of_;
  const Form form_;
  const int64_t bits_;
  Body body_;
  int64_t columns_ = 0, rows_ = 0;  // K and N
  int64_t group_size_ = 0, groups_ = 0;
  bool has_float_zeros_ = false;
};

template <const Operator& of, Form form>
Lowering lower(const CallSite& site) {
  if (const std::string packing = site.attribute_string("packing", "gptq"); packing != "gptq" && packing != "hqq")
    return Declined{fmt::format("packing is {}, and not gptq or hqq", packing)};
  return CodesInWords(site, of, form).lowering();
}

NativeRule rule_for(const Operator& of, Lowering (*lower)(const CallSite&), std::string_view as_it_is = {}) {
  return {.domain = "com.microsoft",
          .op_type = of.op_type,
          .summary = of.summary,
          .source = "QLLM's exporter, and its kernels for ONNX Runtime",
          .attributes = of.attributes,
          .required_attributes = of.required_attributes,
          .as_it_is = as_it_is,
          .needed_inputs = of.codes + 2,
          .most_inputs = static_cast<int>(of.inputs.size()),
          .lower = lower};
}

// In the order in which they are tried.
template <const Operator& of>
std::vector<NativeRule> rules_for() {
  return {rule_for(of, lower<of, Form::blocks>, "DequantizeLinear"), rule_for(of, lower<of, Form::bytes>),
          rule_for(of, lower<of, Form::arithmetic>)};
}

const std::vector<NativeRule> rules[] = {rules_for<packed_product>(), rules_for<product>(), rules_for<weights_alone>(),
                                         rules_for<weights_by_group>()};
const NativeRule::Registration registrations[] = {
    NativeRule::Registration(rules[0]), NativeRule::Registration(rules[1]), NativeRule::Registration(rules[2]),
    NativeRule::Registration(rules[3])};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_codes_in_words
