// The choice of file domains by estimated cost: the pattern of the ranks, the parameters of the costs, and
// the cases without a choice.
#include "session/state/domain_choice.h"
#include "session/iosystem/arrangement.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "exchange/memory/leases.h"
#include "plan/io_rank_options.h"
#include "plan/whole_survey.h"
#include "session/iosystem/arrangement.h"

namespace scorpio::session {
namespace {

constexpr int k_ranks = 16;
constexpr uint64_t k_block = 4096;
constexpr int64_t k_block_elements = 512;  // of 8 bytes

// The rank that holds an element; -1: none.
using Holder = std::function<int(int64_t element)>;

struct Put {
  int nodes = 4;
  int64_t blocks = 64;
  uint64_t begin = 16 * k_block;
  std::string costs = "";
  int variables = 1;
};

DomainChoice choice_of(const Put& put, const Holder& holder) {
  std::vector<std::vector<int64_t>> index(k_ranks);
  for (int64_t i = 0; i < put.blocks * k_block_elements; ++i) {
    if (const int rank = holder(i); rank >= 0) index[static_cast<size_t>(rank)].push_back(i);
  }
  const std::vector<int64_t> dims{put.blocks * k_block_elements};
  std::vector<decomp::LocalPart> parts;
  std::vector<int64_t> keys;
  for (int rank = 0; rank < k_ranks; ++rank) {
    parts.push_back(decomp::map(dims, index[static_cast<size_t>(rank)]).value());
    keys.push_back(comm::simulated_node(rank, k_ranks, put.nodes));
  }
  const comm::NodeMap nodes = comm::node_map(keys, 0);
  const plan::WholeSurvey survey = plan::whole_survey(parts, nodes).value();
  OptionSet set;
  EXPECT_TRUE(set.set("staging_bytes", "64k").ok());
  EXPECT_TRUE(set.set("block_bytes", "4k").ok());
  EXPECT_TRUE(set.set("io_ranks", "4").ok());
  EXPECT_TRUE(set.set("cost_model", put.costs).ok());
  Options options = resolve(set, [](const char*) { return nullptr; }, {}).value();
  Ground ground;
  ground.io_ranks = plan::choose_io_ranks(nodes.placement, options).value().ranks;
  const exchange::StagingSizes sizes =
      staging_sizes(options, nodes, ground.io_ranks, staging_budget(options, false)).value();
  EXPECT_EQ(sizes.unit_bytes, k_block);
  ground.lease = exchange::Leases(sizes).lend(0, false);
  ground.rule = domain_rule(options, nodes.nodes(), ground.io_ranks.size(), sizes.unit_bytes, k_block);
  const transfer::Slab slab{
      put.begin, 8, {put.begin, put.begin + static_cast<uint64_t>(put.blocks) * k_block}};
  const std::vector<CoveredSlab> slabs(static_cast<size_t>(put.variables),
                                       {slab, transfer::Cover::of(survey.common)});
  return choose_domains(cost_model(options), nodes, ground, slabs);
}

int64_t elements_of(const Put& put) { return put.blocks * k_block_elements; }

Holder in_order(const Put& put) {
  return [n = elements_of(put)](int64_t i) { return static_cast<int>(i * k_ranks / n); };
}

TEST(DomainChoice, ConsecutivePartsAreWrittenOnTheirNodes) {
  for (const int nodes : {2, 4, 16}) {
    const Put put{.nodes = nodes};
    const DomainChoice choice = choice_of(put, in_order(put));
    EXPECT_TRUE(choice.counted);
    EXPECT_LT(choice.contiguous_ns, choice.cyclic_ns);
    EXPECT_EQ(choice.contiguous(), nodes < 16) << choice.text();  // 4 I/O ranks of 16 nodes: hardly cheaper
  }
  const Put put;
  const DomainChoice choice = choice_of(put, in_order(put));
  // A quarter of the 16 blocks of a node, with 64 KiB and 16 writes, stays on it; the others take messages.
  const CostModel model;
  EXPECT_EQ(choice.cyclic_ns - choice.contiguous_ns,
            12 * model.message_ns + 12 * k_block * model.network_ns_per_mib / (1 << 20))
      << choice.text();
}

// The same pattern: what costs nothing is no reason.
TEST(DomainChoice, DependsOnTheParametersOfTheCosts) {
  Put put{.costs = "message_ns=0 network_ns_per_mib=0"};
  const DomainChoice choice = choice_of(put, in_order(put));
  EXPECT_TRUE(choice.counted);
  EXPECT_FALSE(choice.contiguous()) << choice.text();
  EXPECT_EQ(choice.contiguous_ns, choice.cyclic_ns);
  // A quarter is put: contiguous domains leave it to one I/O rank, on the node that holds half of it.
  const Holder quarter = [](int64_t i) {
    return i < 16 * k_block_elements ? static_cast<int>(i / k_block_elements) : -1;
  };
  put.costs = "";
  EXPECT_FALSE(choice_of(put, quarter).contiguous());
}

// With contiguous domains each of them would be an operation of its own.
TEST(DomainChoice, SeveralVariablesOfOneCallKeepCyclicDomains) {
  const Put put{.variables = 2};
  const DomainChoice choice = choice_of(put, in_order(put));
  EXPECT_TRUE(choice.needed);
  EXPECT_FALSE(choice.counted);
  EXPECT_FALSE(choice.contiguous());
  EXPECT_EQ(choice.text().find("cyclic: contiguous domains need an operation"), 0u) << choice.text();
}

TEST(DomainChoice, SingleElementsInTurnKeepCyclicDomains) {
  for (const int nodes : {2, 4, 16}) {
    const DomainChoice choice =
        choice_of({.nodes = nodes}, [](int64_t i) { return static_cast<int>(i % k_ranks); });
    EXPECT_TRUE(choice.counted);
    EXPECT_FALSE(choice.contiguous()) << choice.text();
    EXPECT_EQ(choice.text().find("cyclic, by estimated cost: "), 0u) << choice.text();
  }
}

// Every fourth block, of which cyclic domains leave all to one I/O rank: on a single node too.
TEST(DomainChoice, BlocksOfOneOwnerAreSharedByContiguousDomains) {
  const Holder comb = [](int64_t i) {
    const int64_t block = i / k_block_elements;
    return block % 4 == 0 ? static_cast<int>(block / 4) : -1;
  };
  for (const int nodes : {1, 4}) {
    const DomainChoice choice = choice_of({.nodes = nodes}, comb);
    EXPECT_TRUE(choice.counted);
    EXPECT_TRUE(choice.contiguous()) << choice.text();
  }
}

TEST(DomainChoice, IsNotCountedWhereItMakesNoDifference) {
  const Put one_node{.nodes = 1};
  const DomainChoice even = choice_of(one_node, in_order(one_node));
  EXPECT_TRUE(even.needed);
  EXPECT_FALSE(even.counted);
  EXPECT_FALSE(even.contiguous());
  // Fewer whole blocks than I/O ranks: the later put of a larger variable may still choose.
  for (const Put& small : {Put{.blocks = 3}, Put{.blocks = 4, .begin = 16 * k_block + 8}}) {
    const DomainChoice choice = choice_of(small, in_order(small));
    EXPECT_FALSE(choice.needed);
    EXPECT_FALSE(choice.counted);
    EXPECT_FALSE(choice.contiguous());
  }
}

}  // namespace
}  // namespace scorpio::session
