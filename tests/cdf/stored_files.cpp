#include "stored_files.h"

#include <filesystem>
#include <fstream>

namespace scorpio::format::cdf::test {

Header StoredFiles::make(const std::string& path, const Header& header) {
  model::Schema schema;
  const auto layout = make_cdf_layout(header.version, {});
  define(*layout, schema, header);
  EXPECT_FALSE(take(layout->end_definitions(schema)).needed);
  grow_records(schema, static_cast<int64_t>(header.records));
  const auto file = create(path, header.version);
  expect_ok(file->apply(schema, layout->placements(), layout->end_of_data(schema)));
  expect_ok(file->close());
  return take(to_header(schema, header.version, layout->placements()));
}

std::vector<std::byte> all_bytes(const std::string& path) {
  return first_bytes(path, std::filesystem::file_size(path));
}

void write_bytes(const std::string& path, uint64_t offset, const std::vector<std::byte>& bytes) {
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(offset));
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_TRUE(out.good());
}

}  // namespace scorpio::format::cdf::test
