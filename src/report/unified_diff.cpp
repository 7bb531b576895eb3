// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace onnx_lower {
namespace {

using Lines = std::vector<std::string_view>;
// Indices of a line that stays, in both texts.
using Pair = std::pair<size_t, size_t>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Part {
  size_t begin_before, end_before, begin_after, end_after;
};

// Finds the lines that stay. Those that each text has once are what the others are found between,
// which in a model nearly all are: a node's line has its name.
class StayingLines {
 public:
  StayingLines(const Lines& before, const Lines& after) : before_(before), after_(after) {
    find({0, before.size(), 0, after.size()});
  }

  std::vector<Pair> take() && { return std::move(pairs_); }

 private:
  void find(Part part) {
    while (part.begin_before < part.end_before && part.begin_after < part.end_after &&
           before_[part.begin_before] == after_[part.begin_after])
      pairs_.emplace_back(part.begin_before++, part.begin_after++);
    size_t same_at_end = 0;
    while (part.begin_before < part.end_before && part.begin_after < part.end_after &&
           before_[part.end_before - 1] == after_[part.end_after - 1]) {
      --part.end_before;
      --part.end_after;
      ++same_at_end;
    }
    if (part.begin_before < part.end_before && part.begin_after < part.end_after) {
      Part rest = part;
      for (const auto& [before, after] : in_order(unique_in_both(part))) {
        if (before < rest.begin_before || after < rest.begin_after) continue;  // stays already
        find({rest.begin_before, before, rest.begin_after, after});
        pairs_.emplace_back(before, after);
        rest.begin_before = before + 1;
        rest.begin_after = after + 1;
      }
      const bool goes_on = rest.begin_before != part.begin_before;
      if (goes_on) find(rest);
    }
    for (size_t i = 0; i < same_at_end; ++i) pairs_.emplace_back(part.end_before + i, part.end_after + i);
  }

  std::vector<Pair> unique_in_both(const Part& part) const {
    struct Seen {
      size_t in_before = 0, in_after = 0, index_after = 0;
    };
    std::unordered_map<std::string_view, Seen> seen;
    for (size_t i = part.begin_before; i < part.end_before; ++i) ++seen[before_[i]].in_before;
    for (size_t i = part.begin_after; i < part.end_after; ++i) {
      const auto found = seen.find(after_[i]);
      if (found == seen.end()) continue;
      ++found->second.in_after;
      found->second.index_after = i;
    }
    std::vector<Pair> unique;
    for (size_t i = part.begin_before; i < part.end_before; ++i) {
      const Seen& line = seen[before_[i]];
      if (line.in_before == 1 && line.in_after == 1) unique.emplace_back(i, line.index_after);
    }
    return unique;
  }

  // The longest part of the pairs that is in order in the second text, too.
  static std::vector<Pair> in_order(const std::vector<Pair>& pairs) {
    constexpr size_t none = static_cast<size_t>(-1);
    std::vector<size_t> ends;  // by length, the pair that ends such a part lowest
    std::vector<size_t> previous(pairs.size(), none);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto at =
          std::ranges::lower_bound(ends, pairs[i].second, {}, [&](size_t end) { return pairs[end].second; });
      if (at != ends.begin()) previous[i] = *(at - 1);
      if (at == ends.end()) {
        ends.push_back(i);
      } else {
        *at = i;
      }
    }
    std::vector<Pair> chosen;
    for (size_t i = ends.empty() ? none : ends.back(); i != none; i = previous[i]) chosen.push_back(pairs[i]);
    std::ranges::reverse(chosen);
    return chosen;
  }

  const Lines& before_;
  const Lines& after_;
  std::vector<Pair> pairs_;
};

class DiffText {
 public:
  DiffText(const Lines& before, const Lines& after, const Colors& colors)
      : before_(before), after_(after), colors_(colors) {}

  // `changes`: the parts that differ, in order; not empty.
  std::string text(std::span<const Part> changes) && {
    for (size_t i = 0; i < changes.size();) {
      size_t end = i + 1;
      while (end < changes.size() && changes[end].begin_before - changes[end - 1].end_before <= 2 * around) ++end;
      add_group(changes.subspan(i, end - i));
      i = end;
    }
    return std::move(text_);
  }

 private:
  static constexpr size_t around = 3;

  void add_group(std::span<const Part> changes) {
    const size_t before = std::min(around, changes.front().begin_before);
    const size_t behind = std::min(around, before_.size() - changes.back().end_before);
    const size_t begin_before = changes.front().begin_before - before;
    const size_t begin_after = changes.front().begin_after - before;
    text_ += colors_.hint(fmt::format("@@ -{} +{} @@", range(begin_before, changes.back().end_before + behind),
                                      range(begin_after, changes.back().end_after + behind))) +
             "\n";
    size_t at = begin_before;
    for (const Part& change : changes) {
      add_same(at, change.begin_before);
      for (size_t i = change.begin_before; i < change.end_before; ++i)
        text_ += colors_.removed(fmt::format("-{}", before_[i])) + "\n";
      for (size_t i = change.begin_after; i < change.end_after; ++i)
        text_ += colors_.added(fmt::format("+{}", after_[i])) + "\n";
      at = change.end_before;
    }
    add_same(at, at + behind);
  }

  void add_same(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) text_ += fmt::format(" {}\n", before_[i]);
  }

  // As the format has it: the first line's number and how many there are; of none, the line before.
  static std::string range(size_t begin, size_t end) {
    return fmt::format("{},{}", begin == end ? begin : begin + 1, end - begin);
  }

  const Lines& before_;
  const Lines& after_;
  const Colors& colors_;
  std::string text_;
};

}  // namespace

std::string unified_diff(const std::string& name_before, std::string_view before, const std::string& name_after,
                         std::string_view after, const Colors& colors) {
  const Lines lines_before = lines_of(before), lines_after = lines_of(after);
  std::vector<Pair> same = StayingLines(lines_before, lines_after).take();
  same.emplace_back(lines_before.size(), lines_after.size());
  std::vector<Part> changes;
  size_t in_before = 0, in_after = 0;
  for (const auto& [next_before, next_after] : same) {
    if (next_before != in_before || next_after != in_after)
      changes.push_back({in_before, next_before, in_after, next_after});
    in_before = next_before + 1;
    in_after = next_after + 1;
  }
  if (changes.empty()) return {};
  return colors.emphasis(fmt::format("--- {}", name_before)) + "\n" +
         colors.emphasis(fmt::format("+++ {}", name_after)) + "\n" +
         DiffText(lines_before, lines_after, colors).text(changes);
}

}  // namespace onnx_lower
