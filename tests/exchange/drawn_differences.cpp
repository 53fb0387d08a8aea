// The part of a drawn program in which one rank makes another call than the others.
#include <gtest/gtest.h>

#include <utility>

#include "exchange/drawn_program.h"
#include "exchange/interleaving.h"

namespace scorpio::test {

namespace {

// Ranks that put different data write to the same slots, and the thread sanitizer is right about that.
#ifdef __SANITIZE_THREAD__
constexpr uint64_t k_differences = static_cast<uint64_t>(Difference::flushes) + 1;
#else
constexpr uint64_t k_differences = static_cast<uint64_t>(Difference::other_file) + 1;
#endif

// Of the same number of variables, or one more or less; there are at least two.
std::vector<size_t> other_variables(const std::vector<size_t>& variables) {
  if (variables.front() != 0) {
    std::vector<size_t> others{0};
    others.insert(others.end(), variables.begin(), variables.end());
    return others;
  }
  return variables.size() == 1 ? std::vector<size_t>{1}
                               : std::vector<size_t>(variables.begin() + 1, variables.end());
}

int other_file(const Operation& operation, int files) { return (operation.file + 1) % files; }

}  // namespace

// On several nodes ranks agree before a get which one it is: there all of them make the same.
void Program::draw_difference(Drawn& drawn, const Shape& shape, Operation& operation) const {
  operation.odd_rank = static_cast<int>(drawn.below(static_cast<uint64_t>(shape.ranks())));
  operation.after_a_flush = drawn.once_in(2);
  operation.reading = shape.nodes() == 1 && drawn.once_in(3);
  operation.difference = static_cast<Difference>(drawn.below(k_differences));
  const bool possible = operation.difference == Difference::other_direction   ? shape.nodes() == 1
                        : operation.difference == Difference::other_variables ? variables_.size() > 1
                        : operation.difference == Difference::other_file      ? shape.files > 1
                                                                              : true;
  if (!possible) operation.difference = Difference::calls_twice;
}

void Performer::make_other_call(const Operation& operation) {
  exchange::FileChannel& file = rank_.file(operation.file);
  Operation other = operation;
  switch (operation.difference) {
    case Difference::skips:
      return call("a call that it skips", [&] {
        file.skip();
        return Status();
      });
    case Difference::leaves_out:
    case Difference::agrees:
      return;
    case Difference::flushes:
      return call("a flush in place of a call", [&] { return file.flush(); });
    case Difference::calls_twice:
      make_call(operation, operation.reading);
      make_call(operation, operation.reading);
      return;
    case Difference::other_direction:
      make_call(operation, !operation.reading);
      return;
    case Difference::other_variables:
      other.variables = other_variables(operation.variables);
      make_call(other, operation.reading);
      return;
    case Difference::other_file:
      other.file = other_file(operation, rank_.shape().files);
      make_call(other, operation.reading);
      return;
  }
}

// Which files, as all ranks see it together, may lack data.
std::vector<bool> Performer::lost_files() {
  std::vector<bool> lost;
  for (int file = 0; file < rank_.shape().files; ++file)
    lost.push_back(rank_.largest(rank_.file(file).was_lost() ? 1 : 0) != 0);
  return lost;
}

// What files hold in which ranks made different calls, that may lack data, or that not all ranks have
// flushed, is not said: it counts as it is.
void Performer::take_over_files(const Operation& operation, const std::vector<bool>& lost) {
  const int files = rank_.shape().files;
  const bool second = operation.difference == Difference::other_file;
  const bool unflushed = operation.difference == Difference::agrees && !operation.after_a_flush;
  for (int file = 0; file < files; ++file) {
    std::vector<std::byte> content = rank_.content(file, program_.file_bytes());
    const bool concerned = file == operation.file || (second && file == other_file(operation, files));
    EXPECT_TRUE(concerned || unflushed || lost[static_cast<size_t>(file)] ||
                expected_.content(file) == content)
        << "rank " << rank_.number() << ": file " << file << " lacks data after different calls on file "
        << operation.file;
    expected_.replace(file, std::move(content));
    rank_.file(file).synchronised();
  }
  rank_.largest(0);
}

// No rank may wait for ever, and a call can fail only because ranks made different ones. It need not fail: a
// rank that does not wait may be done before the others make another call.
void Performer::differ(const Operation& operation) {
  if (operation.after_a_flush) flush_all();
  const bool odd = operation.odd_rank == rank_.number();
  may_fail_ = true;
  if (odd) {
    make_other_call(operation);
  } else {
    make_call(operation, operation.reading);
  }
  if (!odd || operation.difference != Difference::agrees) flush_files();
  come_to("the agreement after different calls");
  rank_.largest(0);
  EXPECT_TRUE(failure_.ok() || failure_.code() == Code::aborted || failure_.code() == Code::mismatch)
      << "rank " << rank_.number() << ": " << failure_.text();
  const std::vector<bool> lost = lost_files();
  for (int file = 0; file < rank_.shape().files; ++file) rank_.recover(file);
  take_over_files(operation, lost);
  may_fail_ = false;
  failure_ = Status();
  put(operation);
}

}  // namespace scorpio::test
