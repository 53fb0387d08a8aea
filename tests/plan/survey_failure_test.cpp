// A rank that fails in the exchange of runs of a survey: no rank waits for ever, and all return its status.
#include <gtest/gtest.h>

#include <thread>

#include "plan/make_survey.h"
#include "session/thread_group.h"

namespace scorpio::plan {
namespace {

using decomp::LocalPart;

// A rank of threads in which one swap fails, as if there were no memory for the list.
class FailingGroup final : public comm::Group {
 public:
  FailingGroup(const comm::Group& ranks, int failing) : ranks_(ranks), failing_(failing) {}

  int swaps() const { return swaps_; }

  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }
  using Group::broadcast;
  void enter(const char* kind, uint64_t file, const std::string& path) const override {
    ranks_.enter(kind, file, path);
  }
  Status parted() const override { return ranks_.parted(); }
  Status all_max(std::span<uint64_t> values, size_t sums) const override {
    return ranks_.all_max(values, sums);
  }
  Status max_at(std::span<uint64_t> values, int root) const override { return ranks_.max_at(values, root); }
  Result<std::vector<int64_t>> all_gather(std::span<const int64_t> own) const override {
    return ranks_.all_gather(own);
  }
  Result<std::vector<int64_t>> gather_by_node(const comm::NodeMap& nodes, std::span<const int64_t> own,
                                              const Unite& unite) const override {
    return ranks_.gather_by_node(nodes, own, unite);
  }
  Result<std::vector<int64_t>> swap(std::span<const int64_t> own, int partner) const override {
    Result<std::vector<int64_t>> theirs = ranks_.swap(own, partner);
    if (swaps_++ == failing_) return failure(Code::memory, "no memory for swap {}", failing_);
    return theirs;
  }
  Status broadcast(std::span<std::byte> bytes, int root) const override {
    return ranks_.broadcast(bytes, root);
  }
  Result<int64_t> exclusive_sum(int64_t own) const override { return ranks_.exclusive_sum(own); }
  Status barrier() const override { return ranks_.barrier(); }

 private:
  const comm::Group& ranks_;
  const int failing_;
  mutable int swaps_ = 0;
};

// All ranks hold elements 3, 4 and 5 of 40, and each has one of its own.
LocalPart part_of(int rank) {
  const std::array<int64_t, 1> dims{40};
  return decomp::map(dims, std::vector<int64_t>{3, 4, 5, 10 + 2 * rank}).value();
}

struct Surveyed {
  std::vector<Status> statuses;  // [ranks]
  int swaps = 0;
};

// More elements than the coverage has intervals for, far from each other.
LocalPart sparse_part_of(int rank, int ranks) {
  constexpr int64_t k_elements = k_most_intervals + 10, k_stride = 2000;
  const std::array<int64_t, 1> dims{k_elements * k_stride};
  std::vector<int64_t> index;
  for (int64_t i = rank; i < k_elements; i += ranks) index.push_back(i * k_stride + i * i % 97);
  return decomp::map(dims, index).value();
}

// Swap `failing` of rank `loser` fails.
Surveyed survey_with(int ranks, int loser, int failing, bool sparse = false) {
  test::MeetingPlace place(ranks);
  Surveyed outcome;
  outcome.statuses.resize(static_cast<size_t>(ranks));
  std::vector<int64_t> keys(static_cast<size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      const test::ThreadGroup threads_of(place, rank);
      const FailingGroup comm(threads_of, rank == loser ? failing : -1);
      const comm::NodeMap nodes = comm::node_map(keys, rank);
      const LocalPart part = sparse ? sparse_part_of(rank, ranks) : part_of(rank);
      outcome.statuses[static_cast<size_t>(rank)] = survey(comm, nodes, {}, part).status();
      if (rank == loser) outcome.swaps = comm.swaps();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return outcome;
}

TEST(SurveysThatFail, ReturnTheSameOnAllRanks) {
  for (const int ranks : {1, 2, 5, 8}) {
    const Surveyed good = survey_with(ranks, 0, -1);
    for (const Status& status : good.statuses) EXPECT_TRUE(status.ok()) << status.text();
    for (int failing = 0; failing < good.swaps; ++failing) {
      for (const int loser : {0, ranks - 1}) {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, swap " << failing << " of rank " << loser);
        const Surveyed bad = survey_with(ranks, loser, failing);
        for (const Status& status : bad.statuses) {
          EXPECT_EQ(Code::memory, status.code());
          EXPECT_EQ(bad.statuses[static_cast<size_t>(loser)].text(), status.text());
          EXPECT_NE(std::string::npos, status.text().find(fmt::format("swap {}", failing))) << status.text();
          EXPECT_EQ(loser, status.origin());
        }
      }
    }
  }
}

TEST(SurveysThatFail, AlsoWhereCellsAreGathered) {
  for (const int ranks : {2, 3}) {
    const int swaps = survey_with(ranks, 0, -1, true).swaps;
    for (int failing = swaps - 3; failing < swaps; ++failing) {
      for (const Status& status : survey_with(ranks, 0, failing, true).statuses) {
        EXPECT_EQ(Code::memory, status.code());
        EXPECT_NE(std::string::npos, status.text().find(fmt::format("swap {}", failing))) << status.text();
      }
    }
  }
}

}  // namespace
}  // namespace scorpio::plan
