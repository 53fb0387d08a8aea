// A folder of one process that is removed, with all that is in it, at the end of a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace scorpio::test {

class TemporaryFolder {
 public:
  // `where`: the folder in which it is made.
  explicit TemporaryFolder(const std::filesystem::path& where = std::filesystem::temp_directory_path())
      : path_((where / "scorpio-test-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace scorpio::test
