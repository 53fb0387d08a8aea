// An optional interface of formats whose library has ids of open files, which the application can use in
// addition to this library. The terms for these ids are defined here, because messages for files of any
// format use them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/metadata_file.h"
#include "storage/store.h"

namespace scorpio::format {

class LiveLibrary {
 public:
  // `writable`: whether the application may create objects through the id. The file is complete in storage.
  virtual Result<std::unique_ptr<LibraryMirror>> open_mirror(std::unique_ptr<storage::StoredFile> file,
                                                             const std::string& path,
                                                             bool writable) const = 0;

 protected:
  ~LiveLibrary() = default;
};

// "{} has no ..."
inline constexpr const char* k_live_id = "live HDF5 id";
inline constexpr const char* k_mirrored_ids = "HDF5 ids to mirror";

// An eager file of `format`, which has no live library.
Status no_live_library(const std::string& path, std::string_view format);
// The failure for a file of `format`, whose ids cannot be mirrored because it has none.
Status no_ids_to_mirror(const std::string& path, std::string_view format);
// The failure after the application wrote data through the id of a mirror, which are not stored in the file.
Status unkept_by_mirrors(const std::string& path, uint64_t bytes);

}  // namespace scorpio::format
