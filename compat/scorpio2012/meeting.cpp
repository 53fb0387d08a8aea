#include "meeting.h"

#include <string>

#include "block_store.h"
#include "common/compared_words.h"
#include "common/limited_waits.h"
#include "common/text_of_rank.h"
#include "failure.h"
#include "group.h"

namespace scorpio2012 {

using scorpio_compat::FailureWord;

namespace {

// Those that are compared take two words.
enum Word : size_t {
  k_block = 0,
  k_other = 2,
  k_function = 4,
  k_block_failure = 6,
  k_other_failure,
  k_first_block,
  k_from_rank0,
  k_words
};
using Words = scorpio_compat::ComparedWords<k_words>;

Words words_of(const Proposal& proposal, int rank, int ranks) {
  Words words;
  const bool block = proposal.may_be_skipped;
  words.compare(block ? k_block : k_other, proposal.call.value());
  words.compare(k_function, proposal.call.function());
  words[block ? k_block_failure : k_other_failure] = FailureWord::of(proposal.error, rank);
  if (block) words[k_first_block] = static_cast<uint64_t>(ranks - rank);
  if (rank == 0) words[k_from_rank0] = proposal.from_rank0;
  return words;
}

// Records the current group of each file when all ranks have made the same call.
void record_groups(Assembly& assembly) {
  for (const Assembly::Member& member : assembly.groups()) {
    for (const auto& file : member.group->files()) {
      if (file != nullptr) file->record_group();
    }
  }
}

Outcome outcome_of(const Words& words, const Proposal& proposal) {
  const bool block = proposal.may_be_skipped;
  Outcome outcome;
  outcome.same_function = words.all_equal(k_function);
  outcome.from_rank0 = words[k_from_rank0];
  outcome.error = FailureWord::code(words[block ? k_block_failure : k_other_failure]);
  if (outcome.error == 0 && !words.all_equal(block ? k_block : k_other)) outcome.error = k_failure;
  return outcome;
}

// Collective, if one of the ranks in turn has found a failure: all of them receive its reason.
void share_reason(const Assembly& assembly, int teller, bool in_turn) {
  std::string text = assembly.rank() == teller ? reason() : "";
  (void)scorpio_compat::take_text_of(teller, text, assembly.comm());
  if (in_turn) reason_of(teller, text.empty() ? "an argument is wrong" : text);
}

constexpr const char* k_other_functions = "the ranks call different functions of this interface";
constexpr const char* k_other_arguments =
    "the ranks pass different arguments; group, handle, name, type, pattern and extents of the dataset must "
    "be the same on all";

// Collective. The ranks in turn are those in a block write, if there are any.
void share_failure(const Assembly& assembly, const Words& words, const Proposal& proposal,
                   const Outcome& outcome) {
  const bool block_turn = !words.nobody_has(k_block);
  const bool in_turn = proposal.may_be_skipped == block_turn;
  const uint64_t failure = words[block_turn ? k_block_failure : k_other_failure];
  if (failure != 0) share_reason(assembly, FailureWord::rank(failure), in_turn);
  if (failure != 0 || !in_turn || outcome.error == 0) return;
  fail(outcome.same_function || block_turn ? k_other_arguments : k_other_functions);
}

}  // namespace

Outcome meet(Assembly& assembly, const Proposal& proposal) {
  call_is_of(assembly.rank());
  for (;;) {
    Words words = words_of(proposal, assembly.rank(), assembly.ranks());
    if (scorpio_compat::all_reduce(words.data(), Words::count(), MPI_UINT64_T, MPI_MAX, assembly.comm()) !=
        MPI_SUCCESS) {
      return {fail("an MPI call failed"), false, 0, true, -1};
    }
    Outcome outcome = outcome_of(words, proposal);
    share_failure(assembly, words, proposal, outcome);
    if (words.nobody_has(k_block) || words.nobody_has(k_other)) {
      record_groups(assembly);
      return outcome;
    }
    // Some ranks are in a block write and others are not: the block write is made first.
    const int first = assembly.ranks() - static_cast<int>(words[k_first_block]);
    const bool runs = words[k_block_failure] == 0 && words.all_equal(k_block);
    if (proposal.may_be_skipped) {
      call_is_of(assembly.rank() - first);
      outcome.shared_by = first;
      return outcome;
    }
    if (runs) help_block_write(assembly, first);
  }
}

}  // namespace scorpio2012
