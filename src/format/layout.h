// The locations of variables in a file, and what the format can hold (definition_rules.h). Local and pure:
// every rank makes the same definitions and gets the same locations, without messages.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/chunk_layout.h"
#include "format/definition_rules.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format {

// `count` pieces of `bytes` bytes whose location changes in a new layout, equally spaced in both layouts.
struct Shift {
  uint64_t from = 0;
  uint64_t to = 0;
  uint64_t bytes = 0;
  uint64_t count = 1;
  uint64_t from_stride = 0;
  uint64_t to_stride = 0;

  friend bool operator==(const Shift&, const Shift&) = default;
};

struct Rearrangement {
  bool needed = false;        // data in the file change their location: the file has to be copied
  std::vector<Shift> shifts;  // if so, all data of the file, also those whose location does not change
};

class Layout : public DefinitionRules {
 public:
  using DefinitionRules::DefinitionRules;
  virtual std::unique_ptr<Layout> copy() const = 0;
  // Takes the state of a copy() of this layout.
  virtual void take(Layout&& copy) = 0;

  const Placement& placement(int variable) const { return placements_.of(variable); }
  const Placements& placements() const { return placements_; }
  // For placements that the format's library determines.
  Placements& placements() { return placements_; }
  // The contents of the file as the metadata rank has read them, with their locations.
  virtual void found(const model::Schema& /*schema*/, Placements placements) {
    placements_ = std::move(placements);
  }
  // The variable was added to the schema. It gets its address, if the format assigns it at once.
  virtual Status place(const model::Schema& schema, int variable) = 0;
  // A variable of an opened file whose placement is unallocated() gets its address, in the same way.
  virtual Status place_found(const model::Schema& /*schema*/, int variable) {
    return failure(Code::internal, "variable {} needs no address of this format", variable);
  }
  // Ends the definitions: every variable gets its address. Code::limit and others if sizes exceed limits of
  // the format. After a failure the placements are unchanged.
  virtual Result<Rearrangement> end_definitions(const model::Schema& schema) = 0;
  // One past the last byte of data.
  virtual uint64_t end_of_data(const model::Schema& schema) const = 0;
  // Metadata were written up to `end`.
  virtual void raise(uint64_t end) = 0;
  // The size of the pieces of raw space, from byte 0, that are stored as a whole: each is written by one I/O
  // rank. 1: bytes are stored individually.
  virtual uint64_t undivided_bytes() const { return 1; }
  // Null: the format has no chunks whose form and locations the library determines.
  virtual ChunkLayout* chunks() { return nullptr; }

 private:
  Placements placements_;
};

// Those of the layout, for the variable: Code::unsupported if it has none.
inline Result<ChunkLayout*> chunks_for(const model::Variable& variable, Layout& layout) {
  if (ChunkLayout* const chunks = layout.chunks(); chunks != nullptr) return chunks;
  return failure(Code::unsupported,
                 "variable {}: files of this format have no chunks; create it with option format = hdf5",
                 variable.path);
}

}  // namespace scorpio::format
