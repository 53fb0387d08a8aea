#include "session/elements/request_agreement.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "base/hash.h"
#include "comm/ballot.h"
#include "exchange/copies/tiles.h"
#include "model/growth.h"
#include "session/elements/free_dims.h"

namespace scorpio::session {

void RequestParts::add(const Request& request, const model::Variables& variables) {
  auto& all = request.by_library ? library[request.variable] : request.reading ? gets : puts;
  all.insert(all.end(), request.parts.begin(), request.parts.end());
  const model::Variable& variable = variables[request.variable];
  if (variable.is_free() && !request.reading && request.pieces.elements > 0)
    add_lengths(variable, request.pieces.region, lengths);
  if (request.records == 0 || variable.is_free()) return;
  int64_t& length = lengths[variable.record_dimension()];
  length = std::max(length, request.records);
}

Operations Operations::of(const std::list<Request>& requests) {
  const auto gets =
      std::count_if(requests.begin(), requests.end(), [](const Request& r) { return r.reading; });
  return {requests.size() - static_cast<uint64_t>(gets), static_cast<uint64_t>(gets)};
}

namespace {

// The name of the call in the text of a failure; empty stands for a wait.
std::string call_or_wait(const std::string& call) { return call.empty() ? "scorpio_wait" : call; }

// Ranks are in different calls that carry out requests, or put the data of different ranks.
Status explain_other_waits(const comm::Group& comm, const std::string& path, const std::string& mine) {
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
                          .completed(path + ": ");
  return comm::agree(comm, differ);
}

constexpr uint64_t k_interleaved = uint64_t{1} << 63;

struct Summary {
  comm::Most puts, gets;  // number of operations, or k_interleaved if parts are interleaved; gets is not 0 if
                          // a rank has a get, even of no elements
  comm::Most records;     // one past the last record that is put, along any unlimited dimension
  comm::Same call;
  comm::Same definitions;
  comm::Any by_library;
  auto fields() { return std::tie(puts, gets, records, call, definitions, by_library); }
};

uint64_t most_of(const model::Lengths& lengths) {
  int64_t most = 0;
  for (const auto& [dimension, length] : lengths) most = std::max(most, length);
  return static_cast<uint64_t>(most);
}

// What the ranks reduce: a summary, then (earliness of begin, end) of puts and of gets, of all ranks and,
// where there are several, of each node.
constexpr size_t k_all = comm::k_words_of<Summary>, k_nodes = k_all + 4;
size_t bounds_of(size_t nodes) { return k_nodes + (nodes > 1 ? 4 * nodes : 0); }
constexpr size_t k_edges = 2;  // of puts and of gets, which are added up

// `most` is the maximum over all ranks and dimensions. If ranks made other definitions, their dimensions
// differ.
Result<model::Lengths> all_lengths(const comm::Group& comm, const model::Schema& schema,
                                   const model::Lengths& own, uint64_t most) {
  model::Lengths all;
  if (most == 0) return all;
  const std::vector<int> dimensions = model::unlimited_dimensions(schema.dimensions(), schema.variables());
  if (dimensions.empty()) return all;
  std::vector<uint64_t> values{most};
  if (dimensions.size() > 1) {
    values.clear();
    for (const int dimension : dimensions) {
      const auto at = own.find(dimension);
      values.push_back(at == own.end() ? 0 : static_cast<uint64_t>(at->second));
    }
    SCORPIO_TRY(comm.all_max(values));
  }
  for (size_t i = 0; i < dimensions.size(); ++i) all[dimensions[i]] = static_cast<int64_t>(values[i]);
  return all;
}

}  // namespace

uint64_t range_bytes_of_a_wait(uint64_t ranks, uint64_t nodes, bool gathers) {
  const uint64_t of_one = (bounds_of(nodes) + k_edges) * sizeof(uint64_t);
  return gathers ? ranks * of_one : of_one;
}

Result<AgreedRequests> agree_on_requests(const FileSetting& setting, const FileContents& contents,
                                         const Status& own, const RequestParts& parts,
                                         const Operations& operations, const std::string& call) {
  const std::string call_name = call_or_wait(call);
  const auto nodes = static_cast<size_t>(setting.system().nodes().nodes());
  const auto my_node = static_cast<size_t>(setting.system().nodes().my_node);
  std::vector<uint64_t> bounds(bounds_of(nodes), 0);
  const bool mixed_puts = exchange::interleaved(parts.puts), mixed_gets = exchange::interleaved(parts.gets);
  Summary summary{.puts = {mixed_puts ? k_interleaved : operations.puts},
                  .gets = {mixed_gets ? k_interleaved : operations.gets},
                  .records = {most_of(parts.lengths)},
                  .call = {fnv1a(call_name)},
                  .definitions = {contents.schema().hash()},
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
  std::array<uint64_t, k_edges> edges{puts.edges, gets.edges};
  SCORPIO_TRY(setting.ranges().agree(own, bounds, edges));
  comm::read_words(summary, bounds);
  if (summary.call.differs) return explain_other_waits(setting.comm(), contents.path(), call_name);
  const auto get = [&](size_t at) {
    return transfer::Reach{transfer::earliness(bounds[at]), bounds[at + 1]};
  };
  AgreedRequests agreed;
  agreed.by_library = summary.by_library.value;
  agreed.same_definitions = !summary.definitions.differs;
  if (agreed.same_definitions) {
    SCORPIO_ASSIGN(agreed.lengths,
                   all_lengths(setting.comm(), contents.schema(), parts.lengths, summary.records.value));
  }
  agreed.reading = summary.gets.value > 0;
  agreed.puts = {get(k_all), {}, summary.puts.value == k_interleaved, mixed_puts};
  agreed.gets = {get(k_all + 2), {}, summary.gets.value == k_interleaved, mixed_gets};
  agreed.puts.all.edges = edges[0];
  agreed.gets.all.edges = edges[1];
  agreed.operations = {agreed.puts.interleaved ? 0 : summary.puts.value,
                       agreed.gets.interleaved ? 0 : summary.gets.value};
  for (size_t n = 0; n < nodes; ++n) {
    const size_t at = nodes > 1 ? k_nodes + 4 * n : k_all;
    agreed.puts.nodes.push_back(get(at));
    agreed.gets.nodes.push_back(get(at + 2));
  }
  return agreed;
}

}  // namespace scorpio::session
