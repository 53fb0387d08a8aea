// Parts of an open file, and the reader of maps, alone.
#include <gtest/gtest.h>

#include <sstream>

#include "frames.h"
#include "local_failures.h"
#include "map_reader.h"

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

TEST(PioLocalFailures, TheWorstIsToldOnce) {
  LocalFailures mine, other;
  mine.add(PIO_NOERR);
  mine.add(1);
  EXPECT_EQ(other.print(), mine.print());
  EXPECT_EQ(PIO_NOERR, mine.fail_with_worst());
  mine.add(fail(PIO_EINVAL, "first"));
  mine.add(fail(PIO_ENOTVAR, "second"));
  mine.add(fail(PIO_EINVAL, "third"));
  (void)fail(PIO_EIO, "of another call");
  EXPECT_EQ(PIO_ENOTVAR, mine.fail_with_worst());
  EXPECT_EQ("second", reason());
  for (const int code : {PIO_EINVAL, PIO_ENOTVAR}) other.add(code);
  EXPECT_NE(other.print(), mine.print());
  other.add(PIO_EINVAL);
  EXPECT_EQ(other.print(), mine.print());
  mine.forget();
  EXPECT_EQ(PIO_NOERR, mine.worst());
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
