// The current group of a file, and soft links. Collective unless stated otherwise; one thread.
#pragma once

#include <hdf5.h>

#include "scorpio_util.h"

#include "common.h"

namespace scorpio2012 {

// Opens or creates the group and makes it the current one; returns its number from 1 on, or -1.
int enter_dataset_group(const char* name, int handle, iogroup_t* shown);
// The same; returns its HDF5 id on I/O roots, 0 on other ranks.
int64_t lend_dataset_group(const char* name, int handle, iogroup_t* shown);

// Independent; each ends the current group. They return 0 on ranks that are not I/O roots.
int close_lent_group(int64_t id, int handle, iogroup_t* shown);
int close_numbered_group(int number, int handle, iogroup_t* shown);
int close_current_group(int handle, iogroup_t* shown);

// `location`: an HDF5 id of a group; that of rank 0 is used.
int create_link(const char* target, int64_t location, const char* link_name, int handle, iogroup_t* shown);

}  // namespace scorpio2012
