// Failures of writes and of reads of a file are kept apart: one lacks data, the other does not.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/status.h"
#include "codec/conversion.h"
#include "exchange/engine.h"
#include "exchange/interleaving.h"
#include "model/element_type.h"

namespace scorpio::test {
namespace {

constexpr uint64_t k_bytes = 256;
constexpr int64_t k_doubles = 2 * k_bytes / sizeof(double);

class FailingSource : public storage::Source {
 public:
  Status read(uint64_t, std::span<std::byte>) override { return failure(Code::io, "a damaged sector"); }
};

// One rank, which is an I/O rank and has all elements.
class FileStatus : public testing::Test {
 protected:
  static void run(const std::function<void(Rank&)>& body) {
    Shape shape;
    shape.node_of_rank = {0};
    shape.io_ranks = {0};
    shape.sizes = {
        .unit_bytes = k_bytes, .bitmap_bytes = k_bytes / 8, .slots = 3, .scattered = 3, .channels = 2};
    Job job(shape, 1);
    Interleaving interleaving({.seed = 1, .one_in = 2});
    interleaving.run(1, [&](int number) {
      Rank rank(job, number);
      body(rank);
    });
  }

  Status put(Rank& rank) { return rank.file(0).put(flow(true)).status(); }
  Status get(Rank& rank, storage::Source& source) { return rank.file(0).get(flow(false), source).status(); }

 private:
  exchange::Flow flow(bool putting) {
    part_.element_bytes = sizeof(double);
    part_.runs = &runs_;
    part_.conversion = &same_;
    part_.from = putting ? std::as_bytes(std::span(values_)).data() : nullptr;
    part_.to = putting ? nullptr : std::as_writable_bytes(std::span(values_)).data();
    exchange::Flow flow;
    flow.rule.unit_bytes = flow.rule.block_bytes = k_bytes;
    flow.rule.io_ranks = 1;
    flow.variable = all_;
    flow.touched = {&all_, 1};
    flow.parts = {&part_, 1};
    return flow;
  }

  const ByteRange all_{0, 2 * k_bytes};
  const decomp::RunList runs_{{{0, 0, k_doubles}}};
  const codec::Conversion same_ =
      codec::Conversion::make(model::native(model::Kind::float64), model::native(model::Kind::float64))
          .value();
  std::array<double, k_doubles> values_{};
  exchange::Part part_;
};

TEST_F(FileStatus, AGetLeavesTheFailureOfAWriteToTheNextFlush) {
  run([&](Rank& rank) {
    ASSERT_TRUE(put(rank).ok());
    ASSERT_TRUE(rank.file(0).flush().ok());
    rank.file(0).note(failure(Code::no_space, "no space for a chunk"));  // by a thread that writes meanwhile
    EXPECT_TRUE(get(rank, rank.source(0)).ok());
    EXPECT_TRUE(rank.file(0).write_failed());
    EXPECT_EQ(Code::no_space, rank.file(0).flush().code());
    EXPECT_TRUE(rank.file(0).ever_failed());
  });
}

TEST_F(FileStatus, AReadThatFailsIsNoFailureOfAWrite) {
  FailingSource failing;
  run([&](Rank& rank) {
    ASSERT_TRUE(put(rank).ok());
    ASSERT_TRUE(rank.file(0).flush().ok());
    EXPECT_EQ(Code::io, get(rank, failing).code());
    EXPECT_FALSE(rank.file(0).ever_failed()) << "the file lacks no data";
    EXPECT_TRUE(rank.file(0).flush().ok());
    EXPECT_TRUE(get(rank, rank.source(0)).ok());
  });
}

}  // namespace
}  // namespace scorpio::test
