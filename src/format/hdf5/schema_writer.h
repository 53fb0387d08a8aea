// Makes the objects of an HDF5 file equal to the schema. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <optional>

#include "base/result.h"
#include "format/hdf5/chunk_index.h"
#include "format/hdf5/dimension_table.h"
#include "format/hdf5/dimension_writer.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/image.h"
#include "format/hdf5/type_cache.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

// Attributes of 64 KiB or more need the object headers of HDF5 1.8, which also record the order of creation.
// If an object has more than 8 attributes, HDF5 moves them from its header to a heap. Another number would be
// recorded in the header, and pyfive does not read such objects.
// Also for the creation list of the file, that is, of its root group. `indexed`: with an index of this order,
// as netCDF-C has.
Status set_header_form(hid_t creation_list, bool indexed);
// The same for a group.
Status set_group_form(hid_t creation_list, bool indexed);

class SchemaWriter {
 public:
  // `dimensions`: those that were read from the file, or written before; they are updated. The chunks of new
  // variables are entered in the index while the variables are open.
  SchemaWriter(hid_t file, Image& image, model::Schema& schema, Placements& placements,
               DimensionTable& dimensions, ChunkIndex& chunks)
      : file_(file),
        image_(image),
        schema_(schema),
        placements_(placements),
        chunks_(chunks),
        dimensions_(file, schema, dimensions, image.options().netcdf4) {}

  Status write();

 private:
  Status prepare();
  void reserve_data();
  Status write_removals();
  Status remove(const model::Schema::Removed& removed);
  std::string locate_held(const std::string& path) const;
  Status write_group(const std::string& path, model::PendingObject& pending);
  Status write_variable(int index, model::PendingObject& pending);
  Status write_link(const std::string& path);
  Result<Handle> form_of(int variable, hid_t type) const;
  Status set_fill(int variable, hid_t type, hid_t form) const;
  Status create_variable(int index, model::PendingObject& pending);
  Status attach_scales();
  Status change_attributes(const std::string& path, model::PendingObject& pending);
  Status settle_address(hid_t dataset, int variable, std::optional<ByteRange> placed);

  hid_t file_;
  Image& image_;
  model::Schema& schema_;
  Placements& placements_;
  ChunkIndex& chunks_;
  DimensionWriter dimensions_;
  TypeCache types_;
  Handle group_form_;
  Handle dataset_form_;
};

}  // namespace scorpio::format::hdf5
