// The variables of a file that have chunks, and where their chunks lie in the file: those of an opened file
// are looked up, those that were written since are remembered. Reads stored chunks. Independent; any thread,
// one call at a time, but only the thread of the calls may look up chunks of an opened file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_range.h"
#include "base/result.h"
#include "codec/quantization.h"
#include "format/chunk_fetch.h"
#include "format/chunk_finder.h"
#include "format/chunk_form.h"
#include "format/chunk_windows.h"
#include "format/stored_places.h"
#include "storage/data_access.h"

namespace scorpio::format {

struct ChunkVariable {
  uint64_t begin;  // in raw space
  std::shared_ptr<const ChunkForm> form;
  int index;                         // in the schema
  std::optional<uint64_t> object{};  // of a variable of the opened file: its address there
  std::vector<std::byte> kept = {};  // elements that a lossy filter does not change; empty without one
  codec::Quantization quantization = {};
  // [chunks] Their locations when the variable was first written, because another thread may not look them
  // up. Empty before that.
  std::vector<FoundChunk> found = {};
  Status unknown = {};  // the failure to look them up: the thread that writes must not try again
  StoredPlaces stored = {};
};

// The bytes of one chunk in a write or read.
struct ChunkPiece {
  const ChunkVariable* variable = nullptr;
  int64_t chunk = 0;
  uint64_t begin = 0;   // of the chunk, in raw space
  uint64_t offset = 0;  // of the piece, in the chunk
  uint64_t bytes = 0;
  uint64_t skip = 0;  // number of bytes before the piece that belong to no chunk

  const ChunkForm& form() const { return *variable->form; }
  bool is_whole() const { return bytes == form().grid.chunk_bytes(); }
  // The piece that is the whole chunk.
  ChunkPiece all() const { return {variable, chunk, begin, 0, form().grid.chunk_bytes(), 0}; }
};

class StoredChunks {
 public:
  // The name of a variable, by its index, with that of the file, for failures.
  using Name = std::function<std::string(int variable)>;
  // Opens the finder for chunks that the file had when it was opened, when it is first needed.
  using Open = std::function<Result<std::unique_ptr<ChunkFinder>>()>;
  // `file`: access to the bytes of the file; outlives this object.
  StoredChunks(storage::DataAccess& file, Name name, Open open)
      : file_(file), name_(std::move(name)), open_(std::move(open)) {}

  // The range of a variable that was removed before it had data can have been assigned again.
  void add(ChunkVariable variable);
  // The piece of the first chunk in these bytes. Bytes between variables are skipped, because one operation
  // may access adjacent variables.
  ChunkPiece piece_at(uint64_t offset, uint64_t bytes) const;
  std::string name_of(const ChunkPiece& piece) const;

  // Looks up all chunks of variables in this range: afterwards find() can be called by another thread.
  // `alive`: whether a variable, by its index, still exists; the file may no longer have one that was
  // removed.
  Status look_up(ByteRange bytes, const std::function<bool(int variable)>& alive = {});
  // Where the chunk is; no bytes: it was never written.
  Result<FoundChunk> find(const ChunkPiece& piece);
  // The same as far as it is known without the finder.
  FoundChunk known(const ChunkPiece& piece) const;
  // Whether the chunk is as the opened file had it, with the end of the variable inside it.
  bool lacks_end(const ChunkPiece& piece) const;
  // Records the location of the chunk from now on. Returns the previous one that was recorded, without bytes
  // if there was none.
  FoundChunk store(uint64_t begin, const FoundChunk& place);

  // Reads and decodes chunks.
  Status fetch(std::vector<WantedChunk> wanted);
  ChunkNames names() const;  // of its chunks; valid as long as this object
  // All elements of the chunk; those that no rank wrote have the fill value. Returns whether it is stored.
  Result<bool> load(const ChunkPiece& piece, std::span<std::byte> image);

  // The finder has the metadata of the file as it was opened: it is opened again if it is needed again.
  Status close_finder();

 private:
  static bool is_found(const ChunkPiece& piece) { return piece.variable->object.has_value(); }
  Result<FoundChunk> find_in_file(const ChunkVariable& variable, int64_t chunk);
  Status look_up_all(ChunkVariable& variable);
  std::string name_of(const ChunkVariable& variable, int64_t chunk) const;

  storage::DataAccess& file_;
  Name name_;
  Open open_;
  std::unique_ptr<ChunkFinder> finder_;
  ChunkWindows<ChunkVariable> variables_;
};

// Repeats the element, whose last repetition may be incomplete.
void fill_with(std::span<std::byte> image, std::span<const std::byte> element);
void fill_with(std::span<std::byte> image, const std::vector<ByteRange>& ranges,
               std::span<const std::byte> element);

}  // namespace scorpio::format
