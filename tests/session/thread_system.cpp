#include "session/thread_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/file_rules.h"
#include "exchange/link/shared_bell.h"
#include "format/registry.h"
#include "storage/memory_store.h"

namespace scorpio::test {

namespace {

constexpr uint64_t k_token = 4712;
constexpr uint64_t k_seed = 1;

exchange::StagingSizes sizes_of(const JobShape& shape) {
  exchange::StagingSizes sizes;
  sizes.unit_bytes = shape.unit_bytes;
  sizes.bitmap_bytes = sizes.unit_bytes / 8;
  sizes.slots = 6;
  // As divide_budget() does: slots without a bitmap are those of one file at a time.
  sizes.scattered = shape.nodes == 1 && shape.staging_files == 1 ? 3 : sizes.slots;
  sizes.out_slots = shape.nodes > 1 ? 4 : 0;
  sizes.channels = 3;
  sizes.receives = shape.nodes > 1 ? 5 : 0;
  return sizes;
}

// [ranks]
std::vector<int64_t> nodes_of(const JobShape& shape) {
  std::vector<int64_t> nodes;
  for (int r = 0; r < shape.ranks; ++r) nodes.push_back(r * shape.nodes / shape.ranks);
  return nodes;
}

}  // namespace

ThreadJob::ThreadJob(const JobShape& shape)
    : shape_(shape),
      sizes_(sizes_of(shape)),
      place_(shape.ranks),
      data_(shape.ranks, Post::Sending::drawn, k_seed),
      calls_(shape.ranks, Post::Sending::at_once, k_seed),
      store_(storage::make_memory_store()) {
  for (int r = 0; r < shape.io_ranks; ++r) io_ranks_.push_back(r);
  const std::vector<int64_t> nodes = nodes_of(shape);
  for (int r = 0; r < shape.ranks; ++r) maps_.push_back(comm::node_map(nodes, r));
  for (int node = 0; node < shape.nodes; ++node) {
    const comm::NodeMap& map = maps_[static_cast<size_t>(maps_.front().leader(node))];
    const size_t bytes = exchange::Staging::bytes(map, io_ranks_, sizes_);
    memory_.emplace_back((bytes + sizeof(Page) - 1) / sizeof(Page));
  }
}

void ThreadJob::run(const std::function<void(ThreadSystem&)>& body) {
  std::vector<std::thread> ranks;
  for (int r = 0; r < shape_.ranks; ++r) {
    ranks.emplace_back([&, r] {
      ThreadSystem system(*this, r);
      body(system);
    });
  }
  for (std::thread& rank : ranks) rank.join();
}

ThreadSystem::ThreadSystem(ThreadJob& job, int rank)
    : job_(job),
      nodes_(job.maps_[static_cast<size_t>(rank)]),
      comm_(job.place_, rank),
      data_(job.data_, rank),
      calls_(job.calls_, rank),
      options_(resolve(job.shape_.options, [](const char*) -> const char* { return nullptr; }, {}).value()) {
  records_.backlog.emplace();
  std::byte* memory = job.memory_[static_cast<size_t>(nodes_.my_node)].front().bytes;
  staging_ = exchange::Staging::over(memory, nodes_, job.io_ranks_, job.sizes_).value();
  watch_.emplace(exchange::StallWatch::Agreements{calls_, comm_.calls(), nullptr}, nodes_, job.io_ranks_,
                 k_token);
  if (nodes_.nodes() > 1) comm_.while_waiting([this] { watch_->answer(true); });
  context_ = {&data_, &nodes_, &job.io_ranks_, staging_.get(), &records_.counters, &*watch_};
  context_.background = options_.boolean(Option::asynchronous);
  const auto works = static_cast<size_t>(job.sizes_.channels) + 1;
  executor_.emplace(works);
  std::unique_ptr<async::Bell> bell;
  if (my_owner() >= 0) bell = std::make_unique<exchange::SharedBell>(staging_->worker_bell(my_owner()));
  workers_.emplace(session::Workers::Ground{std::move(bell), works, [] { return Result<CpuSet>(CpuSet()); },
                                            records_.events, nullptr});
  EXPECT_TRUE(workers_->start().ok());
  channels_.emplace(session::Channels::Ground{comm_, context_, *executor_, *workers_, records_.events,
                                              job.shape_.staging_files});
  if (is_metadata_rank()) (void)format::start_libraries();
  (void)comm_.barrier();
}

Result<Options> ThreadSystem::file_options(const std::string& path, const OptionSet& file_options) const {
  Options options = options_;
  options.overlay(FileRules::parse(options_.text(Option::file_options)).value().options_for(path));
  options.overlay(file_options);
  return options;
}

plan::DomainRule ThreadSystem::domain_rule(uint64_t block_bytes) const {
  plan::DomainRule rule;
  rule.unit_bytes = job_.sizes_.unit_bytes;
  rule.block_bytes = block_bytes;
  rule.io_ranks = job_.shape_.io_ranks;
  rule.contiguous = options_.choice(Option::domains) == "contiguous";
  return rule;
}

std::unique_ptr<session::Decomposition> ThreadSystem::rows(const std::vector<int64_t>& dims) {
  auto made = session::Decomposition::create(*this, decomp::uniform(dims, comm_.rank(), comm_.size()));
  if (made.ok()) return std::move(made).value();
  ADD_FAILURE() << made.status().text();
  return nullptr;
}

}  // namespace scorpio::test
