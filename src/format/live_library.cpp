#include "format/live_library.h"

namespace scorpio::format {

Status no_live_library(const std::string& path, std::string_view format) {
  return failure(Code::unsupported, "{}: option eager needs an HDF5 file; its format is {}", path, format);
}

Status no_ids_to_mirror(const std::string& path, std::string_view format) {
  return failure(Code::unsupported, "{}: its format is {}, and only HDF5 files have HDF5 ids to mirror", path,
                 format);
}

Status unkept_by_mirrors(const std::string& path, uint64_t bytes) {
  return failure(Code::state,
                 "{} bytes of data (or variable-length strings) were written to {} through the HDF5 id of an "
                 "I/O rank that only mirrors the file; they are in no file. Write them through the id of the "
                 "first I/O rank",
                 bytes, path);
}

}  // namespace scorpio::format
