#include "model_file/write_model.h"

#include <fmt/format.h>

#include "error.h"
#include "model_file/encode_model.h"
#include "model_file/external_data.h"
#include "model_file/model_text.h"
#include "model_file/output_file.h"

namespace onnx_lower {
namespace {

// What protobuf's parsers take as one message.
constexpr uint64_t protobuf_limit = (uint64_t{1} << 31) - 1;

}  // namespace

void write_model(Model& model, const std::string& path) {
  const EncodedModel encoded = encode_model(model);
  if (path.ends_with(".onnxtxt")) {
    std::string bytes;
    for (const Bytes range : encoded.ranges) bytes.append(range);
    const std::string text = model_text_from_bytes(bytes, path);
    copy_external_data(model, path);
    write_output(path, {text}, text.size(), model.input());
    return;
  }
  if (encoded.size > protobuf_limit) {
    throw FileError(
        fmt::format("{}: would be {} bytes, and no reader of ONNX takes a file of 2 GiB or more", path, encoded.size));
  }
  copy_external_data(model, path);
  write_output(path, encoded.ranges, encoded.size, model.input());
}

}  // namespace onnx_lower
