// The part of a layout that only formats with chunks have (Layout::chunks): the forms in which variables are
// stored, and the locations of encoded chunks, whose sizes are known late. Local and pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/schema.h"

namespace scorpio::format {

class ChunkLayout {
 public:
  // ---- the form of a variable ----
  // Whether the elements of the variable can be stored in this form: Code::unsupported, shape and others.
  virtual Status check_storage(const model::Schema& schema, const model::Variable& variable,
                               const model::Storage& storage) const = 0;
  // Whether its address can still change with its form of storage: before_data() was not called since it was
  // defined.
  virtual bool is_movable(int variable) const = 0;
  // The variable, which is movable, has a new form of storage: it and the variables that were defined after
  // it get new addresses.
  virtual Status place_again(const model::Schema& schema, int variable) = 0;
  // Before data are moved: the addresses are final from now on. `fill_of` returns one element, the value of
  // elements that no rank wrote.
  using FillOf = std::function<std::vector<std::byte>(const model::Variable&)>;
  virtual void before_data(const model::Schema& schema, const FillOf& fill_of) = 0;

  // ---- encoded chunks ----
  // The address from which I/O ranks may store encoded chunks before a synchronisation point places the
  // others, until end_arena(); empty: none.
  virtual std::optional<uint64_t> arena() const = 0;
  // Not 0: a region of the arena is one chunk, because all chunks have this size and no filters.
  virtual uint64_t arena_chunk_bytes() const = 0;
  // Whether the arena must end before data are moved: variables have no address because the end of its used
  // part is not known, or their chunks are others than those of its regions.
  virtual bool waits_for_arena() const = 0;
  // The arena is used up to `end` at most: variables without an address get theirs after it.
  virtual Status end_arena(const model::Schema& schema, uint64_t end) = 0;
  // The addresses in the file of the chunks that I/O ranks hold in memory. `bytes` [I/O ranks]: the bytes of
  // each, in the order of the ranks. Each I/O rank gets blocks of its own, as long as the gaps before them
  // are a small part of the file. Code::limit.
  virtual Result<std::vector<uint64_t>> place_stored(std::span<const uint64_t> bytes) = 0;

 protected:
  ~ChunkLayout() = default;
};

}  // namespace scorpio::format
