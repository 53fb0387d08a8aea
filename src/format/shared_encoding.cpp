#include "format/shared_encoding.h"

#include <algorithm>
#include <utility>

#include "codec/recipe.h"
#include "comm/deadline.h"

namespace scorpio::format {

namespace {

// Encoding takes at least some 50 us then.
constexpr uint64_t k_least_shared_bytes = uint64_t{8} << 10;

}  // namespace

bool SharedEncoding::takes(uint64_t chunk_bytes) const {
  return tasks_ != nullptr && chunk_bytes >= k_least_shared_bytes;
}

// One chunk alone is encoded by this rank.
void SharedEncoding::add(std::span<std::byte> image, const codec::Pipeline& pipeline,
                         std::span<const std::byte> kept) {
  chunks_.insert_or_assign(image.data(), Chunk{image, &pipeline, kept});
  pending_.push_back(image.data());
  if (chunks_.size() > 1) offer_more();
}

void SharedEncoding::offer_more() {
  for (; !pending_.empty(); pending_.pop_front()) {
    const auto found = chunks_.find(pending_.front());
    if (found == chunks_.end() || found->second.encoded) continue;
    Chunk& chunk = found->second;
    chunk.task = tasks_->offer(codec::recipe_of(*chunk.pipeline, chunk.kept), chunk.image);
    if (!chunk.task) return;
  }
}

bool SharedEncoding::take_back(Chunk& chunk) {
  if (chunk.task && !tasks_->take_back(*chunk.task)) return false;
  chunk.task.reset();
  return true;
}

// A failure is found again when the chunk is taken.
bool SharedEncoding::encode_another(const Chunk& chunk) {
  for (auto& [image, other] : chunks_) {
    if (&other == &chunk || other.encoded || !take_back(other)) continue;
    auto made = encode(other);
    if (!made.ok()) continue;
    other.encoded = std::move(made).value();
    return true;
  }
  return false;
}

Result<SharedEncoding::Encoded> SharedEncoding::finish(Chunk& chunk) {
  const comm::Deadline deadline(tasks_->longest_wait());
  for (comm::SharedTasks::Outcome outcome; !chunk.encoded;) {
    if (take_back(chunk)) return encode(chunk);
    switch (tasks_->progress(*chunk.task, outcome)) {
      case comm::SharedTasks::Progress::done:
        chunk.task.reset();
        return Encoded{
            {chunk.image.begin(), chunk.image.begin() + static_cast<std::ptrdiff_t>(outcome.bytes)},
            outcome.flags,
            {outcome.figures[0], outcome.figures[1]}};
      case comm::SharedTasks::Progress::failed:
        chunk.task.reset();
        return encode(chunk);
      case comm::SharedTasks::Progress::under_way:
        break;
    }
    if (!encode_another(chunk)) tasks_->nap(*chunk.task);
    deadline.check();
  }
  return std::move(*chunk.encoded);
}

Result<SharedEncoding::Encoded> SharedEncoding::take(const std::byte* image) {
  const auto found = chunks_.find(image);
  Result<Encoded> made = finish(found->second);
  chunks_.erase(found);
  offer_more();
  return made;
}

void SharedEncoding::end() {
  for (auto& [image, chunk] : chunks_) {
    comm::SharedTasks::Outcome outcome;
    while (!take_back(chunk)) {
      if (tasks_->progress(*chunk.task, outcome) != comm::SharedTasks::Progress::under_way)
        chunk.task.reset();
      else
        tasks_->nap(*chunk.task);
    }
  }
  chunks_.clear();
  pending_.clear();
}

}  // namespace scorpio::format
