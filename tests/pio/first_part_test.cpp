// Decompositions of the first part of a variable, or of its dimensions after the first: what they leave out
// keeps its values, in every place where a frame can be.
#include <numeric>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_frames = 3, k_rows = 4, k_columns = 6, k_elements = k_rows * k_columns;
constexpr int k_part_rows = 3, k_part_columns = 5, k_part = k_part_rows * k_part_columns;
constexpr int k_before = -7, k_fill = -5, k_kept = 77;

class FirstPart : public Program {
 protected:
  // Every rank has a hole in memory, and no rank holds the last element of the part.
  FirstPart() : map_(round_robin(k_part - 1)) {
    map_.insert(map_.begin(), 0);
    part_ = decomposition(PIO_INT, {k_part_rows, k_part_columns}, map_);
    for (const PIO_Offset at : map_) values_.push_back(at == 0 ? k_kept : static_cast<int>(at));
  }

  // A file in which each element is k_before.
  int file_of(const char* name, PIO_Offset frames) {
    const int file = create(name);
    const int first = dimension(file, "first", frames);
    const int y = dimension(file, "y", k_rows), x = dimension(file, "x", k_columns);
    framed_ = variable(file, "framed", PIO_DOUBLE, {first, y, x});
    single_ = variable(file, "single", PIO_INT, {y, x});
    EXPECT_DONE(PIOc_enddef(file));
    const std::vector<int> before(k_frames * k_elements, k_before);
    const PIO_Offset start[] = {0, 0, 0}, count[] = {k_frames, k_rows, k_columns};
    EXPECT_DONE(PIOc_put_vara_int(file, framed_, start, count, before.data()));
    EXPECT_DONE(PIOc_put_var_int(file, single_, before.data()));
    return file;
  }
  int write(int file, int variable, int fill = k_fill) {
    return PIOc_write_darray(file, variable, part_, length(), values_.data(), &fill);
  }
  std::vector<int> read(int file, int variable) {
    std::vector<int> values(map_.size(), k_kept);
    EXPECT_DONE(PIOc_read_darray(file, variable, part_, length(), values.data()));
    return values;
  }
  PIO_Offset length() const { return static_cast<PIO_Offset>(map_.size()); }

  // The part, inside of an array that it does not change.
  static std::vector<int> with_part() {
    std::vector<int> all(k_elements, k_before);
    for (int i = 0; i < k_part; ++i)
      all[static_cast<size_t>(i / k_part_columns * k_columns + i % k_part_columns)] =
          i + 1 < k_part ? i + 1 : k_fill;
    return all;
  }
  static void expect_frames(int file, int variable, int written) {
    std::vector<int> all(k_frames * k_elements);
    EXPECT_DONE(PIOc_get_var_int(file, variable, all.data()));
    for (int frame = 0; frame < k_frames; ++frame) {
      const std::vector<int> one(all.begin() + frame * k_elements, all.begin() + (frame + 1) * k_elements);
      EXPECT_EQ(frame == written ? with_part() : std::vector<int>(k_elements, k_before), one) << frame;
    }
  }

  std::vector<PIO_Offset> map_;
  std::vector<int> values_;
  int part_ = -1, framed_ = -1, single_ = -1;
};

TEST_F(FirstPart, OfAVariable) {
  const int file = file_of("a.nc", k_frames);
  EXPECT_DONE(write(file, single_, k_before));
  EXPECT_DONE(write(file, single_));
  std::vector<int> all(k_elements);
  EXPECT_DONE(PIOc_get_var_int(file, single_, all.data()));
  EXPECT_EQ(with_part(), all);
  EXPECT_EQ(values_, read(file, single_));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  EXPECT_EQ(values_, read(again, single_));
  EXPECT_EQ(values_, read(again, single_));
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(FirstPart, OfAFrame) {
  for (const PIO_Offset frames : {PIO_Offset{k_frames}, PIO_Offset{PIO_UNLIMITED}}) {
    const int file = file_of("b.nc", frames);
    EXPECT_DONE(PIOc_setframe(file, framed_, 1));
    EXPECT_DONE(write(file, framed_));
    EXPECT_EQ(values_, read(file, framed_));
    expect_frames(file, framed_, 1);
    EXPECT_DONE(PIOc_closefile(file));
    const int again = open("b.nc");
    EXPECT_DONE(PIOc_setframe(again, framed_, 1));
    EXPECT_EQ(values_, read(again, framed_));
    EXPECT_DONE(PIOc_setframe(again, framed_, k_frames));
    std::vector<int> values(map_.size());
    EXPECT_EQ(PIO_EINVALCOORDS, PIOc_read_darray(again, framed_, part_, length(), values.data()));
    EXPECT_DONE(PIOc_closefile(again));
  }
}

TEST_F(FirstPart, OfANewRecord) {
  const int file = file_of("c.nc", PIO_UNLIMITED);
  const int leading = decomposition(PIO_INT, {1, k_part_rows, k_part_columns}, map_);
  EXPECT_DONE(PIOc_setframe(file, framed_, k_frames));
  EXPECT_DONE(PIOc_write_darray(file, framed_, leading, length(), values_.data(), nullptr));
  EXPECT_DONE(PIOc_freedecomp(system_, leading));
  EXPECT_DONE(PIOc_sync(file));
  PIO_Offset records = 0;
  EXPECT_DONE(PIOc_inq_dimlen(file, 0, &records));
  EXPECT_EQ(k_frames + 1, records);
  EXPECT_EQ(values_, read(file, framed_));
  EXPECT_DONE(PIOc_closefile(file));
}

// Without a frame, an array that lacks the first dimension is read from its first index.
TEST_F(FirstPart, IndexOfAFixedDimension) {
  const int file = file_of("d.nc", k_frames);
  EXPECT_DONE(PIOc_setframe(file, framed_, 0));
  EXPECT_DONE(write(file, framed_));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("d.nc");
  const int d = decomposition(PIO_INT, {k_rows, k_columns}, round_robin(k_elements));
  std::vector<int> values(round_robin(k_elements).size());
  EXPECT_DONE(PIOc_read_darray(again, framed_, d, static_cast<PIO_Offset>(values.size()), values.data()));
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(with_part()[static_cast<size_t>(round_robin(k_elements)[i] - 1)], values[i]);
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(FirstPart, MustNotExceedTheVariable) {
  const int file = file_of("e.nc", k_frames);
  for (const std::vector<int>& extents :
       {std::vector{k_rows + 1, k_columns}, {2, k_rows, k_columns}, {k_part_columns}}) {
    const int d = decomposition(PIO_INT, extents, {});
    EXPECT_EQ(PIO_EINVAL, PIOc_write_darray(file, single_, d, 0, nullptr, nullptr));
    EXPECT_DONE(PIOc_freedecomp(system_, d));
  }
  EXPECT_DONE(PIOc_sync(file));  // all ranks know
  EXPECT_DONE(PIOc_closefile(file));
}

// The others read and write nothing then, or the part that this rank holds has the fill value.
TEST_F(FirstPart, FailsOnAllRanksIfItDoesOnOne) {
  const bool wrong = rank() == ranks() - 1;
  int file = file_of("f.nc", k_frames);
  const PIO_Offset given = wrong ? 0 : length();
  EXPECT_EQ(wrong ? PIO_EINVAL : PIO_NOERR,
            PIOc_write_darray(file, single_, part_, given, values_.data(), &k_fill));
  EXPECT_EQ(ranks() == 1 ? PIO_NOERR : PIO_EINVAL, PIOc_sync(file));
  EXPECT_DONE(write(file, single_));
  EXPECT_DONE(PIOc_closefile(file));
  for (const int mode : {PIO_NOWRITE, PIO_WRITE}) {
    file = open("f.nc", mode);
    std::vector<int> values(map_.size(), k_kept);
    EXPECT_EQ(PIO_EINVAL, PIOc_read_darray(file, single_, part_, given, values.data()));
    EXPECT_EQ(std::vector<int>(map_.size(), k_kept), values);
    EXPECT_EQ(PIO_EBADID, PIOc_read_darray(file, single_, wrong ? -1 : part_, length(), values.data()));
    EXPECT_EQ(PIO_ENOTVAR, PIOc_read_darray(file, wrong ? -1 : single_, part_, length(), values.data()));
    EXPECT_EQ(values_, read(file, single_));
    EXPECT_DONE(PIOc_closefile(file));
  }
}

// The decompositions that parts need natively are made by the first read by them, of which there may be none
// on other ranks.
TEST_F(FirstPart, ReadByAnotherDecompositionOnOneRank) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  EXPECT_DONE(PIOc_closefile(file_of("a.nc", k_frames)));
  for (const int mode : {PIO_NOWRITE, PIO_WRITE}) {
    const int file = open("a.nc", mode);
    const int smaller = decomposition(PIO_INT, {k_part_rows, k_part_columns - 1}, {rank() + 1});
    const int whole = decomposition(PIO_INT, {k_rows, k_columns}, {rank() + 1});
    std::vector<int> values(map_.size(), k_before);
    const auto read_differently = [&](int other) {
      const int d = rank() == 0 ? other : part_;
      EXPECT_EQ(PIO_EINVAL, PIOc_read_darray(file, single_, d, length(), values.data()));
    };
    for (int time = 0; time < 2; ++time) {
      read_differently(smaller);
      read_differently(whole);
      const std::vector<int> all = read(file, single_);
      EXPECT_EQ(std::vector<int>(all.size() - 1, k_before), std::vector<int>(all.begin() + 1, all.end()));
    }
    EXPECT_DONE(PIOc_closefile(file));
    for (const int d : {smaller, whole}) EXPECT_DONE(PIOc_freedecomp(system_, d));
  }
}

}  // namespace
}  // namespace scorpio::pio_test
