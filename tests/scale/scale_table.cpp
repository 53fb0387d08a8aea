// Prints the two tables of docs/scale.md.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "scale/exchange_counts.h"
#include "scale/plan_counts.h"

namespace {

using scorpio::scale::PlanCounts;

// 1.2 times the value at 256 ranks is the limit.
std::string against(double now, double before) {
  return fmt::format("{:.3g} ({:.2f}{})", now, now / before, now <= 1.2 * before ? "" : ", NOT reached");
}

// Of one rank, in bytes.
double memory(const PlanCounts& c, int per_node) {
  return static_cast<double>(c.staging) / per_node +
         static_cast<double>(c.placement + c.io_rank_lists + c.node_sets);
}

double messages_per_pair(const PlanCounts& c) {
  return static_cast<double>(c.messages) / static_cast<double>(c.pairs);
}

std::string against(uint64_t now, uint64_t before) {
  return against(static_cast<double>(now), static_cast<double>(before));
}

void print(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
  std::fflush(stdout);
}

void print(const char* name, PlanCounts (*count)(int, int, uint64_t), int per_node) {
  PlanCounts base;
  for (const int ranks : {256, 1024, 4096, 16384}) {
    const PlanCounts c = count(ranks, per_node, 0);
    if (base.ranks == 0) base = c;
    print({fmt::format("{}, {}", name, per_node), std::to_string(ranks),
           against(c.per_rank(c.opens), base.per_rank(base.opens)),
           against(c.per_rank(c.messages), base.per_rank(base.messages)),
           against(c.per_rank(c.needed), base.per_rank(base.needed)),
           against(c.per_rank(c.pairs), base.per_rank(base.pairs)),
           against(messages_per_pair(c), messages_per_pair(base)), against(c.most_sent, base.most_sent),
           against(c.most_received, base.most_received),
           against(c.per_rank(c.crossing), base.per_rank(base.crossing)), against(c.staging, base.staging),
           against(c.placement, base.placement), against(c.io_rank_lists, base.io_rank_lists),
           against(c.node_sets, base.node_sets), against(memory(c, per_node), memory(base, per_node)),
           against(c.survey, base.survey)});
  }
}

void print(const char* name, scorpio::scale::Held held) {
  using scorpio::scale::ExchangeCounts;
  ExchangeCounts base;
  for (const int ranks : {256, 1024, 4096, 16384}) {
    const ExchangeCounts c = scorpio::scale::counts_of_exchange(ranks, held);
    if (base.ranks == 0) base = c;
    print({name, std::to_string(ranks), against(c.messages, base.messages), against(c.sent, base.sent),
           against(c.most_sent, base.most_sent), against(c.lists, base.lists),
           against(c.most_lists, base.most_lists), against(c.coverage, base.coverage)});
  }
}

}  // namespace

int main() {
  for (const int per_node : {16, 64}) {
    print("blocks", scorpio::scale::counts_of_blocks, per_node);
    print("scattered", scorpio::scale::counts_of_scattered, per_node);
  }
  std::puts("");
  print("neighbours", scorpio::scale::Held::neighbours);
  print("transposed", scorpio::scale::Held::transposed);
  print("anywhere", scorpio::scale::Held::anywhere);
  print("the same", scorpio::scale::Held::the_same);
}
