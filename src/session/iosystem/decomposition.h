// A decomposition of an I/O system: this rank's part and what all ranks hold together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "decomp/chunk_grid.h"
#include "decomp/chunk_order.h"
#include "decomp/memory_layout.h"
#include "plan/survey.h"
#include "session/iosystem/system.h"

namespace scorpio::session {

// The decomposition of a variable that is stored in chunks, with its runs in the order of the chunks.
struct ChunkView {
  decomp::ChunkGrid grid;
  bool frame = false;     // covers one index of the first dimension
  decomp::Region region;  // if the grid is free
  decomp::RunList runs;
  plan::Survey survey;

  // What a put with a fill value concerns: all elements, and those which this rank fills.
  struct Filled {
    std::vector<decomp::Interval> everything;  // with the padding of the chunks
    plan::NodeSets nodes;                      // any node may fill any element
    decomp::RunList share;
  };
  mutable std::optional<Filled> filled = {};  // made at the first use (Decomposition::filled_in_chunks())
};

class Decomposition {
 public:
  // Collective. `part` may be a failure of this rank; the same status comes back on all.
  static Result<std::unique_ptr<Decomposition>> create(System& system, Result<decomp::LocalPart> part);
  // The elements of `origin` at other positions in memory. Collective, one agreement; `origin` and `layout`
  // may be failures of this rank, as above. The result does not refer to `origin`.
  static Result<std::unique_ptr<Decomposition>> create_placed(System& system,
                                                              const Result<const Decomposition*>& origin,
                                                              const Result<decomp::MemoryLayout>& layout);

  // Local. Makes the decomposition of a part that all ranks know, and that only `holder` holds, or all ranks
  // if there is no holder. `name` identifies it in messages; the number is computed from it.
  static std::unique_ptr<Decomposition> known_to_all(const System& system, decomp::LocalPart part,
                                                     std::optional<int> holder, std::string name);

  // Local. The elements at one index of the first dimension, as a decomposition of the other dimensions with
  // the same buffer. `system`: that of this decomposition.
  std::unique_ptr<Decomposition> at_index(const System& system, int64_t index) const;

  // The decomposition may outlive its I/O system.
  bool belongs_to(const System& system) const { return system_identity_ == system.identity(); }
  const decomp::LocalPart& part() const { return part_; }
  const plan::Survey& survey() const { return survey_; }
  // The runs that this rank writes if no other rank is considered: all elements that it holds; of an element
  // that it holds more than once, the last one.
  const decomp::RunList& own_runs() const { return survey_.own_runs; }
  // The elements that no rank holds, if the survey is exact, and an equal share of them for this rank.
  // Computed at the first use, without a message.
  struct Holes {
    bool any = false;
    decomp::RunList share;
  };
  const Holes& holes(int ranks) const;
  // Computed at the first use, without a message; the latest ones are kept. `frame`: the decomposition covers
  // all dimensions but the first.
  std::shared_ptr<const ChunkView> in_chunks(const decomp::ChunkGrid& grid, bool frame) const;
  // The same for a free grid; the decomposition is of the region.
  std::shared_ptr<const ChunkView> in_chunks(const decomp::ChunkGrid& grid,
                                             const decomp::Region& region) const;
  // What a put with a fill value concerns in this view. The share is of the elements that no rank holds, if
  // the survey is exact, and of all elements if it is not. Computed at the first use, without a message.
  const ChunkView::Filled& filled_in_chunks(const ChunkView& view, int ranks) const;
  // The same on all ranks, and different for each decomposition.
  uint64_t number() const { return number_; }
  // The name of a decomposition that all ranks know; others are named by their number.
  const std::string& name() const { return name_; }
  std::string describe() const;

 private:
  std::shared_ptr<const ChunkView> add_view(ChunkView made, const decomp::ChunkOrder& order) const;
  Decomposition(const System& system, uint64_t number, decomp::LocalPart part, plan::Survey survey);
  void set(uint64_t number, decomp::LocalPart part, plan::Survey survey) noexcept;

  uint64_t system_identity_;
  int rank_;
  uint64_t number_ = 0;
  std::string name_;
  decomp::LocalPart part_;
  plan::Survey survey_;
  mutable std::vector<std::shared_ptr<const ChunkView>> views_;  // the latest one is the last
  mutable std::optional<Holes> holes_;
};

// The name of a decomposition in messages.
std::string name_of(uint64_t number, const std::string& name);

}  // namespace scorpio::session
