#include "format/format.h"

namespace scorpio::format {

Result<std::unique_ptr<LibraryReader>> Format::open_reader(std::unique_ptr<storage::StoredFile>,
                                                           const std::string& path) const {
  return failure(Code::internal, "{}: every variable of a file of format {} has an address", path,
                 capabilities().name);
}

}  // namespace scorpio::format
