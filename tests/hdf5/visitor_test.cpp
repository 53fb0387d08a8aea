// Exceptions in functions that HDF5 calls: HDF5 ends its work before they reach the caller.
#include <new>

#include "support.h"
#include "support/allocations.h"

namespace scorpio::format {
namespace {

class Visitors : public test::Hdf5Test {};

void write_objects(const std::string& path) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate(H5S_SCALAR);
  for (const char* name :
       {"a group with a long name, which a string keeps in the heap", "another such group"}) {
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t attribute = H5Acreate2(group, "an attribute with a long name as well", H5T_NATIVE_DOUBLE,
                                       space, H5P_DEFAULT, H5P_DEFAULT);
    const double value = 1;
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Gclose(group);
  }
  H5Sclose(space);
  H5Fclose(file);
}

TEST_F(Visitors, MemoryThatLacksAnywhereLeavesNothingOpen) {
  const std::string path = folder_ / "f.h5";
  write_objects(path);
  (void)load(path);
  const auto open_objects = [] { return H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL); };
  const ssize_t before = open_objects();
  int failures = 0;
  for (bool more = true; more;) {
    const std::unique_ptr<MetadataFile> file = open(path, false);
    const ssize_t opened = open_objects();
    const scorpio::test::FailingAllocation failing(static_cast<uint64_t>(failures));
    try {
      more = !file->load().ok();
    } catch (const std::bad_alloc&) {
    }
    const scorpio::test::UncountedAllocations uncounted;
    ASSERT_EQ(opened, open_objects()) << "allocation " << failures;
    if (more) ++failures;
  }
  EXPECT_EQ(before, open_objects());
  EXPECT_LT(8, failures);
  EXPECT_TRUE(load(path).objects().has_group("/another such group"));
}

// The list would be kept with the length of its longest text.
TEST_F(Visitors, AListOfTextsThatWouldTakeTooMuchMemoryIsNotRead) {
  const std::string path = folder_ / "f.h5";
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const std::string text(size_t{48} << 10, 'x');
  const std::vector<const char*> few{"", text.c_str()};
  std::vector<const char*> many(2000, "");
  many.back() = text.c_str();
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  const auto put = [&](const char* name, const std::vector<const char*>& texts) {
    const hsize_t extent = texts.size();
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, texts.data());
    H5Aclose(attribute);
    H5Sclose(space);
  };
  put("few", few);
  put("many", many);
  H5Tclose(type);
  H5Fclose(file);
  const test::PlacedSchema loaded = load(path);
  const model::Attributes& attributes = *loaded.objects().attributes("/");
  EXPECT_TRUE(attributes.at("few").readable);
  EXPECT_FALSE(attributes.at("many").readable);
  EXPECT_NE(std::string::npos, attributes.at("many").unreadable.find("too much memory"));
}

}  // namespace
}  // namespace scorpio::format
