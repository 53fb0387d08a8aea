// The HDF5 ids that the application gets on I/O ranks other than the metadata rank: the latest one, and
// earlier ones as long as the application has objects open through them. Local; one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "format/live_library.h"
#include "storage/data_access.h"

namespace scorpio::session {

class Mirrors {
 public:
  // Makes a new id of the file as it is in storage. Also fails if the application wrote data through an
  // earlier id.
  Status refresh(const format::LiveLibrary& library, storage::DataAccess& data, const std::string& path,
                 bool writable);
  // -1 before the first refresh().
  Result<int64_t> library_id();
  // Also closes the ids that the application still uses.
  Status close();

 private:
  Status check_unkept(const std::string& path);
  Status retire();

  std::unique_ptr<format::LibraryMirror> current_;
  std::vector<std::unique_ptr<format::LibraryMirror>> in_use_;
};

}  // namespace scorpio::session
