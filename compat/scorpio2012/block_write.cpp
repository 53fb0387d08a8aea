#include "block_write.h"

#include "block_store.h"
#include "failure.h"
#include "meeting.h"

namespace scorpio2012 {

int write_dataset_block(iogroup_t* shown, const DatasetArguments& arguments, const void* buffer) {
  const Place place = place_of(shown, arguments.handle);
  if (place.group == nullptr) return k_failure;
  Proposal proposal = propose("write_dataset_block", place, arguments);
  proposal.may_be_skipped = true;
  LocalPart part{std::nullopt, buffer, true};
  if (proposal.error == 0) part.layout = block_layout(*arguments.global, arguments.start, arguments.local);
  if (proposal.error == 0) proposal.error = check_writable(place);
  if (proposal.error == 0) proposal.error = check_part(part.layout, buffer);
  if (proposal.error == 0) proposal.from_rank0 = static_cast<uint64_t>(place.file->current_group());
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  if (outcome.shared_by < 0) return store_block(place, arguments, static_cast<int>(outcome.from_rank0), part);
  return store_skipped_block(place, arguments, part, outcome.shared_by);
}

}  // namespace scorpio2012
