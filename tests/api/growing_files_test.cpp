// Files of other programs grow: records are appended to variables over unlimited dimensions that were there.
// Each variable keeps its own length in the file, and reads as fill behind it.
#include <array>

#include "accesses.h"
#include "foreign_file.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr int32_t k_fill = -5, k_garbage = 99;
constexpr hsize_t k_columns = 6;

void put_text(hid_t object, const char* name, const std::string& value) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, value.size() + 1);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, type, value.c_str()), 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

void put_integers(hid_t object, const char* name, const std::vector<int>& values) {
  const hsize_t count = values.size();
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t attribute = H5Acreate2(object, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT, values.data()), 0);
  H5Aclose(attribute);
  H5Sclose(space);
}

// As H5DSset_scale() and H5DSattach_scale() would, but for the list of what the scale is attached to.
void attach(hid_t file, const std::string& name, const std::vector<const char*>& scales) {
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT), type = H5Tvlen_create(H5T_STD_REF_OBJ);
  const hsize_t count = scales.size();
  std::vector<hobj_ref_t> references(scales.size());
  std::vector<hvl_t> lists;
  for (size_t d = 0; d < scales.size(); ++d) {
    EXPECT_GE(H5Rcreate(&references[d], file, scales[d], H5R_OBJECT, -1), 0);
    lists.push_back({1, &references[d]});
  }
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t attribute = H5Acreate2(dataset, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, type, lists.data()), 0);
  for (const hid_t id : {attribute, space, type}) H5Idec_ref(id);
  H5Dclose(dataset);
}

enum class Form { plain, deflated, packed };  // packed: by a filter that is not built in here

struct Set {
  std::string name;
  hsize_t rows;
  hsize_t chunk_rows;
  Form form;
  std::array<int32_t, 12> first;  // [rows] of each row the first element; the others follow
  int id = -1;
};

int32_t value_of(int32_t first, int64_t column) {
  return first == k_fill ? k_fill : first + static_cast<int32_t>(column);
}

class GrowingFiles : public ForeignFile {
 protected:
  static hid_t list_of(const Set& set) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[2] = {set.chunk_rows, 4};
    H5Pset_chunk(list, 2, chunk);
    H5Pset_fill_value(list, H5T_NATIVE_INT32, &k_fill);
    if (set.form == Form::deflated) H5Pset_deflate(list, 1);
    if (set.form == Form::packed) H5Pset_nbit(list);
    return list;
  }

  // Where chunks are not filtered they hold elements behind the end of the variable, as a writer leaves them
  // that gives no value to what it does not write.
  static void write_set(hid_t file, const Set& set) {
    const hsize_t dims[2] = {set.rows, k_columns}, most[2] = {H5S_UNLIMITED, k_columns};
    const hid_t space = H5Screate_simple(2, dims, most), list = list_of(set);
    const hid_t id = H5Dcreate2(file, set.name.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (set.form == Form::plain && set.rows > 0) {
      const std::vector<int32_t> garbage(set.chunk_rows * 4, k_garbage);
      for (hsize_t row = 0; row < set.rows; row += set.chunk_rows) {
        for (const hsize_t column : {hsize_t{0}, hsize_t{4}}) {
          const hsize_t offset[2] = {row, column};
          ASSERT_GE(H5Dwrite_chunk(id, H5P_DEFAULT, 0, offset, garbage.size() * 4, garbage.data()), 0);
        }
      }
    }
    std::vector<int32_t> values;
    for (hsize_t row = 0; row < set.rows; ++row) {
      for (int64_t column = 0; column < 6; ++column) values.push_back(value_of(set.first[row], column));
    }
    if (set.rows > 0) {
      ASSERT_GE(H5Dwrite(id, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }
    H5Dclose(id);
    H5Pclose(list);
    H5Sclose(space);
    attach(file, set.name, {"t", "x"});
  }

  static void write_scale(hid_t file, const char* name, hsize_t length, bool unlimited) {
    const hsize_t most = unlimited ? H5S_UNLIMITED : length, chunk = 4;
    const hid_t space = H5Screate_simple(1, &length, &most), list = H5Pcreate(H5P_DATASET_CREATE);
    if (unlimited) H5Pset_chunk(list, 1, &chunk);
    const hid_t id = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    put_text(id, "CLASS", "DIMENSION_SCALE");
    put_text(id, "NAME", name);
    H5Dclose(id);
    H5Pclose(list);
    H5Sclose(space);
  }

  void make_sets() {
    make([&](hid_t file) {
      write_scale(file, "t", 3, true);  // shorter than what lies over it, as netCDF-C may leave it
      write_scale(file, "x", k_columns, false);
      for (const Set& set : sets_) write_set(file, set);
    });
  }

  void open_sets(scorpio_open_mode mode) {
    open(mode);
    for (Set& set : sets_) set.id = find(set.name);
  }

  void put_record(Set& set, int64_t record, int32_t first) {
    const Layout layout = uniform_layout({6}, ranks_in());
    const Decomp parts(system_, layout);
    std::vector<int32_t> data;
    for (const int64_t column : layout.of(rank_in())) data.push_back(value_of(first, column));
    EXPECT_SUCCESS(scorpio_put_darray(file_, set.id, parts.get(), record, SCORPIO_INT32, data.data()));
    set.first[static_cast<size_t>(record)] = first;
  }

  // By record, by hyperslab, and all records by one decomposition.
  void expect_records(const Set& set, int64_t length) {
    SCOPED_TRACE(set.name);
    const Layout layout = uniform_layout({6}, ranks_in());
    const Decomp parts(system_, layout);
    Reference<int32_t> all({length, 6});
    for (int64_t r = 0; r < length; ++r) {
      std::vector<int32_t> expected, got(layout.of(rank_in()).size());
      const int32_t first = set.first[static_cast<size_t>(r)];
      for (int64_t c = 0; c < 6; ++c) all[6 * r + c] = value_of(first, c);
      for (const int64_t column : layout.of(rank_in())) expected.push_back(value_of(first, column));
      EXPECT_SUCCESS(scorpio_get_darray(file_, set.id, parts.get(), r, SCORPIO_INT32, got.data()));
      EXPECT_EQ(expected, got) << r;
    }
    std::vector<int32_t> got(static_cast<size_t>(length) * 6);
    const int64_t start[2] = {0, 0}, count[2] = {length, 6};
    const scorpio_access access = scorpio_hyperslab(set.id, start, count, SCORPIO_INT32, got.data());
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    EXPECT_EQ(all.elements(), got);
    const Layout whole = uniform_layout({length, 6}, ranks_in());
    const Decomp whole_parts(system_, whole);
    expect_part(file_, set.id, whole_parts, whole, all, rank_in());
  }

  void expect_length(int64_t length) {
    int dimension = -1, unlimited = 0;
    int64_t found = -1;
    EXPECT_SUCCESS(scorpio_dimension_find(file_, "t", &dimension));
    EXPECT_SUCCESS(scorpio_dimension_inquire(file_, dimension, nullptr, 0, nullptr, &found, &unlimited));
    EXPECT_EQ(length, found);
    EXPECT_EQ(1, unlimited);
  }

  // Its own length in the file, and what it holds there.
  void expect_by_hdf5(const Set& set, size_t rows) {
    std::vector<int32_t> expected;
    for (size_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < 6; ++c) expected.push_back(value_of(set.first[r], c));
    }
    if (rank_in() == 0) {
      EXPECT_EQ(expected, stock_elements<int32_t>(path_, set.name)) << set.name;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void expect_stored(const char* name, size_t elements) {
    if (rank_in() == 0) {
      EXPECT_EQ(elements, stock_elements<int32_t>(path_, name).size());
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  static constexpr int32_t k_none = k_fill;
  std::vector<Set> sets_ = {
      {"long",
       5,
       1,
       Form::plain,
       {10, 20, 30, 40, 50, k_none, k_none, k_none, k_none, k_none, k_none, k_none}},
      {"short",
       2,
       4,
       Form::plain,
       {11, 21, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none}},
      {"deflated",
       3,
       2,
       Form::deflated,
       {12, 22, 32, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none}},
      {"packed",
       2,
       2,
       Form::packed,
       {13, 23, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none}},
      {"empty",
       0,
       3,
       Form::deflated,
       {k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none, k_none}},
  };
};

TEST_F(GrowingFiles, AVariableReadsAsFillBehindItsEnd) {
  make_sets();
  open_sets(SCORPIO_READ);
  expect_length(5);
  for (const Set& set : sets_) expect_records(set, 5);
  close();
}

TEST_F(GrowingFiles, RecordsAreAppended) {
  make_sets();
  open_sets(SCORPIO_WRITE);
  put_record(sets_[0], 6, 70);
  put_record(sets_[2], 3, 42);
  expect_length(7);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_by_hdf5(sets_[0], 7);
  expect_by_hdf5(sets_[1], 2);
  expect_by_hdf5(sets_[2], 4);
  put_record(sets_[1], 3, 41);  // in a chunk that was there
  put_record(sets_[4], 1, 14);
  put_record(sets_[0], 1, 25);
  for (const Set& set : sets_) expect_records(set, 7);
  close();
  expect_by_hdf5(sets_[0], 7);
  expect_by_hdf5(sets_[1], 4);
  expect_by_hdf5(sets_[2], 4);
  expect_by_hdf5(sets_[4], 2);
  expect_stored("t", 7);
  open_sets(SCORPIO_WRITE);
  expect_length(7);
  for (int64_t r = 7; r < 10; ++r) put_record(sets_[1], r, static_cast<int32_t>(10 * r));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, [&] {
    const Layout layout = uniform_layout({6}, ranks_in());
    const Decomp parts(system_, layout);
    const std::vector<int32_t> data(6);
    return scorpio_put_darray(file_, sets_[3].id, parts.get(), 7, SCORPIO_INT32, data.data());
  }());
  close();
  open_sets(SCORPIO_READ);
  for (const Set& set : sets_) expect_records(set, 10);
  close();
  expect_by_hdf5(sets_[0], 7);
  expect_by_hdf5(sets_[1], 10);
}

// Parallel programs make netCDF-4 files without a list of scales for each variable (NC_NODIMSCALE_ATTACH).
TEST_F(GrowingFiles, DimensionsByIdsAlone) {
  make_sets();
  if (rank_in() == 0) {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    for (const Set& set : sets_) {
      const hid_t id = H5Dopen2(file, set.name.c_str(), H5P_DEFAULT);
      H5Adelete(id, "DIMENSION_LIST");
      put_integers(id, "_Netcdf4Coordinates", {0, 1});
      H5Dclose(id);
    }
    for (const int dimension : {0, 1}) {
      const hid_t id = H5Dopen2(file, dimension == 0 ? "t" : "x", H5P_DEFAULT);
      put_integers(id, "_Netcdf4Dimid", {dimension});
      H5Dclose(id);
    }
    H5Fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  open_sets(SCORPIO_WRITE);
  expect_length(5);
  put_record(sets_[2], 6, 72);
  int dimensions[2] = {-1, -1}, added = -1;
  EXPECT_SUCCESS(scorpio_variable_dimensions(file_, sets_[1].id, dimensions, 2));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "added", SCORPIO_INT32, 2, dimensions, &added));
  close();
  open_sets(SCORPIO_READ);
  expect_length(7);
  for (const Set& set : sets_) expect_records(set, 7);
  for (const Set& set : sets_) {
    int found[2] = {-1, -1};
    EXPECT_SUCCESS(scorpio_variable_dimensions(file_, set.id, found, 2));
    EXPECT_EQ(dimensions[0], found[0]);
    EXPECT_EQ(dimensions[1], found[1]);
  }
  close();
}

// New definitions beside what was there: the dimension keeps its length, and so do the other variables.
TEST_F(GrowingFiles, DefinitionsAreNoRecords) {
  make_sets();
  open_sets(SCORPIO_WRITE);
  int dimensions[2] = {-1, -1}, added = -1;
  EXPECT_SUCCESS(scorpio_dimension_find(file_, "t", dimensions));
  EXPECT_SUCCESS(scorpio_dimension_find(file_, "x", dimensions + 1));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "added", SCORPIO_INT32, 2, dimensions, &added));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, sets_[1].id, "units", "m"));
  close();
  expect_by_hdf5(sets_[1], 2);
  expect_stored("added", 0);
  open_sets(SCORPIO_READ);
  expect_length(5);
  close();
}

// HDF5 gives all chunks of such a variable their places when it is extended.
class AllocatedEarly : public GrowingFiles {
 protected:
  // `length`: of the dimension; the variable has 2 records.
  void make_one(bool deflated, int length = 2) {
    make([&](hid_t file) {
      write_scale(file, "t", length, true);
      const hsize_t dims[1] = {2}, most[1] = {H5S_UNLIMITED}, chunk[1] = {3};
      const hid_t space = H5Screate_simple(1, dims, most), list = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(list, 1, chunk);
      if (deflated) H5Pset_deflate(list, 1);
      H5Pset_fill_value(list, H5T_NATIVE_INT32, &k_fill);
      H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
      const hid_t id = H5Dcreate2(file, "v", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
      const int32_t values[2] = {1, 2};
      EXPECT_GE(H5Dwrite(id, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
      for (const hid_t one : {id, list, space}) H5Idec_ref(one);
      attach(file, "v", {"t"});
    });
    open(SCORPIO_WRITE);
    variable_ = find("v");
  }

  int put_one(int64_t record) {
    const int64_t one = 1;
    const auto value = static_cast<int32_t>(10 * record);
    return put_of_all(file_, scorpio_hyperslab(variable_, &record, &one, SCORPIO_INT32, &value));
  }

  void expect_values(const std::vector<int32_t>& values) {
    if (rank_in() == 0) {
      EXPECT_EQ(values, stock_elements<int32_t>(path_, "v"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  int variable_ = -1;
};

// As numbers: the variable has one record, its dimension three.
TEST_F(GrowingFiles, StringsThatAVariableLacksAreItsFillValue) {
  make([&](hid_t file) {
    write_scale(file, "t", 3, true);
    const hsize_t length = 1, most = H5S_UNLIMITED, chunk = 2;
    const hid_t space = H5Screate_simple(1, &length, &most), list = H5Pcreate(H5P_DATASET_CREATE),
                type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Pset_chunk(list, 1, &chunk);
    const char *fill = "missing", *value = "x";
    H5Pset_fill_value(list, type, &fill);
    const hid_t id = H5Dcreate2(file, "s", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
    for (const hid_t one : {id, type, list, space}) H5Idec_ref(one);
    attach(file, "s", {"t"});
  });
  open(SCORPIO_READ);
  const int64_t start = 0, count = 3;
  std::vector<char*> found(3, nullptr);
  EXPECT_SUCCESS(scorpio_strings_get(file_, find("s"), &start, &count, nullptr, found.data()));
  std::vector<std::string> texts;
  for (char* one : found) {
    texts.emplace_back(one == nullptr ? "NULL" : one);
    free(one);
  }
  EXPECT_EQ((std::vector<std::string>{"x", "missing", "missing"}), texts);
  close();
}

TEST_F(AllocatedEarly, RecordsThatItLacksReadAsFillValues) {
  for (const bool deflated : {true, false}) {
    SCOPED_TRACE(deflated);
    make_one(deflated, 5);
    close();
    open(SCORPIO_READ);
    variable_ = find("v");
    const int64_t first = 1, count = 4;
    std::vector<int32_t> values(4, -1);
    const scorpio_access access = scorpio_hyperslab(variable_, &first, &count, SCORPIO_INT32, values.data());
    EXPECT_SUCCESS(scorpio_get(file_, &access));
    EXPECT_EQ((std::vector<int32_t>{2, -5, -5, -5}), values);
    close();
  }
}

TEST_F(AllocatedEarly, RecordsAreAppendedWithFilters) {
  make_one(true);
  for (const int64_t record : {2, 8}) {
    EXPECT_SUCCESS(put_one(record));
    EXPECT_SUCCESS(scorpio_file_sync(file_));
  }
  EXPECT_SUCCESS(put_one(4));
  close();
  expect_values({1, 2, 20, -5, 40, -5, -5, -5, 80});
}

TEST_F(AllocatedEarly, TheLengthStaysWithoutFilters) {
  make_one(false);
  EXPECT_SUCCESS(put_one(1));
  close();
  expect_values({1, 10});
  open(SCORPIO_WRITE);
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put_one(2));
  (void)scorpio_file_close(file_);  // which tells of it
  expect_values({1, 10});
}

}  // namespace
}  // namespace scorpio::api_test
