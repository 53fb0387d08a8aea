// The data of a file that has chunks in addition to contiguous variables: chunks that are put (put_chunks.h),
// and the reads of chunks, wherever they are. Independent; any thread. A call that encodes, reads or places
// chunks waits for one in another thread; the others, and placing a round, go on beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "format/chunk_fetch.h"
#include "format/chunk_finder.h"
#include "format/decoded_chunks.h"
#include "format/format.h"
#include "format/put_chunks.h"
#include "format/shared_encoding.h"
#include "format/stored_chunks.h"
#include "storage/data_access.h"

namespace scorpio::format {

class ChunkData final : public storage::DataAccess,
                        private storage::EncodingSink,
                        private storage::ChunkAccess,
                        private storage::ChunkPlacement,
                        private storage::DecodingSource {
 public:
  // `file`: access to the bytes of the file. `open`: for the chunks that the file had when it was opened.
  ChunkData(const DataRequest& request, std::unique_ptr<storage::DataAccess> file, OpenFinder open);

  Status write(uint64_t offset, std::span<const std::byte> bytes) override;
  Status read(uint64_t offset, std::span<std::byte> bytes) override;
  storage::EncodingSink* encoding() override { return this; }
  storage::DecodingSource* decoding() override { return shares_reads_ ? this : nullptr; }
  storage::ChunkAccess* chunks() override { return this; }
  storage::ChunkPlacement& placement() override { return *this; }

  size_t announce(uint64_t offset, std::span<std::byte> bytes, std::span<std::byte> slot) override;
  void end_announced() override;
  Result<size_t> announce_read(uint64_t offset, std::span<std::byte> bytes) override;
  void end_announced_reads() override;

  void adopt(const storage::Container& container) override { file_->adopt(container); }
  Result<std::unique_ptr<storage::StoredFile>> share() override;
  void set_path(std::string path) override;
  Status sync() override;
  Status check_close() override;
  Status close() override;

  void follow() override;
  Status expect_writes(ByteRange bytes) override;
  Status leave_library() override;
  uint64_t unplaced_bytes() const override;
  Status fill_regions(uint64_t count) override;
  Status place(uint64_t address) override;
  Result<uint64_t> place_first(uint64_t address, uint64_t bytes) override;
  void use_arena(const Arena& arena) override;
  uint64_t arena_end() const override;
  void begin_round(uint64_t round) override;
  uint64_t round() const override;
  uint64_t round_bytes(uint64_t round) const override;
  Status place_round(uint64_t round, uint64_t address) override;
  void end_rounds() override;
  bool has_news() const override;
  std::vector<storage::IndexEntry> take_index() override;
  std::vector<storage::LossEntry> take_losses() override;

 private:
  Result<WantedChunk> wanted_by_others(const ChunkPiece& piece, std::span<std::byte> image) REQUIRES(mutex_);
  Status give(const ChunkPiece& piece, std::span<std::byte> bytes, std::vector<WantedChunk>& wanted)
      REQUIRES(mutex_);
  Status give_part(const ChunkPiece& piece, WantedChunk chunk, std::span<std::byte> bytes) REQUIRES(mutex_);

  std::unique_ptr<storage::DataAccess> file_;
  const model::Variables& variables_;
  const Layout& layout_;
  bool writable_;
  const bool shares_reads_;
  // Each is locked before those that follow.
  Mutex turn_;           // by calls that use chunks in memory
  Mutex placing_;        // while a round is written, and by calls that change what is to be written
  mutable Mutex mutex_;  // is unlocked while a chunk is encoded and while a round is written
  std::string path_ GUARDED_BY(mutex_);
  int known_ GUARDED_BY(mutex_) = 0;  // number of variables of the schema that follow() has seen
  StoredChunks stored_ GUARDED_BY(mutex_);
  DecodedChunks decoded_ GUARDED_BY(mutex_);
  PutChunks put_ GUARDED_BY(mutex_);
  SharedDecoding decoding_ GUARDED_BY(mutex_);  // chunks that read() will be asked for as a whole
};

}  // namespace scorpio::format
