#include "session/state/put_log.h"

#include "session/iosystem/decomposition.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/guarded.h"
#include "base/hash.h"
#include "comm/ballot.h"

namespace scorpio::session {

namespace {

// If there are more puts than this between two synchronisation points, the failure says only that they
// differ.
constexpr size_t k_most_targets = size_t{1} << 16;

}  // namespace

void PutLog::add(uint64_t hash, const DataCall* call) {
  hash_ = followed_by(hash_, hash);
  ++number_;
  const size_t moves = call == nullptr ? 0 : call->moves.size();
  if (puts_.size() + 1 < number_ || targets_.size() + moves >= k_most_targets) return;
  (void)guarded([&] {
    keep(call);
    return Status();
  });
}

// Without memory for it this put, and those after it, are compared by the hash alone.
void PutLog::keep(const DataCall* call) {
  Put put{hash_, call == nullptr, 0, targets_.size(), 0};
  if (call != nullptr) {
    if (call->decomposition != nullptr) {
      put.decomposition = call->decomposition->number();
      const std::string& name = call->decomposition->name();
      if (!name.empty()) names_.try_emplace(put.decomposition, name);
    }
    put.moves = call->moves.size();
    for (const Move& move : call->moves) {
      Target& target = targets_.emplace_back(Target{move.variable, move.record, {}, 0});
      if (move.fill == nullptr) continue;
      target.fill_bytes = std::min(memory_bytes(move), target.fill.size());
      std::memcpy(target.fill.data(), move.fill, target.fill_bytes);
    }
  }
  puts_.push_back(std::move(put));
}

void PutLog::start_again() {
  before_ = hash_;
  number_ = 0;
  puts_.clear();
  targets_.clear();
  names_.clear();
}

// The hash after this number of puts. It is different for a rank that made fewer.
uint64_t PutLog::hash_after(uint64_t puts) const {
  if (puts == 0) return before_;
  if (puts <= puts_.size()) return puts_[puts - 1].hash_after;
  return followed_by(hash_, number_);
}

std::string PutLog::describe(uint64_t put, const model::Variables& variables) const {
  const uint64_t number = put + 1;
  if (put >= number_) return {};
  if (put >= puts_.size()) return fmt::format("put {} or a later one, {} in all", number, number_);
  const Put& made = puts_[put];
  if (made.refused) return fmt::format("refused put {}", number);
  if (made.moves == 0) return fmt::format("put {} of no variables", number);
  std::vector<std::string> names;
  for (size_t i = made.first_move; i < made.first_move + made.moves; ++i) {
    const Target& target = targets_[i];
    std::string name = variables[target.variable].path;
    if (target.record != 0) name += fmt::format(" record {}", target.record);
    if (target.fill_bytes > 0)
      name += fmt::format(" with fill bytes {:02x}",
                          fmt::join(std::span(target.fill).first(target.fill_bytes), " "));
    names.push_back(std::move(name));
  }
  const auto named = names_.find(made.decomposition);
  return fmt::format("put {} of {} with {}", number, fmt::join(names, ", "),
                     name_of(made.decomposition, named == names_.end() ? std::string() : named->second));
}

namespace {

struct Number {
  comm::Most puts;
  auto fields() { return std::tie(puts); }
};

// The number of puts.
struct First {
  comm::Same puts;
  auto fields() { return std::tie(puts); }
};

}  // namespace

Status PutLog::explain(const comm::Group& comm, const model::Variables& variables) const {
  Number most{{puts_.size() + 1}};
  SCORPIO_TRY(comm::collect(comm, most));
  uint64_t same = 0, other = most.puts.value;  // so many puts are the same on all ranks, so many are not
  while (same + 1 < other) {
    const uint64_t half = same + (other - same) / 2;
    First first{{hash_after(half)}};
    SCORPIO_TRY(comm::collect(comm, first));
    (first.puts.differs ? other : same) = half;
  }
  return comm::agree_equal(
      comm, Status(), hash_after(other),
      "variables, decompositions or fills to puts, counted since the last synchronisation point,", {},
      [&] { return describe(same, variables); });
}

}  // namespace scorpio::session
