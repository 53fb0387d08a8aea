// Reads by pattern, by block and by index list. Collective; one thread.
#pragma once

#include "dataset_arguments.h"

namespace scorpio2012 {

int read_dataset(iogroup_t* shown, const DatasetArguments& arguments, void* buffer, int pattern);
int read_dataset_block(iogroup_t* shown, const DatasetArguments& arguments, void* buffer);
// Reads the block of `local` elements at `start`; `global` is ignored.
int read_same_sub_dataset(iogroup_t* shown, const DatasetArguments& arguments, void* buffer);
int read_dataset_indexed(iogroup_t* shown, const DatasetArguments& arguments,
                         const std::optional<IndexList>& list, void* buffer);

}  // namespace scorpio2012
