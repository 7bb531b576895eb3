// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "verify_runtime/made_inputs.h"
#include "verify_runtime/npz_file.h"
#include "verify_runtime/tolerance.h"

namespace onnx_lower::verify_runtime {
namespace {

template <size_t count>
ValueDifference difference_of(const std::array<float, count>& original, const std::array<float, count>& output) {
  constexpr int type_float = 1;
  ValueDifference difference;
  compare(Elements{type_float, original.data(), count}, Elements{type_float, output.data(), count}, false, difference);
  return difference;
}

std::string npy(const std::string& header, const std::string& data) {
  std::string content = "\x93NUMPY\x01";
  content += '\0';
  content += static_cast<char>(header.size());
  content += '\0';
  return content + header + data;
}

TEST_CASE("differences of floats are relative to the element, or to the median where that is larger") {
  const std::array<float, 3> original = {1, 2, 1e-6F};
  CHECK(difference_of(original, original).is_equal);
  // Of the small element, the median counts: what is left when larger numbers cancel out.
  CHECK(difference_of<3>(original, {1, 2, 1.1e-6F}).is_equal);
  CHECK(!difference_of<3>(original, {1, 2.001F, 1e-6F}).is_equal);
  // One large element hides nothing of the others.
  CHECK(!difference_of<3>({1, 2, 3e38F}, {1, 2.01F, 3e38F}).is_equal);
  CHECK(!difference_of<2>({0, 0}, {0, 1e-3F}).is_equal);
}

TEST_CASE("a NaN equals a NaN, an infinity itself, and -0 equals 0") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(difference_of<3>({nan, infinity, 0}, {-nan, infinity, -0.0F}).is_equal);
  const ValueDifference found = difference_of<3>({1, 2, 3}, {nan, 2, 3});
  CHECK(!found.is_equal);
  CHECK(found.differing == 1);
  CHECK(found.problem == "a NaN in the place of a number");
  CHECK(!difference_of<2>({infinity, 1}, {-infinity, 1}).is_equal);
  CHECK(!difference_of<2>({nan, 1}, {0, 1}).is_equal);
}

TEST_CASE("integers are equal, but for codes of quantized numbers") {
  constexpr int type_uint8 = 2;
  const std::array<uint8_t, 3> original = {0, 128, 255};
  const std::array<uint8_t, 3> beside = {0, 129, 255};
  const std::array<uint8_t, 3> beyond = {0, 130, 255};
  const auto is_equal = [&](const std::array<uint8_t, 3>& output, bool holds_codes) {
    ValueDifference difference;
    compare(Elements{type_uint8, original.data(), 3}, Elements{type_uint8, output.data(), 3}, holds_codes, difference);
    return difference.is_equal;
  };
  CHECK(is_equal(original, false));
  CHECK(!is_equal(beside, false));
  CHECK(is_equal(beside, true));
  CHECK(!is_equal(beyond, true));
}

TEST_CASE("the tolerance of a type is that many units of its last place") {
  CHECK(tolerance_of(1) == 1024 * 0x1p-23);
  CHECK(tolerance_of(11) == 1024 * 0x1p-52);
  CHECK(tolerance_of(10) == 16 * 0x1p-10);
  CHECK(tolerance_of(16) == 8 * 0x1p-7);
  CHECK(tolerance_of(7) == 0);
  CHECK(tolerance_of(99) == 0);
}

TEST_CASE("arrays of NumPy are read in C order") {
  const NpyArray array = parse_npy(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n", "abcdef"));
  CHECK(array.type == "u1");
  CHECK(array.dims == std::vector<int64_t>{2, 3});
  CHECK(array.data == "abcdef");
  CHECK(parse_npy(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", "abcdef")).data == "acebdf");
  CHECK(parse_npy(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (), }\n", "a")).dims.empty());
  CHECK(parse_npy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }\n", "")).data.empty());
}

TEST_CASE("what is no array of NumPy has a reason") {
  CHECK_THROWS_AS(parse_npy(""), NpzError);
  CHECK_THROWS_AS(parse_npy("\x93NUMPY"), NpzError);
  CHECK_THROWS_AS(parse_npy(npy("{}", "")), NpzError);
  CHECK_THROWS_AS(parse_npy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "short")), NpzError);
  CHECK_THROWS_AS(parse_npy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,), }", "")),
                  NpzError);
  CHECK_THROWS_AS(parse_npz("PK\5\6"), NpzError);
  CHECK_THROWS_AS(parse_npz("text"), NpzError);
}

TEST_CASE("the same seed gives the same inputs, and another one others") {
  PlannedInput input;
  input.name = "x";
  input.element_type = 1;
  input.dims = {4, 4};
  const std::string first = made_inputs({input}, 0, 0)[0].data[0];
  CHECK(first == made_inputs({input}, 0, 0)[0].data[0]);
  CHECK(first != made_inputs({input}, 1, 0)[0].data[0]);
  CHECK(first != made_inputs({input}, 0, 1)[0].data[0]);
  CHECK(first != made_inputs({input, input}, 0, 0)[1].data[0]);
  CHECK(first.size() == 64);
}

TEST_CASE("integers of a range take both of its ends") {
  PlannedInput input;
  input.element_type = 7;
  input.dims = {1000};
  input.fill.kind = InputFill::Kind::range;
  input.fill.low = -1;
  input.fill.high = 2;
  const std::string data = made_inputs({input}, 0, 0)[0].data[0];
  const auto* const elements = reinterpret_cast<const int64_t*>(data.data());
  CHECK(std::count(elements, elements + 1000, -1) > 150);
  CHECK(std::count(elements, elements + 1000, 2) > 150);
  CHECK(std::count_if(elements, elements + 1000, [](int64_t number) { return number < -1 || number > 2; }) == 0);
}

}  // namespace
}  // namespace onnx_lower::verify_runtime
