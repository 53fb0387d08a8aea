#include "format/format.h"

#include "storage/data_file.h"

namespace scorpio::format {

bool Format::detect(std::span<const std::byte>) const { return false; }

std::unique_ptr<storage::DataAccess> Format::data(const DataRequest& request) const {
  return std::make_unique<storage::DataFile>(request.store, request.path, request.writable,
                                             request.block_bytes, request.counters);
}

Result<std::unique_ptr<LibraryReader>> Format::open_reader(std::unique_ptr<storage::StoredFile>,
                                                           const std::string& path) const {
  return failure(Code::internal, "{}: every variable of a file of format {} has an address", path,
                 capabilities().name);
}

}  // namespace scorpio::format
