#include "exchange/channel_pool.h"

#include <algorithm>
#include <utility>

namespace scorpio::exchange {

ChannelPool::ChannelPool(const ChannelContext& context, MakeIoPhase make_io, int files)
    : context_(context), make_io_(std::move(make_io)), files_(files) {}

std::unique_ptr<Channel> ChannelPool::make(const Lease& lease, bool background) const {
  ChannelContext context = context_;
  context.background = background;
  context.gather_writes = context_.gather_writes && !background;
  return std::make_unique<Channel>(context, lease, make_io_(lease.most_slots(), part_of(lease), background));
}

std::unique_ptr<FileChannel> ChannelPool::open(uint64_t file, bool background) {
  const Lease lease = context_.staging->lend(files_, background);
  try {
    return use(lease, file, background);
  } catch (...) {
    context_.staging->take_back(lease);
    throw;
  }
}

std::unique_ptr<FileChannel> ChannelPool::use(const Lease& lease, uint64_t file, bool background) {
  std::shared_ptr<ChannelHolder> holder = lease.shared ? shared_.lock() : nullptr;
  if (holder == nullptr) {
    if (leads()) context_.staging->reset(lease);
    holder = std::make_shared<ChannelHolder>();
    holder->background = lease.shared ? context_.background : background;
    holder->channel = make(lease, holder->background);
    if (lease.shared) shared_ = holder;
    std::erase_if(all_, [](const auto& one) { return one.expired(); });
    all_.push_back(holder);
  }
  return std::make_unique<FileChannel>(std::move(holder), file);
}

// The slots of one part can be filled again while the others are written. Of slots in common a file has as
// many as one write can join.
size_t ChannelPool::part_of(const Lease& lease) const {
  if (lease.common == 0) return std::max<size_t>(1, lease.slots.size() / 8);
  const size_t joined = k_joined_write_bytes / context_.staging->sizes().unit_bytes;
  return std::max({size_t{1}, lease.slots.size() / 2, std::min(joined, lease.most_slots() / 4)});
}

void ChannelPool::pass_on() {
  for (const auto& one : all_) {
    if (const auto holder = one.lock()) holder->channel->pass_on();
  }
}

bool ChannelPool::pass_between_nodes() {
  bool moved = false;
  for (const auto& one : all_) {
    const auto holder = one.lock();
    if (holder && holder->background && holder->channel->pass_between_nodes()) moved = true;
  }
  return moved;
}

bool ChannelPool::cross_nodes() const {
  return std::any_of(all_.begin(), all_.end(), [](const auto& one) {
    const auto holder = one.lock();
    return holder && holder->background && holder->channel->crosses_nodes();
  });
}

void ChannelPool::close(std::unique_ptr<FileChannel> channel, bool complete) {
  const Lease& lease = channel->lease();
  // The leader may have opened the next file in these slots before another rank gets here.
  if (leads() && channel->alone() && (channel->failed() || !complete))
    channel->now().ring_channels(context_.staging->clear_slots(lease));
  context_.staging->take_back(lease);
}

void ChannelPool::replace(FileChannel& channel, Loss loss) {
  const Lease lease = channel.lease();
  if (leads()) {
    channel.now().ring_channels(context_.staging->clear_slots(lease));
    context_.staging->reset(lease);
  }
  channel.replace(make(lease, channel.background()), loss);
}

}  // namespace scorpio::exchange
