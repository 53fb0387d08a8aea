// Tells HDF5 where the chunks of variables lie that I/O ranks have stored. Local; the thread that calls
// SCORPIO alone.
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

  // Before HDF5 takes space for metadata: nothing of it may fall on chunks that are to be described later.
  void reserve(std::span<const storage::IndexEntry> entries);
  // The variables of all entries are in the file. Those of removed variables are left out.
  Status write(std::vector<storage::IndexEntry> entries);

 private:
  Status write_variable(int variable, std::span<const storage::IndexEntry> entries);
  Status write_chunk(hid_t dataset, const ChunkForm& form, uint64_t begin, const storage::IndexEntry& entry);
  Status move_chunk(hid_t dataset, const std::vector<hsize_t>& offset, uint32_t skipped, ByteRange before,
                    ByteRange place);

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  hid_t file_;
  Image& image_;
  const model::Schema& schema_;
  const Placements& placements_;
  // What HDF5 is given in place of a chunk that is in the file already: the driver drops it unread, so that
  // its pages are never touched.
  std::unique_ptr<void, Free> stand_in_;
};

}  // namespace scorpio::format::hdf5
