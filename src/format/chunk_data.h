// The data of a file that holds chunks beside contiguous variables: puts chunks together in memory, encodes
// them and keeps them until a sync point gives them a place; reads and decodes those that are stored.
// Independent; any thread, one call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/interval_set.h"
#include "base/mutex.h"
#include "format/chunk_fetch.h"
#include "format/chunk_finder.h"
#include "format/decoded_chunks.h"
#include "format/format.h"
#include "storage/data_access.h"

namespace scorpio::format {

class ChunkData final : public storage::DataAccess {
 public:
  // `file`: of the bytes of the file itself. `open`: for chunks that it held when it was opened.
  ChunkData(const DataRequest& request, std::unique_ptr<storage::DataAccess> file, OpenFinder open);

  Status write(uint64_t offset, std::span<const std::byte> bytes) override;
  Status read(uint64_t offset, std::span<std::byte> bytes) override;

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
  bool has_index() const override;
  std::vector<storage::IndexEntry> take_index() override;

 private:
  struct Variable {
    uint64_t begin;
    uint64_t end;
    std::shared_ptr<const ChunkForm> form;
    int index;
    // [chunks] Where they lay when it was first written: another thread may not ask HDF5. Empty before that.
    std::vector<FoundChunk> found = {};
  };
  // A piece of a write or read: bytes of one chunk.
  struct Piece {
    const Variable* variable = nullptr;
    int64_t chunk = 0;
    uint64_t begin = 0;   // of the chunk in raw space
    uint64_t offset = 0;  // in the chunk
    uint64_t bytes = 0;
    uint64_t skip = 0;  // bytes before it that no chunk has
  };
  // Under assembly.
  struct Chunk {
    Piece piece;
    std::vector<std::byte> image;
    IntervalSet written;  // bytes of the image, padding too
  };
  struct Held {
    std::vector<std::byte> bytes;
    uint32_t skipped = 0;
  };

  Piece piece_at(uint64_t offset, uint64_t bytes) const REQUIRES(mutex_);
  Status take(const Piece& piece, std::span<const std::byte> bytes) REQUIRES(mutex_);
  Status give(const Piece& piece, std::span<std::byte> bytes, std::vector<WantedChunk>& wanted)
      REQUIRES(mutex_);
  Status give_part(const Piece& piece, WantedChunk chunk, std::span<std::byte> bytes) REQUIRES(mutex_);
  Result<FoundChunk> find(const Piece& piece) REQUIRES(mutex_);
  Result<FoundChunk> find_in_file(const Variable& variable, int64_t chunk) REQUIRES(mutex_);
  Status fetch(std::vector<WantedChunk> wanted) REQUIRES(mutex_);
  std::string name_of(const Variable& variable, int64_t chunk) const REQUIRES(mutex_);
  Status close_finder() REQUIRES(mutex_);
  std::list<Chunk>::iterator begin_chunk(const Piece& piece) REQUIRES(mutex_);
  Status end_chunk(std::list<Chunk>::iterator chunk) REQUIRES(mutex_);
  Status end_oldest() REQUIRES(mutex_);
  Status encode(const Piece& piece, std::span<std::byte> image) REQUIRES(mutex_);
  Status load(const Piece& piece, std::span<std::byte> image) REQUIRES(mutex_);
  Status empty_into_arena() REQUIRES(mutex_);
  Result<uint64_t> write_held(uint64_t address, uint64_t most) REQUIRES(mutex_);

  std::unique_ptr<storage::DataAccess> file_;
  const model::Schema& schema_;
  const Layout& layout_;
  bool writable_;
  uint64_t most_bytes_;  // of chunks under assembly, of encoded ones, and of those that were read in parts
  OpenFinder open_finder_;
  mutable Mutex mutex_;
  std::string path_ GUARDED_BY(mutex_);
  std::unique_ptr<ChunkFinder> finder_ GUARDED_BY(mutex_);     // once it was needed
  std::map<uint64_t, Variable> variables_ GUARDED_BY(mutex_);  // by the first byte behind them
  int known_ GUARDED_BY(mutex_) = 0;                           // variables of the schema that were looked at
  std::list<Chunk> chunks_ GUARDED_BY(mutex_);                 // in the order in which they were begun
  uint64_t chunk_bytes_ GUARDED_BY(mutex_) = 0;                // of them
  std::map<uint64_t, Held> held_ GUARDED_BY(mutex_);           // encoded, by place in raw space
  uint64_t held_bytes_ GUARDED_BY(mutex_) = 0;
  DecodedChunks decoded_ GUARDED_BY(mutex_);
  std::map<uint64_t, storage::IndexEntry> stored_ GUARDED_BY(mutex_);  // by place in raw space
  Arena arena_ GUARDED_BY(mutex_);
  uint64_t regions_ GUARDED_BY(mutex_) = 0;                    // of the arena that were used
  uint64_t arena_end_ GUARDED_BY(mutex_) = 0;                  // one past the last byte of them
  std::vector<storage::IndexEntry> index_ GUARDED_BY(mutex_);  // what take_index() gives
};

}  // namespace scorpio::format
