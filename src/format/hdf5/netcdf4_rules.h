// The rules of format netcdf4: what netCDF-C can define in such files, or in their classic model. Local;
// pure.
#pragma once

#include <string>

#include "base/result.h"
#include "model/schema.h"

namespace scorpio::format {

struct Netcdf4Rules {
  bool netcdf4 = false;        // false: there are no rules
  bool classic_model = false;  // also the rules of the classic model

  // As the names of classic files.
  Status check_name(const std::string& name, const char* what) const;
  // Names and paths in normalisation form C, in which netCDF-C writes them and looks them up.
  std::string stored_name(std::string name) const;
  // Whether another program has given objects of the file names in another form: they can only be found as
  // they are.
  bool has_other_names(const model::Schema& schema) const;
  Status check_group(const std::string& path) const;
  // netCDF-C reads a soft link as one more variable or group, and opens no file with one that leads nowhere.
  Status check_link(const std::string& path) const;
  Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) const;
  Status check_variable(const model::Variable& variable) const;
  Status check_attribute(const std::string& object, const std::string& name,
                         const model::Attribute& attribute) const;
};

}  // namespace scorpio::format
