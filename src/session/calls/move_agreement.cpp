#include "session/calls/move_agreement.h"

#include "comm/ballot.h"
#include "session/elements/call_checks.h"

namespace scorpio::session {

Status MoveAgreement::agree_on_call(const Result<DataCall>& call, uint64_t hash) {
  return comm::agree_equal(core_.setting.comm(), call.status(), hash, k_of_a_call, {},
                           [&] { return describe(*call); });
}

namespace {

// The values that the ranks reduce at the end of a call that moved data and is a synchronisation point.
struct Moved {
  comm::Any channel_failed;
  comm::Any unflushed;  // earlier puts may not all be written
  comm::Same puts;
  comm::Same get;
  auto fields() { return std::tie(channel_failed, unflushed, puts, get); }
};

}  // namespace

Status MoveAgreement::conclude(const Status& status, const Get* get) {
  Moved all{.channel_failed = {core_.transfer.channel().failed()},
            .unflushed = {get == nullptr || !get->flushed},
            .puts = {core_.calls.puts().hash()},
            .get = {get == nullptr ? 0 : get->hash}};
  Status agreed = comm::agree(core_.setting.comm(), core_.calls.outcomes().with_earlier(status), all);
  core_.calls.outcomes().told(agreed);
  if ((all.puts.differs || all.get.differs) && is_explained(agreed.code()))
    agreed = explain(agreed, all.puts.differs, get);
  if (!all.puts.differs) core_.calls.puts().start_again();
  const bool whole = !all.unflushed && !all.puts.differs;
  if (all.channel_failed || all.get.differs) core_.transfer.end_background();
  if (whole && (all.channel_failed || all.get.differs))
    return first_failure(
        agreed, core_.setting.system().channels().recover(core_.transfer.channel(), exchange::Loss::nothing));
  if (!all.channel_failed) return agreed;
  const bool shared = core_.transfer.channel().lease().shared;
  if (!shared || agreed.code() != Code::aborted) core_.calls.state().lose(agreed);
  return shared ? first_failure(agreed, core_.setting.system().channels().recover(core_.transfer.channel(),
                                                                                  exchange::Loss::some))
                : agreed;
}

Status MoveAgreement::explain(const Status& agreed, bool other_puts, const Get* get) {
  if (!other_puts && get != nullptr)
    return comm::agree_equal(core_.setting.comm(), Status(), get->hash, k_of_a_call, {}, get->describe);
  if (!other_puts) return agreed;
  const Status differ = core_.calls.puts().explain(core_.setting.comm(), core_.contents.schema().variables());
  core_.calls.state().lose(differ);
  return differ;
}

}  // namespace scorpio::session
