// The rules of HDF5 files for definitions: what HDF5 and, in format netcdf4, netCDF-C can hold. Local; pure.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "format/hdf5/netcdf4_rules.h"
#include "model/schema.h"

namespace scorpio::format {

class Hdf5Rules {
 public:
  // `eager`: objects are created in the file when they are defined, and the file has no chunks.
  Hdf5Rules(const Netcdf4Rules& netcdf4, bool eager) : netcdf4_(netcdf4), eager_(eager) {}

  bool eager() const { return eager_; }
  bool netcdf4() const { return netcdf4_.netcdf4; }
  // The contents of an opened file, whose form and names later definitions keep to.
  void found(const model::Schema& schema);
  // Names and paths in the form in which they are stored.
  std::string stored_name(std::string name) const;

  Status check_group(const model::Schema& schema, const std::string& path) const;
  Status check_link(const model::Schema& schema, const std::string& path) const;
  Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) const;
  // Also sets which dimensions of the variable are unlimited, and their lengths.
  Status check_variable(const model::Schema& schema, model::Variable& variable) const;
  // For a variable with an unlimited dimension, which is stored in chunks.
  static Status check_divisible(const model::Dimensions& dimensions, const model::Variable& variable);
  Status check_attribute(const model::Schema& schema, const std::string& object, const std::string& name,
                         const model::Attribute& attribute) const;
  Status check_attribute_name(const model::Schema& schema, const std::string& object,
                              const std::string& name) const;
  static Status check_removal(const model::Schema& schema, const std::string& path);
  Status check_rename(const std::string& name) const;
  // Whether the file can store this number of records.
  static Status check_records(const std::string& variable, uint64_t records);
  // Whether the variable can be stored in either byte order.
  Status check_byte_order(const model::Variable& variable) const;
  // Whether the variable can be stored in chunks, and whether these can have filters.
  Status check_chunks(const model::Variable& variable) const;
  static Status check_filters(const model::Variable& variable);

 private:
  Status check_unlimited_dimension(const model::Variable& variable, const model::Dimension& dimension,
                                   size_t at) const;

  Netcdf4Rules netcdf4_;
  bool eager_;
  bool names_as_given_ = false;  // the file has names of another form than those that netCDF-C stores
};

}  // namespace scorpio::format
