// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Each operand is multiplied with the product of those before it, and the result is summed over the
// dimensions that neither the output nor a later operand has.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Einsum {
namespace {

// What names a dimension in a term: a letter. The last dimension of the ellipsis is -1, the one
// before it -2, and so on.
using Label = int;
using Labels = std::vector<Label>;

struct Operand {
  std::string value;
  Labels labels;
};

bool has(const Labels& labels, Label label) { return std::ranges::find(labels, label) != labels.end(); }
int64_t place(const Labels& labels, Label label) { return std::ranges::find(labels, label) - labels.begin(); }

Labels those_of(const Labels& labels, const std::function<bool(Label)>& wanted) {
  Labels found;
  std::ranges::copy_if(labels, std::back_inserter(found), wanted);
  return found;
}

Labels joined(Labels first, const Labels& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

constexpr std::string_view ellipsis = "...";

class Equation {
 public:
  Equation(const CallSite& site, std::string text) : text_(std::move(text)) {
    std::erase(text_, ' ');
    const size_t arrow = text_.find("->");
    const std::vector<std::string> terms = terms_of(text_.substr(0, arrow));
    if (std::cmp_not_equal(terms.size(), site.input_count()))
      decline(fmt::format("its equation \"{}\" has {} terms, and the node {} inputs", text_, terms.size(),
                          site.input_count()));
    for (const std::string& term : terms) {
      const int input = static_cast<int>(operands_.size());
      operands_.push_back(labels_of(term, dims_of_ellipsis(site, input, term)));
      for (const Label label : operands_.back()) {
        Uses& uses = uses_[label];
        ++uses.count;
        uses.last_operand = input;
      }
    }
    result_ = arrow == std::string::npos ? implied_result() : stated_result(text_.substr(arrow + 2));
  }

  const std::vector<Labels>& operands() const { return operands_; }
  const Labels& result() const { return result_; }

  // Whether the result, or an operand behind this one, has the dimension.
  bool is_wanted_behind(int operand, Label label) const {
    return has(result_, label) || uses_.at(label).last_operand > operand;
  }

 private:
  struct Uses {
    int count = 0;
    int last_operand = 0;
  };

  [[noreturn]] void decline_equation(std::string_view problem) const {
    decline(fmt::format("its equation \"{}\" {}", text_, problem));
  }

  static std::vector<std::string> terms_of(const std::string& left) {
    std::vector<std::string> terms(1);
    for (const char letter : left) {
      if (letter == ',') {
        terms.emplace_back();
      } else {
        terms.back() += letter;
      }
    }
    return terms;
  }

  // How many dimensions the ellipsis of an input's term stands for.
  int dims_of_ellipsis(const CallSite& site, int input, const std::string& term) {
    const auto letters = static_cast<int>(std::ranges::count_if(term, [](char letter) { return letter != '.'; }));
    if (term.find(ellipsis) == std::string::npos) {
      if (site.rank(input).value_or(letters) != letters)
        decline_equation(fmt::format("gives an input of {} dimensions {}", *site.rank(input), letters));
      return 0;
    }
    const int dims = site.need_rank(input) - letters;
    if (dims < 0) decline_equation(fmt::format("gives an input of {} dimensions {}", dims + letters, letters));
    if (ellipsis_ && *ellipsis_ != dims)
      decline_equation(fmt::format("has an ellipsis of {} dimensions and one of {}", *ellipsis_, dims));
    ellipsis_ = dims;
    return dims;
  }

  Labels labels_of(const std::string& term, int dims_of_ellipsis) const {
    Labels labels;
    bool has_ellipsis = false;
    for (size_t index = 0; index < term.size(); ++index) {
      const char letter = term[index];
      if (term.compare(index, ellipsis.size(), ellipsis) == 0 && !has_ellipsis) {
        has_ellipsis = true;
        for (int dim = dims_of_ellipsis; dim > 0; --dim) labels.push_back(-dim);
        index += ellipsis.size() - 1;
      } else if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
        labels.push_back(letter);
      } else {
        decline_equation("has something else than letters and one ellipsis in a term");
      }
    }
    return labels;
  }

  Labels stated_result(const std::string& term) const {
    const Labels labels = labels_of(term, ellipsis_.value_or(0));
    for (const Label label : labels) {
      if (!uses_.contains(label)) decline_equation("has a dimension in its result that no input has");
      if (std::ranges::count(labels, label) > 1) decline_equation("has a dimension twice in its result");
    }
    if (ellipsis_.value_or(0) > 0 && term.find(ellipsis) == std::string::npos)
      decline_equation("has an ellipsis, and none in its result");
    return labels;
  }

  // The dimensions of the ellipsis, and the letters that stand in the terms exactly once, by
  // the alphabet.
  Labels implied_result() const {
    Labels labels;
    for (const auto& [label, uses] : uses_) {
      if (label < 0 || uses.count == 1) labels.push_back(label);
    }
    return labels;
  }

  std::string text_;
  std::vector<Labels> operands_;
  std::map<Label, Uses> uses_;
  Labels result_;
  std::optional<int> ellipsis_;  // how many dimensions it stands for
};

class Summation {
 public:
  Summation(const CallSite& site, const Equation& equation, Body& body, bool is_of_integers)
      : body_(body), result_(equation.result()), is_of_integers_(is_of_integers) {
    for (size_t input = 0; input < equation.operands().size(); ++input) {
      const Labels& labels = equation.operands()[input];
      for (size_t axis = 0; axis < labels.size(); ++axis)
        note_size(labels[axis], site.dim(static_cast<int>(input), static_cast<int>(axis)));
    }
  }

  // Gives the operand with each label once: where two dimensions have the same label, the diagonal.
  Operand without_repeats(Operand operand) {
    for (size_t first = 0; first < operand.labels.size(); ++first) {
      const auto rest = operand.labels.begin() + static_cast<std::ptrdiff_t>(first) + 1;
      const auto second = std::find(rest, operand.labels.end(), operand.labels[first]);
      if (second != operand.labels.end())
        return without_repeats(diagonal(operand, first, static_cast<size_t>(second - operand.labels.begin())));
    }
    return operand;
  }

  // The sum over the dimensions that are not wanted.
  Operand sum(const Operand& operand, const std::function<bool(Label)>& wanted) {
    const Labels summed = those_of(operand.labels, [&](Label label) { return !wanted(label); });
    if (summed.empty()) return operand;
    Ints axes;
    for (const Label label : summed) axes.push_back(place(operand.labels, label));
    const std::string list = body_.ints(axes, "summed_axes");
    const std::string_view reduction = is_of_integers_ ? "onnx_lower.ExactReduceSum" : "ReduceSum";
    return {body_.made("sum", reduction, {operand.value, list}, {{"keepdims", 0}}), those_of(operand.labels, wanted)};
  }

  Operand product(const Operand& left, const Operand& right, const std::function<bool(Label)>& wanted) {
    const auto is_summed = [&](Label label) { return !wanted(label); };
    const Labels summed = those_of(left.labels, is_summed);
    const Labels rows = those_of(left.labels, [&](Label label) { return !has(right.labels, label); });
    const Labels columns = those_of(right.labels, [&](Label label) { return !has(left.labels, label); });
    const bool is_inner = rows.empty() && columns.empty();
    // Not all runtimes have matrix products of integers.
    if (!is_of_integers_ && !summed.empty() && !is_inner && std::ranges::all_of(summed, has_one_size())) {
      if (columns.size() > 1 && std::ranges::all_of(columns, has_known_size()))
        return product_of_several_columns(left, right, rows, columns, summed, wanted);
      return sum(matrix_product(left, right, rows, columns, summed), wanted);
    }
    const Labels labels = in_order_of_result(joined(left.labels, columns));
    const std::string one = arranged(left, labels, labels.size()), other = arranged(right, labels, labels.size());
    return sum({body_.made("product", "Mul", {one, other}), labels}, wanted);
  }

  // The value with its dimensions in the order of `labels`; it has all of these.
  std::string in_order(const Operand& operand, const Labels& labels) { return arranged(operand, labels, 0); }

 private:
  // Notes the size of a dimension: a 1 beside a larger size is broadcast.
  void note_size(Label label, std::optional<int64_t> size) {
    if (!size) return;
    const auto [known, is_new] = sizes_.try_emplace(label, *size);
    if (!is_new && known->second != *size) known->second = no_one_size;
  }
  std::optional<int64_t> size(Label label) const {
    const auto known = sizes_.find(label);
    return known == sizes_.end() || known->second == no_one_size ? std::nullopt : std::optional(known->second);
  }
  // Whether a dimension has one size in all operands, and that is not 0: some runtimes leave a
  // matrix product over no elements unwritten.
  std::function<bool(Label)> has_one_size() const {
    return [this](Label label) {
      const auto known = sizes_.find(label);
      return known == sizes_.end() || known->second > 0;
    };
  }

  std::function<bool(Label)> has_known_size() const {
    return [this](Label label) { return size(label).value_or(0) > 0; };
  }

  Labels in_order_of_result(const Labels& labels) const {
    return joined(those_of(result_, [&](Label label) { return has(labels, label); }),
                  those_of(labels, [&](Label label) { return !has(result_, label); }));
  }

  // The two dimensions become one, the last, which is their diagonal: of the n x n elements in a
  // line, every (n + 1)-th. Where the sizes are known they are gathered, since tract gets a Slice
  // with such a step behind a Reshape wrong.
  Operand diagonal(const Operand& operand, size_t first, size_t second) {
    Ints perm;
    Labels labels;
    for (size_t axis = 0; axis < operand.labels.size(); ++axis) {
      if (axis == first || axis == second) continue;
      perm.push_back(static_cast<int64_t>(axis));
      labels.push_back(operand.labels[axis]);
    }
    const auto others = static_cast<int64_t>(labels.size());
    labels.push_back(operand.labels[first]);
    perm.push_back(static_cast<int64_t>(first));
    perm.push_back(static_cast<int64_t>(second));
    const std::string square = std::ranges::is_sorted(perm) ? operand.value : body_.transpose(operand.value, perm);
    Ints shape(static_cast<size_t>(others), 0);
    if (const std::optional<int64_t> known = size(operand.labels[first]); known && *known <= most_places) {
      shape.push_back(*known * *known);
      const std::string flat = body_.reshape(square, shape, "flat");
      Ints places = numbers_below(*known);
      for (int64_t& number : places) number *= *known + 1;
      const std::string list = body_.ints(places, "places");
      return {body_.made("diagonal", "Gather", {flat, list}, {{"axis", others}}), labels};
    }
    const std::string row = body_.dim_list(square, static_cast<int>(others));
    const std::string count = body_.made("count", "Mul", {row, row});
    const std::string step = body_.made("step", "Add", {row, body_.ints({1}, "one")});
    std::string sizes = count;
    if (others > 0) sizes = body_.made("sizes", "Concat", {body_.ints(shape), count}, {{"axis", 0}});
    const std::string flat = body_.made("flat", "Reshape", {square, sizes});
    const std::string start = body_.ints({0}, "start"), axis = body_.ints({others}, "axis");
    return {body_.made("diagonal", "Slice", {flat, start, count, axis, step}), labels};
  }

  // The value with its dimensions in the order of `labels`, and dimensions of 1 for those that it
  // lacks. Before axis `first` those at the front are left out: they are broadcast anyway.
  std::string arranged(const Operand& operand, const Labels& labels, size_t first) {
    Ints perm, added;
    for (const Label label : labels) {
      if (has(operand.labels, label)) perm.push_back(place(operand.labels, label));
    }
    const std::string value = std::ranges::is_sorted(perm) ? operand.value : body_.transpose(operand.value, perm);
    bool is_at_front = true;
    int64_t axis = 0;
    for (size_t index = 0; index < labels.size(); ++index) {
      const bool is_own = has(operand.labels, labels[index]);
      is_at_front &= !is_own && index < first;
      if (is_at_front) continue;
      if (!is_own) added.push_back(axis);
      ++axis;
    }
    return added.empty() ? value : body_.unsqueeze(value, added);
  }

  // The product of two operands, summed over the dimensions `summed`, which both have. The matrices
  // have one dimension each as rows, as columns and as what is summed, and all other dimensions are
  // of the batch, so that no shape has to be known. Where the sizes of what is summed are known,
  // several dimensions become one.
  Operand matrix_product(const Operand& left, const Operand& right, const Labels& rows, const Labels& columns,
                         const Labels& summed) {
    const bool is_one = std::ranges::all_of(summed, [&](Label label) { return size(label).has_value(); });
    const Labels inner = is_one ? summed : Labels{summed.back()};
    const Label row = rows.empty() ? no_label : rows.back(), column = columns.empty() ? no_label : columns.back();
    const Labels batch = in_order_of_result(those_of(joined(left.labels, columns), [&](Label label) {
      return label != row && label != column && !has(inner, label);
    }));
    const std::string first = matrix(left, joined(joined(batch, {row}), inner), batch.size());
    std::string second;
    if (inner.size() == 1) {
      second = arranged(right, joined(joined(batch, inner), {column}), batch.size());
    } else {
      const std::string turned = matrix(right, joined(joined(batch, {column}), inner), batch.size());
      Ints perm = numbers_below(rank_behind_front(right, batch) + 2);
      std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
      second = body_.transpose(turned, perm);
    }
    const std::string value = body_.made("product", "MatMul", {first, second});
    Ints empty;
    Labels labels = batch;
    for (const Label label : {row, column}) {
      if (label != no_label) labels.push_back(label);
    }
    if (row == no_label) empty.push_back(static_cast<int64_t>(batch.size()));
    if (column == no_label) empty.push_back(static_cast<int64_t>(batch.size()) + 1);
    if (empty.empty()) return {value, labels};
    return {body_.made("squeezed", "Squeeze", {value, body_.ints(empty, "axes")}), labels};
  }

  // The columns become one dimension for the product, as those of weights that project to several
  // heads: else one of them would be of the batch, for each entry of which all rows are
  // multiplied again.
  Operand product_of_several_columns(const Operand& left, const Operand& right, const Labels& rows,
                                     const Labels& columns, const Labels& summed,
                                     const std::function<bool(Label)>& wanted) {
    Labels labels = those_of(right.labels, [&](Label label) { return !has(columns, label); });
    Ints shape(labels.size(), 0);
    shape.push_back(product_of_sizes(columns));
    const std::string joined_columns = body_.reshape(arranged(right, joined(labels, columns), 0), shape);
    labels.push_back(all_columns);
    const Operand product = sum(matrix_product(left, {joined_columns, labels}, rows, {all_columns}, summed),
                                [&](Label label) { return label == all_columns || wanted(label); });
    labels = those_of(product.labels, [](Label label) { return label != all_columns; });
    shape.assign(labels.size(), 0);
    for (const Label column : columns) shape.push_back(*size(column));
    return {body_.reshape(product.value, shape), joined(labels, columns)};
  }

  // The operand with all dimensions that are summed as one, the last.
  std::string matrix(const Operand& operand, const Labels& labels, size_t batch_size) {
    const std::string value = arranged(operand, labels, batch_size);
    const auto behind_batch = labels.begin() + static_cast<std::ptrdiff_t>(batch_size);
    const Labels inner(behind_batch + 1, labels.end());
    if (inner.size() == 1) return value;
    Ints shape(static_cast<size_t>(rank_behind_front(operand, {labels.begin(), behind_batch})) + 1, 0);
    shape.push_back(product_of_sizes(inner));
    return body_.reshape(value, shape);
  }

  // The product of sizes that are known, and not 0.
  int64_t product_of_sizes(const Labels& labels) const {
    int64_t product = 1;
    for (const Label label : labels) {
      if (product > CallSite::largest_size / *size(label))
        decline("it sums over more numbers than a runtime can count");
      product *= *size(label);
    }
    return product;
  }

  // How many dimensions of the batch the operand gets from arranged().
  static int64_t rank_behind_front(const Operand& operand, const Labels& batch) {
    const auto own = std::ranges::find_if(batch, [&](Label label) { return has(operand.labels, label); });
    return batch.end() - own;
  }

  static constexpr Label no_label = 0, all_columns = 1;
  static constexpr int64_t no_one_size = -1;
  static constexpr int64_t most_places = 4096;  // of a diagonal, as a list

  Body& body_;
  const Labels& result_;
  std::map<Label, int64_t> sizes_;
  bool is_of_integers_;
};

// A type in which these integers can be multiplied and summed: cast back to their own type,
// the results are the same, since the lower digits of a sum and of a product depend on lower
// digits alone.
onnx::TensorProto::DataType type_of_sums(int element_type) {
  switch (element_type) {
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::UINT16:
      return onnx::TensorProto::INT32;
    case onnx::TensorProto::UINT32:
    case onnx::TensorProto::UINT64:
      return onnx::TensorProto::INT64;
    default:
      return static_cast<onnx::TensorProto::DataType>(element_type);
  }
}

Lowering lower(const CallSite& site) {
  const Equation equation(site, site.attribute_string("equation", ""));
  const int element_type = site.need_dtype(0);
  const auto type_within = type_of_sums(element_type);
  std::vector<std::string> inputs;
  for (int input = 0; input < site.input_count(); ++input) inputs.push_back(fmt::format("input_{}", input));

  Body body("ai.onnx", "Einsum", inputs, {"output"}, 13);
  const bool is_of_integers = type_within == onnx::TensorProto::INT32 || type_within == onnx::TensorProto::INT64;
  if (is_of_integers) body.import("onnx_lower", 1);
  Summation summation(site, equation, body, is_of_integers);
  std::optional<Operand> all;
  for (size_t input = 0; input < inputs.size(); ++input) {
    Operand operand{inputs[input], equation.operands()[input]};
    if (type_within != element_type) operand.value = body.made("cast", "Cast", {operand.value}, {{"to", type_within}});
    // A dimension that neither the result nor another operand has can be summed before all else.
    const auto is_wanted_behind = [&, input](Label label) {
      return equation.is_wanted_behind(static_cast<int>(input), label);
    };
    operand = summation.sum(summation.without_repeats(std::move(operand)),
                            [&](Label label) { return is_wanted_behind(label) || (all && has(all->labels, label)); });
    all = all ? summation.product(*all, operand, is_wanted_behind) : operand;
  }
  std::string value = summation.in_order(*all, equation.result());
  if (type_within != element_type) value = body.made("cast", "Cast", {value}, {{"to", element_type}});
  if (value == inputs[0]) value = body.made("copy", "Identity", {value});
  onnx::FunctionProto function = std::move(body).function();
  function.set_output(0, value);
  return function;
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Einsum",
                      .summary = "Products of matrices or of elements, operand after operand, and sums.",
                      .source = "ONNX Einsum-12",
                      .attributes = "equation",
                      .required_attributes = "equation",
                      .inputs = "Inputs",
                      .needed_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Einsum
