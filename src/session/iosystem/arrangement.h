// What an I/O system makes of its options, its nodes and its I/O ranks: the division of staging memory, and
// the file domains. Local and pure: the same on every rank, and in a process that plans a job without running
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/cost_model.h"
#include "base/options.h"
#include "base/result.h"
#include "comm/node_map.h"
#include "exchange/between_nodes/transfer_group.h"
#include "exchange/memory/staging_layout.h"
#include "plan/domains.h"

namespace scorpio::session {

// The block size for a file system that does not report one.
inline constexpr uint64_t k_unknown_block = 1u << 20;

// The staging memory of each I/O rank, in bytes; with messages alone each rank has memory of its own, which
// is limited, because many ranks on a node would use too much in total.
uint64_t staging_budget(const Options& options, bool messages);

// The division of `budget` bytes of each I/O rank.
Result<exchange::StagingSizes> staging_sizes(const Options& options, const comm::NodeMap& nodes,
                                             const std::vector<int>& io_ranks, uint64_t budget);

// Staging memory in bytes: of each node, and of the I/O rank with the most.
struct StagingUse {
  std::vector<uint64_t> of_nodes;
  uint64_t most_of_io_rank = 0;

  uint64_t most_of_node() const { return *std::ranges::max_element(of_nodes); }
};
StagingUse staging_use(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                       const exchange::StagingSizes& sizes);

// The division of a file on a file system with blocks of `block_bytes` (a power of two).
plan::DomainRule domain_rule(const Options& options, int nodes, size_t io_ranks, uint64_t unit_bytes,
                             uint64_t block_bytes);

// How many I/O ranks have units of a file (option writers), and why. `stripes`: those of the file; 0: its
// file system has none, or does not tell.
struct Writers {
  int number = 1;
  std::string in_force;  // of option writers
};
Writers writers(const Options& options, int io_ranks, uint64_t stripes);
// Leaves the units to so many of the I/O ranks, evenly chosen; the first of them is the metadata rank.
void limit_writers(plan::DomainRule& rule, int number);

// Whether option domains leaves the choice to the library.
bool chooses_domains(const Options& options);
CostModel cost_model(const Options& options);
// Option transfer.
exchange::Transfer transfer_of(const Options& options);

}  // namespace scorpio::session
