// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Names for the values and nodes that an expansion makes: readable, the same on every run, and used
// nowhere in the model.
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

// One generator serves a whole model. Names of values and nodes of all scopes count as taken, so
// that a new name clashes in none.
class FreshNames {
 public:
  explicit FreshNames(Model& model) : model_(model) {}

  // "PREFIX/NAME", or "PREFIX/NAME_2" and so on where that is taken.
  ValueId make(std::string_view prefix, std::string_view name);
  // To be called a while before make(), which then need not wait for the memory of a large table.
  void prefetch(std::string_view prefix, std::string_view name);

  // A point in time.
  struct Mark {
    size_t made = 0;
    size_t values = 0;
  };
  Mark now() const { return {made_.size(), model_.values().size()}; }
  // No name that was made since will be given back.
  void settle(Mark mark) { made_.resize(mark.made); }
  // Whether all names that the model has got since were made here.
  bool made_all_since(Mark mark) const;
  // Whether all names that were made since have been given back.
  bool made_none_since(Mark mark) const { return made_.size() == mark.made && made_all_since(mark); }
  // The values with these names are used within one run of nodes only, see made_run.h: the names
  // stay taken, and the values' numbers are free for others.
  void put_into_run(Mark mark);

  // Makes the names that were made since free again, in whatever way they are made next.
  void give_back(Mark mark);

 private:
  // A name that was made, with its number if its stem was taken.
  struct Made {
    ValueId name = absent_value;
    ValueId stem = absent_value;
    uint32_t suffix = 0;
    uint64_t hash = 0;
  };

  void write_into_buffer(std::string_view prefix, std::string_view name);
  // The name in the buffer.
  bool take(ValueId& id);
  bool names_a_node(std::string_view name, uint64_t hash);

  Model& model_;
  std::optional<HashSet> node_names_;  // of the model's own nodes
  std::vector<Made> made_;             // since the last mark that was settled
  std::unordered_set<ValueId> free_again_;
  // Where to go on counting for a name that was taken, so that many equal names cost no search
  // each.
  std::unordered_map<ValueId, uint32_t> next_suffix_;
  std::string buffer_;
  uint64_t hash_ = hash_of(std::string_view());  // of what is in the buffer
};

}  // namespace onnx_lower
