// Changes by an application through the live HDF5 id are kept, and cannot damage the file.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "support.h"

namespace scorpio::format::test {
namespace {

using model::Kind;

class LiveIdTest : public Hdf5Test {
 protected:
  LiveIdTest() : path_(folder_ / "live.h5") {}

  hid_t id(MetadataFile& file) { return static_cast<hid_t>(take(file.library_id())); }

  // Eager: one variable, placed and filled as I/O ranks do.
  int define(MetadataFile& file, const std::string& name, const std::vector<double>& values) {
    const int index =
        take(schema_.add_variable(variable(name, Kind::float64, {static_cast<int64_t>(values.size())})));
    expect_ok(file.apply(schema_, schema_.placements, 0));
    EXPECT_TRUE(schema_.placement(index).has_address());
    write_bytes(path_, *schema_.placement(index).address(), values.data(), values.size() * 8);
    return index;
  }

  std::string path_;
  PlacedSchema schema_;
};

void put_strings(hid_t where, const char* name, const std::vector<const char*>& texts) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  const hsize_t extent = texts.size();
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  const hid_t dataset = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), 0);
  const hid_t attribute = H5Acreate2(dataset, "texts", type, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, type, texts.data()), 0);
  H5Aclose(attribute);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
}

void put_doubles(hid_t object, const char* name, const std::vector<double>& values) {
  const hsize_t extent = values.size();
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  const hid_t attribute = H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(attribute, 0);
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_DOUBLE, values.data()), 0);
  H5Aclose(attribute);
  H5Sclose(space);
}

hid_t make_chunked(hid_t file, const char* name, const std::vector<double>& values) {
  const hsize_t extent = values.size();
  const hsize_t unlimited = H5S_UNLIMITED;
  const hsize_t chunk = 100;
  const hid_t space = H5Screate_simple(1, &extent, &unlimited);
  const hid_t form = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(form, 1, &chunk);
  H5Pset_deflate(form, 4);
  const hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, form, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Pclose(form);
  H5Sclose(space);
  return dataset;
}

TEST_F(LiveIdTest, StringsAndLargeAttributesOfTheClientArrive) {
  auto file = create(path_);
  define(*file, "/ours", ramp(500));
  put_strings(id(*file), "texts", {"alpha", "be", "", "a long one"});
  const hid_t ours = H5Dopen2(id(*file), "/ours", H5P_DEFAULT);
  put_doubles(ours, "five_kilobytes", ramp(640));
  put_doubles(ours, "hundred_kilobytes", ramp(12800));
  H5Dclose(ours);
  define(*file, "/later", ramp(50, 3));
  expect_ok(file->close());

  std::string dump;
  EXPECT_EQ(run("h5dump -d /texts " + path_, &dump), 0);
  EXPECT_NE(dump.find("\"a long one\""), std::string::npos);
  const PlacedSchema read = load(path_);
  EXPECT_EQ(read.objects().attributes("/ours")->at("hundred_kilobytes").value,
            doubles_attribute(ramp(12800)).value);
  EXPECT_EQ(read.objects().attributes("/ours")->at("five_kilobytes").value,
            doubles_attribute(ramp(640)).value);
  const auto& texts = read.objects().attributes("/texts")->at("texts");
  EXPECT_EQ(texts.type.size_bytes, 10u);
  EXPECT_EQ(texts.value.size(), 40u);
  EXPECT_EQ(std::memcmp(texts.value.data(), "alpha\0\0\0\0\0be", 12), 0);
  EXPECT_EQ(stock_read(path_, "/ours"), ramp(500));
  EXPECT_EQ(stock_read(path_, "/later"), ramp(50, 3));
}

TEST_F(LiveIdTest, AFlushOfTheClientCutsNothing) {
  auto file = create(path_);
  define(*file, "/a", ramp(100));
  // Data of other ranks, far after the end that HDF5 knows.
  const uint64_t far = 8 * k_block_bytes;
  const auto values = ramp(1000, 5);
  write_bytes(path_, far, values.data(), 8000);
  EXPECT_GE(H5Fflush(id(*file), H5F_SCOPE_GLOBAL), 0);
  EXPECT_EQ(std::filesystem::file_size(path_), far + 8000);
  take(schema_.add_variable_at(far, variable("/far", Kind::float64, {1000})));
  expect_ok(file->apply(schema_, schema_.placements, far + 8000));
  EXPECT_GE(file->end_of_allocation(), far + 8000);
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/far"), values);
  EXPECT_EQ(stock_read(path_, "/a"), ramp(100));
}

TEST_F(LiveIdTest, AFlushOfTheClientMakesTheFileReadable) {
  auto file = create(path_);
  define(*file, "/a", ramp(100));
  EXPECT_GE(H5Fflush(id(*file), H5F_SCOPE_GLOBAL), 0);
  std::string dump;
  EXPECT_EQ(run("HDF5_USE_FILE_LOCKING=FALSE h5dump -d /a " + path_, &dump), 0) << dump;
  expect_ok(file->close());
}

TEST_F(LiveIdTest, WhatTheClientWritesIntoAVariableIsInStorageAtOnce) {
  auto file = create(path_);
  const int index = define(*file, "/a", std::vector<double>(100, 0.0));
  const auto values = ramp(100, 9);
  const hid_t dataset = H5Dopen2(id(*file), "/a", H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  std::vector<double> seen(100);
  const int descriptor = ::open(path_.c_str(), O_RDONLY);
  EXPECT_EQ(pread(descriptor, seen.data(), 800, static_cast<off_t>(*schema_.placement(index).address())),
            800);
  ::close(descriptor);
  EXPECT_EQ(seen, values);
  // The other way round: what I/O ranks write, the client reads.
  const auto newer = ramp(100, 77);
  write_bytes(path_, *schema_.placement(index).address(), newer.data(), 800);
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, seen.data()), 0);
  EXPECT_EQ(seen, newer);
  H5Dclose(dataset);
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/a"), newer);
}

TEST_F(LiveIdTest, InspectFindsWhatTheClientMadeAndItsDataCanBeReachedByAddress) {
  auto file = create(path_);
  define(*file, "/ours", ramp(10));
  stock_write(id(*file), "/theirs", ramp(20, 2));
  const hid_t theirs = H5Dopen2(id(*file), "/theirs", H5P_DEFAULT);
  put_doubles(theirs, "note", {1, 2});
  H5Dclose(theirs);
  const PlacedSchema seen = take(file->inspect("/theirs"));
  ASSERT_EQ(seen.variables().count(), 1);
  EXPECT_EQ(seen.variables()[0].dims, std::vector<int64_t>{20});
  EXPECT_EQ(seen.variables()[0].attributes.at("note").value, doubles_attribute({1, 2}).value);
  ASSERT_TRUE(seen.placement(0).has_address());
  std::vector<double> values(20);
  const int descriptor = ::open(path_.c_str(), O_RDONLY);
  EXPECT_EQ(pread(descriptor, values.data(), 160, static_cast<off_t>(*seen.placement(0).address())), 160);
  ::close(descriptor);
  EXPECT_EQ(values, ramp(20, 2));
  EXPECT_TRUE(take(file->inspect("/")).schema.objects().has_group("/"));
  EXPECT_EQ(file->inspect("/nowhere").status().code(), Code::not_found);
  expect_ok(file->close());
}

TEST_F(LiveIdTest, ExtendedAndDeletedDatasetsAreHonoured) {
  auto file = create(path_);
  define(*file, "/a", ramp(1000));
  hid_t grown = make_chunked(id(*file), "grown", ramp(250));
  const hsize_t extent = 1000;
  EXPECT_GE(H5Dset_extent(grown, &extent), 0);
  const auto values = ramp(1000, 4);
  EXPECT_GE(H5Dwrite(grown, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(grown);
  stock_write(id(*file), "/gone", ramp(5000));
  EXPECT_GE(H5Ldelete(id(*file), "/gone", H5P_DEFAULT), 0);
  // Of the size of what was freed: HDF5 would use its space again.
  define(*file, "/b", ramp(5000, 1));
  EXPECT_GE(H5Ldelete(id(*file), "/a", H5P_DEFAULT), 0);
  const int reused = define(*file, "/c", ramp(10, 1));
  expect_ok(schema_.remove("/a"));
  expect_ok(file->apply(schema_, schema_.placements, 0));
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/grown"), values);
  EXPECT_EQ(stock_read(path_, "/b"), ramp(5000, 1));
  EXPECT_EQ(stock_read(path_, "/c"), ramp(10, 1));
  EXPECT_EQ(stock_address(path_, "/c"), schema_.placement(reused).address());
  EXPECT_FALSE(load(path_).objects().find_variable("/a").has_value());
}

TEST_F(LiveIdTest, AnUnwrittenVariableInFreedSpaceReadsAsZeros) {
  auto file = create(path_);
  stock_write(id(*file), "/gone", ramp(1000, 1));
  EXPECT_GE(H5Ldelete(id(*file), "/gone", H5P_DEFAULT), 0);
  take(schema_.add_variable(variable("/empty", Kind::float64, {1000})));
  expect_ok(file->apply(schema_, schema_.placements, 0));
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/empty"), std::vector<double>(1000, 0.0));
}

TEST_F(LiveIdTest, DataPlacedWhereHdf5DoesNotWantThemAreMoved) {
  auto file = create(path_);
  stock_write(id(*file), "/gone", ramp(1000, 1));
  EXPECT_GE(H5Ldelete(id(*file), "/gone", H5P_DEFAULT), 0);
  const uint64_t address = 4 * k_block_bytes;
  const auto values = ramp(1000, 6);
  write_bytes(path_, address, values.data(), 8000);
  const int moved = take(schema_.add_variable_at(address, variable("/moved", Kind::float64, {1000})));
  expect_ok(file->apply(schema_, schema_.placements, address + 8000));
  expect_ok(file->close());
  EXPECT_EQ(file->counters().relocated, *schema_.placement(moved).address() == address ? 0u : 1u);
  EXPECT_EQ(stock_address(path_, "/moved"), schema_.placement(moved).address());
  EXPECT_EQ(stock_read(path_, "/moved"), values);
}

TEST_F(LiveIdTest, WithoutTheLockAStockReaderOpensWhatIsCommitted) {
  auto file = create(path_);
  define(*file, "/a", ramp(10));
  expect_ok(file->flush());
  EXPECT_EQ(stock_read(path_, "/a"), ramp(10));
}

TEST_F(LiveIdTest, ASecondStockOpenIsRefusedAndOneThroughOurListIsShared) {
  Hdf5Options options;
  options.eager = true;
  auto file = create(path_, options);
  define(*file, "/a", ramp(10));
  expect_ok(file->flush());
  hid_t second = -1;
  H5E_BEGIN_TRY { second = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT); }
  H5E_END_TRY
  EXPECT_LT(second, 0);
  const hid_t list = H5Fget_access_plist(id(*file));
  second = H5Fopen(path_.c_str(), H5F_ACC_RDWR, list);
  ASSERT_GE(second, 0);
  stock_write(second, "/through_second", ramp(5));
  EXPECT_GT(H5Lexists(id(*file), "/through_second", H5P_DEFAULT), 0);
  EXPECT_GE(H5Fclose(second), 0);
  expect_ok(file->close());
  // The list outlives the file that it was for.
  H5E_BEGIN_TRY { second = H5Fopen(path_.c_str(), H5F_ACC_RDWR, list); }
  H5E_END_TRY
  EXPECT_LT(second, 0);
  H5Pclose(list);
  EXPECT_EQ(stock_read(path_, "/through_second"), ramp(5));
}

TEST_F(LiveIdTest, WhatTheClientLeavesOpenDoesNotKeepTheFileFromBeingCompleted) {
  auto file = create(path_);
  define(*file, "/a", ramp(10));
  const hid_t left = H5Dopen2(id(*file), "/a", H5P_DEFAULT);
  const hid_t again = H5Freopen(id(*file));
  put_doubles(left, "late", {4, 5});
  expect_ok(file->close());
  EXPECT_LE(H5Iis_valid(left), 0);
  EXPECT_LE(H5Iis_valid(again), 0);
  EXPECT_EQ(load(path_).objects().attributes("/a")->at("late").value, doubles_attribute({4, 5}).value);
}

TEST_F(LiveIdTest, AnIdThatTheClientClosedIsReplaced) {
  auto file = create(path_);
  define(*file, "/a", ramp(10));
  EXPECT_GE(H5Fclose(id(*file)), 0);
  define(*file, "/b", ramp(20));
  const hid_t again = H5Freopen(id(*file));
  EXPECT_GE(H5Fclose(id(*file)), 0);
  define(*file, "/c", ramp(30));
  stock_write(again, "/d", ramp(40));
  expect_ok(file->close());
  for (const auto& [name, count] : {std::pair("/a", 10), {"/b", 20}, {"/c", 30}, {"/d", 40}}) {
    EXPECT_EQ(stock_read(path_, name), ramp(static_cast<size_t>(count))) << name;
  }
}

TEST_F(LiveIdTest, AClientMayCloseAllOfHdf5) {
  auto file = create(path_);
  define(*file, "/a", ramp(10));
  EXPECT_GE(H5close(), 0);
  // Takes the ids that ours had.
  const hid_t other = H5Fcreate((folder_ / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  define(*file, "/b", ramp(20));
  EXPECT_GT(H5Iis_valid(other), 0);
  EXPECT_GT(H5Iis_valid(list), 0);
  expect_ok(file->flush());
  EXPECT_GE(H5close(), 0);
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/a"), ramp(10));
  EXPECT_EQ(stock_read(path_, "/b"), ramp(20));
}

TEST_F(LiveIdTest, AForkedProcessThatExitsDoesNotTouchTheFile) {
  auto file = create(path_);
  define(*file, "/a", ramp(10));
  expect_ok(file->flush());
  define(*file, "/b", ramp(20));
  const auto size = std::filesystem::file_size(path_);
  std::string before;
  EXPECT_EQ(run("md5sum < " + path_, &before), 0);
  EXPECT_EQ(in_child([&] {
              stock_write(id(*file), "/of_the_child", ramp(20000));
              H5Fflush(id(*file), H5F_SCOPE_GLOBAL);
              return 0;
            }),
            0);
  std::string after;
  EXPECT_EQ(run("md5sum < " + path_, &after), 0);
  EXPECT_EQ(before, after);
  EXPECT_EQ(std::filesystem::file_size(path_), size);
  expect_ok(file->close());
  EXPECT_EQ(stock_read(path_, "/b"), ramp(20));
  EXPECT_EQ(load(path_).variables().count(), 2);
}

herr_t count_error(hid_t, void* counter) {
  ++*static_cast<int*>(counter);
  return 0;
}

TEST_F(LiveIdTest, FailuresPrintNothingLeaveTheHandlerAndSayWhy) {
  auto file = create(path_);
  int printed = 0;
  H5Eset_auto2(H5E_DEFAULT, count_error, &printed);
  stock_write(id(*file), "/taken", ramp(5));
  take(schema_.add_variable(variable("/taken", Kind::float64, {5})));
  testing::internal::CaptureStderr();
  const Status status = file->apply(schema_, schema_.placements, 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(status.code(), Code::exists);
  EXPECT_NE(status.text().find("name already exists"), std::string::npos) << status.text();
  EXPECT_EQ(printed, 0);
  EXPECT_LT(H5Gopen2(id(*file), "/nowhere", H5P_DEFAULT), 0);
  EXPECT_EQ(printed, 1) << "the client's handler is in place again";
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  expect_ok(file->close());
}

}  // namespace
}  // namespace scorpio::format::test
