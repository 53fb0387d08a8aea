#include "format/hdf5/chunk_lookup.h"

#include <optional>
#include <string_view>

#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {
namespace {

herr_t read_chunk(hid_t dataset, const hsize_t* start, uint32_t& skipped) {
  std::byte unused{};  // the driver does not read
#if H5_VERSION_GE(2, 0, 0)
  size_t room = SIZE_MAX;
  return H5Dread_chunk2(dataset, H5P_DEFAULT, start, &skipped, &unused, &room);
#else
  return H5Dread_chunk(dataset, H5P_DEFAULT, start, &skipped, &unused);
#endif
}

constexpr std::string_view k_missing_in = "H5D__chunk_direct_read";

herr_t note_function(unsigned, const H5E_error2_t* error, void* is_that) {
  *static_cast<bool*>(is_that) = error->func_name == k_missing_in;
  return 1;
}

// Whether HDF5 has searched the index and found no chunk: the innermost failure is then that of the call
// itself. A failure of a function that it calls means a damaged index.
bool is_only_missing() {
  bool is_that = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_function, &is_that);
  return is_that;
}

}  // namespace

Result<FoundChunk> look_up_chunk(hid_t dataset, Image& image, const hsize_t* start) {
  uint32_t skipped = 0;
  image.note_next_read();
  const herr_t done = read_chunk(dataset, start, skipped);
  const std::optional<ByteRange> place = image.noted_read();
  if (done >= 0 && place) return FoundChunk{place->begin, place->size(), skipped};
  if (done >= 0 || !is_only_missing()) return library_failure(Code::format, "HDF5 cannot find it");
  H5Eclear2(H5E_DEFAULT);
  return FoundChunk();
}

}  // namespace scorpio::format::hdf5
