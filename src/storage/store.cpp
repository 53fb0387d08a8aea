#include "storage/store.h"

namespace scorpio::storage {

Result<std::unique_ptr<StoredFile>> Store::create_striped(const std::string& path, const Striping&,
                                                          std::string& refused) {
  refused = "their file system has no stripes";
  return open(path, OpenMode::create_new);
}

}  // namespace scorpio::storage
