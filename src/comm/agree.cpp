#include "comm/agree.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <sstream>
#include <vector>

#include "base/current_call.h"
#include "base/guarded.h"
#include "base/words.h"

namespace scorpio::comm {

namespace {

constexpr uint32_t k_rank_limit = 0x7fffffff;
constexpr size_t k_shown_bytes = 200;  // of the line that differs

// A failure as it is sent to the other ranks.
struct Told {
  int32_t origin = -1;
  std::array<char, 1020> text{};  // longer texts are truncated
};

// The precedence of a failure. Clipped values cause no other failure, so they must not hide one; a rank that
// stopped because of another rank does not know the cause.
uint64_t weight_of(Code code) {
  if (code == Code::range) return 0;
  if (code == Code::aborted) return 1;
  return 2 + static_cast<uint64_t>(-static_cast<int>(code));
}

Code code_of(uint64_t weight) {
  if (weight == 0) return Code::range;
  if (weight == 1) return Code::aborted;
  return static_cast<Code>(-static_cast<int>(weight - 2));
}

// The largest value is chosen: any failure before none, then the higher precedence, then the lower rank.
uint64_t pack(const Status& status, int rank) {
  if (status.ok()) return 0;
  return (weight_of(status.code()) << 32) | (k_rank_limit - static_cast<uint32_t>(rank));
}

Status broadcast_failure(const Group& comm, const Status& mine, uint64_t winner) {
  const int teller = static_cast<int>(k_rank_limit - static_cast<uint32_t>(winner));
  Told told;
  if (comm.rank() == teller) {
    told.origin = mine.origin() < 0
                      ? teller
                      : mine.origin();  // a status on which ranks have agreed before has its origin already
    // Without memory for the text the code is told.
    (void)guarded([&] {
      std::strncpy(told.text.data(), in_call(mine).text().c_str(), told.text.size() - 1);
      return Status();
    });
  }
  SCORPIO_TRY(comm.broadcast(std::as_writable_bytes(std::span(&told, 1)), teller));
  // The code is the same on all ranks, also on one without memory for the text.
  Status agreed = failure_without_text(code_of(winner >> 32));
  (void)guarded([&] {
    agreed = Status(agreed.code(), told.text.data()).with_origin(told.origin);
    return Status();
  });
  return agreed;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The first of `lines` that is not among `others`; empty if there is none.
std::string first_missing(const std::vector<std::string>& lines, const std::vector<std::string>& others) {
  const std::set<std::string> known(others.begin(), others.end());
  for (const std::string& line : lines) {
    if (!known.contains(line)) return line.substr(0, k_shown_bytes);
  }
  return {};
}

// The first line that only `mine` has, and the first that only rank 0's description has.
std::string difference(int rank, const std::string& mine, const std::string& first) {
  const std::vector<std::string> own = lines_of(mine), others = lines_of(first);
  const std::string here = first_missing(own, others), there = first_missing(others, own);
  if (here.empty() && there.empty()) return mine.empty() ? "" : " (in another order)";
  if (here.empty()) return fmt::format(" (rank 0 has {}, rank {} has not)", there, rank);
  if (there.empty()) return fmt::format(" (rank {} has {}, rank 0 has not)", rank, here);
  return fmt::format(" (rank {} has {}, rank 0 has {})", rank, here, there);
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Status agree(const Group& comm, const Status& mine, std::span<uint64_t> maxima, std::span<uint64_t> sums) {
  const Words words(1 + maxima.size() + sums.size());
  const std::span<uint64_t> values = words.all();
  std::ranges::copy(maxima, values.begin() + 1);
  std::ranges::copy(sums, values.last(sums.size()).begin());
  const Status agreed = agree_in_place(comm, mine, values, sums.size());
  std::ranges::copy(values.subspan(1, maxima.size()), maxima.begin());
  std::ranges::copy(values.last(sums.size()), sums.begin());
  return agreed;
}

Status agree_in_place(const Group& comm, const Status& mine, std::span<uint64_t> words, size_t sums) {
  words[0] = pack(mine, comm.rank());
  SCORPIO_TRY(comm.all_max(words, sums));
  if (words[0] == 0) return {};
  return broadcast_failure(comm, mine, words[0]);
}

Status agree_equal(const Group& comm, const Status& mine, uint64_t value, const char* what,
                   std::span<uint64_t> maxima, const Describe& describe) {
  const Words words(2 + maxima.size());
  const std::span<uint64_t> bounds = words.all();
  bounds[0] = value;
  bounds[1] = ~value;
  std::ranges::copy(maxima, bounds.begin() + 2);
  SCORPIO_TRY(agree(comm, mine, bounds));
  std::ranges::copy(bounds.subspan(2), maxima.begin());
  if (bounds[0] == ~bounds[1]) return {};
  int64_t first = static_cast<int64_t>(value);
  SCORPIO_TRY(comm.broadcast(std::span<int64_t>(&first, 1), 0));
  const std::string own = describe ? describe() : std::string();
  std::vector<std::byte> bytes = bytes_of(own);
  SCORPIO_TRY(comm.broadcast(bytes, 0));
  if (static_cast<uint64_t>(first) == value) return agree(comm, {});
  const std::string others(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return agree(comm,
               failure(Code::mismatch,
                       "rank {} passed other {} than rank 0{}; all ranks must make the same calls with the "
                       "same arguments in the same order",
                       comm.rank(), what, difference(comm.rank(), own, others)));
}

}  // namespace scorpio::comm
