// Block writes: every rank writes its own n-dimensional block. Ranks without data may skip the call; their
// next call finds that the others wait, and first makes the skipped call without data. Collective; one
// thread.
#pragma once

#include "dataset_arguments.h"

namespace scorpio2012 {

int write_dataset_block(iogroup_t* shown, const DatasetArguments& arguments, const void* buffer);

// Called on a rank that skipped a block write; rank `teller` sends the arguments.
void help_block_write(Assembly& assembly, int teller);

}  // namespace scorpio2012
