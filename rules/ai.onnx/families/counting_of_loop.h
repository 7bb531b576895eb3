// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How many iterations the body of a Loop lets it make, where it goes on as long as a state that
// counts is below a limit, as exporters write `while i < n`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/body.h"
#include "rules/values/constant_value.h"

namespace onnx_lower {

inline bool is_index_type(int type) { return type == onnx::TensorProto::INT32 || type == onnx::TensorProto::INT64; }

// The body goes on while the state, which grows by `step` in each iteration, is below the limit, or
// no greater than it.
struct Counter {
  int state;
  int64_t step;
  bool may_be_limit;
  // The limit: a state that the body hands on as it is, a value of the graph around the Loop, or a
  // constant of the body.
  int limit_state = -1;
  std::string limit = {};
  std::optional<int64_t> known_limit = {};
};

class CountingOfLoop {
 public:
  CountingOfLoop(const CallSite& site, const onnx::GraphProto& graph) : site_(site), graph_(graph) {
    for (const onnx::NodeProto& node : graph.node()) {
      for (const std::string& output : node.output()) makers_[output] = &node;
    }
    if (graph.output_size() == 0) {
      other_end_ = "its body has no condition";
    } else {
      add_counters(graph.output(0).name());
    }
  }

  // The body goes on only where all of them are below their limits.
  const std::vector<Counter>& counters() const { return counters_; }
  // Why the body may end the Loop for another reason; empty where it does not.
  const std::string& other_end() const { return other_end_; }
  // Whether the body goes on whatever happens in it, if the Loop begins.
  bool never_ends() const {
    const std::string condition = graph_.output_size() == 0 ? "" : behind_copies(graph_.output(0).name(), false);
    const bool is_first_one = site_.has_input(1) && condition == site_.node().input(1) && !is_of_body(condition);
    return is_first_one || (graph_.input_size() > 1 && condition == graph_.input(1).name()) || number(condition) == 1;
  }

 private:
  const onnx::NodeProto* maker(const std::string& value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() ? nullptr : found->second;
  }

  // The value that this one is a copy of, perhaps in another type.
  std::string behind_copies(std::string value, bool also_casts) const {
    for (const onnx::NodeProto* node = maker(value); node != nullptr; node = maker(value)) {
      const bool is_copy = node->op_type() == "Identity" || (also_casts && node->op_type() == "Cast");
      if (!is_copy || !node->domain().empty() || node->input_size() != 1) break;
      value = node->input(0);
    }
    return value;
  }

  std::optional<int> state(const std::string& value) const {
    for (int i = 2; i < graph_.input_size() && i < site_.input_count(); ++i) {
      if (graph_.input(i).name() == value) return i;
    }
    return std::nullopt;
  }

  bool is_of_body(const std::string& value) const {
    const auto is_it = [&](const auto& one) { return one.name() == value; };
    return maker(value) != nullptr || std::ranges::any_of(graph_.input(), is_it) ||
           std::ranges::any_of(graph_.initializer(), is_it);
  }

  // The number that a value is, if it is a constant of the body or of a graph around it.
  std::optional<int64_t> number(const std::string& value) const {
    const onnx::TensorProto* tensor = nullptr;
    const auto initializer = std::ranges::find(graph_.initializer(), value, &onnx::TensorProto::name);
    const onnx::NodeProto* node = maker(value);
    if (initializer != graph_.initializer().end()) {
      tensor = &*initializer;
    } else if (node == nullptr) {
      const std::optional<Ints> known = is_of_body(value) ? std::nullopt : site_.known_captured_ints(value);
      return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
    } else if (node->op_type() == "Constant" && node->attribute_size() == 1 && node->attribute(0).has_t()) {
      tensor = &node->attribute(0).t();
    }
    const std::optional<Ints> elements = tensor == nullptr ? std::nullopt : integer_elements(*tensor);
    return elements && elements->size() == 1 ? std::optional(elements->front()) : std::nullopt;
  }

  // All conditions of the conjunction have to be of counters: then none of them ends the Loop
  // before the least of the limits is reached.
  void add_counters(const std::string& condition) {
    const onnx::NodeProto* node = maker(behind_copies(condition, false));
    const std::string op = node == nullptr || node->input_size() != 2 ? "" : node->op_type();
    if (counters_.size() >= most_counters) {
      end_otherwise("its body compares too many states with limits");
    } else if (op == "And") {
      for (const std::string& part : node->input()) add_counters(part);
    } else if (op == "Less" || op == "LessOrEqual") {
      add_counter(node->input(0), node->input(1), op == "LessOrEqual");
    } else if (op == "Greater" || op == "GreaterOrEqual") {
      add_counter(node->input(1), node->input(0), op == "GreaterOrEqual");
    } else {
      end_otherwise("its body goes on for another reason than that a state is below a limit");
    }
  }

  void end_otherwise(std::string reason) {
    if (other_end_.empty()) other_end_ = std::move(reason);
  }

  void add_counter(const std::string& counted, const std::string& limit, bool may_be_limit) {
    const std::string next = behind_copies(counted, true);
    const onnx::NodeProto* sum = maker(next);
    Counter counter{.state = -1, .step = 0, .may_be_limit = may_be_limit};
    for (int place = 0; sum != nullptr && sum->op_type() == "Add" && place < 2; ++place) {
      const std::optional<int> found = state(behind_copies(sum->input(place), false));
      const std::optional<int64_t> step = number(sum->input(1 - place));
      if (!found || !step || *step <= 0 || *step > CallSite::largest_size) continue;
      if (!is_handed_on(next, *found)) continue;
      counter.state = *found;
      counter.step = *step;
    }
    if (counter.state < 0)
      return end_otherwise("what its body compares with a limit is no state that grows by a constant");
    if (!is_index_type(site_.dtype(counter.state).value_or(0)))
      return end_otherwise("the state that it counts by is no integer");
    const std::string bound = behind_copies(limit, true);
    if (const std::optional<int> found = state(bound)) {
      if (!is_handed_on(bound, *found)) return end_otherwise("the limit of its iterations changes");
      counter.limit_state = *found;
    } else {
      counter.known_limit = number(bound);
      if (!is_of_body(bound)) counter.limit = bound;
      if (counter.limit.empty() && !counter.known_limit)
        return end_otherwise("the limit of its iterations is computed in each of them");
    }
    const int type = counter.limit_state >= 0 ? site_.dtype(counter.limit_state).value_or(0)
                     : counter.limit.empty()  ? onnx::TensorProto::INT64
                                              : site_.captured_dtype(bound);
    if (!is_index_type(type)) return end_otherwise("the limit of its iterations is no integer");
    counters_.push_back(std::move(counter));
  }

  // Whether the body gives the value as the state that it gets as this input.
  bool is_handed_on(const std::string& value, int state) const {
    return state - 1 < graph_.output_size() &&
           behind_copies(graph_.output(state - 1).name(), false) == behind_copies(value, false);
  }

  static constexpr size_t most_counters = 8;
  const CallSite& site_;
  const onnx::GraphProto& graph_;
  std::map<std::string, const onnx::NodeProto*> makers_;
  std::vector<Counter> counters_;
  std::string other_end_;
};

}  // namespace onnx_lower
