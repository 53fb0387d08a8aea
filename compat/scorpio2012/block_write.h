// Block writes: every rank its own n-dimensional block. Ranks that hold nothing may skip the call; their next
// call then finds the others waiting, and takes part with nothing first. Collective; one thread.
#pragma once

#include "dataset_arguments.h"

namespace scorpio2012 {

int write_dataset_block(iogroup_t* shown, const DatasetArguments& arguments, const void* buffer);

// On a rank that skipped a block write, of which rank `teller` tells the arguments.
void help_block_write(Assembly& assembly, int teller);

}  // namespace scorpio2012
