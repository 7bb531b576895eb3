// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/weights/packed_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "model_file/gathered_elements.h"
#include "rules/block_codes.h"
#include "rules/body.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

// Smaller blocks than these no kernel has, and the scales are as large as the codes.
constexpr int64_t smallest_block = 8;
// Larger ones are divided.
constexpr int64_t largest_block = 128;

// The digits of the indices of an axis, the most significant one first, by which its places behind
// the first one are made; nothing where they are not made so.
std::optional<std::vector<Step>> steps_of(std::vector<int64_t> places) {
  std::vector<Step> steps;
  const int64_t begin = places[0];
  for (int64_t& place : places) place -= begin;
  while (places.size() > 1) {
    const int64_t stride = places[1];
    size_t count = 2;
    while (count < places.size() && places[count] == static_cast<int64_t>(count) * stride) ++count;
    const auto is_digit = [&] {
      if (places.size() % count != 0) return false;
      for (size_t index = 0; index < places.size(); ++index) {
        const size_t upper = index / count * count;
        if (places[index] != places[upper] + static_cast<int64_t>(index - upper) * stride) return false;
      }
      return true;
    };
    while (count > 1 && !is_digit()) --count;
    if (count == 1) return std::nullopt;
    steps.insert(steps.begin(), {count, stride});
    for (size_t index = 0; index < places.size() / count; ++index) places[index] = places[index * count];
    places.resize(places.size() / count);
  }
  if (steps.empty()) steps.push_back({1, 0});
  return steps;
}

// Where the elements of a matrix lie whose rows are every so many of those of a part.
std::optional<Derivation> derivation_from(const ElementPlaces& places, int64_t every, uint64_t bits) {
  std::vector<int64_t> rows;
  for (size_t index = 0; index < places.axis(0).size(); index += static_cast<size_t>(every))
    rows.push_back(places.axis(0)[index]);
  std::optional<std::vector<Step>> of_rows = steps_of(rows), of_columns = steps_of(places.axis(1));
  const int64_t first = places.axis(0)[0] + places.axis(1)[0];
  if (!of_rows || !of_columns || first < 0) return std::nullopt;
  return Derivation{.bits = bits,
                    .first_bit = static_cast<uint64_t>(first),
                    .rows = *std::move(of_rows),
                    .columns = *std::move(of_columns)};
}

// The size of the blocks of rows in which all of these places are the same.
int64_t block_of(const ElementPlaces& places, int64_t block) {
  const std::vector<int64_t>& rows = places.axis(0);
  for (size_t index = 1; index < rows.size(); ++index) {
    if (rows[index] != rows[index - 1]) block = std::gcd(block, static_cast<int64_t>(index));
  }
  return block;
}

// The least and the greatest of the numbers in a part; nothing where they cannot be read.
std::optional<CodeRange> looked_at(const Codes& codes, const Derivation& how, PackedTensors& tensors) {
  const GatheredElements elements{.bytes = tensors.data_of(codes.constant).elements, .how = how};
  if (!elements.lie_within()) return std::nullopt;
  const std::vector<int64_t> columns = offsets_of(how.columns);
  const int64_t end = how.bits > 32 ? 0 : int64_t{1} << how.bits;  // 0 for all 64 bits
  CodeRange range{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (const int64_t row : offsets_of(how.rows)) {
    for (const int64_t column : columns) {
      const auto bit = static_cast<size_t>(static_cast<int64_t>(how.first_bit) + row + column);
      uint64_t word = 0;
      std::memcpy(&word, elements.bytes.data() + bit / 8, how.bits < 8 ? 1 : how.bits / 8);
      int64_t number = (static_cast<int64_t>(word >> bit % 8) + codes.inside) & (end - 1);
      if (codes.above == Codes::Above::sign && end != 0 && number >= end / 2) number -= end;
      range = {std::min(range.least, number), std::max(range.most, number)};
    }
  }
  return range;
}

bool is_power_of_2(int bits) { return bits >= 2 && bits <= 64 && std::has_single_bit(static_cast<unsigned>(bits)); }

class Finding {
 public:
  Finding(PackedTensors& tensors, const Model& model) : tensors_(tensors), model_(model) {}

  std::optional<PackedWeights> find(const PackedTensor& weights) {
    const Codes& codes = weights.codes;
    // A number with a sign that is not a whole integer of the constant is nothing that nodes make.
    const bool have_sign = codes.above == Codes::Above::sign && codes.bits == 8;
    if (weights.dims().size() != 2 || !weights.scales || (codes.above != Codes::Above::zeros && !have_sign) ||
        codes.low != 0 || codes.inside != 0 || (codes.bits != 2 && codes.bits != 4 && codes.bits != 8))
      return std::nullopt;
    found_.columns = weights.dims()[0];
    found_.rows = weights.dims()[1];
    found_.bits = codes.bits;
    found_.element_type = weights.element_type;
    found_.has_sign = have_sign;
    found_.are_bytes = bits_per_element(read_tensor_facts(codes.constant).data_type) == codes.bits;
    found_.block_size = block_of(weights.scales->places, found_.columns);
    if (weights.zeros) found_.block_size = block_of(weights.zeros->places, found_.block_size);
    if (found_.block_size > largest_block) found_.block_size = block_of_kernels(found_.block_size);
    if (found_.block_size < smallest_block) return std::nullopt;
    const int scale_bits = weights.scales->bits;
    const bool has_all = set_part(found_.codes, codes, 1, codes.bits) &&
                         set_part(found_.scales, *weights.scales, found_.block_size, scale_bits) && set_zeros(weights);
    if (!has_all) return std::nullopt;
    if (found_.has_sign && !have_sign) found_.codes.how.flipped = uint64_t{1} << (codes.bits - 1);
    found_.codes.how.has_sign = found_.has_sign;
    return std::move(found_);
  }

 private:
  bool set_part(WeightPart& part, const Codes& codes, int64_t every, int64_t bits) {
    std::optional<Derivation> how = derivation_from(codes.places, every, static_cast<uint64_t>(bits));
    // A rule may derive from what was read, and not from what was made.
    const Bytes all = model_.input().bytes();
    const size_t offset = reinterpret_cast<uintptr_t>(codes.constant.data()) - reinterpret_cast<uintptr_t>(all.data());
    if (!how || offset >= all.size()) return false;
    const TensorFacts facts = read_tensor_facts(codes.constant);
    if (!GatheredElements{.bytes = Bytes(nullptr, facts.byte_size), .how = *how}.lie_within()) return false;
    how->tensor_offset = offset;
    how->tensor_size = codes.constant.size();
    part = {.element_type = facts.data_type, .how = *std::move(how)};
    return true;
  }

  // What is added to codes belongs to the zero points. Where all of these are the middle of all
  // codes, the codes get a sign instead.
  bool set_zeros(const PackedTensor& weights) {
    const int64_t end = int64_t{1} << found_.bits;
    const int64_t least = found_.has_sign ? -end / 2 : 0, middle = least + end / 2;
    const int64_t of_all = -weights.codes.added;
    if (!weights.zeros) {
      if (of_all == middle) {
        found_.has_sign = true;
      } else if (of_all != 0 || found_.has_sign) {
        found_.zero = of_all;
      }
      return of_all >= least && of_all < least + end;
    }
    const Codes& zeros = *weights.zeros;
    if (is_half_or_float(read_tensor_facts(zeros.constant).data_type)) {
      found_.has_real_zeros = true;
      return of_all == 0 && set_part(found_.zeros.emplace(), zeros, found_.block_size, zeros.bits);
    }
    if (zeros.above == Codes::Above::unknown || zeros.low != 0 || zeros.bits < found_.bits ||
        (zeros.inside != 0 && zeros.bits != found_.bits))
      return false;
    WeightPart own;
    if (!is_power_of_2(zeros.bits) || !set_part(own, zeros, found_.block_size, zeros.bits)) return false;
    const std::optional<CodeRange> range = looked_at(zeros, own.how, tensors_);
    const int64_t more = zeros.added + of_all;
    if (!range || range->least + more < least || range->most + more >= least + end) return false;
    if (range->least == range->most && range->least + more == middle) {
      found_.has_sign = true;
      return true;
    }
    WeightPart part;
    if (!set_part(part, zeros, found_.block_size, found_.bits)) return false;
    part.how.added = static_cast<uint64_t>((zeros.inside + more) & (end - 1));
    found_.zeros = std::move(part);
    return true;
  }

  PackedTensors& tensors_;
  const Model& model_;
  PackedWeights found_;
};

// Whether a product is its first input times its second one, and then plus a third one. A number of
// a Gemm is 1, if it is not said.
bool is_plain(const onnx::NodeProto& product) {
  const auto is_said = [&](std::string_view name) { return find_attribute(product, name); };
  const onnx::AttributeProto *alpha = is_said("alpha"), *beta = is_said("beta"), *turned = is_said("transA");
  return (alpha == nullptr || alpha->f() == 1) && (beta == nullptr || beta->f() == 1) &&
         (turned == nullptr || turned->i() == 0);
}

// The same number for all elements of an integer type of at most 8 bits.
onnx::TensorProto zeros_of(int element_type, const Ints& dims, int64_t zero) {
  const int bits = bits_per_element(element_type);
  uint64_t byte = 0;
  for (int at = 0; at < 8; at += bits) byte |= (static_cast<uint64_t>(zero) & ((uint64_t{1} << bits) - 1)) << at;
  onnx::TensorProto tensor;
  tensor.set_data_type(element_type);
  tensor.mutable_dims()->Assign(dims.begin(), dims.end());
  const auto count = static_cast<size_t>(dims[0] * dims[1] * bits);
  std::string elements((count + 7) / 8, static_cast<char>(byte));
  if (count % 8 != 0) elements.back() = static_cast<char>(byte & ((1U << count % 8) - 1));
  tensor.set_raw_data(std::move(elements));
  return tensor;
}

// Makes codes and zero points that are numbers from 0 on such with a sign, all of them less by the
// middle of the codes.
void give_sign(PackedWeights& weights) {
  if (weights.has_sign) return;
  const int64_t middle = int64_t{1} << (weights.bits - 1);
  weights.has_sign = true;
  for (WeightPart* part : {&weights.codes, weights.zeros ? &*weights.zeros : nullptr}) {
    if (part == nullptr) continue;
    part->how.flipped = static_cast<uint64_t>(middle);
    part->how.has_sign = true;
  }
  if (weights.zero) *weights.zero -= middle;
}

std::string derived_part(Body& body, const WeightPart& part, std::string_view name, int type, const Ints& dims,
                         bool is_widened) {
  Derivation how = part.how;
  how.widened = is_widened && how.bits < 8;
  const StoredTensor source{
      .offset = how.tensor_offset, .size = how.tensor_size, .element_type = part.element_type, .dims = {}};
  return body.derived(name, source, static_cast<onnx::TensorProto::DataType>(type), dims, std::move(how));
}

}  // namespace

bool may_unpack_weights(const Model& model) {
  constexpr std::array<std::string_view, 3> takes_bits = {"BitShift", "BitwiseAnd", "Mod"};
  for (OperatorId op = 0; op < model.operator_count(); ++op) {
    const Operator& named = model.op(op);
    if (named.domain.empty() && std::ranges::find(takes_bits, named.op_type) != takes_bits.end()) return true;
  }
  // Or codes that have bytes of their own.
  return std::ranges::any_of(model.graph.initializers, [](const TensorSkeleton& initializer) {
    constexpr size_t smallest_weights = size_t{1} << 14;
    if (!initializer.external && initializer.wire.size() < smallest_weights) return false;
    const TensorFacts facts = read_tensor_facts(initializer.wire);
    return bits_per_element(facts.data_type) == 8 && is_integer(facts.data_type) && facts.dims.size() > 1 &&
           facts.byte_size >= smallest_weights;
  });
}

bool is_product(const Operator& op) {
  constexpr std::array<std::string_view, 2> products = {"MatMul", "Gemm"};
  return op.domain.empty() && std::ranges::find(products, op.op_type) != products.end();
}

std::optional<PackedWeights> packed_weights(PackedTensors& tensors, const Model& model, const GraphScope& scope,
                                            const Node& product, const onnx::NodeProto& message) {
  const ValueId input = product.inputs()[1];
  if (!scope.maker(input) || !is_plain(message)) return std::nullopt;
  const PackedTensor* made = tensors.find(input);
  if (made == nullptr) return std::nullopt;
  std::optional<PackedTensor> weights = *made;
  const onnx::AttributeProto* turned = find_attribute(message, "transB");
  if (turned != nullptr && turned->i() != 0) {
    const int64_t perm[] = {1, 0};
    weights = with_places(*std::move(weights), [&](const ElementPlaces& places) { return places.transposed(perm); });
  }
  std::optional<PackedWeights> found = weights ? Finding(tensors, model).find(*weights) : std::nullopt;
  if (found) found->unpacked_by = tensors.makers(input);
  return found;
}

int first_opset(const PackedWeights& weights, WeightForm form) {
  // The arithmetic is written for an opset that has a Reshape with allowzero.
  constexpr int of_arithmetic = 18;
  if (form == WeightForm::bytes) return of_arithmetic;
  return first_opset_with_blocks(block_type(form == WeightForm::blocks_of_bytes ? 8 : weights.bits, !weights.has_sign));
}

bool may_have(const PackedWeights& weights, WeightForm form, std::optional<int64_t> rank) {
  switch (form) {
    case WeightForm::bytes:
      return !weights.are_bytes;
    case WeightForm::blocks_without_zeros:
      return has_blocks(weights) && (weights.zeros || weights.zero) && rank.value_or(0) > 0;
    default:
      return has_blocks(weights);
  }
}

onnx::FunctionProto with_packed_weights(const onnx::NodeProto& product, PackedWeights weights, WeightForm form,
                                        int64_t rank) {
  const std::vector<std::string> inputs = first_names({"A", "B", "C"}, product.input_size());
  Body body(product.domain(), product.op_type(), inputs, {"Y"}, first_opset(weights, form));
  const bool is_widened = form == WeightForm::blocks_of_bytes || form == WeightForm::bytes;
  if (form == WeightForm::blocks_without_zeros) give_sign(weights);
  const int type = block_type(is_widened ? 8 : weights.bits, !weights.has_sign);
  const int64_t blocks = weights.columns / weights.block_size;
  BlockWeights parts{
      .codes = derived_part(body, weights.codes, "codes", type, {weights.columns, weights.rows}, is_widened),
      .scale = derived_part(body, weights.scales, "scales", weights.scales.element_type, {blocks, weights.rows}, false),
      .zero = {},
      .block_size = weights.block_size,
      .rounds_each_step = weights.has_real_zeros};
  if (weights.scales.element_type != weights.element_type)
    parts.scale = body("scales_in_type", "Cast", {parts.scale}, {{"to", weights.element_type}});
  if (weights.zero) parts.zero = body.constant("zeros", zeros_of(type, {blocks, weights.rows}, *weights.zero));
  if (weights.zeros)
    parts.zero =
        derived_part(body, *weights.zeros, "zeros", weights.has_real_zeros ? weights.zeros->element_type : type,
                     {blocks, weights.rows}, is_widened);
  const bool has_sum = product.input_size() > 2 && !product.input(2).empty();
  const std::string output = has_sum ? "product" : "Y";
  if (form == WeightForm::blocks_without_zeros) {
    product_without_zeros(body, "A", rank, parts, blocks, weights.element_type, output);
  } else {
    const std::string numbers = form == WeightForm::bytes ? multiplied_blocks(body, parts, blocks, weights.rows, "")
                                                          : dequantized_blocks(body, parts, "weights");
    body(output, "MatMul", {"A", numbers});
  }
  if (has_sum) body("Y", "Add", {output, "C"});
  return std::move(body).function();
}

}  // namespace onnx_lower
