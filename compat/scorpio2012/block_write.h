// Block writes: every rank writes its own n-dimensional block. Ranks without data may skip the call
// (block_store.h). Collective; one thread.
#pragma once

#include "dataset_arguments.h"

namespace scorpio2012 {

int write_dataset_block(iogroup_t* shown, const DatasetArguments& arguments, const void* buffer);

}  // namespace scorpio2012
