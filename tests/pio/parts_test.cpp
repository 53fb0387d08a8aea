// Parts of an open file, and the reader of maps, alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "pio/decompositions/map_reader.h"
#include "pio/definitions/frames.h"
#include "pio/definitions/local_failures.h"
#include "pio/system/call_comparison.h"

namespace scorpio_pio {
namespace {

TEST(PioFrames, AreOfEachVariable) {
  Frames frames;
  EXPECT_EQ(Frames::k_none, frames.of(3));
  frames.set(3, 7);
  EXPECT_EQ(7, frames.of(3));
  EXPECT_EQ(Frames::k_none, frames.of(2));
  frames.set(3, -9);
  EXPECT_EQ(Frames::k_none, frames.of(3));
}

// What a reduction over the ranks with these facts gives.
CallComparison compared(const std::vector<CallFacts>& ranks) {
  CallComparison all(ranks.front());
  for (const CallFacts& facts : ranks) {
    CallComparison one(facts);
    for (int i = 0; i < all.count(); ++i) all.words()[i] = std::max(all.words()[i], one.words()[i]);
  }
  return all;
}

TEST(PioCallComparison, TellsWhatIsTheSameOnAllRanks) {
  const CallFacts facts{.name = CallComparison::name_of(Call::sync, 1, 3),
                        .writes = 5,
                        .valid_writes = 4,
                        .failures = 7,
                        .definitions = 8};
  const CallComparison equal = compared({facts, facts, facts});
  EXPECT_TRUE(equal.same_call() && equal.same_writes() && equal.same_valid_writes() &&
              equal.same_failures() && equal.same_definitions());
  EXPECT_EQ(0U, equal.failure());
  EXPECT_FALSE(equal.some_file_changed());

  const auto differs = [&](auto&& change) {
    CallFacts other = facts;
    change(other);
    const CallComparison all = compared({facts, other, facts});
    return std::vector<bool>{all.same_call(), all.same_writes(), all.same_valid_writes(), all.same_failures(),
                             all.same_definitions()};
  };
  using Same = std::vector<bool>;
  EXPECT_EQ((Same{false, true, true, true, true}), differs([](CallFacts& one) { ++one.name; }));
  EXPECT_NE(facts.name, CallComparison::name_of(Call::sync, 2, 3)) << "the files of two I/O systems";
  EXPECT_EQ((Same{true, false, true, true, true}), differs([](CallFacts& one) { one.writes = 0; }));
  EXPECT_EQ((Same{true, true, false, true, true}), differs([](CallFacts& one) { one.valid_writes = 9; }));
  EXPECT_EQ((Same{true, true, true, false, true}), differs([](CallFacts& one) { one.failures = 0; }));
  EXPECT_EQ((Same{true, true, true, true, false}), differs([](CallFacts& one) { --one.definitions; }));
}

TEST(PioCallComparison, TellsFailuresAndChangesOfOneRank) {
  const CallComparison all = compared({{.failure = 36}, {}, {.failure = 49, .changed = true}});
  EXPECT_EQ(49U, all.failure());
  EXPECT_TRUE(all.some_file_changed());
}

TEST(PioCallComparison, TellsWhetherOtherRanksFlush) {
  const CallFacts flush{.name = CallComparison::name_of(Call::flush, 1, 2)};
  const CallFacts close{.name = CallComparison::name_of(Call::close, 1, 1)};
  const CallFacts end{.name = CallComparison::name_of_end(0)};
  const CallFacts agreement{.name = CallComparison::name_of_agreement(3)};
  EXPECT_TRUE(compared({close, flush}).lowest_is_flush());
  EXPECT_TRUE(compared({end, flush}).lowest_is_flush());
  const CallFacts defining{.name = CallComparison::name_of(Call::flush_defining, 1, 2)};
  EXPECT_TRUE(compared({close, defining}).lowest_is_flush());
  EXPECT_TRUE(compared({agreement, defining}).highest_is_flush());
  EXPECT_TRUE(compared({agreement, flush}).highest_is_flush());
  EXPECT_FALSE(compared({close, end}).lowest_is_flush());
  EXPECT_FALSE(compared({agreement, close}).highest_is_flush());
  const CallFacts other{.name = CallComparison::name_of_agreement(4)};
  EXPECT_TRUE(compared({agreement, other}).all_agree());
  EXPECT_FALSE(compared({agreement, other}).same_call());
  EXPECT_FALSE(compared({agreement, flush}).all_agree());
}

TEST(PioLocalFailures, TheWorstIsToldOnce) {
  LocalFailures mine, other;
  mine.add(PIO_NOERR);
  mine.add(1);
  EXPECT_EQ(other.print(), mine.print());
  EXPECT_EQ(PIO_NOERR, mine.fail_with_worst(false));
  mine.add(fail(PIO_EINVAL, "first"));
  mine.add(fail(PIO_ENOTVAR, "second"));
  mine.add(fail(PIO_EINVAL, "third"));
  (void)fail(PIO_EIO, "of another call");
  EXPECT_EQ(PIO_ENOTVAR, mine.fail_with_worst(false));
  EXPECT_EQ("second", reason());
  for (const int code : {PIO_EINVAL, PIO_ENOTVAR}) other.add(code);
  EXPECT_NE(other.print(), mine.print());
  other.add(PIO_EINVAL);
  EXPECT_EQ(other.print(), mine.print());
  mine.forget();
  EXPECT_EQ(PIO_NOERR, mine.fail_with_worst(false));
  EXPECT_TRUE(mine.take_since_writes());
  EXPECT_FALSE(mine.take_since_writes());
}

TEST(PioMapReader, ReadsMapsOneAfterTheOther) {
  std::istringstream text("version 2001 npes 2 ndims 2 \n3 5 \n0 3\n1 0 15\n1 0\n\nioid\t512");
  MapReader reader(text);
  const MapReader::Head head = reader.head(2);
  EXPECT_EQ(2, head.ranks);
  EXPECT_EQ((std::vector<int64_t>{3, 5}), head.extents);
  std::vector<int64_t> map;
  reader.next(0, {0, 15}, map);
  EXPECT_EQ((std::vector<int64_t>{1, 0, 15}), map);
  reader.next(1, {0, 15}, map);
  EXPECT_TRUE(map.empty());
}

TEST(PioMapReader, NamesTheLineOfWhatIsWrong) {
  const auto wrong = [](const std::string& text) -> std::string {
    std::istringstream in(text);
    MapReader reader(in);
    std::vector<int64_t> map;
    try {
      (void)reader.head(2);
      reader.next(0, {0, 15}, map);
    } catch (const BadMapText& bad) {
      return bad.what();
    }
    return "";
  };
  EXPECT_EQ("line 1: ends where the number of ranks is expected", wrong("version 2001 npes"));
  EXPECT_EQ("line 1: the number of dimensions is 3, not 1 to 2", wrong("version 2001 npes 1 ndims 3"));
  EXPECT_EQ("line 4: an element of the map of rank 0 is 16, not 0 to 15",
            wrong("version 2001 npes 1 ndims 2\n3 5\n0 2\n1 16"));
  EXPECT_EQ("line 3: \"?x\" stands where the length of the map of rank 0 is expected",
            wrong("version 2001 npes 1 ndims 2\n3 5\n0 \001x"));
}

}  // namespace
}  // namespace scorpio_pio
