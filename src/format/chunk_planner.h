// The chunk shape of a variable for which the program has not set one, and the reason for it. Local; pure:
// the same arguments give the same shape on every rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "model/variable.h"

namespace scorpio::format {

// For which access chunks are shaped; in the order of the choices of option `chunk_goal`.
enum class ChunkGoal : uint8_t { write, map, timeseries };

struct ChunkWishes {
  ChunkGoal goal = ChunkGoal::write;
  int64_t expected_records = 0;  // 0: not known
  int64_t workers = 1;           // threads that encode chunks, of all I/O ranks
  // Bytes of encoded chunks that each I/O rank may keep in memory.
  uint64_t most_held_bytes = uint64_t{64} << 20;

  // `options`: those of the file.
  static ChunkWishes of(const Options& options, int64_t workers);
  friend bool operator==(const ChunkWishes&, const ChunkWishes&) = default;
};

struct ChunkPlan {
  std::vector<int64_t> shape;  // [ndims], each at least 1 and at most the extent if that is fixed and not 0
  std::string why;             // a clause without a full stop
};

// What is divided is divided along its slowest dimensions into equal parts of 1 to 4 MiB, at least 4 for each
// worker if it has 8 MiB or more for each; a single element is never divided.
// - `write`: the chunk is one record, which is divided if it exceeds 2 to 4 MiB, or as many records as fit
//   into 4 KiB (at most 512 and the expected number). A variable without records is divided in the same way.
//   One-dimensional records: the expected number, divided if that exceeds 1 MiB, else 512.
// - `map`: the chunk is one horizontal field of one record: the last two dimensions without the unlimited
//   one, or the last one if it is at least 8 times as long as the one before (columns of an unstructured grid
//   behind levels). It is divided if it exceeds 2 to 4 MiB. Fields of less than 4 KiB, and one-dimensional
//   records: as `write`.
//   Unlimited dimensions other than the first are supposed to have 256 indices together.
// - `timeseries`: the chunk has the expected number of records, else 512, and of each the part with which it
//   has up to 2 to 4 MiB. A variable without records: as `write`.
ChunkPlan plan_chunk(const model::Variable& variable, const ChunkWishes& wishes);

}  // namespace scorpio::format
