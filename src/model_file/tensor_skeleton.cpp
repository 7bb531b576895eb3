#include "model_file/tensor_skeleton.h"

#include <fmt/format.h>

#include <charconv>

#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

using F = field::Tensor;
using onnx::TensorProto;

// Elements of a repeated numeric field, packed or not. `width` is the wire size of a fixed element, 0 for varints.
uint64_t count_elements(const WireField& field, size_t width) {
  if (field.type != WireType::length_delimited) return 1;
  if (width != 0) {
    if (field.content.size() % width != 0) throw MalformedMessage("packed tensor data end within an element");
    return field.content.size() / width;
  }
  uint64_t count = 0;
  for (const char byte : field.content) count += static_cast<uint8_t>(byte) < 0x80;
  return count;
}

uint64_t parse_number(std::string_view text, const char* what) {
  uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size()) {
    throw MalformedMessage(fmt::format("{} of the external data is '{}', which is no size", what, text));
  }
  return number;
}

void read_external_entry(Bytes entry, ExternalData& data) {
  std::string_view key, value;
  WireField field;
  for (WireReader reader(entry); reader.next(field);) {
    if (field.number == field::StringPair::key) key = field.bytes("external_data.key");
    if (field.number == field::StringPair::value) value = field.bytes("external_data.value");
  }
  if (key == "location") data.location = value;
  if (key == "offset") data.offset = parse_number(value, "the offset");
  if (key == "length") data.length = static_cast<int64_t>(parse_number(value, "the length"));
}

// How many elements of its typed field one tensor element takes: 2 for complex numbers; several 4-bit elements share one int32.
uint64_t expected_field_elements(int32_t data_type, uint64_t elements) {
  switch (data_type) {
    case TensorProto::COMPLEX64:
    case TensorProto::COMPLEX128:
      return elements * 2;
    // Six bits divide no byte: each has a number of its own.
    case TensorProto::FLOAT6E2M3:
    case TensorProto::FLOAT6E3M2:
      return elements;
    default: {
      const int bits = bits_per_element(data_type);
      return bits > 0 && bits < 8 ? (elements * static_cast<uint64_t>(bits) + 7) / 8 : elements;
    }
  }
}

}  // namespace

int32_t element_type_of_constant(Bytes node) {
  int32_t type = 0;
  WireField field;
  for (WireReader reader(node); reader.next(field);) {
    if (field.number != field::Node::attribute) continue;
    std::string_view name;
    int32_t type_of_tensor = 0;
    WireField part;
    for (WireReader attribute(field.content); attribute.next(part);) {
      if (part.number == field::Attribute::name) name = part.content;
      if (part.number != field::Attribute::t) continue;
      WireField inner;
      for (WireReader tensor(part.bytes("a tensor attribute")); tensor.next(inner);) {
        if (inner.number == F::data_type) type_of_tensor = static_cast<int32_t>(inner.integer("data_type"));
      }
    }
    if (name == "value") type = type_of_tensor;
    if (name == "value_int" || name == "value_ints") type = TensorProto::INT64;
    if (name == "value_float" || name == "value_floats") type = TensorProto::FLOAT;
    if (name == "value_string" || name == "value_strings") type = TensorProto::STRING;
  }
  return TensorProto::DataType_IsValid(type) ? type : 0;
}

int bits_per_element(int32_t data_type) {
  switch (data_type) {
    case TensorProto::FLOAT:
    case TensorProto::INT32:
    case TensorProto::UINT32:
      return 32;
    case TensorProto::DOUBLE:
    case TensorProto::INT64:
    case TensorProto::UINT64:
    case TensorProto::COMPLEX64:
      return 64;
    case TensorProto::COMPLEX128:
      return 128;
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
    case TensorProto::INT16:
    case TensorProto::UINT16:
      return 16;
    case TensorProto::INT8:
    case TensorProto::UINT8:
    case TensorProto::BOOL:
    case TensorProto::FLOAT8E4M3FN:
    case TensorProto::FLOAT8E4M3FNUZ:
    case TensorProto::FLOAT8E5M2:
    case TensorProto::FLOAT8E5M2FNUZ:
    case TensorProto::FLOAT8E8M0:
      return 8;
    case TensorProto::FLOAT6E2M3:
    case TensorProto::FLOAT6E3M2:
      return 6;
    case TensorProto::INT4:
    case TensorProto::UINT4:
    case TensorProto::FLOAT4E2M1:
      return 4;
    case TensorProto::INT2:
    case TensorProto::UINT2:
      return 2;
    default:
      return 0;
  }
}

TensorFacts read_tensor_facts(Bytes tensor) {
  TensorFacts facts;
  uint64_t field_elements = 0;
  bool has_raw_data = false;
  bool segmented = false;
  size_t raw_size = 0;
  WireField field;
  for (WireReader reader(tensor); reader.next(field);) {
    switch (field.number) {
      case F::dims:
        if (field.type == WireType::length_delimited) {
          for (WireReader packed(field.content); !packed.at_end();)
            facts.dims.push_back(static_cast<int64_t>(packed.varint()));
        } else {
          facts.dims.push_back(field.integer("dims"));
        }
        break;
      case F::data_type:
        facts.data_type = static_cast<int32_t>(field.integer("data_type"));
        break;
      case F::name:
        facts.name = field.bytes("the tensor's name");
        break;
      case F::raw_data:
        has_raw_data = true;
        raw_size = field.bytes("raw_data").size();
        break;
      case F::float_data:
        field_elements += count_elements(field, sizeof(float));
        break;
      case F::double_data:
        field_elements += count_elements(field, sizeof(double));
        break;
      case F::int32_data:
      case F::int64_data:
      case F::uint64_data:
        field_elements += count_elements(field, 0);
        break;
      case F::string_data:
        field_elements += 1;
        break;
      case F::segment:
        segmented = true;
        break;
      case F::data_location:
        facts.external = field.integer("data_location") == TensorProto::EXTERNAL;
        break;
      case F::external_data:
        read_external_entry(field.bytes("external_data"), facts.external_data);
        break;
      default:
        break;
    }
  }
  const auto complain = [&facts](const std::string& problem) {
    return MalformedMessage(fmt::format("tensor '{}' {}", facts.name, problem));
  };
  for (const int64_t dim : facts.dims) {
    if (dim < 0) throw complain(fmt::format("has the negative dimension {}", dim));
    if (dim != 0 && facts.element_count > UINT64_MAX / 128 / static_cast<uint64_t>(dim))
      throw complain("has a shape with more elements than 64 bits count");
    facts.element_count *= static_cast<uint64_t>(dim);
  }
  const int bits = bits_per_element(facts.data_type);
  facts.byte_size = (facts.element_count * static_cast<uint64_t>(bits) + 7) / 8;
  if (facts.external) {
    facts.external_data.tensor = facts.name;
    facts.external_data.byte_size = facts.byte_size;
    if (facts.external_data.location.empty()) throw complain("says that its data are external, but not where");
    return facts;
  }
  if (segmented || bits == 0) {
    if (facts.data_type == TensorProto::STRING && field_elements != facts.element_count) {
      throw complain(fmt::format("has {} strings where its shape asks for {}", field_elements, facts.element_count));
    }
    return facts;
  }
  if (has_raw_data) {
    if (raw_size != facts.byte_size)
      throw complain(fmt::format("has {} bytes of data where its shape asks for {}", raw_size, facts.byte_size));
  } else if (field_elements != expected_field_elements(facts.data_type, facts.element_count) &&
             // Older writers put each 4-bit element into a number of its own.
             !(bits < 8 && field_elements == facts.element_count)) {
    throw complain(fmt::format("has {} elements where its shape asks for {}", field_elements, facts.element_count));
  }
  return facts;
}

}  // namespace onnx_lower
