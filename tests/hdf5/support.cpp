#include "support.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "storage/posix_store.h"

namespace scorpio::format::test {

Hdf5Test::Hdf5Test() : store_(storage::make_posix_store()) {}

std::unique_ptr<storage::StoredFile> Hdf5Test::stored(const std::string& path, storage::OpenMode mode) {
  return take(store_->open(path, mode));
}

std::unique_ptr<MetadataFile> Hdf5Test::create(const std::string& path, Hdf5Options options) {
  return take(create_hdf5(stored(path, storage::OpenMode::create_truncate), path, options, store_.get()));
}

std::unique_ptr<MetadataFile> Hdf5Test::open(const std::string& path, bool writable, Hdf5Options options) {
  const auto mode = writable ? storage::OpenMode::read_write : storage::OpenMode::read;
  return take(open_hdf5(stored(path, mode), *store_, path, writable, options));
}

PlacedSchema Hdf5Test::load(const std::string& path) {
  auto file = open(path, false);
  PlacedSchema schema = take(file->load());
  expect_ok(file->close());
  return schema;
}

void expect_ok(const Status& status) { EXPECT_TRUE(status.ok()) << status.text(); }

model::Variable variable(const std::string& path, model::Kind kind, std::vector<int64_t> dims) {
  model::Variable made;
  made.path = path;
  made.type = model::native(kind);
  made.dims = std::move(dims);
  return made;
}

model::Attribute text_attribute(const std::string& text) {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::text, static_cast<uint32_t>(text.size()));
  const auto bytes = std::as_bytes(std::span(text));
  attribute.value.assign(bytes.begin(), bytes.end());
  return attribute;
}

model::Attribute doubles_attribute(const std::vector<double>& values) {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::float64);
  attribute.scalar = false;
  attribute.dims = {static_cast<int64_t>(values.size())};
  const auto bytes = std::as_bytes(std::span(values));
  attribute.value.assign(bytes.begin(), bytes.end());
  return attribute;
}

std::vector<double> ramp(size_t count, double start) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), start);
  return values;
}

void write_bytes(const std::string& path, uint64_t offset, const void* bytes, size_t size) {
  const int descriptor = ::open(path.c_str(), O_WRONLY);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(pwrite(descriptor, bytes, size, static_cast<off_t>(offset)), static_cast<ssize_t>(size));
  ::close(descriptor);
}

std::vector<double> stock_read(const std::string& path, const std::string& dataset) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(file, 0);
  if (file < 0) return {};
  const hid_t id = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  EXPECT_GE(id, 0) << dataset;
  std::vector<double> values;
  if (id >= 0) {
    const hid_t space = H5Dget_space(id);
    values.resize(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Dclose(id);
  }
  EXPECT_GE(H5Fclose(file), 0);
  return values;
}

haddr_t stock_address(const std::string& path, const std::string& dataset) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t id = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  EXPECT_GE(id, 0) << dataset;
  const haddr_t address = H5Dget_offset(id);
  H5Dclose(id);
  H5Fclose(file);
  return address;
}

void stock_write(hid_t file, const std::string& dataset, const std::vector<double>& values) {
  const hsize_t extent = values.size();
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  const hid_t id =
      H5Dcreate2(file, dataset.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(id, 0) << dataset;
  EXPECT_GE(H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(id);
  H5Sclose(space);
}

int run(const std::string& command, std::string* output) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return -1;
  std::array<char, 4096> buffer;
  while (const size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
    if (output != nullptr) output->append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace scorpio::format::test
