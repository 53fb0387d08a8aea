// What the tests of this folder share: files as strings, and a place for many of them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "storage/store.h"
#include "support/temporary_folder.h"

namespace scorpio::storage::test {

using scorpio::test::TemporaryFolder;

// For tests that make many files durable: a file system in memory, where there is one.
inline std::string quick_place() {
  return ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm/" : testing::TempDir();
}

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
