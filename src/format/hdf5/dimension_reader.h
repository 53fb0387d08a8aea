// Makes named dimensions of dimension scales. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "format/hdf5/dimension_table.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

// A data set and its information on dimensions.
struct Dataset {
  model::Variable variable;
  Placement placement{};
  hobj_ref_t self = 0;
  bool scale = false;
  bool bare = false;                 // a scale without a variable
  bool unlimited = false;            // its first dimension is unlimited ...
  uint32_t inner_unlimited = 0;      // ... and these (bit d: dimension d > 0) ...
  bool grows = false;                // ... and chunks can be added here
  std::optional<int> id{};           // id of the dimension, if it is a scale
  std::vector<hobj_ref_t> scales{};  // [ndims] 0: the dimension has no scale; empty: no information
  std::vector<int> coordinates{};    // [ndims] ids; empty: no information
};

// Costs nothing for a data set without scales. The variable still has the attributes of the netCDF-4 format.
Result<Dataset> examine_dimensions(hid_t dataset, model::Variable variable);

// The variables that can have more records, or more elements along inner dimensions: none; those over named
// dimensions; or also those whose unlimited dimensions have no name. In a file that is read, those over named
// dimensions, also if HDF5 could not extend them.
enum class Growing { none, read, named, all };

class DimensionReader {
 public:
  // Adds the dimensions of the file to the schema, each in the group of its scale.
  Result<DimensionTable> define(const std::vector<Dataset>& datasets, model::Schema& schema, Growing growing);
  // Uses the dimensions that are known already.
  void recall(hid_t file, const DimensionTable& table);

  // Sets the names of the variable's dimensions, and removes the attributes of the netCDF-4 format. `index`:
  // that of the variable in the schema.
  void name(Dataset& dataset, int index) const;

 private:
  struct Scale {
    int dimension = -1;  // -1: another name of a scale that has a dimension already
    int64_t extent = 0;
    bool unlimited = false;
  };
  const Scale* find(const Dataset& dataset, size_t at) const;
  void give_growth(const Dataset& dataset, int index, model::Variable& variable) const;
  bool fits(const Scale& scale, int64_t extent) const { return scale.unlimited || scale.extent == extent; }

  Growing growing_ = Growing::none;
  std::vector<Scale> scales_;
  std::map<hobj_ref_t, size_t> by_reference_;
  std::map<int, size_t> by_id_;
};

}  // namespace scorpio::format::hdf5
