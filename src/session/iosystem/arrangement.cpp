#include "session/iosystem/arrangement.h"

#include <algorithm>

#include "plan/io_ranks.h"

namespace scorpio::session {

namespace {

// One writer for each stripe: two that write to one server take the lock of its object from each other. It is
// also the default of ROMIO (hint romio_lustre_co_ratio).
constexpr uint64_t k_writers_of_a_stripe = 1;

// Domains of equal bytes end at units, of which a block has so many.
constexpr uint64_t k_balanced_units_of_a_block = 64;
constexpr uint64_t k_least_balanced_unit = 512;

// On several nodes, if the program does not say how many files are open: one that is open throughout the run,
// one that is being put, and one that is being written since its close was posted.
constexpr int k_background_files = 3;

// The number of files that divide the staging memory and are written in the background; 0: not known.
int background_files(const Options& options, const comm::NodeMap& nodes) {
  if (!options.boolean(Option::asynchronous)) return 0;
  const int files = static_cast<int>(options.integer(Option::staging_files));
  return files == 0 && nodes.nodes() > 1 ? k_background_files : files;
}

bool is_balanced(const Options& options) { return options.choice(Option::domains) == "balanced"; }

}  // namespace

uint64_t staging_budget(const Options& options, bool messages) {
  constexpr uint64_t k_message_budget = 8u << 20;
  const uint64_t budget = options.bytes(Option::staging_bytes);
  return messages ? std::min(budget, k_message_budget) : budget;
}

Result<exchange::StagingSizes> staging_sizes(const Options& options, const comm::NodeMap& nodes,
                                             const std::vector<int>& io_ranks, uint64_t budget) {
  const uint64_t block = options.bytes(Option::block_bytes);
  const int files = static_cast<int>(options.integer(Option::staging_files));
  const exchange::NodeShape shape{nodes.nodes() > 1, plan::most_ranks_per_io_rank(nodes.placement, io_ranks),
                                  files == 1, background_files(options, nodes)};
  const uint64_t known_block = block == 0 ? k_unknown_block : block;
  SCORPIO_ASSIGN(exchange::StagingSizes sizes, exchange::divide_budget(budget, known_block, shape));
  if (!is_balanced(options)) return sizes;
  sizes.unit_bytes =
      std::min(sizes.unit_bytes, std::max(known_block / k_balanced_units_of_a_block, k_least_balanced_unit));
  sizes.bitmap_bytes = sizes.unit_bytes / 8;
  return sizes;
}

StagingUse staging_use(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                       const exchange::StagingSizes& sizes) {
  std::vector<uint64_t> here(static_cast<size_t>(nodes.nodes()));  // I/O ranks
  for (const int rank : io_ranks) ++here[static_cast<size_t>(nodes.node_of(rank))];
  StagingUse use;
  for (size_t node = 0; node < here.size(); ++node) {
    const exchange::StagingLayout layout(sizes, nodes.placement.ranks_on(static_cast<int>(node)),
                                         static_cast<int>(here[node]));
    use.of_nodes.push_back(layout.total_bytes());
    if (here[node] > 0)
      use.most_of_io_rank = std::max(use.most_of_io_rank, layout.total_bytes() / here[node]);
  }
  return use;
}

plan::DomainRule domain_rule(const Options& options, int nodes, size_t io_ranks, uint64_t unit_bytes,
                             uint64_t block_bytes) {
  plan::DomainRule rule;
  rule.unit_bytes = unit_bytes;
  rule.block_bytes = block_bytes;
  rule.io_ranks = static_cast<int>(io_ranks);
  rule.balanced = is_balanced(options);
  rule.contiguous = rule.balanced || options.choice(Option::domains) == "contiguous";
  // Neighbouring units, which become one write, are not to be apart in time.
  rule.ranges = options.boolean(Option::gather_writes) ? 1 : nodes;
  return rule;
}

Writers writers(const Options& options, int io_ranks, uint64_t stripes) {
  const int64_t wished = options.integer(Option::writers);
  const int number = static_cast<int>(std::min<int64_t>(wished, io_ranks));
  if (number > 0) return {number, std::to_string(number)};
  const auto all = static_cast<uint64_t>(io_ranks), most = stripes * k_writers_of_a_stripe;
  if (stripes == 0 || all <= most) return {io_ranks, fmt::format("all {} I/O ranks", io_ranks)};
  return {static_cast<int>(most), fmt::format("{} of {} I/O ranks, because the file has {} stripe{}", most,
                                              io_ranks, stripes, stripes == 1 ? "" : "s")};
}

void limit_writers(plan::DomainRule& rule, int number) {
  rule.owner_step = rule.io_ranks / number;
  rule.io_ranks = number;
}

bool chooses_domains(const Options& options) { return options.choice(Option::domains) == "auto"; }

// resolve() has checked the text.
CostModel cost_model(const Options& options) {
  const Result<CostModel> model = CostModel::parse(options.text(Option::cost_model));
  return model.ok() ? *model : CostModel();
}

exchange::Transfer transfer_of(const Options& options) {
  const std::string& name = options.choice(Option::transfer);
  return name == "alltoall"   ? exchange::Transfer::all_to_all
         : name == "neighbor" ? exchange::Transfer::neighbors
                              : exchange::Transfer::messages;
}

}  // namespace scorpio::session
