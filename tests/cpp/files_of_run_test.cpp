// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "files_of_run.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include "catch.h"
#include "model_file/pending_file.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// The message of the clash of these two, or nothing.
std::string clash(FileUse first, const std::string& path, FileUse second, const std::string& other, bool one_owner,
                  const std::string& source = {}) {
  FilesOfRun files(false);
  const FilesOfRun::Owner a = files.add_model("a.onnx");
  const FilesOfRun::Owner b = one_owner ? a : files.add_model("b.onnx");
  try {
    files.add(a, first, path, source);
    files.add(b, second, other, source);
    files.check_links_and_folders();
    return {};
  } catch (const FileClash& found) {
    return found.what();
  }
}

TEST_CASE("two uses of a file go together where nothing is lost") {
  const TemporaryFolder folder("files_of_run_test");
  const std::string path = folder.write("x", "content");
  const std::string same = folder.write("same", "content");
  const std::string other = folder.write("other", "CONTENT");
  const auto meets = [&](FileUse first, FileUse second, bool one_owner = false, const std::string& source = {}) {
    const std::string message = clash(first, path, second, path, one_owner, source);
    CHECK(message == clash(first, path, second, path, one_owner, source));
    if (!message.empty()) CHECK_THAT(message, Catch::Contains("a.onnx") && Catch::Contains("\n"));
    return message.empty();
  };
  CHECK(meets(FileUse::model, FileUse::data));
  CHECK_FALSE(meets(FileUse::model, FileUse::output));
  CHECK_FALSE(meets(FileUse::model, FileUse::output, true));
  CHECK(meets(FileUse::data, FileUse::split_data, true));
  CHECK_FALSE(meets(FileUse::data, FileUse::split_data));
  CHECK(meets(FileUse::copied_data, FileUse::copied_data, false, other));
  CHECK(meets(FileUse::data, FileUse::copied_data, false, same));
  CHECK_FALSE(meets(FileUse::data, FileUse::copied_data, false, other));
  CHECK(meets(FileUse::present_data, FileUse::copied_data, false, other));
  CHECK_FALSE(meets(FileUse::present_data, FileUse::output));
  CHECK_FALSE(meets(FileUse::output, FileUse::record, true));
  CHECK(clash(FileUse::output, "-", FileUse::model, "-", false).empty());
}

TEST_CASE("files are compared by what they are") {
  const TemporaryFolder folder("files_of_run_test");
  const std::string path = folder.write("sub/x", "content");
  fs::create_symlink("sub", folder.file("alias"));
  fs::create_symlink("alias/x", folder.file("link"));
  fs::create_symlink("circle", folder.file("circle"));
  fs::create_hard_link(path, folder.file("hard"));
  for (const char* const name : {"sub/../sub/./x", "alias/x", "link", "hard", "alias/../link"}) {
    INFO(name);
    CHECK_FALSE(clash(FileUse::data, path, FileUse::output, folder.file(name), false).empty());
    CHECK_FALSE(clash(FileUse::output, folder.file(name), FileUse::data, path, false).empty());
  }
  CHECK(clash(FileUse::data, path, FileUse::output, folder.file("sub/X"), false).empty());
  CHECK(clash(FileUse::data, path, FileUse::output, folder.file("circle"), false).empty());
  CHECK(clash(FileUse::model, path, FileUse::output, folder.file("hard"), true).empty());
  CHECK_FALSE(clash(FileUse::output, folder.file("new"), FileUse::output, folder.file("new/y"), false).empty());
  CHECK_FALSE(ignores_case(folder.file("sub/new/newer")));
}

TEST_CASE("a file that appears while another is written is not replaced") {
  const TemporaryFolder folder("files_of_run_test");
  const auto written = [&](const std::string& name, const std::string& meanwhile) {
    PendingFile file(folder.file(name));
    CHECK(::write(file.descriptor(), "new", 3) == 3);
    file.finish(true);
    folder.write(name + ".other", meanwhile);
    fs::rename(folder.file(name + ".other"), folder.file(name));
    file.publish();
  };
  CHECK_THROWS_AS(written("a", "somebody's"), FileError);
  CHECK(folder.read("a") == "somebody's");
  CHECK_THROWS_AS(written("a", "another's"), FileError);
  CHECK(folder.read("a") == "another's");
  written("a", "new");
  CHECK(folder.read("a") == "new");
}

}  // namespace
}  // namespace onnx_lower
