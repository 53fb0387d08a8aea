// I/O systems of programs that give some of their processes to I/O alone: those return when the I/O systems
// of all components have ended, and the ranks of each component read and write its files.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Dedicated : public Program {
 protected:
  Dedicated() { EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr)); }
  ~Dedicated() override {
    EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
  }

  // What the ranks of a component do with its I/O system `id`; each file has every rank's elements.
  void compute(int id, MPI_Comm component, int dedicated, const std::string& name) {
    int rank_here = 0, ranks_here = 0;
    MPI_Comm_rank(component, &rank_here);
    MPI_Comm_size(component, &ranks_here);
    expect_no_io_task(id, dedicated);
    for (const int type : {PIO_IOTYPE_PNETCDF, PIO_IOTYPE_NETCDF4C})
      write_and_read(id, type, path(name + std::to_string(type)), rank_here, ranks_here);
    if (rank_here == 0) std::ofstream(path(name)) << "used";
    EXPECT_DONE(PIOc_finalize(id));
    EXPECT_EQ(PIO_EBADID, PIOc_finalize(id));
  }

  // On a rank for I/O alone, which has returned.
  void expect_ended(const std::string& name) const {
    EXPECT_TRUE(std::filesystem::exists(path(name))) << "the call has returned before the I/O system ended";
  }

  static void expect_no_io_task(int id, int dedicated) {
    bool mine = true;
    int position = 5, tasks = -1;
    EXPECT_DONE(PIOc_iam_iotask(id, &mine));
    EXPECT_FALSE(mine);
    EXPECT_DONE(PIOc_iotask_rank(id, &position));
    EXPECT_EQ(-1, position);
    EXPECT_DONE(PIOc_get_numiotasks(id, &tasks));
    EXPECT_EQ(dedicated, tasks);
  }

  static void write_and_read(int id, int type, const std::string& path, int rank_here, int ranks_here) {
    int file = -1, decomposition = -1, extent = 3 * ranks_here;
    const std::vector<PIO_Offset> map{rank_here, rank_here + ranks_here, rank_here + 2 * ranks_here};
    const std::vector<int> values(map.begin(), map.end());
    ASSERT_DONE(PIOc_createfile(id, &file, &type, path.c_str(), PIO_CLOBBER));
    const int x = dimension(file, "x", extent), v = variable(file, "v", PIO_INT, {x});
    const int root = variable(file, "root", PIO_INT, {});
    EXPECT_DONE(PIOc_enddef(file));
    ASSERT_DONE(
        PIOc_init_decomp(id, PIO_INT, 1, &extent, 3, map.data(), &decomposition, 0, nullptr, nullptr));
    EXPECT_DONE(PIOc_write_darray(file, v, decomposition, 3, values.data(), nullptr));
    EXPECT_DONE(PIOc_put_var_int(file, root, &rank_here));
    EXPECT_DONE(PIOc_freedecomp(id, decomposition));
    EXPECT_DONE(PIOc_closefile(file));
    ASSERT_DONE(PIOc_openfile(id, &file, &type, path.c_str(), PIO_NOWRITE));
    std::vector<int> found(static_cast<size_t>(extent)), expected(found.size());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_DONE(PIOc_get_var_int(file, v, found.data()));
    EXPECT_EQ(expected, found);
    EXPECT_DONE(PIOc_get_var_int(file, root, found.data()));
    EXPECT_EQ(0, found[0]);
    EXPECT_DONE(PIOc_closefile(file));
  }
};

// The first rank does I/O alone where there are no lists.
TEST_F(Dedicated, WithoutLists) {
  const int computing = ranks() - 1;
  int id = -7;
  MPI_Comm io = MPI_COMM_NULL, component = MPI_COMM_NULL;
  ASSERT_DONE(PIOc_init_async(MPI_COMM_WORLD, 1, nullptr, 1, &computing, nullptr, &io, &component,
                              PIO_REARR_BOX, &id));
  EXPECT_EQ(rank() == 0, io != MPI_COMM_NULL);
  EXPECT_EQ(rank() == 0, component == MPI_COMM_NULL);
  if (rank() == 0) {
    EXPECT_EQ(-1, id);
    expect_ended("without_lists");
    MPI_Comm_free(&io);
  } else {
    compute(id, component, 1, "without_lists");
    MPI_Comm_free(&component);
  }
}

// Two components in an order of their own; with five ranks one is in no list.
TEST_F(Dedicated, ComponentsByLists) {
  if (ranks() < 4) GTEST_SKIP() << "needs four ranks";
  const std::vector<int> io{1}, counts{1, 2}, first{0}, second{3, 2};
  std::array<const int*, 2> lists{first.data(), second.data()};
  std::array ids{-7, -7};
  std::array<MPI_Comm, 2> components{};
  ASSERT_DONE(PIOc_init_async(MPI_COMM_WORLD, 1, io.data(), 2, counts.data(), lists.data(), nullptr,
                              components.data(), PIO_REARR_SUBSET, ids.data()));
  if (rank() == 1) {
    expect_ended("by_lists0");
    expect_ended("by_lists1");
  }
  const std::array mine{rank() == 0, rank() == 2 || rank() == 3};
  for (size_t i = 0; i < mine.size(); ++i) {
    EXPECT_EQ(mine[i], components[i] != MPI_COMM_NULL);
    if (!mine[i]) {
      EXPECT_EQ(-1, ids[i]);
      continue;
    }
    int position = -1;
    MPI_Comm_rank(components[i], &position);
    EXPECT_EQ(rank() == 2 ? 1 : 0, position);
    compute(ids[i], components[i], 1, "by_lists" + std::to_string(i));
    MPI_Comm_free(&components[i]);
  }
}

// As the modules in Fortran call it. The last rank computes, the first one does I/O alone.
TEST_F(Dedicated, ByListsFromFortran) {
  const int io_rank = 0, count = 1, longest = 2, lists[] = {ranks() - 1, -5};  // one number is the list
  int id = -7;
  MPI_Fint io = 0, component = 0;
  const auto init = [&](int length) {
    return PIOc_init_async_from_F90(MPI_Comm_c2f(MPI_COMM_WORLD), 1, &io_rank, 1, &count, length, lists, &io,
                                    &component, PIO_REARR_BOX, &id);
  };
  EXPECT_EQ(PIO_EINVAL, init(0)) << "the list is shorter than its component";
  EXPECT_EQ(MPI_COMM_NULL, MPI_Comm_f2c(component));
  ASSERT_DONE(init(longest));
  MPI_Comm of_io = MPI_Comm_f2c(io), computing = MPI_Comm_f2c(component);
  EXPECT_EQ(rank() == 0, of_io != MPI_COMM_NULL);
  EXPECT_EQ(rank() == ranks() - 1, computing != MPI_COMM_NULL);
  if (computing != MPI_COMM_NULL) {
    compute(id, computing, 1, "from_fortran");
    MPI_Comm_free(&computing);
  } else {
    EXPECT_EQ(-1, id);
  }
  if (of_io != MPI_COMM_NULL) {
    expect_ended("from_fortran");
    MPI_Comm_free(&of_io);
  }
}

// A rank can be in several components. The last ranks do I/O alone.
TEST_F(Dedicated, ByCommunicators) {
  const int dedicated = ranks() > 2 ? 2 : 1, computing = ranks() - dedicated;
  const bool computes = rank() < computing;
  MPI_Comm part = MPI_COMM_NULL, alone = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, computes ? 1 : 0, 0, &part);
  if (rank() == 0) MPI_Comm_dup(MPI_COMM_SELF, &alone);
  const MPI_Comm io = computes ? MPI_COMM_NULL : part;
  const std::array components{computes ? part : MPI_COMM_NULL, alone};
  std::array ids{-7, -7};
  ASSERT_DONE(PIOc_init_intercomm(2, MPI_COMM_WORLD, components.data(), io, PIO_REARR_BOX, ids.data()));
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string name = "communicators" + std::to_string(i);
    if (components[i] != MPI_COMM_NULL) {
      compute(ids[i], components[i], dedicated, name);
    } else {
      EXPECT_EQ(-1, ids[i]);
      if (!computes) expect_ended(name);
    }
  }
  if (alone != MPI_COMM_NULL) MPI_Comm_free(&alone);
  MPI_Comm_free(&part);
}

// All ranks return the code, those for I/O too, and no I/O system is left.
TEST_F(Dedicated, WrongArguments) {
  const bool computes = rank() > 0;
  const std::array components{computes ? MPI_COMM_WORLD : MPI_COMM_NULL, MPI_COMM_WORLD};
  const MPI_Comm io = computes ? MPI_COMM_NULL : MPI_COMM_WORLD;
  std::array ids{-7, -7};
  const auto communicators = [&](int count, const MPI_Comm* of_components, MPI_Comm of_io, int rearranger,
                                 int* out) {
    return PIOc_init_intercomm(count, MPI_COMM_WORLD, of_components, of_io, rearranger, out);
  };
  EXPECT_EQ(PIO_EINVAL, communicators(0, components.data(), io, PIO_REARR_BOX, ids.data()));
  EXPECT_EQ(PIO_EINVAL, communicators(1, components.data(), io, PIO_REARR_ANY, ids.data()));
  EXPECT_EQ(PIO_EINVAL,
            communicators(1, computes ? components.data() : nullptr, io, PIO_REARR_BOX, ids.data()));
  EXPECT_EQ(PIO_EINVAL,
            communicators(1, components.data(), io, PIO_REARR_BOX, computes ? ids.data() : nullptr));
  EXPECT_EQ(PIO_EINVAL, communicators(1, components.data(), MPI_COMM_NULL, PIO_REARR_BOX, ids.data()));
  EXPECT_EQ(PIO_EINVAL,
            communicators(2, components.data(), io, PIO_REARR_BOX, ids.data()));  // rank 0 is in both
  EXPECT_EQ(PIO_EINVAL, communicators(computes ? 1 : 2, components.data(), io, PIO_REARR_BOX, ids.data()));
  EXPECT_EQ(PIO_EINVAL,
            PIOc_init_intercomm(1, MPI_COMM_NULL, components.data(), io, PIO_REARR_BOX, ids.data()));
  const int others = ranks() - 1, none = 0, twice[] = {0, 0}, far[] = {ranks()};
  const auto lists = [&](int io_ranks, const int* list, int count, const int* ranks_of, int* out) {
    return PIOc_init_async(MPI_COMM_WORLD, io_ranks, list, count, ranks_of, nullptr, nullptr, nullptr,
                           PIO_REARR_BOX, out);
  };
  EXPECT_EQ(PIO_EINVAL, lists(0, nullptr, 1, &others, ids.data()));
  EXPECT_EQ(PIO_EINVAL, lists(1, nullptr, 0, &others, ids.data()));
  EXPECT_EQ(PIO_EINVAL, lists(1, nullptr, 1, nullptr, ids.data()));
  EXPECT_EQ(PIO_EINVAL, lists(1, nullptr, 1, &none, ids.data()));
  EXPECT_EQ(PIO_EINVAL, lists(1, nullptr, 1, &others, nullptr));
  EXPECT_EQ(PIO_EINVAL, lists(2, nullptr, 1, &others, ids.data()));
  EXPECT_EQ(PIO_EINVAL, lists(2, twice, 1, &others, ids.data()));
  EXPECT_EQ(PIO_EINVAL, lists(1, far, 1, &others, ids.data()));
  EXPECT_EQ((std::array{-7, -7}), ids);
}

}  // namespace
}  // namespace scorpio::pio_test
