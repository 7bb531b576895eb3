// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that take bits out of words, subtract zero points and scale.

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "legalizer/weights/packed_tensors.h"
#include "model_file/tensor_skeleton.h"
#include "rules/values/constant_value.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

// Whether a type of floating point has these integers, and the differences of any two.
bool has_all_of(int element_type, const CodeRange& range) {
  const int64_t most = element_type == onnx::TensorProto::FLOAT     ? int64_t{1} << 23
                       : element_type == onnx::TensorProto::FLOAT16 ? int64_t{1} << 10
                                                                    : int64_t{1} << 7;
  return range.least >= -most && range.most <= most;
}

// Whether the elements are numbers of floating point as the constant has them.
bool is_of_real_constant(const PackedTensor& tensor) {
  return is_half_or_float(read_tensor_facts(tensor.codes.constant).data_type);
}

// Whether the elements are integers with a sign as the constant has them.
bool is_whole_constant(const Codes& codes) {
  return codes.above == Codes::Above::sign && codes.added == 0 &&
         codes.bits == bits_per_element(read_tensor_facts(codes.constant).data_type);
}

std::optional<PackedTensor> with_codes(int element_type, std::optional<Codes> codes) {
  if (!codes) return std::nullopt;
  return PackedTensor{.element_type = element_type, .codes = *std::move(codes)};
}

bool lies_in(int64_t least, int64_t most, const CodeRange& range) { return least >= range.least && most <= range.most; }

}  // namespace

const std::unordered_map<std::string_view, PackedTensors::Read>& PackedTensors::readers() {
  static const std::unordered_map<std::string_view, Read> all = {
      {"Identity", &PackedTensors::same},
      {"Cast", &PackedTensors::cast},
      {"Reshape", &PackedTensors::reshaped},
      {"Flatten", &PackedTensors::flattened},
      {"Unsqueeze", &PackedTensors::unsqueezed},
      {"Squeeze", &PackedTensors::squeezed},
      {"Transpose", &PackedTensors::transposed},
      {"Expand", &PackedTensors::expanded},
      {"Tile", &PackedTensors::tiled},
      {"Gather", &PackedTensors::gathered},
      {"GatherND", &PackedTensors::gathered_rows},
      {"Concat", &PackedTensors::concatenated},
      {"BitShift", &PackedTensors::shifted},
      {"Div", &PackedTensors::divided},
      {"Mod", &PackedTensors::remainder},
      {"BitwiseAnd", &PackedTensors::masked},
      {"BitwiseOr", &PackedTensors::joined_with_mask},
      {"Less", &PackedTensors::compared},
      {"Where", &PackedTensors::chosen},
      {"Add", &PackedTensors::sum},
      {"Sub", &PackedTensors::difference},
      {"Mul", &PackedTensors::scaled},
  };
  return all;
}

PackedTensors::Tensor PackedTensors::cast(const Maker& maker) {
  const PackedTensor* before = find(maker.input(0));
  if (before == nullptr) return std::nullopt;
  PackedTensor tensor = *before;
  const auto to = static_cast<int>(maker.attribute("to", 0));
  tensor.element_type = to;
  if (to == before->element_type) return tensor;
  // Scales of float16 are numbers of float, too.
  if (to == onnx::TensorProto::FLOAT && tensor.has_only_codes() && is_of_real_constant(tensor)) return tensor;
  if (!is_integer(before->element_type) || tensor.scales) return std::nullopt;
  if (is_integer(to)) {
    if (tensor.zeros) return std::nullopt;
    tensor.codes = cast_codes(std::move(tensor.codes), to);
    return tensor;
  }
  if (!is_half_or_float(to)) return std::nullopt;
  for (const Codes* codes : {&tensor.codes, tensor.zeros ? &*tensor.zeros : &tensor.codes}) {
    // Zero points that are a constant may be any numbers of its type, as for a difference.
    const std::optional<CodeRange> range = range_of(*codes);
    if (!range || (!has_all_of(to, *range) && !is_whole_constant(*codes))) return std::nullopt;
  }
  return tensor;
}

PackedTensors::Tensor PackedTensors::shifted(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const onnx::AttributeProto* direction = find_attribute(maker.message, "direction");
  if (tensor == nullptr || !tensor->has_only_codes() || direction == nullptr || direction->s() != "RIGHT" ||
      !is_integer(tensor->element_type) || is_signed_integer(tensor->element_type))
    return std::nullopt;
  const std::optional<Numbers> places = numbers(maker.input(1));
  return with_codes(tensor->element_type, places ? shifted_right(tensor->codes, *places) : std::nullopt);
}

PackedTensors::Tensor PackedTensors::beside(ValueId constant, int element_type, std::optional<Codes> codes) {
  const std::optional<Dims> of_constant = dims_of(constant);
  const std::optional<Dims> dims =
      codes && of_constant ? broadcast_dims(codes->places.dims(), *of_constant) : std::nullopt;
  return dims ? with_dims(with_codes(element_type, std::move(codes)), *dims) : std::nullopt;
}

std::optional<Numbers> PackedTensors::exponents(ValueId value) {
  std::optional<Numbers> powers = numbers(value);
  for (size_t index = 0; powers && index < powers->all.size(); ++index) {
    int64_t& power = powers->all[index];
    if (power <= 0 || !std::has_single_bit(static_cast<uint64_t>(power))) return std::nullopt;
    power = std::countr_zero(static_cast<uint64_t>(power));
  }
  return powers ? powers : exponents_of_two(value);
}

std::optional<Numbers> PackedTensors::exponents_of_two(ValueId value) {
  const Maker whole = maker_of(value);
  const Maker power = whole.view ? maker_of(whole.input(0)) : Maker();
  if (!power.view || !whole.is_of("Cast") || !power.is_of("Pow") || real_number(power.input(0)) != 2 ||
      !dims_of(power.input(0)).value_or(Dims{1}).empty())
    return std::nullopt;
  const onnx::TensorProto* constant = scope_.visible_constant(power.input(1));
  const std::optional<std::vector<double>> all = constant == nullptr ? std::nullopt : float_elements(*constant);
  if (!all) return std::nullopt;
  Numbers exponents{.dims = {constant->dims().begin(), constant->dims().end()}, .all = {}};
  for (const double exponent : *all) {
    constexpr double most = 62;
    if (!(exponent >= 0 && exponent <= most) || std::trunc(exponent) != exponent) return std::nullopt;
    exponents.all.push_back(static_cast<int64_t>(exponent));
  }
  return exponents;
}

// Of a number that may be negative, Div rounds towards 0 and a shift does not: they are the same
// where nothing is lost.
PackedTensors::Tensor PackedTensors::divided(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  if (tensor == nullptr || !tensor->has_only_codes() || !is_integer(tensor->element_type)) return std::nullopt;
  const std::optional<Numbers> places = exponents(maker.input(1));
  if (!places) return std::nullopt;
  const std::optional<CodeRange> range = range_of(tensor->codes);
  const bool is_positive = !is_signed_integer(tensor->element_type) || (range && range->least >= 0);
  if (!is_positive && std::ranges::max(places->all) > tensor->codes.low) return std::nullopt;
  return with_codes(tensor->element_type, shifted_right(tensor->codes, *places));
}

PackedTensors::Tensor PackedTensors::remainder(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  if (tensor == nullptr || !tensor->has_only_codes() || !is_integer(tensor->element_type) ||
      maker.attribute("fmod", 0) != 0)
    return std::nullopt;
  const std::optional<int64_t> divisor = number(maker.input(1));
  if (!divisor || *divisor <= 1 || !std::has_single_bit(static_cast<uint64_t>(*divisor))) return std::nullopt;
  return beside(maker.input(1), tensor->element_type, with_and(tensor->codes, *divisor - 1));
}

PackedTensors::Tensor PackedTensors::masked(const Maker& maker) {
  for (const size_t index : {size_t{0}, size_t{1}}) {
    const std::optional<int64_t> mask = number(maker.input(1 - index));
    const PackedTensor* tensor = mask ? find(maker.input(index)) : nullptr;
    if (tensor == nullptr || !tensor->has_only_codes() || !is_integer(tensor->element_type)) continue;
    if (Tensor result = beside(maker.input(1 - index), tensor->element_type, with_and(tensor->codes, *mask)))
      return result;
  }
  return std::nullopt;
}

PackedTensors::Tensor PackedTensors::joined_with_mask(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const std::optional<Numbers> masks = tensor == nullptr ? std::nullopt : numbers(maker.input(1));
  if (!masks || !tensor->has_only_codes() || !is_integer(tensor->element_type)) return std::nullopt;
  return with_codes(tensor->element_type, with_or(tensor->codes, *masks));
}

// Of a comparison nothing is known but where its elements come from, and whether none is true.
PackedTensors::Tensor PackedTensors::compared(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const std::optional<int64_t> bound = number(maker.input(1));
  if (tensor == nullptr || !tensor->has_only_codes() || !bound) return std::nullopt;
  const std::optional<CodeRange> range = range_of(tensor->codes);
  const bool is_never = is_integer(tensor->element_type) && range && range->least >= *bound;
  Codes codes{.constant = tensor->codes.constant,
              .places = tensor->codes.places,
              .above = is_never ? Codes::Above::zeros : Codes::Above::unknown};
  return beside(maker.input(1), onnx::TensorProto::BOOL, std::move(codes));
}

// What is chosen has the bits that are the same in both.
PackedTensors::Tensor PackedTensors::chosen(const Maker& maker) {
  const PackedTensor* one = find(maker.input(1));
  const PackedTensor* other = find(maker.input(2));
  if (one == nullptr || other == nullptr || !one->has_only_codes() || !other->has_only_codes() || one->codes.low != 0 ||
      other->codes.low != 0 || one->codes.places != other->codes.places)
    return std::nullopt;
  // A condition that is no comparison of words may be a constant that was computed from them.
  const std::optional<Dims> of_condition = dims_of(maker.input(0));
  if (!of_condition || broadcast_dims(*of_condition, one->dims()) != one->dims()) return std::nullopt;
  const PackedTensor* condition = find(maker.input(0));
  if (condition != nullptr && condition->codes.bits == 0 && condition->codes.above == Codes::Above::zeros)
    return *other;
  PackedTensor tensor = *one;
  Codes alike = other->codes;
  alike.bits = tensor.codes.bits;
  alike.above = tensor.codes.above;
  if (alike != tensor.codes) return std::nullopt;
  if (other->codes != one->codes) tensor.codes.above = Codes::Above::unknown;
  tensor.codes.bits = std::min(one->codes.bits, other->codes.bits);
  return tensor;
}

std::optional<double> PackedTensors::real_number(ValueId value) {
  const onnx::TensorProto* constant = scope_.visible_constant(value);
  const std::optional<std::vector<double>> all = constant == nullptr ? std::nullopt : float_elements(*constant);
  const bool is_one =
      all && !all->empty() && std::ranges::all_of(*all, [&](double each) { return each == all->front(); });
  return is_one ? std::optional(all->front()) : std::nullopt;
}

PackedTensors::Tensor PackedTensors::sum(const Maker& maker) {
  for (const size_t index : {size_t{0}, size_t{1}}) {
    const std::optional<int64_t> added = number(maker.input(1 - index));
    const PackedTensor* tensor = added ? find(maker.input(index)) : nullptr;
    if (tensor == nullptr || !tensor->has_only_codes() || !is_integer(tensor->element_type)) continue;
    if (Tensor result =
            beside(maker.input(1 - index), tensor->element_type, with_sum(tensor->codes, *added, tensor->element_type)))
      return result;
  }
  return std::nullopt;
}

PackedTensors::Tensor PackedTensors::shifted_with_sign(const Maker& maker) {
  const ValueId negative = maker.input(1);
  const Maker quotient = maker_of(maker.input(0));
  const Maker words = quotient.view ? maker_of(quotient.input(0)) : Maker();
  const Maker one = maker_of(negative);
  const Maker comparison = one.view ? maker_of(one.input(0)) : Maker();
  if (!words.view || !comparison.view) return std::nullopt;
  if (!quotient.is_of("Div") || !words.is_of("Add") || !one.is_of("Cast") || !comparison.is_of("Less") ||
      words.input(1) != negative || comparison.input(0) != words.input(0) || number(comparison.input(1)) != 0)
    return std::nullopt;
  const PackedTensor* tensor = find(words.input(0));
  const std::optional<Numbers> places = exponents(quotient.input(1));
  if (tensor == nullptr || !places || !tensor->has_only_codes()) return std::nullopt;
  return beside(comparison.input(1), tensor->element_type, shifted_right(tensor->codes, *places));
}

std::optional<int64_t> PackedTensors::whole_number(ValueId value, int element_type) {
  if (is_integer(element_type)) return number(value);
  constexpr double most = 256;
  const std::optional<double> real = real_number(value);
  const bool is_whole = real && std::trunc(*real) == *real && std::abs(*real) < most;
  return is_whole ? std::optional(static_cast<int64_t>(*real)) : std::nullopt;
}

PackedTensors::Tensor PackedTensors::difference(const Maker& maker) {
  if (Tensor shifted = shifted_with_sign(maker)) return shifted;
  const PackedTensor* codes = find(maker.input(0));
  if (codes == nullptr || !codes->has_only_codes() || is_of_real_constant(*codes)) return std::nullopt;
  const bool is_real = is_half_or_float(codes->element_type);
  const std::optional<CodeRange> range = range_of(codes->codes);
  if (!range || (!is_real && !is_integer(codes->element_type))) return std::nullopt;
  if (const std::optional<int64_t> zero = whole_number(maker.input(1), codes->element_type)) {
    PackedTensor less = *codes;
    less.codes.added -= *zero;
    const bool is_exact =
        is_real || lies_in(range->least - *zero, range->most - *zero, range_of_type(codes->element_type));
    return is_exact ? beside(maker.input(1), less.element_type, std::move(less.codes)) : std::nullopt;
  }
  const PackedTensor* zeros = find(maker.input(1));
  if (zeros == nullptr || !zeros->has_only_codes() || zeros->element_type != codes->element_type) return std::nullopt;
  const std::optional<CodeRange> of_zeros = range_of(zeros->codes);
  const bool are_real = is_real && is_of_real_constant(*zeros);
  if (!of_zeros && !are_real) return std::nullopt;
  // Zero points that are a constant may be any numbers of its type: packed_weights() sees to it
  // that they lie among the codes, or just behind them.
  const bool is_constant = zeros->codes.above == Codes::Above::sign;
  const int64_t least = is_constant || are_real ? range->least : of_zeros->least;
  const int64_t most = is_constant || are_real ? range->most + 1 : of_zeros->most;
  if (!is_real && !lies_in(range->least - most, range->most - least, range_of_type(codes->element_type)))
    return std::nullopt;
  const std::optional<Dims> dims = broadcast_dims(codes->dims(), zeros->dims());
  Tensor result = dims ? with_dims(*codes, *dims) : std::nullopt;
  Tensor broadcast = dims ? with_dims(*zeros, *dims) : std::nullopt;
  if (!result || !broadcast) return std::nullopt;
  result->zeros = std::move(broadcast->codes);
  return result;
}

PackedTensors::Tensor PackedTensors::scaled(const Maker& maker) {
  for (const size_t index : {size_t{0}, size_t{1}}) {
    const PackedTensor* tensor = find(maker.input(index));
    const PackedTensor* scales = find(maker.input(1 - index));
    if (tensor == nullptr || scales == nullptr || tensor->scales || !scales->has_only_codes()) continue;
    if (!is_half_or_float(tensor->element_type) || scales->element_type != tensor->element_type ||
        !is_of_real_constant(*scales) || is_of_real_constant(*tensor))
      continue;
    const std::optional<Dims> dims = broadcast_dims(tensor->dims(), scales->dims());
    Tensor result = dims ? with_dims(*tensor, *dims) : std::nullopt;
    Tensor broadcast = dims ? with_dims(*scales, *dims) : std::nullopt;
    if (!result || !broadcast) continue;
    result->scales = std::move(broadcast->codes);
    return result;
  }
  return std::nullopt;
}

}  // namespace onnx_lower
