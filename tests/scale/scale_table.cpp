// Prints the table of docs/scale.md.
#include <fmt/format.h>

#include <cstdio>

#include "scale/plan_counts.h"

namespace {

using scorpio::scale::PlanCounts;

// 1.2 times the value at 256 ranks is the limit.
std::string against(double now, double before) {
  return fmt::format("{:.3g} ({:.2f}{})", now, now / before, now <= 1.2 * before ? "" : ", NOT reached");
}

// Of one rank, in bytes.
double memory(const PlanCounts& c, int per_node) {
  return static_cast<double>(c.staging) / per_node + static_cast<double>(c.placement + c.io_rank_lists + c.node_sets);
}

void print(const char* name, PlanCounts (*count)(int, int, uint64_t), int per_node) {
  PlanCounts base;
  for (const int ranks : {256, 1024, 4096, 16384}) {
    const PlanCounts c = count(ranks, per_node, 0);
    if (base.ranks == 0) base = c;
    fmt::print("| {}, {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, per_node,
               ranks, against(c.per_rank(c.opens), base.per_rank(base.opens)),
               against(c.per_rank(c.messages), base.per_rank(base.messages)),
               against(c.per_rank(c.needed), base.per_rank(base.needed)),
               against(static_cast<double>(c.most_sent), static_cast<double>(base.most_sent)),
               against(static_cast<double>(c.most_received), static_cast<double>(base.most_received)),
               against(c.per_rank(c.crossing), base.per_rank(base.crossing)),
               against(static_cast<double>(c.staging), static_cast<double>(base.staging)),
               against(static_cast<double>(c.placement + c.io_rank_lists),
                       static_cast<double>(base.placement + base.io_rank_lists)),
               against(static_cast<double>(c.node_sets), static_cast<double>(base.node_sets)),
               against(memory(c, per_node), memory(base, per_node)),
               against(static_cast<double>(c.survey), static_cast<double>(base.survey)));
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  for (const int per_node : {16, 64}) {
    print("blocks", scorpio::scale::counts_of_blocks, per_node);
    print("scattered", scorpio::scale::counts_of_scattered, per_node);
  }
}
