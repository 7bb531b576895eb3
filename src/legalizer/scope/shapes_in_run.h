// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Of which inputs the values in a run of nodes (see placement/made_run.h) have their shapes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "legalizer/scope/scope_sources.h"
#include "model_file/model.h"

namespace onnx_lower {

// The nodes of a run mostly compute elementwise, with constants of rank 0: their names tell that,
// and it takes a tenth of what it takes to open the run.
class ShapesInRun {
  using Inputs = uint64_t;  // a bit for each input of the run

 public:
  static constexpr int most_inputs = std::numeric_limits<Inputs>::digits;

  // `context`: by which imports the run means its operators.
  ShapesInRun(const ScopeSources& sources, const Node& run, OpsetContext context)
      : sources_(sources), run_(run), context_(context) {}

  // The next node of the run.
  void add(Bytes node);

  // The inputs of the run whose shapes, broadcast, that value has; none where the newest node does
  // not make it, or that is not known.
  std::vector<ValueId> sources_of_newest(Bytes name) const;

 private:
  std::optional<Inputs> inputs_behind(Bytes name) const;

  const ScopeSources& sources_;
  const Node& run_;
  OpsetContext context_;
  std::vector<std::pair<Bytes, Inputs>> known_;  // by the names of what the run makes
};

}  // namespace onnx_lower
