#include "rules/native_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "error.h"
#include "rules/form.h"
#include "rules/rule_text.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

const NativeRule::Registration* newest_registration = nullptr;

const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) return nullptr;
  return &type->tensor_type().shape();
}

[[noreturn]] void fail_type(const CallSite& site, const AttributeProto& attribute, std::string_view expected) {
  const onnx::NodeProto& node = site.node();
  throw InvalidInput(fmt::format("node '{}' ({}): attribute {} is of type {}, where {} is expected", node.name(),
                                 operator_name(node.domain(), node.op_type()), attribute.name(),
                                 attribute_type_name(attribute.type()), expected));
}

// How many elements a tensor's shape says, or nothing when that is not a sensible number.
std::optional<std::size_t> element_count(const TensorProto& tensor) {
  std::size_t count = 1;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0 || (dim > 0 && count > (std::size_t{1} << 40) / static_cast<std::size_t>(dim))) return std::nullopt;
    count *= static_cast<std::size_t>(dim);
  }
  return count;
}

template <typename Stored, typename Result, typename Convert>
std::optional<std::vector<Result>> from_raw(const TensorProto& tensor, std::size_t count, Convert convert) {
  static_assert(std::endian::native == std::endian::little, "raw_data is little endian");
  const std::string& raw = tensor.raw_data();
  if (raw.size() != count * sizeof(Stored)) return std::nullopt;
  std::vector<Result> result;
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, raw.data() + i * sizeof(Stored), sizeof(Stored));
    result.push_back(convert(stored));
  }
  return result;
}

template <typename Stored, typename Result, typename Field, typename Convert>
std::optional<std::vector<Result>> from_tensor(const TensorProto& tensor, const Field& field, Convert convert) {
  const auto count = element_count(tensor);
  if (!count || tensor.data_location() == TensorProto::EXTERNAL) return std::nullopt;
  if (tensor.has_raw_data()) return from_raw<Stored, Result>(tensor, *count, convert);
  if (static_cast<std::size_t>(field.size()) != *count) return std::nullopt;
  std::vector<Result> result;
  result.reserve(*count);
  for (const auto element : field) result.push_back(convert(static_cast<Stored>(element)));
  return result;
}

template <typename Stored, typename Field>
std::optional<std::vector<int64_t>> ints_from(const TensorProto& tensor, const Field& field) {
  return from_tensor<Stored, int64_t>(tensor, field, [](Stored value) { return static_cast<int64_t>(value); });
}

double from_float16(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double from_bfloat16(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

}  // namespace

NativeRule::Registration::Registration(const NativeRule& registered) : rule(registered), next(newest_registration) {
  newest_registration = this;
}

const NativeRule::Registration* NativeRule::first() { return newest_registration; }

std::optional<int> CallSite::dtype(int input) const {
  const onnx::TypeProto* type = input_type(input);
  if (type == nullptr || !type->has_tensor_type()) return std::nullopt;
  const int element = type->tensor_type().elem_type();
  if (element == TensorProto::UNDEFINED) return std::nullopt;
  return element;
}

std::optional<int> CallSite::rank(int input) const {
  const onnx::TensorShapeProto* shape = shape_of(input_type(input));
  if (shape == nullptr) return std::nullopt;
  return shape->dim_size();
}

std::optional<int64_t> CallSite::dim(int input, int axis) const {
  const onnx::TensorShapeProto* shape = shape_of(input_type(input));
  if (shape == nullptr) return std::nullopt;
  if (axis < 0) axis += shape->dim_size();
  if (axis < 0 || axis >= shape->dim_size() || !shape->dim(axis).has_dim_value()) return std::nullopt;
  return shape->dim(axis).dim_value();
}

std::optional<std::vector<int64_t>> CallSite::constant_ints(int input) const {
  const TensorProto* tensor = constant(input);
  if (tensor == nullptr) return std::nullopt;
  switch (tensor->data_type()) {
    case TensorProto::BOOL:
    case TensorProto::UINT8: return ints_from<uint8_t>(*tensor, tensor->int32_data());
    case TensorProto::INT8: return ints_from<int8_t>(*tensor, tensor->int32_data());
    case TensorProto::UINT16: return ints_from<uint16_t>(*tensor, tensor->int32_data());
    case TensorProto::INT16: return ints_from<int16_t>(*tensor, tensor->int32_data());
    case TensorProto::INT32: return ints_from<int32_t>(*tensor, tensor->int32_data());
    case TensorProto::INT64: return ints_from<int64_t>(*tensor, tensor->int64_data());
    case TensorProto::UINT32: return ints_from<uint32_t>(*tensor, tensor->uint64_data());
    case TensorProto::UINT64: {
      auto values = ints_from<uint64_t>(*tensor, tensor->uint64_data());
      // The upper half of the range came out negative: no int64_t says it.
      if (values && std::ranges::any_of(*values, [](int64_t value) { return value < 0; })) return std::nullopt;
      return values;
    }
    default: return std::nullopt;
  }
}

std::optional<std::vector<double>> CallSite::constant_floats(int input) const {
  const TensorProto* tensor = constant(input);
  if (tensor == nullptr) return std::nullopt;
  switch (tensor->data_type()) {
    case TensorProto::FLOAT:
      return from_tensor<float, double>(*tensor, tensor->float_data(), [](float value) { return static_cast<double>(value); });
    case TensorProto::DOUBLE:
      return from_tensor<double, double>(*tensor, tensor->double_data(), [](double value) { return value; });
    case TensorProto::FLOAT16: return from_tensor<uint16_t, double>(*tensor, tensor->int32_data(), from_float16);
    case TensorProto::BFLOAT16: return from_tensor<uint16_t, double>(*tensor, tensor->int32_data(), from_bfloat16);
    default: return std::nullopt;
  }
}

const AttributeProto* CallSite::attribute(std::string_view name) const {
  for (const AttributeProto& attribute : node().attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

int64_t CallSite::attribute_int(std::string_view name, int64_t fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return fallback;
  if (found->type() != AttributeProto::INT) fail_type(*this, *found, "an int");
  return found->i();
}

float CallSite::attribute_float(std::string_view name, float fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return fallback;
  if (found->type() == AttributeProto::INT) return static_cast<float>(found->i());
  if (found->type() != AttributeProto::FLOAT) fail_type(*this, *found, "a float");
  return found->f();
}

std::string CallSite::attribute_string(std::string_view name, std::string_view fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return std::string(fallback);
  if (found->type() != AttributeProto::STRING) fail_type(*this, *found, "a string");
  return found->s();
}

std::vector<int64_t> CallSite::attribute_ints(std::string_view name, std::vector<int64_t> fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return fallback;
  if (found->type() == AttributeProto::INT) return {found->i()};
  if (found->type() != AttributeProto::INTS) fail_type(*this, *found, "a list of ints");
  return {found->ints().begin(), found->ints().end()};
}

std::optional<std::string> CallSite::unknown_attribute(std::initializer_list<std::string_view> known) const {
  for (const AttributeProto& attribute : node().attribute()) {
    if (std::ranges::find(known, attribute.name()) == known.end()) return attribute.name();
  }
  return std::nullopt;
}

onnx::FunctionProto function_from_text(std::string_view text) {
  try {
    RuleText parsed = parse_rule_text(text, "a native rule's text", RuleOrigin::built_in);
    if (parsed.forms.size() != 1) throw InternalError(fmt::format("a native rule's text holds {} functions", parsed.forms.size()));
    return std::move(parsed.forms.front().function);
  } catch (const InvalidInput& error) {
    throw InternalError(error.what());
  }
}

}  // namespace onnx_lower
