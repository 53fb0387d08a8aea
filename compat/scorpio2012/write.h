// Writes by pattern and by index list. Collective; one thread.
#pragma once

#include "dataset_arguments.h"

namespace scorpio2012 {

int write_dataset(iogroup_t* shown, const DatasetArguments& arguments, const void* buffer, int pattern);
int write_dataset_indexed(iogroup_t* shown, const DatasetArguments& arguments,
                          const std::optional<IndexList>& list, const void* buffer);
int set_index_list(const std::optional<IndexList>& list, int handle, iogroup_t* shown);

}  // namespace scorpio2012
