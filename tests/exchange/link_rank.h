// A rank of a job of several nodes whose ranks are in one process: its memory, and its link to the others.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "comm/node_map.h"
#include "exchange/engine.h"
#include "exchange/link/link.h"
#include "exchange/memory/staging.h"
#include "exchange/memory_messages.h"
#include "observe/counters.h"

namespace scorpio::test {

struct LinkRank {
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };

  // `shape` and `post` outlive this object.
  LinkRank(const Shape& shape, Post& post, int number)
      : nodes(node_map(shape, number)),
        messages(post, number),
        memory(exchange::Staging::bytes(nodes, shape.io_ranks, shape.sizes) / sizeof(Page)),
        staging(exchange::Staging::over(memory.front().bytes, nodes, shape.io_ranks, shape.sizes).value()),
        link({&messages, &nodes, &shape.io_ranks, staging.get(), &counters}, staging->lend(1, false)) {}

  comm::NodeMap nodes;
  MemoryMessages messages;
  std::vector<Page> memory;
  std::unique_ptr<exchange::Staging> staging;
  observe::Counters counters;
  exchange::Link link;
};

}  // namespace scorpio::test
