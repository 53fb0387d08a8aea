// Requests, lists and arrays of variables that only HDF5 itself can read, alone and beside others.
#include <algorithm>
#include <array>

#include "accesses.h"
#include "foreign_file.h"

namespace scorpio::api_test {
namespace {

// "plain" is contiguous, the others are not; element e of variable v is 1000 v + 1 + e.
constexpr std::array<const char*, 4> k_names = {"plain", "chunked", "packed", "compact"};

double value_of(int variable, int64_t element) {
  return 1000.0 * variable + 1 + static_cast<double>(element);
}

class LibraryRequests : public ForeignFile {
 protected:
  explicit LibraryRequests(const Settings& settings = {{"staging_bytes", "1MiB"}}) : ForeignFile(settings) {
    make([](hid_t file) {
      for (size_t v = 0; v < k_names.size(); ++v) {
        const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
        if (v == 1 || v == 2) set_chunk(list), H5Pset_nbit(list);  // a filter that only HDF5 has
        if (v == 2) H5Pset_deflate(list, 4);
        if (v == 3) H5Pset_layout(list, H5D_COMPACT);
        std::vector<double> values = ramp();
        for (double& value : values) value += 1000.0 * static_cast<double>(v);
        write(file, k_names[v], v % 2 == 0 ? H5T_IEEE_F64LE : H5T_STD_I32BE, list, values);
        H5Pclose(list);
      }
    });
  }
  void open_all(scorpio_open_mode mode = SCORPIO_READ) {
    open(mode);
    for (size_t v = 0; v < k_names.size(); ++v) ids_[v] = find(k_names[v]);
  }

  struct Piece {
    int variable;
    int64_t start[2], count[2];
    std::vector<double> data;
    scorpio_access access(const std::array<int, 4>& ids) {
      return scorpio_hyperslab(ids[static_cast<size_t>(variable)], start, count, SCORPIO_FLOAT64,
                               data.data());
    }
  };
  static Piece piece(int variable, int64_t row, int64_t column, int64_t rows, int64_t columns) {
    return {variable,
            {row, column},
            {rows, columns},
            std::vector<double>(static_cast<size_t>(rows * columns), -1)};
  }
  static void expect(const Piece& got) {
    for (int64_t i = 0; i < got.count[0]; ++i) {
      for (int64_t j = 0; j < got.count[1]; ++j) {
        const int64_t element = (got.start[0] + i) * k_dims[1] + got.start[1] + j;
        ASSERT_EQ(value_of(got.variable, element), got.data[static_cast<size_t>(i * got.count[1] + j)])
            << k_names[static_cast<size_t>(got.variable)] << " " << element;
      }
    }
  }
  // Rows of all variables, dealt out to the ranks, with holes: no rank has column 4.
  std::vector<Piece> rows() const {
    std::vector<Piece> all;
    for (int v = 0; v < static_cast<int>(k_names.size()); ++v) {
      for (int64_t row = rank_in(); row < k_dims[0]; row += ranks_in()) {
        all.push_back(piece(v, row, 0, 1, 4));
        all.push_back(piece(v, row, 5, 1, k_dims[1] - 5));
      }
    }
    return all;
  }
  void post_and_expect(std::vector<Piece>& pieces) {
    std::reverse(pieces.begin(), pieces.end());
    for (Piece& one : pieces) {
      const scorpio_access access = one.access(ids_);
      ASSERT_SUCCESS(scorpio_iget(file_, &access, nullptr));
    }
    ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    for (const Piece& one : pieces) expect(one);
  }
  void expect_all() {
    std::vector<Piece> pieces = rows();
    post_and_expect(pieces);
  }

  std::array<int, 4> ids_{};
};

TEST_F(LibraryRequests, AnArrayOfEach) {
  open_all();
  for (int v = 0; v < 4; ++v) {
    Piece mine = piece(v, rank_in() % 3, 1, 7, 8);
    const scorpio_access access = mine.access(ids_);
    ASSERT_SUCCESS(scorpio_get(file_, &access));
    expect(mine);
  }
  close();
}

TEST_F(LibraryRequests, AllVariablesOfAllRanksInOneWait) {
  open_all();
  expect_all();
  close();
}

TEST_F(LibraryRequests, OfOneRankAlone) {
  open_all();
  for (int v = 0; v < 4; ++v) {
    std::vector<Piece> pieces;
    if (rank_in() == ranks_in() - 1) pieces.push_back(piece(v, 2, 3, 9, 5));
    post_and_expect(pieces);
  }
  close();
}

TEST_F(LibraryRequests, DifferentVariablesOnDifferentRanks) {
  open_all();
  std::vector<Piece> pieces = {piece(rank_in() % 4, 0, 0, 12, 10), piece((rank_in() + 1) % 4, 5, 2, 3, 3)};
  post_and_expect(pieces);
  close();
}

TEST_F(LibraryRequests, ListsManyPartsAndDecompositions) {
  open_all();
  std::vector<Piece> pieces = rows();
  std::vector<scorpio_access> accesses;
  for (Piece& one : pieces) accesses.push_back(one.access(ids_));
  ASSERT_SUCCESS(scorpio_get_n(file_, static_cast<int>(accesses.size()), accesses.data()));
  for (const Piece& one : pieces) expect(one);

  const int64_t starts[] = {11, 0, 3, 3}, counts[] = {1, 10, 2, 2};
  std::vector<double> many(14, -1);
  ASSERT_SUCCESS(iget(file_, hyperslabs(ids_[2], 2, starts, counts, SCORPIO_FLOAT64, many.data())));
  const Decomp decomp(system_, uniform_layout({k_dims[1]}, ranks_in()));
  int64_t local = 0;
  ASSERT_SUCCESS(scorpio_decomp_local_elements(decomp.get(), &local));
  std::vector<double> frame(static_cast<size_t>(local) + 1, -1);
  ASSERT_SUCCESS(iget(file_, scorpio_darray(ids_[1], decomp.get(), 6, SCORPIO_FLOAT64, frame.data())));
  ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  for (int64_t i = 0; i < 10; ++i) EXPECT_EQ(value_of(2, 110 + i), many[static_cast<size_t>(i)]);
  EXPECT_EQ(value_of(2, 33), many[10]);
  EXPECT_EQ(value_of(2, 44), many[13]);
  const Layout layout = uniform_layout({k_dims[1]}, ranks_in());
  for (size_t i = 0; i < static_cast<size_t>(local); ++i)
    EXPECT_EQ(value_of(1, 60 + layout.of(rank_in())[i]), frame[i]);
  close();
}

TEST_F(LibraryRequests, PutsBesideThem) {
  open_all(SCORPIO_WRITE);
  for (int round = 1; round <= 2; ++round) {
    Piece mine = piece(0, rank_in(), 0, 1, 10);
    const bool puts = rank_in() < k_dims[0];
    for (size_t i = 0; i < mine.data.size(); ++i)
      mine.data[i] = value_of(0, rank_in() * 10 + static_cast<int64_t>(i));
    Piece other = piece(2, 1, 1, 5, 5);
    const scorpio_access put = mine.access(ids_), get = other.access(ids_);
    if (puts) {
      ASSERT_SUCCESS(scorpio_iput(file_, &put, nullptr));
    }
    ASSERT_SUCCESS(scorpio_iget(file_, &get, nullptr));
    ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    expect(other);
    // Its metadata change and move.
    const std::vector<double> long_value(5000, round);
    const int64_t length = 5000;
    ASSERT_SUCCESS(scorpio_attribute_put(file_, object_of(file_, "packed"),
                                         ("long" + std::to_string(round)).c_str(), SCORPIO_FLOAT64, 0, 1,
                                         &length, SCORPIO_FLOAT64, long_value.data()));
    ASSERT_SUCCESS(scorpio_file_sync(file_));
    expect_all();
  }
  close();
}

TEST_F(LibraryRequests, CostOneAgreementAndOneForEachVariable) {
  open_all();
  const auto agreements_of = [&](std::vector<Piece> pieces) {
    const uint64_t before = system_.counter("agreements");
    post_and_expect(pieces);
    return system_.counter("agreements") - before;
  };
  const uint64_t plain = agreements_of({piece(0, 0, 0, 12, 10)});
  EXPECT_EQ(plain, agreements_of({piece(0, 0, 0, 12, 10)}));
  const uint64_t one = agreements_of({piece(1, 0, 0, 12, 10)});
  const uint64_t two = agreements_of({piece(1, 0, 0, 12, 10), piece(2, 0, 0, 12, 10)});
  const uint64_t three =
      agreements_of({piece(1, 0, 0, 12, 10), piece(2, 0, 0, 12, 10), piece(3, 0, 0, 12, 10)});
  EXPECT_EQ(two - one, three - two);
  EXPECT_LE(one, 2 * plain + 1);
  EXPECT_LE(three - two, plain);
  if (rank_in() == 0) {
    EXPECT_LT(0u, system_.counter("fallback_reads"));
  }
  close();
}

TEST_F(LibraryRequests, WhatCannotBeWrittenIsRefusedAtThePost) {
  open_all(SCORPIO_WRITE);
  for (int v = 1; v < 4; ++v) {
    Piece mine = piece(v, 0, 0, 1, 1);
    const scorpio_access access = mine.access(ids_);
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_iput(file_, &access, nullptr));
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_bput(file_, &access, nullptr));
    EXPECT_NE(std::string::npos, last_text().find(k_names[static_cast<size_t>(v)])) << last_text();
    EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, put_of_rank(file_, 0, access));
  }
  expect_all();
  close();
}

class LibraryRequestsOneByOne : public LibraryRequests {
 protected:
  LibraryRequestsOneByOne() : LibraryRequests({{"staging_bytes", "1MiB"}, {"combine", "false"}}) {}
};

TEST_F(LibraryRequestsOneByOne, AreCarriedOut) {
  open_all();
  expect_all();
  std::vector<Piece> uneven;
  for (int r = 0; r <= rank_in(); ++r) uneven.push_back(piece((rank_in() + r) % 4, r % 12, 0, 1, 10));
  post_and_expect(uneven);
  close();
}

class LibraryRequestsOnNodes : public LibraryRequests {
 protected:
  LibraryRequestsOnNodes()
      : LibraryRequests({{"staging_bytes", "1MiB"}, {"nodes", ranks_in() < 3 ? "1" : "3"}}) {}
};

TEST_F(LibraryRequestsOnNodes, ComeByMessages) {
  open_all();
  expect_all();
  std::vector<Piece> one;
  if (rank_in() == 0) one.push_back(piece(2, 0, 0, 12, 10));
  post_and_expect(one);
  close();
}

class LibraryRequestsInGroups : public LibraryRequests {
 protected:
  LibraryRequestsInGroups()
      : LibraryRequests({{"staging_bytes", "1MiB"},
                         {"io_placement", "groups"},
                         {"group_size", "2"},
                         {"domains", "contiguous"}}) {}
};

TEST_F(LibraryRequestsInGroups, AreCarriedOut) {
  open_all();
  expect_all();
  close();
}

}  // namespace
}  // namespace scorpio::api_test
