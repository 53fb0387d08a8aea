#include "meeting.h"

#include <array>

#include "block_store.h"
#include "failure.h"
#include "group.h"

namespace scorpio2012 {

namespace {

constexpr size_t k_reason_bytes = 512;

// Reduced by maximum; a value and its complement show whether all ranks have the same value.
enum Word {
  k_block,
  k_block_complement,
  k_other,
  k_other_complement,
  k_block_error,
  k_other_error,
  k_first_block,
  k_first_wrong_block,
  k_first_wrong_other,
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
  if (proposal.error != 0)
    words[block ? k_first_wrong_block : k_first_wrong_other] = static_cast<uint64_t>(ranks - rank);
  words[k_function] = proposal.call.function();
  words[k_function_complement] = complement(proposal.call.function());
  if (rank == 0) words[k_from_rank0] = proposal.from_rank0;
  return words;
}

bool all_equal(const Words& words, Word value) { return words[value] == complement(words[value + 1]); }
bool nobody(const Words& words, Word value) { return words[value] == 0 && words[value + 1] == 0; }

// Records the current group of each file when all ranks have made the same call.
void settle(Assembly& assembly) {
  for (const Assembly::Member& member : assembly.groups()) {
    for (const auto& file : member.group->files()) {
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

// Collective, if one of the ranks in turn has found a failure: all of them receive its reason.
void share_reason(const Assembly& assembly, uint64_t first_wrong, bool in_turn) {
  std::array<char, k_reason_bytes> text{};
  const int teller = assembly.ranks() - static_cast<int>(first_wrong);
  if (assembly.rank() == teller) reason().copy(text.data(), text.size() - 1);
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, teller, assembly.comm());
  if (in_turn) reason_of(teller, *text.data() == '\0' ? "an argument is wrong" : text.data());
}

constexpr const char* k_other_functions = "the ranks call different functions of this interface";
constexpr const char* k_other_arguments =
    "the ranks pass different arguments; group, handle, name, type, pattern and extents of the dataset must "
    "be the same on all";

// Collective. The ranks in turn are those in a block write, if there are any.
void share_failure(const Assembly& assembly, const Words& words, const Proposal& proposal,
                   const Outcome& outcome) {
  const bool block_turn = !nobody(words, k_block);
  const bool in_turn = proposal.may_be_skipped == block_turn;
  const uint64_t first_wrong = words[block_turn ? k_first_wrong_block : k_first_wrong_other];
  if (first_wrong != 0) share_reason(assembly, first_wrong, in_turn);
  if (first_wrong != 0 || !in_turn || outcome.error == 0) return;
  fail(outcome.same_function || block_turn ? k_other_arguments : k_other_functions);
}

}  // namespace

Outcome meet(Assembly& assembly, const Proposal& proposal) {
  call_is_of(assembly.rank());
  for (;;) {
    Words words = words_of(proposal, assembly.rank(), assembly.ranks());
    if (MPI_Allreduce(MPI_IN_PLACE, words.data(), k_words, MPI_UINT64_T, MPI_MAX, assembly.comm()) !=
        MPI_SUCCESS) {
      return {fail("an MPI call failed"), false, 0, true, -1};
    }
    Outcome outcome = outcome_of(words, proposal);
    share_failure(assembly, words, proposal, outcome);
    if (nobody(words, k_block) || nobody(words, k_other)) {
      settle(assembly);
      return outcome;
    }
    // Some ranks are in a block write and others are not: the block write is made first.
    const int first = assembly.ranks() - static_cast<int>(words[k_first_block]);
    const bool runs = words[k_block_error] == 0 && all_equal(words, k_block);
    if (proposal.may_be_skipped) {
      call_is_of(assembly.rank() - first);
      outcome.shared_by = first;
      return outcome;
    }
    if (runs) help_block_write(assembly, first);
  }
}

}  // namespace scorpio2012
