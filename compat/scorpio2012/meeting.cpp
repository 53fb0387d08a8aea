#include "meeting.h"

#include <array>

#include "block_write.h"
#include "group.h"

namespace scorpio2012 {

namespace {

// Reduced by maximum; a value and its complement tell whether all are equal.
enum Word {
  k_block,
  k_block_complement,
  k_other,
  k_other_complement,
  k_block_error,
  k_other_error,
  k_first_block,
  k_function,
  k_function_complement,
  k_from_rank0,
  k_words
};
using Words = std::array<uint64_t, k_words>;

Words words_of(const Proposal& proposal, int rank, int ranks) {
  Words words{};
  const bool block = proposal.may_be_skipped;
  words[block ? k_block : k_other] = proposal.call.value();
  words[block ? k_block_complement : k_other_complement] = complement(proposal.call.value());
  words[block ? k_block_error : k_other_error] = static_cast<uint64_t>(-proposal.error);
  if (block) words[k_first_block] = static_cast<uint64_t>(ranks - rank);
  words[k_function] = proposal.call.function();
  words[k_function_complement] = complement(proposal.call.function());
  if (rank == 0) words[k_from_rank0] = proposal.from_rank0;
  return words;
}

bool all_equal(const Words& words, Word value) { return words[value] == complement(words[value + 1]); }
bool nobody(const Words& words, Word value) { return words[value] == 0 && words[value + 1] == 0; }

// What a rank knew of a file's current group when it last met all others.
void settle(Assembly& assembly) {
  for (Group* group : assembly.groups()) {
    for (const auto& file : group->files()) {
      if (file != nullptr) file->settle();
    }
  }
}

Outcome outcome_of(const Words& words, const Proposal& proposal) {
  const bool block = proposal.may_be_skipped;
  Outcome outcome;
  outcome.same_function = all_equal(words, k_function);
  outcome.from_rank0 = words[k_from_rank0];
  outcome.error = -static_cast<int>(words[block ? k_block_error : k_other_error]);
  if (outcome.error == 0 && !all_equal(words, block ? k_block : k_other)) outcome.error = k_failure;
  return outcome;
}

}  // namespace

Outcome meet(Assembly& assembly, const Proposal& proposal) {
  for (;;) {
    Words words = words_of(proposal, assembly.rank(), assembly.ranks());
    if (MPI_Allreduce(MPI_IN_PLACE, words.data(), k_words, MPI_UINT64_T, MPI_MAX, assembly.comm()) !=
        MPI_SUCCESS) {
      return {k_failure, false, 0, -1};
    }
    Outcome outcome = outcome_of(words, proposal);
    if (nobody(words, k_block) || nobody(words, k_other)) {
      settle(assembly);
      return outcome;
    }
    // Some ranks are in a block write, others are not: the write goes first.
    const int first = assembly.ranks() - static_cast<int>(words[k_first_block]);
    const bool runs = words[k_block_error] == 0 && all_equal(words, k_block);
    if (proposal.may_be_skipped) {
      outcome.shared_by = first;
      return outcome;
    }
    if (runs) help_block_write(assembly, first);
  }
}

}  // namespace scorpio2012
