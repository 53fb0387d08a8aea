// Variables without a plain address, read through HDF5 in pieces.
#include <cstring>

#include "support.h"

namespace scorpio::format::test {
namespace {

class ReaderTest : public Hdf5Test {
 protected:
  ReaderTest() : path_(folder_ / "foreign.h5") {
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    form_ = H5Pcreate(H5P_DATASET_CREATE);
    values_ = ramp(6 * 7 * 8);
  }
  ~ReaderTest() override { H5Pclose(form_); }

  void put(const char* name, hid_t type = H5T_NATIVE_DOUBLE) {
    const std::vector<hsize_t> dims = {6, 7, 8};
    const hid_t space = H5Screate_simple(3, dims.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file_, name, type, space, H5P_DEFAULT, form_, H5P_DEFAULT);
    EXPECT_GE(dataset, 0);
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values_.data()), 0);
    H5Dclose(dataset);
    H5Sclose(space);
  }

  void finish() { EXPECT_GE(H5Fclose(file_), 0); }

  std::unique_ptr<LibraryReader> reader() {
    return take(open_hdf5_reader(stored(path_, storage::OpenMode::read), path_));
  }

  // All ranges of some lengths agree with the flattened array.
  void expect_values(const std::string& name) {
    const PlacedSchema schema = load(path_);
    const auto& variable = schema.variables()[schema.objects().find_variable(name).value()];
    EXPECT_TRUE(schema.placement(name).is_by_library());
    EXPECT_TRUE(variable.foreign_type.empty());
    auto file = reader();
    for (const int64_t count : {1, 5, 8, 57, 120, 336}) {
      for (int64_t first = 0; first + count <= 336; first += 13) {
        std::vector<double> got(static_cast<size_t>(count), -1);
        expect_ok(file->read(variable, first, count, reinterpret_cast<std::byte*>(got.data())));
        ASSERT_EQ(got, ramp(static_cast<size_t>(count), static_cast<double>(first))) << name << " " << first;
      }
    }
    EXPECT_EQ(file->read(variable, 330, 7, nullptr).code(), Code::shape);
    EXPECT_EQ(file->read(variable, -1, 1, nullptr).code(), Code::shape);
    expect_ok(file->read(variable, 336, 0, nullptr));
    expect_ok(file->close());
  }

  std::string path_;
  hid_t file_ = -1;
  hid_t form_ = -1;
  std::vector<double> values_;
};

TEST_F(ReaderTest, CompressedChunks) {
  const hsize_t chunk[] = {4, 3, 5};
  H5Pset_chunk(form_, 3, chunk);
  H5Pset_shuffle(form_);
  H5Pset_deflate(form_, 6);
  put("/chunks");
  finish();
  expect_values("/chunks");
}

TEST_F(ReaderTest, Compact) {
  H5Pset_layout(form_, H5D_COMPACT);
  put("/compact");
  finish();
  expect_values("/compact");
}

TEST_F(ReaderTest, ExternalFiles) {
  H5Pset_external(form_, (folder_ / "raw").c_str(), 0, 6 * 7 * 8 * 8);
  put("/external");
  finish();
  expect_values("/external");
}

TEST_F(ReaderTest, VirtualDatasets) {
  const std::vector<hsize_t> dims = {6, 7, 8};
  put("/part");
  finish();
  const std::string part = folder_ / "part.h5";
  std::filesystem::rename(path_, part);
  file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, dims.data(), nullptr);
  H5Pset_virtual(form_, space, part.c_str(), "/part", space);
  const hid_t dataset =
      H5Dcreate2(file_, "/virtual", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, form_, H5P_DEFAULT);
  EXPECT_GE(dataset, 0);
  H5Dclose(dataset);
  H5Sclose(space);
  finish();
  expect_values("/virtual");
}

TEST_F(ReaderTest, NumbersOfOtherFormsAreConverted) {
  const hid_t packed = H5Tcopy(H5T_STD_U32LE);
  H5Tset_precision(packed, 20);
  put("/packed", packed);
  H5Tclose(packed);
  put("/long_double", H5T_NATIVE_LDOUBLE);
  finish();
  const PlacedSchema schema = load(path_);
  auto file = reader();
  for (const char* name : {"/packed", "/long_double"}) {
    const auto& variable = schema.variables()[schema.objects().find_variable(name).value()];
    EXPECT_TRUE(schema.placement(name).is_by_library()) << name;
    std::vector<std::byte> bytes(variable.bytes());
    expect_ok(file->read(variable, 0, 336, bytes.data()));
    double last = 0;
    uint32_t last_integer = 0;
    if (variable.type.kind == model::Kind::float64) std::memcpy(&last, bytes.data() + 335 * 8, 8);
    if (variable.type.kind == model::Kind::uint32) std::memcpy(&last_integer, bytes.data() + 335 * 4, 4);
    EXPECT_EQ(last + last_integer, 335) << name;
  }
  expect_ok(file->close());
}

TEST_F(ReaderTest, NeverWrittenReadsAsTheFillValue) {
  const double fill = 4.5;
  H5Pset_fill_value(form_, H5T_NATIVE_DOUBLE, &fill);
  const hsize_t extent = 10;
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  H5Dclose(H5Dcreate2(file_, "/late", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, form_, H5P_DEFAULT));
  H5Sclose(space);
  finish();
  const PlacedSchema schema = load(path_);
  EXPECT_TRUE(schema.placement(0).is_by_library());
  EXPECT_FALSE(schema.placement(0).has_address());
  std::vector<double> got(10);
  auto file = reader();
  expect_ok(file->read(schema.variables()[0], 0, 10, reinterpret_cast<std::byte*>(got.data())));
  EXPECT_EQ(got, std::vector<double>(10, 4.5));
  expect_ok(file->close());
}

TEST_F(ReaderTest, ForeignTypesAreNamedAndRefused) {
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 16 + sizeof(char*));
  H5Tinsert(pair, "x", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "y", 8, H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "name", 16, text);
  const hid_t space = H5Screate(H5S_SCALAR);
  H5Dclose(H5Dcreate2(file_, "/text", text, space, H5P_DEFAULT, form_, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file_, "/pair", pair, space, H5P_DEFAULT, form_, H5P_DEFAULT));
  H5Sclose(space);
  H5Tclose(pair);
  H5Tclose(text);
  finish();
  const PlacedSchema schema = load(path_);
  auto file = reader();
  std::byte out[16];
  for (const auto& [name, what] :
       {std::pair("/text", "variable-length text"), {"/pair", "name: variable-length text at 16}"}}) {
    const auto& variable = schema.variables()[schema.objects().find_variable(name).value()];
    EXPECT_NE(variable.foreign_type.find(what), std::string::npos) << variable.foreign_type;
    const Status status = file->read(variable, 0, 1, out);
    EXPECT_EQ(status.code(), Code::unsupported);
    EXPECT_NE(status.text().find(what), std::string::npos);
  }
  expect_ok(file->close());
}

TEST_F(ReaderTest, ReadsOnAfterAClientClosedHdf5) {
  const hsize_t chunk[] = {4, 3, 5};
  H5Pset_chunk(form_, 3, chunk);
  put("/chunks");
  finish();
  const PlacedSchema schema = load(path_);
  auto file = reader();
  std::vector<double> got(336);
  expect_ok(file->read(schema.variables()[0], 0, 336, reinterpret_cast<std::byte*>(got.data())));
  EXPECT_GE(H5close(), 0);
  form_ = H5Pcreate(H5P_DATASET_CREATE);
  expect_ok(file->read(schema.variables()[0], 1, 335, reinterpret_cast<std::byte*>(got.data())));
  got.resize(335);
  EXPECT_EQ(got, ramp(335, 1));
  expect_ok(file->close());
}

}  // namespace
}  // namespace scorpio::format::test
