// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The elements of derived tensors (see derivation.h), when the model is written.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "model_file/derivation.h"
#include "model_file/encode_model.h"
#include "model_file/external_data.h"
#include "model_file/model.h"
#include "model_file/range_writer.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {

// The elements of a model's derived tensors, for as long as the model is written.
class DerivedTensors {
 public:
  // Computes elements, and hands them on block after block.
  using Take = std::function<void(Bytes)>;
  using Compute = std::function<void(const Take&)>;

  // Both must outlive this.
  DerivedTensors(Model& model, ExternalFiles& files) : model_(model), files_(files) {}

  // The elements, as a range for lists of ranges: only write_ranges() and for_each_part(), with
  // sources to which this was added, know what they are. Those of small tensors lie in memory.
  // Tensors that are derived in the same way have the same range.
  Bytes elements(const Derivation& derivation);
  // Whether the elements that these are derived from lie in another file than the model.
  bool come_from_data_file(const Derivation& derivation) const { return source_of(derivation).external; }
  void add_to(RangeSources& sources) const;

 private:
  // The tensor that elements are read from.
  struct Source {
    std::string_view name = {};
    Bytes bytes = {};  // of its elements
    const InputFile* file = nullptr;
  };

  Source open_source(const Derivation& derivation);
  Bytes transposed(const Derivation& derivation, const StoredMatrices& matrices, const Source& source);
  Bytes gathered(const Derivation& derivation, const Source& source);
  // So many bytes that are computed so: at once, or when they are written.
  Bytes computed(uint64_t size, Compute compute);
  TensorFacts source_of(const Derivation& derivation) const;
  Bytes wire_of_source(const Derivation& derivation) const;

  Model& model_;
  ExternalFiles& files_;
  std::map<Derivation, Bytes> by_derivation_;
  std::vector<std::unique_ptr<const ComputedBytes>> computed_;
};

// The model with the elements of its derived tensors in it. Returns `encoded` where the model has
// none.
EncodedModel with_derived_elements(Model& model, const EncodedModel& encoded, DerivedTensors& derived);

}  // namespace onnx_lower
