// The part of a file in which I/O ranks store encoded chunks one behind the other (format/chunk_arena.h): it
// begins when data are moved, and ends where variables that were defined since need space. Collective where
// stated; one thread.
#pragma once

#include "format/layout.h"
#include "session/state/core.h"

namespace scorpio::session {

class FileArena {
 public:
  explicit FileArena(Core& core) : core_(core) {}

  // Places variables that were defined after I/O ranks began to store chunks: one reduction determines the
  // end of the arena, and ends it. Costs nothing if there are none. Collective.
  Status place_waiting() {
    const format::ChunkLayout* const chunks = core_.contents.layout().chunks();
    return chunks != nullptr && chunks->waits_for_arena() ? end_arena() : Status();
  }
  // After ChunkLayout::before_data(): this I/O rank stores its chunks in the arena from now on, in regions of
  // its own or in rounds. Local.
  void use();

 private:
  Status end_arena();
  Status finish_rounds();
  void use_regions(const format::ChunkLayout& chunks, uint64_t io_rank);

  Core& core_;
};

}  // namespace scorpio::session
