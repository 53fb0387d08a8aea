#include "exchange/link/announcements.h"

#include "exchange/link/shared_bell.h"

namespace scorpio::exchange {

namespace {

// A word with the bytes of a round, in the lower bits, and its number. Two rounds that a word has one after
// the other differ in the number.
constexpr int k_bits_of_bytes = 44;

uint64_t word_of_round(uint64_t number, uint64_t bytes) { return (number << k_bits_of_bytes) | bytes; }
uint64_t bytes_of_word(uint64_t word) { return word & ((uint64_t{1} << k_bits_of_bytes) - 1); }

}  // namespace

Announcements::Announcements(const ChannelContext& context, const NodeLines& lines)
    : context_(context), lines_(lines) {
  for (int rank = 0; rank < context.nodes->local_size(); ++rank) {
    const int owner = context.owner_of_rank(context.nodes->local_rank(rank));
    if (owner >= 0) here_.push_back({rank, owner});
  }
}

void Announcements::ring_workers() const {
  for (const Here& here : here_) exchange::ring(context_.staging->worker_bell(here.owner));
}

void Announcements::tell_complete(uint64_t number, bool good) const {
  if (good) {
    lines_.mine().complete.store(static_cast<uint32_t>(number));
  } else {
    lines_.node().incomplete.store(1);
  }
  ring_workers();
}

std::optional<bool> Announcements::all_complete(uint64_t number) const {
  if (lines_.node().incomplete.load() != 0) return false;
  for (const Here& here : here_) {
    if (line(here).complete.load() < number) return std::nullopt;
  }
  return true;
}

void Announcements::tell_stored(uint64_t number, const StoredBytes& stored) const {
  RankLine& mine = lines_.mine();
  mine.unplaced[(rounds_ + 1) % 2].store(stored.any ? stored.unplaced + 1 : 0);
  mine.stored_end.store(stored.arena_end);
  mine.stored.store(static_cast<uint32_t>(number));
  ring_workers();
}

std::optional<std::vector<StoredBytes>> Announcements::all_stored(uint64_t number) const {
  std::vector<StoredBytes> all;
  if (lines_.node().incomplete.load() != 0) return all;
  for (const Here& here : here_) {
    if (line(here).stored.load() < number) return std::nullopt;
  }
  all.resize(context_.io_ranks->size());
  for (const Here& here : here_) {
    const RankLine& told = line(here);
    const uint64_t bytes = told.unplaced[(rounds_ + 1) % 2].load();
    all[static_cast<size_t>(here.owner)] = {bytes > 0, bytes - (bytes > 0 ? 1 : 0), told.stored_end.load()};
  }
  return all;
}

void Announcements::tell_round(uint64_t number, uint64_t bytes) {
  rounds_ = number;
  lines_.mine().unplaced[number % 2].store(word_of_round(number, bytes));
  ring_workers();
}

std::optional<std::vector<uint64_t>> Announcements::all_of_round(uint64_t number) const {
  if (lines_.node().incomplete.load() != 0) return std::vector<uint64_t>();
  std::vector<uint64_t> all(context_.io_ranks->size());
  for (const Here& here : here_) {
    const uint64_t word = line(here).unplaced[number % 2].load();
    const uint64_t bytes = bytes_of_word(word);
    if (word != word_of_round(number, bytes)) return std::nullopt;
    all[static_cast<size_t>(here.owner)] = bytes;
  }
  return all;
}

}  // namespace scorpio::exchange
