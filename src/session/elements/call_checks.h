// The checks of the arguments of a data call on this rank, and the values that must be the same on all ranks.
// Local and pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "session/state/core.h"
#include "session/state/data_call.h"

namespace scorpio::session {

// Whether the decomposition covers all dimensions of the variable but the first: one record, or one index.
// All records of a variable can be read at once by a decomposition of all of its dimensions if they are
// stored in chunks or are read by the library of the format.
bool is_of_frames(const model::Variable& variable, const Decomposition& decomposition);
// If the decomposition is of all dimensions of a variable with records, and they cannot be moved at once: the
// number of records that are put or got one after the other. Else 0.
int64_t records_one_by_one(const model::Variable& variable, const Decomposition& decomposition, bool reading);
// `frame`: as is_of_frames().
decomp::ChunkGrid grid_of(const model::Variable& variable, const format::ChunkForm& chunks, bool frame);
// The variable of the move, if the move fits it, the decomposition and the file.
Result<const model::Variable*> check_move(const Core& core, const Move& move,
                                          const Decomposition* decomposition, bool reading);
// All moves of a call, which name each variable or record once. The result borrows them.
Result<DataCall> check_call(const Core& core, std::span<const Move> moves, const Decomposition* decomposition,
                            bool reading);
// No byte of records up to this one lies where a file cannot have one.
Status check_last_record(const FileContents& contents, int variable, int64_t record);

// The end of the sentence "rank 3 passed other ..." in the failure if calls differ.
inline constexpr const char* k_of_a_call = "variables, records or decompositions to a put or get";
// The hash of the values that must be the same on all ranks; 0 for a call with invalid arguments.
uint64_t hash_of(const Result<DataCall>& call, bool reading);
// A line for each value that must be the same on all ranks.
std::string describe(const DataCall& call);

// Code::range with the first variable of which values did not fit, after the call.
Status first_misfit(const DataCall& call);

}  // namespace scorpio::session
