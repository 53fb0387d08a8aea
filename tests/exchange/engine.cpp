#include "exchange/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "exchange/interleaving.h"
#include "storage/memory_store.h"
#include "transfer/background_io.h"
#include "transfer/slot_io.h"

namespace scorpio::test {

namespace {

constexpr uint64_t k_token = 4711;

std::string name_of(int file) { return "file" + std::to_string(file); }

}  // namespace

comm::NodeMap node_map(const Shape& shape, int rank) {
  return comm::node_map(std::vector<int64_t>(shape.node_of_rank.begin(), shape.node_of_rank.end()), rank);
}

uint64_t Drawn::next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }

int Shape::nodes() const { return *std::max_element(node_of_rank.begin(), node_of_rank.end()) + 1; }

Shape Shape::draw(Drawn& drawn) {
  const int ranks = static_cast<int>(drawn.between(1, 6));
  return draw(drawn, ranks, static_cast<int>(drawn.between(1, static_cast<uint64_t>(std::min(3, ranks)))));
}

Shape Shape::draw(Drawn& drawn, int ranks, int nodes) {
  Shape shape;
  for (int r = 0; r < ranks; ++r) {
    const bool new_node = r < nodes;
    shape.node_of_rank.push_back(new_node ? r : static_cast<int>(drawn.below(static_cast<uint64_t>(nodes))));
  }
  for (int r = 0; r < ranks; ++r) {
    if (drawn.once_in(2)) shape.io_ranks.push_back(r);
  }
  if (shape.io_ranks.empty())
    shape.io_ranks.push_back(static_cast<int>(drawn.below(static_cast<uint64_t>(ranks))));
  exchange::StagingSizes& sizes = shape.sizes;
  sizes.unit_bytes = uint64_t{256} << drawn.below(3);
  sizes.bitmap_bytes = sizes.unit_bytes / 8;
  sizes.slots = static_cast<int>(drawn.between(3, 7));
  sizes.scattered =
      nodes > 1 ? sizes.slots : static_cast<int>(drawn.between(2, static_cast<uint64_t>(sizes.slots)));
  sizes.out_slots = nodes > 1 ? static_cast<int>(drawn.between(2, 6)) : 0;
  sizes.channels = 2;
  sizes.receives = nodes > 1 ? static_cast<int>(drawn.between(2, 4)) : 0;
  shape.gather_writes = drawn.once_in(2);
  shape.files = static_cast<int>(drawn.between(1, 3));
  return shape;
}

void Shape::have_common_slots(Drawn& drawn) {
  sizes.files = files;
  sizes.reserved = static_cast<int>(drawn.between(2, 5));
  sizes.slots = files * sizes.reserved + static_cast<int>(drawn.between(1, 4)) + 1;
  sizes.scattered = sizes.slots;
  sizes.channels = files + 1;
  if (nodes() > 1) {
    sizes.out_slots = files + static_cast<int>(drawn.between(1, 4));
    sizes.receives = files + static_cast<int>(drawn.between(1, 3));
  }
  workers = true;
}

Job::Job(const Shape& shape, uint64_t seed)
    : shape_(shape),
      data_(shape.ranks(), Post::Sending::drawn, seed),
      agreements_(shape.ranks(), Post::Sending::at_once, seed + 1),
      leaders_(shape.nodes(), Post::Sending::at_once, seed + 2),
      peers_(shape.ranks(), Post::Sending::drawn, seed + 3),
      store_(storage::make_memory_store()) {
  for (int rank = 0; rank < shape.ranks(); ++rank) maps_.push_back(node_map(shape, rank));
  for (int node = 0; node < shape.nodes(); ++node) {
    const comm::NodeMap& map = maps_[static_cast<size_t>(maps_.front().leader(node))];
    memory_.emplace_back(exchange::Staging::bytes(map, shape.io_ranks, shape.sizes) / sizeof(Page));
  }
  for (int file = 0; file < shape.files; ++file)
    (void)store_->open(name_of(file), storage::OpenMode::create_new).value();
}

void Job::work(int owner) {
  std::atomic<DrawnWorker*>& worker = workers_[static_cast<size_t>(owner)];
  while (worker.load() == nullptr) step_aside();
  worker.load()->work();
}

std::vector<std::byte> Job::content(int file, size_t bytes) const {
  std::vector<std::byte> content(bytes);
  const auto stored = store_->open(name_of(file), storage::OpenMode::read).value();
  (void)stored->read_at(content, 0).value();
  return content;
}

Rank::Rank(Job& job, int number)
    : job_(job),
      nodes_(job.maps_[static_cast<size_t>(number)]),
      data_(job.data_, number),
      agreements_(job.agreements_, number) {
  const Shape& shape = job.shape_;
  std::byte* memory = job.memory_[static_cast<size_t>(nodes_.my_node)].front().bytes;
  staging_ = exchange::Staging::over(memory, nodes_, shape.io_ranks, shape.sizes).value();
  if (nodes_.nodes() < shape.ranks()) meet_in_memory(job);
  watch_.emplace(exchange::StallWatch::Agreements{agreements_, calls_, meeting_ ? &*meeting_ : nullptr},
                 nodes_, shape.io_ranks, k_token);
  if (nodes_.nodes() > 1) agreements_.while_waiting(answer_);
  context_ = {&data_, &nodes_, &shape.io_ranks, staging_.get(), &counters_, &*watch_};
  context_.gather_writes = shape.gather_writes;
  context_.patience = shape.patience;
  context_.background = shape.workers;
  if (nodes_.nodes() > 1 && shape.transfer != exchange::Transfer::messages)
    context_.exchanges = &exchanges_.emplace(
        memory_peers(job.peers_, number, nodes_, shape.io_ranks, shape.transfer, shape.sizes.channels));
  executor_.emplace(static_cast<size_t>(shape.sizes.channels) + 1);
  make_worker(job);
  const auto make_io = [this](size_t slots, size_t part, bool) -> std::unique_ptr<exchange::IoPhase> {
    if (worker_ != nullptr) return std::make_unique<transfer::BackgroundIo>(slots, part, *worker_, counters_);
    return std::make_unique<transfer::SlotIo>(slots, *executor_, counters_);
  };
  channels_.emplace(context_, make_io, 1);
  for (int file = 0; file < shape.files; ++file) {
    File& opened = *files_.emplace_back(std::make_unique<File>(
        storage::DataFile(*job.store_, name_of(file), true, shape.sizes.unit_bytes, counters_)));
    opened.channel = channels_->open(static_cast<uint64_t>(file) + 1, shape.workers);
    opened.channel->set_sink(opened.data);
  }
  largest(0);
}

Rank::~Rank() {
  files_.clear();
  if (worker_ != nullptr) worker_->end();
}

void Rank::make_worker(Job& job) {
  const int owner = context_.owner_of_rank(number());
  if (!job.shape_.workers || owner < 0) return;
  const auto at = static_cast<size_t>(owner);
  worker_ = &job.made_[at].emplace(staging_->worker_bell(owner));
  job.workers_[at].store(worker_);
}

void Rank::await_writes() {
  if (worker_ == nullptr || nodes_.nodes() > 1) return;
  for (const auto& file : files_) {
    while (!file->channel->now().written() && !file->channel->failed()) step_aside();
  }
  come_to("the next call");
}

void Rank::meet_in_memory(Job& job) {
  std::unique_ptr<comm::Leaders> leaders;
  if (nodes_.nodes() > 1) leaders = std::make_unique<MemoryLeaders>(job.leaders_, nodes_.my_node);
  meeting_.emplace(nodes_, std::move(leaders), staging_->meeting());
  meeting_->while_waiting(&answer_);
}

int64_t Rank::largest(int64_t mine) {
  const uint64_t label = calls_.begin_reduction(1, 0);
  if (meeting_) {
    auto value = static_cast<uint64_t>(mine);
    const Status met = meeting_->all_max({&value, 1}, 0, label);
    EXPECT_TRUE(met.ok()) << met.text();
    return static_cast<int64_t>(value);
  }
  const std::vector<std::vector<int64_t>> parts(static_cast<size_t>(data_.size()), {mine});
  const auto received = agreements_.all_to_all(parts).value();
  for (const auto& theirs : received) mine = std::max(mine, theirs.front());
  return mine;
}

void Rank::recover(int file) {
  exchange::FileChannel& channel = this->file(file);
  largest(0);  // no rank sends in it any more
  (void)channel.now().drain();
  largest(0);
  channels_->replace(channel, exchange::Loss::some);
  largest(0);
}

}  // namespace scorpio::test
