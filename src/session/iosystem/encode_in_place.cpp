#include "session/iosystem/encode_in_place.h"

#include <algorithm>

#include "codec/recipe.h"
#include "observe/counters_here.h"

namespace scorpio::session {

Result<comm::SharedTasks::Outcome> encode_in_place(std::span<const std::byte> recipe,
                                                   std::span<std::byte> image, observe::Counters& counters) {
  observe::Counters& here = observe::counters_here(counters);
  const observe::Timer timer(here.time_encode_ns, observe::Activity::encode, image.size());
  SCORPIO_ASSIGN(const codec::Pipeline::Encoded encoded, codec::encode_by(recipe, image));
  if (encoded.bytes.size() > image.size() + comm::SharedTasks::k_tail_bytes)
    return failure(Code::internal, "{} bytes do not fit into {}", encoded.bytes.size(), image.size());
  const auto end =
      encoded.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(encoded.bytes.size(), image.size()));
  comm::SharedTasks::Outcome outcome{.flags = encoded.skipped,
                                     .figures = {encoded.loss.absolute, encoded.loss.relative},
                                     .tail = {end, encoded.bytes.end()}};
  outcome.bytes = encoded.bytes.size() - outcome.tail.size();
  std::copy(encoded.bytes.begin(), end, image.begin());
  observe::add(here.encoded_for_others, 1);
  return outcome;
}

Result<comm::SharedTasks::Outcome> decode_in_place(std::span<const std::byte> recipe,
                                                   std::span<std::byte> image, observe::Counters& counters) {
  SCORPIO_TRY(codec::decode_by(recipe, image));
  observe::add(observe::counters_here(counters).decoded_for_others, 1);
  return comm::SharedTasks::Outcome{image.size(), 0, {}};
}

Result<comm::SharedTasks::Outcome> code_in_place(std::span<const std::byte> recipe,
                                                 std::span<std::byte> image, observe::Counters& counters) {
  return codec::decodes(recipe) ? decode_in_place(recipe, image, counters)
                                : encode_in_place(recipe, image, counters);
}

uint32_t ranks_that_encode(std::span<const CpuSet> cpus, int local_ranks, int local_io_ranks) {
  CpuSet all;
  for (const CpuSet& of_rank : cpus) all |= of_rank;
  const int known = all.any() ? static_cast<int>(all.count()) : local_ranks;
  return static_cast<uint32_t>(std::max(0, std::min(known, local_ranks) - local_io_ranks));
}

}  // namespace scorpio::session
