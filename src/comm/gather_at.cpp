#include "comm/gather_at.h"

#include "base/guarded.h"

namespace scorpio::comm {

namespace {

// The rank from the point of view of `root`, which is 0.
int turned(const Group& comm, int rank, int by) {
  const int64_t sum = int64_t{rank} + by;
  return static_cast<int>(sum % comm.size());
}

void append_list(std::vector<int64_t>& words, int rank, std::span<const int64_t> list) {
  if (list.empty()) return;
  words.push_back(rank);
  words.push_back(static_cast<int64_t>(list.size()));
  words.insert(words.end(), list.begin(), list.end());
}

std::map<int, std::vector<int64_t>> lists_in(std::span<const int64_t> words) {
  std::map<int, std::vector<int64_t>> lists;
  while (!words.empty()) {
    const std::span<const int64_t> list = words.subspan(2, static_cast<size_t>(words[1]));
    lists[static_cast<int>(words[0])].assign(list.begin(), list.end());
    words = words.subspan(2 + list.size());
  }
  return lists;
}

}  // namespace

// In the step of each binary digit, ranks with this digit, and none below, send what they have to the rank
// without it.
Result<std::map<int, std::vector<int64_t>>> gather_at(const Group& comm, int root,
                                                      std::span<const int64_t> own) {
  const int place = turned(comm, comm.rank(), comm.size() - root);
  std::vector<int64_t> words;
  Status so_far = guarded([&] {
    append_list(words, comm.rank(), own);
    return Status();
  });
  for (int digit = 1; digit < comm.size(); digit *= 2) {
    const int below = place & (digit - 1), other = place ^ digit;
    const bool sends = below == 0 && (place & digit) != 0;
    const bool takes_part = below == 0 && other < comm.size();
    const std::span<const int64_t> sent =
        sends && so_far.ok() ? std::span<const int64_t>(words) : std::span<const int64_t>();
    const auto arrived = comm.swap(sent, takes_part ? turned(comm, other, root) : comm.rank());
    so_far = first_failure(so_far, arrived.status());
    if (!so_far.ok() || sends) continue;
    so_far = guarded([&] {
      words.insert(words.end(), arrived->begin(), arrived->end());
      return Status();
    });
  }
  if (!so_far.ok()) return so_far;
  if (place != 0) return std::map<int, std::vector<int64_t>>();
  std::map<int, std::vector<int64_t>> lists;
  SCORPIO_TRY(guarded([&] {
    lists = lists_in(words);
    return Status();
  }));
  return lists;
}

}  // namespace scorpio::comm
