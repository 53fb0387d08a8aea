// What can be read and written of foreign HDF5 files: told beforehand, refused without harm, and never in the
// way of the rest.
#include <fstream>

#include "foreign_file.h"

namespace scorpio::api_test {
namespace {

struct Stored {
  scorpio_storage form{};
  Extents chunk{-1, -1};
  std::vector<int> filters{-1, -1, -1};
  int nfilters = -1;

  friend bool operator==(const Stored&, const Stored&) = default;
};

struct Access {
  int readable = -1, writable = -1;
  std::string reason;
};

class Accesses : public ForeignFile {
 protected:
  explicit Accesses(const Settings& settings = {{"staging_bytes", "1MiB"}}) : ForeignFile(settings) {}

  Access access(const std::string& name) {
    Access found;
    char text[1000];
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_variable_access_inquire(file_, find(name), &found.readable, &found.writable, text,
                                                   sizeof text, &length));
    EXPECT_LT(length, sizeof text);
    found.reason = text;
    return found;
  }
  Stored stored(const std::string& name, int capacity = 2) {
    Stored found;
    EXPECT_SUCCESS(scorpio_variable_storage(file_, find(name), &found.form, found.chunk.data(), capacity,
                                            found.filters.data(), capacity, &found.nfilters));
    return found;
  }
  // In every way that there is.
  void expect_unreadable(const std::string& name, const std::string& reason) {
    const Access told = access(name);
    EXPECT_EQ(0, told.readable) << name;
    EXPECT_EQ(0, told.writable) << name;
    EXPECT_NE(std::string::npos, told.reason.find(reason)) << name << ": " << told.reason;
    std::vector<char> bytes(64 * k_elements);
    int ndims = 0;
    int64_t dims[2] = {};
    EXPECT_SUCCESS(scorpio_variable_inquire(file_, find(name), nullptr, nullptr, &ndims, dims, 2));
    const Extents extents = ndims == 0 ? Extents{1} : Extents(dims, dims + ndims);
    const Decomp decomp(system_, uniform_layout(extents, ranks_in()));
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
              scorpio_get_darray(file_, find(name), decomp.get(), 0, SCORPIO_OPAQUE, bytes.data()));
    EXPECT_NE(std::string::npos, last_text().find(reason)) << last_text();
    EXPECT_TRUE(equal_on_all(last_text()));
    const int64_t start[] = {0, 0}, count[] = {1, 1};
    const scorpio_access box = scorpio_hyperslab(find(name), start, count, SCORPIO_OPAQUE, bytes.data());
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_get(file_, &box));
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_iget(file_, &box, nullptr));
  }
  void expect_ramp(const std::string& name) {
    const Layout layout = uniform_layout(k_dims, ranks_in());
    const Decomp decomp(system_, layout);
    std::vector<double> got(layout.of(rank_in()).size(), -1);
    ASSERT_SUCCESS(scorpio_get_darray(file_, find(name), decomp.get(), 0, SCORPIO_FLOAT64, got.data()))
        << name;
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(1.0 + static_cast<double>(layout.of(rank_in())[i]), got[i]) << name;
  }
};

void make_empty(hid_t file, const char* name, hid_t type) {
  const hsize_t dims[] = {12, 10};
  const hid_t space = H5Screate_simple(2, dims, nullptr);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(dataset, 0) << name;
  H5Aclose(H5Acreate2(dataset, "same", type, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(dataset);
  H5Sclose(space);
}

void make_chunked(hid_t file, const char* name, void (*more)(hid_t) = nullptr) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  set_chunk(list);
  if (more != nullptr) more(list);
  write(file, name, H5T_IEEE_F64LE, list);
  H5Pclose(list);
}

TEST_F(Accesses, TypesThatOnlyHdf5Reads) {
  make([](hid_t file) {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    make_empty(file, "texts", text);
    H5Tclose(text);
    const hid_t complex = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(complex, "r", 0, H5T_IEEE_F64LE);
    H5Tinsert(complex, "i", 8, H5T_IEEE_F64LE);
    make_empty(file, "complex", complex);
    H5Tclose(complex);
    const hid_t lists = H5Tvlen_create(H5T_IEEE_F64LE);
    make_empty(file, "lists", lists);
    H5Tclose(lists);
    write(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
    make_chunked(file, "chunked");
    make_chunked(file, "foreign", [](hid_t list) { H5Pset_nbit(list); });  // a filter that only HDF5 has
  });
  open(SCORPIO_WRITE);
  expect_unreadable("texts", "strings of variable length");
  expect_unreadable("lists", "variable-length sequence of float64");
  const Access complex_type = access("complex");
  EXPECT_EQ((std::tuple(1, 1, std::string())),
            std::tuple(complex_type.readable, complex_type.writable, complex_type.reason));
  const Access plain = access("plain"), chunked = access("chunked");
  EXPECT_EQ((std::tuple(1, 1, std::string())), std::tuple(plain.readable, plain.writable, plain.reason));
  EXPECT_EQ(std::pair(1, 1), std::pair(chunked.readable, chunked.writable));
  const Access foreign = access("foreign");
  EXPECT_EQ(std::pair(1, 0), std::pair(foreign.readable, foreign.writable));
  EXPECT_NE(std::string::npos, foreign.reason.find("chunked")) << foreign.reason;
  int readable = -1;
  char reason[200];
  EXPECT_SUCCESS(scorpio_attribute_access_inquire(file_, object_of(file_, "complex"), "same", &readable,
                                                  reason, sizeof reason, nullptr));
  EXPECT_EQ((std::pair(1, std::string())), std::pair(readable, std::string(reason)));
  const int lists = object_of(file_, "lists");
  EXPECT_SUCCESS(
      scorpio_attribute_access_inquire(file_, lists, "same", &readable, reason, sizeof reason, nullptr));
  EXPECT_EQ(0, readable);
  EXPECT_NE(std::string::npos, std::string(reason).find("variable-length sequence of float64")) << reason;
  EXPECT_SUCCESS(scorpio_attribute_access_inquire(file_, object_of(file_, "texts"), "same", &readable, reason,
                                                  200, nullptr));
  EXPECT_EQ(1, readable) << reason;
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_attribute_copy(file_, lists, "same", file_, SCORPIO_GLOBAL));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
            scorpio_attribute_get(file_, lists, "same", SCORPIO_OPAQUE, reason, sizeof reason));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
            scorpio_attribute_get_text(file_, lists, "same", reason, sizeof reason, nullptr));
  EXPECT_SUCCESS(
      scorpio_attribute_copy(file_, object_of(file_, "texts"), "same", file_, object_of(file_, "plain")));
  EXPECT_EQ(SCORPIO_ERR_HANDLE,
            scorpio_variable_access_inquire(file_, 99, nullptr, nullptr, nullptr, 0, nullptr));
  close();
  open();
  EXPECT_EQ(0, access("plain").writable);
  EXPECT_EQ(1, access("plain").readable);
  close();
}

TEST_F(Accesses, FormsOfStorage) {
  make([](hid_t file) {
    write(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
    write(file, "big", H5T_IEEE_F64BE, H5P_DEFAULT);
    make_chunked(file, "chunked");
    make_chunked(file, "filtered", [](hid_t list) {
      H5Pset_shuffle(list);
      H5Pset_deflate(list, 4);
      H5Pset_fletcher32(list);
    });
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(list, H5D_COMPACT);
    write(file, "compact", H5T_IEEE_F64LE, list);
    H5Pclose(list);
  });
  const Extents dims = {3};
  for (const auto mode : {SCORPIO_READ, SCORPIO_WRITE}) {
    open(mode);
    EXPECT_EQ((Stored{SCORPIO_STORAGE_CONTIGUOUS, {-1, -1}, {-1, -1, -1}, 0}), stored("plain"));
    EXPECT_EQ((Stored{SCORPIO_STORAGE_CONTIGUOUS, {-1, -1}, {-1, -1, -1}, 0}), stored("big"));
    EXPECT_EQ((Stored{SCORPIO_STORAGE_COMPACT, {-1, -1}, {-1, -1, -1}, 0}), stored("compact"));
    EXPECT_EQ((Stored{SCORPIO_STORAGE_CHUNKED, {5, 4}, {-1, -1, -1}, 0}), stored("chunked"));
    EXPECT_EQ((Stored{SCORPIO_STORAGE_CHUNKED, {5, 4}, {2, 1, -1}, 3}), stored("filtered"));
    EXPECT_EQ((Stored{SCORPIO_STORAGE_CHUNKED, {5, -1}, {2, -1, -1}, 3}), stored("filtered", 1));
    EXPECT_EQ((Stored{SCORPIO_STORAGE_CHUNKED, {-1, -1}, {-1, -1, -1}, 3}), stored("filtered", -1));
    EXPECT_SUCCESS(
        scorpio_variable_storage(file_, find("filtered"), nullptr, nullptr, 0, nullptr, 0, nullptr));
    EXPECT_EQ(SCORPIO_ERR_HANDLE,
              scorpio_variable_storage(file_, 99, nullptr, nullptr, 0, nullptr, 0, nullptr));
    if (mode == SCORPIO_WRITE) {
      int variable = -1;
      EXPECT_SUCCESS(scorpio_variable_define(file_, "ours", SCORPIO_INT32, 1, dims.data(), &variable));
      EXPECT_EQ(SCORPIO_STORAGE_CONTIGUOUS, stored("ours").form);
    }
    close();
  }
}

// Of files of another program, and of variables that are defined here.
// Each of two names would have its own chunks, or its own space, for the same elements: of two puts of one
// chunk one would be lost.
TEST_F(Accesses, OtherNamesOfADataSetAreReadAlone) {
  make([](hid_t file) {
    make_chunked(file, "chunked", [](hid_t list) { H5Pset_deflate(list, 1); });
    make_empty(file, "unput", H5T_IEEE_F64LE);
    write(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (const char* name : {"chunked", "unput", "plain"})
      EXPECT_GE(H5Lcreate_hard(file, name, group, name, H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Gclose(group);
  });
  const Layout layout = uniform_layout(k_dims, ranks_in());
  const Decomp decomp(system_, layout);
  const auto sevens = std::vector<double>(layout.of(rank_in()).size(), 7);
  open(SCORPIO_WRITE);
  // The group is listed after "chunked" and before the others.
  const std::vector<std::pair<std::string, std::string>> first_and_other = {{"chunked", "g/chunked"},
                                                                            {"g/unput", "unput"}};
  EXPECT_EQ(1, access("plain").writable);
  EXPECT_EQ(1, access("g/plain").writable);
  for (const auto& [first, other] : first_and_other) {
    EXPECT_EQ(1, access(first).writable) << access(first).reason;
    const Access told = access(other);
    EXPECT_EQ(std::pair(1, 0), std::pair(told.readable, told.writable)) << other;
    EXPECT_NE(std::string::npos, told.reason.find("those of /" + first)) << told.reason;
  }
  EXPECT_SUCCESS(scorpio_put_darray(file_, find("chunked"), decomp.get(), 0, SCORPIO_FLOAT64, sevens.data()));
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
            scorpio_put_darray(file_, find("g/chunked"), decomp.get(), 0, SCORPIO_FLOAT64, sevens.data()));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  const auto expect_sevens = [&](const char* name) {
    std::vector<double> found(sevens.size());
    EXPECT_SUCCESS(scorpio_get_darray(file_, find(name), decomp.get(), 0, SCORPIO_FLOAT64, found.data()));
    EXPECT_EQ(sevens, found) << name;
  };
  for (const char* name : {"chunked", "g/chunked"}) expect_sevens(name);
  close();
  open();
  for (const char* name : {"chunked", "g/chunked"}) expect_sevens(name);
  close();
}

// They are no groups or variables; the definition fails, and not the close that would lose the data of the
// file.
TEST_F(Accesses, NamesOfObjectsThatOnlyHdf5Has) {
  make([](hid_t file) {
    write(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_IEEE_F64LE);
    EXPECT_GE(H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Tclose(type);
    EXPECT_GE(H5Lcreate_external("none.h5", "/x", file, "external", H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Gclose(H5Gcreate2(file, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write(file, "a/member", H5T_IEEE_F64LE, H5P_DEFAULT);
    EXPECT_GE(H5Lcreate_hard(file, "a", file, "b", H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  open(SCORPIO_WRITE);
  const int64_t extent = 3;
  int id = -1;
  for (const auto& [path, what] : std::vector<std::pair<std::string, std::string>>{
           {"type", "/type is already there, as a named type"},
           {"external/x", "/external is already there, as a link to another file"},
           {"b/member", "/b/member is already there, as a member of a group that has another name"}}) {
    EXPECT_EQ(SCORPIO_ERR_EXISTS,
              scorpio_variable_define(file_, path.c_str(), SCORPIO_INT8, 1, &extent, &id));
    EXPECT_NE(std::string::npos, last_text().find(what)) << last_text();
    EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_group_define(file_, path.c_str(), nullptr));
    EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_object_remove(file_, path.c_str()));
  }
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_dimension_define(file_, "type", 3, &id));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_link_define(file_, "external", "/plain"));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_variable_rename(file_, find("plain"), "type"));
  EXPECT_SUCCESS(scorpio_variable_define(file_, "new", SCORPIO_INT8, 1, &extent, &id));
  close();
}

TEST_F(Accesses, ParametersOfFilters) {
  make([](hid_t file) {
    make_chunked(file, "chunked");
    make_chunked(file, "filtered", [](hid_t list) {
      H5Pset_shuffle(list);
      H5Pset_deflate(list, 4);
      H5Pset_fletcher32(list);
    });
  });
  const auto expect = [&](const char* name, int capacity, const std::vector<int>& filters,
                          const std::vector<int>& parameters, int expected) {
    std::vector<int> found(3, -1), values(3, -1);
    int n = -1;
    EXPECT_SUCCESS(scorpio_variable_filters(file_, find(name), found.data(), values.data(), capacity, &n));
    EXPECT_EQ(filters, found);
    EXPECT_EQ(parameters, values);
    EXPECT_EQ(expected, n);
  };
  open(SCORPIO_WRITE);
  expect("chunked", 3, {-1, -1, -1}, {-1, -1, -1}, 0);
  expect("filtered", 3, {2, 1, 3}, {0, 4, 0}, 3);
  expect("filtered", 2, {2, 1, -1}, {0, 4, -1}, 3);
  EXPECT_SUCCESS(scorpio_variable_filters(file_, find("filtered"), nullptr, nullptr, 3, nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_variable_filters(file_, 99, nullptr, nullptr, 0, nullptr));
  const int64_t dims[1] = {30};
  const int filters[2] = {1, 3}, parameters[2] = {7, 0};
  int variable = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file_, "ours", SCORPIO_INT32, 1, dims, &variable));
  EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, variable, dims));
  EXPECT_SUCCESS(scorpio_variable_define_filters(file_, variable, 2, filters, parameters));
  expect("ours", 3, {1, 3, -1}, {7, 0, -1}, 2);
  close();
  open(SCORPIO_READ);
  expect("ours", 3, {1, 3, -1}, {7, 0, -1}, 2);
  close();
}

size_t turn_bits(unsigned, size_t, const unsigned*, size_t bytes, size_t*, void** buffer) {
  for (size_t i = 0; i < bytes; ++i) static_cast<unsigned char*>(*buffer)[i] ^= 0x5a;
  return bytes;
}

constexpr H5Z_filter_t k_filter = 32999;
const H5Z_class2_t k_turning = {H5Z_CLASS_T_VERS, k_filter, 1, 1, "turning", nullptr, nullptr, turn_bits};

// With a filter that is applied to none of its chunks.
void make_left_out(hid_t file, const char* name) {
  constexpr hsize_t k_rows = 5, k_columns = 4;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  set_chunk(list);
  H5Pset_filter(list, k_filter, H5Z_FLAG_OPTIONAL, 0, nullptr);
  const hsize_t dims[] = {12, 10};
  const hid_t space = H5Screate_simple(2, dims, nullptr);
  const hid_t dataset = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (hsize_t row = 0; row < 12; row += k_rows) {
    for (hsize_t column = 0; column < 10; column += k_columns) {
      double chunk[k_rows * k_columns] = {};
      for (hsize_t i = 0; i < k_rows * k_columns; ++i)
        chunk[i] = 1.0 + static_cast<double>((row + i / k_columns) * 10 + column + i % k_columns);
      const hsize_t at[] = {row, column};
      EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 1, at, sizeof chunk, chunk), 0);
    }
  }
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(list);
}

TEST_F(Accesses, FiltersThatAreNotHere) {
  make([](hid_t file) {
    ASSERT_GE(H5Zregister(&k_turning), 0);
    make_chunked(file, "turned",
                 [](hid_t list) { H5Pset_filter(list, k_filter, H5Z_FLAG_MANDATORY, 0, nullptr); });
    make_chunked(file, "maybe",
                 [](hid_t list) { H5Pset_filter(list, k_filter, H5Z_FLAG_OPTIONAL, 0, nullptr); });
    make_left_out(file, "left out");
    make_chunked(file, "plain");
    ASSERT_GE(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    EXPECT_GE(H5Zunregister(k_filter), 0);
  });
  open();
  expect_unreadable("turned", "turning (number 32999)");
  EXPECT_EQ((Stored{SCORPIO_STORAGE_CHUNKED, {5, 4}, {32999, -1, -1}, 1}), stored("turned"));
  expect_unreadable("maybe", "turning (number 32999)");
  expect_ramp("left out");
  expect_ramp("plain");
  close();
}

// Puts another byte at `offset` from the only place where `text` is in the file.
void spoil(const std::string& path, const std::string& text, int offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const size_t at = bytes.find(text);
  ASSERT_NE(std::string::npos, at);
  file.seekp(static_cast<std::streamoff>(at) + offset);
  file.put('\x7f');
}

TEST_F(Accesses, OneObjectThatCannotBeOpenedHidesNoOther) {
  make([](hid_t file) {
    const hsize_t dims[] = {12, 10};
    const hid_t space = H5Screate_simple(2, dims, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(list, space, "source-of-it.h5", "/x", space);
    H5Dclose(H5Dcreate2(file, "virtual", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list);
    H5Sclose(space);
    write(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
    make_chunked(file, "zchunked");
  });
  if (rank_in() == 0) spoil(path_, "source-of-it.h5", -9);  // the version of the list of sources
  MPI_Barrier(MPI_COMM_WORLD);
  open();
  int count = 0;
  EXPECT_SUCCESS(scorpio_file_variables(file_, nullptr, 0, &count));
  EXPECT_EQ(3, count);
  expect_unreadable("virtual", "HDF5 cannot open it");
  EXPECT_EQ(SCORPIO_STORAGE_UNKNOWN, stored("virtual").form);
  expect_ramp("plain");
  expect_ramp("zchunked");
  close();
}

// Puts other bytes over the last place where `text` is in the file.
void spoil_last(const std::string& path, const std::string& text) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const size_t at = bytes.rfind(text);
  ASSERT_NE(std::string::npos, at);
  file.seekp(static_cast<std::streamoff>(at));
  file << std::string(text.size(), 'X');
}

void put_attributes(hid_t dataset) {
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const int seven = 7;
  const hid_t good = H5Acreate2(dataset, "good", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(good, H5T_NATIVE_INT, &seven), 0);
  H5Aclose(good);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const char* value = "in a heap";
  const hid_t spoilt = H5Acreate2(dataset, "spoilt", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(spoilt, text, &value), 0);
  H5Aclose(spoilt);
  H5Tclose(text);
  H5Sclose(scalar);
}

TEST_F(Accesses, DamagedGroupsAndAttributes) {
  make([](hid_t file) {
    const hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(group, "inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(group);
    write(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "plain", H5P_DEFAULT);
    put_attributes(dataset);
    H5Dclose(dataset);
  });
  if (rank_in() == 0) {
    spoil_last(path_, "SNOD");  // the members of `group`, in the oldest form
    spoil_last(path_, "GCOL");  // the heap of texts
  }
  MPI_Barrier(MPI_COMM_WORLD);
  open();
  expect_unreadable("group", "the members of group /group cannot be listed");
  expect_ramp("plain");
  int seven = 0, readable = -1;
  EXPECT_SUCCESS(
      scorpio_attribute_get(file_, object_of(file_, "plain"), "good", SCORPIO_INT32, &seven, sizeof seven));
  EXPECT_EQ(7, seven);
  char text[100];
  EXPECT_SUCCESS(scorpio_attribute_access_inquire(file_, object_of(file_, "plain"), "spoilt", &readable,
                                                  nullptr, 0, nullptr));
  EXPECT_EQ(0, readable);
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_attribute_get(file_, object_of(file_, "plain"), "spoilt",
                                                           SCORPIO_TEXT, text, sizeof text));
  close();
}

class RefusedPuts : public Accesses, public testing::WithParamInterface<const char*> {
 protected:
  RefusedPuts() : Accesses({{"staging_bytes", "1MiB"}, {"nodes", GetParam()}}) {
    make([](hid_t file) {
      make_chunked(file, "chunked", [](hid_t list) { H5Pset_nbit(list); });  // only HDF5 decodes it
      write(file, "plain", H5T_IEEE_F64LE, H5P_DEFAULT);
    });
    open(SCORPIO_WRITE);
  }
  int put(const std::string& name, double value) {
    const std::vector<double> values(k_elements, value);
    const Decomp decomp(system_, uniform_layout(k_dims, ranks_in()));
    return scorpio_put_darray(file_, find(name), decomp.get(), 0, SCORPIO_FLOAT64, values.data());
  }
  void expect_plain(double value) {
    const Decomp decomp(system_, uniform_layout(k_dims, ranks_in()));
    int64_t local = 0;
    EXPECT_SUCCESS(scorpio_decomp_local_elements(decomp.get(), &local));
    std::vector<double> got(k_elements, -1);
    EXPECT_SUCCESS(scorpio_get_darray(file_, find("plain"), decomp.get(), 0, SCORPIO_FLOAT64, got.data()));
    for (int64_t i = 0; i < local; ++i) ASSERT_EQ(value, got[static_cast<size_t>(i)]);
  }
};

TEST_P(RefusedPuts, CostTheFileNothing) {
  for (int round = 1; round <= 3; ++round) {
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, put("chunked", 5));
    EXPECT_NE(std::string::npos, last_text().find("chunked")) << last_text();
    EXPECT_SUCCESS(put("plain", round));
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, put("chunked", 6));
    if (round == 2) {
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
    expect_plain(round);
    expect_ramp("chunked");
  }
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, put("chunked", 7));
  close();
  open();
  expect_plain(3);
  expect_ramp("chunked");
  close();
}

// Of some ranks alone it is a call that the others did not make.
TEST_P(RefusedPuts, OnOneRankAreTold) {
  const bool mine = rank_in() == ranks_in() - 1;
  const int code = put(mine ? "chunked" : "plain", 8);
  const int closed = scorpio_file_close(file_);
  EXPECT_TRUE(equal_on_all(std::to_string(closed)));
  if (ranks_in() == 1) {
    EXPECT_EQ(std::pair(SCORPIO_ERR_UNSUPPORTED + 0, SCORPIO_OK + 0), std::pair(code, closed));
  } else if (closed == SCORPIO_OK) {
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, code);  // no rank has put anything
  } else if (mine) {
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, code);
  }
  open();
  expect_ramp("chunked");
  if (closed == SCORPIO_OK) expect_ramp("plain");
  close();
}

INSTANTIATE_TEST_SUITE_P(OnNodes, RefusedPuts, testing::Values("1", "2"));

}  // namespace
}  // namespace scorpio::api_test
