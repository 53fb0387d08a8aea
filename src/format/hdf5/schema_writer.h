// Makes the objects of an HDF5 file equal to the schema. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>
#include <vector>

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
        dimensions_(file, schema, dimensions, image.options().netcdf4),
        types_(file, schema.objects(), image.options().netcdf4) {}

  // Removes the objects that the schema no longer has.
  Status remove();
  // Creates and changes the others, after remove().
  Status write();

 private:
  Status prepare();
  void reserve_data();
  Status remove_one(const model::Removed& removed);
  std::string locate_held(const std::string& path) const;
  Status write_group(const std::string& path, model::PendingObject& pending);
  Status write_variable(int index, model::PendingObject& pending);
  Status take_space(int index, model::PendingObject& pending);
  Status write_link(const std::string& path);
  // The properties of a data set, and its list of creation properties.
  struct Form {
    model::ElementType type{};
    model::Storage storage{};
    bool filled = false;
    std::vector<std::byte> fill{};  // one element; empty: that of HDF5, zeros
    Handle list{};

    bool is_as(const Form& other) const {
      return type == other.type && storage == other.storage && filled == other.filled && fill == other.fill;
    }
  };
  Form describe(int variable) const;
  Result<hid_t> form_of(int variable, hid_t type);
  Status set_fill(const Form& form, hid_t type) const;
  Status create_variable(int index, model::PendingObject& pending);
  Result<Handle> form_of_texts(const model::Variable& variable) const;
  Status create_strings(int index, model::PendingObject& pending);
  Status attach_scales();
  Status change_attributes(const std::string& path, model::PendingObject& pending);
  Status accept_address(hid_t dataset, int variable, std::optional<ByteRange> placed);

  hid_t file_;
  Image& image_;
  model::Schema& schema_;
  Placements& placements_;
  ChunkIndex& chunks_;
  DimensionWriter dimensions_;
  TypeCache types_;
  Handle group_form_;
  Handle dataset_form_;
  Form last_form_;  // of the variable that was created last; the next one is often of the same form
};

}  // namespace scorpio::format::hdf5
