#include "holes.h"

#include <algorithm>
#include <numeric>

#include "failure.h"
#include "queue.h"
#include "scorpio/variable.h"

namespace scorpio_pio {

namespace {

// Each rank looks for holes in an equal share of the array.
struct Shares {
  int64_t elements;
  int ranks;

  int64_t length() const { return (elements + ranks - 1) / ranks; }
  int64_t begin(int rank) const { return std::min(elements, length() * rank); }
};

using Ends = std::vector<int64_t>;  // begin and end of each run

// The runs of this rank in the share of each rank.
std::vector<Ends> own_runs(const Layout& layout, const Shares& shares) {
  std::vector<Ends> runs(static_cast<size_t>(shares.ranks));
  const std::vector<PIO_Offset> map = layout.map.unpacked(layout.elements);
  for (size_t i = 0; i < map.size();) {
    const size_t first = i++;
    while (i < map.size() && map[i] == map[i - 1] + 1 && map[first] != 0) ++i;
    const int64_t end = map[first] - 1 + static_cast<int64_t>(i - first);
    for (int64_t at = map[first] - 1; at >= 0 && at < end;) {
      const int64_t share = at / shares.length();
      const int64_t stop = std::min(end, (share + 1) * shares.length());
      runs[static_cast<size_t>(share)].insert(runs[static_cast<size_t>(share)].end(), {at, stop});
      at = stop;
    }
  }
  return runs;
}

// Those of all ranks in this rank's share.
Ends exchanged(const std::vector<Ends>& own, MPI_Comm comm) {
  std::vector<int> sent, received(own.size()), sent_at(own.size()), received_at(own.size());
  Ends from, to;
  for (const Ends& ends : own) {
    sent.push_back(static_cast<int>(ends.size()));
    from.insert(from.end(), ends.begin(), ends.end());
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
  std::exclusive_scan(sent.begin(), sent.end(), sent_at.begin(), 0);
  std::exclusive_scan(received.begin(), received.end(), received_at.begin(), 0);
  to.resize(static_cast<size_t>(received_at.back() + received.back()));
  MPI_Alltoallv(from.data(), sent.data(), sent_at.data(), MPI_INT64_T, to.data(), received.data(),
                received_at.data(), MPI_INT64_T, comm);
  return to;
}

std::vector<int64_t> holes_between(const Ends& held, int64_t begin, int64_t end) {
  std::vector<bool> is_held(static_cast<size_t>(end - begin), false);
  for (size_t i = 0; i + 1 < held.size(); i += 2)
    std::fill(is_held.begin() + (held[i] - begin), is_held.begin() + (held[i + 1] - begin), true);
  std::vector<int64_t> holes;
  for (int64_t at = begin; at < end; ++at) {
    if (!is_held[static_cast<size_t>(at - begin)]) holes.push_back(at);
  }
  return holes;
}

}  // namespace

int find_holes(IoSystem& system, Layout& layout) {
  if (layout.holes_are_known) return PIO_NOERR;
  const Shares shares{
      std::accumulate(layout.extents.begin(), layout.extents.end(), int64_t{1}, std::multiplies<>()),
      system.ranks()};
  const Ends held = exchanged(own_runs(layout, shares), system.comm());
  const std::vector<int64_t> mine =
      holes_between(held, shares.begin(system.rank()), shares.begin(system.rank() + 1));
  layout.hole_elements = static_cast<int64_t>(mine.size());
  int64_t all = layout.hole_elements;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, system.comm());
  layout.holes_are_known = true;
  if (all == 0) return PIO_NOERR;
  return natively(scorpio_decomp_map(system.native(), static_cast<int>(layout.extents.size()),
                                     layout.extents.data(), layout.hole_elements, mine.data(),
                                     &layout.holes));
}

bool Fills::concern(scorpio_file* file, const Write& write) {
  if (write.layout == nullptr) return false;
  scorpio_storage form = SCORPIO_STORAGE_UNKNOWN;
  (void)scorpio_variable_storage(file, write.variable, &form, nullptr, 0, nullptr, 0, nullptr);
  return form == SCORPIO_STORAGE_CHUNKED;
}

int Fills::add(IoSystem& system, const Write& write, scorpio_access& access) {
  access.fill = nullptr;
  Layout& layout = *write.layout;
  const int code = find_holes(system, layout);
  if (code != PIO_NOERR || layout.holes == nullptr) return code;
  std::vector<std::byte>& values = values_.emplace_back();
  values.reserve(static_cast<size_t>(layout.hole_elements) * write.element_bytes);
  for (int64_t i = 0; i < layout.hole_elements; ++i)
    values.insert(values.end(), write.fill.begin(), write.fill.end());
  accesses_.push_back(scorpio_darray(write.variable, layout.holes, write.record, write.type, values.data()));
  return PIO_NOERR;
}

void Fills::clear() {
  values_.clear();
  accesses_.clear();
}

}  // namespace scorpio_pio
