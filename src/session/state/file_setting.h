// What an open file has of its I/O system and of its options, and where its work is counted. Local; one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/options.h"
#include "comm/range_phase.h"
#include "session/iosystem/system.h"
#include "session/state/metadata_owner.h"

namespace scorpio::session {

class FileSetting {
 public:
  // `number`: of the file in the I/O system, the same on all ranks.
  FileSetting(System& system, uint64_t number, Options options, bool writable,
              std::shared_ptr<observe::FileAccount> account);

  System& system() { return system_; }
  const System& system() const { return system_; }
  const comm::Group& comm() const { return system_.comm(); }
  // How ranks learn which parts of the file the requests of a wait access.
  comm::RangePhase ranges() const;
  MetadataOwner::Context metadata_context();

  const Options& options() const { return options_; }
  // For what decides the values in force of options that the library chooses.
  Options& options() { return options_; }
  // Definitions take effect at once, so that an application that calls the format's library sees them.
  bool eager() const { return eager_; }
  uint64_t number() const { return number_; }

  // While the object exists, work is counted for this file.
  observe::AccountScope counted(std::optional<observe::FileCall> call = std::nullopt) {
    return {*account_, system_.records().counters, call};
  }
  const std::shared_ptr<observe::FileAccount>& account() const { return account_; }

 private:
  System& system_;
  std::shared_ptr<observe::FileAccount> account_;
  Options options_;
  bool eager_;
  uint64_t number_;
};

}  // namespace scorpio::session
