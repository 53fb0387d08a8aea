#include "format/index_news.h"

#include <map>

namespace scorpio::format {

void IndexNews::add(int variable, storage::IndexEntry entry, bool repeats) {
  if (repeats && entry.frames > 0) {
    const std::pair told(variable, entry.frames);
    if (told_ == told) entry.frames = 0;
    told_ = told;
  }
  if (entry.old_bytes == 0 && entry.frames == 0) {
    fresh_.push_back(entry.begin);
  } else {
    others_.push_back(entry);
  }
}

// A new chunk that got another place since then was first where that one says. Filters that were skipped
// there are of no interest any more.
std::vector<storage::IndexEntry> IndexNews::take(const std::function<FoundChunk(uint64_t begin)>& place_of) {
  std::map<uint64_t, FoundChunk> first;
  for (const storage::IndexEntry& entry : others_) {
    if (entry.old_bytes > 0) first.try_emplace(entry.begin, FoundChunk{entry.old_address, entry.old_bytes});
  }
  std::vector<storage::IndexEntry> all;
  all.reserve(fresh_.size() + others_.size());
  for (; !fresh_.empty(); fresh_.pop_front()) {
    const uint64_t begin = fresh_.front();
    const auto at = first.find(begin);
    const FoundChunk place = at != first.end() ? at->second : place_of(begin);
    all.push_back({.begin = begin, .address = place.address, .bytes = place.bytes, .skipped = place.skipped});
  }
  all.insert(all.end(), others_.begin(), others_.end());
  others_ = {};
  told_.reset();
  return all;
}

}  // namespace scorpio::format
