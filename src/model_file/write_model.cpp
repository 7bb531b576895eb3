// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/write_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "error.h"
#include "model_file/data_copies.h"
#include "model_file/data_layout.h"
#include "model_file/derived_tensor.h"
#include "model_file/encode_model.h"
#include "model_file/external_data.h"
#include "model_file/model_text.h"
#include "model_file/onnx_fields.h"
#include "model_file/output_file.h"
#include "model_file/raw_elements.h"
#include "model_file/tensor_rewriting.h"
#include "model_file/typed_elements.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// The largest message that protobuf's parsers take.
constexpr uint64_t protobuf_limit = (uint64_t{1} << 31) - 1;

// Tensors of this size or more become external data with `split`, as they do with onnx.save.
constexpr uint64_t smallest_split_tensor = 1024;

class ModelWriter {
 public:
  ModelWriter(Model& model, const std::string& path, const WriteOptions& options)
      : model_(model),
        path_(path),
        options_(options),
        files_(model),
        derived_(model, files_),
        is_file_(is_file_output(path)) {}

  void write(const WriteProgress& progress);

 private:
  std::set<std::string_view> locations_in(const EncodedModel& encoded);
  EncodedModel with_raw_data(const EncodedModel& encoded);
  EncodedModel embed(const EncodedModel& encoded);
  EncodedModel split(const EncodedModel& encoded);
  EncodedModel split_derived(const EncodedModel& encoded);
  EncodedModel with_interim_locations(const EncodedModel& encoded);
  // The elements of a tensor that is to be in the data file; nothing if the tensor is to
  // stay in the model.
  std::optional<Bytes> elements_to_split(const FoundTensor& tensor);
  // The elements of tensors for which that is asked go into a file beside the output.
  using ElementsToSplit = std::function<std::optional<Bytes>(const FoundTensor&)>;
  EncodedModel split_into(const std::string& ending, const EncodedModel& encoded, const ElementsToSplit& elements_of);
  // Settles that a data file is written; where it is there already, that it is not.
  void write_data(const fs::path& destination, const DataLayout& layout);
  RangeSources sources() const;
  Bytes external_elements(const TensorFacts& facts);
  ElementsPlace in_the_model(const TensorFacts& facts);
  ByteRanges as_written(EncodedModel encoded);

  Model& model_;
  const std::string& path_;
  const WriteOptions& options_;
  ExternalFiles files_;
  DerivedTensors derived_;
  bool is_file_;
  std::vector<DataOutput> data_;
};

Bytes ModelWriter::external_elements(const TensorFacts& facts) {
  if (facts.data_type == onnx::TensorProto::STRING) {
    throw InvalidInput(fmt::format("{}: tensor '{}' holds strings, and has them in another file, which ONNX cannot say",
                                   model_.input().path(), facts.name));
  }
  if (const std::optional<Derivation> derivation = derivation_of(facts)) return derived_.elements(*derivation);
  return files_.elements(facts);
}

RangeSources ModelWriter::sources() const {
  RangeSources sources;
  sources.add(model_.input());
  files_.add_to(sources);
  derived_.add_to(sources);
  return sources;
}

ElementsPlace ModelWriter::in_the_model(const TensorFacts& facts) {
  if (!facts.external) return {};
  return {ElementsPlace::Kind::in_the_model, external_elements(facts)};
}

// The locations are collected anew, since a node that was lowered may have been the last to refer
// to a file.
std::set<std::string_view> ModelWriter::locations_in(const EncodedModel& encoded) {
  std::set<std::string_view> locations;
  rewrite_tensors(model_, encoded, [&locations](const FoundTensor& tensor) -> ElementsPlace {
    if (tensor.facts.external && !derivation_of(tensor.facts)) locations.insert(tensor.facts.external_data.location);
    return {};
  });
  return locations;
}

EncodedModel ModelWriter::with_raw_data(const EncodedModel& encoded) {
  return rewrite_tensors(model_, encoded, [this](const FoundTensor& tensor) -> ElementsPlace {
    const TensorFacts& facts = tensor.facts;
    const bool is_asked_for = is_among(options_.raw_types, static_cast<uint64_t>(facts.data_type));
    if (!is_asked_for || facts.external || tensor.sparse_indices || has_raw_data(tensor.wire)) return {};
    const std::optional<Bytes> elements = raw_elements(model_, tensor.wire, facts);
    if (!elements || elements->empty()) return {};
    return {ElementsPlace::Kind::in_the_model, *elements};
  });
}

EncodedModel ModelWriter::embed(const EncodedModel& encoded) {
  return rewrite_tensors(model_, encoded, [this](const FoundTensor& tensor) { return in_the_model(tensor.facts); });
}

std::optional<Bytes> ModelWriter::elements_to_split(const FoundTensor& tensor) {
  const TensorFacts& facts = tensor.facts;
  if (tensor.sparse_indices || (bits_per_element(facts.data_type) > 0 && facts.byte_size < smallest_split_tensor))
    return std::nullopt;
  if (!facts.external) return raw_elements(model_, tensor.wire, facts);
  const Bytes elements = external_elements(facts);
  if (elements.size() < smallest_split_tensor) return std::nullopt;
  return elements;
}

EncodedModel ModelWriter::split(const EncodedModel& encoded) {
  if (!is_file_) {
    throw UsageError(
        fmt::format("{}: --external-data split puts a file beside the output, and this is no file: give -o OUT",
                    path_ == "-" ? "<stdout>" : path_));
  }
  return split_into(".data", encoded, [this](const FoundTensor& tensor) { return elements_to_split(tensor); });
}

// What is derived from tensors in a data file goes into a data file, too: there are so many of them
// that the model may be too large with their elements in it. So does what goes with a text, which
// cannot say elements of less than 8 bits.
EncodedModel ModelWriter::split_derived(const EncodedModel& encoded) {
  if (!model_.has_derived_tensors || !is_file_) return encoded;
  const bool is_text = is_text_name(path_);
  return split_into(derived_data_ending, encoded, [&](const FoundTensor& tensor) -> std::optional<Bytes> {
    const std::optional<Derivation> derivation = derivation_of(tensor.facts);
    if (!derivation) return std::nullopt;
    const bool is_large = tensor.facts.byte_size >= smallest_split_tensor;
    if (!is_text && !(is_large && derived_.come_from_data_file(*derivation))) return std::nullopt;
    return derived_.elements(*derivation);
  });
}

EncodedModel ModelWriter::split_into(const std::string& ending, const EncodedModel& encoded,
                                     const ElementsToSplit& elements_of) {
  const std::string location = fs::path(path_).filename().string() + ending;
  // The elements of each tensor. Elements that had to be converted are needed twice, and must lie
  // at the same address both times.
  std::vector<std::optional<Bytes>> elements;
  DataLayout layout;
  rewrite_tensors(model_, encoded, [&](const FoundTensor& tensor) -> ElementsPlace {
    elements.push_back(elements_of(tensor));
    if (elements.back()) layout.add(*elements.back());
    return {};
  });
  layout.arrange();
  const bool is_complete = options_.external_data == ExternalDataMode::split;
  if (layout.size() == 0 && !is_complete) return encoded;
  write_data(data_folder_of(path_) / location, layout);

  size_t next = 0;
  return rewrite_tensors(model_, encoded, [&](const FoundTensor& tensor) -> ElementsPlace {
    const std::optional<Bytes>& leaving = elements[next++];
    if (leaving) return {ElementsPlace::Kind::in_a_file, {}, location, layout.offset_of(*leaving), leaving->size()};
    return is_complete ? in_the_model(tensor.facts) : ElementsPlace();
  });
}

void ModelWriter::write_data(const fs::path& destination, const DataLayout& layout) {
  std::error_code error;
  const bool exists = fs::exists(destination, error);
  if (exists && !fs::is_regular_file(destination, error))
    throw FileError(fmt::format("{}: is in the way of the external data", destination.string()));
  bool is_there = layout.size() == 0;
  for (const ExternalData& data : model_.external_data) {
    const InputFile& file = files_.file(data.location);
    if (!exists || !fs::equivalent(file.path(), destination, error)) continue;
    is_there |= layout.is_content_of(file.bytes());
    if (!is_there && !fs::equivalent(model_.input().path(), path_, error)) {
      throw FileError(fmt::format("{}: holds external data of {}; the output needs another name", destination.string(),
                                  model_.input().path()));
    }
    break;
  }
  if (exists && !is_there && !is_replaceable(present_data_files(model_, path_), destination)) {
    is_there = layout.equals(InputFile::open(destination.string()).bytes(), sources());
    if (!is_there) throw other_data(destination, "or give the output another name");
  }
  if (!is_there) data_.push_back({destination, layout.ranges()});
}

EncodedModel ModelWriter::with_interim_locations(const EncodedModel& encoded) {
  return rewrite_tensors(model_, encoded, [this](const FoundTensor& tensor) -> ElementsPlace {
    if (!tensor.facts.external || derivation_of(tensor.facts)) return {};
    const ExternalData& data = tensor.facts.external_data;
    const fs::path destination = (data_folder_of(path_) / data.location).lexically_normal();
    const auto moved = std::find_if(data_.begin(), data_.end(), [&destination](const DataOutput& file) {
      return file.destination.lexically_normal() == destination && !file.interim_name.empty();
    });
    if (moved == data_.end()) return {};
    const fs::path location = fs::path(data.location).replace_filename(moved->interim_name.filename());
    return {ElementsPlace::Kind::in_a_file,
            {},
            location.string(),
            data.offset,
            data.length >= 0 ? std::optional(static_cast<uint64_t>(data.length)) : std::nullopt};
  });
}

ByteRanges ModelWriter::as_written(EncodedModel encoded) {
  if (!path_.ends_with(".onnxtxt")) return std::move(encoded.ranges);
  std::string bytes;
  for (const Bytes range : encoded.ranges)
    for_each_part(range, sources(), [&bytes](Bytes part) { bytes.append(part); });
  return {model_.keep(model_text_from_bytes(bytes, path_))};
}

void ModelWriter::write(const WriteProgress& progress) {
  check_output_is_no_data(model_, path_, options_.external_data == ExternalDataMode::keep);
  EncodedModel encoded = encode_model(model_);
  if (has_typed_elements(model_, options_.raw_types)) encoded = with_raw_data(encoded);
  DataCopies copies;
  switch (options_.external_data) {
    case ExternalDataMode::keep:
      if (is_file_ && !model_.external_data.empty() && changes_folder(model_, path_))
        copies = data_copies(model_, locations_in(encoded), path_, files_);
      data_ = std::move(copies.files);
      encoded = split_derived(encoded);
      break;
    case ExternalDataMode::embed:
      encoded = embed(encoded);
      break;
    case ExternalDataMode::split:
      encoded = split(encoded);
      break;
  }
  EncodedModel for_interim;  // for data files that need an interim model
  if (!data_.empty()) for_interim = encoded;
  if (options_.external_data == ExternalDataMode::keep) encoded = with_derived_elements(model_, encoded, derived_);
  if (encoded.size > protobuf_limit) {
    throw FileError(
        fmt::format("{}: would be {} bytes, and no reader of ONNX takes a file of 2 GiB or more{}", path_, encoded.size,
                    options_.external_data == ExternalDataMode::split ? ", even without the data of its large tensors"
                                                                      : ": add --external-data split"));
  }

  const RangeSources sources = this->sources();
  ModelOutput output;
  output.ranges = as_written(std::move(encoded));
  uint64_t total = 0;
  for (const Bytes range : output.ranges) total += range.size();
  for (const DataOutput& file : data_) {
    for (const Bytes range : file.ranges) total += range.size();
  }
  uint64_t done = 0;
  const BytesWritten written = [&](uint64_t count) {
    done += count;
    if (progress) progress(done, std::max(done, total));
  };
  if (!is_file_) {
    write_stream(path_, output.ranges, sources, written);
    return;
  }
  output.destination = output_destination(path_);
  choose_interim_names(model_, path_, data_);
  const bool in_two_steps =
      std::any_of(data_.begin(), data_.end(), [](const DataOutput& file) { return !file.interim_name.empty(); });
  if (in_two_steps)
    output.interim_ranges = as_written(with_derived_elements(model_, with_interim_locations(for_interim), derived_));
  output.data = std::move(data_);
  output.folders = std::move(copies.folders);
  write_files(output, sources, written, options_.sync);
}

}  // namespace

void write_model(Model& model, const std::string& path, const WriteOptions& options, const WriteProgress& progress) {
  try {
    ModelWriter(model, path, options).write(progress);
  } catch (const MalformedMessage& problem) {
    throw InvalidInput(fmt::format("{}: {}", model.input().path(), problem.what()));
  }
}

}  // namespace onnx_lower
