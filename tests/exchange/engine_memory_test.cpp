// A rank for which an allocation fails inside a data call, each of them in turn: it reports that, no other
// rank waits for it for ever, and all of them go on with a new channel.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <exception>

#include "exchange/drawn_program.h"
#include "exchange/engine.h"
#include "exchange/interleaving.h"
#include "support/allocations.h"

namespace scorpio::test {
namespace {

using Kind = Operation::Kind;

// Allocation number `n` of all that are made inside the calls fails.
class FailingCaller final : public Caller {
 public:
  explicit FailingCaller(uint64_t n) : left_(n) {}

  Status call(const std::function<Status()>& body) override {
    if (failed_) return body();
    const uint64_t before = allocations();
    const FailingAllocation failing(left_);
    Status status;
    try {
      status = body();
    } catch (const std::exception& e) {
      const UncountedAllocations uncounted;
      ADD_FAILURE() << "an exception left a call: " << e.what();
    }
    failed_ = failing.failed();
    left_ -= failed_ ? 0 : allocations() - before;
    return status;
  }
  bool failed() const { return failed_; }

 private:
  uint64_t left_;
  bool failed_ = false;
};

void expect_code_of(int number, bool failing, const Status& status) {
  if (failing) {
    EXPECT_EQ(Code::memory, status.code()) << "rank " << number << ": " << status.text();
  } else {
    EXPECT_TRUE(status.ok() || status.code() == Code::aborted) << "rank " << number << ": " << status.text();
  }
}

// The rank at which allocation `n` fails. False: it makes fewer.
bool run_one(const Shape& shape, const Program& program, int failing_rank, uint64_t n) {
  Job job(shape, n);
  Interleaving interleaving({.seed = n, .one_in = 8});
  bool failed = false;
  interleaving.run(shape.ranks(), [&](int number) {
    Rank rank(job, number);
    FailingCaller failing(n);
    Caller plain;
    Caller& caller = number == failing_rank ? failing : plain;
    Performer performer(rank, program, caller, true);
    for (const Operation& operation : program.operations()) performer.perform(operation);
    performer.flush_all();
    if (number == failing_rank) failed = failing.failed();
    const bool any_failed = rank.largest(failing.failed() ? 1 : 0) != 0;
    expect_code_of(number, failing.failed(), performer.failure());
    if (!any_failed) {
      EXPECT_TRUE(performer.failure().ok()) << performer.failure().text();
      return;
    }
    for (int file = 0; file < shape.files; ++file) rank.recover(file);
    Performer next(rank, program, plain, false);
    next.perform(program.operations().front());
    Operation back = program.operations().front();
    back.kind = Kind::get;
    next.perform(back);
  });
  return failed;
}

void fail_each(int ranks, int nodes, uint64_t seed) {
  Drawn drawn(seed);
  Shape shape = Shape::draw(drawn, ranks, nodes);
  shape.files = 1;
  shape.patience =
      std::chrono::seconds(1);  // ranks make the same calls, and the others are told of a failure
  const Program program(
      shape, seed, {.most_elements = 300, .differences = false, .kinds = {Kind::put, Kind::put, Kind::get}});
  for (int rank = 0; rank < ranks; ++rank) {
    uint64_t n = 0;
    while (run_one(shape, program, rank, n) && !testing::Test::HasFailure()) ++n;
    ASSERT_FALSE(testing::Test::HasFailure()) << "at allocation " << n << " of rank " << rank;
    EXPECT_GT(n, 10u);
    std::printf("rank %d: %llu allocations\n", rank, static_cast<unsigned long long>(n));
  }
}

TEST(EngineMemoryTest, OnOneNode) { fail_each(3, 1, 3); }

TEST(EngineMemoryTest, BetweenNodes) { fail_each(4, 2, 5); }

}  // namespace
}  // namespace scorpio::test
