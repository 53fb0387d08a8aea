// From dimension scales to named dimensions. Local; the thread that calls SCORPIO alone.
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

// A data set and what it says of dimensions.
struct Dataset {
  model::Variable variable;
  Placement placement{};
  hobj_ref_t self = 0;
  bool scale = false;
  bool bare = false;                 // a scale, and no variable
  bool unlimited = false;            // a scale that can grow
  std::optional<int> id{};           // of the dimension, if it is a scale
  std::vector<hobj_ref_t> scales{};  // [ndims] 0: that dimension has none; empty: it does not say
  std::vector<int> coordinates{};    // [ndims] ids; empty: it does not say
};

// Costs nothing for a data set without scales. The attributes of the mechanism are still the variable's.
Result<Dataset> examine_dimensions(hid_t dataset, model::Variable variable);

class DimensionReader {
 public:
  // The dimensions of a whole file join the model, each of the group that its scale is in.
  Result<DimensionTable> define(const std::vector<Dataset>& datasets, model::Schema& schema);
  // Those that are known already.
  void recall(hid_t file, const DimensionTable& table);

  // Names the extents of the variable, and takes away the attributes of the mechanism.
  void name(Dataset& dataset) const;

 private:
  struct Scale {
    int dimension = -1;  // -1: another name of a scale that has one
    int64_t extent = 0;
    bool unlimited = false;
  };
  const Scale* find(const Dataset& dataset, size_t at) const;
  bool fits(const Scale& scale, int64_t extent) const { return scale.unlimited || scale.extent == extent; }

  std::vector<Scale> scales_;
  std::map<hobj_ref_t, size_t> by_reference_;
  std::map<int, size_t> by_id_;
};

}  // namespace scorpio::format::hdf5
