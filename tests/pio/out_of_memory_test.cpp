// A single allocation fails on one rank in a call that moves data: all ranks return the same code, no rank
// waits for ever, and the next call works or returns one code everywhere too.
#include <functional>
#include <numeric>
#include <set>

#include "program.h"
#include "support/allocations.h"

namespace scorpio::pio_test {
namespace {

// More than any of these calls makes; a call that has made all of them ends its loop before.
constexpr uint64_t k_most_allocations = 2000;

class OutOfMemory : public Program {
 protected:
  OutOfMemory() {
    EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
    map_ = round_robin(k_rows * k_columns);
    d_ = decomposition(PIO_INT, {k_rows, k_columns}, map_);
    mine_.resize(map_.size());
    std::iota(mine_.begin(), mine_.end(), 1000 * rank());
  }
  ~OutOfMemory() override { EXPECT_DONE(PIOc_freedecomp(system_, d_)); }

  static constexpr int k_rows = 5, k_columns = 7;
  using Action = std::function<int()>;

  void make(const std::string& name) {
    const int file = create(name, PIO_CLOBBER | PIO_64BIT_DATA);
    const int t = dimension(file, "t", PIO_UNLIMITED);
    const int y = dimension(file, "y", k_rows), x = dimension(file, "x", k_columns);
    v_ = variable(file, "v", PIO_INT, {y, x});
    r_ = variable(file, "r", PIO_INT, {t, y, x});
    text_ = variable(file, "text", PIO_CHAR, {x});
    EXPECT_DONE(PIOc_enddef(file));
    put_all(file);
    EXPECT_DONE(PIOc_closefile(file));
  }
  void put_all(int file) {
    EXPECT_DONE(PIOc_write_darray(file, v_, d_, length(), mine_.data(), nullptr));
    EXPECT_DONE(PIOc_setframe(file, r_, 0));
    EXPECT_DONE(PIOc_write_darray(file, r_, d_, length(), mine_.data(), nullptr));
    EXPECT_DONE(PIOc_put_var_text(file, text_, "letters"));
  }
  PIO_Offset length() const { return static_cast<PIO_Offset>(mine_.size()); }

  // The code of this rank, which all others have too.
  static int common(int code, const std::string& what) {
    int lowest = code, highest = code;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(lowest, highest) << what << ", " << code << " on rank " << rank();
    return lowest == highest ? lowest : PIO_EINTERNAL;
  }

  // Calls `action`, in which allocation `k` of rank `failing` fails, for each k and some ranks. `check`:
  // after the call, which has returned the code; false: the file is to be opened again.
  void fail_each(const std::string& name, int mode, const std::function<int(int)>& action,
                 const std::function<void(int)>& check) {
    for (const int failing : {0, root_}) {
      int file = open(name, mode);
      EXPECT_DONE(action(file));  // what is done once only
      bool reached = true;
      for (uint64_t k = 0; reached && k < k_most_allocations; ++k) {
        const std::string what =
            name + ", allocation " + std::to_string(k) + " of rank " + std::to_string(failing);
        int code = PIO_NOERR;
        {
          const test::FailingAllocation one(rank() == failing ? k : ~uint64_t{0} >> 1);
          code = action(file);
          reached = one.failed();
        }
        MPI_Bcast(&reached, 1, MPI_CXX_BOOL, failing, MPI_COMM_WORLD);
        code = common(code, what);
        if (code != PIO_NOERR) {
          EXPECT_EQ(PIO_ENOMEM, code) << what;
        }
        const int next = common(action(file), what + ", the next call");
        if (next == PIO_NOERR) {
          check(file);
          continue;
        }
        (void)common(PIOc_closefile(file), what + ", its end");
        file = open(name, mode);
        EXPECT_DONE(action(file));
      }
      EXPECT_FALSE(reached);
      EXPECT_DONE(PIOc_closefile(file));
    }
  }

  std::vector<PIO_Offset> map_;
  std::vector<int> mine_;
  int d_ = -1, v_ = -1, r_ = -1, text_ = -1;
};

TEST_F(OutOfMemory, InReadsOfDistributedArrays) {
  make("read.nc");
  std::vector<int> read(mine_.size());
  for (const int mode : {PIO_NOWRITE, PIO_WRITE}) {
    for (const int varid : {v_, r_}) {
      fail_each(
          "read.nc", mode, [&](int file) { return PIOc_read_darray(file, varid, d_, length(), read.data()); },
          [&](int) { EXPECT_EQ(mine_, read); });
    }
  }
}

TEST_F(OutOfMemory, InReadsOfVariables) {
  make("get.nc");
  std::vector<int> read(k_rows * k_columns), first;
  std::vector<double> doubles(read.size());
  std::vector<short> shorts(read.size());
  char letters[k_columns + 1] = "";
  const PIO_Offset start[] = {1, 1}, count[] = {2, 3}, stride[] = {2, 2}, map[] = {1, 2};
  const std::vector<std::function<int(int)>> actions = {
      [&](int file) { return PIOc_get_var_int(file, v_, read.data()); },
      [&](int file) { return PIOc_get_var_double(file, v_, doubles.data()); },
      [&](int file) { return PIOc_get_vara_int(file, v_, start, count, read.data()); },
      [&](int file) { return PIOc_get_varm_short(file, v_, start, count, stride, map, shorts.data()); },
      [&](int file) { return PIOc_get_var_text(file, text_, letters); }};
  for (const int mode : {PIO_NOWRITE, PIO_WRITE}) {
    for (const auto& action : actions) {
      fail_each("get.nc", mode, action, [](int) {});
    }
  }
  EXPECT_STREQ("letters", letters);
}

TEST_F(OutOfMemory, InWritesAndTheirSync) {
  make("put.nc");
  const std::vector<int> all(k_rows * k_columns, 3);
  const PIO_Offset start[] = {0, 0, 0}, count[] = {1, k_rows, k_columns};
  const auto both = [&](int file) {
    int code = PIOc_write_darray(file, v_, d_, length(), mine_.data(), nullptr);
    const int put = PIOc_put_vara_int(file, r_, start, count, all.data());
    if (code == PIO_NOERR) code = put;
    const int synced = PIOc_sync(file);
    return synced != PIO_NOERR ? synced : code;
  };
  fail_each("put.nc", PIO_WRITE, both, [](int) {});
}

// The call with the failed allocation leaves the file open on all ranks or on none.
TEST_F(OutOfMemory, InOpensAndCloses) {
  if (makes_netcdf4()) GTEST_SKIP() << "HDF5 has other codes, and loses files that it cannot close";
  make("open.nc");
  const std::string old_path = path("open.nc"), new_path = path("new.nc");
  int system = -1;
  const auto open_file = [&](int& file, bool is_new) {
    int iotype = usual_iotype();
    return is_new ? PIOc_createfile(system, &file, &iotype, new_path.c_str(), PIO_CLOBBER)
                  : PIOc_openfile(system, &file, &iotype, old_path.c_str(), PIO_WRITE);
  };
  const auto failing_at = [](uint64_t k, int failing, bool& reached, auto&& call) {
    const test::FailingAllocation one(rank() == failing ? k : ~uint64_t{0} >> 1);
    const int code = call();
    reached = one.failed();
    return code;
  };
  const std::pair<bool, bool> ways[] = {{false, false}, {false, true}, {true, false}, {true, true}};
  for (const auto& way : ways) {
    const bool closes = way.first, is_new = way.second;
    // A creation costs one agreement, after which a rank can still fail alone.
    if (!closes && is_new && ranks() > 1) continue;
    for (const int failing : std::set<int>{0, root_}) {
      bool reached = true;
      uint64_t k = 0;
      // Every third one, because each takes an I/O system.
      for (; reached && k < k_most_allocations; k += 3) {
        const std::string what = std::string(closes ? "close" : "open") + (is_new ? " of a new file" : "") +
                                 ", allocation " + std::to_string(k) + " of rank " + std::to_string(failing);
        int file = -1, code = PIO_NOERR;
        EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, root_, PIO_REARR_BOX, &system));
        EXPECT_DONE(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, nullptr));
        if (closes) {
          ASSERT_DONE(open_file(file, is_new));
          if (!is_new) {
            EXPECT_DONE(PIOc_put_var_text(file, text_, "letters"));
            EXPECT_DONE(PIOc_sync(file));  // with what is done once only
            EXPECT_DONE(PIOc_put_var_text(file, text_, "letters"));
          }
          code = failing_at(k, failing, reached, [&] { return PIOc_closefile(file); });
        } else {
          code = failing_at(k, failing, reached, [&] { return open_file(file, is_new); });
        }
        MPI_Bcast(&reached, 1, MPI_CXX_BOOL, failing, MPI_COMM_WORLD);
        code = common(code, what);
        EXPECT_TRUE(code == PIO_NOERR || code == PIO_ENOMEM) << what << ", " << code;
        const int is_open = common(file < 0 ? 0 : PIOc_File_is_Open(file), what);
        EXPECT_TRUE(code != PIO_NOERR || is_open == (closes ? 0 : 1)) << what;
        if (is_open == 1) {
          EXPECT_DONE(PIOc_closefile(file)) << what;
        }
        EXPECT_DONE(PIOc_finalize(system)) << what;
      }
      EXPECT_FALSE(reached);
    }
  }
}

// Each time by a new decomposition, because one that has been used has what it needs.
TEST_F(OutOfMemory, InPartsOfArrays) {
  if (ranks() > 1) GTEST_SKIP() << "what the library itself takes for a decomposition is not agreed on";
  make("part.nc");
  const int extents[] = {k_rows - 1, k_columns - 2};
  const std::vector<PIO_Offset> map = round_robin(k_rows);
  const std::vector<int> values(map.size(), 5);
  std::vector<int> read(map.size());
  const auto n = static_cast<PIO_Offset>(map.size());
  const auto by_new = [&](auto&& use) {
    int part = -1;
    const int made = PIOc_InitDecomp(system_, PIO_INT, 2, extents, static_cast<int>(n), map.data(), &part,
                                     nullptr, nullptr, nullptr);
    if (made != PIO_NOERR) return made;
    const int code = use(part);
    EXPECT_DONE(PIOc_freedecomp(system_, part));
    return code;
  };
  const auto write = [&](int file) {
    return by_new([&](int part) {
      const int code = PIOc_write_darray(file, v_, part, n, values.data(), nullptr);
      const int synced = PIOc_sync(file);
      return synced != PIO_NOERR ? synced : code;
    });
  };
  fail_each("part.nc", PIO_WRITE, write, [](int) {});
  const auto get = [&](int file) {
    return by_new([&](int part) { return PIOc_read_darray(file, v_, part, n, read.data()); });
  };
  for (const int mode : {PIO_NOWRITE, PIO_WRITE})
    fail_each("part.nc", mode, get, [&](int) { EXPECT_EQ(values, read); });
}

// One rank has memory for small pieces only, of a size that grows until it has enough.
class OutOfMemoryForMaps : public OutOfMemory {
 protected:
  // The id, or the code of all ranks.
  static int made_by(const std::function<int(int&)>& call, uint64_t most_bytes, int failing) {
    int id = -1, code = PIO_NOERR;
    if (rank() == failing) {
      const test::SmallAllocations few(most_bytes);
      code = call(id);
    } else {
      code = call(id);
    }
    code =
        common(code, "pieces of " + std::to_string(most_bytes) + " bytes on rank " + std::to_string(failing));
    EXPECT_EQ(code == PIO_NOERR, id >= 0);
    return code == PIO_NOERR ? common(id, "the id") : code;
  }
  // `fails`: whether the call needs more than small pieces.
  void fail_each_size(bool fails, const std::function<int(int&)>& call) {
    for (const int failing : {0, root_}) {
      int failed = 0;
      for (uint64_t bytes = k_least; bytes <= k_enough; bytes *= 2) {
        const int made = made_by(call, bytes, failing);
        if (made < 0) {
          EXPECT_EQ(PIO_ENOMEM, made);
          ++failed;
        }
        const int next = made_by(call, k_enough, failing);
        EXPECT_LE(PIO_NOERR, next) << "the next call";
        for (const int id : {made, next}) {
          if (id >= 0) {
            EXPECT_DONE(PIOc_freedecomp(system_, id));
          }
        }
      }
      EXPECT_EQ(fails, failed > 0);
    }
  }

  static constexpr uint64_t k_least = 4096, k_enough = uint64_t{1} << 26;
  static constexpr int k_elements = 60000;
};

// The second map is known, and the third one on rank 0 alone.
TEST_F(OutOfMemoryForMaps, InNewDecompositions) {
  const int extents[] = {k_elements};
  const std::vector<PIO_Offset> all = round_robin(k_elements), other(all.rbegin(), all.rend());
  const int kept = decomposition(PIO_INT, {k_elements}, all);
  const std::vector<PIO_Offset>& on_some = rank() == 0 ? all : other;
  for (const auto* const map : {&other, &all, &on_some}) {
    fail_each_size(true, [&](int& id) {
      return PIOc_InitDecomp(system_, PIO_DOUBLE, 1, extents, static_cast<int>(map->size()), map->data(), &id,
                             nullptr, nullptr, nullptr);
    });
  }
  EXPECT_DONE(PIOc_freedecomp(system_, kept));
}

// A block takes no memory for its rows.
TEST_F(OutOfMemoryForMaps, InNewBlocks) {
  const int extents[] = {k_elements, ranks()};
  const long start[] = {0, rank()}, count[] = {k_elements, 1};
  fail_each_size(
      false, [&](int& id) { return PIOc_InitDecomp_bc(system_, PIO_INT, 2, extents, start, count, &id); });
}

}  // namespace
}  // namespace scorpio::pio_test
