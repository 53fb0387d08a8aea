#include "session/state/file_setting.h"

#include <utility>

namespace scorpio::session {

FileSetting::FileSetting(System& system, uint64_t number, Options options, bool writable,
                         std::shared_ptr<observe::FileAccount> account)
    : system_(system),
      account_(std::move(account)),
      options_(std::move(options)),
      eager_(writable && options_.boolean(Option::eager)),
      number_(number) {
  account_->number = number_;
}

comm::RangePhase FileSetting::ranges() const {
  return {comm(), options_.choice(Option::ranges) == "allgather", system_.records().counters.range_bytes};
}

MetadataOwner::Context FileSetting::metadata_context() {
  return {&system_.store(), &system_.records().counters, &system_.records().events, &options_};
}

}  // namespace scorpio::session
