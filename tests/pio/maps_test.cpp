// Files of decompositions, and what concerns netCDF-4 files alone.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Maps : public Program {
 protected:
  static std::vector<PIO_Offset> with_hole() {
    auto map = round_robin(14);
    map.push_back(0);
    return map;
  }
  void expect_map(const std::string& name) {
    int ndims = 0;
    int* extents = nullptr;
    PIO_Offset length = -1;
    PIO_Offset* map = nullptr;
    ASSERT_DONE(PIOc_readmap(path(name).c_str(), &ndims, &extents, &length, &map, MPI_COMM_WORLD));
    EXPECT_EQ(2, ndims);
    EXPECT_EQ(3, extents[0]);
    EXPECT_EQ(5, extents[1]);
    EXPECT_EQ(with_hole(), std::vector<PIO_Offset>(map, map + length));
    std::free(extents);
    std::free(map);
  }
};

TEST_F(Maps, InText) {
  const auto map = with_hole();
  const int extents[] = {3, 5};
  EXPECT_DONE(PIOc_writemap(path("a.dat").c_str(), 700, 2, extents, static_cast<PIO_Offset>(map.size()),
                            map.data(), MPI_COMM_WORLD));
  expect_map("a.dat");
  std::ifstream text(path("a.dat"));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ("version 2001 npes " + std::to_string(ranks()) + " ndims 2 ", line);
  std::getline(text, line);
  EXPECT_EQ("3 5 ", line);
  const int d = decomposition(PIO_INT, {3, 5}, map);
  EXPECT_DONE(PIOc_write_decomp(path("b.dat").c_str(), system_, d, MPI_COMM_WORLD));
  expect_map("b.dat");
}

// Messages of the program are none of the library's, whatever their source and tag.
TEST_F(Maps, InTextLeaveReceivesOfTheProgram) {
  std::vector<int> received(1 << 16, -1);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(received.data(), static_cast<int>(received.size()), MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
            MPI_COMM_WORLD, &request);
  const auto map = with_hole();
  const int extents[] = {3, 5};
  EXPECT_DONE(PIOc_writemap(path("own.dat").c_str(), 700, 2, extents, static_cast<PIO_Offset>(map.size()),
                            map.data(), MPI_COMM_WORLD));
  expect_map("own.dat");
  const int sent = rank();
  MPI_Send(&sent, 1, MPI_INT, (rank() + 1) % ranks(), 1, MPI_COMM_WORLD);
  MPI_Status status;
  MPI_Wait(&request, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  EXPECT_EQ(1, count);
  EXPECT_EQ((rank() + ranks() - 1) % ranks(), received[0]);
}

// Not even of one that is gone: its ranks can be others.
TEST_F(Maps, OfAnotherSystemAreNotWritten) {
  int other = -1, of_other = -1;
  const int extents[] = {3, 5};
  const auto map = with_hole();
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &other));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(other, PIO_RETURN_ERROR, nullptr));
  EXPECT_DONE(PIOc_InitDecomp(other, PIO_INT, 2, extents, static_cast<int>(map.size()), map.data(), &of_other,
                              nullptr, nullptr, nullptr));
  const auto expect_refused = [&](int system, int d) {
    EXPECT_EQ(PIO_EBADID, PIOc_write_decomp(path("d.dat").c_str(), system, d, MPI_COMM_WORLD));
    EXPECT_EQ(PIO_EBADID, PIOc_write_nc_decomp(system, path("d.nc").c_str(), 0, d, nullptr, nullptr, 0));
    EXPECT_FALSE(std::filesystem::exists(path("d.dat")));
  };
  expect_refused(system_, of_other);
  const int mine = decomposition(PIO_INT, {3, 5}, map);
  expect_refused(other, mine);
  EXPECT_EQ(static_cast<int>(map.size()), PIOc_get_local_array_size(of_other));
  EXPECT_DONE(PIOc_freedecomp(system_, mine));
  EXPECT_DONE(PIOc_finalize(other));
  expect_refused(system_, of_other);
  EXPECT_DONE(PIOc_freedecomp(system_, of_other)) << "as programs do that free all at the end";
  EXPECT_EQ(PIO_EBADID, PIOc_freedecomp(system_, of_other));
}

TEST_F(Maps, InNetcdf) {
  const auto map = with_hole();
  const int d = decomposition(PIO_INT, {3, 5}, map);
  EXPECT_DONE(PIOc_write_nc_decomp(system_, path("c.nc").c_str(), 0, d, "a title", "a history", 1));
  expect_map("c.nc");
  char title[PIO_MAX_NAME + 1], history[PIO_MAX_NAME + 1];
  int id = -1, fortran_order = 0;
  EXPECT_DONE(PIOc_read_nc_decomp(system_, path("c.nc").c_str(), &id, MPI_COMM_WORLD, PIO_DOUBLE, title,
                                  history, &fortran_order));
  EXPECT_STREQ("a title", title);
  EXPECT_STREQ("a history", history);
  EXPECT_EQ(1, fortran_order);
  EXPECT_EQ(static_cast<int>(map.size()), PIOc_get_local_array_size(id));
  const int file = open("c.nc");
  int variable = -1;
  EXPECT_DONE(PIOc_inq_varid(file, DECOMP_MAP_VAR_NAME, &variable));
  const PIO_Offset last[] = {0, 0};
  int first = -1;
  EXPECT_DONE(PIOc_get_var1_int(file, variable, last, &first));
  EXPECT_EQ(1, first);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Maps, InNetcdfFollowTheMode) {
  constexpr int k_netcdf4 = 4096;  // NC_NETCDF4
  const int d = decomposition(PIO_INT, {3, 5}, with_hole());
  const auto write = [&](int mode) {
    return PIOc_write_nc_decomp(system_, path("mode.nc").c_str(), mode, d, "a title", "a history", 1);
  };
  const std::pair<int, int> modes[] = {{0, 1}, {PIO_64BIT_OFFSET, 2}, {PIO_64BIT_DATA, 5}, {k_netcdf4, 3}};
  for (const auto& [mode, format] : modes) {
    EXPECT_DONE(write(mode));
    expect_map("mode.nc");
    const int file = open("mode.nc");
    int found = 0;
    EXPECT_DONE(PIOc_inq_format(file, &found));
    EXPECT_EQ(format, found);
    EXPECT_DONE(PIOc_closefile(file));
  }
  EXPECT_EQ(PIO_EEXIST, write(PIO_NOCLOBBER));
  EXPECT_DONE(PIOc_deletefile(system_, path("mode.nc").c_str()));
  EXPECT_DONE(write(PIO_NOCLOBBER));
}

// Which takes several messages.
TEST_F(Maps, OfManyElementsInText) {
  const int last = ranks() - 1;
  const std::vector<PIO_Offset> map = [&] {
    std::vector<PIO_Offset> all(rank() == last ? (size_t{1} << 21) + 3 : 1);
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<PIO_Offset>(i % 7);
    return all;
  }();
  const int extent = 7;
  EXPECT_DONE(PIOc_writemap(path("many.dat").c_str(), 512, 1, &extent, static_cast<PIO_Offset>(map.size()),
                            map.data(), MPI_COMM_WORLD));
  int ndims = 0;
  int* extents = nullptr;
  PIO_Offset length = -1;
  PIO_Offset* read = nullptr;
  ASSERT_DONE(PIOc_readmap(path("many.dat").c_str(), &ndims, &extents, &length, &read, MPI_COMM_WORLD));
  EXPECT_TRUE(std::ranges::equal(map, std::vector<PIO_Offset>(read, read + length)));
  std::free(extents);
  std::free(read);
}

// Of the elements of a block alone there is no list.
TEST_F(Maps, MoreElementsThanAnIntHolds) {
  const int extents[] = {1 << 16, (1 << 15) + 1};
  const long start[] = {0, 0}, count[] = {rank() == 0 ? extents[0] : 0, extents[1]};
  int d = -1;
  ASSERT_DONE(PIOc_InitDecomp_bc(system_, PIO_INT, 2, extents, start, count, &d));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  EXPECT_EQ(rank() == 0 ? PIO_ERANGE : 0, PIOc_get_local_array_size(d));
  EXPECT_DONE(PIOc_freedecomp(system_, d));
  const long huge[] = {1L << 62, 1L << 62};
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  EXPECT_EQ(PIO_EINVAL, PIOc_InitDecomp_bc(system_, PIO_INT, 2, extents, start, huge, &d));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

// PIOc_read_nc_decomp returns them in buffers of PIO_MAX_NAME + 1 characters.
TEST_F(Maps, TitlesThatAreTooLong) {
  const int d = decomposition(PIO_INT, {3, 5}, with_hole());
  const std::string longest(PIO_MAX_NAME, 't'), too_long(PIO_MAX_NAME + 1, 't');
  char title[PIO_MAX_NAME + 1], history[PIO_MAX_NAME + 1];
  int id = -1;
  const auto write = [&](const std::string& its_title, const std::string& its_history) {
    return PIOc_write_nc_decomp(system_, path("long.nc").c_str(), 0, d, its_title.c_str(),
                                its_history.c_str(), 0);
  };
  EXPECT_EQ(PIO_EINVAL, write(too_long, "a history"));
  EXPECT_EQ(PIO_EINVAL, write("a title", too_long));
  EXPECT_EQ(PIO_EINVAL, write("a title", rank() == 0 ? too_long : longest));
  EXPECT_DONE(write(longest, longest));
  EXPECT_DONE(PIOc_read_nc_decomp(system_, path("long.nc").c_str(), &id, MPI_COMM_WORLD, PIO_INT, title,
                                  history, nullptr));
  EXPECT_EQ(longest, title);
  EXPECT_EQ(longest, history);
}

TEST_F(Maps, OfABlock) {
  const int extents[] = {3, 5};
  const long start[] = {1, 2}, count[] = {2, rank() == 0 ? 2 : 0};
  int d = -1;
  ASSERT_DONE(PIOc_InitDecomp_bc(system_, PIO_INT, 2, extents, start, count, &d));
  EXPECT_DONE(PIOc_write_decomp(path("d.dat").c_str(), system_, d, MPI_COMM_WORLD));
  int ndims = 0;
  int* gdims = nullptr;
  PIO_Offset length = -1;
  PIO_Offset* map = nullptr;
  ASSERT_DONE(PIOc_readmap(path("d.dat").c_str(), &ndims, &gdims, &length, &map, MPI_COMM_WORLD));
  const std::vector<PIO_Offset> expected{8, 9, 13, 14};
  EXPECT_EQ(rank() == 0 ? expected : std::vector<PIO_Offset>{}, std::vector<PIO_Offset>(map, map + length));
  std::free(gdims);
  std::free(map);
}

TEST_F(Maps, DamagedFiles) {
  if (rank() == 0) std::ofstream(path("e.dat")) << "version 2001 npes 1 ndims 2\n3 5\n0 4\n1 2 x";
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  int ndims = 0;
  int* gdims = nullptr;
  PIO_Offset length = -1;
  PIO_Offset* map = nullptr;
  EXPECT_EQ(PIO_ENOTNC, PIOc_readmap(path("e.dat").c_str(), &ndims, &gdims, &length, &map, MPI_COMM_WORLD));
  EXPECT_EQ(PIO_EIO, PIOc_readmap(path("none.dat").c_str(), &ndims, &gdims, &length, &map, MPI_COMM_WORLD));
  EXPECT_EQ(PIO_EIO, PIOc_readmap(path(".").c_str(), &ndims, &gdims, &length, &map, MPI_COMM_WORLD));
  EXPECT_NE(PIO_NOERR, PIOc_readmap(path("none.nc").c_str(), &ndims, &gdims, &length, &map, MPI_COMM_WORLD));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

// What no array has is refused before memory is taken for it, and the I/O system and its files are released.
TEST_F(Maps, DamagedNetcdfFiles) {
  const auto make = [&](const std::string& name, PIO_Offset dims, int extent) {
    const int file = create(name, PIO_CLOBBER | PIO_64BIT_DATA);
    const int sizes = dimension(file, "dims", dims), task = dimension(file, "task", 1);
    const int element = dimension(file, "map_element", 2);
    const int global_size = variable(file, "global_size", PIO_INT, {sizes});
    const int maplen = variable(file, "maplen", PIO_INT, {task});
    (void)variable(file, "map", PIO_INT, {task, element});
    EXPECT_DONE(PIOc_enddef(file));
    const PIO_Offset first = 0, one = 1;
    const int none = 0;
    EXPECT_DONE(PIOc_put_vara_int(file, global_size, &first, &one, &extent));
    EXPECT_DONE(PIOc_put_vara_int(file, maplen, &first, &one, &none));
    EXPECT_DONE(PIOc_closefile(file));
  };
  make("many.nc", 2000, 1);
  make("negative.nc", 1, -4);
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  for (const char* name : {"many.nc", "negative.nc"}) {
    int ndims = 0, id = -1, fortran_order = 0;
    int* gdims = nullptr;
    PIO_Offset length = -1;
    PIO_Offset* map = nullptr;
    EXPECT_EQ(PIO_ENOTNC, PIOc_readmap(path(name).c_str(), &ndims, &gdims, &length, &map, MPI_COMM_WORLD));
    EXPECT_EQ(PIO_ENOTNC, PIOc_read_nc_decomp(system_, path(name).c_str(), &id, MPI_COMM_WORLD, PIO_INT,
                                              nullptr, nullptr, &fortran_order));
  }
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

// The name on rank 0 is that of a text, or of a netCDF file. No rank waits for ever.
TEST_F(Maps, NamesOfAnotherKindOnOneRank) {
  const auto map = with_hole();
  const int extents[] = {3, 5};
  const auto length_of_map = static_cast<PIO_Offset>(map.size());
  ASSERT_DONE(
      PIOc_writemap(path("g.dat").c_str(), -1, 2, extents, length_of_map, map.data(), MPI_COMM_WORLD));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  const bool differs = rank() > 0 && rank() == ranks() - 1;
  int ndims = 0;
  int* gdims = nullptr;
  PIO_Offset length = -1;
  PIO_Offset* read = nullptr;
  const std::string text = path(differs ? "g.nc" : "g.dat");
  EXPECT_DONE(PIOc_readmap(text.c_str(), &ndims, &gdims, &length, &read, MPI_COMM_WORLD));
  EXPECT_EQ(map, std::vector<PIO_Offset>(read, read + length));
  std::free(gdims);
  std::free(read);
  const std::string netcdf = path(differs ? "g.dat" : "none.nc");
  EXPECT_NE(PIO_NOERR, PIOc_readmap(netcdf.c_str(), &ndims, &gdims, &length, &read, MPI_COMM_WORLD));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

TEST_F(Maps, ClassicFilesHaveNoChunks) {
  const int file = create("f.nc");
  const int v = variable(file, "v", PIO_INT, {});
  int answers[3] = {};
  PIO_Offset size = 0, count = 0;
  float preemption = 0;
  EXPECT_EQ(PIO_ENOTNC4, PIOc_def_var_deflate(file, v, 0, 1, 1));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_inq_var_deflate(file, v, &answers[0], &answers[1], &answers[2]));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_def_var_chunking(file, v, NC_CHUNKED, &size));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_inq_var_chunking(file, v, answers, &size));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_def_var_endian(file, v, NC_ENDIAN_BIG));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_inq_var_endian(file, v, answers));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_set_chunk_cache(system_, PIO_IOTYPE_NETCDF, 1, 1, 0));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_get_chunk_cache(system_, PIO_IOTYPE_PNETCDF, &size, &count, &preemption));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_set_var_chunk_cache(file, v, 1, 1, 0));
  EXPECT_EQ(PIO_ENOTNC4, PIOc_get_var_chunk_cache(file, v, &size, &count, &preemption));
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
