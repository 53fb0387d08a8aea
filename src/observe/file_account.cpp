#include "observe/file_account.h"

#include <algorithm>
#include <utility>

#include "base/guarded.h"

namespace scorpio::observe {

namespace {

Activity activity_of(const std::optional<FileCall>& call) {
  constexpr std::array k_of_calls = {Activity::put, Activity::get, Activity::post, Activity::wait,
                                     Activity::sync};
  static_assert(k_of_calls.size() == k_file_calls.size());
  return call ? k_of_calls[static_cast<size_t>(*call)] : Activity::other_call;
}

}  // namespace

void AccountScope::begin() {
  account_->busy = true;
  if (call_) ++account_->calls[static_cast<size_t>(*call_)];
  before_ = running_;
  if (account_->track == nullptr) return;
  began_ = TraceClock::now();
  recorded_.emplace(account_->track, account_->number);
}

void AccountScope::end() {
  account_->busy = false;
  Counters gain;
  add_gain(gain, running_, *before_);
  add_waits(gain);
  add_gain(account_->counters, gain, {});
  if (!recorded_) return;
  const TraceFile file(account_->number);  // that of a new file was not known before
  trace(activity_of(call_), began_, TraceClock::now());
}

// Other calls than puts, gets, waits and syncs define, inquire or close.
void AccountScope::add_waits(const Counters& gain) {
  const auto wait = [this](FileWait what) -> uint64_t& {
    return account_->waits_ns[static_cast<size_t>(what)];
  };
  if (!call_ || *call_ == FileCall::sync) {
    wait(FileWait::end) += gain.time_close_ns;
    return;
  }
  wait(FileWait::copy) += gain.time_exchange_ns;
  wait(*call_ == FileCall::get ? FileWait::reading : FileWait::back_pressure) += gain.time_wait_ns;
  wait(FileWait::agreement) += gain.time_agree_ns;
}

std::shared_ptr<FileAccount> FileAccounts::make(const char* mode) {
  if (open_.size() == open_.capacity()) open_.reserve(2 * open_.size() + 8);
  auto account = std::make_shared<FileAccount>();
  account->mode = mode;
  account->counted = kept_ || trace_ != nullptr;
  if (trace_ != nullptr) account->track = &trace_->calls();
  return account;
}

void FileAccounts::closed(const std::shared_ptr<FileAccount>& account) {
  std::erase(open_, account);
  if (!kept_) return;
  account->seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - account->opened).count();
  // The call that closes this file is still counted in it: only accounts of files closed before are summed
  // up.
  if (closed_.size() == k_most_closed) {
    add_to_others(*closed_.back());
    closed_.pop_back();
  }
  // Without memory the account is not kept.
  (void)guarded([&] {
    closed_.push_back(account);
    return Status();
  });
}

void FileAccounts::add_to_others(const FileAccount& account) {
  ++others_;
  for (size_t i = 0; i < account.calls.size(); ++i) sum_.calls[i] += account.calls[i];
  for (size_t i = 0; i < account.waits_ns.size(); ++i) sum_.waits_ns[i] += account.waits_ns[i];
  sum_.meanwhile.add(account.meanwhile);
  sum_.seconds += account.seconds;
  add_gain(sum_.counters, account.counters, Counters());
}

}  // namespace scorpio::observe
