// The ids that an I/O rank other than the metadata rank lends to clients: one of now, and earlier ones while
// clients hold objects open on them. Local; one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "format/live_library.h"
#include "storage/data_access.h"

namespace scorpio::session {

class Mirrors {
 public:
  // A fresh id of the file as it is in storage. Fails also when a client wrote data through an earlier id.
  Status refresh(const format::LiveLibrary& library, storage::DataAccess& data, const std::string& path,
                 bool writable);
  // -1: there was no refresh yet.
  Result<int64_t> library_id();
  // Also those that clients still use.
  Status close();

 private:
  Status check_unkept(const std::string& path);
  Status retire();

  std::unique_ptr<format::LibraryMirror> current_;
  std::vector<std::unique_ptr<format::LibraryMirror>> in_use_;
};

}  // namespace scorpio::session
