/* Truchas' probes: extendible datasets that it makes, extends and writes by itself through HDF5 ids, on every
 * I/O root, where only global rank 0 has rows to give. Independent. */
#pragma once

#include "scorpio.h"

/* The dataset `name` in the group "Probes" below `parent`, with one row; -1 on ranks that are no roots. */
hid_t probe_create(hid_t parent, const char* name, int columns, const double* row, const iogroup_t* group);

/* One row more. */
void probe_append(hid_t probe, int columns, const double* row, const iogroup_t* group);

/* Everything that is open in the file is closed, whoever opened it. */
void close_objects(hid_t file);
