// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The arrays that table_generator writes, and the hash function for the names in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "standard_operators/operator_table.h"

namespace onnx_lower::operator_table_data {

// An operator, with the range of `versions` that it has.
struct Operator {
  std::string_view domain;
  std::string_view name;
  uint16_t first_version;
  uint16_t version_count;
};

struct Domain {
  std::string_view name;
  int newest_opset;
};

extern const std::span<const OperatorVersion> versions;
// Functions that make the schema of the version with the same index. onnx's registry would make all
// schemas at the first question.
extern const std::span<onnx::OpSchema (*const)()> schema_makers;
extern const std::span<const Operator> operators;
extern const std::span<const Domain> domains;
// A hash table with open addressing and linear probing. Its size is a power of two, and at most
// half of it is used. 0 is an empty slot, other numbers are an index into `operators` plus 1.
extern const std::span<const uint16_t> slots;

// FNV-1a of "domain:name".
constexpr uint32_t hash(std::string_view domain, std::string_view name) {
  uint32_t h = 2166136261u;
  const auto add = [&h](char c) { h = (h ^ static_cast<unsigned char>(c)) * 16777619u; };
  for (const char c : domain) add(c);
  add(':');
  for (const char c : name) add(c);
  return h ^ (h >> 15);
}

}  // namespace onnx_lower::operator_table_data
