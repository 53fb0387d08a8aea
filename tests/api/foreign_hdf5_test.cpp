// HDF5 files of other programs: what they store in other forms than we do is read like anything else.
#include <fstream>
#include <iterator>

#include "foreign_file.h"

namespace scorpio::api_test {
namespace {

struct Form {
  const char* name;
  std::function<void(hid_t)> set;
};

const Form k_forms[] = {
    {"contiguous", [](hid_t) {}},
    {"compact", [](hid_t form) { H5Pset_layout(form, H5D_COMPACT); }},
    {"chunked", set_chunk},
    {"late", [](hid_t form) { H5Pset_alloc_time(form, H5D_ALLOC_TIME_LATE); }},
    {"checked",
     [](hid_t form) {
       set_chunk(form);
       H5Pset_fletcher32(form);
     }},
    {"packed",
     [](hid_t form) {
       set_chunk(form);
       H5Pset_shuffle(form);
       H5Pset_deflate(form, 4);
     }},
};

struct StoredType {
  const char* name;
  hid_t id;
};

// HDF5's ids of types are there only once it has been started.
std::vector<StoredType> stored_types() {
  return {{"f4", H5T_IEEE_F32BE}, {"f8", H5T_IEEE_F64BE},  {"i2", H5T_STD_I16BE}, {"i4", H5T_STD_I32BE},
          {"i8", H5T_STD_I64BE},  {"u2", H5T_STD_U16BE},   {"u4", H5T_STD_U32BE}, {"u8", H5T_STD_U64BE},
          {"i1", H5T_STD_I8BE},   {"f8le", H5T_IEEE_F64LE}};
}

TEST_F(ForeignFile, BigEndianElementsInEveryForm) {
  H5open();
  const std::vector<StoredType> types = stored_types();
  make([&](hid_t file) {
    for (const Form& form : k_forms) {
      const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
      form.set(list);
      for (const StoredType& type : types)
        write(file, std::string(form.name) + "_" + type.name, type.id, list);
      H5Pclose(list);
    }
  });
  open();
  const Layout layout = uniform_layout(k_dims, ranks_in());
  const Decomp decomp(system_, layout);
  for (const Form& form : k_forms) {
    for (const StoredType& type : types) {
      const std::string name = std::string(form.name) + "_" + type.name;
      std::vector<double> got(layout.of(rank_in()).size(), -1);
      ASSERT_SUCCESS(scorpio_get_darray(file_, find(name), decomp.get(), 0, SCORPIO_FLOAT64, got.data()))
          << name;
      for (size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(1.0 + static_cast<double>(layout.of(rank_in())[i]), got[i]) << name << " " << i;
      }
    }
  }
  close();
}

// HDF5 gives chunks their places all together, if a data set asks for late allocation and has no data: they
// are read as fill values and not written, while other chunks without data are written.
TEST_F(ForeignFile, ChunksWithoutDataThatAreAllocatedLate) {
  make([](hid_t file) {
    for (const auto& [name, time] :
         {std::pair("late", H5D_ALLOC_TIME_LATE), std::pair("packed_late", H5D_ALLOC_TIME_LATE),
          std::pair("early", H5D_ALLOC_TIME_EARLY), std::pair("incremental", H5D_ALLOC_TIME_INCR)}) {
      const hid_t form = H5Pcreate(H5P_DATASET_CREATE);
      set_chunk(form);
      if (std::string(name) == "packed_late") H5Pset_deflate(form, 8);
      H5Pset_alloc_time(form, time);
      const hsize_t dims[] = {12, 10};
      const hid_t space = H5Screate_simple(2, dims, nullptr);
      const hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, form, H5P_DEFAULT);
      EXPECT_GE(dataset, 0) << name;
      H5Dclose(dataset);
      H5Sclose(space);
      H5Pclose(form);
    }
  });
  open(SCORPIO_WRITE);
  const Layout layout = uniform_layout(k_dims, ranks_in());
  const Decomp decomp(system_, layout);
  const std::vector<double> sevens(layout.of(rank_in()).size(), 7);
  for (const char* name : {"late", "packed_late"}) {
    int readable = -1, writable = -1;
    EXPECT_SUCCESS(
        scorpio_variable_access_inquire(file_, find(name), &readable, &writable, nullptr, 0, nullptr));
    EXPECT_EQ(1, readable);
    EXPECT_EQ(0, writable);
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED,
              scorpio_put_darray(file_, find(name), decomp.get(), 0, SCORPIO_FLOAT64, sevens.data()));
  }
  for (const char* name : {"early", "incremental"}) {
    EXPECT_SUCCESS(scorpio_put_darray(file_, find(name), decomp.get(), 0, SCORPIO_FLOAT64, sevens.data()))
        << name;
  }
  close();
  open();
  for (const auto& [name, value] : {std::pair("late", 0.0), std::pair("packed_late", 0.0),
                                    std::pair("early", 7.0), std::pair("incremental", 7.0)}) {
    std::vector<double> got(sevens.size(), -1);
    EXPECT_SUCCESS(scorpio_get_darray(file_, find(name), decomp.get(), 0, SCORPIO_FLOAT64, got.data()))
        << name;
    EXPECT_EQ(got, std::vector<double>(sevens.size(), value)) << name;
  }
  close();
}

// The numbers of an enumeration, in the order of bytes that its base has.
// HDF5 1.10 accepts extents of a chunk whose product is 2^64, because it calculates modulo 2^64.
TEST_F(ForeignFile, ChunksOfADamagedFileThatAreTooLarge) {
  make([](hid_t file) {
    const hsize_t dims[] = {4, 4}, most[] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[] = {2, 2};
    const hid_t form = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, most);
    H5Pset_chunk(form, 2, chunk);
    H5Dclose(H5Dcreate2(file, "v", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, form, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(form);
  });
  if (rank_in() == 0) {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::string extents("\2\0\0\0\2\0\0\0\4\0\0\0", 12), huge("\0\0\0\x80\0\0\0\x80", 8);
    const size_t at = bytes.find(extents);
    ASSERT_NE(at, std::string::npos);
    file.seekp(static_cast<std::streamoff>(at));
    file << huge;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  open(SCORPIO_WRITE);
  int writable = -1;
  EXPECT_SUCCESS(scorpio_variable_access_inquire(file_, find("v"), nullptr, &writable, nullptr, 0, nullptr));
  EXPECT_EQ(0, writable);
  close();
}

// Each rank would keep the fill value.
TEST_F(ForeignFile, ChunksOfLargeElementsAreLeftToHdf5) {
  make([](hid_t file) {
    const hsize_t none = 0, most = H5S_UNLIMITED, chunk = 1;
    for (const size_t bytes : {size_t{1} << 10, size_t{1} << 30}) {
      const hid_t form = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &none, &most),
                  type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, bytes);
      H5Pset_chunk(form, 1, &chunk);
      const char* const name = bytes == size_t{1} << 10 ? "small" : "large";
      H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, form, H5P_DEFAULT));
      for (const hid_t one : {type, space, form}) H5Idec_ref(one);
    }
  });
  open(SCORPIO_WRITE);
  for (const char* name : {"small", "large"}) {
    int writable = -1;
    EXPECT_SUCCESS(
        scorpio_variable_access_inquire(file_, find(name), nullptr, &writable, nullptr, 0, nullptr));
    EXPECT_EQ(name == std::string("small") ? 1 : 0, writable) << name;
  }
  close();
}

TEST_F(ForeignFile, BigEndianEnumerations) {
  make([&](hid_t file) {
    const hid_t colour = H5Tenum_create(H5T_STD_I32BE);
    for (int value = 1; value <= k_elements; ++value) {
      int stored = 0;
      H5Tconvert(H5T_NATIVE_INT, H5T_STD_I32BE, 1, &(stored = value), nullptr, H5P_DEFAULT);
      H5Tenum_insert(colour, ("c" + std::to_string(value)).c_str(), &stored);
    }
    const hid_t memory = H5Tget_native_type(colour, H5T_DIR_ASCEND);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    set_chunk(list);
    const hsize_t dims[] = {12, 10};
    const hid_t space = H5Screate_simple(2, dims, nullptr);
    const hid_t dataset = H5Dcreate2(file, "colours", colour, space, H5P_DEFAULT, list, H5P_DEFAULT);
    std::vector<int> values(k_elements);
    std::iota(values.begin(), values.end(), 1);
    EXPECT_GE(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(list);
    H5Tclose(memory);
    H5Tclose(colour);
  });
  open();
  const Layout layout = uniform_layout(k_dims, ranks_in());
  const Decomp decomp(system_, layout);
  std::vector<int> got(layout.of(rank_in()).size(), -1);
  ASSERT_SUCCESS(scorpio_get_darray(file_, find("colours"), decomp.get(), 0, SCORPIO_INT32, got.data()));
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(1 + layout.of(rank_in())[i], got[i]) << i;
  close();
}

}  // namespace
}  // namespace scorpio::api_test
