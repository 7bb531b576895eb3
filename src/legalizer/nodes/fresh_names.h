// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Makes names for the values and nodes that an expansion makes: readable, the same in every run,
// and used nowhere else in the model.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model_file/hash_set.h"
#include "model_file/model.h"

namespace onnx_lower {

// One generator serves a whole model. The names of values and nodes of all scopes count as taken,
// so that a new name clashes in no scope.
class FreshNames {
 public:
  explicit FreshNames(Model& model) : model_(model) {}

  // A new value with the name "PREFIX/NAME", or "PREFIX/NAME_2" and so on where that is taken.
  ValueId make(std::string_view prefix, std::string_view name);
  // Reads into the CPU's cache what make() will look up for these arguments. To be called a
  // while before make().
  void prefetch(std::string_view prefix, std::string_view name);

  // A point in time: how many names were made, and how many values the model had.
  struct Mark {
    size_t made = 0;
    size_t values = 0;
  };
  Mark now() const { return {made_.size(), model_.values().size()}; }
  // Keeps the names that were made since for good: none of them will be given back.
  void settle(Mark mark) { made_.resize(mark.made); }
  // Whether all values that the model has got since have names that were made here.
  bool made_all_since(Mark mark) const;
  // Whether all names that were made since have been given back.
  bool made_none_since(Mark mark) const { return made_.size() == mark.made && made_all_since(mark); }
  // To be called when the values with the names that were made since are used within one run of
  // nodes only (see made_run.h). The names stay taken, and the numbers of the values become
  // free for others.
  void put_into_run(Mark mark);

  // Makes the names that were made since free again: the same or other calls of make()
  // may take them.
  void give_back(Mark mark);

 private:
  // A name that was made. `stem` and `suffix` say what it consists of where the name without a
  // number was taken.
  struct Made {
    ValueId name = absent_value;
    ValueId stem = absent_value;
    uint32_t suffix = 0;
    uint64_t hash = 0;
  };

  void write_into_buffer(std::string_view prefix, std::string_view name);
  // Takes the name in the buffer; false where it is taken already.
  bool take(ValueId& id);
  bool names_a_node(std::string_view name, uint64_t hash);

  Model& model_;
  std::optional<HashSet> node_names_;  // of the model's own nodes; filled at the first question
  std::vector<Made> made_;             // since the last mark that was settled
  std::unordered_set<ValueId> free_again_;
  // The next number for a name that was taken, so that many equal names need no search each.
  std::unordered_map<ValueId, uint32_t> next_suffix_;
  std::string buffer_;
  uint64_t hash_ = hash_of(std::string_view());  // of what is in the buffer
};

}  // namespace onnx_lower
