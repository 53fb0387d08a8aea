// What the HDF5 tests share: a folder of their own, small models, and stock HDF5 as the reader.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/hdf5/hdf5_file.h"
#include "model/schema.h"
#include "storage/store.h"
#include "support/child.h"
#include "support/placed_schema.h"
#include "support/temporary_folder.h"

namespace scorpio::format::test {

using scorpio::test::PlacedSchema;

constexpr uint64_t k_block_bytes = uint64_t{1} << 20;

// A test on files of a folder of its own.
class Hdf5Test : public testing::Test {
 protected:
  Hdf5Test();

  std::unique_ptr<storage::StoredFile> stored(const std::string& path, storage::OpenMode mode);
  std::unique_ptr<MetadataFile> create(const std::string& path, Hdf5Options options = {});
  std::unique_ptr<MetadataFile> open(const std::string& path, bool writable, Hdf5Options options = {});
  // What a fresh read-only open of the file sees.
  PlacedSchema load(const std::string& path);

  scorpio::test::TemporaryFolder folder_;
  std::shared_ptr<storage::Store> store_;
};

void expect_ok(const Status& status);
template <typename T>
T take(Result<T> result) {
  expect_ok(result.status());
  if (!result.ok()) throw std::runtime_error(result.status().text());
  return std::move(result).value();
}

model::Variable variable(const std::string& path, model::Kind kind, std::vector<int64_t> dims);
model::Attribute text_attribute(const std::string& text);
model::Attribute doubles_attribute(const std::vector<double>& values);
std::vector<double> ramp(size_t count, double start = 0);

void write_bytes(const std::string& path, uint64_t offset, const void* bytes, size_t size);

// Stock HDF5, in this process, through its own driver.
std::vector<double> stock_read(const std::string& path, const std::string& dataset);
haddr_t stock_address(const std::string& path, const std::string& dataset);
void stock_write(hid_t file, const std::string& dataset, const std::vector<double>& values);
using scorpio::test::in_child;
// Exit code and output of a program that is not ours (h5dump, h5diff).
int run(const std::string& command, std::string* output = nullptr);

}  // namespace scorpio::format::test
