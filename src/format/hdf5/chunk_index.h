// Enters the addresses of the chunks that I/O ranks have stored in the index of HDF5. Local; only the thread
// that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/hdf5/image.h"
#include "format/layout.h"
#include "model/variables.h"
#include "storage/chunk_placement.h"

namespace scorpio::format::hdf5 {

class ChunkIndex {
 public:
  // HDF5 must not allocate space for metadata before: it must not overlap chunks that are entered later.
  ChunkIndex(hid_t file, Image& image, const model::Variables& variables, const Placements& placements,
             std::vector<storage::IndexEntry> entries);

  // The extents up to which a variable with unlimited dimensions was put, which can differ from those of
  // other variables over these dimensions; 0 along them if there are no entries.
  std::vector<int64_t> extents_of(int variable) const;
  // The entries of one variable, which was created with these extents.
  Status write_new(int variable, hid_t dataset);
  // All other entries. Their variables are in the file; those of removed variables are left out.
  Status write();
  // After a failure: the entries that were not written.
  std::vector<storage::IndexEntry> unwritten() const;

 private:
  struct Extent {
    size_t first = 0;
    size_t count = 0;
  };
  void sort();
  Extent entries_of(int variable) const;
  Status write_variable(int variable);
  Status write_entries(int variable, hid_t dataset);
  Status write_entries(int variable, hid_t dataset, const Extent& extent);
  Status write_chunk(hid_t dataset, const Placement& placement, const storage::IndexEntry& entry);
  Status move_chunk(hid_t dataset, const std::vector<hsize_t>& offset, uint32_t skipped, ByteRange before,
                    ByteRange place);

  static constexpr ByteRange k_none{0, 0};
  // Tells the image of chunks that are placed, of adjacent ones together; k_none: of the last ones.
  void pass_on(ByteRange place);
  Status provide_stand_in(uint64_t bytes);

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  hid_t file_;
  Image& image_;
  const model::Variables& variables_;
  const Placements& placements_;
  std::vector<storage::IndexEntry> entries_;  // by variable, and by address in raw space
  std::vector<int> sorted_variables_;         // [entries_] ascending; -1: of no variable, or of a removed one
  std::vector<bool> written_;                 // [entries_]
  ByteRange placed_ = k_none;                 // by HDF5, and not passed on to the image yet
  // A buffer that is passed to HDF5 in place of a chunk that is in the file already. The driver ignores the
  // write without reading the buffer, so that its pages are never accessed.
  std::unique_ptr<void, Free> stand_in_;
  uint64_t stand_in_bytes_ = 0;
};

}  // namespace scorpio::format::hdf5
