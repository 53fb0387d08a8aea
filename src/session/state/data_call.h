// A put or get whose arguments have passed the checks of this rank. Local. The object must not be moved once
// parts point into it.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/conversion.h"
#include "decomp/runs.h"
#include "exchange/copies/flow.h"
#include "model/dimension.h"
#include "model/element_type.h"
#include "model/variable.h"
#include "plan/survey.h"
#include "session/iosystem/decomposition.h"
#include "transfer/slab_flow.h"

namespace scorpio::session {

// The part of a data call that concerns one variable, or one record of it.
struct Move {
  int variable = -1;
  int64_t record = 0;          // 0 for a variable without records
  const void* from = nullptr;  // put
  void* to = nullptr;          // get
  const void* fill = nullptr;  // put: one element for those that no rank holds; null: these are not written
  Result<model::ElementType> memory =
      model::ElementType{};  // type of the elements in `from`, `to` and `fill`
};

// The size of one element; 0 if the type is invalid.
inline size_t memory_bytes(const Move& move) { return move.memory.ok() ? move.memory->size_bytes : 0; }

// The same move, with the buffer advanced by this number of elements.
inline Move shifted(Move move, int64_t elements) {
  const auto bytes = elements * static_cast<int64_t>(memory_bytes(move));
  if (move.from != nullptr) move.from = static_cast<const std::byte*>(move.from) + bytes;
  if (move.to != nullptr) move.to = static_cast<std::byte*>(move.to) + bytes;
  return move;
}

struct DataCall {
  std::span<const Move> moves;  // the caller's
  const Decomposition* decomposition = nullptr;
  struct Target {
    int index = -1;
    const model::Variable* variable = nullptr;
    std::shared_ptr<const ChunkView> view = {};  // of the decomposition, if it is stored in chunks
    bool whole = false;                          // in chunks: every element is put, as in DataCall::whole
    // ---- of this rank ----
    codec::Conversion conversion = {};
    uint64_t misfits = 0;  // values that did not fit the type
  };
  std::vector<Target> targets;             // [moves]
  std::vector<transfer::Slab> slabs;       // [moves]
  model::Lengths lengths;                  // of unlimited dimensions, with the records that are put
  bool in_chunks = false;                  // some variable is stored in chunks
  bool by_library = false;                 // some variable is read by the format's library
  bool filled = false, all_filled = true;  // some, all moves have a fill value

  // ---- values of this rank ----
  std::vector<exchange::Part> parts;  // empty: it contributes no elements
  // ---- fill values, if they are part of the same operation ----
  bool whole = false;  // of no variable in chunks: every element is put, by a rank or as a fill value
  std::vector<decomp::Interval> everything;
  plan::NodeSets nodes;
  decomp::RunList share;  // the elements that no rank holds and that this rank fills
  // Lists, because parts point to their elements and empty ones need no memory.
  std::list<std::vector<std::byte>> fill_values;  // as stored
  std::list<codec::Conversion> fill_conversions;

  void count_fill(const Move& move) {
    filled = filled || move.fill != nullptr;
    all_filled = all_filled && move.fill != nullptr;
  }
  // The elements of one target.
  transfer::Cover cover(size_t target, const transfer::Cover& others) const {
    const ChunkView* view = targets[target].view.get();
    if (view == nullptr) return others;
    if (targets[target].whole) return {view->filled->everything, true, view->filled->nodes};
    return transfer::Cover::of(view->survey);
  }
  transfer::Cover cover(const plan::Survey& survey) const {
    return whole ? transfer::Cover{everything, true, nodes} : transfer::Cover::of(survey);
  }
};

}  // namespace scorpio::session
