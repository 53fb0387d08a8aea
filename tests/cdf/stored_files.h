// Classic netCDF files made through a layout and a CdfFile, as a session does it on one rank.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "defining.h"
#include "format/cdf/cdf_file.h"
#include "format/cdf/cdf_layout.h"
#include "format/cdf/schema_header.h"
#include "oracle_script.h"
#include "storage/posix_store.h"
#include "support/placed_schema.h"
#include "support/temporary_folder.h"

namespace scorpio::format::cdf::test {

using scorpio::test::PlacedSchema;

class StoredFiles : public testing::Test {
 protected:
  StoredFiles() : store_(storage::make_posix_store()) {}

  std::unique_ptr<storage::StoredFile> stored(const std::string& path, storage::OpenMode mode) {
    return take(store_->open(path, mode));
  }
  std::unique_ptr<MetadataFile> create(const std::string& path, Version version,
                                       const MetadataOptions& options = {}) {
    return take(
        create_cdf(stored(path, storage::OpenMode::create_truncate), path, version, options, store_.get()));
  }
  std::unique_ptr<MetadataFile> open(const std::string& path, bool writable,
                                     const MetadataOptions& options = {}) {
    const auto mode = writable ? storage::OpenMode::read_write : storage::OpenMode::read;
    return take(open_cdf(stored(path, mode), *store_, path, writable, options));
  }
  PlacedSchema load(const std::string& path) {
    const auto file = open(path, false);
    PlacedSchema schema = take(file->load());
    expect_ok(file->close());
    return schema;
  }
  // Its header, as this library would write it.
  Header load_header(const std::string& path, Version version) {
    const PlacedSchema schema = load(path);
    return take(to_header(schema, version, schema.placements));
  }
  // Makes the file of `header`, unplaced, without data; the header as it was placed.
  Header make(const std::string& path, const Header& header);

  scorpio::test::TemporaryFolder folder_;
  std::shared_ptr<storage::Store> store_;
};

std::vector<std::byte> all_bytes(const std::string& path);
void write_bytes(const std::string& path, uint64_t offset, const std::vector<std::byte>& bytes);

}  // namespace scorpio::format::cdf::test
