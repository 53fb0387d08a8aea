// Files of stock HDF5, in several forms: read, and appended to; and stock HDF5 appending to ours.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "format/contents.h"
#include "format/hdf5/hdf5_layout.h"
#include "support.h"

namespace scorpio::format::test {
namespace {

using model::Kind;

class ForeignTest : public Hdf5Test {
 protected:
  ForeignTest()
      : path_(folder_ / "foreign.h5"),
        access_(H5Pcreate(H5P_FILE_ACCESS)),
        form_(H5Pcreate(H5P_FILE_CREATE)) {}
  ~ForeignTest() override {
    H5Pclose(access_);
    H5Pclose(form_);
  }

  hid_t stock_create() {
    const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, form_, access_);
    EXPECT_GE(file, 0);
    return file;
  }
  hid_t stock_open() {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(file, 0);
    return file;
  }

  // What programs usually have: contiguous, chunked, compressed, text of variable length.
  void fill(hid_t file, const std::string& prefix) {
    stock_write(file, prefix + "plain", ramp(1000));
    const hsize_t extent = 1000;
    const hsize_t chunk = 64;
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    const hid_t chunks = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunks, 1, &chunk);
    H5Pset_deflate(chunks, 5);
    const hid_t dataset = H5Dcreate2(file, (prefix + "chunks").c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                     chunks, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ramp(1000, 2).data()), 0);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    const hid_t scalar = H5Screate(H5S_SCALAR);
    const char* note = "a note of variable length";
    const hid_t attribute = H5Acreate2(dataset, "note", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, text, &note), 0);
    H5Aclose(attribute);
    const hid_t texts =
        H5Dcreate2(file, (prefix + "text").c_str(), text, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(texts, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &note), 0);
    H5Dclose(texts);
    H5Sclose(scalar);
    H5Tclose(text);
    H5Dclose(dataset);
    H5Pclose(chunks);
    H5Sclose(space);
  }

  void expect_filled(const std::string& prefix) {
    EXPECT_EQ(stock_read(path_, prefix + "plain"), ramp(1000));
    EXPECT_EQ(stock_read(path_, prefix + "chunks"), ramp(1000, 2));
    std::string dump;
    EXPECT_EQ(run("h5dump -d " + prefix + "text " + path_, &dump), 0) << dump;
    EXPECT_NE(dump.find("a note of variable length"), std::string::npos);
  }

  // At-close mode: data first, then definitions, in two rounds.
  void append() {
    Hdf5Options options;
    options.undo_journal = true;
    auto file = open(path_, true, options);
    PlacedSchema schema = take(file->load());
    for (int round = 0; round < 2; ++round) {
      const std::string name = "/appended/v" + std::to_string(round);
      const uint64_t address = (file->end_of_allocation() + 7) / 8 * 8;
      const auto values = ramp(1000, round);
      write_bytes(path_, address, values.data(), 8000);
      take(schema.add_variable_at(address, variable(name, Kind::float64, {1000})));
      expect_ok(schema.put_attribute(name, "units", text_attribute("kg")));
      expect_ok(schema.put_attribute("/", "history", text_attribute(std::string(100, 'h'))));
      expect_ok(file->apply(schema, schema.placements, address + 8000));
      expect_ok(file->flush());
      std::string dump;
      EXPECT_EQ(run("HDF5_USE_FILE_LOCKING=FALSE h5dump -d " + name + " " + path_, &dump), 0) << dump;
    }
    expect_ok(file->close());
    EXPECT_FALSE(std::filesystem::exists(path_ + ".scorpio-journal"));
    EXPECT_EQ(stock_read(path_, "/appended/v0"), ramp(1000, 0));
    EXPECT_EQ(stock_read(path_, "/appended/v1"), ramp(1000, 1));
  }

  void append_to_stock() {
    const hid_t file = stock_create();
    fill(file, "/");
    EXPECT_GE(H5Fclose(file), 0);
    append();
    expect_filled("/");
    // And stock HDF5 goes on.
    const hid_t again = stock_open();
    H5Gclose(H5Gcreate2(again, "/more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    fill(again, "/more/");
    EXPECT_GE(H5Ldelete(again, "/appended/v0", H5P_DEFAULT), 0);
    EXPECT_GE(H5Fclose(again), 0);
    expect_filled("/");
    expect_filled("/more/");
    EXPECT_EQ(stock_read(path_, "/appended/v1"), ramp(1000, 1));
  }

  hssize_t free_bytes() {
    const hid_t file = stock_open();
    const hssize_t bytes = H5Fget_freespace(file);
    EXPECT_GE(H5Fclose(file), 0);
    return bytes;
  }

  std::string path_;
  hid_t access_;
  hid_t form_;
};

TEST_F(ForeignTest, AppendToTheOldestForm) { append_to_stock(); }

TEST_F(ForeignTest, AppendToTheNewestForm) {
  H5Pset_libver_bounds(access_, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  append_to_stock();
}

TEST_F(ForeignTest, AppendToAFileWithAUserBlock) {
  H5Pset_userblock(form_, 2048);
  append_to_stock();
}

TEST_F(ForeignTest, AppendToAFileThatKeepsItsFreeSpace) {
  H5Pset_file_space_strategy(form_, H5F_FSPACE_STRATEGY_FSM_AGGR, true, 1);
  const hid_t file = stock_create();
  stock_write(file, "/gone", ramp(1000));
  stock_write(file, "/kept", ramp(10));
  EXPECT_GE(H5Ldelete(file, "/gone", H5P_DEFAULT), 0);
  EXPECT_GE(H5Fclose(file), 0);
  append();
  EXPECT_EQ(stock_read(path_, "/kept"), ramp(10));
  EXPECT_GE(free_bytes(), 8000);
}

// Space that an earlier change has freed is not given to data, and is free afterwards.
TEST_F(ForeignTest, FreedSpaceIsHeldForEachChangeAndFreeAfterwards) {
  for (const bool persistent : {false, true}) {
    H5Pset_file_space_strategy(form_, H5F_FSPACE_STRATEGY_FSM_AGGR, persistent, 1);
    const hid_t stock = stock_create();
    for (const auto& [name, elements] :
         {std::pair("/a", 1000), {"/b", 1000}, {"/c", 10000}, {"/d", 3000000}, {"/kept", 1000}})
      stock_write(stock, name, ramp(static_cast<size_t>(elements)));
    EXPECT_GE(H5Fclose(stock), 0);
    auto file = open(path_, true);
    PlacedSchema schema = take(file->load());
    const uintmax_t bytes = std::filesystem::file_size(path_);
    for (const std::string name : {"/a", "/b", "/c", "/d"}) {
      expect_ok(schema.remove(name));
      const uint64_t address = (file->end_of_allocation() + 7) / 8 * 8;
      const auto values = ramp(500, name[1]);
      write_bytes(path_, address, values.data(), 4000);
      take(schema.add_variable_at(address, variable(name, Kind::float64, {500})));
      expect_ok(file->apply(schema, schema.placements, address + 4000));
      if (name != "/b") expect_ok(file->flush());
      EXPECT_EQ(schema.placement(name).address(), address);
    }
    EXPECT_EQ(file->counters().relocated, 0u);
    expect_ok(file->close());
    // Metadata after data of other ranks begin at a block of their own.
    EXPECT_LT(std::filesystem::file_size(path_), bytes + 4 * k_block_bytes) << "space that is lost";
    for (const std::string name : {"/a", "/b", "/c", "/d"})
      EXPECT_EQ(stock_read(path_, name), ramp(500, name[1]));
    EXPECT_EQ(stock_read(path_, "/kept"), ramp(1000));
    if (persistent) {
      EXPECT_GE(free_bytes(), 24096000);
    }
  }
}

TEST_F(ForeignTest, AppendToAPagedFile) {
  H5Pset_file_space_strategy(form_, H5F_FSPACE_STRATEGY_PAGE, true, 1);
  append_to_stock();
}

// HDF5 gives chunks other places than the I/O ranks have written them to.
TEST_F(ForeignTest, APagedFileTakesNoChunks) {
  H5Pset_file_space_strategy(form_, H5F_FSPACE_STRATEGY_PAGE, false, 1);
  const hid_t stock = stock_create();
  fill(stock, "/");
  EXPECT_GE(H5Fclose(stock), 0);
  EXPECT_NE(nullptr, load(path_).placement("/chunks").found_chunks()) << "it is read by all I/O ranks";
  auto file = open(path_, true);
  PlacedSchema schema = take(file->load());
  EXPECT_TRUE(schema.placement("/chunks").is_by_library());
  EXPECT_EQ(nullptr, schema.placement("/chunks").found_chunks());
  EXPECT_FALSE(file->can_leave_library());
  const auto layout = make_hdf5_layout(k_block_bytes, 0, k_block_bytes, {}, Hdf5Rules({}, false));
  layout->found(schema, take(deserialise(serialise(schema, schema.placements))).placements);
  auto added = variable("/added", Kind::float64, {10});
  expect_ok(layout->check_variable(schema, added));
  const Status defined =
      layout->chunks()->check_storage(schema, added, {.form = model::Storage::Form::chunked, .chunk = {5}});
  EXPECT_EQ(Code::unsupported, defined.code());
  EXPECT_NE(std::string::npos, defined.text().find("variable /added would be stored in chunks"));
  EXPECT_NE(std::string::npos, defined.text().find("h5repack -S FSM_AGGR")) << defined.text();
  file->add_index({{.begin = 0, .address = 100000, .bytes = 100}});
  const Status status = file->apply(schema, schema.placements, 0);
  EXPECT_EQ(Code::unsupported, status.code());
  EXPECT_NE(std::string::npos, status.text().find("h5repack -S FSM_AGGR")) << status.text();
  file->abandon();
  expect_ok(file->close());
  expect_filled("/");
}

TEST_F(ForeignTest, StockAppendsToOurs) {
  auto file = create(path_);
  const auto values = ramp(1000);
  write_bytes(path_, k_block_bytes, values.data(), 8000);
  PlacedSchema schema;
  take(schema.add_variable_at(k_block_bytes, variable("/ours", Kind::float64, {1000})));
  for (int i = 0; i < 20; ++i)
    take(schema.add_variable(variable("/empty" + std::to_string(i), Kind::int16, {5})));
  expect_ok(file->apply(schema, schema.placements, k_block_bytes + 8000));
  expect_ok(file->close());
  const hid_t stock = stock_open();
  fill(stock, "/");
  EXPECT_GE(H5Fclose(stock), 0);
  expect_filled("/");
  EXPECT_EQ(stock_read(path_, "/ours"), values);
  const PlacedSchema read = load(path_);
  EXPECT_FALSE(read.placement("/plain").is_by_library());
  EXPECT_TRUE(read.placement("/chunks").is_by_library());
  EXPECT_EQ(read.objects().attributes("/chunks")->at("note").value,
            text_attribute("a note of variable length").value);
  append();
  expect_filled("/");
}

TEST_F(ForeignTest, RemovedObjectsAndAttributesAreGone) {
  const hid_t stock = stock_create();
  fill(stock, "/");
  EXPECT_GE(H5Fclose(stock), 0);
  auto file = open(path_, true);
  PlacedSchema schema = take(file->load());
  expect_ok(schema.remove_attribute("/chunks", "note"));
  expect_ok(schema.remove("/plain"));
  expect_ok(file->apply(schema, schema.placements, 0));
  EXPECT_TRUE(schema.pending().removed.empty());
  expect_ok(file->close());
  const PlacedSchema read = load(path_);
  EXPECT_FALSE(read.objects().find_variable("/plain").has_value());
  EXPECT_TRUE(read.objects().attributes("/chunks")->empty());
  EXPECT_EQ(stock_read(path_, "/chunks"), ramp(1000, 2));
}

TEST_F(ForeignTest, CyclesAndSeveralNamesOfOneObject) {
  const hid_t file = stock_create();
  const hid_t group = H5Gcreate2(file, "/a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", group, "up", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/a", group, "self", H5P_DEFAULT, H5P_DEFAULT);
  stock_write(file, "/a/data", ramp(10));
  H5Lcreate_hard(file, "/a/data", file, "/other_name", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/a/data", file, "/soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("elsewhere.h5", "/x", file, "/external", H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(group);
  EXPECT_GE(H5Fclose(file), 0);
  const PlacedSchema read = load(path_);
  EXPECT_EQ(read.variables().count(), 2);
  const Placement& first = read.placement("/a/data");
  EXPECT_EQ(first, read.placement("/other_name"));
  EXPECT_TRUE(first.has_address());
  EXPECT_EQ(read.objects().links().size(), 1u);
  EXPECT_EQ(read.objects().links().at("/soft").target, "/a/data");
}

// As a damaged file may have them: the walk ends before the stack does.
TEST_F(ForeignTest, GroupsInGroupsWithoutEnd) {
  const hid_t file = stock_create();
  hid_t group = H5Gcreate2(file, "/a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (int level = 1; level < 3000; ++level) {
    const hid_t inner = H5Gcreate2(group, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group);
    group = inner;
  }
  H5Gclose(group);
  stock_write(file, "/data", ramp(10));
  EXPECT_GE(H5Fclose(file), 0);
  const PlacedSchema read = load(path_);
  EXPECT_TRUE(read.objects().find_variable("/data").has_value());
  ASSERT_EQ(read.variables().count(), 2);
  const auto& cut = read.variables()[0].path == "/data" ? read.variables()[1] : read.variables()[0];
  EXPECT_NE(std::string::npos, cut.unreadable.find("depth")) << cut.unreadable;
}

TEST_F(ForeignTest, TypesOfAllSorts) {
  const hid_t file = stock_create();
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t null = H5Screate(H5S_NULL);
  const auto put = [&](const char* name, hid_t type, hid_t space) {
    const hid_t form = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(form, H5D_ALLOC_TIME_EARLY);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, form, H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << name;
    H5Aclose(H5Acreate2(dataset, "same", type, space, H5P_DEFAULT, H5P_DEFAULT));
    H5Dclose(dataset);
    H5Pclose(form);
  };
  const hid_t truth = H5Tenum_create(H5T_STD_I8LE);
  const signed char no = 0;
  const signed char yes = 1;
  H5Tenum_insert(truth, "FALSE", &no);
  H5Tenum_insert(truth, "TRUE", &yes);
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 4);
  H5Tinsert(pair, "x", 0, H5T_STD_I32BE);
  put("big", H5T_IEEE_F32BE, scalar);
  put("truth", truth, scalar);
  put("pair", pair, scalar);
  put("reference", H5T_STD_REF_OBJ, scalar);
  put("null", H5T_STD_I32LE, null);
  for (const hid_t type : {truth, pair}) H5Tclose(type);
  for (const hid_t space : {scalar, null}) H5Sclose(space);
  EXPECT_GE(H5Fclose(file), 0);

  const PlacedSchema read = load(path_);
  const auto at = [&](const char* name) {
    return read.variables()[read.objects().find_variable(name).value()];
  };
  EXPECT_EQ(at("/big").type, (model::ElementType{Kind::float32, 4, model::ByteOrder::big}));
  EXPECT_FALSE(read.placement("/big").is_by_library());
  EXPECT_EQ(at("/truth").type.kind, Kind::int8);
  EXPECT_FALSE(read.placement("/truth").is_by_library());
  EXPECT_EQ(at("/pair").foreign_type, "compound {x: int32 (big-endian) at 0} of 4 bytes");
  EXPECT_EQ(at("/pair").type, model::native(Kind::opaque, 4));
  EXPECT_TRUE(at("/pair").unreadable.empty()) << at("/pair").unreadable;
  EXPECT_TRUE(read.placement("/pair").has_address());
  EXPECT_FALSE(at("/reference").unreadable.empty());
  EXPECT_TRUE(at("/pair").attributes.at("same").readable);
  EXPECT_EQ(at("/pair").attributes.at("same").foreign->description, at("/pair").foreign_type);
  EXPECT_EQ(at("/pair").attributes.at("same").type, model::native(Kind::opaque, 4));
  EXPECT_TRUE(at("/truth").attributes.at("same").readable);
  EXPECT_FALSE(at("/reference").attributes.at("same").readable);
  EXPECT_EQ(at("/reference").foreign_type, "reference");
  EXPECT_EQ(at("/null").dims, std::vector<int64_t>{0});
  EXPECT_FALSE(read.placement("/null").has_address());
}

TEST_F(ForeignTest, WhatIsNoHdf5FileOrCutOffIsRefused) {
  const hid_t file = stock_create();
  fill(file, "/");
  EXPECT_GE(H5Fclose(file), 0);
  std::filesystem::resize_file(path_, 3000);
  auto cut = open_hdf5(stored(path_, storage::OpenMode::read), *store_, path_, false, {});
  EXPECT_EQ(cut.status().code(), Code::format);
  EXPECT_NE(cut.status().text().find("truncated"), std::string::npos) << cut.status().text();
  std::filesystem::resize_file(path_, 0);
  for (const bool writable : {false, true}) {
    const auto mode = writable ? storage::OpenMode::read_write : storage::OpenMode::read;
    EXPECT_EQ(open_hdf5(stored(path_, mode), *store_, path_, writable, {}).status().code(), Code::format);
  }
}

// HDF5 1.10 does not come to an end of such a heap.
TEST_F(ForeignTest, DamagedHeapsOfTextsAreNotRead) {
  for (const size_t longest : {10, 9000}) {
    for (const uint64_t length : {uint64_t{0}, ~uint64_t{15}, ~uint64_t{0} / 2}) {
      const hid_t file = stock_create();
      const hid_t text = H5Tcopy(H5T_C_S1);
      H5Tset_size(text, H5T_VARIABLE);
      const hid_t space = H5Screate(H5S_SCALAR);
      const hid_t attribute = H5Acreate2(file, "text", text, space, H5P_DEFAULT, H5P_DEFAULT);
      const std::string value(longest, 'x');
      const char* const values[] = {value.c_str()};
      EXPECT_GE(H5Awrite(attribute, text, values), 0);
      H5Aclose(attribute);
      H5Sclose(space);
      H5Tclose(text);
      stock_write(file, "plain", ramp(10));
      EXPECT_GE(H5Fclose(file), 0);
      EXPECT_TRUE(load(path_).objects().attributes("/")->at("text").readable);

      std::string bytes(std::filesystem::file_size(path_), 0);
      std::ifstream(path_, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      const size_t heap = bytes.find("GCOL");
      ASSERT_NE(std::string::npos, heap);
      // A long text leaves no free space behind it.
      const size_t free_space = heap + 16 + 16 + (longest + 8) / 8 * 8, first = heap + 16;
      write_bytes(path_, (longest == 10 ? free_space : first) + 8, &length, sizeof length);
      const PlacedSchema damaged = load(path_);
      EXPECT_FALSE(damaged.objects().attributes("/")->at("text").readable) << longest << " " << length;
      EXPECT_EQ(stock_read(path_, "plain"), ramp(10));
      EXPECT_TRUE(damaged.objects().find_variable("plain"));
      std::filesystem::remove(path_);
    }
  }
}

TEST_F(ForeignTest, AFileInUseByStockHdf5IsBusy) {
  const hid_t file = stock_create();
  EXPECT_EQ(open_hdf5(stored(path_, storage::OpenMode::read), *store_, path_, false, {}).status().code(),
            Code::busy);
  EXPECT_EQ(open_hdf5(stored(path_, storage::OpenMode::read_write), *store_, path_, true, {}).status().code(),
            Code::busy);
  EXPECT_GE(H5Fclose(file), 0);
  expect_ok(open(path_, true)->close());
}

}  // namespace
}  // namespace scorpio::format::test
