// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/model_text.h"

#include <fmt/format.h>
#include <google/protobuf/util/message_differencer.h>

#include <charconv>
#include <exception>
#include <initializer_list>

#include "error.h"
#include "onnx/defs/parser.h"
#include "onnx/defs/printer.h"
#include "source_text/source_position.h"
#include "source_text/source_tokens.h"

namespace onnx_lower {
namespace {

// onnx's parser recurses for every nested bracket. This limit is far below what the stack can take.
constexpr int deepest_brackets = 400;

void check_brackets(Bytes text, const std::string& path) {
  int depth = 0;
  for (const SourceToken& token : source_tokens(text)) {
    if (token.is("{") || token.is("(") || token.is("[")) ++depth;
    if (token.is("}") || token.is(")") || token.is("]")) --depth;
    if (depth > deepest_brackets) {
      throw InvalidInput(
          message_at(text, path, token.offset, fmt::format("brackets nest more than {} deep here", deepest_brackets)));
    }
  }
}

// onnx's parser, with access to its position, which it does not make public.
class TextParser : public onnx::OnnxParser {
 public:
  explicit TextParser(Bytes text) : OnnxParser(text), text_(text) {}

  // The offset of the last word that the parser has read.
  size_t last_word() const {
    size_t offset = 0;
    for (const SourceToken& token : source_tokens(text_.substr(0, pos_))) {
      if (token.kind != SourceToken::Kind::comment) offset = token.offset;
    }
    return offset;
  }

 private:
  Bytes text_;
};

// The offset that an error of onnx's parser names, which looks like
// "[ParseError at position (line: 3 column: 7)]\nError context: …\nMESSAGE". `message` becomes its
// MESSAGE.
size_t offset_of(Bytes text, std::string_view status, std::string& message) {
  const auto number_after = [&](std::string_view key) {
    const size_t at = status.find(key);
    size_t number = 1;
    if (at != std::string_view::npos)
      std::from_chars(status.data() + at + key.size(), status.data() + status.size(), number);
    return number;
  };
  const size_t line = number_after("line: ");
  const size_t column = number_after("column: ");
  message = status.substr(status.rfind('\n') + 1);
  size_t offset = 0;
  for (size_t k = 1; k < line; ++k) offset = std::min(text.find('\n', offset), text.size() - 1) + 1;
  return std::min(offset + column - 1, text.size());
}

// What `model` has and its text lacks, where `read` is the model that was read back from the text:
// a path for the message, empty when nothing but remarks (doc strings, metadata) is missing. The
// elements of tensors are not compared: the text may write them into other fields.
std::string unsaid(const onnx::ModelProto& model, const onnx::ModelProto& read) {
  using google::protobuf::util::MessageDifferencer;
  MessageDifferencer differencer;
  differencer.set_message_field_comparison(MessageDifferencer::EQUIVALENT);
  const auto ignore = [&differencer](const google::protobuf::Descriptor* type,
                                     std::initializer_list<const char*> fields) {
    for (const char* field : fields) differencer.IgnoreField(type->FindFieldByName(field));
  };
  ignore(onnx::TensorProto::descriptor(), {"name", "raw_data", "float_data", "int32_data", "int64_data", "double_data",
                                           "uint64_data", "string_data", "doc_string", "metadata_props"});
  ignore(onnx::ModelProto::descriptor(), {"doc_string", "metadata_props"});
  ignore(onnx::GraphProto::descriptor(), {"doc_string", "metadata_props"});
  ignore(onnx::FunctionProto::descriptor(), {"doc_string", "metadata_props", "value_info"});
  ignore(onnx::NodeProto::descriptor(), {"doc_string", "metadata_props"});
  ignore(onnx::ValueInfoProto::descriptor(), {"doc_string", "metadata_props"});
  ignore(onnx::AttributeProto::descriptor(), {"doc_string"});
  std::string differences;
  differencer.ReportDifferencesToString(&differences);
  if (differencer.Compare(model, read)) return {};
  // The report starts with "deleted: functions[0].attribute_proto[0]: { … }", and has a line for
  // each further difference.
  const size_t begin = differences.find(": ") + 2;
  return differences.substr(begin, differences.find(": ", begin) - begin);
}

}  // namespace

std::string model_bytes_from_text(Bytes text, const std::string& path) {
  text = without_byte_order_mark(text);
  if (const size_t odd = find_non_text(text); odd != std::string_view::npos) {
    throw InvalidInput(
        message_at(text, path, odd, "this is no text; ONNX's textual syntax is expected in a file of this name"));
  }
  check_brackets(text, path);
  onnx::ModelProto model;
  TextParser parser(text);
  onnx::Common::Status status;
  try {
    status = parser.Parse(model);
    if (status.IsOK() && !parser.EndOfInput())
      status = parser.ParseError("a function or the end of the text is expected here");
  } catch (const std::exception&) {
    throw InvalidInput(message_at(text, path, parser.last_word(), "this number is too large"));
  }
  if (!status.IsOK()) {
    std::string message;
    const size_t offset = offset_of(text, status.ErrorMessage(), message);
    throw InvalidInput(message_at(text, path, offset, message));
  }
  return model.SerializeAsString();
}

std::string model_text_from_bytes(const std::string& bytes, const std::string& path) {
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) {
    throw InvalidInput(
        fmt::format("{}: the model is too large, or its subgraphs are nested too deep, to be written as text", path));
  }
  std::string text = onnx::ProtoToString(model);
  const auto fail = [&path](const std::string& what) {
    throw InvalidInput(
        fmt::format("{}: ONNX's textual syntax cannot say all of the model; write an .onnx file: {}", path, what));
  };
  // The printer writes texts that the parser does not read, and leaves out what the syntax cannot
  // say: the text is read back to find out.
  std::string read_bytes;
  try {
    read_bytes = model_bytes_from_text(text, path);
  } catch (const InvalidInput& problem) {
    fail(problem.what());
  }
  onnx::ModelProto read;
  read.ParseFromString(read_bytes);
  if (const std::string field = unsaid(model, read); !field.empty()) fail(field);
  if (onnx::ProtoToString(read) != text) fail("the elements of a tensor");
  return text;
}

}  // namespace onnx_lower
