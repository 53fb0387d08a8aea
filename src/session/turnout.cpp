#include "session/turnout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "base/hash.h"
#include "comm/ballot.h"
#include "exchange/tiles.h"

namespace scorpio::session {

void RequestParts::add(const Request& request) {
  auto& all = request.by_library ? library[request.variable] : request.reading ? gets : puts;
  all.insert(all.end(), request.parts.begin(), request.parts.end());
  records = std::max(records, request.records);
}

Operations Operations::of(const std::list<Request>& requests) {
  const auto gets =
      std::count_if(requests.begin(), requests.end(), [](const Request& r) { return r.reading; });
  return {requests.size() - static_cast<uint64_t>(gets), static_cast<uint64_t>(gets)};
}

namespace {

// The name of the call in the text of a failure; empty stands for a wait.
std::string call_or_wait(const std::string& call) { return call.empty() ? "scorpio_wait" : call; }

// Ranks are in different calls that carry out posts, or put the data of different ranks.
Status explain_posts(const Core& core, const std::string& mine) {
  const comm::Group& comm = core.comm();
  std::vector<std::byte> bytes(mine.size());
  std::memcpy(bytes.data(), mine.data(), mine.size());
  SCORPIO_TRY(comm.broadcast(bytes, 0));
  const std::string first(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Status differ =
      first == mine ? Status()
                    : failure(Code::mismatch,
                              "rank {} is in {}, rank 0 in {}; all ranks must make the same calls with the "
                              "same arguments in the same order",
                              comm.rank(), mine, first)
                          .completed(core.path() + ": ");
  return comm::agree(comm, differ);
}

constexpr uint64_t k_interleaved = uint64_t{1} << 63;

struct Summary {
  comm::Most puts, gets;  // their number, or k_interleaved where parts are; of gets not 0 where a rank gets,
                          // be it no elements
  comm::Most records;     // one past the last that is put
  comm::Same call;
  comm::Same definitions;
  comm::Any by_library;
  auto fields() { return std::tie(puts, gets, records, call, definitions, by_library); }
};

}  // namespace

Result<Turnout> turn_out(const Core& core, const Status& own, const RequestParts& parts,
                         const Operations& operations, const std::string& call) {
  const std::string call_name = call_or_wait(call);
  const auto nodes = static_cast<size_t>(core.system().nodes().nodes());
  const auto my_node = static_cast<size_t>(core.system().nodes().my_node);
  // A summary, then (earliness of begin, end) of puts and of gets, of all ranks and, where there are several,
  // of each node.
  constexpr size_t k_all = comm::k_words_of<Summary>, k_nodes = k_all + 4;
  std::vector<uint64_t> bounds(k_nodes + (nodes > 1 ? 4 * nodes : 0), 0);
  const bool mixed_puts = exchange::interleaved(parts.puts), mixed_gets = exchange::interleaved(parts.gets);
  Summary summary{.puts = {mixed_puts ? k_interleaved : operations.puts},
                  .gets = {mixed_gets ? k_interleaved : operations.gets},
                  .records = {static_cast<uint64_t>(parts.records)},
                  .call = {fnv1a(call_name)},
                  .definitions = {core.schema().hash()},
                  .by_library = {!parts.library.empty()}};
  comm::write_words(summary, bounds);
  const auto set = [&bounds](size_t at, const transfer::Reach& reach) {
    bounds[at] = transfer::earliness(reach.begin);
    bounds[at + 1] = reach.end;
  };
  const transfer::Reach puts = transfer::reach_of(parts.puts);
  const transfer::Reach gets = transfer::reach_of(parts.gets);
  set(k_all, puts);
  set(k_all + 2, gets);
  if (nodes > 1) {
    set(k_nodes + 4 * my_node, puts);
    set(k_nodes + 4 * my_node + 2, gets);
  }
  std::array<uint64_t, 2> edges{puts.edges, gets.edges};
  SCORPIO_TRY(comm::agree(core.comm(), own, bounds, edges));
  comm::read_words(summary, bounds);
  if (summary.call.differs) return explain_posts(core, call_name);
  const auto get = [&](size_t at) {
    return transfer::Reach{transfer::earliness(bounds[at]), bounds[at + 1]};
  };
  Turnout turnout;
  turnout.records = static_cast<int64_t>(summary.records.value);
  turnout.by_library = summary.by_library.value;
  turnout.same_definitions = !summary.definitions.differs;
  turnout.reading = summary.gets.value > 0;
  turnout.puts = {get(k_all), {}, summary.puts.value == k_interleaved, mixed_puts};
  turnout.gets = {get(k_all + 2), {}, summary.gets.value == k_interleaved, mixed_gets};
  turnout.puts.all.edges = edges[0];
  turnout.gets.all.edges = edges[1];
  turnout.operations = {turnout.puts.interleaved ? 0 : summary.puts.value,
                        turnout.gets.interleaved ? 0 : summary.gets.value};
  for (size_t n = 0; n < nodes; ++n) {
    const size_t at = nodes > 1 ? k_nodes + 4 * n : k_all;
    turnout.puts.nodes.push_back(get(at));
    turnout.gets.nodes.push_back(get(at + 2));
  }
  return turnout;
}

}  // namespace scorpio::session
