// The part of a block write after the comparison of the calls (meeting.h). Ranks without data may skip the
// call; their next call finds that the others wait, and first takes part in the skipped call without data.
// Collective; one thread.
#pragma once

#include "dataset_arguments.h"
#include "store.h"

namespace scorpio2012 {

// All ranks have made the call. `current_group`: that of rank 0.
int store_block(const Place& place, const DatasetArguments& arguments, int current_group,
                const LocalPart& part);

// Some ranks have skipped the call, and rank `teller` sends them the arguments.
int store_skipped_block(const Place& place, const DatasetArguments& arguments, const LocalPart& part,
                        int teller);

// Called on a rank that skipped a block write; rank `teller` sends the arguments.
void help_block_write(Assembly& assembly, int teller);

}  // namespace scorpio2012
