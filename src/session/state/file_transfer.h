// The access of an open file to its data: the I/O ranks that have its units, its channel, the bytes in
// storage, and on an I/O rank the chunks under way. Collective where stated; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "exchange/file_channel.h"
#include "session/state/file_contents.h"
#include "session/state/file_domains.h"
#include "session/state/file_rounds.h"
#include "session/state/file_setting.h"
#include "storage/data_access.h"

namespace scorpio::session {

class FileTransfer {
 public:
  // The steps of an open, in this order. First the channel and the division of the file.
  void begin(FileSetting& setting, std::unique_ptr<exchange::FileChannel> channel, uint64_t block_bytes,
             uint64_t stripes);
  // The layout is known. `container`: on the metadata rank. `temporary`: the file has its temporary name.
  void open(FileSetting& setting, FileContents& contents, const storage::Container* container, bool writable,
            bool temporary);

  FileDomains& domains() { return *domains_; }
  const FileDomains& domains() const { return *domains_; }
  exchange::FileChannel& channel() { return *channel_; }
  const exchange::FileChannel& channel() const { return *channel_; }
  storage::DataAccess& data() { return *data_; }
  // Null: the format has no chunks.
  storage::ChunkAccess* chunks() const { return chunks_; }
  // Of chunks().
  storage::ChunkPlacement& placement() const { return chunks_->placement(); }
  // On I/O ranks: these bytes of raw space are about to be put (storage::ChunkAccess::expect_writes).
  Status expect_writes(ByteRange bytes) {
    return chunks_ == nullptr || !io_rank_ ? Status() : chunks_->expect_writes(bytes);
  }
  FileRounds& rounds() { return *rounds_; }
  const FileRounds& rounds() const { return *rounds_; }

  // Whether the file may have its temporary name, by which data() opens it.
  bool temporary() const { return temporary_; }
  // It has its final name now.
  void take_name(const std::string& path);
  // What ends the work of this rank's worker for the metadata, which the channel must not be replaced beside.
  void set_background(std::function<void()> end) { end_background_ = std::move(end); }
  void end_background() {
    if (end_background_) end_background_();
    rounds_->stop();
  }
  // The channel, which goes back to the I/O system; no data are moved afterwards.
  std::unique_ptr<exchange::FileChannel> end();

 private:
  void open_rounds(FileSetting& setting, FileContents& contents);

  std::optional<FileDomains> domains_;  // set when the file is open
  std::unique_ptr<storage::DataAccess> data_;
  storage::ChunkAccess* chunks_ = nullptr;
  std::unique_ptr<exchange::FileChannel> channel_;
  std::optional<FileRounds> rounds_;
  std::function<void()> end_background_;
  bool io_rank_ = false;
  bool temporary_ = false;
};

}  // namespace scorpio::session
