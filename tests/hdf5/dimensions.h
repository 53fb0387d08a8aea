// What the tests of named dimensions share: models over dimensions, and readers that are not ours.
#pragma once

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support.h"

namespace scorpio::format::test {

using NamedDims = std::map<std::string, std::vector<std::string>>;  // [path of variable][ndims], "-": no name

class DimensionsTest : public Hdf5Test {
 protected:
  DimensionsTest() : path_(folder_ / "dims.nc") {}

  int dimension(const std::string& name, int64_t extent) {
    return take(schema_.add_dimension({name, extent, false}));
  }

  // Placed after the earlier definitions, as in a file that is not eager.
  int define(const std::string& path, const std::vector<std::string>& dimensions,
             model::Kind kind = model::Kind::float64) {
    model::Variable made = variable(path, kind, {});
    for (const std::string& name : dimensions) {
      const int index = schema_.dimensions().find(name).value();
      made.dimensions.push_back(index);
      made.dims.push_back(schema_.dimensions()[index].extent);
    }
    const uint64_t address = next_;
    next_ += (made.bytes() + 7) / 8 * 8;
    return take(schema_.add_variable_at(address, std::move(made)));
  }

  void put_text(const std::string& object, const std::string& name, const std::string& text) {
    expect_ok(schema_.put_attribute(object, name, text_attribute(text)));
  }

  // The file gets what was defined so far.
  void write(MetadataFile& file) {
    expect_ok(file.apply(schema_, schema_.placements, next_));
    expect_ok(file.flush());
  }
  void write_all() {
    auto file = create(path_);
    write(*file);
    expect_ok(file->close());
  }
  void reopen_and(const std::function<void()>& change) {
    auto file = open(path_, true);
    schema_ = take(file->load());
    schema_.clear_pending();
    next_ = (file->end_of_allocation() + 7) / 8 * 8;
    change();
    write(*file);
    expect_ok(file->close());
  }

  std::string path_;
  PlacedSchema schema_;
  uint64_t next_ = k_block_bytes;
};

// "lat = 3, time = 2+": in order; + says unlimited.
std::string dimensions_of(const model::Schema& schema);
NamedDims named_dims(const model::Schema& schema);
// Names of the object's attributes in their order, which has to be 1, 2, ...
std::vector<std::string> attributes_in_order(const model::Schema& schema, const std::string& object);

// What netCDF-C says of the file, without its first line (the name); lines without leading blanks.
std::string ncdump(const std::string& path, const std::string& options = "-h");
void ncgen(const std::string& path, const std::string& text);
// Empty: there is none here.
const std::string& python_with_h5py();
// Every scale and what it is attached to, as h5py finds it: checks that both directions agree. Empty: there
// is no h5py here.
std::string scales_by_h5py(const std::string& path);
void expect_scales(const std::string& path, const std::string& expected);

}  // namespace scorpio::format::test
