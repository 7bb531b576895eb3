// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/tensor_skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "model_file/attribute_head.h"
#include "model_file/message_kind.h"
#include "model_file/onnx_fields.h"
#include "source_text/characters.h"

namespace onnx_lower {
namespace {

using F = field::Tensor;
using onnx::TensorProto;

// How many elements a packed field holds whose numbers have this width.
uint64_t count_fixed(Bytes packed, size_t width) {
  if (packed.size() % width != 0) throw MalformedMessage("packed tensor data end within an element");
  return packed.size() / width;
}

// How many bits an element takes in raw data, and which field holds the elements of
// a tensor without raw_data.
struct ElementType {
  int32_t type;
  int bits;
  uint32_t field;
};

constexpr ElementType element_types[] = {
    {TensorProto::FLOAT, 32, F::float_data},        {TensorProto::UINT8, 8, F::int32_data},
    {TensorProto::INT8, 8, F::int32_data},          {TensorProto::UINT16, 16, F::int32_data},
    {TensorProto::INT16, 16, F::int32_data},        {TensorProto::INT32, 32, F::int32_data},
    {TensorProto::INT64, 64, F::int64_data},        {TensorProto::STRING, 0, F::string_data},
    {TensorProto::BOOL, 8, F::int32_data},          {TensorProto::FLOAT16, 16, F::int32_data},
    {TensorProto::DOUBLE, 64, F::double_data},      {TensorProto::UINT32, 32, F::uint64_data},
    {TensorProto::UINT64, 64, F::uint64_data},      {TensorProto::COMPLEX64, 64, F::float_data},
    {TensorProto::COMPLEX128, 128, F::double_data}, {TensorProto::BFLOAT16, 16, F::int32_data},
    {TensorProto::FLOAT8E4M3FN, 8, F::int32_data},  {TensorProto::FLOAT8E4M3FNUZ, 8, F::int32_data},
    {TensorProto::FLOAT8E5M2, 8, F::int32_data},    {TensorProto::FLOAT8E5M2FNUZ, 8, F::int32_data},
    {TensorProto::UINT4, 4, F::int32_data},         {TensorProto::INT4, 4, F::int32_data},
    {TensorProto::FLOAT4E2M1, 4, F::int32_data},    {TensorProto::FLOAT8E8M0, 8, F::int32_data},
    {TensorProto::UINT2, 2, F::int32_data},         {TensorProto::INT2, 2, F::int32_data},
    {TensorProto::FLOAT6E2M3, 6, F::int32_data},    {TensorProto::FLOAT6E3M2, 6, F::int32_data},
};

// nullptr for element types that do not exist.
const ElementType* element_type(int32_t data_type) {
  const auto* found = std::ranges::find(element_types, data_type, &ElementType::type);
  return found == std::end(element_types) ? nullptr : found;
}

std::string_view name_of_field(uint32_t number) {
  return TensorProto::descriptor()->FindFieldByNumber(static_cast<int>(number))->name();
}

uint64_t parse_number(std::string_view text, const char* what) {
  const std::optional<uint64_t> number = number_in<uint64_t>(text);
  if (!number) throw MalformedMessage(fmt::format("{} of the external data is '{}', which is no size", what, text));
  return *number;
}

void read_external_entry(Bytes entry, ExternalData& data) {
  std::string_view key, value;
  WireField field;
  for (WireReader reader(entry); reader.next(field);) {
    if (field.tag == delimited_tag(field::StringPair::key)) key = field.content;
    if (field.tag == delimited_tag(field::StringPair::value)) value = field.content;
  }
  if (key == "location") data.location = value;
  if (key == "offset") data.offset = parse_number(value, "the offset");
  if (key == "length") data.length = static_cast<int64_t>(parse_number(value, "the length"));
}

// How many numbers the field for this element type has for so many tensor elements: two for each
// complex number; several 4-bit elements share one int32.
uint64_t expected_field_elements(int32_t data_type, uint64_t elements) {
  switch (data_type) {
    case TensorProto::COMPLEX64:
    case TensorProto::COMPLEX128:
      return elements * 2;
    // Elements of six bits do not fill a byte evenly: each has a number of its own.
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

Bytes wire_of_constant(Bytes node) {
  return last_field(attribute_named(node, "value"), delimited_tag(field::Attribute::t));
}

std::optional<TensorFacts> tensor_of_constant(Bytes node) {
  const Bytes tensor = wire_of_constant(node);
  return tensor.data() == nullptr ? std::nullopt : std::optional(read_tensor_facts(tensor));
}

int32_t element_type_of_constant(Bytes node) {
  int32_t type = 0;
  WireField field;
  for (WireReader reader(node); reader.next(field);) {
    if (field.tag != delimited_tag(field::Node::attribute)) continue;
    std::string_view name;
    int32_t type_of_tensor = 0;
    WireField part;
    for (WireReader attribute(field.content); attribute.next(part);) {
      if (part.tag == delimited_tag(field::Attribute::name)) name = part.content;
      if (part.tag != delimited_tag(field::Attribute::t)) continue;
      WireField inner;
      for (WireReader tensor(part.content); tensor.next(inner);) {
        if (inner.tag == varint_tag(F::data_type)) type_of_tensor = static_cast<int32_t>(inner.value);
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
  const ElementType* type = element_type(data_type);
  return type == nullptr ? 0 : type->bits;
}

namespace {

// Where a TensorProto holds its elements.
struct Elements {
  uint64_t in_fields = 0;  // how many the typed fields hold
  uint32_t fields = 0;     // bit N: field N holds some
  bool has_raw_data = false;
  size_t raw_size = 0;
  bool segmented = false;

  void add(uint32_t number, uint64_t count) {
    if (count != 0) fields |= 1U << number;
    in_fields += count;
  }
};

Elements read_fields(Bytes tensor, TensorFacts& facts) {
  Elements elements;
  WireField field;
  for (WireReader reader(tensor); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(F::dims):
        for (WireReader packed(field.content); !packed.at_end();)
          facts.dims.push_back(static_cast<int64_t>(packed.varint()));
        break;
      case varint_tag(F::dims):
        facts.dims.push_back(static_cast<int64_t>(field.value));
        break;
      case varint_tag(F::data_type):
        facts.data_type = static_cast<int32_t>(field.value);
        break;
      case delimited_tag(F::name):
        facts.name = field.content;
        break;
      case delimited_tag(F::raw_data):
        elements.has_raw_data = true;
        elements.raw_size = field.content.size();
        break;
      case delimited_tag(F::float_data):
        elements.add(field.number, count_fixed(field.content, sizeof(float)));
        break;
      case delimited_tag(F::double_data):
        elements.add(field.number, count_fixed(field.content, sizeof(double)));
        break;
      case delimited_tag(F::int32_data):
      case delimited_tag(F::int64_data):
      case delimited_tag(F::uint64_data):
        elements.add(field.number, count_varints(field.content));
        break;
      case wire_tag(F::float_data, WireType::fixed32):
      case wire_tag(F::double_data, WireType::fixed64):
      case varint_tag(F::int32_data):
      case varint_tag(F::int64_data):
      case varint_tag(F::uint64_data):
      case delimited_tag(F::string_data):
        elements.add(field.number, 1);
        break;
      case varint_tag(F::data_location):
        if (is_enumerator<onnx::TensorProto_DataLocation_IsValid>(field.value))
          facts.external = field.value == TensorProto::EXTERNAL;
        break;
      case delimited_tag(F::external_data):
        read_external_entry(field.content, facts.external_data);
        break;
      default:
        elements.segmented |= field.tag == delimited_tag(F::segment);
        check_structure(field, MessageKind::tensor, 0);
        break;
    }
  }
  return elements;
}

MalformedMessage complaint(const TensorFacts& facts, const std::string& problem) {
  return MalformedMessage(fmt::format("tensor '{}' {}", facts.name, problem));
}

void reckon_sizes(TensorFacts& facts) {
  for (const int64_t dim : facts.dims) {
    if (dim < 0) throw complaint(facts, fmt::format("has the negative dimension {}", dim));
    if (dim != 0 && facts.element_count > UINT64_MAX / 128 / static_cast<uint64_t>(dim))
      throw complaint(facts, "has a shape with more elements than 64 bits count");
    facts.element_count *= static_cast<uint64_t>(dim);
  }
  facts.byte_size = (facts.element_count * static_cast<uint64_t>(bits_per_element(facts.data_type)) + 7) / 8;
}

// Checks that elements in the model are in a field that is right for their type, and as many as the
// shape says. `own_field` is the field for their type.
void check_elements(const TensorFacts& facts, const Elements& elements, uint32_t own_field) {
  if (const uint32_t others = elements.fields & ~(1U << own_field); others != 0) {
    throw complaint(facts, fmt::format("has data in {}, and those of its element type, {}, are in {}",
                                       name_of_field(static_cast<uint32_t>(std::countr_zero(others))),
                                       TensorProto::DataType_Name(static_cast<TensorProto::DataType>(facts.data_type)),
                                       name_of_field(own_field)));
  }
  if (elements.has_raw_data && elements.fields != 0) {
    throw complaint(
        facts, fmt::format("has data in raw_data and in {}: only one of them can count", name_of_field(own_field)));
  }
  const uint64_t count = facts.element_count;
  const int bits = bits_per_element(facts.data_type);
  if (elements.segmented || bits == 0) {
    if (facts.data_type == TensorProto::STRING && elements.in_fields != count)
      throw complaint(facts, fmt::format("has {} strings where its shape asks for {}", elements.in_fields, count));
    return;
  }
  if (elements.has_raw_data) {
    if (elements.raw_size != facts.byte_size)
      throw complaint(
          facts, fmt::format("has {} bytes of data where its shape asks for {}", elements.raw_size, facts.byte_size));
  } else if (elements.in_fields != expected_field_elements(facts.data_type, count) &&
             // Older writers put each 4-bit element into a number of its own.
             !(bits < 8 && elements.in_fields == count)) {
    throw complaint(facts, fmt::format("has {} elements where its shape asks for {}", elements.in_fields, count));
  }
}

}  // namespace

TensorFacts read_tensor_facts(Bytes tensor) {
  TensorFacts facts;
  const Elements elements = read_fields(tensor, facts);
  reckon_sizes(facts);
  const ElementType* type = element_type(facts.data_type);
  if (type == nullptr) {
    throw complaint(facts, facts.data_type == TensorProto::UNDEFINED
                               ? "has no element type"
                               : fmt::format("has the element type {}, which does not exist", facts.data_type));
  }
  if (!facts.external) {
    check_elements(facts, elements, type->field);
    return facts;
  }
  facts.external_data.tensor = facts.name;
  facts.external_data.byte_size = facts.byte_size;
  if (facts.external_data.location.empty()) throw complaint(facts, "says that its data are external, but not where");
  return facts;
}

}  // namespace onnx_lower
