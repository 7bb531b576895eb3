// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/derived_tensor.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "error.h"
#include "model_file/gathered_elements.h"
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

class ComputedElements final : public ComputedBytes {
 public:
  ComputedElements(uint64_t size, DerivedTensors::Compute compute)
      : size_(size), compute_(std::move(compute)), addresses_(size) {}

  Bytes range() const override { return {addresses_.begin(), size_}; }
  void compute(const std::function<void(Bytes)>& take) const override { compute_(take); }

 private:
  uint64_t size_;
  DerivedTensors::Compute compute_;
  ReservedAddresses addresses_;
};

}  // namespace

Bytes DerivedTensors::wire_of_source(const Derivation& derivation) const {
  return model_.input().bytes().substr(derivation.tensor_offset, derivation.tensor_size);
}

TensorFacts DerivedTensors::source_of(const Derivation& derivation) const {
  return read_tensor_facts(wire_of_source(derivation));
}

DerivedTensors::Source DerivedTensors::open_source(const Derivation& derivation) {
  const TensorFacts facts = source_of(derivation);
  Source source{.name = facts.name};
  if (facts.external) {
    source.file = &files_.file(facts.external_data.location);
    source.bytes = files_.elements(facts);
  } else {
    source.file = &model_.input();
    source.bytes = raw_elements(model_, wire_of_source(derivation), facts).value_or(Bytes());
  }
  return source;
}

Bytes DerivedTensors::elements(const Derivation& derivation) {
  const auto [known, is_new] = by_derivation_.try_emplace(derivation);
  if (!is_new) return known->second;
  const Source source = open_source(derivation);
  const std::optional<StoredMatrices> matrices =
      has_rows_of_words(derivation) ? std::nullopt : transposed_matrices(derivation);
  return known->second = matrices ? transposed(derivation, *matrices, source) : gathered(derivation, source);
}

Bytes DerivedTensors::transposed(const Derivation& derivation, const StoredMatrices& matrices, const Source& source) {
  const uint64_t first = std::min(matrices.first_row * matrices.row_bytes, source.bytes.size());
  const StoredMatrix matrix{.bytes = source.bytes.substr(first, matrices.matrices * matrices.rows * matrices.row_bytes),
                            .file = source.file,
                            .bits = derivation.bits,
                            .rows = matrices.rows,
                            .columns = matrices.columns,
                            .row_bytes = matrices.row_bytes,
                            .flipped = derivation.flipped,
                            .widened = derivation.widened,
                            .has_sign = derivation.has_sign,
                            .matrices = matrices.matrices};
  if (!matrix.has_all_rows())
    throw InvalidInput(fmt::format("{}: tensor '{}' has {} bytes, and not the {} rows of {} bytes that its shape says",
                                   model_.input().path(), source.name, matrix.bytes.size(),
                                   matrix.matrices * matrix.rows, matrix.row_bytes));
  return computed(transposed_size(matrix), [matrix](const Take& take) { transpose(matrix, take); });
}

Bytes DerivedTensors::gathered(const Derivation& derivation, const Source& source) {
  const GatheredElements elements{.bytes = source.bytes, .file = source.file, .how = derivation};
  if (!elements.lie_within())
    throw InvalidInput(fmt::format("{}: tensor '{}' has {} bytes, which are fewer than its shape says",
                                   model_.input().path(), source.name, source.bytes.size()));
  return computed(gathered_size(elements), [elements](const Take& take) { gather(elements, take); });
}

Bytes DerivedTensors::computed(uint64_t size, Compute compute) {
  if (size >= smallest_computed_range)
    return computed_.emplace_back(std::make_unique<ComputedElements>(size, std::move(compute)))->range();
  std::string elements;
  compute([&elements](Bytes block) { elements += block; });
  return model_.keep(elements);
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
