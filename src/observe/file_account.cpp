#include "observe/file_account.h"

#include <algorithm>
#include <utility>

namespace scorpio::observe {

AccountScope::AccountScope(FileAccount& account, const Counters& running, std::optional<FileCall> call)
    : account_(account.counted && !account.busy ? &account : nullptr), running_(running) {
  if (account_ == nullptr) return;
  account_->busy = true;
  if (call) ++account_->calls[static_cast<size_t>(*call)];
  before_ = running;
}

AccountScope::~AccountScope() {
  if (account_ == nullptr) return;
  account_->busy = false;
  add_gain(account_->counters, running_, before_);
}

std::shared_ptr<FileAccount> FileAccounts::make(const char* mode) const {
  auto account = std::make_shared<FileAccount>();
  account->mode = mode;
  account->counted = kept_;
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
  closed_.push_back(account);
}

void FileAccounts::add_to_others(const FileAccount& account) {
  ++others_;
  for (size_t i = 0; i < account.calls.size(); ++i) sum_.calls[i] += account.calls[i];
  sum_.seconds += account.seconds;
  add_gain(sum_.counters, account.counters, Counters());
}

}  // namespace scorpio::observe
