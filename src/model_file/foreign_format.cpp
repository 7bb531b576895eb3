// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/foreign_format.h"

#include <algorithm>
#include <array>

namespace onnx_lower {
namespace {

struct Format {
  std::string_view magic;
  size_t offset;
  std::string_view description;
};

constexpr std::array<Format, 9> formats = {
    Format{"version https://git-lfs", 0, "it is the pointer that Git LFS leaves in a model's place: run git lfs pull"},
    Format{"\x1f\x8b", 0, "it is compressed with gzip: unpack it first"},
    Format{"PK\x03\x04", 0, "it is a zip archive, or a PyTorch file: unpack it, or export it to ONNX first"},
    Format{"\x28\xb5\x2f\xfd", 0, "it is compressed with zstd: unpack it first"},
    Format{"ORTM", 4, "it is in ONNX Runtime's own format (.ort): lower the .onnx file that it was made of"},
    Format{"TFL3", 4, "it is a TensorFlow Lite model: convert it to ONNX first"},
    Format{"\x89HDF", 0, "it is an HDF5 file: convert it to ONNX first"},
    Format{"<!DOCTYPE", 0, "it is a web page: was the download refused?"},
    Format{"<html", 0, "it is a web page: was the download refused?"}};

}  // namespace

std::string_view foreign_format(Bytes bytes) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format& format) {
    return bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.magic);
  });
  return found == formats.end() ? std::string_view() : found->description;
}

}  // namespace onnx_lower
