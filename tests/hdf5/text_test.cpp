// Types of text in new files: attributes as netCDF-C makes them, variables padded or terminated; all bytes
// come back.
#include <utility>

#include "support.h"

namespace scorpio::format::test {
namespace {

using model::Kind;

class TextTest : public Hdf5Test {
 protected:
  // A file with texts of 1 and 12 characters, and an attribute of 5.
  void make(const std::string& path, bool terminated) {
    Hdf5Options options;
    options.terminated_text = terminated;
    auto file = create(path, options);
    PlacedSchema schema;
    for (const auto& [name, characters] : {std::pair("/one", 1), {"/twelve", 12}}) {
      auto made = variable(name, Kind::text, {4});
      made.type = model::native(Kind::text, static_cast<uint32_t>(characters));
      take(schema.add_variable(made));
    }
    expect_ok(schema.put_attribute("/one", "units", text_attribute("meter")));
    expect_ok(schema.put_attribute("/", "with_nul", text_attribute(std::string("a\0b\0", 4))));
    expect_ok(file->apply(schema, schema.placements, 0));
    expect_ok(file->close());
  }
};

// Closed with the object.
class Opened {
 public:
  Opened(hid_t id, herr_t (*closer)(hid_t)) : id_(id), closer_(closer) { EXPECT_GE(id, 0); }
  ~Opened() { closer_(id_); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  hid_t id() const { return id_; }

 private:
  hid_t id_;
  herr_t (*closer_)(hid_t);
};

// The type as stored: "NULLTERM 5 ASCII scalar".
std::string described(hid_t type, hid_t space) {
  const std::string padding = H5Tget_strpad(type) == H5T_STR_NULLTERM ? "NULLTERM" : "NULLPAD";
  const std::string set = H5Tget_cset(type) == H5T_CSET_ASCII ? "ASCII" : "UTF8";
  const std::string shape = H5Sget_simple_extent_type(space) == H5S_SCALAR ? "scalar" : "simple";
  return padding + " " + std::to_string(H5Tget_size(type)) + " " + set + " " + shape;
}

std::string attribute_type(const std::string& path, const char* object, const char* name) {
  const Opened file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Opened attribute(H5Aopen_by_name(file.id(), object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Opened type(H5Aget_type(attribute.id()), H5Tclose);
  const Opened space(H5Aget_space(attribute.id()), H5Sclose);
  return described(type.id(), space.id());
}

std::string variable_type(const std::string& path, const char* name) {
  const Opened file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Opened dataset(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose);
  const Opened type(H5Dget_type(dataset.id()), H5Tclose);
  const Opened space(H5Dget_space(dataset.id()), H5Sclose);
  return described(type.id(), space.id());
}

TEST_F(TextTest, AttributesAndCharactersHaveTheTypesOfNetcdfC) {
  const std::string path = folder_ / "a.h5";
  const std::string theirs = folder_ / "theirs.nc";
  make(path, false);
  std::string output;
  ASSERT_EQ(run("printf 'netcdf a { dimensions: n = 4; variables: char one(n); one:units = \"meter\"; "
                "}' > " +
                    path + ".cdl && ncgen -k nc4 -o " + theirs + " " + path + ".cdl",
                &output),
            0)
      << output;
  EXPECT_EQ(attribute_type(path, "/one", "units"), attribute_type(theirs, "/one", "units"));
  EXPECT_EQ(variable_type(path, "/one"), variable_type(theirs, "/one"));
  EXPECT_EQ(attribute_type(theirs, "/one", "units"), "NULLTERM 5 ASCII scalar");
}

TEST_F(TextTest, VariablesArePaddedOrTerminatedAsAsked) {
  const std::string padded = folder_ / "padded.h5";
  const std::string terminated = folder_ / "terminated.h5";
  make(padded, false);
  make(terminated, true);
  EXPECT_EQ(variable_type(padded, "/twelve"), "NULLPAD 12 ASCII simple");
  EXPECT_EQ(variable_type(terminated, "/twelve"), "NULLTERM 12 ASCII simple");
  EXPECT_EQ(attribute_type(padded, "/", "with_nul"), attribute_type(terminated, "/", "with_nul"));
}

TEST_F(TextTest, AllBytesOfAnAttributeComeBack) {
  const std::string path = folder_ / "a.h5";
  make(path, false);
  const PlacedSchema read = load(path);
  EXPECT_EQ(read.objects().attributes("/one")->at("units").value, text_attribute("meter").value);
  EXPECT_EQ(read.objects().attributes("/")->at("with_nul").value,
            text_attribute(std::string("a\0b\0", 4)).value);
  std::string dump;
  EXPECT_EQ(run("h5dump -a /one/units " + path, &dump), 0);
  EXPECT_NE(dump.find("\"meter\""), std::string::npos) << dump;
}

}  // namespace
}  // namespace scorpio::format::test
