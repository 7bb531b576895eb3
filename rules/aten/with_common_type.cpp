#include <fmt/format.h>

#include <utility>

#include "element_types.h"
#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

int size_of(int element_type) {
  switch (element_type) {
    case TensorProto::DOUBLE:
    case TensorProto::INT64:
      return 8;
    case TensorProto::FLOAT:
    case TensorProto::INT32:
      return 4;
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
    case TensorProto::INT16:
      return 2;
    default:
      return 1;
  }
}

// Of two types of the same category.
int common_type(int a, int b) {
  if (a == b) return a;
  if (size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  return size_of(a) == 2 ? TensorProto::FLOAT : TensorProto::INT16;  // float16 and bfloat16; uint8 and int8
}

// A tensor of rank 0 decides the type only if its category is higher; a number of Python's then comes in the default type.
int result_type(int a, TypeCategory a_category, bool a_is_number, int b, TypeCategory b_category, bool b_is_number) {
  if (a_is_number == b_is_number) {
    if (a_category == b_category) return common_type(a, b);
    return a_category > b_category ? a : b;
  }
  if (a_is_number) {
    std::swap(a, b);
    std::swap(a_category, b_category);
  }
  if (b_category <= a_category) return a;
  return b == TensorProto::DOUBLE ? TensorProto::FLOAT : b;
}

std::string cast(std::string_view output, std::string_view input, int from, int to) {
  if (from == to) return fmt::format("{} = Identity ({})", output, input);
  return fmt::format("{} = Cast <to = {}> ({})", output, to, input);
}

Lowering lower(const CallSite& site) {
  if (site.input_count() != 2 || site.output_count() != 2) return Declined{"it takes two inputs and gives two outputs"};
  int types[2];
  TypeCategory categories[2];
  bool is_number[2];
  for (int input = 0; input < 2; ++input) {
    const auto type = site.dtype(input);
    const auto rank = site.rank(input);
    if (!type) return Declined{fmt::format("the type of input {} is not known", input)};
    const auto category = category_of(*type);
    if (!category) return Declined{fmt::format("PyTorch does not promote the type of input {}", input)};
    if (!rank)
      return Declined{
          fmt::format("the rank of input {} is not known, and with rank 0 it would not decide the type", input)};
    types[input] = *type;
    categories[input] = *category;
    is_number[input] = *rank == 0;
  }
  const int result = result_type(types[0], categories[0], is_number[0], types[1], categories[1], is_number[1]);
  return function_from_text(
      fmt::format(R"(<domain: "aten", opset_import: ["" : 18]> with_common_type (a, b) => (p, q) {{ {}  {} }})",
                  cast("p", "a", types[0], result), cast("q", "b", types[1], result)));
}

const NativeRule rule{.domain = "aten",
                      .op_type = "with_common_type",
                      .summary = "Both inputs in the type that PyTorch computes an operator of two tensors in.",
                      .source = "PyTorch's type promotion: categories, and ranks above numbers",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower
