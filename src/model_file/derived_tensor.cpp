// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/derived_tensor.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>

#include "error.h"
#include "model_file/raw_elements.h"
#include "model_file/tensor_rewriting.h"
#include "model_file/transposed_matrix.h"

namespace onnx_lower {
namespace {

// Elements of tensors that are smaller are computed at once: there are many of them, and each range
// of addresses takes its time.
constexpr uint64_t smallest_computed_range = uint64_t{64} << 10;

// A range of addresses that nothing else has, and that lies beside no other range.
class ReservedAddresses {
 public:
  explicit ReservedAddresses(uint64_t size) : page_(static_cast<size_t>(::sysconf(_SC_PAGESIZE))) {
    size_ = (size + page_ - 1) / page_ * page_ + 2 * page_;
    memory_ = ::mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ReservedAddresses(const ReservedAddresses&) = delete;
  ReservedAddresses& operator=(const ReservedAddresses&) = delete;
  ~ReservedAddresses() { ::munmap(memory_, size_); }

  const char* begin() const { return static_cast<const char*>(memory_) + page_; }

 private:
  size_t page_;
  size_t size_ = 0;
  void* memory_ = nullptr;
};

class TransposedMatrix final : public ComputedBytes {
 public:
  explicit TransposedMatrix(const StoredMatrix& matrix) : matrix_(matrix), addresses_(transposed_size(matrix)) {}

  Bytes range() const override { return {addresses_.begin(), transposed_size(matrix_)}; }
  void compute(const std::function<void(Bytes)>& take) const override { transpose(matrix_, take); }

 private:
  StoredMatrix matrix_;
  ReservedAddresses addresses_;
};

}  // namespace

Bytes DerivedTensors::wire_of_source(const Derivation& derivation) const {
  return model_.input().bytes().substr(derivation.tensor_offset, derivation.tensor_size);
}

TensorFacts DerivedTensors::source_of(const Derivation& derivation) const {
  return read_tensor_facts(wire_of_source(derivation));
}

Bytes DerivedTensors::elements(const Derivation& derivation) {
  const auto [known, is_new] = by_derivation_.try_emplace(derivation);
  if (!is_new) return known->second;
  const TensorFacts source = source_of(derivation);
  StoredMatrix matrix{.bits = derivation.bits,
                      .rows = derivation.rows,
                      .columns = derivation.columns,
                      .row_bytes = derivation.row_bytes,
                      .flipped = derivation.flipped,
                      .widened = derivation.widened != 0,
                      .has_sign = derivation.has_sign != 0,
                      .matrices = derivation.matrices};
  if (source.external) {
    matrix.file = &files_.file(source.external_data.location);
    matrix.bytes = files_.elements(source);
  } else {
    matrix.file = &model_.input();
    matrix.bytes = raw_elements(model_, wire_of_source(derivation), source).value_or(Bytes());
  }
  matrix.bytes = matrix.bytes.substr(std::min(derivation.first_row * derivation.row_bytes, matrix.bytes.size()),
                                     derivation.matrices * derivation.rows * derivation.row_bytes);
  if (!matrix.has_all_rows())
    throw InvalidInput(fmt::format("{}: tensor '{}' has {} bytes, and not the {} rows of {} bytes that its shape says",
                                   model_.input().path(), source.name, matrix.bytes.size(),
                                   matrix.matrices * matrix.rows, matrix.row_bytes));
  if (transposed_size(matrix) < smallest_computed_range) {
    std::string elements;
    transpose(matrix, [&elements](Bytes block) { elements += block; });
    return known->second = model_.keep(elements);
  }
  computed_.push_back(std::make_unique<TransposedMatrix>(matrix));
  return known->second = computed_.back()->range();
}

void DerivedTensors::add_to(RangeSources& sources) const {
  for (const auto& computed : computed_) sources.add(*computed);
}

EncodedModel with_derived_elements(Model& model, const EncodedModel& encoded, DerivedTensors& derived) {
  if (!model.has_derived_tensors) return encoded;
  return rewrite_tensors(model, encoded, [&derived](const FoundTensor& tensor) -> ElementsPlace {
    const std::optional<Derivation> derivation = derivation_of(tensor.facts);
    if (!derivation) return {};
    return {ElementsPlace::Kind::in_the_model, derived.elements(*derivation)};
  });
}

}  // namespace onnx_lower
