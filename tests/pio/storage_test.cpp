// How variables of netCDF-4 files are stored: the codes are those of netCDF-C.
#include <filesystem>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class StorageOfVariables : public Program {
 protected:
  // With the dimensions time (unlimited) and x(10), in define mode.
  int new_file(const std::string& name, int iotype = PIO_IOTYPE_NETCDF4P) {
    const int file = create(name, PIO_CLOBBER, iotype);
    time_ = dimension(file, "time", PIO_UNLIMITED);
    x_ = dimension(file, "x", 10);
    return file;
  }
  static void expect_deflate(int file, int v, int shuffle, int deflate, int level) {
    int found[3] = {-7, -7, -7};
    EXPECT_DONE(PIOc_inq_var_deflate(file, v, &found[0], &found[1], &found[2]));
    EXPECT_EQ(shuffle, found[0]);
    EXPECT_EQ(deflate, found[1]);
    EXPECT_EQ(level, found[2]);
  }
  static void expect_order(int file, int v, int expected) {
    int endian = -7;
    EXPECT_DONE(PIOc_inq_var_endian(file, v, &endian));
    EXPECT_EQ(expected, endian);
  }
  static void expect_chunks(int file, int v, const std::vector<PIO_Offset>& chunk) {
    int storage = -7;
    std::vector<PIO_Offset> found(chunk.size());
    EXPECT_DONE(PIOc_inq_var_chunking(file, v, &storage, found.data()));
    EXPECT_EQ(NC_CHUNKED, storage);
    EXPECT_EQ(chunk, found);
  }
  static int chunking(int file, int v, const std::vector<PIO_Offset>& chunk) {
    return PIOc_def_var_chunking(file, v, NC_CHUNKED, chunk.data());
  }

  int time_ = -1, x_ = -1;
};

TEST_F(StorageOfVariables, Chunks) {
  const int file = new_file("a.nc");
  const int scalar = variable(file, "scalar", PIO_INT, {});
  EXPECT_EQ(PIO_EINVAL, chunking(file, scalar, {1}));
  EXPECT_DONE(PIOc_def_var_chunking(file, scalar, NC_CONTIGUOUS, nullptr));
  const int v = variable(file, "v", PIO_INT, {x_});
  int storage = -7;
  EXPECT_DONE(PIOc_inq_var_chunking(file, v, &storage, nullptr));
  EXPECT_EQ(NC_CONTIGUOUS, storage);
  EXPECT_EQ(PIO_EBADCHUNK, chunking(file, v, {20}));
  EXPECT_EQ(PIO_EBADCHUNK, chunking(file, v, {-1}));
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_chunking(file, v, 7, nullptr));
  EXPECT_EQ(PIO_ENOTVAR, chunking(file, 99, {1}));
  EXPECT_DONE(chunking(file, v, {0}));
  expect_chunks(file, v, {10});
  EXPECT_DONE(chunking(file, v, {3}));
  expect_chunks(file, v, {3});
  const int w = variable(file, "w", PIO_INT, {time_, x_});
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_chunking(file, w, NC_CONTIGUOUS, nullptr));
  EXPECT_EQ(PIO_EBADCHUNK, chunking(file, w, {5, 20}));
  EXPECT_DONE(chunking(file, w, {1000, 5}));
  expect_chunks(file, w, {1000, 5});
  EXPECT_DONE(chunking(file, w, {2, 0}));
  expect_chunks(file, w, {2, 10});
  const std::vector<int> values(10, 6);
  std::vector<int> read(10);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  EXPECT_DONE(PIOc_get_var_int(file, v, read.data()));
  EXPECT_EQ(values, read);
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  expect_chunks(again, v, {3});
  expect_chunks(again, w, {2, 10});
  EXPECT_DONE(PIOc_closefile(again));
}

// A chunk that nobody gave has 4 MiB at most.
TEST_F(StorageOfVariables, LargeVariablesAreCut) {
  const int file = new_file("large.nc");
  const int y = dimension(file, "y", 1000);
  const int z = dimension(file, "z", 3000);
  const int v = variable(file, "v", PIO_DOUBLE, {y, z});
  EXPECT_DONE(PIOc_def_var_chunking(file, v, NC_CHUNKED, nullptr));
  expect_chunks(file, v, {167, 3000});
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(StorageOfVariables, Compression) {
  const int file = new_file("b.nc");
  const int scalar = variable(file, "scalar", PIO_INT, {});
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_deflate(file, scalar, 0, 1, 1));
  const int v = variable(file, "v", PIO_INT, {x_});
  expect_deflate(file, v, 0, 0, 0);
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_deflate(file, v, 0, 1, -1));
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_deflate(file, v, 0, 1, 10));
  EXPECT_DONE(PIOc_def_var_deflate(file, v, 0, 0, 77));
  expect_deflate(file, v, 0, 0, 0);
  EXPECT_DONE(PIOc_def_var_deflate(file, v, 1, 1, 3));
  expect_deflate(file, v, 1, 1, 3);
  expect_chunks(file, v, {10});
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_chunking(file, v, NC_CONTIGUOUS, nullptr));
  EXPECT_DONE(chunking(file, v, {5}));
  expect_deflate(file, v, 1, 1, 3);
  EXPECT_DONE(PIOc_def_var_deflate(file, v, 1, 0, 0));
  expect_deflate(file, v, 1, 0, 0);
  EXPECT_DONE(PIOc_def_var_deflate(file, v, 0, 1, 9));
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> values(10, 6);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("b.nc");
  expect_deflate(again, v, 0, 1, 9);
  std::vector<int> read(10);
  EXPECT_DONE(PIOc_get_var_int(again, v, read.data()));
  EXPECT_EQ(values, read);
  EXPECT_EQ(PIO_EPERM, PIOc_def_var_deflate(again, v, 0, 1, 1));
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(StorageOfVariables, TooLate) {
  const int file = new_file("c.nc");
  const int v = variable(file, "v", PIO_INT, {x_});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_EQ(PIO_ELATEDEF, PIOc_def_var_deflate(file, v, 0, 1, 1));
  EXPECT_EQ(PIO_ELATEDEF, chunking(file, v, {5}));
  EXPECT_EQ(PIO_ELATEDEF, PIOc_def_var_endian(file, v, NC_ENDIAN_NATIVE));
  EXPECT_EQ(PIO_ELATEDEF, PIOc_def_var_fill(file, v, 0, nullptr));
  const int w = variable(file, "w", PIO_INT, {x_});
  EXPECT_DONE(PIOc_def_var_deflate(file, w, 0, 1, 1));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_closefile(file));
}

// Types 3 and 9 compress all variables that have dimensions, the others none.
TEST_F(StorageOfVariables, TheIoTypeSaysWhatIsCompressed) {
  constexpr int k_elements = 100000;
  std::uintmax_t bytes[2] = {};
  for (const int iotype : {PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P, PIO_IOTYPE_HDF5, PIO_IOTYPE_HDF5C}) {
    SCOPED_TRACE("I/O type " + std::to_string(iotype));
    const int compressed = iotype == PIO_IOTYPE_NETCDF4C || iotype == PIO_IOTYPE_HDF5C ? 1 : 0;
    const int file = new_file("d.nc", iotype);
    const int scalar = variable(file, "scalar", PIO_INT, {});
    const int v = variable(file, "v", PIO_INT, {dimension(file, "many", k_elements)});
    const int w = variable(file, "w", PIO_DOUBLE, {time_, x_});
    const int u = variable(file, "u", PIO_DOUBLE, {time_, x_});
    expect_deflate(file, scalar, 0, 0, 0);
    expect_deflate(file, v, 0, compressed, compressed);
    expect_deflate(file, w, 0, compressed, compressed);
    EXPECT_DONE(PIOc_def_var_deflate(file, u, 0, 0, 0));
    expect_deflate(file, u, 0, 0, 0);
    EXPECT_DONE(PIOc_enddef(file));
    const std::vector<int> values(k_elements, 6);
    EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
    EXPECT_DONE(PIOc_closefile(file));
    bytes[compressed] = std::filesystem::file_size(path("d.nc"));
    MPI_Barrier(MPI_COMM_WORLD);  // the next file has the same name
  }
  EXPECT_LT(bytes[1], bytes[0] / 4);
}

// Of a new variable, netCDF-C answers what was set; of one in the file, the order that is there.
TEST_F(StorageOfVariables, ByteOrder) {
  const int file = new_file("e.nc");
  const int v = variable(file, "v", PIO_INT, {x_});
  const int text = variable(file, "text", PIO_CHAR, {x_});
  const int plain = variable(file, "plain", PIO_DOUBLE, {});
  expect_order(file, v, NC_ENDIAN_NATIVE);
  EXPECT_DONE(PIOc_def_var_endian(file, v, NC_ENDIAN_LITTLE));
  expect_order(file, v, NC_ENDIAN_LITTLE);
  EXPECT_DONE(PIOc_def_var_endian(file, v, NC_ENDIAN_NATIVE));
  expect_order(file, v, NC_ENDIAN_NATIVE);
  EXPECT_DONE(PIOc_def_var_endian(file, v, NC_ENDIAN_BIG));
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_endian(file, v, 7));
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_endian(file, text, NC_ENDIAN_LITTLE));
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> values{1, -2, 300, 70000, 5, 6, 7, 8, 9, 10};
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  for (const bool again : {false, true}) {
    const int opened = again ? open("e.nc", PIO_WRITE) : file;
    expect_order(opened, v, NC_ENDIAN_BIG);
    expect_order(opened, text, NC_ENDIAN_NATIVE);
    expect_order(opened, plain, again ? NC_ENDIAN_LITTLE : NC_ENDIAN_NATIVE);
    std::vector<int> read(values.size());
    EXPECT_DONE(PIOc_get_var_int(opened, v, read.data()));
    EXPECT_EQ(values, read);
    EXPECT_DONE(PIOc_closefile(opened));
  }
}

// If ranks define other orders, that of the I/O root counts.
TEST_F(StorageOfVariables, ByteOrdersThatDiffer) {
  if (ranks() == 1) GTEST_SKIP() << "one rank";
  const int file = new_file("differ.nc");
  const int v = variable(file, "v", PIO_INT, {x_});
  EXPECT_DONE(PIOc_def_var_endian(file, v, rank() == root_ ? NC_ENDIAN_BIG : NC_ENDIAN_LITTLE));
  EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
  expect_order(file, v, NC_ENDIAN_BIG);
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("differ.nc");
  expect_order(again, v, NC_ENDIAN_BIG);
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(StorageOfVariables, CachesOfChunks) {
  const int file = new_file("f.nc");
  const int v = variable(file, "v", PIO_INT, {x_});
  PIO_Offset bytes = 0, chunks = 0;
  float preemption = 0;
  EXPECT_DONE(PIOc_get_chunk_cache(system_, PIO_IOTYPE_NETCDF4P, &bytes, &chunks, &preemption));
  EXPECT_EQ(PIO_Offset{16} << 20, bytes);
  EXPECT_EQ(4133, chunks);
  EXPECT_EQ(0.75F, preemption);
  EXPECT_EQ(PIO_EINVAL, PIOc_set_chunk_cache(system_, PIO_IOTYPE_NETCDF4C, 1, 1, 2));
  EXPECT_EQ(PIO_EINVAL, PIOc_set_chunk_cache(system_, PIO_IOTYPE_NETCDF4C, -1, 1, 0));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_set_chunk_cache(system_, PIO_IOTYPE_ADIOS, 1, 1, 0));
  EXPECT_DONE(PIOc_set_chunk_cache(system_, PIO_IOTYPE_NETCDF4C, 1000, 7, 0.5F));
  EXPECT_DONE(PIOc_get_var_chunk_cache(file, v, &bytes, &chunks, nullptr));
  EXPECT_EQ(1000, bytes);
  EXPECT_DONE(PIOc_set_var_chunk_cache(file, v, 2000, 7, 0.5F));
  EXPECT_DONE(PIOc_get_var_chunk_cache(file, v, &bytes, nullptr, nullptr));
  EXPECT_EQ(2000, bytes);
  EXPECT_EQ(PIO_EINVAL, PIOc_set_var_chunk_cache(file, v, 1, 1, 2));
  EXPECT_EQ(PIO_ENOTVAR, PIOc_set_var_chunk_cache(file, 99, 1, 1, 0));
  EXPECT_DONE(PIOc_closefile(file));
}

// That of the I/O root counts, as for all definitions.
TEST_F(StorageOfVariables, RanksThatDiffer) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = new_file("g.nc");
  const int v = variable(file, "v", PIO_INT, {x_});
  EXPECT_DONE(PIOc_def_var_deflate(file, v, 0, 1, rank() == root_ ? 4 : 2));
  EXPECT_DONE(chunking(file, v, {rank() == root_ ? 4 : 2}));
  EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
  expect_deflate(file, v, 0, 1, 4);
  expect_chunks(file, v, {4});
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
