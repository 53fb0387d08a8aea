// Writes the named dimensions of the schema as dimension scales of the netCDF-4 format. The scale of a
// dimension is its coordinate variable (which has its name and whose first dimension it is), or else a data
// set without storage. Local; only the thread that calls SCORPIO. One object for each change of a file; its
// functions are called in the order of their declaration.
#pragma once

#include <hdf5.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/hdf5/dimension_table.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/scales.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

class DimensionWriter {
 public:
  // A file without named dimensions is not changed: `table` and the schema have none. `indexed`: as in
  // set_header_form().
  DimensionWriter(hid_t file, const model::Schema& schema, DimensionTable& table, bool indexed)
      : file_(file), schema_(schema), table_(table), indexed_(indexed) {}

  bool idle() const { return schema_.dimensions().all().empty() && table_.entries.empty(); }

  // The object is about to be removed: references to it are removed first.
  Status forget(const std::string& location);
  // Moves the variable at `location` to the location of `path`, but never to that of a scale.
  Status move(const std::string& location, const std::string& path);
  // Changes the scales of the file to those of the schema: creates, removes and renames them.
  Status update_scales();
  // The location of a variable that is not in the file yet.
  std::string place_of(const model::Variable& variable) const;
  // The variable was created, empty and without attributes. If all of its dimensions have scales, it gets the
  // references to them now, while it is open.
  Status created(int variable, hid_t dataset);
  // Whether other variables have no references yet.
  bool has_unattached();
  // Writes these, and the references of the scales to all new variables.
  Status attach();

 private:
  using Entry = DimensionTable::Entry;
  Entry& entry(int dimension) { return table_.entries[static_cast<size_t>(dimension)]; }
  const model::Dimension& dimension(int index) const { return schema_.dimensions()[index]; }
  bool in_file(int variable) const { return !schema_.pending().is_new_variable(variable); }
  std::string claim_of(int dimension) const;
  bool is_gone(int dimension) const;
  std::optional<int> coordinate_of(int dimension) const;
  bool is_coordinate(const model::Variable& variable) const;
  std::vector<int> ids_of(const model::Variable& variable) const;
  Handle open(const std::string& location) const;
  Status remove_bare(const std::string& location);
  std::map<hobj_ref_t, std::string> scales() const;

  void take_in();
  Status check(int dimension, bool growing);
  Status release(int dimension);
  Status clear_way(int dimension);
  Status provide(int dimension);
  bool waits(int dimension) const;
  Status provide_waiting();
  Status make_bare(int dimension, const std::string& path);
  Status make_coordinate(int dimension, const model::Variable& variable, hid_t dataset);
  Result<hobj_ref_t> scale_of(int dimension);
  bool has_scales(const model::Variable& variable) const;
  Status refer(int variable, hid_t dataset, const ScaleLists& before);
  Status refer_to_variables(int dimension, const std::vector<Attachment>& added);

  hid_t file_;
  const model::Schema& schema_;
  DimensionTable& table_;
  bool indexed_;
  std::map<std::string, int> claims_;             // the dimension of each location of a scale
  std::set<int> moved_;                           // dimensions whose scale has another name than before
  std::set<int> renewed_;                         // dimensions with another scale than before
  std::vector<int> waiting_;                      // unlimited dimensions whose scales come after others
  std::set<int> unattached_;                      // variables whose scales are not attached yet
  std::set<int> attached_;                        // new variables that refer to their scales
  std::map<int, std::vector<Attachment>> added_;  // by dimension; its scale has no references to them yet
  std::map<int, hobj_ref_t> references_;
  bool gathered_ = false;
};

}  // namespace scorpio::format::hdf5
