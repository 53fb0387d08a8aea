// What the tests of this folder share: a folder that is gone afterwards, and files as strings.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "storage/store.h"

namespace scorpio::storage::test {

// For tests that make many files durable: a file system in memory, where there is one.
inline std::string quick_place() {
  return ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm/" : testing::TempDir();
}

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& where = testing::TempDir())
      : path_(where + "scorpio-storage-XXXXXX") {
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

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string read_text(StoredFile& file, uint64_t offset, size_t bytes) {
  std::string text(bytes, '?');
  const auto got = file.read_at(std::as_writable_bytes(std::span(text.data(), text.size())), offset);
  EXPECT_TRUE(got.ok()) << got.status().text();
  text.resize(got.ok() ? *got : 0);
  return text;
}

// All of a file; "(absent)" if there is none.
inline std::string contents(Store& store, const std::string& path) {
  auto file = store.open(path, OpenMode::read);
  if (file.status().code() == Code::not_found) return "(absent)";
  EXPECT_TRUE(file.ok()) << file.status().text();
  if (!file.ok()) return "(failed)";
  const auto size = (*file)->size();
  EXPECT_TRUE(size.ok());
  return read_text(**file, 0, size.ok() ? *size : 0);
}

inline void make_file(Store& store, const std::string& path, std::string_view text) {
  auto file = store.open(path, OpenMode::create_truncate);
  ASSERT_TRUE(file.ok()) << file.status().text();
  ASSERT_TRUE((*file)->write_at(bytes_of(text), 0).ok());
  ASSERT_TRUE((*file)->close().ok());
}

inline bool mentions(const Status& status, std::string_view what) {
  return status.text().find(what) != std::string::npos;
}

}  // namespace scorpio::storage::test
