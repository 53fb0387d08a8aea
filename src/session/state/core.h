// The state that the parts of an open file share, by concept. Each part (Definitions, DataCalls, ...) refers
// to one Core, or to those of its members that it needs, and to the parts below it. Collective where stated;
// one thread.
#pragma once

#include <memory>
#include <string>

#include "session/state/file_calls.h"
#include "session/state/file_contents.h"
#include "session/state/file_setting.h"
#include "session/state/file_transfer.h"
#include "session/state/metadata_owner.h"

namespace scorpio::session {

// Words for the texts of a status agreement and for the comparison of calls.
inline constexpr const char* k_definitions = "definitions";
// The name of all calls that carry out requests in the comparison of calls. If ranks mix them,
// RequestCalls::wait() finds it.
inline constexpr const char* k_wait = "scorpio_wait";

struct Core {
  // For a file that is not open yet: it has a setting, a path, and the order of calls.
  Core(System& system, uint64_t number, std::string path, Options options, bool writable,
       std::shared_ptr<observe::FileAccount> account);

  // The values on which all ranks have agreed when the file was opened or created.
  struct Opened {
    const format::Format* format = nullptr;
    uint64_t block_bytes = 0;        // the block size of the file domains
    uint64_t stripes = 0;            // of the file; 0: not known
    uint64_t end_of_allocation = 0;  // the end of the space that the file uses
    bool temporary = false;          // the file has its temporary name
    bool created = false;
  };
  // The file is open. `owner`: on the metadata rank.
  void open(const Opened& opened, std::unique_ptr<MetadataOwner> owner,
            std::unique_ptr<exchange::FileChannel> channel);
  // Adds to the account what this rank did for the file while no call was made.
  void take_meanwhile();
  // Returns the channel to the I/O system; no data are moved afterwards.
  void close_channel();

  // The commits of the metadata rank; null elsewhere, and after the end of the metadata.
  Commit* commit() const { return metadata == nullptr ? nullptr : &metadata->commit(); }

  FileSetting setting;
  FileContents contents;
  FileCalls calls;
  std::unique_ptr<MetadataOwner> metadata;  // null on other ranks than the metadata rank, and after its end
  FileTransfer transfer;
};

}  // namespace scorpio::session
