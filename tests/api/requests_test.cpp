// Requests of any rank in any order, carried out together, against what each element must be.
#include <algorithm>
#include <numeric>
#include <random>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

constexpr int k_variables = 6;

double value_of(int variable, int64_t element) { return 1000000.0 * variable + static_cast<double>(element); }

// Rows of a 3-d variable, dealt out to the ranks: rank r holds rows r, r + n, ...
class Requests : public testing::Test {
 protected:
  explicit Requests(Settings settings = {{"staging_bytes", "1MiB"}}) : system_(settings) {
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    for (int v = 0; v < k_variables; ++v) {
      const std::string name = "v" + std::to_string(v);
      EXPECT_SUCCESS(
          scorpio_variable_define(file_, name.c_str(), type_of(v), 3, dims_.data(), &variable_[v]));
    }
  }
  ~Requests() override {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    on_all(true);
  }

  static scorpio_type type_of(int v) { return v % 2 == 0 ? SCORPIO_FLOAT64 : SCORPIO_INT32; }
  int64_t row_elements() const { return dims_[1] * dims_[2]; }

  struct Piece {
    int variable;
    int64_t start[3], count[3];
    std::vector<double> data;
    scorpio_access access(const int* ids) {
      return scorpio_hyperslab(ids[variable], start, count, SCORPIO_FLOAT64, data.data());
    }
  };

  // This rank's rows, in two pieces each, filled or for reading.
  std::vector<Piece> pieces(bool filled) const {
    std::vector<Piece> all;
    for (int v = 0; v < k_variables; ++v) {
      for (int64_t row = rank_in(); row < dims_[0]; row += ranks_in()) {
        const int64_t cut = 1 + (row + v) % (dims_[1] - 1);
        all.push_back({v, {row, 0, 0}, {1, cut, dims_[2]}, {}});
        all.push_back({v, {row, cut, 0}, {1, dims_[1] - cut, dims_[2]}, {}});
      }
    }
    for (Piece& piece : all) {
      piece.data.assign(static_cast<size_t>(piece.count[1] * piece.count[2]), -1);
      if (!filled) continue;
      for (size_t i = 0; i < piece.data.size(); ++i) piece.data[i] = expected(piece, i);
    }
    return all;
  }

  double expected(const Piece& piece, size_t i) const {
    const int64_t first = (piece.start[0] * dims_[1] + piece.start[1]) * dims_[2];
    return value_of(piece.variable, first + static_cast<int64_t>(i));
  }

  void post_all(std::vector<Piece>& pieces, bool reading) {
    for (Piece& piece : pieces) {
      const scorpio_access access = piece.access(variable_);
      if (reading) {
        ASSERT_SUCCESS(scorpio_iget(file_, &access, nullptr));
      } else {
        ASSERT_SUCCESS(scorpio_iput(file_, &access, nullptr));
      }
    }
  }

  // Every element, by a decomposition that has nothing to do with how it was written.
  void expect_file() {
    scorpio_decomp* decomp = nullptr;
    ASSERT_SUCCESS(scorpio_decomp_uniform(system_.get(), 3, dims_.data(), &decomp));
    int64_t n = 0;
    ASSERT_SUCCESS(scorpio_decomp_local_elements(decomp, &n));
    const int64_t share = dims_[0] / ranks_in(), more = dims_[0] % ranks_in();
    const int64_t first = rank_in() * share + std::min<int64_t>(rank_in(), more);
    for (int v = 0; v < k_variables; ++v) {
      std::vector<double> data(static_cast<size_t>(n), -1);
      ASSERT_SUCCESS(scorpio_get_darray(file_, variable_[v], decomp, 0, SCORPIO_FLOAT64, data.data()));
      for (size_t i = 0; i < data.size(); ++i) {
        ASSERT_EQ(value_of(v, first * row_elements() + static_cast<int64_t>(i)), data[i]) << v << " " << i;
      }
    }
    EXPECT_SUCCESS(scorpio_decomp_free(decomp));
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "posts.h5";
  const std::vector<int64_t> dims_ = {23, 31, 40};
  const System system_;
  scorpio_file* file_ = nullptr;
  int variable_[k_variables] = {};
};

TEST_F(Requests, AllOfThemAreOneOperation) {
  std::vector<Piece> written = pieces(true);
  std::mt19937 random(static_cast<unsigned>(rank_in()));
  std::shuffle(written.begin(), written.end(), random);
  const uint64_t before = system_.counter("operations");
  post_all(written, false);
  EXPECT_EQ(before, system_.counter("operations"));
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_EQ(before + 1, system_.counter("operations"));
  expect_file();

  std::vector<Piece> read = pieces(false);
  std::shuffle(read.begin(), read.end(), random);
  post_all(read, true);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  for (const Piece& piece : read) {
    for (size_t i = 0; i < piece.data.size(); ++i) ASSERT_EQ(expected(piece, i), piece.data[i]);
  }
}

TEST_F(Requests, NothingIsWrittenBeforeTheWaitAndTheRestAtTheSync) {
  std::vector<Piece> written = pieces(true);
  const uint64_t before = system_.sum("bytes_placed");
  post_all(written, false);
  EXPECT_EQ(before, system_.sum("bytes_placed"));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_file();
}

TEST_F(Requests, OfSomeRanksOnly) {
  std::vector<Piece> written = pieces(true);
  if (rank_in() % 2 == 0) post_all(written, false);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_SUCCESS(scorpio_wait(file_, 0, nullptr, nullptr));
  if (rank_in() % 2 == 1) post_all(written, false);
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_file();
}

TEST_F(Requests, WaitForSomeAndCancelOthers) {
  std::vector<Piece> written = pieces(true);
  std::vector<Piece> spoilt = pieces(true);
  for (Piece& piece : spoilt) std::fill(piece.data.begin(), piece.data.end(), -5.0);
  std::vector<scorpio_request> good, bad;
  for (size_t i = 0; i < written.size(); ++i) {
    const scorpio_access right = written[i].access(variable_);
    const scorpio_access wrong = spoilt[i].access(variable_);
    ASSERT_SUCCESS(scorpio_iput(file_, &right, &good.emplace_back()));
    ASSERT_SUCCESS(scorpio_iput(file_, &wrong, &bad.emplace_back()));
  }
  good.push_back(SCORPIO_REQUEST_NULL);
  std::vector<int> statuses(good.size(), 99);
  EXPECT_SUCCESS(scorpio_wait(file_, static_cast<int>(good.size()), good.data(), statuses.data()));
  EXPECT_EQ(std::vector<int>(good.size(), SCORPIO_OK), statuses);
  EXPECT_EQ(std::vector<scorpio_request>(good.size(), SCORPIO_REQUEST_NULL), good);
  EXPECT_SUCCESS(scorpio_cancel(file_, static_cast<int>(bad.size()), bad.data()));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_file();
}

TEST_F(Requests, ManyPartsInOneRequest) {
  const int64_t corner[] = {0, 0, 0};
  EXPECT_EQ(SCORPIO_ERR_STATE,
            bput(file_, hyperslabs(variable_[0], 1, corner, corner, SCORPIO_FLOAT64, corner)));
  EXPECT_SUCCESS(scorpio_buffer_attach(file_, int64_t{1} << 20));
  for (int v = 0; v < k_variables; ++v) {
    std::vector<int64_t> starts, counts;
    std::vector<double> data;
    for (const Piece& piece : pieces(true)) {
      if (piece.variable != v) continue;
      starts.insert(starts.end(), piece.start, piece.start + 3);
      counts.insert(counts.end(), piece.count, piece.count + 3);
      data.insert(data.end(), piece.data.begin(), piece.data.end());
    }
    const auto n = static_cast<int64_t>(starts.size() / 3);
    scorpio_request request = SCORPIO_REQUEST_NULL;
    std::vector<double> given = data;
    if (v % 2 == 0) {
      ASSERT_SUCCESS(iput(
          file_, hyperslabs(variable_[v], n, starts.data(), counts.data(), SCORPIO_FLOAT64, given.data()),
          &request));
    } else {
      ASSERT_SUCCESS(bput(
          file_, hyperslabs(variable_[v], n, starts.data(), counts.data(), SCORPIO_FLOAT64, given.data()),
          &request));
      std::fill(given.begin(), given.end(), -7.0);
    }
    EXPECT_SUCCESS(scorpio_wait(file_, 1, &request, nullptr));
    std::vector<double> read(data.size(), -1);
    ASSERT_SUCCESS(
        iget(file_, hyperslabs(variable_[v], n, starts.data(), counts.data(), SCORPIO_FLOAT64, read.data()),
             &request));
    EXPECT_SUCCESS(scorpio_wait(file_, 1, &request, nullptr));
    EXPECT_EQ(data, read);
  }
  expect_file();
}

TEST_F(Requests, ExplicitLists) {
  std::vector<Piece> written = pieces(true);
  std::vector<scorpio_access> accesses;
  for (Piece& piece : written) accesses.push_back(piece.access(variable_));
  EXPECT_SUCCESS(scorpio_put_n(file_, static_cast<int>(accesses.size()), accesses.data()));
  expect_file();
  std::vector<Piece> read = pieces(false);
  accesses.clear();
  for (Piece& piece : read) accesses.push_back(piece.access(variable_));
  EXPECT_SUCCESS(scorpio_get_n(file_, static_cast<int>(accesses.size()), accesses.data()));
  for (const Piece& piece : read) {
    for (size_t i = 0; i < piece.data.size(); ++i) ASSERT_EQ(expected(piece, i), piece.data[i]);
  }
}

TEST_F(Requests, StridedParts) {
  std::vector<Piece> written = pieces(true);
  post_all(written, false);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  const int64_t start[] = {rank_in() % dims_[0], 1, 2}, count[] = {1, 5, 7}, stride[] = {1, 6, 5};
  std::vector<int> data(35, -1);
  scorpio_access access = scorpio_hyperslab(variable_[1], start, count, SCORPIO_INT32, data.data());
  access.stride = stride;
  EXPECT_SUCCESS(scorpio_get_n(file_, 1, &access));
  for (int64_t j = 0; j < 5; ++j) {
    for (int64_t k = 0; k < 7; ++k) {
      const int64_t element = (start[0] * dims_[1] + 1 + 6 * j) * dims_[2] + 2 + 5 * k;
      EXPECT_EQ(static_cast<int>(value_of(1, element)), data[static_cast<size_t>(7 * j + k)]);
    }
  }
}

TEST_F(Requests, BufferedPutsLetTheDataGoAndKeepTheirBudget) {
  std::vector<Piece> written = pieces(true);
  const scorpio_access first = written.front().access(variable_);
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_bput(file_, &first, nullptr));
  int64_t bytes = 0;
  for (const Piece& piece : written) bytes += static_cast<int64_t>(piece.data.size() * sizeof(double));
  EXPECT_SUCCESS(scorpio_buffer_attach(file_, bytes));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_buffer_attach(file_, 1));
  for (Piece& piece : written) {
    const scorpio_access access = piece.access(variable_);
    ASSERT_SUCCESS(scorpio_bput(file_, &access, nullptr));
    std::fill(piece.data.begin(), piece.data.end(), -7.0);
  }
  int64_t used = 0;
  EXPECT_SUCCESS(scorpio_buffer_inquire(file_, nullptr, &used));
  EXPECT_EQ(bytes, used);
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_bput(file_, &first, nullptr));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_buffer_detach(file_));
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_SUCCESS(scorpio_buffer_detach(file_));
  expect_file();
}

TEST_F(Requests, OfOneRankTheLaterOneIsWritten) {
  std::vector<Piece> early = pieces(true), late = pieces(true);
  for (Piece& piece : early) std::fill(piece.data.begin(), piece.data.end(), -3.0);
  post_all(early, false);
  post_all(late, false);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  expect_file();
}

TEST_F(Requests, WrongOnesAreRefusedAtOnce) {
  const int64_t start[] = {0, 0, 0}, far[] = {dims_[0], 0, 0}, count[] = {1, 1, 1};
  double value = 0;
  const auto code = [&](const scorpio_access& access) { return scorpio_iput(file_, &access, nullptr); };
  EXPECT_EQ(SCORPIO_ERR_SHAPE, code(scorpio_hyperslab(variable_[0], far, count, SCORPIO_FLOAT64, &value)));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, code(scorpio_hyperslab(99, start, count, SCORPIO_FLOAT64, &value)));
  EXPECT_EQ(SCORPIO_ERR_TYPE, code(scorpio_hyperslab(variable_[0], start, count, SCORPIO_TEXT, &value)));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT,
            code(scorpio_hyperslab(variable_[0], start, count, SCORPIO_FLOAT64, nullptr)));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT,
            code(scorpio_hyperslab(variable_[0], nullptr, count, SCORPIO_FLOAT64, &value)));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iput(file_, nullptr, nullptr));
}

TEST_F(Requests, AWrongWaitOnOneRankFailsOnAllAndKeepsTheRequests) {
  std::vector<Piece> written = pieces(true);
  post_all(written, false);
  scorpio_request unknown = 4711;
  const int last = ranks_in() - 1;
  const int n = rank_in() == last ? 1 : SCORPIO_ALL_REQUESTS;
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_wait(file_, n, &unknown, nullptr));
  EXPECT_EQ(last, last_origin());
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  expect_file();
}

TEST_F(Requests, ClippedValuesAreToldPerRequest) {
  std::vector<Piece> written = pieces(true);
  post_all(written, false);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  const int64_t start[] = {rank_in() % dims_[0], 0, 0}, count[] = {1, 1, 1};
  double fits = 5, large = 1e12;
  const scorpio_access right = scorpio_hyperslab(variable_[1], start, count, SCORPIO_FLOAT64, &fits);
  const scorpio_access wrong = scorpio_hyperslab(variable_[3], start, count, SCORPIO_FLOAT64, &large);
  scorpio_request requests[2];
  int statuses[2];
  ASSERT_SUCCESS(scorpio_iput(file_, &right, &requests[0]));
  ASSERT_SUCCESS(scorpio_iput(file_, &wrong, &requests[1]));
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_wait(file_, 2, requests, statuses));
  EXPECT_EQ(SCORPIO_OK, statuses[0]);
  EXPECT_EQ(SCORPIO_ERR_RANGE, statuses[1]);
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_file_sync(file_));  // on all ranks
}

class RequestsOneByOne : public Requests {
 protected:
  RequestsOneByOne() : Requests({{"staging_bytes", "1MiB"}, {"combine", "false"}}) {}
};

TEST_F(RequestsOneByOne, EachIsAnOperationOfItsOwn) {
  std::vector<Piece> written = pieces(true);
  uint64_t most = written.size();
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  const uint64_t before = system_.counter("operations");
  post_all(written, false);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  EXPECT_EQ(before + most, system_.counter("operations"));
  expect_file();
}

class RequestsOnNodes : public Requests {
 protected:
  RequestsOnNodes() : Requests({{"staging_bytes", "1MiB"}, {"nodes", ranks_in() < 3 ? "1" : "3"}}) {}
};

TEST_F(RequestsOnNodes, ComeByMessages) {
  std::vector<Piece> written = pieces(true);
  post_all(written, false);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  expect_file();
  std::vector<Piece> read = pieces(false);
  post_all(read, true);
  EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  for (const Piece& piece : read) {
    for (size_t i = 0; i < piece.data.size(); ++i) ASSERT_EQ(expected(piece, i), piece.data[i]);
  }
}

}  // namespace
}  // namespace scorpio::api_test
