// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/external_locations.h"

#include <fcntl.h>
#include <unistd.h>

#include <set>
#include <utility>

#include "error.h"
#include "model_file/input_file.h"
#include "model_file/message_kind.h"
#include "model_file/model_text.h"
#include "model_file/onnx_fields.h"
#include "model_file/wire.h"

namespace onnx_lower {
namespace {

using Locations = std::set<std::string, std::less<>>;

void note_location(Bytes entry, Locations& locations) {
  Bytes key, value;
  WireField field;
  for (WireReader reader(entry); reader.next(field);) {
    if (field.tag == delimited_tag(field::StringPair::key)) key = field.content;
    if (field.tag == delimited_tag(field::StringPair::value)) value = field.content;
  }
  if (key == "location" && !locations.contains(value)) locations.emplace(value);
}

void note_locations(Bytes message, MessageKind kind, int depth, Locations& locations) {
  if (depth > deepest_message) return;
  WireField field;
  for (WireReader reader(message); reader.next(field);) {
    if (field.type != WireType::length_delimited) continue;
    if (kind == MessageKind::tensor) {
      if (field.number == field::Tensor::external_data) note_location(field.content, locations);
      continue;
    }
    const FieldContent content = content_of(kind, field.number);
    if (content.kind == FieldContent::Kind::message && leads_to_tensors(content.message))
      note_locations(field.content, content.message, depth + 1, locations);
  }
}

// The content of a file, which is read where that is quicker than to map it.
InputFile content_of(const std::string& path) {
  constexpr size_t largest_read = size_t{16} << 10;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string bytes(largest_read, '\0');
  const ssize_t count = descriptor < 0 ? -1 : ::read(descriptor, bytes.data(), bytes.size());
  if (descriptor >= 0) ::close(descriptor);
  if (count < 0 || static_cast<size_t>(count) == largest_read) return InputFile::open(path);
  bytes.resize(static_cast<size_t>(count));
  return InputFile::from_bytes(path, std::move(bytes));
}

}  // namespace

std::vector<std::string> external_locations_at(const std::string& path) {
  Locations locations;
  try {
    InputFile file = content_of(path);
    if (is_text_name(path)) {
      if (file.bytes().find("location") == Bytes::npos) return {};
      file = InputFile::from_bytes(path, model_bytes_from_text(file.bytes(), path));
    }
    note_locations(file.bytes(), MessageKind::model, 0, locations);
  } catch (const Error&) {
  } catch (const MalformedMessage&) {
  }
  return {locations.begin(), locations.end()};
}

}  // namespace onnx_lower
