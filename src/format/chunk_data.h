// The data of a file that has chunks in addition to contiguous variables: assembles chunks in memory, encodes
// them and keeps them until a synchronisation point gives them an address; reads and decodes stored chunks.
// Independent; any thread, one call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "codec/quantization.h"
#include "format/chunk_assembly.h"
#include "format/chunk_fetch.h"
#include "format/chunk_finder.h"
#include "format/chunk_windows.h"
#include "format/decoded_chunks.h"
#include "format/encoded_chunks.h"
#include "format/format.h"
#include "format/loss_log.h"
#include "format/put_frames.h"
#include "format/shared_encoding.h"
#include "format/whole_chunks.h"
#include "storage/data_access.h"

namespace scorpio::format {

class ChunkData final : public storage::DataAccess {
 public:
  // `file`: access to the bytes of the file. `open`: for the chunks that the file had when it was opened.
  ChunkData(const DataRequest& request, std::unique_ptr<storage::DataAccess> file, OpenFinder open);

  Status write(uint64_t offset, std::span<const std::byte> bytes) override;
  Status read(uint64_t offset, std::span<std::byte> bytes) override;
  bool takes_announcements() const override { return true; }
  size_t announce(uint64_t offset, std::span<std::byte> bytes, std::span<std::byte> slot) override;
  void end_announced() override;
  bool shares_reads() const override { return shares_reads_; }
  Result<size_t> announce_read(uint64_t offset, std::span<std::byte> bytes) override;
  void end_announced_reads() override;

  void adopt(const storage::Container& container) override { file_->adopt(container); }
  Result<std::unique_ptr<storage::StoredFile>> share() override { return file_->share(); }
  void set_path(std::string path) override;
  Status sync() override { return file_->sync(); }
  Status check_close() override;
  Status close() override;

  void follow() override;
  Status expect_writes(ByteRange bytes) override;
  uint64_t unplaced_bytes() const override;
  Status place(uint64_t address) override;
  void use_arena(const Arena& arena) override;
  uint64_t arena_end() const override;
  bool has_news() const override;
  std::vector<storage::IndexEntry> take_index() override;
  std::vector<storage::LossEntry> take_losses() override;

 private:
  // A chunk that has a place in the file since it was opened. There may be very many.
  struct Stored {
    uint64_t begin;  // in raw space
    FoundChunk place;
  };
  struct Variable {
    uint64_t begin;
    std::shared_ptr<const ChunkForm> form;
    int index;
    // [chunks] Their locations when the variable was first written, because another thread may not call HDF5.
    // Empty before that.
    std::vector<FoundChunk> found = {};
    std::vector<Stored> stored = {};   // by place in raw space
    std::vector<std::byte> kept = {};  // elements that a lossy filter does not change; empty without one
    codec::Quantization quantization = {};
  };
  // The bytes of one chunk in a write or read.
  struct Piece {
    const Variable* variable = nullptr;
    int64_t chunk = 0;
    uint64_t begin = 0;   // of the chunk, in raw space
    uint64_t offset = 0;  // of the piece, in the chunk
    uint64_t bytes = 0;
    uint64_t skip = 0;   // number of bytes before the piece that belong to no chunk
    bool again = false;  // the chunk was stored before: lossy filters would change its elements twice
  };
  using Held = EncodedChunks::Encoded;
  // The piece that is the whole chunk.
  static Piece all_of(Piece piece) {
    piece.offset = 0;
    piece.bytes = piece.variable->form->grid.chunk_bytes();
    return piece;
  }

  Piece piece_at(uint64_t offset, uint64_t bytes) const REQUIRES(mutex_);
  Status take(const Piece& piece, std::span<const std::byte> bytes) REQUIRES(mutex_);
  Status take_whole(const Piece& piece, const WholeChunks::Chunk& chunk) REQUIRES(mutex_);
  void round(const Piece& piece, std::span<std::byte> elements) REQUIRES(mutex_);
  Result<WantedChunk> wanted_by_others(const Piece& piece, std::span<std::byte> image) REQUIRES(mutex_);
  Status give(const Piece& piece, std::span<std::byte> bytes, std::vector<WantedChunk>& wanted)
      REQUIRES(mutex_);
  Status give_part(const Piece& piece, WantedChunk chunk, std::span<std::byte> bytes) REQUIRES(mutex_);
  Result<FoundChunk> find(const Piece& piece) REQUIRES(mutex_);
  Result<FoundChunk> find_in_file(const Variable& variable, int64_t chunk) REQUIRES(mutex_);
  Status fetch(std::vector<WantedChunk> wanted) REQUIRES(mutex_);
  std::string name_of(const Variable& variable, int64_t chunk) const REQUIRES(mutex_);
  Status close_finder() REQUIRES(mutex_);
  Status end_chunk(uint64_t begin) REQUIRES(mutex_);
  Result<bool> change_in_place(const Piece& piece, std::span<const std::byte> image) REQUIRES(mutex_);
  Result<Held> encoded(const Piece& piece, std::span<const std::byte> image) REQUIRES(mutex_);
  Status encode(const Piece& piece, std::span<const std::byte> image) REQUIRES(mutex_);
  Status encode(const Piece& piece, std::vector<std::byte> image) REQUIRES(mutex_);
  Status hold(const Piece& piece, Held encoded) REQUIRES(mutex_);
  const Stored* stored_of(const Piece& piece) const REQUIRES(mutex_);
  FoundChunk store(uint64_t begin, const FoundChunk& place) REQUIRES(mutex_);
  void count_lossless(const Piece& piece, uint32_t skipped) REQUIRES(mutex_);
  Result<bool> load(const Piece& piece, std::span<std::byte> image) REQUIRES(mutex_);
  bool lacks_end(const Piece& piece) const REQUIRES(mutex_);
  Status overwrite(const Piece& piece, const FoundChunk& place, std::span<const std::byte> image)
      REQUIRES(mutex_);
  void enter_in_index(uint64_t begin, const FoundChunk& place) REQUIRES(mutex_);

  std::unique_ptr<storage::DataAccess> file_;
  const model::Schema& schema_;
  const Layout& layout_;
  bool writable_;
  const bool shares_reads_;
  uint64_t most_bytes_;  // for chunks in assembly, encoded chunks, and chunks that were read in part
  OpenFinder open_finder_;
  observe::Counters& counters_;
  mutable Mutex mutex_;
  std::string path_ GUARDED_BY(mutex_);
  std::unique_ptr<ChunkFinder> finder_ GUARDED_BY(mutex_);  // opened when it is first needed
  ChunkWindows<Variable> variables_ GUARDED_BY(mutex_);
  int known_ GUARDED_BY(mutex_) = 0;  // number of variables of the schema that follow() has seen
  ChunkAssembly assembly_ GUARDED_BY(mutex_);
  WholeChunks whole_ GUARDED_BY(mutex_);        // chunks that write() will get as a whole
  SharedEncoding shared_ GUARDED_BY(mutex_);    // of these
  SharedDecoding decoding_ GUARDED_BY(mutex_);  // chunks that read() will be asked for as a whole
  EncodedChunks held_ GUARDED_BY(mutex_);
  DecodedChunks decoded_ GUARDED_BY(mutex_);
  PutFrames frames_ GUARDED_BY(mutex_);
  std::vector<storage::IndexEntry> index_ GUARDED_BY(mutex_);  // the result of take_index()
  LossLog losses_ GUARDED_BY(mutex_);
};

}  // namespace scorpio::format
