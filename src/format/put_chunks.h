// The chunks of one I/O rank that are put: assembles them in memory, encodes them, and keeps them until a
// synchronisation point gives them an address. Long chunks without filters have their place before, and their
// parts are written there. Independent; any thread. One call at a time; while it encodes, another thread may
// call what is marked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "format/chunk_assembly.h"
#include "format/chunks_of_rounds.h"
#include "format/decoded_chunks.h"
#include "format/encoded_chunks.h"
#include "format/growing_chunks.h"
#include "format/index_news.h"
#include "format/loss_log.h"
#include "format/put_frames.h"
#include "format/shared_encoding.h"
#include "format/stored_chunks.h"
#include "format/whole_chunks.h"
#include "observe/counters.h"

namespace scorpio::format {

class PutChunks {
 public:
  using Held = EncodedChunks::Encoded;

  // All of them outlive the object.
  struct Ground {
    storage::DataAccess& file;
    StoredChunks& stored;
    DecodedChunks& decoded;  // images that were read: a chunk that is put is removed
    observe::Counters& counters;
    comm::SharedTasks* tasks;  // null: other ranks do not encode
    // Guards the object, and is unlocked while a chunk is encoded and while a round is written. Null: the
    // object is used by one thread alone.
    Mutex* mutex = nullptr;
  };
  // `most_bytes`: of chunks in assembly.
  PutChunks(const Ground& ground, uint64_t most_bytes)
      : ground_(ground), most_bytes_(most_bytes), shared_(ground.tasks) {}

  // As EncodingSink::announce(), end_announced() and Sink::write().
  size_t announce(uint64_t offset, std::span<std::byte> bytes, std::span<std::byte> slot);
  void end_announced();
  Status write(uint64_t offset, std::span<const std::byte> bytes);

  // ---- for reads ----
  // If parts of the chunk were put: encodes it with what is missing.
  Status complete(uint64_t begin);
  // Whether parts of it were put, or it has no address yet.
  bool has(uint64_t begin) {
    return assembly_.find(begin) != nullptr || is_held(begin) || growing_.has(begin);
  }
  bool is_held(uint64_t begin) const { return find_held(begin) != nullptr; }
  // As StoredChunks::load(), also of chunks without an address.
  Result<bool> load(const ChunkPiece& piece, std::span<std::byte> image);

  // ---- for synchronisation points; also while another thread encodes: unplaced_bytes(), arena_end(),
  // has_news() ----
  // Fails also if a chunk could not be completed before: what was put to it is lost.
  Status complete_all();
  uint64_t unplaced_bytes() const { return held_.bytes() + rounds_.bytes(); }
  Status fill_regions(uint64_t count);
  Status place(uint64_t address);
  Result<uint64_t> place_first(uint64_t address, uint64_t bytes);
  void use_arena(const storage::ChunkPlacement::Arena& arena) { held_.use_arena(arena); }
  uint64_t arena_end() const { return std::max(held_.arena_end(), rounds_.end()); }
  bool has_news() const { return !index_.empty() || !losses_.empty(); }
  std::vector<storage::IndexEntry> take_index();
  std::vector<storage::LossEntry> take_losses() { return losses_.take(); }
  void clear();

  // ---- for placement rounds: as in ChunkPlacement; also while another thread encodes, except begin_round()
  // and end_rounds() ----
  void begin_round(uint64_t round);
  uint64_t round() const { return round_; }
  uint64_t round_bytes(uint64_t round) const { return rounds_.bytes_of(round); }
  Status place_round(uint64_t round, uint64_t address);
  void end_rounds() { rounds_.give_back(held_); }

 private:
  Status take(const ChunkPiece& piece, std::span<const std::byte> bytes);
  Status take_whole(const ChunkPiece& piece, const WholeChunks::Chunk& chunk);
  void round(const ChunkPiece& piece, std::span<std::byte> elements);
  Status end_chunk(uint64_t begin);
  Result<bool> can_grow(const ChunkPiece& piece);
  Status write_growing(const ChunkPiece& piece, std::span<const std::byte> bytes);
  Status end_growing(uint64_t begin);
  void enter_growing(uint64_t begin);
  Result<bool> change_in_place(const ChunkPiece& piece, std::span<const std::byte> image);
  Status overwrite(const ChunkPiece& piece, const FoundChunk& place, std::span<const std::byte> image);
  // By `encode(Exactness)`, which takes the time. `again`: the chunk was stored before: lossy filters would
  // change its elements twice.
  template <typename Encode>
  Result<Held> encoded(const ChunkPiece& piece, bool again, Encode&& encode);
  Status encode(const ChunkPiece& piece, std::span<const std::byte> image, bool again);
  Status encode(const ChunkPiece& piece, std::vector<std::byte> image, bool again);
  Status hold(const ChunkPiece& piece, Held encoded);
  EncodedChunks::Placed entering();
  void count_lossless(const ChunkPiece& piece, uint32_t skipped);
  void enter_in_index(uint64_t begin, const FoundChunk& place);
  // For the index: where the chunk is, and where it was before.
  void tell(const ChunkPiece& piece, const FoundChunk& place, const FoundChunk& old);
  const Held* find_held(uint64_t begin) const;

  Ground ground_;
  uint64_t most_bytes_;
  ChunkAssembly assembly_;
  GrowingChunks growing_;  // chunks that are not assembled in memory
  WholeChunks whole_;      // chunks that write() will get as a whole
  SharedEncoding shared_;  // of these
  EncodedChunks held_;
  std::set<uint64_t> incomplete_;  // of these, chunks of which elements have not been put
  uint64_t round_ = 0;
  ChunksOfRounds rounds_;  // complete chunks of earlier rounds
  Status lost_;            // the failure to complete a chunk for a read
  PutFrames frames_;
  IndexNews index_;
  LossLog losses_;
};

}  // namespace scorpio::format
