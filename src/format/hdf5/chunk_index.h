// Enters the addresses of the chunks that I/O ranks have stored in the index of HDF5. Local; only the thread
// that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/hdf5/image.h"
#include "format/layout.h"
#include "model/schema.h"
#include "storage/data_access.h"

namespace scorpio::format::hdf5 {

class ChunkIndex {
 public:
  ChunkIndex(hid_t file, Image& image, const model::Schema& schema, const Placements& placements)
      : file_(file), image_(image), schema_(schema), placements_(placements) {}

  // Called before HDF5 allocates space for metadata, which must not overlap chunks that are entered later.
  void reserve(std::span<const storage::IndexEntry> entries);
  // The variables of all entries are in the file. Those of removed variables are left out.
  Status write(std::vector<storage::IndexEntry> entries);

 private:
  Status write_variable(int variable, std::span<const storage::IndexEntry> entries);
  static Status extend(hid_t dataset, const model::Variable& variable,
                       std::span<const storage::IndexEntry> entries);
  Status write_chunk(hid_t dataset, const Placement& placement, const storage::IndexEntry& entry);
  Status move_chunk(hid_t dataset, const std::vector<hsize_t>& offset, uint32_t skipped, ByteRange before,
                    ByteRange place);

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  hid_t file_;
  Image& image_;
  const model::Schema& schema_;
  const Placements& placements_;
  // A buffer that is passed to HDF5 in place of a chunk that is in the file already. The driver ignores the
  // write without reading the buffer, so that its pages are never accessed.
  std::unique_ptr<void, Free> stand_in_;
};

}  // namespace scorpio::format::hdf5
