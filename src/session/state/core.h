// The state that the parts of an open file share: identity, options, schema, layout, channel and data access.
// Each part (Definitions, DataCalls, ...) refers to one Core and to the parts below it. Collective where
// stated; one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/guarded.h"
#include "base/options.h"
#include "comm/range_phase.h"
#include "session/iosystem/system.h"
#include "session/state/file_contents.h"
#include "session/state/file_domains.h"
#include "session/state/file_rounds.h"
#include "session/state/file_state.h"
#include "session/state/metadata_owner.h"
#include "session/state/outcomes.h"
#include "session/state/put_log.h"
#include "storage/data_access.h"

namespace scorpio::session {

// Words for the texts of a status agreement and for the comparison of calls.
inline constexpr const char* k_definitions = "definitions";
// The name of all calls that carry out requests in the comparison of calls. If ranks mix them, Posts::wait()
// finds it.
inline constexpr const char* k_posts = "scorpio_wait";

struct KeptDefinitions;

class Core {
 public:
  // For a file that is not open yet: only the arguments of the constructor, enter() and counted() can be
  // used.
  Core(System& system, std::string path, Options options, bool writable,
       std::shared_ptr<observe::FileAccount> account);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  // The values on which all ranks have agreed when the file was opened or created.
  struct Opened {
    const format::Format* format = nullptr;
    uint64_t block_bytes = 0;        // the block size of the file domains
    uint64_t stripes = 0;            // of the file; 0: not known
    uint64_t end_of_allocation = 0;  // the end of the space that the file uses
    bool temporary = false;          // the file has its temporary name
    bool created = false;
  };
  // The file is open. `metadata`: on the metadata rank.
  void open(const Opened& opened, std::unique_ptr<MetadataOwner> metadata,
            std::unique_ptr<exchange::FileChannel> channel);

  // ---- identity ----
  System& system() { return system_; }
  const System& system() const { return system_; }
  const comm::Group& comm() const { return system_.comm(); }
  // How ranks learn which parts of the file the requests of a wait access.
  comm::RangePhase ranges() const;
  const Options& options() const { return options_; }
  // Definitions take effect at once, so that an application that calls the format's library sees them.
  bool eager() const { return eager_; }
  uint64_t number() const { return number_; }  // number of the file in the I/O system, the same on all ranks

  // ---- contents ----
  FileContents& contents() { return contents_; }
  const FileContents& contents() const { return contents_; }
  // Those of them that most parts use.
  const std::string& path() const { return contents_.path(); }
  const format::Format& format() const { return contents_.format(); }
  model::Schema& schema() { return contents_.schema(); }
  const model::Schema& schema() const { return contents_.schema(); }
  format::Layout& layout() { return contents_.layout(); }
  const format::Layout& layout() const { return contents_.layout(); }

  // ---- state ----
  FileState& state() { return state_; }
  const FileState& state() const { return state_; }
  Outcomes& outcomes() { return outcomes_; }
  const Outcomes& outcomes() const { return outcomes_; }
  PutLog& puts() { return puts_; }
  // The failure by which the event is not allowed.
  Status check(FileState::Event event) const { return state_.check(event, comm().parted()); }
  // A failure of data is told with their variable, if there is memory for its name.
  Status note(const Status& status) {
    if (status.ok()) return status;
    Status named = status;
    (void)guarded([&] {
      named = contents_.naming(status);
      return Status();
    });
    return outcomes_.note(std::move(named));
  }

  // ---- access to the data ----
  FileDomains& domains() { return *domains_; }
  const FileDomains& domains() const { return *domains_; }
  exchange::FileChannel& channel() { return *channel_; }
  const exchange::FileChannel& channel() const { return *channel_; }
  storage::DataAccess& data() { return *data_; }
  // Null: the format has no chunks.
  storage::ChunkAccess* chunks() const { return chunks_; }
  FileRounds& rounds() { return *rounds_; }
  const FileRounds& rounds() const { return *rounds_; }
  // Whether the file may have its temporary name, by which data() opens it.
  bool temporary() const { return temporary_; }
  // It has its final name now.
  void take_name();
  // Null on other ranks than the metadata rank, and after end_metadata().
  MetadataOwner* metadata() const { return metadata_.get(); }
  // The same of its commits.
  Commit* commit() const { return metadata_ == nullptr ? nullptr : &metadata_->commit(); }
  void end_metadata() { metadata_.reset(); }
  MetadataOwner::Context metadata_context();
  // What ends the work of this rank's worker for the metadata, which the channel must not be replaced beside.
  void set_background(std::function<void()> end) { end_background_ = std::move(end); }
  void end_background() {
    if (end_background_) end_background_();
    rounds_->stop();
  }
  // Adds to the account what this rank did for the file while no call was made.
  void take_meanwhile();
  // Returns the channel to the I/O system; no data are moved afterwards.
  void close_channel();

  // ---- calls ----
  // This rank enters a collective call. Local.
  void enter(const char* kind) const;
  // The definitions to which this rank can return; the next call that is no definition drops them.
  std::shared_ptr<KeptDefinitions>& kept_definitions() { return kept_definitions_; }
  // While the object exists, work is counted for this file.
  observe::AccountScope counted(std::optional<observe::FileCall> call = std::nullopt) {
    return {*account_, system_.records().counters, call};
  }
  const std::shared_ptr<observe::FileAccount>& account() const { return account_; }

 private:
  void begin_contents(const Opened& opened);
  void open_data(bool temporary);
  void open_rounds();

  System& system_;
  std::shared_ptr<observe::FileAccount> account_;
  Options options_;
  bool eager_;
  uint64_t number_;
  FileContents contents_;
  std::unique_ptr<MetadataOwner> metadata_;
  std::optional<FileDomains> domains_;  // set when the file is open
  std::unique_ptr<storage::DataAccess> data_;
  storage::ChunkAccess* chunks_ = nullptr;
  std::unique_ptr<exchange::FileChannel> channel_;
  std::optional<FileRounds> rounds_;
  std::function<void()> end_background_;
  bool temporary_ = false;
  PutLog puts_;
  FileState state_;
  Outcomes outcomes_;
  mutable std::shared_ptr<KeptDefinitions> kept_definitions_;
};

}  // namespace scorpio::session
