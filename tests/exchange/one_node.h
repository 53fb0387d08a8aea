// The ranks of one node, played by one thread: the memory that they share, and what each of them sees of it.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "exchange/link/channel_context.h"
#include "exchange/memory/staging.h"
#include "exchange/memory_messages.h"

namespace scorpio::test {

struct OneNode : testing::Test {
  OneNode(int ranks, std::vector<int> io, int files)
      : io_ranks(std::move(io)), post(ranks, Post::Sending::at_once, 1) {
    exchange::NodeShape shape;
    shape.ranks_per_io_rank = ranks;
    shape.files = files;
    sizes = exchange::divide_budget(uint64_t{4} << 20, 4096, shape).value();
    for (int r = 0; r < ranks; ++r)
      maps.push_back(comm::node_map(std::vector<int64_t>(static_cast<size_t>(ranks), 0), r));
    block.resize(exchange::Staging::bytes(maps[0], io_ranks, sizes) / sizeof(Page));
    for (int r = 0; r < ranks; ++r) {
      const auto at = static_cast<size_t>(r);
      stagings.push_back(exchange::Staging::over(block.front().bytes, maps[at], io_ranks, sizes).value());
      messages.push_back(std::make_unique<MemoryMessages>(post, r));
      fabrics.push_back({messages[at].get(), &maps[at], &io_ranks, stagings[at].get(), &counters});
    }
  }

  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  exchange::StagingSizes sizes;
  std::vector<int> io_ranks;
  std::vector<comm::NodeMap> maps;
  std::vector<Page> block;
  Post post;
  observe::Counters counters;
  std::vector<std::unique_ptr<exchange::Staging>> stagings;
  std::vector<std::unique_ptr<MemoryMessages>> messages;
  std::vector<exchange::ChannelContext> fabrics;
};

}  // namespace scorpio::test
