// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify/input_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "error.h"
#include "source_text/characters.h"
#include "verify/input_use.h"

namespace onnx_lower {
namespace {

// What open dimensions are tried with, one line after the other: a number of pictures or texts, the
// side of a picture (networks that halve it five times need a multiple of 32), and any other: the
// length of a text, of a sound. First what shows more, then what more models take.
struct Sizes {
  int64_t batch, side, other;
};
constexpr Sizes first_sizes[] = {{2, 32, 6}, {1, 32, 6}};
constexpr Sizes later_sizes[] = {{1, 64, 16},   {2, 64, 1},    {1, 96, 1},   {1, 224, 64},   {1, 160, 128},
                                 {1, 320, 100}, {1, 640, 512}, {1, 48, 192}, {1, 299, 1600}, {1, 512, 16000}};

// Between these come the sizes that the model's own dimensions have, which those that are left open
// may have to fit.
std::vector<Sizes> sizes_to_try(const Model& model, const std::vector<std::vector<int64_t>>& dims_of_inputs) {
  constexpr size_t most_own = 12;
  std::vector<int64_t> own;
  const auto note = [&own](int64_t size) {
    if (size > 0 && own.size() < most_own && std::ranges::find(own, size) == own.end()) own.push_back(size);
  };
  for (const std::vector<int64_t>& dims : dims_of_inputs) std::ranges::for_each(dims, note);
  std::ranges::for_each(GraphUses(model, model.graph).rows_of_initializers(), note);
  std::vector<Sizes> sizes(std::begin(first_sizes), std::end(first_sizes));
  for (const int64_t size : own) sizes.insert(sizes.end(), {{2, 32, size}, {size, 32, 6}, {size, 32, size}});
  sizes.insert(sizes.end(), std::begin(later_sizes), std::end(later_sizes));
  return sizes;
}

struct OpenInput {
  PlannedInput plan;
  std::vector<std::string> names;  // of dimensions; "" where one is a number
  bool is_unranked = false;
  InputUse use;
};

std::vector<ValueInfo> asked_inputs(const Model& model) {
  std::unordered_set<ValueId> given;
  for (const TensorSkeleton& initializer : model.graph.initializers) given.insert(initializer.value);
  for (const ValueId initializer : model.graph.sparse_initializers) given.insert(initializer);
  std::vector<ValueInfo> inputs;
  for (const ValueInfo& input : model.graph.inputs) {
    if (!given.contains(input.value)) inputs.push_back(input);
  }
  return inputs;
}

onnx::ValueInfoProto declaration_of(const ValueInfo& input) {
  onnx::ValueInfoProto declaration;
  declaration.ParseFromArray(input.wire.data(), static_cast<int>(input.wire.size()));
  return declaration;
}

// The type of a tensor, or of the tensors in a sequence or optional; null for maps and sparse
// tensors.
const onnx::TypeProto::Tensor* tensor_in(const onnx::TypeProto& type) {
  if (type.has_tensor_type()) return &type.tensor_type();
  if (type.has_sequence_type()) return tensor_in(type.sequence_type().elem_type());
  if (type.has_optional_type()) return tensor_in(type.optional_type().elem_type());
  return nullptr;
}

bool is_sequence(const onnx::TypeProto& type) {
  return type.has_sequence_type() || (type.has_optional_type() && is_sequence(type.optional_type().elem_type()));
}

OpenInput opened(const Model& model, const ValueInfo& input) {
  const onnx::ValueInfoProto declaration = declaration_of(input);
  OpenInput open;
  open.plan.name = declaration.name();
  open.plan.is_sequence = is_sequence(declaration.type());
  const onnx::TypeProto::Tensor* const tensor = tensor_in(declaration.type());
  if (tensor == nullptr) {
    throw InvalidInput(fmt::format("{}: the input '{}' is a map or a sparse tensor, which cannot be made",
                                   model.input().path(), declaration.name()));
  }
  open.plan.element_type = tensor->elem_type();
  open.is_unranked = !tensor->has_shape();
  for (const onnx::TensorShapeProto::Dimension& dim : tensor->shape().dim()) {
    // Some exporters write a number as a name.
    const int64_t size = dim.has_dim_value() ? dim.dim_value() : number_in<int64_t>(dim.dim_param()).value_or(-1);
    const bool is_number = size >= 0;
    open.plan.dims.push_back(is_number ? size : -1);
    const bool is_named = dim.has_dim_param() && dim.dim_param() != "?" && !dim.dim_param().empty();
    // Open dimensions without a name have the same size where they are in the same place.
    open.names.push_back(is_number  ? std::string()
                         : is_named ? dim.dim_param()
                                    : fmt::format("?{}", open.names.size()));
  }
  return open;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool is_integer(int element_type) {
  switch (element_type) {
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::INT64:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::UINT16:
    case onnx::TensorProto::UINT32:
    case onnx::TensorProto::UINT64:
      return true;
    default:
      return false;
  }
}

bool is_eight_bits(int element_type) {
  return element_type == onnx::TensorProto::UINT8 || element_type == onnx::TensorProto::INT8;
}

// What an input is by its name, where nothing in the model says more.
void use_name(OpenInput& input) {
  if (input.use.role != InputRole::ordinary && input.use.role != InputRole::count) return;
  const std::string name = in_lower_case(input.plan.name);
  if (name.find("mask") != name.npos) input.use.role = InputRole::mask;
  if (is_integer(input.plan.element_type) && name.find("len") != name.npos) input.use.role = InputRole::length;
}

InputFill range(double low, double high) {
  InputFill fill;
  fill.kind = InputFill::Kind::range;
  fill.low = low;
  fill.high = high;
  return fill;
}

InputFill values(std::vector<double> elements) {
  InputFill fill;
  fill.kind = InputFill::Kind::values;
  fill.values = std::move(elements);
  return fill;
}

InputFill words(std::vector<std::string> texts) {
  InputFill fill;
  fill.kind = InputFill::Kind::words;
  fill.words = std::move(texts);
  return fill;
}

void apply_given(OpenInput& input, const LegalizeOptions& given) {
  for (const InputShape& shape : given.input_shapes) {
    if (shape.input != input.plan.name) continue;
    if (input.is_unranked) {
      input.plan.dims.assign(shape.dims.size(), -1);
      for (size_t i = 0; i < shape.dims.size(); ++i) input.names.push_back(fmt::format("?{}", i));
      input.is_unranked = false;
    }
    for (size_t i = 0; i < std::min(shape.dims.size(), input.plan.dims.size()); ++i) {
      if (shape.dims[i]) input.plan.dims[i] = *shape.dims[i];
    }
  }
  for (const NamedDimension& dimension : given.dimensions) {
    for (size_t i = 0; i < input.names.size(); ++i) {
      if (input.names[i] == dimension.name) input.plan.dims[i] = dimension.size;
    }
  }
  for (const InputValue& value : given.input_values) {
    if (value.input != input.plan.name) continue;
    std::vector<double> numbers;
    for (const std::string& element : value.elements)
      numbers.push_back(element == "true" ? 1 : number_in<double>(element).value_or(0));
    input.plan.fill = input.plan.element_type == onnx::TensorProto::STRING ? words(value.elements) : values(numbers);
  }
}

// The open dimensions that are the number of pictures or texts, and the sides of pictures.
struct NamedSizes {
  std::unordered_set<std::string> batches, sides;

  explicit NamedSizes(const std::vector<OpenInput>& inputs) {
    for (const OpenInput& input : inputs) {
      const std::vector<int64_t>& dims = input.plan.dims;
      if (dims.size() > 1 && dims[0] < 0) batches.insert(input.names[0]);
      if (dims.size() != 4) continue;
      const bool channels_last = dims[1] < 0 && dims[2] < 0 && (dims[3] == 1 || dims[3] == 3);
      const size_t first = channels_last ? 1 : 2;
      for (size_t i = first; i < first + 2; ++i) {
        if (dims[i] < 0) sides.insert(input.names[i]);
      }
    }
    for (const std::string& batch : batches) sides.erase(batch);
  }

  int64_t size_of(const std::string& name, const Sizes& sizes) const {
    return batches.contains(name) ? sizes.batch : sides.contains(name) ? sizes.side : sizes.other;
  }
};

// A shape that inputs without one are tried with.
std::vector<int64_t> shape_in_try(size_t number) {
  const std::vector<int64_t> shapes[] = {{2, 3}, {}, {4}, {1, 3, 32, 32}, {2, 3, 4}};
  return shapes[number % std::size(shapes)];
}

// The fill of an input whose shape is known. `most`: of an index or a length, 0 where it is not
// known.
InputFill fill_of(const OpenInput& input, int64_t most) {
  const bool is_whole = is_integer(input.plan.element_type) || is_eight_bits(input.plan.element_type);
  const auto count = static_cast<size_t>(input.plan.dims.empty() ? 1 : std::max<int64_t>(input.plan.dims[0], 1));
  switch (input.use.role) {
    case InputRole::index: {
      if (is_whole) return range(0, static_cast<double>(most));
      std::vector<double> whole;  // floats that the model makes integers of
      for (int64_t i = 0; i <= std::min<int64_t>(most, 9999); ++i)
        whole.push_back(static_cast<double>(i * 7919 % (most + 1)));
      return values(whole);
    }
    case InputRole::shape: {
      std::vector<double> shape(count, 1);
      shape[0] = -1;
      return values(shape);
    }
    case InputRole::size:
      return is_whole ? range(1, 3) : values({1});
    case InputRole::axis: {
      std::vector<double> axes;
      for (size_t i = 0; i < count; ++i) axes.push_back(static_cast<double>(i));
      return values(axes);
    }
    case InputRole::length:
      return range(1, static_cast<double>(std::max<int64_t>(most, 1)));
    case InputRole::divisor:
      return is_whole ? range(1, 9) : InputFill{};
    case InputRole::mask:
      return values({1, 1, 1, 0, 1});
    case InputRole::count:
      return is_whole ? range(0, 3) : InputFill{};
    case InputRole::positive:
      return is_whole ? InputFill{} : range(0.05, 2);
    case InputRole::unit:
      return range(-0.99, 0.99);
    case InputRole::fraction:
      return range(0, 1);
    case InputRole::at_least_1:
      return range(1, 5);
    case InputRole::ordinary:
      break;
  }
  return {};
}

// The bound of an index or length: what is known of it, or the size that a dimension of another
// input has in this try; else nearly nothing, in the first tries 1 and then 0.
int64_t bound_of(const OpenInput& input, const std::map<std::string, PlannedInput>& planned, const Sizes& tried,
                 bool is_first_time) {
  const bool is_length = input.use.role == InputRole::length;
  // Of the indices that several nodes read, one may choose from fewer than the others.
  if (!is_first_time) return is_length ? 1 : 0;
  if (input.use.most) return *input.use.most;
  if (const auto other = planned.find(input.use.bounded_by); other != planned.end()) {
    const std::vector<int64_t>& dims = other->second.dims;
    if (input.use.axis >= 0 && input.use.axis < static_cast<int64_t>(dims.size()))
      return dims[static_cast<size_t>(input.use.axis)] - (is_length ? 0 : 1);
  }
  if (is_length) return tried.other;
  return 1;
}

// Whether a try would take more time than it may show: an input is large, or long along two open
// dimensions, so that what is computed of it may be the square of that.
bool is_too_large(const std::vector<OpenInput>& open, const std::vector<OpenInput>& sized) {
  constexpr int64_t most_elements = 1 << 22;
  constexpr int64_t long_dimension = 512;
  for (size_t i = 0; i < sized.size(); ++i) {
    double elements = 1;
    int long_dimensions = 0;
    for (size_t axis = 0; axis < sized[i].plan.dims.size(); ++axis) {
      const int64_t size = sized[i].plan.dims[axis];
      elements *= static_cast<double>(size);
      const bool was_open = axis >= open[i].plan.dims.size() || open[i].plan.dims[axis] < 0;
      long_dimensions += was_open && size > long_dimension ? 1 : 0;
    }
    const bool is_picture = sized[i].plan.dims.size() == 4;
    if (elements > most_elements || (long_dimensions > 1 && !is_picture)) return true;
  }
  return false;
}

// Takes what the output says more of an input's shape, as it was made for a fixed one.
void take_shape(OpenInput& input, const OpenInput& of_output) {
  const std::vector<int64_t>& dims = of_output.plan.dims;
  if (input.is_unranked && !of_output.is_unranked) {
    input.plan.dims = dims;
    input.names = of_output.names;
    input.is_unranked = false;
  }
  for (size_t i = 0; i < std::min(dims.size(), input.plan.dims.size()); ++i) {
    if (input.plan.dims[i] < 0) input.plan.dims[i] = dims[i];
  }
}

std::vector<OpenInput> inputs_of_both(const Model& original, const Model& output, const LegalizeOptions& given) {
  const InputUses uses(original);
  const InputUses output_uses(output);
  std::map<std::string, OpenInput> of_output;
  for (const ValueInfo& input : asked_inputs(output)) {
    OpenInput open = opened(output, input);
    std::string name = open.plan.name;
    of_output.emplace(std::move(name), std::move(open));
  }
  std::vector<OpenInput> inputs;
  for (const ValueInfo& input : asked_inputs(original)) {
    OpenInput open = opened(original, input);
    apply_given(open, given);
    const auto other = of_output.find(open.plan.name);
    if (other == of_output.end() && open.plan.fill.kind == InputFill::Kind::ordinary) {
      throw InvalidInput(
          fmt::format("{}: has no input '{}', which {} has: if it is fixed to a value, add --input-value "
                      "{}=VALUE",
                      output.input().path(), open.plan.name, original.input().path(), open.plan.name));
    }
    if (other != of_output.end()) {
      if (other->second.plan.element_type != open.plan.element_type) {
        throw InvalidInput(
            fmt::format("{}: the type of the input '{}' is not the one in {}, so that they do not "
                        "run on the same inputs",
                        output.input().path(), open.plan.name, original.input().path()));
      }
      take_shape(open, other->second);
      of_output.erase(other);
    }
    open.use = uses.use_of(open.plan.name);
    const InputUse also = output_uses.use_of(open.plan.name);
    const bool is_tighter = also.role == open.use.role && also.most && (!open.use.most || *also.most < *open.use.most);
    if (also.role < open.use.role || is_tighter) open.use = also;
    use_name(open);
    inputs.push_back(std::move(open));
  }
  if (!of_output.empty()) {
    throw InvalidInput(fmt::format("{}: has the input '{}', which {} lacks", output.input().path(),
                                   of_output.begin()->first, original.input().path()));
  }
  return inputs;
}

}  // namespace

std::vector<std::vector<PlannedInput>> plan_inputs(const Model& original, const Model& output,
                                                   const LegalizeOptions& given) {
  const std::vector<OpenInput> inputs = inputs_of_both(original, output, given);
  const NamedSizes sizes(inputs);
  const std::vector<std::string> known_words = InputUses(original).words();
  const bool has_guesses = std::ranges::any_of(inputs, [](const OpenInput& input) {
    return input.is_unranked ||
           std::ranges::min(input.plan.dims.empty() ? std::vector<int64_t>{0} : input.plan.dims) < 0 ||
           input.use.role == InputRole::index || input.use.role == InputRole::length;
  });
  std::vector<std::vector<int64_t>> dims;
  for (const OpenInput& input : inputs) dims.push_back(input.plan.dims);
  const std::vector<Sizes> all_sizes = sizes_to_try(original, dims);
  std::vector<std::vector<PlannedInput>> tries;
  for (size_t number = 0; number < (has_guesses ? 2 * all_sizes.size() : 1); ++number) {
    const Sizes& tried = all_sizes[number % all_sizes.size()];
    std::map<std::string, PlannedInput> planned;
    std::vector<OpenInput> sized = inputs;
    for (OpenInput& input : sized) {
      if (input.is_unranked) input.plan.dims = shape_in_try(number);
      for (size_t i = 0; i < input.plan.dims.size(); ++i) {
        if (input.plan.dims[i] < 0) input.plan.dims[i] = sizes.size_of(input.names[i], tried);
      }
      planned.emplace(input.plan.name, input.plan);
    }
    if (number > 0 && is_too_large(inputs, sized)) continue;
    std::vector<PlannedInput>& plan = tries.emplace_back();
    for (OpenInput& input : sized) {
      if (input.plan.element_type == onnx::TensorProto::STRING && input.plan.fill.words.empty()) {
        input.plan.fill = words(known_words);
      } else if (input.plan.fill.kind == InputFill::Kind::ordinary) {
        input.plan.fill = fill_of(input, bound_of(input, planned, tried, number < all_sizes.size()));
      }
      plan.push_back(std::move(input.plan));
    }
  }
  return tries;
}

}  // namespace onnx_lower
